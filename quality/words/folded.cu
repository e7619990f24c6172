#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> folded_tests() {
    using Generator = Streams<rng::FoldedMrgDraws, 2, 11>;
    const char* name = "folded_mrg";
    return joined({general_tests<Generator>(name), recurrence_tests<Generator>(name),
                   first_word_tests<rng::FoldedMrgDraws>(name)});
}

}  // namespace quality::words
