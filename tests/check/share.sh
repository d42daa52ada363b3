#!/usr/bin/env bash
# tests/share.sh deals every slow test to exactly one of at most fifteen shares, evenly, and consecutive numbers
# of commits take one share after the other.
#
#   share.sh ROOT
set -euo pipefail
export LC_ALL=C
root=$1
share=$root/tests/share.sh costs=$root/tests/costs.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong() {
  echo "$1"
  exit 1
}

awk '/^[0-9]+ / { print $2 }' "$costs" | sort >"$work/known" # the slow ones have whole seconds

# dealt SECONDS: the shares of consecutive commits; each test once, sums within the dearest test; then again
# the first share.
dealt() {
  local seconds=$1 shares=1 i sum least=999999 most=0 dearest
  dearest=$(awk '!/^#/ && $1 > most { most = $1 } END { print most }' "$costs")
  : >"$work/dealt"
  for ((i = 0; i < shares; i++)); do
    # 360360 is a multiple of each number of shares.
    "$share" "$costs" "$seconds" "$((360360 + i))" <"$work/known" >"$work/share" 2>"$work/said"
    shares=$(sed 's/^share [0-9]* of \([0-9]*\):.*/\1/' "$work/said")
    grep -q "^share $((i + 1)) of $shares: $(wc -l <"$work/share") of " "$work/said" ||
      wrong "share $i says: $(cat "$work/said")"
    cat "$work/share" >>"$work/dealt"
    sum=$(awk 'NR == FNR { cost[$2] = $1; next } { sum += cost[$1] } END { print sum + 0 }' "$costs" "$work/share")
    ((sum >= least)) || least=$sum
    ((sum <= most)) || most=$sum
  done
  sort "$work/dealt" | cmp -s - "$work/known" || wrong "shares of $seconds s do not have each test once"
  ((most - least <= dearest)) || wrong "shares of $seconds s take between $least and $most s"
  ((shares <= 15)) || wrong "$shares shares of $seconds s"
  "$share" "$costs" "$seconds" "$((360360 + shares))" <"$work/known" 2>"$work/said" >/dev/null
  grep -q "^share 1 of $shares: " "$work/said" || wrong "$shares commits later: $(cat "$work/said")"
  echo "$shares shares of at most $seconds s: $least to $most s"
}
for seconds in 100000 2400 600 120; do dealt "$seconds"; done

# The order of the names does not matter; an unknown test has its place, too.
{ tac "$work/known" && echo unknown; } >"$work/names"
sort "$work/names" >"$work/sorted"
for names in "$work/names" "$work/sorted"; do
  for commits in 1 2 3; do "$share" "$costs" 900 "$commits" <"$names" 2>&1; done | sha256sum
done | uniq >"$work/sums"
(($(wc -l <"$work/sums") == 1)) || wrong "the order of the names changes the share"
echo unknown | "$share" "$costs" 600 1 2>"$work/said" >"$work/share"
grep -qx "share 1 of 1: 1 of 1 slow tests, 60 of 60 s" "$work/said" ||
  wrong "a test without a cost does not count as a minute"
for commits in '' HEAD 0 -1 1.5 0x10 ' 1' 12345678901; do
  status=0
  "$share" "$costs" 600 "$commits" </dev/null 2>"$work/said" >&2 || status=$?
  ((status == 2)) && grep -q "^not a number of commits, .*: $commits$" "$work/said" ||
    wrong "\"$commits\" passes for a number of commits"
done
