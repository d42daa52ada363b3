#!/usr/bin/env bash
# Makes what a unit's mutants run with, unless it is there: the netlist with mutants, the test program, and the model.
#
#   prepare.sh ROOT BUILD LEVEL UNIT COUNT SEED FILE
#
# FILE, lines: the netlist, without .il and so on; a key of all that a run depends on; seconds that bound a run; the
# run's command, a line each word.  The test must pass without a mutant.
set -euo pipefail
export LC_ALL=C
root=$1 build=$2 level=$3 unit=$4 count=$5 seed=$6 file=$7
here=$root/tests/mutation
. "$root/tests/units.sh"
log=$file.log
fail() {
  cat "$log" >&2
  echo "tandem: $*" >&2
  exit 1
}
short() { sha256sum | cut -c1-16; }

# The test, and with it the miter that is generated.
program=test_$unit test=$build/tests/unit/test_$unit with=()
[[ $unit != spu_grid ]] || test=$build/tests/kernels/spu/test_spu_grid
if [[ $level == system ]]; then
  program=whole_runs test=$build/tests/random/whole_runs with=(--unit "$unit")
fi
flock "$build/.lock" ninja -C "$build" "$program" >"$log" 2>&1 || fail "the build of $program failed"

# The netlist, in a folder that its key names.
parameters=$(parameters_of "$unit")
elaborate=elaborate.sh
[[ $unit != spu_grid ]] || elaborate=wiring.sh
# The package is read first.  Names in the netlist have the sources' paths, so these begin at the root.
mapfile -t sources < <(echo rtl/tandem_pkg.sv && texts "$unit $unit" | cut -f 2 | grep -v tandem_pkg | sort)
cd "$root"
key=$({
  printf '%s\n' "$unit" "$parameters" "$count $seed" && yosys -V
  cat "$here/$elaborate" "$here"/{mutants.sh,acts.awk,instances.awk} "${sources[@]}"
  [[ $unit == spu_grid ]] || cat "$build/generated/csim/ports/${unit}_miter.sv"
} | short)
folder=$build/mutation/netlists/$unit-$key
netlist=$folder/$unit
mkdir -p "$build/mutation/netlists"
exec 9>"$build/mutation/netlists/.lock"
flock 9
if [[ ! -d $folder ]]; then
  part=$folder.part
  rm -rf "$part"
  mkdir "$part"
  printf '%s\n' "$parameters" >"$part/$unit.parameters"
  printf '%s\n' "${sources[@]}" >"$part/$unit.sources"
  [[ $unit == spu_grid ]] || cp "$build/generated/csim/ports/${unit}_miter.sv" "$part/$unit.miter.sv"
  "$here/$elaborate" yosys "$unit" "$parameters" "$part/$unit.il" "${sources[@]}" >"$log" 2>&1 &&
    "$here/mutants.sh" yosys "$unit" "$count" "$seed" "$part/$unit" "${sources[@]}" >>"$log" 2>&1 ||
    fail "the netlist of $unit cannot be made"
  mv "$part" "$folder"
  # Four netlists of a unit are kept.
  find "$build/mutation/netlists" -maxdepth 1 -name "$unit-*" -printf '%T@ %p\n' | sort -rn |
    sed '1,4d; s/^[^ ]* //' | xargs -r rm -rf
fi
touch "$folder"
exec 9>&-

command=("$test" "${with[@]}" --device mutants --files "$netlist.v,$netlist.vlt,$netlist.h")
[[ ! $parameters ]] || command+=(--parameters "$parameters")

# A run depends on the test, the netlist, the shim around it, and in whole runs on all other RTL and the kernels.
key=$({
  echo "$key" && cat "$test" "$here/trial.sh" "$root"/harness/shim/*.* "$root"/csim/ports/generate/*.c
  [[ $level == unit ]] || cat rtl/*/*.sv tests/kernels/*/*.{cl,yaml} tests/kernels/spu/*/*.{cl,yaml}
} | short)
# The test's time without a mutant bounds that with one; the first run makes the model.
limit=$build/mutation/$level/$unit/limit-$key
mkdir -p "$build/mutation/$level/$unit"
if [[ ! -e $limit ]]; then
  for run in first second; do
    begin=$(date +%s%N)
    "${command[@]}" --seed 1 >"$log" 2>&1 || fail "the test of $unit fails without a mutant ($run run)"
  done
  echo $((10 + 10 * ($(date +%s%N) - begin) / 1000000000)) >"$limit.part"
  mv "$limit.part" "$limit"
fi
printf '%s\n' "$netlist" "$key" "$(cat "$limit")" "${command[@]}" >"$file.part"
mv "$file.part" "$file"
