#!/usr/bin/env bash
# Runs a command and prints its real time, the processor seconds of it and all that it started, and how many calibration
# loops these are.  The loop is fixed work, done on each processor before and after the command, so costs in loops are
# alike on a fast and on a slow day.
#
#   measured.sh NAME COMMAND...
#   measured.sh --budget          prints the budget of `./tandem test`
#
# The command of the name `test` fails if it costs more than its budget, but only where it had nothing made before: no
# compiler cache, no models, no build folder.  The same commit has cost 1,020 loops on one machine and 1,160 on another;
# the budget leaves room for that.  TANDEM_MEASURED in the environment names a file that gets a line of JSON.
set -euo pipefail
export LC_ALL=C
root=$(dirname "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")")
name=$1 test_budget=1300 budget=0
shift
if [[ $name == --budget ]]; then
  echo "$test_budget"
  exit
fi
[[ $name != test ]] || budget=$test_budget

models=${XDG_CACHE_HOME:-$HOME/.cache}/tandem
made=
[[ ! -e ${TANDEM_BUILD:-$root/build} ]] || made+=" a build folder,"
[[ ! $(find "$models" -name '*.so' -print -quit 2>/dev/null) ]] || made+=" models,"
if command -v ccache >/dev/null; then
  (($(ccache --print-stats | awk '$1 == "files_in_cache" { print $2 }') == 0)) || made+=" a compiler cache,"
fi

# The processor seconds of a loop, the mean of one on each processor; twice, added to `loops`.
loops=()
calibrate() {
  local i TIMEFORMAT=%U seconds
  for _ in 1 2; do
    seconds=$({ time { for ((i = 0; i < $(nproc); i++)); do
      perl -e 'my $x = 1; $x = ($x * 1103515245 + 12345) & 0x7fffffff for 1 .. 25_000_000' &
    done && wait; }; } 2>&1)
    loops+=("$(awk -v s="$seconds" -v n="$(nproc)" 'BEGIN { print s / n }')")
  done
}

calibrate
times=$(mktemp)
trap 'rm -f "$times"' EXIT
status=0
TIMEFORMAT='%R %U %S'
{ time "$@" 2>&3; } 3>&2 2>"$times" || status=$?
calibrate
read -r real user system <"$times"
jq -n --arg name "$name" --arg made "${made%,}" --argjson loops "$(jq -s . <<<"${loops[*]}")" --argjson real "$real" \
  --argjson user "$user" --argjson system "$system" --argjson budget "$budget" --argjson status "$status" \
  '($loops | sort | .[length / 2 | floor]) as $loop
   | {$name, empty: ($made == ""), $real, processor: ($user + $system), $loop,
      loops: (($user + $system) / $loop | round), $budget, $status}' >"$times"
[[ ! ${TANDEM_MEASURED-} ]] || jq -c . "$times" >>"$TANDEM_MEASURED"
jq -r --arg made "${made%,}" '"tandem: \(.name): \(.real | round) s, \(.processor | round) processor seconds, \(.loops) loops of
  \(.loop * 1000 | round) ms" + (if .budget == 0 then "" else " of at most \(.budget)" end)
  + (if .empty then "; with empty caches" else "; not judged, as there was\($made)" end) | gsub("\n *"; " ")' "$times" >&2
((status)) || ! jq -e '.empty and .budget != 0 and .loops > .budget' "$times" >/dev/null || {
  echo "tandem: $name costs more than its budget in $root/tests/measured.sh" >&2
  status=1
}
exit "$status"
