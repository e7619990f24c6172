"""Run the CPU baseline and the CUDA versions of each ladder, and merge their records into one result file per ladder.

The programs of a ladder are <prefix>_<step> in the --bin folder, such as pi_v8 or options_n3, and its CPU programs,
such as pi_cpu. Every step runs, which is what the main table of a ladder shows; of a ladder whose main table shows
rates of ablations too, these run as well. With --full every ladder's ablations run, each <prefix>_<step>_<name> or a
step with an option, such as another system. With VERSIONs only these steps run, with --full each with its ablations
and options; cpu stands for the CPU programs. For ladders that move arrays, suite_limits measures how fast the machine
moves bytes.

The result goes to <out>/<device>/<ladder>.json if every program succeeds. A version that lacks a library of this
machine, or shared memory of its GPU, is no failure, nor is one with a fault that its verdict must find: its row says
so. If the result was stored, the ablations run, and their result goes to <ladder>-ablations.json in the same folder,
where rows of another commit stay and name it. That of suite_limits goes to limits.json. Without a usable GPU only CPU
programs run, and their results go to <bin>/results/cpu/. If only they are named, their rows join those of the GPU.

With --quick each program is timed for 0.3 s, and its power is not measured. Tables of the rates are printed, results
replace those in <bin>/quick/results/<device>/, and <out> stays as it is.
"""

import re
from pathlib import Path
from typing import NamedTuple

from suite import ladders, numerals, processes
from suite.command import (
    DONE, FAILED, INTERRUPTED, SET_ASIDE, STORED_ROWS, USAGE, Command, Halt, Stop, add_suite, claim_gpu, hold, parse_with_folders,
)  # fmt: skip
from suite.documents import files, kinds, records, storing
from suite.documents.schema import ResultError
from suite.ladder import Ladder
from suite.markdown import NONE
from suite.tools.chosen import of_ladders
from suite.tools.idle_power import idle_power_w
from suite.tools.programs import commands, steps_in, versions_in
from suite.tools.progress import Progress
from suite.processes import ProgramError, is_program, last_line

COMMAND = Command(
    "bench",
    __doc__,
    {
        DONE: "done (also without a GPU, or without what some steps need)",
        FAILED: "a program failed, or the programs do not belong together" + SET_ASIDE,
        USAGE: "bad usage, or no programs in the folder",
        INTERRUPTED: "interrupted; ladders, and ablations, that ran before are stored",
    },
    STORED_ROWS,
)
complain = COMMAND.complain
LIMITS_PROGRAM = "suite_limits"
QUICK_PAGE = "# A quick look\n\n[The rates of each ladder](results/README.md)\n"
CPU = "cpu"  # in place of the name of a GPU, or of a step

# Seconds in which a program is timed at most. With --full it is as long as it chooses, which is OWN_SECONDS.
USUAL_SECONDS, QUICK_SECONDS, OWN_SECONDS = 2.5, 0.3, 15.0
# What to expect of a run before any has ended, as measured on an H200: seconds besides those in which it is timed, seconds
# in which its power is measured if it is timed for longer than that, and the share of its time that it needs.
START_SECONDS, POWER_SECONDS, SHARE = 1.0, 1.0, 0.4


class Program(NamedTuple):
    """A program to run, and the version for its row if it fails."""

    version: str
    command: tuple


class Programs(NamedTuple):
    """What runs of a ladder: programs that need no GPU, its other steps, its ablations, and what measures limits, if it does."""

    ladder: Ladder
    cpu: list
    gpu: list
    ablations: list
    limits: Path | None = None

    @property
    def count(self):
        return len(self.cpu + self.gpu + self.ablations) + bool(self.limits)

    def without_gpu(self):
        """Those that need none."""
        return self._replace(gpu=[], ablations=[program for program in self.ablations if step_of(program) == CPU])


class Session(NamedTuple):
    """What the measurements of all ladders share."""

    options: object
    progress: Progress
    idle_power: float | None
    wide: dict  # the versions that warned about the width of their interval, by ladder
    tables: dict  # of a quick look, to print when all is done, by ladder
    told: set  # the texts of warnings


def main():
    """Run everything and store the results; returns the exit code."""
    options = parse_arguments()
    found = found_programs(options)
    of_gpu = [program for own in found for program in own.gpu]
    reason = why_no_gpu(of_gpu)
    if reason:
        found = [own.without_gpu() for own in found]
    lacks_gpu = reason and (of_gpu or not options.versions)  # otherwise none was asked for
    hold(options.bin / "results" if lacks_gpu else options.out)
    if lacks_gpu:
        complain(0, f"CUDA versions skipped: {reason}")
    found = with_limits(found, options)
    progress = Progress(sum(own.count for own in found), expected_seconds(options.max_time or OWN_SECONDS))
    idle_power = next((idle_power_w(own.gpu[0].command[0], complain) for own in found if own.gpu), None)
    session = Session(options, progress, idle_power, wide={}, tables={}, told=set())
    code = of_ladders([(own.ladder, own) for own in found], COMMAND, lambda _, own: measure(own, session))
    print("".join(f"\n{table}\n" for table in session.tables.values()), end="", flush=True)
    if session.wide and not options.quick:  # whose runs are all short
        wide = "; ".join(f"{suite} {', '.join(versions)}" for suite, versions in session.wide.items())
        complain(0, f"stopped with fewer than 50 timings or an interval wider than 0.5 %: {wide}")
    return code


