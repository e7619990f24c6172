"""Profile CUDA versions with Nsight Compute, and store its counters.

Profiles the given versions (v8 v11 …), or every pi_v<number> of the --bin
folder, and writes <out>/<device>/pi-profile.json with a row for each kernel. Stored
rows of other versions stay if they are of the same build and machine. If not,
nothing is replaced, and the profile goes to <bin>/results/<device>/.
"""

import os
import re
import shutil
from pathlib import Path
from typing import NamedTuple

from suite.command import FAILED, NO_GPU, REPOSITORY, SET_ASIDE, UNWRITTEN, USAGE, Command, Stop, require_folder
from suite.documents import checks, kinds, result, storing
from suite.documents.accepted import FEWEST_DEPENDENT
from suite.documents.profile import limit_title
from suite.ladders import naming, pi
from suite.measure import ncu
from suite.measure.programs import steps_in
from suite.processes import ProgramError, execute, is_program, last_line, run_program

COMMAND = Command("profile", __doc__, {
    FAILED: "a version could not be profiled, ncu or permission is missing, or the stored profile is broken" + SET_ASIDE,
    USAGE: "bad usage, or no such programs in the folder",
    NO_GPU: "no usable GPU",
    UNWRITTEN: "the profile could not be written",
})
complain = COMMAND.complain

PROFILE = kinds.PROFILE.of(pi)
ROOT = Path(os.path.relpath(REPOSITORY))
NCU_PLACES = ("/usr/local/cuda/bin", "/opt/nvidia/nsight-compute")

# ncu repeats a kernel about 20 times, for one group of counters after another. If a launch takes longer than this,
# fewer samples keep the profile to seconds. Then the set-up of the generators weighs more.
LONG_LAUNCH_MS = 1000
FEWER_ITERS = 10_000

# A program whose launches are point sets refuses fewer launches, which give no error estimate.
LAUNCHES = ("1", str(FEWEST_DEPENDENT))

NO_NCU = f"""ncu (Nsight Compute) is not on the PATH and not in {' or '.join(NCU_PLACES)}: install it with the CUDA \
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
    options = parse_arguments()
    paths = programs_of(options)
    failed = {}
    documents = for_each(paths, failed, lambda version: describe(paths[version], options.iters))
    if not documents:
        raise Stop(FAILED, "no program succeeded, nothing was written")
    context = shared_context(documents.values())
    folder, _ = storing.folders(context, options)
    storing.read(folder, PROFILE)  # refuses a broken profile before profiling starts
    profiler = find_profiler()
    context["ncu"] = profiler.version
    rows = for_each(documents, failed, lambda version: profile(paths[version], documents[version]["runs"][0], profiler))
    if not rows:
        raise Stop(FAILED, "no version could be profiled, nothing was written")
    kernels = sum(rows.values(), [])
    kernels += [checks.failed_row(version, failure) for version, failure in failed.items()]
    document = PROFILE.document.made(context, kernels)
    return storing.keep(document, PROFILE, options)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help="a version to profile, such as v8 (default: all)")
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


def for_each(versions, failed, action):
    """The results of action(version) by version. Failures are reported and added to failed."""
    done = {}
    for version in versions:
        try:
            done[version] = action(version)
        except ProgramError as failure:
            failed[version] = failure
            complain(FAILED, f"{version} failed: {failure}")
    return done


# Programs


def programs_of(options):
    """The programs to profile, by version, in the order of their numbers."""
    there = steps_in(pi, options.bin)
    missing = [version for version in options.versions if version not in there]
    if missing:
        raise Stop(USAGE, f"{options.bin} holds no {naming.program(pi, missing[0])}")
    if not there:
        raise Stop(USAGE, f"{options.bin} holds no pi_v<number>")
    wanted = options.versions or there
    return {version: path for version, path in there.items() if version in wanted}


def describe(path, iters):
    """The document of one launch, run as it will be profiled."""
    document = run_once(path, ["--iters", iters] if iters else [])
    run = document["runs"][0]
    if not iters and run["iters"] > FEWER_ITERS and max(run["kernel_ms"]) > LONG_LAUNCH_MS:
        document = run_once(path, ["--iters", FEWER_ITERS])
    return document


def run_once(path, arguments):
    """The document of a run of as few launches as the program accepts."""
    for launches in LAUNCHES:
        outcome = run_program(path, "--launches", launches, *arguments, "--json", "-")
        if outcome.code != USAGE:
            break
    if outcome.code == NO_GPU:
        raise Stop(NO_GPU, last_line(outcome.errors) or "no usable GPU")
    if outcome.code != 0:
        raise ProgramError(last_line(outcome.errors) or f"exit code {outcome.code}, without a message")
    try:
        document = result.DOCUMENT.parse(outcome.output, path.name)
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


def profile(path, run, profiler):
    """The rows of the kernels of a version, whose run of one launch is given."""
    outcome = permitted(
        execute(
            profiler.path,
            *("--clock-control", "none", "--csv", "--page", "raw", "--metrics", ",".join(profiler.metrics)),
            *(str(path), "--profile", "--quiet", "--iters", str(run["iters"])),
        )
    )
    if outcome.code != 0:
        reason = last_line(outcome.errors) or ncu.complaint(outcome.output)
        raise ProgramError(reason or f"ncu ended with exit code {outcome.code}, without a message")
    rows = ncu.rows(run, outcome.output)
    report(rows)
    return rows


def permitted(outcome):
    """Returns the outcome, or ends the command if ncu lacks the permission to count."""
    if ncu.lacks_permission(outcome.output + outcome.errors):
        raise Stop(FAILED, *NO_PERMISSION)
    return outcome


def report(rows):
    """A line on stdout about each kernel."""
    for row in rows:
        limit = row["limit"]
        busiest = f"{limit_title(limit)} {limit['pct']:.1f} % busy" if limit else "no utilisation known"
        time = "" if row["duration_ms"] is None else f"{row['duration_ms']:.3f} ms, "
        print(f"{row['version']:<6}{row['kernel']:<14}{time}{busiest}, {row['iters']:,} samples per thread", flush=True)
