# First step of a unit: what its module consists of, before any library.
#
# In (set by the job): module, parameters {name value ...}, package, source, children (files of the
# modules that it names), min_bits.  Out: elaborated.il, elaborated.json, in the current folder.
#
# Children stay black boxes with the parameters that they are given, from which the next units follow.
# Memories become instances of tandem_memory (memory.v).
yosys -import
yosys read_verilog -sv -noautowire $package
foreach file $children { yosys read_verilog -sv -noautowire -lib $file }
yosys read_verilog -sv -noautowire -lib $synth/tandem_memory.v
yosys read_verilog -sv -noautowire $source
set values {}
foreach {name value} $parameters { lappend values -chparam $name $value }
yosys hierarchy -check -top $module {*}$values
yosys proc
yosys opt -nodffe -nosdff
yosys memory -nomap -nordff
yosys opt_clean
yosys techmap -D MIN_BITS=$min_bits -map $synth/memory.v
yosys opt -nodffe -nosdff
yosys check -assert
# A parameter gives the module a name of its own.
yosys rename -top $unit
# Black boxes that it only names would take the place of the modules in a flat unit.
yosys hierarchy -purge_lib -top $unit
yosys write_rtlil elaborated.il
yosys write_json elaborated.json
