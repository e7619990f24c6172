// The normals of a host stream's paths, made again one by one: `NormalsOf`.
#pragma once

#include <algorithm>
#include <vector>

#include "kernels/options/shared/host_streams.hpp"
#include "kernels/random/normals/normals_of.hpp"
#include "kernels/random/normals/ziggurat_replay.hpp"

namespace options {

/// Of paths, or groups, that a stream makes one after the other.
inline void host_normals(unsigned normals, const bench::StreamId& stream, unsigned paths, const rng::UseNormals& use) {
    rng::ReplayedZiggurat draw(stream);
    std::vector<double> of_path(normals);
    for (unsigned i = 0; i < paths; i++) {
        for (double& normal : of_path) normal = draw();
        use(of_path.data());
    }
}

/// Of paths side by side: a stream draws a normal of each of them before the next one of any. It draws for all `lanes` paths, of
/// which the last ones may not be wanted.
inline void host_normals_of_lanes(unsigned normals, const bench::StreamId& stream, unsigned paths,
                                  const rng::UseNormals& use) {
    rng::ReplayedZiggurat draw(stream);
    std::vector<std::vector<double>> of_lanes(lanes, std::vector<double>(normals));
    for (unsigned done = 0; done < paths; done += lanes) {
        for (unsigned n = 0; n < normals; n++) {
            for (auto& of_lane : of_lanes) of_lane[n] = draw();
        }
        for (unsigned i = 0; i < std::min(lanes, paths - done); i++) use(of_lanes[i].data());
    }
}

}  // namespace options
