// Systems from files: what is read, what is refused, and that a damaged file never gives another matrix.
#include "kernels/mcls/system/matrix_market.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "bench/errors.hpp"
#include "tests/host/bench/test_files.hpp"

namespace {

using std::string;
using std::vector;

const string header = "%%MatrixMarket matrix coordinate real general\n";
const string size = "3 3 5\n";
const string entries = "1 1 4\n1 3 -0.5\n2 2 5e-1\n3 1 1.25\n3 3 0.125\n";

/// While this lives, the process may use only `bytes` more of memory.
class LittleMemory {
 public:
    explicit LittleMemory(rlim_t bytes) {
        EXPECT_EQ(getrlimit(RLIMIT_AS, &before_), 0);
        rlim_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        const rlimit limit = {pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE)) + bytes, before_.rlim_max};
        EXPECT_EQ(setrlimit(RLIMIT_AS, &limit), 0);
    }
    LittleMemory(const LittleMemory&) = delete;
    LittleMemory& operator=(const LittleMemory&) = delete;
    ~LittleMemory() { setrlimit(RLIMIT_AS, &before_); }

 private:
    rlimit before_ = {};
};

class MatrixMarket : public InAFolder {
 protected:
    void SetUp() override {
        InAFolder::SetUp();
        path = (folder / "mine.mtx").string();
    }

    mcls::System system_in(const string& text) const {
        std::ofstream(path, std::ios::binary) << text;
        return mcls::read_system(path);
    }

    /// The line without the folder of the file.
    string refusal_of(const string& text) const {
        string line = line_of<bench::UsageError>([&] { system_in(text); });
        const auto at = line.find(path);
        return at == line.npos ? line : line.replace(at, path.size(), "mine.mtx");
    }

    void expect_matrix(const string& text, const vector<std::uint64_t>& first, const vector<std::uint32_t>& column,
                       const vector<double>& value) const {
        const mcls::Sparse a = system_in(text).a;
        EXPECT_EQ(a.first, first) << text;
        EXPECT_EQ(a.column, column) << text;
        EXPECT_EQ(a.value, value) << text;
    }
};

vector<double> dense(const mcls::Sparse& a) {
    vector<double> values(std::size_t{a.n} * a.n);
    for (std::uint32_t row = 0; row < a.n; row++) {
        for (auto i = a.first[row]; i < a.first[row + 1]; i++) values[row * a.n + a.column[i]] += a.value[i];
    }
    return values;
}

/// The matrix of 3 rows in a file without comments, by another reader. Empty if anything but numbers follows the first line.
vector<double> dense_by_strtod(const string& text) {
    vector<double> numbers, values(9);
    std::istringstream words(text.substr(text.find('\n')));
    for (string word; words >> word;) {
        char* end = nullptr;
        numbers.push_back(std::strtod(word.c_str(), &end));
        if (end != word.data() + word.size()) return {};
    }
    for (std::size_t i = 3; i + 2 < numbers.size(); i += 3) {
        values.at(static_cast<std::size_t>(3 * numbers[i] + numbers[i + 1]) - 4) += numbers[i + 2];
    }
    return values;
}

TEST_F(MatrixMarket, IsReadWithARightHandSideOfOnes) {
    const mcls::System system = system_in(header + size + entries);
    EXPECT_EQ(system.name, "mine.mtx");
    EXPECT_EQ(system.a.n, 3u);
    EXPECT_EQ(system.b, (vector<double>{1, 1, 1}));
    expect_matrix(header + size + entries, {0, 2, 3, 5}, {0, 2, 1, 0, 2}, {4, -0.5, 0.5, 1.25, 0.125});
}

TEST_F(MatrixMarket, MayHaveCommentsBlankLinesTabsAndForeignLineBreaks) {
    expect_matrix(
        "%%MatrixMarket MATRIX Coordinate Real General\r\n% mine\r\n%\n\n  2\t2 2 \r\n\n 1 1 1\r\n2 2 2\n\n \n",
        {0, 1, 2}, {0, 1}, {1, 2});
    expect_matrix("%%MatrixMarket matrix coordinate real general\r1 1 1\r1 1 4\r", {0, 1}, {0}, {4});
}

TEST_F(MatrixMarket, MayHaveABannerInAnyCasePlusSignsAndExponentsOfFortran) {
    expect_matrix("%%matrixmarket matrix coordinate real general\n+2 2 2\n1 1 +15d-1\n+2 +2 +2D1\n", {0, 1, 2}, {0, 1},
                  {1.5, 20});
    expect_matrix("%%MATRIXMARKET MATRIX COORDINATE INTEGER GENERAL\n1 1 1\n1 1 +7\n", {0, 1}, {0}, {7});
}

