# Power of a netlist whose activity was measured, cell by cell.
#
# In (set by the job): liberty, gate_latch (the cell by which clock gates are known, or ""), netlist
# (gates_write_timing), clocks {port multiple ...}, period_ns, assumed (changes of every net in a cycle, for comparison),
# activity: a file with a line "net changes high" for each net, in changes a cycle and as a part of the time; quiet: nets
# that do not change but in a run's first cycles (the reset), for that comparison.
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

# The registers' clocks, {cell net ...}; the cells that drive these nets and have their pulses, {cell net ...}; of all
# drivers, those of clocks of flip-flops.  The clock pin of an integrated gate has the pulses of the clock before it.  A
# gated clock has the short slope of the tree that is not there.
# The reach of clocks is known once something has been worked out.
sta::instance_power [lindex $cells 1] $corner
set clocked {}
set drivers {}
set gates {}
set seen {}
foreach kind {-edge_triggered -level_sensitive} {
  foreach pin [all_registers -clock_pins $kind] {
    if {![sta::pin_is_clock $pin]} continue ;# an asynchronous reset is listed too
    set net [get_nets -of_objects $pin]
    set name [get_property $net full_name]
    regexp {^(.*)/} [get_property $pin full_name] all cell
    dict set clocked $cell $name
    if {![dict exists $seen $name]} { dict set seen $name [list $net $kind] }
  }
}
dict for {name entry} $seen {
  lassign $entry net kind
  set pins [$net pin_iterator]
  while {[$pins has_next]} {
    set pin [$pins next]
    if {[get_property $pin direction] eq "output" &&
        [regexp {^(.*)/} [get_property $pin full_name] all cell]} {
      if {[get_property [get_cells $cell] ref_name] ne $gate_latch} { dict set drivers $cell $name }
      if {$kind eq "-level_sensitive"} continue ;# an inverter before a latch: no tree
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
# A clock pin may take another energy by what the cell holds and is given: the states of the run, without changes.
foreach {net changes high} $nets { set_net $net 0 $high }
set still [dynamic]
# The energy of a gate's pulses, when enables are 1.
foreach {net changes high} $nets { set_net $net 0 1 }
set enabled [dynamic]
foreach {net changes high} $nets { set_net $net $changes $high }
set measured [dynamic]
# The power of clocks alone, each at its own frequency.
clock_all true
foreach {net changes high} $nets { set_net $net 0 0.5 }
set clocks_own [dynamic]
foreach {net changes high} $nets {
  if {[get_property $net full_name] ni $quiet} { set_net $net $assumed 0.5 } else { set_net $net 0 0.5 }
}
set equal [dynamic]

# How many pulses a cycle the clocks have.
foreach {net changes high} $nets {
  set name [get_property $net full_name]
  if {[dict exists $seen $name]} { set pulses($name) [expr {$changes / 2}] }
}

# An enable with the assumed activity is 1 half of the time (docs/hardware/cost.md): registers behind it get half of the
# pulses.  OpenSTA weights the gate itself by its enable.
set gated [dict values $gates]
proc halved {name} {
  global clocked gated clocks_own
  if {![dict exists $clocked $name] || [dict get $clocked $name] ni $gated} { return 0 }
  return [expr {[lindex [dict get $clocks_own $name] 0] / 2}]
}

set out [open power.txt w]
dict for {name was} $measured {
  lassign $was internal switching leakage
  lassign [dict get $still $name] clock drive
  if {[dict exists $drivers $name]} {
    lassign [dict get $enabled $name] clock drive
    lassign [list $clock $drive] internal switching
  }
  lassign [dict get $equal $name] guess guess_switching
  set part 1
  foreach list [list $clocked $drivers] {
    if {[dict exists $list $name] && [info exists pulses([dict get $list $name])]} {
      set part $pulses([dict get $list $name])
    }
  }
  puts $out [format "%s %.6e %.6e %.6e %.6e %.6e" $name [expr {$switching - $drive}] \
    [expr {$internal - $clock}] [expr {$part * ($clock + $drive)}] $leakage \
    [expr {$guess + $guess_switching - [halved $name]}]]
}
close $out
