"""Profile CUDA versions with Nsight Compute, and store its counters.

Profiles the versions named (v8 v11 …), or every pi_v<number> of the --bin
folder, and writes <out>/<device>/profile.json, a row for each kernel. Rows stored there
of other versions stay, if they are of the same build and machine; if not, nothing
is replaced, and the profile goes to <bin>/results/<device>/.
"""

import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from suite.command import FAILED, NO_GPU, REPOSITORY, SET_ASIDE, UNWRITTEN, USAGE, Command, Stop, require_folder
from suite.documents import checks, result, storing
from suite.documents.profile import limit_title
from suite.measure import ncu
from suite.measure.programs import steps_in
from suite.processes import ProgramError, execute, is_program, last_line, run_program

COMMAND = Command("profile", __doc__, {
    FAILED: "a version could not be profiled, there is no ncu or no permission, or a broken profile is stored" + SET_ASIDE,
    USAGE: "bad usage, or no such programs in the folder",
    NO_GPU: "no usable GPU",
    UNWRITTEN: "the profile could not be written",
})
complain = COMMAND.complain

ROOT = Path(os.path.relpath(REPOSITORY))
NCU_PLACES = ("/usr/local/cuda/bin", "/opt/nvidia/nsight-compute")

# ncu launches a kernel about 20 times over, to count one thing after another. Where one launch takes longer
# than this, fewer samples keep that to seconds, at the price that setting up the generators weighs more.
LONG_LAUNCH_MS = 1000
FEWER_ITERS = 10_000

# Where each launch is a point set, a program refuses fewer than so many, which have no error estimate.
LAUNCHES = ("1", str(result.FEWEST_DEPENDENT))

NO_NCU = f"""ncu (Nsight Compute) is neither on the PATH nor in {' or '.join(NCU_PLACES)}: it comes with the CUDA \
Toolkit, or from https://developer.nvidia.com/nsight-compute"""

NO_PERMISSION = (
    "no permission for the GPU's performance counters (ERR_NVGPUCTRPERM): run this as root, with sudo or, in a "
    "container, with --cap-add=SYS_ADMIN",
    "an administrator can permit it to every user with the driver's option NVreg_RestrictProfilingToAdminUsers=0: "
    "https://developer.nvidia.com/ERR_NVGPUCTRPERM",
)


class Profiler(NamedTuple):
    """An ncu, its version, and the metrics to ask it for."""

    path: str
    version: str
    metrics: list


def main():
    """Profile and store; returns the exit code."""
    options = parse_arguments()
    programs = programs_of(options)
    failed = {}
    documents = for_each(programs, failed, lambda program: describe(program, options.iters))
    if not documents:
        raise Stop(FAILED, "no program succeeded, nothing was written")
    context = shared_context(documents.values())
    folder, aside = storing.folders(context, options)
    storing.read(folder, storing.PROFILE)  # refuses a broken one before anything is profiled
    profiler = find_profiler()
    context["ncu"] = profiler.version
    programs = {version: programs[version] for version in documents}
    rows = for_each(programs, failed, lambda program: profile(program, documents[program.version], profiler))
    if not rows:
        raise Stop(FAILED, "no version could be profiled, nothing was written")
    kernels = sum(rows.values(), [])
    kernels += [checks.failed_row(version, failure) for version, failure in failed.items()]
    document = storing.PROFILE.document.made(context, kernels)
    return storing.keep(document, storing.PROFILE, folder, aside)


