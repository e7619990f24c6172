"""Faults in what measures and judges, which tests must find on any machine."""

from fault import Check, Fault


def harness(*tests):
    """A check by tests of the harness, each a pattern of GoogleTest."""
    return (Check("harness_tests", ("--gtest_fail_fast", f"--gtest_filter={':'.join(tests)}")),)


def mcls(*tests):
    """A check by tests of the ladder mcls."""
    return (Check("mcls_tests", ("--gtest_fail_fast", f"--gtest_filter={':'.join(tests)}")),)


def ladders(*tests):
    """A check by tests of the other ladders."""
    return (Check("ladder_tests", ("--gtest_fail_fast", f"--gtest_filter={':'.join(tests)}")),)


def golden(*versions):
    """A check by the golden counts of these versions of pi."""
    return ladders(*(f"*/GoldenCounts.*/{version}" for version in versions))


def rehearsed(*programs):
    """A check by the rehearsals of programs on the CPU."""
    return tuple(Check(program, ("--iters", "3", "--launches", "2"), says="replay") for program in programs)


def vectors(*ladders):
    """The same of these ladders' CPU programs in vectors."""
    return rehearsed(*(f"options_cpu_{ladder}_vectors" for ladder in ladders))


# The verdict on hits.
HITS = [
    Fault(
        "limit of the total softened from 5 sd to 50", "bench/estimands/chance/limits.cpp",
        "return std::isinf(degrees_of_freedom) ? max_sigma :",
        "return std::isinf(degrees_of_freedom) ? 10 * max_sigma :",
        harness("Judge.*", "SigmaLimit.*"),
    ),
    Fault(
        "NaN passes as a distance from the expectation", "bench/estimands/chance/deviation.cpp",
        "return !(std::abs(deviation.sigma) <= deviation.limit);",
        "return std::abs(deviation.sigma) > deviation.limit;",
        harness("Judge.*", "Deviation.*", "Verdict*"),
    ),
    Fault(
        "variance of blocks that is too small passes", "bench/estimands/hits/verdict.cpp",
        "                  law.independent != Independent::launches);\n}\n\nvoid judge(const CountedHits",
        "                  law.independent == Independent::samples);\n}\n\nvoid judge(const CountedHits",
        harness("JudgeSpread.*", "Verdict/*Inside*", "Verdict/*WhereThereIsNone*"),
    ),
    Fault(
        "tolerance of the variance counted twice", "bench/estimands/chance/spread.cpp",
        "const double high = (1 + tolerance) * spread->limits.high;",
        "const double high = (1 + tolerance) * (1 + tolerance) * spread->limits.high;",
        harness("JudgeSpread.*"),
    ),
    Fault(
        "the largest launch is not looked at", "bench/estimands/chance/launches.cpp",
        "for (const double off : {least_off, most_off}) {",
        "for (const double off : {least_off, least_off}) {",
        harness("JudgeExtremes.*"),
    ),
    Fault(
        "the sd of an outlier holds the outlier", "bench/estimands/chance/limits.cpp",
        "const double others = ((n - 1) * variance - squared) / (n - 2);",
        "const double others = (n - 1) * variance / (n - 2);",
        harness("JudgeExtremes.*"),
    ),
    Fault(
        "blocks that are alike since a run was resumed pass", "bench/tally.cpp",
        "restored_ = {state_.sums.launches, state_.parts};",
        "restored_ = {0, {}};",
        harness("Parts.*"),
    ),
    Fault(
        "repeated launches pass", "bench/estimands/chance/launches.cpp",
        "if (prints.repeats() == 0 || launches * chance > 1) {",
        "if (prints.repeats() == 0 || launches * chance < 1) {",
        harness("Verdict/*RepeatedLaunchesAreFound/OfIndependentLaunches"),
    ),
    Fault(
        "limit of one of several is that of one alone", "bench/estimands/chance/limits.cpp",
        "false_alarm_rate() / 2 / static_cast<double>(n)",
        "false_alarm_rate() / 2",
        harness("SharedLimit.*"),
    ),
    Fault(
        "limits of a variance from another number of degrees of freedom", "bench/estimands/chance/spread.cpp",
        "chi_squared_limits(degrees_of_freedom), units, over};",
        "chi_squared_limits(degrees_of_freedom / 2), units, over};",
        harness("JudgeSpread.*", "Spread.*"),
    ),
    Fault(
        "no samples pass", "bench/estimands/hits/verdict.cpp",
        "if (outcome.samples == 0) {",
        "if (outcome.samples == 0 && outcome.hits > 0) {",
        harness("Judge.*"),
    ),
    Fault(
        "the last count of a launch is not added", "bench/estimands/hits/law.cpp",
        "    for (std::size_t i = 0; i < published.size(); i++) {\n        if (published[i] == unwritten)",
        "    for (std::size_t i = 0; i + (published.size() > 1) < published.size(); i++) {\n        if (published[i] == unwritten)",
        harness("SumPublished.*", "Hits.*"),
    ),
    Fault(
        "an sd without the square root", "bench/estimands/hits/law.cpp",
        "max_count_sigma * std::sqrt(binomial_variance(law.expected, samples) * law.variance_ratio);",
        "max_count_sigma * binomial_variance(law.expected, samples) * law.variance_ratio;",
        harness("SumPublished.*"),
    ),
    Fault(
        "a count of zero passes", "bench/estimands/hits/law.cpp",
        "return low_ <= h && h <= high_;",
        "return h == 0 || (low_ <= h && h <= high_);",
        harness("SumPublished.*", "Verdict/*Inside*", "Verdict/*WhereThereIsNone*"),
    ),
    Fault(
        "a variance of p instead of p (1 - p)", "bench/estimands/hits/law.cpp",
        "return static_cast<double>(samples) * p * (1 - p);",
        "return static_cast<double>(samples) * p;",
        harness("Spread.*", "Sigma.*", "Judge.*"),
    ),
    Fault(
        "a spread with one degree of freedom too many", "bench/estimands/chance/spread.cpp",
        "const auto degrees_of_freedom = static_cast<double>(units - 1);",
        "const auto degrees_of_freedom = static_cast<double>(units);",
        harness("Spread.*"),
    ),
    Fault(
        "an estimate of 2 P", "bench/estimands/hits/estimate.cpp",
        "return 4.0 * static_cast<double>(outcome.hits)",
        "return 2.0 * static_cast<double>(outcome.hits)",
        harness("Estimate.*"),
    ),
    Fault(
        "a wrong factor of the sd of the estimate", "bench/estimands/hits/estimate.cpp",
        "return static_cast<double>(4 * std::sqrt(p * (1 - p) * variance_ratio / outcome.samples));",
        "return static_cast<double>(4 * variance_ratio * std::sqrt(p * (1 - p) / outcome.samples));",
        harness("EstimateSd.*", "ErrorBound.*"),
    ),
    Fault(
        "digits to believe from one sd", "bench/estimands/hits/estimate.cpp",
        "return std::abs(bias(expected)) + 2 * estimate_sd",
        "return std::abs(bias(expected)) + 1 * estimate_sd",
        harness("ErrorBound.*", "BelievedDecimals.*"),
    ),
    Fault(
        "squares of launches in the column of the blocks'", "bench/estimands/hits/hits.cpp",
        "return {hits, of_blocks, square(hits)};",
        "return {hits, square(hits), of_blocks};",
        harness("Hits.*", "HitsCheck.*", "Verdict/*Inside*", "Verdict/*WhereThereIsNone*"),
    ),
]

