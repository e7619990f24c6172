// cuRAND's host API: curandGenerateNormal writes normals to device memory, with the generator that the argument names. The
// sum of their squares is not timed.
#include <cstdint>
#include <string>

#include "kernels/peers/curand.hpp"
#include "kernels/peers/sums.cuh"
#include "kernels/random/thread_id.cuh"

namespace {

constexpr std::uint64_t seed = 1234;
constexpr std::size_t normals = std::size_t{1} << 28;  // of a launch: 1 GiB

struct Kind {
    const char* name;  // of the argument
    const char* title;
    curandRngType_t type;
};

constexpr Kind kinds[] = {{"xorwow", "cuRAND XORWOW", CURAND_RNG_PSEUDO_XORWOW},
                          {"philox", "cuRAND Philox4x32-10", CURAND_RNG_PSEUDO_PHILOX4_32_10},
                          {"mrg32k3a", "cuRAND MRG32k3a", CURAND_RNG_PSEUDO_MRG32K3A},
                          {"mtgp32", "cuRAND MTGP32", CURAND_RNG_PSEUDO_MTGP32}};

const Kind& kind_of(const std::string& name) {
    for (const Kind& kind : kinds) {
        if (kind.name == name) return kind;
    }
    throw bench::UsageError("the argument is a generator: xorwow, philox, mrg32k3a or mtgp32");
}

__global__ void add_squares(double* totals, const float* numbers, std::size_t n) {
    double sum = 0, squares = 0;
    for (std::size_t i = rng::grid_thread(); i < n; i += rng::grid_threads()) {
        const double square = double{numbers[i]} * numbers[i];
        sum += square;
        squares += square * square;
    }
    peers::add_to(totals, sum, squares);
}

void measure(const Kind& kind) {
    const bench::DeviceBuffer<float> numbers(normals);
    const peers::Generator generator(kind.type);
    peers::check(curandSetPseudoRandomGeneratorSeed(generator.get(), seed), "curandSetPseudoRandomGeneratorSeed");
    peers::Totals totals;
    const unsigned blocks = 8 * peers::multiprocessors();
    const std::string name = std::string("curand_") + kind.name;
    peers::measure_mean({name, peers::curand_package(), kind.title, normals}, normals, [&](std::uint64_t) {
        const double ms = peers::between_events([&] {
            peers::check(curandGenerateNormal(generator.get(), numbers.data(), normals, 0, 1), "curandGenerateNormal");
        });
        totals.clear();
        add_squares<<<blocks, 256>>>(totals.data(), numbers.data(), normals);
        CUDA_CHECK(cudaGetLastError());
        return totals.read(ms);
    });
}

}  // namespace

int main(int count, char** arguments) {
    return peers::run("peer_normals_curand_host", [=] { measure(kind_of(count == 2 ? arguments[1] : "")); });
}
