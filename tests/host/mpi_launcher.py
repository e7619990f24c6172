"""Programs under MPI, for tests: whether they can be started here, how, and the processes that come of it."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

# Open MPI refuses root and more ranks than cores unless told otherwise; its fifth release asks a daemon with settings of its own.
SETTINGS = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "PRTE_ALLOW_RUN_AS_ROOT": "1",
    "PRTE_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "PRTE_MCA_rmaps_default_mapping_policy": ":oversubscribe",
}
MPIRUN = shutil.which("mpirun")

# Open MPI's fourth release can take a rank that has finished for one that left without saying so, once in some thousand runs:
# https://github.com/open-mpi/ompi/issues/7833. It then names a process; of one that a signal killed it says "on signal".
LOST_COUNT = re.compile(r"rank \d+ with PID \d+ on\s+node \S+ exiting improperly")


def output_of(*command):
    return subprocess.run(command, capture_output=True, text=True, timeout=60).stdout


def mpi_of(program):
    """The MPI that a program was built with, as its --version says; None without."""
    line = re.search(r"(?m)^MPI: (.+)$", output_of(program, "--version"))
    return line[1] if line and line[1] != "none" else None


def flavour(text):
    return "Open MPI" if "Open MPI" in text else "MPICH"


def why_not(program):
    """Why a program cannot be started by mpirun here; None where it can."""
    built_with = mpi_of(program)
    if not built_with:
        return f"{Path(program).name} is built without MPI"
    if not MPIRUN:
        return "no mpirun on the PATH"
    launcher = flavour(output_of(MPIRUN, "--version"))
    return None if launcher == flavour(built_with) else f"built with {built_with}, but mpirun is that of {launcher}"


def processes_in(folder):
    """The processes whose working directory is this folder: path of the program by process id."""
    found = {}
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if os.readlink(process / "cwd") == str(folder):
                found[int(process.name)] = Path(os.readlink(process / "exe"))
        except OSError:  # it has ended, or is another's
            pass
    return found


def kill_all_in(folder):
    """Ends what works in a folder: a killed mpirun leaves its ranks behind for a while."""
    for process_id in processes_in(folder):
        try:
            os.kill(process_id, signal.SIGKILL)
        except ProcessLookupError:
            pass


def rank_of(process_id):
    """The rank that the launcher gave a process; None before it has."""
    try:
        environment = Path(f"/proc/{process_id}/environ").read_text(errors="replace").split("\0")
    except OSError:
        return None
    numbers = dict(entry.partition("=")[::2] for entry in environment)
    rank = numbers.get("OMPI_COMM_WORLD_RANK", numbers.get("PMI_RANK"))
    return None if rank is None else int(rank)


def ranks_in(folder, program):
    """Process ids of the ranks of a program in this folder, by rank."""
    processes = {rank_of(number): number for number, path in processes_in(folder).items() if path == program}
    return {rank: process_id for rank, process_id in processes.items() if rank is not None}
