#!/usr/bin/env bash
# Runs a launch description on the SystemC platform and on the C harness, and compares the cycles and
# the digest of memory:
#
#   compare.sh DEMO TANDEM MEMBERS LAUNCH.yaml [adaptive]
set -euo pipefail
demo=$1 tandem=$2 members=$3 launch=$4 formation=${5:-default}
arguments=()
[[ $formation == default ]] || arguments=(--"$formation")
field() { sed -nE "s/.*\"$1\": \"?([0-9a-f]+)\"?[,}].*/\1/p" | head -n 1; }

systemc=$(SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 "$demo" "${arguments[@]}" "$launch" | grep '^{')
harness=$("$tandem" run --engine ref --sms "$members" --buddy "$members" --formation "$formation" \
  --json "$launch" | tr -d '\n' | sed 's/,  */,\n/g')
status=0
for name in cycles digest; do
  a=$(field $name <<<"$systemc") b=$(field $name <<<"$harness")
  echo "$name: SystemC $a, harness $b"
  [[ -n $a && $a == "$b" ]] || status=1
done
exit $status
