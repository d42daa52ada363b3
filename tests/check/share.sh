#!/usr/bin/env bash
# tests/share.sh deals every slow test to exactly one share, evenly; and every slow test of this build
# has a cost in tests/slow.txt.
#
#   share.sh ROOT BUILD
set -euo pipefail
export LC_ALL=C
root=$1 build=$2
share=$root/tests/share.sh costs=$root/tests/slow.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong() {
  echo "$1"
  exit 1
}

ctest --test-dir "$build" -N -L slow | sed -n 's/^ *Test *#[0-9]*: //p' | sort >"$work/all"
awk '!/^#/ { print $2 }' "$costs" | sort >"$work/known"
sort -u "$work/known" | cmp -s - "$work/known" || wrong "$costs: a test stands there twice"
new=$(comm -23 "$work/all" "$work/known" | tr '\n' ' ')
[[ ! $new ]] || wrong "$costs: no cost of the slow tests $new"

# dealt SECONDS: all shares of the table's tests; each test once, sums within the dearest test.
dealt() {
  local seconds=$1 shares=1 i sum least=999999 most=0 dearest
  dearest=$(awk '!/^#/ && $1 > most { most = $1 } END { print most }' "$costs")
  : >"$work/dealt"
  for ((i = 0; i < shares; i++)); do
    "$share" "$costs" "$seconds" "$(printf '%07x' "$i")0ff" <"$work/known" >"$work/share" 2>"$work/said"
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
  echo "$shares shares of at most $seconds s: $least to $most s"
}
for seconds in 100000 2400 600 120; do dealt "$seconds"; done

# The order of the names does not matter; an unknown test has its place, too.
{ tac "$work/known" && echo unknown; } >"$work/names"
sort "$work/names" >"$work/sorted"
for names in "$work/names" "$work/sorted"; do
  for hash in cafe000 cafe001 cafe002; do "$share" "$costs" 2400 "$hash" <"$names" 2>&1; done | sha256sum
done | uniq >"$work/sums"
(($(wc -l <"$work/sums") == 1)) || wrong "the order of the names changes the share"
echo unknown | "$share" "$costs" 600 cafe000 2>"$work/said" >"$work/share"
grep -qx "share 1 of 1: 1 of 1 slow tests, 60 of 60 s" "$work/said" ||
  wrong "a test without a cost does not count as a minute"
for hash in '' HEAD 12345 ../abcdef0; do
  ! "$share" "$costs" 600 "$hash" </dev/null 2>/dev/null || wrong "\"$hash\" passes for a commit's hash"
done
