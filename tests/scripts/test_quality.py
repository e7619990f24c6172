#!/usr/bin/env python3
"""Tests of scripts/quality: what is made of the batteries' output, the verdicts, and the script with programs that are functions.

tests/data/evidence/site/results/quality.json is the battery that they start
from. The last ones hold the repository's own against the programs in the
folder that PI_BIN names (default: build/).
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

from sandbox import BIN, DATA, REPOSITORY, SCRIPTS, Sandbox, called

from interrupts import setUpModule  # noqa: F401
from suite import processes
from suite.analyse import batteries, dieharder, verdicts
from suite.analyse.batteries import DIEHARDER, DIEHARDER_FULL, Run
from suite.documents import files, quality
from suite.documents.schema import ResultError
from suite.processes import Outcome
from suite.tools import batteries as battery_runs
from suite.tools import dieharder as dieharder_tool
from suite.tools import pipelines, practrand, testu01
from suite.tools import quality as command

FIXTURE = DATA / "evidence" / "site" / "results" / "quality.json"
STORED = REPOSITORY / "results" / "quality.json"

# A stand-in for dieharder, in shell.
DIEHARDER_SCRIPT = """
[ "$1" = -h ] && echo '# dieharder version 3.31.1 Copyright 2003' && exit
read -r words
while [ $# -gt 0 ]; do
    case $1 in -d) d=$2;; -n) n=$2;; -t) t=$2;; -p) p=$2;; esac
    shift
done
case $d in {names} esac
echo "$words -d $d -n $n" >> '{log}'
{extra}
echo "$name,$n,${{t:-10}},${{p:-100}},0.50000000"
"""
NAME_OF = {test.number: test.name for test in dieharder.FULL_TESTS}
NAMES = " ".join(f"{number}) name={name};;" for number, name in NAME_OF.items())


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


# What dieharder and PractRand print


class DieharderTest(unittest.TestCase):
    # As dieharder 3.31.1 prints it, with white space and without.
    OUTPUT = """\
   diehard_birthdays,   0,       100,     100,0.10135017
          sts_serial,   1,     20000,     100,0.60813380
rgb_lagged_sum,4,100000,100,0.00000000

# The file stdin_input_raw was rewound 0 times
"""

    def test_a_record_for_each_line(self):
        expected = [
            {"test": "diehard_birthdays", "ntuple": 0, "tsamples": 100, "psamples": 100, "p": 0.10135017,
             "assessment": "passed"},
            {"test": "sts_serial", "ntuple": 1, "tsamples": 20000, "psamples": 100, "p": 0.6081338,
             "assessment": "passed"},
            {"test": "rgb_lagged_sum", "ntuple": 4, "tsamples": 100000, "psamples": 100, "p": 0.0,
             "assessment": "failed"},
        ]  # fmt: skip
        self.assertEqual(expected, dieharder_tool.parse(self.OUTPUT))

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
        for p, expected in of_many.items():
            self.assertEqual(expected, dieharder.assessment(p, 100), p)
        # Of a single statistic too good is as bad as too bad.
        for p, expected in {0.0: "failed", 0.99999: "weak", 0.9999999: "failed", 1.0: "failed"}.items():
            self.assertEqual(expected, dieharder.assessment(p, 1), p)


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

"""

    def test_the_first_failure(self):
        output = self.HEAD + (
            "rng=RNG_stdin32, seed=unknown\n"
            "length= 128 megabytes (2^27 bytes), time= 4.4 seconds\n"
            "  Test Name                         Raw       Processed     Evaluation\n"
            "  BRank(12):256(2)                  R= +3748  p~=  3e-1129    FAIL !!!!!!!!\n"
            "  [Low4/32]BRank(12):128(2)         R= +1751  p~=  1.1e-527   FAIL !!!!!!!\n"
            "  ...and 165 test result(s) without anomalies\n"
        )
        failed = [
            {"test": "BRank(12):256(2)", "p": 0.0, "assessment": "failed"},
            {"test": "[Low4/32]BRank(12):128(2)", "p": 0.0, "assessment": "failed"},
        ]
        self.assertEqual({"version": "0.94", "bytes": 2**27, "count": 167, "results": failed}, practrand.parse(output))

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

    def test_none(self):
        output = self.HEAD + (
            "rng=RNG_stdin32, seed=unknown\n"
            "length= 1 gigabyte (2^30 bytes), time= 31.9 seconds\n"
            "  no anomalies in 213 test result(s)\n"
        )
        self.assertEqual({"version": "0.94", "bytes": 2**30, "count": 213, "results": []}, practrand.parse(output))

    def test_nothing_at_all(self):
        self.assertEqual({"version": None, "bytes": 0, "count": 0, "results": []}, practrand.parse(""))


