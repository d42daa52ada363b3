#!/usr/bin/env bash
# The faults of a cluster that shares resources in whole runs: lockstep finds each of them.
#
#   bugs.sh TANDEM
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$1" bugs --feature flex --json="$work/all.json"
jq -e '(.rows | length) > 0 and all(.rows[]; .lockstep != null)' "$work/all.json" >/dev/null || {
  echo "not found"
  exit 1
}
