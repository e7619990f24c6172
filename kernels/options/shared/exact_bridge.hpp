// A Brownian bridge in double precision, for host replays.
#pragma once

#include <cmath>
#include <vector>

namespace options {

/// The moves of a Brownian motion in `steps` steps, a power of two, by halving: normal number 0 gives the end, number 2^j + i
/// the middle of part i of 2^j parts. Normals and moves lie `stride` numbers apart.
inline void bridge(unsigned steps, const double* normals, double* moves, unsigned stride) {
    std::vector<double> level(steps + 1);
    level[steps] = std::sqrt(steps) * normals[0];
    for (unsigned parts = 1; parts < steps; parts *= 2) {
        const unsigned length = steps / parts;
        for (unsigned i = 0; i < parts; i++) {
            const double left = level[i * length], right = level[(i + 1) * length];
            level[i * length + length / 2] = (left + right) / 2 + std::sqrt(length) / 2 * normals[(parts + i) * stride];
        }
    }
    for (unsigned t = 0; t < steps; t++) moves[t * stride] = level[t + 1] - level[t];
}

}  // namespace options
