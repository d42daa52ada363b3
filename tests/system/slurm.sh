#!/usr/bin/env bash
# `tandem regress --on slurm` on a cluster of one node: 200 runs, while a worker is killed, one is requeued, both
# daemons crash and start again, and the node is away for 20 s.  Each run has one result.
#
#   slurm.sh TANDEM SOURCES
here=$(dirname "$(readlink -f "$0")")
. "$here/suites.sh"
. "$here/cluster.sh"
for program in slurmctld slurmd munged sbatch squeue; do
  command -v $program >where || { echo "skipped: $program is not there"; exit 77; }
done
finish_all() {
  [[ ! $runner ]] || kill -9 "$runner" 2>>kill.err || true
  cluster_stop
  finish
}
trap finish_all EXIT

# A random program that takes a moment, and notes that it ran.
. "$here/stubs.sh"
stub_random "echo \$\$ >>'$work/executed'; sleep 0.2"
printf 'runs: [{name: r, random: {count: 200, seed: 1}}]\n' >s.yaml
cluster_start "$work/cluster" 4 || fail "no cluster"

query() { sqlite3 -cmd '.timeout 5000' r.sqlite "$1"; }
ended() { query "SELECT COUNT(*) FROM attempts WHERE status NOT IN ('running', 'interrupted')" 2>>query.err || echo 0; }
# done_by N: waits until N runs have ended.
done_by() {
  local i
  for ((i = 0; i < 1200; i++)); do
    (($(ended) < $1)) || return 0
    kill -0 "$runner" 2>>kill.err || fail "the front end has ended: $(tail -n 3 said)"
    sleep 0.1
  done
  fail "after 120 s $(ended) runs have ended, not $1: $(squeue 2>&1)"
}
# Workers of this front end: their processes.
workers() { pgrep -f -- "--session=$(jq -r .session r.queue/front.json)"; }

start=$SECONDS
"$tandem" regress s.yaml --results r.sqlite --on slurm -j 4 >said 2>&1 &
runner=$!
done_by 10
echo "a worker is killed"
victim=$(workers | head -n 1)
job=$(tr '\0' '\n' <"/proc/$victim/environ" | sed -n 's/^SLURM_JOB_ID=//p')
await '[[ $(ls r.queue/taken) == *.slurm-$job-0* ]]' || fail "the worker takes no runs"
kill -9 "$victim"
# Slurm knows it long before the silence of the worker says it.
(await '[[ $(ls r.queue/taken) != *.slurm-$job-0* ]]' || await '[[ $(ls r.queue/taken) != *.slurm-$job-0* ]]') ||
  fail "the run of a worker that is no job any more is not put back"
done_by 30
echo "a worker is requeued"
job=$(squeue -h -r --me -t R -o %A | head -n 1)
scontrol requeue "$job"
done_by 50
echo "slurmd crashes"
cluster_kill slurmd
sleep 1
cluster_daemon slurmd || fail "slurmd does not start again"
done_by 80
echo "slurmctld crashes"
cluster_kill slurmctld
sleep 1
cluster_daemon slurmctld || fail "slurmctld does not start again"
done_by 110
echo "the node is away"
pids=$(workers)
steps=$(for pid in $pids; do ps -o ppid= -p "$pid"; done | sort -u | grep -vx ' *1' || true)
[[ $pids ]] || fail "there are no workers"
cluster_kill slurmd
kill -9 $steps $pids 2>>kill.err || true
sleep 20
[[ $(ended) -lt 200 ]] || fail "all runs had ended before the node was away"
cluster_daemon slurmd || fail "slurmd does not start again"
status=0
wait "$runner" || status=$?
runner=
echo "200 runs in $((SECONDS - start)) s, $(wc -l <executed) were begun"
[[ $status == 0 ]] || fail "status $status"
[[ $(ls r.queue/log) == *_* ]] || fail "jobs leave no messages"
[[ $(query "SELECT COUNT(*), COUNT(DISTINCT name), SUM(status = 'ok') FROM attempts") == "200|200|200" ]] ||
  fail "results: $(query 'SELECT status, COUNT(*) FROM attempts GROUP BY 1')"
(($(wc -l <executed) > 200)) || fail "no run was lost with a worker, and so the test has tested nothing"
[[ ! $(find r.queue/{queue,taken,done} -type f) ]] || fail "something is left: $(find r.queue -type f)"
await '[[ ! $(squeue -h) ]]' || fail "workers outlive the front end: $(squeue)"
