#!/usr/bin/env python3
"""suite_stream, suite_quality, pi_expectations and options_wallace_tests as processes: what they write, and how they fail. No GPU is used.

The programs are those in the folder that SUITE_BIN names (default: build/ of this repository).
"""

import itertools
import json
import os
import re
import resource
import shlex
import signal
import struct
import subprocess
import unittest
from pathlib import Path

from test_programs import BIN, DEADLINE, OLD, Sandbox, cpu_seconds, setUpModule, strict_json  # noqa: F401

from suite.documents import quality
from temporary import temporary_folder

STREAM = BIN / "suite_stream"
QUALITY = BIN / "suite_quality"
EXPECTATIONS = BIN / "pi_expectations"
WALLACE = BIN / "options_wallace_tests"
KNOWN = json.loads((Path(__file__).parents[1] / "data" / "known_answers.json").read_text())
VERSIONS = [f"v{n}" for n in range(1, 13)]
NEVER_A_COUNT = ("-1", "10x", "", "1.5", "99999999999999999999", "1e30", "nan")


def float32(number):
    """The nearest float of 32 bits."""
    return struct.unpack("<f", struct.pack("<f", number))[0]


def curand_uniform(word):
    return float32(float32(word) * 2.0**-32 + 2.0**-33)


def lcg(state):
    while True:
        state = (state * 1664525 + 1013904223) % 2**32
        yield state


class Usage(Sandbox):
    """Options that every one of the programs has, and mistakes that it refuses."""

    def refused(self, program, *arguments, names=()):
        with self.subTest(command=shlex.join([program.name, *arguments])):
            self.assert_fails(self.execute(program, *arguments), 2, *names)

    def test_help(self):
        for program, options in (
            (STREAM, "--list --streams --order --iters --lanes --coordinates --upper-24 --seed --launch --words"),
            (QUALITY, "--gpu --streams --iters --seed --device --json"),
            (EXPECTATIONS, ""),
            (WALLACE, "--independent"),
        ):
            with self.subTest(program=program.name):
                process = self.execute(program, "--help")
                self.assert_succeeds(process)
                self.assertEqual(process.stderr, "")
                for option in ("--help", "--version", *options.split()):
                    self.assertRegex(process.stdout, rf"(?<![\w-]){option}(?![\w-])")

    def test_unknown_words_are_refused(self):
        for program in (STREAM, QUALITY, EXPECTATIONS, WALLACE):
            for word in ("-z", "nonesuch"):
                self.refused(program, word, names=[word])

    def test_bad_numbers_are_refused(self):
        for program, options in (
            (STREAM, "--streams --seed --launch --words"),
            (QUALITY, "--streams --iters --seed --device"),
        ):
            for option, value in itertools.product(options.split(), NEVER_A_COUNT):
                self.refused(program, "v8", option, value, names=[option])
        for value in NEVER_A_COUNT:
            self.refused(STREAM, "v8", "--order", "thread", "--iters", value, names=["--iters"])

    def test_numbers_out_of_range_are_refused(self):
        for option, value in (("--streams", "0"), ("--streams", "17M"), ("--words", "0"), ("--launch", "4294967296")):
            self.refused(STREAM, "v8", option, value, names=[option])
        for option, value in (("--streams", "63"), ("--streams", "17M"), ("--iters", "1"), ("--iters", "11M")):
            self.refused(QUALITY, "v8", option, value, names=[option])

    def test_missing_values_are_refused(self):
        for program, option in ((STREAM, "--order"), (STREAM, "--words"), (QUALITY, "--json"), (QUALITY, "--streams")):
            self.refused(program, "v8", option, names=[option])

    def test_what_to_stream_must_be_clear(self):
        for arguments in ((), ("",)):
            self.refused(STREAM, *arguments, names=["name a version", "--list"])
        self.refused(STREAM, "v8", "v9", names=["v9"])

    def test_orders(self):
        self.refused(STREAM, "v8", "--order", "random", names=["--order", "random"])
        self.refused(STREAM, "v8", "--iters", "5", names=["--iters", "--order thread"])
        self.refused(STREAM, "v8", "--iters", "5", "--order", "interleaved", names=["--iters", "--order thread"])

    def test_one_unknown_name_among_known_ones_is_refused(self):
        self.refused(QUALITY, "v8", "nonesuch", "v6", names=["nonesuch"])
        self.refused(QUALITY, "nonesuch", "--gpu", names=["nonesuch"])


