# Third step of a unit: timing and power of its netlist, with the netlists of all below it.
#
# In (set by the job): unit, liberty, macros, netlists, clocks {port multiple ...}, reset, period_ns,
# driver, driver_pin, load, activity.  Out: fmax.txt (slack, shortest period), path.txt, power.txt, in the current folder.
foreach file [list $liberty $macros] { read_liberty $file }
foreach file $netlists { read_verilog $file }
link_design $unit

proc ports {direction} {
  global clocks
  set names {}
  foreach port [$direction] {
    set name [get_property $port full_name]
    if {![dict exists $clocks $name]} { lappend names $port }
  }
  return $names
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
foreach port $inputs {
  if {[get_property $port full_name] eq $reset} { set_false_path -from $port }
}

report_checks -path_delay max -format full -digits 4 > path.txt
set_power_activity -global -activity $activity
set_power_activity -input -activity $activity
report_power -digits 6 > power.txt
set slack [worst]

# The shortest period at which nothing is late: slack grows with the period, along a straight line
# as long as the same path is the worst.
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
set out [open fmax.txt w]
puts $out "slack $slack"
puts $out "period $period"
close $out
