#!/usr/bin/env python3
"""Tests of scripts/profile as a process, and of ncu.py and suite/render/sections/profile.py.

tests/data/ncu/ holds real output of ncu. What is expected of it here was
worked out by hand from the figures in these files. The ncu and the programs
that scripts/profile runs here are shell scripts that print such output.
"""

import copy
import json
import os
import re
import shutil
import sys
import unittest
from pathlib import Path
from types import SimpleNamespace

sys.dont_write_bytecode = True

from sandbox import DATA, GONE, REPOSITORY, SLUG, Sandbox, needs_jsonschema, pi, put

from suite.documents import files, kinds, profile
from suite.documents.schema import ResultError
from suite.tools import ncu
from suite.tools import profile as profile_tool
from suite.processes import ProgramError
from suite.render.sections import profile as profile_section
from temporary import temporary_folder

NCU = REPOSITORY / "tests" / "data" / "ncu"
DASH = "–"

# Shapes on the GPU that the fixtures come from: blocks, threads, samples per thread.
SHAPES = {
    "v1": (1, 1, 100_000),
    "v3": (264, 1024, 100_000),
    "v5": (264, 1024, 2_000),
    "v6": (264, 1024, 100_000),
    "v8": (264, 1024, 100_000),
    "v12": (1320, 256, 100_000),
}


def stored(name):
    return (NCU / name).read_text()


def document_of(version, iters=None, context=(), **fields):
    """What the program of a version prints about one launch."""
    document = json.loads((DATA / "results" / "gpu.json").read_text())
    document["context"] |= dict(context)
    blocks, threads, usual = SHAPES[version]
    iters = iters or usual
    document["runs"][0] |= {
        "version": version,
        "blocks": blocks,
        "threads": threads,
        "iters": iters,
        "work": blocks * threads * iters,
        "launches": 1,
        "kernel_ms": [10.0],
        "phases_ms": {"seed": [0.7], "sample": [9.3]} if version == "v12" else {},
    } | fields
    return document


def rows_of(version, file=None, **fields):
    return ncu.rows(document_of(version, **fields)["runs"][0], stored(file or f"{version}.csv"))


def profile_of(*versions):
    """A profile of versions, as scripts/profile stores it."""
    context = document_of("v8")["context"] | {"ncu": "2025.3.1.0"}
    kernels = [row for version in versions for row in rows_of(version)]
    return {"schema": 1, "suite": "pi", "context": context, "kernels": kernels}


# ncu.py: asking


class RequestTest(unittest.TestCase):
    def known(self, chip):
        return ncu.known_metrics(stored(f"query_{chip}.txt"))

    def test_version(self):
        self.assertEqual("2025.3.1.0", ncu.tool_version(stored("version.txt")))
        self.assertEqual("unknown", ncu.tool_version("something else\n"))

    def test_names_in_the_list_of_metrics(self):
        known = self.known("h200")
        for name in ("gpu__time_duration", "sm__throughput", "smsp__average_warp_latency_per_inst_issued"):
            self.assertIn(name, known)
        self.assertFalse([name for name in known if not re.fullmatch(r"\w+__\w+", name)])
        lines = [line for line in stored("query_h200.txt").splitlines() if re.match(r"[a-z]\w+__", line)]
        self.assertEqual(len(lines), len(known))

    def test_everything_is_there_on_an_h200(self):
        known = self.known("h200")
        self.assertEqual([], ncu.missing_fields(known))
        request = ncu.metrics_to_request(known)
        self.assertEqual(len(request), len(set(request)))
        self.assertEqual(63, len(request))
        of_peak = "avg.pct_of_peak_sustained_elapsed"
        expected = {
            "gpu__time_duration.sum", "launch__occupancy_limit_shared_mem", f"sm__inst_issued.{of_peak}",
            f"sm__pipe_fmaheavy_cycles_active.{of_peak}", f"sm__inst_executed_pipe_xu.{of_peak}",
            "smsp__average_warps_issue_stalled_gmma_per_issue_active.ratio", "smsp__average_warp_latency_per_inst_issued.ratio",
            "dram__bytes_read.sum", "dram__bytes_write.sum", "smsp__sass_thread_inst_executed_op_integer_pred_on.sum",
        }  # fmt: skip
        self.assertLessEqual(expected, set(request))

    def test_only_what_ncu_has_is_requested(self):
        """The best source known: Turing has one FMA pipe, Blackwell counts the bytes of DRAM under another name."""
        for chip, lacks, requested, not_requested in (
            ("h200", [], "dram__bytes_read.sum", "dram__bytes_op_read.sum"),
            (
                "tu104",
                ["fmaheavy", "fmalite"],
                "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed",
                "fmaheavy",
            ),
            ("ga102", [], "sm__pipe_fma_cycles_active.avg.pct_of_peak_sustained_elapsed", "dram__bytes_op_read"),
            ("gb202", [], "dram__bytes_op_read.sum", "dram__bytes_read.sum"),
        ):
            with self.subTest(chip):
                known = self.known(chip)
                self.assertEqual(lacks, ncu.missing_fields(known))
                request = ncu.metrics_to_request(known)
                self.assertIn(requested, request)
                self.assertFalse([metric for metric in request if not_requested in metric])
                self.assertLessEqual({name.split(".")[0] for name in request if not name.startswith("launch__")}, known)
        request = ncu.metrics_to_request({"sm__inst_executed_pipe_alu", "dram__bytes", "dram__bytes_read"})
        self.assertIn("sm__inst_executed_pipe_alu.avg.pct_of_peak_sustained_elapsed", request)
        self.assertIn("dram__bytes.sum", request)
        self.assertNotIn("dram__bytes_read.sum", request)
        self.assertIn("duration_ms", ncu.missing_fields({"dram__bytes"}))

    def test_a_part_of_a_stall_reason_is_left_to_the_whole(self):
        known = self.known("tu104")
        self.assertIn("smsp__average_warps_issue_stalled_mio_throttle_pipe_mio_per_issue_active", known)
        reasons = re.findall(r"stalled_(\w+)_per_issue", " ".join(ncu.metrics_to_request(known)))
        self.assertIn("mio_throttle", reasons)
        self.assertIn("math_pipe_throttle", reasons)
        self.assertNotIn("mio_throttle_pipe_mio", reasons)

    def test_an_ncu_that_cannot_be_asked(self):
        request = ncu.metrics_to_request(set())
        self.assertIn("gpu__time_duration.sum", request)
        self.assertIn("sm__pipe_alu_cycles_active.avg.pct_of_peak_sustained_elapsed", request)
        self.assertEqual([], ncu.missing_fields(set()))