TEST_F(MatrixMarket, WarnsInALineOfWhatIsOddInAFileThatIsRead) {
    const auto warning_of = [&](const string& text, const vector<double>& value) {
        testing::internal::CaptureStderr();
        EXPECT_EQ(system_in(text).a.value, value) << text;
        const string line = testing::internal::GetCapturedStderr();
        const auto at = line.find(path);
        return at == line.npos ? line : line.substr(at + path.size());
    };
    const string start = header + "2 2 2\n1 1 1\n";
    EXPECT_EQ(warning_of(start + "2 2 1e-310\n", {1, 1e-310}), "");
    EXPECT_EQ(warning_of(start + "2 2 25", {1, 25}),
              ": the last line has no line break: if the file was cut, its last number may be wrong\n");
    EXPECT_EQ(warning_of(start + "2 2 -1e-400\n", {1, 0}), ": -1e-400 in line 4 is taken as -0\n");
    EXPECT_EQ(
        warning_of(header + "2 2 2\n1 1 1e-400\n2 2 +1e-500", {0, 0}),
        ": 1e-400 in line 3 is taken as 0; the last line has no line break: if the file was cut, its last number may "
        "be wrong\n");
}

TEST_F(MatrixMarket, AddsDuplicates) {
    expect_matrix(header + "2 2 4\n2 2 1\n1 1 1\n2 2 0.5\n1 1 3\n", {0, 1, 2}, {0, 1}, {4, 1.5});
}

TEST_F(MatrixMarket, ASymmetricFileHasTheLowerTriangle) {
    const string symmetric = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n";
    expect_matrix(symmetric + "1 1 4\n2 1 -1\n2 2 5\n", {0, 2, 4}, {0, 1, 0, 1}, {4, -1, -1, 5});
    expect_matrix("%%MatrixMarket matrix coordinate real Hermitian\n2 2 3\n1 1 4\n2 1 -1\n2 2 5\n", {0, 2, 4},
                  {0, 1, 0, 1}, {4, -1, -1, 5});
    EXPECT_EQ(refusal_of(symmetric + "1 1 4\n1 2 -1\n2 2 5\n"),
              "mine.mtx: entry above the diagonal of a symmetric matrix in line 4");
}

TEST_F(MatrixMarket, AFileOfIntegersHasNoOtherNumbers) {
    const string integers = "%%MatrixMarket matrix coordinate integer general\n2 2 2\n";
    expect_matrix(integers + "1 1 -4\n2 2 9007199254740992\n", {0, 1, 2}, {0, 1}, {-4, 9007199254740992});
    EXPECT_EQ(refusal_of(integers + "1 1 4\n2 2 5.5\n"), "mine.mtx:4: expected 'row column integer', found '2 2 5.5'");
}

TEST_F(MatrixMarket, EveryWordOfTheHeaderCounts) {
    const auto with = [](const string& words) { return words + "\n" + size + entries; };
    const string expected = "mine.mtx:1: expected '%%MatrixMarket matrix coordinate real general', found '";
    for (const string& words :
         vector<string>{"%MatrixMarket matrix coordinate real general", "%%MatrixMarket matrix coordinate real",
                        "%%MatrixMarket matrix coordinate real general x", "3 3 5"}) {
        EXPECT_EQ(refusal_of(with(words)), expected + words + "'");
    }
    const std::pair<const char*, const char*> refusals[] = {
        {"vector coordinate real general", ": vector not supported, only matrix"},
        {"matrix array real general", ": array not supported, only coordinate"},
        {"matrix coordinate complex general", ": complex not supported, only real, integer"},
        {"matrix coordinate pattern general", ": pattern not supported, only real, integer"},
        {"matrix coordinate complex hermitian", ": complex not supported, only real, integer"},
        {"matrix coordinate real skew-symmetric", ": skew-symmetric not supported, only general, symmetric, hermitian"},
        {"matrix coordinate real symmetric", ": entry above the diagonal of a symmetric matrix in line 4"},
        {"matrix coordinate integer general", ":4: expected 'row column integer', found '1 3 -0.5'"},
    };
    for (const auto& [words, line] : refusals) {
        EXPECT_EQ(refusal_of(with(string("%%MatrixMarket ") + words)), string("mine.mtx") + line);
    }
}

TEST_F(MatrixMarket, EveryNumberOfTheSizeCounts) {
    EXPECT_EQ(refusal_of(header + "4 5 5\n" + entries), "mine.mtx: the matrix is 4 x 5, not square");
    EXPECT_EQ(refusal_of(header + "0 0 0\n"), "mine.mtx: the matrix is 0 x 0");
    EXPECT_EQ(refusal_of(header + "3000000000 3000000000 5\n" + entries), "mine.mtx: n 3000000000 exceeds 2^31 - 1");
    EXPECT_EQ(refusal_of(header + "2147483648 2147483648 5\n" + entries), "mine.mtx: n 2147483648 exceeds 2^31 - 1");
    EXPECT_EQ(refusal_of(header + "2147483647 2147483647 5\n" + entries), "mine.mtx: row 4 is empty");
    EXPECT_EQ(refusal_of(header + "2 2 5\n" + entries), "mine.mtx: index 3 outside 1..2 in line 4");
    EXPECT_EQ(refusal_of(header + "4 4 5\n" + entries), "mine.mtx: row 4 is empty");
    EXPECT_EQ(refusal_of(header + "3 3 12\n" + entries), "mine.mtx: header says 12 entries, 5 follow");
    EXPECT_EQ(refusal_of(header + "3 3 4\n" + entries), "mine.mtx: header says 4 entries, 5 follow");
    EXPECT_EQ(refusal_of(header + "3 3 18446744073709551615\n" + entries),
              "mine.mtx: header says 18446744073709551615 entries, 5 follow");
    for (const char* other : {"3 3", "3 3 5 5", "3 -3 5", "3 3 5.0", "3 3 x", "3 3 18446744073709551616"}) {
        EXPECT_EQ(refusal_of(header + other + "\n" + entries),
                  string("mine.mtx:2: expected 'rows columns entries', found '") + other + "'");
    }
    EXPECT_EQ(refusal_of(header + "% no more\n"),
              "mine.mtx:3: expected 'rows columns entries', found the end of the file");
}

