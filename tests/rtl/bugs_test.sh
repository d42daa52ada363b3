#!/bin/sh
# The list of seeded faults and the sources name the same numbers, each in the file of its unit.
#
#   bugs_test.sh RTL
set -eu
rtl=$1
listed=$(mktemp) used=$(mktemp)
status=0
names() { sed -n 's/^BUG( *\([0-9]*\), *\([a-z_]*\),.*/\1 \2/p' "$@"; }

names "$rtl/bugs.def" | sort >"$listed"
for f in "$rtl"/*/*.sv; do
  grep -o "bug_i [=!]= 8'd[0-9]*" "$f" | sed "s/.*'d\([0-9]*\)/\1 $(basename "$f" .sv)/" | sort -u
done | sort >"$used"
diff "$listed" "$used" || status=1
[ "$(wc -l <"$listed")" -ge 39 ] || status=1
rm -f "$listed" "$used"
exit $status
