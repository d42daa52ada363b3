# A hierarchical netlist as one flat module, and the library's cells as simulation models.
#
# In (set by the job): tie (synth/flow/scripts/tie.lib), unit, netlists (of the unit and of all below it), liberty.  Out: flat.json (cells and
# ports), and cells.v.  Memories, of which there is no module, stay what they are.
yosys -import
yosys read_liberty -ignore_miss_func $liberty
yosys write_verilog -noattr cells.v
yosys design -reset
yosys read_liberty -lib -ignore_miss_func $liberty
# What drives constants dissolves into these.
yosys read_liberty $tie
foreach file $netlists { yosys read_verilog $file }
yosys hierarchy -top $unit
yosys flatten
yosys attrmap -remove src
yosys opt_clean -purge
yosys select $unit/c:* $unit/i:* $unit/o:*
yosys json -o flat.json
