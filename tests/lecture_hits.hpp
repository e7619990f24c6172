// Hits of the ladder lecture in launch 0 of seed 1234, by the number of samples. They were counted with numpy from the
// definitions: stream_seed(1234, 0, t, 0) is the state of sample t, two LCG steps draw x and y, and a word times 2^-32 is a
// coordinate.
#pragma once

#include <cstdint>

struct LectureHits {
    unsigned samples;
    std::uint64_t hits;
};

inline constexpr LectureHits lecture_hits[] = {
    {1'000, 790}, {65'535, 51'416}, {1'000'000, 785'977}, {2'097'120, 1'647'369}};
