#!/usr/bin/env bash
# `tandem experiment`: keys of results, suites of many runs, databases and their names, processes and files
# that a run leaves.
#
#   experiment_ends.sh TANDEM SOURCES
. "${0%/*}/suites.sh"
launch >launch.yaml

echo "what determines a result"
cp "$programs/faults.cl" own.cl
echo '#include "own.h"' >>own.cl
: >own.h
sed "s|^program: .*|program: own.cl|" launch.yaml >own.yaml
cat >s.yaml <<'END'
runs: [{name: own, launch: own.yaml, engine: ref, config: gpu.yaml}]
END
echo 'sms: 1' >gpu.yaml
expect 0 "own: ok" s.yaml --results r.sqlite
echo '/* changed */' >>own.h
state own missing || fail "an included file does not matter"
expect 0 "own: ok" s.yaml --results r.sqlite
echo 'sms: 2' >gpu.yaml
state own missing || fail "the GPU description does not matter"
cp "$tandem" other
chmod u+w other
mkdir -p bin
mv other bin/tandem
printf 'x' >>bin/tandem
echo 'sms: 1' >gpu.yaml
state own ok || fail "the state is not found again"
bin/tandem experiment s.yaml --results r.sqlite --list | grep -q '^missing' || fail "the program does not matter"
expect 0 "1 runs, 1 ok" s.yaml --results own.sqlite
! grep -q '^left out' said || fail "a result of the suite counts as another's"
echo 'sms: 2' >gpu.yaml
expect 1 "left out, of another version, engine, description or configuration: 1" s.yaml --results own.sqlite --show
grep -q "1 runs, 0 ok, 0 failed, 1 missing" said || fail "a result of another configuration is mixed in"

echo "the compiler"
mkdir tools
printf '#!/bin/sh\n[ "$1" != --version ] || { echo another; exit; }\nexec %s "$@"\n' "$(command -v clang-14)" >tools/clang-14
chmod +x tools/clang-14
expect 0 "own: ok" s.yaml --results r.sqlite
PATH=$work/tools:$PATH state own missing || fail "the version of clang does not matter"

echo "what clang reads"
# Ways to a header that a look for '#include "' misses: NAME, the text, the options.
ways() {
  way relative '#include "n.h"' -Iheaders
  way deep '#include "deep/../n.h"' -Iheaders
  way macro '#define H "n.h"\n#include H' -Iheaders
  way option '#include H' -Iheaders '-DH=<n.h>'
  way spliced '#inc\\\nlude "n.h"' -Iheaders
  way comment '# /* x */ include /* y */ "n.h"' -Iheaders
  way digraph '%%:include "n.h"' -Iheaders
  way asked '#if __has_include("n.h")\n#include <n.h>\n#endif' -Iheaders
  way nul '//\0\n#include "n.h"' -Iheaders
  way name '#include "a b#c$d.h"' -Iheaders
}
way() {
  printf "$2"'\n__kernel void k(__global int *a) { for (int i = 0; i < N; i++) a[7 * i %% 5] += i; }\n' >"$1.cl"
  printf 'program: %s.cl\noptions: [%s]\nbuffers: [{name: a, type: s32, count: 64}]\n' "$1" \
    "$(printf '"%s",' "${@:3}")" >"$1.yaml"
  echo 'steps: [{launch: {kernel: k, grid: [1], block: [1], args: [{buffer: a}]}}]' >>"$1.yaml"
  echo "  - {name: $1, launch: $1.yaml}"
}
mkdir -p headers/deep
echo '#include "n.h"' >'headers/a b#c$d.h'
{
  echo 'defaults: {engine: ref, set: {sms: 1}}'
  echo 'runs:'
  ways
  echo 'tables: [{rows: run, columns: [{value: thread_instructions}]}]'
} >s.yaml
# run N FILE DATABASE: the figures with this number in the header.
figures() {
  echo "#define N $1" >headers/n.h
  expect 0 "10 runs, 10 ok" s.yaml --results "$3"
  sed -n '/^  [a-z]* *[0-9]/p' said >"$2"
}
figures 10 ten r.sqlite
figures 20 twenty r.sqlite
figures 20 fresh fresh.sqlite
diff twenty fresh || fail "a header's change leaves an old figure"
[[ ! $(sort ten twenty | uniq -d) ]] || fail "the header does not matter to a kernel"
# A header that is missing, and then is not.
rm headers/n.h
expect 1 "10 runs, 0 ok, 10 failed" s.yaml --results r.sqlite
figures 20 found r.sqlite
diff twenty found || fail "a header that is there again is not seen"

