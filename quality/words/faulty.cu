// Generators with known faults, which the tests must find.
#include "quality/specimens.cuh"
#include "quality/words/tests_of.cuh"

namespace quality::words {

std::vector<Test> faulty_tests() {
    using Unmixed = Streams<UnmixedMrgDraws, 3, 20>;
    using Shift = Streams<ShiftMrgDraws, 3, 20>;
    return joined({
        general_tests<Unmixed>("unmixed_mrg"),
        recurrence_tests<Unmixed>("unmixed_mrg"),
        {test_of<ParitiesOf<Shift>::Recurrence>("shift_mrg", "recurrence", 2048),
         test_of<ParitiesOf<Shift>::SquaredRecurrence>("shift_mrg", "squared", 2048)},
        {test_of<ParitiesOf<Streams<BadDotMrgDraws, 5, 17>>::Recurrence>("bad_dot_mrg", "recurrence", 2048)},
        general_tests<Streams<rng::LcgDraws, 3, 20>>("lcg"),
        first_word_tests<ConsecutiveSeedDraws<rng::lcg>>("lcg_consecutive"),
    });
}

}  // namespace quality::words
