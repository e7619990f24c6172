#include "kernels/options/asian/shared/normals.hpp"

#include <array>

#include "kernels/options/shared/bridge.hpp"
#include "kernels/options/shared/exact_bridge.hpp"
#include "kernels/random/curand_directions.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/exact_normals.hpp"
#include "kernels/random/normals/wallace.cuh"
#include "kernels/random/normals/wallace_block.hpp"

namespace asian {
namespace {

/// Number `n` of the normals of a run, which cuRAND's host interface makes of words n and n + 1 or of n - 1 and n. The sine
/// comes first, and the angle's word stands for the middle of its interval.
double curand_normal(std::uint64_t seed, std::uint64_t n) {
    const rng::PhiloxCounter words = rng::curand_philox_words(seed, n / 4);
    const unsigned pair = n % 4 / 2 * 2;
    const double radius = std::sqrt(-2 * std::log((words.word[pair] + 0.5) * 0x1p-32));
    const double angle = 2 * M_PI * (words.word[pair + 1] + 0.5) * 0x1p-32;
    return radius * (n % 2 == 0 ? std::sin(angle) : std::cos(angle));
}

/// Each pass gives a thread eight numbers for four steps: four z_b, then four z_a.
template <rng::NormalsOf of_block>
void normals_of_pool(unsigned normals, const bench::StreamId& first, unsigned paths, const rng::UseNormals& use) {
    constexpr unsigned steps = rng::of_thread / 2;
    std::vector<double> of_path(normals);
    of_block(normals, first, paths, [&](const double* of_passes) {
        for (unsigned t = 0; t < normals / 2; t++) {
            const double* const z_b = of_passes + t / steps * rng::of_thread + t % steps;
            of_path[2 * t] = z_b[steps];
            of_path[2 * t + 1] = z_b[0];
        }
        use(of_path.data());
    });
}

/// The coordinates of one point after the other, for the paths of a thread.
template <unsigned steps>
class PointsOfThread {
 public:
    PointsOfThread(const bench::StreamId& stream, unsigned paths, bool by_bridge)
        : group_(stream.thread / lanes * paths), lane_(stream.thread % lanes) {
        for (unsigned row = 0; row < steps; row++) {
            const unsigned pair = by_bridge ? options::node_of_visit(row, steps) : row;
            for (unsigned c = 0; c < 2; c++) {
                shift_[2 * pair + c] = rng::stream_seed(stream.seed, stream.launch, 0, 2 * row + c);
            }
        }
    }

    /// The normal of each coordinate of the next point.
    void next(double* normals) {
        static const std::vector<std::uint32_t> directions = rng::curand_directions(coordinates);
        const auto group = static_cast<std::uint32_t>(group_++);
        std::array<std::uint32_t, coordinates> point = shift_;
        for (std::uint32_t code = (group ^ group >> 1) * lanes | lane_, k = 0; code != 0; code >>= 1, k++) {
            if (code % 2 == 0) continue;
            for (unsigned d = 0; d < coordinates; d++) point[d] ^= directions[k * coordinates + d];
        }
        for (unsigned d = 0; d < coordinates; d++) normals[d] = rng::exact_inverse_cdf(point[d]);
    }

 private:
    static constexpr unsigned coordinates = 2 * steps;
    static constexpr unsigned lanes = 32;  // whose points differ in the lowest bits of their code

    std::uint64_t group_;  // of 32 points: the next one
    std::uint32_t lane_;
    std::array<std::uint32_t, coordinates> shift_;
};

}  // namespace

void normals_of_curand(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use) {
    const std::uint64_t paths_of_launch = stream.threads * paths, first = stream.launch * normals * paths_of_launch;
    std::vector<double> of_path(normals);
    for (unsigned i = 0; i < paths; i++) {
        for (unsigned n = 0; n < normals; n++) {
            of_path[n] = curand_normal(stream.seed, first + n * paths_of_launch + i * stream.threads + stream.thread);
        }
        use(of_path.data());
    }
}

void normals_of_tausworthe(unsigned normals, const bench::StreamId& stream, unsigned paths,
                           const rng::UseNormals& use) {
    rng::normals_of_draws<rng::HybridTauswortheDraws, rng::whole_circle>(normals, stream, paths, use);
}

void normals_of_mrg(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use) {
    rng::normals_of_draws<rng::MrgDraws, rng::half_circle>(normals, stream, paths, use);
}

void whole_circle_normals_of_mrg(unsigned normals, const bench::StreamId& stream, unsigned paths,
                                 const rng::UseNormals& use) {
    rng::normals_of_draws<rng::MrgDraws, rng::whole_circle>(normals, stream, paths, use);
}

void normals_of_source_pool(unsigned normals, const bench::StreamId& first, unsigned paths,
                            const rng::UseNormals& use) {
    normals_of_pool<rng::normals_of_source_threads>(normals, first, paths, use);
}

void normals_of_swizzled_pool(unsigned normals, const bench::StreamId& first, unsigned paths,
                              const rng::UseNormals& use) {
    normals_of_pool<rng::normals_of_swizzled_threads>(normals, first, paths, use);
}

template <unsigned steps>
void normals_of_points(unsigned, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use) {
    PointsOfThread<steps> points(stream, paths, false);
    double normals[2 * steps];
    for (unsigned i = 0; i < paths; i++) {
        points.next(normals);
        use(normals);
    }
}

template <unsigned steps>
void normals_of_bridges(unsigned, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use) {
    PointsOfThread<steps> points(stream, paths, true);
    double normals[2 * steps], moves[2 * steps];
    for (unsigned i = 0; i < paths; i++) {
        points.next(normals);
        for (const unsigned asset : {0u, 1u}) options::bridge(steps, normals + asset, moves + asset, 2);
        use(moves);
    }
}

template void normals_of_points<256>(unsigned, const bench::StreamId&, unsigned, const rng::UseNormals&);
template void normals_of_bridges<16>(unsigned, const bench::StreamId&, unsigned, const rng::UseNormals&);
template void normals_of_bridges<64>(unsigned, const bench::StreamId&, unsigned, const rng::UseNormals&);
template void normals_of_bridges<256>(unsigned, const bench::StreamId&, unsigned, const rng::UseNormals&);

}  // namespace asian
