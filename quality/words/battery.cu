#include <algorithm>
#include <cmath>

#include "bench/workers/resources.hpp"
#include "quality/words/battery.hpp"
#include "quality/words/tests_of.cuh"

namespace quality::words {
namespace {

constexpr std::size_t stored_parities = 8;

/// Transforms in place: element m becomes the sum over v of (-1)^(parity of m & v) times element v.
void walsh_hadamard(std::vector<std::int64_t>& values) {
    for (std::size_t half = 1; half < values.size(); half *= 2) {
        for (std::size_t block = 0; block < values.size(); block += 2 * half) {
            for (std::size_t i = block; i < block + half; i++) {
                const std::int64_t sum = values[i] + values[i + half];
                values[i + half] = values[i] - values[i + half];
                values[i] = sum;
            }
        }
    }
}

std::string bits_of(std::size_t mask, const std::function<std::string(unsigned)>& bit_name) {
    std::string names;
    for (unsigned bit = 0; mask >> bit != 0; bit++) {
        if (mask >> bit & 1) {
            names += (names.empty() ? "" : ", ") + bit_name(bit);
        }
    }
    return names;
}

}  // namespace

Largest largest_parities(const std::string& name, const Count* counts, unsigned bits,
                         const std::function<std::string(unsigned)>& bit_name) {
    std::vector<std::int64_t> sums = as_signed(counts, std::size_t{1} << bits);
    walsh_hadamard(sums);
    Largest found = {name, static_cast<std::uint64_t>(sums[0]), sums.size() / 2, 0, {}, {}};
    std::vector<std::size_t> masks;  // of those with the newest bit
    for (std::size_t mask = 1; mask < sums.size(); mask += 2) {
        masks.push_back(mask);
        found.chi2 += std::pow(static_cast<double>(sums[mask]), 2) / static_cast<double>(found.terms);
    }
    const auto end = masks.begin() + stored_parities;
    std::partial_sort(masks.begin(), end, masks.end(),
                      [&](auto a, auto b) { return std::abs(sums[a]) > std::abs(sums[b]); });
    for (auto mask = masks.begin(); mask != end; ++mask) {
        found.sums.push_back(sums[*mask]);
        found.of_draws.push_back(bits_of(*mask, bit_name));
    }
    return found;
}

const std::vector<Test>& tests() {
    static const std::vector<Test> all = joined({alternating_tests(), dot_tests(), folded_tests(), mrg_tests(),
                                                 philox_tests(), shifted_tests(), xorwow_tests(), faulty_tests()});
    return all;
}

std::vector<Count> sums_on_gpu(const Test& test, const Range& range, const std::function<void(std::uint64_t)>& after) {
    const bench::DeviceBuffer<Count> sums(test.sums);
    CUDA_CHECK(cudaMemset(sums.data(), 0, test.sums * sizeof(Count)));
    CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(test.kernel),
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(test.shared_bytes)));
    const bench::Shape shape = test.size.shape;
    for (std::uint64_t i = 0; i < range.launches; i++) {
        test.kernel<<<shape.blocks, shape.threads, test.shared_bytes>>>(
            sums.data(), {test.size, range.seed, range.order, range.first + i});
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaDeviceSynchronize());
        after(i + 1);
    }
    std::vector<Count> found(test.sums);
    CUDA_CHECK(cudaMemcpy(found.data(), sums.data(), test.sums * sizeof(Count), cudaMemcpyDeviceToHost));
    return found;
}

std::vector<Count> sums_on_host(const Test& test, const Range& range) {
    std::vector<Count> sums(test.sums);
    for (std::uint64_t i = 0; i < range.launches; i++) {
        test.on_host(sums.data(), {test.size, range.seed, range.order, range.first + i});
    }
    return sums;
}

}  // namespace quality::words
