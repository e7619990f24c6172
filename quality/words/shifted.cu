#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> shifted_tests() {
    using Generator = Streams<rng::ShiftedMrgDraws, 3, 20>;
    const char* name = "shifted_mrg";
    return joined({general_tests<Generator>(name), recurrence_tests<Generator>(name),
                   first_word_tests<rng::ShiftedMrgDraws>(name)});
}

}  // namespace quality::words