class Stream(Sandbox):
    def bytes_of(self, *arguments):
        process = self.execute(STREAM, *arguments, text=False)
        self.assertEqual((process.returncode, process.stderr), (0, b""), shlex.join(process.args))
        return process.stdout

    def words(self, *arguments):
        """The words of a stream, little-endian."""
        data = self.bytes_of(*arguments)
        self.assertEqual(len(data) % 4, 0)
        return list(struct.unpack(f"<{len(data) // 4}I", data))

    def test_list_names_every_version_once(self):
        process = self.execute(STREAM, "--list")
        self.assert_succeeds(process)
        self.assertEqual(process.stderr, "")
        words = process.stdout.split()
        for version in VERSIONS:
            self.assertEqual(words.count(version), 1, version)
        for specimen in ("constant", "counter", "trinomial_63_1"):
            self.assertRegex(process.stdout, rf"(?m)^{specimen} .*\bknown faults\b")

    def test_all_that_the_list_names_can_be_streamed(self):
        table = self.execute(STREAM, "--list").stdout.splitlines()[1:]
        for line in table:
            [source, versions] = re.match(r"(\S+) +(-|[a-z]\d\w*(?: [a-z]\d\w*)*) ", line).groups()
            of_source = self.words(source, "--words", "5")
            self.assertEqual(len(of_source), 5)
            for version in re.findall(r"[a-z]\d\w*", versions):
                self.assertEqual(self.words(version, "--words", "5"), of_source, version)

    def test_defaults(self):
        # Seed 1234, one thread, launch 0, both as cuRAND draws them and as v8's generator goes on from its first word.
        self.assertEqual(self.bytes_of("v1", "--words", "2"), struct.pack("<2I", 624778773, 1867875844))
        words = self.words("v8", "--words", "100000")
        self.assertEqual(words[1:], list(itertools.islice(lcg(words[0]), 99999)))

    def test_interleaved_threads(self):
        # Subsequences 0 and 1 of cuRAND.
        of_threads = [
            known["outputs"][:4]
            for known in KNOWN["curand_xorwow"]
            if known["seed"] == "1234" and known["subsequence"] in (0, 1)
        ]
        self.assertEqual(len(of_threads), 2)
        expected = [word for draw in zip(*of_threads) for word in draw]
        self.assertEqual(self.words("v1", "--streams", "2", "--words", "8"), expected)
        self.assertEqual(self.words("v1", "--streams", "2", "--order", "interleaved", "--words", "8"), expected)
        self.assertEqual(
            self.words("v1", "--streams", "2", "--order", "thread", "--iters", "2", "--words", "8"),
            of_threads[0] + of_threads[1],
        )

    def test_thread_by_thread_goes_on_with_the_next_launch(self):
        order = ("v7", "--streams", "2", "--order", "thread", "--iters", "3")
        launches = [self.words(*order, "--launch", launch, "--words", "12") for launch in ("4", "5")]
        self.assertNotEqual(*launches)
        self.assertEqual(self.words(*order, "--launch", "4", "--words", "24"), launches[0] + launches[1])

    def test_samples_of_a_thread_default_to_100000(self):
        words = self.words("v8", "--order", "thread", "--words", "200001")
        self.assertEqual(words[-1:], self.words("v8", "--launch", "1", "--words", "1"))
        self.assertEqual(words[:-1], self.words("v8", "--words", "200000"))

    def test_seeds_matter(self):
        self.assertNotEqual(self.words("v8", "--words", "4"), self.words("v8", "--words", "4", "--seed", "1235"))

    def test_exactly_so_many_words(self):
        # Also where a turn has more words than are left: one of each thread, 32 lanes, a pair.
        for words in ("1", "3", "65535", "65536", "65537", "100k"):
            count = int(words.replace("k", "000"))
            for arguments in (
                ("v8",),
                ("v8", "--streams", "7"),
                ("trinomial_31_3", "--lanes"),
                ("v8", "--coordinates"),
            ):
                self.assertEqual(len(self.bytes_of(*arguments, "--words", words)), 4 * count, (*arguments, words))

    def test_lanes(self):
        planes = self.words("trinomial_63_1", "--words", "64")
        lanes = [
            sum((planes[first + n] >> lane & 1) << (31 - n) for n in range(32))
            for first in (0, 32)
            for lane in range(32)
        ]
        self.assertEqual(self.words("trinomial_63_1", "--lanes", "--words", "64"), lanes)

    def test_upper_24_bits(self):
        words = self.words("v6", "--streams", "3", "--words", "70000")  # more than a buffer
        expected = b"".join((word >> 8).to_bytes(3, "little") for word in words)
        self.assertEqual(self.bytes_of("v6", "--streams", "3", "--upper-24", "--words", "70000"), expected)

    def test_upper_24_bits_are_not_coordinates(self):
        process = self.execute(STREAM, "v6", "--upper-24", "--coordinates")
        self.assert_fails(process, 2, "--upper-24", "--coordinates")

    def coordinates(self, *arguments):
        data = self.bytes_of(*arguments, "--coordinates")
        return list(struct.unpack(f"<{len(data) // 4}f", data))

    def test_coordinates(self):
        for name, of_word in (
            ("v1", curand_uniform),
            ("v6", curand_uniform),
            ("v8", lambda word: float32(word) * 2.0**-32),
            ("v11", lambda word: (word >> 9) * 2.0**-23),
        ):
            words = self.words(name, "--words", "2000")
            self.assertEqual(self.coordinates(name, "--words", "2000"), [of_word(word) for word in words], name)

    def test_pipe_that_closes_ends_it_quietly(self):
        for head in ("1", "100000", "1000000"):
            stream = self.start(STREAM, "v8", text=False)
            read = self.execute("head", "-c", head, stdin=stream.stdout, text=False).stdout
            self.assertEqual(len(read), int(head))
            stream.stdout.close()
            self.assertEqual((stream.wait(DEADLINE), stream.stderr.read()), (0, b""), head)

    def test_signal_ends_it(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start(STREAM, "v8", text=False)
            self.assertEqual(len(process.stdout.read(1000)), 1000)
            process.send_signal(number)
            self.assertEqual((process.wait(DEADLINE), process.stderr.read()), (-number, b""))

    def test_full_disk(self):
        with open("/dev/full", "wb") as full:
            for arguments in (("v8",), ("v8", "--words", "1"), ("--list",)):
                self.assert_fails(self.execute(STREAM, *arguments, stdout=full), 5, "No space left")

    def test_disk_that_fills_up(self):
        target = self.root / "words"
        with target.open("wb") as file:
            process = self.execute(
                STREAM,
                "v8",
                "--words",
                "1000",
                stdout=file,
                restore_signals=False,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)),
            )
        self.assert_fails(process, 5, "File too large")
        self.assertEqual(target.stat().st_size, 100)

    def test_closed_standard_output(self):
        process = self.execute("/bin/sh", "-c", 'exec "$0" v8 --words 1 >&-', STREAM)
        self.assert_fails(process, 5)

    def test_terminal_is_refused(self):
        terminal, program_end = os.openpty()
        self.addCleanup(os.close, terminal)
        process = self.start(STREAM, "v8", stdout=program_end)
        os.close(program_end)
        self.assert_fails(self.finish(process), 2, "terminal")
        with self.assertRaises(OSError):  # nothing was written before the end
            os.read(terminal, 1)

    def test_list_may_go_to_a_terminal(self):
        terminal, program_end = os.openpty()
        self.addCleanup(os.close, terminal)
        process = self.start(STREAM, "--list", stdout=program_end)
        os.close(program_end)
        self.assertIn(b"xorwow", os.read(terminal, 65536))
        self.assertEqual(self.finish(process).returncode, 0)


