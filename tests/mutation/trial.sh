#!/bin/sh
# Runs a unit's test with one mutant, and writes the result to a file, unless the file is there:
#
#   trial.sh MUTANT SEEDS SECONDS FILE TEST ARGUMENT...
#
# FILE: "caught KIND NAME CYCLE AGE" with KIND port, state or test (a check of the test's own), "caught hang - - -"
# after SECONDS of processor time, "caught crash - - -", or "survived AGE": the test passes with each seed from 1 to
# SEEDS.  AGE: cycles since the mutant has changed a bit for the first time, 1 in the same cycle; 0: it has changed none.
set -u
mutant=$1 seeds=$2 seconds=$3 file=$4
shift 4
[ ! -e "$file" ] || exit 0
result= seed=1
while [ "${result%% *}" != caught ] && [ "$seed" -le "$seeds" ]; do
  output=$(ulimit -S -t "$seconds" && exec "$@" --seed "$seed" --mutant "$mutant" 2>/dev/null)
  status=$?
  result=$(printf '%s\n' "$output" | sed -nE 's/^(caught|survived) /&/p' | sed 's/^caught output /caught port /' | head -n 1)
  case $status in
    0) ;;
    152) result="caught hang - - -" ;; # SIGXCPU
    *) [ "${result%% *}" = caught ] || result="caught crash - - -" ;;
  esac
  seed=$((seed + 1))
done
[ "$result" ] || {
  echo "$* --mutant $mutant: neither caught nor survived, status $status" >&2
  exit 1
}
printf '%s\n' "$result" >"$file.part" && mv "$file.part" "$file"
