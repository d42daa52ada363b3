#!/usr/bin/env bash
# RTL that follows its reference and SMs that are ahead of memory show in nothing: results, failures and their reports,
# waveforms are those of RTL and SMs in the same cycle, for any block, lookahead and number of threads.
#
#   follows.sh TANDEM KERNELS PROGRAMS few|all
set -uo pipefail
tandem=$1 kernels=$2 programs=$3 much=$4
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0 runs=0

# All that a run says but for times, as text.
run() {
  rm -rf "$work/reports"
  mkdir "$work/reports"
  timeout 300 "$tandem" run "$@" --report-dir "$work/reports" --json="$work/json" >"$work/out" 2>&1
  echo "status $?"
  # The command to paste has the options; speed and shares of time are of the host.
  sed -E '/^ *reproduce:|kHz/d' "$work/out"
  jq 'del(.wall, .wall_s, .khz, .warp_instructions_per_s)' "$work/json"
  for wave in "$work"/reports/*.fst; do
    [ -e "$wave" ] && basename "$wave" && fst2vcd "$wave" 2>/dev/null | sed '/^\$date/,/^\$end/d' | md5sum
  done
}

# same STATUS OPTION...: the run ends with this status, and with these words in whatever way the parts of the machine
# run: blocks, lookahead and threads.
same() {
  local status=$1 block ahead threads ways=("2 24 1" "7 7 2" "64 2 3")
  shift
  [ "$much" = all ] && ways=("1 24 1" "2 1 1" "2 7 2" "2 24 3" "7 1 2" "7 2 3" "7 24 1" "64 1 3" "64 2 1" "64 7 3" "64 24 2")
  run "$@" --rtl-block 1 --lookahead 1 --threads 1 >"$work/coupled"
  if ! grep -qx "status $status" "$work/coupled" || ! grep -q '"compared": [1-9]' "$work/coupled"; then
    echo "$*: not the run that was meant:"
    head -3 "$work/coupled"
    failed=1
  fi
  for way in "${ways[@]}"; do
    read -r block ahead threads <<<"$way"
    run "$@" --rtl-block "$block" --lookahead "$ahead" --threads "$threads" --together >"$work/follows"
    runs=$((runs + 1))
    if ! cmp -s "$work/coupled" "$work/follows"; then
      echo "$*, blocks of $block, lookahead $ahead, $threads threads:"
      diff "$work/coupled" "$work/follows" | head -10
      failed=1
    fi
  done
}

same 0 "$kernels/vecadd/vecadd.yaml"
same 0 "$kernels/vecadd/vecadd.yaml" --state-interval 1 --sms 3

same 1 "$kernels/vecadd/vecadd.yaml" --sms 4 --bug 8 --bug-sm 3
same 1 "$kernels/vecadd/vecadd.yaml" --sms 4 --bug 1 --bug-sm 2 --state-interval 300
same 1 "$kernels/vecadd/vecadd.yaml" --sms 4 --max-cycles 600
same 1 "$programs/faults.cl" --sms 2 --kernel trapped --grid 2 --block 32 --arg buffer:u32:64 --arg u32:37
# Warps that spin and store: what is there already, or something else. Their CTAs do not all fit at once.
buffers=(--arg buffer:s32:2 --arg buffer:s32:512)
same 0 "$programs/waits.cl" --kernel stores_meanwhile --sms 4 --grid 40 --block 128 "${buffers[@]}"
same 1 "$programs/waits.cl" --kernel stores_too --sms 2 --grid 2 --block 64 "${buffers[@]}"
if [ "$much" = all ]; then
  for bug in 1 6 8; do
    same 1 "$kernels/sgemm/sgemm.yaml" --bug $bug --bug-sm 2
  done
  same 1 "$kernels/sgemm/sgemm.yaml" --bug 8 --assertions
  # All SMs differ, at many cycles.
  mkdir -p "$work/rtl/sm"
  sed 's/`FAULT(8, mask1_i, \(.*\));/\1;/' "$kernels/../../rtl/sm/frontend_outputs.sv" >"$work/rtl/sm/frontend_outputs.sv"
  same 1 "$kernels/sgemm/sgemm.yaml" --rtl "$work/rtl"
  for gpu in "--buddy 2" "--buddy 4" "--warp-size 64"; do
    # shellcheck disable=SC2086 # options
    same 0 "$kernels/sgemm/sgemm.yaml" $gpu
    # shellcheck disable=SC2086
    same 1 "$kernels/sgemm/sgemm.yaml" $gpu --bug 8
  done
  same 0 "$kernels/flex/faults/schemes.yaml"
  same 1 "$kernels/flex/faults/schemes.yaml" --bug 182
  same 0 "$kernels/spu/jacobi2d.yaml"
  same 0 "$kernels/bfs/bfs.yaml"
fi
[ $failed = 0 ] && echo "$runs runs are as with all in the same cycle"
exit $failed
