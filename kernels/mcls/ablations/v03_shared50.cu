// Ablation of step 3: 50 % of the memory of a multiprocessor for shared memory
// Change: as v3, but L1 has about half of the 256 kB. Predicted: the rate of v3 on lap2d, a little less on sp1 and shift1d.
#include "kernels/mcls/launches/double_kernels.cuh"

namespace mcls::v3_shared50 {

using FromTexture = Loads<ReadOnly>;

std::unique_ptr<bench::Equipment> equip(const bench::Launch& l) {
    CUDA_CHECK(
        cudaFuncSetAttribute(walk_adjoint<FromTexture, CsrRows>, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    return upload<AdjointTables<CsrRows>>(l);
}

constexpr Design design = design_of_report<AdjointTables<CsrRows>>(replay_own_seeds);

extern const bench::Step step;
const bench::Step step = {
    .name = "v3_shared50",
    .after = "v3",
    .title = "v3, 50 % shared memory",
    .technique = "50 % of the memory of a multiprocessor set apart",
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

}  // namespace mcls::v3_shared50
