# Second step of a unit: its netlist in cells of the library.
#
# In (set by the job): unit, inputs (elaborated.il of the unit; flat: those below it after it), base, flat,
# children and memories {{selection} type {parameters} ...}, liberty, driver, load_ff, period_ps, gated (0: no
# clock gates), gate_rule, gate_model, gate_latch, gate_levels (clock_gating.tcl).
# Out, in the current folder: netlist.v with a module name for each set of parameters, which OpenSTA
# needs; model.v with the parameters, for simulation; stat.txt; gates.txt, how many clock gates there are and for
# how many flip-flops.
yosys -import
source scripts/local.tcl
source scripts/clock_gating.tcl
set liberty [local $liberty .lib]
# ABC takes no path with a quotation mark, and yosys makes whole paths of those that it gives to ABC.
set here /proc/self/cwd
# Yosys leaves ABC's folder behind if ABC fails: it is in this one, which goes then.
set env(TMPDIR) .

# Cells with these parameters are of a type of their own.
proc rename_cells {renames} {
  foreach {selection type parameters} $renames {
    yosys select -set found {*}$selection
    yosys chtype -set $type @found
    foreach name $parameters { yosys setparam -unset $name @found }
  }
}

yosys read_liberty -lib -ignore_miss_func $liberty
# An enable is found where no other use has been made of it.
set keep [expr {$gated ? {-nosdff} : {}}]
foreach file $inputs { yosys read_rtlil -overwrite [local $file .il] }
if {$flat} {
  rename_cells $children
  yosys hierarchy -top $base
  yosys flatten
  yosys rename $base $unit
  yosys opt -nodffe -nosdff
}
yosys select $unit
yosys wreduce
yosys peepopt
yosys opt_clean
yosys alumacc
yosys opt -fast {*}$keep
yosys memory_map
yosys opt -undriven -fine {*}$keep
set gate_techmap [local scripts/clock_gating.v .v]
set gate_files ""
set gates [expr {$gated ? [clock_gating $unit] : 0}]
yosys techmap
yosys opt -fast
yosys dfflibmap -liberty $liberty
yosys opt -fast
set file [open constraints w]
puts $file "set_driving_cell $driver\nset_load $load_ff"
close $file
# Steps that take minutes where a unit has hundreds of thousands of gates (fraig, dch) are left out.  Not
# abc's older `map`: what it makes of issue differs from the RTL, as mapped_issue shows.
set optimise "+strash;balance;rewrite;balance;rewrite,-z;balance;&get,-n;&nf,{D};&put;buffer;upsize,{D};dnsize,{D}"
yosys tee -q -o abc.log abc -liberty $here/$liberty -constr $here/constraints -D $period_ps -script $optimise
yosys setundef -zero
yosys splitnets
yosys opt_clean -purge
# Cells are called as the nets that they drive: registers by the name that they have in the RTL.
yosys rename -wire
yosys check -assert
yosys select -assert-none t:\$*
yosys write_verilog -selected -noattr -noexpr -nohex -nodec model.v
if {!$flat} { rename_cells $children }
rename_cells $memories
yosys tee -q -o stat.txt stat
set file [open gates.txt w]
puts $file [expr {$gates ? [clock_gating_count] : {0 0}}]
close $file
# OpenSTA takes all ports that are assigned a constant for one net, across modules: a constant gets a
# driver (tie.lib).  Nor does it know assignments to several names at once.
yosys hilomap -singleton -hicell tandem_tie1 Y -locell tandem_tie0 Y
yosys write_verilog -selected -noattr -noexpr -nohex -nodec -simple-lhs netlist.v
