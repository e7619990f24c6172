#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> philox_tests() {
    return joined(
        {general_tests<Streams<CountedPhiloxDraws, 3, 20>>("philox"), first_word_tests<CountedPhiloxDraws>("philox")});
}

}  // namespace quality::words
