#!/usr/bin/env python3
"""Tests of how results are stored: what is measured joins the stored rows of the same build, whatever kind of document."""

import copy
import json
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import DATA, RESULTS, SLUG, Sandbox, pi
from test_merit import merit_document
from test_scaling import scaling_document

from suite.command import FAILED, UNWRITTEN, Stop
from suite.documents import kinds, records, storing

SITE = DATA / "evidence" / "site" / "results" / SLUG
CONTEXT = json.loads((RESULTS / "gpu.json").read_text())["context"]
RESULT, ABLATIONS, PROFILE, CALLS, CONVERGENCE, PEERS, MERIT = (
    kind.of(pi)
    for kind in (kinds.RESULT, kinds.ABLATIONS, kinds.PROFILE, kinds.CALLS, kinds.CONVERGENCE, kinds.PEERS, kinds.MERIT)
)
SCALING, FAULTS = kinds.SCALING, kinds.FAULTS
KINDS = (RESULT, ABLATIONS, PROFILE, CALLS, CONVERGENCE, PEERS, MERIT, SCALING)
DOCUMENTS = {own.stem: json.loads(own.read_text()) for own in (*SITE.glob("*.json"), DATA / "peers" / "pi-peers.json")}
DOCUMENTS |= {"pi-merit": merit_document(CONTEXT), "scaling": scaling_document(CONTEXT)}
DOCUMENTS["scaling"]["runs"] += [run | {"version": "v20"} for run in DOCUMENTS["scaling"]["runs"]]


def only(document, kind, keys):
    """The document with the rows of these keys."""
    groups = storing.grouped(document[kind.rows], kind)
    return document | {kind.rows: [row for key in keys for row in groups[key]]}


