#!/usr/bin/env python3
"""The programs mcls_cpu and mcls_solve as processes: what they say of systems, what they refuse, and the files that they write.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository).
"""

import bz2
import gzip
import json
import lzma
import math
import os
import re
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
from interrupts import setUpModule  # noqa: F401
from temporary import temporary_folder

BIN = Path(os.environ.get("SUITE_BIN", Path(__file__).parents[2] / "build")).resolve()
GOLDEN = Path(__file__).parents[1] / "data" / "golden_walks.json"
VERDICT, USAGE, WRITE = 1, 2, 5
# tiny4 in the format of the Matrix Market, and its solution by hand.
TINY4 = """%%MatrixMarket matrix coordinate real general
4 4 12
1 1 4
1 2 -1
1 4 .5
2 1 -1
2 2 5
2 3 -2
3 2 1
3 3 4
3 4 -1
4 1 -1
4 3 -.5
4 4 3
"""
X = [0.10746269, -0.07164179, -0.23283582, 0.99701493]


def matrix(*entries):
    n = max(row for row, _, _ in entries)
    lines = [f"{n} {n} {len(entries)}", *(" ".join(map(str, entry)) for entry in entries)]
    return "%%MatrixMarket matrix coordinate real general\n" + "".join(line + "\n" for line in lines)


def dense(rows, scale="", plus=""):
    values = ((i, j, value) for i, row in enumerate(rows, 1) for j, value in enumerate(row, 1))
    return matrix(*((i, j, f"{plus if value > 0 else ''}{value}{scale}") for i, j, value in values))


# H = A - 1 is half a conference matrix of 4 rows: its radius is sqrt(3) / 2, but its rows sum to 1.5.
CANCELS = dense([[1, 0.5, 0.5, 0.5], [-0.5, 1, 0.5, -0.5], [-0.5, -0.5, 1, 0.5], [-0.5, 0.5, -0.5, 1]])


class Mcls(unittest.TestCase):
    PROGRAM = "mcls_cpu"

    def setUp(self):
        self.root = temporary_folder(self.addCleanup)

    def write(self, name, text):
        (self.root / name).write_text(text)
        return name

    def execute(self, *options):
        return subprocess.run(
            [BIN / self.PROGRAM, *map(str, options)],
            capture_output=True,
            text=True,
            timeout=120,
            cwd=self.root,
            stdin=subprocess.DEVNULL,
        )

    def run_of(self, *options):
        process = self.execute(*options, "--json", "-")
        self.assertEqual(process.returncode, 0, process.stderr)
        document = json.loads(process.stdout)
        self.assertEqual((document["suite"], document["unit"]), ("mcls", "transition"))
        return document["runs"][0]

    def assert_refused(self, line, *options, code=USAGE):
        process = self.execute(*options)
        self.assertEqual((process.returncode, process.stdout), (code, ""), process.stderr)
        self.assertEqual(process.stderr, f"{self.PROGRAM}: {line}\n")

    def numbers(self, name):
        return [float(line) for line in (self.root / name).read_text().splitlines()]


class Interrupted(Mcls):
    def test_while_exact_moments_take_hours(self):
        n = 20000
        self.write(
            "slow.mtx",
            matrix(
                *((i, i, 2 + 1e-6) for i in range(1, n + 1)),
                *((i, i + 1, -1) for i in range(1, n)),
                *((i + 1, i, -1) for i in range(1, n)),
            ),
        )
        for number, code in ((signal.SIGINT, 130), (signal.SIGTERM, 143)):
            with self.subTest(signal=number.name):
                process = subprocess.Popen(
                    [BIN / self.PROGRAM, "--system", "slow.mtx", "--steps", "1000000000"],
                    cwd=self.root,
                    stdin=subprocess.DEVNULL,
                    stdout=subprocess.PIPE,
                    stderr=subprocess.PIPE,
                    text=True,
                )
                self.addCleanup(process.kill)
                time.sleep(0.5)
                process.send_signal(number)
                self.assertEqual(process.communicate(timeout=10), ("", "mcls_cpu: interrupted, no result\n"))
                self.assertEqual(process.returncode, code)


