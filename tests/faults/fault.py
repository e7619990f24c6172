"""What a planted fault is, and the command lines that must find it."""

import re
from typing import NamedTuple

from suite.processes import last_line

VERDICT = 1  # the exit code of a program whose result is wrong, and of a test program in which a test failed


class Check(NamedTuple):
    """A command line that must end well without the fault, and as said here with it."""

    program: str  # the build target, which has the program's name
    arguments: tuple = ()
    mode: str = ""  # of the run, in the table: "profile"; "" for test programs
    before: tuple = ()  # arguments of a run of the sound program before this one; {folder} is a folder of both runs
    launcher: tuple = ()  # a command that runs the program
    code: int = VERDICT
    or_verdict: bool = False  # that code, or a verdict
    says: str = ""  # found in what the program says of its end, a regular expression
    times: int = 1  # it is run: several where it finds the fault by chance
    least: int = 1  # of these runs must find it

    @property
    def command(self):
        return " ".join([*self.launcher, self.program, *self.arguments])


class Fault(NamedTuple):
    """An edit of one file that is wrong, and the checks of which each must find it."""

    kind: str  # what is wrong, the same words for the same fault in several files: "a dropped warp"
    file: str  # from the repository's root
    old: str  # found exactly once in the file
    new: str
    checks: tuple
    library: str = ""  # whose objects alone are compiled anew, where the checks need no others that depend on the file

    @property
    def programs(self):
        return list(dict.fromkeys(check.program for check in self.checks))

    @property
    def name(self):
        return f"{', '.join(self.programs)}: {self.kind}"

    def planted(self, text):
        """The text of the file with the fault. Raises ValueError unless the old text is found exactly once."""
        found = text.count(self.old)
        if found != 1:
            raise ValueError(f"{self.file}: the text of '{self.name}' is found {found} times, not once")
        return text.replace(self.old, self.new)


def is_test_program(program):
    """Whether it is a program of GoogleTest, which says on stdout what failed."""
    return program.endswith("_tests")


def last_words(check, outcome):
    """What was said of the end: the failed tests, the errors that a checker counted, or the program's own last line."""
    if is_test_program(check.program):
        return ", ".join(dict.fromkeys(re.findall(r"^\[  FAILED  \] (\S+\.[^\s,]+)", outcome.output, re.MULTILINE)))
    found = re.findall(
        rf"^(?:{re.escape(check.program)}: |=+ (?=RACECHECK SUMMARY)).*", outcome.output + outcome.errors, re.MULTILINE
    )
    return found[-1] if found else last_line(outcome.errors)


def passed(check, outcome):
    """Whether a program ended well; a test program that ran no test did not."""
    return outcome.code == 0 and not (is_test_program(check.program) and "[  PASSED  ] 0 tests" in outcome.output)


def caught(check, outcome):
    """Whether a program ended as its check says."""
    words = last_words(check, outcome)
    codes = {check.code, VERDICT} if check.or_verdict else {check.code}
    return outcome.code in codes and bool(words) and bool(re.search(check.says, words))
