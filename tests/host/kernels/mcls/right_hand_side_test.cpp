// Right-hand sides by name and from files.
#include "kernels/mcls/system/right_hand_side.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "bench/errors.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using std::string;
using std::vector;

class RightHandSide : public InAFolder {
 protected:
    vector<double> entries_in(const string& text, std::uint32_t n) const {
        std::ofstream(path, std::ios::binary) << text;
        return mcls::right_hand_side(path, n);
    }

    /// The line without the folder of the file.
    string refusal_of(const string& text, std::uint32_t n) const {
        string line = line_of<bench::UsageError>([&] { entries_in(text, n); });
        const auto at = line.find(path);
        return at == line.npos ? line : line.replace(at, path.size(), "rhs");
    }
};

TEST_F(RightHandSide, HasNames) {
    EXPECT_EQ(mcls::right_hand_side("ones", 3), (vector<double>{1, 1, 1}));
    const vector<double> sine = mcls::right_hand_side("sine", 5), expected{0, std::sqrt(0.5), 1, std::sqrt(0.5), 0};
    ASSERT_EQ(sine.size(), expected.size());
    for (std::size_t i = 0; i < sine.size(); i++) {
        EXPECT_NEAR(sine[i], expected[i], 1e-15) << i;
    }
}

TEST_F(RightHandSide, IsReadFromAFileWithANumberOnEachLine) {
    EXPECT_EQ(entries_in("1\n-2.5e-1\r\n\n 0 \n", 3), (vector<double>{1, -0.25, 0}));
}

TEST_F(RightHandSide, RefusesAFileThatDoesNotFitTheMatrix) {
    EXPECT_EQ(refusal_of("1\n2\n3\n", 4), "rhs has 3 entries, matrix 4");
    EXPECT_EQ(refusal_of("1\n2\n3\n", 2), "rhs has 3 entries, matrix 2");
    EXPECT_EQ(refusal_of("1\n2 3\n", 3), "rhs:2: expected a number, found '2 3'");
    EXPECT_EQ(refusal_of("x\n", 1), "rhs:1: expected a number, found 'x'");
    EXPECT_EQ(refusal_of("1\nnan\n", 2), "rhs: value nan in line 2");
    EXPECT_EQ(line_of<bench::UsageError>([] { mcls::right_hand_side("sinus", 2); }),
              "cannot read sinus: No such file or directory");
}

TEST_F(RightHandSide, IsRefusedWhereverItIsCut) {
    const string text = "1.25\n-3e10\n0.125\n";
    for (std::size_t length = 0; length < text.size(); length++) {
        EXPECT_NE(refusal_of(text.substr(0, length), 3), "") << "cut at " << length;
    }
}

}  // namespace
