#!/usr/bin/env python3
"""Tests of suite/render/devices.py: the page of a ladder on all devices, which devices have pages of their own; and of differences.py.

The devices are those of tests/data/compare/: a.json of 10 SMs at 2 GHz, b.json of 20 SMs at 1 GHz, in v3 at 0.5 GHz.
"""

import json
import shutil
import sys
import unittest
from decimal import Decimal
from unittest import mock

sys.dont_write_bytecode = True

from sandbox import DATA, REPOSITORY, Sandbox, asian, called, pi

from suite.documents import kinds, references, stored
from suite.render import devices, differences, drawing, reference_tables, render
from suite.render.site import Site
from temporary import temporary_folder

HEADINGS = (
    "The devices",
    "Rate of each step",
    "Rate per clock and SM",
    "Energy of each step",
    "What limits each step",
    "The same hits",
)


class DevicesTest(unittest.TestCase):
    def setUp(self):
        self.documents = {name: kinds.RESULT.load(DATA / "compare" / f"{name}.json") for name in ("a", "b")}
        self.side_by_side = {
            "title": "Two devices",
            "rows": [{"device": "NVIDIA Tesla X1", "multiprocessors": 40, "fp32_peak_tflops": Decimal("8.1"), "v7": 308},
                     {"device": "NVIDIA Z9", "multiprocessors": 80, "v7": 1640, "v8": Decimal("3280.0")},
                     {"device": "Z9 over X1", "multiprocessors": Decimal("2.0"), "v7": Decimal("5.32")}],
        }  # fmt: skip
        self.ladder = {
            "title": "Tesla X1: the ladder as its source reports it",
            "rows": [{"version": "v1: Naive", "samples_per_ns": Decimal("0.030"), "speedup": 1},
                     {"version": "v7: Custom", "samples_per_ns": 308},
                     {"version": "v12: Sample", "samples_per_ns": 1250}, {"version": "FPGA", "samples_per_ns": 350}],
        }  # fmt: skip
        self.logic = {"title": "FPGA: one", "rows": [{"device": "VU9P", "samples_per_ns": 350, "power_w": 70}]}
        self.references = [self.ladder, self.side_by_side, self.logic]

    def site(self):
        found = {name: stored.Device(name, document) for name, document in self.documents.items()}
        return Site(pi, found, {}, self.references, None, {})

    def run_of(self, name, version):
        return next(run for run in self.documents[name]["runs"] if run["version"] == version)

    def sections(self):
        """The parts of each section, by its heading."""
        found = {}
        for part in devices.side_by_side(self.site()):
            if part.startswith("## "):
                parts = found.setdefault(part.removeprefix("## "), [])
            else:
                parts.append(part)
        return found

    def rows(self, heading):
        """The cells of the rows of a table, by the first of each; its titles are the row "Step" or "Device"."""
        [table] = [part for part in "\n\n".join(self.sections()[heading]).split("\n\n") if part.startswith("|")]
        rows = [[cell.strip() for cell in line.strip("|").split(" | ")] for line in table.splitlines()]
        self.assertEqual(1, len({len(row) for row in rows}), table)
        return {row[0]: row[1:] for row in rows}

    def row(self, rows, version):
        return next(cells for name, cells in rows.items() if name.partition(":")[0] == version)

    def test_several_devices_one_and_none(self):
        self.assertEqual([*HEADINGS[:4], HEADINGS[5]], list(self.sections()))
        del self.documents["b"]
        self.references = []
        self.assertEqual(HEADINGS[:4], tuple(self.sections()))
        self.documents = {}
        self.assertEqual([], devices.side_by_side(self.site()))

    def test_the_devices_with_their_fastest_steps(self):
        for version, rate, is_sound in (("v2", 9, False), ("v4", 5, True)):
            run = self.run_of("a", version)
            run["per_ns"] |= {"median": rate, "low": rate * 0.999, "high": rate * 1.001}
            run["sound"] = is_sound
        self.run_of("b", "v1")["tested"] = {"bytes": 2**34, "part": 0.15}  # of its own words
        rows = self.rows("The devices")
        self.assertEqual(
            ["SMs", "SM clock (MHz)", "Fastest step", "Samples/ns", "× NVIDIA Fixture 9000", "Sound"], rows["Device"]
        )
        self.assertEqual(["10", "2,000", "v4", "5.00", "1.00", "yes"], rows["[NVIDIA Fixture 9000](a/pi.md)"])
        self.assertEqual(["20", "500–1,000", "v1"], rows["[NVIDIA Fixture 500](b/pi.md)"][:3])
        self.assertEqual("yes (16 GiB, 15 %)", rows["[NVIDIA Fixture 500](b/pi.md)"][-1])
        self.assertEqual(
            ["40", "–", "v12", "1,250", "250", "–"], rows["*NVIDIA Tesla X1*"]
        )  # v12 was not measured here
        self.assertEqual(["80", "–", "v8", "3,280.0", "656", "yes"], rows["*NVIDIA Z9*"])
        self.assertEqual(["–", "–", "–", "350", "70.0", "–"], rows["*VU9P*"])
        for run in self.documents["a"]["runs"]:
            run["sound"] = False
        rows = self.rows("The devices")
        self.assertEqual(["10", "2,000", "–", "–", "–", "–"], rows["[NVIDIA Fixture 9000](a/pi.md)"])
        self.assertEqual("–", rows["*VU9P*"][4])

    def test_rates_of_each_step_and_their_ratios_to_the_first_device(self):
        rows = self.rows("Rate of each step")
        self.assertEqual(
            ["NVIDIA Fixture 9000", "NVIDIA Fixture 500", "×", "*NVIDIA Tesla X1*", "×", "*NVIDIA Z9*", "×"],
            rows["Step"],
        )
        for start, expected in {
            "v1": ["1.00", "1.00", "1.00", "0.030", "0.0300", "–", "–"],
            "v2": ["0.500", "1.00", "2.00", "–", "–", "–", "–"],
            "v5": ["1.00", "failed", "–", "–", "–", "–", "–"],
            "v6": ["1.00", "–", "–", "–", "–", "–", "–"],
            "v7": ["–", "1.00", "–", "308", "–", "1,640", "–"],
            "v8": ["1.00", "1.00", "overlap", "–", "–", "3,280.0", "3,280"],
            "v9": ["failed", "failed", "–", "–", "–", "–", "–"],
            "v12": ["–", "–", "–", "1,250", "–", "–", "–"],
        }.items():
            self.assertEqual(expected, self.row(rows, start), start)
        steps = [step.partition(":")[0] for step in rows if step[0] == "v"]
        self.assertEqual([f"v{number}" for number in (*range(1, 11), 12)], steps)
        self.run_of("a", "v1")["per_ns"] |= {"median": 1206.3, "low": 1205.9, "high": 1206.8}
        self.assertEqual("1,206", self.row(self.rows("Rate of each step"), "v1")[0])  # thousands are set apart
        self.assertIn('"overlap" where the 95 % intervals of both overlap', self.sections()["Rate of each step"][1])

    def test_per_clock_and_sm(self):
        rows = self.rows("Rate per clock and SM")
        # Devices without a known clock are left out.
        self.assertEqual(["NVIDIA Fixture 9000", "at", "NVIDIA Fixture 500", "at"], rows["Step"])
        self.assertEqual(["0.0250", "2,000", "0.0500", "1,000"], self.row(rows, "v2"))
        self.assertEqual(["0.0500", "2,000", "0.0500", "500"], self.row(rows, "v3"))
        self.assertEqual(["0.0500", "2,000", "–", "–"], self.row(rows, "v5"))
        self.assertNotIn("boost", " ".join(self.sections()["Rate per clock and SM"]))
        self.side_by_side["rows"][1]["boost_clock_mhz"] = 2050
        self.assertEqual("boost 2,050", self.rows("The devices")["*NVIDIA Z9*"][1])
        rows = self.rows("Rate per clock and SM")
        self.assertEqual(["10.0", "boost 2,050"], self.row(rows, "v7")[-2:])  # 1640 / (2.05 x 80) = 10
        self.assertIn("boost clock", self.sections()["Rate per clock and SM"][0])

    def test_steps_on_the_clock_of_the_host_have_no_rate_per_clock(self):
        for document in self.documents.values():
            for run in document["runs"]:
                run["clock"] = "wall" if run["version"] == "v2" else "gpu"
        rows = self.rows("Rate per clock and SM")
        self.assertFalse([title for title in rows if title.startswith("v2")])
        self.assertTrue([title for title in rows if title.startswith("v3")])

    def test_energy(self):
        rows = self.rows("Energy of each step")
        self.assertEqual("NVIDIA Fixture 9000, power (W)", rows["Step"][0])
        self.assertEqual(["2.00", "1.00"], self.row(rows, "v1")[1::2])  # 10^9 samples per joule
        self.assertEqual(["2.00", "–"], self.row(rows, "v4")[1::2])
        self.documents["a"]["context"]["idle_power_w"] = 76.4
        self.assertIn("76 W. *VU9P*, by its source: 70 W, 5.00 ×", self.sections()["Energy of each step"][0])
        for run in self.documents["a"]["runs"] + self.documents["b"]["runs"]:
            run |= {"power_w": None, "per_joule": None}
        self.assertNotIn("Energy of each step", self.sections())

    def test_hits(self):
        for document in self.documents.values():
            for run in document["runs"]:
                run["blocks"] = 20
        [_, line] = self.sections()["The same hits"]
        self.assertRegex(
            line,
            r"^- NVIDIA Fixture 9000 and NVIDIA Fixture 500\. Hits of the first launches: the same in cpu_serial, v1, ",
        )
        self.assertNotIn("DIFFERENT", line)
        self.run_of("b", "v1")["outcome"]["hits"] -= 1
        [_, line] = self.sections()["The same hits"]
        hits = "2,356,194 in NVIDIA Fixture 9000, 2,356,193 in NVIDIA Fixture 500"
        self.assertIn(f"DIFFERENT in v1: after 3,000,000 samples {hits}", line)

    def test_ablations_and_tables_of_another_kind_are_left_alone(self):
        self.references = []
        expected = self.sections()
        self.references = [
            {"title": "A table: of nothing", "rows": []}, {"title": "No device", "rows": [{"version": "v1", "samples_per_ns": 1}]},
            {"title": "Half: a table", "rows": [{"version": None, "samples_per_ns": "many"}]},
        ]  # fmt: skip
        self.documents["a"]["runs"].append(self.run_of("a", "v1") | {"version": "v2_constant", "sm_clock_mhz": 1.0})
        self.assertEqual(expected, self.sections())

    def test_no_clock_and_no_rate_and_a_device_in_one_table_of_others_alone(self):
        self.ladder["title"] = "Fast | One: a ladder"
        self.assertEqual("1,250", self.rows("The devices")["*Fast \\| One*"][3])
        for run in self.documents["a"]["runs"]:
            run.pop("sm_clock_mhz", None)
        self.documents["b"]["runs"] = [{"version": "v1", "error": "out of luck", "exit": 4}]
        self.assertNotIn("Rate per clock and SM", self.sections())
        self.assertEqual(["1.00", "failed", "–"], self.row(self.rows("Rate of each step"), "v1")[:3])
        self.assertEqual("–", self.rows("The devices")["[NVIDIA Fixture 9000](a/pi.md)"][1])

    def test_a_device_like_the_base_is_a_column_but_not_what_a_user_measures_on_one(self):
        folder, self.references = temporary_folder(self.addCleanup) / stored.LIKE_BASE, []
        folder.mkdir()
        of_user = (DATA / "compare" / "b.json").read_text()
        commit = json.loads(of_user)["context"]["commit"]
        (folder / "pi.json").write_text(of_user.replace(commit, stored.COMMIT_OF_COLUMN))
        site = self.site()
        site.devices["b"] = stored.load_device(folder, pi)
        pages = [(page.path, bool(page.text)) for page in render.ladder_pages(site)]
        self.assertEqual([("a/pi.md", True), ("pi.md", False), ("pi.md", True)], pages)
        self.assertEqual({"a"}, {path.parent.name for path in render.find_charts(REPOSITORY, [site])})
        self.assertIn("\n| NVIDIA Fixture 500 | 20 |", devices.page(site))  # no link
        self.assertIn(f"commit {stored.COMMIT_OF_COLUMN:.12} ", devices.page(site))
        shutil.copy(REPOSITORY / "results" / stored.BASE / "pi-merit.json", folder)
        self.assertFalse(stored.load_device(folder, pi).is_column)
        (folder / "pi-merit.json").unlink()
        self.assertTrue(stored.load_device(folder, pi).is_column)
        (folder / "pi.json").write_text(of_user)
        self.assertFalse(stored.load_device(folder, pi).is_column)

    def test_figures_of_others_as_stored_in_the_repository(self):
        self.references = references.of_ladder(references.load_references(REPOSITORY / "results" / "reference"), pi)
        found = reference_tables.devices_of(self.references)
        self.assertEqual(
            {"NVIDIA Tesla T4": 40, "NVIDIA A10G": 72},
            {name: facts["multiprocessors"] for name, facts in found.items()},
        )
        for name, expected in {
            "*NVIDIA Tesla T4*": "0.030 0.27 244 254 0.67 162 308 495 487 500 548 250".split(),
            "*NVIDIA A10G*": [*"––––––", *"637 1,316 1,265 1,317 1,334 –".split()],
        }.items():
            rows = self.rows("Rate of each step")
            column = rows["Step"].index(name)
            self.assertEqual(expected, [self.row(rows, f"v{number}")[column] for number in range(1, 13)])


