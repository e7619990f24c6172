#include "tests/host/bench/record/poor_file_system.hpp"

#include <sys/stat.h>

#include <cerrno>

namespace {

Lacking now;

int fail(int error) {
    errno = error;
    return -1;
}

}  // namespace

PoorFileSystem::PoorFileSystem(const Lacking& lacking) { now = lacking; }
PoorFileSystem::~PoorFileSystem() { now = {}; }

extern "C" {
int __real_flock(int descriptor, int operation);
int __real_fchmod(int descriptor, mode_t mode);
int __wrap_flock(int descriptor, int operation);
int __wrap_fchmod(int descriptor, mode_t mode);

int __wrap_flock(int descriptor, int operation) {
    return now.flock ? fail(now.flock) : __real_flock(descriptor, operation);
}

int __wrap_fchmod(int descriptor, mode_t mode) {
    return now.fchmod ? fail(now.fchmod) : __real_fchmod(descriptor, mode);
}
}
