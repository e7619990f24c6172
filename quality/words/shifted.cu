#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> shifted_tests() { return all_tests<rng::ShiftedMrgDraws>("shifted_mrg"); }

}  // namespace quality::words
