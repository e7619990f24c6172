#include "kernels/device/block_sum.cuh"
#include "tests/gpu/known_hits.hpp"

using bench::Count;
using bench::Launch;
using bench::Version;

namespace {

enum class Fault { none, dropped_warp, unwritten_count };

/// Hits a fraction hit_every of its samples: all (1), none (0), every second one (2).
template <unsigned hit_every, Fault fault>
__global__ void __launch_bounds__(1024) count_known_hits(Count* totals, unsigned iters) {
    Count hits = 0;
    for (unsigned i = 0; i < iters; i++) {
        hits += hit_every > 0 && i % hit_every == 0 ? 1 : 0;
    }
    if (fault == Fault::dropped_warp && threadIdx.x / 32 == 1) {
        hits = 0;
    }
    if (fault == Fault::unwritten_count && blockIdx.x == 1) {
        return;
    }
    pi::store_block_sum(hits, &totals[blockIdx.x]);
}

template <unsigned hit_every, Fault fault>
cudaError_t launch(const Launch& l) {
    count_known_hits<hit_every, fault><<<l.shape.blocks, l.shape.threads, 0, l.stream>>>(l.counts, l.iters);
    return cudaGetLastError();
}

const bench::Source every_second = {
    "none", "none", bench::Soundness::demonstration, {1, 2.0}, 0, false, nullptr, nullptr, nullptr, nullptr};

template <unsigned hit_every, Fault fault>
Version version() {
    Version v = {};
    v.name = "test";
    v.title = v.technique = v.lesson = "known hits";
    v.source = &every_second;
    v.accepted_blocks = bench::Blocks::any;
    v.accepted_threads = bench::Threads::warps;
    v.default_blocks_per_sm = bench::as_many_as_fit;
    v.default_threads = 1024;
    v.default_iters = 1000;
    v.kernel = reinterpret_cast<const void*>(count_known_hits<hit_every, fault>);
    v.dynamic_shared_bytes = bench::no_dynamic_shared;
    v.counts = bench::one_count_per_block;
    v.scratch_bytes = bench::no_scratch;
    v.launch = launch<hit_every, fault>;
    return v;
}

cudaError_t launch_with_too_much_shared_memory(const Launch& l) {
    count_known_hits<2, Fault::none><<<l.shape.blocks, l.shape.threads, 1 << 20, l.stream>>>(l.counts, l.iters);
    return cudaGetLastError();
}

}  // namespace

Version always_hit() { return version<1, Fault::none>(); }
Version never_hit() { return version<0, Fault::none>(); }
Version half_hit() { return version<2, Fault::none>(); }
Version half_hit_dropping_a_warp() { return version<2, Fault::dropped_warp>(); }
Version half_hit_leaving_a_count_unwritten() { return version<2, Fault::unwritten_count>(); }

Version half_hit_that_cannot_be_launched() {
    Version v = half_hit();
    v.launch = launch_with_too_much_shared_memory;
    return v;
}
