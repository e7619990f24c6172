#!/usr/bin/env python3
"""Tests of scripts/quality: what is made of the batteries' output, the verdicts, and the script with programs that are functions.

tests/data/evidence/site/results/quality.json is the battery that they start
from. The last ones hold the repository's own against the programs in the
folder that SUITE_BIN names (default: build/).
"""

import array
import copy
import hashlib
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
import unittest
from pathlib import Path
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import BIN, DATA, REPOSITORY, SCRIPTS, Sandbox, called, needs_jsonschema

from batteries import command
from batteries import dieharder as dieharder_tool
from batteries import long_runs, pipelines, practrand, testu01
from batteries import runs as battery_runs
from interrupts import setUpModule  # noqa: F401
from suite import processes
from suite.analyse import batteries, dieharder, verdicts
from suite.analyse.batteries import DIEHARDER, DIEHARDER_FULL, Run
from suite.documents import files, quality
from suite.documents.schema import ResultError
from suite.processes import Outcome

FIXTURE = DATA / "evidence" / "site" / "results" / "quality.json"
STORED = REPOSITORY / "results" / "quality.json"

NAME_OF = {test.number: test.name for test in dieharder.FULL_TESTS}
FAILED = {"p": 0.0, "assessment": "failed"}


def lcg_fails(line):
    """Whether dieharder fails: line has the words and the test's number."""
    return line.startswith("lcg --streams 1 ") and " -d 2 " in line or line.startswith("constant ")


def batteries_fail(line):
    return line.startswith(("lcg ", "xorshift32 ", "mrg --streams 1 --seed", "trinomial_63_1 "))


def fixture():
    """The stored battery of the tests."""
    return json.loads(FIXTURE.read_text())


def row_of(document, source):
    return next(row for row in document["rows"] if row["source"] == source)


def records_of(document, source, *names):
    """The stored runs of a source with the usual seed: those of these batteries."""
    return [record for record in document["runs"]
            if (record["source"], record["seed"]) == (source, batteries.SEED) and record["battery"] in names]  # fmt: skip


def streams_of(document, source):
    return records_of(document, source, DIEHARDER)


def battery_records(document, *sources):
    """The stored runs of TestU01 and PractRand, of these sources or of all."""
    found = [record for record in document["runs"] if record["battery"] not in (DIEHARDER, DIEHARDER_FULL)]
    return [record for record in found if not sources or record["source"] in sources]


# What dieharder, PractRand and TestU01 print


class DieharderTest(unittest.TestCase):
    # As dieharder 3.31.1 prints it, with white space and without.
    OUTPUT = """\
   diehard_birthdays,   0,       100,     100,0.10135017
          sts_serial,   1,     20000,     100,0.60813380
rgb_lagged_sum,4,100000,100,0.00000000

# The file stdin_input_raw was rewound 0 times
"""

    def test_a_record_for_each_line(self):
        fields = ("test", "ntuple", "tsamples", "psamples", "p", "assessment")
        expected = [("diehard_birthdays", 0, 100, 100, 0.10135017, "passed"), ("sts_serial", 1, 20000, 100, 0.6081338, "passed"),
                    ("rgb_lagged_sum", 4, 100000, 100, 0.0, "failed")]  # fmt: skip
        self.assertEqual([dict(zip(fields, row)) for row in expected], dieharder_tool.parse(self.OUTPUT))

    def test_what_is_no_record_is_refused(self):
        for line in ("Error: can't allocate memory", "sts_serial,1,20000,100", "sts_serial,1,20000,100,small", ",,,,"):
            with self.subTest(line), self.assertRaisesRegex(ResultError, "dieharder printed"):
                dieharder_tool.parse(f"{self.OUTPUT}{line}\n")

    def test_a_p_value_that_is_no_number_is_no_result(self):
        for text in ("nan", "-nan", "inf", "-1.00000000"):
            (record,) = dieharder_tool.parse(f"rgb_minimum_distance,2,10000,100,{text}\n")
            self.assertEqual((None, "no result"), (record["p"], record["assessment"]))

    def test_assessments(self):
        of_many = {0.0: "failed", 9.9e-7: "failed", 1e-6: "weak", 0.0049: "weak", 0.005: "passed", 0.995: "passed",
                   0.9951: "weak", 0.99999999: "weak", 1.0: "weak", None: "no result"}  # fmt: skip
        # Of a single statistic too good is as bad as too bad.
        of_one = {0.0: "failed", 0.99999: "weak", 0.9999999: "failed", 1.0: "failed"}
        for statistics, assessments in ((100, of_many), (1, of_one)):
            for p, expected in assessments.items():
                self.assertEqual(expected, dieharder.assessment(p, statistics), p)


class PractRandTest(unittest.TestCase):
    HEAD = """\
RNG_test using PractRand version 0.94
RNG = RNG_stdin32, seed = unknown
test set = core, folding = standard (32 bit)

rng=RNG_stdin32, seed=unknown
length= 64 megabytes (2^26 bytes), time= 2.1 seconds
  Test Name                         Raw       Processed     Evaluation
  [Low1/32]DC6-9x1Bytes-1           R=  -5.4  p =1-1.8e-3   unusual
  ...and 153 test result(s) without anomalies

rng=RNG_stdin32, seed=unknown
"""

    def test_the_last_report(self):
        failures = (
            "length= 128 megabytes (2^27 bytes), time= 4.4 seconds\n"
            "  Test Name                         Raw       Processed     Evaluation\n"
            "  BRank(12):256(2)                  R= +3748  p~=  3e-1129    FAIL !!!!!!!!\n"
            "  [Low4/32]BRank(12):128(2)         R= +1751  p~=  1.1e-527   FAIL !!!!!!!\n"
            "  ...and 165 test result(s) without anomalies\n"
        )
        failed = [{"test": name} | FAILED for name in ("BRank(12):256(2)", "[Low4/32]BRank(12):128(2)")]
        none = "length= 1 gigabyte (2^30 bytes), time= 31.9 seconds\n  no anomalies in 213 test result(s)\n"
        for text, *expected in (
            (self.HEAD + failures, "0.94", 2**27, 167, failed), (self.HEAD + none, "0.94", 2**30, 213, []), ("", None, 0, 0, []),
        ):  # fmt: skip
            self.assertEqual(dict(zip(("version", "bytes", "count", "results"), expected)), practrand.parse(text))

    def test_what_it_says_of_a_result(self):
        said = {
            "R=  -5.4  p =1-1.8e-3   unusual          ": (1 - 1.8e-3, "passed"),
            "R= +11.9  p =  2.5e-5   mildly suspicious": (2.5e-5, "weak"),
            "R= -10.4  p =1-2.5e-9    VERY SUSPICIOUS ": (1 - 2.5e-9, "weak"),
            "R= +35.7  p =  3.6e-14    FAIL           ": (3.6e-14, "failed"),
            "R>+99999  p = 0           FAIL !!!!!!!!  ": (0.0, "failed"),
            'R=  +1.0    "fail"          FAIL !       ': (None, "failed"),
        }
        for line, expected in said.items():
            with self.subTest(line):
                head = self.HEAD.replace("R=  -5.4  p =1-1.8e-3   unusual", line)
                self.assertIn(line, head)
                (result,) = practrand.parse(head)["results"]
                self.assertEqual(("[Low1/32]DC6-9x1Bytes-1", *expected), tuple(result.values()))


class TestU01Test(unittest.TestCase):
    def test_every_p_value(self):
        output = """\
 Version:          TestU01 1.2.3
 Number of statistics:  2
       Test                          p-value
 ----------------------------------------------
  8  MatrixRank                       eps

words = 35600000
p = 0.25122455242730757      RandomWalk1 H
p = 1e-300                   MatrixRank
"""
        results = [
            {"test": "RandomWalk1 H", "p": 0.25122455242730757, "assessment": "passed"},
            {"test": "MatrixRank", "p": 1e-300, "assessment": "failed"},
        ]
        expected = {"version": "1.2.3", "bytes": 142_400_000, "count": 2, "results": results}
        self.assertEqual(expected, testu01.parse(output))

    def test_too_good_is_as_bad_as_too_bad(self):
        for p, expected in {0.0: "failed", 0.9e-6: "failed", 1.1e-6: "weak", 0.0009: "weak", 0.0011: "passed",
                            0.9989: "passed", 0.9991: "weak", 0.99999: "weak", 0.9999999: "failed", 1.0: "failed"}.items():  # fmt: skip
            self.assertEqual(expected, batteries.assessment(p), p)


