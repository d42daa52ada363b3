#!/usr/bin/env bash
# Chooses a share of the slow tests: all slow tests are dealt to as few shares as keep each at about
# SECONDS, but to fifteen at most, the dearest test first, each to the share that has least so far.  The number
# of commits names the share, so each comes round after as many commits as there are shares.  Equal input
# gives equal output.
#
#   share.sh COSTS SECONDS COMMITS   names of all slow tests on standard input, one a line; names of the
#                                    chosen ones on standard output, what was chosen on standard error
#
# COSTS: as for tests/costs.sh.  A test that it lacks counts as a minute.
set -euo pipefail
export LC_ALL=C
costs=$1 seconds=$2 commits=$3
[[ $commits =~ ^[1-9][0-9]{0,8}$ ]] || {
  echo "not a number of commits, 1 to 999999999: $commits" >&2
  exit 2
}
"$(dirname "$0")/costs.sh" "$costs" 60 | sort -k1,1nr -k2,2 |
  awk -v seconds="$seconds" -v commits="$commits" '
    { cost[NR] = $1; name[NR] = $2; total += $1 }
    END {
      shares = int((total + seconds - 1) / seconds)
      if (shares < 1)
        shares = 1
      if (shares > 15)
        shares = 15
      mine = commits % shares
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
