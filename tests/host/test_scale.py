#!/usr/bin/env python3
"""Runs that are stopped and continued, and runs of several processes, by pi_cpu. No GPU is used: one that is present is hidden.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository). Tests of MPI skip where
the program is built without it or there is no mpirun.
"""

import json
import os
import random
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
import unittest
import zlib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).parent))

import mpi_launcher
from test_programs import setUpModule  # noqa: F401
from test_programs import (
    BIN,
    CPU,
    DEADLINE,
    ENDLESS,
    ESTIMATE,
    INTERRUPTED,
    OLD,
    RATE,
    Sandbox,
    catches,
    environment,
    strict_json,
)

GPU_PROGRAM = BIN / "pi_v8"
SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
STREAMS = 4096
ITERS = 100
LAUNCH = STREAMS * ITERS
SMALL = ("--iters", str(ITERS), "--threads", "1")
FAR = ("--launches", "1M")  # a quarter of an hour, in timings of some milliseconds
FAR_LAUNCHES = "1,000,000"
OFTEN = ("--checkpoint-every", "0.02")
SAVED = re.compile(r"pi_cpu: interrupted after ([\d,]+) of ([\d,]+) launches, saved to (.+)\n")
FULL = os.environ.get("SUITE_TESTS") == "full"  # make test-full sets it
KILLS, INTERRUPTS = (50, 12) if FULL else (8, 4)
SEED = 20240229  # of the random moments
TALLY_KEYS = {"program", "options", "ranges", "goal", "work_per_launch", "state"}
HOST = os.uname().nodename


def limit_files(process_id, limit):
    """The largest file that a process may write from now on."""
    _, most = resource.prlimit(process_id, resource.RLIMIT_FSIZE)
    resource.prlimit(process_id, resource.RLIMIT_FSIZE, (limit, most))


def answer(run):
    """The result of a run, which any way to do the same launches must give; only the marks of the trace follow its batches."""
    return run["outcome"] | {"launches": run["launches"], "trace": None}


def number(text):
    return int(text.replace(",", ""))


class Stored:
    """The text of a stored run: a result with a tally, and the CRC-32 of its shortest form without the checksum."""

    def __init__(self, text):
        [self.run] = strict_json(text)["runs"]
        self.tally = self.run["tally"]
        self.document = json.loads(text, parse_float="@{}@".format)  # which C++ may write in other digits than Python
        if self.document.pop("checksum") != self.checksum(self.document):
            raise AssertionError("no CRC-32 of the rest")

    @staticmethod
    def text(document, **how):
        return re.sub('"@([^"]*)@"', r"\1", json.dumps(document, ensure_ascii=False, **how)).encode()

    def checksum(self, document):
        return f"{zlib.crc32(self.text(document, separators=(',', ':'))):08x}"

    def with_(self, run={}, **changes):
        """Its text with other values of the run and the tally, None for a value to be left out, and the checksum that fits."""
        tally = {key: value for key, value in (self.tally | changes).items() if value is not None}
        document = self.document | {"runs": [self.document["runs"][0] | run | {"tally": tally}]}
        return self.text(document | {"checksum": self.checksum(document)}, indent=1) + b"\n"


def done_in(tally):
    [[first, end]] = tally["ranges"]
    return end - first


