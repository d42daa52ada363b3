# A Slurm cluster of one node, for tests: its daemons belong to whoever runs the test, and listen on the loopback
# alone.  Sourced.  The caller calls cluster_stop at its end.
#
#   cluster_start FOLDER CPUS   FOLDER: absolute; sets SLURM_CONF
#   cluster_daemon NAME         starts slurmctld or slurmd (again)
#   cluster_kill NAME           ends one of them as a crash would
PATH=$PATH:/usr/sbin

# free_ports N: the first of N ports in a row that nobody listens on.
free_ports() {
  local port i used
  used=$(awk 'FNR > 1 && $4 == "0A" { print $2 }' /proc/net/tcp /proc/net/tcp6 | sed 's/.*://')
  for ((port = 21000 + $$ % 9000; ; port += $1)); do
    for ((i = 0; i < $1; i++)); do
      ! grep -qxF "$(printf '%04X' $((port + i)))" <<<"$used" || continue 2
    done
    echo "$port"
    return
  done
}

cluster_start() {
  cluster=$1
  local cpus=$2 host user port
  host=$(uname -n) user=$(id -un) port=$(free_ports 2)
  host=${host%%.*}
  mkdir -p -m 755 "$cluster"/{key,state,spool,log}
  (umask 077 && head -c 128 /dev/urandom >"$cluster/key/key")
  munged --force --key-file="$cluster/key/key" --socket="$cluster/key/socket" --pid-file="$cluster/munged.pid" \
    --log-file="$cluster/log/munged" --seed-file="$cluster/key/seed" || return 1
  # cred_expire below 5 s counts as two minutes, and a job that is requeued waits for so long.  The node may have more
  # processors than the machine.
  cat >"$cluster/slurm.conf" <<END
ClusterName=tandem
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
CommunicationParameters=NoInAddrAny,NoCtldInAddrAny
SlurmUser=$user
SlurmdUser=$user
AuthType=auth/munge
AuthInfo=socket=$cluster/key/socket,cred_expire=5
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/slurmctld.pid
SlurmdPidFile=$cluster/slurmd.pid
SlurmctldLogFile=$cluster/log/slurmctld
SlurmdLogFile=$cluster/log/slurmd
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MailProg=/bin/true
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_min_interval=0,bf_interval=1
SlurmdParameters=config_overrides
KillWait=2
SlurmdTimeout=10
ReturnToService=2
NodeName=$host NodeAddr=127.0.0.1 CPUs=$cpus State=UNKNOWN
PartitionName=test Nodes=$host Default=YES MaxTime=INFINITE State=UP
END
  export SLURM_CONF=$cluster/slurm.conf
  cluster_daemon slurmctld && cluster_daemon slurmd || return 1
  local i
  for ((i = 0; i < 200; i++)); do
    [[ $(sinfo -h -o %T 2>>"$cluster/log/sinfo") != idle ]] || return 0
    sleep 0.1
  done
  echo "the node is not idle after 20 s: $(tail -n 3 "$cluster"/log/*)" >&2
  return 1
}

# The path of the configuration is whole: the daemons change their folder.
cluster_daemon() { "$1" -f "$cluster/slurm.conf" 2>>"$cluster/log/start"; }

# cluster_end SIGNAL NAME: a daemon whose process is there yet.
cluster_end() {
  local pid
  pid=$(cat "$cluster/$2.pid" 2>>"$cluster/log/stop") || return 0
  kill "-$1" "$pid" 2>>"$cluster/log/stop" || return 0
  local i
  for ((i = 0; i < 100; i++)); do
    kill -0 "$pid" 2>>"$cluster/log/stop" || return 0
    sleep 0.05
  done
  kill -9 "$pid" 2>>"$cluster/log/stop" || true
}

cluster_kill() {
  cluster_end KILL "$1"
  rm -f "$cluster/$1.pid"
}

cluster_stop() {
  [[ ${cluster-} && -d $cluster ]] || return 0
  timeout 5 scancel --me 2>>"$cluster/log/stop" || true
  local i name
  for ((i = 0; i < 50; i++)); do
    [[ $(timeout 5 squeue -h 2>>"$cluster/log/stop") ]] || break
    sleep 0.1
  done
  for name in slurmd slurmctld munged; do cluster_end TERM $name; done
}
