// The loop of the CPU step in vector registers. This file is compiled once for each instruction set, as CLONE.
#include "kernels/options/normals/shared/normals.hpp"
#include "kernels/options/shared/cpu_sums.hpp"
#include "kernels/random/normals/box_muller.cuh"

namespace normals::CLONE {
namespace {

using options::CLONE::root_unit, options::CLONE::Floats, options::CLONE::Words, options::CLONE::width;

/// A pair of normals in each lane.
struct Pair {
    Floats sine, cosine;
};

/// rng::polynomial_pair.
__forceinline__ Pair polynomial_pair(Words radius_word, Words angle_word) {
    const Floats r = options::CLONE::radius(radius_word);
    const Floats y = options::CLONE::half_angle(angle_word), q = y * y;
    return {r * y * rng::sine_factor(q, root_unit), with_sign_of(radius_word, r * rng::half_cosine(q, root_unit))};
}

void add_groups(const options::LaneStates& states, unsigned groups, bench::Count* columns) {
    for (unsigned first = 0; first < options::lanes_of_stream; first += width) {
        options::CLONE::MrgDraws draw(states, first);
        options::CLONE::LaneSums<squares_bits, sum_bits> sums;
        for (unsigned i = 0; i < groups; i++) {
            Floats squares = 0, sum = 0;
            for (unsigned j = 0; j < normals_per_group / 2; j++) {
                const Words radius_word = draw(), angle_word = draw();
                const Pair z = polynomial_pair(radius_word, angle_word);
                sum = sum + z.sine;
                sum = sum + z.cosine;
                squares = fmaf(z.sine, z.sine, squares);
                squares = fmaf(z.cosine, z.cosine, squares);
            }
            sums.add(squares, sum);
        }
        sums.publish(columns);
    }
}

}  // namespace

extern const options::StreamLoop loop;
const options::StreamLoop loop = add_groups;

}  // namespace normals::CLONE
