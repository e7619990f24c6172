// What the tests of quality/words should sum, by plain loops over the words that the replays of the steps draw.
#pragma once

#include <algorithm>
#include <bit>
#include <map>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "kernels/random/stream_seed.cuh"
#include "quality/catalogue.hpp"
#include "quality/words/battery.hpp"

namespace plain {

using bench::Count;
using bench::StreamId;
using quality::words::Order;
using quality::words::Part;
using quality::words::Test;
using Words = std::vector<std::uint32_t>;
using Sums = std::vector<std::int64_t>;

/// x[n] = a x[n - 20 or 17] + x[n - 3 or 5], and what is added to it.
inline Words mixed_mrg(const StreamId& id, std::size_t n, std::size_t r, std::size_t s,
                       std::uint32_t (*mix)(std::uint32_t before)) {
    Words x(r), draws;
    for (unsigned i = 0; i < r; i++) {
        x[i] = rng::stream_seed(id.seed, id.launch, id.thread, i);
    }
    x[0] |= 1;
    for (std::size_t i = r; draws.size() < n; i++) {
        x.push_back(2891336453u * x[i - r] + x[i - s]);
        draws.push_back(x[i] + mix(x[i - 1]));
    }
    return draws;
}

/// The first n words of a stream of a generator.
inline Words stream(const std::string& generator, const StreamId& id, std::size_t n) {
    if (generator == "unmixed_mrg") {
        return mixed_mrg(id, n, 20, 3, [](std::uint32_t) { return 0u; });
    }
    if (generator == "shift_mrg") {
        return mixed_mrg(id, n, 20, 3, [](std::uint32_t before) { return before / 65536; });
    }
    if (generator == "bad_dot_mrg") {
        return mixed_mrg(id, n, 17, 5, [](std::uint32_t x) {
            return 0xb9 * (x % 256) + 0xa3 * (x / 256 % 256) + 0x89 * (x / 65536 % 256) + 0x9d * (x / 16777216);
        });
    }
    const std::map<std::string, std::string> sources = {
        {"alternating_mrg", "v21"}, {"dot_mrg", "v18"}, {"folded_mrg", "v15"}, {"shifted_mrg", "v27"}};
    const auto source = sources.find(generator);
    const auto words = quality::source_named(source == sources.end() ? generator : source->second).words(id);
    Words found(n);
    std::generate(found.begin(), found.end(), [&] { return words->next(); });
    return found;
}

/// The first n words that a thread of a part reads.
inline Words read(const Test& test, const Part& part, std::uint64_t thread, std::size_t n) {
    constexpr std::uint64_t far = 1 << 24;
    const std::uint64_t threads = part.threads();
    if (part.order == Order::stream) {
        return stream(test.generator, {part.seed, part.launch, threads, thread}, n);
    }
    Words found;
    for (std::uint64_t i = 0; found.size() < n; i++) {
        const StreamId id =
            part.order == Order::threads    ? StreamId{part.seed, 0, 1, (part.launch * threads + thread) * far + i}
            : part.order == Order::launches ? StreamId{part.seed, part.launch * far + i, threads, thread}
                                            : StreamId{part.seed + part.launch * far + i, 0, 1, thread};
        const Words first = stream(test.generator, id, 16);
        found.insert(found.end(), first.begin(), first.end());
    }
    found.resize(n);
    return found;
}

/// The lags s and r at which a test looks.
inline std::pair<std::size_t, std::size_t> lags_of(const Test& test) {
    if (test.of_first_words) return {16, 32};
    const std::map<std::string, std::pair<std::size_t, std::size_t>> lags = {
        {"dot_mrg", {5, 17}}, {"bad_dot_mrg", {5, 17}}, {"folded_mrg", {2, 11}}, {"mrg", {13, 31}}, {"xorwow", {1, 5}}};
    const auto found = lags.find(test.generator);
    return found == lags.end() ? std::pair<std::size_t, std::size_t>{3, 20} : found->second;
}

/// The lags of the draws beside n whose parity a test takes; none: it is no such test, or has an arithmetic of its own.
inline std::vector<std::size_t> lags_of_parity(const Test& test) {
    const auto [s, r] = lags_of(test);
    const std::map<std::string, std::vector<std::size_t>> lags = {{"bits", {}},
                                                                  {"pair", {s}},
                                                                  {"recurrence", {s, r}},
                                                                  {"doubled", {2 * s, 2 * r}},
                                                                  {"squared", {2 * s, 2 * r}},
                                                                  {"cubed", {3 * s, r, 2 * r, 3 * r}},
                                                                  {"substituted", {2 * s, r, r + s}},
                                                                  {"substituted_far", {s, r + s, 2 * r}},
                                                                  {"neighbours", {1, s, s + 1, r, r + 1}},
                                                                  {"turned", {s}}};
    return lags.at(test.name);
}

inline void add_parities(Sums& sums, const Test& test, const Part& part, std::uint64_t thread) {
    const Words w = read(test, part, thread, 64 + std::size_t{2048} * part.size.trips);
    const auto [s, r] = lags_of(test);
    const auto lags = lags_of_parity(test);
    const int turn = test.name == "turned" ? 1 + static_cast<int>(thread / part.size.shape.threads % 31) : 0;
    for (std::size_t n = 64; n < w.size(); n++) {
        std::uint32_t parity = w[n];
        for (const std::size_t lag : lags) {
            parity ^= w[n - lag];
        }
        if (test.name == "squared") parity ^= 2 * w[n - r];
        if (test.name == "turned") parity ^= std::rotl(w[n - r], turn);
        for (std::size_t bit = 0; bit < 32; bit++) {
            sums[static_cast<std::size_t>(std::max(0, turn - 1)) * 64 + n % 2 * 32 + bit] += parity >> bit & 1;
        }
    }
}

inline std::int64_t weight(std::uint32_t word) { return std::popcount(word) - 16; }

inline std::vector<std::int64_t> weights(const Words& words) {
    std::vector<std::int64_t> found(words.size());
    std::transform(words.begin(), words.end(), found.begin(), weight);
    return found;
}

/// Products of a word's weight with that of the word `lag` later. They are added by fours: the earlier word is in one of the fours
/// from 76 words on, less the whole fours of the lag.
inline void add_lags(Sums& sums, const std::vector<std::vector<std::int64_t>>& q) {
    for (std::size_t t = 0; t < q.size(); t++) {
        for (std::size_t n = 76; n + 4 < q[t].size(); n++) {
            for (std::size_t lag = 0; lag <= 64; lag++) {
                const std::size_t earlier = n - lag / 4 * 4;
                sums[lag] += q[t][earlier] * q[t][earlier + lag];
            }
        }
        for (std::size_t n = 80; n < q[t].size(); n++) {
            sums[65] += q[t][n];
        }
    }
}

inline void add_lags_of_threads(Sums& sums, const std::vector<std::vector<std::int64_t>>& q) {
    for (std::size_t t = 0; t < q.size(); t++) {
        for (std::size_t n = 80; n < q[t].size(); n++) {
            sums[66] += q[t][n] * q[t ^ 1][n];
            sums[67] += q[t][n] * q[t ^ 16][n];
        }
    }
}

/// The square of the sum of each `length` successive weights of threads `first` to `last` - 1 together.
inline std::int64_t squares(const std::vector<std::vector<std::int64_t>>& q, std::size_t first, std::size_t last,
                            std::size_t length) {
    std::int64_t found = 0;
    for (std::size_t begin = 0; begin + length <= q[first].size(); begin += length) {
        std::int64_t sum = 0;
        for (std::size_t t = first; t < last; t++) {
            for (std::size_t n = begin; n < begin + length; n++) sum += q[t][n];
        }
        found += sum * sum;
    }
    return found;
}

inline void add_blocks(Sums& sums, const std::vector<std::vector<std::int64_t>>& q, bool warps) {
    for (std::size_t t = 0; t < q.size(); t++) {
        std::vector<std::int64_t> small;
        for (std::size_t n = 0; n < q[t].size(); n++) {
            if (n % 640 == 0) small.push_back(0);
            small.back() += q[t][n];
            sums[0] += q[t][n];
        }
        for (std::size_t i = 0; i < small.size(); i++) {
            sums[4] += i >= 1 ? small[i] * small[i - 1] : 0;
            sums[5] += i >= 2 ? small[i] * small[i - 2] : 0;
        }
    }
    const std::size_t lengths[] = {640, 10'240, 1'024'000};
    for (std::size_t i = 0; i < 3; i++) {
        for (std::size_t t = 0; t < q.size(); t++) sums[1 + i] += squares(q, t, t + 1, lengths[i]);
        for (std::size_t t = 0; warps && t < q.size(); t += 32) sums[6 + i] += squares(q, t, t + 32, lengths[i]);
    }
}

inline void add_products(Sums& sums, const Words& w, std::size_t s, std::size_t r) {
    const std::vector<std::int64_t> q = weights(w);
    for (std::size_t n = 64; n < q.size(); n++) {
        const auto tied = [&](std::size_t m) { return q[m] * q[m - s] * q[m - r]; };
        const auto square = [&](std::size_t m) { return q[m] * q[m] - 8; };
        const std::int64_t parity = weight(w[n] ^ w[n - s] ^ w[n - r]);
        sums[n % 2] += tied(n);
        sums[2] += n > 64 ? tied(n) * tied(n - 1) : 0;
        sums[3] += q[n] * q[n - 2 * s] * q[n - 2 * r];
        sums[4] += q[n] * q[n - s] * q[n - s - r] * q[n - 2 * r];
        sums[5] += q[n] * q[n - 2 * s] * q[n - r] * q[n - s - r];
        sums[6 + n % 2] += parity * parity - 8;
        sums[8] += square(n) * square(n - 1);
        sums[9] += square(n) * square(n - s);
        sums[10] += square(n) * square(n - r);
    }
}

inline void add_patterns(Sums& sums, const Words& w, std::size_t history, const std::vector<std::size_t>& lags,
                         std::uint64_t lane) {
    for (std::size_t n = history; n < w.size(); n++) {
        std::size_t pattern = 0;
        for (std::size_t i = 0; i < lags.size(); i++) {
            pattern |= std::size_t{w[n - lags[i]] >> lane & 1} << i;
        }
        sums[(n % 2 << lags.size()) + pattern]++;
    }
}

/// The sums of one launch. `warps`: with those across the threads of a warp.
inline Sums sums(const Test& test, const Part& part, bool warps) {
    Sums found(test.sums);
    const std::size_t trips = part.size.trips;
    const auto [s, r] = lags_of(test);
    const auto of_each_thread = [&](std::size_t n) {
        std::vector<std::vector<std::int64_t>> q;
        for (std::uint64_t t = 0; t < part.threads(); t++) q.push_back(weights(read(test, part, t, n)));
        return q;
    };
    if (test.name == "lags") {
        const auto q = of_each_thread(80 + 80 * trips);
        add_lags(found, q);
        if (warps) add_lags_of_threads(found, q);
    } else if (test.name == "blocks") {
        add_blocks(found, of_each_thread(1'024'000 * trips), warps);
    } else {
        for (std::uint64_t t = 0; t < part.threads(); t++) {
            if (test.name == "products") {
                add_products(found, read(test, part, t, 64 + 128 * trips), s, r);
            } else if (test.name == "successive") {
                std::vector<std::size_t> lags(21);
                for (std::size_t i = 0; i < lags.size(); i++) lags[i] = i;
                add_patterns(found, read(test, part, t, 32 + 32 * trips), 32, lags, t % 32);
            } else if (test.name == "tied") {
                add_patterns(found, read(test, part, t, 64 + 64 * trips), 64,
                             {0, 1, 2, 3, 4, 20, 21, 22, 23, 24, 40, 41, 42, 43}, t % 32);
            } else {
                add_parities(found, test, part, t);
            }
        }
    }
    return found;
}

}  // namespace plain
