#!/usr/bin/env python3
"""Tests of scripts/quality: what is made of the batteries' output, the verdicts, and the script with programs of shell.

tests/data/evidence/site/results/quality.json is the battery that they start
from. The last ones hold the repository's own against the programs in the
folder that PI_BIN names (default: build/).
"""

import array
import copy
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

sys.dont_write_bytecode = True

from sandbox import BIN, REPOSITORY, SCRIPTS, Sandbox

from interrupts import setUpModule  # noqa: F401
from suite import processes
from suite.analyse import batteries, dieharder, streams, verdicts
from suite.documents import files, quality
from suite.documents.schema import ResultError
from suite.tools import pipelines, practrand, reading, testu01

FIXTURE = REPOSITORY / "tests" / "data" / "evidence" / "site" / "results" / "quality.json"
STORED = REPOSITORY / "results" / "quality.json"

PI_QUALITY = """
echo "$*" >> '{log}'
cat '{document}'
"""

# The words of a stream are its arguments, and what is in a file.
PI_STREAM = """
read -r salt < '{salt}'
echo "$*$salt"
"""

# A p-value for each test; what fails is a pattern of the words and the test's number.
DIEHARDER = """
[ "$1" = -h ] && echo '# dieharder version 3.31.1 Copyright 2003' && exit
read -r words
while [ $# -gt 0 ]; do
    case $1 in -d) d=$2;; -n) n=$2;; -t) t=$2;; -p) p=$2;; esac
    shift
done
case $d in {names} esac
echo "$words -d $d -n $n" >> '{log}'
value=0.50000000
case "$words -d $d -n $n" in {failing}) value=0.00000012;; esac
{extra}
echo "$name,$n,${{t:-10}},${{p:-100}},$value"
"""
# Like dieharder's: what fails is a pattern of the words and the battery.
TESTU01 = """
read -r words
echo "$words $*" >> '{log}'
echo " Version:          TestU01 1.2.3"
echo "words = 1000000"
case $1 in Crush) count=144;; *) count=15;; esac
p=0.25
for number in $(seq $count); do
    case "$words $*" in {failing}) [ $number = 3 ] && p=1e-300;; esac
    echo "p = $p Test $number"
    p=0.25
done
"""
PRACTRAND = """
read -r words
echo "$words RNG_test $1 $5" >> '{log}'
echo "RNG_test using PractRand version 0.95-fork"
echo "length= 512 mebibytes (2^$5 bytes), time= 4.4 seconds"
case "$words RNG_test" in
{failing}) echo "  BRank(12):256(2)                  R= +3748  p~=  3e-1129    FAIL !!!!!!!!"
    echo "  ...and 165 test result(s) without anomalies";;
*) echo "  no anomalies in 232 test result(s)";;
esac
"""
BATTERIES_FAIL = '"lcg "*|"xorshift32 "*|"mrg --streams 1 --seed"*|"trinomial_63_1 "*'
NAMES = " ".join(f"{test.number}) name={test.name};;" for test in {test.number: test for test in dieharder.FULL_TESTS}.values())

LCG_FAILS = '"lcg --streams 1 "*"-d 2 "*|"constant "*'


def fixture():
    """The stored battery of the tests."""
    return json.loads(FIXTURE.read_text())


