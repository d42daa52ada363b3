#!/bin/sh
# Checks a unit's boundary: elaborates it and runs `boundary` (boundary.c) on the netlist.
#
#   boundary.sh YOSYS BOUNDARY RTL UNIT [MEMBERS | LANES]
set -eu
yosys=$1 boundary=$2 rtl=$3 unit=$4 number=${5:-}
top=$unit set=
case $unit in
  buddy_cluster) set="chparam -set Members $number $top;" ;;
  sm_frontend_wide) top=sm_frontend
    set="chparam -set WarpSize $number -set Warps $((1536 / number)) $top;" ;;
esac
netlist=$(mktemp)
trap 'rm -f "$netlist"' EXIT
"$yosys" -q -q -p "
  read_verilog -defer -sv -noautowire $(echo "$rtl"/*.sv "$rtl"/*/*.sv)
  $set
  hierarchy -check -top $top
  proc
  setattr -unset src c:* w:*
  write_json $netlist"
# shellcheck disable=SC2086
"$boundary" "$netlist" "$unit" $number
