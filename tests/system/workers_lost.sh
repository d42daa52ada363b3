#!/usr/bin/env bash
# Runs whose workers are gone without a word are put back after half a minute, and are given up once five workers were
# lost with them.
#
#   workers_lost.sh TANDEM SOURCES
. "${0%/*}/suites.sh"
. "$(dirname "$0")/stubs.sh"
pids=()
finish_all() {
  ((!${#pids[@]})) || kill -9 "${pids[@]}" 2>>kill.err || true
  finish
}
trap finish_all EXIT
stub_random '[ "$1" != --seed=2 ] || while [ -e '"$work"'/hold ]; do sleep 0.1; done'
printf 'runs: [{name: r, random: {count: 3, seed: 1}}]\n' >s.yaml
touch hold
"$tandem" regress s.yaml --results r.sqlite --on dir >killed 2>&1 &
runner=$!
await '[[ $(ls dir/queue | wc -l) == 3 ]]' || fail "no runs"
first=$(ls dir/queue | head -n 1)

echo "five workers put a run back, as they are told to end: it is not lost"
for i in 1 2 3 4 5; do
  mv "dir/queue/$first" "dir/taken/$first.v$i"
  sleep 2.2
  mv "dir/taken/$first.v$i" "dir/queue/$first"
done
echo "five workers take it, one after the other, and are gone"
for i in 1 2 3 4 5; do
  mv "dir/queue/$first" "dir/taken/$first.w$i" || fail "a run that was put back is given up"
  touch -d @0 "dir/taken/$first.w$i" # as a job's second start does with what the first one had taken
  [[ $i == 5 ]] || await '[[ $(stat -c %Y "dir/queue/$first") -gt 0 ]]' || fail "the run of a worker that is gone is not put back"
done
echo "a worker is killed"
"$tandem" worker dir -j 1 2>>worker.err &
pids+=($!)
await '[[ $(ls dir/taken | wc -l) == 2 && $(ls dir/queue | wc -l) == 1 ]]' || fail "the worker takes no run"
kill -9 "${pids[0]}"
"$tandem" worker dir -j 1 2>>worker.err &
pids+=($!)
sleep 5
rm hold
status=0
timeout 100 tail --pid=$runner -f /dev/null || fail "a run of a dead worker is never put back: $(ls dir/*)"
wait $runner || status=$?
runner=
[[ $status == 1 ]] || fail "status $status: $(cat killed)"
[[ $(sqlite3 r.sqlite "SELECT name, status, error FROM attempts WHERE rerun IS NULL ORDER BY name") == "r/1|failed|the run was lost with its worker 5 times, last with w5
r/2|ok|
r/3|ok|" ]] || fail "the results are $(sqlite3 r.sqlite 'SELECT name, status, error FROM attempts')"
