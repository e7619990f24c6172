// Step 5: random numbers in batches
// Change: as v4, but a thread draws 5 numbers at once and keeps them in shared memory until it needs them.
// Why:    the report hoped that its generator would run faster in batches, and found no gain. Predicted on an H200: no gain, and
//         2 % less than v4 where loads are the limit: the state of XORWOW is in registers anyway.
// Cost:   111 instructions per transition: v4's, and a store and a load in shared memory, 10 kB a block.
// Limit:  latency of memory, as in v4, on which v6 builds.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v5 {

using Loaded = Loads<ReadOnly>;

constexpr unsigned batch = 5;  // as in the report

/// The numbers of Uniforms, drawn in batches. For blocks of up to report_threads threads.
class Batches {
 public:
    __device__ explicit Batches(const curandState_t& state) : numbers_(state) {}

    __device__ __forceinline__ double next() {
        __shared__ double drawn[batch][report_threads];
        if (used_ == batch) {
            for (auto& of_threads : drawn) of_threads[threadIdx.x] = numbers_.next();
            used_ = 0;
        }
        return drawn[used_++][threadIdx.x];
    }

 private:
    Uniforms numbers_;
    unsigned used_ = batch;
};

constexpr Design design = design_of_report<AdjointTables<StructRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v5",
    .after = "v4",
    .title = "Batched draws",
    .technique = "5 random numbers at once, in shared memory",
    .lesson = "A generator in registers has no overhead that batches could share.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_adjoint<Loaded, StructRows, Batches>),
    .scratch_bytes = states_bytes,
    .phases = {{"clear", clear_counts}, {"seed", make_states}, {"walk", launch_adjoint<Loaded, StructRows, Batches>}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v5