class Wallace(Sandbox):
    """options_wallace_tests: failed tests are the expected outcome, and passed ones are refused."""

    def outcomes(self, process):
        return re.findall(r"(W\d) .*? sd  (\w+) +expected: (\w+)", process.stdout)

    def test_the_steps_fail_what_they_should(self):
        process = self.execute(WALLACE)
        self.assert_succeeds(process)
        outcomes = self.outcomes(process)
        self.assertEqual([test for test, _, _ in outcomes], ["W1", "W2", "W3", "W4", "W5"] * 3)
        self.assertEqual([found for _, found, _ in outcomes[:5]], ["passes", "fails", "fails", "fails", "passes"])

    def test_independent_normals_in_their_place_are_noticed(self):
        process = self.execute(WALLACE, "--independent")
        self.assertEqual(process.returncode, 1)
        self.assertEqual(
            process.stderr, "options_wallace_tests: a test has another outcome than expected of Wallace's generator\n"
        )
        self.assertEqual(
            [test for test, found, expected in self.outcomes(process) if found != expected], ["W2", "W3", "W4"]
        )


class Quality(Sandbox):
    ROW_KEYS = """source generator versions soundness words_of bit_planes lagged expected bias bias_samples cycle_samples
        dispersion serial lags linear differences parities overlap""".split()
    DISPERSION_KEYS = """streams iters mean_z variance_ratio variance_sd chi2 dof neighbour_correlation p_mean p_variance
        p_histogram p_neighbours""".split()

    @classmethod
    def setUpClass(cls):
        folder = temporary_folder(cls.addClassCleanup)
        command = [QUALITY, "v8", "constant", "--streams", "100", "--iters", "3", "--seed", "5", "--json", "-"]
        cls.process = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=300)
        cls.document = strict_json(cls.process.stdout)

    def row(self, source):
        [row] = [row for row in self.document["rows"] if row["source"] == source]
        return row

    def test_process(self):
        self.assertEqual((self.process.returncode, self.process.stderr), (0, ""))

    def test_document(self):
        self.assertEqual((self.document["schema"], self.document["suite"]), (1, "pi"))
        self.assertEqual({"date", "commit", "dirty", "device", "host"} - set(self.document["context"]), set())
        self.assertIsNone(self.document["context"]["device"])
        self.assertEqual(self.document["sizes"]["streams"], 96)  # a multiple of 32
        self.assertEqual(self.document["sizes"]["iters"], 3)
        self.assertEqual([row["source"] for row in self.document["rows"]], ["lcg", "constant"])

    def test_identity(self):
        lcg = self.row("lcg")
        self.assertEqual(set(lcg), set(self.ROW_KEYS))
        self.assertEqual((lcg["versions"], lcg["words_of"], lcg["bit_planes"]), (["v8", "v9"], "lcg", False))
        self.assertEqual(lcg["expected"], {"count": 3373259720, "total": 2**32})
        self.assertAlmostEqual(lcg["bias"], 4 * 3373259720 / 2**32 - 3.141592653589793, places=14)
        self.assertEqual(lcg["cycle_samples"], 2**31)
        self.assertIsInstance(lcg["soundness"], str)
        constant = self.row("constant")
        self.assertEqual((constant["versions"], constant["soundness"], constant["cycle_samples"]), ([], None, 1))

    def test_words_only(self):
        process = self.execute(QUALITY, "v14", "--words-only")
        self.assertEqual((process.returncode, process.stderr), (0, ""))
        [row] = strict_json(process.stdout)["rows"]
        self.assertTrue(row["lagged"])
        self.assertEqual([row.get(test) for test in ("dispersion", "serial", "lags", "parities")], [None] * 4)
        quality.OF_WORDS.parse(process.stdout, "suite_quality")  # as scripts/quality reads it
        self.assertEqual(row["linear"]["linear_bits"], [0, 1])
        self.assertEqual([set(found) for found in row["differences"]], [{"pairs", "chi2", "dof", "p"}] * 4)
        process = self.execute(QUALITY, "--words-only", "--gpu")
        self.assertEqual(process.returncode, 2)
        self.assertRegex(process.stderr, r"\A[^\n]*--gpu[^\n]*--words-only[^\n]*\n\Z")

    def test_samples_after_which_the_bias_is_an_sd(self):
        lcg = self.row("lcg")
        p = lcg["expected"]["count"] / lcg["expected"]["total"]
        self.assertAlmostEqual(16 * p * (1 - p) / lcg["bias_samples"] / lcg["bias"] ** 2, 1, places=6)

    def test_tests(self):
        lcg = self.row("lcg")
        self.assertEqual(set(lcg["dispersion"]), set(self.DISPERSION_KEYS))
        self.assertEqual((lcg["dispersion"]["streams"], lcg["dispersion"]["iters"]), (96, 3))
        for pairs in ("xy", "neighbours"):
            self.assertEqual(set(lcg["serial"][pairs]), {"pairs", "chi2", "dof", "p"})
            self.assertEqual(lcg["serial"][pairs]["pairs"], self.document["sizes"]["pairs"])
        self.assertEqual(set(lcg["lags"]), {"streams", "iters", "correlation", "sd"})
        self.assertEqual(len(lcg["lags"]["correlation"]), 2)  # of 3 samples

    def test_overlap(self):
        overlap = self.row("lcg")["overlap"]
        self.assertEqual((overlap["streams"], overlap["draws"], overlap["cycle_draws"]), (96, 6, 2**32))
        self.assertAlmostEqual(overlap["times_round"] * 2**32, 96 * 6, places=6)
        self.assertAlmostEqual(overlap["overlapping"] / (95 * 11 / 2**32), 1, places=6)
        self.assertIsNone(self.row("constant")["overlap"], "its streams do not start anywhere in its cycle")

    def test_result_file(self):
        target = self.root / "quality.json"
        process = self.execute(QUALITY, "v9", "--streams", "64", "--iters", "2", "--json", target, seconds=300)
        self.assert_succeeds(process)
        self.assertEqual((process.stdout, process.stderr), ("", ""))
        [row] = strict_json(target.read_text())["rows"]
        self.assertEqual(row["source"], "lcg")
        self.assertEqual(os.listdir(self.root), [target.name])

    def test_interrupted(self):
        self.target.write_text(OLD)
        process = self.start(QUALITY, "--json", self.target)  # minutes
        self.wait_for("tests that run", lambda: process.poll() is not None or cpu_seconds(process) > 0.5)
        process.send_signal(signal.SIGINT)
        self.assert_fails(self.finish(process), 130, "interrupted")
        self.assert_target_is_old_and_alone()

    def test_without_a_gpu(self):
        self.target.write_text(OLD)
        self.assert_fails(self.execute(QUALITY, "--gpu"), 3, "GPU")
        self.assert_fails(self.execute(QUALITY, "v8", "--gpu", "--json", self.target), 3, "GPU")
        self.assert_target_is_old_and_alone()


if __name__ == "__main__":
    unittest.main()
