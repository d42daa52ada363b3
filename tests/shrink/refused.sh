#!/usr/bin/env bash
# `tandem shrink` of what cannot be made small: a clear message, status 2, nothing written.
#
#   refused.sh TANDEM SOURCES
set -euo pipefail
tandem=$1 sources=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
fail() { echo "$*"; cat said; exit 1; }

# expect STATUS TEXT WORD...
expect() {
  local status=0
  timeout 100 "$tandem" shrink "${@:3}" >said 2>&1 || status=$?
  [[ $status == "$1" ]] || fail "shrink ${*:3}: status $status, not $1"
  [[ -z $2 ]] || grep -qF -- "$2" said || fail "shrink ${*:3}: does not say: $2"
}

cat >k.s <<'END'
.kernel k
.param a, 4, ptr global
  movs r1, param+0
  ld.global.32 r2, [r1]
  iadd r2, r2, #1
  st.global.32 [r1], r2
  exit
.end
END
cat >fine.yaml <<'END'
program: k.s
gpu: {sms: 1}
buffers: [{name: a, type: u32, count: 4}]
steps: [{launch: {kernel: k, grid: [1], block: [1], args: [{buffer: a}]}}]
END
sed 's/\[r1\], r2/[r1 + 4096], r2/' k.s >bad.s
sed 's/k\.s/bad.s/' fine.yaml >bad.yaml

expect 2 "does not fail: nothing to shrink" fine.yaml --out o
[[ ! -e o ]] || fail "something was written"
expect 2 "there is no parameter" fine.yaml --param n=1 --out o
expect 2 "cannot read none.yaml" none.yaml --out o
expect 2 "a number with one of smh behind it" fine.yaml --time 5
expect 2 "k.s is a program" k.s --param n=1 --out o
expect 2 "which launch description or program fails?"
mkdir full && touch full/mine
expect 2 "has other files than those of tandem shrink" bad.yaml --out full
[[ $(ls full) == mine ]] || fail "other files were touched"

# A program that is at fault itself, also with the reference alone: it stays so.
expect 0 "memory" bad.yaml --out o --json=o.json
jq -e '.kind == "memory" and .whole and .before.instructions == 5 and .after.instructions <= 3' o.json >/dev/null || fail "the JSON is wrong: $(cat o.json)"
[[ $(ls o) == $'shrunk.s\nshrunk.yaml' ]] || fail "the folder has other files: $(ls o)"
grep -q '^// Fails in cycle [0-9]*: memory' o/shrunk.s || fail "the program does not say how it fails"
cd o
status=0
"$tandem" run shrunk.yaml --json=../again.json >../said 2>&1 || status=$?
[[ $status == 1 && $(jq -r .failure.kind ../again.json) == memory ]] || fail "the small program does not fail so"
cd ..
# For other reducers.
expect 0 "" o/shrunk.yaml --as "$(jq -r '.kind + " " + .field' o.json)" --as-alone memory
expect 1 "" o/shrunk.yaml --as hang
