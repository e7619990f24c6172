// The tables of shared/tables.cuh in the memory of the host, and views of them there or where a place has copied them. Kernel files
// include this file, so it is C++17.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "kernels/mcls/shared/short_rows.cuh"
#include "kernels/mcls/shared/tables.cuh"

namespace mcls {

/// The place of tables whose memory is the host's: where they are. Another place is that of a GPU (launches/uploads.hpp).
struct OnHost {
    template <class T>
    const T* operator()(const std::vector<T>& values) const {
        return values.data();
    }
};

/// The states where b is not 0, with numerators over 2^64 in proportion to |b|, and the weights b_i / probability.
struct StartTable {
    std::vector<std::uint64_t> last;
    std::vector<Start> start;
    std::uint32_t shift;  // of the guide
    std::vector<std::uint32_t> guide;

    template <class Place = OnHost>
    Starts view(Place&& place = {}) const {
        return {shift, place(guide), place(last), place(start)};
    }
};

struct CdfTable {
    std::vector<std::uint32_t> first;
    std::vector<CdfEntry> entries;

    template <class Place = OnHost>
    CdfRows view(Place&& place = {}) const {
        return {static_cast<std::uint32_t>(first.size() - 1), place(first), place(entries)};
    }
};

struct AliasTable {
    std::uint32_t n;
    std::uint32_t bits;
    std::vector<AliasSlot> slots;
    std::vector<double> factors;  // distinct pairs: that of a slot's entry, that of its alias

    template <class Place = OnHost>
    AliasRows view(Place&& place = {}) const {
        return {n, bits, place(slots), place(factors)};
    }
};

struct ShortTable {
    std::vector<ShortSlot> slots;
    std::vector<double> first_factors;    // empty if a second word decides
    std::vector<RestSlot> rest;           // otherwise empty
    std::array<std::uint32_t, 16> base;   // as in ShortRows
    std::vector<std::uint32_t> entry_of;  // of each place
    std::vector<std::uint32_t> state_of;  // of each entry: its ShortState

    template <class Place = OnHost>
    ShortRows view(Place&& place = {}) const {
        ShortRows rows = {
            static_cast<std::uint32_t>(entry_of.size()), {}, place(slots), place(first_factors), place(entry_of)};
        std::copy(base.begin(), base.end(), rows.base);
        return rows;
    }
};

}  // namespace mcls
