// The hybrid Tausworthe generator gives the words of its definition, which python's integers gave.
#include "kernels/random/hybrid_tausworthe.cuh"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace {

using Words4 = std::array<std::uint32_t, 4>;
using Words8 = std::array<std::uint32_t, 8>;

struct Known {
    Words4 state;
    Words8 first;
    std::uint32_t word_10000, word_1000000;
    Words4 state_after_8;
};

const Known known[] = {
    {{129, 130, 131, 132},
     {0x488f9a11, 0xc05e7057, 0x717e7a39, 0x8e54b9fb, 0xd38f5dd7, 0x41d61f7e, 0x1890ad01, 0x92f9c0e5},
     0x26a358cc,
     0xf9f06a63,
     {0x80802401, 0x00001400, 0x80048048, 0x927d70ac}},
    {{0x12345678, 0x9abcdef0, 0xdeadbeef, 0},
     {0xaf01f731, 0x72ad5587, 0xf8e39601, 0xb4e5d155, 0xc73249ef, 0x761a0770, 0xf0d089b5, 0x3936e466},
     0xb1d641ea,
     0xb00505d7,
     {0x3a676141, 0x827d294c, 0x22f5f3c3, 0xa3d95fa8}},
    {{0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff},
     {0xc3b592d2, 0x31e828f6, 0xe57b938a, 0x2144745c, 0x89ca9bc6, 0xa9fccc33, 0xe9a61d24, 0x88ae2f30},
     0x61eb828e,
     0x2f14693d,
     {0xc1fe0070, 0x000000c0, 0xf0007007, 0xb9505f87}},
    {{1234, 5678, 91011, 121314},
     {0x87254c05, 0x3acecbec, 0x56fd49fd, 0x428b88b2, 0xe7f31685, 0x2fa3b462, 0x0a4eab1d, 0xcea6346e},
     0xba36c67f,
     0x903cdb01,
     {0x96d31219, 0x00027440, 0x8a7f27fd, 0xd20875ca}},
};

TEST(HybridTausworthe, GivesTheKnownWordsAndStates) {
    for (const Known& expected : known) {
        rng::HybridTausworthe draw(expected.state[0], expected.state[1], expected.state[2], expected.state[3]);
        std::uint32_t word = 0;
        for (unsigned n = 1; n <= 1'000'000; n++) {
            word = draw();
            if (n <= 8) {
                EXPECT_EQ(word, expected.first[n - 1]) << n;
            }
            if (n == 8) {
                EXPECT_EQ((Words4{draw.state(0), draw.state(1), draw.state(2), draw.state(3)}), expected.state_after_8);
            }
            if (n == 10'000) {
                EXPECT_EQ(word, expected.word_10000);
            }
        }
        EXPECT_EQ(word, expected.word_1000000);
    }
}

using Register = unsigned (*)(unsigned*);
constexpr Register registers[] = {rng::tausworthe<13, 19, 1, 12>, rng::tausworthe<2, 25, 3, 4>,
                                  rng::tausworthe<3, 11, 4, 17>};

TEST(HybridTausworthe, RegistersStepAsDefined) {
    const Words4 expected[] = {{0x00080002, 0x80002001, 0x02001080, 0x01080002},
                               {0x00000800, 0x00008000, 0x00080000, 0x00800000},
                               {0x01000000, 0x00012000, 0x40000104, 0x02080001}};
    for (int i = 0; i < 3; i++) {
        unsigned state = 129;
        for (const std::uint32_t word : expected[i]) EXPECT_EQ(registers[i](&state), word) << "register " << i;
    }
}

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
