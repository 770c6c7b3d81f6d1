#!/usr/bin/env python3
"""examples/slurm with a real slurmctld and two slurmd on this machine: the shards of a project, one of whose
nodes is killed while it works. Its shard is queued again, and what is joined is what one run prints."""

import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).parent / "lib"))
from tool import ROOT, UNPHI, check, skip  # noqa: E402

SHARDS = 4
CONF = """ClusterName=unphi
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
AuthType=auth/none
CredType=cred/none
MpiDefault=none
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
SlurmUser={user}
SlurmdUser={user}
StateSaveLocation={top}/state
SlurmdSpoolDir={top}/spool-%n
SlurmctldPidFile={top}/ctld.pid
SlurmdPidFile={top}/%n.pid
SlurmctldLogFile={top}/ctld.log
SlurmdLogFile={top}/%n.log
SchedulerType=sched/builtin
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SlurmdTimeout=5
KillWait=1
JobRequeue=1
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
NodeName=n1 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]} CPUs=1
NodeName=n2 NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]} CPUs=1
PartitionName=all Nodes=n1,n2 Default=YES MaxTime=10 State=UP
"""
KERNEL = """__attribute__((global)) void k{n}(float *p, int c)
{{
	float acc[{width}] = {{}};
	for (int t = 0; t < c; ++t) {{
		if (t < p[2]) {{
			for (int i = 0; i < 64; ++i) acc[i] *= p[3];
		}} else {{
			for (int i = 0; i < 64; ++i) acc[i] += p[t];
		}}
	}}
	p[0] = acc[3];
}}
"""
# Whoever runs a shard notes where, and is long enough at it to be killed.
SLOW = """#!/bin/sh
case " $* " in *" --shard "*) echo "$SLURM_ARRAY_TASK_ID $SLURMD_NODENAME $$" >> {top}/ran; sleep 2 ;; esac
exec {unphi} "$@"
"""


def free_ports(n):
    sockets = [socket.socket() for _ in range(n)]
    for s in sockets:
        s.bind(("127.0.0.1", 0))
    ports = [s.getsockname()[1] for s in sockets]
    for s in sockets:
        s.close()
    return ports


def start(top, *command):
    log = open(top / f"{command[-1]}.out", "w")
    return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=True)


def project(top):
    entries = []
    for n in range(8):
        (top / f"k{n}.hip").write_text(KERNEL.format(n=n, width=64 + n))
        entries.append({"directory": str(top), "file": f"k{n}.hip",
                        "arguments": ["clang++", "-nogpuinc", "--offload-arch=gfx90a", "-c", f"k{n}.hip"]})
    (top / "compile_commands.json").write_text(json.dumps(entries))


def waited(seconds, what):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if what():
            return True
        time.sleep(0.2)
    return False


# A process and all below it, as when the machine loses power.
def kill_tree(pid):
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    os.kill(pid, signal.SIGKILL)
    for child in children.split():
        kill_tree(int(child))


# What slurmd started there does not die with it by itself.
def kill_node(daemon, pid):
    kill_tree(daemon.pid)
    while pid > 1 and "slurmstepd" not in pathlib.Path(f"/proc/{pid}/cmdline").read_text():
        pid = int(pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[1])
    if pid > 1:
        kill_tree(pid)


def lines(path):
    return path.read_text().splitlines() if path.exists() else []


def run_array(top, daemons, env):
    array = subprocess.Popen([ROOT / "examples/slurm/unphi-array", str(SHARDS), top / "out", "lint", "-p", "."],
                             cwd=top, env=env, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if not waited(300, lambda: any(" n2 " in line for line in lines(top / "ran"))):
        array.kill()
        return "no shard began on the second node", array.communicate()[0]
    shard, pid = next(line.split()[::2] for line in lines(top / "ran") if " n2 " in line)
    kill_node(daemons["n2"], int(pid))
    # Slurm lets a job that lost its node wait for two minutes; nobody has to
    queued = waited(300, lambda: f"_{shard} PENDING" in squeue(env))
    subprocess.run(["scontrol", "update", f"JobId={job_of(env, shard)}", "StartTime=now"], env=env, capture_output=True)
    try:
        said = array.communicate(timeout=600)[0]
    except subprocess.TimeoutExpired:
        array.kill()
        return f"the array did not end: {squeue(env)}", ""
    again = [line for line in lines(top / "ran") if line.split()[0] == shard]
    if not queued or len(again) != 2:
        return f"shard {shard} was not queued again: {lines(top / 'ran')}", said
    return ("" if array.returncode == 1 else f"exit code {array.returncode}"), said


def squeue(env):
    return subprocess.run(["squeue", "-h", "-r", "-o", "%F_%K %T %i"], env=env, capture_output=True, text=True).stdout


def job_of(env, shard):
    return next((line.split()[2] for line in squeue(env).splitlines() if line.split()[0].endswith(f"_{shard}")), "0")


def main():
    missing = [tool for tool in ("slurmctld", "slurmd", "sbatch") if not shutil.which(tool)]
    if missing:
        return skip("slurm/array", f"{missing[0]} not found (Debian's slurm-wlm)")
    top = pathlib.Path(tempfile.mkdtemp(dir=".")).resolve()
    project(top)
    host = socket.gethostname().split(".")[0]
    user = subprocess.run(["id", "-un"], capture_output=True, text=True).stdout.strip()
    (top / "slurm.conf").write_text(CONF.format(host=host, user=user, top=top, ports=free_ports(3)))
    (top / "state").mkdir()
    (top / "slow").write_text(SLOW.format(top=top, unphi=UNPHI))
    (top / "slow").chmod(0o755)
    env = dict(os.environ, SLURM_CONF=str(top / "slurm.conf"), UNPHI=str(top / "slow"))
    os.environ["SLURM_CONF"] = env["SLURM_CONF"]
    daemons = {"ctld": start(top, "slurmctld", "-D")}
    for node in ("n1", "n2"):
        daemons[node] = start(top, "slurmd", "-D", "-N", node)
    try:
        idle = waited(300, lambda: subprocess.run(["sinfo", "-h", "-o", "%D %T"], env=env, capture_output=True,
                                                 text=True).stdout.split() == ["2", "idle"])
        if not idle:
            return skip("slurm/array", f"slurmctld does not run here: {' '.join(lines(top / '-D.out')[-1:])}")
        wrong, said = run_array(top, daemons, env)
        one = subprocess.run([UNPHI, "lint", "-p", "."], cwd=top, capture_output=True, text=True)
        result = (top / "out/result").read_text() if (top / "out/result").exists() else "no result"
        if not wrong and (result != one.stdout or one.returncode != 1):
            wrong = f"joined is not what one run prints: {result[:300]}"
        check("slurm/array", [f"{wrong} {said}"] if wrong else [])
    finally:
        for d in daemons.values():
            if d.poll() is None:
                kill_tree(d.pid)


sys.exit(main())
