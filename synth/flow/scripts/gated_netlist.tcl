# Gates the clocks of a module's netlist by yosys' own cells: a command of yosys, `tcl gated_netlist.tcl SCRIPTS MODULE
# FILES`.  FILES is how the files begin that are made on the way.
yosys -import
lassign $argv scripts module gate_files
source $scripts/clock_gating.tcl
set file [open $scripts/clock_gate.v]
set gate_rule [read $file]
close $file
set gate_model ""
set gate_techmap $scripts/clock_gating.v
append gate_files .
clock_gating $module
yosys select -clear
