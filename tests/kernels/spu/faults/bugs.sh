#!/usr/bin/env bash
# The faults of a stencil processing unit in whole runs: lockstep finds each in the unit that has it.
#
#   bugs.sh TANDEM            all of them, but for those that no run shows (rtl/bugs.def)
#   bugs.sh TANDEM FAULT...   these, each in the first description that shows it
set -euo pipefail
tandem=$1
shift
here=$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Rows whose fault lockstep did not find, or not in the unit that has it; `decode` is part of a front
# end, which shows it elsewhere.
wrong='.rows[] | select(.lockstep == null or .unit != "decode" and .unit != (.lockstep.where | split(".")[0])) | .fault'

if (($#)); then
  for fault in "$@"; do
    "$tandem" bugs --spu --only "$fault" --json="$work/one.json"
    jq -r "$wrong" "$work/one.json" >>"$work/wrong"
  done
  expected=
else
  "$tandem" bugs --spu --json="$work/all.json"
  jq -r "$wrong" "$work/all.json" >"$work/wrong"
  expected='122 132 134'
fi
got=$(xargs <"$work/wrong")
[[ $got == "$expected" ]] || {
  echo "not found, or not in their units: \"$got\", must be \"$expected\"" >&2
  exit 1
}
