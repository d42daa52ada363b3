#!/bin/sh
# The codes of stall causes in the RTL are those of csim/ports/stalls.def: each cause of the ports has
# its constant Stall<Id> with its code, and there are no others.
#
#   stalls_test.sh SOURCES
set -eu
sources=$1
table=$(mktemp) rtl=$(mktemp)
status=0
# Names in lower case without `_`: SLOT and StallSlot are one.
sed -n '/STALL_OF_MODEL,/d; s/^STALL(\([0-9]*\), \([A-Z_]*\),.*/\1 \2/p' "$sources/csim/ports/stalls.def" |
  tr 'A-Z' 'a-z' | tr -d _ | sort -n >"$table"
grep -rhoE "\bStall[A-Za-z]+ *= *[0-9]+'d[0-9]+" "$sources"/rtl --include='*.sv' |
  sed "s/Stall\([A-Za-z]*\) *= *[0-9]*'d\([0-9]*\)/\2 \1/" | tr 'A-Z' 'a-z' | sort -n >"$rtl"
diff "$table" "$rtl" || status=1
[ "$(wc -l <"$table")" -ge 13 ] || status=1
rm -f "$table" "$rtl"
exit $status
