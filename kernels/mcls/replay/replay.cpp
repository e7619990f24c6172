#include "kernels/mcls/replay/replay.hpp"

#include <omp.h>

#include <algorithm>
#include <cstddef>

#include "kernels/mcls/device/equal_slots.cuh"
#include "kernels/mcls/device/guided_short_rows.cuh"
#include "kernels/mcls/device/quarter_paths.cuh"
#include "kernels/mcls/device/short_rows.cuh"
#include "kernels/mcls/device/strata.cuh"

namespace mcls {
namespace {

template <class Method>
std::size_t tallies_of(const Method& method) {
    return method.rows.n;
}

std::size_t tallies_of(const QuarterPaths& method) { return method.n; }

template <std::uint32_t length>
std::size_t tallies_of(const SlotWalks<length>& method) {
    return std::size_t{method.rows.n} * method.rows.cells;
}

template <class Method>
std::uint32_t entry_of(const Method&, std::uint32_t tally) {
    return tally;
}

std::uint32_t entry_of(const Adjoint<ShortRows>& method, std::uint32_t state) {
    return method.rows.entry_of[ShortState::place(state)];
}

// Tallies are added modulo 2^64; sums of signed ones may not overflow.
std::int64_t wrapping_sum(std::int64_t a, std::int64_t b) {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
}

void add(Outcome& total, const Outcome& part) {
    std::transform(part.tallies.begin(), part.tallies.end(), total.tallies.begin(), total.tallies.begin(),
                   wrapping_sum);
    total.histories += part.histories;
    total.transitions += part.transitions;
    total.longest = std::max(total.longest, part.longest);
}

template <class Method>
void walk_one(const Method& method, const PhiloxKeys& keys, HistoryId id, Outcome& outcome) {
    const std::uint32_t transitions = method(keys, id, [&](std::uint32_t tally, std::int64_t amount) {
        const std::uint32_t entry = entry_of(method, tally);
        outcome.tallies[entry] = wrapping_sum(outcome.tallies[entry], amount);
    });
    outcome.histories++;
    outcome.transitions += transitions;
    outcome.longest = std::max(outcome.longest, transitions);
}

}  // namespace

int replay_threads() {
    constexpr int most = 16;
    return std::min(most, omp_get_max_threads());
}

template <class Method>
Outcome replay(const Method& method, const HistoryRange& histories) {
    const PhiloxKeys keys = keys_of(histories.seed);
    const Outcome none{.tallies = std::vector<std::int64_t>(tallies_of(method))};
    Outcome total = none;
#pragma omp parallel num_threads(replay_threads())
    {
        Outcome part = none;
#pragma omp for schedule(dynamic, 16)
        for (std::uint64_t i = 0; i < histories.count; i++) {
            walk_one(method, keys, {histories.launch, histories.first + i}, part);
        }
#pragma omp critical
        add(total, part);
    }
    return total;
}

template Outcome replay(const Adjoint<CdfRows>&, const HistoryRange&);
template Outcome replay(const Adjoint<AliasRows>&, const HistoryRange&);
template Outcome replay(const Adjoint<ShortRows>&, const HistoryRange&);
template Outcome replay(const Forward<CdfRows>&, const HistoryRange&);
template Outcome replay(const Forward<AliasRows>&, const HistoryRange&);
template Outcome replay(const GuidedShortRows&, const HistoryRange&);
template Outcome replay(const Stratified<AliasRows>&, const HistoryRange&);
template Outcome replay(const QuarterPaths&, const HistoryRange&);
template Outcome replay(const SlotWalks<1>&, const HistoryRange&);
template Outcome replay(const SlotWalks<2>&, const HistoryRange&);
template Outcome replay(const SlotWalks<3>&, const HistoryRange&);

}  // namespace mcls
