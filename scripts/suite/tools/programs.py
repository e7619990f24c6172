"""Running the suite's programs and reading their records."""

from suite import naming
from suite.documents import kinds, records
from suite.processes import NO_GPU, Lacking, ProgramError, is_program, last_line, run_program


class Bench:
    """Runs programs. All must be of the same build and device."""

    def __init__(self):
        self.document = None  # the documents of all runs, merged

    def run(self, path, *arguments, launcher=(), kind=kinds.RESULT, refusal=None):
        """The run that a program records; None if it ends with the exit code refusal.

        launcher is a command such as mpirun that starts the program, kind that of the document that it prints. Raises
        ProgramError if the program fails, and ResultError if it prints no valid result or is of another build or device than
        the runs before.
        """
        outcome = run_program(*launcher, path, *arguments, "--json", "-")
        if outcome.code == refusal:
            return None
        if outcome.code == NO_GPU:
            raise Lacking(complaint(path, outcome.errors))
        if outcome.code != 0:
            command = " ".join(map(str, [*launcher, path.name, *arguments]))
            raise ProgramError(f"{command} failed (exit {outcome.code}): {complaint(path, outcome.errors)}")
        document = kind.parse(outcome.output, path.name)
        self.document = records.merge(self.document, document) if self.document else document
        return document["runs"][0]


def complaint(path, errors):
    """A program's last message. A launcher may add lines after it."""
    own = [line for line in errors.splitlines() if line.startswith(f"{path.name}: ")]
    return own[-1] if own else last_line(errors) or "no message"


def programs_of(ladder, folder, versions):
    """The programs of these versions that a folder holds: absolute paths by version, each once."""
    paths = {version: (folder / ladder.program(version)).absolute() for version in versions}
    return {version: path for version, path in paths.items() if is_program(path)}


def versions_in(ladder, folder):
    """The programs of a ladder in a folder, steps and ablations: absolute paths by version, in order."""
    prefix = ladder.program("")
    names = [path.name.removeprefix(prefix) for path in folder.glob(f"{prefix}*")]
    versions = {name for name in names if ladder.has(name)} | ladder.with_options.keys()
    return programs_of(ladder, folder, sorted(versions, key=naming.order))


def steps_in(ladder, folder):
    """The programs of the steps only."""
    return {name: path for name, path in versions_in(ladder, folder).items() if naming.is_step({"version": name})}


def commands(ladder, paths):
    """Path and options by version, of paths by version."""
    return {version: (path, *ladder.options(version)) for version, path in paths.items()}
