#include "kernels/mcls/replay/counted_walkers.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "kernels/mcls/replay/counted_bits.hpp"

namespace mcls::counted_walkers {
namespace {

constexpr unsigned round = Rounds::round;

using Quarters = std::array<std::uint32_t, 4>;

Quarters quarters_of_many(std::uint32_t walkers, Rounds& words) {
    const std::uint32_t ones = words.ones_among(walkers), zeros = walkers - ones;
    const std::uint32_t after_zero = words.ones_among(zeros), after_one = words.ones_among(ones);
    return {zeros - after_zero, after_zero, ones - after_one, after_one};
}

/// Their first bits are in the words with even numbers, the second ones in those that follow.
Quarters quarters_of_few(std::uint32_t walkers, Rounds& words) {
    Quarters quarters = {};
    const Rounds::Round drawn = words.next(2 * ((walkers + 31) / 32));
    for (std::uint32_t i = 0, left = walkers; left > 0; i += 2, left = after(left)) {
        const std::uint32_t all = part_of(~0u, left), first = drawn[i], second = drawn[i + 1];
        quarters[0] += ones_in(~first & ~second & all);
        quarters[1] += ones_in(~first & second & all);
        quarters[2] += ones_in(first & ~second & all);
        quarters[3] += ones_in(first & second & all);
    }
    return quarters;
}

/// The walkers of a block.
class Population {
 public:
    Population(const CountedWalkers& method, const bench::LaunchSpec& spec, std::uint64_t launch, std::uint32_t block)
        : method_(method), walkers_(method.n), visits_(method.n) {
        const unsigned threads = std::min(spec.shape.threads, method.n);
        for (unsigned thread = 0; thread < threads; thread++) {
            words_.emplace_back(bench::StreamId{spec.seed, launch, total_threads(spec.shape),
                                                std::uint64_t{block} * spec.shape.threads + thread});
        }
        const PhiloxKeys keys = keys_of(spec.seed);
        for (std::uint32_t place = 0; place < method.n; place++) {
            walkers_[place] =
                method.starting(place, keys, static_cast<std::uint32_t>(launch), block, spec.shape.blocks);
            histories_ += walkers_[place];
        }
    }

    void walk() {
        bool any = visit();
        for (std::uint32_t i = 0; i < method_.steps && any; i++) {
            move();
            any = visit();
        }
    }

    void add_to(Outcome& outcome) const {
        outcome.histories += histories_;
        outcome.transitions -= histories_;  // a history has one visit more
        for (std::uint32_t place = 0; place < method_.n; place++) {
            outcome.transitions += visits_[place];
            outcome.tallies[method_.state[place]] += static_cast<std::int64_t>(visits_[place]) * method_.amount;
        }
    }

 private:
    bool visit() {
        for (std::uint32_t place = 0; place < method_.n; place++) visits_[place] += walkers_[place];
        return std::any_of(walkers_.begin(), walkers_.end(), [](auto walkers) { return walkers > 0; });
    }

    void move() {
        std::vector<std::uint32_t> moved(method_.n + 1);
        for (std::uint32_t place = 0; place < method_.n; place++) {
            const std::uint32_t walkers = walkers_[place];
            if (walkers == 0) continue;
            Rounds& words = words_[place % words_.size()];
            const Quarters quarters =
                walkers <= 16 * round ? quarters_of_few(walkers, words) : quarters_of_many(walkers, words);
            for (unsigned slot = 0; slot < 4; slot++) moved[method_.next[place].place[slot]] += quarters[slot];
        }
        moved.pop_back();
        walkers_ = std::move(moved);
    }

    const CountedWalkers& method_;
    std::vector<Rounds> words_;  // of the threads that have places
    std::vector<std::uint32_t> walkers_;
    std::vector<std::uint64_t> visits_;
    std::uint64_t histories_ = 0;
};

}  // namespace

Outcome walked(const CountedWalkers& method, const bench::LaunchSpec& spec, std::uint64_t launch) {
    Outcome total = {.tallies = std::vector<std::int64_t>(method.n)};
#pragma omp parallel for num_threads(replay_threads()) schedule(dynamic)
    for (unsigned block = 0; block < spec.shape.blocks; block++) {
        Population population(method, spec, launch, block);
        population.walk();
#pragma omp critical
        population.add_to(total);
    }
    return total;
}

}  // namespace mcls::counted_walkers
