// options_wallace_tests: what tests find in the normals of Wallace's generator, and what they should find.
#include <fmt/format.h>

#include <cmath>

#include "bench/errors.hpp"
#include "bench/options/app.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "quality/wallace_tests.hpp"

namespace {

constexpr const char* program = "options_wallace_tests";
constexpr std::uint64_t seed = 1234;
constexpr const char* description =
    "Tests the normals of Wallace's generator (n4, n5), follows its pools on the CPU, and says which of the tests\n"
    "should fail. It takes seconds. Exits with 1 if a test has another outcome than expected, also if it passes.\n"
    "W1  variance of a pass's sum of squares within a pool    W2  autocorrelation of its fourth moment at lag 1\n"
    "W3  correlation of a number with its source              W4  autocorrelation of a pool's sums at lag 256\n"
    "W5  variance of the mean sum of squares between pools";

const char* word_for(bool passes) { return passes ? "passes" : "fails"; }

/// Prints the findings. Returns whether all are as expected.
bool tell(const char* name, const std::array<quality::Finding, quality::wallace_test_count>& findings,
          const std::array<bool, quality::wallace_test_count>& expected) {
    bool as_expected = true;
    for (std::size_t i = 0; i < findings.size(); i++) {
        const quality::Finding& found = findings[i];
        as_expected = as_expected && std::isfinite(found.sigma) && found.passes() == expected[i];
        bench::write_stdout(fmt::format("{:<22}{}{:>12.4f}  independent: {:.0f}{:>+12.1f} sd  {:<8}expected: {}{}\n",
                                        name, found.test, found.value, found.independent, found.sigma,
                                        word_for(found.passes()), word_for(expected[i]),
                                        found.passes() == expected[i] ? "" : "  <-"));
    }
    return as_expected;
}

/// Tests `drawn`. Returns whether the outcomes are those expected of `named`.
bool test(quality::Normals drawn, quality::Normals named) {
    return tell(quality::name_of(drawn), quality::wallace_findings(drawn, seed), quality::expected_passes(named));
}

void test_all(bool independent) {
    bool as_expected = true;
    if (independent) {
        as_expected = test(quality::Normals::independent, quality::Normals::wallace);
    } else {
        for (const quality::Normals variant : quality::wallace_variants) {
            as_expected = test(variant, variant) && as_expected;
        }
    }
    if (!as_expected) {
        throw bench::VerdictError("a test has another outcome than expected of Wallace's generator");
    }
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        CLI::App app(description, program);
        bool independent = false;
        app.add_flag("--independent", independent,
                     "test independent normals in place of Wallace's, whose outcomes are still expected: exits with 1");
        if (bench::parse(app, argc, argv)) test_all(independent);
    });
}