# The verdict on means, and on solutions.
MEANS = [
    Fault(
        "the column of bad numbers is not read", "bench/estimands/means/means_verdict.cpp",
        "if (column(1, block) != 0) {",
        "if (column(1, block) > numbers) {",
        harness("Means.*", "PlantedFault.*"),
    ),
    Fault(
        "a block of another number of numbers passes", "bench/estimands/means/means_verdict.cpp",
        "if (column(0, block) != numbers) {",
        "if (column(0, block) > numbers) {",
        harness("Means.*", "PlantedFault.*"),
    ),
    Fault(
        "only statistic 0 of a block is judged", "bench/estimands/means/means_verdict.cpp",
        "            judge_block_mean(what, i, block, column(3 + i, block), numbers);",
        "            if (i == 0) judge_block_mean(what, i, block, column(3 + i, block), numbers);",
        harness("Means.*", "PlantedFault.*"),
    ),
    Fault(
        "NaN passes as the mean of a block", "bench/estimands/means/means_verdict.cpp",
        "if (!(std::abs(mean - statistic.mean.value) <= most_block_sigma * sd)) {",
        "if (std::abs(mean - statistic.mean.value) > 50 * most_block_sigma * sd) {",
        harness("Means.*", "PlantedFault.*"),
    ),
    Fault(
        "a tolerance that grows with the launches", "bench/estimands/chance/deviation.cpp",
        "const double systematic = expected.within == 0 ? 0 : expected.within / both;",
        "const double systematic = expected.within == 0 ? 0 : 10 * expected.within / both;",
        harness("Means.*", "PlantedFault.*"),
    ),
    Fault(
        "the spread of launches is not judged", "bench/estimands/means/means_verdict.cpp",
        "        judge_spread(measured, measured.launch_spread(i), name);\n",
        "",
        harness("Means.*", "PlantedFault.*"),
    ),
    Fault(
        "repeated launches of means pass", "bench/estimands/means/means_verdict.cpp",
        "    judge_repeats(tally, 0, \"sums\");\n",
        "    if (tally.state().fingerprints.repeats() > 1) judge_repeats(tally, 0, \"sums\");\n",
        harness("Means.*", "PlantedFault.*"),
    ),
    Fault(
        "the share of positive payoffs is not judged", "bench/estimands/means/means_verdict.cpp",
        "sd_of_share(known->value, measured.numbers()), *known);",
        "sd_of_share(known->value, measured.numbers()), *known, 50 * max_sigma);",
        harness("Means.*", "PlantedFault.*"),
    ),
    Fault(
        "a sum that was never written passes", "bench/estimands/means/means.cpp",
        "if (count == unwritten) throw",
        "if (count + 1 == unwritten) throw",
        harness("Means.*"),
    ),
    Fault(
        "swapped columns of products", "bench/estimands/means/means_columns.hpp",
        "return first_sum + n + i * n - i * (i + 1) / 2 + j;",
        "return first_sum + n + j * n - j * (j + 1) / 2 + i;",
        harness("Means.*"),
    ),
    Fault(
        "the last block is not added", "bench/estimands/means/means.cpp",
        "for (std::uint64_t block = 0; block < blocks; block++) sum += published[published_at(column, block, blocks)];",
        "for (std::uint64_t block = 0; block + 1 < blocks || block == 0; block++) sum += published[published_at(column, block, blocks)];",
        harness("Means.*", "PlantedFault.*"),
    ),
    Fault(
        "a regression without its controls' means", "bench/estimands/means/means.cpp",
        "        value -= b * d / pivot;\n",
        "",
        harness("Means.*"),
    ),
    Fault(
        "a variance over n instead of n - 1", "bench/estimands/means/means.cpp",
        "return (products - sum(i) * sum(j) / n) / (n - 1);",
        "return (products - sum(i) * sum(j) / n) / n;",
        harness("Means.*"),
    ),
    Fault(
        "the extremes of launches are not looked at", "bench/estimands/means/means_verdict.cpp",
        "    judge_extreme_launches(measured, tally);\n    judge_parts",
        "    judge_parts",
        harness("Means.*", "PlantedFault.*"),
    ),
]

