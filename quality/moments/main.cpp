// options_moments: counts the moments and tails of every transform again and compares them with the stored ones.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <climits>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "bench/errors.hpp"
#include "bench/options/app.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "bench/record/json.hpp"
#include "bench/record/record.hpp"
#include "bench/workers/gpu/device.hpp"
#include "quality/moments/exhaust.hpp"

namespace {

using Json = nlohmann::ordered_json;
using normals::Exhausted;
using normals::Transform;

constexpr const char* program = "options_moments";
constexpr const char* description =
    "Passes all 2^32 words through each transform of words to normals, in the GPU's own arithmetic, and prints the "
    "exact\n"
    "moments and tails of its normals. Takes a second. Exits with 1 if a stored moment differs by more than 1e-7.";
constexpr int schema = 1;
constexpr double tolerance = 1e-7;  // other GPUs have other special function units

struct Options {
    int device = 0;
    std::string json;
};

struct Row {
    Transform transform;
    Exhausted exhausted;
};

/// Returns nothing after printing --help or --version.
std::optional<Options> parse(int argc, const char* const* argv) {
    Options options;
    CLI::App app(description, program);
    bench::add_quantity(app, "--device", 0, INT_MAX, "CUDA device (default 0)",
                        [&](auto n) { options.device = static_cast<int>(n); });
    app.add_option("--json", options.json, "write the result as JSON; '-' writes it, and nothing else, to stdout")
        ->type_name("FILE|-");
    return bench::parse(app, argc, argv) ? std::optional(options) : std::nullopt;
}

double distance(const Row& row) {
    const auto& [transform, exhausted] = row;
    return std::max(std::fabs(exhausted.mean_power[2] - transform.stored.second),
                    std::fabs(exhausted.mean_power[4] - transform.stored.fourth));
}

std::string text_of(const Row& row) {
    const auto& [transform, exhausted] = row;
    const auto& power = exhausted.mean_power;
    std::string text = fmt::format(
        "{} ({})\n"
        "  E z         {:+.3g}\n"
        "  E z^2       {:.12f} (1 {:+.3g}; stored {:.12f})\n"
        "  E z^4       {:.12f} (3 {:+.3g}; stored {:.12f})\n"
        "  E z^6, z^8  {:.9f}, {:.9f} (normal: 15, 105)\n"
        "  largest |z| {:.6f}\n",
        transform.name, transform.steps, power[1], power[2], power[2] - 1, transform.stored.second, power[4],
        power[4] - 3, transform.stored.fourth, power[6], power[8], exhausted.largest);
    for (std::size_t i = 0; i < normals::tails; i++) {
        text += fmt::format("  P(|z| > {})  {:.6e}, {:.6f} of the normal tail\n", normals::first_level + i,
                            exhausted.tail[i], exhausted.tail[i] / normals::normal_tails[i]);
    }
    if (exhausted.bad > 0) text += fmt::format("  not finite  {} words\n", exhausted.bad);
    return text;
}

Json json_of(const Row& row) {
    const auto& [transform, exhausted] = row;
    Json tails = Json::array();
    for (std::size_t i = 0; i < normals::tails; i++) {
        tails.push_back({{"level", normals::first_level + i},
                         {"probability", exhausted.tail[i]},
                         {"normal", normals::normal_tails[i]}});
    }
    return {{"name", transform.name},
            {"steps", transform.steps},
            {"powers", exhausted.mean_power},
            {"stored", {transform.stored.second, transform.stored.fourth}},
            {"largest", exhausted.largest},
            {"tails", tails},
            {"bad", exhausted.bad}};
}

std::string json_of(const std::vector<Row>& rows, int device) {
    Json transforms = Json::array();
    for (const Row& row : rows) transforms.push_back(json_of(row));
    const Json document = {{"schema", schema},
                           {"suite", "moments"},
                           {"context", bench::to_json(bench::gpu_context(device))},
                           {"transforms", transforms}};
    return document.dump(1) + "\n";
}

void write(const std::vector<Row>& rows, const Options& options) {
    if (!options.json.empty()) return bench::write_target(options.json, json_of(rows, options.device));
    for (const Row& row : rows) bench::write_stdout(text_of(row));
}

void judge(const std::vector<Row>& rows) {
    for (const Row& row : rows) {
        if (row.exhausted.bad > 0 || !(distance(row) <= tolerance)) {
            throw bench::VerdictError(
                fmt::format("{}: {} words are not finite, and a moment is {:.2g} from the stored one: "
                            "kernels/options/normals/shared/moments.hpp",
                            row.transform.name, row.exhausted.bad, distance(row)));
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        const auto options = parse(argc, argv);
        if (!options) {
            return;
        }
        if (!options->json.empty()) bench::check_target(options->json);
        bench::select_device(options->device);
        std::vector<Row> rows;
        for (const Transform& transform : normals::transforms()) rows.push_back({transform, transform.exhaust()});
        write(rows, *options);
        judge(rows);
    });
}
