#!/bin/sh
# The object of a C source with its mutants, and their list.  The source with the mutants stays as
# OBJECT.c (equivalent.sh).
#
#   mutate.sh CLANG SCHEMATA SOURCE FIRST OBJECT LIST GENERATED
#
# in the folder that SOURCE is from; GENERATED has the headers that the build writes.
set -eu
clang=$1 schemata=$2 source=$3 first=$4 object=$5 list=$6 generated=$7
flags="-std=gnu11 -I. -I$generated"
case $source in */round.c) rounding=-frounding-math ;; *) rounding= ;; esac
"$clang" -E $flags "$source" >"$object.i"
"$clang" -x cpp-output -std=gnu11 -w -fsyntax-only -Xclang -ast-dump=json "$object.i" |
  "$schemata" "$object.i" "$source" "$first" >"$object.c" 2>"$list"
"$clang" $flags -O1 -w -ffp-contract=off $rounding -fno-pie -c -o "$object" "$object.c"
rm -f "$object.i"
