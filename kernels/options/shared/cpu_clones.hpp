// The clones of a CPU step's loop, and its launches: 256 streams of 64 generators side by side. Lane i of stream s has the words of
// the GPU's thread 64 s + i.
#pragma once

#include "bench/step.hpp"
#include "kernels/cpu/instruction_sets.hpp"
#include "kernels/options/shared/cpu_streams.hpp"
#include "kernels/random/draws.cuh"

namespace options {

inline constexpr unsigned vector_streams = 256;  // some for every core of any machine
inline constexpr unsigned generators = vector_streams * lanes_of_stream;

/// A loop, compiled for an instruction set.
using Clone = bench::Clone<StreamLoop>;

/// Step::counts.
inline std::size_t vector_counts(bench::Shape) { return std::size_t{vector_columns} * vector_streams; }

/// The words with which the generators of a stream of a launch start.
inline LaneStates states_of(const bench::Launch& l, unsigned stream) {
    LaneStates states;
    for (unsigned lane = 0; lane < lanes_of_stream; lane++) {
        const rng::HashedState hashed = {{l.seed, l.index, generators, lanes_of_stream * stream + lane}};
        for (unsigned i = 0; i < LaneStates::lag; i++) states.word[i][lane] = hashed(i);
        states.word[0][lane] |= 1;
    }
    return states;
}

/// A stream of a launch publishes its sums.
inline void run_stream(const bench::Launch& l, StreamLoop loop, unsigned stream) {
    bench::Count columns[vector_columns] = {};
    loop(states_of(l, stream), l.iters, columns);
    for (unsigned i = 0; i < vector_columns; i++) l.counts[i * vector_streams + stream] = columns[i];
}

/// A launch.
inline void run_streams(const bench::Launch& l, StreamLoop loop) {
#pragma omp parallel for num_threads(l.shape.threads) schedule(dynamic)
    for (unsigned stream = 0; stream < vector_streams; stream++) run_stream(l, loop, stream);
}

}  // namespace options
