// The dice on the CPU, in three phases. If LOADED, the die never shows a one.
#include "bench/cpu/cpu_step.hpp"
#include "tests/ladder/dice.hpp"

namespace dice::PROGRAM_VARIANT {
namespace {

constexpr unsigned streams = 64;
constexpr unsigned faces = 7;  // 1 to 6; entry 0 stays empty

/// How often each face showed.
std::uint64_t* shown(const bench::CpuLaunch& l) { return static_cast<std::uint64_t*>(l.scratch); }

void clear(const bench::CpuLaunch& l) {
    for (unsigned face = 0; face < faces; face++) shown(l)[face] = 0;
}

void throw_dice(const bench::CpuLaunch& l) {
    for (unsigned stream = 0; stream < streams; stream++) {
        for (unsigned i = 0; i < l.iters; i++) {
            const unsigned face = eyes(l.seed, l.index, stream, i);
            shown(l)[LOADED && face == 1 ? 6 : face]++;
        }
    }
}

void add(const bench::CpuLaunch& l) {
    l.counts[0] = l.counts[1] = 0;
    for (unsigned face = 1; face < faces; face++) {
        l.counts[0] += face * shown(l)[face];
        l.counts[1] += face * face * shown(l)[face];
    }
}

std::size_t shown_bytes(unsigned) { return faces * sizeof(std::uint64_t); }
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
};

}  // namespace dice::PROGRAM_VARIANT
