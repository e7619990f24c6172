// Runs a benchmark: plan, launches, record. The backend decides where launches run.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>

#include "bench/measure/measurement.hpp"
#include "bench/record/record.hpp"
#include "bench/record/saver.hpp"
#include "bench/run/plan.hpp"
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

    /// See SideBySide.
    virtual unsigned side_by_side(unsigned /*most*/) const { return 1; }

    /// Adds the backend's own facts to the record of a finished run. Returns where the run was measured.
    virtual Context complete(Run& run, const Measurement& measurement) = 0;
};

/// An option whose value a resumed run takes from its checkpoint: "blocks".
struct ShapeOption {
    const char* name;
    std::optional<unsigned>& value;
};

/// Checks that the result can be written. With --resume, opens the checkpoint and takes these options from it. Throws
/// UsageError and WriteError.
std::optional<Resumed> begin(const std::string& program, Options& options, std::initializer_list<ShapeOption> shape);

/// Measures, judges and publishes.
void benchmark(Plan plan, Tally& tally, Backend& backend, std::optional<Resumed> resumed);

}  // namespace bench
