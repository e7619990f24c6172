// The normals of the steps whose normals are made of words, and how far the floats of a GPU may be from them.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "kernels/options/normals/shared/replay.hpp"
#include "kernels/pi/shared/sources.hpp"
#include "kernels/random/normals/exact_normals.hpp"

namespace reference {

/// A step, its words, and its normals.
struct Normals {
    const char* step;
    const bench::Source& source;
    rng::NormalsOf normals;
    bool dependent = false;  // on each other, however sound the words are
};

/// Every step and ablation whose normals are made of words.
inline const std::vector<Normals>& all_normals() {
    namespace sources = pi::sources;
    namespace replay = normals::replay;
    static const std::vector<Normals> all = {
        {"n1", sources::xorwow, replay::of_xorwow},
        {"n2", sources::hybrid_tausworthe, replay::of_tausworthe},
        {"n3", sources::hybrid_tausworthe, replay::of_tausworthe},
        {"n7", sources::philox7, replay::of_philox7},
        {"n8", sources::mrg, replay::of_mrg},
        {"n9", sources::mrg, replay::of_two_pipes},
        {"n9_polynomial", sources::mrg, replay::of_polynomials},
        {"n9_alternate", sources::mrg, replay::of_alternate_pipes},
        {"n10", sources::mrg, replay::of_inverse_cdf},
        {"n11", sources::mrg, replay::of_rotated_table, true},
        {"n11_shuffles", sources::mrg, replay::of_rotated_lanes, true},
        {"n12", sources::mrg, replay::of_unshifted_bits, true},
    };
    return all;
}

/// The first `pairs` pairs of a thread.
inline std::vector<rng::ExactPair> pairs_of(const Normals& step, const bench::StreamId& thread, unsigned pairs) {
    std::vector<rng::ExactPair> made;
    step.normals(2 * pairs, thread, 1, [&](const double* z) {
        for (unsigned i = 0; i < pairs; i++) made.push_back({z[2 * i], z[2 * i + 1]});
    });
    return made;
}

/// How far the normal z of a pair may be from it: the special function units of GPUs differ. A float u near 1 and its
/// logarithm have absolute errors, and so has r^2. They tell in pairs near 0.
inline double tolerance(const rng::ExactPair& pair, double z) {
    const double r = std::hypot(pair.first, pair.second);
    return 4e-6 * (1 + std::fabs(z)) + 1e-6 / (r + 1e-3);
}

}  // namespace reference
