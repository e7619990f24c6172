#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> mrg_tests() { return all_tests<rng::MrgDraws>("mrg"); }

}  // namespace quality::words
