// The registers of the hybrid Tausworthe generator never die. Its words are tested in draws_test.cpp.
#include "kernels/random/hybrid_tausworthe.cuh"

#include <gtest/gtest.h>

namespace {

using Register = unsigned (*)(unsigned*);
constexpr Register registers[] = {rng::tausworthe<13, 19, 1, 12>, rng::tausworthe<2, 25, 3, 4>,
                                  rng::tausworthe<3, 11, 4, 17>};

TEST(HybridTausworthe, RegistersDieOnlyWithoutABitThatTheyUse) {
    struct Case {
        int which;
        unsigned first, after_100;
    };
    for (const auto& [which, first, after_100] : {Case{0, 0, 0},
                                                  {0, 1, 0},
                                                  {0, 2, 0x3ce2aa84},
                                                  {1, 1, 0},
                                                  {1, 7, 0},
                                                  {1, 8, 0x16222222},
                                                  {2, 1, 0},
                                                  {2, 15, 0},
                                                  {2, 16, 0x7c659f49}}) {
        unsigned state = first;
        for (int n = 0; n < 100; n++) registers[which](&state);
        EXPECT_EQ(state, after_100) << "register " << which << " from " << first;
    }
    for (const Register next : registers) {
        unsigned state = rng::tausworthe_used_bit;
        for (int n = 0; n < 100; n++) next(&state);
        EXPECT_NE(state, 0u);
    }
}

}  // namespace
