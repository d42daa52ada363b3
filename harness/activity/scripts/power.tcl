# Power of a netlist whose activity was measured, cell by cell.
#
# In (set by the job): liberty, netlist (gates_write_timing), clocks {port
# multiple ...}, period_ns, assumed (changes of every net in a cycle, for comparison), activity: a file
# with a line "net changes high" for each net, in changes a cycle and as a part of the time; quiet: nets that do not change but in a
# run's first cycles (the reset), for that comparison.
# Out: power.txt, a line "cell switching internal clock leakage assumed" for each cell, in W:  what its
# own output and its inputs' changes take, what its clock takes, and what both would if every net had
# the assumed activity.  A clock's part goes by the pulses that there were.
source scripts/local.tcl
foreach file [list $liberty source.lib] { read_liberty [local $file .lib] }
read_verilog $netlist
link_design top
# OpenSTA takes changes for those in a period of the clock that a cell has.  The counts are of core cycles, so
# that every clock has the core clock's period for this, and its own for the comparison.
proc clock_all {own} {
  global clocks period_ns
  foreach {name multiple} $clocks {
    set port [get_ports -quiet $name]
    if {$port ne ""} {
      create_clock -name $name -period [expr {$own ? $period_ns / $multiple : $period_ns}] $port
    }
  }
}
clock_all false
set corner [sta::cmd_corner]

# OpenSTA's own set_power_activity -pins does not work in this version; this is what it would call.
proc set_net {net changes high} {
  set pins [$net pin_iterator]
  while {[$pins has_next]} {
    set pin [$pins next]
    sta::set_power_pin_activity $pin $changes $high
  }
  $pins finish
}

# Cells, and the nets on their pins that clock something.
set file [open $activity]
set nets {}
while {[gets $file line] >= 0} {
  lassign $line name changes high
  set net [get_nets -quiet $name]
  if {$net ne ""} { lappend nets $net $changes $high }
}
close $file
set cells {}
foreach cell [get_cells -quiet c*] {
  set name [get_property $cell full_name]
  if {[regexp {^c[0-9]+$} $name]} { lappend cells $name $cell }
}

# The registers' clocks, cell by cell, and the gates that drive these nets: {cell net ...}.  A gated clock has
# the short slope of the tree that is not there, as its net drives thousands of registers.
# The reach of clocks is known once something has been worked out.
sta::instance_power [lindex $cells 1] $corner
set clocked {}
set gates {}
set seen {}
foreach pin [all_registers -clock_pins] {
  if {![sta::pin_is_clock $pin]} continue ;# an asynchronous reset is listed too
  set net [get_nets -of_objects $pin]
  set name [get_property $net full_name]
  regexp {^(.*)/} [get_property $pin full_name] all cell
  dict set clocked $cell $name
  dict set seen $name $net
}
dict for {name net} $seen {
  set pins [$net pin_iterator]
  while {[$pins has_next]} {
    set pin [$pins next]
    if {[get_property $pin direction] eq "output" &&
        [regexp {^(.*)/} [get_property $pin full_name] all cell]} {
      dict set gates $cell $name
      set_assigned_transition 0 $pin
    }
  }
  $pins finish
}

# Internal, switching and leakage power of every cell.  This version counts the energies of a rise and
# of a fall for each change, which is one of the two: on average, half of that.  The load of a gated
# clock's net is not counted, as that of a clock from outside is not.
proc dynamic {} {
  global cells corner gates
  set result {}
  foreach {name cell} $cells {
    lassign [sta::instance_power $cell $corner] internal switching leakage
    if {[dict exists $gates $name]} { set switching 0 }
    dict set result $name [list [expr {$internal / 2}] $switching $leakage]
  }
  return $result
}
foreach {net changes high} $nets { set_net $net 0 0.5 }
set still [dynamic]
foreach {net changes high} $nets { set_net $net $changes $high }
set measured [dynamic]
clock_all true
foreach {net changes high} $nets {
  if {[get_property $net full_name] ni $quiet} { set_net $net $assumed 0.5 } else { set_net $net 0 0.5 }
}
set equal [dynamic]

# How many pulses a cycle the clocks have.
foreach {net changes high} $nets {
  set name [get_property $net full_name]
  if {[dict exists $seen $name]} { set pulses($name) [expr {$changes / 2}] }
}

set out [open power.txt w]
dict for {name was} $measured {
  lassign $was internal switching leakage
  lassign [dict get $still $name] clock drive
  lassign [dict get $equal $name] guess guess_switching
  set part 1
  foreach list [list $clocked $gates] {
    if {[dict exists $list $name] && [info exists pulses([dict get $list $name])]} {
      set part $pulses([dict get $list $name])
    }
  }
  puts $out [format "%s %.6e %.6e %.6e %.6e %.6e" $name [expr {$switching - $drive}] \
    [expr {$internal - $clock}] [expr {$part * ($clock + $drive)}] $leakage \
    [expr {$guess + $guess_switching}]]
}
close $out
