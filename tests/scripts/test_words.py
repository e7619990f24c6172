#!/usr/bin/env python3
"""Tests of scripts/quality --words: what sums say, how ranges of launches add up, what is run, and the page's section.

suite_words is a function that answers as the program does. The program is in the folder that SUITE_BIN names (default: build/ of
this repository).
"""

import json
import sys
import unittest
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import BIN, REPOSITORY, Sandbox, called, gpu_document, needs_jsonschema

from batteries import command
from batteries import words as running
from suite.analyse import words
from suite.documents import files, kinds
from suite.documents.schema import ResultError
from suite.processes import NO_GPU, Outcome
from suite.render import words as rendering

STORED = REPOSITORY / "results" / "words.json"
CONTEXT = gpu_document("v8")["context"]


def group(*sums, terms=10**6, variance=1, unit=1, name="even n", what="bit", first=0):
    return {
        "name": name,
        "what": what,
        "first": first,
        "terms": terms,
        "variance": variance,
        "unit": unit,
        "sums": list(sums),
    }


def row(generator="philox", test="recurrence", first=0, end=1, order="stream", groups=None, largest=(), **own):
    return {
        "generator": generator, "test": test, "order": order, "seed": running.SEED, "size": {"blocks": 132, "threads": 512, "trips": 2048},
        "fingerprint": "0123456789abcdef", "launches": [[first, end]], "words": (end - first) * 10**12, "seconds": 0.5 * (end - first),
        "groups": [group(0)] if groups is None else groups, "largest": list(largest),
    } | own  # fmt: skip


def largest(*sums, terms=10**6, tested=2**20):
    return {
        "name": "odd n",
        "terms": terms,
        "tested": tested,
        "chi2": 1.0,
        "sums": list(sums),
        "of_draws": ["n, n - 3"] * len(sums),
    }


def document(*rows):
    return {"schema": 1, "suite": "words", "context": CONTEXT, "rows": list(rows)}


class DeviationsTest(Sandbox):
    def test_a_group_tells_its_largest_deviation_and_what_would_be_seen(self):
        [found] = words.found_in(row(groups=[group(2000, -9000, 100, terms=10**6, variance=4, unit=2)]))
        self.assertEqual((3, -4.5, "bit 1"), (found.count, found.largest, found.where))
        self.assertAlmostEqual(found.sees, 5 * 2 / 1000 / 2)  # 5 sd of a mean of terms with sd 2, over the unit
        self.assertAlmostEqual(found.p / 3, 6.795e-6, delta=1e-9)  # of a normal beyond 4.5, both sides

    def test_the_largest_of_many_counts_all_that_were_tested(self):
        [found] = words.found_in(row(groups=[], largest=[largest(5500, 100)]))
        self.assertEqual((2**20, 5.5, "n, n - 3"), (found.count, found.largest, found.where))
        self.assertFalse(words.fails(found), "5.5 sd is usual among a million")
        self.assertTrue(words.fails(words.found_in(row(groups=[], largest=[largest(8000)]))[0]))

    def test_how_many_words_show_a_fault(self):
        self.assertIsNone(words.words_to_see(row(groups=[group(4000)])))
        self.assertEqual(
            10**12 / 4, words.words_to_see(row(groups=[group(10000), group(100)]))
        )  # 10 sd; 5 need a quarter

    def test_complains_of_used_generators_that_fail_and_of_controls_that_do_not(self):
        fault, fair = [group(10000)], [group(100)]
        self.assertEqual(
            [],
            words.complaints(
                document(row("dot_mrg", groups=fair), row("lcg", groups=fault), row("lcg", "lags", groups=fair))
            ),
        )
        [said] = words.complaints(document(row("dot_mrg", order="seeds", groups=fault)))
        self.assertIn("dot_mrg, recurrence, first words of seeds: even n: +10.0 sd", said)
        self.assertEqual(["lcg: no test finds its fault"], words.complaints(document(row("lcg", groups=fair))))
        self.assertEqual([], words.complaints(document(row("mrg", groups=fault))), "v14's is known")

    def test_words_of_a_sample(self):
        # v23: 5 planes; a quarter goes on to 5 more, and half of each level to the next; 1 of 512 takes two whole words.
        bits = 5 + 5 / 4 + 6 / 8 + 7 / 16 + 8 / 32 + 9 / 64 + 10 / 128 + 11 / 256 + 64 / 512
        self.assertAlmostEqual(bits / 32, words.USES["alternating_mrg"].words)


