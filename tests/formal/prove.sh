#!/bin/sh
# Proves what tests/formal/<unit>.sv says of a unit, with yosys-smtbmc and z3, or with yosys-abc.
#
#   prove.sh GENERATED UNIT[/MODULE] bounded|induction|fault|frames|frames-fault STEPS [NAME=VALUE...]
#
# bounded: nothing fails in the first so many steps after power-up, and each cover statement is
# reached.  induction: the same, and nothing fails after as many steps in which nothing failed, from
# any state at all; so nothing ever fails (STEPS as 9/2: 9 after power-up, 2 for the induction).
# fault: with the fault FAULT=N of rtl/faults.def, something does fail.
#
# frames, frames-fault: nothing fails in the first so many steps, something does; by yosys-abc, for
# models on which z3 takes too long.  Such a model has one clock, each step is a cycle of it, and
# registers begin with their initial value or 0.  In the place of cover statements the parameter
# Never=1 adds the claim that the end is never reached, which frames-fault has to find false.
#
# NAME=VALUE are parameters of the module <unit>_formal, or MODULE_formal.  A step is a cycle of the fastest clock: a
# register takes its next value in steps in which its clock is 1 (clock_is_enable.v), and
# <unit>_formal says when that is (assume).
# GENERATED: the build's folder of that name, which has the lists of the units' ports.
set -eu
generated=$1 unit=${2%/*} top=${2#*/}_formal mode=$3 steps=${4%/*} depth=${4#*/}
shift 4
here=$(dirname "$0")
rtl=$here/../../rtl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

define= parameters=
for argument; do
  name=${argument%%=*} value=${argument#*=}
  case $name in
    FAULT) define="-DTANDEM_FAULT=$value" ;;
    *) parameters="$parameters -set $name $value" ;;
  esac
done
case $mode in
  frames*) write="opt_clean; opt_expr; opt_clean; memory; opt_clean; async2sync; dffunmap; check -assert
    techmap; opt_clean; setundef -zero; aigmap; write_aiger $work/model.aig" ;;
  *) write="opt; memory; opt; async2sync; dffunmap; techmap -map $here/clock_is_enable.v; opt -full
    check -assert; write_smt2 -wires $work/model.smt2" ;;
esac
# Modules are read as they are needed.
folders=$(printf ' -libdir %s' "$rtl"/*/)
yosys -q -p "
  verilog_defaults -add -formal -noautowire -DSYNTHESIS $define
  read_verilog -sv -I$generated $rtl/tandem_pkg.sv $here/one_clock.sv $here/$unit.sv
  ${parameters:+chparam $parameters $top}
  hierarchy -check -top $top $folders
  proc
  flatten
  $write
" >"$work/yosys.log" 2>&1 || { cat "$work/yosys.log"; exit 1; }

# Its log is shown if it was not to end so.  Without --unroll z3 spends minutes where it needs a second.
smt() {
  status=0
  yosys-smtbmc -s z3 --unroll --noprogress "$@" "$work/model.smt2" >"$work/log" 2>&1 || status=$?
  grep -q 'Status: [a-zA-Z]*' "$work/log" || { cat "$work/log"; exit 1; }
  return $status
}
wrong() {
  cat "$work/log"
  exit 1
}
abc_of() {
  yosys-abc >"$work/log" 2>&1 -c "read_aiger $work/model.aig; fold; strash; print_stats
    scorr; dc2; scorr -F 4; dc2; print_stats; $1"
}
# A claim that is proved for all frames leaves no register, and bmc3 refuses that.
frames() {
  abc_of "bmc3 -F $steps" || wrong
  if grep -aq 'combinational networks' "$work/log"; then abc_of "orpos; sat" || wrong; fi
}
case $mode in
  fault)
    ! smt -t "$steps" || { echo "fault found nowhere in $steps steps" && exit 1; }
    grep 'Assert failed' "$work/log" || wrong
    ;;
  bounded | induction)
    smt -t "$steps" || wrong
    if grep -q 'cover[ (]' "$here/$unit.sv"; then smt -c -t "$steps" || wrong; fi
    [ "$mode" = bounded ] || smt -i -t "$depth" || wrong
    ;;
  frames)
    frames
    grep -aE "No output asserted in $steps frames|UNSATISFIABLE" "$work/log" || wrong
    ;;
  frames-fault)
    frames
    grep -a 'was asserted in frame' "$work/log" || wrong
    ;;
  *) exit 2 ;;
esac
