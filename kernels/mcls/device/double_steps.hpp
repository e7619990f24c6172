// What the steps with tables in double precision have in common for the harness.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "bench/step.hpp"
#include "kernels/mcls/device/resident.cuh"
#include "kernels/mcls/problem/design.hpp"
#include "kernels/mcls/replay/replays.hpp"

namespace mcls {

/// The grid: 2^20 threads, and as many adjoint histories a launch, so that each thread walks one, as in the report.
inline constexpr unsigned report_blocks = 4096, report_threads = 256;

/// Of these blocks so many are resident on a multiprocessor at least: with 8, some kernels spill registers.
inline constexpr unsigned report_resident = resident_blocks(report_threads, 6);

/// Histories of a launch of a forward step: on a small system few threads walk, and each one walks many histories.
inline constexpr unsigned forward_histories = 200'000;

/// `replay` is one of replay/replays.hpp.
constexpr Design design_of_report(Method method, Replayed (*replay)(const bench::Launch&),
                                  bench::Soundness soundness = bench::Soundness::not_tested) {
    return {
        .method = method,
        .table = Table::own,
        .tallies = bench::TallyType::doubles,
        .generator = "cuRAND XORWOW, doubles",
        .soundness = soundness,
        .histories = method == Method::forward ? forward_histories : report_blocks * report_threads,
        .replay = replay,
    };
}

/// For Step::equip: tables in device memory. They throw CudaError, and bench::UsageError if a system is too large.
std::unique_ptr<bench::Equipment> upload_adjoint_csr(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_adjoint_structs(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_forward_csr(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_forward_structs(const bench::Launch& l);

/// For Step::scratch_bytes: a state of XORWOW for each thread.
std::size_t states_bytes(bench::Shape shape, unsigned iters);

/// A phase: the states of the threads, each with a seed of its own, as v2 introduced them.
cudaError_t make_states(const bench::Launch& l);

}  // namespace mcls