SOLUTION = [
    Fault(
        "a launch with other histories passes", "bench/estimands/solution/solution_row.cpp",
        "if (published[histories_count] != histories) {",
        "if (published[histories_count] > histories) {",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "NaN passes as a tally", "bench/estimands/solution/solution_row.cpp",
        "if (!(std::abs(units) < end)) {",
        "if (std::abs(units) >= end) {",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "functionals with one sign", "bench/estimands/solution/solution_row.cpp",
        "sums[k] += (signs >> k % 8) % 2 ? -sum : sum;",
        "sums[k] += sum;",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "a sum without its upper half", "bench/estimands/solution/solution_row.cpp",
        "return (Int128{high} << 32) + low;",
        "return low;",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "a group without its last entry", "bench/estimands/solution/solution_row.cpp",
        "for (; place < group.end; place++) {",
        "for (; place + 1 < group.end; place++) {",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "an estimate without its share of the histories", "bench/estimands/solution/solution_row.cpp",
        "(static_cast<long double>(histories) * what_.share);",
        "static_cast<long double>(histories);",
        harness("SolutionInAFile.*"),
    ),
    Fault(
        "limits of the chi-square softened", "bench/estimands/solution/solution_verdict.cpp",
        "demand_within(measured.chi_squared(), 0, ",
        "demand_within(measured.chi_squared(), 0.9, ",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "groups are not judged", "bench/estimands/solution/solution_verdict.cpp",
        "std::pair(measured.worst_group(), \"group\")}) {",
        "std::pair(measured.worst_functional(), \"group\")}) {",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "the variance over the launches is not judged", "bench/estimands/solution/solution_verdict.cpp",
        "    demand_within(measured.dispersion(), variance_tolerance,",
        "    if (false) demand_within(measured.dispersion(), variance_tolerance,",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "fixed transitions of a launch are not compared", "bench/estimands/solution/solution_verdict.cpp",
        "transitions != exact * histories) {",
        "transitions > exact * histories) {",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "an error of the sd of a launch", "bench/estimands/solution/solution_measured.cpp",
        "sum.sd(of_launch_) / n);",
        "sum.sd(of_launch_) / std::sqrt(n));",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "the worst functional is the first", "bench/estimands/solution/solution_measured.cpp",
        "        if (!(part <= most)) {",
        "        if (!(part <= most) && !worst) {",
        harness("Solution.*", "SolutionFaults.*"),
    ),
    Fault(
        "correlated functionals are added as if independent", "bench/estimands/chance/whitening.cpp",
        "for (std::size_t k = 0; k <= j; k++) next[k] -= l[j] * inverse_[j][k];",
        "for (std::size_t k = 0; k < j; k++) next[k] -= l[j] * inverse_[j][k];",
        harness("Whitening.*"),
    ),
]

