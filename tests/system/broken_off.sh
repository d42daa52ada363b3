#!/usr/bin/env bash
# Suites that end in the middle: by 50 times kill -9, and by a full disk.  Their databases are then those of a suite that
# ran through.
#
#   broken_off.sh TANDEM SOURCES [SEED]
. "${0%/*}/suites.sh"
. "$(dirname "$0")/stubs.sh"
seed=${3:-$RANDOM}
RANDOM=$seed
echo "seed $seed"

stub_random 'sleep 0.3; case $1 in --seed=3?) echo "a fault" >&2; exit 1 ;; esac'
cat >s.yaml <<'END'
runs:
  - {name: good, random: {count: 190, seed: 100}}
  - {name: bad, random: {count: 10, seed: 30}, expect: fail, because: of a fault}
END
query() { sqlite3 "$1.sqlite" "$2"; }
regress() { timeout 200 "$tandem" regress s.yaml --results "$1.sqlite" -j 4 >said 2>&1; }
ended="status != 'interrupted'"
results="SELECT key, name, kind, seed, revision, clean, host, status, exit, signal, command, json, error, rerun FROM attempts WHERE $ended ORDER BY name"
# same NAME: a database is that of the suite that ran through, but for times and interrupted attempts.
same() {
  diff <(query whole "$results") <(query "$1" "$results") >differ || fail "$1: other results: $(head -n 4 differ)"
  diff <(query whole 'SELECT * FROM suite') <(query "$1" 'SELECT * FROM suite') >differ || fail "$1: another suite"
  [[ $(query "$1" 'PRAGMA integrity_check; PRAGMA foreign_key_check') == ok ]] || fail "$1: the database is damaged"
  [[ $(query "$1" "SELECT COUNT(*) FROM attempts WHERE status = 'running'") == 0 ]] || fail "$1: a run is said to be running"
}

regress whole || fail "the suite does not run through"
[[ $(query whole "SELECT COUNT(*), SUM(status = 'failed') FROM attempts") == "200|10" ]] || fail "the suite is not whole"

echo "50 kills"
calls() { sqlite3 -cmd '.timeout 5000' killed/r.sqlite 'SELECT COUNT(*) FROM suites' 2>>calls.err || echo 0; }
mkdir killed
for ((i = 0; i < 50; i++)); do
  before=$(calls)
  "$tandem" regress s.yaml --results killed/r.sqlite -j 4 >said 2>&1 &
  runner=$!
  # Half of the kills are anywhere from the start of the command on, the others from that of its runs on, however long
  # the machine takes to get there.
  if ((i % 2)); then
    await '(($(calls) > before)) || ! kill -0 $runner' || fail "the runs do not begin"
  fi
  sleep "0.$(printf %03d $((RANDOM % 400)))"
  kill -9 $runner 2>>kill.err || fail "the suite has ended after $i kills; it is too short for this test"
  { wait $runner || true; } 2>>wait.err
  runner=
done
(($(query killed/r "SELECT COUNT(*) FROM attempts WHERE $ended AND status != 'running'") < 200)) || fail "nothing was left to run"
regress killed/r || fail "the suite does not end after the kills"
same killed/r
echo "$(query killed/r 'SELECT COUNT(*) FROM suites') calls had begun, $(query killed/r "SELECT COUNT(*) FROM attempts WHERE NOT $ended") runs were interrupted"
(($(query killed/r "SELECT COUNT(*) FROM attempts WHERE NOT $ended") > 10)) || fail "the kills have interrupted nothing"
[[ $(ls -A killed) == r.sqlite ]] || fail "the kills leave $(ls -A killed)"

echo "a full disk"
stub_random 'yes error | head -n 8000 >&2; exit 1'
cat >s.yaml <<'END'
runs: [{name: bad, random: {count: 60, seed: 1}, expect: fail, because: of a fault}]
END
regress whole2 || fail "the suite does not run through"
status=0
(ulimit -f 1500 && regress full) || status=$?
[[ $status == 2 ]] || fail "with a full disk: status $status, not 2"
grep -qE '^tandem: full.sqlite: .*(full|I/O error).*; if the disk is full, .* the same command continues' said || fail "a full disk is not reported"
n=$(query full "SELECT COUNT(*) FROM attempts WHERE status = 'failed'")
((n > 5 && n < 60)) || fail "$n runs have ended: the disk was not full in the middle"
[[ $(query full 'PRAGMA integrity_check') == ok ]] || fail "the database is damaged"
regress full || fail "the suite does not go on once there is room"
mv whole2.sqlite whole.sqlite
same full
