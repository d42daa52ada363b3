#!/usr/bin/env bash
# Writes the tables of docs/reference/builtins.md from the results of all cases.
#
#   page.sh ROOT RESULTS           writes them
#   page.sh ROOT --check PROGRAM   tests that the page names just the functions that PROGRAM --list names
set -euo pipefail
root=$1
page=$root/docs/reference/builtins.md
# Functions whose names differ in the rounding alone are one row.
plain='s/_rt[ezpn]$//'
if [[ $2 == --check ]]; then
  diff <("$3" --list | cut -f1 | sed "$plain" | sort -u) \
    <(sed -n '/^<!-- tables -->$/,$ s/^| `\([a-z_0-9]*\)` .*/\1/p' "$page" | sort -u) ||
    { echo "builtins: the functions of $page are others; ./tandem builtins --page writes them" >&2 && exit 1; }
  exit
fi
tables=$(awk -F'\t' -f "$root/tests/builtins/page.awk" "$2")
sed -i '/^<!-- tables -->$/q' "$page"
printf '\n%s\n' "$tables" >>"$page"
