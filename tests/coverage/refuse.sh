#!/usr/bin/env bash
# `tandem coverage` refuses bad arguments: exit status 2, and a message with the place or the choices.
#
#   refuse.sh ROOT BUILD
set -euo pipefail
coverage=$1/tests/coverage/coverage.sh
said=$(mktemp)
trap 'rm -f "$said"' EXIT
# refused TEXT ARGUMENT...
refused() {
  local text=$1 status=0
  shift
  "$coverage" "$root" "$build" "$@" >"$said" 2>&1 || status=$?
  [[ $status == 2 ]] && grep -qF -- "$text" "$said" || {
    echo "coverage $*: status $status:"
    cat "$said"
    exit 1
  }
}
root=$1 build=$2
refused "there is no unit fetcher (units: fetch" fetcher
refused "unknown option --units" --units
refused "--seed needs a value" --seed
refused "--seed x: not a number" --seed x
refused "--json needs a value" fetch --json
# Below a file nobody can make a file, not even root.
refused "cannot write $0/a.json" --json "$0/a.json" fetch