# A copy takes a third longer on the column, and DRAM is busy for 60 % of v1's time.
LIMITS = [{"limits": [{"name": "dram_copy", "gbps": gbps}]} for gbps in (4000, 3000)]
PROFILE = {"kernels": [{"version": "v1", "samples": 1, "duration_ms": 1, "dram_throughput_pct": 60}]}


def phases(rng, transfer, **own):
    """Fields of both runs of a step on the wall's clock, whose phases take half of a ms on the base, and so much on the column."""
    both = [
        {"rng": {"median": first}, "transfer": {"median": second}} for first, second in ((0.5, 0.5), (rng, transfer))
    ]
    return {"phases_ms": both, "other_ms": (0, 0), "clock": ("wall", "wall"), **own}


class DifferencesTest(unittest.TestCase):
    """Both devices have a.json: 1 sample per ns, between 0.999 and 1.001 in v1, at 2,000 MHz."""

    def setUp(self):
        self.documents = [kinds.RESULT.load(DATA / "compare" / "a.json") for _ in LIMITS]

    def site(self):
        devices = [stored.Device(slug, own, limits=limits, profile=PROFILE, is_column=slug == stored.LIKE_BASE)
                   for slug, own, limits in zip((stored.BASE, stored.LIKE_BASE), self.documents, LIMITS)]  # fmt: skip
        return Site(pi, {device.slug: device for device in devices}, {}, [], None, {})

    def put(self, version, rate, **both):
        """Give the column this rate, known to 0.1 %, and both runs these fields."""
        runs = [next(run for run in document["runs"] if run["version"] == version) for document in self.documents]
        runs[1]["per_ns"] = {"median": rate, "low": 0.999 * rate, "high": 1.001 * rate}
        for run, values in zip(runs, zip(*both.values())):
            run.update(zip(both, values))

    def rows(self):
        shown = differences.chart([self.site()])
        return [(row["label"], row["text"]) for row in shown["rows"]] if shown else []

    def test_a_row_where_steps_differ_by_more_than_a_percent_and_intervals_do_not_overlap(self):
        self.put("cpu_serial", 2.0)
        self.put("v2", 0.522)  # 4.4 % more, but the base has up to 0.526
        self.put("v1", 1.009)
        self.assertEqual([], self.rows())
        self.put("v1", 1.02)
        self.assertEqual([("pi v1", "+2.0 %: not explained")], self.rows())

    def test_a_reason_makes_at_least_half_of_the_difference_of_times(self):
        for expected, rate, both in (
            ("clock", 1.04, {"sm_clock_mhz": (2000, 2041)}),
            ("not explained", 1.04, {"sm_clock_mhz": (2000, 2030)}),
            ("not explained", 1.04, {"sm_clock_mhz": (2000, 1950)}),
            ("not explained", 1.04, {"sm_clock_mhz": (None, 2041)}),
            ("DRAM", 0.9, {}),  # 11 % longer, of which DRAM alone makes 20 %
            ("not explained", 0.6, {}),
            ("not explained", 0.9, {"clock": ("wall", "wall")}),
            ("PCIe", 0.8, phases(0.5, 0.7)),
            ("host", 0.8, phases(0.7, 0.5, host_memory=("pinned", "pinned"))),
            ("not explained", 0.8, phases(0.7, 0.5)),  # words from the GPU
        ):  # fmt: skip
            with self.subTest(expected, rate=rate, **both):
                self.setUp()
                self.put("v1", rate, **both)
                self.assertEqual([expected], [text.partition(": ")[2] for _, text in self.rows()])

    def test_the_text_counts_by_reason(self):
        [_, text] = differences.parts([self.site()])
        self.assertRegex(text, "8 steps ran on both. In 0 of them .* do not overlap[.] Steps that wait")
        self.put("v8", 0.9)
        self.put("v10", 1.04, sm_clock_mhz=(2000, 2080))
        [_, text, image] = differences.parts([self.site()])
        self.assertRegex(text, "In 2 of them .* Why: clock in 1, not explained in 1[.] Steps")
        self.documents[1]["runs"] = [run for run in self.documents[1]["runs"] if run["version"] not in ("v1", "v3")]
        self.assertRegex(
            differences.parts([self.site()])[1], "Not measured on the NVIDIA Fixture 9000: pi v1, pi v3[.] Steps"
        )
        self.assertIn("(differences.svg)", image)
        self.assertEqual(["pi v10", "pi v8"], [label for label, _ in self.rows()])
        self.assertEqual([], differences.parts([self.site()._replace(devices={})]))


