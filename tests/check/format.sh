#!/usr/bin/env bash
# C, C++ and OpenCL C sources are formatted as .clang-format says (tables of macros, *.def and *.inc,
# have columns of their own), and shells read the scripts.
set -euo pipefail
root=$1
. "$root/tests/check/files.sh"
format=$(tool clang-format-14 clang-format)
cd "$root"
sources '*.sh' | xargs -n 1 bash -n
bash -n tandem
sources '*.c' '*.h' '*.cpp' '*.cl' | xargs -P "$(nproc)" -n 20 "$format" --dry-run -Werror
