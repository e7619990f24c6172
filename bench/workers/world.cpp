#include "bench/workers/world.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "bench/errors.hpp"

namespace bench {
namespace {

std::optional<int> number_in_environment(const char* name) {
    const char* text = std::getenv(name);
    if (!text) return std::nullopt;
    int number = 0;
    const char* end = text + std::strlen(text);
    const auto parsed = std::from_chars(text, end, number);
    return parsed.ec == std::errc{} && parsed.ptr == end && number >= 0 ? std::optional(number) : std::nullopt;
}

/// Environment variables of a launcher.
struct Launcher {
    const char* size;
    const char* rank;
    int least_size;  // smaller sizes do not count: Slurm starts plain programs as a step of one task
};

constexpr std::array<Launcher, 3> launchers = {{{"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", 1},
                                                {"PMI_SIZE", "PMI_RANK", 1},
                                                {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", 2}}};

}  // namespace

std::optional<Announcement> announced_world() {
    for (const Launcher& launcher : launchers) {
        const auto size = number_in_environment(launcher.size);
        if (size && *size >= launcher.least_size) {
            return Announcement{*size, number_in_environment(launcher.rank).value_or(0)};
        }
    }
    return std::nullopt;
}

Report attempt(const std::function<void()>& body) {
    Report report;
    try {
        body();
    } catch (const std::exception& exception) {
        const Error error = as_error(exception);
        report.code = error.code();
        std::string_view(error.what()).copy(report.message, sizeof report.message - 1);
    }
    return report;
}

void throw_first_error(std::span<const Report> reports, const std::vector<std::string>& hosts) {
    const auto failed =
        std::find_if(reports.begin(), reports.end(), [](const Report& r) { return r.code != exit_done; });
    if (failed == reports.end()) {
        return;
    }
    const auto code = static_cast<ExitCode>(failed->code);
    if (code > exit_signal) {
        throw Interrupted(code);
    }
    const auto rank = static_cast<std::size_t>(failed - reports.begin());
    const std::string origin = rank == 0 ? "" : fmt::format("rank {} ({}): ", rank, hosts[rank]);
    throw Error(code, origin + failed->message);
}

void World::as_one(const std::string& program, const std::function<void()>& body) {
    if (first()) {
        return body();
    }
    try {
        body();
    } catch (const std::exception& exception) {
        const Error error = as_error(exception);
        std::fputs(
            fmt::format("{}: rank {} ({}): {}\n", program, rank_, hosts_[static_cast<std::size_t>(rank_)], error.what())
                .c_str(),
            stderr);
        abort(error.code());
    }
}

void World::together(const std::function<void()>& body) {
    if (size_ == 1) {
        return body();  // errors keep their type
    }
    const auto reports = gather(attempt(body));
    if (first()) {
        throw_first_error(reports, hosts_);
    } else if (std::any_of(reports.begin(), reports.end(), [](const Report& r) { return r.code != exit_done; })) {
        throw Dismissed();
    }
}

}  // namespace bench
