# Third step of a unit: timing and power of its netlist, with the netlists of all below it.
#
# In (set by the job): unit, liberty, macros, netlists, clocks {port multiple ...}, reset, period_ns,
# driver, driver_pin, load, activity, given {Liberty of memories that are not in macros}.  Out: fmax.txt
# (slack, shortest period), path.txt, power.txt (at its end what the nets of gated clocks take, and internal
# power and leakage of given memories), in the current folder.
source scripts/local.tcl
foreach file [concat [list $liberty $macros scripts/tie.lib] $given] { read_liberty [local $file .lib] }
foreach file $netlists { read_verilog [local $file .v] }
link_design $unit

proc ports {direction} {
  global clocks reset
  set names {}
  foreach port [$direction] {
    set name [get_property $port full_name]
    if {![dict exists $clocks $name] && $name ne $reset} { lappend names $port }
  }
  return $names
}

# Drivers of a net of this name within the unit: {cell pin ...}.
proc drivers {pattern} {
  set found {}
  foreach cell [get_cells -quiet -hierarchical $pattern] {
    set pins [$cell pin_iterator]
    while {[$pins has_next]} {
      set pin [$pins next]
      if {[get_property $pin direction] eq "output"} { lappend found $cell $pin }
    }
    $pins finish
  }
  return $found
}

# The clocks that the unit has, all in proportion; a virtual one, if it has none.
proc clock_all {period} {
  global clocks main
  set main {}
  foreach {name multiple} $clocks {
    set port {}
    foreach candidate [all_inputs] {
      if {[get_property $candidate full_name] eq $name} { set port $candidate }
    }
    if {$port eq ""} continue
    create_clock -name $name -period [expr {$period / $multiple}] $port
    if {$main eq ""} { set main $name }
  }
  if {$main eq ""} {
    create_clock -name core -period $period
    set main core
  }
}

proc worst {} {
  set worst 1e30
  foreach path [find_timing_paths -path_delay max] {
    set slack [get_property $path slack]
    if {$slack < $worst} { set worst $slack }
  }
  return $worst
}

clock_all $period_ns
set inputs [ports all_inputs]
set outputs [ports all_outputs]
if {[llength $inputs]} {
  set_input_delay 0 -clock $main $inputs
  set_driving_cell -lib_cell $driver -pin $driver_pin $inputs
}
if {[llength $outputs]} {
  set_output_delay 0 -clock $main $outputs
  set_load $load $outputs
}
# The reset is over.
foreach port [all_inputs] {
  if {[get_property $port full_name] eq $reset} { set_case_analysis 1 $port }
}
# A gated clock has the short slope that its tree, which is not there, would give it: its net drives
# thousands of registers.
set gates [drivers *clk*]
foreach {cell pin} $gates { set_assigned_transition 0 $pin }

set slack [worst]
set_power_activity -global -activity $activity
set_power_activity -input -activity $activity
report_power -digits 6 > power.txt
# Nor is the load of that net among the power, as it is not of a clock that comes from outside.
set driven_w 0
foreach {cell pin} $gates {
  if {[sta::pin_is_clock $pin]} {
    set driven_w [expr {$driven_w + [lindex [sta::instance_power $cell [sta::cmd_corner]] 1]}]
  }
}
# Power of the given memories, out of the rest.
set internal_w 0
set leakage_w 0
if {[llength $given]} {
  foreach cell [get_cells -hierarchical *] {
    if {![string match tandem_mem_* [get_property $cell ref_name]]} continue
    lassign [sta::instance_power $cell [sta::cmd_corner]] internal switching leakage
    set internal_w [expr {$internal_w + $internal}]
    set leakage_w [expr {$leakage_w + $leakage}]
  }
}
set out [open power.txt a]
puts $out "Clocks $driven_w"
puts $out "Memories $internal_w $leakage_w"
close $out

# The shortest period at which nothing is late: slack grows with the period, along a straight line
# as long as the same path is the worst.  The critical path is the worst at that period: in a unit
# with two clocks that is not always the one with the least slack now.
set period $period_ns
set now $slack
for {set i 0} {$i < 8 && abs($now) > $period / 2000 && $now < 1e29} {incr i} {
  if {$i == 0} { set next [expr {$period - $now}] } else {
    set next [expr {$period - $now * ($period - $before) / ($now - $then)}]
  }
  if {$next <= 0} { set next [expr {$period / 100}] }
  set before $period
  set then $now
  set period $next
  clock_all $period
  set now [worst]
}
report_checks -path_delay max -format full -digits 4 > path.txt
set out [open fmax.txt w]
puts $out "slack $slack"
puts $out "period $period"
close $out
