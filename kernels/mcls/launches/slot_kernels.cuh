// The kernels of steps that walk on equal slots.
#pragma once

#include <cuda_runtime.h>

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "kernels/mcls/shared/counts.cuh"
#include "kernels/mcls/shared/equal_slots.cuh"
#include "kernels/mcls/shared/regeneration.cuh"
#include "kernels/mcls/shared/shared_tallies.cuh"
#include "kernels/mcls/shared/windows.cuh"
#include "kernels/mcls/tables/walks.hpp"
#include "kernels/random/thread_id.cuh"

namespace mcls {

/// What a block of walk_slots has in shared memory: tables, and a window of cells and classes.
struct SlotMemory {
    static constexpr std::uint32_t half = 110 * 1024, all = 224 * 1024;  // of a multiprocessor

    /// Where histories reach far, a large window is worth more than a second block.
    static std::size_t bytes_of_block(const Walks& walks, unsigned) { return walks.reach > 512 ? all : half; }

    /// The window of as many states as fit beside the tables.
    static std::uint32_t window_of(const SlotRows& rows, std::size_t bytes) {
        const std::size_t tables = rows.factors_size * sizeof(double) + rows.classes * Slot::slots * sizeof(Slot);
        const std::size_t state = rows.cells * sizeof(std::uint32_t) + sizeof(std::uint8_t);
        const auto most = static_cast<std::uint32_t>((bytes - tables) / state);
        return rows.n < most ? rows.n : most;
    }
};

/// Walks the histories of a block. Cells of a window around its starts have their lower halves in shared memory.
template <std::uint32_t length>
__device__ __forceinline__ void walk_slots(const SlotWalks<length>& method, const PhiloxKeys& keys,
                                           std::uint32_t launch, std::uint64_t histories, std::uint32_t window,
                                           Tallies cells, Counts counts) {
    extern __shared__ double slot_memory[];
    const SlotRows& rows = method.rows;
    double* const factors = slot_memory;
    auto* const slots = reinterpret_cast<Slot*>(factors + rows.factors_size);
    auto* const low = reinterpret_cast<std::uint32_t*>(slots + rows.classes * Slot::slots);
    auto* const class_of = reinterpret_cast<std::uint8_t*>(low + window * rows.cells);
    const Share share(histories, window == rows.n ? Order::spread : Order::side_by_side);
    const std::uint32_t first = window_first(method, share, window);
    for (std::uint32_t i = threadIdx.x; i < rows.factors_size; i += blockDim.x) factors[i] = rows.factors[i];
    for (std::uint32_t i = threadIdx.x; i < rows.classes * Slot::slots; i += blockDim.x) slots[i] = rows.slots[i];
    for (std::uint32_t i = threadIdx.x; i < window; i += blockDim.x) class_of[i] = rows.class_of[first + i];
    const SharedTallies tallies(low, 0, window * rows.cells, {cells.tally + first * rows.cells});

    std::uint32_t state = 0, quads = 0;  // the state counts from `first`
    double weight = 0, least = 1;
    HistoryId id = {launch, 0};
    Work done;
    for (;;) {
        const bool fresh = quads == method.most_quads || fabs(weight) < least;
        if (fresh) {
            done.transitions += quads > 0 ? method.transitions_of(quads) : 0;
            quads = 0;
            if (!share.take(&id.history)) break;
            done.histories++;
        }
        const rng::PhiloxCounter quad = quad_of(keys, id, quads++);
        if (fresh) {
            const Start start = method.starts(method.start_word(id.history, quad.word[3]));
            state = start.state - first;
            weight = start.weight * method.scale;
            least = method.cutoff * fabs(weight);
        }
#pragma unroll
        for (unsigned i = 0; i < slot_paths_of_word * slot_words_of_quad; i++) {
            const std::uint32_t path =
                (quad.word[i / slot_paths_of_word] >> (6 * (i % slot_paths_of_word))) % Slot::slots;
            Slot slot;
            if (state < window) {
                slot = slots[class_of[state] * Slot::slots + path];
                tallies.add_inside(method.cell_of(state, slot), to_fixed(weight));
            } else {
                slot = slots[rows.class_of[first + state] * Slot::slots + path];
                cells.add(method.cell_of(first + state, slot), to_fixed(weight));
            }
            state += static_cast<std::uint32_t>(slot.delta());
            weight *= factors[slot.factor()];
        }
    }
    counts.add_work(done);
    tallies.flush();
}

/// Adds the visits that the cells stand for to the tallies, a thread a cell.
template <std::uint32_t length>
__global__ void add_cells(const __grid_constant__ SlotWalks<length> method, const bench::Count* cells, Counts counts) {
    const std::uint64_t cell = rng::grid_thread();
    if (cell >= std::uint64_t{method.rows.n} * method.rows.cells) return;
    method.visits_of(static_cast<std::uint32_t>(cell / method.rows.cells),
                     static_cast<std::uint32_t>(cell % method.rows.cells), static_cast<std::int64_t>(cells[cell]),
                     [&](std::uint32_t entry, std::int64_t amount) { counts.tallies().add(entry, amount); });
}

}  // namespace mcls
