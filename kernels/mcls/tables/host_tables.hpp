// The tables of device/tables.cuh in the memory of the host. Kernel files include this file, so it is C++17.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/mcls/device/short_rows.cuh"
#include "kernels/mcls/device/tables.cuh"

namespace mcls {

/// The states where b is not 0, with numerators over 2^64 in proportion to |b|, and the weights b_i / probability.
struct StartTable {
    std::vector<std::uint64_t> last;
    std::vector<Start> start;
    std::uint32_t shift;  // of the guide
    std::vector<std::uint32_t> guide;

    Starts view() const { return {shift, guide.data(), last.data(), start.data()}; }
};

struct CdfTable {
    std::vector<std::uint32_t> first;
    std::vector<CdfEntry> entries;

    CdfRows view() const { return {static_cast<std::uint32_t>(first.size() - 1), first.data(), entries.data()}; }
};

struct AliasTable {
    std::uint32_t n;
    std::uint32_t bits;
    std::vector<AliasSlot> slots;
    std::vector<double> factors;  // distinct pairs: that of a slot's entry, that of its alias

    AliasRows view() const { return {n, bits, slots.data(), factors.data()}; }
};

struct ShortTable {
    std::vector<ShortSlot> slots;
    std::vector<double> first_factors;    // empty if a second word decides
    std::vector<RestSlot> rest;           // otherwise empty
    std::array<std::uint32_t, 16> base;   // as in ShortRows
    std::vector<std::uint32_t> entry_of;  // of each place
    std::vector<std::uint32_t> state_of;  // of each entry: its ShortState

    ShortRows view() const {
        ShortRows rows = {
            static_cast<std::uint32_t>(entry_of.size()), {}, slots.data(), first_factors.data(), entry_of.data()};
        std::copy(base.begin(), base.end(), rows.base);
        return rows;
    }
};

}  // namespace mcls
