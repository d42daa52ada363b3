#!/bin/sh
# The list of seeded faults and the sources name the same numbers, each in the file of its unit or in
# that of a module that the unit instantiates.
#
#   bugs_test.sh RTL
set -eu
rtl=$1
listed=$(mktemp) used=$(mktemp)
status=0
names() { sed -n 's/^BUG( *\([0-9]*\), *\([a-z_]*\),.*/\1 \2/p' "$@"; }

names "$rtl/bugs.def" | sort >"$listed"
# The unit whose fault it is that stands in a module.
unit_of() { # NUMBER MODULE
  unit=$(sed -n "s/^$1 //p" "$listed")
  if [ -n "$unit" ] && grep -q "^ *$2 \(#(\|u_\)" "$rtl"/*/"$unit.sv"; then echo "$unit"; else echo "$2"; fi
}
for f in "$rtl"/*/*.sv; do
  module=$(basename "$f" .sv)
  for n in $(grep -o "bug_i [=!]= 8'd[0-9]*" "$f" | sed "s/.*'d//" | sort -u); do
    echo "$n $(unit_of "$n" "$module")"
  done
done | sort >"$used"
diff "$listed" "$used" || status=1
[ "$(wc -l <"$listed")" -ge 39 ] || status=1
rm -f "$listed" "$used"
exit $status
