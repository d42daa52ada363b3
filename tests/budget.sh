#!/usr/bin/env bash
# Adds up the costs of tests and compares them with the budget of the whole suite, in loops of
# tests/measured.sh.
#
#   budget.sh COSTS fast|slow   names of tests on standard input, one a line; their sum and the ten dearest
#                               on standard output; exit status 1 if they exceed the budget
#
# COSTS: as for tests/costs.sh.
set -euo pipefail
export LC_ALL=C
costs=$1 kind=$2
case $kind in
fast) most=1100 one=720 others=1 ;;
slow) most=9000 one=600 others=60 ;;
*)
  echo "not a kind of tests, fast or slow: $kind" >&2
  exit 2
  ;;
esac
"$(dirname "$0")/costs.sh" "$costs" $others | sort -k1,1nr -k2,2 | awk -v kind="$kind" -v most="$most" -v one="$one" '
  { sum += $1; n++ }
  n <= 10 { dearest = dearest sprintf("%s %s %.0f", n > 1 ? "," : "", $2, $1) }
  $1 > one { printf "dearer than %d loops: %s\n", one, $2; bad = 1 }
  END {
    printf "%d %s tests: %.0f of %d loops; the dearest:%s\n", n, kind, sum, most, dearest
    exit bad || sum > most
  }'
