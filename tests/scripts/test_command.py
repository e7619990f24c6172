#!/usr/bin/env python3
"""Tests of what all commands of scripts/ share (suite/command.py): options, one-line errors, exit codes, their ends."""

import fcntl
import itertools
import os
import signal
import socket
import subprocess
import sys
import time
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import PCI_ADDRESS, SCRIPTS, Sandbox, copied_scripts, entered

from suite.command import Command

from interrupts import setUpModule  # noqa: F401

COMMANDS = sorted({path.name for path in SCRIPTS.iterdir() if path.is_file()} - {"setup", "trees"})
# The programs that each needs before it runs anything.
MEASURING = {
    "bench": ("pi_v8",), "convergence": ("pi_v8",), "merit": ("pi_v8",), "profile": ("pi_v8",),
    "calls": ("lecture_k1",), "run_peers": ("pi_v11", "pi_v27", "peer_thrust"), "scaling": ("pi_v11",), "seeds": ("pi_v23",),
}  # fmt: skip

# Runs a command of this name, whose main does what the test says.
COMMAND = """
import sys
sys.dont_write_bytecode = True
sys.path.insert(0, {scripts!r})
from suite.command import Command, Stop
from suite.documents.schema import ResultError
from suite import processes


def main():
    options = command.parser().parse_args()
    {body}
command = Command("example", "About.", {{7: "seven\\nor more"}}, {options})
sys.exit(command.run(main))
"""


class CommandTest(Sandbox):
    def command(self, body, *arguments, options="", **process_options):
        script = COMMAND.format(scripts=str(SCRIPTS), body=body, options=options)
        return self.execute(sys.executable, "-c", script, *arguments, **process_options)

    def test_help_has_what_every_command_ends_with(self):
        process = self.succeeded(self.command("pass", "--help"))
        expected = """exit codes:
  0    done
  2    bad usage
  5    the result could not be written
  7    seven or more
  130  interrupted; nothing was written
"""
        self.assertTrue(process.stdout.endswith(expected), process.stdout)

    def test_help_fits_80_columns(self):
        narrow = mock.patch.dict(os.environ, {"COLUMNS": "80"})
        for script in COMMANDS:
            with self.subTest(script), narrow:
                text = self.succeeded(entered(script, "--help")).stdout
                self.assertIn("exit codes:", text)
                self.assertEqual([], [line for line in text.splitlines() if len(line) > 80])

    def test_rows_of_a_list_in_help_go_on_below_their_text(self):
        about = "About.\n\nwords and\nmore:\n  ROW  " + "text " * 19 + "text\n       end\n  other\n\nlast"
        help_text = Command("example", about, {}).parser().format_help()
        self.assertIn("words and more:\n  ROW  text", help_text)
        self.assertRegex(help_text, r"text\n       text( text)* end\n  other\n\nlast\n")

    def test_ends(self):
        for body, options, code, line in (
            ("raise Stop(7, 'first')", "", 7, "first"),
            ("raise KeyboardInterrupt", "", 130, "interrupted, nothing was written"),
            ("raise KeyboardInterrupt", "unfinished=''", 130, "interrupted"),
            ("raise ResultError('broken')", "", 1, "broken; nothing was written"),
            ("raise processes.ProgramError('v8 failed')", "", 1, "v8 failed; nothing was written"),
            ("raise ResultError('broken')", "unfinished='', broken=2", 2, "broken"),
            ("raise OSError(28, 'No space')", "", 5, "stopped: No space"),
            ("raise OSError(13, 'Denied', '/there')", "", 5, "stopped: /there: Denied"),
            ("raise Stop(7, 'two\\nlines \\x1b[2J')", "", 7, "two lines ?[2J"),
        ):
            with self.subTest(body=body, options=options):
                process = self.command(body, options=options)
                self.assertEqual((code, f"example: {line}\n"), (process.returncode, process.stderr))

    def test_several_lines(self):
        process = self.command("raise Stop(7, 'first', 'second')")
        self.assertEqual((7, "example: first\nexample: second\n"), (process.returncode, process.stderr))

    def test_what_cannot_be_encoded_is_no_failure(self):
        process = self.command("print('\\u03c0')", env=os.environ | {"PYTHONIOENCODING": "ascii"})
        self.assertEqual((0, "\\u03c0\n"), (process.returncode, process.stdout))

    def test_standard_output_is_closed(self):
        process = self.command(
            "pass", preexec_fn=lambda: os.close(1), stdout=None, stderr=subprocess.PIPE, capture_output=False
        )
        self.assert_ends(process, 5, "example: standard output is closed")

    def test_standard_output_is_full(self):
        for body, arguments in (("print(1, flush=True)", ()), ("print(1)", ()), ("pass", ("--help",))):
            with open("/dev/full", "w") as full:
                streams = {"stdout": full, "stderr": subprocess.PIPE, "capture_output": False}
                env = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
                self.assert_ends(self.command(body, *arguments, env=env, **streams), 5, "No space left")