def measure(own, session):
    """Measure a ladder, and count all its runs as done, even if it ended early; returns the exit code."""
    with session.progress.part(own.count):
        return measure_all(own, session)


def measure_all(own, session):
    """Run a ladder, its ablations and what else its pages need, and store the results; returns the exit code."""
    ladder, options = own.ladder, session.options
    if not own.cpu + own.gpu and (options.versions or not ladder.cpu):
        return DONE
    document = run_all(own.cpu + own.gpu, ladder, session)
    if not document or not document["context"]:
        raise Stop(FAILED, f"no program of {ladder.suite} succeeded, nothing was written")
    if session.idle_power is not None:
        document["context"]["idle_power_w"] = session.idle_power
    if not own.gpu and options.versions and not options.quick:
        document["context"] = context_beside_gpu(document["context"], ladder, options)
    code, is_complete = store(document, kinds.RESULT, ladder, options)
    if options.quick:
        session.tables[ladder.suite] = table(document["runs"], ladder)
        if document["context"]["device"]:  # scripts/render needs the page of a folder with results/
            files.write_text(options.out.parent / "README.md", QUICK_PAGE)
    if not is_complete:
        return code
    codes = [COMMAND.attempt(action, f"no new {kind.name}.json") for kind, action in others(own, document, session)]
    return next(filter(None, [code, *codes]), DONE)


def others(own, document, session):
    """What else is measured beside a ladder's result: the kind of each document, and what measures and stores it."""
    if own.ablations:
        yield kinds.ABLATIONS.of(own.ladder), lambda: store_ablations(own.ablations, document, own.ladder, session)
    if own.limits:
        yield kinds.LIMITS, lambda: store_limits(own.limits, session)


def parse_arguments():
    """Parse and check the options. Ends the command with one line if they are wrong."""
    parser = COMMAND.parser()
    parser.add_argument("versions", nargs="*", metavar="VERSION", help="a step, such as v8, or cpu (default: all)")
    extent = parser.add_mutually_exclusive_group()
    full = "also ablations and further systems, and no limit of time but the programs' own"
    extent.add_argument("--full", action="store_true", help=full)
    extent.add_argument("--quick", action="store_true", help="a first look: prints tables, and stores nothing in <out>")
    usual = f"default {USUAL_SECONDS:g}; with --full {OWN_SECONDS:g}, with --quick {QUICK_SECONDS:g}"
    parser.add_argument(
        "--max-time", type=seconds, metavar="S", help=f"stop measuring each program after S seconds ({usual})"
    )
    parser.add_argument("--partial", action="store_true", help="store the result even if a program failed")
    known = ladders.every_ladder()
    add_suite(parser, known, "all")
    options = parse_with_folders(parser)
    if not options.max_time and not options.full:
        options.max_time = QUICK_SECONDS if options.quick else USUAL_SECONDS
    options.arguments = ["--json", "-", *(["--max-time", f"{options.max_time:g}"] if options.max_time else [])]
    options.ladders = [ladder for ladder in known if not options.suite or ladder.suite in options.suite]
    if options.quick:
        options.out = options.bin / "quick" / "results"
    return options


def seconds(text):
    """A time limit as a number. Raises ValueError."""
    value = float(text)
    if not 0 < value < float("inf"):
        raise ValueError
    return value


def expected_seconds(max_time):
    """Seconds that a run takes on average, if it is timed for so many at most."""
    return START_SECONDS + POWER_SECONDS * (max_time >= POWER_SECONDS) + SHARE * max_time


# Programs


def found_programs(options):
    """What is there to run of each ladder that has anything. Raises Stop if there is nothing of a version, or at all."""
    found = [own for own in (programs_in(options, ladder) for ladder in options.ladders) if own.cpu + own.gpu]
    known = {step_of(program) for own in found for program in own.cpu + own.gpu}
    missing = [version for version in options.versions if version not in known]
    if missing or not found:
        names = ", ".join(ladder.suite for ladder in options.ladders)
        chosen = f" with the versions {', '.join(missing)}" if missing else ""
        raise Stop(USAGE, f"{options.bin} holds no programs of {names}{chosen}")
    return found


