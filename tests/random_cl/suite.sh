#!/usr/bin/env bash
# Random OpenCL programs in a suite: a run for each seed; one that differs is kept, and its program.
#
#   suite.sh TANDEM SOURCES
. "${0%/*}/../system/suites.sh"
cat >s.yaml <<'END'
defaults: {engine: ref}
runs: [{name: cl, random_cl: {count: 2, seed: 9, programs: 1}}]
END
# expect_regress STATUS TEXT WORD...
expect_regress() {
  local status=0
  "$tandem" regress s.yaml --results r.sqlite "${@:3}" >said 2>&1 || status=$?
  [[ $status == "$1" ]] || fail "regress ${*:3}: status $status, not $1"
  grep -qF -- "$2" said || fail "regress ${*:3}: does not say: $2"
}
expect_regress 0 "s: 2 passed"
[[ $(sqlite3 r.sqlite "SELECT name, kind, seed, status FROM attempts ORDER BY CAST(seed AS INTEGER)") == $'cl/9|random_cl|9|ok\ncl/10|random_cl|10|ok' ]] ||
  fail "the rows are wrong: $(sqlite3 r.sqlite 'SELECT name, kind, seed, status, error FROM attempts')"
expect_regress 0 "s: 2 passed"
[[ $(sqlite3 r.sqlite "SELECT COUNT(*) FROM attempts") == 2 ]] || fail "what has passed runs again"

# A gcc whose programs have other sums: each program differs.
mkdir bin
printf '#!/bin/sh\nsed -i "s/(s << 9/(s << 8/" oracle.c && exec %s "$@"\n' "$(command -v gcc)" >bin/gcc
chmod +x bin/gcc
PATH=$work/bin:$PATH expect_regress 1 "./tandem random-cl --seed=9 --count=1 --engine=ref" --again --only cl/9
grep -qE '^ +1  result +cl/9: ' said || fail "the group is wrong: $(cat said)"
[[ -s $(echo r.failures/cl_9-*/9-0/program.cl) ]] || fail "the program is not kept: $(find r.failures)"

sed -i 's/programs: 1/programs: 0/' s.yaml
expect_regress 2 "s.yaml:2: programs must be 1 to 10000"
