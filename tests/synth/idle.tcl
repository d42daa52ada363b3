# Netlists that do nothing: the ports of the front end and of a pair's members, all outputs 0.
# In: root.  Out, in the current folder: sm_frontend.v, member1.v and member2.v.
yosys -import
foreach {unit module source parameters} {
  sm_frontend sm_frontend sm/sm_frontend.sv {}
  member1 buddy_member buddy/buddy_member.sv {-chparam Leads 1 -chparam Delay 1}
  member2 buddy_member buddy/buddy_member.sv {-chparam Leads 2 -chparam Delay 1}
} {
  yosys design -reset
  yosys read_verilog -sv -noautowire $root/rtl/tandem_pkg.sv
  foreach file [concat [glob $root/rtl/sm/*.sv] [glob $root/rtl/buddy/*.sv]] {
    if {![string match *$source $file]} { yosys read_verilog -sv -noautowire -lib $file }
  }
  yosys read_verilog -sv -noautowire $root/rtl/$source
  yosys hierarchy -top $module {*}$parameters
  yosys proc
  yosys rename -top $unit
  yosys select $unit
  yosys delete $unit/c:* $unit/m:*
  yosys setundef -undriven -zero
  yosys opt_clean -purge
  yosys write_verilog -selected -noattr $unit.v
}