# Adding up, fingerprints, statistics and the stopping rule.
MEASURE = [
    Fault(
        "a launch added twice", "bench/tally.cpp",
        "    add(launch, traced, traced);\n",
        "    add(launch, traced, traced);\n    if (launches() == 3) add(launch, traced, traced);\n",
        harness("Tally.*"),
    ),
    Fault(
        "a part merged twice", "bench/tally.cpp",
        "    add(part.state_.sums, part.state_.least, part.state_.most);\n",
        "    add(part.state_.sums, part.state_.least, part.state_.most);\n    add(part.state_.sums, part.state_.least, part.state_.most);\n",
        harness("Tally.*"),
    ),
    Fault(
        "the smallest launch is lost in a merge", "bench/tally.cpp",
        "combine(state_.least, least, [](Uint128 a, Uint128 b) { return std::min(a, b); });",
        "combine(state_.least, least, [](Uint128 a, Uint128) { return a; });",
        harness("Tally.*"),
    ),
    Fault(
        "the trace is lost", "bench/tally.cpp",
        "        state_.marked.push_back(traced());\n",
        "        state_.marked = {traced()};\n",
        harness("Trace.*"),
    ),
    Fault(
        "the trace is lost by restoring", "bench/tally.cpp",
        "    next_mark_ = 0;\n    pass_marks();",
        "    next_mark_ = 0;\n    state_.marked.clear();\n    pass_marks();",
        harness("Trace.*", "Tally.*", "Saved.*", "Measure.*"),
    ),
    Fault(
        "fingerprints of merged parts are lost", "bench/tally.cpp",
        "    state_.fingerprints.merge(part.state_.fingerprints.kept());\n",
        "",
        harness("Tally.*", "Fingerprints.*", "TeamOfThreads.*"),
    ),
    Fault(
        "fingerprints without the order of the words", "bench/fingerprints.cpp",
        "        chains[chain] = mixed(chains[chain] + increment + word);",
        "        chains[chain] += mixed(increment + word);",
        harness("Fingerprints.*"),
    ),
    Fault(
        "fingerprints without the last words", "bench/fingerprints.cpp",
        "    for (std::size_t chain = 0; i < words.size(); i++, chain++) lengthen(chain, words[i]);\n",
        "",
        harness("Fingerprints.*"),
    ),
    Fault(
        "fingerprints kept by time instead of value", "bench/fingerprints.cpp",
        "    std::sort(sorted.begin(), sorted.end());\n    sorted.resize(",
        "    sorted.resize(",
        harness("Fingerprints.*"),
    ),
    Fault(
        "a repeat counted only among three", "bench/fingerprints.cpp",
        "sorted[i] == sorted[i - 1] ? 1 : 0;",
        "i > 1 && sorted[i] == sorted[i - 2] ? 1 : 0;",
        harness("Fingerprints.*"),
    ),
    Fault(
        "a median off by one", "bench/measure/statistics.cpp",
        "return n % 2 == 1 ? sorted[n / 2] : (sorted[n / 2 - 1] + sorted[n / 2]) / 2;",
        "return n % 2 == 1 ? sorted[n / 2] : sorted[n / 2];",
        harness("Summarize.*"),
    ),
    Fault(
        "an interval that is too narrow", "bench/measure/statistics.cpp",
        "if (below > 0.025) {",
        "if (below > 0.05) {",
        harness("IntervalRank.*", "Summarize.*"),
    ),
    Fault(
        "an interval as if times were independent", "bench/measure/statistics.cpp",
        "std::sqrt(autocorrelation_time(values) / times_more);",
        "std::sqrt(1 / times_more);",
        harness("Summarize.*"),
    ),
    Fault(
        "an interval on one side only", "bench/measure/statistics.cpp",
        "stretched(median, sorted[n - j], stretch),",
        "stretched(median, sorted[n - j - 1], stretch),",
        harness("Summarize.*"),
    ),
    Fault(
        "an infinite time passes", "bench/measure/statistics.cpp",
        "return std::isfinite(v) && v >= 0;",
        "return !std::isnan(v) && v >= 0;",
        harness("Summarize.*"),
    ),
    Fault(
        "a variance from sums of 64 bits", "bench/estimands/chance/count_sums.cpp",
        "const Wide numerator = Wide(count) * sum_of_squares - Wide(sum) * sum;",
        "const Wide numerator = Wide(count * static_cast<std::uint64_t>(sum_of_squares) - sum * sum);",
        harness("CountSums.*"),
    ),
    Fault(
        "a quantile of one side", "bench/estimands/chance/limits.cpp",
        "complement(distribution, two_sided_tail / 2)",
        "complement(distribution, two_sided_tail)",
        harness("StudentTQuantile.*"),
    ),
    Fault(
        "autocorrelation only between neighbours", "bench/measure/autocorrelation.cpp",
        "if (means.size() / 2 < fewest_batches) {",
        "if (means.size() > 0) {",
        harness("AutocorrelationTime.*"),
    ),
    Fault(
        "the first value of each pair is dropped", "bench/measure/autocorrelation.cpp",
        "means.push_back((values[i] + values[i + 1]) / 2);",
        "means.push_back(values[i + 1]);",
        harness("AutocorrelationTime.*"),
    ),
    Fault(
        "too few timings suffice", "bench/measure/measurement.cpp",
        "return timings >= rule.min_timings && timed_seconds >= rule.min_seconds;",
        "return timings >= rule.min_timings || timed_seconds >= rule.min_seconds;",
        harness("Measure.*", "Progress.*"),
    ),
    Fault(
        "only the upper half of the interval stops", "bench/measure/measurement.cpp",
        "std::max(s.high - s.median, s.median - s.low);",
        "s.high - s.median;",
        harness("Measure.*", "Progress.*"),
    ),
    Fault(
        "a range passes for an interval", "bench/measure/measurement.cpp",
        "return s.interval_is_95 && half_width <=",
        "return half_width <=",
        harness("Measure.*", "Progress.*"),
    ),
    Fault(
        "the warm-up is counted", "bench/measure/measurement.cpp",
        "    discard();\n",
        "",
        harness("Measure.*"),
    ),
    Fault(
        "a time of a batch instead of a launch", "bench/measure/measurement.cpp",
        "m.ms.push_back(time.total_ms / launches);",
        "m.ms.push_back(time.total_ms);",
        harness("Measure.*"),
    ),
    Fault(
        "a fixed run that ends a launch early", "bench/measure/measurement.cpp",
        "return rule.done + m.launches == *rule.launches ?",
        "return rule.done + m.launches + 1 >= *rule.launches ?",
        harness("Measure.*"),
    ),
    Fault(
        "a batch starts at the launch before", "bench/measure/measurement.cpp",
        "time_batch(rule.done + m.launches, launches);",
        "time_batch(rule.done + m.launches - (m.launches > 0), launches);",
        harness("Measure.*"),
    ),
    Fault(
        "a rate with its ends exchanged", "bench/measure/measurement.cpp",
        "return {rate(times.median), rate(times.high), rate(times.low),",
        "return {rate(times.median), rate(times.low), rate(times.high),",
        harness("PerNs.*", "Measure.*"),
    ),
    Fault(
        "a slow clock is not warned of", "bench/workers/gpu/clock_warning.cpp",
        "*gpu.sm_clock_mhz < low_clock * *gpu.max_clock_mhz",
        "*gpu.sm_clock_mhz < low_clock * low_clock * *gpu.max_clock_mhz",
        harness("LowClockWarning.*"),
    ),
    Fault(
        "what held a GPU's clock down is lost among several", "bench/workers/throttle.cpp",
        "        if (more) sum = more;",
        "        sum = more;",
        harness("OfSeveralGpus.*"),
    ),
    Fault(
        "a launch that was not counted passes", "bench/run/judge.cpp",
        "if (tally.launches() != launches) {",
        "if (tally.launches() > launches) {",
        harness("Measure.*", "Judge.*", "Saved.*"),
    ),
]

