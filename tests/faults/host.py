"""Faults in what measures and judges, which tests must find on any machine: one a verdict, the hardest to find.

Tests without planted faults prove the rest: each of them fails for a wrong formula of its own.
"""

from fault import Check, Fault


def tests_of(program, *patterns):
    """A check by tests of a program, each a pattern of GoogleTest."""
    return (Check(program, ("--gtest_fail_fast", f"--gtest_filter={':'.join(patterns)}")),)


def harness(*patterns):
    """A check by tests of the harness."""
    return tests_of("harness_tests", *patterns)


def mcls(*patterns):
    """A check by tests of the ladder mcls."""
    return tests_of("mcls_tests", *patterns)


def rehearsed(*programs):
    """A check by the rehearsals of programs on the CPU."""
    return tuple(Check(program, ("--iters", "3", "--launches", "2"), says="replay") for program in programs)


VECTORS = tuple(f"options_cpu_{option}_vectors" for option in ("normals", "asian", "lookback"))
SOLUTION = harness("Solution.*", "SolutionFaults.*")
MEANS = harness("Means.*", "PlantedFault.*")
STORED = harness("Stored.*", "TeamOfRanks.*")
CHECKED = harness("Rehearsing.*", "Audit.*", "KeptLaunches.*")

FAULTS = [
    # The verdict on hits.
    Fault(
        "NaN passes as a distance from the expectation",
        "bench/estimands/chance/limits.cpp",
        "return !(std::abs(deviation.sigma) <= deviation.limit);",
        "return std::abs(deviation.sigma) > deviation.limit;",
        harness("Judge.*", "Deviation.*", "Verdict*"),
    ),
    Fault(
        "variance of blocks that is too small passes",
        "bench/estimands/chance/limits.cpp",
        "has_lower_limit ? (1 - tolerance)",
        "false ? (1 - tolerance)",
        harness("JudgeSpread.*"),
    ),
    Fault(
        "tolerance of the variance counted twice",
        "bench/estimands/chance/limits.cpp",
        "high = (1 + tolerance)",
        "high = (1 + tolerance) * (1 + tolerance)",
        harness("JudgeSpread.*"),
    ),
    Fault(
        "the sd of an outlier holds the outlier",
        "bench/estimands/chance/limits.cpp",
        "variance - squared) / (n - 2)",
        "variance) / (n - 2)",
        harness("JudgeExtremes.*"),
    ),
    Fault(
        "blocks that are alike since a run was resumed pass",
        "bench/tally.cpp",
        "restored_ = {state_.sums.launches, state_.parts};",
        "restored_ = {0, {}};",
        harness("Parts.*"),
    ),
    Fault(
        "repeated launches pass",
        "bench/estimands/chance/launches.cpp",
        "launches * chance > 1",
        "launches * chance < 1",
        harness("Verdict/*RepeatedLaunchesAreFound/OfIndependentLaunches"),
    ),
    Fault(
        "an sd of a published count without the square root",
        "bench/estimands/hits/law.cpp",
        "max_count_sigma * std::sqrt(",
        "max_count_sigma * (",
        harness("SumPublished.*"),
    ),
    # The verdict on means.
    Fault(
        "the limit of the mean of a block softened",
        "bench/estimands/means/means_verdict.cpp",
        "<= most_block_sigma * sd",
        "<= 50 * most_block_sigma * sd",
        MEANS,
    ),
    Fault(
        "a tolerance that grows with the launches",
        "bench/estimands/chance/limits.cpp",
        "? 0 : expected.within / both",
        "? 0 : 10 * expected.within / both",
        MEANS,
    ),
    Fault(
        "the spread of launches is not judged",
        "bench/estimands/means/means_verdict.cpp",
        "judge_spread(measured, measured.launch_spread(i), name);",
        "",
        MEANS,
    ),
    Fault(
        "one repeated launch of means passes",
        "bench/estimands/means/means_verdict.cpp",
        "judge_repeats(tally,",
        "if (tally.state().fingerprints.repeats() > 1) judge_repeats(tally,",
        MEANS,
    ),
    Fault(
        "the share of positive payoffs is not judged",
        "bench/estimands/means/means_verdict.cpp",
        "measured.numbers()), *known);",
        "measured.numbers()), *known, 50 * max_sigma);",
        MEANS,
    ),
    Fault(
        "the extremes of launches are not looked at",
        "bench/estimands/means/means_verdict.cpp",
        "judge_extreme_launches(measured, tally);",
        "",
        MEANS,
    ),
    # The verdict on solutions.
    Fault(
        "NaN passes as a tally",
        "bench/estimands/solution/solution_row.cpp",
        "if (!(std::abs(units) < end)) {",
        "if (std::abs(units) >= end) {",
        SOLUTION,
    ),
    Fault(
        "limits of the chi-square softened",
        "bench/estimands/solution/solution_verdict.cpp",
        "measured.chi_squared(), 0,",
        "measured.chi_squared(), 0.9,",
        SOLUTION,
    ),
    Fault(
        "groups are not judged",
        "bench/estimands/solution/solution_verdict.cpp",
        "measured.worst_group()",
        "measured.worst_functional()",
        SOLUTION,
    ),
    Fault(
        "the variance over the launches is not judged",
        "bench/estimands/solution/solution_verdict.cpp",
        "demand_within(measured.dispersion(),",
        "if (false) demand_within(measured.dispersion(),",
        SOLUTION,
    ),
    Fault(
        "fixed transitions of a launch are not compared",
        "bench/estimands/solution/solution_verdict.cpp",
        "transitions != all",
        "transitions > all",
        SOLUTION,
    ),
    # What makes an mcls system fit to be walked, and its truncation.
    Fault(
        "a bias of the cutoff that is a tenth",
        "kernels/mcls/analysis/history_ends.cpp",
        "return histories.cutoff * first_weight",
        "return histories.cutoff / 10 * first_weight",
        mcls("CutoffBias.*"),
    ),
    Fault(
        "a verdict on groups that has no room for the bias of a cutoff",
        "kernels/mcls/analysis/exact.cpp",
        ".within = facts.within},",
        ".sd = facts.within},",
        mcls("Walks.*"),
    ),
    Fault(
        "a verdict on functionals that has no room for the bias of a cutoff",
        "kernels/mcls/analysis/exact.cpp",
        ".within = facts.within})",
        ".sd = facts.within})",
        mcls("Walks.*"),
    ),
    Fault(
        "a system that diverges is walked",
        "kernels/mcls/analysis/convergence.cpp",
        "terms.last < 1)",
        "terms.last < 1e9)",
        mcls("Convergence.*"),
    ),
    Fault(
        "an infinite variance is called finite",
        "kernels/mcls/analysis/convergence.cpp",
        "result.largest < 1;",
        "result.largest < 2;",
        mcls("SecondMoments.*"),
    ),
    # Repeats: the fingerprints of launches.
    Fault(
        "fingerprints without the order of the words",
        "bench/fingerprints.cpp",
        "chains[chain] = mixed(chains[chain] + increment + word);",
        "chains[chain] += mixed(increment + word);",
        harness("Fingerprints.*"),
    ),
    Fault(
        "fingerprints without the last words",
        "bench/fingerprints.cpp",
        "i++, chain++) lengthen(chain, words[i]);",
        "i++, chain++) {}",
        harness("Fingerprints.*"),
    ),
    Fault(
        "fingerprints kept by time instead of value",
        "bench/fingerprints.cpp",
        "    std::sort(sorted.begin(), sorted.end());\n    sorted.resize(",
        "    sorted.resize(",
        harness("Fingerprints.*"),
    ),
    Fault(
        "a repeat counted only among three",
        "bench/fingerprints.cpp",
        "sorted[i] == sorted[i - 1] ?",
        "i > 1 && sorted[i] == sorted[i - 2] ?",
        harness("Fingerprints.*"),
    ),
    Fault(
        "fingerprints of merged parts are lost",
        "bench/tally.cpp",
        "state_.fingerprints.merge(part.state_.fingerprints.kept());",
        "",
        harness("Tally.*", "Fingerprints.*", "TeamOfThreads.*"),
    ),
    # How long to measure, and how many launches were counted.
    Fault(
        "an interval as if times were independent",
        "bench/measure/statistics.cpp",
        "std::sqrt(autocorrelation_time(values) /",
        "std::sqrt(1 /",
        harness("Summarize.*"),
    ),
    Fault(
        "a range passes for an interval",
        "bench/measure/measurement.cpp",
        "return s.interval_is_95 && half_width",
        "return half_width",
        harness("Measure.*", "Progress.*"),
    ),
    Fault(
        "a launch that was not counted passes",
        "bench/run/judge.cpp",
        "tally.launches() != launches",
        "tally.launches() > launches",
        harness("Measure.*", "Judge.*", "Saved.*"),
    ),
    Fault(
        "a sum of stored runs is not judged",
        "bench/run/judge.cpp",
        "    sum.estimand().judge(sum);\n",
        "",
        harness("JudgeStored.*"),
    ),
    Fault(
        "a launch that is in two stored runs passes",
        "bench/run/judge.cpp",
        "range.first < parts[i - 1].range.end",
        "range.first + 1 < parts[i - 1].range.end",
        harness("JudgeStored.*"),
    ),
    # What a checkpoint brings back.
    Fault(
        "the trace is lost by restoring",
        "bench/tally.cpp",
        "    next_mark_ = 0;\n    pass_marks();",
        "    next_mark_ = 0;\n    state_.marked.clear();\n    pass_marks();",
        harness("Trace.*", "Tally.*", "Saved.*", "Measure.*"),
    ),
    Fault(
        "a run of another shape is resumed",
        "bench/record/stored.cpp",
        "own.iters == spec.iters && ",
        "",
        harness("Stored.*"),
    ),
    Fault(
        "the launches saved are those of the start",
        "bench/run/measure.cpp",
        "record_so_far(plan_, tally_,",
        "record_so_far(plan_, tally_.empty(),",
        harness("Saving.*", "Saved.*"),
    ),
    # Shares of threads and of ranks, and what is stored of a run.
    Fault(
        "two workers with the same launches",
        "bench/workers/team.cpp",
        "first += n;",
        "",
        harness("TeamOfThreads.*", "TeamReport.*"),
    ),
    Fault(
        "the launches of a worker are lost",
        "bench/workers/threads.cpp",
        "for (const Tally& part : parts) all.add(part);",
        "all.add(parts.front());",
        harness("TeamOfThreads.*"),
    ),
    Fault(
        "the extremes of a stored run are exchanged",
        "bench/tally.cpp",
        "state.least = reader.row();\n    state.most",
        "state.most = reader.row();\n    state.least",
        STORED,
    ),
    Fault(
        "the upper halves of stored sums are lost",
        "bench/tally.cpp",
        "Uint128{halves[i + 1]} << 64 | halves[i]",
        "halves[i]",
        STORED,
    ),
    Fault(
        "the fingerprints of ranks are lost",
        "bench/tally.cpp",
        "state.fingerprints.merge(reader.list());",
        "reader.list();",
        STORED,
    ),
    # Rehearsal and audit.
    Fault(
        "no launch of the run's own size is rehearsed",
        "bench/workers/checked_worker.cpp",
        "full.spec.work > enough;",
        "false && full.spec.work > enough;",
        CHECKED,
    ),
    Fault("the warm-up is audited", "bench/workers/checked_worker.cpp", "kept_->forget();", "{}", CHECKED),
    Fault(
        "the last launch is not among the kept ones",
        "bench/workers/checked_worker.cpp",
        "chosen.insert(chosen.begin(), latest_);",
        "",
        CHECKED,
    ),
    # Programs on a CPU, which their rehearsal must refuse.
    Fault(
        "two streams with the same words",
        "kernels/options/shared/cpu_clones.hpp",
        "lanes_of_stream * stream +",
        "lanes_of_stream * (stream / 2) +",
        rehearsed(*VECTORS),
    ),
    Fault(
        "a repeated launch",
        "kernels/options/shared/cpu_clones.hpp",
        "{{l.seed, l.index,",
        "{{l.seed, 0,",
        rehearsed(*VECTORS),
    ),
    Fault(
        "two streams with the same words",
        "kernels/pi/cpu_baseline.cpp",
        "l.index * streams + stream,",
        "l.index * streams + stream / 2,",
        rehearsed("pi_cpu"),
    ),
    Fault(
        "two streams with the same words",
        "kernels/pi/cpu_bit_sliced.cpp",
        "generators * stream}",
        "generators * (stream / 2)}",
        rehearsed("pi_cpu_bit_sliced"),
    ),
    Fault(
        "two streams with the same words",
        "kernels/options/shared/host_streams.hpp",
        "host_streams, stream}",
        "host_streams, stream / 2}",
        rehearsed("options_cpu_normals", "options_cpu_asian", "options_cpu_lookback"),
    ),
    Fault(
        "a thousand samples twice",
        "kernels/arrays/shared/host_words.cpp",
        "StandardSequences(origin, 0).make(words, {0, words.samples});\n",
        "StandardSequences(origin, 0).make(words, {0, words.samples});\n"
        "    for (std::uint32_t* array : {words.x, words.y}) std::copy_n(array, 1000, array + 1000);\n",
        rehearsed("arrays_a0"),
    ),
    # What kernels share with their replays, so that no rehearsal sees it: only numbers that were computed elsewhere do.
    Fault(
        "a wrong multiplier of the recurrences",
        "kernels/random/mrg.cuh",
        "mrg_multiplier = 2891336453u;",
        "mrg_multiplier = 2891336457u;",
        tests_of("ladder_tests", *(f"*/GoldenCounts.*/{version}" for version in ("v14", "v15", "v18", "v21"))),
        "sources",
    ),
    Fault(
        "a wrong drift",
        "kernels/options/asian/shared/option.hpp",
        "length / 16384,",
        "length / 8192,",
        tests_of("ladder_tests", "AsianClosedForms.*"),
    ),
]
