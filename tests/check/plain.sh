#!/usr/bin/env bash
# Models are as Verilator makes them: no program of the build reads or changes generated code, and
# nothing names what is inside it.  Documented and allowed: a model's class, its ___024root.h and
# public signals, the VPI, and Verilator's own list of its sources (--make cmake).
#
#   plain.sh ROOT
set -euo pipefail
root=$1
. "$root/tests/check/files.sh"
cd "$root"
status=0
# found WHAT PATTERN FILE...: each line that matches is a complaint.
found() {
  local what=$1 pattern=$2
  shift 2
  (($#)) || return 0
  ! grep -nHP "$pattern" "$@" || { echo "$what" && status=1; }
}

# Programs that edit text have no place where models are made and used.
mapfile -t programs < <(sources '*.pl' '*.awk' '*.sed' '*.py' | grep -E '^(rtl|cmake|harness|csim|tb|synth)/' || true)
((${#programs[@]} == 0)) || { echo "programs that edit text: ${programs[*]}" && status=1; }
mapfile -t build < <(sources '*.sh' '*.cmake' '*CMakeLists.txt' '*.tcl' |
  grep -E '^(rtl|cmake|harness|csim|tb|synth)/|^CMakeLists.txt$' || true)
found "a program that edits text" '(^|[\s|;&(`"/])([gm]?awk|sed|perl|python3?|ed|patch)(?=$|[\s;|)"])' \
  "${build[@]}"
found "reading of generated files" '(?i)\bfile\s*\(\s*(READ|STRINGS)\s+\S*(DIR\}|\$\{dir\}|generated|BINARY)' "${build[@]}"

# Insides: the functions behind eval(), triggers, and copies of registers that Verilator keeps.
mapfile -t users < <(sources '*.c' '*.h' '*.cpp' '*.inc' '*.def' '*.sh' '*.cmake' '*CMakeLists.txt' '*.txt' '*.vlt' |
  grep -vE '^tests/check/|^docs/' || true)
found "the inside of a model" '___024root__|___(eval|settle|ctor|nba|act|ico|stl|sequent|combo|change|final|initial|dump)_?|__V(nba|act|ico|stl|dly|trig|m_|sym|clk)\w*' "${users[@]}"
exit $status