class Runs(Mcls):
    def test_a_right_hand_side_whose_squares_underflow(self):
        self.write("b", "1e-200\n0\n-2e-200\n3e-200\n")
        self.write("tiny4.mtx", TINY4)
        self.run_of("--system", "tiny4.mtx", "--rhs", "b", "--histories", 50000, "--launches", 20, "--solution", "x")
        self.run_of("--system", "tiny4", "--histories", 50000, "--launches", 20, "--solution", "of_one")
        for x, of_one in zip(self.numbers("x"), self.numbers("of_one"), strict=True):
            self.assertAlmostEqual(x / 1e-200, of_one, delta=1e-9)

    def test_the_usual_system(self):
        run = self.run_of("--launches", 4, "--threads", 1)
        self.assertEqual(run["version"], "cpu_serial")
        problem, outcome = run["problem"], run["outcome"]
        self.assertEqual(
            {
                key: problem[key]
                for key in ("system", "rhs", "n", "entries_of_h", "method", "sampling", "steps", "cutoff", "histories")
            },
            {
                "system": "lap2d",
                "rhs": None,
                "n": 900,
                "entries_of_h": 3480,
                "method": "adjoint",
                "sampling": "almost optimal",
                "steps": 10000,
                "cutoff": 1e-9,
                "histories": 10000,
            },
        )
        self.assertEqual((outcome["entries"], outcome["histories"]), (900, 40000))
        self.assertAlmostEqual(outcome["length"]["mean"], 835.56, delta=7)
        self.assertAlmostEqual(outcome["merit"]["k"], 13399, delta=120)
        self.assertAlmostEqual(
            outcome["error"]["predicted"], math.sqrt(16.036 / 40000), delta=0.1 * math.sqrt(16.036 / 40000)
        )
        self.assertAlmostEqual(outcome["residual"]["predicted"], 0.09201 * math.sqrt(1e7 / 1e4), delta=1e-3)
        self.assertEqual(outcome["verdict"]["functionals"]["of"], 64)
        self.assertGreater(outcome["verdict"]["groups"]["of"], 100)
        self.assertEqual(
            sum(run["work_of_timings"]) * len(run["work_of_timings"]) / len(run["kernel_ms"]),
            run["work"] * run["launches"],
        )

    def test_some_groups_of_energy_of_sp1_are_not_judged(self):
        outcome = self.run_of("--system", "sp1", "--histories", 1000, "--launches", 1)["outcome"]
        self.assertEqual((outcome["entries"], outcome["judged_entries"]), (544 * 47, 544 * 43))

    def test_histories_of_a_fixed_length(self):
        run = self.run_of("--steps", 10000, "--histories", 1000, "--launches", 2)
        self.assertEqual(
            (run["version"], run["work"], run["work_of_timings"]), ("cpu_openmp_steps10000_histories1000", 10**7, None)
        )
        self.assertEqual(run["outcome"]["length"], {"mean": 10000, "exact": 10000, "sigma": None})
        self.assertAlmostEqual(run["outcome"]["merit"]["k"], 160357, delta=20)

    def test_results_do_not_depend_on_threads(self):
        outcomes = [
            self.run_of("--system", "tiny4", "--launches", 5, "--threads", threads)["outcome"] for threads in (1, 2, 5)
        ]
        self.assertEqual(outcomes[0], outcomes[1])
        self.assertEqual(outcomes[0], outcomes[2])

    def test_the_solution_is_that_of_the_golden_walks(self):
        golden = [
            case
            for case in json.loads(GOLDEN.read_text())["walks"]
            if (case["system"], case["method"], case["table"], case["absorbing"], case["steps"])
            == ("tiny4", "adjoint", "alias", False, 10)
        ]
        self.assertEqual([case["histories"] for case in golden], [1000, 100000])
        for case in golden:
            n = case["histories"]
            self.run_of("--system", "tiny4", "--steps", 10, "--histories", n, "--launches", 1, "--solution", "x")
            for x, (_, tally) in zip(self.numbers("x"), case["tallies"], strict=True):
                self.assertAlmostEqual(
                    x, tally / n / 2 ** case["bits"], delta=11 * 2**-41
                )  # the program's tallies have other bits

    def test_all_launches_make_the_solution(self):
        run = self.run_of("--system", "tiny4", "--histories", 50000, "--launches", 20, "--solution", "x")
        self.assertEqual(run["outcome"]["histories"], 10**6)
        for x, exact, variance in zip(
            self.numbers("x"), X, (0.56864767, 0.27636898, 0.9269828, 0.97216041), strict=True
        ):
            self.assertAlmostEqual(x, exact, delta=5 * math.sqrt(variance / 1e6))

    def test_a_matrix_of_the_user(self):
        self.write("b", "1\n0\n-2\n3\n")
        options = ("--histories", 50000, "--launches", 1, "--solution")
        built_in = self.run_of("--system", "tiny4", *options, "built_in")
        own = self.run_of("--system", self.write("own.mtx", TINY4), "--rhs", "b", *options, "own")
        self.assertEqual(self.numbers("own"), self.numbers("built_in"))
        self.assertEqual(own["outcome"]["error"], built_in["outcome"]["error"])
        self.assertEqual((own["problem"]["system"], own["problem"]["rhs"]), ("own.mtx", "b"))
        self.assertRegex(own["version"], r"\Acpu_openmp_mtx[0-9a-f]{16}_rhs[0-9a-f]{16}_histories50000\Z")

    def test_a_name_that_is_no_utf_8(self):
        run = self.run_of("--system", self.write("b\udce9.mtx", TINY4), "--launches", 1)
        self.assertEqual(run["problem"]["system"], "b\ufffd.mtx")
        run = self.run_of("--system", "b\udce9.mtx", "--launches", 1, "--checkpoint", "c")
        self.assertEqual(run["problem"]["system"], "b\ufffd.mtx")
        self.run_of("--system", "b\udce9.mtx", "--resume", "c", "--launches", 2)

    def test_a_run_is_named_after_what_files_hold(self):
        def version(text, *options):
            return self.run_of("--system", self.write("a.mtx", text), "--launches", 1, *options)["version"]

        first = version(TINY4)
        self.assertEqual(version(TINY4.replace(".5", "0.50")), first)
        self.assertEqual(len({first, version(TINY4.replace("-.5", "-.25")), version(TINY4, "--rhs", "sine")}), 3)

    def test_a_variance_that_is_infinite(self):
        self.write("cancels.mtx", CANCELS)
        run = self.run_of("--system", "cancels.mtx", "--infinite-variance", "--steps", 20, "--launches", 2)
        self.assertIn("may be infinite", run["outcome"]["no_estimate"])
        self.assertIsNone(run["outcome"]["error"])
        self.assertIsNone(run["outcome"]["merit"])
        self.assertEqual(run["work"], 20 * 10000)
        infinite = ("--system", "cancels.mtx", "--infinite-variance")
        line = "the weights of a history grow too large for 64-bit tallies: fewer --steps may do"
        self.assert_refused(line, *infinite)
        line = "--solution: there is no estimate, because the variance may be infinite"
        self.assert_refused(line, *infinite, "--solution", "x")
        process = self.execute("--system", "cancels.mtx")
        self.assertEqual(process.returncode, USAGE)
        self.assertRegex(
            process.stderr,
            r"\Amcls_cpu: cancels\.mtx: second moments not shown finite: max Ĥ\^k 1 still \S+ after \d+ steps; the spectral radius of \|H\| is about 1\.5; "
            r"--infinite-variance times it without an estimate\n\Z",
        )
        self.assertEqual(
            self.run_of("--system", "tiny4", "--infinite-variance", "--launches", 1)["outcome"]["no_estimate"], None
        )

    def test_a_run_that_goes_on(self):
        options = ("--system", "tiny4", "--solution", "x", "--threads", 1)
        whole = self.run_of(*options, "--launches", 6)["outcome"]
        x = self.numbers("x")
        self.run_of(*options, "--launches", 2, "--checkpoint", "c")
        self.assertEqual(self.run_of(*options, "--resume", "c", "--launches", 6)["outcome"], whole)
        self.assertEqual(self.numbers("x"), x)
        process = self.execute("--system", "lap2d", "--resume", "c", "--launches", 6)
        self.assertEqual((process.returncode, process.stdout), (USAGE, ""))
        self.assertIn("mcls_cpu_tiny4", process.stderr)

    def test_what_steps_leave_out_is_told(self):
        side = range(30)
        term = {(x, y): 1 for x in side for y in side}
        for _ in range(31):
            term = {
                (x, y): sum(term.get(next, 0) for next in ((x - 1, y), (x + 1, y), (x, y - 1), (x, y + 1))) / 4
                for x, y in term
            }
        truncated = self.run_of("--steps", 30, "--launches", 1)["problem"]["truncation"]
        self.assertAlmostEqual(truncated, math.sqrt(sum(value**2 for value in term.values()) / 900))
        self.assertIn(f"which leave a residual of {truncated:.2g}", self.execute("--steps", 30, "--launches", 1).stdout)

    def slow_system(self, n):
        """-x_(i-1) + 2 x_i - x_(i+1) = 1, and its solution i (n + 1 - i) / 2. The spectral radius of H is cos(pi / (n + 1))."""
        name = self.write(
            "slow.mtx",
            matrix(
                *((i, i, 2) for i in range(1, n + 1)),
                *((i, i + 1, -1) for i in range(1, n)),
                *((i + 1, i, -1) for i in range(1, n)),
            ),
        )
        return name, [i * (n + 1 - i) / 2 for i in range(1, n + 1)]

    def test_a_system_that_histories_end_too_early_for_is_not_answered(self):
        system, _ = self.slow_system(200)
        process = self.execute("--system", system, "--solution", "x", "--json", "run.json")
        self.assertEqual((process.returncode, process.stdout), (VERDICT, ""))
        self.assertRegex(
            process.stderr,
            r"\Amcls_cpu: x may be off by 0\.\d+ of its norm, and by chance by 0\.0\d+ only: histories end after "
            r"10,000 transitions; every 5,67\d --steps more halve that; absorption needs no such limit: see v13\n\Z",
        )
        self.assertEqual([], [name for name in ("x", "run.json") if (self.root / name).exists()])

    def test_the_error_of_a_limit_that_the_user_chose_is_that_of_x(self):
        system, exact = self.slow_system(200)
        options = ("--steps", 1000, "--histories", 10000, "--launches", 6, "--solution", "x", "--json", "run.json")
        process = self.execute("--system", system, *options)
        self.assertEqual(process.returncode, 0, process.stderr)
        error = json.loads((self.root / "run.json").read_text())["runs"][0]["outcome"]["error"]
        off = math.sqrt(
            sum((x - value) ** 2 for x, value in zip(self.numbers("x"), exact, strict=True))
            / sum(value**2 for value in exact)
        )
        left = rf"0\.{int(10 * off)}\d*"
        self.assertAlmostEqual(
            error["relative"], off, delta=0.4 * off
        )  # 64 random signs: the squares have a standard deviation of 18 %
        self.assertAlmostEqual(error["systematic"], off, delta=0.4 * off)
        self.assertRegex(
            process.stdout, rf"relative error 0\.\d+ \(predicted 0\.0\d+ by chance, up to {left} by their ends\)"
        )
        self.assertRegex(
            process.stderr, rf"warning: what histories leave out because they end may be as large as {left} of x"
        )

    def test_unknowns_of_unequal_scales(self):
        """S P S x = 1 with P = tridiag(-1, 2, -1): x = 1/s P^-1 1/s."""
        n = 12
        s = [10 ** (i * 5 % 7 - 3) for i in range(n)]
        entries = [(i + 1, i + 1, 2 * s[i] ** 2) for i in range(n)]
        for i in range(n - 1):
            entries += [(i + 1, i + 2, -s[i] * s[i + 1]), (i + 2, i + 1, -s[i] * s[i + 1])]
        exact = [sum((min(i, j) + 1) * (n - max(i, j)) / (n + 1) / s[j] for j in range(n)) / s[i] for i in range(n)]
        run = self.run_of("--system", self.write("a.mtx", matrix(*entries)), "--launches", 20, "--solution", "x")
        off = math.dist(self.numbers("x"), exact) / math.hypot(*exact)
        error = run["outcome"]["error"]
        self.assertLess(off, 3 * error["predicted"])
        self.assertLess(error["predicted"], 0.02)
        self.assertTrue(1 / 2 < error["relative"] / off < 2, (error, off))

    def test_more_launches_than_the_ends_of_histories_allow_are_refused_before_they_run(self):
        options = ("--system", self.slow_system(100)[0], "--histories", 1000, "--launches")
        few = self.execute(*options, 1)
        self.assertEqual(few.returncode, 0, few.stderr)
        many = self.execute(*options, "1e8")  # hours of work
        self.assertEqual((many.returncode, many.stdout), (VERDICT, ""))
        self.assertRegex(many.stderr, r"\Amcls_cpu: x may be off by 0\.00\d+ of its norm, and by chance by \S+ only: ")

    def test_report(self):
        text = self.execute("--system", "tiny4", "--launches", 2).stdout
        for part in (
            "tiny4: 4 unknowns, 8 entries off the diagonal",
            "adjoint, 10,000 a launch",
            "until 1e-09 of the first weight",
            "relative error",
            "transitions/ns",
        ):
            self.assertIn(part, text)


