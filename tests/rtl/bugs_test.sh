#!/bin/sh
# The tables of seeded faults and the RTL name the same numbers, each once, in the file of its unit or in that of a
# module inside the unit; there are at most 24.
#
#   bugs_test.sh RTL
set -eu
rtl=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# The modules inside a module, itself first.
inside() { # MODULE
  set -- "$rtl"/*/"$1.sv"
  [ -f "$1" ] || return 0 # `module`
  basename "$1" .sv
  for part in $(sed -n 's/^ *\([a-z][a-z_0-9]*\) \(#(\|u_\).*/\1/p' "$1" | sort -u); do inside "$part"; done
}

sed -n 's/^FAULT(\([0-9]*\), *\([a-z_]*\),.*/\1 \2/p' "$rtl"/*/faults.def >"$work/listed"
grep -ho '`FAULT([0-9]*,' "$rtl"/*/*.sv | tr -dc '0-9\n' | sort -n >"$work/used"
cut -d' ' -f1 "$work/listed" | sort -n | diff - "$work/used"
[ -z "$(uniq -d "$work/used")" ]
[ "$(wc -l <"$work/listed")" -le 24 ] && [ "$(wc -l <"$work/listed")" -ge 1 ]
while read -r number unit; do
  for module in $(inside "$unit"); do grep -l "\`FAULT($number," "$rtl"/*/"$module.sv" || true; done | grep -q . || {
    echo "fault $number is not in $unit"
    exit 1
  }
done <"$work/listed"
