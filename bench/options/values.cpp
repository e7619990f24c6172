#include "bench/options/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <optional>
#include <random>
#include <regex>
#include <sstream>

#include "bench/errors.hpp"
#include "bench/text.hpp"
#include "bench/whole_numbers.hpp"

namespace bench {
namespace {

/// The power of ten that a suffix or an exponent stands for; 0 without one.
unsigned power_of_ten(const std::string& suffix, const std::string& exponent) {
    constexpr unsigned beyond_64_bits = 20;
    if (suffix.empty()) return 0;
    if (suffix == "k") return 3;
    if (suffix == "M") return 6;
    if (suffix == "G") return 9;
    if (suffix == "T") return 12;
    return exponent.size() > 2 ? beyond_64_bits : std::min<unsigned>(std::stoul(exponent), beyond_64_bits);
}

/// digits times 10^power; empty if it exceeds 2^64 - 1.
std::optional<std::uint64_t> scaled(const std::string& digits, unsigned power) {
    std::uint64_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    std::optional<std::uint64_t> value;
    if (parsed.ec == std::errc{}) value = number;
    for (; value && power > 0; power--) {
        value = checked_product(*value, 10);
    }
    return value;
}

}  // namespace

std::uint64_t parse_quantity(const std::string& option, const std::string& text, std::uint64_t least,
                             std::uint64_t most) {
    static const std::regex quantity("(-?)([0-9]+)(k|M|G|T|[eE][+]?([0-9]+))?");
    std::smatch part;
    constexpr std::size_t longest = 40;  // std::regex recurses for each character
    if (text.size() > longest || !std::regex_match(text, part, quantity)) {
        throw UsageError(fmt::format("{}: {} is not a whole number such as 5000, 1e9 or 100k (suffixes k, M, G, T)",
                                     option, quoted(text)));
    }
    const bool negative = part.length(1) > 0;
    const auto value = negative ? std::nullopt : scaled(part.str(2), power_of_ten(part.str(3), part.str(4)));
    if (!value || *value < least || *value > most) {
        throw UsageError(fmt::format("{}: {} is outside {} to {}", option, quoted(text), least, most));
    }
    return *value;
}

double parse_seconds(const std::string& option, const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size() || !(value > 0) || !std::isfinite(value)) {
        throw UsageError(fmt::format("{}: {} is not a positive number of seconds", option, quoted(text)));
    }
    return value;
}

std::uint64_t parse_seed(const std::string& option, const std::string& text) {
    if (text == "random") {
        std::random_device entropy;
        return std::uint64_t{entropy()} << 32 | entropy();
    }
    return parse_quantity(option, text, 0, UINT64_MAX);
}

Scaling parse_scaling(const std::string& option, const std::string& text) {
    if (text == "strong") return Scaling::strong;
    if (text == "weak") return Scaling::weak;
    throw UsageError(fmt::format("{}: {} is neither weak nor strong", option, quoted(text)));
}

DeviceChoice parse_devices(const std::string& option, const std::string& text) {
    DeviceChoice devices;
    if (text == "all") {
        return devices;
    }
    std::istringstream list(text + ",");
    for (std::string index; std::getline(list, index, ',');) {
        const auto device = static_cast<int>(parse_quantity(option, index, 0, INT_MAX));
        if (std::find(devices.begin(), devices.end(), device) != devices.end()) {
            throw UsageError(fmt::format("{}: device {} is named twice", option, device));
        }
        devices.push_back(device);
    }
    return devices;
}

std::string parse_path(const std::string& option, const std::string& text) {
    if (text.empty()) {
        throw UsageError(option + ": the name of the file is empty");
    }
    return text;
}

}  // namespace bench
