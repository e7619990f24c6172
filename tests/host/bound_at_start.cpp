// Binds a process that loads it to the first core that it may use, as a tool may that is loaded into a program.
#include <sched.h>

namespace {

__attribute__((constructor)) void bind() {
    cpu_set_t all, first;
    sched_getaffinity(0, sizeof all, &all);
    CPU_ZERO(&first);
    for (int cpu = 0; CPU_COUNT(&first) == 0; cpu++) {
        if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &first);
    }
    sched_setaffinity(0, sizeof first, &first);
}

}  // namespace
