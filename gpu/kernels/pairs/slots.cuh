// How the letters of pairs lie that are scored two to a register. A slot is two pairs; a set is the slots of a warp, whose
// words stand side by side. Of DNA a word has four pair codes, which name a letter for each half of a register: low +
// CODES * high, a base being 0 to 3 and padding 4, times the bytes of a row's scores. Of other alphabets there are two
// words, four letters of each half, and MATRIX_LETTERS is padding.
#pragma once

constexpr int SLOTS = WARP / LANES;
constexpr int CODES = BASES + 1;
constexpr int PADDING = CODES * CODES - 1;  // in both halves
constexpr int CODE_BYTES = 8;
static_assert(BURST == 4);  // codes to a word

// As gpu/pairs/slots.py and gpu/pairs/kept.py pack them.
struct Set {
    long long columns_at, rows_at;  // where the words of its queries and of its subjects begin
    int columns, rows;              // letters of the longest of each
};
