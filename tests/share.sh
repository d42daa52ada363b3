#!/usr/bin/env bash
# Chooses a share of the slow tests: all slow tests are dealt to as few shares as keep each at about
# SECONDS, the dearest test first, each to the share that has least so far.  A commit's hash names
# the share.  Equal input gives equal output.
#
#   share.sh COSTS SECONDS HASH   names of all slow tests on standard input, one a line; names of the
#                                 chosen ones on standard output, what was chosen on standard error
#
# COSTS: lines "seconds name".  A test that it lacks counts as a minute.
set -euo pipefail
export LC_ALL=C
costs=$1 seconds=$2 hash=$3
[[ $hash =~ ^[0-9a-f]{7,}$ ]] || {
  echo "not a commit's hash, at least 7 hexadecimal digits: $hash" >&2
  exit 2
}
awk 'NR == FNR { if ($1 !~ /^#/) cost[$2] = $1; next }
     { print ($1 in cost ? cost[$1] : 60), $1 }' "$costs" - |
  sort -k1,1nr -k2,2 | awk -v seconds="$seconds" -v number="$((16#${hash:0:7}))" '
    { cost[NR] = $1; name[NR] = $2; total += $1 }
    END {
      shares = int((total + seconds - 1) / seconds)
      if (shares < 1)
        shares = 1
      mine = number % shares
      for (i = 1; i <= NR; i++) {
        least = 0
        for (s = 1; s < shares; s++)
          if (sum[s] + 0 < sum[least] + 0)
            least = s
        sum[least] += cost[i]
        if (least == mine) {
          print name[i]
          chosen++
        }
      }
      printf "share %d of %d: %d of %d slow tests, %d of %d s\n",
             mine + 1, shares, chosen, NR, sum[mine], total >"/dev/stderr"
    }'
