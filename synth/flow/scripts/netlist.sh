#!/bin/sh
# Netlist of one module as yosys reads and synthesises it, for comparison with the RTL.
#
#   netlist.sh YOSYS TOP OUTPUT words|gates PARAMETERS SOURCE...
#
# Clocks are gated as in netlists of libraries (gated_netlist.tcl), with gates of yosys' own cells.
#
# PARAMETERS: "Name=value Name=value" of the module.
#
# words: coarse cells and memories; gates: mapped to single-bit gates, for modules without large
# memories (a memory of a few thousand bits in gates takes minutes to make and to compile).  Gates are
# written with a net a bit: a carry chain within one vector looks like a loop to Verilator, which
# settles it wrongly.
# Fails on anything that yosys finds wrong, and on latches.
set -eu
yosys=$1 top=$2 output=$3 grain=$4 parameters=$5
scripts=$(dirname "$0")
shift 5
settings=
for parameter in $parameters; do
  settings="$settings -set ${parameter%%=*} ${parameter#*=}"
done

map=
[ "$grain" = words ] || map="memory_map; opt -nosdff;"
gates=
[ "$grain" = words ] || gates="techmap; opt; splitnets;"
"$yosys" -q -p "
  read_verilog -sv -noautowire $*
  ${settings:+chparam $settings $top}
  hierarchy -check -top $top
  rename -top $top
  proc
  flatten
  opt -nosdff
  memory -nomap
  opt -nosdff
  select -assert-none t:\$dlatch t:\$adlatch t:\$dlatchsr t:\$_DLATCH_*
  $map
  tcl $scripts/gated_netlist.tcl $scripts $top $output
  $gates
  clean
  check -assert
  tee -q -o $output.stat stat
  write_verilog -noattr $output
"
