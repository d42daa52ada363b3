#!/bin/sh
# Elaborates a unit to cells and memories, in yosys' own text, which keeps the lines of the sources:
#
#   elaborate.sh YOSYS UNIT PARAMETERS OUTPUT.il SOURCE...
#
# PARAMETERS: "Name=value Name=value".
# Registers that the sources declare public are kept though no output needs them: tests compare them.
# Selects that exclude each other become chains of multiplexers, as Verilator 5.006 computes the functions wrongly
# that yosys writes for them when their inputs are random at first.
set -eu
yosys=$1 unit=$2 parameters=$3 output=$4
shift 4
settings=$(echo "$parameters" | sed -E 's/([A-Za-z]+)=([0-9]+)/-set \1 \2/g')
keep=$(sed -nE 's|.*[] ]([a-z0-9_]+) *(\[[^]]*\])? */\*verilator public_flat_rd\*/.*|setattr -set keep 1 w:\1 w:*.\1;|p' "$@")
"$yosys" -q -p "
  read_verilog -sv -noautowire $*
  ${settings:+chparam $settings $unit}
  hierarchy -check -top $unit
  rename -top $unit
  proc -norom
  flatten
  $keep
  opt
  memory -nomap
  opt
  pmuxtree
  clean
  check -assert
  write_rtlil $output
"
