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
    EXPECT_EQ(refusal_of("1\n2\n3\n", 4), "rhs: it has 3 entries, the matrix 4 rows");
    EXPECT_EQ(refusal_of("1\n2\n3\n", 2), "rhs: it has 3 entries, the matrix 2 rows");
    EXPECT_EQ(refusal_of("1\n2 3\n", 3), "rhs:2: expected a number, found '2 3'");
    EXPECT_EQ(refusal_of("x\n", 1), "rhs:1: expected a number, found 'x'");
    EXPECT_EQ(refusal_of("1\nnan\n", 2), "rhs: value nan in line 2");
    EXPECT_EQ(line_of<bench::UsageError>([] { mcls::right_hand_side("sinus", 2); }),
              "cannot read sinus: No such file or directory");
}

TEST_F(RightHandSide, IsReadFromAnArrayOfTheMatrixMarket) {
    const string header = "%%MatrixMarket matrix array real general\n";
    EXPECT_EQ(entries_in(header + "% of SuiteSparse\n3 1\n1\n-.25\n+0\n", 3), (vector<double>{1, -0.25, 0}));
    EXPECT_EQ(entries_in("%%matrixmarket matrix array integer general\n1 1\n7\n", 1), (vector<double>{7}));
    EXPECT_EQ(refusal_of(header + "3 2\n1\n2\n3\n4\n5\n6\n", 3),
              "rhs: the array is 3 x 2, a right-hand side here 3 x 1");
    EXPECT_EQ(refusal_of(header + "2 1\n1\n2\n", 3), "rhs: the array is 2 x 1, a right-hand side here 3 x 1");
    EXPECT_EQ(refusal_of(header + "3 1\n1\n2\n", 3), "rhs: it has 2 entries, the matrix 3 rows");
    EXPECT_EQ(refusal_of("%%MatrixMarket matrix coordinate real general\n3 1 1\n1 1 1\n", 3),
              "rhs: coordinate not supported, only array");
    EXPECT_EQ(refusal_of("%%MatrixMarket matrix array complex general\n1 1\n1 0\n", 1),
              "rhs: complex not supported, only real, integer");
}

TEST_F(RightHandSide, IsRefusedWhereverItIsCutBeforeItsLastNumber) {
    const string text = "1.25\n-3e10\n0.125\n";
    for (std::size_t length = 0; length <= text.find("0.125"); length++) {
        EXPECT_NE(refusal_of(text.substr(0, length), 3), "") << "cut at " << length;
    }
}

}  // namespace
