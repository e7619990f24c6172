// Ablation of step 3: 100 % of the memory of a multiprocessor for shared memory
// Change: as v3, but L1 has 28 kB of the 256 kB. Predicted: the rate of v3 on lap2d, where atomics are the limit, half of it on sp1, 25 on shift1d.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v3_shared100 {

using FromTexture = Loads<ReadOnly>;

std::unique_ptr<bench::Equipment> equip(const bench::Launch& l) {
    CUDA_CHECK(
        cudaFuncSetAttribute(walk_adjoint<FromTexture, CsrRows>, cudaFuncAttributePreferredSharedMemoryCarveout, 100));
    return upload<AdjointTables<CsrRows>>(l);
}

constexpr Design design = design_of_report<AdjointTables<CsrRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v3_shared100",
    .after = "v3",
    .title = "v3, 100 % shared memory",
    .technique = "100 % of the memory of a multiprocessor set apart",
    .lesson = "How much L1 the tables need.",
    .estimand = estimand_of(design),
    .default_blocks = report_blocks,
    .default_threads = report_threads,
    .default_iters = 1,
    .loops_from = 2,
    .kernel = reinterpret_cast<const void*>(walk_adjoint<FromTexture, CsrRows>),
    .scratch_bytes = states_bytes,
    .equip = equip,
    .phases = {{"clear", clear_counts}, {"seed", make_states}, {"walk", launch_adjoint<FromTexture, CsrRows>}},
    .own = {.options = options_of(design)},
};

}  // namespace mcls::v3_shared100
