#!/usr/bin/env bash
# Runs a launch description on a SystemC platform and on the C harness, and compares fields of their
# results ("cycles digest"):
#
#   compare.sh FIELDS DEMO TANDEM LAUNCH.yaml [DEMO'S ARGUMENT...] -- [TANDEM'S ARGUMENT...]
set -euo pipefail
fields=$1 demo=$2 tandem=$3 launch=$4
shift 4
arguments=()
while [[ $1 != -- ]]; do
  arguments+=("$1")
  shift
done
shift
field() { sed -nE "s/.*\"$1\": \"?([0-9a-f]+)\"?[,}].*/\1/p" | head -n 1; }

systemc=$(SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 "$demo" "${arguments[@]}" "$launch" | grep '^{')
systemc=${systemc//, /$',\n'}
harness=$("$tandem" run --engine ref --json "$@" "$launch" | tr -d '\n' | sed 's/,  */,\n/g')
status=0
for name in $fields; do
  a=$(field "$name" <<<"$systemc") b=$(field "$name" <<<"$harness")
  echo "$name: SystemC $a, harness $b"
  [[ -n $a && $a == "$b" ]] || status=1
done
exit $status
