#!/usr/bin/env bash
# The table "In the box" of README.md: area and Fmax from synth/data/baseline.json, mutation scores from
# tests/mutation/scores.txt, speed from docs/generate/speed.json; and the times of the first run and the tests, from
# docs/figures/first.json.
#
#   box.sh ROOT            writes them into README.md
#   box.sh ROOT --check    exit status 1 if README.md has another one
#   box.sh ROOT --measure TANDEM
#                          measures speed.json first: cycles of a lockstep run on one thread by the processor
#                          time that it takes, the best of three runs
set -euo pipefail
export LC_ALL=C
root=$1
here=$root/docs/generate
begin='<!-- box: written by docs/generate/box.sh -->' end='<!-- end of the box -->'
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# measure OPTION...: simulated kHz of a run, per second of the processor.
measure() {
  local best=0 khz user
  for _ in 1 2 3 4; do # the first one makes the models
    TIMEFORMAT=%U
    user=$({ time "$tandem" run --threads 1 --json "$work/run" "$@" >"$work/log" 2>&1; } 2>&1)
    khz=$(jq --arg user "$user" '.cycles / ($user | tonumber) / 1000 | round' "$work/run")
    ((khz <= best)) || best=$khz
  done
  echo "$best"
}

if [[ ${2-} == --measure ]]; then
  tandem=$3
  bench=$root/tests/kernels/blackscholes/blackscholes_bench.yaml
  jq -n --arg processor "$(sed -n '/^model name/ { s/.*: //p; q }' /proc/cpuinfo)" \
    --argjson sm "$(measure "$bench")" --argjson two "$(measure --buddy 2 "$bench")" \
    --argjson four "$(measure --buddy 4 "$bench")" --argjson eight "$(measure --buddy 8 "$bench")" \
    --argjson flex "$(measure --config "$root/tests/kernels/flex/flex12.yaml" --set flex.scheme=bigsm "$bench")" \
    --argjson spu "$(measure "$root/tests/kernels/spu/mean3d_128.yaml")" \
    '{$processor, khz: {sm_frontend: $sm, buddy_cluster_Members2: $two, buddy_cluster_Members4: $four,
      buddy_cluster_Members8: $eight, flex_cluster: $flex, spu_grid_Columns4_Rows4: $spu}}' >"$work/speed"
  mv "$work/speed" "$here/speed.json"
fi

# Scores of whole units: caught / (mutants - equivalent - idle).
awk 'NR > 1 && $1 == "unit" { printf "%s %.1f\n", $2, 100 * $9 / ($8 - $16 - $17) }' \
  "$root/tests/mutation/scores.txt" >"$work/scores"
{
  echo "$begin"
  echo '| hardware | area, kGE | memory, Kbit | Fmax, MHz at 180 nm (scaled to 45 nm) | lockstep, kHz | mutation score |'
  echo '| --- | --- | --- | --- | --- | --- |'
  jq -r --rawfile scores "$work/scores" --slurpfile speed "$here/speed.json" '
    .osu018_stdcells.units as $units
    | ($scores | split("\n") | map(split(" ") | select(length == 2) | {key: .[0], value: .[1]}) | from_entries) as $score
    | [["sm_frontend", "front end of an SM", "sm_frontend"],
       ["buddy_cluster_Members2", "cluster of 2", "buddy_cluster"],
       ["buddy_cluster_Members4", "cluster of 4", "none"],
       ["buddy_cluster_Members8", "cluster of 8", "none"],
       ["flex_cluster", "Flex cluster of 6", "flex_cluster"],
       ["spu_grid_Columns4_Rows4", "SPU fabric, 4 x 4", "spu_grid"]][]
    | . as [$unit, $name, $mutated] | $units[$unit] as $u
    | [$name, ($u.area_um2 / 24 / 1000 | round), ($u.memory_bits / 1024 | round),
       (if $u.fmax_mhz > 0 then "\($u.fmax_mhz | round) (\($u.fmax_mhz * 700 / $units.sm_frontend.fmax_mhz | round))"
        else "not timed" end),
       $speed[0].khz[$unit], (if $score[$mutated] then "\($score[$mutated]) %" else "as the cluster of 2" end)]
    | "| \(join(" | ")) |"' "$root/synth/data/baseline.json"
  echo "$end"
} >"$work/table"

run=$(jq -r '"\(.phases.run.real | round) s on \(.processors) cores"' "$root/docs/figures/first.json")
test=$(jq -r '"\((.phases.build.real + .phases.tests.real) / 60 | ceil) minutes"' "$root/docs/figures/first.json")
awk -v begin="$begin" -v end="$end" -v run="$run" -v test="$test" '
  NR == FNR { table = table $0 "\n"; next }
  /^\.\/tandem run  +#/ { sub(/[0-9]+ s on [0-9]+ cores/, run) }
  /^\.\/tandem test  +#/ { sub(/[0-9]+ minutes/, test) }
  $0 == begin { inside = 1; printf "%s", table }
  !inside { print }
  $0 == end { inside = 0; done = 1 }
  END { exit !done }' "$work/table" "$root/README.md" >"$work/readme" || {
  echo "README.md has no place for the table: $begin" >&2
  exit 1
}
if [[ ${2-} == --check ]]; then
  diff "$root/README.md" "$work/readme" || {
    echo "README.md has not this table or these times: docs/generate/box.sh ." >&2
    exit 1
  }
else
  cp "$work/readme" "$root/README.md"
fi
