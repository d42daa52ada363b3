#!/bin/sh
# The list of seeded faults and the sources name the same numbers, each in the file of its unit or in
# that of a module inside the unit.
#
#   bugs_test.sh RTL
set -eu
rtl=$1
listed=$(mktemp) used=$(mktemp)
status=0
names() { sed -n 's/^BUG( *\([0-9]*\), *\([a-z_]*\),.*/\1 \2/p' "$@"; }

names "$rtl/bugs.def" | sort >"$listed"
# The modules inside a module, itself first.
inside() { # MODULE
  set -- "$rtl"/*/"$1.sv"
  [ -f "$1" ] || return 0 # `module`
  basename "$1" .sv
  for part in $(sed -n 's/^ *\([a-z][a-z_0-9]*\) \(#(\|u_\).*/\1/p' "$1" | sort -u); do inside "$part"; done
}
# The unit whose fault it is that stands in a module.
unit_of() { # NUMBER MODULE
  unit=$(sed -n "s/^$1 //p" "$listed")
  if [ -n "$unit" ] && inside "$unit" | grep -qxF "$2"; then echo "$unit"; else echo "$2"; fi
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