echo "suites of many runs"
# many ENTRIES VALUES
many() {
  echo 'defaults: {engine: ref, launch: launch.yaml}'
  echo 'runs:'
  seq -f '  - {name: r%.0f, set: {sm.warps: 8}}' "$1"
  echo 'matrix:'
  echo '  x:'
  seq -f '    %.0f: {set: {memory.t_rcd: 10}}' "$2"
  echo 'tables:'
  echo '  - {rows: run, columns: x, value: cycles, of: {x: 1}}'
  echo '  - {rows: x, columns: run, value: cycles, against: [{run: r1}]}'
}
# lists ENTRIES VALUES: all runs, within a time that a look at all pairs would exceed by far.
lists() {
  many "$1" "$2" >s.yaml
  (ulimit -t 20 && "$tandem" experiment s.yaml --results none.sqlite --list >listed) || fail "$1 x $2 runs are not listed"
  [[ $(wc -l <listed) == "$(($1 * $2))" && $(tail -n 1 listed) == *" r$1/$2" ]] || fail "$1 x $2 runs: $(wc -l <listed)"
}
lists 20000 1
lists 1 20000
lists 140 140
many 1000 1000 >s.yaml
(ulimit -t 10 && expect 2 "there are more than 100000 runs" s.yaml --results none.sqlite)

echo "nothing is made to look at"
printf 'runs: [{name: a, launch: launch.yaml, engine: ref, set: {sms: 1}}]\n' >s.yaml
for option in --list --show --dry-run; do
  timeout 60 "$tandem" experiment s.yaml --results new/folder/r.sqlite $option >said 2>&1 || true
  grep -q ' a$\|1 missing\|launch.yaml' said || fail "$option of no database"
done
[[ ! -e new && ! -e none.sqlite ]] || fail "a look at results makes a database"
: >empty.sqlite
expect 0 "missing" s.yaml --results empty.sqlite --list
[[ ! -s empty.sqlite ]] || fail "a look at results fills a database"

echo "pipes"
mkfifo pipe.yaml
printf 'runs: [{name: a, launch: pipe.yaml, engine: ref}]\n' >s.yaml
expect 2 "pipe.yaml: it is a pipe or a device" s.yaml --results r.sqlite
printf 'runs: [{name: a, launch: launch.yaml, config: pipe.yaml, engine: ref}]\n' >s.yaml
expect 2 "pipe.yaml: it is a pipe or a device" s.yaml --results r.sqlite
mv pipe.yaml pipe.cl
sed 's/faults.cl/pipe.cl/' launch.yaml >piped.yaml
printf 'runs: [{name: a, launch: piped.yaml, engine: ref}]\n' >s.yaml
expect 1 "pipe.cl is a pipe or a device" s.yaml --results r.sqlite

echo "files"
cat >s.yaml <<'SUITE'
defaults: {engine: ref, launch: launch.yaml, set: {sms: 1}}
runs: [{name: a}]
SUITE
expect 0 "1 runs, 1 ok" s.yaml --results r.sqlite
before=$(cksum r.sqlite launch.yaml)
expect 2 "r.sqlite: another output has that name" s.yaml --results r.sqlite --json=r.sqlite
expect 2 "r.sqlite: it is also the name of an output" s.yaml --results r.sqlite --html r.sqlite --show
expect 2 "launch.yaml: it is also the name of an output" s.yaml --results r.sqlite --html launch.yaml
expect 2 "launch.yaml: it is also the name of an input" s.yaml --results launch.yaml
expect 2 "launch.yaml: file is not a database" s.yaml --results launch.yaml --show
expect 2 "own.cl: file is not a database" s.yaml --results own.cl
[[ $(cksum r.sqlite launch.yaml) == "$before" ]] || fail "a database or a description is overwritten"
expect 2 "r.sqlite-journal: another output has that name" s.yaml --results r.sqlite --json=r.sqlite-journal
(cat s.yaml && echo 'exclude: [{run: a}]') >empty.yaml
expect 2 "empty.yaml: exclude: leaves no run" empty.yaml --results r.sqlite
mkdir r.sqlite.work
echo mine >r.sqlite.work/file
expect 0 "a: ok" s.yaml --results r.sqlite --again
[[ $(cat r.sqlite.work/file) == mine && $(ls -A r.sqlite.work) == file ]] || fail "a folder of the user is changed"

