#!/usr/bin/env bash
# The costs of all tests of this build (tests/costs.txt) are within the budget of tests/budget.sh, which
# refuses what is not.  Measured seconds are no part of this: other work on the machine changes them, and
# `./tandem test` prints them.
#
#   budget.sh ROOT BUILD
set -euo pipefail
export LC_ALL=C
root=$1 build=$2
budget=$root/tests/budget.sh costs=$root/tests/costs.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
wrong() {
  echo "$1"
  status=1
}

names() { ctest --test-dir "$build" -N "$@" | sed -n 's/^ *Test *#[0-9]*: //p'; }
names -LE 'slow|rebuild' | "$budget" "$costs" fast || wrong "$costs: fast tests are not within their budget"
names -L slow | "$budget" "$costs" slow || wrong "$costs: slow tests are not within their budget"
awk '!/^#/ { print $2 }' "$costs" | sort | uniq -d >"$work/twice"
[[ ! -s $work/twice ]] || wrong "$costs: there twice: $(paste -sd' ' "$work/twice")"

# refused KIND NAMES COST...: these tests with these costs, and the words that say why.
refused() {
  local kind=$1 names=$2 words=$3
  printf '%s\n' "${@:4}" >"$work/costs"
  ! tr ' ' '\n' <<<"$names" | "$budget" "$work/costs" "$kind" >"$work/said" ||
    wrong "within the budget of $kind tests: ${*:4}"
  grep -qF -- "$words" "$work/said" || wrong "does not say \"$words\": $(cat "$work/said")"
}
refused fast "a b" "2 fast tests: 1101 of 1100 loops; the dearest: a 600, b 501" "600 a" "501 b"
refused slow "$(seq -s' ' 16)" "16 slow tests: 9600 of 9000" "$(seq 16 | sed 's|^|600 |')"
refused slow "a b" "dearer than 600 loops: b" "600 a" "601 b"
refused fast "a b new" "3 fast tests: 1101 of 1100 loops" "600 a" "500 b" "1 ne"
printf 'lint_%s\n' $(seq 100) all |
  "$budget" <(printf '%s\n' '# what' '0.5 lint_*' '3 lint_1*' '100 lint_all') fast >"$work/said" ||
  wrong "prefixes: $(cat "$work/said")"
grep -q '^101 fast tests: 180 of 1100 ' "$work/said" || wrong "prefixes: $(cat "$work/said")"
exit $status
