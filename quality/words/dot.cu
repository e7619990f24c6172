#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> dot_tests() {
    using Generator = Streams<rng::DotMrgDraws, 5, 17>;
    const char* name = "dot_mrg";
    return joined(
        {general_tests<Generator>(name), recurrence_tests<Generator>(name), first_word_tests<rng::DotMrgDraws>(name)});
}

}  // namespace quality::words