echo "a database by other names"
ln -s r.sqlite link.sqlite
ln r.sqlite hard.sqlite
sed -i 's/{name: a}/{name: slow, params: {n: 100000000}}/' s.yaml
"$tandem" experiment s.yaml --results r.sqlite >killed 2>&1 &
runner=$!
await 'pgrep -x -P $runner tandem'
for name in r link hard; do
  expect 2 "another command writes to $name.sqlite" s.yaml --results $name.sqlite
done
kill $runner
{ wait $runner || true; } 2>wait.err
runner=

echo "a full disk"
# A file that may not grow: the run ends well, and its result does not fit.
cp r.sqlite full.sqlite
printf 'runs: [{name: a, launch: launch.yaml, engine: ref, set: {sms: 3}}]\n' >s.yaml
(ulimit -f $(($(stat -c %s full.sqlite) / 1024)) && timeout 60 "$tandem" experiment s.yaml --results full.sqlite >said 2>&1) &&
  fail "a result that has no room is no error"
! grep -q '^a: ok' said || fail "a run is announced as ok, and is not in the database"

echo "runs that cannot begin"
# A sanitizer reserves more addresses for itself than these limits leave.
if [[ ! ${TANDEM_SANITIZE-} ]]; then
  (ulimit -v 100000 && timeout 60 "$tandem" experiment s.yaml --results r.sqlite >said 2>&1) && fail "a run without memory is ok"
  grep -qE '^(a: failed: .|tandem: .)' said || fail "a run that cannot begin has no cause"
  status=0
  (ulimit -v 400000 && exec "$tandem" bench --kernel bfs >said 2>&1) || status=$?
  [[ $status == 2 ]] || fail "bench without memory: status $status, not 2"
fi

echo "attempts"
printf 'runs: [{name: big, launch: launch.yaml, engine: ref, set: {sms: 1}, memory: 1, params: {n: 100000000}}]\n' >s.yaml
expect 1 "big: memory: the run took more memory than it may, 1 MB" s.yaml --results r.sqlite
sed -i 's/memory: 1, //; s/big/killed/' s.yaml
"$tandem" experiment s.yaml --results r.sqlite --again >said 2>&1 &
runner=$!
await 'pkill -ABRT -P $runner -f "tandem run"' # the guard is a child, too
wait $runner || true
runner=
grep -q '^killed: failed: .*signal (6' said || fail "a signal is not reported"
attempt() { sqlite3 r.sqlite "SELECT status, exit, signal, cpu_s > 0, memory > 1000000, host, substr(command, 1, 12) FROM attempts WHERE name = '$1'"; }
[[ $(attempt big) == "memory|-1|15|1|1|$(uname -n)|./tandem run" ]] || fail "the attempt of big is $(attempt big)"
[[ $(attempt killed) == "failed|-1|6|1|1|$(uname -n)|./tandem run" ]] || fail "the attempt of killed is $(attempt killed)"

echo "expressions that are none"
printf 'runs: [{name: a, launch: launch.yaml, engine: ref, set: {sms: 5}}]\n' >s.yaml
for value in 'cycles +' 'cycles / (1' '2 cycles' 'max(cycles)' 'cycles $ 2'; do
  (cat s.yaml && echo "tables: [{rows: run, columns: [{value: '$value'}]}]") >wrong.yaml
  expect 2 "wrong.yaml:2: in \"$value\"" wrong.yaml --results r.sqlite
  ! grep -q '^a: ' said || fail "a run comes before the check of an expression"
done

echo "labels"
cat >>s.yaml <<'END'
tables:
  - {rows: run, columns: [{value: cycles, title: "'a''b"}], plot: {style: bars, x: "'quoted'", y: "it's \\ \"so\""}}
  - {title: "'", rows: run, columns: [{value: cycles, title: "'"}], plot: {style: lines, x: "'", y: "''"}}
END
expect 0 "1 runs, 1 ok" s.yaml --results r.sqlite --html page.html
for text in "'quoted'" "it's" "a''b"; do
  grep -qE "<text>.*$(sed "s/'/('|\&#39;|\&apos;)/g" <<<"$text")" page.html || fail "a plot does not have $text"
done
mkdir "odd \"'\$ folder"
TMPDIR="$work/odd \"'\$ folder" expect 0 "1 runs, 1 ok" s.yaml --results r.sqlite --again --html page.html
[[ ! $(ls -A "odd \"'\$ folder") ]] || fail "something is left in TMPDIR"
TMPDIR=$work/launch.yaml/x expect 2 "TMPDIR names another" s.yaml --results r.sqlite --html page.html

