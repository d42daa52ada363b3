#!/bin/sh
# Runs a unit's test with one mutant, and writes the result to a file, unless the file is there:
#
#   trial.sh TEST MUTANT SEEDS SECONDS FILE
#
# FILE: "caught KIND NAME CYCLE" with KIND port, state or test (a check of the test's own), "caught hang - -" after
# SECONDS, "caught crash - -", or "survived": the test passes with each seed from 1 to SEEDS.
set -u
test=$1 mutant=$2 seeds=$3 seconds=$4 file=$5
[ ! -e "$file" ] || exit 0
result=survived seed=1
while [ "$result" = survived ] && [ "$seed" -le "$seeds" ]; do
  output=$(timeout "$seconds" "$test" --seed "$seed" --mutant "$mutant" 2>/dev/null)
  status=$?
  case $status in
    0) ;;
    124) result="caught hang - -" ;;
    1)
      result=$(printf '%s\n' "$output" | sed -n 's/^caught /&/p' | sed 's/^caught output /caught port /')
      [ "$result" ] || result="caught crash - -"
      ;;
    *) result="caught crash - -" ;;
  esac
  seed=$((seed + 1))
done
printf '%s\n' "$result" >"$file.part" && mv "$file.part" "$file"
