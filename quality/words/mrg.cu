#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> mrg_tests() {
    using Generator = Streams<rng::MrgDraws, 13, 31>;
    const char* name = "mrg";
    return joined(
        {general_tests<Generator>(name), recurrence_tests<Generator>(name), first_word_tests<rng::MrgDraws>(name)});
}

}  // namespace quality::words
