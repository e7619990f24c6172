// The one main: each program is this file with its version compiled in.
#include "bench/run.hpp"

namespace pi::PROGRAM_NAMESPACE {
extern const bench::PROGRAM_CONTRACT version;
}

int main(int argc, char** argv) { return bench::run(argc, argv, pi::PROGRAM_NAMESPACE::version); }
