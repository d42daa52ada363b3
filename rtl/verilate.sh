#!/bin/sh
# Verilates one top module into sources of fixed names, so that the build can list them:
#
#   verilate.sh VERILATOR DIR PREFIX TOP ARGUMENT...
#
#   DIR/PREFIX.h          the model's class
#   DIR/PREFIX_fast.cpp   everything that runs each cycle, one translation unit
#   DIR/PREFIX_slow.cpp   construction, reset, tracing
#   DIR/PREFIX_pins.def   PIN(name, width), a line a port
#   DIR/PREFIX_gated.def  of a buddy cluster: ON(member, name of what tells whether its front end is
#                         on), GATED(member, name, width) of each of the registers that are off else
#   DIR/PREFIX_edges.def  of a buddy cluster: EDGE(middle, end, function) of each function that calls
#                         processes, in their order: whether it has to run at the two moments of a core
#                         cycle when clocks rise (`on`: members whose units have a clock); empty if
#                         that is not known
#   DIR/PREFIX_steady.def  of a buddy cluster: HOLDS(version, name, value), or INPUT for an input, of
#                         what cluster_steady.txt finds; the first of its versions is 1
#   DIR/PREFIX_alike.def  of a buddy cluster: ALIKE(other, first) of the signals of followers that are
#                         the same in the first of them (alike.pl)
set -eu
verilator=$1 dir=$2 prefix=$3 top=$4
shift 4
source=$(cd "$(dirname "$0")" && pwd)

rm -rf "$dir"
mkdir -p "$dir"
# Without the data-flow graph optimiser and the splitting of processes: both take work out of the
# conditions under which it is needed, and cost a fifth and a tenth of the speed.
"$verilator" --cc --prefix "$prefix" --top-module "$top" --Mdir "$dir" --output-split 0 \
  -Wall -O3 -fno-dfg -fno-split --x-assign unique --x-initial unique --no-timing \
  "$source/trace.vlt" "$@"

cd "$dir"
for f in "$prefix"*.cpp; do
  case $f in
    *__Slow.cpp | *__Trace* | *__Dpi.cpp | *__Syms.cpp) echo "#include \"$f\"" >>slow ;;
    *) echo "#include \"$f\"" >>fast ;;
  esac
done
# In one translation unit, what is called once becomes part of its caller.
sed -n 's/^VL_INLINE_OPT void \([A-Za-z0-9_]*\)(.*/\1/p' "$prefix"*[0-9].cpp | while read -r function; do
  grep -qw "$function" ./*Slow.cpp ||
    sed -i "s/^VL_INLINE_OPT void $function(/inline void $function(/" "$prefix"*[0-9].cpp
done
# What a delayed write of an array writes, and where, is looked at only if it is written.
sed -i "/^ *__Vdlyv\(dim[0-9]*\|lsb\|val\)__.* = 0;$/d" "$prefix"*[0-9].cpp
mv fast "${prefix}_fast.cpp"
mv slow "${prefix}_slow.cpp"
sed -n 's/^ *VL_\(IN\|OUT\|INOUT\)[0-9W]*(&\([a-z0-9_]*\),\([0-9]*\),0.*$/PIN(\2, \3 + 1)/p' \
  "$prefix.h" >"${prefix}_pins.def"
# Registers are the signals that end in _q.
member='buddy_cluster__DOT__g_member__BRA__\([0-9]*\)__KET____DOT__u_member__DOT__'
units='u_frontend__DOT__u_\(fetch\|icache\|ibuffer\|scoreboard\|sched[01]\|issue\)'
# But for fill_valid: the icache's assertions count the beats of fills, across its reset too.
inputs='u_frontend__DOT__\(wb[012]\|col[0-3]\|fill_[lbd]\|sp_credit\|sfu_credit\)'
type='^ .*/\*\([0-9]*\):0\*/.* '
sed -n -e "s#$type\(${member}${units}__DOT__[A-Za-z0-9_]*_q\);\$#GATED(\3, \2, \1 + 1)#p" \
  -e "s#$type\(${member}${inputs}[a-z0-9_]*_q\);\$#GATED(\3, \2, \1 + 1)#p" \
  -e "s#$type\(${member}g_leads__DOT__u_monitor__DOT__[a-z]*_q\);\$#GATED(\3, \2, \1 + 1)#p" \
  -e "s#^ .* \(${member}on\);\$#ON(\2, \1)#p" "${prefix}___024root.h" >"${prefix}_gated.def"
