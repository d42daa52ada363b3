#!/usr/bin/env bash
# The model's cycles stay near GPGPU-Sim's: some short runs of experiments/calibration.yaml, of each mechanism one,
# with a bound for each and one for their mean deviation.  A change of the model that moves them is either a defect or
# a better model, whose bounds are then set anew here.
#
#   calibration.sh TANDEM SOURCES
. "${0%/*}/suites.sh"

most=1.25 mean=8.5
chosen=(lat_rsqrt_1w lat_xor_1w lat_fdiv_1w lat_cvt_1w thr_ladd_1w loop_1w sh_bank_4 co_lat ch_l2_64k ch_dram_512 st_read_4
  st_write_2 l2_again_320 wt_store at_warp barrier_8 la_tiny_256 dv_2_8w)
only=()
for name in "${chosen[@]}"; do only+=(--only "$name"); done
expect 0 "171 runs, ${#chosen[@]} ok" "$sources/experiments/calibration.yaml" --results r.sqlite --json=out.json "${only[@]}"
jq -r --argjson most $most '.tables[0].rows[] | .name as $name | .cells[0] | select(.value != null) | (.value / .published) as $ratio |
  select($ratio > $most or $ratio < 1 / $most) | "\($name): \(.value) cycles, \(.published) in GPGPU-Sim"' out.json >far
jq -e --argjson n ${#chosen[@]} --argjson mean $mean '.tables[0].rows | (map(select(.cells[0].value != null)) | length) == $n
  and (.[-1].cells[0].deviation | . > 0 and . <= $mean)' out.json >jq.out || echo "the mean deviation is more than $mean %" >>far
: >said # the table has 171 rows
[[ ! -s far ]] || fail "$(cat far)"
