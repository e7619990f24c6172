// options::PublishedSums of the lanes of a vector register. Compiled for several instruction sets, as cpu_floats.hpp is.
#pragma once

#include "kernels/options/shared/cpu_floats.hpp"

namespace options::CLONE {

/// Sums of all lanes over their paths or groups, in whole numbers. Statistic i has a grid of unit 2^-bits[i].
///
/// Sums of places and of their products are doubles for a while: those of 512 numbers stay within 2^53, so they are exact.
template <int... bits>
class LaneSums {
 public:
    static constexpr unsigned statistics = sizeof...(bits);
    static_assert(statistics == vector_statistics);

    /// Adds a path of each lane: its payoff and its other statistics.
    template <typename... Value>
    __forceinline__ void add(Value... values) {
        const Floats value[] = {values...};
        for (unsigned part = 0; part < registers; part++) {
            FloatRegister of_part[statistics];
            for (unsigned i = 0; i < statistics; i++) of_part[i] = value[i].part[part];
            add_register(of_part);
        }
        numbers_++;
        if (numbers_ % most_in_doubles == 0) take_over();
    }

    /// Adds the columns of all lanes to `sums`.
    __forceinline__ void publish(bench::Count* sums) {
        take_over();
        const bench::Count numbers = bench::Count{numbers_} * width;
        sums[0] += numbers;
        for (unsigned i = 0; i < register_width; i++) {
            sums[1] += static_cast<unsigned>(bad_[i]);
            sums[2] += static_cast<unsigned>(positive_[i]);
        }
        for (unsigned i = 0; i < statistics; i++) {
            sums[3 + i] += static_cast<bench::Count>(sum_[i]) + numbers * zero;
            for (unsigned j = i; j < statistics; j++) {
                sums[3 + statistics + pair(i, j)] +=
                    static_cast<bench::Count>(product_[pair(i, j)]) + (i == j ? 0 : numbers << 44);
            }
        }
    }

 private:
    __forceinline__ void add_register(const FloatRegister (&value)[statistics]) {
        constexpr float units[] = {unit_inverse(bits)...};
        IntegerRegister place[statistics], good = ~IntegerRegister{};
        for (unsigned i = 0; i < statistics; i++) {
            // Rounds to the grid: the last bit of a float between 2^23 and 2^24 is 1.
            const FloatRegister shifted = fma_of(value[i], units[i] - FloatRegister{}, 12582912.0f - FloatRegister{});
            const WordRegister above = (WordRegister)shifted - 0x4b000000u;
            good &= (IntegerRegister)(above < 2 * zero);
            place[i] = (IntegerRegister)(above - zero);
        }
        bad_ += good + 1;  // a comparison gives -1 or 0
        positive_ -= (IntegerRegister)(value[0] > FloatRegister{});
        for (unsigned i = 0; i < statistics; i++) place[i] &= good;
        add_half(place, 0);
        add_half(place, 1);
    }
    static constexpr unsigned pairs = statistics * (statistics + 1) / 2;
    static constexpr unsigned zero = 1u << 22;  // the place of 0
    static constexpr unsigned most_in_doubles = 512 / registers;

    static constexpr float unit_inverse(int exponent) { return static_cast<float>(std::uint64_t{1} << exponent); }

    static constexpr unsigned pair(unsigned i, unsigned j) { return i * (2 * statistics - 1 - i) / 2 + j; }

    /// Adds the places in one half of the lanes, whose doubles fill a register.
    __forceinline__ void add_half(const IntegerRegister (&place)[statistics], unsigned half) {
        DoubleRegister of_half[statistics];
        for (unsigned i = 0; i < statistics; i++) {
            HalfRegister integers;
            __builtin_memcpy(&integers, reinterpret_cast<const char*>(&place[i]) + half * sizeof integers,
                             sizeof integers);
            of_half[i] = doubles(integers);
            sum_in_doubles_[i] += of_half[i];
            for (unsigned j = 0; j <= i; j++) product_in_doubles_[pair(j, i)] += of_half[j] * of_half[i];
        }
    }

    /// Moves the sums from doubles to integers.
    __forceinline__ void take_over() {
        for (unsigned i = 0; i < statistics; i++) sum_[i] += taken(sum_in_doubles_[i]);
        for (unsigned i = 0; i < pairs; i++) product_[i] += taken(product_in_doubles_[i]);
    }

    static __forceinline__ std::int64_t taken(DoubleRegister& from) {
        std::int64_t sum = 0;
        for (unsigned i = 0; i < register_width / 2; i++) sum += static_cast<std::int64_t>(from[i]);
        from = DoubleRegister{};
        return sum;
    }

    unsigned numbers_ = 0;
    IntegerRegister bad_ = {}, positive_ = {};
    DoubleRegister sum_in_doubles_[statistics] = {}, product_in_doubles_[pairs] = {};
    std::int64_t sum_[statistics] = {}, product_[pairs] = {};
};

}  // namespace options::CLONE