class ScaleSandbox(Sandbox):
    plain_runs = {}  # by their launches: they are the same every time

    def setUp(self):
        super().setUp()
        self.file = self.root / "pi.checkpoint"

    def record(self, process):
        self.assert_succeeds(process)
        [run] = strict_json(process.stdout)["runs"]
        return run

    def run_of(self, *arguments, **options):
        return self.record(self.execute(CPU, *arguments, "--json", "-", **options))

    def plain(self, launches):
        """A run of this many launches, by one process and without a break."""
        if launches not in self.plain_runs:
            self.plain_runs[launches] = self.run_of(*SMALL, "--launches", launches)
        return self.plain_runs[launches]

    def assert_same_answer(self, run, launches):
        self.assertEqual(answer(run), answer(self.plain(launches)))

    def assert_marks_are_true(self, trace):
        """Each mark of a trace is what a run that ends there counts."""
        for samples, hits in trace:
            self.assertEqual((samples % LAUNCH, hits), (0, self.plain(samples // LAUNCH)["outcome"]["hits"]), trace)

    def saved(self):
        return Stored(self.file.read_bytes()).tally

    def done(self):
        """Launches in the file; -1 before there is one."""
        return done_in(self.saved()) if self.file.exists() else -1

    def wait_for_progress(self, process, beyond=0):
        self.wait_for(
            f"more than {beyond} launches in the file", lambda: process.poll() is not None or self.done() > beyond
        )
        self.assertIsNone(process.poll(), "it ended")

    def start_saving(self, *arguments):
        """A long run that has saved something."""
        process = self.start(CPU, *SMALL, *FAR, "--checkpoint", self.file, *OFTEN, *arguments)
        self.wait_for_progress(process)
        return process

    def save(self, launches, *arguments):
        """A checkpoint of a run that ended."""
        self.assert_succeeds(self.execute(CPU, *SMALL, "--launches", launches, "--checkpoint", self.file, *arguments))

    def save_part(self):
        """A checkpoint of a run that did not end. Returns its launches."""
        process = self.start_saving()
        process.kill()
        process.wait()
        return self.done()

    def resume(self, *arguments):
        return self.run_of("--resume", self.file, "--threads", "1", *arguments)

    def assert_continues_exactly(self):
        """A resumed run with a goal a little further gives what a whole run gives."""
        done = self.done()
        run = self.resume("--launches", done + 37)
        self.assertEqual(run["resumed_from"], done)
        self.assert_same_answer(run, done + 37)

    def assert_refused(self, *arguments, names=(), code=2):
        """The command ends with one line, and changes no file."""
        before = {path.name: path.read_bytes() for path in self.root.iterdir() if path.is_file()}
        with self.subTest(command=shlex.join(map(str, ["pi_cpu", *arguments]))):
            self.assert_fails(self.execute(CPU, *arguments), code, *map(str, names))
            self.assertEqual({path.name: path.read_bytes() for path in self.root.iterdir() if path.is_file()}, before)


class CpuBatch(ScaleSandbox):
    def test_times_so_many_at_once(self):
        hits = self.plain(11)["outcome"]["hits"]
        for batch, timings in ((1, 11), (2, 6), (5, 3), (11, 1), (50, 1)):
            with self.subTest(batch=batch):
                run = self.run_of(*SMALL, "--launches", 11, "--batch", batch)
                self.assertEqual((run["outcome"]["hits"], len(run["kernel_ms"])), (hits, timings))
                self.assertGreaterEqual(batch, run["batch"])
                self.assert_marks_are_true(run["outcome"]["trace"])

    def test_by_the_stopping_rule(self):
        run = self.run_of(*SMALL, "--max-time", "0.3", "--batch", "3")
        self.assertEqual((run["batch"], run["launches"]), (3, 3 * len(run["kernel_ms"])))


class CpuCheckpoint(ScaleSandbox):
    def test_finished_run(self):
        run = self.run_of(*SMALL, "--launches", 6, "--checkpoint", self.file)
        self.assert_same_answer(run, 6)
        self.assertIsNone(run["resumed_from"])
        self.assertEqual(os.listdir(self.root), [self.file.name])
        stored = Stored(self.file.read_bytes())
        self.assertEqual(stored.run, run | {"tally": stored.tally})
        self.assertEqual(set(stored.tally), TALLY_KEYS)
        self.assertEqual((stored.tally["program"], stored.tally["options"]), ("pi_cpu", {}))
        self.assertEqual(
            (stored.tally["ranges"], stored.tally["goal"], stored.tally["work_per_launch"]), ([[0, 6]], 6, LAUNCH)
        )

    def test_a_run_that_goes_on_has_no_figures(self):
        self.save_part()
        run = Stored(self.file.read_bytes()).run
        self.assertEqual((run["stopped"], run["outcome"], run["per_ns"], run["kernel_ms"]), ("more", None, None, []))

    def test_name_without_a_folder(self):
        self.assert_succeeds(self.execute(CPU, *SMALL, "--launches", "2", "--checkpoint", self.file.name))
        self.assertEqual(self.done(), 2)
        self.assert_succeeds(self.execute(CPU, "--resume", self.file.name, "--launches", "3"))
        self.assertEqual((self.done(), os.listdir(self.root)), (3, [self.file.name]))

    def test_places_where_no_file_can_be_are_noticed_before_measuring(self):
        (self.root / "file").touch()
        for path in ("missing/file", "file/file"):
            with self.subTest(path=path):
                self.assert_fails(self.execute(CPU, *SMALL, *ENDLESS, "--checkpoint", path, seconds=5), 5, path)
        self.assertEqual(os.listdir(self.root), ["file"])

    def test_result_and_checkpoint_in_one_file(self):
        for result, checkpoint in (("file", "file"), ("./file", "file"), ("file", self.root / "file")):
            self.assert_refused("--launches", "1", "--checkpoint", checkpoint, "--json", result, names=["--json"])
        self.save(1)
        (self.root / "link").symlink_to(self.file.name)
        self.assert_refused("--launches", "2", "--resume", "link", "--json", self.file, names=["--json"])

    def test_nothing_is_left_of_a_run_that_is_refused(self):
        self.assert_refused(
            *SMALL,
            "--launches",
            "3",
            "--checkpoint",
            self.file,
            "--json",
            "missing/pi.json",
            names=["missing/pi.json"],
            code=5,
        )


class CpuResume(ScaleSandbox):
    def test_to_a_new_goal(self):
        self.save(5)
        run = self.resume("--launches", 11, "--batch", "1")
        self.assert_same_answer(run, 11)
        self.assertEqual((run["resumed_from"], len(run["kernel_ms"]), self.done()), (5, 6, 11))
        self.assertAlmostEqual(run["per_ns"]["max"] * min(run["kernel_ms"]) * 1e6 / LAUNCH, 1, places=3)
        self.assertEqual(run["outcome"]["trace"], self.plain(11)["outcome"]["trace"])

    def test_nothing_left_to_do(self):
        self.save(5)
        before = self.saved()
        for goal in ((), ("--launches", "5"), ("--samples", 4 * LAUNCH + 1)):
            with self.subTest(goal=goal):
                process = self.execute(CPU, "--resume", self.file, *goal)
                self.assert_succeeds(process)
                self.assertRegex(process.stdout, ESTIMATE)
                self.assertNotIn(RATE, process.stdout + process.stderr)
                run = self.resume(*goal)
                self.assert_same_answer(run, 5)
                self.assertEqual((run["resumed_from"], run["kernel_ms"], run["per_ns"]), (5, [], None))
                self.assertEqual(self.saved(), before)

    def test_threads_and_batch_may_be_others(self):
        self.save(3)
        self.assert_same_answer(
            self.run_of("--resume", self.file, "--launches", 6, "--threads", "2", "--batch", "2"), 6
        )
        self.assert_same_answer(self.run_of("--resume", self.file, "--launches", 9, "--threads", "1"), 9)

    def test_what_the_file_does_not_say_is_refused(self):
        self.save(3)
        for option, value in (
            ("--iters", ITERS + 1),
            ("--seed", 1235),
            ("--seed", "random"),
            ("--launches", 2),
            ("--samples", 2 * LAUNCH),
        ):
            self.assert_refused("--resume", self.file, option, value, names=[option])

    def test_files_that_are_refused(self):
        (self.root / "folder").mkdir()
        for path in ("missing", "folder", "/dev/zero"):
            self.assert_refused("--resume", path, names=[path])
        self.save(3)
        self.assert_refused(*SMALL, "--launches", "3", "--checkpoint", self.file, names=[self.file, "--resume"])


class CpuDamage(ScaleSandbox):
    def setUp(self):
        super().setUp()
        self.save(3)
        self.text = self.file.read_bytes()

    def outcome(self, name, text):
        """What --resume says to a file with this text, and whether the file stays as it is."""
        path = self.root / name
        path.write_bytes(text)
        process = subprocess.run(
            [CPU, "--resume", path, "--threads", "1"],
            env=environment(),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=DEADLINE,
        )
        one_line = (
            bool(re.fullmatch(r"[^\n]*\S[^\n]*\n", process.stderr))
            and str(path) in process.stderr
            and not process.stdout
        )
        kept = path.read_bytes() == text
        path.unlink()
        return process.returncode, one_line, kept, process.stderr

    def assert_all_refused(self, texts, says=""):
        """Texts by what is wrong with them. In parallel: a process each takes a while."""
        with ThreadPoolExecutor(len(os.sched_getaffinity(0))) as pool:
            outcomes = pool.map(lambda pair: self.outcome(f"file{pair[0]}", pair[1]), enumerate(texts.values()))
        for what, (code, one_line, kept, told) in zip(texts, outcomes):
            with self.subTest(what=what):
                self.assertEqual((code, one_line, kept), (2, True, True), told)
                self.assertIn(says, told)

    def assert_forgeries_refused(self, forgeries):
        stored = Stored(self.text)
        self.assert_all_refused({str(changes): stored.with_(**changes) for changes in forgeries})

    def test_damaged(self):
        """stored_test.cpp changes every bit, and tries every length."""
        half = len(self.text) // 2
        texts = {
            "one bit": self.text[:half] + bytes([self.text[half] ^ 1]) + self.text[half + 1 :],
            "half": self.text[:half],
            "nothing": b"",
            "twice": self.text * 2,
        }
        for zeros in (2, 100, len(self.text)):  # as a file system may leave them after a power cut
            texts[f"{zeros} zeros"] = self.text[: len(self.text) - zeros] + bytes(zeros)
        self.assert_all_refused(texts, says="damaged")

    def test_what_is_sealed_anew_is_accepted(self):
        self.file.write_bytes(Stored(self.text).with_())
        self.assert_same_answer(self.resume("--launches", 5), 5)

    def test_checkpoints_of_before_are_refused_by_name(self):
        old = b'{\n "schema": 4,\n "kind": "checkpoint",\n "program": "pi_cpu"\n}\n'
        self.assert_all_refused({"old": old + b"CRC-32 %08x\n" % zlib.crc32(old)}, says="older version")

    def test_other_runs(self):
        self.assert_forgeries_refused(
            [
                dict(program="pi_v8"),
                dict(program=""),
                dict(run={"streams": 2048}),
                dict(run={"iters": 101}),
                dict(run={"iters": 0}),
                dict(run={"blocks": 1, "threads": STREAMS}),
                dict(work_per_launch=LAUNCH + 1),
            ]
        )

    def test_contradictions(self):
        state = self.saved()["state"]
        changed = [
            dict(state=state[:at] + [value] + state[at + 1 :])
            for at, value in ((0, 4), (2, 3 * LAUNCH + 1), (6, 0), (1, 2), (8, 0))
        ]
        self.assert_forgeries_refused(
            [
                dict(goal=2),
                dict(goal=0),
                dict(ranges=[[0, 4]]),
                dict(ranges=[[0, 2]]),
                dict(ranges=[[0, 2], [1, 2]]),
                dict(state=[]),
                dict(state=state[:-1]),
                dict(state=state + [1]),
                *changed,
            ]
        )


class CpuMerge(ScaleSandbox):
    """Runs of a few launches each, as the tasks of a job array, are added."""

    def part(self, name, first, end, *arguments):
        self.assert_succeeds(
            self.execute(CPU, *SMALL, "--launches", f"{first}:{end}", "--checkpoint", name, *arguments)
        )
        return name

    def merge(self, *arguments):
        return self.execute(SCRIPTS / "merge", "--bin", BIN, *arguments)

    def merged(self, *files):
        self.assert_succeeds(self.merge(*files, "--json", self.target))
        stored = Stored(self.target.read_bytes())
        return stored.run, stored.tally["ranges"]

    def test_parts_are_one_run(self):
        parts = [self.part("b", 4, 9), self.part("c", 9, 10), self.part("a", 0, 4)]
        run, ranges = self.merged(*parts)
        self.assert_same_answer(run, 10)
        self.assertEqual((ranges, run["kernel_ms"], run["per_ns"]), ([[0, 10]], [], None))

    def test_sums_are_added_further(self):
        _, ranges = self.merged(self.part("a", 0, 4), self.part("c", 6, 9))
        self.assertEqual(ranges, [[0, 4], [6, 9]])
        (self.root / "sum").write_bytes(self.target.read_bytes())
        self.assert_refused("--resume", "sum", names=["sum"])
        run, ranges = self.merged("sum", self.part("b", 4, 6))
        self.assert_same_answer(run, 9)
        self.assertEqual(ranges, [[0, 9]])

    def test_a_part_goes_on(self):
        self.part(self.file, 5, 8)
        self.assertEqual(self.resume("--launches", 6)["resumed_from"], 3)
        run, ranges = self.merged(self.file, self.part("a", 0, 5))
        self.assert_same_answer(run, 11)
        self.assert_refused("--resume", self.file, "--launches", "4:12", names=["--resume"])

    def assert_not_merged(self, *files, names=(), code=2):
        process = self.merge(*files, "--json", self.target)
        self.assertEqual((process.returncode, process.stdout), (code, ""), process.stderr)
        for name in names:
            self.assertIn(name, process.stderr)
        self.assertFalse(self.target.exists())

    def test_what_is_no_part_of_one_run_is_refused(self):
        a = self.part("a", 0, 4)
        self.assert_not_merged(a, a, names=["launch 0 is in a too"])
        self.assert_not_merged(a, self.part("b", 3, 6), names=["launch 3 is in a too"])
        self.assert_not_merged(a, self.part("seed", 4, 6, "--seed", "7"), names=["seed: holds a run of seed 7"])
        self.assert_succeeds(self.execute(CPU, "--iters", "7", "--launches", "4:6", "--checkpoint", "iters"))
        self.assert_not_merged(a, "iters", names=["iters: holds launches of another shape"])

    def test_damaged_files_are_refused(self):
        a, b = self.part("a", 0, 4), self.root / self.part("b", 4, 6)
        text = b.read_bytes()
        for damaged in (text[:-100], text.replace(b'"goal": 2', b'"goal": 3'), b"", b"{}"):
            b.write_bytes(damaged)
            self.assert_not_merged(a, b, names=[str(b)])
            self.assert_not_merged(b, a, names=[str(b)])

    def test_the_sum_is_judged(self):
        parts = [self.part(name, first, first + 4) for name, first in (("a", 0), ("b", 4))]
        for name in parts:  # the same launches under other numbers
            (self.root / name).write_bytes(
                Stored((self.root / "a").read_bytes()).with_(ranges=[[0, 4] if name == "a" else [4, 8]])
            )
        self.assert_not_merged(*parts, names=["published the same"], code=1)

    def test_another_commit_is_warned_of(self):
        self.part("a", 0, 4)
        stored = Stored((self.root / "a").read_bytes())
        stored.document["context"]["commit"] = "0123456789abcdef"
        (self.root / "a").write_bytes(stored.with_())
        self.assertIn("a was begun with the program of commit 0123456789ab", self.merge("a").stderr)

    def test_a_part_says_which_it_is(self):
        self.assert_refused("--launches", "3:5", names=["--launches", "--checkpoint"])
        self.assert_refused("--launches", "3:5", "--checkpoint", "a", "--scaling", "weak", names=["--launches", "weak"])
        for odd in ("5:5", "5:3", ":3", "3:", "a:b", "1:2:3"):
            self.assert_refused("--launches", odd, "--checkpoint", "a", names=["--launches"])


class CpuInUse(ScaleSandbox):
    def test_second_process_is_refused(self):
        process = self.start_saving()
        (self.root / "link").symlink_to(self.file.name)
        for _ in range(5):
            before = self.done()
            for path in (self.file, "link"):
                self.assert_fails(self.execute(CPU, "--resume", path, *OFTEN), 2, str(path), "in use by another")
            self.assert_fails(self.execute(CPU, *SMALL, *FAR, "--checkpoint", self.file), 2, str(self.file))
            self.wait_for_progress(process, before)  # it saves, to a new file each time, and stays the owner
        process.kill()
        process.wait()
        self.assert_continues_exactly()


class CpuSignals(ScaleSandbox):
    def assert_saved(self, stderr, goal=FAR_LAUNCHES):
        """The last line names the goal, the file and the launches in it. Returns these."""
        line = SAVED.fullmatch(stderr.splitlines(keepends=True)[-1])
        self.assertTrue(line, stderr)
        self.assertEqual((number(line[1]), line[2], line[3]), (self.done(), goal, str(self.file)))
        return self.done()

    def test_saves_and_tells(self):
        for signum in INTERRUPTED:
            with self.subTest(signal=signum.name):
                process = self.interrupt(self.start_saving(), signum)
                done = self.assert_saved(process.stderr)
                whole = self.execute(CPU, *SMALL, "--launches", done)
                self.assertEqual(ESTIMATE.search(process.stdout)[0], ESTIMATE.search(whole.stdout)[0])
                self.assertEqual(os.listdir(self.root), [self.file.name])
                self.assert_continues_exactly()
                self.file.unlink()

    def test_at_any_moment(self):
        """Interrupted again and again, before the first launch and in the warm-up too: no launch is lost or counted twice."""
        moments = random.Random(SEED)
        self.save_part()
        for i in range(INTERRUPTS):
            before, delay, signum = self.done(), moments.uniform(0, 0.4), moments.choice(list(INTERRUPTED))
            with self.subTest(interrupt=i, signal=signum.name, delay=delay):
                process = self.start(CPU, "--resume", self.file, "--threads", "1", *OFTEN)
                self.wait_for("a handler", lambda: catches(process, signum))
                with self.assertRaises(subprocess.TimeoutExpired):
                    process.wait(delay)
                stderr = self.interrupt(process, signum).stderr
                if stderr == "pi_cpu: interrupted, no result\n":  # before the run went on
                    self.assertEqual(self.done(), before)
                else:
                    self.assertGreaterEqual(self.assert_saved(stderr), before)
        self.assert_continues_exactly()


class CpuKilled(ScaleSandbox):
    # Four seconds, in parts of a few tenths; a launch is longer than a timing need be.
    RUN = ("--iters", "200", "--threads", "1", "--launches", "1500")

    def part(self):
        """The run from its start, or from where the file is."""
        from_file = (
            ("--resume", self.file, "--threads", "1") if self.file.exists() else (*self.RUN, "--checkpoint", self.file)
        )
        return self.start(CPU, *from_file, *OFTEN, "--json", "-")

    def kill_after(self, process, delay):
        """Whether the process was still there to be killed."""
        try:
            process.wait(delay)
            return False
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            return True

    def run_with_kills(self, moments, kills):
        """A run that is killed this many times, unless it ends before. Returns its record, and how often it was killed."""
        self.file.unlink(missing_ok=True)
        killed, done = 0, -1
        while killed < kills:
            process, delay = self.part(), moments.uniform(0, 0.6)
            if not self.kill_after(process, delay):
                break
            killed += 1
            before, done = done, self.done()  # which finds the file whole
            self.assertGreaterEqual(done, before, f"kill {killed}, seed {SEED}, after {delay} s")
        else:
            process = self.part()
        return self.record(self.finish(process)), killed

    def test_at_any_moment(self):
        whole = self.run_of(*self.RUN)
        moments = random.Random(SEED)
        runs = kills = 0
        while kills < KILLS:
            run, killed = self.run_with_kills(moments, KILLS - kills)
            self.assertEqual(
                (run["launches"], run["outcome"]), (whole["launches"], whole["outcome"]), f"seed {SEED}, run {runs}"
            )
            self.assertEqual(self.done(), 1500)
            runs, kills = runs + 1, kills + killed
            self.assertLess(runs, KILLS, "they end before they can be killed")


class CpuDiskFull(ScaleSandbox):
    def fill_disk(self, process):
        """Lets the process write no more, and returns its warning."""
        limit_files(process.pid, 10)
        return self.read(process.stderr.fileno(), until=lambda text: text.endswith("\n"))

    def test_full_for_a_while(self):
        process = self.start_saving()
        warning = self.fill_disk(process)
        self.assertRegex(warning, rf"\Api_cpu: warning: [^\n]*{re.escape(str(self.file))}[^\n]*\n")
        full = self.done()
        time.sleep(0.2)  # ten more intervals, in which nothing is saved
        self.assertEqual(self.done(), full)
        limit_files(process.pid, resource.RLIM_INFINITY)
        self.wait_for_progress(process, full)
        process = self.interrupt(process, signal.SIGINT)
        self.assertTrue(SAVED.fullmatch(process.stderr.splitlines(keepends=True)[-1]), process.stderr)
        self.assertEqual(os.listdir(self.root), [self.file.name])
        self.assert_continues_exactly()

    def test_full_when_it_is_interrupted(self):
        process = self.start_saving()
        self.fill_disk(process)
        full = self.file.read_bytes()
        process = self.interrupt(process, signal.SIGTERM, code=5)
        self.assertIn(str(self.file), process.stderr.splitlines()[-1])
        self.assertEqual(self.file.read_bytes(), full)
        self.assertEqual(os.listdir(self.root), [self.file.name])
        self.assert_continues_exactly()


class AnnouncedWorld(ScaleSandbox):
    """A launcher that promises a world in the environment, and starts one process."""

    OPEN_MPI = ("OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK")
    MPICH = ("PMI_SIZE", "PMI_RANK")
    SLURM = ("SLURM_STEP_NUM_TASKS", "SLURM_PROCID")

    def announced(self, names, size, rank, *arguments):
        return self.execute(
            CPU,
            *SMALL,
            "--launches",
            "3",
            *arguments,
            seconds=60,
            env=environment() | mpi_launcher.SETTINGS | dict(zip(names, (str(size), str(rank)))),
        )

    def test_built_without_mpi(self):
        if mpi_launcher.mpi_of(CPU):
            self.skipTest("built with MPI")
        for names in (self.OPEN_MPI, self.MPICH, self.SLURM):
            with self.subTest(names=names):
                process = self.announced(names, 2, 0, "--json", self.target)
                self.assert_fails(process, 2, "MPI")
                process = self.announced(names, 2, 1, "--json", self.target)
                self.assertEqual((process.returncode, process.stdout, process.stderr), (2, "", ""))
                self.assertEqual(os.listdir(self.root), [])

    def test_another_world_than_announced(self):
        if not mpi_launcher.mpi_of(CPU):
            self.skipTest("built without MPI")
        for names in (self.OPEN_MPI, self.MPICH, self.SLURM):
            with self.subTest(names=names):
                process = self.announced(names, 2, 0)
                self.assertEqual((process.returncode, process.stdout), (2, ""), process.stderr)
                [line] = [line for line in process.stderr.splitlines() if line.startswith("pi_cpu: ")]
                self.assertRegex(line, r"\b2\b.*\b1\b|\b1\b.*\b2\b")


class MpiSandbox(ScaleSandbox):
    @classmethod
    def setUpClass(cls):
        reason = mpi_launcher.why_not(CPU)
        if reason:
            raise unittest.SkipTest(reason)

    def setUp(self):
        super().setUp()
        self.addCleanup(mpi_launcher.kill_all_in, self.root)

    def start_ranks(self, ranks, *arguments, program=CPU):
        return self.start_mpirun("-np", ranks, program, *arguments)

    def start_mpirun(self, *arguments):
        return self.start(mpi_launcher.MPIRUN, *arguments, env=self.environment() | mpi_launcher.SETTINGS)

    def execute_ranks(self, ranks, *arguments, **options):
        run = lambda: self.finish(self.start_ranks(ranks, *arguments, **options), seconds=120)
        process = run()
        return run() if mpi_launcher.LOST_COUNT.search(process.stderr) else process

    def run_of_ranks(self, ranks, *arguments):
        return self.record(self.execute_ranks(ranks, *arguments, "--json", "-"))

    def wait_for_ranks(self, number):
        """Process ids of this many ranks, by rank."""
        self.wait_for(f"{number} ranks", lambda: len(mpi_launcher.ranks_in(self.root, CPU)) == number)
        return mpi_launcher.ranks_in(self.root, CPU)

    def start_saving_ranks(self, ranks, *arguments):
        """A long run that has saved something, and the process ids of its ranks."""
        process = self.start_ranks(ranks, *SMALL, *FAR, "--checkpoint", self.file, *OFTEN, *arguments)
        self.wait_for_progress(process)
        return process, self.wait_for_ranks(ranks)

    def assert_no_process_is_left(self):
        self.wait_for("the end of every rank", lambda: not mpi_launcher.processes_in(self.root))

    def own_lines(self, process):
        """The lines of stderr that the program wrote: mpirun writes others."""
        return [line for line in process.stderr.splitlines() if re.search(r"\bpi_\w+: ", line)]

    def assert_one_error(self, process, code, *parts):
        """This exit code, one line from the program, no result."""
        told = f"{shlex.join(process.args)}\nexit {process.returncode}\nstdout {process.stdout!r}\nstderr {process.stderr!r}"
        self.assertEqual(process.returncode, code, told)
        self.assertEqual(process.stdout, "", told)
        self.assertEqual(len(self.own_lines(process)), 1, told)
        for part in parts:
            self.assertRegex(self.own_lines(process)[0], part)
        self.assertNotIn(RATE, process.stderr)


class MpiHits(MpiSandbox):
    def test_any_number_of_ranks(self):
        whole = self.plain(37)
        for ranks in (1, 2, 3, 4):
            for batch in ((), ("--batch", "1"), ("--batch", "5"), ("--batch", "37")):
                with self.subTest(ranks=ranks, batch=batch):
                    run = self.run_of_ranks(ranks, *SMALL, "--launches", "37", *batch)
                    self.assertEqual(answer(run), answer(whole))

    def test_random_seed_is_one_for_all(self):
        run = self.run_of_ranks(3, *SMALL, "--launches", "9", "--seed", "random")
        self.assertEqual(answer(run), answer(self.run_of(*SMALL, "--launches", "9", "--seed", run["seed"])))

    def test_marks_of_the_trace(self):
        for batch in ((), ("--batch", "1"), ("--batch", "4")):
            run = self.run_of_ranks(3, *SMALL, "--launches", "11", *batch)
            self.assertEqual(run["outcome"]["trace"][-1], [run["outcome"]["samples"], run["outcome"]["hits"]])
            self.assert_marks_are_true(run["outcome"]["trace"])

    def test_by_the_stopping_rule(self):
        run = self.run_of_ranks(2, *SMALL, "--max-time", "0.5")
        self.assertEqual(run["outcome"]["hits"], self.plain(run["launches"])["outcome"]["hits"])

    def test_ranks_of_unlike_speed(self):
        # The second rank has twice the threads, or half a core: shares may be unequal, the hits may not.
        process = self.start_mpirun(
            "-np",
            1,
            CPU,
            "--iters",
            ITERS,
            "--threads",
            1,
            "--launches",
            37,
            "--batch",
            9,
            "--json",
            "-",
            ":",
            "-np",
            1,
            CPU,
            "--iters",
            ITERS,
            "--threads",
            2,
            "--launches",
            37,
            "--batch",
            9,
            "--json",
            "-",
        )
        self.assert_same_answer(self.record(self.finish(process, seconds=60)), 37)


class MpiScaling(MpiSandbox):
    def test_more_ranks_than_launches(self):
        run = self.run_of_ranks(3, *SMALL, "--launches", "2")
        self.assert_same_answer(run, 2)
        self.assertEqual(sorted(member["launches"] for member in run["team"]["members"]), [0, 1, 1])

    def test_weak_scaling_multiplies_the_work(self):
        for work in (("--launches", "5"), ("--samples", 5 * LAUNCH)):
            with self.subTest(work=work):
                run = self.run_of_ranks(3, *SMALL, *work, "--scaling", "weak")
                self.assert_same_answer(run, 15)
                self.assertEqual(run["team"]["scaling"], "weak")

    def test_batches(self):
        for scaling, batch, timings in (("strong", 6, 3), ("weak", 18, 3)):
            with self.subTest(scaling=scaling):
                run = self.run_of_ranks(3, *SMALL, "--launches", "18", "--batch", "6", "--scaling", scaling)
                self.assertEqual((run["batch"], len(run["kernel_ms"])), (batch, timings))


class MpiReport(MpiSandbox):
    def test_record(self):
        document = strict_json(self.execute_ranks(3, *SMALL, "--launches", "30", "--batch", "6", "--json", "-").stdout)
        [run] = document["runs"]
        team = run["team"]
        self.assertEqual(set(team), {"kind", "scaling", "size", "mpi", "hosts", "wall_ms", "members"})
        self.assertEqual((team["kind"], team["scaling"], team["size"]), ("mpi", "strong", 3))
        self.assertIn(mpi_launcher.flavour(mpi_launcher.mpi_of(CPU)), team["mpi"])
        [host] = team["hosts"]
        self.assertEqual(host.partition(".")[0], HOST.partition(".")[0])
        self.assertEqual((len(team["wall_ms"]), len(run["kernel_ms"]), run["batch"]), (5, 5, 6))
        self.assertGreater(min(team["wall_ms"]), 0)
        self.assertEqual([member["rank"] for member in team["members"]], [0, 1, 2])
        for member in team["members"]:
            self.assertEqual(
                set(member),
                {"rank", "host", "device", "name", "launches", "per_ns", "sm_clock_mhz", "throttle", "power_w"},
            )
            self.assertEqual(
                (member["host"], member["device"], member["sm_clock_mhz"], member["throttle"], member["power_w"]),
                (host, *[None] * 4),
            )
            self.assertGreater(member["per_ns"], 0)
        self.assertEqual(sum(member["launches"] for member in team["members"]), 30)
        self.assertEqual(run["launches"], 30)
        median = sorted(run["kernel_ms"])[2]
        self.assertAlmostEqual(run["per_ns"]["median"] * median * 1e6 / LAUNCH, 1, places=3)

    def test_only_one_rank_prints(self):
        process = self.execute_ranks(3, *SMALL, "--launches", "12")
        self.assert_succeeds(process)
        self.assertEqual(len(ESTIMATE.findall(process.stdout)), 1)
        self.assertEqual(len(re.findall(rf"(?m)^  rate .*{RATE}", process.stdout)), 1)
        self.assertEqual(
            len(self.own_lines(process)), len(set(self.own_lines(process))), process.stderr
        )  # each warning once

    def test_result_file(self):
        self.assert_succeeds(self.execute_ranks(2, *SMALL, "--launches", "12", "--json", self.target))
        [run] = strict_json(self.target.read_text())["runs"]
        self.assert_same_answer(run, 12)
        self.assertEqual(os.listdir(self.root), [self.target.name])

    def test_help_and_version_once(self):
        for option in ("--help", "--version"):
            with self.subTest(option=option):
                process = self.execute_ranks(3, option)
                self.assert_succeeds(process)
                self.assertEqual(process.stdout, self.execute(CPU, option).stdout)

    def test_threads_are_per_rank(self):
        self.assertEqual(self.run_of_ranks(2, "--iters", ITERS, "--launches", "4", "--threads", "2")["threads"], 2)

    def test_cores_are_shared_by_the_ranks_of_a_host(self):
        cores = len(os.sched_getaffinity(0))
        for ranks in (2, 4):
            with self.subTest(ranks=ranks):
                process = self.start_mpirun(
                    "-bind-to", "none", "-np", ranks, CPU, "--iters", ITERS, "--launches", "4", "--json", "-"
                )
                self.assertEqual(self.record(self.finish(process, seconds=60))["threads"], max(1, cores // ranks))


def origin(rank):
    """A pattern of how an error names its rank. Rank 0 prints the errors and does not name itself."""
    return rf"rank {rank} \({re.escape(HOST)}[^()]*\): " if rank > 0 else ""


class MpiErrors(MpiSandbox):
    WORK = ("--iters", str(ITERS), "--threads", "2", "--launches", "200")

    def start_with_one_that_throws(self, ranks, thrower, work=WORK):
        """Ranks of which one may use fewer threads than it is told to use."""
        contexts = []
        for rank in range(ranks):
            command = ("env", "OMP_THREAD_LIMIT=1", CPU) if rank == thrower else (CPU,)
            contexts += [":"] * bool(contexts) + ["-np", 1, *command, *work]
        return self.start_mpirun(*contexts)

    def test_one_rank_throws(self):
        for ranks, thrower in ((2, 0), (2, 1), (3, 1), (4, 3)):
            with self.subTest(ranks=ranks, thrower=thrower):
                process = self.finish(self.start_with_one_that_throws(ranks, thrower), seconds=60)
                self.assert_one_error(process, 2, rf"\Api_cpu: {origin(thrower)}--threads: .*OMP_THREAD_LIMIT")
                self.assert_no_process_is_left()

    def test_one_rank_throws_before_a_result_is_written(self):
        self.target.write_text(OLD)
        process = self.finish(self.start_with_one_that_throws(3, 2, (*self.WORK, "--json", self.target)), seconds=60)
        self.assertEqual(process.returncode, 2, process.stderr)
        self.assert_target_is_old_and_alone()

    def test_one_rank_throws_before_a_checkpoint_is_made_or_touched(self):
        self.finish(self.start_with_one_that_throws(3, 2, (*self.WORK, "--checkpoint", self.file)), seconds=60)
        self.assertEqual(self.file.exists() and self.done() > 0, False)
        self.file.unlink(missing_ok=True)
        self.save(3)
        before = self.file.read_bytes()
        work = ("--threads", "2", "--launches", "200", "--resume", self.file)
        process = self.finish(self.start_with_one_that_throws(3, 2, work), seconds=60)
        self.assert_one_error(process, 2, "rank 2")
        self.assertEqual(self.file.read_bytes(), before)

    def test_all_ranks_throw(self):
        command = ("env", "OMP_MAX_ACTIVE_LEVELS=0", CPU, *self.WORK)
        process = self.finish(self.start_mpirun("-np", 3, *command), seconds=60)
        self.assert_one_error(process, 2, "OMP_MAX_ACTIVE_LEVELS")

    def test_bad_usage(self):
        self.assert_one_error(self.execute_ranks(3, "--bogus"), 2, "--bogus")

    def test_bad_usage_of_one_rank(self):
        for rank in (0, 1):
            with self.subTest(rank=rank):
                good, bad = (CPU, *SMALL, "--launches", 200), (CPU, *SMALL, "--launches", 200, "--bogus")
                commands = (bad, good) if rank == 0 else (good, bad)
                process = self.finish(
                    self.start_mpirun("-np", 1, *commands[0], ":", "-np", 1, *commands[1]), seconds=60
                )
                self.assert_one_error(process, 2, rf"\Api_cpu: {origin(rank)}not expected: --bogus")

    def test_help_for_one_rank(self):
        for option in ("--help", "--version"):
            with self.subTest(option=option):
                command = (CPU, *SMALL, "--launches", 20)
                process = self.finish(self.start_mpirun("-np", 1, *command, ":", "-np", 1, CPU, option), seconds=60)
                self.assertEqual(process.returncode, 2, process.stderr)
                self.assertRegex(self.own_lines(process)[0], rf"\Api_cpu: {origin(1)}--help and --version")

    def test_result_that_cannot_be_written(self):
        for path in ("missing/pi.json", "/dev/full"):
            with self.subTest(path=path):
                self.assert_one_error(self.execute_ranks(3, *SMALL, "--launches", "12", "--json", path), 5, path)

    def test_checkpoint_that_cannot_be_made(self):
        self.assert_one_error(self.execute_ranks(3, *SMALL, *FAR, "--checkpoint", "missing/file"), 5, "missing/file")

    def test_gpu_program_without_a_gpu(self):
        if not GPU_PROGRAM.exists():
            self.skipTest("pi_v8 is not built")
        process = self.execute_ranks(2, program=GPU_PROGRAM)
        self.assertEqual((process.returncode, process.stdout), (3, ""), process.stderr)
        self.assertEqual(len(re.findall(r"(?m)^pi_v8: .*GPU", process.stderr)), 1, process.stderr)

    def test_one_rank_is_killed(self):
        for rank in (0, 1, 2):
            with self.subTest(rank=rank):
                process, ranks = self.start_saving_ranks(3)
                os.kill(ranks[rank], signal.SIGKILL)
                process = self.finish(process, seconds=60)
                self.assertNotEqual(process.returncode, 0)
                self.assertNotIn(RATE, process.stdout + process.stderr)
                self.assert_no_process_is_left()
                self.assert_continues_exactly()
                self.file.unlink()


class MpiCheckpoint(MpiSandbox):
    def resume_ranks(self, ranks, *arguments):
        return self.run_of_ranks(ranks, "--resume", self.file, "--threads", "1", *arguments)

    def kill_world(self, process):
        mpi_launcher.kill_all_in(self.root)
        process.wait()
        self.assert_no_process_is_left()

    def test_finished_run(self):
        run = self.run_of_ranks(3, *SMALL, "--launches", "11", "--checkpoint", self.file)
        self.assert_same_answer(run, 11)
        self.assertEqual(self.done(), 11)
        self.assertEqual(os.listdir(self.root), [self.file.name])

    def test_any_world_continues_what_another_began(self):
        self.save(3)
        for launches, ranks in ((8, 3), (9, 4), (14, 2)):
            with self.subTest(ranks=ranks):
                run = self.resume_ranks(ranks, "--launches", launches)
                self.assert_same_answer(run, launches)
                self.assert_marks_are_true(run["outcome"]["trace"])
        self.assert_same_answer(self.resume("--launches", 20), 20)

    def test_nothing_left_to_do(self):
        self.save(5)
        run = self.resume_ranks(3)
        self.assert_same_answer(run, 5)
        self.assertEqual((run["resumed_from"], run["kernel_ms"], run["per_ns"]), (5, [], None))

    def test_killed_at_any_moment_and_continued_by_any_number(self):
        moments, begin = random.Random(SEED), (*SMALL, *FAR, "--checkpoint", self.file)
        for kill in range(INTERRUPTS):
            ranks, delay, before = 1 + kill % 4, moments.uniform(0.2, 1.2), self.done()
            with self.subTest(kill=kill, ranks=ranks, delay=delay):
                from_file = ("--resume", self.file, "--threads", "1") if self.file.exists() else begin
                process = self.start_ranks(ranks, *from_file, *OFTEN)
                if kill == 0:  # where ranks are slow to start, the others may all be killed before they run
                    self.wait_for_progress(process)
                with self.assertRaises(subprocess.TimeoutExpired):
                    process.wait(delay)
                self.kill_world(process)
                self.assertGreaterEqual(self.done(), before)
        self.assert_continues_exactly()

    def test_refused_files(self):
        self.save(3)
        before = self.file.read_bytes()
        damaged = bytearray(before)
        damaged[len(damaged) // 3] ^= 1
        (self.root / "changed").write_bytes(damaged)
        for arguments, part in (
            (("--resume", "changed"), "damaged"),
            (("--resume", self.file, "--launches", "2"), "--launches"),
            ((*SMALL, *FAR, "--checkpoint", self.file), "--resume"),
        ):
            with self.subTest(arguments=arguments):
                self.assert_one_error(self.execute_ranks(3, *arguments), 2, part)
        self.assertEqual(self.file.read_bytes(), before)

    def test_file_in_use(self):
        process, _ = self.start_saving_ranks(2)
        before = self.done()
        self.assert_one_error(self.execute_ranks(2, "--resume", self.file), 2, "in use by another process")
        self.assert_fails(self.execute(CPU, "--resume", self.file), 2, "in use by another process")
        self.wait_for_progress(process, before)
        self.kill_world(process)
        self.assert_continues_exactly()

    def test_disk_is_full_when_it_is_interrupted(self):
        process, ranks = self.start_saving_ranks(3)
        limit_files(ranks[0], 10)
        self.read(process.stderr.fileno(), until=lambda text: "warning:" in text and text.endswith("\n"))
        for process_id in ranks.values():
            os.kill(process_id, signal.SIGTERM)
        process = self.finish(process, seconds=60)
        self.assertEqual(process.returncode, 5, process.stderr)
        self.assertNotIn(RATE, process.stdout + process.stderr)
        self.assert_continues_exactly()


class MpiSignals(MpiSandbox):
    def assert_interrupted(self, process, code):
        """The ranks end like one process: one report, a saved checkpoint, this exit code."""
        process = self.finish(process, seconds=60)
        self.assertEqual(process.returncode, code, process.stderr)
        self.assertEqual(len(ESTIMATE.findall(process.stdout)), 1, process.stdout)
        self.assertNotIn(RATE, process.stdout + process.stderr)
        told = SAVED.findall(process.stderr)
        self.assertEqual(
            [(number(done), goal) for done, goal, _ in told], [(self.done(), FAR_LAUNCHES)], process.stderr
        )
        self.assert_continues_exactly()

    def test_every_rank(self):
        for signum, code in INTERRUPTED.items():
            with self.subTest(signal=signum.name):
                process, ranks = self.start_saving_ranks(3)
                for process_id in ranks.values():
                    os.kill(process_id, signum)
                self.assert_interrupted(process, code)
                self.file.unlink()

    def test_one_rank(self):
        for rank in (0, 1):
            with self.subTest(rank=rank):
                process, ranks = self.start_saving_ranks(2)
                os.kill(ranks[rank], signal.SIGTERM)
                self.assert_interrupted(process, 143)
                self.file.unlink()

    def test_the_launcher(self):
        for signum in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=signum.name):
                process, _ = self.start_saving_ranks(2)
                before = self.done()
                process.send_signal(signum)
                process = self.finish(process, seconds=60)
                self.assertNotEqual(process.returncode, 0)
                self.assertNotIn(RATE, process.stdout + process.stderr)
                self.assertGreaterEqual(self.done(), before)
                self.assert_no_process_is_left()
                self.assert_continues_exactly()
                self.file.unlink()


if __name__ == "__main__":
    unittest.main()
