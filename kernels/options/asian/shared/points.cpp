#include "kernels/options/asian/shared/points.hpp"

#include "bench/workers/check.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/options/shared/bridge.hpp"
#include "kernels/random/curand_directions.hpp"

namespace asian {
namespace {

struct Directions : bench::Equipment {
    explicit Directions(std::size_t words) : words(words) {}
    bench::DeviceBuffer<std::uint32_t> words;
};

}  // namespace

std::vector<std::uint32_t> directions_in_order(unsigned steps, Order order) {
    const auto numbers = rng::curand_directions(2 * steps);
    std::vector<std::uint32_t> ordered;
    for (unsigned k = 0; k < 32; k++) {
        for (unsigned row = 0; row < steps; row++) {
            const unsigned pair = order == Order::bridge ? options::node_of_visit(row, steps) : row;
            for (unsigned d : {2 * pair, 2 * pair + 1}) ordered.push_back(numbers[k * 2 * steps + d]);
        }
    }
    return ordered;
}

std::unique_ptr<bench::Equipment> equip_with_directions_of(unsigned steps, Order order, cudaStream_t stream) {
    const auto numbers = directions_in_order(steps, order);
    auto equipment = std::make_unique<Directions>(numbers.size());
    CUDA_CHECK(cudaMemcpyAsync(equipment->words.data(), numbers.data(), numbers.size() * sizeof(numbers[0]),
                               cudaMemcpyHostToDevice, stream));
    CUDA_CHECK(cudaStreamSynchronize(stream));
    return equipment;
}

const WordPair* directions_of(const bench::Launch& l) {
    return reinterpret_cast<const WordPair*>(static_cast<const Directions*>(l.equipment)->words.data());
}

}  // namespace asian
