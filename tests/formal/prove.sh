#!/bin/sh
# Proves what tests/formal/<unit>.sv says of a unit, with yosys-smtbmc and z3.
#
#   prove.sh UNIT bounded|induction|fault STEPS [NAME=VALUE...]
#
# bounded: nothing fails in the first so many steps after power-up, and each cover statement is
# reached.  induction: the same, and nothing fails after as many steps in which nothing failed, from
# any state at all; so nothing ever fails (STEPS as 9/2: 9 after power-up, 2 for the induction).
# fault: with the fault FAULT=N of rtl/bugs.def switched on, something does fail.
#
# NAME=VALUE are parameters of the module <unit>_formal.  A step is a cycle of the fastest clock: a
# register takes its next value in steps in which its clock is 1 (clock_is_enable.v), and
# <unit>_formal says when that is (assume).
set -eu
unit=$1 mode=$2 steps=${3%/*} depth=${3#*/}
shift 3
here=$(dirname "$0")
rtl=$here/../../rtl
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

define= parameters=
for argument; do
  name=${argument%%=*} value=${argument#*=}
  case $name in
    FAULT) define="-DTANDEM_BUGS -DFAULT=$value" ;;
    *) parameters="$parameters -set $name $value" ;;
  esac
done
top=${unit}_formal
yosys -q -p "
  read_verilog -sv -formal -noautowire -DSYNTHESIS $define $rtl/tandem_pkg.sv $rtl/buddy/*.sv $rtl/spu/*.sv
  read_verilog -sv -formal -noautowire -DSYNTHESIS $define $here/$unit.sv
  ${parameters:+chparam $parameters $top}
  hierarchy -check -top $top
  proc
  flatten
  opt
  memory
  opt
  async2sync
  dffunmap
  techmap -map $here/clock_is_enable.v
  opt
  check -assert
  write_smt2 -wires $work/model.smt2
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
  *) exit 2 ;;
esac
