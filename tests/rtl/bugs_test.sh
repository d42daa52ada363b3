#!/bin/sh
# The list of seeded faults and the sources name the same numbers, each in the file of its unit.
#
#   bugs_test.sh LIST FOLDER AT-LEAST
set -eu
listed=$(mktemp) used=$(mktemp)
sed -n 's/^BUG( *\([0-9]*\), *\([a-z_]*\),.*/\1 \2/p' "$1" | sort -u >"$listed"
for f in "$2"/*.sv; do
  grep -o "bug_i [=!]= 8'd[0-9]*" "$f" | sed "s/.*'d\([0-9]*\)/\1 $(basename "$f" .sv)/"
done | sort -u >"$used"
status=0
diff "$listed" "$used" || status=1
[ "$(wc -l <"$listed")" -ge "$3" ] || status=1
rm -f "$listed" "$used"
exit $status
