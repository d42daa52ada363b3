#!/usr/bin/env bash
# clang-tidy, as .clang-tidy says, on the C files of the program (not of its tests).
set -euo pipefail
root=$1 build=$2
. "$root/tests/check/files.sh"
tidy=$(tool clang-tidy-14 clang-tidy)
cd "$root"
sources 'csim/*.c' 'harness/*.c' | xargs -P "$(nproc)" -n 4 "$tidy" --quiet --extra-arg=-w -p "$build" 2>/dev/null
