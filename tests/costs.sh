#!/usr/bin/env bash
# Looks up what tests cost: for each name on standard input, one a line, "seconds name" on standard output, or
# "unknown name".
#
#   costs.sh COSTS   a file of lines "seconds name", or "seconds prefix*" for tests that have no line of their
#                    own; the longest prefix counts
set -euo pipefail
awk '
  NR == FNR {
    if ($1 !~ /^#/)
      cost[$2] = $1
    next
  }
  {
    key = $1
    for (n = length($1); !(key in cost) && n > 0; n--)
      key = substr($1, 1, n) "*"
    print key in cost ? cost[key] : "unknown", $1
  }' "$1" -