# What the processes of a cluster wait for, as a condition in the middle of a core cycle (the NoC clock
# rises, the core clock falls) and at its end (both rise, and the units' clocks of members that are
# on), in the place of each trigger.
: >"${prefix}_edges.def" >"${prefix}_steady.def" >"${prefix}_alike.def"
root=${prefix}___024root
[ -s "${prefix}_gated.def" ] || exit 0
sed -i '1i #include "harness/shim/moves.h"' "${prefix}_fast.cpp"
cat >>"${prefix}_fast.cpp" <<END
#ifdef EDGES_DEF
#include "harness/shim/cluster_edges.inc"
#endif
END
steady=$source/../harness/shim/cluster_steady.txt
awk -v prefix="buddy_cluster__DOT__" '
  FNR == NR { # the table
    if ($0 !~ /^(#|$)/) {
      name = $2
      gsub(/\./, "\\.", name)
      gsub(/\\\.\*/, ".*", name)
      gsub(/#<l>/, "\\[(3\\]\\[2|[567]\\]\\[4|7\\]\\[6)\\]", name)
      gsub(/<0>/, "\\[0\\]", name)
      gsub(/<m>/, "\\[[0-7]\\]", name)
      gsub(/<f>/, "\\[[1-7]\\]", name)
      gsub(/<l>/, "\\[[246]\\]", name)
      if (NF == 1) { # its name
        version++
        next
      }
      value[++lines] = $1
      from[lines] = version
      names[lines] = "^(" name ")$"
    }
    next
  }
  # rows: one, or those of an array
  function look(signal, rows,  plain, side, row, at, n) {
    plain = signal
    sub(prefix, "", plain)
    gsub(/__BRA__/, "[", plain)
    gsub(/__KET__(____)?/, "]", plain)
    gsub(/__DOT__/, ".", plain)
    side = int(sqrt(rows) + 0.5)
    if (side * side != rows)
      return
    for (row = 0; row < rows; row++) {
      at = plain (rows > 1 ? "[" int(row / side) "][" row % side "]" : "")
      for (n = 1; n <= lines; n++)
        if (at ~ names[n]) {
          print (plain ~ /^[a-z_0-9]*_n?i$/ ? "INPUT(" : "HOLDS(") from[n] ", " signal \
            (rows > 1 ? "[" row "]" : "") ", " value[n] ")"
          break
        }
    }
  }
  match($0, /VlUnpacked<[A-Z]Data\/\*[0-9]*:0\*\/, [0-9]+> [A-Za-z_0-9]+;/) {
    fields = split($0, field, /[ >;]+/) # the last one is empty
    look(field[fields - 1], field[fields - 2] + 0)
    next
  }
  match($0, /(\/\*[0-9]*:0\*\/ |VL_(IN|OUT)[0-9]*\()[A-Za-z_0-9]+[;,]/) && !/VlWide|W\(/ {
    signal = substr($0, RSTART, RLENGTH - 1)
    sub(/^.*[ (&]/, "", signal)
    look(signal, 1)
  }' "$steady" "$root.h" >"${prefix}_steady.def"
# What is the same in all that follow is computed once.  Not with assertions: there are no versions,
# and pins are traced.
case " $* " in
  *" --assert "*) ;;
  *)
    members=$(grep -c '^ON' "${prefix}_gated.def")
    perl "$source/issued.pl" "$members" "$root.h" "$root"*.cpp
    perl "$source/alike.pl" "$members" "${prefix}_steady.def" "$root.h" "$root"*[0-9].cpp \
      >"${prefix}_alike.def"
    ;;
esac
# What is assumed to hold need not be stored anew: its constant (0), and behind the selections, of
# which a store is no part, whatever else becomes of it (1).
stores() {
  for f in "$root"*[0-9].cpp; do
    awk -v any="$1" '
      FNR == NR {
        if (split($0, part, /[(,)]/) > 3 && part[4] ~ /^ [01]$/)
          held[substr(part[3], 2)] = part[4]
        next
      }
      FNR > 1 { printf ";\n" }
      match($0, /(^|\n) *vlSelf->[A-Za-z0-9_]+[ \n]+= /) {
        name = substr($0, RSTART, RLENGTH)
        value = substr($0, RSTART + RLENGTH)
        gsub(/^\n* *vlSelf->|[ \n]+= $/, "", name)
        if (name in held &&
            (any || (value ~ /^[0-9]+U?L*$/ && value + 0 == held[name] + 0))) {
          printf "%s\nstore(vlSelf->%s, %s)", substr($0, 1, RSTART - 1), name, value
          next
        }
      }
      { printf "%s", $0 }' RS='\n' "${prefix}_steady.def" RS=';\n' "$f" >stored
    mv stored "$f"
  done
}
stores 0
# Nor is there a branch where both ways are a few moves.
perl "$source/select.pl" "$root"*[0-9].cpp
stores 1
all=$(cat "$root"*[0-9].cpp | tr -d '\n ' | tr ';' '\n' |
  sed -n 's/^.*vlSelf->__VactTriggered\.at(\([0-9a-fx]*\)U)=/\1 /p')
edges() { # member's condition, then those of the NoC, the core clock, its falling edge
  echo "$all" | sed -n -e "s/^\([0-9a-fx]*\) (*(IData)(vlSelf->noc_clk_i)&.*/\1 $2/p" \
    -e "s/^\([0-9a-fx]*\) (*(IData)(vlSelf->clk_i)&.*/\1 $3/p" \
    -e "s/^\([0-9a-fx]*\) (*~(IData)(vlSelf->clk_i))&.*/\1 $4/p" \
    -e "s/^\([0-9a-fx]*\) (*(IData)(vlSelf->${member}units_clk)&.*/\1 $1/p" |
    sed 's/^\([0-9a-fx]*\) \(.*\)$/s,vlSelf->__VnbaTriggered\.at(\1U),(\2),g/'
}
edges '0' 1 0 1 >middle.sed
edges '(on>>\2)%2' 1 1 0 >end.sed
[ "$(grep -c . middle.sed)" -eq "$(echo "$all" | grep -c .)" ] || exit 0
# A line a call: its condition and its function.
cat "$root"*[0-9].cpp | sed -n "/^void ${root}___eval_nba(/,/^}/p" | sed '1,/Body/d;$d' |
  tr -d '\n ' | sed 's/;}/;}\n/g' >calls
sed -n 's/^if(\(.*\)){\([A-Za-z0-9_]*\)(vlSelf);}$/\1 \2/p' calls >known
[ "$(wc -l <calls)" -eq "$(wc -l <known)" ] || exit 0
cut -d ' ' -f 1 known | sed -f middle.sed >middle
cut -d ' ' -f 1 known | sed -f end.sed >end
cut -d ' ' -f 2 known | paste -d ' ' middle end - >edges
! grep -q VnbaTriggered edges || exit 0
sed 's/^\(.*\) \(.*\) \(.*\)$/EDGE(\1, \2, \3)/' edges >"${prefix}_edges.def"
