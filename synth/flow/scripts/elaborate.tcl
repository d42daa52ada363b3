# First step of a unit: what its module consists of, before any library.
#
# In (set by the job): module, parameters {name value ...}, package, source, children (files of the
# modules that it names), min_bits.  Out: elaborated.il, elaborated.json, in the current folder.
#
# Children stay black boxes with the parameters that they are given, from which the next units follow.
# Memories become instances of tandem_memory (memory.v).
yosys -import
source scripts/local.tcl
yosys read_verilog -sv -noautowire [local $package .sv]
foreach file $children { yosys read_verilog -sv -noautowire -lib [local $file .sv] }
yosys read_verilog -sv -noautowire -lib [local scripts/tandem_memory.v .v]
yosys read_verilog -sv -noautowire [local $source .sv]
set values {}
foreach {name value} $parameters { lappend values -chparam $name $value }
yosys hierarchy -check -top $module {*}$values

# The instances of other modules, a name a line.
proc instances {} {
  global children
  set types {}
  foreach file $children { lappend types t:[file rootname [file tail $file]] }
  if {![llength $types]} { return {} }
  yosys tee -q -o instances select -list {*}$types
  set file [open instances]
  set names [split [string trim [read $file]] \n]
  close $file
  return $names
}
set instances [instances]
yosys proc
yosys opt -nodffe -nosdff
yosys memory -nomap -nordff
yosys opt_clean
yosys techmap -D MIN_BITS=$min_bits -map [local scripts/memory.v .v]
yosys opt -nodffe -nosdff
yosys check -assert
# Yosys drops without a word what it takes to have no effect.
set left [instances]
foreach name $instances {
  if {$name ni $left} {
    error "ERROR: nothing is left of the instance $name: what its outputs drive reaches nothing,\
      or is an array, which needs the attribute mem2reg"
  }
}
# A parameter gives the module a name of its own.
yosys rename -top $unit
# Black boxes that it only names would take the place of the modules in a flat unit.
yosys hierarchy -purge_lib -top $unit
yosys write_rtlil elaborated.il
yosys write_json elaborated.json