# ncu.py: reading


class ParseTest(unittest.TestCase):
    def test_a_kernel(self):
        issued = "sm__inst_issued.avg.pct_of_peak_sustained_elapsed"
        (kernel,) = ncu.parse(stored("v8.csv"))
        self.assertEqual(("count_hits", 264, 1024), (kernel.name, kernel.blocks, kernel.threads))
        self.assertEqual(93.09, kernel.values[issued])
        self.assertEqual(
            324_442_964_472, kernel.values["smsp__thread_inst_executed.sum"]
        )  # with separators of thousands
        self.assertIs(int, type(kernel.values["smsp__thread_inst_executed.sum"]))
        self.assertIsNone(kernel.values["launch__func_cache_config"])
        self.assertIsNone(kernel.values["launch__kernel_name"])
        (kernel,) = ncu.parse(stored("v8.csv").replace('"93.09"', '"nan"'))
        self.assertIsNone(kernel.values[issued])

    def test_two_kernels_in_the_order_of_their_launches(self):
        kernels = ncu.parse(stored("v12.csv"))
        self.assertEqual(["initRNG", "computeValue"], [kernel.name for kernel in kernels])
        self.assertEqual([0.668704, 45.125856], [kernel.values["gpu__time_duration.sum"] for kernel in kernels])

    def test_scaled_units(self):
        first, second = ncu.parse(stored("units_auto_v12.csv"))
        for name, values in {
            "gpu__time_duration.sum": (0.68176, 45.096288),  # ms
            "dram__bytes_read.sum": (15_650_304, 16_593_920),  # Mbyte
            "launch__shared_mem_per_block": (1024, 3072),  # Kbyte/block
            "launch__registers_per_thread": (31, 24),  # register/thread
        }.items():
            self.assertAlmostEqual(values[0], first.values[name], places=6)
            self.assertAlmostEqual(values[1], second.values[name], places=6)

    def test_units_of_time_and_size(self):
        for units, cell, value in (
            (("ns", "nsecond"), "1,500", 0.0015), (("us", "usecond"), "1.50", 0.0015), (("ms", "msecond"), "1.50", 1.5),
            (("s", "second"), "1.50", 1500), (("byte", "inst"), "1,024", 1024), (("Kbyte", "Kbyte/block"), "1.50", 1500),
            (("Mbyte",), "1.50", 1.5e6), (("Gbyte",), "1.50", 1.5e9), (("Tbyte",), "1.50", 1.5e12),
            (("%",), "0.00", 0), (("",), "1e+06", 1e6),
        ):  # fmt: skip
            for unit in units:
                text = f'"ID","Kernel Name","a__metric"\n"","","{unit}"\n"0","f","{cell}"\n'
                self.assertAlmostEqual(value, ncu.parse(text)[0].values["a__metric"])

    def test_lines_of_ncu_and_of_the_program_around_the_table(self):
        text = stored("set_full_v1.csv")
        self.assertIn("v1  Naive: one launch for a profiler", text)
        after = text + "==PROF== Disconnected from process 445\nsomething else\n\n"
        for text in (text, after):
            self.assertEqual(["count_hits"], [kernel.name for kernel in ncu.parse(text)])

    def test_an_older_ncu_without_columns_for_the_shape(self):
        text = '"ID","Kernel Name","gpu__time_duration.sum"\n"","","nsecond"\n"0","f(int)","1,000"\n'
        (kernel,) = ncu.parse(text)
        self.assertEqual(("f", None, None), (kernel.name, kernel.blocks, kernel.threads))

    def test_names_of_kernels(self):
        for signature, name in {
            "count_hits": "count_hits",
            "count_hits(unsigned long long *, unsigned int)": "count_hits",
            "pi::v8::count_hits(unsigned long long *)": "count_hits",
            "void pi::v8::count_hits<(int)4, float>(unsigned long long *)": "count_hits",
            "void <unnamed>::count_hits<State<3>>(const State<3> *)": "count_hits",
            "(anonymous namespace)::count_hits(int)": "count_hits",
            "": "",
        }.items():
            self.assertEqual(name, ncu.short_name(signature))

    def test_no_table(self):
        error = "==PROF== Connected\n==ERROR== An error.\n==ERROR== The application returned an error code (4).\n"
        none = "==PROF== Connected to process 1\n==PROF== Disconnected\n==WARNING== No kernels were profiled.\n"
        half = stored("v8.csv")[: len(stored("v8.csv")) // 2]
        for text, said in (
            ("", "no table"), (none, "no table"), (error, r"^The application returned an error code \(4\)\.$"), (half, "breaks off"),
        ):  # fmt: skip
            with self.subTest(said), self.assertRaisesRegex(ProgramError, said):
                ncu.parse(text)

    def test_output_cut_anywhere(self):
        """Either it is noticed, or what is read is as in the whole."""
        text = stored("v12.csv").rstrip()
        whole = ncu.parse(text)
        for end in range(len(text)):
            try:
                kernels = ncu.parse(text[:end])
            except ProgramError:
                continue
            self.assertEqual(whole[:1], kernels)


# ncu.py: rows


class RowTest(unittest.TestCase):
    maxDiff = None

    def test_every_figure(self):
        expected = {
            "version": "v8",
            "kernel": "count_hits",
            "iters": 100_000,
            "blocks": 264,
            "threads": 1024,
            "samples": 27_033_600_000,
            "duration_ms": 10.419808,
            "compute_throughput_pct": 93.09,
            "memory_throughput_pct": 0.0,
            "achieved_occupancy_pct": 75.4,
            "waves_per_sm": 1,
            "registers": 28,
            "block_limiter": "registers and warps",
            "ipc": 3.74,
            "ipc_max": 4,
            "issue_pct": 93.09,
            "pipes": {
                "alu": 81.45,
                "fma": 50.42,  # the mean of the next two
                "fmaheavy": 62.05,
                "fmalite": 38.79,
                "xu": 0,
                "lsu": 0.0,
                "tensor": 0,
            },
            "stalls": [  # of 12.91 cycles
                {"reason": "not_selected", "share": 0.497},  # 6.41
                {"reason": "math_pipe_throttle", "share": 0.329},  # 4.25
                {"reason": "wait", "share": 0.047},  # 0.61
            ],
            "shared_throughput_pct": 0.0,
            "l1_data_pct": None,  # not requested then
            "l2_tags_pct": None,
            "l2_atomics_pct": None,
            "l1_throughput_pct": 0.0,
            "dram_throughput_pct": None,
            "dram_bytes": 7680,
            "bytes_per_sector": 8,
            "divergent_branches": 0,
            "thread_instructions": 324_442_964_472,
            "thread_instructions_per_sample": 12.001,  # 324.443 over 27.0336
            "instructions_by_class": dict.fromkeys(profile.CLASSES),  # not requested then
            "active_lanes": 32.0,
        }
        (row,) = rows_of("v8")
        self.assertEqual(expected, row)
        (row,) = rows_of("v8", "classes_v8.csv")
        counted = {"integer": 3.25, "fp32": 5, "conversion": 2, "control": 0.25, "misc": 1.5}  # of 12 in all
        self.assertEqual(dict.fromkeys(profile.CLASSES, 0) | counted, row["instructions_by_class"])
        set_up, _ = rows_of("v12")
        self.assertEqual(dict.fromkeys(profile.CLASSES), set_up["instructions_by_class"])

    def test_one_lane_of_one_warp_of_one_sm(self):
        (row,) = rows_of("v1")
        self.assertEqual((1, 0.63, 4), (row["active_lanes"], row["ipc"], row["ipc_max"]))
        self.assertEqual({"name": "alu", "pct": 0.15}, profile.limit_of(row))
        self.assertEqual("shared memory and blocks", row["block_limiter"])  # 32 and 32, of 64 and 64
        self.assertEqual(24.251, row["thread_instructions_per_sample"])  # 2,425,061 over 100,000
        self.assertEqual(["wait", "branch_resolving", "no_instruction"], [stall["reason"] for stall in row["stalls"]])

    def test_a_limit_for_each_kind_of_kernel(self):
        for version, name, pct in (
            ("v3", "alu", 94.74), ("v5", "shared memory", 89.16), ("v12", "alu", 89.54),
            # 82.84 % of the cycles, though the instructions alone come to 46.92 %: IMAD.WIDE takes two.
            ("v6", "fmaheavy", 82.84),
        ):  # fmt: skip
            self.assertEqual({"name": name, "pct": pct}, profile.limit_of(rows_of(version)[-1]))
        (row,) = rows_of("v8")
        for field, pct, limit in (
            ("shared_throughput_pct", 97.0, "shared memory"), ("l1_data_pct", 94.0, "L1"), ("l2_tags_pct", 94.5, "L2 tags"),
            ("l2_atomics_pct", 96.0, "L2 atomics"), ("dram_throughput_pct", 95.0, "DRAM"),
        ):  # fmt: skip
            self.assertEqual({"name": limit, "pct": pct}, profile.limit_of(row | {field: pct}))
        self.assertEqual({"name": "issue slots", "pct": 93.09}, profile.limit_of(row | {"dram_throughput_pct": 93.0}))

    def test_shared_atomics(self):
        (row,) = rows_of("v5")
        self.assertEqual((2000, 540_672_000), (row["iters"], row["samples"]))
        self.assertEqual((89.16, 89.82), (row["shared_throughput_pct"], row["l1_throughput_pct"]))
        self.assertEqual(2_365_696, row["dram_bytes"])  # 210,688 and 2,155,008
        self.assertEqual(466_803_292, row["divergent_branches"])
        self.assertEqual(1471.494, row["thread_instructions_per_sample"])  # 795,595.6 over 540.672
        self.assertEqual({"reason": "short_scoreboard", "share": 0.712}, row["stalls"][0])  # 24.97 of 35.06

    def test_a_set_up_kernel_has_no_samples(self):
        set_up, launch = rows_of("v12")
        self.assertEqual(
            ("initRNG", None, None), (set_up["kernel"], set_up["samples"], set_up["thread_instructions_per_sample"])
        )
        self.assertEqual(("computeValue", 33_792_000_000), (launch["kernel"], launch["samples"]))
        self.assertEqual(35.001, launch["thread_instructions_per_sample"])  # 1,182.7636 over 33.792
        self.assertEqual(["registers and warps", "warps"], [set_up["block_limiter"], launch["block_limiter"]])
        self.assertEqual(0.669, round(set_up["duration_ms"], 3))
        # Without a phase of its own it draws, and so does a kernel that is alone, whatever else is timed.
        self.assertEqual([33_792_000_000] * 2, [row["samples"] for row in rows_of("v12", phases_ms={})])
        (row,) = rows_of("v8", phases_ms={"seed": [0.1], "sample": [9.9]})
        self.assertEqual(27_033_600_000, row["samples"])

    def test_of_several_launches_of_a_kernel_the_longest_with_its_share_of_the_work(self):
        text = stored("v12.csv").replace("initRNG", "computeValue")
        (row,) = ncu.rows(document_of("v12", phases_ms={})["runs"][0], text)
        self.assertEqual((45.125856, 16_896_000_000), (row["duration_ms"], row["samples"]))

    def test_other_sources_of_the_same_figures(self):
        (row,) = rows_of("v1", "set_full_v1.csv", iters=10_000)
        self.assertEqual(4, row["ipc_max"])  # of the device, not of the counter
        self.assertEqual(242_561, row["thread_instructions"])
        self.assertEqual(24.256, row["thread_instructions_per_sample"])
        self.assertEqual(1, row["active_lanes"])
        self.assertIsNone(row["pipes"]["fmalite"])  # not among the metrics
        self.assertIsNone(row["bytes_per_sector"])
        self.assertEqual(0.06, row["pipes"]["fmaheavy"])

    def test_nothing_but_a_time(self):
        text = '"ID","Kernel Name","gpu__time_duration.sum"\n"","","ns"\n"0","f","1,000"\n'
        (row,) = ncu.rows(document_of("v8")["runs"][0], text)
        self.assertEqual((0.001, 264, 1024), (row["duration_ms"], row["blocks"], row["threads"]))
        self.assertEqual([], row["stalls"])
        self.assertEqual({None}, set(row["pipes"].values()))
        self.assertIsNone(profile.limit_of(row))
        for field in ("block_limiter", "registers", "dram_bytes", "thread_instructions_per_sample", "ipc_max"):
            self.assertIsNone(row[field])

    def test_stall_shares_without_ncus_total_and_no_access_to_memory(self):
        whole = stored("v8.csv")
        text = whole.replace("smsp__average_warp_latency_per_inst_issued.ratio", "a__nother.ratio")
        text = re.sub(r'"8","0","324,442,964,472"', '"0","0","324,442,964,472"', text)
        self.assertNotIn('"8","0","324,442,964,472"', text)
        (row,) = ncu.rows(document_of("v8")["runs"][0], text)
        # 0.24 + 0.06 + 0.27 + 4.25 + 0.06 + 6.41 + 1.00 + 0.61 = 12.90
        self.assertEqual({"reason": "not_selected", "share": 0.497}, row["stalls"][0])
        self.assertIsNone(row["bytes_per_sector"])


# The section of a page


class TablesTest(unittest.TestCase):
    def tables(self, document):
        """The tables, each a list of its lines."""
        parts = "\n\n".join(self.section(document)).split("\n\n")
        return [part.splitlines() for part in parts if part.startswith("|")]

    def section(self, document):
        return profile_section.section(
            SimpleNamespace(name="a GPU", profile=document, result=document), SimpleNamespace(ladder=pi)
        )

    def test_a_row_a_kernel(self):
        self.assertIn("Nsight Compute 2025.3.1.0", self.section(profile_of("v8"))[0])
        tables = self.tables(profile_of("v1", "v8", "v12"))
        self.assertEqual(3, len(tables))
        for lines in tables:
            names = [line.split("|")[1].strip() for line in lines[2:]]
            self.assertEqual(["v1: count_hits", "v8: count_hits", "v12: initRNG", "v12: computeValue"], names)
            self.assertEqual({lines[0].count("|")}, {line.count("|") for line in lines})

    def test_cells(self):
        limits, waits, memory = self.tables(profile_of("v8"))
        self.assertEqual(
            "| v8: count_hits | 100,000 | 10.420 | issue slots 93.1 % | 93.1 | 0.0 | 3.74 of 4 | 12.00 | 32.0 |",
            limits[2],
        )
        self.assertEqual("| v8: count_hits | not selected (50 %), math pipe throttle (33 %), wait (5 %) |", waits[2])
        self.assertEqual(
            "| v8: count_hits | 28 | registers and warps | 1.00 | 75.4 | 0.0 | 0.0 | 7.68 kB | 8 | 0 |", memory[2]
        )

        limits, _, memory = self.tables(profile_of("v5", "v6", "v12"))
        for text, line in (
            ("| 2,000 | 107.449 |", limits[2]), ("| 1,471.49 | 15.8 |", limits[2]), ("| FMA heavy 82.8 % |", limits[3]),
            ("| 2.37 MB | 4 | 466,803,292 |", memory[2]), ("| 23.1 MB | 4.26 | 73,922 |", memory[4]),
        ):  # fmt: skip
            self.assertIn(text, line)

    def test_a_dash_for_what_is_missing(self):
        document = profile_of("v8")
        (row,) = document["kernels"]
        for field in row:
            if field not in (
                "version",
                "kernel",
                "iters",
                "blocks",
                "threads",
                "pipes",
                "stalls",
                "instructions_by_class",
            ):
                row[field] = None
        for name in ("pipes", "instructions_by_class"):
            row[name] = dict.fromkeys(row[name])
        row["stalls"] = []
        kinds.PROFILE.check(document)
        for lines in self.tables(document):
            cells = [cell.strip() for cell in lines[2].strip("|").split("|")]
            self.assertEqual({DASH}, set(cells[1:]) - {"100,000"})

    def test_instructions_by_class(self):
        document = profile_of("v8", "v1")
        document["kernels"][0] = rows_of("v8", "classes_v8.csv")[0]
        *_, title, _, row = self.tables(document)[-1]  # classes that no kernel has stand nowhere
        self.assertEqual("| Kernel | Integer | Float | Conversion | Control | Other |", title)
        self.assertEqual("| v8: count_hits | 3.25 | 5.00 | 2.00 | 0.25 | 1.50 |", row)
        self.assertIn("per sample by class", self.section(document)[-1])

    def test_limit_of_several_kernels_is_the_longests(self):
        document = profile_of("v12")
        set_up, launch = document["kernels"]
        document["kernels"] = [launch, set_up | {"samples": launch["samples"]}]
        self.assertEqual("alu", profile.limit_of(profile.main_kernel(document, "v12"))["name"])


class LoadTest(unittest.TestCase):
    def setUp(self):
        self.path = temporary_folder(self.addCleanup) / "profile.json"
        self.document = profile_of("v8", "v12")

    def assert_refused(self, text, *parts):
        self.path.write_text(text)
        with self.assertRaises(ResultError) as caught:
            kinds.PROFILE.load(self.path)
        message = str(caught.exception)
        self.assertNotIn("\n", message)
        for part in (str(self.path), *parts):
            self.assertIn(part, message)

    @needs_jsonschema
    def test_what_is_no_profile(self):
        for place, value in (
            ("suite", "options"), ("schema", None), ("kernels", []), ("kernels", [3]), ("kernels", {}), ("context/ncu", GONE),
            ("context/device", None),
            *((f"kernels/v8/{name}", value) for name, value in (
                ("version", 8), ("version", "v01"), ("version", "cpu_serial"), ("kernel", None), ("iters", 1.5), ("duration_ms", "10"),
                ("pipes", {}), ("pipes", None), ("stalls", [{"reason": "wait"}]), ("stalls", [3]), ("shared_throughput_pct", "89"),
                ("dram_throughput_pct", "many"), ("instructions_by_class", {"integer": 2}),
                ("instructions_by_class", dict.fromkeys(profile.CLASSES, "many")),
            )),
        ):  # fmt: skip
            with self.subTest(place, value=value):
                document = copy.deepcopy(self.document)
                put(document, place, value)
                self.assert_refused(json.dumps(document))


# scripts/profile


class ProfileTest(Sandbox):
    """A folder of programs, an ncu on the PATH, and the profile script to run them."""

    def setUp(self):
        super().setUp()
        self.bin, self.out = self.root / "bin", self.root / "out"
        self.bin.mkdir()
        self.stored = self.out / SLUG / "pi-profile.json"
        self.tools = self.root / "tools"
        self.calls = self.root / "calls"
        self.tools.mkdir()
        self.add_ncu()
        self.add_program("v8")

    def add_program(self, version, first="", **fields):
        """A program that prints the record of its default iterations, or of 10,000 if asked for these."""
        for name, iters in (("usual", None), ("fewer", 10_000)):
            (self.bin / f"{version}.{name}").write_text(json.dumps(document_of(version, iters=iters, **fields)))
        self.add_script(
            self.bin / f"pi_{version}",
            f"{first}\necho 'pi_{version}: warning: one launch' >&2\n"
            f"case $* in\n"
            f"'--launches 1 --json -' | '--launches 1 --iters 100000 --json -') cat '{self.bin}/{version}.usual';;\n"
            f"'--launches 1 --iters 10000 --json -') cat '{self.bin}/{version}.fewer';;\n"
            "*) exit 9;; esac",
        )

    def add_failing(self, version, code, last_words=""):
        words = f"echo '{last_words}' >&2; " if last_words else ""
        self.add_script(self.bin / f"pi_{version}", f"echo 'first line' >&2; {words}exit {code}")

    def add_ncu(self, query="cat '{data}/query_h200.txt'", profile="cat '{data}/'$version.csv"):
        """An ncu; its calls to profile something are noted."""
        query, profile = (text.replace("{data}", str(NCU)) for text in (query, profile))
        self.add_script(
            self.tools / "ncu",
            f"case $1 in --version) cat '{NCU}/version.txt'; exit;; --query-metrics) {query}; exit;; esac\n"
            f"echo \"$@\" >> '{self.calls}'\n"
            'for word in "$@"; do case $word in */pi_v*) version=${word##*/pi_};; esac; done\n'
            f"{profile}",
        )

    def profile(self, *arguments, **options):
        return self.call(profile_tool, "--bin", self.bin, "--out", self.out, *arguments, **options)

    def assert_ends(self, process, code, *parts, lines=1):
        """The process ended with this exit code and this many lines on stderr, which hold the parts."""
        self.assertEqual(code, process.returncode, process.stderr)
        self.assertRegex(process.stderr, rf"\A(profile: [^\n]+\n){{{lines}}}\Z")
        for part in parts:
            self.assertIn(part, process.stderr)

    def document(self):
        return kinds.PROFILE.load(self.stored)

    def kernels(self):
        return [(row["version"], row.get("kernel", "failed")) for row in self.document()["kernels"]]

    def store(self, *versions, **context):
        document = profile_of(*versions)
        document["context"] |= context
        self.stored.parent.mkdir(parents=True)
        self.stored.write_text(files.to_text(document))


class ProfileWritesTest(ProfileTest):
    def test_all_versions_in_order_of_number(self):
        for version in ("v12", "v1"):
            self.add_program(version)
        process = self.succeeded(self.profile())
        self.assertEqual(profile_of("v1", "v8", "v12"), self.document())
        lines = process.stdout.splitlines()
        self.assertEqual(5, len(lines))
        self.assertRegex(
            lines[1], r"^v8 +count_hits +10\.420 ms, issue slots 93\.1 % busy, 100,000 samples per thread$"
        )
        self.assertRegex(lines[2], r"^v12 +initRNG +0\.669 ms, LSU 82\.3 % busy, ")
        self.assertEqual(f"wrote {self.stored}", lines[4])
        metrics = ",".join(ncu.metrics_to_request(ncu.known_metrics(stored("query_h200.txt"))))
        options = f"--clock-control none --csv --page raw --metrics {metrics} --nvtx --nvtx-include"
        self.assertIn(f"{options} v8/ {self.bin}/pi_v8 --profile --quiet --iters 100000\n", self.calls.read_text())
        self.stored.unlink()
        self.assertEqual(0, self.profile("v8", "v1", "v8").returncode)  # those that are named
        self.assertEqual([("v1", "count_hits"), ("v8", "count_hits")], self.kernels())

    def test_a_version_that_refuses_a_single_launch(self):
        self.add_program(
            "v1", "case $* in '--launches 16 '*) shift 2; set -- --launches 1 $*;; *) echo 'too few' >&2; exit 2;; esac"
        )
        self.succeeded(self.profile())
        self.assertEqual(profile_of("v1", "v8"), self.document())

    def test_samples_a_thread(self):
        """Fewer than usual where a launch takes long, but never more."""
        for version, ms, iters, samples in (
            ("v8", 1000.0, 100_000, 27_033_600_000), ("v8", 1000.1, 10_000, 2_703_360_000), ("v5", 5000.0, 2_000, 540_672_000),
        ):  # fmt: skip
            with self.subTest(version, ms=ms):
                self.add_program(version, kernel_ms=[ms])
                process = self.profile(version)
                self.assertIn(f"{iters:,} samples per thread", process.stdout)
                self.assertRegex(self.calls.read_text(), rf"--iters {iters}$")
                row = next(row for row in self.document()["kernels"] if row["version"] == version)
                self.assertEqual((iters, samples), (row["iters"], row["samples"]))

    def test_metrics_that_are_missing_or_not_listed(self):
        self.add_ncu(query="cat '{data}/query_tu104.txt'")
        process = self.succeeded(self.profile())
        self.assertRegex(
            process.stdout.splitlines()[0],
            r"^ncu 2025\.3\.1\.0 lacks metrics on this device for: .*\bfmaheavy, fmalite$",
        )
        self.assertNotIn("fmaheavy", self.calls.read_text())
        self.add_ncu(query="echo 'unrecognised option' >&2; exit 1")
        self.assert_ends(self.profile(), 0, "does not list its metrics")
        self.assertIn("sm__pipe_alu_cycles_active", self.calls.read_text().splitlines()[-1])
        self.assertEqual([("v8", "count_hits")], self.kernels())


class ProfileLaddersTest(ProfileTest):
    """Ladders besides pi, whose kernels have the counters of pi's v8."""

    def add_other(self, program, suite, version, **fields):
        document = json.loads((DATA / "ladders" / f"{suite}.json").read_text())
        document["runs"] = [run | {"launches": 1} | fields for run in document["runs"] if run["version"] == version]
        record = self.root / f"{program}.json"
        record.write_text(json.dumps(document))
        stored = f"sed 's/\"{version}\"/\"{version}_store\"/' '{record}'"
        self.add_script(self.bin / program, f"case $1 in --store) {stored};; *) cat '{record}';; esac")
        self.add_ncu(profile="cat '{data}/v8.csv'")

    def names(self, suite):
        return [row["version"] for row in kinds.PROFILE.load(self.stored.with_name(f"{suite}-profile.json"))["kernels"]]

    def test_every_ladder_that_has_programs(self):
        self.add_other("options_n3", "normals", "n3")
        self.add_other("options_a5", "asian", "a5")
        process = self.succeeded(self.profile())
        self.assertEqual({"pi": ["v8"], "normals": ["n3", "n3_store"], "asian": ["a5"]},
                         {suite: self.names(suite) for suite in ("pi", "normals", "asian")})  # fmt: skip
        calls = re.findall(r"include (\w+/) .*/options_(.*) --profile --quiet --iters 2000\n", self.calls.read_text())
        self.assertEqual([("n3/", "n3"), ("n3/", "n3 --store"), ("a5/", "a5")], calls)  # NVTX's range, and the program
        self.assertIn("2,000 paths per thread", process.stdout)

    def test_one_ladder(self):
        self.add_other("options_a5", "asian", "a5")
        for arguments in (["--suite", "asian"], ["a5"]):
            self.assertEqual(0, self.profile(*arguments).returncode)
            self.assertEqual(["a5"], self.names("asian"))
        self.assertFalse(self.stored.exists())

    def test_a_version_of_two_ladders(self):
        for program in ("arrays_a2", "options_a2"):
            self.add_other(program, "asian", "a2")
        self.assert_ends(self.profile("a2"), 2, "a2 is a version of arrays and asian: name one with --suite")
        self.assertEqual(0, self.profile("a2", "--suite", "asian").returncode)

    def test_a_ladder_that_fails_does_not_keep_the_others(self):
        self.add_failing("v8", 4, "pi_v8: CUDA error")
        self.add_other("options_a5", "asian", "a5")
        process = self.profile()
        self.assert_ends(process, 1, "no program succeeded, nothing was written", lines=2)
        self.assertEqual(["a5"], self.names("asian"))

    def test_fewer_points_of_a_set_are_a_power_of_two(self):
        self.add_other("options_a7", "asian", "a7", iters=16384, kernel_ms=[1500.0])
        program = self.bin / "options_a7"
        program.write_text(program.read_text().replace("cat ", 'echo "$@" >> $0.log; cat '))
        self.assertEqual(0, self.profile("a7").returncode)
        self.assertIn("--launches 1 --iters 8192 --json -", Path(f"{program}.log").read_text())


class ProfileFailsTest(ProfileTest):
    def test_a_stored_file_that_is_broken(self):
        self.store("v1")
        whole = self.stored.read_text()
        for text, part in (
            (whole[: len(whole) // 2], "cut short"), ("", "empty"),
            (whole.replace('"schema":1', '"schema":2'), "newer version of the suite"),
        ):  # fmt: skip
            self.stored.write_text(text)
            self.assert_ends(self.profile(), 1, str(self.stored), part)
            self.assertEqual(text, self.stored.read_text())
        self.assertFalse(self.calls.exists())  # before anything is profiled

    def test_mixed_builds(self):
        self.add_program("v1")
        self.add_program("v8", context={"commit": "f" * 40})
        self.assert_ends(self.profile(), 1, "v8 failed: mixed contexts", "commit", "has no new rows of v8", lines=2)
        self.assertEqual([("v1", "count_hits"), ("v8", "failed")], self.kernels())

    def test_no_permission(self):
        self.add_program("v1")
        self.add_ncu(profile="cat '{data}/permission.txt'; exit 1")
        cure = ("sudo", "NVreg_RestrictProfilingToAdminUsers=0", "https://developer.nvidia.com/ERR_NVGPUCTRPERM")
        self.assert_ends(self.profile(), 1, "ERR_NVGPUCTRPERM", *cure, lines=2)
        self.assertEqual(1, len(self.calls.read_text().splitlines()))  # once is enough
        self.assert_nothing_written()
        self.add_ncu(query="cat '{data}/permission.txt'; exit 1")  # not even to ask
        self.assert_ends(self.profile(), 1, "ERR_NVGPUCTRPERM", lines=2)

    @needs_jsonschema
    def test_no_ncu(self):
        if os.path.exists("/usr/local/cuda/bin/ncu") or os.path.exists("/opt/nvidia/nsight-compute"):
            self.skipTest("this system has an ncu in a usual place")
        (self.tools / "ncu").unlink()
        for name in ("sh", "cat", "python3", "env"):
            (self.tools / name).symlink_to(shutil.which(name))
        process = self.profile(env=os.environ | {"PATH": str(self.tools)})
        self.assert_ends(process, 1, "ncu", "PATH", "/usr/local/cuda/bin", "developer.nvidia.com/nsight-compute")
        self.assert_nothing_written()

    def test_no_gpu(self):
        self.add_failing("v1", 3, "pi_v1: no usable GPU: there is no NVIDIA driver")
        self.assert_ends(self.profile(), 3, "pi_v1: no usable GPU: there is no NVIDIA driver")
        self.assertFalse(self.calls.exists())
        self.assert_nothing_written()

    def test_a_program_fails(self):
        self.store("v1", "v3")
        self.add_failing("v3", 4, "pi_v3: CUDA error: out of luck")
        process = self.profile()
        self.assert_ends(
            process,
            1,
            "v3 failed: pi_v3 --launches 1 failed (exit 4): pi_v3: CUDA error: out of luck",
            "has no new rows of v3",
            lines=2,
        )
        self.assertEqual(["v1", "v3", "v8"], [version for version, _ in self.kernels()])
        self.add_script(self.bin / "pi_v3", "[ $1 = --list-devices ] || exit 3")  # it needs more than the GPU has
        self.assertEqual(0, self.profile().returncode)

    @needs_jsonschema
    def test_a_program_without_a_record(self):
        half = self.root / "half"
        half.write_text('{"schema": ')
        for body, line in (
            ("exit 7", "pi_v8 --launches 1 failed (exit 7): no message"),
            (f"cat '{half}'", "pi_v8: cut short"),
        ):
            self.add_script(self.bin / "pi_v8", body)
            self.assert_ends(self.profile(), 1, f"v8 failed: {line}", "nothing was written", lines=2)
        for field in ("work", "kernel_ms", "phases_ms"):
            self.add_program("v8", **{field: "many"})
            self.assert_ends(self.profile(), 1, "v8 failed", f'v8.{field} is "many", not ', lines=2)
        self.assert_nothing_written()

    def test_ncu_without_a_table(self):
        self.add_program("v1")
        for of_v8, line in (
            ("echo 'pi_v8: the hits are off' >&2; echo '==ERROR== The application returned an error code (1).'; exit 1",
             "pi_v8: the hits are off"),
            ("echo '==PROF== Connected'; echo '==ERROR== Failed to profile.'; exit 1", "Failed to profile."),
            ("head -c 4000 '{data}/v8.csv'", "ncu's output breaks off"),
            ("echo '==WARNING== No kernels were profiled.'", "no table in ncu's output"),
        ):  # fmt: skip
            with self.subTest(line):
                self.add_ncu(profile=f"case $version in v8) {of_v8};; *) cat '{{data}}/'$version.csv;; esac")
                self.assert_ends(self.profile(), 1, f"v8 failed: {line}", "no new rows of v8", lines=2)
                self.assertEqual([("v1", "count_hits"), ("v8", "failed")], self.kernels())

    def test_usage(self):
        for arguments, part in ((["v9"], "no pi_v9"), (["cpu"], "cpu: not the name")):
            self.assert_ends(self.profile(*arguments), 2, part)
        self.assert_nothing_written()


if __name__ == "__main__":
    unittest.main()
