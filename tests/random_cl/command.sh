#!/usr/bin/env bash
# `tandem random-cl`: a difference is seen, with its files; wrong use.
#
#   command.sh TANDEM
set -euo pipefail
tandem=$1 work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() {
  echo "$1"
  cat said
  exit 1
}
# expect STATUS TEXT WORD...
expect() {
  local status=0
  "$tandem" random-cl "${@:3}" >said 2>&1 || status=$?
  [[ $status == "$1" ]] || fail "random-cl ${*:3}: status $status, not $1"
  grep -qF -- "$2" said || fail "random-cl ${*:3}: does not say: $2"
}

# The C is wrong in one operation.
expect 1 "program 0 of seed 1 differs: tandem: launch.yaml:" --only 0 --broken shr --out out --json=out.json
jq -e '.status == "mismatch" and .seed == 1 and .programs == 1 and .different[0].program == 0 and
       .different[0].kind == "different" and .failure.kind == "result"' out.json >/dev/null || fail "$(cat out.json)"
[[ $(ls out) == 1-0 && -s out/1-0/program.cl && -s out/1-0/oracle.c && -s out/1-0/0.bin ]] || fail "files: $(ls -R out)"
status=0
"$tandem" run out/1-0/launch.yaml --engine ref >said 2>&1 || status=$?
[[ $status == 1 ]] || fail "the launch description ends with $status"
grep -qxF "# ./tandem random-cl --seed=1 --only=0 --size=10 --engine=ref" out/1-0/launch.yaml || fail "no command in the description"

# Without a part of which the fault is, nothing differs; the empty program is one.
: >none
expect 0 "1 programs of seed 1: 0 differ" --only 0 --broken shr --parts none --out ""

expect 2 "--count must be 1 to 1000000, not \"0\"" --count 0
expect 2 "--engine is ref, rtl or lockstep, not \"fast\"" --engine fast
expect 2 "no operation \"shrink\"" --broken shrink
expect 2 "--parts and --as need --only" --parts none
expect 2 "cannot read lost" --only 0 --parts lost
expect 2 "\"x\" is no option" x
