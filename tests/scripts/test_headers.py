#!/usr/bin/env python3
"""Tests of the headers of the steps: Cost and Limit, compared with the stored profile of an H200.

Cost states "N instructions per <unit of work>", which must be within 3 % of what Nsight Compute counted. Limit names the busiest
unit first; where none is busier than 60 %, it says "latency of" what warps wait for. A run with an option or on another system
has its own sentence: "sp1: L2". A header may say "predicted" instead; then the ladder's story must show what the profile says.
Where a step has phases, most of its time is no kernel's, so its headers are not compared.
"""

import re
import sys
import unittest

sys.dont_write_bytecode = True

from sandbox import REPOSITORY

from suite import ladders
from suite.documents import kinds, profile, stored
from suite.documents.step_files import limit_of, part_of

TOLERANCE = 0.03
BUSY_PCT = 60  # below this a unit limits nothing

# Units as headers call them.
UNITS = {
    "issue slots": profile.ISSUE_SLOTS, "ALU pipe": "alu", "FMA heavy": "fmaheavy", "FMA lite": "fmalite", "XU": "xu",
    "LSU": "lsu", "tensor cores": "tensor", "shared memory": "shared memory", "L1": "L1", "L2 atomics": "L2 atomics",
    "L2": "L2 tags", "DRAM": "DRAM",
}  # fmt: skip
# What a warp waits for, by the stall that lasts longest.
WAITS = {
    "wait": "dependent instructions", "long_scoreboard": "memory", "short_scoreboard": "shared memory", "barrier": "barriers",
}  # fmt: skip


# Headers


def steps():
    """Each step of each ladder: the ladder, its version, and its file."""
    found = []
    for ladder in ladders.every_ladder():
        for path in sorted(folder_of(ladder).iterdir()):
            if match := re.fullmatch(rf"({ladder.letter})(\d\d)(t?)_\w+\.(?:cu|cpp)", path.name):
                found.append((ladder, f"{match[1]}{int(match[2])}{match[3]}", path))
    return found


def folder_of(ladder):
    return REPOSITORY / "kernels" / ladder.folder


def cost_of(text, unit):
    """The instructions per unit of work that a Cost states, and whether it only predicts them; None without any."""
    match = re.search(rf"(predicted )?([\d,.]*\d) instructions per {unit}\b", text)
    return (float(match[2].replace(",", "")), bool(match[1])) if match else None


def first_unit(text):
    """The unit that a text names first; None if it names none."""
    found = [(hit.start(), -len(name), key) for name, key in UNITS.items() if (hit := re.search(rf"\b{name}\b", text))]
    return min(found)[2] if found else None


def fault_of_limit(text, kernel):
    """What is wrong with a limit, beside the kernel's profile; "" if nothing is."""
    limit = profile.limit_of(kernel)
    if limit["pct"] > BUSY_PCT:
        named = "" if "latency" in text.partition(",")[0] else first_unit(text)
        return "" if named == limit["name"] else f"the busiest unit is {limit['name']}, {limit['pct']:.0f} %"
    stall = next(stall["reason"] for stall in kernel["stalls"] if stall["reason"] != "not_selected")
    if f"latency of {WAITS[stall]}" in text:
        return ""
    return f"no unit is above {BUSY_PCT} %, and warps wait for {WAITS[stall]} ({stall})"


# Profiles


def profile_of(ladder):
    return kinds.PROFILE.of(ladder).stored_in(REPOSITORY / "results" / stored.BASE) or {"kernels": []}


def instructions_of(document, version):
    """Thread instructions of a unit of work, of all kernels that do it."""
    return sum(row["thread_instructions_per_sample"] for row in profile.kernels_of(document)
               if row["version"] == version and row["samples"] is not None)  # fmt: skip


def variants_of(document, version):
    """The main kernel of a step, as "", and of each of its runs with an option or on another system, by its name."""
    names = dict.fromkeys(row["version"] for row in profile.kernels_of(document))
    own = [name for name in names if name.partition("_")[0] == version]
    return {name.partition("_")[2]: profile.main_kernel(document, name) for name in own}


def is_told(ladder, version):
    """Whether the ladder's story shows a figure of the profile of a step."""
    story = (folder_of(ladder) / "README.md").read_text()
    return re.search(rf"<!--=[^>]*\b{version}\.profile\.", story) is not None


# Tests


