#!/bin/sh
# Codes of stall causes are those of csim/ports/stalls.def:
#
#   in the RTL     each cause of the ports has its constant Stall<Id>, and there are no others
#   in the pages   tables whose columns are code, name and condition (docs/hardware)
#                  have each code with its name; a line may have several, as 4, 6 and `control`, `fetch`
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

awk -F'[|]' '
  FNR == NR {
    if ($0 ~ /^STALL\(/ && split($0, part, /[(), "]+/) > 4)
      name[part[2]] = part[4]
    next
  }
  { gsub(/[` ]/, "") }
  $0 == "|code|name|condition|" { on = 1; next }
  !/^\|/ { on = 0 }
  on && $2 ~ /^[0-9]/ {
    n = split($2, code, ",")
    split($3, is, ",")
    for (i = 1; i <= n; i++) {
      seen++
      if (is[i] != name[code[i]]) {
        printf "%s:%d: stall cause %s is \"%s\", not \"%s\"\n", FILENAME, FNR, code[i], name[code[i]], is[i]
        bad = 1
      }
    }
  }
  END { exit bad || seen < 7 }
' "$sources/csim/ports/stalls.def" "$sources"/docs/hardware/*.md || status=1
rm -f "$table" "$rtl"
exit $status