class CountedPathsOnTheCpu(Mcls):
    PROGRAM = "mcls_cpu_counted_paths"

    def test_threads_change_the_version_and_not_the_outcome(self):
        serial, *others = (
            self.run_of("--histories", 5000, "--launches", 3, "--threads", threads) for threads in (1, 2, 3)
        )
        self.assertEqual(serial["version"], "cpu_counted_paths_serial_histories5000")
        for run in others:
            self.assertEqual((run["version"], run["outcome"]), ("cpu_counted_paths_histories5000", serial["outcome"]))

    def test_it_refuses_what_v16_refuses(self):
        self.assert_refused(
            "shift1d: counted paths need at most 1023 states, not 1000000; see v14", "--system", "shift1d"
        )


class Help(Mcls):
    def test_it_lists_what_a_step_accepts(self):
        for program, accepted, others in (
            ("mcls_cpu", ("--system", "--steps", "--cutoff", "--histories"), ("--iters",)),
            ("mcls_v14", ("--system", "--steps", "--histories"), ("--iters", "--cutoff")),
            ("mcls_v16", ("--system", "--histories"), ("--iters", "--cutoff", "--steps")),
        ):
            process = subprocess.run([BIN / program, "--help"], capture_output=True, text=True, timeout=120)
            self.assertEqual(process.returncode, 0, process.stderr)
            listed = set(re.findall(r"(?m)^  (--[\w-]+)", process.stdout))
            self.assertEqual([], [option for option in accepted if option not in listed], program)
            self.assertEqual([], [option for option in others if option in listed], program)


