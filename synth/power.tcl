# Power of a netlist whose activity was measured, cell by cell.
#
# In (set by the job): liberty, source (synth/source.lib), netlist (gates_write_timing), clocks {port
# multiple ...}, period_ns, assumed (changes of every net in a cycle, for comparison), activity: a file
# with a line "net changes high" for each net, in changes a cycle and as a part of the time.
# Out: power.txt, a line "cell switching internal clock leakage assumed" for each cell, in W:  what its
# own output and its inputs' changes take, what its clock takes, and what both would if every net had
# the assumed activity.  A clock's part goes by the pulses that there were.
foreach file [list $liberty $source] { read_liberty $file }
read_verilog $netlist
link_design top
foreach {name multiple} $clocks {
  set port [get_ports -quiet $name]
  if {$port ne ""} {
    create_clock -name $name -period [expr {$period_ns / $multiple}] $port
  }
}
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

# Internal, switching and leakage power of every cell.  This version counts the energies of a rise and
# of a fall for each change, which is one of the two: on average, half of that.
proc dynamic {} {
  global cells corner
  set result {}
  foreach {name cell} $cells {
    lassign [sta::instance_power $cell $corner] internal switching leakage
    dict set result $name [list [expr {$internal / 2}] $switching $leakage]
  }
  return $result
}
foreach {net changes high} $nets { set_net $net 0 0.5 }
set still [dynamic]
foreach {net changes high} $nets { set_net $net $assumed 0.5 }
set equal [dynamic]
foreach {net changes high} $nets { set_net $net $changes $high }
set measured [dynamic]

# How many pulses a cycle the clocks of registers have, and with them the gates that make these.
foreach {net changes high} $nets { set pulses([get_property $net full_name]) [expr {$changes / 2}] }
set clocked {}
set gates {}
foreach pin [all_registers -clock_pins] {
  if {![sta::pin_is_clock $pin]} continue ;# an asynchronous reset is listed too
  set net [get_nets -of_objects $pin]
  set name [get_property $net full_name]
  if {![info exists pulses($name)]} continue
  regexp {^(.*)/} [get_property $pin full_name] all cell
  dict set clocked $cell $pulses($name)
  dict set gates $name $net
}
dict for {name net} $gates {
  set pins [$net pin_iterator]
  while {[$pins has_next]} {
    set pin [$pins next]
    if {[get_property $pin direction] eq "output" &&
        [regexp {^(.*)/} [get_property $pin full_name] all cell]} {
      dict set clocked $cell $pulses($name)
    }
  }
  $pins finish
}

set out [open power.txt w]
dict for {name was} $measured {
  lassign $was internal switching leakage
  lassign [dict get $still $name] clock drive
  lassign [dict get $equal $name] guess guess_switching
  set part [expr {[dict exists $clocked $name] ? [dict get $clocked $name] : 1}]
  puts $out [format "%s %.6e %.6e %.6e %.6e %.6e" $name [expr {$switching - $drive}] \
    [expr {$internal - $clock}] [expr {$part * ($clock + $drive)}] $leakage \
    [expr {$guess + $guess_switching}]]
}
close $out
