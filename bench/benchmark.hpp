// A benchmark from its plan to its record, wherever launches run.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "bench/keep/saver.hpp"
#include "bench/measure/measurement.hpp"
#include "bench/plan.hpp"
#include "bench/record.hpp"
#include "bench/tally.hpp"

namespace bench {

/// Where launches run: on GPUs, or on the CPU.
class Backend {
 public:
    virtual ~Backend() = default;

    /// How many workers share the launches.
    virtual unsigned workers() const { return 1; }

    /// Runs launches `first`, `first` + 1, ... and adds them to the run's tally.
    virtual BatchTime time(std::uint64_t first, unsigned launches) = 0;

    virtual void end_warm_up() {}

    /// As SideBySide has it.
    virtual unsigned side_by_side(unsigned /*most*/) const { return 1; }

    /// Adds to the record of a finished run what only this backend knows; returns where it was measured.
    virtual Context complete(Run& run, const Measurement& measurement) = 0;
};

/// An option that a resumed run settles: "blocks".
struct ShapeOption {
    const char* name;
    std::optional<unsigned>& value;
};

/// Checks that the result can be written, and opens the run to be resumed, if one is, which settles these options. Throws
/// UsageError and WriteError.
std::optional<Resumed> begin(const std::string& program, Options& options, std::initializer_list<ShapeOption> shape);

/// Measures, judges and publishes.
void benchmark(Plan plan, Tally& tally, Backend& backend, std::optional<Resumed> resumed);

}  // namespace bench
