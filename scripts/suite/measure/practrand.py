"""PractRand's RNG_test, where it is installed: how it is run, and what its output says."""

import re

PROGRAM = "RNG_test"
COMMAND = [PROGRAM, "stdin32", "-tlmax", "1GB"]  # ends at the first failure, or there
CPU_SECONDS = 600

VERSION = re.compile(r"^RNG_test using PractRand version (\S+)", re.MULTILINE)
LENGTH = re.compile(r"^length= .*\(2\^(\d+) bytes\)")
FAILURE = re.compile(r"^ *(\S.*?) {2,}R= *\S+ .*\bFAIL\b")


def parse(text):
    """What is stored of a run: PractRand's version, bytes tested, and the first test that failed, None if none did."""
    version = VERSION.search(text)
    tested, failure = 0, None
    for line in text.splitlines():
        if match := LENGTH.match(line):
            tested = 2 ** int(match[1])
        elif failure is None and (match := FAILURE.match(line)):
            failure = match[1]
    return {"version": version and version[1], "bytes": tested, "first_failure": failure}
