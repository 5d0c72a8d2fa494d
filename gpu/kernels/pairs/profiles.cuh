// The scores of a lane's columns with each letter that a row may have, and with padding, which gains nothing.
#pragma once
#include "core/permute.cuh"
#include "core/scores.cuh"
#include "pairs/walk.cuh"

static_assert(PAIR_ITEMS == 8 && MATRIX_LETTERS % 4 == 0);

template <class Scores>
struct Profile;

// The scores of a row's letter with a lane's columns, but for pairs of letters that are taken, whose cells are marked: those
// are never paired.
template <class Scores>
struct Untaken {
    // Less than any score, and no sum of it and of what pairs are worth passes 32 bits.
    static constexpr int NEVER = -(1 << 29);
    Scores scores;
    unsigned marks;
    int first;

    __device__ __forceinline__ void load(int chunk) {
        scores.load(chunk);
        first = chunk * CHUNK;
    }
    __device__ __forceinline__ int of(int k) const {
        return marks >> (first + k) * MOVE_BITS & 1 ? NEVER : scores.of(k);
    }
};

// A byte a score, in shared memory.
template <>
struct Profile<ByteScores> {
    using Score = signed char;
    static constexpr bool reads_marks = false;
    static constexpr int bytes = MATRIX_LETTERS * STRIP;
    static constexpr unsigned LOW_SCORES = 0x80808080u;  // of padding with four letters: -128 each
    uint2* rows;

    __device__ __forceinline__ void open(uint2* shared, const signed char*, int) { rows = shared; }
    static __device__ __forceinline__ int padding() { return MATRIX_LETTERS; }

    // scores: rows of MATRIX_LETTERS, whole words. first: the row of the first column; below 0 where each has its letter's.
    __device__ __forceinline__ void fill(const unsigned char* query, const int columns, const signed char* scores,
                                         const int lane, const int first = -1) {
        int own[PAIR_ITEMS];
#pragma unroll
        for (int j = 0; j < PAIR_ITEMS; j++) {
            const int column = lane * PAIR_ITEMS + j;
            own[j] = column >= columns ? -1 : first < 0 ? query[column] : first + column;
        }
        for (int four = 0; four < MATRIX_LETTERS / 4; four++) {
            unsigned of[PAIR_ITEMS], words[PAIR_ITEMS];
#pragma unroll
            for (int j = 0; j < PAIR_ITEMS; j++)
                of[j] = own[j] < 0 ? LOW_SCORES : ((const unsigned*)scores)[own[j] * (MATRIX_LETTERS / 4) + four];
            transpose(of, words);
            transpose(of + 4, words + 4);
#pragma unroll
            for (int k = 0; k < 4; k++) rows[(4 * four + k) * WARP + lane] = make_uint2(words[k], words[4 + k]);
        }
        __syncwarp();
    }

    // Loads whatever the letter, then selects: lanes in padding do not part from the others.
    __device__ __forceinline__ ByteScores row(int letter, int lane) const {
        return ByteScores{own(letter, lane)};
    }
    __device__ __forceinline__ uint2 own(int letter, int lane) const {
        const uint2 scores = rows[min(letter, MATRIX_LETTERS - 1) * WARP + lane];
        return letter < MATRIX_LETTERS ? scores : make_uint2(LOW_SCORES, LOW_SCORES);
    }
};

// Any scores: the lane has its letters, and the table stands in device memory, a row for each letter of the subject, padding
// last in rows and columns.
template <>
struct Profile<TableScores> {
    using Score = int;
    static constexpr bool reads_marks = false;
    static constexpr int bytes = 0;
    const int* scores;
    int letters;
    uint2 own;

    __device__ __forceinline__ void open(uint2*, const int* table, int count) {
        scores = table;
        letters = count;
    }
    __device__ __forceinline__ int padding() const { return letters; }

    // A table has rows of letters alone.
    __device__ __forceinline__ void fill(const unsigned char* query, const int columns, const int*, const int lane,
                                         int) {
        unsigned words[2] = {};
#pragma unroll
        for (int j = 0; j < PAIR_ITEMS; j++) {
            const int column = lane * PAIR_ITEMS + j;
            words[j / 4] |= (unsigned)(column < columns ? query[column] : letters) << j % 4 * 8;
        }
        own = make_uint2(words[0], words[1]);
    }
    __device__ __forceinline__ TableScores row(int letter, int) const {
        return TableScores{scores + letter * (letters + 1), own};
    }
};

// The scores of a row's letter; marks are read where there may be some.
template <class Rows>
__device__ __forceinline__ auto scores_of(const Rows& rows, int letter, int lane, unsigned marks) {
    if constexpr (Rows::reads_marks) return rows.row(letter, lane, marks);
    else return rows.row(letter, lane);
}

template <class Scores>
struct Profile<Untaken<Scores>> : Profile<Scores> {
    static constexpr bool reads_marks = true;

    __device__ __forceinline__ Untaken<Scores> row(int letter, int lane, unsigned marks) const {
        return Untaken<Scores>{Profile<Scores>::row(letter, lane), marks, 0};
    }
};
