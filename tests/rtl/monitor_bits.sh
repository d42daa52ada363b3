#!/bin/sh
# Counts the state bits that the monitor adds to a master, from the elaborated design, and those of
# 16 SMs as pairs and as fours: 1536 and 768 (docs/hardware/buddy_links.md, monitor).
#
#   monitor_bits.sh YOSYS RTL-FOLDER
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" -q -p "
  read_verilog -sv -noautowire $2/tandem_pkg.sv $2/buddy/monitor.sv
  hierarchy -check -top monitor
  proc
  opt
  tee -q -o $work/stat stat -width
" >/dev/null
# Cells of registers are named by type and width: so many of \$adffe_48.
sum=$(sed -n 's/^ *\$[a-z]*dff[a-z]*_\([0-9]*\) *\([0-9]*\)$/\1 * \2/p' "$work/stat" | paste -sd+)
memory=$(sed -n 's/^ *Number of memory bits: *//p' "$work/stat")
master=$((${sum:-0} + memory))
echo "bits a master: $master, as pairs $((8 * master)), as fours $((4 * master))"
[ "$master" -eq 192 ] && [ $((8 * master)) -eq 1536 ] && [ $((4 * master)) -eq 768 ]
