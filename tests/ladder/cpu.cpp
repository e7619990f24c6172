// The dice on the CPU, in three phases. If LOADED, the die never shows a one.
#include "bench/step.hpp"
#include "tests/ladder/dice.hpp"

namespace dice::PROGRAM_VARIANT {
namespace {

constexpr unsigned streams = 64;

/// How often each number of eyes showed.
std::uint64_t* shown(const bench::Launch& l) { return static_cast<std::uint64_t*>(l.scratch); }

void clear(const bench::Launch& l) {
    for (unsigned face = 0; face <= most_sides; face++) shown(l)[face] = 0;
}

void throw_dice(const bench::Launch& l) {
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

void add(const bench::Launch& l) {
    l.counts[0] = l.counts[1] = l.counts[2] = 0;
    for (unsigned face = 1; face <= most_sides; face++) {
        l.counts[0] += shown(l)[face];
        l.counts[1] += face * shown(l)[face];
        l.counts[2] += face * face * shown(l)[face];
    }
}

std::size_t published_by_launch(bench::Shape) { return published; }
std::size_t shown_bytes(bench::Shape, unsigned) { return (most_sides + 1) * sizeof(std::uint64_t); }
const char* isa() { return "any"; }
unsigned team_size(unsigned threads) { return threads; }

}  // namespace

extern const bench::Step step;
const bench::Step step = {
    .name = "cpu",
    .title = "Dice",
    .technique = "one throw after the other",
    .lesson = "The harness does not know what is counted.",
    .estimand = mean_of_eyes(),
    .default_iters = 1'000,
    .counts = published_by_launch,
    .scratch_bytes = shown_bytes,
    .phases = {{"clear", bench::on_host<clear>, bench::On::host},
               {"throw", bench::on_host<throw_dice>, bench::On::host},
               {"add", bench::on_host<add>, bench::On::host}},
    .cpu = {.streams = streams, .isa = isa, .team_size = team_size},
    .own = {.options = options_of_die()},
};

}  // namespace dice::PROGRAM_VARIANT
