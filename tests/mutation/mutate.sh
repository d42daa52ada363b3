#!/usr/bin/env bash
# tandem mutate [UNIT...] [OPTION...]: how many small faults of each unit its test finds (docs/mutation.md).
#
#   mutate.sh ROOT BUILD [UNIT...] [OPTION...]
#
# BUILD/mutation/LEVEL/UNIT keeps the result of each mutant, by what it was got with, so that nothing runs twice.
set -euo pipefail
root=$1 build=$2
shift 2
here=$root/tests/mutation

usage() {
  cat <<END
Usage: tandem mutate [UNIT...] [OPTION...]
       tandem mutate --model [GROUP...] [OPTION...]    of the C model (--model --help)
Makes single changes in the netlist of each unit (default: all units) and runs the unit's test with each, or
random programs and kernels in lockstep.

      --check          exit status 1 if a unit's score is below its floor (tests/mutation/floors.txt)
      --count N        mutants of each unit, 1 to 5000 (default 60)
      --json FILE      writes all results to a file
      --level LEVEL unit: the unit's test (default); system: whole runs, of units that machines are made of
      --seconds N      of processor time, for each step that judges a mutant that no test finds, 1 to 86400 (default 60)
      --seed S         chooses the mutants (default 1)
      --seeds K        runs each test with the seeds 1 to K until one finds the mutant, 1 to 100 (default 1)
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

# All units, and a top that is no unit of machines.
mapfile -t all < <(sed -n 's/^#define PORTS_UNIT //p' "$root/csim/ports/units.def" && echo spu_grid)
whole=(sm_frontend buddy_cluster cta_dispatch comm_pair iu_dma block_port pass_seq spill_chan spu_global)
units=() level=unit count=60 seed=1 seeds=1 seconds=60 json='' check=''
while (($#)); do
  case $1 in
  -h | --help) usage && exit ;;
  --check) check=1 ;;
  --level | --count | --seed | --seeds | --seconds | --json)
    (($# >= 2)) || refuse "$1 needs a value"
    case $1 in
    --level) [[ $2 == unit || $2 == system ]] && level=$2 || refuse "--level $2: unit or system" ;;
    --count) number "$1" "$2" 1 5000 && count=$((10#$2)) ;;
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
    printf '%s\n' "${all[@]}" | grep -qxF -- "$1" || refuse "there is no unit \"$1\"; the units are ${all[*]}"
    units+=("$1")
    ;;
  esac
  shift
done
[[ $level == unit ]] || all=("${whole[@]}")
((${#units[@]})) || units=("${all[@]}")
for unit in "${units[@]}"; do
  [[ " ${all[*]} " == *" $unit "* ]] || refuse "--level system: no run has $unit by itself; it can be of ${all[*]}"
done
for tool in yosys yosys-abc jq; do
  command -v $tool >/dev/null || refuse "$tool is missing; packages.txt lists what is needed"
done

# each TEXT FOLDER COMMAND...: runs COMMAND, whose {} are replaced, for each number of standard input, on all
# processors.  Each writes FOLDER/<number>.
each() {
  local text=$1 folder=$2 numbers pid
  shift 2
  numbers=$(cat)
  [[ $numbers ]] || return 0
  mkdir -p "$folder"
  xargs -P "$(nproc)" -I{} "$@" <<<"$numbers" &
  pid=$!
  while [[ -t 2 ]] && kill -0 $pid 2>/dev/null; do
    printf '\r\033[K%s: %d of %d' "$text" "$(find "$folder" -name '*[0-9]' | wc -l)" "$(wc -l <<<"$numbers")" >&2
    sleep 0.3
  done
  wait $pid || refuse "$text: failed"
  [[ ! -t 2 ]] || printf '\r\033[K' >&2
}

# mutate UNIT: appends a line of JSON for each mutant to $results.
mutate() {
  local unit=$1 netlist=$build/rtl/mutants/$1 folder=$build/mutation/$level/$1 program=mutants_$1 begin log
  local test=$build/tests/unit/$program
  [[ $level == unit ]] || { program=mutants_system_$1 && test=$build/tests/mutation/$program; }
  mkdir -p "$folder"
  [[ $(cat "$netlist.request" 2>/dev/null) == "$count $seed" ]] || {
    mkdir -p "$build/rtl/mutants"
    echo "$count $seed" >"$netlist.request"
  }
  log=$folder/log
  flock "$build/.lock" ninja -C "$build" "$program" >"$log" 2>&1 || { cat "$log" >&2 && refuse "the build of $unit failed"; }
  # The test's time without a mutant bounds that with one.
  begin=$(date +%s%N)
  "$test" --seed 1 >"$log" 2>&1 || { cat "$log" >&2 && refuse "the test of $unit fails without a mutant"; }
  local limit=$((10 + 10 * ($(date +%s%N) - begin) / 1000000000))

  local trials proofs mutants
  trials=$folder/trials-$(sha256sum "$test" | cut -c1-16)-$seeds
  proofs=$folder/proofs-$(cat "$netlist.il" "$netlist.list" "$here/equivalent.sh" | sha256sum | cut -c1-16)-$seconds
  mutants=$(wc -l <"$netlist.list")
  seq "$mutants" | each "$unit, mutants run" "$trials" \
    "$here/trial.sh" "$test" {} "$seeds" "$limit" "$trials/{}"
  # What has changed no bit in any run is not judged: no run reaches it.
  grep -lE "^survived $([[ $level == unit ]] || echo '[1-9]')" "$trials"/*[0-9] | sed 's/.*\///' | sort -n | each "$unit, survivors judged" "$proofs" \
    "$here/equivalent.sh" "$root" "$netlist" {} "$seconds" "$proofs/{}" || true
  local mutant
  for ((mutant = 1; mutant <= mutants; mutant++)); do
    printf '%s\t%s\t%s\t%s\n' "$unit" "$mutant" \
      "$(cat "$proofs/$mutant" 2>/dev/null || cat "$trials/$mutant")" \
      "$(sed -n "${mutant}p" "$netlist.list")"
  done | jq -Rc -f "$here/record.jq" >>"$results"
}

mkdir -p "$build/mutation"
results=$(mktemp)
trap 'rm -f "$results"' EXIT
for unit in "${units[@]}"; do mutate "$unit"; done
jq -s --arg level "$level" --argjson count "$count" --argjson seed "$seed" --argjson seeds "$seeds" -f "$here/summary.jq" "$results" \
  >"$results.json"
[[ ! $json ]] || cp "$results.json" "$json"
jq -r -f "$here/table.jq" "$results.json"
status=0
if [[ $check ]]; then
  jq -r --rawfile floors "$here/floors.txt" -f "$here/check.jq" "$results.json" || status=1
fi
rm -f "$results.json"
exit $status
