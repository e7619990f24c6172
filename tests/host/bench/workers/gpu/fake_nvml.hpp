// A replacement for NVML: one board whose energy counter reads 5 J. A program linked with it loads it as NVML.
#pragma once

constexpr const char* fake_board = "0000:1B:00.0";

enum class Mig { unsupported, disabled, enabled };

/// Sets the MIG mode that the board reports.
void set_fake_mig(Mig mig);
