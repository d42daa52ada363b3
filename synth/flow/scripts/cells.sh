#!/bin/sh
# Writes the functions of a Liberty file's cells as Verilog.
#
#   cells.sh YOSYS LIBERTY OUTPUT
set -eu
"$1" -q -p "read_liberty \"$2\"; write_verilog -noattr \"$3\""
