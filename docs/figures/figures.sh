#!/usr/bin/env bash
# Measures the figures of docs/results/figures.md and writes its sections anew.
#
#   figures.sh TANDEM [KIND...]           the sections of these kinds (default: all)
#   figures.sh TANDEM --check [KIND...]   compares these sections (default: none) with the page instead, and tests
#                                         that no row of the page lacks its figures; exit status 1 if something is wrong
set -euo pipefail
tandem=$1
shift
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
root=${here%/docs/figures} page=${here%/figures}/results/figures.md
known=(simulated calibration kernels baseline hardware activity spu flex speed)
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

cp "$page" "$work/page"
for kind in "${kinds[@]}"; do
  echo "figures: $kind" >&2
  section "$kind" >"$work/section"
  echo >>"$work/section"
  sed -i -e "/^<!-- $kind -->\$/,/^<!-- /{ /^<!-- /!d }" -e "/^<!-- $kind -->\$/r $work/section" "$work/page"
done
if [[ ! $check ]]; then
  cp "$work/page" "$page"
elif ! diff "$page" "$work/page"; then
  echo "this differs; to keep it as it is now: ./tandem figures ${kinds[*]}" >&2
  exit 1
elif grep -nE '^\|[^|]*\|( *–? *\|)+$|\| - \||not measured' "$page" | grep -vE '^[0-9]+:\| *\| |^[0-9]+:\| ---|^[0-9]+:\| mean '; then
  echo "these rows of docs/results/figures.md have no figure: ./tandem figures measures them" >&2
  exit 1
fi
