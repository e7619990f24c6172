"""Programs of the suite, run for what they record."""

from suite.documents import result
from suite.ladders import naming
from suite.processes import ProgramError, is_program, last_line, run_program


def document_of(path, *arguments, refusal=None):
    """The document that a program prints; None if it ends with the exit code refusal.

    Raises ProgramError if it fails, and ResultError if what it prints is no result.
    """
    arguments = [str(argument) for argument in arguments]
    outcome = run_program(path, *arguments, "--json", "-")
    if outcome.code == refusal:
        return None
    if outcome.code != 0:
        command = " ".join([path.name, *arguments])
        raise ProgramError(f"{command} failed (exit {outcome.code}): {last_line(outcome.errors)}")
    return result.DOCUMENT.parse(outcome.output, path.name)


def versions_in(folder):
    """The programs pi_v<number> in a folder, steps and ablations: absolute paths by version, in order."""
    found = {path.name.removeprefix("pi_"): path.absolute() for path in folder.glob("pi_v*") if is_program(path)}
    return {version: found[version] for version in sorted(filter(naming.is_version, found), key=naming.order)}


def steps_in(folder):
    """Those of the steps alone."""
    return {version: path for version, path in versions_in(folder).items() if naming.is_step({"version": version})}
