// The main function of the peers whose loop has a directive: their words come from the host, as those of step a0.
#include "kernels/peers/arrays_offload.h"

#include "kernels/peers/arrays.hpp"
#include "kernels/peers/report.hpp"

namespace {

void measure() {
    if (!runs_on_gpu()) {
        throw bench::NoGpuError("no usable GPU: libgomp would run the loop on the host");
    }
    peers::HostWords words;
    peers::measure({peer_name, peer_package, words.generator, peers::arrays_samples}, [&](std::uint64_t launch) {
        return peers::on_the_wall_clock([&] {
            const auto [x, y, samples] = words.make(launch);
            return std::uint64_t{count_hits(x, y, samples)};
        });
    });
}

}  // namespace

int main() { return peers::run((std::string("peer_") + peer_name).c_str(), measure); }
