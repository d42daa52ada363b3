#!/usr/bin/env bash
# Mutants are made, run and judged: finds.sh ROOT BUILD.  Three of `fetch`, each of which its test finds.
set -euo pipefail
root=$1 build=$2
results=$(mktemp)
trap 'rm -f "$results"' EXIT
"$root/tests/mutation/mutate.sh" "$root" "$build" fetch --count 3 --seed 1 --json "$results"
jq -e '.all | .mutants == 3 and .port + .state == 3' "$results" >/dev/null || {
  echo "of the three mutants are found: $(jq .all.caught "$results")"
  exit 1
}
