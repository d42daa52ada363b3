#!/usr/bin/env bash
# Mutants of the C model are run and found: finds.sh MODEL_MUTANTS, the program.  Three of lane functions.
set -euo pipefail
results=$(mktemp)
trap 'rm -f "$results"' EXIT
"$(dirname "$0")/model.sh" "$(dirname "$1")" lanes --count 3 --json "$results"
jq -e '.groups[0] | .mutants == 3 and .caught == 3' "$results" >/dev/null
