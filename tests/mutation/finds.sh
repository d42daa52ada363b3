#!/usr/bin/env bash
# Mutants are made, run and judged: finds.sh ROOT BUILD.  Three of `fetch`, each of which its test finds.
set -euo pipefail
root=$1 build=$2
here=$root/tests/mutation
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$here/mutate.sh" "$root" "$build" fetch --count 3 --seed 1 --json "$work/results"
jq -e '.all | .mutants == 3 and .port + .state == 3' "$work/results" >/dev/null || {
  echo "of the three mutants are found: $(jq .all.caught "$work/results")"
  exit 1
}

# A proof counts for a mutant that survives, and not if a wider test has found it since.
. "$here/run.sh"
unit=fetch trials=$work/trials proofs=$work/proofs netlist=$work/netlist
mkdir "$trials" "$proofs"
echo "caught port sel_warp 3 1" | tee "$trials/1" >"$trials/2"
echo "survived 5" >"$trials/3"
echo "different 4" | tee "$proofs/2" >"$proofs/3"
printf 'mutate -mode inv\n%.0s' 1 2 3 >"$netlist.list"
judged=$(results "1 2 3" | jq -r .result | xargs)
[[ $judged == "caught caught missed" ]] || {
  echo "found, found and proved before, only proved different: $judged"
  exit 1
}
