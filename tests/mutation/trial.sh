#!/bin/sh
# Runs a unit's test with one mutant, and writes the result to a file, unless the file is there:
#
#   trial.sh TEST MUTANT SEEDS SECONDS FILE
#
# FILE: "caught KIND NAME CYCLE AGE" with KIND port, state or test (a check of the test's own), "caught hang - - -"
# after SECONDS of processor time, "caught crash - - -", or "survived AGE": the test passes with each seed from 1 to
# SEEDS.  AGE: cycles
# since the mutant has changed a bit for the first time, 1 in the same cycle; 0: it has changed none.
set -u
test=$1 mutant=$2 seeds=$3 seconds=$4 file=$5
[ ! -e "$file" ] || exit 0
result= seed=1
while [ "${result%% *}" != caught ] && [ "$seed" -le "$seeds" ]; do
  output=$(ulimit -S -t "$seconds" && exec "$test" --seed "$seed" --mutant "$mutant" 2>/dev/null)
  status=$?
  result=$(printf '%s\n' "$output" | sed -nE 's/^(caught|survived) /&/p' | sed 's/^caught output /caught port /' | head -n 1)
  case $status in
    0) ;;
    152) result="caught hang - - -" ;; # SIGXCPU
    *) [ "${result%% *}" = caught ] || result="caught crash - - -" ;;
  esac
  seed=$((seed + 1))
done
printf '%s\n' "$result" >"$file.part" && mv "$file.part" "$file"
