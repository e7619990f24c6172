#include "kernels/mcls/replay/counted_paths.hpp"

#include <algorithm>
#include <functional>

namespace mcls::counted_paths {

DECLARE_CLONES(Walk, walk)

const std::vector<Clone>& clones() {
    static const std::vector<Clone> of_this_machine = CLONES(walk, x86_64_v4_with_counts);
    return of_this_machine;
}

Walked walked(const Clone& clone, const QuarterPaths& method, const PhiloxKeys& keys, std::uint32_t launch,
              std::uint64_t histories, int threads) {
    Histories all = {0, histories};
    Walked total = {.cells = std::vector<bench::Count>(std::size_t{method.n} * QuarterPaths::cells)};
#pragma omp parallel num_threads(threads)
    {
        std::vector<bench::Count> own(total.cells.size());
        const std::uint64_t taken = clone.made(method, keys, launch, all, own.data());
#pragma omp critical
        {
            std::transform(own.begin(), own.end(), total.cells.begin(), total.cells.begin(), std::plus());
            total.histories += taken;
        }
    }
    return total;
}

std::vector<bench::Count> counts_of(const QuarterPaths& method, const Walked& walked) {
    std::vector<bench::Count> counts(first_tally + method.n);
    for (std::uint32_t cell = 0; cell < walked.cells.size(); cell++) {
        method.visits_of(cell, [&](std::uint32_t entry) {
            counts[transitions_count] += walked.cells[cell];
            counts[first_tally + entry] += walked.cells[cell] * static_cast<bench::Count>(method.amount);
        });
    }
    counts[histories_count] = walked.histories;
    counts[transitions_count] -= walked.histories;  // a history has one visit more
    return counts;
}

}  // namespace mcls::counted_paths
