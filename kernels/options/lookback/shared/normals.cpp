#include "kernels/options/lookback/shared/normals.hpp"

#include "kernels/options/shared/exact_bridge.hpp"
#include "kernels/random/draws.cuh"
#include "kernels/random/normals/exact_normals.hpp"
#include "kernels/random/sobol.cuh"
#include "kernels/random/sobol_dimensions.cuh"

namespace lookback {
namespace {

/// After as many paths as fit into 31 words the rest of the 31 is drawn too.
template <rng::ExactPair (*pair_of)(std::uint32_t, std::uint32_t)>
void paths_of_mrg(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use) {
    const unsigned words = 31, together = words / normals;
    rng::MrgDraws draw(stream);
    std::vector<double> of_path(normals);
    for (unsigned i = 1; i <= paths; i++) {
        rng::draw_normals<pair_of>(draw, of_path);
        use(of_path.data());
        if (i % together == 0) {
            for (unsigned unused = together * normals; unused < words; unused++) draw();
        }
    }
}

}  // namespace

void normals_of_tausworthe(unsigned normals, const bench::StreamId& stream, unsigned paths,
                           const rng::UseNormals& use) {
    rng::normals_of_draws<rng::HybridTauswortheDraws, rng::whole_circle_sine_first>(normals, stream, paths, use);
}

void normals_of_mrg(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use) {
    paths_of_mrg<rng::half_circle>(normals, stream, paths, use);
}

void whole_circle_normals_of_mrg(unsigned normals, const bench::StreamId& stream, unsigned paths,
                                 const rng::UseNormals& use) {
    paths_of_mrg<rng::whole_circle_sine_first>(normals, stream, paths, use);
}

void normals_of_bridges(unsigned, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use) {
    constexpr unsigned days = 8;
    static constexpr auto directions = rng::joe_kuo_directions<days>();
    const auto shift = rng::sobol_shift_of<days>(stream.seed, stream.launch);
    for (const auto& stretch :
         {rng::sobol_groups_of(stream.thread, paths), rng::sobol_rest_of(stream.thread, stream.threads, paths)}) {
        for (unsigned i = 0; i < stretch.points; i++) {
            auto point = rng::sobol_point_of(directions, stretch.first + i);
            point ^= shift;
            double of_nodes[days], of_days[days];
            for (unsigned d = 0; d < days; d++) of_nodes[d] = rng::exact_inverse_cdf(point.word[d]);
            options::bridge(days, of_nodes, of_days, 1);
            use(of_days);
        }
    }
}

void normals_of_philox(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use) {
    rng::normals_of_draws<rng::Philox7Draws, rng::half_circle>(normals, stream, paths, use);
}

}  // namespace lookback
