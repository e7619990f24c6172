// A launch of the steps whose words cuRAND makes: X and Y in device memory, then the pass of a5.
#pragma once

#include <memory>

#include "bench/step.hpp"
#include "kernels/arrays/shared/hit_sum.hpp"
#include "kernels/random/curand_words.hpp"

namespace arrays {

/// A generator, and the pass.
struct CurandEquipment : bench::Equipment {
    CurandEquipment(const rng::CurandKind& kind, rng::CurandWords::Side side, const bench::Launch& l)
        : words(kind, side), sum(samples_of(l)) {}

    rng::CurandWords words;
    HitSum sum;
};

inline CurandEquipment& curand_equipment(const bench::Launch& l) { return static_cast<CurandEquipment&>(*l.equipment); }

/// Step::equip of a step whose words are made on the GPU.
template <const rng::CurandKind& kind>
std::unique_ptr<bench::Equipment> equip_curand(const bench::Launch& l) {
    auto equipment = std::make_unique<CurandEquipment>(kind, rng::CurandWords::Side::gpu, l);
    equipment->words.use(l.stream);
    return equipment;
}

/// The phases, in order: going to the first word of the launch, making its words, testing and adding them.
cudaError_t seed_curand(const bench::Launch& l);
cudaError_t make_curand_words(const bench::Launch& l);
/// The first two in one, for generators that go on from launch to launch.
cudaError_t go_on_with_curand_words(const bench::Launch& l);
cudaError_t sum_curand_hits(const bench::Launch& l);

/// Step::inspect: throws VerdictError if there are words that were not written.
void inspect_curand_words(const bench::Launch& l);

}  // namespace arrays
