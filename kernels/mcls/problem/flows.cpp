#include "kernels/mcls/problem/flows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <utility>

#include "bench/cli/errors.hpp"
#include "bench/measure/statistics.hpp"
#include "kernels/mcls/problem/tables.hpp"

namespace mcls {
namespace {

// A number of walkers times a sum of numerators, plus a word, must fit into 64 bits.
std::int64_t most_walkers(const FlowTable& table) {
    std::uint64_t largest = std::uint64_t{1} << 32;
    for (const FlowEntry& entry : table.entries) {
        largest = std::max(largest, entry.end);
    }
    return INT64_MAX / static_cast<std::int64_t>(largest);
}

bool any(const std::vector<std::int64_t>& counts) {
    return std::any_of(counts.begin(), counts.end(), [](std::int64_t count) { return count != 0; });
}

// What the walkers of all states become.
std::vector<std::int64_t> moved(const FlowRows& rows, const std::vector<std::int64_t>& counts, std::int64_t most,
                                const PhiloxKeys& keys, std::uint32_t launch, std::uint32_t generation) {
    std::vector<std::int64_t> next(counts.size());
    for (std::uint32_t state = 0; state < rows.n; state++) {
        if (std::abs(counts[state]) > most) {
            throw bench::UsageError(fmt::format("too many walkers: {} meet in state {}", counts[state], state));
        }
        if (counts[state] != 0) {
            rows(state, counts[state], flow_word(keys, launch, generation, state),
                 [&](std::uint32_t to, std::int64_t count) { next[to] += count; });
        }
    }
    return next;
}

}  // namespace

FlowTable flow_table(const Sparse& b) {
    if (b.value.size() > UINT32_MAX) {
        throw bench::UsageError(fmt::format("H has {} entries, more than the tables hold", b.value.size()));
    }
    FlowTable table{.first = {0}, .entries = {}};
    for (std::uint32_t row = 0; row < b.n; row++) {
        const auto q = numerators(b.values_of(row), Sampling::absorbing);
        std::uint64_t end = 0;
        for (std::size_t j = 0; j < q.size(); j++) {
            end += q[j];
            table.entries.push_back({end, b.columns_of(row)[j], b.values_of(row)[j] > 0 ? 1 : -1});
        }
        table.first.push_back(static_cast<std::uint32_t>(table.entries.size()));
    }
    return table;
}

std::vector<std::int64_t> flow_starts(std::span<const double> b, std::uint64_t walkers, const PhiloxKeys& keys,
                                      std::uint32_t launch) {
    const StartTable table = start_table(b);
    const bench::Uint128 u = flow_start_word(keys, launch);
    std::vector<std::int64_t> counts(b.size());
    std::uint64_t before = 0;
    for (std::size_t i = 0; i < table.start.size(); i++) {
        const auto upto = static_cast<std::uint64_t>((walkers * (bench::Uint128{table.last[i]} + 1) + u) >> 64);
        const auto count = static_cast<std::int64_t>(upto - before);
        counts[table.start[i].state] = table.start[i].weight > 0 ? count : -count;
        before = upto;
    }
    return counts;
}

FlowOutcome replay_flows(const FlowTable& table, std::vector<std::int64_t> starts, const PhiloxKeys& keys,
                         std::uint32_t launch, std::uint32_t generations) {
    const std::int64_t most = most_walkers(table);
    FlowOutcome outcome{.tallies = starts};
    for (std::vector<std::int64_t> counts = std::move(starts); any(counts) && outcome.generations < generations;) {
        outcome.generations++;
        counts = moved(table.view(), counts, most, keys, launch, outcome.generations);
        std::transform(counts.begin(), counts.end(), outcome.tallies.begin(), outcome.tallies.begin(), std::plus<>{});
    }
    return outcome;
}

}  // namespace mcls
