"""Profile CUDA versions with Nsight Compute, and store its counters.

Profiles the given versions (v8 v11 …), or every step of each ladder that the --bin
folder has programs of, and writes <out>/<device>/<ladder>-profile.json with a row for
each kernel. Of several launches of one the longest counts. Rows of another commit name it.
"""

import math
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from suite import ladders, naming
from suite.analyse.merit import FEWEST_DEPENDENT
from suite.command import (
    FAILED, SET_ASIDE, STORED_ROWS, UNWRITTEN, USAGE, Command, Halt, Stop, claim_gpu, hold, parse_with_folders,
)  # fmt: skip
from suite.documents import kinds, records, storing
from suite.documents.schema import ResultError
from suite.documents.profile import limit_of, limit_title
from suite.tools import chosen, ncu
from suite.tools.programs import Bench, commands, programs_of
from suite.processes import NO_GPU, ProgramError, execute, is_program, last_line

COMMAND = Command(
    "profile",
    __doc__,
    {
        FAILED: "a version could not be profiled, ncu or permission is missing, or the stored profile is broken"
        + SET_ASIDE,
        USAGE: "bad usage, or no such programs in the folder",
        NO_GPU: "no usable GPU",
        UNWRITTEN: "the profile could not be written",
    },
    STORED_ROWS,
)
complain = COMMAND.complain

NCU_PLACES = ("/usr/local/cuda/bin", "/opt/nvidia/nsight-compute")

# ncu repeats a kernel about 20 times, for one group of counters after another. If a launch takes longer than this,
# fewer samples keep the profile to seconds. Then the set-up of the generators weighs more.
LONG_LAUNCH_MS = 1000
FEWER_ITERS = 10_000

NO_NCU = f"""ncu (Nsight Compute) is not on the PATH and not in {" or ".join(NCU_PLACES)}: install it with the CUDA \
Toolkit or from https://developer.nvidia.com/nsight-compute"""

NO_PERMISSION = (
    "no permission for the GPU's performance counters (ERR_NVGPUCTRPERM): run this as root, with sudo or, in a "
    "container, with --cap-add=SYS_ADMIN",
    "an administrator can permit it to every user with the driver's option NVreg_RestrictProfilingToAdminUsers=0: "
    "https://developer.nvidia.com/ERR_NVGPUCTRPERM",
)


class Profiler(NamedTuple):
    """The path of ncu, its version, and the metrics to request."""

    path: str
    version: str
    metrics: list


def main():
    """Profile and store; returns the exit code."""
    parser = COMMAND.parser()
    chosen.add_versions(parser, "profile", ladders.every_ladder())
    options = parse_with_folders(parser)
    found = chosen.programs(options)
    hold(options.out)
    if reason := claim_gpu(next(iter(found[0][1].values()))):
        raise Stop(NO_GPU, reason)
    return chosen.of_ladders(found, COMMAND, lambda ladder, paths: profile_ladder(ladder, paths, options))


def profile_ladder(ladder, paths, options):
    """Profile programs of a ladder and store their rows; returns the exit code."""
    if ladder.second_rate and not options.versions:
        paths |= programs_of(ladder, options.bin, [ladder.second(version) for version in paths])
    found, failed, kind, bench = commands(ladder, paths), {}, kinds.PROFILE.of(ladder), Bench()
    runs = for_each(found, failed, lambda version: describe(found[version], bench))
    if not runs:
        raise Stop(FAILED, "no program succeeded, nothing was written")
    context = dict(bench.document["context"])
    folder, _ = storing.folders(context, options)
    kind.stored_in(folder)  # refuses a broken profile before profiling starts
    profiler = find_profiler()
    context["ncu"] = profiler.version
    rows = for_each(runs, failed, lambda version: profile(found[version], runs[version], profiler))
    if not rows:
        raise Stop(FAILED, "no version could be profiled, nothing was written")
    kernels = sum(rows.values(), [])
    kernels += [records.failed_row(version, failure) for version, failure in failed.items()]
    document = kind.made(context, sorted(kernels, key=lambda row: naming.order(row["version"])))
    return storing.keep(document, kind, options)


