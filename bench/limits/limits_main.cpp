// suite_limits: measures how fast this machine moves bytes, which limits steps that copy or use the GPU's memory, and how
// many instructions a multiprocessor takes in a clock, which limits the others.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <climits>
#include <nlohmann/json.hpp>

#include "bench/limits/limits.hpp"
#include "bench/options/app.hpp"
#include "bench/options/output.hpp"
#include "bench/record/files.hpp"
#include "bench/record/json.hpp"
#include "bench/record/record.hpp"
#include "bench/text.hpp"
#include "bench/workers/gpu/device.hpp"

namespace {

using Json = nlohmann::ordered_json;

constexpr const char* program = "suite_limits";
constexpr const char* description =
    "Measures the rates of PCIe, of the GPU's memory and of some instructions, in seconds.";
constexpr int schema = 1;

using Limits = std::vector<bench::Limit>;

std::string json_of(const Limits& bytes, const Limits& instructions, int device) {
    Json rows = Json::array(), instruction_rows = Json::array();
    for (const auto& limit : bytes) rows.push_back({{"name", limit.name}, {"gbps", limit.rate}});
    for (const auto& limit : instructions) {
        instruction_rows.push_back({{"name", limit.name}, {"per_clock", limit.rate}});
    }
    const Json document = {{"schema", schema},
                           {"suite", "limits"},
                           {"context", bench::to_json(bench::gpu_context(device))},
                           {"limits", rows},
                           {"instructions", instruction_rows}};
    return document.dump(1) + "\n";
}

std::string text_of(const Limits& bytes, const Limits& instructions) {
    std::string text;
    for (const auto& limit : bytes) text += fmt::format("{:<20}{:8.1f} GB/s\n", limit.name, limit.rate);
    for (const auto& limit : instructions) {
        text += fmt::format("{:<20}{:8.1f} a clock and multiprocessor\n", limit.name, limit.rate);
    }
    return text;
}

}  // namespace

int main(int argc, char** argv) {
    return bench::guarded(program, [&] {
        int device = 0;
        std::string json;
        CLI::App app(description, program);
        bench::add_quantity(app, "--device", 0, INT_MAX, "CUDA device (default 0)",
                            [&](auto n) { device = static_cast<int>(n); });
        app.add_option("--json", json, "write the result as JSON; '-' writes it, and nothing else, to stdout")
            ->type_name("FILE|-");
        if (!bench::parse(app, argc, argv)) return;
        if (!json.empty()) bench::check_target(json);
        bench::select_device(device);
        const Limits bytes = bench::measure_bandwidths(), instructions = bench::measure_instruction_rates();
        if (json.empty()) {
            bench::write_stdout(text_of(bytes, instructions));
        } else {
            bench::write_target(json, json_of(bytes, instructions, device));
        }
    });
}
