// The generators give their known answers on the GPU too.
#include <vector>

#include "bench/workers/resources.hpp"
#include "kernels/random/curand.cuh"
#include "kernels/random/lcg.cuh"
#include "kernels/random/philox.cuh"
#include "kernels/random/xorshift32.cuh"
#include "tests/gpu/gpu_fixture.hpp"

namespace {

using Words = std::vector<unsigned>;
constexpr unsigned poison = 0xdeadbeefu;

class Generators : public GpuTest {
 protected:
    /// What `kernel` stores in `count` words of device memory, poisoned beforehand.
    static Words run(void (*kernel)(unsigned*), std::size_t count) {
        const bench::DeviceBuffer<unsigned> words(count);
        Words out(count, poison);
        CUDA_CHECK(cudaMemcpy(words.data(), out.data(), count * sizeof(unsigned), cudaMemcpyHostToDevice));
        kernel<<<1, 1>>>(words.data());
        CUDA_CHECK(cudaGetLastError());
        CUDA_CHECK(cudaMemcpy(out.data(), words.data(), count * sizeof(unsigned), cudaMemcpyDeviceToHost));
        return out;
    }
};

__global__ void draw_xorshift32(unsigned* out) {
    unsigned state = 2463534242u;
    for (int i = 0; i < 4; i++) out[i] = rng::xorshift32(&state);
}
TEST_F(Generators, Xorshift32) {
    EXPECT_EQ(run(draw_xorshift32, 4), (Words{723471715, 2497366906, 2064144800, 2008045182}));
}

__global__ void draw_lcgs(unsigned* out) {
    unsigned first = 0, second = 1;
    for (int i = 0; i < 4; i++) out[i] = rng::lcg(&first);
    for (int i = 4; i < 8; i++) out[i] = rng::lcg_glibc(&second);
}
TEST_F(Generators, Lcg) {
    EXPECT_EQ(run(draw_lcgs, 8), (Words{0x3c6ef35f, 0x47502932, 0xd1ccf6e9, 0xaaf95334,  //
                                        1103527590, 2524885223, 662824084, 3295386429}));
}

__global__ void draw_philox(unsigned* out) {
    const auto r = rng::philox4x32_10({{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344}}, {{0xa4093822, 0x299f31d0}});
    for (int i = 0; i < 4; i++) out[i] = r.word[i];
}
TEST_F(Generators, Philox) { EXPECT_EQ(run(draw_philox, 4), (Words{0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1})); }

__global__ void draw_curand(unsigned* out) {
    curandStateXORWOW_t xorwow;
    curand_init(1234, 1048575, 0, &xorwow);
    for (int i = 0; i < 4; i++) out[i] = curand(&xorwow);
    curandStatePhilox4_32_10_t philox;
    curand_init(1234, 1, 0, &philox);
    for (int i = 4; i < 8; i++) out[i] = curand(&philox);
}
TEST_F(Generators, Curand) {
    EXPECT_EQ(run(draw_curand, 8), (Words{988511670, 297613009, 2729661225, 3821460306,  //
                                          3507855656, 1392278645, 3354607383, 253049307}));
}

}  // namespace
