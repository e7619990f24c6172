#include "kernels/pi/shared/bit_sliced_streams.hpp"

namespace pi::bit_sliced {

DECLARE_CLONES(Levels, levels)

const std::vector<Clone>& clones() {
    static const std::vector<Clone> of_this_machine = CLONES(levels, x86_64_v4_with_counts);
    return of_this_machine;
}

}  // namespace pi::bit_sliced