class AddingTest(Sandbox):
    def test_ranges_of_launches_add_up(self):
        both = words.added(row(first=0, end=2, groups=[group(5, -7)]), row(first=2, end=3, groups=[group(1, 2)]))
        self.assertEqual(([[0, 3]], 3 * 10**12, 1.5), (both["launches"], both["words"], both["seconds"]))
        self.assertEqual([group(6, -5, terms=2 * 10**6)], both["groups"])
        self.assertEqual([[0, 1], [5, 6]], words.added(row(), row(first=5, end=6))["launches"])

    def test_only_other_launches_of_the_same_words_add_up(self):
        self.assertTrue(words.is_continued(row(), row(first=1, end=2)))
        self.assertFalse(words.is_continued(row(first=0, end=3), row(first=2, end=4)))
        for own in (
            {"seed": 1},
            {"fingerprint": "f" * 16},
            {"size": {"blocks": 1, "threads": 32, "trips": 1}},
            {"test": "bits"},
        ):
            self.assertFalse(words.is_continued(row(), row(first=1, end=2, **own)), own)
        self.assertFalse(words.is_continued(row(largest=[largest(1)]), row(first=1, end=2, largest=[largest(1)])))

    def test_sums_beyond_64_bits_are_kept(self):
        many = 2**62
        both = words.added(row(groups=[group(many)]), row(first=1, end=2, groups=[group(many)]))
        text = files.to_text(document(words.added(both, row(first=2, end=3, groups=[group(many)]))))
        self.assertEqual(3 * many, kinds.WORDS.parse(text, "text")["rows"][0]["groups"][0]["sums"][0])


class PlanTest(Sandbox):
    OF_LAUNCH = 10**12
    KEY = ("alternating_mrg", "recurrence", "stream")

    def plan(self, key, rows=()):
        known = {key: (self.OF_LAUNCH, "0123456789abcdef")}
        return [run[1:] for run in running.runs_missing(known, {running.key_of(one): one for one in rows})]

    def test_many_words_are_read_in_parts_that_are_stored(self):
        plan = self.plan(self.KEY)
        self.assertEqual([(100 * i, 10**14) for i in range(10)], plan)

    def test_goes_on_where_it_stopped(self):
        self.assertEqual([(950, 5 * 10**13)], self.plan(self.KEY, [row(*self.KEY[:2], end=950)]))
        self.assertEqual([], self.plan(self.KEY, [row(*self.KEY[:2], end=1000)]))

    def test_other_words_are_read_anew(self):
        for own in ({"fingerprint": "f" * 16}, {"seed": 1}):
            self.assertEqual(10, len(self.plan(self.KEY, [row(*self.KEY[:2], end=1000, **own)])))

    def test_parities_of_many_draws_are_read_in_one_run(self):
        key = ("philox", "tied", "stream")
        before = row(*key[:2], groups=[], largest=[largest(1)])
        self.assertEqual([(0, running.goal(*key))], self.plan(key, [before]))


class ProgramTest(Sandbox):
    def test_every_generator_and_test_of_the_program_is_known_to_the_page(self):
        generators, tests, _ = map(set, zip(*running.listed(BIN / "suite_words")))
        self.assertEqual(words.USES.keys() | words.CONTROLS.keys(), generators)
        self.assertEqual(rendering.NAMES.keys(), tests)