TEST_F(MatrixMarket, RefusesALineThatIsNoEntry) {
    const string start = header + size + "1 1 1\n";
    for (const char* other : {"3 x", "1 2 3 4", "1 2 x", "1 2 3x", "1 2 +-3", "1 2 ++3", "1 2 +", "1 2 1e-400x",
                              "1 2 3d", "1 2.0 3", "% late", "1 99999999999999999999 3"}) {
        EXPECT_EQ(refusal_of(start + other + "\n"),
                  string("mine.mtx:4: expected 'row column value', found '") + other + "'");
    }
    EXPECT_EQ(refusal_of(start + "1 2 4,5\n"),
              "mine.mtx:4: expected 'row column value', found '1 2 4,5'; numbers have no commas");
    EXPECT_EQ(refusal_of(start + string("1 1 \0\x1b[2J\n", 10)),
              "mine.mtx:4: expected 'row column value', found '1 1 \\u0000\\u001b[2J'");
    EXPECT_EQ(refusal_of(start + string(1000, '7') + "\n"),
              "mine.mtx:4: expected 'row column value', found '" + string(60, '7') + "...'");
}

TEST_F(MatrixMarket, RefusesPlacesOutsideTheMatrixAndValuesThatAreNotFinite) {
    EXPECT_EQ(refusal_of(header + "4 4 1\n5 1 1\n"), "mine.mtx: index 5 outside 1..4 in line 3");
    EXPECT_EQ(refusal_of(header + "4 4 1\n1 0 1\n"), "mine.mtx: index 0 outside 1..4 in line 3");
    EXPECT_EQ(refusal_of(header + "4 4 1\n-1 1 1\n"), "mine.mtx: index -1 outside 1..4 in line 3");
    for (const char* value : {"nan", "-nan", "inf", "-inf", "infinity", "NaN", "+inf", "1e400", "-1e999"}) {
        EXPECT_EQ(refusal_of(header + "4 4 1\n1 1 " + value + "\n"), string("mine.mtx: value ") + value + " in line 3");
    }
}

TEST_F(MatrixMarket, RefusesAnEmptyRow) {
    EXPECT_EQ(refusal_of(header + "3 3 3\n1 1 1\n3 1 1\n3 3 1\n"), "mine.mtx: row 2 is empty");
    EXPECT_EQ(refusal_of(header + "3 3 0\n"), "mine.mtx: row 1 is empty");
}

TEST_F(MatrixMarket, IsRefusedWhereverItIsCutBeforeItsLastNumber) {
    const string text = header + "% a comment\n" + size + entries;
    for (std::size_t length = 0; length <= text.rfind(' ') + 1; length++) {
        EXPECT_NE(refusal_of(text.substr(0, length)), "") << "cut at " << length;
    }
    EXPECT_EQ(refusal_of(""),
              "mine.mtx:1: expected '%%MatrixMarket matrix coordinate real general', found the end of the file");
}

TEST_F(MatrixMarket, IsRefusedOrReadWhateverByteChanges) {
    const string text = header + size + entries;
    for (std::size_t place = 0; place < text.size(); place++) {
        for (const char other : string("\0\n9-", 4)) {
            string changed = text;
            changed[place] = other;
            try {
                const vector<double> read = dense(system_in(changed).a);
                EXPECT_EQ(read, dense_by_strtod(changed)) << changed;
            } catch (const bench::UsageError& error) {
                EXPECT_EQ(string(error.what()).find_first_of("\n\r"), string::npos) << error.what();
            }
        }
    }
}

TEST_F(MatrixMarket, AFileThatCannotBeReadIsNamed) {
    EXPECT_EQ(line_of<bench::UsageError>([] { mcls::read_system("none.mtx"); }),
              "cannot read none.mtx: No such file or directory");
    const auto code_and_line = [](const string& file) {
        try {
            mcls::read_system(file);
        } catch (const bench::Error& error) {
            return std::to_string(error.code()) + " " + error.what();
        }
        return string();
    };
    EXPECT_EQ(code_and_line("/"), "2 cannot read /: Is a directory");
    EXPECT_EQ(code_and_line("/proc/self/mem"), "4 cannot read /proc/self/mem: Input/output error");

    system_in(header + size + entries);
    std::filesystem::resize_file(path, 1 << 30);
    const LittleMemory little(1 << 26);
    EXPECT_EQ(code_and_line(path), "4 out of memory: " + path + " does not fit");
}

}  // namespace