class SecondDeviceTest(Sandbox):
    """A second device, with the results of the first as if they were its own: everything is rendered, and nothing is in the way."""

    def test_the_repository_with_one_device_more(self):
        site, slug = self.root / "site", "nvidia-a-device"
        for name in ("results", "kernels", "docs"):
            shutil.copytree(REPOSITORY / name, site / name)
        for name in ("README.md", "CONTRIBUTING.md"):
            shutil.copy(REPOSITORY / name, site)
        shutil.copytree(
            site / "results" / stored.BASE, site / "results" / slug, ignore=shutil.ignore_patterns("*.md", "*.svg")
        )
        for path in (site / "results" / slug).glob("*.json"):
            document = json.loads(path.read_text())
            document["context"]["device"]["name"] = "NVIDIA A Device"
            path.write_text(json.dumps(document))
        readme = (site / "README.md").read_text()
        with mock.patch.object(drawing, "PYTHONS", ()):  # charts take seconds, and are drawn by other tests
            process = called(render, "--root", site)
        self.assertEqual(0, process.returncode, process.stderr)
        self.assertEqual(readme, (site / "README.md").read_text())
        pages = {path.name for path in (REPOSITORY / "results" / stored.BASE).glob("*.md")}
        self.assertEqual(pages, {path.name for path in (site / "results" / slug).glob("*.md")})
        for name in pages:
            page = (site / "results" / name).read_text()
            self.assertLess(page.index(f"({stored.BASE}/{name})"), page.index(f"({slug}/{name})"), "the base is first")
            self.assertIn(f"[NVIDIA A Device]({slug}/{name})", page)
        self.assertIn(f"({slug}/pi.md)", (site / "results" / "README.md").read_text())
        self.assertNotIn("The same hits", (site / "results" / f"{asian.suite}.md").read_text())


if __name__ == "__main__":
    unittest.main()
