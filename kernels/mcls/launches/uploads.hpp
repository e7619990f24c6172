// What a step walks, in device memory. Step::equip makes it of the Walks of a launch.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <vector>

#include "bench/step.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/mcls/problem/design.hpp"
#include "kernels/mcls/tables/methods.hpp"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

/// The place of tables in device memory: it copies them there, and keeps them.
class OnDevice {
 public:
    /// Throws CudaError.
    template <class T>
    const T* operator()(const std::vector<T>& values) {
        const auto copy = std::make_shared<bench::DeviceBuffer<T>>(bench::on_device(values));
        kept_.push_back(copy);
        return copy->data();
    }

 private:
    std::vector<std::shared_ptr<const void>> kept_;
};

/// Equipment of a step: a history's method whose tables are in device memory.
template <class Of>
struct Uploaded : bench::Equipment {
    /// Throws CudaError, and bench::UsageError if the step cannot walk the system.
    explicit Uploaded(const Walks& walks);

    OnDevice tables;
    Of method;
    bench::DeviceBuffer<bench::Count> cells;  // of a kernel whose tallies a second one makes from them
};

template <class Of>
const Of& uploaded(const bench::Launch& l) {
    return static_cast<const Uploaded<Of>*>(l.equipment)->method;
}

template <class Of>
bench::Count* cells_of(const bench::Launch& l) {
    return static_cast<const Uploaded<Of>*>(l.equipment)->cells.data();
}

/// For Step::equip: an Uploaded, of SlotPaths that of their length. Throws as Uploaded.
template <class Of>
std::unique_ptr<bench::Equipment> upload(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    if constexpr (std::is_same_v<Of, SlotPaths>) {
        return length_of_paths(walks) == 3 ? upload<SlotWalks<3>>(l) : upload<SlotWalks<2>>(l);
    } else {
        return std::make_unique<Uploaded<Of>>(walks);
    }
}

/// The design of a step on a GPU whose histories are those of `Of`: as design_of(), with the upload.
template <class Of>
constexpr Design design_on_gpu(Design rest) {
    rest.upload = upload<Of>;
    return design_of<Of>(rest);
}

/// How many of n tallies a block has in shared memory: all, if they fit, or none.
constexpr std::uint32_t tallies_in_shared(std::uint32_t n) {
    constexpr std::uint32_t most = 56 * 1024;
    return n <= most ? n : 0;
}

/// For Design::shared_bytes: those tallies.
inline std::size_t bytes_of_tallies(const Walks& walks, unsigned) {
    return tallies_in_shared(walks.n) * sizeof(std::uint32_t);
}

/// Sets the cells of a launch to zero.
template <class Of>
cudaError_t clear_cells(const bench::Launch& l) {
    const auto& cells = static_cast<const Uploaded<Of>*>(l.equipment)->cells;
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