class EveryCommandTest(Sandbox):
    def setUp(self):
        super().setUp()
        self.bin, self.out = self.root / "bin", self.root / "out"
        self.bin.mkdir()

    def add(self, name, body):
        for program in MEASURING[name]:
            self.add_script(self.bin / program, body)

    def run_measuring(self, name):
        return entered(name, "--bin", self.bin, "--out", self.out)

    def each(self, names=COMMANDS):
        for name in names:
            with self.subTest(name):
                yield name

    def test_help_names_the_exit_codes(self):
        for name in self.each():
            process = self.succeeded(entered(name, "--help"))
            for part in (f"usage: {name}", "exit codes:\n  0    done", "\n  2    bad usage", "\n  130  interrupted"):
                self.assertIn(part, process.stdout)

    def test_a_python_that_does_not_look_beside_its_script(self):
        """PYTHONSAFEPATH, which some users set for all that they run."""
        for name in ("bench", "networks", "quality"):
            self.succeeded(self.execute(SCRIPTS / name, "--help", env=os.environ | {"PYTHONSAFEPATH": "1"}))

    def test_options_that_there_are_not(self):
        needed = {
            "compare": ("a", "b"),
            "merge": ("a",),
            "render": (),
            "report": (),
            "sass": (),
            "profile": (),
            "story_diff": ("pi_v8",),
        }
        for name in self.each():
            given = needed.get(name, ("--bin", self.bin, "--out", self.out))
            self.assert_ends(entered(name, *given, "--frobnicate"), 2, f"{name}: ", "--frobnicate")

    def test_folders_have_defaults_and_no_short_names(self):
        for name in self.each(sorted({"quality", *MEASURING})):
            shown = self.succeeded(entered(name, "--help")).stdout
            for folder in ("build", "results"):
                self.assertRegex(shown, rf"\(default:\s+([./]*/)?{folder}\)")
            self.assert_ends(entered(name, "--bin", self.bin, "--o", self.out), 2, "--o")

    def test_bin_that_is_no_folder(self):
        (self.root / "file").write_text("")
        for name in self.each([*MEASURING, "sass"]):
            out = () if name == "sass" else ("--out", self.out)
            for folder in ("nowhere", "file"):
                process = entered(name, "--bin", self.root / folder, *out)
                self.assert_ends(process, 2, f"--bin {self.root / folder}: not a folder")

    def test_a_folder_without_programs(self):
        for name in self.each([*MEASURING, "quality", "sass"]):
            out = () if name == "sass" else ("--out", self.out)
            self.assert_ends(entered(name, "--bin", self.bin, *out), 2, f"{self.bin} holds no")

    def test_without_a_gpu_nothing_is_measured(self):
        for name in self.each(sorted(MEASURING.keys() - {"bench", "profile"})):
            self.add(name, "echo 'pi: no driver' >&2; exit 3")
            self.assert_ends(self.run_measuring(name), 0, f"{name}: nothing measured: pi: no driver")
            self.assertFalse(self.out.exists())

    def test_programs_that_fail(self):
        for name in self.each(MEASURING):
            self.add(
                name,
                "[ $1 = --list-devices ] && printf '0  GPU\\n1  GPU\\n' && exit; echo first >&2; echo out of luck >&2; exit 4",
            )
            process = self.failed(self.run_measuring(name), "out of luck")
            self.assertIn("nothing was written", process.stderr.splitlines()[-1])
            self.assertFalse(self.out.exists())

    def test_results_go_where_no_other_command_stores_any(self):
        self.out.mkdir()
        other = os.open(self.out, os.O_RDONLY)
        fcntl.flock(other, fcntl.LOCK_EX)
        for name in self.each(MEASURING):
            self.add(name, "[ $1 = --list-devices ] && printf '0  GPU\\n1  GPU\\n' && exit; exit 4")
            self.assert_ends(self.run_measuring(name), 2, f"{name}: {self.out}: in use by another command")
        os.close(other)  # as at the end of a process, whatever ends it
        self.failed(self.run_measuring("bench"), "nothing was written")
        self.assertEqual([], os.listdir(self.out))

    def test_results_go_where_something_can_be_written(self):
        (self.root / "file").touch()
        self.out = self.root / "file" / "out"
        for name in self.each(MEASURING):
            self.add(name, "[ $1 = --list-devices ] && printf '0  GPU\\n1  GPU\\n' && exit; exit 4")
            self.assert_ends(self.run_measuring(name), 5, f"{name}: {self.out}: nothing can be written there\n")

    def test_one_command_at_a_time_measures_on_a_gpu(self):
        listed = f"0  GPU, 8 GiB, PCI {PCI_ADDRESS}\\n1  GPU, 8 GiB, PCI 0000:9B:00.0\\n"
        other = socket.socket(socket.AF_UNIX)
        other.bind(f"\0measuring on {PCI_ADDRESS}")
        for name in self.each(sorted(MEASURING.keys() - {"profile"})):
            self.add(name, f"[ $1 = --list-devices ] && printf '{listed}' && exit; exit 4")
            self.assert_ends(
                self.run_measuring(name), 2, f"{name}: the GPU at {PCI_ADDRESS} is in use by another command"
            )
        other.close()  # as at the end of a process, whatever ends it
        self.failed(self.run_measuring("bench"), "nothing was written")

    def test_programs_that_say_they_were_interrupted(self):
        for name in self.each(MEASURING):
            for code in (129, 130, 143):
                self.add(name, f"[ $1 = --list-devices ] && printf '0  GPU\\n1  GPU\\n' && exit; exit {code}")
                self.assert_ends(self.run_measuring(name), 130, f"{name}: interrupted, nothing was written")
            self.assertFalse(self.out.exists())

    def test_an_interrupt_ends_the_program_too(self):
        pid, numbers = self.root / "pid", itertools.cycle((signal.SIGTERM, signal.SIGHUP, signal.SIGINT))
        for name in self.each(MEASURING):
            pid.unlink(missing_ok=True)
            self.add(
                name,
                f"[ $1 = --list-devices ] && printf '0  GPU\\n1  GPU\\n' && exit; echo $$ > '{pid}'; exec sleep 60",
            )
            command = [str(SCRIPTS / name), "--bin", str(self.bin), "--out", str(self.out)]
            with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True) as process:
                self.addCleanup(process.kill)
                deadline = time.monotonic() + 30
                while not (pid.exists() and pid.read_text()) and time.monotonic() < deadline:
                    time.sleep(0.02)
                process.send_signal(next(numbers))
                _, said = process.communicate(timeout=30)
            self.assertEqual((130, f"{name}: interrupted, nothing was written\n"), (process.returncode, said))
            self.assertFalse(self.out.exists())
            with self.assertRaises(ProcessLookupError):
                os.kill(int(pid.read_text()), 0)

    def test_from_anywhere_by_any_path_and_without_bytecode(self):
        scripts = copied_scripts(self.root)
        link = self.root / "link"
        ways = itertools.cycle([("./{}", scripts), ("scripts/{}", self.root), (str(link), "/")])
        for name in self.each():
            link.unlink(missing_ok=True)
            link.symlink_to(scripts / name)
            command, folder = next(ways)
            self.assertEqual(0, self.execute(command.format(name), "--help", cwd=folder).returncode)
        self.assertEqual([], list(self.root.rglob("__pycache__")))


if __name__ == "__main__":
    unittest.main()
