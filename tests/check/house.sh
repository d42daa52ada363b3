#!/usr/bin/env bash
# Rules of the house that a reader feels: no source file above 600 lines, no tabs (but in
# makefiles), no blanks at line ends, no notes to oneself left behind; each C, C++ and SystemVerilog
# file opens with a comment that says what it is; comments of the model do not begin with "What".
set -euo pipefail
root=$1
. "$root/tests/check/files.sh"
cd "$root"
status=0
complain() {
  echo "$1"
  status=1
}
mapfile -t files < <(sources '*')
for file in "${files[@]}"; do
  case $file in *.md) ;; *)
    lines=$(wc -l <"$file")
    ((lines <= 600)) || complain "$file: $lines lines; at most 600"
    ;;
  esac
done
if grep -nP '\t|[ \t]+$' "${files[@]}"; then complain "tabs or blanks at line ends"; fi
if grep -nE "\\b(TO""DO|FIX""ME|XX""X)\\b" "${files[@]}"; then complain "notes left behind"; fi
# Those of tests/rtl/broken are a construct each, named after it.
while read -r file; do
  case $(head -n 1 "$file") in '/*'*[a-z]* | '//'*[a-z]*) ;; *)
    complain "$file: does not open with a comment that says what it is"
    ;;
  esac
done < <(sources '*.c' '*.h' '*.cpp' '*.sv' | grep -v '^tests/rtl/broken/')
mapfile -t model < <(sources 'csim/isa/*' 'csim/iss/*' 'csim/mem/*' 'csim/ref/sm/*' 'csim/sm/*' 'csim/util/*')
if grep -nE '(/\*|//|[.:]|^ \*) +What ' "${model[@]}"; then complain "comments that begin with \"What\""; fi
exit $status
