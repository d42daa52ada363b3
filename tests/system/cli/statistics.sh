#!/bin/sh
# Each name of docs/reference/statistics.md is a number in the JSON of one of three runs, each title in the text of one.
#
#   statistics.sh PAGE   beside {buddy,flex,spu}.json and the texts of the runs, {buddy,flex,spu}.txt
set -eu
page=$1
# rows ACTION: awk's of each row | `name` | title | unit | meaning |
rows() { awk -F ' *[|] *' "/^##/ { on = /^## Figures: / } on && NF > 4 && \$2 !~ /^(in the|---)/ { $1 }" "$page"; }
rows 'gsub("`", ""); if ($2 != "") print $2' >names
rows 'if ($3 != "" && $2 !~ /units\./) print $3' >titles # units without instructions have no line
{
  [ "$(wc -l <names)" -gt 60 ] && [ "$(wc -l <titles)" -gt 40 ] || echo "too few rows in $page"
  jq -rs --rawfile names names '. as $runs | $names / "\n" | .[:-1][] |
    select(. as $name | $runs | all(try getpath($name / ".") catch null | type != "number")) |
    "the JSON has no \(.)"' buddy.json flex.json spu.json
  while read -r title; do
    grep -q "^  $(printf %-22s "$title") " buddy.txt flex.txt spu.txt || echo "the text has no $title"
  done <titles
} | if grep .; then exit 1; fi