def row_of(document, source):
    return next(row for row in document["rows"] if row["source"] == source)


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
        self.assertEqual(expected, dieharder.parse(self.OUTPUT))

    def test_what_is_no_record_is_refused(self):
        for line in ("Error: can't allocate memory", "sts_serial,1,20000,100", "sts_serial,1,20000,100,small", ",,,,"):
            with self.subTest(line), self.assertRaisesRegex(ResultError, "dieharder printed"):
                dieharder.parse(f"{self.OUTPUT}{line}\n")

    def test_a_p_value_that_is_no_number_is_no_result(self):
        for text in ("nan", "-nan", "inf", "-1.00000000"):
            (record,) = dieharder.parse(f"rgb_minimum_distance,2,10000,100,{text}\n")
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
        runs = batteries.runs_of(row, batteries.STANDARD)
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
        for record in fixture()["batteries"]:
            if record["source"] == "lcg":
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
        self.assert_verdict("sound")

    def assert_verdict(self, expected, source="philox"):
        self.assertEqual(expected, row_of(verdicts.with_verdicts(self.document), source)["verdict"])

    def on_gpu(self, source="philox"):
        return row_of(self.document["gpu"], source)

    def test_a_failure_in_any_stream(self):
        for stream in self.row["streams"]:
            for record in stream["dieharder"]:
                before = dict(record)
                record.update(p=0.0, assessment="failed")
                self.assert_verdict("demonstration only")
                record.update(before)
        self.assert_verdict("sound")

    def test_weak_results_are_no_failures(self):
        self.row["streams"][0]["dieharder"][0].update(p=0.001, assessment="weak")
        self.assert_verdict("sound")

    def test_a_failure_at_full_size(self):
        stream = copy.deepcopy(self.row["streams"][0])
        self.document["full"]["streams"].append(stream)
        self.assert_verdict("sound")
        stream["dieharder"][0].update(p=0.0, assessment="failed")
        self.assert_verdict("demonstration only")

    def test_tests_that_dieharder_itself_distrusts(self):
        for name in ("diehard_sums", "diehard_opso", "diehard_oqso", "diehard_dna"):
            record = self.row["streams"][0]["dieharder"][0] | {"test": name, "p": 0.0, "assessment": "failed"}
            self.row["streams"][0]["dieharder"].append(record)
            self.assert_verdict("sound")

    def test_the_same_words_have_the_same_failures(self):
        self.row["words_of"] = "lcg"
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
        self.row["streams"] += [stream | {"lanes": True} for stream in copy.deepcopy(self.row["streams"])]
        self.add_runs("lanes")
        self.add_runs("reversed words")

    def add_runs(self, form):
        """Let the batteries have read the words in this form, too, with the same results."""
        of_words = [record for record in self.document["batteries"] if (record["source"], record["form"]) == ("philox", "words")]
        self.document["batteries"] += [record | {"form": form} for record in of_words]

    def test_a_failure_in_a_battery(self):
        for record in self.document["batteries"]:
            if record["source"] == "philox":
                before = record["results"]
                record["results"] = [{"test": "Gap", "p": 0.0, "assessment": "failed"}]
                self.assert_verdict("demonstration only")
                record["results"] = [{"test": "Gap", "p": 0.0005, "assessment": "weak"}]
                self.assert_verdict("sound")
                record["results"] = before

    def test_a_failure_of_words_in_a_form_that_no_version_uses(self):
        record = self.battery_record("xorwow")
        failed = record | {"form": "words", "results": [{"test": "Gap", "p": 0.0, "assessment": "failed"}]}
        self.document["batteries"].append(failed)
        self.assert_verdict("sound for 24-bit coordinates", "xorwow")
        failed["form"] = "24-bit coordinates"
        self.assert_verdict("demonstration only", "xorwow")

    def test_a_failure_of_words_that_are_drawn_no_more(self):
        record = self.battery_record("philox") | {"words_sha256": "0" * 64}
        self.document["batteries"].append(record | {"results": [{"test": "Gap", "p": 0.0, "assessment": "failed"}]})
        self.assert_verdict("sound")

    def battery_record(self, source):
        return next(record for record in self.document["batteries"] if record["source"] == source)

    def test_the_cycle(self):
        for samples, expected in {2.0**31: "demonstration only", 0.99e12: "demonstration only", 1e12: "sound"}.items():
            self.row["cycle_samples"] = samples
            self.assert_verdict(expected)

    def test_threads_of_a_lagged_generator_do_not_share_a_cycle(self):
        self.row.update(lagged=True, cycle_samples=1.0)
        of_lanes = [stream | {"lanes": True} for stream in self.row["streams"]]
        start_up = self.row["streams"][0] | {"streams": 2**24, "iters": 8}
        self.row["streams"] += [*of_lanes, start_up]
        self.assert_verdict("sound")

    def test_a_specimen_has_none(self):
        self.assert_verdict(None, "constant")


