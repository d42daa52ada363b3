#!/usr/bin/env bash
# tandem mutate [UNIT...] [OPTION...]: how many small faults of each unit its test finds (docs/models/mutation.md).
#
#   mutate.sh ROOT BUILD [UNIT...] [OPTION...]
#
# BUILD/mutation/LEVEL/UNIT keeps the result of each mutant, by what it was got with, so that nothing runs twice.
set -euo pipefail
root=$1 build=$2
shift 2
here=$root/tests/mutation
. "$root/tests/units.sh"
. "$here/run.sh"

usage() {
  cat <<END
Usage: tandem mutate [UNIT...] [OPTION...]
       tandem mutate --model [GROUP...] [OPTION...]    of the C model (--model --help)
Makes single changes in the netlist of each unit (default: all units) and runs the unit's test with each, or
random programs and kernels in lockstep.

      --count N        mutants of each unit, 1 to 5000 (default 60)
      --json FILE      writes all results to a file
      --level LEVEL    unit: the unit's test (default); system: whole runs, of units that machines are made of
      --page           writes the table of docs/results/mutation.md anew, and nothing else
      --record         keeps the scores in tests/mutation/scores.txt and writes that table anew
      --sample SECONDS a few mutants of units that have changed since their scores were recorded, in so much time, 10
                       to 86400; exit status 1 if clearly fewer are found than the records say
      --seconds N      of processor time, for each step of a proof about a mutant that no test finds, 1 to 86400
                       (default 60)
      --seed S         chooses the mutants (default 1); of --sample units and mutants (default: number of commits)
      --seeds K        runs each test with the seeds 1 to K until one finds the mutant, 1 to 100 (default 1)
      --table          prints the scores that are recorded, and which of them are stale, and nothing else
END
}
refuse() {
  printf 'tandem: %s\n' "$*" >&2
  exit 2
}

# number OPTION VALUE LEAST MOST
number() {
  [[ $2 =~ ^[0-9]{1,9}$ ]] && ((10#$2 >= $3 && 10#$2 <= $4)) ||
    refuse "$1 $2: a number from $3 to $4 is needed"
}

mapfile -t all < <(units_all)
mapfile -t system < <(units_system)
units=() level=unit count=60 seed='' seeds=1 seconds=60 json='' record='' sample=''
while (($#)); do
  case $1 in
  -h | --help) usage && exit ;;
  --record) record=1 ;;
  --table) exec "$here/scores.sh" "$root" table ;;
  --page) exec "$here/scores.sh" "$root" page ;;
  --level | --count | --sample | --seed | --seeds | --seconds | --json)
    (($# >= 2)) || refuse "$1 needs a value"
    case $1 in
    --level) [[ $2 == unit || $2 == system ]] && level=$2 || refuse "--level $2: unit or system" ;;
    --count) number "$1" "$2" 1 5000 && count=$((10#$2)) ;;
    --sample) number "$1" "$2" 10 86400 && sample=$((10#$2)) ;;
    --seed) number "$1" "$2" 0 999999999 && seed=$((10#$2)) ;;
    --seeds) number "$1" "$2" 1 100 && seeds=$((10#$2)) ;;
    --seconds) number "$1" "$2" 1 86400 && seconds=$((10#$2)) ;;
    --json)
      json=$2
      { [[ $json ]] && : >>"$json"; } 2>/dev/null || refuse "--json: cannot write to \"$json\""
      ;;
    esac
    shift
    ;;
  -*) refuse "unknown option $1; tandem mutate --help lists the options" ;;
  *)
    grep -qxF -- "$1" < <(printf '%s\n' "${all[@]}") || refuse "there is no unit \"$1\"; the units are ${all[*]}"
    units+=("$1")
    ;;
  esac
  shift
done
if [[ $level == system ]]; then all=("${system[@]}"); fi
[[ ! $record || $seeds == 1 ]] || refuse "--record keeps scores of one seed, not of --seeds $seeds"
for unit in "${units[@]}"; do
  [[ " ${all[*]} " == *" $unit "* ]] || refuse "--level system: no run has $unit by itself; it can be of ${all[*]}"
done
for tool in yosys yosys-abc jq; do
  command -v $tool >/dev/null || refuse "$tool is missing; packages.txt lists what is needed"
done

mkdir -p "$build/mutation"
work=$(mktemp -d "$build/mutation/run.XXXXXX")
trap 'rm -rf "$work"' EXIT
if [[ $sample ]]; then
  seed=${seed:-$(git -C "$root" rev-list --count HEAD 2>/dev/null || echo 1)}
  . "$here/sample.sh"
  sample_all "${units[@]}"
  exit
fi
((${#units[@]})) || units=("${all[@]}")
seed=${seed:-1}
for unit in "${units[@]}"; do
  "$here/prepare.sh" "$root" "$build" "$level" "$unit" "$count" "$seed" "$work/$unit" || exit
  take "$level" "$unit" "$seconds"
  seq "$mutants" | run_trials ''
  survivors | judge ''
  results "$(seq "$mutants")" >>"$work/results"
done
jq -s --arg level "$level" --argjson count "$count" --argjson seed "$seed" --argjson seeds "$seeds" \
  --argjson seconds "$seconds" -f "$here/summary.jq" "$work/results" >"$work/summary.json"
[[ ! $json ]] || cp "$work/summary.json" "$json"
jq -r -f "$here/table.jq" "$work/summary.json"
if [[ $record ]]; then "$here/scores.sh" "$root" record "$work/summary.json"; fi
