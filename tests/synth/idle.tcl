# Netlists that do nothing: the ports of the front end and of a pair's members, all outputs 0; and of a pair, in
# which its members are.  In: root.  Out, in the current folder: sm_frontend.v, member1.v, member2.v, cluster.v.
yosys -import
foreach {unit module source parameters} {
  sm_frontend sm_frontend sm/sm_frontend.sv {}
  member1 buddy_member buddy/buddy_member.sv {-chparam Leads 1 -chparam Delay 1}
  member2 buddy_member buddy/buddy_member.sv {-chparam Leads 2 -chparam Delay 1}
  cluster buddy_cluster buddy/buddy_cluster.sv {-chparam Members 2}
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
  yosys delete $unit/m:*
  yosys delete $unit/c:* $unit/c:*u_member %d
  foreach {member type} {0 member2 1 member1} {
    yosys select -set found "$unit/c:g_member\\\[$member\\\].u_member"
    yosys chtype -set $type @found
    foreach name {Warps WarpSize StackDepth Mshrs Leads Delay Entries} { yosys setparam -unset $name @found }
  }
  yosys setundef -undriven -zero
  yosys opt_clean -purge
  yosys write_verilog -selected -noattr $unit.v
}
