# shellcheck shell=sh
# Sourced by the scripts that prove units equal: both get the same inputs from reset on, by the unit's miter of a
# build's generated/csim/ports.  Inputs by which an assertion of the first unit fails are left out; outputs are compared
# in cycles in which their qualifier of the ports table holds.  State without a reset begins with 0 in both.
#
# The script has set work, a folder, seconds, of processor time for a step, and frames, the cycles of bounded search.
# Its functions "equal" and "different FRAME" get the verdict, and exit.

# limited COMMAND...: with so many seconds of processor time.
limited() { (ulimit -t "$seconds" && exec "$@"); }

# with_clock FILE: the text of a source whose assertions are read with the clock alone, as yosys takes no check beside
# an asynchronous reset.
with_clock() {
  sed -e '/^`ifndef SYNTHESIS/,/^`endif/s/ or negedge rst_ni//' -e 's/^`ifdef FORMAL$/`ifdef PROPERTIES/' "$1"
}

# make_model COMMANDS MITER ROOT: $work/model.aig, of the modules unit and mutant that commands of yosys read.
make_model() {
  limited yosys -q -p "
    $1
    read_verilog -sv -formal -noautowire $2
    hierarchy -check -top both
    proc
    flatten
    opt_clean; opt_expr; opt_clean; memory; opt_clean; async2sync; dffunmap
    techmap -map $3/tests/formal/clock_is_enable.v
    opt_expr; opt_clean
    techmap; opt_clean; setundef -undriven -zero; setundef -init -zero; aigmap
    write_aiger -zinit -symbols $work/model.aig
  " >"$work/yosys.log" 2>&1
}

# abc MODEL COMMANDS: on what both units are, with its log in $work/log.
abc() { limited yosys-abc -c "read_aiger $1; strash; $2" >"$work/log" 2>&1 || true; }

# judge MODEL COMMANDS: the verdict, if they find it.
judge() {
  abc "$1" "$2"
  frame=$(grep -ao 'was asserted in frame *[0-9]*' "$work/log" | grep -o '[0-9]*$' | head -n 1) || true
  [ -z "$frame" ] || different "$frame"
  if grep -aq 'Property proved' "$work/log"; then equal; fi
}

# judge_model: the verdict on $work/model.aig; without one, $bound is the number of cycles without a difference, or
# empty.  By induction, registers that are equal on both sides, or constant: in any case; then for legal inputs alone
# (-c).  Most mutants are proved by this.
judge_model() {
  less=$work/model.aig fold=
  for same in "fold; strash; lcorr; scorr; dc2" "dc2; scorr -c; scorr -c -F 2; fold; strash; lcorr; scorr; dc2"; do
    judge "$work/model.aig" "$same; write_aiger $work/less.aig; pdr -T $((seconds / 3))"
    [ ! -s "$work/less.aig" ] || less=$work/less.aig
  done
  [ "$less" != "$work/model.aig" ] || fold="fold; strash;"
  judge "$less" "$fold bmc3 -F $frames -T $((seconds / 3))"
  bound=$(grep -aoE 'No output asserted in [0-9]+ frames' "$work/log" | grep -oE '[0-9]+' | head -n 1) || true
  judge "$less" "$fold scorr -F 4; dc2; pdr -T $seconds"
}
