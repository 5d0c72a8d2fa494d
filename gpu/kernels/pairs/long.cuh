// How a long pair lies on the device, and what stays of its matrix (gpu/pairs/long.py). Columns are of the subject, rows of the
// query.
//
// A warp has a strip of columns, `items` for each of 64 places: place p is lane p % WARP, in the low halves of its registers
// where p < WARP, else in the high ones. In step t place p works on row t - p. WARP steps are a round.
#pragma once
#include "core/warp.cuh"

static_assert(PLACES == 2 * WARP);
constexpr int LAG = PLACES - 1;  // rows that the last place is behind the first
constexpr int LEAD = PLACES;     // letters of padding before those of the rows

struct LongPair {
    long long columns_at, rows_at;  // where words of its letters begin, strip by strip, and those of rows
    long long edges_at;             // where what leaves its strips begins: a word of 8 bytes a row
    long long kept_rows, kept_columns;  // where what is kept of row 0 and of round 0 begins, in columns and in rounds
    int columns, rows;
    int kept_rounds, unused;            // rounds that are kept of a column

    __device__ __forceinline__ int strips(int items) const { return (columns + PLACES * items - 1) / (PLACES * items); }
    __device__ __forceinline__ int rounds() const { return (rows + LAG + WARP - 1) / WARP; }
};

// Rounds of a strip, from one to before another; stored: where it is kept between launches, or its number among all strips.
struct Work {
    int pair, strip, stored, from, to;
};

// Words of the letters of its rows: some beyond those of the last round are asked for.
__device__ __forceinline__ int long_row_words(int rounds) { return (LEAD + rounds * WARP) / 4 + 4; }

// What stays: of a row in KEPT_ROWS H, and F as it enters the next row; of a column in KEPT_COLUMNS H, and E as it enters the
// next column. Both are 16 bits of a word, more than a base that the columns of a place, or the rows of a round, share.
struct LongMemory {
    const LongPair* pairs;
    unsigned* rows;
    int* row_bases;
    unsigned* columns;
    int* column_bases;
};

template <int items>
struct LongKept {
    using Memory = LongMemory;
    static constexpr bool by_sections = true;
    static_assert(PLACES * items % KEPT_COLUMNS == 0 && KEPT_COLUMNS % items == 0);
    const LongPair& pair;
    const Memory& memory;

    static __device__ __forceinline__ LongKept of(const Memory& memory, int number) {
        return LongKept{memory.pairs[number], memory};
    }
    // Of a row that is the last before a multiple of KEPT_ROWS, and of a column likewise.
    __device__ __forceinline__ size_t row_place(int row, int column) const {
        return pair.kept_rows + (size_t)(row / KEPT_ROWS) * (pair.strips(items) * PLACES * items) + column;
    }
    __device__ __forceinline__ size_t round_place(int round, int column) const {
        return pair.kept_columns + (size_t)(column / KEPT_COLUMNS) * pair.kept_rounds + round;
    }
    __device__ __forceinline__ size_t column_place(int row, int column) const { return round_place(0, column) * WARP + row; }

    // H there, and the gap that leaves it.
    __device__ __forceinline__ int2 in_row(int row, int column) const {
        const size_t place = row_place(row, column);
        return based(memory.rows[place], memory.row_bases[place / items]);
    }
    __device__ __forceinline__ int2 in_column(int row, int column) const {
        const int round = (row + column / items % PLACES) / WARP;
        return based(memory.columns[column_place(row, column)], memory.column_bases[round_place(round, column)]);
    }
    static __device__ __forceinline__ int2 based(unsigned word, int base) {
        return make_int2(base + (short)(word & 0xffff), base + ((int)word >> 16));
    }
};
