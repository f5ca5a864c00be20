#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# A sweep as a job array under Slurm gives the same lines as in one piece. The cluster is one node, made here and gone
# with this script: a controller and a node's daemon that trust everybody (auth/none), in a network namespace of their
# own that has the loopback interface and nothing else.
#
#   slurm.sh LFN FOLDER
#
# 77: cannot be done on this machine, for the reason that is printed.
set -eu
lfn=$1
folder=$2
shards=4
grid='--link t1-satellite,leo-handover --ber 0,1e-6 --window 64K,512K --loss-policy congestion,noise --seeds 2
    --bytes 200K --jobs 1'

skip() {
    echo "skipped: $1"
    exit 77
}
for tool in slurmctld slurmd sbatch sinfo unshare ip; do
    command -v "$tool" >/dev/null || skip "no $tool (Debian: slurm-wlm)"
done
[ "$(id -u)" = 0 ] || skip "Slurm's daemons start jobs as root only"
if [ "${LFN_SLURM_ALONE:-}" != yes ]; then
    unshare --net --pid --fork --mount-proc true 2>/dev/null || skip "no namespaces can be made"
    # Whatever is started here ends with it.
    exec env LFN_SLURM_ALONE=yes unshare --net --pid --fork --kill-child --mount-proc "$0" "$@"
fi
ip link set lo up
ip address add 192.0.2.1/32 dev lo # the C library resolves nothing where there is but 127.0.0.1 (AI_ADDRCONFIG)
plugins=$(find /usr/lib -name auth_none.so 2>/dev/null | head -n 1)
[ -n "$plugins" ] || skip "Slurm has no auth/none here"

rm -rf "$folder"
mkdir -p "$folder/state" "$folder/spool"
cd "$folder"
host=$(hostname -s)
port=$((20000 + $$ % 20000))
cat >slurm.conf <<CONF
ClusterName=lfn
SlurmctldHost=$host(127.0.0.1)
SlurmctldPort=$port
SlurmdPort=$((port + 1))
SlurmUser=root
SlurmdUser=root
AuthType=auth/none
CredType=cred/none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/linear
MpiDefault=none
SwitchType=switch/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
ReturnToService=2
SchedulerParameters=sched_interval=1,sched_min_interval=0
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.pid
SlurmctldLogFile=$PWD/slurmctld.log
SlurmdLogFile=$PWD/slurmd.log
NodeName=$host NodeAddr=127.0.0.1 CPUs=$(getconf _NPROCESSORS_ONLN) State=UNKNOWN
PartitionName=all Nodes=$host Default=YES MaxTime=INFINITE State=UP OverSubscribe=FORCE:8
CONF
export SLURM_CONF="$PWD/slurm.conf"

controller=
node=
end() {
    for daemon in $node $controller; do kill "$daemon" 2>/dev/null || true; done
    for daemon in $node $controller; do wait "$daemon" 2>/dev/null || true; done
}
trap end EXIT
trap 'exit 1' INT TERM

slurmctld -D -f slurm.conf >slurmctld.out 2>&1 &
controller=$!
slurmd -D -f slurm.conf >slurmd.out 2>&1 &
node=$!

# At most half a minute for both to find each other.
tries=0
until sinfo -h -o %T 2>/dev/null | grep -qE '^(idle|mixed|alloc)'; do
    tries=$((tries + 1))
    if [ "$tries" -gt 60 ] || ! kill -0 "$controller" 2>/dev/null || ! kill -0 "$node" 2>/dev/null; then
        tail -n 5 slurmctld.out slurmd.out slurmctld.log slurmd.log 2>/dev/null || true
        skip "Slurm's daemons do not come up on this machine"
    fi
    sleep 0.5
done

# shellcheck disable=SC2086 # a list of words
"$lfn" sweep $grid --out whole.jsonl
cat >array.sh <<ARRAY
#!/bin/sh
exec $lfn sweep $(echo $grid) --shard slurm --out part\$SLURM_ARRAY_TASK_ID.jsonl --csv part\$SLURM_ARRAY_TASK_ID.csv
ARRAY
chmod +x array.sh
sbatch --wait --array=1-$shards --output=array-%a.out ./array.sh
cat part?.jsonl | sort >parts.sorted
sort whole.jsonl | cmp - parts.sorted
[ "$(cat part?.csv | grep -c '^link,')" = 1 ]
echo "$(wc -l <parts.sorted) cells by $shards tasks of an array: the same lines as in one piece"
