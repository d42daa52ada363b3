#!/usr/bin/env bash
# The faults of a stencil processing unit in whole runs: lockstep finds each in the unit that has it, and a check
# without comparison notices it.
#
#   bugs.sh TANDEM
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" bugs --feature spu --json="$work/all.json"
jq -e '(.rows | length) > 0 and all(.rows[]; .unit == (.lockstep.where // "" | split(".")[0]) and .without_comparison != "")' \
  "$work/all.json" >/dev/null || {
  echo "not found, or not in their units"
  exit 1
}