class CountedPathsRefusals(Mcls):
    """Refused before a GPU is looked for."""

    PROGRAM = "mcls_v16"

    def test_a_limit_of_transitions(self):
        self.assert_refused("--steps: histories of this step have no limit; see v14", "--steps", "100")


class Refusals(Mcls):
    def test_values_of_options(self):
        self.write("tiny4.mtx", TINY4)
        self.write("three", "1\n2\n3\n")
        self.write("zero", "0\n0\n0\n0\n")
        self.write("first", "1\n0\n")
        self.write("two.mtx", matrix((1, 1, 1), (1, 2, -0.5), (2, 1, -0.5), (2, 2, 1)))
        own = ("--system", "tiny4.mtx", "--rhs")
        wrong = {
            ("--system", "lap3d"): 'no system "lap3d": choose one of lap2d, shift1d, sp1, ad3d, tiny4, or FILE.mtx',
            ("--system", "no.mtx"): "cannot read no.mtx: No such file or directory",
            ("--system", "n\no\x1b.mtx"): "cannot read n?o?.mtx: No such file or directory",
            ("--rhs", "no"): "cannot read no: No such file or directory",
            ("--rhs", "n" * 256): f"cannot read {'n' * 256}: File name too long",
            ("--system", "tiny4.mtx", "--rhs", "three"): "three: it has 3 entries, the matrix 4 rows",
            (*own, "zero"): "tiny4.mtx: rhs is zero: nothing to sample; mcls_solve has the answer",
            (*own, "ones", "--solution", "./tiny4.mtx"): "--solution: it would overwrite the file of --system",
            ("--system", "two.mtx", "--rhs", "first"): "two.mtx: histories are alike, so an estimate cannot be judged; "
            "mcls_solve has the answer",
            ("--cutoff", "0"): "--cutoff: 0 is not a number between 0 and 1",
            ("--cutoff", "1"): "--cutoff: 1 is not a number between 0 and 1",
            ("--cutoff", "nan"): "--cutoff: nan is not a number between 0 and 1",
            ("--cutoff", "1e-9x"): "--cutoff: 1e-9x is not a number between 0 and 1",
            ("--histories", "999"): "a launch of 999 histories cannot be judged: at least 1000 are needed",
            ("--histories", "2e15"): "64-bit tallies hold 1,993,016,537,879 histories: use fewer --histories",
            ("--solution", "-"): "--solution: - is no file; mcls_solve writes to stdout so",
            ("--iters", "2"): "--iters: the number of histories of a launch is fixed",
        }
        for options, line in wrong.items():
            with self.subTest(options):
                self.assert_refused(line, *options)
        for options in (
            ("--steps", "0"),
            ("--steps", "4294967294"),
            ("--steps", "many"),
            ("--histories", "0"),
            ("--solution", ""),
        ):
            with self.subTest(options):
                process = self.execute(*options)
                self.assertEqual((process.returncode, process.stdout), (USAGE, ""))
                self.assertRegex(process.stderr, rf"\Amcls_cpu: {options[0]}[^\n]*\n\Z")

    def test_matrices(self):
        wrong = {
            matrix(
                (1, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 1)
            ): r"wrong\.mtx: Neumann series diverges: residual grew from 1\.0 to 1\.3e\+05 in 17 sweeps",
            matrix((1, 1, 1), (2, 2, 1)): "wrong.mtx: nothing to walk: the matrix has no entries off the diagonal; "
            "mcls_solve has the answer",
            matrix((1, 1, 1), (2, 1, 1)): "wrong.mtx: row 2 has no diagonal entry",
            matrix(
                (1, 1, 1), (2, 2, 0), (2, 1, 1)
            ): "wrong.mtx: row 2 has no diagonal entry with a finite reciprocal: it is 0",
            matrix((1, 1, 1), (1, 2, "x"), (2, 2, 1)): "wrong.mtx:4: expected 'row column value', found '1 2 x'",
            matrix((1, 1, 1), (2, 2, 1)).replace("2 2 2", "2 3 2"): "wrong.mtx: the matrix is 2 x 3, not square",
        }
        for text, line in wrong.items():
            with self.subTest(line):
                process = self.execute("--system", self.write("wrong.mtx", text))
                self.assertEqual((process.returncode, process.stdout), (USAGE, ""))
                self.assertRegex(process.stderr, rf"\Amcls_cpu: {line}\n\Z" if "\\" in line else r"\Amcls_cpu: ")
                if "\\" not in line:
                    self.assertEqual(process.stderr, f"mcls_cpu: {line}\n")

    def test_files_are_refused_by_what_they_are(self):
        text = TINY4.encode()
        others = {
            b"\xef\xbb\xbf" + text: "starts with a byte order mark, EF BB BF",
            TINY4.encode("utf-16"): "is UTF-16 text, with the byte order mark FF FE",
            bz2.compress(text): "is packed; bunzip2 unpacks it",
            lzma.compress(text): "is packed; unxz unpacks it",
            gzip.compress(text)[:-9]: "is packed, and gzip fails to unpack it",
            b"\x1f\x9d": "is packed, and gzip fails to unpack it",
            b"\x04\x22\x4d\x18": "is packed; unlz4 unpacks it",
            b"\x89HDF\r\n\x1a\n": "is a file of HDF5",
        }
        for content, reason in others.items():
            with self.subTest(reason):
                (self.root / "other.mtx.x").write_bytes(content)
                process = self.execute("--system", "other.mtx.x")
                self.assertEqual((process.returncode, process.stdout), (USAGE, ""))
                self.assertRegex(
                    process.stderr, rf"\Amcls_cpu: cannot read other\.mtx\.x: it {re.escape(reason)}[^\n]*\n\Z"
                )

    def test_a_solution_that_cannot_be_written(self):
        (self.root / "folder").mkdir()
        self.assert_refused("cannot write no/x: No such file or directory", "--solution", "no/x", code=WRITE)
        self.assert_refused("cannot write folder: Is a directory", "--solution", "folder", code=WRITE)


