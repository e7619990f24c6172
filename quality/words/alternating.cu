#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> alternating_tests() {
    using Generator = Streams<rng::AlternatingMrgDraws, 3, 20>;
    const char* name = "alternating_mrg";
    return joined({general_tests<Generator>(name), recurrence_tests<Generator>(name),
                   first_word_tests<rng::AlternatingMrgDraws>(name)});
}

}  // namespace quality::words
