# Third step of a unit: timing and power of its netlist, with the netlists of all below it.
#
# In (set by the job): unit, liberty, macros, netlists, clocks {port multiple ...}, reset, period_ns, driver,
# driver_pin, load, activity, gate_latch (the cell by which clock gates are known), given {Liberty of memories that are
# not in macros}.  Out: fmax.txt (slack, shortest period), path.txt, power.txt (at its end what the nets of gated
# clocks take, what clocks behind clock gates take in cells if they pulse in each cycle, and internal power and leakage
# of given memories), in the current folder.
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

# Returns 1 if a cell is a gate of clock_gating.tcl: the library's own, or one behind a latch.
proc is_gate {cell} {
  global gate_latch
  if {[get_property $cell ref_name] eq $gate_latch} { return 1 }
  set pins [$cell pin_iterator]
  set found 0
  while {[$pins has_next]} {
    set pin [$pins next]
    if {[$pin is_driver] || [sta::pin_is_clock $pin]} continue
    set others [$pin connected_pin_iterator]
    while {[$others has_next]} {
      set other [$others next]
      if {[$other is_driver] && ![$other is_top_level_port] &&
          [get_property [$other instance] ref_name] eq $gate_latch} { set found 1 }
    }
    $others finish
  }
  $pins finish
  return $found
}

# Cells within the unit that drive clocks of flip-flops, {name {cell pin} ...}, and the flip-flops behind gates of
# clock_gating.tcl.  Of the gates themselves OpenSTA weights an AND by its enable; the clock pin of an integrated one has
# all pulses.
proc gated_clocks {} {
  set gates {}
  set behind {}
  foreach clocked [all_registers -clock_pins -edge_triggered] {
    if {![sta::pin_is_clock $clocked]} continue ;# an asynchronous reset is listed too
    set name [get_property $clocked full_name]
    if {![info exists inside($name)]} {
      # Once for all pins of a net, which has another name in each unit that it goes through.
      set connected [list $name]
      set gated 0
      set pins [$clocked connected_pin_iterator]
      while {[$pins has_next]} {
        set pin [$pins next]
        lappend connected [get_property $pin full_name]
        if {![$pin is_driver] || [$pin is_top_level_port]} continue
        if {[is_gate [$pin instance]]} { set gated 1 }
        dict set gates [get_property $pin full_name] [list [$pin instance] $pin]
      }
      $pins finish
      foreach other $connected { set inside($other) $gated }
    }
    if {$inside($name)} { lappend behind [$clocked instance] }
  }
  return [list $gates $behind]
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

# The path with the least slack.  A clock gate's latch lends its time: the path ends at its gate, and its end at the
# latch counts only if even that time is too short.
proc worst {} {
  global latches
  set worst {}
  foreach path [find_timing_paths -path_delay max -group_count [expr {1 + [dict size $latches]}]] {
    set slack [get_property $path slack]
    if {$slack >= 0 && [dict exists $latches [get_property [get_property $path endpoint] full_name]]} continue
    if {$worst eq "" || $slack < [get_property $worst slack]} { set worst $path }
  }
  return $worst
}

proc worst_slack {} {
  set path [worst]
  return [expr {$path eq "" ? 1e30 : [get_property $path slack]}]
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
set latches {}
foreach pin [all_registers -data_pins -level_sensitive] { dict set latches [get_property $pin full_name] 1 }
# A gated clock has the short slope that its tree, which is not there, would give it.  The reach of clocks is
# known once paths have been looked for.
find_timing_paths
lassign [gated_clocks] gates behind
dict for {name gate} $gates { set_assigned_transition 0 [lindex $gate 1] }

set slack [worst_slack]
# Nothing but clocks changes: what these alone take.
set_power_activity -global -activity 0
set_power_activity -input -activity 0
set clock_w 0
foreach cell $behind {
  set clock_w [expr {$clock_w + [lindex [sta::instance_power $cell [sta::cmd_corner]] 0]}]
}
# Nor is the load of a gated clock's net among the power, as it is not of a clock that comes from outside.
set driven_w 0
dict for {name gate} $gates {
  set switching [lindex [sta::instance_power [lindex $gate 0] [sta::cmd_corner]] 1]
  set driven_w [expr {$driven_w + $switching}]
}
set_power_activity -global -activity $activity
set_power_activity -input -activity $activity
report_power -digits 6 > power.txt
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
puts $out "Clocks $driven_w $clock_w"
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
  set now [worst_slack]
}
set path [worst]
set end [expr {$path eq "" ? "" : [list -to [get_property $path endpoint]]}]
report_checks -path_delay max -format full -digits 4 {*}$end > path.txt
set out [open fmax.txt w]
puts $out "slack $slack"
puts $out "period $period"
close $out
