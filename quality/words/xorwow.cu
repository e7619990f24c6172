#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> xorwow_tests() { return general_tests<Streams<rng::XorwowDraws, 1, 5>>("xorwow"); }

}  // namespace quality::words
