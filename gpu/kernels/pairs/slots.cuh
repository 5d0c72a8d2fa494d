// How the letters of pairs lie that are scored two to a register. A slot is two pairs; a set is the slots of a warp. A
// pair code names a letter for each half of a register: low + CODES * high, a base being 0 to 3 and padding 4. A word has
// four of them, each times the bytes of a row's scores; the words of a set's slots stand side by side.
#pragma once

constexpr int SLOTS = WARP / LANES;
constexpr int CODES = BASES + 1;
constexpr int PADDING = CODES * CODES - 1;  // in both halves
constexpr int CODE_BYTES = 8;
static_assert(BURST == 4);  // codes to a word

// As gpu/pairs/slots.py packs them.
struct Set {
    long long columns_at, rows_at;  // where the words of its queries and of its subjects begin
    int columns, rows;              // letters of the longest of each
};