# Checkpoints and teams.
KEEP = [
    Fault(
        "a checkpoint that loses a launch", "bench/record/checkpoint.cpp",
        "c.tally.sums = {whole_member(json, \"launches_done\"),",
        "c.tally.sums = {whole_member(json, \"launches_done\") - 1,",
        harness("Checkpoint.*"),
    ),
    Fault(
        "a checkpoint without its trace", "bench/record/checkpoint.cpp",
        "    for (const Json& point : json[\"trace\"]) c.tally.marked.push_back(read_point(point));\n",
        "",
        harness("Checkpoint.*"),
    ),
    Fault(
        "a damaged checkpoint is read", "bench/record/checkpoint.cpp",
        "demand(text.substr(end) == trailer(text.substr(0, end)),",
        "demand(text.substr(end).size() == trailer(text.substr(0, end)).size(),",
        harness("Checkpoint.*"),
    ),
    Fault(
        "a checkpoint with too few fingerprints is read", "bench/record/checkpoint.cpp",
        "demand(c.tally.fingerprints.kept().size() == ",
        "demand(c.tally.fingerprints.kept().size() <= ",
        harness("Checkpoint.*"),
    ),
    Fault(
        "a checkpoint with contradicting extremes is read", "bench/record/checkpoint.cpp",
        "return at_most(least, low) && at_most(high, most);",
        "return at_most(least, low);",
        harness("Checkpoint.*"),
    ),
    Fault(
        "a checkpoint that another process holds is opened", "bench/record/checkpoint_file.cpp",
        "            if (error == EWOULDBLOCK) throw in_use(path);\n",
        "",
        harness("CheckpointFiles.*"),
    ),
    Fault(
        "a checkpoint is saved over another file", "bench/record/checkpoint_file.cpp",
        "if (!is_at(file_, target_) && ::access(target_.c_str(), F_OK) == 0) {",
        "if (false) {",
        harness("CheckpointFiles.*"),
    ),
    Fault(
        "a run of another shape is resumed", "bench/record/saver.cpp",
        "if (done.shape != work.shape || done.work_per_launch != work.work_per_launch) {",
        "if (done.shape != work.shape && done.work_per_launch != work.work_per_launch) {",
        harness("Saving.*", "SavingByPrograms.*", "TakingOver.*"),
    ),
    Fault(
        "a run of another seed is resumed", "bench/record/saver.cpp",
        "    options.seed = checkpoint.seed;\n",
        "",
        harness("Saving.*", "SavingByPrograms.*", "TakingOver.*"),
    ),
    Fault(
        "the launches saved are those of the start", "bench/record/saver.cpp",
        "    now.tally = tally.state();\n",
        "    now.tally.sums = tally.state().sums;\n",
        harness("Saving.*", "SavingByPrograms.*", "Saved.*"),
    ),
    Fault(
        "a team drops what is left of a division", "bench/workers/team.cpp",
        "rest > 0; rest--) {",
        "rest > 1; rest--) {",
        harness("SharesBySpeed.*", "TeamOfThreads.*"),
    ),
    Fault(
        "two workers with the same launches", "bench/workers/team.cpp",
        "        first += n;\n",
        "",
        harness("TeamOfThreads.*", "TeamReport.*"),
    ),
    Fault(
        "the time of a team is that of the fastest", "bench/workers/team.cpp",
        "*std::max_element(time.member.begin(), time.member.end(),",
        "*std::min_element(time.member.begin(), time.member.end(),",
        harness("TeamOfThreads.*", "TeamReport.*"),
    ),
    Fault(
        "the launches of a worker are lost", "bench/workers/threads.cpp",
        "for (const Tally& part : parts) all.add(part);",
        "all.add(parts.front());",
        harness("TeamOfThreads.*"),
    ),
    Fault(
        "the extremes of ranks are exchanged", "bench/workers/ranks.cpp",
        "extremes(0), extremes(1), {}, {}, {}};",
        "extremes(1), extremes(0), {}, {}, {}};",
        harness("TeamOfRanks.*"),
    ),
    Fault(
        "the upper halves of ranks' sums are lost", "bench/workers/ranks.cpp",
        "row.push_back(Uint128{words[i + 1]} << 64 | words[i]);",
        "row.push_back(words[i]);",
        harness("TeamOfRanks.*"),
    ),
    Fault(
        "the fingerprints of ranks are ignored", "bench/workers/ranks.cpp",
        "        state.fingerprints.merge(of_rank.first(std::min<std::size_t>(each, state.sums.launches)));\n",
        "",
        harness("TeamOfRanks.*"),
    ),
]