class ReadingTest(unittest.TestCase):
    TEXT = """\
// Step 3: three
// Change: as v2.
// Cost:   about 24.5 instructions per sample. More of
//         them than in v2.
// Limit:  lap2d: the issue slots, not L1; sp1: latency of memory. Next: more.
#include "a.hpp"
"""

    def test_parts(self):
        self.assertEqual(part_of(self.TEXT, "Cost"), "about 24.5 instructions per sample. More of them than in v2.")
        self.assertEqual(part_of(self.TEXT, "Note"), "")

    def test_cost(self):
        self.assertEqual(cost_of(part_of(self.TEXT, "Cost"), "sample"), (24.5, False))
        self.assertEqual(cost_of("predicted 1,471 instructions per sample", "sample"), (1471, True))
        self.assertIsNone(cost_of("24 instructions per samples", "sample"))
        self.assertIsNone(cost_of("as v1", "sample"))

    def test_limits_of_systems_and_options(self):
        text = part_of(self.TEXT, "Limit")
        for variant, said in (("", "the issue slots, not L1"), ("sp1", "latency of memory"), ("shift1d", "")):
            self.assertEqual(limit_of(text, variant, "lap2d"), said)
        for variant, said in (("", "XU: 16 a clock"), ("store", "DRAM.")):
            self.assertEqual(limit_of("XU: 16 a clock; --store: DRAM.", variant), said)

    def test_first_unit(self):
        for text, unit in (("the ALU pipe, then XU", "alu"), ("L2 atomics on 7 kB", "L2 atomics"), ("the loads from L2", "L2 tags"),
                           ("nothing", None), ("XUV", None), ("shared memory, not L1", "shared memory")):  # fmt: skip
            with self.subTest(text):
                self.assertEqual(first_unit(text), unit)

    def test_wrong_limits_are_found(self):
        busy = {
            "issue_pct": 70,
            "pipes": dict.fromkeys(profile.PIPES, 50) | {"xu": 80},
            "stalls": [{"reason": "wait", "share": 1}],
        }
        idle = busy | {"issue_pct": 40, "pipes": dict.fromkeys(profile.PIPES, 20),
                       "stalls": [{"reason": "not_selected", "share": 0.5}, {"reason": "long_scoreboard", "share": 0.4}]}  # fmt: skip
        for text, kernel, is_right in (
            ("XU", busy, True), ("the issue slots and XU", busy, False), ("latency of memory, not XU", busy, False), ("", busy, False),
            ("latency of memory", idle, True), ("the issue slots", idle, False), ("latency", idle, False),
            ("latency of dependent instructions", idle, False),
        ):  # fmt: skip
            with self.subTest(text):
                self.assertEqual(fault_of_limit(text, kernel) == "", is_right)


class ClaimsTest(unittest.TestCase):
    def test_every_step_has_a_cost_and_a_limit(self):
        found = steps()
        self.assertGreater(len(found), 75)
        for ladder, version, path in found:
            text = path.read_text()
            for title in ("Cost", "Limit"):
                with self.subTest(f"{ladder.suite} {version}"):
                    self.assertTrue(part_of(text, title), f"{path.name} has no {title}")

    def test_cost_is_what_the_profile_counted(self):
        for ladder, version, path, document in self.profiled():
            with self.subTest(f"{ladder.suite} {version}"):
                counted = instructions_of(document, version)
                cost = cost_of(part_of(path.read_text(), "Cost"), ladder.unit)
                self.assertIsNotNone(cost, f"{path.name}: Cost states no instructions per {ladder.unit}: {counted:.3f}")
                claimed, is_predicted = cost
                if is_predicted:
                    self.assertTrue(is_told(ladder, version), f"{path.name} predicts, and the story shows no outcome")
                else:
                    self.assertLess(
                        abs(claimed / counted - 1), TOLERANCE, f"{path.name} says {claimed}, counted: {counted:.3f}"
                    )

    def test_limit_is_the_busiest_unit(self):
        for ladder, version, path, document in self.profiled():
            text, system = part_of(path.read_text(), "Limit"), ladder.systems.names[0] if ladder.systems else ""
            for variant, kernel in variants_of(document, version).items():
                with self.subTest(f"{ladder.suite} {version} {variant}"):
                    own = limit_of(text, variant, system)
                    if "predicted" in own:
                        self.assertTrue(is_told(ladder, version), f"{path.name} predicts, the story shows no outcome")
                    else:
                        self.assertEqual(fault_of_limit(own, kernel), "", f"{path.name} says: {own or text}")

    def test_steps_without_a_profile(self):
        profiled = [step[:2] for step in self.profiled()]
        without = [f"{ladder.suite} {version}" for ladder, version, _ in steps() if (ladder, version) not in profiled]
        if without:
            self.skipTest(
                f"no stored profile, or one of several kernels, so Cost and Limit are not compared: {', '.join(without)}; and every ablation"
            )

    def profiled(self):
        """Each step with a profile: ladder, version, file, and the profile."""
        documents = {ladder: profile_of(ladder) for ladder in ladders.every_ladder() if not ladder.phases}
        found = [(*step, documents[step[0]]) for step in steps() if step[0] in documents]
        return [step for step in found if variants_of(step[-1], step[1])]


if __name__ == "__main__":
    unittest.main()
