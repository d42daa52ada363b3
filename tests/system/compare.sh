#!/usr/bin/env bash
# `tandem compare`: revisions of a small repository, their runs, what is reported of the difference, wrong use.
#
#   compare.sh TANDEM SOURCES
. "${0%/*}/suites.sh"
export TANDEM_ROOT=$work/root
mkdir -p root/experiments
for part in rtl harness csim synth tests gpus; do ln -s "$sources/$part" root/; done
cp faults.cl root/
launch >root/launch.yaml
cat >root/experiments/s.yaml <<'END'
defaults: {engine: ref, timeout: 100, set: {sms: 1}}
runs:
  - {name: one, launch: ../launch.yaml}
  - {name: two, launch: ../launch.yaml, params: {n: 2}}
END
printf "build\nsaid\nout.*\njq.out\n" >root/.gitignore
cd root
repository first

# expect_compare STATUS TEXT WORD...: as expect, of `tandem compare --suite s`.
expect_compare() {
  local status=0
  timeout 100 "$tandem" compare --suite s "${@:3}" >said 2>&1 || status=$?
  [[ $status == "$1" ]] || fail "compare ${*:3}: status $status, not $1"
  grep -qE -- "$2" said || fail "compare ${*:3}: does not say: $2"
}
attempts() { sqlite3 build/experiments/s.sqlite 'SELECT COUNT(*) FROM attempts'; }

echo "no difference"
expect_compare 0 '^no difference: the sources are the same$' HEAD
[[ $(attempts) == 0 ]] || fail "equal sources run"
echo new >README
expect_compare 0 '^no difference: 2 runs of s$' HEAD --fail-on cycles:0%
[[ $(attempts) == 2 ]] || fail "runs of equal keys run twice: $(attempts)"

echo "new files are none of the repository's"
git init -q nested
printf 'of nobody' >'a "new\" file'
printf 'nested' >nested/file
objects=$(find .git/objects -type f | sort)
for revision in HEAD nowhere; do
  timeout 100 "$tandem" compare --suite s "$revision" >said 2>&1 || [[ $revision == nowhere ]] || fail "with new files: $(cat said)"