def for_each(versions, failed, action):
    """The results of action(version) by version. Failures are reported and added to failed."""
    done = {}
    for version in versions:
        try:
            done[version] = action(version)
        except (ProgramError, ResultError) as failure:
            failed[version] = failure
            complain(FAILED, f"{version} failed: {failure}")
    return done


# Programs


def describe(program, bench):
    """The run of one launch, as it will be profiled."""
    run = run_once(program, bench, [])
    if run["iters"] > FEWER_ITERS and max(run["kernel_ms"]) > LONG_LAUNCH_MS:
        return run_once(program, bench, ["--iters", fewer_iters(run)])
    return run


def fewer_iters(run):
    """Fewer samples per thread than those of a run. A launch that is a point set keeps a power of two."""
    return 2 ** int(math.log2(FEWER_ITERS)) if run["outcome"].get("independent") == "launches" else FEWER_ITERS


def run_once(program, bench, arguments):
    """A run of as few launches as the program accepts: point sets need more than one for an error estimate."""
    one, several = (["--launches", launches, *arguments] for launches in (1, FEWEST_DEPENDENT))
    run = bench.run(*program, *one, refusal=USAGE) or bench.run(*program, *several)
    if run["blocks"] is None:
        raise ProgramError("it did not run on a GPU")
    return run


# ncu


def find_profiler():
    path = find_ncu()
    if not path:
        raise Halt(FAILED, NO_NCU)
    version = ncu.tool_version(execute(path, "--version").output)
    known = ncu.known_metrics(permitted(execute(path, "--query-metrics")).output)
    if not known:
        complain(0, f"{path} does not list its metrics: requesting the usual ones")
    missing = ncu.missing_fields(known)
    if missing:
        print(f"ncu {version} lacks metrics on this device for: {', '.join(missing)}", flush=True)
    return Profiler(path, version, ncu.metrics_to_request(known))


def find_ncu():
    """The path of ncu, or "". Of several in /opt it is the newest."""
    usual, installed = map(Path, NCU_PLACES)
    newest = sorted(installed.glob("*/ncu"), key=lambda path: [int(part) for part in re.findall(r"\d+", str(path))])
    places = [shutil.which("ncu"), usual / "ncu", *reversed(newest)]
    return next((str(path) for path in places if path and is_program(path)), "")


def profile(program, run, profiler):
    """The rows of the kernels of a version, whose run of one launch is given."""
    step = program[0].name.partition("_")[2]  # names the launch, whatever the options
    outcome = permitted(
        execute(
            profiler.path,
            *("--clock-control", "none", "--csv", "--page", "raw", "--metrics", ",".join(profiler.metrics)),
            *("--nvtx", "--nvtx-include", f"{step}/"),  # the launch, without what only sets up
            *map(str, program),
            *("--profile", "--quiet", "--iters", str(run["iters"])),
        )
    )
    if outcome.code != 0:
        reason = last_line(outcome.errors) or ncu.complaint(outcome.output)
        raise ProgramError(reason or f"ncu ended with exit code {outcome.code}, without a message")
    rows = ncu.rows(run, outcome.output)
    report(rows, run["outcome"].get("number", "samples"))
    return rows


def permitted(outcome):
    """Returns the outcome, or ends the command if ncu lacks the permission to count."""
    if "ERR_NVGPUCTRPERM" in outcome.output + outcome.errors:
        raise Halt(FAILED, *NO_PERMISSION)
    return outcome


def report(rows, number):
    """A line on stdout about each kernel; number says what a thread draws."""
    for row in rows:
        limit = limit_of(row)
        busiest = f"{limit_title(limit)} {limit['pct']:.1f} % busy" if limit else "no utilisation known"
        time = "" if row["duration_ms"] is None else f"{row['duration_ms']:.3f} ms, "
        drawn = f", {row['iters']:,} {number} per thread" if row["iters"] > 1 else ""
        print(f"{row['version']:<5} {row['kernel']:<13} {time}{busiest}{drawn}", flush=True)
