#include "bench/host.hpp"
#include "bench/workers/launching.hpp"
#include "bench/workers/worker.hpp"
#include "bench/workers/workspace.hpp"

namespace bench {
namespace {

class CpuWorker : public Worker {
 public:
    CpuWorker(const Step& step, const LaunchSpec& spec)
        : step_(step), counts_(spec.published), workspace_(step, spec, /*stream=*/nullptr) {}

    Member identity() const override {
        Member member;
        member.name = host_facts().cpu;
        return member;
    }
    void get_ready(unsigned) override {}
    BatchTime run(const Share& share, const CountSink& sink) override {
        return time_on_wall(step_, workspace_, clock_, share, [&](std::uint64_t) {
            sink({workspace_.counts(), counts_});
        });
    }

 private:
    const Step& step_;
    std::size_t counts_;  // of a launch
    Workspace workspace_;
    IntervalClock clock_;
};

}  // namespace

std::unique_ptr<Worker> cpu_worker(const Step& step, const LaunchSpec& spec) {
    return std::make_unique<CpuWorker>(step, spec);
}

}  // namespace bench