class RunsTest(unittest.TestCase):
    """Which words TestU01 and PractRand read."""

    EVERYWHERE = [(battery, count) for battery in ("PractRand", "SmallCrush") for count in (1, 1024, 65_536)]
    IN_BIT_PLANES = {"words": EVERYWHERE, "lanes": EVERYWHERE, "reversed words": [("SmallCrush", 1024)]}

    def test_words_as_a_version_uses_them(self):
        """Each battery has a known fault in each form that it reads."""
        controls = {(run.battery, run.form) for run in batteries.CONTROLS}
        for linear_bits, bit_planes, expected in (
            ([], False, {"words": self.EVERYWHERE}), ([0, 7], False, {"24-bit coordinates": self.EVERYWHERE}),
            ([0, 8], False, {"words": self.EVERYWHERE}), ([], True, self.IN_BIT_PLANES),
        ):  # fmt: skip
            runs = batteries.battery_runs(
                {"words_of": "mine", "bit_planes": bit_planes, "linear": {"linear_bits": linear_bits}},
                batteries.STANDARD,
            )
            self.assertEqual(len(runs), len(set(runs)))
            found = {
                form: sorted((run.battery, run.streams) for run in runs if run.form == form)
                for form in {run.form for run in runs}
            }
            self.assertEqual(expected, found)
            self.assertLessEqual({(battery, form) for form, read in found.items() for battery, _ in read}, controls)

    def test_a_failure_settles_a_run_that_did_not_end(self):
        found = battery_records(fixture(), "lcg")
        self.assertEqual({"PractRand", "SmallCrush"}, {record["battery"] for record in found})
        for record in found:
            unfinished = record | {"bytes": record["bytes"] // 2, "count": record["count"] - 1}
            self.assertTrue(batteries.is_settled(unfinished))
            self.assertFalse(batteries.is_settled(unfinished | {"results": []}))


# Verdicts


class VerdictTest(unittest.TestCase):
    """The rule, clause by clause: each case changes one thing of a generator that is sound."""

    DEMONSTRATION, SOUND, IN_24_BITS, IN_BIT_PLANES = (
        "demonstration only",
        "sound",
        "sound for 24-bit coordinates",
        "sound in bit planes",
    )

    def setUp(self):
        self.document = fixture()
        self.row, self.on_gpu = row_of(self.document, "philox"), row_of(self.document["gpu"], "philox")
        self.streams = streams_of(self.document, "philox")
        self.assert_verdict(self.SOUND)

    def assert_verdict(self, expected, source="philox"):
        self.assertEqual(expected, row_of(verdicts.with_verdicts(self.document), source)["verdict"])

    def check(self, place, sound, *cases):
        """Each case is what a place holds, and the verdict then."""
        before = copy.deepcopy(place)
        for values, expected in cases:
            with self.subTest(values):
                place.update(copy.deepcopy(values))
                self.assert_verdict(expected)
        place.update(before)
        self.assert_verdict(sound)

    def check_p(self, place, *names, sound=SOUND):
        for name in names:
            self.check(place, sound, ({name: 0.9e-6}, self.DEMONSTRATION), ({name: 1.1e-6}, sound))

    def test_a_result_of_dieharder_in_any_stream(self):
        for stream in self.streams:
            for record in stream["results"]:
                self.check(record, self.SOUND, (FAILED, self.DEMONSTRATION))
        self.check(self.streams[0]["results"][0], self.SOUND, ({"p": 0.001, "assessment": "weak"}, self.SOUND))

    def test_a_failure_at_full_size(self):
        stream = copy.deepcopy(self.streams[0]) | {"battery": DIEHARDER_FULL}
        self.document["runs"].append(stream)
        self.check(stream["results"][0], self.SOUND, (FAILED, self.DEMONSTRATION))

    def test_tests_that_dieharder_itself_distrusts(self):
        for name in ("diehard_sums", "diehard_opso", "diehard_oqso", "diehard_dna"):
            self.streams[0]["results"].append(self.streams[0]["results"][0] | FAILED | {"test": name})
            self.assert_verdict(self.SOUND)

    def test_the_same_words_have_the_same_failures(self):
        self.row.update(words_of="lcg", words_sha256=row_of(self.document, "lcg")["words_sha256"])
        self.assert_verdict(self.DEMONSTRATION)

    def test_p_values_of_the_suite(self):
        self.check_p(self.on_gpu["dispersion"], "p_mean", "p_variance", "p_histogram", "p_neighbours")
        for part in (self.row, self.on_gpu):
            for name in ("xy", "neighbours"):
                self.check_p(part["serial"][name], "p")
        self.check_p(self.row["differences"][1], "p")

    def test_hits_of_short_streams_are_remarkable_but_do_not_count(self):
        self.assertEqual([], verdicts.short_stream_faults(self.row))
        self.row["dispersion"]["p_variance"] = 1e-9
        self.row["lags"]["correlation"][1] = -5 * self.row["lags"]["sd"]
        self.assert_verdict(self.SOUND)
        self.assertEqual(["variance of the hits", "hits 2 apart"], verdicts.short_stream_faults(self.row))

    def test_linear_bits(self):
        self.add_runs("24-bit coordinates")
        cases = (
            ([0], self.IN_24_BITS),
            ([7], self.IN_24_BITS),
            ([8], self.DEMONSTRATION),
            ([0, 31], self.DEMONSTRATION),
        )
        self.check(self.row["linear"], self.SOUND, *(({"linear_bits": bits}, expected) for bits, expected in cases))

    def test_bit_planes(self):
        """With all that is tested of those; every bit of them is used."""
        self.row.update(bit_planes=True, parities=copy.deepcopy(row_of(self.document, "trinomial_63_1")["parities"]))
        self.document["runs"] += [stream | {"form": "lanes"} for stream in copy.deepcopy(self.streams)]
        self.add_runs("lanes")
        self.add_runs("reversed words")
        self.check_p(self.row["parities"][0], "p", "p_largest", sound=self.IN_BIT_PLANES)
        self.check(self.row["linear"], self.IN_BIT_PLANES, ({"linear_bits": [0]}, self.DEMONSTRATION))

    def add_runs(self, form):
        """Let the batteries have read the words in this form, too, with the same results."""
        of_words = [record for record in battery_records(self.document, "philox") if record["form"] == "words"]
        self.document["runs"] += [record | {"form": form} for record in of_words]

    def test_a_result_of_a_battery(self):
        failed, weak = ({"results": [{"test": "Gap"} | own]} for own in (FAILED, {"p": 0.0005, "assessment": "weak"}))
        for record in battery_records(self.document, "philox"):
            self.check(record, self.SOUND, (failed, self.DEMONSTRATION), (weak, self.SOUND))
        # Words that are drawn no more do not count, nor a form of words that no version uses.
        self.document["runs"].append(battery_records(self.document, "philox")[0] | failed | {"words_sha256": "0" * 64})
        self.assert_verdict(self.SOUND)
        record = battery_records(self.document, "xorwow")[0] | failed
        self.document["runs"].append(record)
        for form, expected in {"words": self.IN_24_BITS, "24-bit coordinates": self.DEMONSTRATION}.items():
            record["form"] = form
            self.assert_verdict(expected, "xorwow")

    def test_a_failure_in_a_long_run_however_far_it_has_come(self):
        of_big_crush = {"battery": "BigCrush", "source": "philox", "form": "words", "streams": 65_536, "seed": 4321, "iters": None,
                        "words_sha256": self.row["words_sha256"], "version": "1.2.3", "bytes": 4, "count": 1,
                        "results": [{"test": "Gap", "number": 34, "p": 0.5, "assessment": "passed"}]}  # fmt: skip
        self.document["runs"].append(of_big_crush)
        self.check(of_big_crush["results"][0], self.SOUND, (FAILED, self.DEMONSTRATION))

    def test_a_known_parity(self):
        with mock.patch.object(verdicts, "KNOWN_PARITIES", ("philox",)):
            self.assert_verdict("sound for 24-bit coordinates but for a known parity")

    def test_the_cycle(self):
        cases = {2.0**31: self.DEMONSTRATION, 0.99e12: self.DEMONSTRATION, 1e12: self.SOUND}
        self.check(
            self.row, self.SOUND, *(({"cycle_samples": samples}, expected) for samples, expected in cases.items())
        )
        # Threads of a lagged generator do not share a cycle.
        of_lanes = [stream | {"form": "lanes"} for stream in self.streams]
        self.document["runs"] += [*of_lanes, self.streams[0] | {"streams": 2**24, "iters": 8}]
        self.check(self.row, self.SOUND, ({"lagged": True, "cycle_samples": 1.0}, self.SOUND))

    def test_a_specimen_has_none(self):
        self.assert_verdict(None, "constant")

    def test_up_to_how_many_bytes_words_were_read(self):
        """The longest run counts, with either seed; there is none without every stream, or of other words."""
        runs = records_of(self.document, "philox", batteries.PRACTRAND)
        for record, size in zip(runs, (2**30, 2**34, 2**32), strict=True):
            record["bytes"] = size
        self.assertEqual(2**34, verdicts.tested_bytes(self.row, self.document))
        self.document["runs"].append(runs[0] | {"seed": 4321, "streams": 65_536, "bytes": 2**37})
        self.assertEqual(2**37, verdicts.tested_bytes(self.row, self.document))
        self.document["runs"].append(runs[0] | {"form": "lanes", "bytes": 2**40})  # no version uses them so
        self.assertEqual(2**37, verdicts.tested_bytes(self.row, self.document))
        for change in ({"streams": 3}, {"words_sha256": "0" * 64}):
            with self.subTest(change), mock.patch.dict(runs[1], change):
                self.assertIsNone(verdicts.tested_bytes(self.row, self.document))


class MissingTest(unittest.TestCase):
    """Whatever is missing of a sound generator's results, it is not tested."""

    def setUp(self):
        self.document = fixture()
        self.row, self.on_gpu = row_of(self.document, "philox"), row_of(self.document["gpu"], "philox")
        self.streams, self.runs = streams_of(self.document, "philox"), battery_records(self.document, "philox")
        self.assertEqual([], verdicts.untested(verdicts.with_verdicts(self.document)))

    def assert_missing(self, *parts):
        document = verdicts.with_verdicts(self.document)
        self.assertEqual("not tested", row_of(document, "philox")["verdict"])
        self.assertEqual([], verdicts.complaints(document))  # the result is stored, and says so
        (line,) = verdicts.untested(document)
        for part in ("philox is not tested", *parts):
            self.assertIn(part, line)

    def check(self, place, values, *parts):
        with self.subTest(parts, values=values), mock.patch.dict(place, values):
            self.assert_missing(*parts)

    def test_results_of_dieharder(self):
        for stream in self.streams:
            for record in stream["results"]:
                self.check(record, {"p": None}, "dieharder: 1 of")
            for test in dieharder.TESTS:
                others = [own for own in stream["results"] if dieharder.part_of(own) != dieharder.name_of(test)]
                self.check(stream, {"results": others}, "dieharder: 1 of")
        for size in ("tsamples", "psamples"):
            self.check(self.streams[1]["results"][0], {size: 10}, "(1,024 streams)")
        whole, count = self.document["runs"], len(dieharder.TESTS)
        for kept in ([], self.streams[:1], self.streams[1:]):
            others = [record for record in whole if record not in self.streams]
            self.check(self.document, {"runs": others + kept}, f"dieharder: {count} of {count} tests")
        self.check(
            self.row, {"lagged": True}, "(1 stream, lanes)", "(1,024 streams, lanes)", "(16,777,216 streams, start-up)"
        )

    def test_runs_of_the_batteries(self):
        for record in self.runs:
            said = f"{record['battery']}: 1 of 3 runs"
            self.check(self.document, {"runs": [other for other in self.document["runs"] if other is not record]}, said)
            unfinished = {"bytes": record["bytes"] // 2, "count": record["count"] - 1, "results": record["results"][1:]}
            self.check(record, unfinished, said)
        self.check(self.runs[0], {"words_sha256": "0" * 64}, "PractRand: 1 of 3 runs")

    def test_the_gpu(self):
        rows = [row for row in self.document["gpu"]["rows"] if row is not self.on_gpu]
        self.check(self.document["gpu"], {"rows": rows}, "GPU")
        self.check(self.on_gpu, {"words_sha256": "0" * 64}, "GPU")
        document = verdicts.with_verdicts(self.document | {"gpu": None})
        found = {row["source"]: row["verdict"] for row in document["rows"] if row["source"] in ("xorwow", "philox")}
        self.assertEqual({"xorwow": "not tested", "philox": "not tested"}, found)
        self.assertIn("GPU", verdicts.untested(document)[1])

    def test_what_the_suite_tests(self):
        pairs = [part["serial"][name] for part in (self.row, self.on_gpu) for name in ("xy", "neighbours")]
        for part in (*pairs, *self.row["differences"]):
            self.check(part, {"p": None}, "missing: ")
        for name in quality.DISPERSION_TESTS:
            self.check(self.on_gpu["dispersion"], {name: None}, "missing: ")
        for values, said in (
            ({"differences": None}, "differences of words"), ({"linear": None}, "linear bits"),
            ({"bit_planes": True}, "parities of lanes"), ({"words_of": "nobody"}, "the words of nobody"),
        ):  # fmt: skip
            self.check(self.row, values, said)


class ComplaintTest(unittest.TestCase):
    def setUp(self):
        self.document = fixture()
        self.assert_complaint()

    def assert_complaint(self, *parts):
        """There is one, with these parts; none without any."""
        complaints = verdicts.complaints(verdicts.with_verdicts(self.document))
        self.assertEqual(1 if parts else 0, len(complaints), complaints)
        for part in parts:
            self.assertIn(part, complaints[0])

    def test_a_specimen_in_which_nothing_was_found(self):
        """One finding is enough, but a short cycle is none."""
        for find, parts in (
            (lambda row: None, ("constant", "no test found its fault")),
            (lambda row: row.update(cycle_samples=1.0), ("constant",)),
            (lambda row: streams_of(self.document, row["source"])[1]["results"][0].update(FAILED), ()),
            (lambda row: row["dispersion"].update(p_histogram=0.0), ()),
            (lambda row: row["serial"]["neighbours"].update(p=0.0), ()),
            (lambda row: row["linear"].update(linear_bits=[31]), ()),
        ):
            self.document = fixture()
            row, sound = row_of(self.document, "constant"), row_of(self.document, "philox")
            row.update({name: copy.deepcopy(sound[name]) for name in ("dispersion", "serial", "linear", "differences")})
            for record in streams_of(self.document, "constant"):
                record.update(results=copy.deepcopy(streams_of(self.document, "philox")[0]["results"]))
            self.document["gpu"]["rows"].remove(row_of(self.document["gpu"], "constant"))
            find(row)
            self.assert_complaint(*parts)

    def test_another_verdict_than_declared(self):
        for source, declared, verdict in (
            ("lcg", "sound", "demonstration only"), ("philox", "sound for 24-bit coordinates", "sound"),
        ):  # fmt: skip
            with self.subTest(source), mock.patch.dict(row_of(self.document, source), {"soundness": declared}):
                self.assert_complaint(source, f"'{declared}'", f"'{verdict}'")

    def test_the_reference_with_another_seed(self):
        for seed, number, values, parts in (
            (2, 2, FAILED, ("philox", "seed 2", "diehard_bitstream 0", "failed")),
            (1, 0, {"p": None, "assessment": "no result"}, ("philox", "seed 1", "no result")),
            (1, 0, {"p": 0.001, "assessment": "weak"}, ()),
        ):
            results = next(record["results"] for record in self.document["runs"] if record["seed"] == seed)
            with self.subTest(values), mock.patch.dict(results[number], values):
                self.assert_complaint(*parts)
        self.document["rows"].remove(row_of(self.document, "philox"))
        self.assert_complaint("philox")

    def test_a_battery_that_does_not_find_a_known_fault(self):
        controls = battery_records(self.document, "lcg")
        self.assertEqual(7, len(controls))
        for record in controls:
            with mock.patch.dict(record, {"results": []}):
                if record["battery"] == "PractRand":
                    self.assert_complaint()  # it was stopped too early to find anything
                    record["bytes"] = 2**29
                words = f"{batteries.form_text(record['form'])}, {record['streams']:,} stream"
                self.assert_complaint("lcg", f"{record['battery']} found nothing", words)

    def test_dispersions_that_theory_predicts(self):
        for source, ratio in (("lcg", 1.0005), ("lcg", 0.992), ("trinomial_63_1", 1.001), ("trinomial_63_1", 1.4)):
            with mock.patch.dict(row_of(self.document["gpu"], source)["dispersion"], {"variance_ratio": ratio}):
                self.assert_complaint(source, f"{ratio:.4f}")


# Programs side by side


class PipelineTest(Sandbox):
    def run_all(self, *jobs, at_once=2):
        return {ended.job.key: ended for ended in pipelines.run_side_by_side(jobs, at_once)}

    def job(self, key, writer, reader, cpu_seconds=20):
        return pipelines.Job(key, ["sh", "-c", writer], ["sh", "-c", reader], cpu_seconds)

    def test_each_reader_reads_its_writer(self):
        jobs = [self.job(key, f"echo words of {key}", "cat") for key in range(5)]
        outputs = {key: ended.reader.output for key, ended in self.run_all(*jobs).items()}
        self.assertEqual({key: f"words of {key}\n" for key in range(5)}, outputs)

    def test_how_each_pair_ends(self):
        """An endless writer ends with its reader; both have codes and errors; a reader may compute too long."""
        for writer, reader, seconds, expected in (
            ("exec yes", "head -n 1", 20, (0, "", 0, "y\n", "", False)),
            (
                "echo bad words >&2; exit 2",
                "echo bad reading >&2; exit 3",
                20,
                (2, "bad words\n", 3, "", "bad reading\n", False),
            ),
            ("exec yes", "echo early; while :; do :; done", 1, (0, "", -signal.SIGXCPU, "early\n", "", True)),
        ):
            with self.subTest(reader):
                ended = self.run_all(self.job("key", writer, reader, seconds))["key"]
                of_reader = (ended.reader.code, ended.reader.output, ended.reader.errors)
                self.assertEqual(expected, (ended.writer.code, ended.writer.errors, *of_reader, ended.out_of_time))

    def test_a_program_that_there_is_not(self):
        for writer, reader in ((["/nowhere/program"], ["cat"]), (["yes"], ["/nowhere/program"])):
            with self.assertRaisesRegex(processes.ProgramError, "/nowhere/program: No such file"):
                list(pipelines.run_side_by_side([pipelines.Job("key", writer, reader, 1)], 2))

    def test_none_is_left_when_the_caller_stops(self):
        pids = self.root / "pids"
        jobs = [self.job(1, "yes", "read -r line"), self.job(2, "yes", f"echo $$ > '{pids}'; exec sleep 60")]
        ended = pipelines.run_side_by_side(jobs, 2)
        next(ended)
        wait_for(pids)
        ended.close()
        self.assertFalse(is_alive(int(pids.read_text())))


def wait_for(path):
    deadline = time.monotonic() + 30
    while not (path.exists() and path.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)


def is_alive(pid):
    try:
        stat = Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rpartition(")")[2].split()[0] != "Z"  # a zombie has ended


# The script


class QualityTest(Sandbox):
    """A folder of programs that are functions, dieharder among them, and quality to run them."""

    SOURCES = ("philox", "lcg", "lcg_mantissa", "constant")

    def setUp(self):
        super().setUp()
        self.bin, self.out, self.tools = (self.root / name for name in ("bin", "out", "tools"))
        for folder in (self.bin, self.out, self.tools):
            folder.mkdir()
        for path in (
            self.bin / "suite_quality",
            self.bin / "suite_stream",
            self.bin / "testu01_stdin",
            self.tools / "dieharder",
            self.tools / "RNG_test",
        ):
            self.add_script(path, "exit 99")
        self.stored, self.aside = self.out / "quality.json", self.bin / "results" / "quality.json"
        self.log, self.battery_log, self.calls = (
            [],
            [],
            [],
        )  # what dieharder read, what others read, and the calls of suite_quality
        self.salt, self.dieharder_fails, self.batteries_fail = "", lcg_fails, batteries_fail
        self.ends = {}  # the Outcome of a program in place of its own, by its name
        self.printed = self.measured()
        for patch in (
            mock.patch.object(battery_runs, "fingerprint", lambda source, folder: self.hash_of(source)),
            mock.patch.object(battery_runs, "run_side_by_side", self.run_jobs),
            mock.patch.object(dieharder_tool, "version", lambda: "3.31.1"),
            mock.patch.object(command, "run_program", self.suite_quality),
            mock.patch.dict(os.environ, {"PATH": str(self.tools)}),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def suite_quality(self, program, *arguments, errors):
        self.calls.append(" ".join(arguments))
        return self.ends.get("suite_quality", Outcome(0, json.dumps(self.printed), None))

    def run_jobs(self, jobs, at_once):
        for job in jobs:
            words, (name, *arguments) = " ".join(job.writer[1:]), [Path(job.reader[0]).name, *job.reader[1:]]
            output = {"dieharder": self.dieharder, "testu01_stdin": self.of_testu01, "RNG_test": self.rng_test}[name](
                words, arguments
            )
            writer = self.ends.get("suite_stream", Outcome(0, "", ""))
            reader = self.ends.get(name, Outcome(0, output, ""))
            yield pipelines.Ended(job, reader, name in self.ends and reader.code < 0, writer)

    def dieharder(self, words, arguments):
        options = dict(zip(arguments, arguments[1:]))
        line = f"{words} -d {options['-d']} -n {options['-n']}"
        self.log.append(line)
        p = 1.2e-7 if self.dieharder_fails(f"{line} ") else 0.5
        return f"{NAME_OF[int(options['-d'])]},{options['-n']},{options.get('-t', 10)},{options.get('-p', 100)},{p}\n"

    def of_testu01(self, words, arguments):
        line = " ".join([words, *arguments])
        self.battery_log.append(line)
        count = {"Crush": 144, "BigCrush": 2}.get(arguments[0], 15)
        p_values = [1e-300 if number == 3 and self.batteries_fail(line) else 0.25 for number in range(1, count + 1)]
        return " Version:          TestU01 1.2.3\nwords = 1000000\n" + "".join(
            f"p = {p} Test {n}\n" for n, p in enumerate(p_values)
        )

    def rng_test(self, words, arguments):
        self.battery_log.append(f"{words} RNG_test {arguments[0]} {arguments[4]}")
        found = "  no anomalies in 232 test result(s)\n"
        if self.batteries_fail(f"{words} RNG_test"):
            found = "  BRank(12):256(2)                  R= +3748  p~=  3e-1129    FAIL !!!!!!!!\n  ...and 165 test result(s) without anomalies\n"
        return f"RNG_test using PractRand version 0.95-fork\nlength= 512 mebibytes (2^{arguments[4]} bytes), time= 4.4 seconds\n{found}"

    def measured(self, sources=SOURCES):
        """What suite_quality prints of these sources."""
        document = fixture()
        rows = [row_of(document, source) for source in sources]
        for row in rows:
            del row["words_sha256"], row["verdict"]
        return {"schema": 1} | {name: document[name] for name in ("suite", "context", "sizes")} | {"rows": rows}

    def measured_on_gpu(self):
        """The same with --gpu."""
        gpu, measured = fixture()["gpu"], self.measured()
        own = {row["source"]: {name: row[name] for name in row if name != "words_sha256"} for row in gpu["rows"]}
        rows = [row | own[row["source"]] | {"linear": None} for row in measured["rows"]]
        return measured | {"context": gpu["context"], "sizes": gpu["sizes"], "rows": rows}

    def quality(self, *options):
        return called(command, "--bin", self.bin, "--out", self.out, *options)

    def document(self, path=None):
        return quality.DOCUMENT.load(path or self.stored)

    def battery_runs(self):
        return [tuple(batteries.run_of(record))[:4] for record in battery_records(self.document())]

    def write(self, document):
        self.stored.write_text(files.to_text(document))
        return document

    def store(self, **parts):
        """Store a battery that fits the programs here, with these parts changed."""
        document = fixture()
        for part in (document, document["gpu"]):
            part["rows"] = [row for row in part["rows"] if row["source"] in self.SOURCES]
        for part in (document, document["gpu"]):
            for row in part["rows"]:
                row["words_sha256"] = self.hash_of(row_of(document, row["source"])["words_of"])
        document["runs"] = [
            record
            for record in document["runs"]
            if record["source"] in self.SOURCES and record["battery"] != DIEHARDER_FULL
        ]
        for record in document["runs"]:
            record["words_sha256"] = self.hash_of(record["source"])
        return self.write(document | parts)

    def store_without_batteries(self):
        document = self.store()
        return self.write(document | {"runs": [own for own in document["runs"] if own["battery"] == DIEHARDER]})

    def hash_of(self, source):
        return hashlib.sha256(f"{source}{self.salt}".encode()).hexdigest()

    def assert_unchanged(self, document):
        self.assertEqual(files.to_text(document), self.stored.read_text())
        self.assert_no_leftovers()


class QualityRunTest(QualityTest):
    def test_everything_as_it_must_be(self):
        process = self.succeeded(self.quality())
        document = self.document()
        verdict_of = {row["source"]: row["verdict"] for row in document["rows"]}
        demonstration = "demonstration only"
        expected = {"philox": "not tested", "lcg": demonstration, "lcg_mantissa": demonstration, "constant": None}
        self.assertEqual(expected, verdict_of)
        self.assertEqual({"3.31.1", "1.2.3", "0.95-fork"}, {record["version"] for record in document["runs"]})
        self.assertIsNone(document["gpu"])
        lines = process.stdout.splitlines()
        self.assertRegex(lines[2], r"^lcg, 1 stream +1 failed, 0 weak, of 17 p-values$")
        self.assertIn(f"wrote {self.stored}", lines)
        self.assertRegex(process.stdout, r"(?m)^philox, 1,024 streams, seed 10 +0 failed, 0 weak, of 17 p-values$")
        self.assertRegex(
            process.stdout, r"(?m)^lcg, words, 1 stream +SmallCrush: 1 failed, 0 weak, of 15 results, 4 MiB$"
        )
        self.assertEqual("philox is not tested, missing: the tests of these words on the GPU", lines[-1])
        for record in document["runs"]:  # what passed is only counted
            if record["battery"] == DIEHARDER:
                self.assertEqual([], dieharder.unfinished_tests(record))
                self.assertEqual(17, len(record["results"]) + sum(record.get("passed", {}).values()))
                self.assertNotIn("passed", [result["assessment"] for result in record["results"]])
        of_philox = [
            (battery, "philox", "words", count)
            for battery in ("PractRand", "SmallCrush")
            for count in (1, 1024, 65_536)
        ]
        of_lcg = [(battery, "lcg", "words", count) for battery in ("PractRand", "SmallCrush") for count in (1, 1024)]
        of_lcg += [(battery, "lcg", "24-bit coordinates", 1) for battery in ("PractRand", "SmallCrush")]
        self.assertEqual(
            sorted([*of_philox, *of_lcg, ("SmallCrush", "lcg", "reversed words", 1)]), sorted(self.battery_runs())
        )

    def test_streams(self):
        self.printed = self.measured([*self.SOURCES, "trinomial_63_1"])
        row_of(self.printed, "lcg_mantissa").update(words_of="lcg_mantissa", lagged=True)
        self.quality("--redo")
        document = self.document()
        tested = {
            row["source"]: [(run["streams"], run["form"]) for run in streams_of(document, row["source"])]
            for row in document["rows"]
        }
        plain = [(1, "words"), (1024, "words")]
        of_lanes = [*plain, (1, "lanes"), (1024, "lanes")]
        lagged = [*of_lanes, (2**24, "words")]
        self.assertEqual(
            {"philox": plain, "lcg": plain, "lcg_mantissa": lagged, "constant": plain, "trinomial_63_1": of_lanes},
            tested,
        )
        seeds = [(run["streams"], run["seed"]) for run in document["runs"] if run["seed"] != batteries.SEED]
        self.assertEqual([(1024, seed) for seed in range(1, 11)], seeds)
        self.assertEqual(len(self.log), len(set(self.log)))  # nothing twice
        self.assertIn("trinomial_63_1 --streams 1024 --lanes --seed 1234 -d 2 -n 0", self.log)
        self.assertIn("philox --streams 1024 --seed 10 -d 203 -n 4", self.log)
        self.assertIn("lcg_mantissa --streams 16777216 --order thread --iters 8 --seed 1234 -d 2 -n 0", self.log)

    def test_the_same_words_give_the_same_file_whatever_is_done_first(self):
        self.assertEqual(0, self.quality().returncode)
        first = self.stored.read_text()
        with mock.patch.object(
            battery_runs, "run_side_by_side", lambda jobs, at_once: self.run_jobs(reversed(jobs), at_once)
        ):
            self.quality("--redo")
        self.assertEqual(first, self.stored.read_text())

    def test_parts_of_their_own_are_kept_while_they_hold(self):
        self.assertEqual(0, self.quality().returncode)
        holds = streams_of(self.document(), "lcg")[0] | {"battery": DIEHARDER_FULL, "date": "2026-01-31T12:00:00Z"}
        of_other_words, of_nobody = holds | {"words_sha256": "0" * 64}, holds | {"source": "other"}
        before = self.store()
        self.write(before | {"runs": [*before["runs"], holds, of_other_words, of_nobody]})
        process = self.quality()
        self.assertEqual(0, process.returncode, process.stderr)
        document = self.document()
        self.assertEqual([holds], [record for record in document["runs"] if record["battery"] == DIEHARDER_FULL])
        self.assertEqual(before["gpu"], document["gpu"])
        self.assertEqual("sound", row_of(document, "philox")["verdict"])
        self.salt = ", other words"
        self.assertEqual(0, self.quality().returncode)
        document = self.document()
        self.assertEqual([], document["gpu"]["rows"])
        self.assertEqual("not tested", row_of(document, "philox")["verdict"])

    def test_what_is_stored_of_the_same_words_is_not_tested_again(self):
        self.assertEqual(0, self.quality().returncode)
        first, read, of_others = self.stored.read_text(), len(self.log), len(self.battery_log)
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual((first, read, of_others), (self.stored.read_text(), len(self.log), len(self.battery_log)))
        self.assertEqual(["--json -", "--words-only --json -"], self.calls)
        self.assertEqual(0, self.quality("--redo").returncode)
        self.assertEqual((2 * read, 2 * of_others), (len(self.log), len(self.battery_log)))
        self.salt = ", other words"
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual((3 * read, 3 * of_others), (len(self.log), len(self.battery_log)))
        self.stored.write_text(self.stored.read_text().replace("3.31.1", "3.31.0"))  # another dieharder
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual((4 * read, 3 * of_others), (len(self.log), len(self.battery_log)))

    def test_only_what_lacks_a_result_is_tested(self):
        self.assertEqual(0, self.quality().returncode)
        document = self.document()
        record = streams_of(document, "philox")[1]
        del record["passed"]["rgb_bitdist 8, 20000 x 100"]
        document["rows"].remove(row_of(document, "lcg_mantissa"))
        for record in battery_records(document, "philox"):
            if record["streams"] == 1:
                record.update(bytes=2**28, count=3)
        self.write(document)
        for log in (self.log, self.calls, self.battery_log):
            log.clear()
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual({"philox --streams 1024 --seed 1234"}, {line.split(" -d ")[0] for line in self.log})
        self.assertEqual(["--words-only --json -", "lcg_mantissa --json -"], self.calls)
        expected = {"philox --streams 1 --seed 1234 SmallCrush", "philox --streams 1 --seed 1234 RNG_test stdin32 29"}
        self.assertEqual(expected, set(self.battery_log))

    def test_another_verdict_than_declared_is_told(self):
        """The whole run and --gpu put the document aside; the others keep each run, so the stored verdict changes."""

        def of_gpu():
            self.printed = self.measured_on_gpu()
            row_of(self.printed, "philox")["dispersion"]["p_variance"] = 1e-9

        def of_battery():
            self.batteries_fail = lambda line: (
                line.startswith("philox --streams 65536 ") and line.endswith("SmallCrush")
            )

        def of_dieharder():
            self.dieharder_fails = lambda line: lcg_fails(line) or line.startswith("philox ") and " -d 2 " in line

        for options, fault, is_aside in (
            (("--redo",), of_dieharder, True), (("--gpu",), of_gpu, True),
            (("--batteries", "philox"), of_battery, False), (("--full", "philox"), of_dieharder, False),
        ):  # fmt: skip
            with self.subTest(options):
                self.setUp()
                before = self.store_without_batteries()
                fault()
                process = self.failed(self.quality(*options))
                outcome = (
                    f"{self.stored} is not replaced, the result is in {self.aside}"
                    if is_aside
                    else f"the result is in {self.stored}"
                )
                self.assertIn(
                    "quality: philox is declared 'sound', the verdict is 'demonstration only'",
                    process.stderr.splitlines(),
                )
                self.assertEqual(f"quality: {outcome}", process.stderr.splitlines()[-1])
                if is_aside:
                    self.assert_unchanged(before)
                self.assertEqual(set(self.SOURCES), {row["source"] for row in before["rows"]})
                found = self.document(self.aside if is_aside else self.stored)
                self.assertEqual("demonstration only", row_of(found, "philox")["verdict"])


class QualityBatteriesTest(QualityTest):
    """TestU01 and PractRand."""

    def test_forms_of_words(self):
        self.printed = self.measured([*self.SOURCES, "xorwow", "trinomial_63_1"])
        row_of(self.printed, "trinomial_63_1").update(versions=["v15"], soundness="sound in bit planes")
        self.quality()  # a verdict is not as declared, so the result is put aside
        shutil.copy(self.aside, self.stored)
        self.quality("--batteries")
        for line in (
            "philox --streams 65536 --seed 1234 SmallCrush", "lcg --streams 1 --seed 1234 RNG_test stdin32 29",
            "xorwow --streams 1024 --upper-24 --seed 1234 SmallCrush", "xorwow --streams 1024 --upper-24 --seed 1234 RNG_test stdin 29",
            "trinomial_63_1 --streams 65536 --lanes --seed 1234 SmallCrush",
            "trinomial_63_1 --streams 1024 --seed 1234 SmallCrush --reversed",
        ):  # fmt: skip
            self.assertIn(line, self.battery_log)

    def test_alone(self):
        self.store_without_batteries()
        (self.tools / "dieharder").unlink()
        self.succeeded(self.quality("--batteries", "v6"))
        self.assertEqual(6, len(self.battery_runs()))
        self.assertEqual({"philox"}, {source for _, source, _, _ in self.battery_runs()})
        self.assertEqual([], self.calls)

    def test_what_is_stored_of_the_same_words_is_not_read_again(self):
        self.store()
        process = self.quality("--batteries")
        self.assertEqual((0, "nothing to do for TestU01 and PractRand\n"), (process.returncode, process.stdout))
        self.assertEqual([], self.battery_log)
        self.assertEqual(0, self.quality("--batteries", "--redo").returncode)
        self.assertEqual(13, len(self.battery_log))

    def test_a_longer_run_is_kept_unless_the_new_one_fails_or_reads_other_words(self):
        self.store()
        self.quality("--full", "v6")
        longer = self.philox_of_one_stream()
        self.assertEqual(2**34, longer["bytes"])
        self.assertEqual(0, self.quality("--batteries", "v6", "--redo").returncode)
        self.assertEqual(longer, self.philox_of_one_stream())
        self.batteries_fail = lambda line: line.startswith("philox --streams 1 ")
        self.assertEqual(1, self.quality("--batteries", "v6", "--redo").returncode)
        self.assertEqual(2**29, self.philox_of_one_stream()["bytes"])
        self.batteries_fail = batteries_fail
        document = self.store()
        for record in battery_records(document):
            record.update(bytes=2**40, words_sha256="0" * 64)
        self.write(document)
        self.assertEqual(0, self.quality("--batteries", "v6").returncode)
        self.assertEqual(2**29, self.philox_of_one_stream()["bytes"])

    def philox_of_one_stream(self):
        run = Run("PractRand", "philox", "words", 1)
        return next(record for record in self.document()["runs"] if batteries.run_of(record) == run)

    def test_what_is_not_installed_is_said_and_its_results_are_kept(self):
        before = self.store()
        (self.bin / "testu01_stdin").unlink()
        (self.tools / "RNG_test").unlink()
        process = self.quality("--batteries", "--redo")
        said = "not installed, so not used: TestU01 (testu01_stdin is not built), PractRand (RNG_test is not on the PATH)\n"
        self.assertEqual((0, said, ""), (process.returncode, process.stdout, process.stderr))
        self.assert_unchanged(before)

    def test_a_known_fault_that_is_not_found_is_told(self):
        self.store_without_batteries()
        self.batteries_fail = lambda line: line.startswith("lcg ") and "SmallCrush" in line
        process = self.failed(self.quality("--batteries"), "lcg: PractRand found nothing in words, 1,024 streams")
        self.assertNotIn("SmallCrush", process.stderr)

    def test_a_program_that_fails_or_prints_no_result(self):
        for name, outcome, said in (
            (
                "testu01_stdin",
                Outcome(4, "", "first\nstdin ended\n"),
                r"testu01_stdin SmallCrush failed \(exit 4\): stdin ended",
            ),
            (
                "testu01_stdin",
                Outcome(0, "usage: as you like\n", ""),
                "testu01_stdin SmallCrush.*: it printed no p-value",
            ),
            ("RNG_test", Outcome(0, "usage: as you like\n", ""), "RNG_test stdin32.*: it printed no p-value"),
        ):
            with self.subTest(name, said=said):
                self.store_without_batteries()
                self.ends = {name: outcome}
                process = self.failed(self.quality("--batteries", "philox"))
                self.assertRegex(process.stderr, said)
                self.assertTrue(all(record["count"] for record in self.document()["runs"]))

    def test_a_run_that_ran_out_of_time_without_a_result_is_not_stored(self):
        before = self.store()
        self.ends["testu01_stdin"] = Outcome(-signal.SIGXCPU, "", "")
        process = self.succeeded(self.quality("--batteries", "philox", "--redo"))
        self.assertRegex(process.stdout, r"(?m)^philox, words, 1 stream +SmallCrush: no result, as it ran out of time$")
        self.assertEqual(*(records_of(document, "philox", "SmallCrush") for document in (before, self.document())))


class QualityStopsTest(QualityTest):
    def test_a_program_fails(self):
        before = self.store()
        failed, mute = Outcome(4, "", "first\nout of luck\n"), Outcome(0, "", "stdin_input_raw(): Error: EOF\n")
        for name, outcome, parts in (
            ("suite_stream", failed, ("suite_stream philox --streams 1 --seed 1234", "exit 4", "out of luck")),
            ("dieharder", failed, ("dieharder", "-d 0", "exit 4", "out of luck")),
            ("dieharder", mute, ("dieharder", "EOF")),
            ("suite_quality", failed, ("suite_quality", "exit 4")),
        ):
            with self.subTest(name, outcome=outcome):
                self.ends = {name: outcome}
                self.assert_ends(self.quality("--redo"), 1, *parts, "nothing was written")
                self.assert_unchanged(before)

    def test_a_test_that_does_not_end_has_no_result(self):
        self.ends["dieharder"] = Outcome(-signal.SIGXCPU, "", "")
        self.quality()
        for record in self.document(self.aside)["runs"]:
            if record["battery"] == DIEHARDER:
                self.assertEqual(
                    {(None, "no result")}, {(result["p"], result["assessment"]) for result in record["results"]}
                )
                self.assertEqual([test.name for test in dieharder.TESTS], [own["test"] for own in record["results"]])

    @needs_jsonschema
    def test_documents_that_are_not_as_they_must_be(self):
        del self.printed["rows"][0]["serial"]
        self.assert_ends(self.quality(), 1, "suite_quality", "philox", "serial")
        self.assertEqual([], self.log)
        self.stored.write_text("{}")
        self.assert_ends(self.quality(), 1, str(self.stored), "nothing was written")
        self.assertEqual(1, len(self.calls))

    def test_usage(self):
        for options, missing, code, parts in (
            (("--redo", "--gpu"), None, 2, ("--redo", "--gpu")), (("--gpu", "--full"), None, 2, ("--full", "--gpu")),
            (("lcg",), None, 2, ("lcg",)), (("--gpu",), None, 1, (str(self.stored), "make quality")),
            ((), self.tools / "dieharder", 2, ("apt-get install dieharder",)),
            ((), self.bin / "suite_stream", 2, (f"{self.bin} holds no suite_stream",)),
        ):  # fmt: skip
            with self.subTest(options, missing=missing):
                if missing:
                    missing.unlink()
                self.assert_ends(self.quality(*options), code, *parts)
        self.assertEqual([], self.calls)

    def test_names_that_there_are_not(self):
        self.store()
        for options in (("--batteries", "v99"), ("--full", "v99"), ("--full", "constant")):
            self.assert_ends(self.quality(*options), 1, f"has no {options[1]}")
        self.assertEqual(([], []), (self.log, self.battery_log))

    def test_out_cannot_be_written(self):
        self.out.rmdir()
        self.out.write_text("")
        self.assert_ends(self.quality(), 5, f"{self.out}: nothing can be written there")


class QualityOnGpuTest(QualityTest):
    def test_only_that_part_is_replaced(self):
        self.printed = self.measured_on_gpu()
        before = self.store(gpu=None)
        (self.tools / "dieharder").unlink()  # it is not needed
        self.succeeded(self.quality("--gpu"))
        self.assertEqual(["--gpu --json -"], self.calls)
        document = self.document()
        part = document["gpu"]
        self.assertEqual("NVIDIA Fixture 9000", part["context"]["device"]["name"])
        self.assertEqual(4_194_304, part["sizes"]["streams"])
        self.assertEqual(list(self.SOURCES), [row["source"] for row in part["rows"]])
        self.assertEqual({"source", "words_sha256", "dispersion", "serial", "overlap"}, set(part["rows"][0]))
        self.assertEqual(
            [self.hash_of("lcg")] * 2, [row_of(part, source)["words_sha256"] for source in ("lcg", "lcg_mantissa")]
        )
        self.assertEqual("sound", row_of(document, "philox")["verdict"])
        self.assertEqual(verdicts.with_verdicts(before), verdicts.with_verdicts(document | {"gpu": None}))
        self.assertEqual([], self.log)
        before = self.store()  # and without a GPU none
        self.ends["suite_quality"] = Outcome(3, "", None)
        self.assert_ends(self.quality("--gpu"), 0, "nothing measured: no usable GPU")
        self.assert_unchanged(before)


class QualityInFullTest(QualityTest):
    TESTS = len(dieharder.FULL_TESTS)

    def setUp(self):
        super().setUp()
        self.store()

    def full_streams(self):
        return [
            (record["source"], record["streams"])
            for record in self.document()["runs"]
            if record["battery"] == DIEHARDER_FULL
        ]

    def test_streams_of_the_ladder_and_larger_batteries(self):
        self.succeeded(self.quality("--full"))
        self.assertEqual([("lcg", 1), ("lcg", 1024), ("philox", 1), ("philox", 1024)], self.full_streams())
        for record in records_of(self.document(), "lcg", DIEHARDER_FULL):
            self.assertEqual(self.TESTS, len(record["results"]) + sum(record["passed"].values()))
            self.assertRegex(record["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual([], self.calls)
        expected = {f"philox --streams {count} --seed 1234 {reader}"
                    for count in (1, 1024, 65536) for reader in ("Crush", "RNG_test stdin32 34")}  # fmt: skip
        expected |= {
            f"philox --streams 65536 --seed 4321 --launch {test} BigCrush --tests {test}" for test in range(1, 107)
        }
        expected |= {"philox --streams 65536 --seed 4321 RNG_test stdin32 38"}
        self.assertEqual(expected, set(self.battery_log))
        found = {(record["battery"], record["count"]) for record in battery_records(self.document(), "philox")}
        self.assertEqual({("SmallCrush", 15), ("Crush", 144), ("BigCrush", 212), ("PractRand", 232)}, found)
        self.quality("--batteries")
        self.assertEqual(expected, set(self.battery_log))  # 2^34 bytes hold what the standard run reads

    def test_what_is_complete_is_kept_and_not_done_again(self):
        def interrupted(jobs, at_once):
            for ended in self.run_jobs(jobs, at_once):
                if ended.job.key[0].streams == 1024:
                    raise KeyboardInterrupt
                yield ended

        with mock.patch.object(battery_runs, "run_side_by_side", interrupted):
            self.assert_ends(self.quality("--full", "lcg"), 130, "interrupted")
        self.assertEqual([("lcg", 1)], self.full_streams())
        self.log.clear()
        self.assertEqual(0, self.quality("--full", "lcg").returncode)
        self.assertEqual((self.TESTS, [("lcg", 1), ("lcg", 1024)]), (len(self.log), self.full_streams()))

    def test_each_test_of_big_crush_is_stored_and_not_run_again(self):
        def interrupted(jobs, at_once):
            for ended in self.run_jobs(jobs, at_once):
                if ended.job.key[1] == 41:
                    raise KeyboardInterrupt
                yield ended

        self.store_before_long_runs()
        with mock.patch.object(battery_runs, "run_side_by_side", interrupted):
            self.assert_ends(self.quality("--full", "philox"), 130, "interrupted")
        found = self.big_crush()
        self.assertEqual(set(range(1, 41)), batteries.done_of(found))
        self.assertEqual((40 * 4_000_000, 80), (found["bytes"], found["count"]))
        self.assertFalse(batteries.is_settled(found, batteries.LONG))
        self.battery_log.clear()
        self.succeeded(self.quality("--full", "philox"))
        tests = [int(line.split()[-1]) for line in self.battery_log if "BigCrush" in line]
        self.assertEqual(list(range(41, 107)), tests)
        self.assertTrue(batteries.is_settled(self.big_crush(), batteries.LONG))
        self.assertRegex(self.big_crush()["date"], r"^\d{4}-\d\d-\d\dT")
        self.battery_log.clear()
        self.salt = ", other words"
        self.store_before_long_runs()
        self.quality("--full", "philox")
        self.assertEqual(106, sum("BigCrush" in line for line in self.battery_log))

    def store_before_long_runs(self):
        """Nothing but the long runs is missing of Philox."""
        with mock.patch.object(batteries, "long_runs", lambda row: []):
            self.quality("--full", "philox")

    def big_crush(self):
        (record,) = [record for record in self.document()["runs"] if record["battery"] == "BigCrush"]
        return record

    def test_generators_by_version_and_by_name(self):
        self.quality("--full", "v10")  # the words of lcg_mantissa are those of lcg
        self.assertEqual([("lcg", 1), ("lcg", 1024)], self.full_streams())
        self.quality("--full", "philox")
        self.assertEqual(4, len(self.full_streams()))


class LongRunsTest(QualityTest):
    """Long runs that were done elsewhere."""

    def setUp(self):
        super().setUp()
        self.store()
        self.folder = self.root / "texts"
        self.folder.mkdir()

    def text(self, name, body, battery="BigCrush", test=7, **about):
        head = {"battery": battery, "source": "philox", "form": "words", "streams": 65_536, "seed": 4321, "test": test,
                "words_sha256": self.hash_of("philox"), "commit": "0123456789ab", "date": "2026-01-02T03:04:05Z"} | about  # fmt: skip
        (self.folder / name).write_text(f"run = {json.dumps(head)}\n{body}")

    def of_big_crush(self, test, p="0.5", words="words = 1000\n"):
        self.text(
            f"{test}.txt", f" Version:          TestU01 1.2.3\n{words}p = {p}   Gap\n" if words else "p", test=test
        )

    def of_practrand(self, name, log2_bytes):
        report = f"length= some (2^{log2_bytes} bytes), time= 1 seconds\n  no anomalies in 232 test result(s)\n"
        self.text(name, f"RNG_test using PractRand version 0.95\n{report}", battery="PractRand", test=None)

    def take(self):
        return self.quality("--take", self.folder)

    def taken(self):
        return {record["battery"]: record for record in self.document()["runs"] if record["seed"] == 4321}

    def test_tests_of_big_crush_join_and_an_unfinished_one_is_left_out(self):
        self.of_big_crush(7)
        self.of_big_crush(11)
        self.of_big_crush(12, words="")
        self.succeeded(self.take())
        self.of_big_crush(3)
        process = self.succeeded(self.take())
        self.assertIn("philox, words, 65,536 streams, seed 4321", process.stdout)
        record = self.taken()["BigCrush"]
        self.assertEqual(({3, 7, 11}, 3, 12_000), (batteries.done_of(record), record["count"], record["bytes"]))
        self.assertEqual(
            ("0123456789ab", "2026-01-02T03:04:05Z", "1.2.3"),
            tuple(record[name] for name in ("commit", "date", "version")),
        )

    def test_of_practrand_the_longest_report_counts(self):
        self.of_practrand("PractRand-philox.part", 37)
        self.of_practrand("PractRand-philox.1.earlier", 36)
        self.succeeded(self.take())
        self.assertEqual((2**37, 232), (self.taken()["PractRand"]["bytes"], self.taken()["PractRand"]["count"]))

    def test_a_failure_is_told(self):
        self.of_big_crush(7, p="1e-300")
        self.assertIn("the verdict is 'demonstration only'", self.take().stderr)

    def test_what_is_refused_leaves_the_file_as_it_was(self):
        before = self.document()
        self.assert_ends(self.take(), 1, "has no result of quality/long_runs")
        self.of_big_crush(7)
        self.text("8.txt", "", words_sha256="0" * 64)
        self.text("9.txt", " Version: TestU01 1.2.3\nwords = 5\np = 0.5 Gap\n", words_sha256="0" * 64)
        self.assert_ends(self.take(), 1, "other words of philox than are drawn now")
        (self.folder / "9.txt").write_text("run = {}\n")
        self.assert_ends(self.take(), 1, "9.txt: its first line describes no run")
        self.assertEqual(before, self.document())

    def test_what_the_script_leaves_can_be_taken(self):
        """quality/long_runs, with programs that say what they were called with; it goes on where it stopped."""
        programs = self.root / "programs"
        programs.mkdir()
        self.add_script(
            programs / "suite_stream",
            'if [ "$1" = --version ]; then echo "suite_stream 1.0.0 (commit 0123456789ab)"; else echo "$*"; fi',
        )
        self.add_script(
            programs / "testu01_stdin",
            'read words; echo " Version:          TestU01 1.2.3"; echo "words = 1000"; echo "p = 0.25 $words: $*"',
        )
        self.add_script(
            programs / "RNG_test",
            """read words; echo "RNG_test using PractRand version 0.95: $words: $*"
echo "length= some (2^$6 bytes), time= 1 seconds"; echo "  no anomalies in 232 test result(s)" """,
        )
        results = self.root / "results"
        command = [REPOSITORY / "quality" / "long_runs", programs, results, "5", "2"]
        environment = {"PATH": "/usr/bin:/bin", "LIMIT": "38"}
        first = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual((0, ""), (first.returncode, first.stderr))
        runs = [run for source, form in (("alternating_sliced", "words"), ("mrg", "24-bit coordinates"), ("philox", "words"))
                for run in (Run("BigCrush", source, form, 65_536, 4321), Run("PractRand", source, form, 65_536, 4321))]  # fmt: skip
        found = {}
        for record in long_runs.records_in(results):
            found.setdefault(batteries.run_of(record), []).append(record)
        self.assertEqual(set(runs), set(found))
        self.assertEqual([106, 1] * 3, [len(found[run]) for run in runs])
        called_with = {
            result["test"]
            for run in runs
            if run.battery == "BigCrush"
            for record in found[run]
            for result in record["results"]
        }
        self.assertIn("mrg --streams 65536 --seed 4321 --upper-24 --launch 9: BigCrush --tests 9", called_with)
        (record,) = found[runs[1]]
        self.assertEqual((2**38, "0123456789ab"), (record["bytes"], record["commit"]))
        again = subprocess.run(command, env=environment, capture_output=True, text=True)
        self.assertEqual((0, "", ""), (again.returncode, again.stdout, again.stderr))
        usage = subprocess.run(command[:2], env=environment, capture_output=True, text=True)
        self.assertEqual(
            (2, "usage: long_runs PROGRAMS RESULTS MINUTES [PROCESSES]\n"), (usage.returncode, usage.stderr)
        )


class InterruptedTest(QualityTest):
    @needs_jsonschema
    def test_ended_by_a_signal_it_leaves_the_old_file_whole_and_no_child(self):
        """With processes: programs of shell, of which dieharder does not end."""
        mock.patch.stopall()
        printed, pid = self.root / "suite_quality.json", self.root / "pid"
        printed.write_text(json.dumps(self.printed))
        self.add_script(self.bin / "suite_quality", f"cat '{printed}'")
        self.add_script(self.bin / "suite_stream", "echo words")
        self.add_script(
            self.tools / "dieharder",
            f"[ $1 = -h ] && exit\necho $$ > '{pid}.$$'; mv '{pid}.$$' '{pid}'; exec sleep 9000",
        )
        before = self.store()
        environment = os.environ | {"PATH": f"{self.tools}:{os.environ['PATH']}"}
        line = [sys.executable, str(SCRIPTS / "quality"), "--bin", str(self.bin), "--out", str(self.out), "--redo"]
        for number in (signal.SIGINT, signal.SIGTERM):
            streams = {"stdout": subprocess.DEVNULL, "stderr": subprocess.PIPE, "text": True}
            with self.subTest(number), subprocess.Popen(line, env=environment, **streams) as process:
                self.addCleanup(process.kill)
                wait_for(pid)
                process.send_signal(number)
                self.assert_one_line(process.communicate(timeout=30)[1], "interrupted")
                self.assertEqual(130, process.returncode)
                self.assert_unchanged(before)
                while is_alive(int(pid.read_text())):  # it was told to end: that may take a loaded machine a moment
                    time.sleep(0.01)
                pid.unlink()


# With dieharder itself


class RealDieharderTest(unittest.TestCase):
    def setUp(self):
        if not shutil.which("dieharder"):
            self.skipTest("dieharder is not installed")
        if not (BIN / "suite_stream").exists():
            self.skipTest(f"{BIN} holds no suite_stream")

    def test_a_constant_fails_and_philox_does_not_and_the_same_words_give_the_same_p_value(self):
        self.assertEqual("failed", self.birthdays("constant")["assessment"])
        first, second = (self.birthdays("philox") for _ in range(2))
        self.assertIn(first["assessment"], ("passed", "weak"))
        self.assertEqual(first, second)

    def birthdays(self, source):
        with mock.patch.dict(battery_runs.TESTS, {DIEHARDER: dieharder.TESTS[:1]}):
            (record,) = battery_runs.tested([Run(DIEHARDER, source, "words", 1024, 1)], batteries.STANDARD, BIN)
        (birthdays,) = record["results"]
        self.assertEqual("diehard_birthdays", birthdays["test"])
        return birthdays


class RealTestU01Test(Sandbox):
    """testu01_stdin with single tests of SmallCrush, each on some million words."""

    WORDS = 10_010_000  # a whole number of its blocks, and as much as test 1 needs

    def setUp(self):
        super().setUp()
        if not (BIN / "testu01_stdin").exists():
            self.skipTest(f"{BIN} holds no testu01_stdin: TestU01 is not installed")

    def words(self, source):
        return subprocess.run(
            [BIN / "suite_stream", source, "--words", str(self.WORDS)], stdout=subprocess.PIPE, check=True
        ).stdout

    def testu01(self, *arguments, words=b""):
        command = [BIN / "testu01_stdin", *arguments]
        process = subprocess.run(command, input=words, capture_output=True)
        return subprocess.CompletedProcess(
            command, process.returncode, process.stdout.decode(), process.stderr.decode()
        )

    def p_value(self, words, *arguments):
        process = self.succeeded(self.testu01("SmallCrush", "--tests", "1", *arguments, words=words))
        record = testu01.parse(process.stdout)
        (result,) = record["results"]
        self.assertEqual(
            ("BirthdaySpacings", 40_000_000), (result["test"], record["bytes"])
        )  # 5,000,000 points of 2 words
        self.assertRegex(record["version"], r"^\d+\.\d")
        return result["p"]

    def test_a_lattice_is_found_and_philox_passes(self):
        self.assertEqual("failed", batteries.assessment(self.p_value(self.words("lcg"))))
        self.assertEqual("passed", batteries.assessment(self.p_value(self.words("philox"))))

    def test_reversed_bits(self):
        words = self.words("philox")
        of_bytes = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
        swapped = array.array("I", words)
        swapped.byteswap()
        self.assertEqual(self.p_value(words, "--reversed"), self.p_value(swapped.tobytes().translate(of_bytes)))
        self.assertNotEqual(self.p_value(words, "--reversed"), self.p_value(words))

    def test_too_few_words_give_no_result(self):
        process = self.testu01("SmallCrush", words=bytes(400))
        self.assertNotIn("p = ", process.stdout)
        self.assert_ends(process, 4, "stdin ended after 100 words")

    def test_usage(self):
        for arguments, part in (
            ((), "name a battery"), (("Alphabit",), '"Alphabit" is no battery'),
            (("SmallCrush", "--tests", "11"), "SmallCrush has the tests 1 to 10"), (("Crush", "--tests", "0"), "1 to 96"),
        ):  # fmt: skip
            with self.subTest(arguments):
                self.assert_ends(self.testu01(*arguments), 2, part)


# The stored battery


class StoredBatteryTest(unittest.TestCase):
    """results/quality.json against the programs as they are now."""

    def setUp(self):
        if not STORED.exists():
            self.skipTest("there is no results/quality.json: run make quality")
        if not (BIN / "suite_stream").exists():
            self.skipTest(f"{BIN} holds no suite_stream")
        self.document = quality.DOCUMENT.load(STORED)
        text = subprocess.run([BIN / "suite_stream", "--list"], capture_output=True, text=True, check=True).stdout
        self.listed = [re.split(r"  +", line.strip()) for line in text.splitlines()[1:]]

    def test_verdicts_are_what_versions_declare(self):
        declared = {name: row[2] for row in self.listed for name in row[1].split() if re.match(r"[a-z]\d", name)}
        found = {version: row["verdict"] for row in self.document["rows"] for version in row["versions"]}
        self.assertLessEqual({f"v{number}" for number in range(1, 13)}, declared.keys())
        self.assertEqual(declared, found)

    def test_every_known_fault_is_found(self):
        specimens = {row[0] for row in self.listed if row[2] == "known faults"}
        self.assertEqual(specimens, {row["source"] for row in self.document["rows"] if verdicts.is_specimen(row)})
        for row in self.document["rows"]:
            if verdicts.is_specimen(row):
                self.assertTrue(verdicts.faults(row, self.document), row["source"])

    def test_philox_fails_nowhere(self):
        tested = [*streams_of(self.document, "philox"), *verdicts.reference_records(self.document)]
        self.assertEqual(12, len(tested))
        for record in tested:
            self.assertLessEqual({result["assessment"] for result in record["results"]}, {"passed", "weak"})

    def test_verdicts_follow_from_the_data(self):
        self.assertEqual(self.document, verdicts.with_verdicts(self.document))
        self.assertEqual([], verdicts.complaints(self.document))

    def test_the_batteries_find_every_known_fault(self):
        found = {batteries.run_of(record) for record in self.document["runs"] if batteries.failures(record)}
        self.assertLessEqual(set(batteries.CONTROLS), found)

    def test_words_are_those_that_were_tested(self):
        hashes = {
            source: battery_runs.fingerprint(source, BIN)
            for source in {row["words_of"] for row in self.document["rows"]}
        }
        for part in (self.document["rows"], self.document["gpu"]["rows"], self.document["runs"]):
            for row in part:
                words_of = row_of(self.document, row["source"])["words_of"]
                with self.subTest(row["source"]):
                    self.assertEqual(hashes[words_of], row["words_sha256"])


if __name__ == "__main__":
    unittest.main()
