"""The ways to run a program on several GPUs: one process with a thread per GPU, or one process per GPU with MPI."""

import os
import re
import shutil

from suite.analyse.scaling import DEVICES, MPI
from suite.processes import ProgramError, last_line, run_program

# Open MPI requires these to run as root.
ROOT_MAY = {"OMPI_ALLOW_RUN_AS_ROOT": "1", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1"}
# Every rank may use all cores, like a process with several devices. For Open MPI 4 and 5.
UNBOUND = {"OMPI_MCA_hwloc_base_binding_policy": "none", "PRTE_MCA_hwloc_default_binding_policy": "none"}


def chosen_launchers(paths, wanted):
    """The launchers to use. wanted is False if MPI was refused."""
    reason = "as asked" if wanted is False else why_no_mpi(paths)
    if reason:
        print(f"without MPI: {reason}", flush=True)
        return [DEVICES]
    if os.geteuid() == 0:
        os.environ.update(ROOT_MAY)
    os.environ.update(UNBOUND)
    return [DEVICES, MPI]


def why_no_mpi(paths):
    """Why the programs cannot run with MPI here, or None."""
    if not shutil.which("mpirun"):
        return "mpirun not found"
    without = next((path for path in paths if not has_mpi(path)), None)
    return f"{without.name} was built without MPI" if without else None


def has_mpi(path):
    match = re.search(r"^ *MPI: *(.+)$", run_program(path, "--version").output, re.MULTILINE)
    return bool(match) and match[1].strip() != "none"


def count_gpus(path):
    """The number of GPUs. A program lists each on a line that begins with its number."""
    listed = run_program(path, "--list-devices")
    count = len(re.findall(r"^\d+ ", listed.output, re.MULTILINE))
    if listed.code != 0 or count == 0:
        raise ProgramError(f"{path.name} --list-devices lists none (exit {listed.code}): {last_line(listed.errors)}")
    return count


def launch_command(launcher, gpus):
    """The command before a program's path and the options after it, for this many GPUs. Each MPI rank finds its GPU."""
    if launcher == MPI:
        return ["mpirun", "-np", gpus], []
    return [], ["--devices", ",".join(map(str, range(gpus)))]
