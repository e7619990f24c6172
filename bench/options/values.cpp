#include "bench/options/values.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cmath>
#include <random>
#include <regex>
#include <sstream>
#include <string_view>

#include "bench/errors.hpp"
#include "bench/text.hpp"

namespace bench {
namespace {

/// The power of ten that a suffix or an exponent stands for; 0 without one.
int power_of_ten(const std::string& suffix, const std::string& exponent) {
    if (exponent.empty()) return suffix.empty() ? 0 : 3 * static_cast<int>(std::string_view("kMGT").find(suffix) + 1);
    constexpr int beyond_64_bits = 60;  // whatever the digits
    return exponent.size() > 3 ? beyond_64_bits : std::stoi(exponent);
}

}  // namespace

std::uint64_t parse_quantity(const std::string& option, const std::string& text, std::uint64_t least,
                             std::uint64_t most) {
    static const std::regex quantity("(-?)([0-9]+)((?:[.]([0-9]+))?(k|M|G|T|[eE][+]?([0-9]+)))?");
    std::smatch part;
    constexpr std::size_t longest = 40;  // std::regex recurses for each character
    const std::string read = text.size() > longest ? "" : text;
    const bool is_number = std::regex_match(read, part, quantity);
    const std::string decimals = part.str(4), fraction = decimals.substr(0, decimals.find_last_not_of('0') + 1);
    const int power = power_of_ten(part.str(5), part.str(6)) - static_cast<int>(fraction.size());
    if (!is_number || power < 0) {
        throw UsageError(fmt::format("{}: {} is not a whole number such as 5000, 1.5e9 or 100k (suffixes k, M, G, T)",
                                     option, quoted(text)));
    }
    const std::string digits = part.str(2) + fraction + std::string(static_cast<std::size_t>(power), '0');
    std::uint64_t value = 0;
    const bool fits = std::from_chars(digits.data(), digits.data() + digits.size(), value).ec == std::errc{};
    if (part.length(1) > 0 || !fits || value < least || value > most) {
        throw UsageError(fmt::format("{}: {} is outside {} to {}", option, quoted(text), least, most));
    }
    return value;
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
    if (text == "all") return devices;
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
    if (text.empty()) throw UsageError(option + ": the name of the file is empty");
    return text;
}

}  // namespace bench
