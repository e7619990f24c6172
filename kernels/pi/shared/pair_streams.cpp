#include "kernels/pi/shared/pair_streams.hpp"

namespace pi::pairs {

DECLARE_CLONES(Loops, loops)

const std::vector<Clone>& clones() {
    static const std::vector<Clone> of_this_machine = CLONES(loops, x86_64_v4_with_counts);
    return of_this_machine;
}

}  // namespace pi::pairs
