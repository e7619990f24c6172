#include <cstdint>

#include "kernels/mcls/launches/counted_paths.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/quarter_paths.cuh"
#include "kernels/mcls/tables/walks.hpp"
#include "kernels/random/thread_id.cuh"

namespace mcls {
namespace {

__global__ void add_visits(const __grid_constant__ QuarterPaths method, const bench::Count* cells, Counts counts) {
    const auto cell = static_cast<std::uint32_t>(rng::grid_thread());
    Work done;
    if (cell < method.n * QuarterPaths::cells) {
        const bench::Count walkers = cells[cell];
        method.visits_of(cell, [&](std::uint32_t entry) {
            done.transitions += walkers;
            counts.tallies().add(entry, static_cast<std::int64_t>(walkers) * method.amount);
        });
    }
    counts.add_work(done);
}

}  // namespace

cudaError_t clear_counted_paths(const bench::Launch& l) {
    if (const auto error = clear_cells<QuarterPaths>(l)) return error;
    return clear_counts(l);
}

cudaError_t add_counted_paths(const bench::Launch& l) {
    constexpr unsigned block = 256;
    const std::uint32_t cells = walks_of(l.problem).n * QuarterPaths::cells;
    add_visits<<<(cells + block - 1) / block, block, 0, l.stream>>>(uploaded<QuarterPaths>(l),
                                                                    cells_of<QuarterPaths>(l), Counts{l.counts});
    return cudaGetLastError();
}

}  // namespace mcls
