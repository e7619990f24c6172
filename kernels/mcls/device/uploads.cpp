#include "kernels/mcls/device/uploads.hpp"

#include <cstddef>
#include <utility>

#include "kernels/mcls/device/uploaded_method.hpp"
#include "kernels/mcls/tables/path_tables.hpp"

namespace mcls {
namespace {

using bench::DeviceBuffer;

struct StartsOnDevice {
    explicit StartsOnDevice(const StartTable& table)
        : shift(table.shift),
          guide(on_device(table.guide)),
          last(on_device(table.last)),
          start(on_device(table.start)) {}
    Starts view() const { return {shift, guide.data(), last.data(), start.data()}; }

    std::uint32_t shift;
    DeviceBuffer<std::uint32_t> guide;
    DeviceBuffer<std::uint64_t> last;
    DeviceBuffer<Start> start;
};

struct CdfOnDevice {
    explicit CdfOnDevice(const CdfTable& table)
        : n(table.view().n), first(on_device(table.first)), entries(on_device(table.entries)) {}
    CdfRows view() const { return {n, first.data(), entries.data()}; }

    std::uint32_t n;
    DeviceBuffer<std::uint32_t> first;
    DeviceBuffer<CdfEntry> entries;
};

struct AliasOnDevice {
    explicit AliasOnDevice(const AliasTable& table)
        : n(table.n), bits(table.bits), slots(on_device(table.slots)), factors(on_device(table.factors)) {}
    AliasRows view() const { return {n, bits, slots.data(), factors.data()}; }

    std::uint32_t n, bits;
    DeviceBuffer<AliasSlot> slots;
    DeviceBuffer<double> factors;
};

struct ShortRowsOnDevice {
    explicit ShortRowsOnDevice(const ShortTable& table)
        : rows(table.view()),
          slots(on_device(table.slots)),
          first_factors(on_device(table.first_factors)),
          entry_of(on_device(table.entry_of)) {
        rows.slots = slots.data();
        rows.first_factors = first_factors.data();
        rows.entry_of = entry_of.data();
    }
    ShortRows view() const { return rows; }

    ShortRows rows;
    DeviceBuffer<ShortSlot> slots;
    DeviceBuffer<double> first_factors;
    DeviceBuffer<std::uint32_t> entry_of;
};

struct SlotsOnDevice {
    explicit SlotsOnDevice(const SlotTable& table)
        : rows(table.view()),
          class_of(on_device(table.class_of)),
          slots(on_device(table.slots)),
          factors(on_device(table.factors)),
          between(on_device(table.between)) {
        rows.class_of = class_of.data();
        rows.slots = slots.data();
        rows.factors = factors.data();
        rows.between = between.data();
    }
    SlotRows view() const { return rows; }

    SlotRows rows;
    DeviceBuffer<std::uint8_t> class_of;
    DeviceBuffer<Slot> slots;
    DeviceBuffer<double> factors;
    DeviceBuffer<Between> between;
};

template <class Rows>
std::unique_ptr<bench::Equipment> upload_adjoint(const Walks& walks, Rows rows) {
    StartsOnDevice starts(walks.starts);
    const Adjoint<decltype(rows.view())> method = {starts.view(), rows.view(), walks.limits, walks.scale};
    return kept(method, std::move(starts), std::move(rows));
}

template <std::uint32_t length>
std::unique_ptr<bench::Equipment> upload_slots(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    StartsOnDevice starts(walks.starts);
    SlotsOnDevice slots(slot_table(walks, length));
    SlotWalks<length> method = slot_walks<length>(walks, slots.view());
    method.starts = starts.view();
    const std::size_t cells = length == 1 ? 0 : std::size_t{walks.n} * slots.rows.cells;  // 0: a state is its own cell
    return kept_with_cells(method, cells, std::move(starts), std::move(slots));
}

}  // namespace

std::unique_ptr<bench::Equipment> upload_adjoint_cdf(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    return upload_adjoint(walks, CdfOnDevice(walks.cdf));
}

std::unique_ptr<bench::Equipment> upload_adjoint_alias(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    return upload_adjoint(walks, AliasOnDevice(walks.alias));
}

std::unique_ptr<bench::Equipment> upload_forward_alias(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    AliasOnDevice rows(walks.alias);
    auto b = on_device(walks.b);
    const Forward<AliasRows> method = {b.data(), walks.histories_of_entry, rows.view(), walks.limits, walks.scale};
    return kept(method, std::move(b), std::move(rows));
}

std::unique_ptr<bench::Equipment> upload_short_rows(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    return upload_adjoint(walks, ShortRowsOnDevice(walks.short_rows));
}

std::unique_ptr<bench::Equipment> upload_guided_short_rows(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    auto starts = on_device(walks.starts.start);
    auto b = on_device(walks.b);
    ShortRowsOnDevice rows(walks.short_rows);
    auto rest = on_device(walks.short_rows.rest);
    GuidedShortRows method = walks.guided_short_rows();
    method.starts = starts.data();
    method.b = b.data();
    method.rows = rows.view();
    method.rest = rest.data();
    return kept(method, std::move(starts), std::move(b), std::move(rows), std::move(rest));
}

std::unique_ptr<bench::Equipment> upload_stratified_alias(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    StartsOnDevice starts(walks.starts);
    AliasOnDevice rows(walks.alias);
    const Stratified<AliasRows> method = {starts.view(), Strata::of(walks.histories), rows.view(), walks.limits,
                                          walks.scale};
    return kept(method, std::move(starts), std::move(rows));
}

std::unique_ptr<bench::Equipment> upload_quarter_paths(const bench::Launch& l) {
    const Walks& walks = walks_of(l.problem);
    const QuarterPathTable table = quarter_path_table(walks);
    StartsOnDevice starts(walks.starts);
    auto next = on_device(table.next);
    auto direction = on_device(table.direction);
    QuarterPaths method = table.view(walks);
    method.starts = starts.view();
    method.next = next.data();
    method.direction = direction.data();
    const std::size_t cells = std::size_t{walks.n} * QuarterPaths::cells;
    return kept_with_cells(method, cells, std::move(starts), std::move(next), std::move(direction));
}

std::unique_ptr<bench::Equipment> upload_equal_slots(const bench::Launch& l) { return upload_slots<1>(l); }
std::unique_ptr<bench::Equipment> upload_paths_of_two(const bench::Launch& l) { return upload_slots<2>(l); }
std::unique_ptr<bench::Equipment> upload_paths_of_three(const bench::Launch& l) { return upload_slots<3>(l); }

}  // namespace mcls
