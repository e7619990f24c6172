"""PractRand's RNG_test, if it is installed: how to run it and how to read its output."""

import re

PROGRAM = "RNG_test"
COMMAND = [PROGRAM, "stdin32", "-tlmax", "1GB"]  # ends at the first failure or after 1 GB
CPU_SECONDS = 600

VERSION = re.compile(r"^RNG_test using PractRand version (\S+)", re.MULTILINE)
LENGTH = re.compile(r"^length= .*\(2\^(\d+) bytes\)")
FAILURE = re.compile(r"^ *(\S.*?) {2,}R= *\S+ .*\bFAIL\b")


def parse(text):
    """The stored facts of a run: PractRand's version, bytes tested, and the first test that failed or None."""
    version = VERSION.search(text)
    tested, failure = 0, None
    for line in text.splitlines():
        if match := LENGTH.match(line):
            tested = 2 ** int(match[1])
        elif failure is None and (match := FAILURE.match(line)):
            failure = match[1]
    return {"version": version and version[1], "bytes": tested, "first_failure": failure}
