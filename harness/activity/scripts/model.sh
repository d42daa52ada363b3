#!/bin/sh
# Makes a shared object of a netlist, with its activity counted (csim/ports/netlist.h):
#
#   model.sh ROOT SHIM TOP MEMBERS OUTPUT ARGUMENT...
#
# SHIM: harness/shim/unit_model.cpp (of a cluster, of MEMBERS).  nets.inc, what to count, is in the
# current folder, where all files go.  Tens of thousands of gates take minutes to optimise and moments to
# run, so they are not optimised; two files are compiled at a time.  Functions are split: the time that one takes grows with the
# square of its size.
set -eu
root=$1 shim=$2 top=$3 members=$4 output=$5
shift 5
# A netlist is no source to lint; its carry chains look like loops, and it stands beside its cells.
verilator --cc --prefix Vnet --top-module "$top" --Mdir . -O3 --output-split 0 --output-split-cfuncs 1000 -Wno-fatal -Wno-lint \
  -Wno-style -Wno-UNOPTFLAT -Wno-MULTITOP -fno-dfg -fno-merge-cond --x-assign unique --x-initial unique --no-timing "$@"
library=$(verilator --getenv VERILATOR_ROOT)/include
# clang takes a third of the time that gcc takes for this.
for compiler in clang++ clang++-14 c++; do
  command -v "$compiler" >/dev/null && break
done
case $top in
  buddy_cluster) kind="-DUNIT=$top -DMEMBERS=$members -DROWS=buddy_member" own=buddy ;;
  *) kind="-DUNIT=sm_frontend -DP_WarpSize=32" own=sm top=sm_frontend ;;
esac
rm -f ./*.o
printf '%s\n' ./Vnet*.cpp "$library/verilated.cpp" "$library/verilated_threads.cpp" \
  "$root/harness/shim/runtime.cpp" "$shim" |
  xargs -d '\n' -P 2 -I '{}' "$compiler" -c -fPIC -std=c++17 -O0 -g0 -w -I. -I"$root" -I"$library" \
    -I"$library/vltstd" -DMODEL=Vnet -DMODEL_H='"Vnet.h"' -DROOT_H='"Vnet___024root.h"' -DSYMS_H='"Vnet__Syms.h"' \
    -DNETLIST -DNETS_FILE='"nets.inc"' $kind "-DKIND=\"rtl/$own/${top}_model.h\"" \
    -DVM_COVERAGE=0 -DVM_SC=0 -DVM_TRACE=0 \
    -DVL_USER_STOP -DVL_USER_FINISH -DVL_USER_FATAL -DVL_USER_STOP_MAYBE -DVL_PRINTF=tandem_vl_printf \
    -include "$root/harness/shim/runtime.h" '{}'
"$compiler" -shared -Wl,-Bsymbolic -pthread -o "$output" ./*.o -latomic
# The program is all that is needed; the other large files go.
rm -f ./*.o Vnet*
