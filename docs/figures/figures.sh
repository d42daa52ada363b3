#!/usr/bin/env bash
# Measures the figures of docs/results/figures.md, which says how tables are described.
#
#   figures.sh TANDEM [KIND...]          measures the tables of these kinds (default: all) by this
#                                        program, and writes measured.json and the page
#   figures.sh TANDEM --page             only writes the page anew, from measured.json
#   figures.sh TANDEM --check [KIND...]  measures these kinds (default: none) and compares them and the
#                                        page; exit status 1 if something differs
set -euo pipefail
tandem=$1
shift
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=${here%/docs/figures}
tables=$here/tables.json kept=$here/measured.json page=$root/docs/results/figures.md
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$root"

mapfile -t known < <(jq -r '[.[].kind] | unique[]' "$tables")
check=
case ${1-} in
'') kinds=("${known[@]}") ;;
-h | --help)
  sed -n 's/^#   figures.sh TANDEM/tandem figures/p; s/^#    / /p' "${BASH_SOURCE[0]}"
  exit
  ;;
--page) kinds=() ;;
--check)
  check=1
  shift
  kinds=("$@")
  ;;
*) kinds=("$@") ;;
esac
for kind in "${kinds[@]}"; do
  [[ " ${known[*]} " == *" $kind "* ]] || {
    echo "figures: there is no kind \"$kind\": ${known[*]}" >&2
    exit 2
  }
done

# result ROW: the name of a file with the JSON of the row's command or file; each command runs once.
result() {
  local command json
  if json=$(jq -er '.file // empty' <<<"$1"); then
    echo "$json"
    return
  fi
  command=$(jq -r .run <<<"$1")
  json=$work/$(cksum <<<"$command" | tr ' ' -).json
  if [[ ! -e $json ]]; then
    echo "figures: tandem $command" >&2
    # shellcheck disable=SC2086
    "$tandem" $command --json "$json" >"$work/log" 2>&1 || {
      cat "$work/log" >&2
      return 1
    }
  fi
  echo "$json"
}

# cells TABLE ROW: the row's figures, a JSON array.
cells() {
  local table=$1 row=$2 json against=/dev/null filter
  json=$(result "$row")
  if jq -e .against <<<"$row" >/dev/null; then against=$(result "$(jq '{run: .against}' <<<"$row")"); fi
  filter=$(jq -r '[.columns[] | "(\(.figure))"] | "[\(join(", "))]"' <<<"$table")
  jq -c --slurpfile other "$against" "\$other[0] as \$against | $(jq -r '.at // "."' <<<"$row") | $filter" "$json"
}

# measure KIND: lines {table, row, cells}.
measure() {
  local table row
  jq -c --arg kind "$1" '.[] | select(.kind == $kind)' "$tables" | while read -r table; do
    jq -c '.rows[]' <<<"$table" | while read -r row; do
      cells=$(cells "$table" "$row")
      jq -nc --argjson table "$table" --argjson row "$row" --argjson cells "$cells" \
        '{table: $table.title, row: $row.name, cells: $cells}'
    done
  done
}

new=$work/measured.json
cp "$kept" "$new"
for kind in "${kinds[@]}"; do
  measure "$kind" >"$work/lines"
  processor=
  if [[ $kind == speed ]]; then processor=$(sed -n '/^model name/ { s/.*: //p; q }' /proc/cpuinfo); fi
  jq --slurpfile lines "$work/lines" --arg processor "$processor" '
    (if $processor != "" then .processor = $processor else . end)
    | reduce $lines[] as $l (.; .tables[$l.table][$l.row] = $l.cells)' "$new" >"$work/next"
  mv "$work/next" "$new"
done
# Only what tables.json has, a row a line.
jq -r --slurpfile tables "$tables" '
  . as $all
  | "{\n  \"processor\": \(.processor | tojson),\n  \"tables\": {",
    ([$tables[0][] | .title as $title
      | "    \($title | tojson): {\n" +
        ([.rows[] | "      \(.name | tojson): \($all.tables[$title][.name] // [] | tojson)"] | join(",\n")) + "\n    }"]
     | join(",\n")),
    "  }\n}"' "$new" >"$work/next" && mv "$work/next" "$new"
jq -r -f "$here/page.jq" --slurpfile measured "$new" --rawfile introduction "$root/docs/generate/figures.md" \
  "$tables" >"$work/page"

if [[ ! $check ]]; then
  cp "$new" "$kept"
  cp "$work/page" "$page"
elif ! diff "$kept" "$new" || ! diff "$page" "$work/page"; then
  echo "this differs; to keep it as it is now: ./tandem figures ${kinds[*]:---page}" >&2
  exit 1
fi
