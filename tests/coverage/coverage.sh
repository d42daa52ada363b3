#!/usr/bin/env bash
# Coverage of the RTL (docs/models/coverage.md): runs the unit tests and whole runs on models that count, merges the counts
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
. "$root/tests/units.sh"
data=$build/coverage
json=
seed=1
cycles=1920000 # of a random test, twice as many as the longest has of itself

say() { printf 'tandem: %s\n' "$*" >&2; }
refuse() {
  say "$@"
  exit 2
}

mapfile -t all < <(units_all | grep -vxF spu_grid)
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
    grep -qxF -- "$1" < <(printf '%s\n' "${all[@]}") || refuse "there is no unit $1 (units: ${all[*]})"
    units+=("$1")
    ;;
  esac
  shift
done
[[ $seed =~ ^[0-9]{1,18}$ ]] || refuse "--seed $seed: not a number"
if [[ $json ]]; then { : >>"$json"; } 2>/dev/null || refuse "cannot write $json"; fi
((${#units[@]})) || units=("${all[@]}")

# The runs of a unit, "NAME UNIT VARIANT" each: as it is, and in the variants that are COVERED.
runs_of() {
  local variant
  echo "$1 $1"
  awk -F '\t' -v unit="$1" '$1 == unit && $2 == "VARIANT" && $5 ~ /COVERED/ { print $3 }' <<<"$facts_of_units" |
    while read -r variant; do echo "$1_$variant $1 $variant"; done
}
mapfile -t chosen < <(for unit in "${units[@]}"; do runs_of "$unit"; done)

# A unit that is made of others is measured in whole runs.
is_machine() { grep -qP "^$1\tMADE_OF_UNITS\t" <<<"$facts_of_units"; }
program_of() { if is_machine "$1"; then echo whole_runs; else echo "test_$1"; fi; }

# The cover points of a unit, or of the parts of a composed one, separated by commas.
points_of() {
  local files=$1
  if is_machine "$1"; then files=$(texts "$1 $1" | sed -n 's|.*/\(.*\)\.sv$|\1|p'); fi
  for unit in $files; do
    [[ ! -e $here/${unit}_cover.sv ]] || echo "$here/${unit}_cover.sv"
  done | paste -sd,
}

# The command of a run, a word a line.
command_of() {
  local unit=$2 variant=${3-} points
  points=$(points_of "$unit")
  if is_machine "$unit"; then
    printf '%s\n' "$build/tests/random/whole_runs" --unit "$unit" --parameters "$(parameters_of "$unit")"
  else
    printf '%s\n' "$build/tests/unit/test_$unit" --cycles "$cycles" ${variant:+--variant "$variant"}
  fi
  printf '%s\n' --device covered ${points:+--files "$points"}
}

# One at a time in a build.
mkdir -p "$data"
exec 8>>"$data/.lock"
flock 8
mapfile -t targets < <(for unit in "${units[@]}"; do program_of "$unit"; done | sort -u)
say "building ${#targets[@]} programs"
flock "$build/.lock" ninja -C "$build" "${targets[@]}" >"$data/build.log" 2>&1 || {
  cat "$data/build.log" >&2
  refuse "the build failed"
}

# Each run leaves a file for each model that it made; they become one, NAME@UNIT.dat.
rm -rf "$data/counts"
mkdir -p "$data/counts"
folder=$(mktemp -d "$data/run.XXXXXX")
trap 'rm -rf "$folder"' EXIT
# run NAME UNIT COMMAND...: a test that fails is named, and counts all the same.
run() {
  local name=$1 unit=$2 log=$data/$1.log
  shift 2
  mkdir "$folder/$name"
  TANDEM_COVERAGE=$folder/$name TANDEM_SEED=$seed "$@" >"$log" 2>&1 || {
    tail -n 20 "$log" >&2
    echo "tandem: $name fails; all of its output: $log" >&2
    : >"$folder/failed"
  }
  if [[ $(echo "$folder/$name"/*) == *.dat ]]; then
    verilator_coverage --write "$data/counts/$name@$unit.dat" "$folder/$name"/*.dat >/dev/null || : >"$folder/failed"
  fi
  rm -rf "${folder:?}/$name"
}

say "${#chosen[@]} runs, on models that count"
status=0
for entry in "${chosen[@]}"; do
  read -r name unit variant <<<"$entry"
  while (($(jobs -rp | wc -l) >= $(nproc))); do wait -n || true; done
  mapfile -t command < <(command_of "$name" "$unit" "$variant")
  run "$name" "$unit" "${command[@]}" &
done
wait
[[ ! -e $folder/failed ]] || status=1

awk -f "$here/points.awk" "$here/excuses.txt" "$data"/counts/*.dat >"$data/points.tsv" || exit 1
jq -nR -f "$here/report.jq" "$data/points.tsv" >"$data/report.json"
jq -r -f "$here/text.jq" "$data/report.json"
if [[ $json ]]; then cp "$data/report.json" "$json" || refuse "cannot write $json"; fi
jq -e 'all(.units[]; .points.missed == [] and .points.needless == [])' "$data/report.json" >/dev/null || status=1
exit $status