class StoringTest(Sandbox):
    def setUp(self):
        super().setUp()
        self.folder, self.aside = self.root / "out", self.root / "aside"

    def store(self, document, kind=RESULT):
        return storing.store(document, kind, self.folder, self.aside)

    def stored(self, kind=RESULT):
        return kind.stored_in(self.folder)

    def assert_stops(self, code, pattern, document, kind=RESULT):
        with self.assertRaisesRegex(Stop, pattern) as caught:
            self.store(document, kind)
        self.assertEqual(code, caught.exception.code)

    def each_kind(self):
        """Each kind, its document, the keys of its rows, and a folder without results."""
        for kind in KINDS:
            self.folder, self.aside = self.root / f"out-{kind.name}", self.root / f"aside-{kind.name}"
            document = copy.deepcopy(DOCUMENTS[kind.name])
            with self.subTest(kind.name):
                yield kind, kind.thinned(document), list(storing.grouped(document[kind.rows], kind))

    def test_rows_of_the_same_build_stay(self):
        for kind, document, keys in self.each_kind():
            for some in (keys[::2], keys[1::2]):
                self.store(only(document, kind, some), kind)
            as_they_came = kind.order is None
            expected = only(document, kind, keys[::2] + keys[1::2]) if as_they_came else document
            self.assertEqual(expected, self.stored(kind))
            self.assertFalse(self.aside.exists())

    def test_the_lowest_idle_power_stays(self):
        """A GPU that computed a moment ago draws more. That of another build does not count."""
        for watts, commit, expected in (
            (71, None, 71),
            (151, None, 71),
            (65, None, 65),
            (151, "0" * 40, 151),
            (None, "0" * 40, None),
            (9, "0" * 40, 9),
        ):
            document = copy.deepcopy(DOCUMENTS["pi"])
            document["context"] |= {"idle_power_w": watts} | ({"commit": commit} if commit else {})
            self.store(document)
            self.assertEqual(expected, self.stored()["context"]["idle_power_w"], (watts, commit))

    def test_rows_of_another_build_are_not_lost(self):
        for kind, document, keys in self.each_kind():
            self.store(document, kind)
            before = kind.path_in(self.folder).read_text()
            fields = {"dirty": True, "flags": "-O0", "driver": "9.9"} | (
                {} if kind.of_commits else {"commit": "f" * 40}
            )
            for field, value in fields.items():
                other = only(document, kind, keys[1:]) | {"context": document["context"] | {field: value}}
                pattern = (
                    f"^{kind.name}.json has rows of {' '.join(keys[0])} from another {field}: .* is in {self.aside}"
                )
                self.assert_stops(FAILED, pattern, other, kind)
                self.assertEqual(before, kind.path_in(self.folder).read_text())
                self.assertEqual(other, kind.stored_in(self.aside))

    def test_a_fact_that_only_one_of_both_recorded_keeps_no_rows_apart(self):
        for kind, document, keys in self.each_kind():
            self.store(only(document, kind, keys[:-1]), kind)
            host = document["context"]["host"]
            now = document | {"context": document["context"] | {"host": host | {"fans": 4}}}
            self.store(only(now, kind, keys[-1:]), kind)
            self.assertEqual(document[kind.rows], self.stored(kind)[kind.rows])
            other = {"context": document["context"] | {"host": host | {"cores": host["cores"] + 1}}}
            self.assert_stops(FAILED, "another host", only(now, kind, keys[:1]) | other, kind)

    def test_kernels_of_another_commit_stay_and_name_it(self):
        document = DOCUMENTS["pi-profile"]
        first, *others = storing.grouped(document["kernels"], PROFILE)
        self.store(document, PROFILE)
        context = document["context"] | {"commit": "f" * 40}
        self.store(only(document, PROFILE, others) | {"context": context}, PROFILE)
        self.assertEqual(context, self.stored(PROFILE)["context"])
        for row in self.stored(PROFILE)["kernels"]:
            is_first = (row["version"],) == first
            self.assertEqual(document["context"]["commit"] if is_first else None, row.get("commit"), row["version"])
        self.store(only(document, PROFILE, others), PROFILE)
        self.assertEqual(document, self.stored(PROFILE))

    def test_faults_of_another_commit_stay_and_name_it(self):
        names = ("fault", "file", "program", "mode", "command", "said")
        rows = [dict.fromkeys(names, "") | {"name": name, "caught": True, "code": 1} for name in ("a", "b")]
        first = FAULTS.made(DOCUMENTS["pi"]["context"] | {"commit": "1" * 40}, rows)
        self.store(first, FAULTS)
        self.store(FAULTS.made(first["context"] | {"commit": "2" * 40}, rows[1:]), FAULTS)
        self.assertEqual(
            [("a", "1" * 40), ("b", None)], [(row["name"], row.get("commit")) for row in self.stored(FAULTS)["faults"]]
        )
        self.assert_stops(FAILED, "another flags", FAULTS.made(first["context"] | {"flags": "-O0"}, rows[1:]), FAULTS)

    def test_all_rows_of_another_build_are_replaced(self):
        document = DOCUMENTS["pi"]
        self.store(document)
        self.store(document | {"context": document["context"] | {"commit": "f" * 40}})
        self.assertEqual("f" * 40, self.stored()["context"]["commit"])

    def test_what_is_measured_anew_takes_the_place_of_a_row_and_what_fails_does_not(self):
        document = copy.deepcopy(DOCUMENTS["pi-convergence"])
        first, second, *others = document["runs"]
        anew = first | {"outcome": first["outcome"] | {"bias": 0.5}}
        failed = [{"version": version, "error": "out of luck"} for version in (second["version"], "v1_other")]
        self.store(document, CONVERGENCE)
        self.store(document | {"runs": [anew, *failed]}, CONVERGENCE)
        self.assertEqual([anew, second, *others, failed[1]], self.stored(CONVERGENCE)["runs"])

    def test_what_is_not_finished_joins_the_stored_runs(self):
        document = copy.deepcopy(DOCUMENTS["pi-calls"])
        self.store(document, CALLS)
        own = storing.grouped(document["runs"], CALLS)
        (key, (first, *others)) = next((key, rows) for key, rows in own.items() if len(rows) > 2)
        anew = first | {"work": first["work"] + 1}
        for finished, expected in ((set(), [anew, *others]), ({key}, [anew])):
            storing.store(document | {"runs": [anew]}, CALLS, self.folder, self.aside, finished)
            self.assertEqual(expected, storing.grouped(self.stored(CALLS)["runs"], CALLS)[key])
        failed = records.failed_row(anew["version"], "out of luck")  # is told where no stored row is left
        storing.store(document | {"runs": [anew, failed]}, CALLS, self.folder, self.aside, set())
        self.assertEqual([anew, failed], storing.grouped(self.stored(CALLS)["runs"], CALLS)[key])

    def test_what_is_not_finished_replaces_no_other_build(self):
        document = copy.deepcopy(DOCUMENTS["pi-calls"])
        other = document | {"context": document["context"] | {"commit": "f" * 40}}
        keys = set(storing.grouped(document["runs"], CALLS))
        self.store(document, CALLS)
        with self.assertRaises(Stop):
            storing.store(other, CALLS, self.folder, self.aside, keys - {min(keys)})
        self.assertEqual(document, self.stored(CALLS))
        storing.store(other, CALLS, self.folder, self.aside, keys)
        self.assertEqual(other, self.stored(CALLS))

    def test_a_broken_file_is_not_replaced(self):
        path = self.store(DOCUMENTS["pi"])
        path.write_text(path.read_text()[:100])
        before = path.read_text()
        self.assert_stops(FAILED, f"{path}: cut short.* is in {self.aside}", DOCUMENTS["pi"])
        self.assertEqual(before, path.read_text())

    def test_where_no_file_can_be(self):
        (self.root / "file").touch()
        self.folder = self.root / "file" / "out"
        self.assert_stops(UNWRITTEN, f"could not be written: Not a directory; .* is in {self.aside}", DOCUMENTS["pi"])
        self.folder = self.root
        RESULT.path_in(self.folder).mkdir()
        self.assert_stops(UNWRITTEN, "could not be written: Is a directory", DOCUMENTS["pi"])
        self.assert_no_leftovers()


