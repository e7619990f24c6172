// What a step of the ladder fixes; the rest is up to the user. Kernel files include this file, so it is C++17.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "bench/estimands/solution/solution_of.hpp"
#include "bench/step.hpp"
#include "kernels/mcls/replay/replays.hpp"
#include "kernels/mcls/tables/kinds.hpp"
#include "kernels/mcls/tables/methods.hpp"
#include "kernels/mcls/tables/walks.hpp"

namespace mcls {

/// How the histories of a step move, and what its launches publish.
struct Design {
    Method method = Method::adjoint;
    Sampling sampling = Sampling::almost_optimal;
    Table table = Table::own;
    Widths widths = Widths::as_needed;
    bench::TallyType tallies = bench::TallyType::fixed_point;
    const char* generator;
    bench::Soundness soundness;
    std::uint64_t
        histories;  // of a launch, unless the user chooses; forward histories: a little more, as many for each entry
    const char* instead = "";    // of absorption: the step that solves systems which it cannot
    const char* for_steps = "";  // of histories whose transitions cannot be limited: the step that has --steps
    bool stratified = false;     // history h of N starts in the h-th of N equal parts of the starts' distribution
    int bits_of_first = 62;      // the first tally of a history is below 2^this
    /// What a launch publishes according to the host.
    Replayed (*replay)(const bench::Launch& l) = nullptr;
    /// Throws bench::UsageError if the step cannot walk them. Needs no GPU.
    void (*check)(const Walks& walks) = nullptr;
    /// For Step::equip, unless the step names its own. Null on the CPU.
    std::unique_ptr<bench::Equipment> (*upload)(const bench::Launch& l) = nullptr;
    /// The most histories of a block in a launch, which its counters hold. `visits`: of the state that a history visits most,
    /// the mean; of `n` states. The CPU has no blocks.
    std::uint64_t (*histories_of_block)(double visits, std::uint32_t n) = histories_of_threads;
    /// Of walkers that are counted: the places of a launch with n states. Step::loops_from is of each place then, not of each
    /// thread. Null: walkers go one by one.
    std::uint64_t (*places)(std::uint32_t n, bench::Shape shape) = nullptr;
    /// The kernel that does the work, where it depends on the system; otherwise Step::kernel tells.
    const void* (*kernel)(const Walks& walks) = nullptr;
    /// Dynamic shared memory of a block, where it depends on the system; otherwise Step::dynamic_shared_bytes tells.
    std::size_t (*shared_bytes)(const Walks& walks, unsigned threads) = nullptr;
    /// Step::scratch_bytes, where they depend on the system.
    std::size_t (*scratch_bytes)(const Walks& walks, bench::Shape shape) = nullptr;
};

/// The design of a step whose histories are those of `Of`, which has a trait in tables/methods.hpp. `rest`: what that does not say.
/// A replay that is given stays.
template <class Of>
constexpr Design design_of(Design rest) {
    using Trait = MethodOf<Of>;
    rest.method = Trait::method;
    rest.sampling = Trait::sampling(rest.sampling);
    rest.table = Trait::table;
    rest.stratified = Trait::stratified;
    rest.check = Trait::check;
    if (!rest.replay) rest.replay = replay<Of>;
    return rest;
}

}  // namespace mcls