# The systems of mcls: what walks are judged by.
MCLS = [
    Fault(
        "a splitting without its sign", "kernels/mcls/system/splitting.cpp",
        "const double h = -quotient(",
        "const double h = quotient(",
        mcls("Jacobi.*", "BuiltInSystems.*"),
    ),
    Fault(
        "probabilities that do not add up", "kernels/mcls/tables/tables.cpp",
        "    largest += left;\n",
        "    largest += left > 0 ? left - 1 : left;\n",
        mcls("Numerators.*", "Tables.*"),
    ),
    Fault(
        "an alias that takes too little from its donor", "kernels/mcls/tables/tables.cpp",
        "q[donor] -= capacity - q[filled];",
        "q[donor] -= q[filled];",
        mcls("AliasTables.*"),
    ),
    Fault(
        "a tally with too few spare bits", "kernels/mcls/tables/tables.cpp",
        "return 61 - std::ilogb(",
        "return 64 - std::ilogb(",
        mcls("TallyBits.*"),
    ),
    Fault(
        "entries of one place are not added", "kernels/mcls/system/sparse.cpp",
        "added.value.back() += matrix.value[entry];",
        "added.value.back() = matrix.value[entry];",
        mcls("Sparse.*", "MatrixMarket.*"),
    ),
    Fault(
        "a covariance without the products of the means", "kernels/mcls/analysis/moments.cpp",
        "half[k * count + l] + half[l * count + k] - products[k * count + l];",
        "half[k * count + l] + half[l * count + k];",
        mcls("Moments.*", "Functionals.*", "MomentsOfTiny4.*"),
    ),
    Fault(
        "signs of functionals that are all alike", "kernels/mcls/analysis/functionals.cpp",
        "philox4x32_10({{state, 0, 0, 3}}",
        "philox4x32_10({{0, 0, 0, 3}}",
        mcls("Functionals.*", "Moments.*"),
    ),
    Fault(
        "a history counted with one transition too many", "kernels/mcls/analysis/history_ends.cpp",
        ".mean = visits - 1,",
        ".mean = visits,",
        mcls("Transitions.*"),
    ),
    Fault(
        "a bias of the cutoff that is a tenth", "kernels/mcls/analysis/history_ends.cpp",
        "return histories.cutoff * first_weight *",
        "return histories.cutoff / 10 * first_weight *",
        mcls("CutoffBias.*"),
    ),
    Fault(
        "a system that diverges is walked", "kernels/mcls/analysis/convergence.cpp",
        "    if (terms.last < 1) {",
        "    if (terms.last < 1e9) {",
        mcls("Convergence.*"),
    ),
    Fault(
        "an infinite variance is called finite", "kernels/mcls/analysis/convergence.cpp",
        "result.finite = result.largest < 1;",
        "result.finite = result.largest < 2;",
        mcls("SecondMoments.*"),
    ),
    Fault(
        "a squared residual without half of its variance", "kernels/mcls/analysis/squared_residual.cpp",
        ".variance = 2 * (of_square - 2 * of_b + square(norm))",
        ".variance = (of_square - 2 * of_b + square(norm))",
        mcls("SquaredResidual.*"),
    ),
    Fault(
        "a lost history in the replay", "kernels/mcls/replay/replay.cpp",
        "for (std::uint64_t i = 0; i < histories.count; i++) {",
        "for (std::uint64_t i = 1; i < histories.count; i++) {",
        mcls("Replays.*", "FewWalks.*"),
    ),
    Fault(
        "a stratum of another width", "kernels/mcls/analysis/strata_means.cpp",
        "close(last_whole - first_whole);",
        "close(last_whole - first_whole - 1);",
        mcls("Strata.*", "Transitions.*"),
    ),
    Fault(
        "first factors of a short row that ignore its sign", "kernels/mcls/tables/short_rows.cpp",
        "factors.push_back(std::copysign(1, row.values[entry]) * missing / first_parts[entry]);",
        "factors.push_back(missing / first_parts[entry]);",
        mcls("ShortRows.*"),
    ),
    Fault(
        "a verdict on groups that has no room for the bias of a cutoff", "kernels/mcls/analysis/exact.cpp",
        ".within = facts.within},\n                               .variance",
        ".sd = facts.within},\n                               .variance",
        mcls("Walks.*"),
    ),
    Fault(
        "a verdict on functionals that has no room for the bias of a cutoff", "kernels/mcls/analysis/exact.cpp",
        "push_back({.value = mean, .within = facts.within})",
        "push_back({.value = mean, .sd = facts.within})",
        mcls("Walks.*"),
    ),
    Fault(
        "a second word of a short row that is never asked", "kernels/mcls/device/guided_short_rows.cuh",
        "if (part >= ShortSlot::part) return",
        "if (part >= 0) return",
        mcls("ShortRows.*"),
    ),
    Fault(
        "a second word of a short row that leads to one entry alone", "kernels/mcls/tables/short_rows.cpp",
        "threshold == 0 ? alias : state(slot), alias}",
        "alias, alias}",
        mcls("ShortRows.*"),
    ),
    Fault(
        "the CPU loses a history of each share", "kernels/mcls/device/cpu_paths.cpp",
        "all_.end : next_ + at_once;",
        "all_.end : next_ + at_once - 1;",
        mcls("*CountedPaths*"),
    ),
    Fault(
        "the CPU's counters of paths overflow", "kernels/mcls/device/cpu_paths.cpp",
        "if (++quads_ == most_quads) flush();",
        "++quads_;",
        mcls("*CountedPaths*"),
    ),
    Fault(
        "slots by the sign of an entry", "kernels/mcls/tables/path_tables.cpp",
        "const double wanted = std::abs(value) / sum * slots;",
        "const double wanted = value / sum * slots;",
        mcls("SlotShares.*", "Slots.*", "OnSlots.*"),
    ),
    Fault(
        "half-edges without a way back", "kernels/mcls/graph/graph.cuh",
        "permutation(vertex) : permutation.inverse(vertex)",
        "permutation(vertex) : permutation(vertex)",
        mcls("RandomGraph/0.*"),
    ),
    Fault(
        "half-edges of the vertex before", "kernels/mcls/graph/graph.cuh",
        "+ 1) <= half_edge) vertex++",
        "+ 1) < half_edge) vertex++",
        mcls("RandomGraph/1.*"),
    ),
    Fault(
        "a path that ends where its first transition does", "kernels/mcls/graph/graph.cuh",
        "<< log2_vertices | end;",
        "<< log2_vertices | between;",
        mcls("PathsOfRegularGraph.*"),
    ),
    Fault(
        "visits whose variance is that of independent ones", "kernels/mcls/graph/visits.cpp",
        "        returns.push_back(at_distance[0]);",
        "        returns.push_back(i == 0 ? 1 : 0);",
        mcls("RandomGraph/*", "Visits.*"),
    ),
]

