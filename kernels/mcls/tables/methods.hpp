// What histories of each kind walk on: a trait a method, which makes it of Walks, with its tables in the memory of the host or of
// a GPU. Kernel files include this file, so it is C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kernels/mcls/shared/counted_walkers.cuh"
#include "kernels/mcls/shared/equal_slots.cuh"
#include "kernels/mcls/shared/guided_short_rows.cuh"
#include "kernels/mcls/shared/population.cuh"
#include "kernels/mcls/shared/quarter_paths.cuh"
#include "kernels/mcls/shared/strata.cuh"
#include "kernels/mcls/shared/walk.cuh"
#include "kernels/mcls/tables/kinds.hpp"
#include "kernels/mcls/tables/path_tables.hpp"
#include "kernels/mcls/tables/population_table.hpp"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

/// The trait of a method, whose objects walk histories. Of each it has
/// - what design_of() says of it: method, table, stratified, check, and sampling(what the step chooses);
/// - made(walks): its table, a reference if Walks have it. Throws bench::UsageError if it cannot hold them;
/// - on(walks, table, place): the method, whose table is at this place: OnHost, or that of a GPU;
/// - cells(method): how many its kernel counts in, if a second one makes the tallies from them.
/// Those in double precision stand in tables/double_tables.hpp.
template <class Of>
struct MethodOf;

/// The table that Walks have of these rows.
template <class Rows>
const auto& rows_of(const Walks& walks) {
    if constexpr (std::is_same_v<Rows, CdfRows>) {
        return walks.cdf;
    } else if constexpr (std::is_same_v<Rows, AliasRows>) {
        return walks.alias;
    } else {
        return walks.short_rows;
    }
}

/// What methods on rows that Walks have share.
template <class Rows>
struct OnRows {
    static constexpr Table table = std::is_same_v<Rows, CdfRows>     ? Table::cdf
                                   : std::is_same_v<Rows, AliasRows> ? Table::alias
                                                                     : Table::short_rows;
    static constexpr bool stratified = false;
    static constexpr void (*check)(const Walks&) = nullptr;
    static constexpr Sampling sampling(Sampling chosen) { return chosen; }

    static const auto& made(const Walks& walks) { return rows_of<Rows>(walks); }
    template <class Method>
    static std::size_t cells(const Method&) {
        return 0;
    }
};

template <class Rows>
struct MethodOf<Adjoint<Rows>> : OnRows<Rows> {
    static constexpr Method method = Method::adjoint;

    template <class Table, class Place>
    static Adjoint<Rows> on(const Walks& walks, const Table& rows, Place&& place) {
        return {walks.starts.view(place), rows.view(place), walks.limits, walks.scale};
    }
};

template <class Rows>
struct MethodOf<Stratified<Rows>> : OnRows<Rows> {
    static constexpr Method method = Method::adjoint;
    static constexpr bool stratified = true;

    template <class Table, class Place>
    static Stratified<Rows> on(const Walks& walks, const Table& rows, Place&& place) {
        return {walks.starts.view(place), Strata::of(walks.histories), rows.view(place), walks.limits, walks.scale};
    }
};

template <class Rows>
struct MethodOf<Forward<Rows>> : OnRows<Rows> {
    static constexpr Method method = Method::forward;

    template <class Table, class Place>
    static Forward<Rows> on(const Walks& walks, const Table& rows, Place&& place) {
        return {place(walks.b), walks.histories_of_entry, rows.view(place), walks.limits, walks.scale};
    }
};

template <>
struct MethodOf<GuidedShortRows> : OnRows<ShortRows> {
    static constexpr Method method = Method::forward;
    static constexpr Sampling sampling(Sampling) { return Sampling::importance; }

    template <class Place>
    static GuidedShortRows on(const Walks& walks, const ShortTable& rows, Place&& place) {
        const double entries_per_history = 1 / static_cast<double>(walks.histories_of_entry);
        return {place(walks.starts.start), place(walks.b), entries_per_history, rows.view(place),
                place(rows.rest),          walks.limits,   walks.scale};
    }
};

/// What methods share that move along paths, on tables that they make of B.
struct OnPaths {
    static constexpr Method method = Method::adjoint;
    static constexpr Table table = Table::own;
    static constexpr bool stratified = true;
};

template <>
struct MethodOf<QuarterPaths> : OnPaths {
    static constexpr Sampling sampling(Sampling) { return Sampling::absorbing; }
    static void check(const Walks& walks) { made(walks); }

    static QuarterPathTable made(const Walks& walks) { return quarter_path_table(walks); }
    template <class Place>
    static QuarterPaths on(const Walks& walks, const QuarterPathTable& table, Place&& place) {
        return table.view(walks, place);
    }
    static std::size_t cells(const QuarterPaths& method) { return std::size_t{method.n} * QuarterPaths::cells; }
};

template <>
struct MethodOf<CountedWalkers> : OnPaths {
    static constexpr Sampling sampling(Sampling) { return Sampling::absorbing; }
    static void check(const Walks& walks) { made(walks); }

    static CountedTable made(const Walks& walks) { return counted_table(walks); }
    template <class Place>
    static CountedWalkers on(const Walks& walks, const CountedTable& table, Place&& place) {
        return table.view(walks, place);
    }
    static std::size_t cells(const CountedWalkers&) { return 0; }
};

template <>
struct MethodOf<Population> : OnPaths {
    static constexpr Sampling sampling(Sampling) { return Sampling::absorbing; }
    static void check(const Walks& walks) { made(walks); }

    static PopulationTable made(const Walks& walks) { return population_table(walks); }
    template <class Place>
    static Population on(const Walks& walks, const PopulationTable& table, Place&& place) {
        return table.view(walks, place);
    }
    static std::size_t cells(const Population&) { return 0; }
};

template <std::uint32_t length>
struct MethodOf<SlotWalks<length>> : OnPaths {
    static constexpr Sampling sampling(Sampling) { return length == 1 ? Sampling::equal_slots : Sampling::paths; }
    static void check(const Walks& walks) { made(walks); }

    static SlotTable made(const Walks& walks) { return slot_table(walks, length); }
    template <class Place>
    static SlotWalks<length> on(const Walks& walks, const SlotTable& table, Place&& place) {
        return slot_walks<length>(walks, table, place);
    }
    static std::size_t cells(const SlotWalks<length>& method) {  // on single transitions a state is its own cell
        return length == 1 ? 0 : std::size_t{method.rows.n} * method.rows.cells;
    }
};

/// SlotWalks on paths of three transitions where rows allow it, otherwise of two: what a step with a kernel for each walks.
struct SlotPaths {};

template <>
struct MethodOf<SlotPaths> : OnPaths {
    static constexpr Sampling sampling(Sampling) { return Sampling::paths; }
    static void check(const Walks& walks) { slot_table(walks, length_of_paths(walks)); }
};

/// The method on a table that Walks have, in the memory of the host.
template <class Of>
Of on_host(const Walks& walks) {
    return MethodOf<Of>::on(walks, rows_of<decltype(Of::rows)>(walks), OnHost{});
}

}  // namespace mcls
