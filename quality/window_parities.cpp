#include "quality/window_parities.hpp"

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

#include "quality/p_values.hpp"

namespace quality {
namespace {

/// How often each pattern of the window's bits occurs.
std::vector<std::int32_t> pattern_counts(std::span<const std::uint32_t> words, const Window& window) {
    const std::uint32_t of_draw = (1u << window.bits) - 1, of_window = (1u << window.bits * window.draws) - 1;
    std::vector<std::int32_t> counts(std::size_t{of_window} + 1);
    std::uint32_t pattern = 0;
    for (std::size_t i = 0; i < words.size(); i++) {
        pattern = (pattern << window.bits | (words[i] >> window.first & of_draw)) & of_window;
        if (i + 1 >= window.draws) {
            counts[pattern]++;
        }
    }
    return counts;
}

/// Transforms in place: element m becomes the sum over v of (-1)^(parity of m & v) times element v.
void walsh_hadamard(std::vector<std::int32_t>& values) {
    for (std::size_t half = 1; half < values.size(); half *= 2) {
        for (std::size_t block = 0; block < values.size(); block += 2 * half) {
            for (std::size_t i = block; i < block + half; i++) {
                const std::int32_t sum = values[i] + values[i + half];
                values[i + half] = values[i] - values[i + half];
                values[i] = sum;
            }
        }
    }
}

void check(std::size_t words, const Window& window) {
    if (words < window.draws || words >> 31 != 0) {
        throw std::invalid_argument("window_parities: too few words, or too many");
    }
}

}  // namespace

WindowParities window_parities(std::span<const std::uint32_t> words, const Window& window) {
    check(words.size(), window);
    std::vector<std::int32_t> sums = pattern_counts(words, window);
    walsh_hadamard(sums);

    WindowParities found = {words.size() - window.draws + 1, 0, 0, 0, 0, 0, 0};
    const double sd = std::sqrt(static_cast<double>(found.positions));
    for (std::size_t mask = 0; mask < sums.size(); mask++) {
        if (mask % (std::size_t{1} << window.bits) == 0) {
            continue;  // no bit of the latest draw
        }
        const double z = sums[mask] / sd;
        found.chi2 += z * z;
        found.dof++;
        if (std::abs(z) > found.largest) {
            found.largest = std::abs(z);
            found.largest_mask = static_cast<std::uint32_t>(mask);
        }
    }
    found.p = p_of_chi_square(found.chi2, found.dof);
    found.p_largest = std::min(1.0, found.dof * p_of_normal(found.largest));
    return found;
}

std::vector<WindowParities> window_parities(const bench::Source& source, std::uint64_t seed, std::size_t draws,
                                            const std::vector<Window>& windows) {
    std::for_each(windows.begin(), windows.end(), [&](const Window& window) { check(draws, window); });
    const auto stream = source.words({seed, 0, 1, 0});
    std::vector<std::uint32_t> words(draws);
    std::generate(words.begin(), words.end(), [&] { return stream->next(); });
    std::vector<WindowParities> found(windows.size());
#pragma omp parallel for schedule(dynamic)
    for (std::size_t i = 0; i < windows.size(); i++) {
        found[i] = window_parities(words, windows[i]);
    }
    return found;
}

}  // namespace quality
