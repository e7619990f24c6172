// A GPU walks the histories that the host replays: all tallies are equal.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/workers/check.hpp"
#include "bench/workers/resources.hpp"
#include "kernels/mcls/launches/uploads.hpp"
#include "kernels/mcls/replay/replay.hpp"
#include "kernels/mcls/system/splitting.hpp"
#include "kernels/mcls/tables/tables.hpp"
#include "kernels/mcls/tables/walks.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/mcls_on_gpu.hpp"

namespace {

using bench::Count;
using bench::DeviceBuffer;
using bench::on_device;
using mcls::HistoryRange;
using mcls::Outcome;
using mcls::Sampling;
using mcls::Walks;

template <class T>
std::vector<T> on_host(const DeviceBuffer<T>& buffer) {
    std::vector<T> values(buffer.size());
    CUDA_CHECK(cudaMemcpy(values.data(), buffer.data(), values.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

/// The numbers of the histories pass 2^32.
template <class Method>
void expect_replay(const Walks& walks, const std::string& what) {
    SCOPED_TRACE(what);
    bench::Launch l = {};
    l.problem = &walks;
    const auto tables = mcls::upload<Method>(l);
    l.equipment = tables.get();
    const HistoryRange histories = {0xdeadbeefcafef00d, 3, (std::uint64_t{1} << 32) - 500, 1024};
    const Outcome expected = replay(mcls::on_host<Method>(walks), histories);
    const DeviceBuffer<Count> sums = on_device(std::vector<Count>(expected.tallies.size() + 1));
    walk_on_gpu(mcls::uploaded<Method>(l), histories.seed, {histories.launch, histories.first}, histories.count,
                sums.data() + 1, sums.data());
    const std::vector<Count> found = on_host(sums);
    EXPECT_EQ(found[0], expected.transitions);
    for (std::size_t j = 0; j < expected.tallies.size(); j++) {
        ASSERT_EQ(static_cast<std::int64_t>(found[j + 1]), expected.tallies[j]) << "entry " << j;
    }
}

class Mcls : public GpuTest {};

TEST_F(Mcls, WalksWhatTheHostReplays) {
    for (const std::string name : {"tiny4", "lap2d", "sp1", "ad3d"}) {
        SCOPED_TRACE(name);
        const mcls::Splitting system = jacobi(mcls::built_in(name));
        const mcls::Sparse b = transposed(system.h);
        Walks walks = {};
        walks.scale = 0x1p30;
        walks.b = system.b;
        walks.starts = mcls::start_table(system.b);
        walks.limits = {10000, 1e-9};
        for (const Sampling sampling : {Sampling::almost_optimal, Sampling::absorbing}) {
            if (sampling == Sampling::absorbing && row_above_one(b)) continue;
            SCOPED_TRACE(sampling == Sampling::absorbing ? "absorbing" : "almost optimal");
            walks.cdf = cdf_table(b, sampling);
            walks.alias = alias_table(b, sampling);
            expect_replay<mcls::Adjoint<mcls::CdfRows>>(walks, "cdf");
            expect_replay<mcls::Adjoint<mcls::AliasRows>>(walks, "alias");
        }
        walks.limits = {10000, 1e-6};
        walks.histories_of_entry = (std::uint64_t{1} << 33) / system.h.n;  // histories start at entries in the middle
        walks.alias = alias_table(system.h, Sampling::almost_optimal);
        expect_replay<mcls::Forward<mcls::AliasRows>>(walks, "forward");
    }
}

}  // namespace