class TestedBytesTest(unittest.TestCase):
    """Up to how many bytes the words of a generator were read: the least of all streams and forms."""

    def setUp(self):
        self.document = fixture()
        self.row = row_of(self.document, "philox")
        self.runs = [record for record in self.document["batteries"]
                     if (record["source"], record["battery"]) == ("philox", batteries.PRACTRAND)]  # fmt: skip

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
        self.assertEqual([], verdicts.untested(verdicts.with_verdicts(self.document)))

    def assert_missing(self, what):
        document = verdicts.with_verdicts(self.document)
        self.assertEqual("not tested", row_of(document, "philox")["verdict"])
        self.assertEqual([], verdicts.complaints(document))  # the result is stored, and says so
        (line,) = verdicts.untested(document)
        self.assertIn("philox is not tested", line)
        self.assertIn(what, line)

    def test_every_result_of_dieharder(self):
        for stream in self.row["streams"]:
            for record in stream["dieharder"]:
                record.update(p=None)
        self.assert_missing(f"dieharder: {len(dieharder.TESTS)} of {len(dieharder.TESTS)} tests (1 stream)")

    def test_a_result_of_dieharder(self):
        for stream in self.row["streams"]:
            for record in stream["dieharder"]:
                with self.subTest(record["test"], ntuple=record["ntuple"]):
                    p, record["p"] = record["p"], None
                    self.assert_missing("dieharder: 1 of")
                    record["p"] = p

    def test_a_test_of_dieharder(self):
        records = self.row["streams"][1]["dieharder"]
        for test in dieharder.TESTS:
            kept = [record for record in records if not dieharder.is_of(test, record)]
            self.row["streams"][1]["dieharder"] = kept
            self.assert_missing("dieharder: 1 of")

    def test_a_test_of_another_size(self):
        for change in ({"tsamples": 10}, {"psamples": 10}):
            self.row["streams"][1]["dieharder"][0].update(change)
            self.assert_missing("(1,024 streams)")

    def test_streams(self):
        for kept in ([], self.row["streams"][:1], self.row["streams"][1:]):
            self.row["streams"] = kept
            self.assert_missing("dieharder: ")

    def test_lanes_and_start_up_of_a_lagged_generator(self):
        self.row["lagged"] = True
        for what in ("(1 stream, lanes)", "(1,024 streams, lanes)", "(16,777,216 streams, start-up)"):
            self.assert_missing(what)

    def test_every_run_of_the_batteries(self):
        for record in self.of_philox():
            with self.subTest(batteries.run_of(record)):
                self.document["batteries"].remove(record)
                self.assert_missing(f"{record['battery']}: 1 of 3 runs")
                self.document["batteries"].append(record)

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
        return [record for record in self.document["batteries"] if record["source"] == "philox"]

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
        same = ("dispersion", "serial", "linear", "streams", "differences")
        row.update({name: copy.deepcopy(sound[name]) for name in same})
        self.document["gpu"]["rows"].remove(row_of(self.document["gpu"], source))

    def test_a_specimen_that_nothing_found(self):
        self.make_sound("constant")
        self.assert_complaint("constant", "no test found its fault")

    def test_one_finding_is_enough(self):
        for find in (
            lambda row: row["streams"][1]["dieharder"][0].update(p=0.0, assessment="failed"),
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

    def test_philox_fails_with_another_seed(self):
        self.document["philox_seeds"][1]["dieharder"][2].update(p=0.0, assessment="failed")
        self.assert_complaint("philox", "seed 2", "diehard_bitstream 0", "failed")

    def test_philox_has_a_test_without_a_result(self):
        self.document["philox_seeds"][0]["dieharder"][0].update(p=None, assessment="no result")
        self.assert_complaint("philox", "seed 1", "no result")

    def test_philox_may_be_weak(self):
        self.document["philox_seeds"][0]["dieharder"][0].update(p=0.001, assessment="weak")
        self.assertEqual([], self.complaints())

    def test_philox_was_not_tested(self):
        self.document["rows"].remove(row_of(self.document, "philox"))
        self.assert_complaint("philox")

    def test_a_battery_that_does_not_find_a_known_fault(self):
        controls = [record for record in self.document["batteries"] if record["source"] == "lcg"]
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

    def test_a_test_that_does_not_end_has_no_result(self):
        test = dieharder.Test("rgb_minimum_distance", 201, 2, 10_000)
        reader = reading.Reader(test, ["sh", "-c", "while :; do :; done"], 1)
        self.add_script(self.root / "pi_stream", "echo words")
        stream = streams.Stream("constant", 1, False, 1234)
        (record,) = reading.tested([stream], [reader], self.root, Silence())
        expected = {"test": "rgb_minimum_distance", "ntuple": 2, "tsamples": 10_000, "psamples": 100, "p": None,
                    "assessment": "no result"}  # fmt: skip
        self.assertEqual([expected], record["dieharder"])


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
    """A folder of programs of shell, dieharder among them, and quality to run them."""

    SOURCES = ("philox", "lcg", "lcg_mantissa", "constant")
    first_run = None  # what it leaves in its files: the same every time

    def setUp(self):
        super().setUp()
        self.bin, self.out, self.tools = (self.root / name for name in ("bin", "out", "tools"))
        self.log, self.calls, self.salt = (self.root / name for name in ("log", "calls", "salt"))
        self.battery_log = self.root / "battery_log"
        for folder in (self.bin, self.out, self.tools):
            folder.mkdir()
        self.salt.write_text("")
        self.stored, self.aside = self.out / "quality.json", self.bin / "results" / "quality.json"
        self.add_pi_quality(self.measured())
        self.add_script(self.bin / "pi_stream", PI_STREAM.format(salt=self.salt))
        self.add_dieharder()
        self.add_batteries()

    def add_pi_quality(self, document):
        path = self.root / "pi_quality.json"
        path.write_text(json.dumps(document))
        self.add_script(self.bin / "pi_quality", PI_QUALITY.format(log=self.calls, document=path))

    def add_dieharder(self, failing=LCG_FAILS, extra=""):
        self.add_script(self.tools / "dieharder", DIEHARDER.format(log=self.log, failing=failing, extra=extra, names=NAMES))

    def add_batteries(self, failing=BATTERIES_FAIL):
        self.add_script(self.bin / "testu01_stdin", TESTU01.format(log=self.battery_log, failing=failing))
        self.add_script(self.tools / "RNG_test", PRACTRAND.format(log=self.battery_log, failing=failing))

    def measured(self, sources=SOURCES):
        """What pi_quality prints of these sources."""
        document = fixture()
        rows = [row_of(document, source) for source in sources]
        for row in rows:
            del row["streams"], row["verdict"]
        head = {name: document[name] for name in ("schema", "suite", "context", "sizes")}
        return head | {"rows": rows}

    def measured_on_gpu(self):
        """The same with --gpu."""
        document, measured = fixture(), self.measured()
        rows = [row | row_of(document["gpu"], row["source"]) | {"linear": None} for row in measured["rows"]]
        return measured | {"context": document["gpu"]["context"], "sizes": document["gpu"]["sizes"], "rows": rows}

    def quality(self, *options, **process_options):
        command = [SCRIPTS / "quality", "--bin", self.bin, "--out", self.out, *options]
        return self.execute(*command, env=self.environment(), **process_options)

    def quality_has_run(self):
        """The files as a first run of quality without options leaves them; it runs once for all tests."""
        paths = (self.stored, self.log, self.calls, self.battery_log)
        if not QualityTest.first_run:
            self.assertEqual(0, self.quality().returncode)
            QualityTest.first_run = [path.read_text() for path in paths]
        for path, text in zip(paths, QualityTest.first_run):
            path.write_text(text)

    def environment(self):
        return os.environ | {"PATH": f"{self.tools}:{os.environ['PATH']}"}

    def document(self, path=None):
        return quality.DOCUMENT.load(path or self.stored)

    def store(self, **parts):
        """Store a battery that fits the programs here, with these parts changed."""
        document = fixture()
        document["rows"] = [row for row in document["rows"] if row["source"] in self.SOURCES]
        document["gpu"]["rows"] = [row for row in document["gpu"]["rows"] if row["source"] in self.SOURCES]
        for row in document["rows"]:
            for stream in row["streams"]:
                stream["words_sha256"] = self.hash_of(streams.stream_of(stream))
        for row in document["gpu"]["rows"]:
            words_of = row_of(document, row["source"])["words_of"]
            row["words_sha256"] = self.hash_of(streams.of_many_threads(words_of))
        document["batteries"] = [record for record in document["batteries"] if record["source"] in self.SOURCES]
        for record in document["batteries"]:
            record["words_sha256"] = self.hash_of(streams.of_many_threads(record["source"]))
        document |= {"full": None} | parts
        self.stored.write_text(files.to_compact_text(document))
        return document

    def hash_of(self, stream):
        return reading.fingerprint(stream, self.bin)

    def assert_unchanged(self, document):
        self.assertEqual(files.to_compact_text(document), self.stored.read_text())
        self.assert_no_leftovers()

    def lines_of_log(self):
        """What dieharder read, a line for each test."""
        return lines_of(self.log)

    def battery_lines(self):
        """What TestU01 and PractRand read, a line for each run."""
        return lines_of(self.battery_log)

    def path_without(self, *names):
        """A PATH with what a shell and Python need and the tools here, but not these."""
        for name in names:
            (self.tools / name).unlink()
        for name in ("env", "python3", "sh", "cat", "seq"):
            (self.tools / name).symlink_to(shutil.which(name))
        return os.environ | {"PATH": str(self.tools)}


def lines_of(path):
    return path.read_text().splitlines() if path.exists() else []


class QualityRunTest(QualityTest):
    def test_everything_as_it_must_be(self):
        process = self.quality()
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        document = self.document()
        verdict_of = {row["source"]: row["verdict"] for row in document["rows"]}
        demonstration = "demonstration only"
        expected = {"philox": "not tested", "lcg": demonstration, "lcg_mantissa": demonstration, "constant": None}
        self.assertEqual(expected, verdict_of)
        self.assertEqual({"dieharder": "3.31.1"}, document["tools"])
        self.assertEqual((None, None), (document["gpu"], document["full"]))
        lines = process.stdout.splitlines()
        self.assertRegex(lines[2], r"^lcg, 1 stream +1 failed, 0 weak, of 17 p-values$")
        self.assertIn(f"wrote {self.stored}", lines)
        self.assertRegex(process.stdout, r"(?m)^philox, 1,024 streams, seed 10 +0 failed, 0 weak, of 17 p-values$")
        self.assertRegex(process.stdout, r"(?m)^lcg, words, 1 stream +SmallCrush: 1 failed, 0 weak, of 15 results, 4 MiB$")
        self.assertEqual("philox is not tested, missing: the tests of these words on the GPU", lines[-1])

    def test_streams(self):
        self.add_pi_quality(self.measured([*self.SOURCES, "trinomial_63_1"]))
        self.assertEqual(0, self.quality().returncode)
        document = self.document()
        tested = {
            row["source"]: [(stream["streams"], stream["lanes"], stream["seed"]) for stream in row["streams"]]
            for row in document["rows"]
        }
        plain = [(1, False, 1234), (1024, False, 1234)]
        self.assertEqual(
            {"philox": plain, "lcg": plain, "lcg_mantissa": [], "constant": plain,
             "trinomial_63_1": [*plain, (1, True, 1234), (1024, True, 1234)]},
            tested,
        )  # fmt: skip
        seeds = [(stream["streams"], stream["seed"]) for stream in document["philox_seeds"]]
        self.assertEqual([(1024, seed) for seed in range(1, 11)], seeds)
        read = self.lines_of_log()
        self.assertEqual(len(read), len(set(read)))  # nothing twice
        self.assertIn("trinomial_63_1 --streams 1024 --lanes --seed 1234 -d 2 -n 0", read)
        self.assertIn("philox --streams 1024 --seed 10 -d 203 -n 4", read)

    def test_every_stream_has_every_test_in_the_same_order(self):
        self.quality_has_run()
        expected = [(test.name, test.ntuple, test.tsamples) for test in dieharder.TESTS]
        for row in self.document()["rows"]:
            for stream in row["streams"]:
                found = [(record["test"], record["ntuple"], record["tsamples"]) for record in stream["dieharder"]]
                self.assertEqual(expected, found)

    def test_the_same_words_give_the_same_file_whatever_is_done_first(self):
        self.quality_has_run()
        first = self.stored.read_text()
        self.add_dieharder(extra='case "$words -d $d" in "philox --streams 1 "*"-d 203") sleep 1;; esac')
        self.quality("--redo")
        self.assertEqual(first, self.stored.read_text())

    def test_parts_of_their_own_are_kept_while_they_hold(self):
        self.quality_has_run()
        document = self.document()
        holds = row_of(document, "lcg")["streams"][0] | {"date": "2026-01-31T12:00:00Z"}
        of_other_words = holds | {"words_sha256": "0" * 64}
        of_nobody = holds | {"source": "other"}
        before = self.store(full={"streams": [holds, of_other_words, of_nobody]})
        process = self.quality()
        self.assertEqual(0, process.returncode, process.stderr)
        document = self.document()
        self.assertEqual({"streams": [holds]}, document["full"])
        self.assertEqual(before["gpu"], document["gpu"])
        self.assertEqual("sound", row_of(document, "philox")["verdict"])

    def test_rows_of_the_gpu_are_dropped_with_their_words(self):
        self.store()
        self.salt.write_text(", other words")
        self.assertEqual(0, self.quality().returncode)
        document = self.document()
        self.assertEqual([], document["gpu"]["rows"])
        self.assertEqual("not tested", row_of(document, "philox")["verdict"])

    def test_what_is_stored_of_the_same_words_is_not_tested_again(self):
        self.quality_has_run()
        first, read = self.stored.read_text(), len(self.lines_of_log())
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual((first, read), (self.stored.read_text(), len(self.lines_of_log())))
        self.assertEqual(["--json -", "--words-only --json -"], self.calls.read_text().splitlines())
        self.assertEqual(0, self.quality("--redo").returncode)
        self.assertEqual(2 * read, len(self.lines_of_log()))

    def test_only_what_lacks_a_result_is_tested(self):
        self.quality_has_run()
        document = self.document()
        records = row_of(document, "philox")["streams"][1]["dieharder"]
        records[0].update(p=None, assessment="no result")
        document["rows"].remove(row_of(document, "lcg_mantissa"))
        self.stored.write_text(files.to_compact_text(document))
        self.log.unlink()
        self.calls.unlink()
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual({"philox --streams 1024 --seed 1234"}, {line.split(" -d ")[0] for line in self.lines_of_log()})
        self.assertEqual(["--words-only --json -", "lcg_mantissa --json -"], self.calls.read_text().splitlines())

    def test_another_dieharder_tests_again(self):
        self.quality_has_run()
        document = self.document()
        document["tools"]["dieharder"] = "3.31.0"
        self.stored.write_text(files.to_compact_text(document))
        read = len(self.lines_of_log())
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual(2 * read, len(self.lines_of_log()))


class QualityBatteriesTest(QualityTest):
    """TestU01 and PractRand."""

    def runs(self):
        return [tuple(batteries.run_of(record)) for record in self.document()["batteries"]]

    def test_runs(self):
        self.quality_has_run()
        of_philox = [(battery, "philox", "words", count) for battery in ("PractRand", "SmallCrush") for count in (1, 1024, 65_536)]
        of_lcg = [(battery, "lcg", "words", count) for battery in ("PractRand", "SmallCrush") for count in (1, 1024)]
        of_lcg += [(battery, "lcg", "24-bit coordinates", 1) for battery in ("PractRand", "SmallCrush")]
        of_lcg.append(("SmallCrush", "lcg", "reversed words", 1))
        self.assertEqual(sorted([*of_philox, *of_lcg]), self.runs())
        self.assertIn("philox --streams 65536 --seed 1234 SmallCrush", self.battery_lines())
        self.assertIn("lcg --streams 1 --seed 1234 RNG_test stdin32 29", self.battery_lines())
        versions = {record["battery"]: record["version"] for record in self.document()["batteries"]}
        self.assertEqual({"SmallCrush": "1.2.3", "PractRand": "0.95-fork"}, versions)

    def test_forms_of_words(self):
        measured = self.measured([*self.SOURCES, "xorwow", "trinomial_63_1"])
        row_of(measured, "trinomial_63_1").update(versions=["v15"], soundness="sound in bit planes")
        self.add_pi_quality(measured)
        self.quality()  # a verdict is not as declared, so the result is put aside
        shutil.copy(self.aside, self.stored)
        self.quality("--batteries")
        self.assertIn("xorwow --streams 1024 --upper-24 --seed 1234 SmallCrush", self.battery_lines())
        self.assertIn("xorwow --streams 1024 --upper-24 --seed 1234 RNG_test stdin 29", self.battery_lines())
        self.assertIn("trinomial_63_1 --streams 65536 --lanes --seed 1234 SmallCrush", self.battery_lines())
        self.assertIn("trinomial_63_1 --streams 1024 --seed 1234 SmallCrush --reversed", self.battery_lines())

    def test_alone(self):
        self.store(batteries=[])
        (self.tools / "dieharder").unlink()
        process = self.quality("--batteries", "v6")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual({"philox"}, {source for _, source, _, _ in self.runs()})
        self.assertEqual(6, len(self.runs()))
        self.assertFalse(self.calls.exists())
        self.assert_ends(self.quality("--batteries", "v99"), 1, "has no v99")

    def test_what_is_stored_of_the_same_words_is_not_read_again(self):
        self.store()
        self.assertEqual(0, self.quality("--batteries").returncode)
        self.assertEqual([], self.battery_lines())
        self.assertEqual(0, self.quality("--batteries", "--redo").returncode)
        self.assertEqual(13, len(self.battery_lines()))

    def test_done_again_a_longer_run_is_kept_unless_the_new_one_fails(self):
        self.store()
        self.quality("--full", "v6")
        longer = self.philox_of_one_stream()
        self.assertEqual(2**34, longer["bytes"])
        self.assertEqual(0, self.quality("--batteries", "v6", "--redo").returncode)
        self.assertEqual(longer, self.philox_of_one_stream())
        self.add_batteries(failing='"philox --streams 1 "*')
        self.assertEqual(1, self.quality("--batteries", "v6", "--redo").returncode)
        self.assertEqual(2**29, self.philox_of_one_stream()["bytes"])

    def test_a_longer_run_on_other_words_is_replaced(self):
        document = self.store()
        for record in document["batteries"]:
            record.update(bytes=2**40, words_sha256="0" * 64)
        self.stored.write_text(files.to_compact_text(document))
        self.assertEqual(0, self.quality("--batteries", "v6").returncode)
        self.assertEqual(2**29, self.philox_of_one_stream()["bytes"])

    def philox_of_one_stream(self):
        run = ("PractRand", "philox", "words", 1)
        return next(record for record in self.document()["batteries"] if batteries.run_of(record) == run)

    def test_other_words_are_read_anew(self):
        self.quality_has_run()
        self.salt.write_text(", other words")
        before = len(self.battery_lines())
        self.assertEqual(0, self.quality().returncode)
        self.assertEqual(2 * before, len(self.battery_lines()))

    def test_a_run_that_did_not_end_is_repeated(self):
        document = self.store()
        for record in document["batteries"]:
            if record["source"] == "philox" and record["streams"] == 1:
                record.update(bytes=2**28, count=3, results=record["results"][:3])
        self.stored.write_text(files.to_compact_text(document))
        self.assertEqual(0, self.quality("--batteries").returncode)
        self.assertEqual({"philox --streams 1 --seed 1234 SmallCrush", "philox --streams 1 --seed 1234 RNG_test stdin32 29"},
                         set(self.battery_lines()))  # fmt: skip

    def test_what_is_not_installed_is_said_and_its_results_are_kept(self):
        before = self.store()
        (self.bin / "testu01_stdin").unlink()
        command = [SCRIPTS / "quality", "--bin", self.bin, "--out", self.out, "--batteries", "--redo"]
        process = self.execute(*command, env=self.path_without("RNG_test"))
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        (line,) = process.stdout.splitlines()
        self.assertEqual(
            "not installed, so not used: TestU01 (testu01_stdin is not built), PractRand (RNG_test is not on the PATH)", line
        )
        self.assert_unchanged(before)

    def test_a_failure_changes_the_verdict_and_is_told(self):
        self.store(batteries=[])
        self.add_batteries(failing='"philox --streams 65536 "*"SmallCrush"')
        process = self.quality("--batteries", "philox")
        self.assertEqual(1, process.returncode)
        self.assertIn("philox is declared 'sound', the verdict is 'demonstration only'", process.stderr)
        self.assertEqual(6, len(self.runs()))

    def test_a_known_fault_that_is_not_found_is_told(self):
        self.store(batteries=[])
        self.add_batteries(failing='"lcg "*"SmallCrush"*')
        process = self.quality("--batteries")
        self.assertEqual(1, process.returncode)
        self.assertIn("lcg: PractRand found nothing in words, 1,024 streams", process.stderr)
        self.assertNotIn("SmallCrush", process.stderr)

    def test_a_program_that_fails(self):
        self.store(batteries=[])
        self.add_script(self.bin / "testu01_stdin", "echo 'testu01_stdin: stdin ended' >&2; exit 4")
        process = self.quality("--batteries", "philox")
        self.assertEqual(1, process.returncode)
        self.assertIn("testu01_stdin SmallCrush failed (exit 4): testu01_stdin: stdin ended", process.stderr)

    def test_a_program_that_prints_no_result(self):
        for folder, name in ((self.bin, "testu01_stdin SmallCrush"), (self.tools, "RNG_test stdin32")):
            with self.subTest(name):
                self.store(batteries=[])
                self.add_batteries()
                self.add_script(folder / name.split()[0], "echo 'usage: as you like'")
                process = self.quality("--batteries", "philox")
                self.assertEqual(1, process.returncode)
                self.assertRegex(process.stderr, f"{name}.*: it printed no p-value")
                self.assertTrue(all(record["count"] for record in self.document()["batteries"]))

    def test_a_run_that_ran_out_of_time_without_a_result_is_not_stored(self):
        before = self.store()
        self.add_script(self.bin / "testu01_stdin", "kill -XCPU $$")
        process = self.quality("--batteries", "philox", "--redo")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertRegex(process.stdout, r"(?m)^philox, words, 1 stream +SmallCrush: no result, as it ran out of time$")
        self.assertEqual(*([record for record in document["batteries"] if record["battery"] == "SmallCrush"]
                           for document in (before, self.document())))  # fmt: skip


class QualityChecksTest(QualityTest):
    def test_another_soundness_than_declared(self):
        measured = self.measured()
        row_of(measured, "lcg").update(soundness="sound")
        self.add_pi_quality(measured)
        self.assert_put_aside("lcg is declared 'sound', the verdict is 'demonstration only'")

    def assert_put_aside(self, complaint):
        before = self.store(gpu=None)
        process = self.quality("--redo")
        self.assertEqual(1, process.returncode)
        self.assertEqual(
            [f"quality: {complaint}", f"quality: {self.stored} is not replaced, the result is in {self.aside}"],
            process.stderr.splitlines(),
        )
        self.assert_unchanged(before)
        self.assertEqual(set(self.SOURCES), {row["source"] for row in self.document(self.aside)["rows"]})


class QualityStopsTest(QualityTest):
    def test_a_program_fails(self):
        before = self.store()
        fail = "echo first >&2; echo out of luck >&2; exit 4"
        first_test = 'case "$*" in *"-d 0 "*) ;; *) false;; esac'  # several run side by side, and any may end first
        for path, when, parts in (
            (self.bin / "pi_stream", "true", ("pi_stream philox --streams 1 --seed 1234", "exit 4", "out of luck")),
            (self.tools / "dieharder", first_test, ("dieharder", "-d 0", "exit 4", "out of luck")),
            (self.bin / "pi_quality", "true", ("pi_quality", "exit 4")),
        ):
            with self.subTest(path.name):
                text = path.read_text()
                self.add_script(path, f"[ \"$1\" = -h ] && exit\nif {when}; then {fail}; fi\n{text}")
                process = self.quality("--redo")
                self.assertEqual(1, process.returncode)
                for part in (*parts, "nothing was written"):
                    self.assertIn(part, process.stderr.splitlines()[-1])
                self.assert_unchanged(before)
                path.write_text(text)

    def test_dieharder_says_nothing(self):
        self.add_script(self.tools / "dieharder", "echo 'stdin_input_raw(): Error: EOF' >&2; exit 0")
        self.assert_ends(self.quality(), 1, "dieharder", "EOF", "nothing was written")

    def test_pi_quality_prints_no_rows_as_they_must_be(self):
        measured = self.measured()
        del measured["rows"][0]["serial"]
        self.add_pi_quality(measured)
        self.assert_ends(self.quality(), 1, "pi_quality", "philox", "serial")
        self.assertEqual([], self.lines_of_log())

    def test_a_broken_stored_battery_is_told_before_anything_runs(self):
        self.stored.write_text("{}")
        self.assert_ends(self.quality(), 1, str(self.stored), "nothing was written")
        self.assertFalse(self.calls.exists())

    def test_without_dieharder(self):
        environment = self.path_without("dieharder")
        command = [SCRIPTS / "quality", "--bin", self.bin, "--out", self.out]
        self.assert_ends(self.execute(*command, env=environment), 2, "apt-get install dieharder")

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

    def test_ended_by_a_signal_it_leaves_the_old_file_whole_and_no_child(self):
        before = self.store()
        pid = self.root / "pid"
        hang = f"case $words in 'lcg '*) echo $$ > '{pid}.$$'; mv '{pid}.$$' '{pid}'; exec sleep 9000;; esac"
        self.add_dieharder(extra=hang)
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(number):
                process = self.signal_once_there(pid, number, "--redo")
                self.assertEqual(130, process.returncode)
                self.assert_one_line(process.stderr.read(), "interrupted")
                self.assert_unchanged(before)
                while is_alive(int(pid.read_text())):  # it was told to end: that may take a loaded machine a moment
                    time.sleep(0.01)
                pid.unlink()

    def signal_once_there(self, path, number, *options):
        """Start quality, send it the signal once the file at path is written; returns the ended process."""
        command = [str(SCRIPTS / "quality"), "--bin", str(self.bin), "--out", str(self.out), *options]
        process = subprocess.Popen(
            command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, env=self.environment()
        )
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        wait_for(path)
        process.send_signal(number)
        process.wait(timeout=30)
        return process


class QualityOnGpuTest(QualityTest):
    def setUp(self):
        super().setUp()
        self.add_pi_quality(self.measured_on_gpu())

    def test_only_that_part_is_replaced(self):
        before = self.store(gpu=None)
        process = self.quality("--gpu")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual("--gpu --json -\n", self.calls.read_text())
        document = self.document()
        part = document["gpu"]
        self.assertEqual("NVIDIA Fixture 9000", part["context"]["device"]["name"])
        self.assertEqual(4_194_304, part["sizes"]["streams"])
        self.assertEqual(list(self.SOURCES), [row["source"] for row in part["rows"]])
        self.assertEqual({"source", "words_sha256", "dispersion", "serial", "overlap"}, set(part["rows"][0]))
        of_lcg = [row_of(part, source)["words_sha256"] for source in ("lcg", "lcg_mantissa")]
        self.assertEqual([self.hash_of(streams.Stream("lcg", 1024))] * 2, of_lcg)
        self.assertEqual("sound", row_of(document, "philox")["verdict"])
        self.assertEqual(verdicts.with_verdicts(before), verdicts.with_verdicts(document | {"gpu": None}))
        self.assertEqual([], self.lines_of_log())

    def test_verdicts_follow(self):
        measured = self.measured_on_gpu()
        row_of(measured, "philox")["dispersion"]["p_variance"] = 1e-9
        self.add_pi_quality(measured)
        before = self.store()
        process = self.quality("--gpu")
        self.assertEqual(1, process.returncode)
        self.assertIn("philox is declared 'sound', the verdict is 'demonstration only'", process.stderr)
        self.assert_unchanged(before)
        self.assertTrue(self.aside.exists())

    def test_without_a_gpu(self):
        before = self.store()
        self.add_script(self.bin / "pi_quality", "echo 'pi_quality: no driver' >&2; exit 3")
        process = self.quality("--gpu")
        self.assertEqual(0, process.returncode)
        self.assertEqual(
            ["pi_quality: no driver", "quality: nothing measured: no usable GPU"], process.stderr.splitlines()
        )
        self.assert_unchanged(before)

    def test_nothing_to_add_to(self):
        self.assert_ends(self.quality("--gpu"), 1, str(self.stored), "make quality")
        self.assertFalse(self.calls.exists())

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
        full = self.document()["full"]
        return [(stream["source"], stream["streams"]) for stream in full["streams"]] if full else []

    def test_streams_of_the_ladder_are_stored(self):
        process = self.quality("--full")
        self.assertEqual((0, ""), (process.returncode, process.stderr))
        self.assertEqual([("lcg", 1), ("lcg", 1024), ("philox", 1), ("philox", 1024)], self.full_streams())
        for stream in self.document()["full"]["streams"]:
            self.assertEqual(self.TESTS, len(stream["dieharder"]))
            self.assertRegex(stream["date"], r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$")
        self.assertFalse(self.calls.exists())

    def test_what_is_stored_is_skipped(self):
        self.quality("--full", "lcg")
        self.assertEqual(2 * self.TESTS, len(self.lines_of_log()))
        self.assertEqual(0, self.quality("--full", "lcg").returncode)
        self.assertEqual(2 * self.TESTS, len(self.lines_of_log()))
        self.quality("--full", "lcg", "--redo")
        self.assertEqual(4 * self.TESTS, len(self.lines_of_log()))
        self.assertEqual([("lcg", 1), ("lcg", 1024)], self.full_streams())

    def test_other_words_are_tested_anew(self):
        self.quality("--full", "lcg")
        before = self.document()["full"]["streams"][0]["words_sha256"]
        self.salt.write_text(", other words")
        self.quality("--full", "lcg")
        self.assertEqual(4 * self.TESTS, len(self.lines_of_log()))
        self.assertNotEqual(before, self.document()["full"]["streams"][0]["words_sha256"])
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
        self.assertEqual(expected, set(self.battery_lines()))
        found = {(record["battery"], record["count"]) for record in self.document()["batteries"] if record["source"] == "philox"}
        self.assertEqual({("SmallCrush", 15), ("Crush", 144), ("PractRand", 232)}, found)
        self.quality("--batteries")
        self.assertEqual(expected, set(self.battery_lines()))  # 2^34 bytes hold what the standard run reads

    def test_names_that_there_are_not(self):
        for name in ("v99", "constant"):
            self.assert_ends(self.quality("--full", name), 1, f"has no {name}")
        self.assertEqual([], self.lines_of_log())

    def test_interrupted_it_keeps_what_is_complete(self):
        pid = self.root / "pid"
        stored = f"until grep -q '\"full\": {{' '{self.stored}'; do sleep 0.05; done"
        hang = f"echo $$ > '{pid}.$$'; mv '{pid}.$$' '{pid}'; exec sleep 60"
        self.add_dieharder(extra=f"case $words in *'--streams 1024'*) {stored}; {hang};; esac")
        process = QualityStopsTest.signal_once_there(self, pid, signal.SIGINT, "--full", "lcg")
        self.assertEqual(130, process.returncode)
        self.assertEqual([("lcg", 1)], self.full_streams())
        self.add_dieharder()
        self.log.unlink()
        self.assertEqual(0, self.quality("--full", "lcg").returncode)
        self.assertEqual(self.TESTS, len(self.lines_of_log()))
        self.assertEqual([("lcg", 1), ("lcg", 1024)], self.full_streams())

    def test_a_failure_changes_the_verdict_and_is_told(self):
        self.add_dieharder(failing=f'{LCG_FAILS}|"philox "*"-d 8 "*')
        process = self.quality("--full", "philox")
        self.assertEqual(1, process.returncode)
        self.assertIn("philox is declared 'sound', the verdict is 'demonstration only'", process.stderr)
        self.assertEqual("demonstration only", row_of(self.document(), "philox")["verdict"])


# With dieharder itself


class RealDieharderTest(unittest.TestCase):
    BIRTHDAYS = dieharder.TESTS[0]

    def setUp(self):
        if not shutil.which("dieharder"):
            self.skipTest("dieharder is not installed")
        if not (BIN / "pi_stream").exists():
            self.skipTest(f"{BIN} holds no pi_stream")

    def test_a_constant_fails_and_philox_does_not(self):
        self.assertEqual("failed", self.birthdays("constant")["assessment"])
        self.assertIn(self.birthdays("philox")["assessment"], ("passed", "weak"))

    def test_the_same_words_give_the_same_p_value(self):
        self.assertEqual(self.birthdays("philox"), self.birthdays("philox"))

    def birthdays(self, source):
        stream = streams.Stream(source, 1024, False, 1)
        readers = [reading.Reader(self.BIRTHDAYS, dieharder.command(self.BIRTHDAYS), dieharder.CPU_SECONDS)]
        (record,) = reading.tested([stream], readers, BIN, Silence())
        (birthdays,) = record["dieharder"]
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
        tested = [*row_of(self.document, "philox")["streams"], *self.document["philox_seeds"]]
        self.assertEqual(12, len(tested))
        for stream in tested:
            self.assertLessEqual({record["assessment"] for record in stream["dieharder"]}, {"passed", "weak"})

    def test_verdicts_follow_from_the_data(self):
        self.assertEqual(self.document, verdicts.with_verdicts(self.document))
        self.assertEqual([], verdicts.complaints(self.document))

    def test_the_batteries_find_every_known_fault(self):
        found = {batteries.run_of(record) for record in self.document["batteries"] if batteries.failures(record)}
        self.assertLessEqual(set(batteries.CONTROLS), found)

    def test_words_are_those_that_were_tested(self):
        for row in self.document["rows"]:
            for stream in row["streams"]:
                with self.subTest(**streams.stream_of(stream)._asdict()):
                    self.assertEqual(stream["words_sha256"], reading.fingerprint(streams.stream_of(stream), BIN))
        for record in self.document["batteries"]:
            self.assertIn(record, verdicts.battery_records(record["source"], self.document))


if __name__ == "__main__":
    unittest.main()
