// A GPU walks the histories that the host replays: all tallies are equal.
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "bench/cuda/check.hpp"
#include "bench/cuda/resources.hpp"
#include "kernels/mcls/problem/replay.hpp"
#include "kernels/mcls/problem/splitting.hpp"
#include "kernels/mcls/problem/tables.hpp"
#include "tests/gpu/gpu_fixture.hpp"
#include "tests/gpu/mcls_on_gpu.hpp"

namespace {

using bench::Count;
using bench::DeviceBuffer;
using bench::on_device;
using mcls::HistoryRange;
using mcls::Limits;
using mcls::Outcome;
using mcls::Sampling;

template <class T>
std::vector<T> on_host(const DeviceBuffer<T>& buffer) {
    std::vector<T> values(buffer.size());
    CUDA_CHECK(cudaMemcpy(values.data(), buffer.data(), values.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return values;
}

struct CdfOnDevice {
    explicit CdfOnDevice(const mcls::CdfTable& table)
        : n(table.view().n), first(on_device(table.first)), entries(on_device(table.entries)) {}
    mcls::CdfRows view() const { return {n, first.data(), entries.data()}; }

    std::uint32_t n;
    DeviceBuffer<std::uint32_t> first;
    DeviceBuffer<mcls::CdfEntry> entries;
};

struct AliasOnDevice {
    explicit AliasOnDevice(const mcls::AliasTable& table)
        : n(table.n), bits(table.bits), slots(on_device(table.slots)), factors(on_device(table.factors)) {}
    mcls::AliasRows view() const { return {n, bits, slots.data(), factors.data()}; }

    std::uint32_t n, bits;
    DeviceBuffer<mcls::AliasSlot> slots;
    DeviceBuffer<double> factors;
};

CdfOnDevice on_device(const mcls::CdfTable& table) { return CdfOnDevice(table); }
AliasOnDevice on_device(const mcls::AliasTable& table) { return AliasOnDevice(table); }

template <class Method>
void expect_replay(const Method& on_gpu, const Method& on_cpu, const std::string& what) {
    const HistoryRange histories = {0xdeadbeefcafef00d, 3, (std::uint64_t{1} << 32) - 500, 1024};
    const Outcome expected = replay(on_cpu, histories);
    const DeviceBuffer<Count> sums = on_device(std::vector<Count>(expected.tallies.size() + 1));
    walk_on_gpu(on_gpu, histories.seed, {histories.launch, histories.first}, histories.count, sums.data() + 1,
                sums.data());
    const std::vector<Count> found = on_host(sums);
    EXPECT_EQ(found[0], expected.transitions) << what;
    for (std::size_t j = 0; j < expected.tallies.size(); j++) {
        ASSERT_EQ(static_cast<std::int64_t>(found[j + 1]), expected.tallies[j]) << what << ", entry " << j;
    }
}

template <class Table>
void expect_adjoint_replay(const mcls::Splitting& system, const Table& table, const std::string& what) {
    const mcls::StartTable starts = mcls::start_table(system.b);
    const auto guide = on_device(starts.guide);
    const auto last = on_device(starts.last);
    const auto start = on_device(starts.start);
    const auto rows = on_device(table);
    const Limits limits = {10000, 1e-9};
    expect_replay(
        mcls::Adjoint<decltype(rows.view())>{
            {starts.shift, guide.data(), last.data(), start.data()}, rows.view(), limits, 0x1p30},
        {starts.view(), table.view(), limits, 0x1p30}, what);
}

template <class Table>
void expect_forward_replay(const mcls::Splitting& system, const Table& table, const std::string& what) {
    const auto b = on_device(system.b);
    const auto rows = on_device(table);
    const Limits limits = {10000, 1e-6};
    const std::uint64_t each = (std::uint64_t{1} << 33) / system.h.n;  // the histories start at entries in the middle
    expect_replay(mcls::Forward<decltype(rows.view())>{b.data(), each, rows.view(), limits, 0x1p30},
                  {system.b.data(), each, table.view(), limits, 0x1p30}, what);
}

class Mcls : public GpuTest {};

TEST_F(Mcls, WalksWhatTheHostReplays) {
    for (const std::string name : {"tiny4", "lap2d", "sp1", "ad3d"}) {
        const mcls::Splitting system = jacobi(mcls::built_in(name));
        const mcls::Sparse b = transposed(system.h);
        expect_adjoint_replay(system, cdf_table(b, Sampling::almost_optimal), name + ", cdf");
        expect_adjoint_replay(system, alias_table(b, Sampling::almost_optimal), name + ", alias");
        expect_forward_replay(system, cdf_table(system.h, Sampling::almost_optimal), name + ", forward, cdf");
        expect_forward_replay(system, alias_table(system.h, Sampling::almost_optimal), name + ", forward, alias");
        if (!row_above_one(b)) {
            expect_adjoint_replay(system, cdf_table(b, Sampling::absorbing), name + ", absorbing, cdf");
            expect_adjoint_replay(system, alias_table(b, Sampling::absorbing), name + ", absorbing, alias");
        }
    }
}

}  // namespace
