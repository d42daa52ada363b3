#!/bin/sh
# Codes of stall causes are those of csim/ports/stalls.def and features' own:
#
#   in the RTL     each cause of the ports has its constant Stall<Id>, and there are no others
#   in the pages   tables with columns code and name (docs/hardware)
#                  have each code with its name; a line may have several, as 4, 6 and `control`, `fetch`
#
#   stalls_test.sh SOURCES
set -eu
sources=$1
table=$(mktemp) rtl=$(mktemp) causes=$(mktemp)
status=0
cat "$sources"/csim/ports/stalls.def "$sources"/csim/ports/*/stalls.def >"$causes"
# Names in lower case without `_`: SLOT and StallSlot are one.
sed -n '/STALL_OF_MODEL,/d; s/^STALL(\([0-9]*\), \([A-Z_]*\),.*/\1 \2/p' "$causes" |
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
  /^\|(.*\|)?code\|name\|/ {
    for (at = 1; $at != "code"; at++)
      ;
    on = 1
    next
  }
  !/^\|/ { on = 0 }
  on && $at ~ /^[0-9]/ {
    n = split($at, code, ",")
    split($(at + 1), is, ",")
    for (i = 1; i <= n; i++) {
      seen++
      if (is[i] != name[code[i]]) {
        printf "%s:%d: stall cause %s is \"%s\", not \"%s\"\n", FILENAME, FNR, code[i], name[code[i]], is[i]
        bad = 1
      }
    }
  }
  END { exit bad || seen < 13 }
' "$causes" "$sources"/docs/hardware/*.md || status=1
rm -f "$table" "$rtl" "$causes"
exit $status
