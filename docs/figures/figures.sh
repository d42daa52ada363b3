#!/usr/bin/env bash
# Measures the figures of docs/results/figures.md and writes its sections anew.
#
#   figures.sh TANDEM [KIND...]           the sections of these kinds (default: all)
#   figures.sh TANDEM --check [KIND...]   compares these sections (default: none) with the page instead, and tests
#                                         that no row of the page lacks its figures, and no page of figures that
#                                         follow from the baseline is older; exit status 1 if something is wrong
set -euo pipefail
tandem=$1
shift
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=${here%/docs/figures} page=${here%/figures}/results/figures.md
known=(first simulated calibration kernels baseline hardware activity spu flex speed)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

if [[ ${1-} == --help ]]; then
  sed -n 's/^#   figures.sh TANDEM/tandem figures/p; s/^#    / /p' "${BASH_SOURCE[0]}"
  exit
fi
check=
[[ ${1-} != --check ]] || { check=1 && shift; }
kinds=("$@")
[[ $# != 0 || $check ]] || kinds=("${known[@]}")

# quietly WORD...: a command of tandem, whose output is shown only if it fails.
quietly() { "$tandem" "$@" >"$work/log" 2>&1 || { cat "$work/log" >&2 && return 1; }; }
# tables KIND FILE: the tables of a JSON file.
tables() {
  jq -r --arg kind "$1" --arg processor "$(sed -n '/^model name/ { s/.*: //p; q }' /proc/cpuinfo)" -f "$here/tables.jq" "$2"
}
# reported KIND WORD...: the tables of the JSON that a command of tandem writes.
reported() {
  quietly "${@:2}" --json "$work/json"
  tables "$1" "$work/json"
}
# suite NAME: the tables of a suite of runs.
suite() {
  quietly experiment "$root/experiments/$1.yaml" --results "$work/results" --markdown "$work/markdown"
  cat "$work/markdown"
}
# section KIND: its Markdown.
section() {
  case $1 in
  simulated)
    suite figures
    reported faults bugs --feature spu
    ;;
  calibration | kernels) suite "$1" ;;
  first)
    [[ $check ]] || "$here/first.sh" "$root"
    [[ $check ]] || bash "$root/docs/generate/box.sh" "$root"
    tables first "$here/first.json"
    ;;
  baseline) tables baseline "$root/synth/data/baseline.json" ;;
  hardware) reported hardware synth ;;
  activity)
    reported activity synth sm_frontend buddy_cluster_Members2 --activity "$root/tests/kernels/blackscholes/blackscholes_bench.yaml"
    for state in idle stalled; do
      quietly synth sm_frontend --activity "$here/$state.yaml" --json "$work/$state"
    done
    jq -s '{idle: .[0].activity[0], stalled: .[1].activity[0]}' "$work/idle" "$work/stalled" >"$work/json"
    tables quiet "$work/json"
    ;;
  spu | flex) reported "$1" synth --feature "$1" ;;
  speed) reported speed bench ;;
  *) echo "figures: there is no kind \"$1\": ${known[*]}" >&2 && return 2 ;;
  esac
}

# stamp KIND: a checksum of the rows of the baseline that figures of this kind follow from; nothing for other kinds.
stamp() {
  local title
  case $1 in
  hardware) title='the front end and of clusters' ;;
  spu) title='the SPU' ;;
  flex) title='Flex SM' ;;
  *) return 0 ;;
  esac
  tables baseline "$root/synth/data/baseline.json" | awk -F'|' -v title="## Units of $title" '
    /^## / { on = $0 == title }
    (on && /^\| `/) || /^\| `sm_frontend` / { print $2, $4, $5, $6 }' | cksum | cut -d' ' -f1
}

cp "$page" "$work/page"
for kind in "${kinds[@]}"; do
  echo "figures: $kind" >&2
  section "$kind" >"$work/section"
  echo >>"$work/section"
  mark=$(stamp "$kind") begin="^<!-- $kind\\( [0-9]*\\)\\? -->\$"
  sed -i -e "/$begin/,/^<!-- /{ /^<!-- /!d }" -e "/$begin/r $work/section" "$work/page"
  sed -i "s/$begin/<!-- $kind${mark:+ $mark} -->/" "$work/page"
done
if [[ ! $check ]]; then
  cp "$work/page" "$page"
elif ! diff "$page" "$work/page"; then
  echo "this differs; to keep it as it is now: ./tandem figures ${kinds[*]}" >&2
  exit 1
elif grep -nE '^\|[^|]*\|( *–? *\|)+$|\| - \||not measured' "$page" | grep -vE '^[0-9]+:\| *\| |^[0-9]+:\| ---|^[0-9]+:\| mean '; then
  echo "these rows of docs/results/figures.md have no figure: ./tandem figures measures them" >&2
  exit 1
else
  status=0
  for kind in hardware spu flex; do
    mark=$(stamp "$kind")
    if grep -rnE "^ *<!-- $kind( [0-9]+)? -->\$" "$root/docs" | grep -v "<!-- $kind $mark -->"; then
      echo "older than the rows of synth/data/baseline.json that it shows: ./tandem figures $kind, or for prose that" \
        "still holds <!-- $kind $mark -->" >&2
      status=1
    fi
  done
  exit $status
fi
