// Thrust: the code of step a0 after ten minutes of porting. The words still come from the host. The arrays become
// device_vectors, and the loop a transform_reduce.
#include <thrust/device_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/zip_iterator.h>
#include <thrust/transform_reduce.h>
#include <thrust/tuple.h>

#include "bench/workers/check.hpp"
#include "kernels/arrays/shared/hit.cuh"
#include "kernels/peers/arrays.hpp"
#include "kernels/peers/report.hpp"
#include "kernels/peers/thrust_version.hpp"

namespace {

using Count = unsigned long long;

struct Hit {
    __device__ Count operator()(const thrust::tuple<unsigned, unsigned>& words) const {
        return arrays::is_hit(thrust::get<0>(words), thrust::get<1>(words)) ? 1 : 0;
    }
};

Count count_hits(const arrays::Words& words) {
    const thrust::device_vector<unsigned> x(words.x, words.x + words.samples), y(words.y, words.y + words.samples);
    return thrust::transform_reduce(thrust::make_zip_iterator(x.begin(), y.begin()),
                                    thrust::make_zip_iterator(x.end(), y.end()), Hit{}, Count{0},
                                    thrust::plus<Count>());
}

void measure() {
    CUDA_CHECK(cudaFree(nullptr));  // fails where there is no GPU
    peers::HostWords words;
    const peers::Facts facts = {"arrays_thrust", peers::thrust_version(), words.generator, peers::arrays_samples};
    peers::measure(facts, [&](std::uint64_t launch) {
        return peers::on_the_wall_clock([&] { return count_hits(words.make(launch)); });
    });
}

}  // namespace

int main() { return peers::run("peer_arrays_thrust", measure); }