done
[[ $(find .git/objects -type f | sort) == "$objects" ]] || fail "compare writes into the repository"
[[ -e $(ls -d build/compare/trees/*/'a "new\" file') && ! $(find build/compare/trees -path '*nested/file') ]] || fail "the copy has other files"
rm -rf nested a*new*

echo "a difference"
sed -i 's/n: 2/n: 3/; s/name: one/name: uno/' experiments/s.yaml
git add -A && git commit -qm second
sed -i 's/n: 3/n: 4/' experiments/s.yaml # before the files are committed, they are a revision
expect_compare 0 '^  two +[0-9]+ +[0-9]+ +\+' HEAD --only two
expect_compare 1 'limit: cycles is worse by .* exceeded' HEAD~ HEAD --fail-on cycles:2%,ipc:99% --json=out.json --html out.html
before=$(attempts)
expect_compare 1 'limit: ipc .* kept' HEAD~ HEAD --fail-on cycles:2%,ipc:99%
[[ $(attempts) == "$before" ]] || fail "a second call runs something"
grep -qE '^  uno +- -> ok$' said && grep -qE '^  one +ok -> -$' said || fail "runs of one side alone are not named"
grep -qE '^Worst by cycles: two \+' said && grep -q 'most added stall slots: ' said || fail "the worst or the cause is missing"
jq -e '(.runs | length) == 3 and .worst == ["two"] and .mean_percent.cycles > 2 and .stalls.scoreboard.after > .stalls.scoreboard.before
  and .most_added_stalls != "issued" and .kernels.fine.percent > 0 and (.limits | map(.exceeded)) == [true, false]
  and .before.revision != .after.revision and .equal == false' out.json >jq.out || fail "the JSON is wrong: $(cat out.json)"
[[ $(sqlite3 build/experiments/s.sqlite "SELECT COUNT(DISTINCT revision || clean) FROM attempts") -ge 3 ]] || fail "attempts do not have the revisions of their sources"
xmllint --noout out.html || fail "the page is not well-formed"
[[ $(grep -o '<h2>[^<]*' out.html | sed 's/.*>//' | paste -sd,) == "Limits,Verdicts that changed,cycles,IPC,"*"Energy by kernel, mJ" ]] || fail "the page has other parts"
grep -q '<svg' out.html || fail "the page has no plot"
git checkout -q .
sed -i 's/kernel: fine/kernel: trapped/; s/u32: 64/u32: 3/' launch.yaml
expect_compare 0 '^  uno +ok -> failed: .*trap' HEAD
grep -qE '^  two +ok -> failed: ' said || fail "a changed verdict is not named"
git checkout -q .

echo "area"
mv rtl linked && mkdir -p rtl/small && cp -L linked/tandem_pkg.sv linked/*.def rtl/ && cp -L linked/sm/*_model.h rtl/small/
printf 'module leaf (input logic clk_i, input logic [1:0] a_i, output logic [7:0] q_o);\n  always_ff @(posedge clk_i) q_o <= {4{a_i}} + 8%sd1;\nendmodule\n' "'" >rtl/small/leaf.sv
printf 'module top (input logic clk_i, input logic [1:0] a_i, output logic [7:0] q_o);\n  leaf u_leaf (.clk_i, .a_i, .q_o);\nendmodule\n' >rtl/small/top.sv
printf 'module other (input logic a_i, output logic q_o);\n  assign q_o = ~a_i;\nendmodule\n' >rtl/small/other.sv
git add -A && git commit -qm small
echo "// A comment." >>rtl/small/other.sv
expect_compare 0 '^no difference: 2 runs of s$' HEAD --fail-on area:0%,fmax:0%
sed -i 's/output logic .7:0. q_o/output logic [7:0] q_o, output logic [7:0] p_o/; s/q_o <=/{p_o, q_o} <= {q_o, q_o} +/' rtl/small/leaf.sv
sed -i 's/\.q_o)/.q_o, .p_o())/' rtl/small/top.sv
expect_compare 1 'limit: area is worse by .* exceeded' HEAD --fail-on area:1% --json=out.json
jq -e '(.modules | map(.name)) == ["leaf", "top"] and (.modules | map(.whole)) == [false, true] and ([.modules[].area.percent] | min) > 1' out.json >jq.out ||
  fail "the area is wrong: $(cat out.json)"
expect_compare 0 '^  other +[0-9]+ +[0-9]+ +=$' HEAD --area other
expect_compare 1 'limit: area is not known' HEAD --no-area --fail-on area:1%
expect_compare 2 'area none: there is no such module' HEAD --area none
rm -rf rtl linked && git checkout -q .

echo "a revision that does not build"
echo 'message(FATAL_ERROR "no such compiler")' >CMakeLists.txt
git add -A && git commit -qm broken
rm CMakeLists.txt
expect_compare 1 'no such compiler' HEAD
grep -qE '^  two +- -> ok$' said || fail "the other side is not measured"
echo more >README # the same program, of another tree
git add README && git commit -qm third
expect_compare 1 'no such compiler' HEAD

echo "what is kept"
# keep NAME DATE: the folder of a program that was last used then.
keep() {
  mkdir -p "build/compare/programs/$1"
  head -c 8000000 /dev/zero >"build/compare/programs/$1/f"
  touch "build/compare/programs/$1.build.log"
  touch -d "$2" "build/compare/programs/$1"
}
keep newer 2021-01-01
keep old 2020-01-01
[[ $(ls build/compare/trees | wc -l) -gt 2 ]] || fail "there are few trees"
flock -s build/compare/lock timeout 100 "$tandem" compare --suite s HEAD --disk 0.001M >said 2>&1 || true
grep -q 'no such compiler' said && [[ -e build/compare/programs/old/f ]] || fail "folders are removed while another comparison is running"
expect_compare 1 '/compare/programs/old is removed \(8\.0 MB\)$' HEAD --disk 12M
[[ $(ls build/compare/programs) != *old* && $(grep -c 'is removed' said) == 1 ]] || fail "other folders than the oldest are removed"
expect_compare 1 '/compare/programs/newer is removed' HEAD --disk 0.001M
[[ $(ls build/compare/trees | wc -l) == 2 && ! $(ls build/compare/synth) && $(ls build/compare/programs) != *newer* ]] ||
  fail "more is kept than what the comparison uses"
expect_compare 1 'no such compiler' HEAD --disk 0.001M
! grep -q 'is removed' said || fail "a comparison removes its own folders"

echo "wrong use"
expect_compare 2 'there is no revision "nothing"' nothing
expect_compare 2 'the tree .* has no suite|HEAD .* has no suite none' HEAD --suite none
git rm -q experiments/s.yaml
expect_compare 2 'the tree \(.*\) has no suite s: ' HEAD~
git reset -q --hard
expect_compare 2 'no run.s name matches --only thr\*' HEAD~ --only 'thr*'
expect_compare 2 'there is no figure speed; there are cycles' HEAD --fail-on speed:2%
expect_compare 2 'cycles:2%' HEAD --fail-on cycles:2
expect_compare 2 'which revision' --again
expect_compare 2 'not also "c"' a b c
rm -rf .git
GIT_CEILING_DIRECTORIES=$work expect_compare 2 'has no revisions to compare: a clone' HEAD
