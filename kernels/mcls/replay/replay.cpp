#include "kernels/mcls/replay/replay.hpp"

#include <omp.h>

#include <algorithm>
#include <cstddef>

#include "kernels/mcls/shared/equal_slots.cuh"
#include "kernels/mcls/shared/guided_short_rows.cuh"
#include "kernels/mcls/shared/quarter_paths.cuh"
#include "kernels/mcls/shared/short_rows.cuh"
#include "kernels/mcls/shared/strata.cuh"

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

void add(Outcome& total, const Outcome& part) {  // a part has no tallies if threads share them
    std::transform(part.tallies.begin(), part.tallies.end(), total.tallies.begin(), total.tallies.begin(),
                   wrapping_sum);
    total.histories += part.histories;
    total.transitions += part.transitions;
    total.longest = std::max(total.longest, part.longest);
}

/// Adds to a tally that other threads add to.
void add_atomically(std::int64_t& tally, std::int64_t amount) {
    __atomic_fetch_add(reinterpret_cast<std::uint64_t*>(&tally), static_cast<std::uint64_t>(amount), __ATOMIC_RELAXED);
}

/// `shared`: the tallies of all threads, or null if each thread has its own in its outcome.
template <class Method>
void walk_one(const Method& method, const PhiloxKeys& keys, HistoryId id, std::int64_t* shared, Outcome& outcome) {
    const std::uint32_t transitions = method(keys, id, [&](std::uint32_t tally, std::int64_t amount) {
        const std::uint32_t entry = entry_of(method, tally);
        if (shared) {
            add_atomically(shared[entry], amount);
        } else {
            outcome.tallies[entry] = wrapping_sum(outcome.tallies[entry], amount);
        }
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

bool share_tallies(std::size_t n) {
    constexpr std::size_t most_of_own = std::size_t{1} << 16;
    return n > most_of_own;
}

template <class Method>
Outcome replay(const Method& method, const HistoryRange& histories) {
    const PhiloxKeys keys = keys_of(histories.seed);
    Outcome total{.tallies = std::vector<std::int64_t>(tallies_of(method))};
    const bool share = share_tallies(total.tallies.size());
#pragma omp parallel num_threads(replay_threads())
    {
        Outcome part{.tallies = std::vector<std::int64_t>(share ? 0 : total.tallies.size())};
#pragma omp for schedule(dynamic, 16)
        for (std::uint64_t i = 0; i < histories.count; i++) {
            walk_one(method, keys, {histories.launch, histories.first + i}, share ? total.tallies.data() : nullptr,
                     part);
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
