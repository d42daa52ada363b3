#!/usr/bin/env bash
# Looks up what tests cost: for each name on standard input, one a line, "loops name" on standard output.
#
#   costs.sh COSTS OTHERS   COSTS: a file of lines "loops name", or "loops prefix*" for tests that have no line of their
#                           own; the longest prefix counts.  OTHERS: what tests cost that have neither
set -euo pipefail
awk -v others="$2" '
  NR == FNR {
    if ($1 !~ /^#/)
      cost[$2] = $1
    next
  }
  {
    key = $1
    for (n = length($1); !(key in cost) && n > 0; n--)
      key = substr($1, 1, n) "*"
    print key in cost ? cost[key] : others, $1
  }' "$1" -
