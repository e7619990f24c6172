// What the steps with tables in double precision have in common for the harness.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>

#include "bench/step.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/problem/options.hpp"
#include "kernels/mcls/replay/replays.hpp"
#include "kernels/mcls/shared/double_walks.cuh"
#include "kernels/mcls/shared/resident.cuh"

namespace mcls {

/// The grid: 2^20 threads, and as many adjoint histories a launch, so that each thread walks one, as in the report.
inline constexpr unsigned report_blocks = 4096, report_threads = 256;

/// Of these blocks so many are resident on a multiprocessor at least: with 8, some kernels spill registers.
inline constexpr unsigned report_resident = resident_blocks(report_threads, 6);

/// Histories of a launch of a forward step: on a small system few threads walk, and each one walks many histories.
inline constexpr unsigned forward_histories = 200'000;

template <class Tables>
inline constexpr bool are_forward = false;
template <class Rows>
inline constexpr bool are_forward<ForwardTables<Rows>> = true;

/// The design of a step on AdjointTables or ForwardTables. `replay` is one of replay/replays.hpp: it knows the seeds.
template <class Tables>
constexpr Design design_of_report(Replayed (*replay)(const bench::Launch&),
                                  bench::Soundness soundness = bench::Soundness::not_tested) {
    return {
        .method = are_forward<Tables> ? Method::forward : Method::adjoint,
        .table = Table::own,
        .tallies = bench::TallyType::doubles,
        .generator = "cuRAND XORWOW, doubles",
        .soundness = soundness,
        .histories = are_forward<Tables> ? forward_histories : report_blocks * report_threads,
        .replay = replay,
        .upload = upload<Tables>,
    };
}

/// For Step::scratch_bytes: a state of XORWOW for each thread.
std::size_t states_bytes(bench::Shape shape, unsigned iters);

/// A phase: the states of the threads, each with a seed of its own, as v2 introduced them.
cudaError_t make_states(const bench::Launch& l);

}  // namespace mcls