echo "ends of processes"
# A source that clang takes minutes for.
{
  echo '#define A(x) a=sin(a+x)*cos(a)+exp(a*x);'
  echo '#define B A(1)A(2)A(3)A(4)A(5)A(6)A(7)A(8)A(9)A(10)'
  echo '#define C B B B B B B B B B B'
  echo '#define D C C C C C C C C C C'
  echo '__kernel void fine(__global float *o, uint n) { float a = o[0]; D D D D D D D D D D o[0] = a; }'
} >long.cl
sed 's/faults.cl/long.cl/' launch.yaml >long.yaml
printf 'runs: [{name: long, launch: long.yaml, engine: ref}]\n' >s.yaml
mkdir ends tmp
export TMPDIR=$work/tmp
clang() { pgrep -f "clang.*builtin-bitcode.*$work/long.cl"; }
for name in INT TERM HUP KILL; do
  # A process in the background would not take the signal of Ctrl-C.
  setsid env --default-signal=INT "$tandem" experiment s.yaml --results ends/r.sqlite >killed 2>&1 &
  runner=$!
  await clang
  kill -$name $runner
  { wait $runner || true; } 2>wait.err
  runner=
  await '! clang' || fail "SIG$name leaves clang"
  await '[[ ! $(ls -A tmp) ]]' || fail "SIG$name leaves $(ls -A tmp)"
  [[ $name == KILL || $(ls -A ends | paste -sd' ') == r.sqlite ]] || fail "SIG$name leaves $(ls -A ends)"
done
[[ $(ls -A ends) == *.tandem-* ]] || fail "the test does not see a leftover"
sed -i 's/name: long/name: long, timeout: 1/' s.yaml
expect 1 "long: timeout: the run took more than its timeout, 1 s" s.yaml --results ends/r.sqlite
await '! clang' || fail "a timeout leaves clang"
[[ ! $(ls -A tmp) ]] || fail "a timeout leaves $(ls -A tmp)"
[[ $(ls -A ends | paste -sd' ') == r.sqlite ]] || fail "a later run leaves $(ls -A ends) of a dead one"
# A run that is killed outright leaves its folder, until another makes one there.
"$tandem" run "$work/long.yaml" --engine ref >killed 2>&1 &
runner=$!
await clang
pkill -9 -P $runner -f clang || true
{ wait $runner || true; } 2>wait.err
runner=
grep -q 'clang was ended by a signal (9: Killed)' killed || fail "a killed clang: $(cat killed)"
"$tandem" run "$work/long.yaml" --engine ref >killed 2>&1 &
runner=$!
await clang
kept=$(ls -A tmp)
kill -9 $runner
{ wait $runner || true; } 2>wait.err
runner=
await '! clang' || fail "a run that is killed leaves clang"
[[ $(ls -A tmp) == "$kept" ]] || fail "the test does not see a leftover"
"$tandem" run launch.yaml --engine ref >said 2>&1 || fail "a run after a killed one"
[[ ! $(ls -A tmp) ]] || fail "a later run leaves $(ls -A tmp) of a dead one"

echo "bench"
"$tandem" bench --kernel bfs >said 2>&1 &
runner=$!
for ((i = 0; i < 600; i++)); do
  child=$(pgrep -x -P $runner tandem) && break
  sleep 0.05
done
[[ $child ]] || fail "bench has no child"
kill $runner
{ wait $runner || true; } 2>wait.err
runner=
await '! kill -0 $child' || fail "the child of bench outlives it"

echo "a signal"
printf 'runs: [{name: slow, launch: launch.yaml, params: {n: 100000000}, engine: ref, set: {sms: 1}}]\n' >s.yaml
mkdir signal
for name in HUP TERM; do
  "$tandem" experiment s.yaml --results signal/r.sqlite >killed 2>&1 &
  runner=$!
  for ((i = 0; i < 200; i++)); do
    [[ ! $(find signal -name '*.err') ]] || break
    sleep 0.05
  done
  [[ $(find signal -name '*.err') ]] || fail "the run does not begin"
  kill -$name $runner
  { wait $runner || true; } 2>wait.err
  runner=
  [[ $(ls -A signal | paste -sd' ') == r.sqlite ]] || fail "SIG$name leaves $(ls -A signal)"
done
