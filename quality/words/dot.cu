#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> dot_tests() { return all_tests<rng::DotMrgDraws>("dot_mrg"); }

}  // namespace quality::words