def parse_arguments():
    """The options, checked; leaves with one line if they are bad."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help="a version to profile, as v8 (default: all)")
    for name, folder, what in (("--bin", "build", "programs"), ("--out", "results", "results")):
        text = f"the folder of the {what} (default: %(default)s)"
        parser.add_argument(name, type=Path, default=ROOT / folder, metavar="DIR", help=text)
    parser.add_argument(
        "--iters",
        metavar="N",
        help="samples per thread (default: the program's own, or "
        f"{FEWER_ITERS:,} where a launch takes over {LONG_LAUNCH_MS / 1000:g} s)",
    )
    options = parser.parse_args()
    require_folder(options.bin)
    return options


def for_each(programs, failed, action):
    """What the action gives for each program, by version. Those it fails for are told, and added to failed."""
    done = {}
    for version, program in programs.items():
        try:
            done[version] = action(program)
        except ProgramError as failure:
            failed[version] = failure
            complain(FAILED, f"{version} failed: {failure}")
    return done


# Programs


class Program(NamedTuple):
    version: str
    path: str  # absolute, because a bare name would be looked for on the PATH


def programs_of(options):
    """The programs to profile, by version, in the order of their numbers."""
    there = steps_in(options.bin)
    missing = [version for version in options.versions if version not in there]
    if missing:
        raise Stop(USAGE, f"{options.bin} holds no pi_{missing[0]}")
    if not there:
        raise Stop(USAGE, f"{options.bin} holds no pi_v<number>")
    wanted = options.versions or there
    return {version: Program(version, str(path)) for version, path in there.items() if version in wanted}


def describe(program, iters):
    """The document of one launch as it will be profiled: where it runs, its shape and its samples."""
    document = run_once(program, ["--iters", iters] if iters else [])
    run = document["runs"][0]
    if not iters and run["iters"] > FEWER_ITERS and max(run["kernel_ms"]) > LONG_LAUNCH_MS:
        document = run_once(program, ["--iters", str(FEWER_ITERS)])
    return document


def run_once(program, arguments):
    """The document of a run of as few launches as the program accepts."""
    for launches in LAUNCHES:
        outcome = run_program(program.path, "--launches", launches, *arguments, "--json", "-")
        if outcome.code != USAGE:
            break
    if outcome.code == NO_GPU:
        raise Stop(NO_GPU, last_line(outcome.errors) or "no usable GPU")
    if outcome.code != 0:
        raise ProgramError(last_line(outcome.errors) or f"exit code {outcome.code}, without a message")
    try:
        document = result.DOCUMENT.parse(outcome.output, Path(program.path).name)
    except checks.ResultError as error:
        raise ProgramError(error) from None
    if document["context"]["device"] is None:
        raise ProgramError("it did not run on a GPU")
    return document


def shared_context(documents):
    """The context that all documents share."""
    first, *others = documents
    for document in others:
        first = result.merge(first, document)
    return dict(first["context"])


# ncu


def find_profiler():
    path = find_ncu()
    if not path:
        raise Stop(FAILED, NO_NCU)
    version = ncu.tool_version(execute(path, "--version").output)
    known = ncu.known_metrics(permitted(execute(path, "--query-metrics")).output)
    if not known:
        complain(0, f"{path} does not say which metrics it has: asking for the usual ones")
    missing = ncu.missing_fields(known)
    if missing:
        print(f"ncu {version} has no metric here for: {', '.join(missing)}", flush=True)
    return Profiler(path, version, ncu.metrics_to_request(known))


def find_ncu():
    """The path of ncu, "" if there is none. Of several in /opt the newest."""
    usual, installed = map(Path, NCU_PLACES)
    newest = sorted(installed.glob("*/ncu"), key=lambda path: [int(part) for part in re.findall(r"\d+", str(path))])
    places = [shutil.which("ncu"), usual / "ncu", *reversed(newest)]
    return next((str(path) for path in places if path and is_program(path)), "")


def profile(program, document, profiler):
    """The rows of a version's kernels."""
    run = document["runs"][0]
    outcome = permitted(
        execute(
            profiler.path,
            *("--clock-control", "none", "--csv", "--page", "raw", "--metrics", ",".join(profiler.metrics)),
            *(program.path, "--profile", "--quiet", "--iters", str(run["iters"])),
        )
    )
    if outcome.code != 0:
        reason = last_line(outcome.errors) or ncu.complaint(outcome.output)
        raise ProgramError(reason or f"ncu ended with exit code {outcome.code}, without a message")
    try:
        rows = ncu.rows(program.version, outcome.output, run)
    except ncu.NcuError as error:
        raise ProgramError(error) from None
    report(rows)
    return rows


def permitted(outcome):
    """The outcome, unless ncu lacks the permission to count anything."""
    if ncu.lacks_permission(outcome.output + outcome.errors):
        raise Stop(FAILED, *NO_PERMISSION)
    return outcome


def report(rows):
    """A line on stdout about each kernel."""
    for row in rows:
        limit = row["limit"]
        busiest = f"{limit_title(limit)} {limit['pct']:.1f} % busy" if limit else "no utilisation known"
        time = "" if row["duration_ms"] is None else f"{row['duration_ms']:.3f} ms, "
        print(f"{row['version']:<6}{row['kernel']:<14}{time}{busiest}, {row['iters']:,} samples a thread", flush=True)
