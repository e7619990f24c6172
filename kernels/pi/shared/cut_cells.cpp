#include "kernels/pi/shared/cut_cells.hpp"

#include <array>
#include <map>
#include <sstream>
#include <string>

namespace pi {
namespace {

/// The places of a cell's quarters (inside, outside, cut): lower left, upper left, lower right, upper right.
using Kind = std::string;

/// The kinds of a level's cut cells or pieces, slot by slot, as scripts/networks --search found them. Those of the same kind
/// are in order of rising x.
using Orders = std::map<unsigned, const char*>;

const Orders square_orders = {
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

const Orders octant_orders = {
    {3, "iccc*2 iicc*3 cooo iiic ccoo"},
    {4, "iicc*2 ccoo*2 iicc*2 ccoo*2 iccc*4 iiic*3 cooo"},
    {5, "iiic*4 iicc*4 ccoo*2 iccc*2 ccco*3 cooo iicc*4 cooo*4 ccoo*4 iccc*4"},
    {6, "iicc*8 iiic*2 ccoo*2 cooo iiic iicc ccoo iicc*8 ccoo*8 iccc*8 ccco*4 iiic*4 iccc*6 cooo*10"},
    {7,
     "ccco*8 iccc*4 ccco*4 ccoo*16 iccc*8 iicc*8 iiic*16 iicc*4 iiic*4 iicc*8 cooo*8 ccoo*8 ccco*8 iicc*8 cooo*4 "
     "iiic*2 iccc*2 iicc*2 cooo*2 ccco*2 iiic iccc"},
    {8,
     "iicc*64 ccoo*32 cooo*32 ccco*32 iiic*16 ccco*8 ccoo*8 iccc*32 iiic*14 iicc*2 cooo*10 iccc*2 iioc cooo iiic "
     "iccc"},
    {9,
     "iccc*16 iicc*16 iiic*16 iicc*18 ccco*2 cooo ocoo ccoo iicc ccoo*24 iicc*8 ccoo*8 iccc*4 cooo*4 ccoo*8 "
     "cooo*64 iccc*64 ccco*64 ccoo*64 iiic*64 iicc*64"},
};

/// The inside cell that counts as cut. At each level it is the upper right quarter of that of the level before.
Cell padding_of_square(unsigned level) {
    Cell cell = {1, 6};
    for (unsigned l = first_level; l < level; l++) {
        cell = {2 * cell.x + 1, 2 * cell.y + 1};
    }
    return cell;
}

Place place_by_arc(Cell cell, unsigned level) {
    const unsigned long long radius_squared = 1ull << 2 * level;
    const unsigned long long x = cell.x, y = cell.y;
    if ((x + 1) * (x + 1) + (y + 1) * (y + 1) <= radius_squared) {
        return Place::inside;
    }
    return x * x + y * y >= radius_squared ? Place::outside : Place::cut;
}

char letter(Place place) { return place == Place::inside ? 'i' : place == Place::outside ? 'o' : 'c'; }

Kind kind_of(const Grid& grid, Cell cell, unsigned level) {
    Kind kind;
    for (unsigned quarter = 0; quarter < 4; quarter++) {
        kind += letter(grid.place_of(grid.quarter(cell, quarter), level + 1));
    }
    return kind;
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

Place place_of_cell(Cell cell, unsigned level) {
    const Cell pad = padding_of_square(level);
    return cell.x == pad.x && cell.y == pad.y ? Place::cut : place_by_arc(cell, level);
}

/// `cells` of a level in the order of its slots. A level whose slots no network takes keeps them as they are.
std::vector<Cell> ordered(const Grid& grid, const Orders& orders, unsigned level, const std::vector<Cell>& cells) {
    const auto order = orders.find(level);
    if (order == orders.end()) {
        return cells;
    }
    std::map<Kind, std::vector<Cell>> by_kind;
    for (const Cell& cell : cells) {
        by_kind[kind_of(grid, cell, level)].push_back(cell);
    }
    std::map<Kind, std::size_t> taken;
    std::vector<Cell> in_order;
    for (const Kind& kind : kinds_of(order->second)) {
        in_order.push_back(by_kind.at(kind).at(taken[kind]++));
    }
    return in_order;
}

/// The cells (x, y) of a level that are cut, by x and then by y.
std::vector<Cell> cut_cells(const Grid& grid, unsigned level, bool (*is_cell)(Cell)) {
    std::vector<Cell> cells;
    for (unsigned x = 0; x < 1u << level; x++) {
        for (unsigned y = 0; y < 1u << level; y++) {
            if (is_cell({x, y}) && grid.place_of({x, y}, level) == Place::cut) {
                cells.push_back({x, y});
            }
        }
    }
    return cells;
}

Cell quarter_of_cell(Cell cell, unsigned bits) { return {2 * cell.x + (bits >> 1), 2 * cell.y + (bits & 1)}; }

bool any(Cell) { return true; }

std::vector<Cell> slots_of_square(unsigned level) {
    return ordered(square, square_orders, level, cut_cells(square, level, any));
}

Cell first_of_square(unsigned bits) { return {bits >> first_level, bits % (1u << first_level)}; }

bool on_diagonal(Cell piece) { return piece.x == piece.y; }

/// Right of the diagonal, or on it. Half of the pieces on the diagonal lie outside the square, where nothing is cut.
bool is_piece(Cell piece) { return piece.x >= piece.y; }

Cell quarter_of_piece(Cell piece, unsigned bits) {
    if (!on_diagonal(piece)) {
        return quarter_of_cell(piece, bits);
    }
    const unsigned k = 2 * piece.x + (bits >> 1);
    return bits & 1 ? Cell{k, k} : Cell{2 * k + 1, 2 * k};
}

std::array<Cell, 2> cells_of(Cell piece) {
    if (on_diagonal(piece)) {
        const unsigned x = 2 * piece.x;
        return {{{x, x}, {x + 1, x + 1}}};
    }
    return {{piece, {piece.y, piece.x}}};
}

Place place_of_piece(Cell piece, unsigned level) {
    const auto cells = cells_of(piece);
    const Place place = place_by_arc(cells[0], level);
    return place == place_by_arc(cells[1], level) ? place : Place::cut;
}

Cell first_of_octant(unsigned bits) {
    Cell piece = bits >> 2 * (first_level - 1) ? Cell{0, 0} : Cell{1, 0};
    for (unsigned level = first_level - 1; level > 0; level--) {
        piece = quarter_of_piece(piece, bits >> 2 * (level - 1) & 3);
    }
    return piece;
}

std::vector<Cell> slots_of_octant(unsigned level) {
    return ordered(octant, octant_orders, level, cut_cells(octant, level, is_piece));
}

std::vector<Cell> last_cells_of_square(unsigned level) { return cut_cells(square, level, any); }

std::vector<Cell> last_cells_of_octant(unsigned level) {
    std::vector<Cell> cells;
    for (const Cell& piece : cut_cells(octant, level, is_piece)) {
        for (const Cell& cell : cells_of(piece)) {
            cells.push_back(cell);
        }
    }
    return cells;
}

}  // namespace

const Grid square = {
    .last_level = 8,
    .first_bits = 2 * first_level,
    .first = first_of_square,
    .quarter = quarter_of_cell,
    .place_of = place_of_cell,
    .slots = slots_of_square,
    .cells_of_last = last_cells_of_square,
};

const Grid octant = {
    .last_level = 8,
    .first_bits = 2 * first_level - 1,
    .first = first_of_octant,
    .quarter = quarter_of_piece,
    .place_of = place_of_piece,
    .slots = slots_of_octant,
    .cells_of_last = last_cells_of_octant,
};

const Grid deep_octant = [] {
    Grid grid = octant;
    grid.last_level = 10;
    return grid;
}();

}  // namespace pi