# The options on a CPU, in vectors.
VECTORS = [
    Fault(
        "two streams with the same words", "kernels/options/device/cpu_clones.hpp",
        "lanes_of_stream * stream + lane}",
        "lanes_of_stream * (stream / 2) + lane}",
        vectors("normals", "asian", "lookback"),
    ),
    Fault(
        "a repeated launch", "kernels/options/device/cpu_clones.hpp",
        "{{l.seed, l.index, generators,",
        "{{l.seed, 0, generators,",
        vectors("normals", "asian", "lookback"),
    ),
    Fault(
        "one half of the lanes is added twice", "kernels/options/device/cpu_sums.hpp",
        "add_half(place, 1);",
        "add_half(place, 0);",
        vectors("normals", "asian", "lookback"),
    ),
    Fault(
        "a volatility that is 0.1 % off", "kernels/options/normals/device/vector_normals.cpp",
        "rng::sine_factor(q, root_unit)",
        "rng::sine_factor(q, 1.001 * root_unit)",
        vectors("normals"),
    ),
    Fault(
        "a gap without its drift", "kernels/options/asian/device/vector_paths.cpp",
        "fminf(gap, drifts.threshold[i])",
        "fminf(gap, 0.0f)",
        vectors("asian"),
    ),
    Fault(
        "a payoff without the first price", "kernels/options/lookback/device/vector_paths.cpp",
        "for (unsigned t = 0; t < steps; t++) {",
        "for (unsigned t = 1; t < steps; t++) {",
        vectors("lookback"),
    ),
]

