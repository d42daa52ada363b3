# Clock gates: registers whose common enable is that of at least clock_gating_bits bits get one for all of them.
#
# `clock_gating MODULE`, while the module is selected and its registers are still words.  Returns whether there are
# gates.
#
# `clock_gating_count`, once the module is mapped and equal gates are one: how many gates there are, and how many
# flip-flops they clock.
#
# gate_techmap: path of clock_gating.v.  gate_rule: Verilog that makes a gate of tandem_clock_gate, for techmap
# (clock_gate.v); gate_model: Verilog of its cells that are not in the library, or "".  gate_latch: its cell that
# stores, gate_levels: how many nets lead from there to the flip-flops.  gate_files: how the files begin that are made
# on the way.
set clock_gating_bits 8

# Writes the registers with an enable of enough bits in common to a file that `select -read` takes.  Returns whether
# there are any.
proc clock_gating_choose {module to} {
  global clock_gating_bits
  yosys tee -q -o $to.in dump t:\$dffe t:\$adffe
  set in [open $to.in]
  while {[gets $in line] >= 0} {
    if {[regexp {^\s*cell \S+ (\S+)} $line all cell]} { array unset pin; continue }
    if {[regexp {^\s*parameter (?:signed )?\\(WIDTH|CLK_POLARITY|EN_POLARITY) (\S+)} $line all name value] ||
        [regexp {^\s*connect \\(CLK|EN) (.*)} $line all name value]} { set pin($name) $value; continue }
    if {[string trim $line] eq "end" && [info exists pin(EN)]} {
      # A constant is no enable.
      if {![string match {*'*} $pin(EN)] && ![string match *0 $pin(CLK_POLARITY)]} {
        set key [list $pin(CLK) $pin(EN) [string index $pin(EN_POLARITY) end]]
        lappend cells($key) $cell
        incr width($key) $pin(WIDTH)
      }
      array unset pin
    }
  }
  close $in
  set out [open $to w]
  set found 0
  foreach key [array names cells] {
    if {$width($key) < $clock_gating_bits} continue
    set found 1
    foreach cell $cells($key) { puts $out "$module/[string trimleft $cell \\]" }
  }
  close $out
  return $found
}

proc clock_gating_write {name text} {
  set file [open $name w]
  puts $file $text
  close $file
}

proc clock_gating {module} {
  global gate_techmap gate_rule gate_model gate_files
  yosys opt_dff -nosdff
  yosys opt_merge
  yosys opt_clean
  if {![clock_gating_choose $module ${gate_files}gated.txt]} { return 0 }
  clock_gating_write ${gate_files}gate.v $gate_rule
  clock_gating_write ${gate_files}gate_model.v $gate_model
  yosys select -read ${gate_files}gated.txt
  yosys techmap -map $gate_techmap
  # Only cells of a known module are merged.
  yosys read_verilog -lib ${gate_files}gate.v
  yosys select $module
  yosys opt_merge -share_all t:tandem_clock_gate
  yosys delete =tandem_clock_gate
  yosys read_verilog -lib ${gate_files}gate_model.v
  yosys techmap -map ${gate_files}gate.v
  yosys opt_clean
  return 1
}

# How many cells a selection has.
proc clock_gating_cells {args} {
  global gate_files
  yosys tee -q -o ${gate_files}count.txt select -count {*}$args c:* %i
  set in [open ${gate_files}count.txt]
  scan [read $in] %d n
  close $in
  return $n
}

proc clock_gating_count {} {
  global gate_latch gate_levels
  set near [expr {2 * ($gate_levels - 1)}]
  set far [expr {2 * $gate_levels}]
  return [list [clock_gating_cells t:$gate_latch] \
    [clock_gating_cells t:$gate_latch %co$far t:$gate_latch %co$near %d]]
}
