#!/usr/bin/env bash
# C, C++ and OpenCL C sources are formatted as .clang-format says.
set -euo pipefail
root=$1
. "$root/tests/check/files.sh"
format=$(tool clang-format-14 clang-format)
cd "$root"
sources '*.c' '*.h' '*.cpp' '*.cl' | xargs -P "$(nproc)" -n 20 "$format" --dry-run -Werror