class ThinnedTest(Sandbox):
    """What is stored of a run, by hand from its times."""

    RUN = {
        "version": "v1_x", "work": 4e6, "kernel_ms": [1.25, 0.8, 9.0, 0.1, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0], "work_of_timings": None,
        "phases_ms": {"seed": [0.25, 0.3, 5.0, 0.1, *[0.2] * 6], "sample": [0.5] * 10, "none": []},
        "per_ns": {"median": 4.0, "low": 3.0, "high": 5.0}, "outcome": {"pi_sd": 0.1234567890123, "hits": 3, "trace": [[2, 1]]},
    }  # fmt: skip

    def test_of_a_step_phases_are_medians(self):
        run = records.of_step(self.RUN)
        self.assertEqual({"seed": {"median": 0.2}, "sample": {"median": 0.5}}, run["phases_ms"])
        self.assertEqual(0.3, run["other_ms"])  # of 0.5, 0, 3.5, -0.5 and six times 0.3
        self.assertEqual(self.RUN["kernel_ms"], run["kernel_ms"])
        self.assertEqual(run, records.of_step(run))

    def test_of_an_ablation_times_are_a_summary(self):
        run = records.of_ablation(self.RUN)
        times = {"median": 1.0, "min": 0.1, "max": 9.0, "mean": 1.715, "count": 10}
        self.assertEqual(times, {name: run["kernel_ms"][name] for name in times})
        self.assertEqual([4.0 / 1.25, 4.0 / 0.8], run["per_ns"]["bounds"])  # the second of ten from either end
        self.assertNotIn("work_of_timings", run)
        self.assertEqual({"pi_sd": 0.123456789, "hits": 3, "trace": [[2, 1]]}, run["outcome"])
        self.assertEqual(run, records.of_ablation(run))
        of_means = {"numbers": 5, "trace": [[2, 1.0]]}
        self.assertEqual(
            {"numbers": 5, "trace": None}, records.of_ablation(self.RUN | {"outcome": of_means})["outcome"]
        )

    def test_what_is_said_of_a_run_is_the_same_when_it_is_thin(self):
        thin = records.of_ablation(self.RUN)
        for say in (records.rate_bounds, records.rate_text, records.timings, records.typical_ms, records.shortest_ms):
            self.assertEqual(say(self.RUN), say(thin), say.__name__)
        for count, text in ((5, "4.00"), (6, "4.00 [3.00, 5.00]")):  # the range of five is no interval
            run = self.RUN | {"kernel_ms": [1.0] * count, "phases_ms": {}}
            self.assertEqual((text, text), (records.rate_text(run), records.rate_text(records.of_ablation(run))))

    def test_ablations_are_thin_in_their_file(self):
        document = DOCUMENTS["pi-ablations"]
        storing.store(document, ABLATIONS, self.root, self.root / "aside")
        stored = json.loads(ABLATIONS.path_in(self.root).read_text())
        counts = [[records.timings(run) for run in records.succeeded(part["runs"])] for part in (document, stored)]
        self.assertEqual(*counts)
        self.assertEqual({dict}, {type(run["kernel_ms"]) for run in records.succeeded(stored["runs"])})


if __name__ == "__main__":
    unittest.main()
