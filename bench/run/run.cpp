#include "bench/run/run.hpp"

#include "bench/options/guarded.hpp"
#include "bench/options/interrupt.hpp"
#include "bench/run/command_line.hpp"
#include "bench/run/judge.hpp"
#include "bench/run/measure.hpp"
#include "bench/run/publish.hpp"
#include "bench/run/settle.hpp"
#include "bench/run/staff.hpp"
#include "bench/workers/ranks.hpp"

namespace bench {
namespace {

void run_launches(World& world, Plan& plan) {
    auto workers = rehearsed_workers(world, plan);
    Tally tally(*plan.step.estimand, plan.spec);
    if (!world.first()) {
        return serve(world, *workers[0], tally);
    }
    Team team = team_of(world, plan, std::move(workers));
    catch_interrupts();
    const auto saver = saver_of(plan, tally);
    const Measurement measured = measure(plan, team, tally, saver.get());
    const Record record = record_of(plan, team, measured, tally, saver.get());
    judge(plan, record, saver.get());
    publish(plan, record, saver.get());
}

}  // namespace

int run(int argc, const char* const* argv, const char* program, const char* ladder, const Step& step) {
    return guarded(program, [&] {
        // A launcher ends the other ranks of one that failed by a signal: they have nothing to say.
        if (announced_world()) catch_interrupts();
        World world;
        world.as_one(program, [&] {
            const auto options = parse_together(world, argc, argv, program, step);
            if (!options) return;
            if (options->list_devices) return list_devices(world, program, step, *options);
            Plan plan = settle(world, program, ladder, step, *options);
            if (!plan.judged.empty()) return judge_stored(plan);
            plan.options.profile ? profile(plan) : run_launches(world, plan);
        });
    });
}

}  // namespace bench
