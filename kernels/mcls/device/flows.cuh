// All walkers of a state move at once: its count is split among the entries of its row, by unbiased random rounding.
// Walkers of opposite signs that meet in a state cancel.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "kernels/mcls/device/walk.cuh"

namespace mcls {

/// An entry of a row of B.
struct FlowEntry {
    std::uint64_t end;   // sum of the absorbing numerators of the row up to this one
    std::uint32_t next;  // state
    std::int32_t sign;   // of the entry
};
static_assert(sizeof(FlowEntry) == 16);

struct FlowRows {
    std::uint32_t n;
    const std::uint32_t* first;  // of each row, and the number of all entries: n + 1 values
    const FlowEntry* entries;

    /// Moves the walkers of a state: calls add(state, count) for each entry of its row. The count is theirs times the
    /// probability of the entry, rounded down or up by the word u so that its mean is exact; it has the entry's sign.
    /// |count| times the last `end` must be below 2^63.
    template <class Add>
    __host__ __device__ __forceinline__ void operator()(std::uint32_t state, std::int64_t count, std::uint32_t u,
                                                        Add add) const {
        std::int64_t before = 0;
        for (std::uint32_t place = first[state]; place < first[state + 1]; place++) {
            const FlowEntry entry = entries[place];
            const std::int64_t upto = (count * static_cast<std::int64_t>(entry.end) + u) >> 32;
            add(entry.next, entry.sign * (upto - before));
            before = upto;
        }
    }
};

/// The word that rounds what leaves a state in generation 1, 2, ... Histories below 2^32 have other counters.
__host__ __device__ __forceinline__ std::uint32_t flow_word(const PhiloxKeys& keys, std::uint32_t launch,
                                                            std::uint32_t generation, std::uint32_t state) {
    return pi::philox4x32({{state, launch, generation, 1}}, keys).word[0];
}

/// The word that rounds the numbers at the start.
__host__ __device__ __forceinline__ std::uint64_t flow_start_word(const PhiloxKeys& keys, std::uint32_t launch) {
    const pi::PhiloxCounter quad = pi::philox4x32({{0, launch, 0, 2}}, keys);
    return (std::uint64_t{quad.word[0]} << 32) | quad.word[1];
}

}  // namespace mcls
