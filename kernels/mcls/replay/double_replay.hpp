// Launches of the steps with tables in double precision, walked on the host by the threads of the GPU.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/mcls/shared/double_walks.cuh"

namespace mcls {

/// How a step seeds the generators of its threads.
enum class Seeding {
    subsequences,       // the run's seed, each thread a subsequence
    own_seeds,          // own_seed()
    consecutive_seeds,  // the run's seed plus the number of the thread in the run
    random_seeds        // 31 random bits
};

/// One launch. History h is walked by thread h modulo the number of threads.
struct DoubleLaunch {
    Seeding seeding;
    std::uint64_t seed;  // of the run
    std::uint64_t index;
    std::uint64_t threads;
    std::uint64_t histories;
};

/// The sum of what histories add to an entry of x.
struct DoubleTally {
    double sum = 0;
    double size = 0;  // the sum of the absolute values
    std::uint64_t visits = 0;

    void add(double amount);
    void add_atomically(double amount);
    void add(const DoubleTally& other);

    /// Sums of the same visits in another order differ from each other by less.
    double rounding() const { return static_cast<double>(visits) * 0x1p-52 * size; }
};

struct DoubleOutcome {
    std::vector<DoubleTally> tallies;  // of the entries of x
    std::uint64_t histories = 0;
    std::uint64_t transitions = 0;
};

/// All pointers are to host memory.
DoubleOutcome replay(const AdjointTables<CsrRows>& tables, const DoubleLaunch& launch);

/// Each thread draws the starts of its histories first. Then starts are sorted, and history h has start number h.
DoubleOutcome replay_sorted(const AdjointTables<CsrRows>& tables, const DoubleLaunch& launch);

/// History h starts at entry h / histories_of_entry.
DoubleOutcome replay(const ForwardTables<CsrRows>& tables, const DoubleLaunch& launch);

/// All histories of entry i are walked by thread i modulo the number of threads.
DoubleOutcome replay_by_entries(const ForwardTables<CsrRows>& tables, const DoubleLaunch& launch);

}  // namespace mcls
