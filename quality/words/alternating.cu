#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> alternating_tests() { return all_tests<rng::AlternatingMrgDraws>("alternating_mrg"); }

}  // namespace quality::words
