// What a step walks, in device memory. Step::equip makes it of the Walks of a launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>

#include "bench/step.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/mcls/device/equal_slots.cuh"
#include "kernels/mcls/device/quarter_paths.cuh"
#include "kernels/mcls/device/strata.cuh"
#include "kernels/mcls/device/walk.cuh"
#include "kernels/mcls/problem/walks.hpp"

namespace mcls {

using bench::on_device;

/// Equipment of a step: a history's method whose tables are in device memory.
template <class Method>
struct Uploaded : bench::Equipment {
    Method method;
    bench::DeviceBuffer<bench::Count> cells;  // of a kernel whose tallies a second one makes from them

 protected:
    explicit Uploaded(const Method& method, std::size_t cells = 0) : method(method), cells(cells) {}
};

template <class Method>
const Method& uploaded(const bench::Launch& l) {
    return static_cast<const Uploaded<Method>*>(l.equipment)->method;
}

template <class Method>
bench::Count* cells_of(const bench::Launch& l) {
    return static_cast<const Uploaded<Method>*>(l.equipment)->cells.data();
}

/// For Step::equip. They throw CudaError, and UsageError if the step cannot walk the system.
std::unique_ptr<bench::Equipment> upload_adjoint_cdf(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_adjoint_alias(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_forward_alias(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_stratified_alias(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_short_rows(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_guided_short_rows(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_quarter_paths(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_equal_slots(const bench::Launch& l);
/// On paths of two transitions, SlotWalks<2>, or of three.
std::unique_ptr<bench::Equipment> upload_paths_of_two(const bench::Launch& l);
std::unique_ptr<bench::Equipment> upload_paths_of_three(const bench::Launch& l);

/// Sets the cells of a launch to zero.
template <class Method>
cudaError_t clear_cells(const bench::Launch& l) {
    const auto& cells = static_cast<const Uploaded<Method>*>(l.equipment)->cells;
    return cudaMemsetAsync(cells.data(), 0, cells.size() * sizeof(bench::Count), l.stream);
}

/// Sets the counts of a launch to zero: a phase of a step.
inline cudaError_t clear_counts(const bench::Launch& l) {
    const std::size_t counts = first_tally + walks_of(l.problem).n;
    return cudaMemsetAsync(l.counts, 0, counts * sizeof(bench::Count), l.stream);
}

/// Sets the numbers of transitions and histories of a launch to zero: a phase of a step that stores each tally once.
inline cudaError_t clear_work(const bench::Launch& l) {
    return cudaMemsetAsync(l.counts, 0, first_tally * sizeof(bench::Count), l.stream);
}

}  // namespace mcls
