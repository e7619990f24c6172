// The main function of every program; the build compiles in its name, its ladder and its step.
#include "bench/run/run.hpp"

namespace PROGRAM_NAMESPACE {
extern const bench::Step step;
}

int main(int argc, char** argv) {
    return bench::run(argc, argv, PROGRAM_NAME, PROGRAM_LADDER, PROGRAM_NAMESPACE::step);
}
