#include "kernels/options/normals/shared/replay.hpp"

#include <bit>

#include "kernels/random/draws.cuh"
#include "kernels/random/normals/exact_normals.hpp"

namespace normals::replay {
namespace {

using bench::StreamId;
using rng::ExactPair;

ExactPair half_circle(std::uint32_t radius_word, std::uint32_t angle_word) {
    const ExactPair pair = rng::half_circle(radius_word, angle_word);
    return {pair.second, pair.first};
}

ExactPair inverse_cdfs(std::uint32_t first, std::uint32_t second) {
    return {rng::exact_inverse_cdf(first), rng::exact_inverse_cdf(second)};
}

template <unsigned divisor>
void of_mixture(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    constexpr unsigned pairs_of_round = 31;
    rng::MrgDraws draw(stream);
    std::vector<double> of_group(normals);
    for (unsigned group = 0; group < groups; group++) {
        for (unsigned i = 0; i < normals; i += 2) {
            const std::uint32_t radius_word = draw();
            const std::uint32_t angle_word = draw();
            const bool on_xu = i / 2 % pairs_of_round % divisor == 0;
            const ExactPair pair =
                on_xu ? rng::whole_circle_sine_first(radius_word, angle_word) : half_circle(radius_word, angle_word);
            of_group[i] = pair.first;
            of_group[i + 1] = pair.second;
        }
        use(of_group.data());
    }
}

/// The values of the table that a word chooses: by its uppermost bits, and by those from bit `second`.
ExactPair table_values(std::uint32_t word, unsigned second) {
    return {rng::exact_table_normal(word >> 22), rng::exact_table_normal(word >> second & 1023)};
}

void of_table(unsigned second, unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    rng::MrgDraws draw(stream);
    std::vector<double> of_group(normals);
    for (unsigned group = 0; group < groups; group++) {
        for (unsigned i = 0; i < normals; i += 4) {
            const ExactPair a = table_values(draw(), second), b = table_values(draw(), second);
            const double t = (a.first + a.second + b.first + b.second) / 2;
            of_group[i] = a.first - t;
            of_group[i + 1] = a.second - t;
            of_group[i + 2] = t - b.first;
            of_group[i + 3] = t - b.second;
        }
        use(of_group.data());
    }
}

}  // namespace

void of_xorwow(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    rng::normals_of_draws<rng::XorwowDraws, rng::whole_circle_sine_first>(normals, stream, groups, use);
}

void of_tausworthe(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    rng::normals_of_draws<rng::HybridTauswortheDraws, rng::whole_circle_sine_first>(normals, stream, groups, use);
}

void of_philox7(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    rng::normals_of_draws<rng::Philox7Draws, rng::whole_circle_sine_first>(normals, stream, groups, use);
}

void of_mrg(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    rng::normals_of_draws<rng::MrgDraws, rng::whole_circle_sine_first>(normals, stream, groups, use);
}

void of_two_pipes(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    of_mixture<3>(normals, stream, groups, use);
}

void of_alternate_pipes(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    of_mixture<2>(normals, stream, groups, use);
}

void of_polynomials(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    rng::normals_of_draws<rng::MrgDraws, half_circle>(normals, stream, groups, use);
}

void of_inverse_cdf(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    rng::normals_of_draws<rng::MrgDraws, inverse_cdfs>(normals, stream, groups, use);
}

void of_rotated_table(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    of_table(12, normals, stream, groups, use);
}

void of_unshifted_bits(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    of_table(7, normals, stream, groups, use);
}

void of_rotated_lanes(unsigned normals, const StreamId& stream, unsigned groups, const UseNormals& use) {
    std::vector<rng::MrgDraws> draws;
    for (unsigned lane = 0; lane < lanes_rotated; lane++) {
        draws.emplace_back(StreamId{stream.seed, stream.launch, stream.threads, stream.thread + lane});
    }
    std::vector<double> of_lanes[lanes_rotated];
    for (auto& of_lane : of_lanes) of_lane.resize(normals);
    for (unsigned group = 0; group < groups; group++) {
        for (unsigned i = 0; i < normals; i++) {
            ExactPair values[lanes_rotated];
            for (unsigned lane = 0; lane < lanes_rotated; lane++) values[lane] = table_values(draws[lane](), 12);
            for (unsigned lane = 0; lane < lanes_rotated; lane++) {
                double sum = 0;
                for (unsigned other = 0; other < lanes_rotated; other++) {
                    sum += (std::popcount(lane & other) % 2 == 0 ? 1 : -1) * values[other].first;
                }
                of_lanes[lane][i] = share_rotated * sum / 2 + share_own * values[lane].second;
            }
        }
        for (const auto& of_lane : of_lanes) use(of_lane.data());
    }
}

}  // namespace normals::replay
