// A run as CSV: what the document has in single values.
#include <gtest/gtest.h>

#include <string>

#include "bench/record/json.hpp"

namespace {

using bench::to_csv;

nlohmann::ordered_json document(const std::string& device, const std::string& run) {
    return nlohmann::ordered_json::parse(
        R"({"schema": 3, "suite": "pi", "unit": "sample", "context": {"commit": null, "date": "2026-01-31T23:59:59Z",
               "device": )" +
        device + R"(}, "runs": [)" + run + "]}");
}

TEST(Csv, HasSingleValuesByTheirPath) {
    EXPECT_EQ(to_csv(document(R"({"name": "NVIDIA H200"})",
                              R"({"version": "v7", "sound": true, "seed": 18446744073709551615, "kernel_ms": [4, 1],
                                  "phases_ms": {}, "per_ns": {"median": 0.1, "of": {"low": 2}}, "power_w": null})")),
              "suite,unit,commit,date,device,version,sound,seed,per_ns.median,per_ns.of.low,power_w\n"
              "pi,sample,,2026-01-31T23:59:59Z,NVIDIA H200,v7,true,18446744073709551615,0.1,2,\n");
}

TEST(Csv, QuotesWhatWouldEndACell) {
    const std::string text =
        to_csv(document("null", R"({"a": "one, two", "b": "say \"so\"\"", "c": "1\n2", "d": "plain"})"));
    EXPECT_EQ(text.substr(text.find('\n') + 1),
              "pi,sample,,2026-01-31T23:59:59Z,,\"one, two\",\"say \"\"so\"\"\"\"\",\"1\n2\",plain\n");
}

}  // namespace
