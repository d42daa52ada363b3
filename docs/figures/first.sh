#!/usr/bin/env bash
# Measures what a newcomer waits for, as ./tandem run and ./tandem test of the last commit in an empty clone, with empty
# caches in folders of its own (the packages are there).  Writes first.json, and the costs of fast tests in
# tests/costs.txt, which are those of this run.
#
#   first.sh ROOT
set -euo pipefail
export LC_ALL=C
root=$1
here=$root/docs/figures
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
clone=$work/clone
git clone -q "$root" "$clone"
git -C "$root" diff --quiet HEAD || echo "figures: changes that are not committed are not measured" >&2
unset TANDEM_BUILD
export XDG_CACHE_HOME=$work/cache CCACHE_DIR=$work/ccache TANDEM_MEASURED=$work/measured
cd "$clone"

# measured PHASE WORD...: a command of tandem.
measured() { tests/measured.sh "$1" ./tandem "${@:2}" >"$work/$1.log" 2>&1 || { cat "$work/$1.log" >&2 && return 1; }; }
measured run run
measured build test -N
measured tests test
# The models, and the seconds of the tools that made them.
build/bin/tandem models | awk '$2 ~ /-/ { print $8, $4, $5, $6, $7 }' | jq -R -s '
  split("\n") | map(select(. != "") | split(" ")
    | {kind: .[0] | sub(".*[.]"; ""), name: .[0], yosys: .[1] | tonumber, verilator: .[2] | tonumber,
       compiler: .[3] | tonumber, linker: .[4] | tonumber})' >"$work/models"
jq -n --slurpfile phases "$work/measured" --slurpfile models "$work/models" \
  --arg processor "$(sed -n '/^model name/ { s/.*: //p; q }' /proc/cpuinfo)" --argjson processors "$(nproc)" '
  {$processor, $processors, phases: ($phases | map({key: .name, value: (. | del(.name, .budget, .status))}) | from_entries),
   kinds: ($models[0] | group_by(.kind) | map({kind: .[0].kind, models: length, yosys: (map(.yosys) | add),
     verilator: (map(.verilator) | add), compiler: (map(.compiler) | add), linker: (map(.linker) | add)})),
   dearest: ($models[0] | sort_by(-(.yosys + .verilator + .compiler))[:12])}' >"$work/first.json"

# Costs in loops: lines of the dearer tests.
loop=$(jq '.phases.tests.loop' "$work/first.json")
{
  awk 'NR == FNR { fast[$2]; next } !($2 in fast)' build/costs.txt "$root/tests/costs.txt"
  awk -v loop="$loop" '$1 >= 1.5 * loop { printf "%.0f %s\n", $1 / loop, $2 }' build/costs.txt | sort -k1,1nr -k2,2
} >"$work/costs.txt"
cp "$work/costs.txt" "$root/tests/costs.txt"
cp "$work/first.json" "$here/first.json"
grep -hE '^tandem: (run|build|tests): ' "$work"/{run,build,tests}.log >&2
budget=$("$clone/tests/measured.sh" --budget)
if jq -e --argjson budget "$budget" '.phases | .build.loops + .tests.loops > $budget' "$here/first.json" >/dev/null; then
  echo "figures: the tests cost more than $budget loops, their budget in tests/measured.sh" >&2
  exit 1
fi