def programs_in(options, ladder):
    """The programs to run of a ladder, in the order of their versions."""
    own = all_programs_in(options.bin, ladder, [*options.arguments, *least_time(options, ladder)])
    if not (options.full or ladder.second_rate and not options.versions):
        own = own._replace(ablations=[])
    if not options.versions:
        return own
    return Programs(ladder, *([one for one in kind if step_of(one) in options.versions] for kind in own[1:4]))


def least_time(options, ladder):
    """The option that keeps a full measurement going, for a ladder whose times wander over seconds."""
    is_long = options.full and ladder.full_seconds and not options.max_time
    return ["--min-time", f"{ladder.full_seconds:g}"] if is_long else []


def step_of(program):
    return program.version.partition("_")[0]


def with_limits(found, options):
    """The programs, where the first ladder that needs limits measures them, which are of the machine."""
    needing = [own for own in found if own.gpu and "limits" in own.ladder.sections]
    if not needing or options.versions:
        return found
    path = (options.bin / LIMITS_PROGRAM).absolute()
    if not is_program(path):
        complain(0, f"limits not measured: {options.bin} holds no {path.name}")
        return found
    return [own._replace(limits=path) if own is needing[0] else own for own in found]


def all_programs_in(folder, ladder, arguments):
    """Those of all versions."""
    paths = {version: folder / name for version, (name, *_) in ladder.cpu.items()}
    cpu = [
        Program(version, command(path, *ladder.cpu[version][1:], *arguments))
        for version, path in paths.items()
        if is_program(path)
    ]
    steps = steps_in(ladder, folder)
    others = {
        version: Program(version, command(*program, *arguments))
        for version, program in commands(ladder, versions_in(ladder, folder)).items()
        if version not in ladder.cpu
    }
    gpu = [program for version, program in others.items() if version in steps]
    return Programs(ladder, cpu, gpu, [program for program in others.values() if program not in gpu])


def command(path, *arguments):
    # Absolute, because a bare name would be searched on the PATH.
    return (str(path.absolute()), *arguments)


def why_no_gpu(programs):
    """Why the CUDA versions cannot run here, or None."""
    if not programs:
        return "there are none"
    try:
        return claim_gpu(programs[0].command[0])
    except ProgramError:
        return None  # its run will say so


# Running


def run_all(programs, ladder, session, keep=None):
    """Run programs of a ladder one after another; returns their merged documents, or None without programs.

    On an interrupt keep gets the documents before.
    """
    merged = None
    for program in programs:
        try:
            document = run(program, ladder, session)
        except KeyboardInterrupt:
            if keep and merged:
                keep(merged)
            raise
        merged = records.merge(merged, document) if merged else document
    return merged


def store_ablations(programs, steps, ladder, session):
    """Run the ablations and store them, on an interrupt those that ran before; returns the exit code.

    They must have the context of the steps' document.
    """

    def stored(document):
        records.merge(steps, document)  # refuses another context
        document["context"] = steps["context"]
        return store(document, kinds.ABLATIONS, ladder, session.options)[0]

    def keep(document):
        code = COMMAND.attempt(lambda: stored(document), "no ablation is stored")
        raise Halt(INTERRUPTED, "interrupted" if code else "interrupted, the ablations that ran before are stored")

    return stored(run_all(programs, ladder, session, keep))


def run(program, ladder, session):
    """Run a program of a ladder and say what came of it; returns the document it printed, or one with its error."""
    with session.progress.running(f"{ladder.suite} {program.version}"):
        document = document_of(program, ladder, session)
        tell_warnings(document["runs"][0], program, ladder, session)
    session.progress.end(*outcome_of(document["runs"][0], ladder))
    return document


def document_of(program, ladder, session):
    """The document that a program prints, or one with its error. What else it says is passed on, but for warnings, which the document has."""
    try:
        outcome = processes.execute(*program.command)
    except ProgramError as error:
        return failed_run(ladder, program.version, error, processes.CANNOT_RUN)
    code = processes.shell_code(outcome.code)
    has_failed = code != 0 and code not in processes.INTERRUPTED
    lines = [line for line in outcome.errors.splitlines() if line.strip() and ": warning: " not in line]
    for line in lines[:-1] if has_failed else lines:
        session.progress.pass_on(line)
    if code in processes.INTERRUPTED:
        raise KeyboardInterrupt
    if has_failed:
        return failed_run(ladder, program.version, lines[-1].strip() if lines else processes.exit_text(code), code)
    try:
        return kinds.RESULT.of(ladder).parse(outcome.output, Path(program.command[0]).name)
    except ResultError as error:
        return failed_run(ladder, program.version, error, code)


def failed_run(ladder, version, error, exit_code):
    """A document for a program of a ladder that gave none: one row with its error."""
    return kinds.RESULT.of(ladder).made(None, [records.failed_row(version, error) | {"exit": exit_code}])


