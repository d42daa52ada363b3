#!/usr/bin/env bash
# clang-tidy, as .clang-tidy says, on all C files.  C++ is left out: shims and the SystemC platform are
# compiled once for each model, with headers and macros that only the model's build gives.
#
#   tidy.sh ROOT BUILD
set -euo pipefail
root=$1 build=$2
. "$root/tests/check/files.sh"
tidy=$(tool clang-tidy-14 clang-tidy)
cd "$root"
# Two tests use what clang 14 does not know: _Float16, __builtin_cpu_supports("x86-64-v3").
left_out='^tests/ptx/test_beyond\.c$|^tests/isa/test_lanes\.c$'
sources '*.c' | grep -vE "$left_out" |
  xargs -P "$(nproc)" -n 4 "$tidy" --quiet --extra-arg=-w -p "$build" 2>/dev/null
