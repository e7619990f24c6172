"""Tests of words on the GPU at the scale of use: which there are, how many words each reads, and running them."""

from suite.analyse import words
from suite.command import DONE, FAILED, Stop
from suite.documents import kinds, storing
from suite.processes import NO_GPU, ProgramError, last_line, run_program
from suite.tools.progress import Progress

PROGRAM = "suite_words"
SEED = 20261126
AT_ONCE = 10**14  # words of a run of the program, after which its sums are stored
RECURRENCE = 10**15  # words for the parity that the recurrence ties, of the generators that steps use most
MOST = ("alternating_mrg", "dot_mrg", "folded_mrg", "mrg", "shifted_mrg")
OF_TEST = {
    "successive": 10**12,
    "tied": 3 * 10**12,
    "lags": 3 * 10**12,
    "products": 3 * 10**12,
}  # atomic additions are slow
OTHERS, OF_FIRST_WORDS, OF_CONTROL = 10**13, 2 * 10**11, 10**12
SECONDS = 6  # of a run, about


def goal(generator, test, order):
    """How many words a test reads."""
    if test == "recurrence" and order == "stream" and generator in MOST:
        return RECURRENCE
    least = [OF_TEST.get(test, OTHERS)]
    least += [OF_CONTROL] if generator in words.CONTROLS else []
    least += [OF_FIRST_WORDS] if order != "stream" else []
    return min(least)


def test(options, command):
    """Run what is missing, and store the sums after each run; returns the exit code."""
    program = (options.bin / PROGRAM).absolute()
    document = kinds.WORDS.stored_in(options.out)
    rows = {key_of(row): row for row in document["rows"]} if document else {}
    plan = runs_missing(listed(program), {} if options.redo else rows)
    progress = Progress(len(plan), SECONDS)
    for key, launch, count in plan:
        with progress.running(" ".join(key)):
            measured = run(program, key, launch, count)
        row = measured["rows"][0]
        before = rows.get(key)
        rows[key] = words.added(before, row) if before and words.is_continued(before, row) else row
        document = kinds.WORDS.made(measured["context"], list(rows.values()))
        storing.put(options.out, document, kinds.WORDS)
        progress.end(text_of(rows[key]))
    complaints = words.complaints(document) if document else []
    for complaint in complaints:
        command.complain(FAILED, complaint)
    return FAILED if complaints else DONE


def listed(program):
    """Generator, test and order of everything that the program can sum, each with the words of a launch and the fingerprint."""
    outcome = run_program(program, "--list")
    if outcome.code != 0:
        raise ProgramError(f"{PROGRAM} --list failed (exit {outcome.code})")
    lines = [line.split() for line in outcome.output.splitlines()[1:]]
    return {tuple(key): (int(count), fingerprint) for *key, count, fingerprint in lines}


def runs_missing(known, rows):
    """The runs that complete the goals: key, first launch, words: controls first, the long ones last. Sums that do not add up
    are made anew, in one run.
    """
    runs = []
    for key, (of_launch, fingerprint) in known.items():
        row, wanted = rows.get(key), goal(*key)
        if row and (row["fingerprint"], row["seed"]) != (fingerprint, SEED):
            row = None  # of other words
        adds = key[1] not in OF_TEST
        done, launch = (row["words"], row["launches"][-1][1]) if row else (0, 0)
        if not adds and done < wanted:
            runs.append((key, 0, wanted))
            continue
        while done < wanted:
            launches = -(-min(AT_ONCE, wanted - done) // of_launch)
            runs.append((key, launch, launches * of_launch))
            done, launch = done + launches * of_launch, launch + launches
    return sorted(runs, key=lambda run: (goal(*run[0]) == RECURRENCE, run[0][0] not in words.CONTROLS))


def run(program, key, launch, count):
    """The document of a run of the program."""
    generator, name, order = key
    arguments = [
        "--generator",
        generator,
        "--test",
        name,
        "--order",
        order,
        "--words",
        count,
        "--launch",
        launch,
        "--seed",
        SEED,
    ]
    outcome = run_program(program, *arguments, "--json", "-")
    if outcome.code == NO_GPU:
        raise Stop(DONE, "nothing measured: no usable GPU")
    if outcome.code != 0:
        raise ProgramError(
            f"{PROGRAM} {' '.join(map(str, arguments))} failed (exit {outcome.code}): {last_line(outcome.errors)}"
        )
    return kinds.WORDS.parse(outcome.output, PROGRAM)


def key_of(row):
    return row["generator"], row["test"], row["order"]


def text_of(row):
    """What a row found, in a line."""
    worst = max(words.found_in(row), key=lambda found: -found.p)
    rate = row["words"] / row["seconds"] / 1e9
    return f"{row['words']:.2g} words, {rate:,.0f}/ns, {worst.name} {worst.where}: {worst.largest:+.1f} sd of {worst.count}"
