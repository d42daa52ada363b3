#!/usr/bin/env bash
# `tandem regress`: verdicts, goldens, failures that run again with waveforms, their groups, reports.
#
#   regress.sh TANDEM SOURCES RANDOM_RUN
. "${0%/*}/suites.sh"
random=$3
launch >launch.yaml
# A build folder with the random programs, and tests of units that do as they are told.
export TANDEM_ROOT=$work/root
mkdir -p root/build/tests/{random,unit} root/experiments
for part in rtl harness csim synth tests gpus; do ln -s "$sources/$part" root/; done
ln -s "$random" root/build/tests/random/random_run
printf '#!/bin/sh\necho "scoreboard: cycle 12, output pending[3]: reference 1, device 0" >&2\nexit 1\n' >root/build/tests/unit/test_scoreboard
printf '#!/bin/sh\nexit 0\n' >root/build/tests/unit/test_fine
printf '#!/bin/sh\nkill -SEGV $$\n' >root/build/tests/unit/test_crash
chmod +x root/build/tests/unit/*

# expect_regress STATUS TEXT WORD...: as expect, of `tandem regress s.yaml`.
expect_regress() {
  local status=0
  timeout 200 "$tandem" regress s.yaml --results r.sqlite "${@:3}" >said 2>&1 || status=$?
  [[ $status == "$1" ]] || fail "regress ${*:3}: status $status, not $1"
  grep -qF -- "$2" said || fail "regress ${*:3}: does not say: $2"
}
query() { sqlite3 r.sqlite "$1"; }

echo "verdicts"
cat >s.yaml <<'END'
defaults: {engine: ref, timeout: 100, set: {sms: 1}}
goldens: {file: goldens.yaml, metrics: {cycles: exact, warp_instructions: exact, memory.dram.reads: 5}}
runs:
  - {name: launched, launch: launch.yaml}
  - {name: random, random: {count: 2, seed: 7}}
  - {name: wrong, random: {count: 1, seed: 4}, set: {run.bug: 4}}
  - {name: known, random: {count: 1, seed: 4}, set: {run.bug: 4, run.threads: 1}, expect: fail, because: of a bug & <more>}
  - {name: fine, unit: fine}
  - {name: scoreboard, unit: scoreboard}
  - {name: second, unit: scoreboard}
  - {name: crash, unit: crash}
END
expect_regress 1 "golden cycles" -j 2
expect_regress 1 "s: 3 passed; 5 failed; 1 failed as expected;" --show
grep -qE '^     2  port scoreboard.pending +scoreboard: .*/test_scoreboard --seed=1$' said || fail "the group of the unit's test is wrong"
grep -qE '^     1  state scoreboard.hazard +wrong/4: .*random_run --seed=4 .*run.bug=4$' said || fail "the group of the random program is wrong"
grep -qE '^     1  signal 11 +crash: ' said || fail "the crash is not named"
wave=$(sed -n 's/^ *kept: //p' said)
[[ $wave == r.failures/wrong_4-*/mismatch-*.fst && -s $wave && -s ${wave%.fst}.gtkw && -s ${wave%/*}/random-4.s ]] || fail "the waveform is not kept: $wave"
[[ $(ls r.failures) == wrong_4-* ]] || fail "other runs leave files: $(ls r.failures)"
[[ $(query "SELECT COUNT(*) FROM artefacts JOIN attempts ON id = attempt WHERE name = 'wrong/4' AND bytes > 0") == 3 ]] || fail "the attempt's row does not name its files"
[[ $(query "SELECT name, seed, kind, status FROM attempts WHERE rerun IS NOT NULL") == "wrong/4|4|random|failed" ]] || fail "the reruns are wrong"

echo "goldens"
expect_regress 1 "4 passed; 4 failed" --update
expect_regress 1 "4 passed; 4 failed"
cp goldens.yaml right.yaml
sed -i 's/cycles: /&1/' goldens.yaml
expect_regress 1 "4 passed; 4 failed" --update --show
cmp goldens.yaml right.yaml || fail "--update does not replace goldens: $(cat said)"
grep -q '^"launched": {cycles: [0-9]*, warp_instructions: [0-9]*, memory.dram.reads: [0-9]*}$' goldens.yaml || fail "the goldens are $(cat goldens.yaml)"
for change in -1 1; do # better and worse
  awk -v change=$change '{ if (match($0, /cycles: [0-9]+/)) { n = substr($0, RSTART + 8, RLENGTH - 8); sub(/cycles: [0-9]+/, "cycles: " n + change) } print }' right.yaml >goldens.yaml
  expect_regress 1 "--update accepts it" --show
done
sed 's/reads: \([0-9]*\)/reads: \1.1/' right.yaml >goldens.yaml # within 5 %
expect_regress 1 "4 passed; 4 failed" --show
for times in 0.5 2; do # beyond, where the run is worse and where it is better
  awk -v times=$times '{ if (match($0, /reads: [0-9]+/)) sub(/reads: [0-9]+/, "reads: " substr($0, RSTART + 7, RLENGTH - 7) * times) } 1' right.yaml >goldens.yaml
  expect_regress 1 "golden memory.dram.reads" --show
done
sed 's/instructions: \([0-9]*\)/instructions: 1\1/' right.yaml >goldens.yaml
expect_regress 1 "golden warp_instructions" --show
cp right.yaml goldens.yaml

echo "order and what has passed"
expect_regress 1 "4 failed"
! grep -qE '^(launched|fine|random/7|known/4): (ok|failed: )' said || fail "what has passed runs again"
[[ $(query "SELECT COUNT(*) FROM attempts WHERE name = 'known/4'") == 1 ]] || fail "an expected failure runs again"
before=$(query "SELECT MAX(id) FROM attempts")
expect_regress 1 "4 failed" --again -j 1
[[ $(query "SELECT GROUP_CONCAT(status, '') FROM (SELECT status FROM attempts WHERE id > $before AND rerun IS NULL ORDER BY id)") =~ ^(failed){4}(ok){4}$ ]] ||
  fail "what failed does not run first"

echo "reports"
expect_regress 1 "s:" --show --json=out.json --junit out.xml --html out.html
xmllint --noout out.xml out.html || fail "a report is not well-formed"
[[ $(xmllint --xpath 'concat(/testsuite/@tests, " ", /testsuite/@failures, " ", count(//failure), " ", count(//testcase[@status="fail"]), " ", /testsuite/@skipped)' out.xml) == "9 4 4 4 1" ]] || fail "the JUnit file counts otherwise"
jq -e '.counts.passed == 4 and (.groups | length) == 3 and ([.runs[] | select(.verdict == "failed")] | length) == 4
  and (.groups[] | select(.failure.unit == "scoreboard" and .failure.kind == "state").failure.files | length) == 3' out.json >jq.out || fail "the JSON is wrong"
[[ $(grep -n '<h2>' out.html | sed 's/.*<h2>//; s/<.*//' | paste -sd,) == "Failures,All runs,Goldens,History,Longest runs" ]] || fail "the page has other parts"
if command -v chromium >/dev/null; then
  timeout 100 chromium --headless --no-sandbox --disable-gpu --dump-dom "file://$work/out.html" >dom 2>chromium.log || fail "chromium: $(cat chromium.log)"
  [[ $(grep -o '<span class="' dom | wc -l) == 9 && $(grep -c '<svg' dom) -ge 1 ]] || fail "the page in Chromium lacks runs or its plot"
fi

echo "unexpected passes, other databases"
sed -i 's/unit: fine}/unit: fine, expect: fail, because: it was bad}/' s.yaml
expect_regress 1 "it passes, and was to fail because: it was bad" --show --junit out.xml
[[ $(xmllint --xpath 'concat(/testsuite/@failures, " ", count(//failure))' out.xml) == "5 5" ]] || fail "an unexpected pass is no failure for JUnit"
sed -i 's/, expect: fail, because: it was bad//' s.yaml
expect_regress 0 "2 passed" --only 'random/*'
rm root/build/tests/unit/test_fine # of a run that is not chosen
expect_regress 0 "2 passed" --only 'random/*'
expect_regress 2 "run fine: there is no unit"
expect_regress 0 "known/4: failed as expected at state scoreboard.hazard: of a bug & <more>" --only 'known/4' --show
sed -i 's/because: of a bug/place: state scoreboard.hazard, &/' s.yaml
expect_regress 0 "1 failed as expected" --only 'known/4'
[[ $(query "SELECT COUNT(*) FROM attempts WHERE name = 'known/4'") == 2 ]] || fail "a failure at its place runs again"
sed -i 's/place: state scoreboard.hazard/place: state scoreboard.pending/' s.yaml
expect_regress 1 "it was to fail at state scoreboard.pending because: of a bug & <more>; it says: mismatch: " --only 'known/4'
[[ $(sed -n 's/^ *kept: //p' said) == r.failures/known_4-*/mismatch-*.fst ]] || fail "a failure at another place leaves no waveform"
sed -i 's/place: state scoreboard.pending, //' s.yaml

echo "faults by name"
printf 'runs: [{name: found, fault: lost release}]\n' >faults.yaml
timeout 100 "$tandem" regress faults.yaml --results f.sqlite >said 2>&1 || fail "a fault is not found"
[[ $(sqlite3 f.sqlite "SELECT command, json_extract(json, '$.lockstep'), json_extract(json, '$.rows[0].without_comparison') FROM attempts") == "./tandem bugs --quick '--only=lost release'|1|" ]] ||
  fail "the fault's run is $(sqlite3 f.sqlite 'SELECT command, json FROM attempts')"
status=0
"$tandem" bugs --only 'lost relase' --list >said 2>&1 || status=$?
[[ $status == 2 ]] && grep -q 'no fault is named "lost relase"; --list shows' said || fail "an unknown fault: status $status"

echo "fresh seeds"
expect_regress 0 "random" --only 'random/*' --for 2s
[[ $(query "SELECT COUNT(DISTINCT seed) > 3 AND MIN(CAST(seed AS INTEGER)) = 4 AND MAX(CAST(seed AS INTEGER)) > 8 FROM attempts WHERE kind = 'random'") == 1 ]] ||
  fail "there are no fresh seeds"

echo "disk"
expect_regress 1 "failed" --only 'wrong/4' --disk 0.001M
[[ ! $(ls -A r.failures) && $(query "SELECT COUNT(*) FROM artefacts") == 0 ]] || fail "more is kept than --disk says: $(ls r.failures)"

echo "assertions"
# A failed assertion is one place in its module, whatever the line; another text is that of its line.
rm root/build/tests/random/random_run
cat >root/build/tests/random/random_run <<'END'
#!/bin/sh
name=issue.sv:24${1#--seed=}:' pick0_eligible'
[ "$1" != --seed=2 ] || name=issue.sv:242:' no more'
for w; do case $w in --json=*) json=${w#--json=} ;; esac; done
[ ! "$json" ] || echo '{"status": "mismatch", "failure": {"kind": "assert", "where": "'"$name"'"}}' >"$json"
exit 1
END
chmod +x root/build/tests/random/random_run
printf 'runs: [{name: a, random: {count: 3, seed: 1}}]\n' >s.yaml
expect_regress 1 "3 failed"
[[ $(sed -nE 's/^ +([0-9]+)  (assert [^ ]*) .*/\1 \2/p' said) == $'2 assert issue.pick0_eligible\n1 assert issue.sv:242' ]] || fail "the groups of assertions are wrong"

echo "bad suites"
bad() {
  printf 'runs: [{name: a, %s}]\n' "$2" >s.yaml
  expect_regress 2 "s.yaml:1: $1" --show
}
bad 'a run is one of launch, random, random_cl, unit, mutants, fault, not both launch and unit' 'launch: launch.yaml, unit: fine'
bad 'expect: fail needs its reason' 'unit: fine, expect: fail'
bad 'because: is the reason' 'unit: fine, because: x'
bad 'place: is where expect: fail' 'unit: fine, place: x'
bad 'mutants need a unit' 'mutants: {count: 3}'
bad 'unknown key "sed"' 'random: {sed: 3}'
bad '"../x" is no name of a unit' 'unit: ../x'
bad 'run a: there is no unit "barier"; the nearest name is barrier, of fetch, ' 'unit: barier'
bad 'run a: there is no unit "scorebord"; the nearest name is scoreboard, of ' 'mutants: {unit: scorebord}'
bad 'run a: cannot read' 'unit: fetch'
bad 'no fault is named "4"; `tandem bugs --list` shows' 'fault: 4'
