#!/usr/bin/env bash
# What the documentation names exists: targets of relative links, and paths in code spans that start
# with a folder of the tree.
set -euo pipefail
root=$1
. "$root/tests/check/files.sh"
cd "$root"
status=0
tops=$(find . -maxdepth 1 -type d ! -name '.*' ! -name 'build*' -printf '%f\n' | paste -sd'|')
while read -r page; do
  folder=$(dirname "$page")
  while read -r link; do
    [[ -e $folder/${link%%#*} ]] || { echo "$page: link to $link, which does not exist" && status=1; }
  done < <(grep -oP '\]\(\K[^)\s]+' "$page" | grep -vE '^(https?:|mailto:|#)' || true)
  # <unit> and * stand for any name; braces as the shell's.
  while read -r path; do
    pattern=$(sed -e 's/<[^>]*>/*/g' <<<"$path")
    compgen -G "$pattern" >/dev/null || { echo "$page: names $path, which does not exist" && status=1; }
  done < <(grep -oP '`\K[^`\s]+(?=`)' "$page" | grep -E "^($tops)/" | grep -v '[{}]' || true)
done < <(sources '*.md')
exit $status
