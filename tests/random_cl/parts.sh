#!/usr/bin/env bash
# Random programs that lack parts: a difference becomes small, and what is left is sound.
#
#   parts.sh TANDEM
set -euo pipefail
tandem=$1 work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
  echo "$1"
  exit 1
}

status=0
"$tandem" random-cl --only 0 --broken shr --shrink --time 10m --out out --json=out.json || status=$?
[[ $status == 1 ]] || fail "status $status, not 1"
jq -e '.different[0] | .small < 40 and .parts > 10 * .small' out.json || fail "it is not small: $(cat out.json)"
grep -qF ' >> ' out/1-0/program.cl || fail "the broken operation is gone"
(cd out/1-0 && ! "$tandem" random-cl --only=0 --broken shr --parts=parts --as different) && fail "the parts differ no longer"

# Any parts make a program without a difference.
for ((i = 0; i < 20; i++)); do
  awk -v seed="$i" 'BEGIN { srand(seed); share = rand(); for (n = 1; n < 3000; n++) if (rand() < share) print n }' >parts
  "$tandem" random-cl --seed 1 --only "$i" --parts parts --out "" || fail "program $i differs with these parts: $(tr '\n' ' ' <parts)"
done
