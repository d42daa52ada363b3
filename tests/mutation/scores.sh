#!/usr/bin/env bash
# The scores that are recorded (scores.txt), and the table that docs/results/mutation.md has of them.
#
#   scores.sh ROOT table            prints the table; a row is stale if its RTL, reference or test has changed since
#   scores.sh ROOT page             writes the table of the page anew
#   scores.sh ROOT check            exit status 1 if the page has another one
#   scores.sh ROOT record SUMMARY   keeps the scores of a summary (row.jq), and writes the page's table
#   scores.sh ROOT rows             rows, each with "current" or "stale" before it; "new" and the level and unit of
#                                   what has no row
set -euo pipefail
shopt -s inherit_errexit
export LC_ALL=C
root=$1 what=$2
here=$root/tests/mutation
. "$root/tests/units.sh"
kept=$here/scores.txt page=$root/docs/results/mutation.md
begin='<!-- scores: written by ./tandem mutate --page -->' end='<!-- end of the scores -->'

rows() {
  {
    units_all | sed 's|^|unit/|' && units_system | sed 's|^|system/|'
    printf 'model/%s\n' ref/sm ref/gpu ref/buddy ref/spu lanes mem
  } | "$here/fingerprint.sh" "$root" |
    awk '
      NR == FNR { now[$1] = $2; next }
      FNR > 1 { done[$1 "/" $2] = 1; print (now[$1 "/" $2] == $7 ? "current " : "stale ") $0 }
      END {
        for (name in now)
          if (!(name in done)) {
            level = name
            sub(/\/.*/, "", level)
            print "new", level, substr(name, length(level) + 2)
          }
      }' - "$kept"
}

# table: of the rows of standard input.
table() {
  awk '{ print index("unit system model", $2), $0 }' | sort -b -k 1,1n -k 4,4 | cut -d ' ' -f 2- |
    awk -f "$here/scores.awk"
}

# The page with the table, of the rows as they are kept: it changes with them alone.
written() {
  sed '1d; s/^/current /' "$kept" | table | awk -v begin="$begin" -v end="$end" '
    NR == FNR { table = table $0 "\n"; next }
    !inside { print }
    $0 == begin { inside = 1; printf "%s", table }
    $0 == end && inside { inside = 0; print; done = 1 }
    END { exit !done }' - "$page" || {
    echo "tandem: $page has no place for the scores: $begin" >&2
    return 1
  }
}

write_page() {
  local text
  text=$(written) && printf '%s\n' "$text" >"$page"
}

# Rows of the summary in the place of what is kept of these units.
record() {
  local new
  new=$(jq -r '(.level // "model") as $level | (.units // .groups)[] | "\($level)/\(.unit // .group)"' "$1" |
    "$here/fingerprint.sh" "$root" | jq -rR --slurpfile of "$1" --arg date "$(date +%F)" -f "$here/row.jq")
  {
    head -n 1 "$kept"
    awk 'NR == FNR { new[$1, $2] = 1; print; next } FNR > 1 && !(($1, $2) in new)' <(echo "$new") "$kept" |
      sort -b -k 1,1r -k 2,2
  } | column -t -R 3,4,5,8,9,10,11,12,13,14,15,16,17,18,19,20 >"$kept.part"
  mv "$kept.part" "$kept"
}

case $what in
rows) rows ;;
table) rows | table ;;
page) write_page ;;
record)
  record "$3"
  write_page
  ;;
check)
  written | diff "$page" - >&2 || {
    echo "tandem: docs/results/mutation.md has not the scores of tests/mutation/scores.txt: ./tandem mutate --page" >&2
    exit 1
  }
  ;;
esac
