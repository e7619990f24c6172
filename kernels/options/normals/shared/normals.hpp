// What the steps of normals tell the harness. .cu files include it, so it is C++17.
#pragma once

#include "bench/estimands/means/means_of.hpp"
#include "bench/step.hpp"
#include "kernels/options/normals/shared/moments.hpp"
#include "kernels/random/normals/normals_of.hpp"

namespace normals {

/// Normals whose sum and sum of squares are rounded to whole numbers and published together. 31 is the number of words of
/// the multiple recursive generator, 16 the number of normals of four blocks of Philox.
inline constexpr unsigned normals_per_group = 31 * 16;

/// Grids of the sum of squares and of the sum of a group: the first is below 1024 and the second within 512, but for one
/// group in 10^36.
inline constexpr int squares_bits = 12, sum_bits = 13;

/// Groups of a thread. As many as any block may have; and the number that a launch has by default.
inline constexpr unsigned most_groups = 512, usual_groups = 100;

/// Step::loops_from: what is unrolled lies within a group.
inline constexpr unsigned loops_from = 2;

/// The estimand of a step: the mean sum of squares of a group, and its sum.
/// @param moments of the step's normals
/// @param normals of a thread, for its replay on the host; null: not replayed
std::shared_ptr<const bench::Estimand> estimand(const char* generator, bench::Soundness soundness, Moments moments,
                                                rng::NormalsOf normals);

/// Counts of a launch.
std::size_t counts(bench::Shape shape);

/// The ring of device memory that --store writes normals into.
inline constexpr std::size_t ring_bytes = std::size_t{512} << 20;
inline constexpr unsigned ring_pairs = ring_bytes / (2 * sizeof(float));

/// The option --store of a step, whose other form is `stored`.
std::shared_ptr<const bench::OwnOptions> store_option(const bench::Step& stored);

/// `step` with normals that are written to the ring, which begins at Launch::scratch.
/// @param name "n8_store"
/// @param sample the phase that draws and writes, in place of the last one of `step`
bench::Step stored_form(const bench::Step& step, const char* name, const void* kernel,
                        cudaError_t (*sample)(const bench::Launch&));

}  // namespace normals
