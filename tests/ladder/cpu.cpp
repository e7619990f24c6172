// The dice on the CPU, in three phases. If LOADED, the die never shows a one.
#include "bench/cpu_step.hpp"
#include "tests/ladder/dice.hpp"

namespace dice::PROGRAM_VARIANT {
namespace {

constexpr unsigned streams = 64;

/// How often each number of eyes showed.
std::uint64_t* shown(const bench::CpuLaunch& l) { return static_cast<std::uint64_t*>(l.scratch); }

void clear(const bench::CpuLaunch& l) {
    for (unsigned face = 0; face <= most_sides; face++) shown(l)[face] = 0;
}

void throw_dice(const bench::CpuLaunch& l) {
    const Die& die = die_of(l.problem);
    for (unsigned stream = 0; stream < streams; stream++) {
        std::uint64_t n = 0;
        for (unsigned i = 0; i < l.iters; i++) {
            unsigned face = 0;
            do {
                face = eyes(l.seed, l.index, stream, n++, die.last.data(), die.sides());
                shown(l)[LOADED && face == 1 ? die.sides() : face]++;
            } while (die.again && face == die.sides());
        }
    }
}

void add(const bench::CpuLaunch& l) {
    l.counts[0] = l.counts[1] = l.counts[2] = 0;
    for (unsigned face = 1; face <= most_sides; face++) {
        l.counts[0] += shown(l)[face];
        l.counts[1] += face * shown(l)[face];
        l.counts[2] += face * face * shown(l)[face];
    }
}

std::size_t shown_bytes(unsigned) { return (most_sides + 1) * sizeof(std::uint64_t); }
const char* isa() { return "any"; }
unsigned team_size(unsigned threads) { return threads; }

}  // namespace

extern const bench::CpuStep step;
const bench::CpuStep step = {
    .name = "cpu",
    .title = "Dice",
    .technique = "one throw after the other",
    .lesson = "The harness does not know what is counted.",
    .estimand = mean_of_eyes(),
    .streams = streams,
    .default_iters = 1'000,
    .counts = published,
    .scratch_bytes = shown_bytes,
    .isa = isa,
    .team_size = team_size,
    .phases = {{"clear", clear}, {"throw", throw_dice}, {"add", add}},
    .own_options = options_of_die(),
};

}  // namespace dice::PROGRAM_VARIANT