class CommandTest(Sandbox):
    LIST = "generator test order words fingerprint\nphilox recurrence stream 4000000000000 0123456789abcdef\nlcg bits stream 1000000000000 0123456789abcdef\n"

    def setUp(self):
        super().setUp()
        self.bin, self.out, self.runs, self.sum = self.root / "bin", self.root / "out", [], 0
        self.bin.mkdir()
        (self.bin / "suite_words").touch(mode=0o755)
        patcher = mock.patch.object(running, "run_program", self.suite_words)
        patcher.start()
        self.addCleanup(patcher.stop)

    def suite_words(self, program, *arguments):
        if arguments == ("--list",):
            return Outcome(0, self.LIST, "")
        options = dict(zip(arguments[::2], arguments[1::2]))
        self.runs.append((options["--generator"], options["--launch"], options["--words"]))
        size = 4 * 10**12 if options["--generator"] == "philox" else 10**12
        end = options["--launch"] + options["--words"] // size
        fault = 10**6 if options["--generator"] == "lcg" else self.sum
        found = row(
            options["--generator"],
            options["--test"],
            options["--launch"],
            end,
            words=options["--words"],
            groups=[group(fault)],
        )
        return Outcome(0, json.dumps(document(found)), "")

    def quality(self, *options):
        return called(command, "--bin", self.bin, "--out", self.out, "--words", *options)

    def test_reads_all_and_then_nothing(self):
        self.succeeded(self.quality())
        self.assertEqual([("lcg", 0, 10**12), ("philox", 0, 12 * 10**12)], self.runs, "controls first")
        stored = kinds.WORDS.stored_in(self.out)
        self.assertEqual(["lcg", "philox"], [one["generator"] for one in stored["rows"]])
        self.succeeded(self.quality())
        self.assertEqual(2, len(self.runs))
        self.succeeded(self.quality("--redo"))
        self.assertEqual(4, len(self.runs))
        self.assertEqual(stored, kinds.WORDS.stored_in(self.out), "redone, not added")

    def test_goes_on_with_stored_sums(self):
        kinds.WORDS.path_in(self.out).parent.mkdir(exist_ok=True)
        kinds.WORDS.path_in(self.out).write_text(
            files.to_text(document(row(end=2, words=8 * 10**12, groups=[group(300)])))
        )
        self.succeeded(self.quality())
        self.assertEqual(("philox", 2, 4 * 10**12), self.runs[-1])
        philox = kinds.WORDS.stored_in(self.out)["rows"][0]
        self.assertEqual(
            ([[0, 3]], 12 * 10**12, [300]), (philox["launches"], philox["words"], philox["groups"][0]["sums"])
        )

    def test_a_bias_of_a_used_generator_is_a_failure(self):
        self.sum = 20000
        process = self.failed(self.quality())
        self.assertIn("quality: philox, recurrence: even n: +20.0 sd", process.stderr)

    def test_without_a_gpu_nothing_is_measured(self):
        with mock.patch.object(
            running,
            "run_program",
            lambda _, *arguments: Outcome(0, self.LIST, "") if arguments == ("--list",) else Outcome(NO_GPU, "", ""),
        ):
            process = self.quality()
        self.assertEqual((0, "quality: nothing measured: no usable GPU\n"), (process.returncode, process.stderr))
        self.assertFalse(self.out.exists())


class PageTest(Sandbox):
    RUNS = [{"version": "v6", "per_ns": {"median": 100.0}}]

    def section(self, *rows):
        return "\n".join(rendering.section(document(*rows), self.RUNS))

    def test_says_how_long_a_step_draws_as_many(self):
        text = self.section(row(end=12))
        self.assertIn("| philox | 1.2 × 10¹³ | 1.2 × 10¹³ | v6 draws in 1.0 min |", text)  # two words a sample

    def test_shows_the_least_probable_deviation_of_each_test(self):
        rows = [row(groups=[group(-2000, 100), group(500, name="odd n")]), row("mrg", groups=[group(9000)])]
        text = self.section(*rows)
        self.assertIn("| 5.0 × 10⁻³ | −2.00 of 3 (1.0 × 10¹²) | **+9.00** of 1 (1.0 × 10¹²) |", text)
        self.assertIn(words.KNOWN["mrg"], text)

    def test_controls_say_how_many_words_show_the_fault(self):
        text = self.section(row("lcg", groups=[group(10000)]), row("lcg", "lags"))
        self.assertIn("recurrence 2.5 × 10¹¹ | lags |", text)

    def test_nothing_without_results(self):
        self.assertEqual([], rendering.section(None, self.RUNS))


class StoredTest(Sandbox):
    def test_the_stored_sums_say_what_they_must(self):
        if not STORED.exists():
            self.skipTest("results/words.json does not exist yet")
        self.assertEqual([], words.complaints(kinds.WORDS.load(STORED)))

    @needs_jsonschema
    def test_a_document_without_sums_is_refused(self):
        with self.assertRaisesRegex(ResultError, "sums"):
            kinds.WORDS.check(document(row(groups=[group()])))


if __name__ == "__main__":
    unittest.main()