# Streams of the CPU that repeat each other.
STREAMS = [
    Fault(
        "two streams with the same words", "kernels/pi/cpu_baseline.cpp",
        "l.index * streams + stream, l.iters",
        "l.index * streams + stream / 2, l.iters",
        rehearsed("pi_cpu"),
    ),
    Fault(
        "two streams with the same words", "kernels/pi/cpu_bit_sliced.cpp",
        "generators * stream});",
        "generators * (stream / 2)});",
        rehearsed("pi_cpu_bit_sliced"),
    ),
    Fault(
        "two streams with the same words", "kernels/options/device/host_streams.hpp",
        "host_streams, stream});",
        "host_streams, stream / 2});",
        rehearsed("options_cpu_normals", "options_cpu_asian", "options_cpu_lookback"),
    ),
    Fault(
        "a thousand samples twice", "kernels/arrays/device/host_words.cpp",
        "    StandardSequences(origin, 0).make(words, {0, words.samples});\n",
        "    StandardSequences(origin, 0).make(words, {0, words.samples});\n"
        "    for (std::uint32_t* array : {words.x, words.y}) std::copy_n(array, 1000, array + 1000);\n",
        rehearsed("arrays_a0"),
    ),
]

# What kernels share with their replays, so that no rehearsal sees it: only numbers that were computed elsewhere do.
SHARED = [
    Fault(
        "a wrong multiplier of the recurrences", "kernels/random/mrg.cuh",
        "mrg_multiplier = 2891336453u;", "mrg_multiplier = 2891336457u;",
        golden("v14", "v15", "v18", "v21"), "sources",
    ),
    Fault(
        "a wrong lag", "kernels/random/draws.cuh",
        "AlternatingMrg<20, 3,", "AlternatingMrg<20, 7,",
        golden("v21", "v23"), "sources",
    ),
    Fault(
        "wrong factors of a dot product", "kernels/random/draws.cuh",
        "DotMrg<17, 5, 16, 0xd9c9a5a1>", "DotMrg<17, 5, 16, 0xd9c9a5a3>",
        golden("v18", "v19", "v20"), "sources",
    ),
    Fault(
        "a wrong hash of the streams", "kernels/random/stream_seed.cuh",
        "* 0x94d049bb133111ebull", "* 0x94d049bb133111e9ull",
        golden("v7", "v8", "v14"), "sources",
    ),
    Fault(
        "a group of a wrong size", "kernels/pi/device/half_cells.cuh",
        "half_group_words = 88;", "half_group_words = 66;",
        golden("v16"),
    ),
    Fault(
        "a table with a wrong coefficient", "kernels/random/normals/rotated_table.cuh",
        "c5 = -0.006978254528", "c5 = -0.006978354528",
        ladders("RotatedTable.*"),
    ),
    Fault(
        "a wrong drift", "kernels/options/asian/device/option.hpp",
        "length / 16384,", "length / 8192,",
        ladders("AsianClosedForms.*"),
    ),
    Fault(
        "a wrong variance", "kernels/options/lookback/device/option.hpp",
        "variance_kept = 29.0 / 32;", "variance_kept = 30.0 / 32;",
        ladders("Lookback.*"),
    ),
]

FAULTS = HITS + MEANS + SOLUTION + MEASURE + KEEP + MCLS + VECTORS + STREAMS + SHARED