# A system of 3 x 3, and its solutions by numpy.linalg.solve.
A3 = [[4, -1, 0.5], [-1, 5, -2], [1, -0.5, 3]]
X3_OF_ONES = [0.30805687203791465, 0.37914691943127965, 0.2938388625592417]
X3 = [0.15639810426540285, -0.3459715639810427, 0.05687203791469194]  # of (1, -2, 0.5)


def three(**form):
    return dense(A3, **form)


class SolveOnTheCpu(Mcls):
    PROGRAM = "mcls_solve"

    def assert_solved(self, exact, *options, warning="", tolerance=1e-7):
        process = self.execute("--cpu", "--solution", "x", "--tolerance", "1e-9", *options)
        self.assertEqual((process.returncode, process.stderr), (0, warning))
        size = math.hypot(*exact)
        for x, value in zip(self.numbers("x"), exact, strict=True):
            self.assertLessEqual(abs(x - value), tolerance * size)

    def test_a_built_in_system(self):
        self.assert_solved(X, "--system", "tiny4")
        process = self.execute("--cpu", "--system", "tiny4", "--tolerance", "1e-9", "--solution", "-")
        self.assertEqual(process.stdout, (self.root / "x").read_text())
        process = self.execute("--cpu", "--system", "tiny4", "--json", "-")
        document = json.loads(process.stdout)
        self.assertEqual((document["processor"], document["reached"]), ("cpu", True))
        self.assertLess(document["points"][-1]["residual"], 1e-8)

    def test_a_name_that_is_no_utf_8(self):
        process = self.execute("--cpu", "--system", self.write("b\udce9.mtx", TINY4), "--json", "-")
        self.assertEqual((process.returncode, json.loads(process.stdout)["system"]), (0, "b\ufffd.mtx"), process.stderr)

    def test_a_tolerance_that_doubles_do_not_reach(self):
        process = self.execute("--cpu", "--system", "tiny4", "--tolerance", "1e-17")
        self.assertEqual(process.returncode, VERDICT)
        self.assertRegex(process.stderr, r"in a row, at \S+e-17: use a larger --tolerance: doubles are no finer\n\Z")

    def test_a_step_ends_with_the_time(self):
        process = self.execute("--cpu", "--system", "tiny4", "--histories", "1e11", "--max-time", "0.5")
        line = "mcls_solve: not solved in 0.5 seconds: use more --max-time\n"
        self.assertEqual((process.returncode, process.stderr), (VERDICT, line))

    def test_the_same_way_each_time(self):
        ways = []
        for seed in (1, 1, 2):
            process = self.execute("--cpu", "--system", "tiny4", "--seed", seed, "--json", "-")
            ways.append([point["residual"] for point in json.loads(process.stdout)["points"]])
        self.assertEqual(ways[0], ways[1])
        self.assertNotEqual(ways[0], ways[2])

    def test_files_as_others_write_them(self):
        plain = three()
        for name, text in {
            "lower.mtx": plain.lower(),
            "upper.mtx": plain.replace("MatrixMarket", "MATRIXMARKET"),
            "plus.mtx": three(plus="+"),
        }.items():
            with self.subTest(name):
                self.assert_solved(X3_OF_ONES, "--system", self.write(name, text))
        self.assert_solved(
            X3_OF_ONES,
            "--system",
            self.write("cut.mtx", plain[:-1]),
            warning="mcls_solve: warning: cut.mtx: the last line has no line break: if the file was cut, its last number "
            "may be wrong\n",
        )
        (self.root / "it's.mtx.gz").write_bytes(gzip.compress(plain.encode()))
        self.assert_solved(X3_OF_ONES, "--system", "it's.mtx.gz")
        hermitian = "%%MatrixMarket matrix coordinate real hermitian\n3 3 5\n1 1 4\n2 1 -1\n2 2 5\n3 2 -2\n3 3 6\n"
        by_numpy = [0.34693877551020413, 0.3877551020408164, 0.29591836734693877]
        self.assert_solved(by_numpy, "--system", self.write("hermitian.mtx", hermitian))

    def test_a_residual_of_zero(self):
        text = matrix((1, 1, 1), (1, 2, 1e8), (2, 1, 1e-9), (2, 2, 1))
        process = self.execute("--cpu", "--system", self.write("a.mtx", text), "--rhs", self.write("b", "1\n2\n"))
        self.assertEqual((process.returncode, process.stderr), (0, ""))

    def test_a_right_hand_side_as_an_array(self):
        self.write("b.mtx", "%%MatrixMarket matrix array real general\n% of SuiteSparse\n3 1\n1\n-2\n+.5\n")
        self.assert_solved(X3, "--system", self.write("a.mtx", three()), "--rhs", "b.mtx")

    def test_sizes_whose_squares_leave_the_range_of_doubles(self):
        for size in (-200, 200, -300):
            for matrix_size in (0, size // 2):
                with self.subTest(size, matrix=matrix_size):
                    self.write("b", f"1e{size}\n-2e{size}\n0.5e{size}\n")
                    self.write("a.mtx", three(scale=f"e{matrix_size}"))
                    exact = [float(f"1e{size - matrix_size}") * x for x in X3]
                    process = self.execute("--cpu", "--system", "a.mtx", "--rhs", "b", "--solution", "x")
                    self.assertEqual((process.returncode, process.stderr), (0, ""))
                    for x, value in zip(self.numbers("x"), exact, strict=True):
                        self.assertAlmostEqual(x / value, 1, delta=1e-6)

    def test_systems_that_need_no_walks_have_their_answer_without_a_gpu(self):
        self.write("zero", "0\n0\n0\n")
        self.write("three", "1\n-2\n0.5\n")
        for text, exact, rhs in (
            (three(), [0, 0, 0], "zero"),
            (matrix((1, 1, 4)), [0.25], "ones"),
            (matrix((1, 1, 1), (2, 2, 1), (3, 3, 1)), [1, -2, 0.5], "three"),
            (matrix((1, 1, 2), (2, 2, -4), (3, 3, 0.5), (1, 2, 0)), [0.5, 0.5, 1], "three"),
        ):
            with self.subTest(text, rhs=rhs):
                options = ("--system", self.write("a.mtx", text), "--rhs", rhs, "--solution", "x")
                process = self.execute(*options, "--json", "-")
                self.assertEqual((process.returncode, process.stderr), (0, ""))
                self.assertEqual(self.numbers("x"), exact)
                self.assertEqual(json.loads(process.stdout)["points"][-1]["residual"], 0)


class SolveRefusals(Mcls):
    """Refused before a GPU is looked for. Systems and the options of the ladder are read as by mcls_cpu: one refusal of each shows it."""

    PROGRAM = "mcls_solve"

    def test_values_of_options(self):
        self.write("cancels.mtx", CANCELS)
        wrong = {
            ("--tolerance", "0"): "--tolerance: 0 is not a number between 0 and 1",
            ("--tolerance", "1"): "--tolerance: 1 is not a number between 0 and 1",
            ("--solution", "x", "--json", "./x"): "--solution and --json name the same file",
            ("--solution", "-", "--json", "-"): "--solution and --json name the same file",
            ("--tolerance", "1e-8x"): "--tolerance: 1e-8x is not a number between 0 and 1",
            ("--system", "lap3d"): 'no system "lap3d": choose one of lap2d, shift1d, sp1, ad3d, tiny4, or FILE.mtx',
        }
        for options, line in wrong.items():
            with self.subTest(options):
                self.assert_refused(line, *options)
        for text in ("--max-steps 0", "--max-time 0", "--histories 1", "--seed -1", "--device x"):
            with self.subTest(text):
                process = self.execute(*text.split())
                self.assertEqual((process.returncode, process.stdout), (USAGE, ""))
                self.assertRegex(process.stderr, rf"\Amcls_solve: {text.split()[0]}[^\n]*\n\Z")
        process = self.execute("--steps", "5")
        self.assertEqual((process.returncode, process.stdout), (USAGE, ""))

    def test_matrices(self):
        wrong = {
            CANCELS: r"wrong\.mtx: second moments not shown finite: max Ĥ\^k 1 still \S+ after \d+ steps; the spectral radius of \|H\| is about 1\.5",
            matrix(
                (1, 1, 1), (1, 2, 2), (2, 1, 2), (2, 2, 1)
            ): r"wrong\.mtx: Neumann series diverges: residual grew from 1\.0 to 1\.3e\+05 in 17 sweeps",
        }
        for text, line in wrong.items():
            with self.subTest(line):
                process = self.execute("--system", self.write("wrong.mtx", text))
                self.assertEqual((process.returncode, process.stdout), (USAGE, ""))
                self.assertRegex(process.stderr, rf"\Amcls_solve: {line}\n\Z")

    def test_a_long_column_makes_no_table_of_gigabytes(self):
        n = 20000
        column = matrix(*((i, i, 4) for i in range(1, n + 1)), *((i, 1, -1) for i in range(2, n + 1)))
        self.write("column.mtx", column)
        line = "column.mtx: an alias table of 20000 rows of 32768 slots takes 10.5 GB for 19999 entries; mcls_v19, a program for GPUs, has short rows"
        self.assert_refused(line, "--system", "column.mtx")
        process = subprocess.run(
            [BIN / "mcls_v19", "--system", self.root / "column.mtx"], capture_output=True, timeout=120
        )
        self.assertNotEqual(process.returncode, USAGE)

    def test_weights_that_grow_too_large_are_refused_with_advice_that_can_be_followed(self):
        grows = matrix(*((i, i, 1) for i in range(1, 61)), *((i, i + 1, 3) for i in range(1, 60)))
        process = self.execute("--cpu", "--system", self.write("grows.mtx", grows))
        self.assertEqual(process.returncode, USAGE)
        self.assertEqual(
            process.stderr, "mcls_solve: grows.mtx: the weights of a history grow too large for 64-bit tallies\n"
        )

    def test_a_cpu_has_no_device(self):
        self.assert_refused("--device excludes --cpu", "--cpu", "--device", "0")

    def test_files_that_cannot_be_written(self):
        for option in ("--solution", "--json"):
            self.assert_refused("cannot write no/x: No such file or directory", option, "no/x", code=WRITE)


if __name__ == "__main__":
    unittest.main()
