#!/bin/sh
# A netlist of a unit with mutants: single changes that yosys chooses, of which the input
# bug_i switches one on: a bit of a cell's port is inverted, stuck, or inverted while another one is 0 or 1.
# The output acts_o is 1 while that changes the bit.
#
#   mutants.sh YOSYS UNIT COUNT SEED OUTPUT SOURCE...
#
# OUTPUT.il     the netlist as it is
#
# OUTPUT.list   a line a mutant: yosys' command, with the lines of the sources that it concerns
# OUTPUT.v      the netlist
# OUTPUT.vlt    for Verilator: its registers stay readable, those that the sources declare public
# OUTPUT.h      their names in the model of the RTL, as macros
set -eu
yosys=$1 unit=$2 count=$3 seed=$4 output=$5
shift 5
here=$(dirname "$0")

# Twice as many are listed as wanted, as some are left out: clocks, resets of instances, what a memory's read port
# does not have, and bits of a cell's output that depend on others of it, which Verilator 5.006 settles wrongly in a
# vector.  For that reason a vector of which several cells drive a part each becomes as many nets
# in the end, but not registers and what the sources declare public, which are ports for a while.  Unknown
# bits, of an arm of a multiplexer that the RTL never takes, are 0, as in the proofs about a mutant that takes it.
"$yosys" -q -p "
  read_rtlil $output.il
  mutate -list $((2 * count)) -seed $seed -ctrl bug_i 16 1 -o $output.all
"
grep -vE -e '-port ([A-Z]*CLK|clk_i|rst_ni|RD_EN|RD_ARST|RD_SRST) |-mode cnot.* -port (Y|Q|RD_DATA|[a-z0-9_]+_o) ' "$output.all" |
  awk -v count="$count" 'NR <= count { sub(/-ctrl bug_i 16 [0-9]+/, "-ctrl bug_i 16 " NR); print }' >"$output.list"
"$yosys" -q -p "
  read_rtlil $output.il
  setundef -zero
  add -input bug_i 16
  script $output.list
  write_rtlil $output.all
"
awk -f "$here/acts.awk" "$output.all" >"$output.acts"
"$yosys" -q -p "
  read_rtlil $output.acts
  check -assert
  opt_clean
  write_rtlil $output.all
"
awk -f "$here/instances.awk" "$output.all" "$output.all" >"$output.acts"
public=$(sed -nE 's|.*[] ]([a-z0-9_]+) *(\[[^]]*\])? */\*verilator public_flat_rd\*/.*|\1|p' "$@" | sort -u)
"$yosys" -q -p "
  read_rtlil $output.acts
  select -set registers t:\$*ff* %co1:+[Q] w:* %i $(for name in $public; do printf 'w:%s %%u ' "$name"; done) o:* %d i:* %d
  expose @registers
  splitnets -driver
  delete -output @registers
  write_verilog -noattr $output.v
"
rm -f "$output.all" "$output.acts"

{
  echo '`verilator_config'
  for name in $public; do
    for form in "$name" "${name}__05b*" "*__02e$name" "*__02e${name}__05b*"; do
      echo "public_flat_rd -module \"$unit\" -var \"$form\""
    done
  done
} >"$output.vlt"

# An escaped name of the netlist, a.b[1].c, is a__02eb__05b1__05d__02ec in Verilator's model of it and
# a__DOT__b__BRA__1__KET____DOT__c in that of the RTL.  Rows of an array that are registers each, a[0],
# a[1] ..., become a list.
{
  echo "/* Registers of the netlist of $unit, by their names in the RTL. */"
  sed -nE 's/^  (reg|wire) (\[[0-9]+:[0-9]+\] )?\\([^ ]+) .*;/\3/p' "$output.v" | sort -u | awk -v unit="$unit" '
    function escaped(n) { gsub(/\./, "__02e", n); gsub(/\[/, "__05b", n); gsub(/\]/, "__05d", n); return n }
    function plain(n) { gsub(/\./, "__DOT__", n); gsub(/\[/, "__BRA__", n); gsub(/\]/, "__KET__", n); return n }
    /[^a-zA-Z0-9_.\[\]]/ { next }
    /\[[0-9]+\]$/ {
      base = row = $0
      sub(/\[[0-9]+\]$/, "", base)
      sub(/.*\[/, "", row)
      rows[base]++
      name[base, row + 0] = escaped($0)
      next
    }
    /\./ { print "#define " unit "__DOT__" plain($0) " " unit "__DOT__" escaped($0) }
    END {
      for (base in rows) {
        line = "#define " unit "__DOT__" plain(base) " "
        for (i = 0; i < rows[base]; i++) {
          if (!((base, i) in name))
            next_base = 1
          line = line (i ? ", root." : "") unit "__DOT__" name[base, i]
        }
        if (!next_base)
          print line
        next_base = 0
      }
    }'
} >"$output.h"
