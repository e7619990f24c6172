#include <utility>

#include "kernels/mcls/device/double_steps.hpp"
#include "kernels/mcls/device/double_walks.cuh"
#include "kernels/mcls/device/uploaded_method.hpp"
#include "kernels/mcls/device/uploads.hpp"
#include "kernels/mcls/tables/double_tables.hpp"

namespace mcls {
namespace {

using bench::DeviceBuffer;
using bench::Launch;

Sparse matrix_of(const Walks& walks) { return {walks.n, walks.first, walks.column, walks.value}; }

struct StartsOnDevice {
    explicit StartsOnDevice(const DoubleStartTable& table)
        : cdf(on_device(table.cdf)), weight(on_device(table.weight)) {}
    DoubleStarts view() const { return {static_cast<std::uint32_t>(cdf.size()), cdf.data(), weight.data()}; }

    DeviceBuffer<double> cdf, weight;
};

struct CsrOnDevice {
    explicit CsrOnDevice(const CsrTable& table)
        : n(table.view().n),
          first(on_device(table.first)),
          cdf(on_device(table.cdf)),
          factor(on_device(table.factor)),
          next(on_device(table.next)) {}
    CsrRows view() const { return {n, first.data(), cdf.data(), factor.data(), next.data()}; }

    std::uint32_t n;
    DeviceBuffer<std::uint32_t> first;
    DeviceBuffer<double> cdf, factor;
    DeviceBuffer<std::uint32_t> next;
};

struct StructsOnDevice {
    explicit StructsOnDevice(const StructTable& table)
        : n(table.view().n), first(on_device(table.first)), entries(on_device(table.entries)) {}
    StructRows view() const { return {n, first.data(), entries.data()}; }

    std::uint32_t n;
    DeviceBuffer<std::uint32_t> first;
    DeviceBuffer<RowEntry> entries;
};

template <class Rows>
std::unique_ptr<bench::Equipment> adjoint(const Walks& walks, Rows rows) {
    StartsOnDevice starts(double_start_table(walks.b));
    const AdjointTables<decltype(rows.view())> tables = {starts.view(), rows.view(), walks.limits};
    return kept(tables, std::move(starts), std::move(rows));
}

template <class Rows>
std::unique_ptr<bench::Equipment> forward(const Walks& walks, Rows rows) {
    auto b = on_device(walks.b);
    const ForwardTables<decltype(rows.view())> tables = {b.data(), rows.view(), walks.limits, walks.histories_of_entry};
    return kept(tables, std::move(b), std::move(rows));
}

CsrOnDevice csr_of(const Walks& walks) { return CsrOnDevice(csr_table(matrix_of(walks))); }
StructsOnDevice structs_of(const Walks& walks) { return StructsOnDevice(struct_table(matrix_of(walks))); }

}  // namespace

std::unique_ptr<bench::Equipment> upload_adjoint_csr(const Launch& l) {
    return adjoint(walks_of(l.problem), csr_of(walks_of(l.problem)));
}

std::unique_ptr<bench::Equipment> upload_adjoint_structs(const Launch& l) {
    return adjoint(walks_of(l.problem), structs_of(walks_of(l.problem)));
}

std::unique_ptr<bench::Equipment> upload_forward_csr(const Launch& l) {
    return forward(walks_of(l.problem), csr_of(walks_of(l.problem)));
}

std::unique_ptr<bench::Equipment> upload_forward_structs(const Launch& l) {
    return forward(walks_of(l.problem), structs_of(walks_of(l.problem)));
}

}  // namespace mcls
