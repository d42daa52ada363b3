#!/usr/bin/env bash
# Rules of the house that a reader feels: no source file above 600 lines, no tabs (but in
# makefiles), no blanks at line ends, no notes to oneself left behind.
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
exit $status