class TestU01Test(unittest.TestCase):
    def test_every_p_value(self):
        output = """\
========= Summary results of SmallCrush =========

 Version:          TestU01 1.2.3
 Generator:        stdin
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

    def forms(self, linear_bits=(), **row):
        row = {"words_of": "mine", "bit_planes": False, "linear": {"linear_bits": list(linear_bits)}} | row
        runs = batteries.battery_runs(row, batteries.STANDARD)
        self.assertEqual(len(runs), len(set(runs)))
        return {form: sorted((run.battery, run.streams) for run in runs if run.form == form)
                for form in {run.form for run in runs}}  # fmt: skip

    EVERYWHERE = [(battery, count) for battery in ("PractRand", "SmallCrush") for count in (1, 1024, 65_536)]

    def test_words_as_a_version_uses_them(self):
        self.assertEqual({"words": self.EVERYWHERE}, self.forms())
        self.assertEqual({"24-bit coordinates": self.EVERYWHERE}, self.forms([0, 7]))
        self.assertEqual({"words": self.EVERYWHERE}, self.forms([0, 8]))
        self.assertEqual(
            {"words": self.EVERYWHERE, "lanes": self.EVERYWHERE, "reversed words": [("SmallCrush", 1024)]},
            self.forms(bit_planes=True),
        )

    def test_each_battery_has_a_known_fault_in_each_form_that_it_reads(self):
        controls = {(run.battery, run.form) for run in batteries.CONTROLS}
        for form in (self.forms(), self.forms([0, 7]), self.forms(bit_planes=True)):
            read = {(battery, name) for name, runs in form.items() for battery, _ in runs}
            self.assertLessEqual(read, controls)

    def test_a_failure_settles_a_run_that_did_not_end(self):
        found = {"PractRand": False, "SmallCrush": False}
        for record in battery_records(fixture(), "lcg"):
            unfinished = record | {"bytes": record["bytes"] // 2, "count": record["count"] - 1}
            self.assertTrue(batteries.is_settled(unfinished))
            self.assertFalse(batteries.is_settled(unfinished | {"results": []}))
            found[record["battery"]] = True
        self.assertTrue(all(found.values()))


# Verdicts


class VerdictTest(unittest.TestCase):
    """The rule, clause by clause: each test changes one thing of a generator that is sound."""

    def setUp(self):
        self.document = fixture()
        self.row = row_of(self.document, "philox")
        self.streams = streams_of(self.document, "philox")
        self.assert_verdict("sound")

    def assert_verdict(self, expected, source="philox"):
        self.assertEqual(expected, row_of(verdicts.with_verdicts(self.document), source)["verdict"])

    def on_gpu(self, source="philox"):
        return row_of(self.document["gpu"], source)

    def test_a_failure_in_any_stream(self):
        for stream in self.streams:
            for record in stream["results"]:
                before = dict(record)
                record.update(p=0.0, assessment="failed")
                self.assert_verdict("demonstration only")
                record.update(before)
        self.assert_verdict("sound")

    def test_weak_results_are_no_failures(self):
        self.streams[0]["results"][0].update(p=0.001, assessment="weak")
        self.assert_verdict("sound")

    def test_a_failure_at_full_size(self):
        stream = copy.deepcopy(self.streams[0]) | {"battery": DIEHARDER_FULL}
        self.document["runs"].append(stream)
        self.assert_verdict("sound")
        stream["results"][0].update(p=0.0, assessment="failed")
        self.assert_verdict("demonstration only")

    def test_tests_that_dieharder_itself_distrusts(self):
        for name in ("diehard_sums", "diehard_opso", "diehard_oqso", "diehard_dna"):
            record = self.streams[0]["results"][0] | {"test": name, "p": 0.0, "assessment": "failed"}
            self.streams[0]["results"].append(record)
            self.assert_verdict("sound")

    def test_the_same_words_have_the_same_failures(self):
        self.row.update(words_of="lcg", words_sha256=row_of(self.document, "lcg")["words_sha256"])
        self.assert_verdict("demonstration only")

    def test_hits_on_the_gpu(self):
        for name in ("p_mean", "p_variance", "p_histogram", "p_neighbours"):
            with self.subTest(name):
                self.on_gpu()["dispersion"][name] = 0.9e-6
                self.assert_verdict("demonstration only")
                self.on_gpu()["dispersion"][name] = 1.1e-6
                self.assert_verdict("sound")

    def test_hits_of_short_streams_are_remarkable_but_do_not_count(self):
        self.assertEqual([], verdicts.short_stream_faults(self.row))
        self.row["dispersion"]["p_variance"] = 1e-9
        self.row["lags"]["correlation"][1] = -5 * self.row["lags"]["sd"]
        self.assert_verdict("sound")
        self.assertEqual(["variance of the hits", "hits 2 apart"], verdicts.short_stream_faults(self.row))

    def test_pairs_on_the_cpu_and_on_the_gpu(self):
        for part in (self.row, self.on_gpu()):
            for name in ("xy", "neighbours"):
                part["serial"][name]["p"] = 0.9e-6
                self.assert_verdict("demonstration only")
                part["serial"][name]["p"] = 1.1e-6
                self.assert_verdict("sound")

    def test_linear_bits(self):
        self.add_runs("24-bit coordinates")
        for bits, expected in {
            (0,): "sound for 24-bit coordinates",
            (7,): "sound for 24-bit coordinates",
            (8,): "demonstration only",
            (0, 31): "demonstration only",
        }.items():
            self.row["linear"]["linear_bits"] = list(bits)
            self.assert_verdict(expected)

    def test_differences_of_words(self):
        self.row["differences"][1]["p"] = 0.9e-6
        self.assert_verdict("demonstration only")
        self.row["differences"][1]["p"] = 1.1e-6
        self.assert_verdict("sound")

    def test_bit_planes(self):
        self.make_bit_planes()
        self.assert_verdict("sound in bit planes")
        for p in ("p", "p_largest"):
            self.row["parities"][0][p] = 0.9e-6
            self.assert_verdict("demonstration only")
            self.row["parities"][0][p] = 1.1e-6
        self.assert_verdict("sound in bit planes")

    def test_every_bit_of_bit_planes_is_used(self):
        self.make_bit_planes()
        self.row["linear"]["linear_bits"] = [0]
        self.assert_verdict("demonstration only")

    def make_bit_planes(self):
        """Let the words be bit planes, with all that is tested of those."""
        specimen = row_of(self.document, "trinomial_63_1")
        self.row.update(bit_planes=True, parities=copy.deepcopy(specimen["parities"]))
        self.document["runs"] += [stream | {"form": "lanes"} for stream in copy.deepcopy(self.streams)]
        self.add_runs("lanes")
        self.add_runs("reversed words")

    def add_runs(self, form):
        """Let the batteries have read the words in this form, too, with the same results."""
        of_words = [record for record in battery_records(self.document, "philox") if record["form"] == "words"]
        self.document["runs"] += [record | {"form": form} for record in of_words]

    def test_a_failure_in_a_battery(self):
        for record in battery_records(self.document, "philox"):
            before = record["results"]
            record["results"] = [{"test": "Gap", "p": 0.0, "assessment": "failed"}]
            self.assert_verdict("demonstration only")
            record["results"] = [{"test": "Gap", "p": 0.0005, "assessment": "weak"}]
            self.assert_verdict("sound")
            record["results"] = before

    def test_a_failure_of_words_in_a_form_that_no_version_uses(self):
        record = self.battery_record("xorwow")
        failed = record | {"form": "words", "results": [{"test": "Gap", "p": 0.0, "assessment": "failed"}]}
        self.document["runs"].append(failed)
        self.assert_verdict("sound for 24-bit coordinates", "xorwow")
        failed["form"] = "24-bit coordinates"
        self.assert_verdict("demonstration only", "xorwow")

    def test_a_failure_of_words_that_are_drawn_no_more(self):
        record = self.battery_record("philox") | {"words_sha256": "0" * 64}
        self.document["runs"].append(record | {"results": [{"test": "Gap", "p": 0.0, "assessment": "failed"}]})
        self.assert_verdict("sound")

    def battery_record(self, source):
        return battery_records(self.document, source)[0]

    def test_the_cycle(self):
        for samples, expected in {2.0**31: "demonstration only", 0.99e12: "demonstration only", 1e12: "sound"}.items():
            self.row["cycle_samples"] = samples
            self.assert_verdict(expected)

    def test_threads_of_a_lagged_generator_do_not_share_a_cycle(self):
        self.row.update(lagged=True, cycle_samples=1.0)
        of_lanes = [stream | {"form": "lanes"} for stream in self.streams]
        start_up = self.streams[0] | {"streams": 2**24, "iters": 8}
        self.document["runs"] += [*of_lanes, start_up]
        self.assert_verdict("sound")

    def test_a_specimen_has_none(self):
        self.assert_verdict(None, "constant")


class TestedBytesTest(unittest.TestCase):
    """Up to how many bytes the words of a generator were read: the least of all streams and forms."""

    def setUp(self):
        self.document = fixture()
        self.row = row_of(self.document, "philox")
        self.streams = streams_of(self.document, "philox")
        self.runs = records_of(self.document, "philox", batteries.PRACTRAND)

    def test_the_least_counts(self):
        for record, size in zip(self.runs, (2**34, 2**30, 2**32), strict=True):
            record["bytes"] = size
        self.assertEqual(2**30, verdicts.tested_bytes(self.row, self.document))

    def test_none_without_all_streams_or_of_other_words(self):
        for change in ({"streams": 3}, {"words_sha256": "0" * 64}):
            with self.subTest(change):
                self.setUp()
                self.runs[1].update(change)
                self.assertIsNone(verdicts.tested_bytes(self.row, self.document))


class MissingTest(unittest.TestCase):
    """Whatever is missing of a sound generator's results, it is not tested."""

    def setUp(self):
        self.document = fixture()
        self.row = row_of(self.document, "philox")
        self.streams = streams_of(self.document, "philox")
        self.assertEqual([], verdicts.untested(verdicts.with_verdicts(self.document)))

    def assert_missing(self, what):
        document = verdicts.with_verdicts(self.document)
        self.assertEqual("not tested", row_of(document, "philox")["verdict"])
        self.assertEqual([], verdicts.complaints(document))  # the result is stored, and says so
        (line,) = verdicts.untested(document)
        self.assertIn("philox is not tested", line)
        self.assertIn(what, line)

    def test_every_result_of_dieharder(self):
        for stream in self.streams:
            for record in stream["results"]:
                record.update(p=None)
        self.assert_missing(f"dieharder: {len(dieharder.TESTS)} of {len(dieharder.TESTS)} tests (1 stream)")

    def test_a_result_of_dieharder(self):
        for stream in self.streams:
            for record in stream["results"]:
                with self.subTest(record["test"], ntuple=record["ntuple"]):
                    p, record["p"] = record["p"], None
                    self.assert_missing("dieharder: 1 of")
                    record["p"] = p

    def test_a_test_of_dieharder(self):
        records = self.streams[1]["results"]
        for test in dieharder.TESTS:
            kept = [record for record in records if not dieharder.is_of(test, record)]
            self.streams[1]["results"] = kept
            self.assert_missing("dieharder: 1 of")

    def test_a_test_of_another_size(self):
        for change in ({"tsamples": 10}, {"psamples": 10}):
            self.streams[1]["results"][0].update(change)
            self.assert_missing("(1,024 streams)")

    def test_streams(self):
        others = [record for record in self.document["runs"] if record not in self.streams]
        for kept in ([], self.streams[:1], self.streams[1:]):
            self.document["runs"] = others + kept
            self.assert_missing("dieharder: ")

    def test_lanes_and_start_up_of_a_lagged_generator(self):
        self.row["lagged"] = True
        for what in ("(1 stream, lanes)", "(1,024 streams, lanes)", "(16,777,216 streams, start-up)"):
            self.assert_missing(what)

    def test_every_run_of_the_batteries(self):
        for record in self.of_philox():
            with self.subTest(batteries.run_of(record)):
                self.document["runs"].remove(record)
                self.assert_missing(f"{record['battery']}: 1 of 3 runs")
                self.document["runs"].append(record)

    def test_a_run_of_a_battery_that_did_not_end(self):
        for record in self.of_philox():
            with self.subTest(batteries.run_of(record)):
                whole = dict(record)
                record.update(bytes=record["bytes"] // 2, count=record["count"] - 1, results=record["results"][1:])
                self.assert_missing(f"{record['battery']}: 1 of 3 runs")
                record.update(whole)

    def test_a_run_of_a_battery_on_other_words(self):
        self.of_philox()[0]["words_sha256"] = "0" * 64
        self.assert_missing("PractRand: 1 of 3 runs")

    def of_philox(self):
        return battery_records(self.document, "philox")

    def test_the_words_that_are_those_of_another(self):
        self.row["words_of"] = "nobody"
        self.assert_missing("the words of nobody")

    def test_the_gpu(self):
        self.document["gpu"] = None
        document = verdicts.with_verdicts(self.document)
        found = {row["source"]: row["verdict"] for row in document["rows"] if not verdicts.is_specimen(row)}
        self.assertEqual({"xorwow": "not tested", "philox": "not tested"}, {k: v for k, v in found.items() if k[0] != "l"})
        self.assertIn("GPU", verdicts.untested(document)[1])

    def test_the_row_of_the_gpu(self):
        self.document["gpu"]["rows"].remove(row_of(self.document["gpu"], "philox"))
        self.assert_missing("GPU")

    def test_a_row_of_the_gpu_of_other_words(self):
        row_of(self.document["gpu"], "philox")["words_sha256"] = "0" * 64
        self.assert_missing("GPU")

    def test_p_values_of_the_suite(self):
        gpu = row_of(self.document["gpu"], "philox")
        found = [gpu["serial"]["xy"], gpu["serial"]["neighbours"], self.row["serial"]["xy"],
                 self.row["serial"]["neighbours"], *self.row["differences"]]  # fmt: skip
        for part, p in [*((part, "p") for part in found), *((gpu["dispersion"], name) for name in quality.DISPERSION_TESTS)]:
            before, part[p] = part[p], None
            self.assert_missing("missing: ")
            part[p] = before

    def test_tests_of_words(self):
        for name in ("differences", "linear"):
            before, self.row[name] = self.row[name], None
            self.assert_missing({"differences": "differences of words", "linear": "linear bits"}[name])
            self.row[name] = before

    def test_parities_of_bit_planes(self):
        self.row["bit_planes"] = True
        self.assert_missing("parities of lanes")


class ComplaintTest(unittest.TestCase):
    def setUp(self):
        self.document = fixture()
        self.assertEqual([], self.complaints())

    def complaints(self):
        return verdicts.complaints(verdicts.with_verdicts(self.document))

    def assert_complaint(self, *parts):
        (complaint,) = self.complaints()
        for part in parts:
            self.assertIn(part, complaint)

    def make_sound(self, source):
        """Take away everything that was found of a specimen."""
        row, sound = row_of(self.document, source), row_of(self.document, "philox")
        row.update({name: copy.deepcopy(sound[name]) for name in ("dispersion", "serial", "linear", "differences")})
        for record in streams_of(self.document, source):
            record.update(results=copy.deepcopy(streams_of(self.document, "philox")[0]["results"]))
        self.document["gpu"]["rows"].remove(row_of(self.document["gpu"], source))

    def test_a_specimen_that_nothing_found(self):
        self.make_sound("constant")
        self.assert_complaint("constant", "no test found its fault")

    def test_one_finding_is_enough(self):
        for find in (
            lambda row: streams_of(self.document, row["source"])[1]["results"][0].update(p=0.0, assessment="failed"),
            lambda row: row["dispersion"].update(p_histogram=0.0),
            lambda row: row["serial"]["neighbours"].update(p=0.0),
            lambda row: row["linear"].update(linear_bits=[31]),
        ):
            self.document = fixture()
            self.make_sound("constant")
            find(row_of(self.document, "constant"))
            self.assertEqual([], self.complaints())

    def test_a_short_cycle_is_nothing_that_was_found(self):
        self.make_sound("constant")
        row_of(self.document, "constant").update(cycle_samples=1.0)
        self.assert_complaint("constant")

    def test_another_verdict_than_declared(self):
        row_of(self.document, "lcg").update(soundness="sound")
        self.assert_complaint("lcg", "'sound'", "'demonstration only'")

    def test_better_than_declared_is_as_wrong(self):
        row_of(self.document, "philox").update(soundness="sound for 24-bit coordinates")
        self.assert_complaint("philox", "'sound'", "'sound for 24-bit coordinates'")

    def reference(self, seed):
        """The results of dieharder on the reference with a seed."""
        return next(record["results"] for record in self.document["runs"] if record["seed"] == seed)

    def test_philox_fails_with_another_seed(self):
        self.reference(2)[2].update(p=0.0, assessment="failed")
        self.assert_complaint("philox", "seed 2", "diehard_bitstream 0", "failed")

    def test_philox_has_a_test_without_a_result(self):
        self.reference(1)[0].update(p=None, assessment="no result")
        self.assert_complaint("philox", "seed 1", "no result")

    def test_philox_may_be_weak(self):
        self.reference(1)[0].update(p=0.001, assessment="weak")
        self.assertEqual([], self.complaints())

    def test_philox_was_not_tested(self):
        self.document["rows"].remove(row_of(self.document, "philox"))
        self.assert_complaint("philox")

    def test_a_battery_that_does_not_find_a_known_fault(self):
        controls = battery_records(self.document, "lcg")
        self.assertEqual(7, len(controls))
        for record in controls:
            before, record["results"] = record["results"], []
            if record["battery"] == "PractRand":
                self.assertEqual([], self.complaints())  # it was stopped too early to find anything
                record["bytes"] = 2**29
            self.assert_complaint("lcg", f"{record['battery']} found nothing", f"{batteries.form_text(record['form'])}, {record['streams']:,} stream")
            record["results"] = before

    def test_dispersions_that_theory_predicts(self):
        for source, ratio in (("lcg", 1.0005), ("lcg", 0.992), ("trinomial_63_1", 1.001), ("trinomial_63_1", 1.4)):
            self.document = fixture()
            row_of(self.document["gpu"], source)["dispersion"]["variance_ratio"] = ratio
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

    def test_an_endless_writer_ends_with_its_reader(self):
        ended = self.run_all(self.job("key", "exec yes", "head -n 1"))["key"]
        self.assertEqual(("y\n", 0, False), (ended.reader.output, ended.writer.code, ended.out_of_time))

    def test_codes_and_errors_of_both(self):
        ended = self.run_all(self.job("key", "echo bad words >&2; exit 2", "echo bad reading >&2; exit 3"))["key"]
        self.assertEqual((2, "bad words\n"), (ended.writer.code, ended.writer.errors))
        self.assertEqual((3, "bad reading\n"), (ended.reader.code, ended.reader.errors))

    def test_a_reader_that_computes_too_long(self):
        ended = self.run_all(self.job("key", "yes", "echo early; while :; do :; done", cpu_seconds=1))["key"]
        self.assertEqual((True, "early\n"), (ended.out_of_time, ended.reader.output))

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


class Silence:
    """Progress that is not shown."""

    def start(self, total):
        pass

    def advance(self):
        pass


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
    first_run = None  # what it leaves in its file and its lists: the same every time

    def setUp(self):
        super().setUp()
        self.bin, self.out, self.tools = (self.root / name for name in ("bin", "out", "tools"))
        for folder in (self.bin, self.out, self.tools):
            folder.mkdir()
        for path in (self.bin / "pi_quality", self.bin / "pi_stream", self.bin / "testu01_stdin", self.tools / "dieharder", self.tools / "RNG_test"):
            self.add_script(path, "exit 99")
        self.stored, self.aside = self.out / "quality.json", self.bin / "results" / "quality.json"
        self.log, self.battery_log, self.calls = [], [], []  # what dieharder read, what others read, and the calls of pi_quality
        self.salt, self.dieharder_fails, self.batteries_fail = "", lcg_fails, batteries_fail
        self.ends = {}  # the Outcome of a program in place of its own, by its name
        self.printed = self.measured()
        for patch in (
            mock.patch.object(battery_runs, "fingerprint", lambda source, folder: self.hash_of(source)),
            mock.patch.object(battery_runs, "run_side_by_side", self.run_jobs),
            mock.patch.object(dieharder_tool, "version", lambda: "3.31.1"),
            mock.patch.object(command, "run_program", self.pi_quality),
            mock.patch.dict(os.environ, {"PATH": str(self.tools)}),
        ):
            patch.start()
            self.addCleanup(patch.stop)

    def pi_quality(self, program, *arguments, errors):
        self.calls.append(" ".join(arguments))
        return self.ends.get("pi_quality", Outcome(0, json.dumps(self.printed), None))

    def run_jobs(self, jobs, at_once):
        for job in jobs:
            words, (name, *arguments) = " ".join(job.writer[1:]), [Path(job.reader[0]).name, *job.reader[1:]]
            output = {"dieharder": self.dieharder, "testu01_stdin": self.of_testu01, "RNG_test": self.rng_test}[name](words, arguments)
            writer = self.ends.get("pi_stream", Outcome(0, "", ""))
            reader = self.ends.get(name, Outcome(0, output, ""))
            yield pipelines.Ended(job, reader, name in self.ends and reader.code < 0, writer)

    def dieharder(self, words, arguments):
        options = dict(zip(arguments[::1], arguments[1::1]))
        line = f"{words} -d {options['-d']} -n {options['-n']}"
        self.log.append(line)
        p = 1.2e-7 if self.dieharder_fails(f"{line} ") else 0.5
        return f"{NAME_OF[int(options['-d'])]},{options['-n']},{options.get('-t', 10)},{options.get('-p', 100)},{p}\n"

    def of_testu01(self, words, arguments):
        line = " ".join([words, *arguments])
        self.battery_log.append(line)
        count = 144 if arguments[0] == "Crush" else 15
        p_values = [1e-300 if number == 3 and self.batteries_fail(line) else 0.25 for number in range(1, count + 1)]
        return " Version:          TestU01 1.2.3\nwords = 1000000\n" + "".join(f"p = {p} Test {n}\n" for n, p in enumerate(p_values))

    def rng_test(self, words, arguments):
        self.battery_log.append(f"{words} RNG_test {arguments[0]} {arguments[4]}")
        found = "  no anomalies in 232 test result(s)\n"
        if self.batteries_fail(f"{words} RNG_test"):
            found = "  BRank(12):256(2)                  R= +3748  p~=  3e-1129    FAIL !!!!!!!!\n  ...and 165 test result(s) without anomalies\n"
        return f"RNG_test using PractRand version 0.95-fork\nlength= 512 mebibytes (2^{arguments[4]} bytes), time= 4.4 seconds\n{found}"

    def measured(self, sources=SOURCES):
        """What pi_quality prints of these sources."""
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

    def quality_has_run(self):
        """What a first run of quality without options leaves; it runs once for all tests."""
        if not QualityTest.first_run:
            self.assertEqual(0, self.quality().returncode)
            QualityTest.first_run = (self.stored.read_text(), [*self.log], [*self.calls], [*self.battery_log])
        text, log, calls, battery_log = QualityTest.first_run
        self.stored.write_text(text)
        self.log[:], self.calls[:], self.battery_log[:] = log, calls, battery_log

    def document(self, path=None):
        return quality.DOCUMENT.load(path or self.stored)

    def change(self, action):
        """Change what is stored."""
        document = self.document()
        action(document)
        self.write(document)

    def write(self, document):
        self.stored.write_text(files.to_compact_text(document))
        return document

    def store(self, **parts):
        """Store a battery that fits the programs here, with these parts changed."""
        document = fixture()
        for part in (document, document["gpu"]):
            part["rows"] = [row for row in part["rows"] if row["source"] in self.SOURCES]
        for part in (document, document["gpu"]):
            for row in part["rows"]:
                row["words_sha256"] = self.hash_of(row_of(document, row["source"])["words_of"])
        document["runs"] = [record for record in document["runs"] if record["source"] in self.SOURCES and record["battery"] != DIEHARDER_FULL]
        for record in document["runs"]:
            record["words_sha256"] = self.hash_of(record["source"])
        return self.write(document | parts)

    def store_without_batteries(self):
        document = self.store()
        return self.write(document | {"runs": [record for record in document["runs"] if record["battery"] == DIEHARDER]})

    def hash_of(self, source):
        return hashlib.sha256(f"{source}{self.salt}".encode()).hexdigest()

    def assert_unchanged(self, document):
        self.assertEqual(files.to_compact_text(document), self.stored.read_text())
        self.assert_no_leftovers()


class QualityRunTest(QualityTest):
    def test_everything_as_it_must_be(self):
        process = self.quality()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
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
        self.assertRegex(process.stdout, r"(?m)^lcg, words, 1 stream +SmallCrush: 1 failed, 0 weak, of 15 results, 4 MiB$")
        self.assertEqual("philox is not tested, missing: the tests of these words on the GPU", lines[-1])

    def test_streams(self):
        self.printed = self.measured([*self.SOURCES, "trinomial_63_1"])
        self.assertEqual(0, self.quality().returncode)
        document = self.document()
        tested = {row["source"]: [(run["streams"], run["form"]) for run in streams_of(document, row["source"])] for row in document["rows"]}
        plain = [(1, "words"), (1024, "words")]
        of_lanes = [*plain, (1, "lanes"), (1024, "lanes")]
        self.assertEqual({"philox": plain, "lcg": plain, "lcg_mantissa": [], "constant": plain, "trinomial_63_1": of_lanes}, tested)
        seeds = [(run["streams"], run["seed"]) for run in document["runs"] if run["seed"] != batteries.SEED]
        self.assertEqual([(1024, seed) for seed in range(1, 11)], seeds)
        self.assertEqual(len(self.log), len(set(self.log)))  # nothing twice
        self.assertIn("trinomial_63_1 --streams 1024 --lanes --seed 1234 -d 2 -n 0", self.log)
        self.assertIn("philox --streams 1024 --seed 10 -d 203 -n 4", self.log)

    def test_the_start_of_a_lagged_generator(self):
        row_of(self.printed, "lcg")["lagged"] = True
        self.quality()
        self.assertIn("lcg --streams 16777216 --order thread --iters 8 --seed 1234 -d 2 -n 0", self.log)

    def test_every_stream_has_every_test_in_the_same_order(self):
        self.quality_has_run()
        expected = [(test.name, test.ntuple, test.tsamples) for test in dieharder.TESTS]
        for record in self.document()["runs"]:
            if record["battery"] == DIEHARDER:
                self.assertEqual(expected, [(found["test"], found["ntuple"], found["tsamples"]) for found in record["results"]])

    def test_the_same_words_give_the_same_file_whatever_is_done_first(self):
        self.quality_has_run()
        first = self.stored.read_text()
        with mock.patch.object(battery_runs, "run_side_by_side", lambda jobs, at_once: self.run_jobs(reversed(jobs), at_once)):
            self.quality("--redo")
        self.assertEqual(first, self.stored.read_text())

    def test_parts_of_their_own_are_kept_while_they_hold(self):
        self.quality_has_run()
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

    def test_rows_of_the_gpu_are_dropped_with_their_words(self):
        self.store()
        self.salt = ", other words"
        self.assertEqual(0, self.quality().returncode)
        document = self.document()
        self.assertEqual([], document["gpu"]["rows"])
        self.assertEqual("not tested", row_of(document, "philox")["verdict"])

    def test_what_is_stored_of_the_same_words_is_not_tested_again(self):
        self.quality_has_run()
        first, read = self.stored.read_text(), len(self.log)
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual((first, read), (self.stored.read_text(), len(self.log)))
        self.assertEqual(["--json -", "--words-only --json -"], self.calls)
        self.assertEqual(0, self.quality("--redo").returncode)
        self.assertEqual(2 * read, len(self.log))

    def test_only_what_lacks_a_result_is_tested(self):
        self.quality_has_run()
        document = self.document()
        streams_of(document, "philox")[1]["results"][0].update(p=None, assessment="no result")
        document["rows"].remove(row_of(document, "lcg_mantissa"))
        self.write(document)
        self.log.clear()
        self.calls.clear()
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual({"philox --streams 1024 --seed 1234"}, {line.split(" -d ")[0] for line in self.log})
        self.assertEqual(["--words-only --json -", "lcg_mantissa --json -"], self.calls)

    def test_another_dieharder_tests_again(self):
        self.quality_has_run()
        document = self.document()
        for record in document["runs"]:
            record["version"] = record["version"].replace("3.31.1", "3.31.0")
        self.write(document)
        read = len(self.log)
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual(2 * read, len(self.log))


class QualityBatteriesTest(QualityTest):
    """TestU01 and PractRand."""

    def runs(self):
        return [tuple(batteries.run_of(record))[:4] for record in battery_records(self.document())]

    def test_runs(self):
        self.quality_has_run()
        of_philox = [(battery, "philox", "words", count) for battery in ("PractRand", "SmallCrush") for count in (1, 1024, 65_536)]
        of_lcg = [(battery, "lcg", "words", count) for battery in ("PractRand", "SmallCrush") for count in (1, 1024)]
        of_lcg += [(battery, "lcg", "24-bit coordinates", 1) for battery in ("PractRand", "SmallCrush")]
        of_lcg.append(("SmallCrush", "lcg", "reversed words", 1))
        self.assertEqual(sorted([*of_philox, *of_lcg]), sorted(self.runs()))
        self.assertIn("philox --streams 65536 --seed 1234 SmallCrush", self.battery_log)
        self.assertIn("lcg --streams 1 --seed 1234 RNG_test stdin32 29", self.battery_log)

    def test_forms_of_words(self):
        self.printed = self.measured([*self.SOURCES, "xorwow", "trinomial_63_1"])
        row_of(self.printed, "trinomial_63_1").update(versions=["v15"], soundness="sound in bit planes")
        self.quality()  # a verdict is not as declared, so the result is put aside
        shutil.copy(self.aside, self.stored)
        self.quality("--batteries")
        self.assertIn("xorwow --streams 1024 --upper-24 --seed 1234 SmallCrush", self.battery_log)
        self.assertIn("xorwow --streams 1024 --upper-24 --seed 1234 RNG_test stdin 29", self.battery_log)
        self.assertIn("trinomial_63_1 --streams 65536 --lanes --seed 1234 SmallCrush", self.battery_log)
        self.assertIn("trinomial_63_1 --streams 1024 --seed 1234 SmallCrush --reversed", self.battery_log)

    def test_alone(self):
        self.store_without_batteries()
        (self.tools / "dieharder").unlink()
        process = self.quality("--batteries", "v6")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual({"philox"}, {source for _, source, _, _ in self.runs()})
        self.assertEqual(6, len(self.runs()))
        self.assertEqual([], self.calls)
        self.assert_ends(self.quality("--batteries", "v99"), 1, "has no v99")

    def test_what_is_stored_of_the_same_words_is_not_read_again(self):
        self.store()
        process = self.quality("--batteries")
        self.assertEqual((0, "nothing to do for TestU01 and PractRand\n"), (process.returncode, process.stdout))
        self.assertEqual([], self.battery_log)
        self.assertEqual(0, self.quality("--batteries", "--redo").returncode)
        self.assertEqual(13, len(self.battery_log))

    def test_done_again_a_longer_run_is_kept_unless_the_new_one_fails(self):
        self.store()
        self.quality("--full", "v6")
        longer = self.philox_of_one_stream()
        self.assertEqual(2**34, longer["bytes"])
        self.assertEqual(0, self.quality("--batteries", "v6", "--redo").returncode)
        self.assertEqual(longer, self.philox_of_one_stream())
        self.batteries_fail = lambda line: line.startswith("philox --streams 1 ")
        self.assertEqual(1, self.quality("--batteries", "v6", "--redo").returncode)
        self.assertEqual(2**29, self.philox_of_one_stream()["bytes"])

    def test_a_longer_run_on_other_words_is_replaced(self):
        document = self.store()
        for record in battery_records(document):
            record.update(bytes=2**40, words_sha256="0" * 64)
        self.write(document)
        self.assertEqual(0, self.quality("--batteries", "v6").returncode)
        self.assertEqual(2**29, self.philox_of_one_stream()["bytes"])

    def philox_of_one_stream(self):
        run = Run("PractRand", "philox", "words", 1)
        return next(record for record in self.document()["runs"] if batteries.run_of(record) == run)

    def test_other_words_are_read_anew(self):
        self.quality_has_run()
        self.salt = ", other words"
        before = len(self.battery_log)
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual(2 * before, len(self.battery_log))

    def test_a_run_that_did_not_end_is_repeated(self):
        document = self.store()
        for record in battery_records(document, "philox"):
            if record["streams"] == 1:
                record.update(bytes=2**28, count=3, results=record["results"][:3])
        self.write(document)
        self.assertEqual(0, self.quality("--batteries").returncode)
        self.assertEqual({"philox --streams 1 --seed 1234 SmallCrush", "philox --streams 1 --seed 1234 RNG_test stdin32 29"},
                         set(self.battery_log))  # fmt: skip

    def test_what_is_not_installed_is_said_and_its_results_are_kept(self):
        before = self.store()
        (self.bin / "testu01_stdin").unlink()
        (self.tools / "RNG_test").unlink()
        process = self.quality("--batteries", "--redo")
        said = "not installed, so not used: TestU01 (testu01_stdin is not built), PractRand (RNG_test is not on the PATH)\n"
        self.assertEqual((0, said, ""), (process.returncode, process.stdout, process.stderr))
        self.assert_unchanged(before)

    def test_a_failure_changes_the_verdict_and_is_told(self):
        self.store_without_batteries()
        self.batteries_fail = lambda line: line.startswith("philox --streams 65536 ") and line.endswith("SmallCrush")
        process = self.quality("--batteries", "philox")
        self.assertEqual(1, process.returncode)
        self.assertIn("philox is declared 'sound', the verdict is 'demonstration only'", process.stderr)
        self.assertEqual(6, len(self.runs()))

    def test_a_known_fault_that_is_not_found_is_told(self):
        self.store_without_batteries()
        self.batteries_fail = lambda line: line.startswith("lcg ") and "SmallCrush" in line
        process = self.quality("--batteries")
        self.assertEqual(1, process.returncode)
        self.assertIn("lcg: PractRand found nothing in words, 1,024 streams", process.stderr)
        self.assertNotIn("SmallCrush", process.stderr)

    def test_a_program_that_fails(self):
        self.store_without_batteries()
        self.ends["testu01_stdin"] = Outcome(4, "", "testu01_stdin: stdin ended\n")
        process = self.quality("--batteries", "philox")
        self.assertEqual(1, process.returncode)
        self.assertIn("testu01_stdin SmallCrush failed (exit 4): testu01_stdin: stdin ended", process.stderr)

    def test_a_program_that_prints_no_result(self):
        for name in ("testu01_stdin SmallCrush", "RNG_test stdin32"):
            with self.subTest(name):
                self.store_without_batteries()
                self.ends = {name.split()[0]: Outcome(0, "usage: as you like\n", "")}
                process = self.quality("--batteries", "philox")
                self.assertEqual(1, process.returncode)
                self.assertRegex(process.stderr, f"{name}.*: it printed no p-value")
                self.assertTrue(all(record["count"] for record in self.document()["runs"]))

    def test_a_run_that_ran_out_of_time_without_a_result_is_not_stored(self):
        before = self.store()
        self.ends["testu01_stdin"] = Outcome(-signal.SIGXCPU, "", "")
        process = self.quality("--batteries", "philox", "--redo")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertRegex(process.stdout, r"(?m)^philox, words, 1 stream +SmallCrush: no result, as it ran out of time$")
        self.assertEqual(*(records_of(document, "philox", "SmallCrush") for document in (before, self.document())))


class QualityStopsTest(QualityTest):
    def test_another_soundness_than_declared_is_put_aside(self):
        row_of(self.printed, "lcg").update(soundness="sound")
        before = self.store(gpu=None)
        process = self.quality("--redo")
        self.assertEqual(1, process.returncode)
        complaint = "lcg is declared 'sound', the verdict is 'demonstration only'"
        self.assertEqual(
            [f"quality: {complaint}", f"quality: {self.stored} is not replaced, the result is in {self.aside}"],
            process.stderr.splitlines(),
        )
        self.assert_unchanged(before)
        self.assertEqual(set(self.SOURCES), {row["source"] for row in self.document(self.aside)["rows"]})

    def test_a_program_fails(self):
        before = self.store()
        for name, parts in {
            "pi_stream": ("pi_stream philox --streams 1 --seed 1234", "exit 4", "out of luck"),
            "dieharder": ("dieharder", "-d 0", "exit 4", "out of luck"),
            "pi_quality": ("pi_quality", "exit 4"),
        }.items():
            with self.subTest(name):
                self.ends = {name: Outcome(4, "", "first\nout of luck\n")}
                process = self.quality("--redo")
                self.assertEqual(1, process.returncode)
                for part in (*parts, "nothing was written"):
                    self.assertIn(part, process.stderr.splitlines()[-1])
                self.assert_unchanged(before)

    def test_dieharder_says_nothing(self):
        self.ends["dieharder"] = Outcome(0, "", "stdin_input_raw(): Error: EOF\n")
        self.assert_ends(self.quality(), 1, "dieharder", "EOF", "nothing was written")

    def test_a_test_that_does_not_end_has_no_result(self):
        self.ends["dieharder"] = Outcome(-signal.SIGXCPU, "", "")
        self.quality()
        for record in self.document(self.aside)["runs"]:
            if record["battery"] == DIEHARDER:
                self.assertEqual({(None, "no result")}, {(result["p"], result["assessment"]) for result in record["results"]})
                self.assertEqual([test.name for test in dieharder.TESTS], [result["test"] for result in record["results"]])

    def test_pi_quality_prints_no_rows_as_they_must_be(self):
        del self.printed["rows"][0]["serial"]
        self.assert_ends(self.quality(), 1, "pi_quality", "philox", "serial")
        self.assertEqual([], self.log)

    def test_a_broken_stored_battery_is_told_before_anything_runs(self):
        self.stored.write_text("{}")
        self.assert_ends(self.quality(), 1, str(self.stored), "nothing was written")
        self.assertEqual([], self.calls)

    def test_without_dieharder(self):
        (self.tools / "dieharder").unlink()
        self.assert_ends(self.quality(), 2, "apt-get install dieharder")

    def test_usage(self):
        self.assert_ends(self.quality("--redo", "--gpu"), 2, "--redo", "--gpu")
        self.assert_ends(self.quality("--gpu", "--full"), 2, "--full", "--gpu")
        self.assert_ends(self.quality("lcg"), 2, "lcg")
        (self.bin / "pi_stream").unlink()
        self.assert_ends(self.quality(), 2, f"{self.bin} holds no pi_stream")

    def test_out_cannot_be_written(self):
        self.out.rmdir()
        self.out.write_text("")
        self.assert_ends(self.quality(), 5, str(self.stored), "could not be written", "Not a directory")


class QualityOnGpuTest(QualityTest):
    def setUp(self):
        super().setUp()
        self.printed = self.measured_on_gpu()

    def test_only_that_part_is_replaced(self):
        before = self.store(gpu=None)
        process = self.quality("--gpu")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual(["--gpu --json -"], self.calls)
        document = self.document()
        part = document["gpu"]
        self.assertEqual("NVIDIA Fixture 9000", part["context"]["device"]["name"])
        self.assertEqual(4_194_304, part["sizes"]["streams"])
        self.assertEqual(list(self.SOURCES), [row["source"] for row in part["rows"]])
        self.assertEqual({"source", "words_sha256", "dispersion", "serial", "overlap"}, set(part["rows"][0]))
        self.assertEqual([self.hash_of("lcg")] * 2, [row_of(part, source)["words_sha256"] for source in ("lcg", "lcg_mantissa")])
        self.assertEqual("sound", row_of(document, "philox")["verdict"])
        self.assertEqual(verdicts.with_verdicts(before), verdicts.with_verdicts(document | {"gpu": None}))
        self.assertEqual([], self.log)

    def test_verdicts_follow(self):
        row_of(self.printed, "philox")["dispersion"]["p_variance"] = 1e-9
        before = self.store()
        process = self.quality("--gpu")
        self.assertEqual(1, process.returncode)
        self.assertIn("philox is declared 'sound', the verdict is 'demonstration only'", process.stderr)
        self.assert_unchanged(before)
        self.assertTrue(self.aside.exists())

    def test_without_a_gpu(self):
        before = self.store()
        self.ends["pi_quality"] = Outcome(3, "", None)
        self.assert_ends(self.quality("--gpu"), 0, "nothing measured: no usable GPU")
        self.assert_unchanged(before)

    def test_nothing_to_add_to(self):
        self.assert_ends(self.quality("--gpu"), 1, str(self.stored), "make quality")
        self.assertEqual([], self.calls)

    def test_needs_no_dieharder(self):
        self.store()
        (self.tools / "dieharder").unlink()
        self.assertEqual(0, self.quality("--gpu").returncode)


class QualityInFullTest(QualityTest):
    TESTS = len(dieharder.FULL_TESTS)

    def setUp(self):
        super().setUp()
        self.store()

    def full_streams(self):
        return [(record["source"], record["streams"]) for record in self.document()["runs"] if record["battery"] == DIEHARDER_FULL]

    def test_streams_of_the_ladder_are_stored(self):
        process = self.quality("--full")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual([("lcg", 1), ("lcg", 1024), ("philox", 1), ("philox", 1024)], self.full_streams())
        for record in records_of(self.document(), "lcg", DIEHARDER_FULL):
            self.assertEqual(self.TESTS, len(record["results"]))
            self.assertRegex(record["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertEqual([], self.calls)

    def test_what_is_stored_is_skipped(self):
        self.quality("--full", "lcg")
        self.assertEqual(2 * self.TESTS, len(self.log))
        self.assertEqual(0, self.quality("--full", "lcg").returncode)
        self.assertEqual(2 * self.TESTS, len(self.log))
        self.quality("--full", "lcg", "--redo")
        self.assertEqual(4 * self.TESTS, len(self.log))
        self.assertEqual([("lcg", 1), ("lcg", 1024)], self.full_streams())

    def test_other_words_are_tested_anew(self):
        self.quality("--full", "lcg")
        self.salt = ", other words"
        self.quality("--full", "lcg")
        self.assertEqual(4 * self.TESTS, len(self.log))
        found = {record["words_sha256"] for record in records_of(self.document(), "lcg", DIEHARDER_FULL)}
        self.assertEqual({self.hash_of("lcg")}, found)
        self.assertEqual(2, len(self.full_streams()))

    def test_generators_by_version_and_by_name(self):
        self.quality("--full", "v10")  # the words of lcg_mantissa are those of lcg
        self.assertEqual([("lcg", 1), ("lcg", 1024)], self.full_streams())
        self.quality("--full", "philox")
        self.assertEqual(4, len(self.full_streams()))

    def test_larger_batteries(self):
        self.assertEqual(0, self.quality("--full").returncode)
        expected = {f"philox --streams {count} --seed 1234 {reader}"
                    for count in (1, 1024, 65536) for reader in ("Crush", "RNG_test stdin32 34")}  # fmt: skip
        self.assertEqual(expected, set(self.battery_log))
        found = {(record["battery"], record["count"]) for record in battery_records(self.document(), "philox")}
        self.assertEqual({("SmallCrush", 15), ("Crush", 144), ("PractRand", 232)}, found)
        self.quality("--batteries")
        self.assertEqual(expected, set(self.battery_log))  # 2^34 bytes hold what the standard run reads

    def test_names_that_there_are_not(self):
        for name in ("v99", "constant"):
            self.assert_ends(self.quality("--full", name), 1, f"has no {name}")
        self.assertEqual([], self.log)

    def test_a_failure_changes_the_verdict_and_is_told(self):
        self.dieharder_fails = lambda line: lcg_fails(line) or line.startswith("philox ") and " -d 8 " in line
        process = self.quality("--full", "philox")
        self.assertEqual(1, process.returncode)
        self.assertIn("philox is declared 'sound', the verdict is 'demonstration only'", process.stderr)
        self.assertEqual("demonstration only", row_of(self.document(), "philox")["verdict"])


class InterruptedTest(QualityTest):
    """With processes: programs of shell, whose words are their arguments."""

    def setUp(self):
        super().setUp()
        mock.patch.stopall()
        self.log_file = self.root / "log"
        path = self.root / "pi_quality.json"
        path.write_text(json.dumps(self.printed))
        self.add_script(self.bin / "pi_quality", f"cat '{path}'")
        self.add_script(self.bin / "pi_stream", 'echo "$*"')
        (self.bin / "testu01_stdin").unlink()
        (self.tools / "RNG_test").unlink()
        self.add_dieharder()
        self.store()
        for source in self.SOURCES:  # the words are what is echoed
            words = f"{source} --streams 1024 --seed 1234 --words 65536\n"
            text = self.stored.read_text().replace(self.hash_of(source), hashlib.sha256(words.encode()).hexdigest())
            self.stored.write_text(text)

    def add_dieharder(self, extra=""):
        self.add_script(self.tools / "dieharder", DIEHARDER_SCRIPT.format(log=self.log_file, extra=extra, names=NAMES))

    def start(self, *options):
        environment = os.environ | {"PATH": f"{self.tools}:/usr/bin:/bin:{os.environ['PATH']}"}
        line = [sys.executable, str(SCRIPTS / "quality"), "--bin", str(self.bin), "--out", str(self.out), *options]
        process = subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=environment)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        return process

    def signal_once_there(self, path, number, *options):
        """Start quality, send it the signal once the file at path is written; returns the ended process."""
        process = self.start(*options)
        wait_for(path)
        process.send_signal(number)
        process.wait(timeout=30)
        return process

    def test_ended_by_a_signal_it_leaves_the_old_file_whole_and_no_child(self):
        before, pid = self.stored.read_text(), self.root / "pid"
        self.add_dieharder(f"case $words in 'lcg '*) echo $$ > '{pid}.$$'; mv '{pid}.$$' '{pid}'; exec sleep 9000;; esac")
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = self.signal_once_there(pid, number, "--redo")
                self.assertEqual(130, process.returncode)
                self.assert_one_line(process.stderr.read(), "interrupted")
                self.assertEqual(before, self.stored.read_text())
                self.assert_no_leftovers()
                while is_alive(int(pid.read_text())):  # it was told to end: that may take a loaded machine a moment
                    time.sleep(0.01)
                pid.unlink()

    def test_what_is_complete_is_kept_and_not_done_again(self):
        pid, tests = self.root / "pid", len(dieharder.FULL_TESTS)
        stored = f"until grep -q '\"{DIEHARDER_FULL}\"' '{self.stored}'; do sleep 0.05; done"
        hang = f"echo $$ > '{pid}.$$'; mv '{pid}.$$' '{pid}'; exec sleep 60"
        self.add_dieharder(f"case $words in *'--streams 1024'*) {stored}; {hang};; esac")
        process = self.signal_once_there(pid, signal.SIGINT, "--full", "lcg")
        self.assertEqual(130, process.returncode)
        self.assertEqual([1], [record["streams"] for record in records_of(self.document(), "lcg", DIEHARDER_FULL)])
        self.add_dieharder()
        self.log_file.unlink()
        self.assertEqual(0, self.start("--full", "lcg").wait(timeout=60))
        self.assertEqual(tests, len(self.log_file.read_text().splitlines()))
        self.assertEqual([1, 1024], [record["streams"] for record in records_of(self.document(), "lcg", DIEHARDER_FULL)])


# With dieharder itself


class RealDieharderTest(unittest.TestCase):
    def setUp(self):
        if not shutil.which("dieharder"):
            self.skipTest("dieharder is not installed")
        if not (BIN / "pi_stream").exists():
            self.skipTest(f"{BIN} holds no pi_stream")

    def test_a_constant_fails_and_philox_does_not_and_the_same_words_give_the_same_p_value(self):
        self.assertEqual("failed", self.birthdays("constant")["assessment"])
        first, second = (self.birthdays("philox") for _ in range(2))
        self.assertIn(first["assessment"], ("passed", "weak"))
        self.assertEqual(first, second)

    def birthdays(self, source):
        with mock.patch.dict(battery_runs.TESTS, {DIEHARDER: dieharder.TESTS[:1]}):
            (record,) = battery_runs.tested([Run(DIEHARDER, source, "words", 1024, 1)], batteries.STANDARD, BIN, Silence())
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
        return subprocess.run([BIN / "pi_stream", source, "--words", str(self.WORDS)], stdout=subprocess.PIPE, check=True).stdout

    def testu01(self, *arguments, words=b""):
        command = [BIN / "testu01_stdin", *arguments]
        process = subprocess.run(command, input=words, capture_output=True)
        return subprocess.CompletedProcess(command, process.returncode, process.stdout.decode(), process.stderr.decode())

    def p_value(self, words, *arguments):
        process = self.testu01("SmallCrush", "--tests", "1", *arguments, words=words)
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        record = testu01.parse(process.stdout)
        (result,) = record["results"]
        self.assertEqual(("BirthdaySpacings", 40_000_000), (result["test"], record["bytes"]))  # 5,000,000 points of 2 words
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
        if not (BIN / "pi_stream").exists():
            self.skipTest(f"{BIN} holds no pi_stream")
        self.document = quality.DOCUMENT.load(STORED)
        text = subprocess.run([BIN / "pi_stream", "--list"], capture_output=True, text=True, check=True).stdout
        self.listed = [re.split(r"  +", line.strip()) for line in text.splitlines()[1:]]

    def test_verdicts_are_what_versions_declare(self):
        declared = {version: row[2] for row in self.listed for version in row[1].split() if re.match(r"[a-z]\d", version)}
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
        hashes = {source: battery_runs.fingerprint(source, BIN) for source in {row["words_of"] for row in self.document["rows"]}}
        for part in (self.document["rows"], self.document["gpu"]["rows"], self.document["runs"]):
            for row in part:
                words_of = row_of(self.document, row["source"])["words_of"]
                with self.subTest(row["source"]):
                    self.assertEqual(hashes[words_of], row["words_sha256"])


if __name__ == "__main__":
    unittest.main()
