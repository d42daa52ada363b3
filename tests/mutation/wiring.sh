#!/bin/sh
# Elaborates what a composed top adds to its units, in yosys' own text: the units stay instances, whose modules
# are boxes with ports and parameters alone.
#
#   wiring.sh YOSYS TOP PARAMETERS OUTPUT.il SOURCE...
#
# PARAMETERS: "Name=value Name=value".
set -eu
yosys=$1 top=$2 parameters=$3 output=$4
shift 4
units=$(sed -n 's/^UNIT(\([a-z0-9_]*\).*/\1/p' "$(dirname "$0")/../../csim/ports/units.def")
settings=$(echo "$parameters" | sed -E 's/([A-Za-z]+)=([0-9]+)/-set \1 \2/g')
keep=$(for unit in $units; do printf "setattr -mod -set keep_hierarchy 1 *%s*; " "$unit"; done)
"$yosys" -q -p "
  read_verilog -sv -noautowire $*
  ${settings:+chparam $settings $top}
  hierarchy -check -top $top
  rename -top $top
  $keep
  proc -norom
  flatten
  opt
  clean
  check -assert
  select * $top %d
  blackbox
  select -clear
  write_rtlil $output
"
