#include "kernels/mcls/replay/double_replay.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "kernels/mcls/replay/replay.hpp"
#include "kernels/random/draws.cuh"

namespace mcls {
namespace {

using Read = Loads<Plainly>;

curandState_t state_of(Seeding seeding, const bench::StreamId& id) {
    curandState_t state;
    switch (seeding) {
        case Seeding::subsequences:
            curand_init(id.seed, rng::subsequence_of(id), 0, &state);
            return state;
        case Seeding::own_seeds:
            curand_init(own_seed(id), 0, 0, &state);
            return state;
        case Seeding::consecutive_seeds:
            curand_init(id.seed + rng::subsequence_of(id), 0, 0, &state);
            return state;
        case Seeding::random_seeds:
            curand_init(rng::state_of(id, 0) >> 1, 0, 0, &state);
            return state;
    }
    throw std::logic_error("a seeding");
}

/// The random numbers of one thread after the other.
class NumbersOfThreads {
 public:
    NumbersOfThreads(const DoubleLaunch& launch, std::uint64_t first) : launch_(launch), thread_(first) { seed(); }

    /// Those of the next thread.
    Uniforms next() {
        const Uniforms numbers(state_);
        thread_++;
        if (launch_.seeding == Seeding::subsequences) {
            skipahead_sequence(1, &state_);  // a tenth of the time that curand_init takes
        } else {
            seed();
        }
        return numbers;
    }

 private:
    void seed() { state_ = state_of(launch_.seeding, {launch_.seed, launch_.index, launch_.threads, thread_}); }

    const DoubleLaunch& launch_;
    std::uint64_t thread_;
    curandState_t state_;
};

DoubleOutcome nothing(std::uint32_t n) { return {.tallies = std::vector<DoubleTally>(n)}; }

void add(DoubleOutcome& total, const DoubleOutcome& part) {  // a part has no tallies if threads share them
    for (std::size_t j = 0; j < part.tallies.size(); j++) {
        total.tallies[j].add(part.tallies[j]);
    }
    total.histories += part.histories;
    total.transitions += part.transitions;
}

/// Calls walk(thread, numbers) for all threads that have any of `shares` histories or entries. Each thread of an OpenMP team
/// calls it, and does a part.
template <class Walk>
void for_threads(const DoubleLaunch& launch, std::uint64_t shares, Walk walk) {
    constexpr std::uint64_t piece = 16;
    const std::uint64_t threads = std::min(launch.threads, shares);
#pragma omp for schedule(dynamic)
    for (std::uint64_t first = 0; first < threads; first += piece) {
        NumbersOfThreads numbers_of_threads(launch, first);
        for (std::uint64_t thread = first; thread < std::min(first + piece, threads); thread++) {
            Uniforms numbers = numbers_of_threads.next();
            walk(thread, numbers);
        }
    }
}

/// What a thread of the host adds to: work of its own, and tallies that may be those of all.
struct Part {
    DoubleOutcome own;
    DoubleTally* shared;  // null: its own

    void add(std::uint32_t entry, double amount) {
        if (shared) {
            shared[entry].add_atomically(amount);
        } else {
            own.tallies[entry].add(amount);
        }
    }
};

/// What these threads add up to: walk(thread, numbers, part) adds the histories of one.
template <class Walk>
DoubleOutcome of_threads(const DoubleLaunch& launch, std::uint64_t shares, std::uint32_t n, Walk walk) {
    DoubleOutcome total = nothing(n);
    const bool share = share_tallies(n);
#pragma omp parallel num_threads(replay_threads())
    {
        Part part = {nothing(share ? 0 : n), share ? total.tallies.data() : nullptr};
        for_threads(launch, shares, [&](std::uint64_t thread, Uniforms& numbers) { walk(thread, numbers, part); });
#pragma omp critical
        add(total, part.own);
    }
    return total;
}

/// Adds to the tallies of the entries.
auto adds_to(Part& part) {
    return [&part](std::uint32_t entry, double amount) { part.add(entry, amount); };
}

void walk_forward(const ForwardTables<CsrRows>& tables, std::uint32_t entry, Uniforms& numbers, Part& part) {
    part.own.histories++;
    part.own.transitions +=
        forward_history<Read>(entry, tables, numbers, [&](double amount) { part.add(entry, amount); });
}

}  // namespace

void DoubleTally::add(double amount) { add({amount, std::abs(amount), 1}); }

void DoubleTally::add_atomically(double amount) {
#pragma omp atomic
    sum += amount;
#pragma omp atomic
    size += std::abs(amount);
#pragma omp atomic
    visits++;
}

void DoubleTally::add(const DoubleTally& other) {
    sum += other.sum;
    size += other.size;
    visits += other.visits;
}

DoubleOutcome replay(const AdjointTables<CsrRows>& tables, const DoubleLaunch& launch) {
    return of_threads(launch, launch.histories, tables.rows.n,
                      [&](std::uint64_t thread, Uniforms& numbers, Part& part) {
                          for (std::uint64_t h = thread; h < launch.histories; h += launch.threads) {
                              part.own.histories++;
                              part.own.transitions += adjoint_history<Read>(tables, numbers, adds_to(part));
                          }
                      });
}

DoubleOutcome replay_sorted(const AdjointTables<CsrRows>& tables, const DoubleLaunch& launch) {
    std::vector<std::uint32_t> starts(launch.histories);
    const auto draw = [&](std::uint64_t thread, Uniforms& numbers) {
        for (std::uint64_t h = thread; h < launch.histories; h += launch.threads) {
            starts[h] = start_state<Read>(tables.starts, numbers.next());
        }
    };
#pragma omp parallel num_threads(replay_threads())
    for_threads(launch, launch.histories, draw);
    std::vector<std::uint32_t> sorted = starts;
    std::sort(sorted.begin(), sorted.end());
    return of_threads(
        launch, launch.histories, tables.rows.n, [&](std::uint64_t thread, Uniforms& numbers, Part& part) {
            draw(thread, numbers);
            for (std::uint64_t h = thread; h < launch.histories; h += launch.threads) {
                part.own.histories++;
                part.own.transitions += adjoint_history_from<Read>(sorted[h], tables, numbers, adds_to(part));
            }
        });
}

DoubleOutcome replay(const ForwardTables<CsrRows>& tables, const DoubleLaunch& launch) {
    return of_threads(
        launch, launch.histories, tables.rows.n, [&](std::uint64_t thread, Uniforms& numbers, Part& part) {
            for (std::uint64_t h = thread; h < launch.histories; h += launch.threads) {
                walk_forward(tables, static_cast<std::uint32_t>(h / tables.histories_of_entry), numbers, part);
            }
        });
}

DoubleOutcome replay_by_entries(const ForwardTables<CsrRows>& tables, const DoubleLaunch& launch) {
    return of_threads(launch, tables.rows.n, tables.rows.n, [&](std::uint64_t thread, Uniforms& numbers, Part& part) {
        for (std::uint64_t entry = thread; entry < tables.rows.n; entry += launch.threads) {
            for (std::uint64_t r = 0; r < tables.histories_of_entry; r++) {
                walk_forward(tables, static_cast<std::uint32_t>(entry), numbers, part);
            }
        }
    });
}

}  // namespace mcls
