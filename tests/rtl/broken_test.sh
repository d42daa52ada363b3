#!/bin/sh
# The checks must refuse each file of broken/: the traps by traps.sh, the others by the tool that
# the first line names (verilator or yosys).
#
#   broken_test.sh TRAPS VERILATOR YOSYS FILE...
set -u
traps=$1 verilator=$2 yosys=$3
shift 3
status=0
for f in "$@"; do
  top=$(basename "$f" .sv)
  case $(head -n 1 "$f") in
    *verilator*) check="$verilator --lint-only -Wall $f" ;;
    *yosys*) check="$yosys -q -p 'read_verilog -sv -noautowire $f; hierarchy -check -top $top;
      proc; select -assert-none t:\$dlatch; check -assert'" ;;
    *) check="$traps $f" ;;
  esac
  if eval "$check" >/dev/null 2>&1; then
    echo "$f: accepted"
    status=1
  fi
done
exit $status
