#!/usr/bin/env bash
# `tandem worker` and `--on`, `--submit` of suites: results are those of runs here, whatever becomes of workers and front
# ends; workers of another version take no runs.
#
#   workers.sh TANDEM SOURCES
. "${0%/*}/suites.sh"
. "$(dirname "$0")/stubs.sh"
workers=()
finish_all() {
  ((!${#workers[@]})) || kill "${workers[@]}" 2>>kill.err || true
  finish
}
trap finish_all EXIT
# work_on DIR WORD...: a worker, as a person starts it.
work_on() {
  "$tandem" worker "$@" 2>>worker.err &
  workers+=($!)
}
query() { sqlite3 "$1.sqlite" "$2"; }
# regress STATUS TEXT NAME WORD...: a suite with the database NAME.sqlite.
regress() {
  local status=0
  timeout 60 "$tandem" regress s.yaml --results "$3.sqlite" "${@:4}" >said 2>&1 || status=$?
  [[ $status == "$1" ]] || fail "regress ${*:3}: status $status, not $1"
  grep -qF -- "$2" said || fail "regress ${*:3}: does not say: $2"
}

# Runs that end in all ways, by their seeds.
stub_random 'seed=${1#--seed=}
echo "$seed" >>'"$work"'/executed
case $seed in
3) echo "three is wrong" >&2; exit 1 ;;
4) kill -SEGV $$ ;;
5) exec sleep 20 ;;
6) while [ -e '"$work"'/hold ]; do sleep 0.05; done ;;
esac'
printf 'defaults: {timeout: 3}\nruns: [{name: r, random: {count: 12, seed: 1}}]\n' >s.yaml
printf '{name: r, random: {count: 12, seed: 1}}' >entry

echo "runs by workers are runs here"
regress 1 "9 passed; 3 failed" here -j 2
work_on dir -j 1
work_on dir -j 2
regress 1 "9 passed; 3 failed" there --on dir
how="SELECT name, status, exit, signal, json, error, host, command, wall_s > 0, cpu_s > 0, memory > 0 FROM attempts WHERE rerun IS NULL ORDER BY name"
diff <(query here "$how") <(query there "$how") || fail "workers have other results"
[[ ! $(find dir/{queue,taken,done} dir/front.json -type f 2>>find.err) ]] || fail "something is left: $(find dir)"

echo "one front end, which is killed, and its successor"
touch hold
printf 'runs: [{name: r, random: {count: 2, seed: 6}}, {name: q, random: {count: 9, seed: 20}}]\n' >s.yaml
"$tandem" regress s.yaml --results killed.sqlite --on dir >killed 2>&1 &
runner=$!
await '[[ $(ls dir/taken | wc -l) == 1 && ! $(ls dir/queue) ]]' || fail "the run is not taken"
regress 2 "another command gives runs to the workers of" second --on dir
kill -9 $runner
{ wait $runner || true; } 2>>wait.err
runner=
rm hold
regress 0 "11 passed" killed --on dir
[[ $(query killed "SELECT status, COUNT(*) FROM attempts GROUP BY 1") == $'interrupted|1\nok|11' ]] || fail "after a kill: $(query killed 'SELECT status, COUNT(*) FROM attempts GROUP BY 1')"

echo "a worker that ends puts its run back"
touch hold
"$tandem" regress s.yaml --results back.sqlite --on dir --again >killed 2>&1 &
runner=$!
await '[[ $(ls dir/taken | wc -l) == 1 && ! $(ls dir/queue) ]]' || fail "the run is not taken"
taken=$(ls dir/taken)
# Batch systems signal all processes of a job: the run may end before its worker knows.
worker=${taken##*-}
pkill -P "$worker" || fail "the worker has no run"
sleep 0.2
kill "$worker"
await '[[ $(ls dir/taken) == *-* && $(ls dir/taken) != "$taken" ]]' || fail "no other worker takes the run"
rm hold
wait $runner || fail "a run is lost with its worker: $(cat killed)"
runner=
[[ $(query back "SELECT COUNT(*), SUM(status = 'ok') FROM attempts") == "11|11" ]] || fail "a run has no result, or two"
kill "${workers[@]}" 2>>kill.err || true
workers=()

echo "workers that a command starts"
regress 0 "11 passed" submitted -j 2 --submit 'for i in $(seq %n); do setsid %c >>%d/log/all 2>&1 & done'
[[ $(grep -c . submitted.queue/worker.sh) == 2 ]] || fail "the script of workers: $(cat submitted.queue/worker.sh)"
await '! pgrep -f "worker --jobs=1 .*$work/submitted.queue"' || fail "workers outlive their front end"
regress 0 "11 passed" hostile -j 1 --on 'q $(touch ran) `touch ran` "x'"'"' [y] %n;%%' --submit 'for i in $(seq %n); do setsid %c >>%d/log/all 2>&1 & done'
[[ ! -e ran ]] || fail "the name of a folder has run a command"
regress 2 "--submit: %x is unknown" none --submit 'run %x %c'
regress 2 "--submit needs %c" none --submit 'run %n'
regress 2 "no workers are started: " none --submit 'echo there is no queue of this name; exit 3 # %c'
grep -q 'exit status 3: there is no queue of this name' said || fail "the cause is not given"
regress 2 "--on slurm has a command of its own" none --on slurm --submit 'run %c'
[[ ! -e none.sqlite || $(query none "SELECT COUNT(*) FROM attempts WHERE status != 'interrupted'") == 0 ]] || fail "runs have ended without workers"

echo "workers of another version"
regress 2 "a worker takes no runs: " version --submit 'sed -i "s/\"version\":\"/&0./" %d/front.json; setsid %c >>log 2>&1 &'
grep -qE 'version.queue/front.json: the front end on .* is Tandem 0\.[^ ]* \(format 1\), this worker is [^ ]* \(format 1\); start .*/tandem worker ' said || fail "the versions are not told"
regress 2 "is another build than on" build --submit 'sed -i "s/\"key\":\"./&0/" %d/front.json; setsid %c >>log 2>&1 &'
regress 2 "runs a program that is not on this machine: cannot read /none" build --submit 'sed -i "s/\"program\":\"/&\/none/" %d/front.json; setsid %c >>log 2>&1 &'
mkdir -p old
printf '{"format": 2, "version": "9", "session": "x", "host": "h", "program": "/p", "key": "k"}' >old/front.json
status=0
timeout 20 "$tandem" worker old >said 2>&1 || status=$?
[[ $status == 2 ]] || fail "a worker of another version: status $status"
grep -qF 'old/front.json: the front end on h is Tandem 9 (format 2), this worker' said || fail "the worker does not say why"
[[ ! -s worker.err ]] || fail "workers complain: $(cat worker.err)"
