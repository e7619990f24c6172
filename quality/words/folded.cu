#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> folded_tests() { return all_tests<rng::FoldedMrgDraws>("folded_mrg"); }

}  // namespace quality::words
