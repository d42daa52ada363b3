#!/bin/sh
# What the cells of a Liberty file do, as Verilog.
#
#   cells.sh YOSYS LIBERTY OUTPUT
set -eu
"$1" -q -p "read_liberty \"$2\"; write_verilog -noattr \"$3\""
