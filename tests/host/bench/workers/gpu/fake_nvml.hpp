// A replacement for NVML: one board whose energy counter reads 5 J. A program linked with it loads it as NVML.
#pragma once

#include <optional>

constexpr const char* fake_board = "0000:1B:00.0";

enum class Mig { unsupported, disabled, enabled };

/// Sets the MIG mode that the board reports.
void set_fake_mig(Mig mig);

/// Sets the bits of what holds the board's clock down, and its temperature; empty if it has no sensor.
void set_fake_clocks(unsigned long long reasons, std::optional<unsigned> celsius);

/// Sets how many processes compute on the board.
void set_fake_processes(unsigned count);
