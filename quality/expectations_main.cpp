// pi_expectations: counts every hit probability again and compares it with the stored one.
#include <fmt/format.h>

#include "bench/errors.hpp"
#include "bench/estimands/hits/law.hpp"
#include "bench/options/app.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "quality/exact_counts.hpp"

namespace {

constexpr const char* program = "pi_expectations";
constexpr const char* description =
    "Counts the exact hit probability of each way to make a sample: over all pairs of coordinates, or over the whole\n"
    "cycle of a generator with 32 bits of state. Takes half a minute. Exits with 1 if a stored count differs.";

std::string line_of(const quality::ExactCount& exact, std::uint64_t counted) {
    const bench::Expectation expected = {counted, exact.stored.total};
    return fmt::format("{:<28}{:>22} of {:<22.0f}4P - pi {:+.3g}{}\n", exact.name, counted, exact.stored.total,
                       bench::bias(expected),
                       counted == exact.stored.count ? "" : fmt::format(", stored: {}", exact.stored.count));
}

void count_all() {
    bool all_agree = true;
    for (const quality::ExactCount& exact : quality::exact_counts()) {
        const std::uint64_t counted = exact.count();
        all_agree = all_agree && counted == exact.stored.count;
        bench::write_stdout(line_of(exact, counted));
    }
    if (!all_agree) {
        throw bench::VerdictError("a stored count differs: kernels/pi/shared/expectations.hpp");
    }
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        CLI::App app(description, program);
        if (bench::parse(app, argc, argv)) {
            count_all();
        }
    });
}
