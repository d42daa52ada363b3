# A hierarchical netlist as one flat module, and the library's cells as simulation models.
#
# In (set by the job): unit, netlists (of the unit and of all below it), liberty, gate_model (Verilog of clock gates
# without function in the library, or ""); scripts is a link to
# synth/flow/scripts.  Out: flat.json (cells and ports), and cells.v.  Memories, of which there is no module, stay what they are.
yosys -import
source scripts/local.tcl
set liberty [local $liberty .lib]
set file [open gate_model.v w]
puts $file $gate_model
close $file
yosys read_liberty -ignore_miss_func $liberty
yosys read_verilog gate_model.v
yosys proc
yosys write_verilog -noattr cells.v
yosys design -reset
yosys read_liberty -lib -ignore_miss_func $liberty
yosys read_verilog -lib gate_model.v
# Drivers of constants dissolve into these.
yosys read_liberty [local scripts/tie.lib .lib]
foreach file $netlists { yosys read_verilog [local $file .v] }
yosys hierarchy -top $unit
yosys flatten
yosys attrmap -remove src
yosys opt_clean -purge
yosys select $unit/c:* $unit/i:* $unit/o:*
yosys json -o flat.json
