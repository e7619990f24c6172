#include "kernels/pi/device/cut_cells.hpp"

#include <map>
#include <sstream>
#include <string>

namespace pi {
namespace {

/// The places of a cell's quarters (inside, outside, cut): lower left, upper left, lower right, upper right.
using Kind = std::string;

/// The kinds of a level's cut cells, slot by slot, as scripts/networks --search found them. Cells of the same kind are in
/// order of rising x.
const std::map<unsigned, const char*> orders = {
    {3, "iiic coco iiic*2 cooo*2 iicc*2 icic*2 iccc*2 ccoo iccc*3"},
    {4, "iccc*8 coco*4 ccoo*4 iiic*4 icic*2 iiic*2 iicc cooo iicc cooo icic ccco iicc iiic"},
    {5, "iccc*8 iicc*8 icic*8 iiic*8 cooo*4 ccco*4 coco*4 ccoo*4 cooo*4 iccc*4 ccco*2 cooo*2 iccc ccoo coco iiic"},
    {6,
     "iicc*16 cooo*4 ccoo*2 cooo*2 iiic*2 coco*2 iiic ccoo coco ccco iiic*4 iccc*12 cooo*16 ccco*8 coco*8 iccc*8 "
     "ccoo*8 iiic*4 iccc*4 iiic*4 iccc*4 icic*16"},
    {7,
     "cooo*8 iccc*8 coco*4 cooo*4 ccoo*4 ccco*4 iicc*8 iiic*8 icic*8 ccco*8 cooo*16 ccoo*16 ccco*16 coco*2 icic*2 "
     "ccoo*2 iiic*2 iccc*2 iicc*2 iccc iiic ccoo coco icic*16 iicc*16 iiic*32 iccc*16 coco*16 icic*4 iiic*4 iicc*4 "
     "iccc*4 ccco*16"},
};

/// The inside cell that counts as cut. At each level it is the upper right quarter of that of the level before.
Cell padding(unsigned level) {
    Cell cell = {1, 6};
    for (unsigned l = first_level; l < level; l++) {
        cell = {2 * cell.x + 1, 2 * cell.y + 1};
    }
    return cell;
}

char letter(Place place) { return place == Place::inside ? 'i' : place == Place::outside ? 'o' : 'c'; }

Kind kind_of(Cell cell, unsigned level) {
    Kind kind;
    for (unsigned right = 0; right < 2; right++) {
        for (unsigned up = 0; up < 2; up++) {
            kind += letter(place_of({2 * cell.x + right, 2 * cell.y + up}, level + 1));
        }
    }
    return kind;
}

std::vector<Cell> cut_cells_by_x(unsigned level) {
    std::vector<Cell> cells;
    for (unsigned x = 0; x < 1u << level; x++) {
        for (unsigned y = 0; y < 1u << level; y++) {
            if (place_of({x, y}, level) == Place::cut) {
                cells.push_back({x, y});
            }
        }
    }
    return cells;
}

/// "iccc*2 coco" as iccc, iccc, coco.
std::vector<Kind> kinds_of(const std::string& order) {
    std::vector<Kind> kinds;
    std::istringstream runs(order);
    for (std::string run; runs >> run;) {
        const auto times = run.find('*');
        kinds.insert(kinds.end(), times == std::string::npos ? 1 : std::stoul(run.substr(times + 1)),
                     run.substr(0, times));
    }
    return kinds;
}

}  // namespace

Place place_of(Cell cell, unsigned level) {
    const unsigned long long radius_squared = 1ull << 2 * level;
    const unsigned long long x = cell.x, y = cell.y;
    const Cell pad = padding(level);
    if (cell.x == pad.x && cell.y == pad.y) {
        return Place::cut;
    }
    if ((x + 1) * (x + 1) + (y + 1) * (y + 1) <= radius_squared) {
        return Place::inside;
    }
    return x * x + y * y >= radius_squared ? Place::outside : Place::cut;
}

std::vector<Cell> slots(unsigned level) {
    const std::vector<Cell> by_x = cut_cells_by_x(level);
    const auto order = orders.find(level);
    if (order == orders.end()) {  // the last level: no network takes its slots
        return by_x;
    }
    std::map<Kind, std::vector<Cell>> by_kind;
    for (const Cell& cell : by_x) {
        by_kind[kind_of(cell, level)].push_back(cell);
    }
    std::map<Kind, std::size_t> taken;
    std::vector<Cell> ordered;
    for (const Kind& kind : kinds_of(order->second)) {
        ordered.push_back(by_kind.at(kind).at(taken[kind]++));
    }
    return ordered;
}

}  // namespace pi
