// The normals of ziggurat.hpp again, one after the other and without blocks, for host replays.
#pragma once

#include <cstdint>
#include <random>

#include "bench/step.hpp"

namespace rng {

/// Those of one stream: words of std::mt19937, and the method as the paper has it. It shares the table of the layers with
/// ZigguratNormals.
class ReplayedZiggurat {
 public:
    /// Of the same stream as ZigguratNormals(id).
    explicit ReplayedZiggurat(const bench::StreamId& id);

    /// The next normal: the same float.
    float operator()();

 private:
    float of_tail();
    double uniform();

    std::mt19937 words_, others_;  // the second one is for all but the first word of a normal
};

}  // namespace rng