def tell_warnings(run, program, ladder, session):
    """Pass on the warnings of a run, the same text once. Those about the width of its interval are gathered instead."""
    warnings = run.get("warnings", [])
    for text in [warning["text"] for warning in warnings if warning["kind"] != "interval"]:
        if text not in session.told:
            session.progress.pass_on(f"{ladder.prefix}_{program.version}: warning: {text}")
        session.told.add(text)
    if any(warning["kind"] == "interval" for warning in warnings):
        session.wide.setdefault(ladder.suite, []).append(program.version)


def outcome_of(run, ladder):
    """What came of a run in words, and whether it is a failure."""
    if records.has_failed(run):
        is_failure = records.is_failure(run) and not has_found_fault(run, ladder)
        return f"{records.failed_word(run)} (exit {run['exit']}): {run['error']}", is_failure
    launches = f"{run['launches']} launch{'' if run['launches'] == 1 else 'es'}"
    return f"{records.rate_text(run)} {ladder.unit}s/ns, {launches}", False


def table(runs, ladder):
    """The rates of a ladder, and their ratios to that of its first step."""
    rates = {run["version"]: run["per_ns"] for run in records.succeeded(runs)}
    first = rates.get(ladder.first)
    lines = [(ladder.suite, ladder.rate.lower(), f"× over {ladder.first}")]
    for run in runs:
        rate = rates.get(run["version"])
        factor = numerals.three_digits(rate["median"] / first["median"]) if rate and first else NONE
        lines.append((run["version"], numerals.median_text(rate) if rate else records.failed_word(run), factor))
    return "\n".join(f"{name:<22} {rate:>18} {factor:>12}" for name, rate, factor in lines)


# Storing


def store(document, kind, ladder, options):
    """Store a ladder's document and print where; returns the exit code, and whether it is complete."""
    kind, device = kind.of(ladder), document["context"]["device"]
    failed = [run for run in document["runs"] if records.has_failed(run)]
    expected = [run for run in failed if device and not records.is_failure(run) or has_found_fault(run, ladder)]
    for run in expected:
        complain(0, f"no rate of {run['version']}: {run['error']}")
    failed = [run["version"] for run in failed if run not in expected]
    stored, aside = storing.folders(document["context"], options)
    is_whole = options.partial or options.quick or not failed
    is_kept = bool(device and is_whole)
    replaces = options.quick or not is_kept
    target = storing.store(document, kind, stored if is_kept else aside, aside, replaces=replaces)
    if not failed:
        print(f"wrote {target}", flush=True)
        return DONE, is_whole
    return complain(FAILED, f"{', '.join(failed)} failed: {outcome(target, stored / target.name, device)}"), is_whole


def context_beside_gpu(context, ladder, options):
    """The context of rows of the CPU, with what is stored of the GPU beside it: as it was, where no such rows are stored.

    The GPU is that which a program of the ladder lists; if there is none, that of stored rows from the same build and machine.
    """
    kind, name = kinds.RESULT.of(ladder), gpu_of(ladder, options.bin)
    for path in sorted(options.out.glob(f"{records.device_slug(name) if name else '*'}/{kind.name}.json")):
        before = kind.load(path)["context"]
        own = before | {field: value for field, value in context.items() if value is not None}
        if before["device"] and (name or not storing.context_difference(before, own)):
            return own
    return context


def gpu_of(ladder, folder):
    """The name of the first GPU that a program of the ladder lists; None without a program, "cpu" without a GPU."""
    program = next(iter(all_programs_in(folder, ladder, []).gpu), None)
    listed = processes.run_program(program.command[0], "--list-devices").output if program else None
    found = re.match(r"0  ([^,\n]+)", listed or "")
    return found[1] if found else program and CPU


def has_found_fault(run, ladder):
    return ladder.is_faulty(run["version"]) and run["exit"] == processes.NO_VERDICT


def outcome(target, stored, device):
    """Where the result with failures was written."""
    if target == stored:
        return f"{stored} has no new rate of it"
    stays = f"{stored} is not replaced, " if device else ""
    return f"{stays}the incomplete result is in {target}"


# Limits


def store_limits(path, session):
    """Measure how fast the machine moves bytes, and store it. Raises Stop, ProgramError and ResultError."""
    with session.progress.running("limits"):
        document = measured_limits(path)
    session.progress.end(", ".join(f"{row['name']} {row['gbps']:.4g} GB/s" for row in document["limits"]))
    return storing.keep(document, kinds.LIMITS, session.options)


def measured_limits(path):
    """The document that the program prints. Raises ProgramError and ResultError."""
    outcome = processes.run_program(path, "--json", "-")
    if outcome.code != 0:
        raise ProgramError(last_line(outcome.errors) or processes.exit_text(processes.shell_code(outcome.code)))
    return kinds.LIMITS.parse(outcome.output, path.name)
