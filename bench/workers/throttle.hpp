// What kept a GPU's clock down, how hot it was, and the warning about a low clock.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "bench/errors.hpp"

namespace bench {

struct Member;

/// One look at a GPU for each timing: how many timings there were, in how many of them each reason held the clock down, and
/// the lowest and highest temperature in °C. Several reasons may hold at once.
struct Throttle {
    std::uint64_t timings = 0;
    std::uint64_t power = 0;
    std::uint64_t thermal = 0;
    std::uint64_t sync_boost = 0;  // by a slower GPU of its group
    std::uint64_t other = 0;
    unsigned min_c = 0;
    unsigned max_c = 0;

    bool operator==(const Throttle&) const = default;
};

/// One timing, from NVML's bits (NVML API reference, "nvmlClocksEventReasons"). Clocks that are low because the GPU idles,
/// or that the user set, are not held down.
Throttle throttle_of(unsigned long long reasons, unsigned celsius);

/// Adds more timings to a sum. What is empty adds nothing.
void add(std::optional<Throttle>& sum, const std::optional<Throttle>& more);

/// "power cap in 12, heat in 3 of 50 timings"; empty if nothing held the clock down.
std::string reasons_text(const std::optional<Throttle>& throttle);

/// One line about the GPUs that ran below 75 % of their maximum, with what held their clocks down if it is known; of several it
/// names them, but not more than eight. Empty if none did.
std::optional<Warning> low_clock_warning(std::span<const Member> gpus);

}  // namespace bench
