#!/usr/bin/env bash
# Coverage of the RTL (docs/coverage.md): runs the unit tests and whole runs on models that count, merges the counts
# and prints a table and the holes.
#
#   coverage.sh ROOT BUILD [--json FILE] [--seed N] [UNIT...]
#
# Exit status 0: every cover point is reached, or excused in excuses.txt; 1: one is not, an excuse is not
# needed, or a test fails; 2: arguments.
set -euo pipefail
root=$1 build=$2
shift 2
here=$root/tests/coverage
data=$build/coverage
json=
seed=1
cycles=1920000 # of a random test, twice as many as the longest has of itself

say() { printf 'tandem: %s\n' "$*" >&2; }
refuse() {
  say "$@"
  exit 2
}

mapfile -t programs <"$data/programs.txt" # "name unit", a line each
mapfile -t all < <(printf '%s\n' "${programs[@]}" | cut -d' ' -f2 | awk '!seen[$0]++')
units=()
while (($#)); do
  case $1 in
  -h | --help)
    printf '%s\n' "usage: tandem coverage [--json FILE] [--seed N] [UNIT...]" "units: ${all[*]}"
    exit
    ;;
  --json | --seed)
    [[ ${2-} ]] || refuse "$1 needs a value"
    if [[ $1 == --json ]]; then json=$2; else seed=$2; fi
    shift
    ;;
  -*) refuse "unknown option $1 (--help lists them)" ;;
  *)
    printf '%s\n' "${all[@]}" | grep -qxF -- "$1" || refuse "there is no unit $1 (units: ${all[*]})"
    units+=("$1")
    ;;
  esac
  shift
done
[[ $seed =~ ^[0-9]{1,18}$ ]] || refuse "--seed $seed: not a number"
if [[ $json ]]; then { : >>"$json"; } 2>/dev/null || refuse "cannot write $json"; fi
((${#units[@]})) || units=("${all[@]}")

# The programs of these units.
chosen=()
for program in "${programs[@]}"; do
  read -r name unit <<<"$program"
  if printf '%s\n' "${units[@]}" | grep -qxF "$unit"; then chosen+=("$program"); fi
done

# Progress, a line that is written over.
progress() { [[ ! -t 2 ]] || printf '\r\033[K%s' "$*" >&2; }

# One at a time in a build.
exec 8>>"$data/.lock"
flock 8
say "building ${#chosen[@]} models with coverage"
mapfile -t targets < <(printf 'coverage_%s\n' "${chosen[@]%% *}")
flock "$build/.lock" ninja -C "$build" "${targets[@]}" 2>&1 | tee "$data/build.log" | while IFS= read -r line; do
  progress "${line:0:100}"
done || {
  cat "$data/build.log" >&2
  refuse "the build failed"
}

# Each program leaves a file for each model that it made; they become one, NAME@UNIT.dat.
rm -rf "$data/counts"
mkdir -p "$data/counts"
folder=$(mktemp -d "$data/run.XXXXXX")
trap 'rm -rf "$folder"' EXIT
status=0 number=0

# run NAME UNIT LOG COMMAND...
run() {
  local name=$1 counts=$data/counts/$1@$2.dat log=$3
  shift 3
  TANDEM_COVERAGE=$folder TANDEM_SEED=$seed "$@" >"$log" 2>&1 || {
    progress
    tail -n 20 "$log" >&2
    say "$name fails; all of its output: $log"
    status=1
  }
  verilator_coverage --write "$counts" "$folder"/*.dat >/dev/null
  rm -f "$folder"/*.dat
}

for entry in "${chosen[@]}"; do
  read -r name unit <<<"$entry"
  number=$((number + 1))
  progress "running $name ($number of ${#chosen[@]})"
  test=$build/tests/unit/coverage_$name
  [[ -x $test ]] || test=$build/tests/coverage/coverage_$name # whole runs
  run "$name" "$unit" "$data/$name.log" "$test" --cycles "$cycles"
done
progress

awk -v root="$root/" -f "$here/points.awk" "$here/excuses.txt" "$data"/counts/*.dat >"$data/points.tsv" || exit 1
jq -nR -f "$here/report.jq" "$data/points.tsv" >"$data/report.json"
jq -r -f "$here/text.jq" "$data/report.json"
if [[ $json ]]; then cp "$data/report.json" "$json" || refuse "cannot write $json"; fi
jq -e 'all(.units[]; .points.missed == [] and .points.needless == [])' "$data/report.json" >/dev/null || status=1
exit $status
