#!/usr/bin/env bash
# The cost of a run beside the run itself: milliseconds a run of N empty ones, two at once, here, by two workers, and by
# two jobs of Slurm on a cluster of one node.  A run is a shell that writes a file, which is printed by itself, too.
#
#   overhead.sh TANDEM SOURCES [N]    (10000)
here=$(dirname "$(readlink -f "$0")")
. "$here/suites.sh"
. "$here/cluster.sh"
. "$here/stubs.sh"
worker=
finish_all() {
  [[ ! $worker ]] || kill "$worker" || true
  cluster_stop
  finish
}
trap finish_all EXIT
n=${3:-10000}
stub_random ":"
printf 'runs: [{name: r, random: {count: %d, seed: 1}}]\n' "$n" >s.yaml

# measure TITLE WORD...: milliseconds of real time, and of processors, a run.
measure() {
  local title=$1 times
  shift
  times=$({ TIMEFORMAT='%R %U %S' && time "$@" >said 2>&1; } 2>&1) || fail "$title"
  awk -v n="$n" -v title="$title" '{ printf "%-30s %6.2f ms a run\n", title, 1000 * $1 / n }' <<<"$times"
}
runs() {
  local i
  for ((i = 0; i < n / 2; i++)); do tree/build/tests/random/random_run "--json=$1"; done
}
both() {
  runs a &
  runs b
  wait
}
measure "the runs by two shells" both
measure "here" "$tandem" regress s.yaml --results here.sqlite -j 2
"$tandem" worker w -j 2 &
worker=$!
measure "by a worker, two at once" "$tandem" regress s.yaml --results workers.sqlite --on w
kill "$worker"
wait "$worker" || true
worker=
command -v slurmctld >where || exit 0
cluster_start "$work/cluster" 2 || fail "no cluster"
measure "by two jobs of Slurm" "$tandem" regress s.yaml --results slurm.sqlite --on slurm -j 2
