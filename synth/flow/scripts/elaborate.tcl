# First step of a unit: what its module consists of, before any library.
#
# In (set by the job): module, parameters {name value ...}, package, source, children (files of the
# modules that it names), min_bits.  Out: elaborated.il, elaborated.json, in the current folder.
#
# Children stay black boxes with the parameters that they are given, from which the next units follow.
# Memories become instances of tandem_memory (memory.v).
yosys -import
source scripts/local.tcl
# Yosys makes names of files, lines and numbers, and takes things in the order of their names.  Numbers and the
# package's lines get as many digits whatever else is read, and files their own names: so the order is a matter of the
# module's own text, and another module or an item of the package leaves the netlist as it is.
proc contents {name} {
  set file [open $name]
  set text [read $file]
  close $file
  return $text
}
proc write {name text} {
  set file [open $name w]
  puts $file $text
  close $file
}
proc named {path} {
  set name [file tail $path]
  file link -symbolic $name $path
  return $name
}
write package.sv "`line 100001 \"package.sv\" 0\n[contents $package]"
write numbers.il "autoidx 1000000"
yosys read_verilog -sv -noautowire package.sv
yosys read_verilog -sv -noautowire -lib [named scripts/tandem_memory.v]
foreach file $children { yosys read_verilog -sv -noautowire -lib [named $file] }
yosys read_rtlil numbers.il
yosys read_verilog -sv -noautowire [named $source]
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
  return [split [string trim [contents instances]] \n]
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
yosys write_rtlil all.il
# Nor is a parameter of the package one of the module's.
write elaborated.il [regsub -all -line {^ *parameter \\[^ ]*::.*\n} [contents all.il] ""]
file delete all.il
yosys write_json elaborated.json
