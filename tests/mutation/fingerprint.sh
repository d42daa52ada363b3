#!/usr/bin/env bash
# Fingerprints of what scores are measured with: the RTL of a unit, its reference and its test, or a group of the C
# model and its tests, without comments and white space.
#
#   fingerprint.sh ROOT
#
# Standard input has a line "LEVEL/UNIT" of each, standard output lines "LEVEL/UNIT FINGERPRINT".
set -euo pipefail
export LC_ALL=C
root=$1
. "$root/tests/units.sh"
cd "$root"
starts=() groups=() random=(tests/random/{test_random,run,gen,emit,reconverge}*.[ch])
while read -r name; do
  unit=${name#*/} test=
  case $name in
  model/ref/*) tests=("${random[@]}" tests/unit/*.[ch] tests/unit/*/*.[ch]) ;;
  model/lanes) unit=isa/lanes tests=("${random[@]}" tests/isa/test_lanes.c) ;;
  model/mem) tests=("${random[@]}" tests/mem/*.[ch]) ;;
  system/*) test=tests/random/whole_runs.c ;;
  unit/spu_grid) test=tests/kernels/spu/test_spu_grid.c ;;
  unit/*) test=$(echo tests/unit/*/test_"$unit".c) ;;
  esac
  if [[ $name == model/* ]]; then
    for file in csim/"$unit"/*.[ch] tests/mutation/model/*.[ch] "${tests[@]}"; do groups+=("$name"$'\t'"$file"); done
    continue
  fi
  starts+=("$name $unit $(echo csim/ports/*/"$unit".def) $(echo csim/ref/*/"$unit".c) $test")
done
# Each text is read once.
{ texts "${starts[@]}" && printf '%s\n' "${groups[@]}"; } | sed '/^$/d' | sort | awk -F '\t' '
  function text(file,    line, all) {
    if (file in read)
      return read[file]
    while ((getline line <file) > 0) {
      sub(/\/\/.*/, "", line)
      gsub(/[ \t\\]+/, " ", line)
      all = all line " "
    }
    close(file)
    while (match(all, /\/\*([^*]|\*+[^*\/])*\*+\//))
      all = substr(all, 1, RSTART - 1) substr(all, RSTART + RLENGTH)
    gsub(/ +/, " ", all)
    return read[file] = all
  }
  $1 != name { name = $1; print "\n" name }
  { printf "%s", text($2) }
  END { print "" }' | sed 1d | while read -r name && read -r text; do
  printf '%s %.12s\n' "$name" "$(sha256sum <<<"$text")"
done
