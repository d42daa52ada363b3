#!/bin/sh
# Greps SystemVerilog files for what yosys 0.23 rejects or, worse, reads as something else.
# Comments are not looked at.  Exit status 1 if there is any; each find is printed.
#
#   traps.sh FILE...
set -u
status=0

files=$*
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Each file without its comments and the macro of seeded faults, in a folder of its number.
n=0
for f in $files; do
  n=$((n + 1))
  mkdir "$work/$n"
  sed 's://.*$::; /`define FAULT(/d' "$f" | tr '\n' '\001' | sed 's:/\*[^*]*\*/::g' | tr '\001' '\n' >"$work/$n/${f##*/}"
done

trap_() { # what pattern
  if (cd "$work" && grep -nHE "$2" */*) >"$work/found"; then
    sed "s|^[0-9]*/||; s|\$|    <- $1|" "$work/found"
    status=1
  fi
}

trap_ "import: name the package" '^[[:space:]]*import[[:space:]]'
trap_ "return: assign to the function's name" '\breturn\b'
trap_ "break" '\b(break|continue)\b'
trap_ "inside" '\binside\b'
trap_ "assignment pattern" "'\\{"
trap_ "bind" '^[[:space:]]*bind[[:space:]]'
trap_ "interface" '\b(interface|modport)\b'
trap_ "automatic variable" '^[[:space:]]*automatic\b'
trap_ "array of a typedef" '\b[a-z_0-9]+_[te][[:space:]]+\[|\b[a-z_0-9]+_[te][[:space:]]+[a-z_0-9]+[[:space:]]*\['
trap_ "two packed dimensions" 'logic[[:space:]]*\[[^]]*\][[:space:]]*\['
trap_ "unpacked port" '\b(input|output)\b[^,;]*\][[:space:]]*[a-z_0-9]+[[:space:]]*\['
trap_ "type or string parameter" 'parameter[[:space:]]+(type|string)\b'
trap_ "assert ... else" 'assert[[:space:]]*\(.*\)[[:space:]]*else'
trap_ "concurrent assertion" 'assert[[:space:]]+property'
trap_ "\$bits of a type" '\$bits[[:space:]]*\('
# ~W'(x) is read as (~W)'(x), and x ^ p::W'(y) as (x ^ p::W)'(y).
trap_ "operator before the size of a cast: add parentheses" "[~!][[:space:]]*[A-Za-z0-9_:]+'\\("
trap_ "operator before a package's size of a cast" "[&|^+*-][[:space:]]*[a-z_]+::[A-Za-z0-9_]+'\\("
# One text for simulation and synthesis: `ifndef SYNTHESIS` has no other branch and fences assertions
# alone.
trap_ "a macro with arguments" '^[[:space:]]*`define[[:space:]]+[A-Za-z_0-9]+\('
for f in $files; do
  awk '/`(ifdef|elsif)[ \t]+SYNTHESIS/ { print FILENAME ":" FNR ":" $0; bad = 1 }
       /`if(n?)def/ { depth++; fence[depth] = /`ifndef[ \t]+SYNTHESIS/ }
       /`els(e|if)/ && fence[depth] { print FILENAME ":" FNR ":" $0; bad = 1 }
       /`endif/ { depth-- }
       END { exit bad }' "$f" || {
    echo "$f: another text for synthesis"
    status=1
  }
done
# Arrays are assigned element by element.
for f in $files; do
  for array in $(sed -nE 's/^[[:space:]]*logic.*[] ]([a-z_0-9]+)[[:space:]]*\[[A-Za-z0-9_*+-]+\].*;.*$/\1/p' "$f"); do
    if grep -nE "(^|[[:space:]])$array[[:space:]]*<?=[^=]|<?=[[:space:]]*$array;" "$f"; then
      echo "$f: whole array $array"
      status=1
    fi
  done
done
exit $status
