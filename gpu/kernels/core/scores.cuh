// Where the scores of a row come from: the profile of a strip, a row of scores for each letter or pair of letters.
//
// They are read a chunk of columns at a time: load(chunk), then of(k) for its columns in their order.
#pragma once
#include "core/permute.cuh"
#include "core/warp.cuh"

// Scores of a row are read CHUNK columns at a time, the widest load there is; a lane's columns of one chunk lie
// together, and the lanes of a group side by side, so that a group reads lanes * 16 bytes without bank conflicts
// whatever rows its neighbours are at. The columns left over by whole chunks, if any, form a narrower table, where
// groups may meet in a bank.
static_assert(CHUNK == 4);  // of 32 bits each

template <int items, int lanes>
struct ProfileLayout {
    static constexpr int chunks = items / CHUNK;
    static constexpr int rest = items % CHUNK;
    static constexpr int rest_words = rest == 3 ? 4 : rest;  // a load is of 1, 2 or 4 words
    static constexpr int row_bytes = chunks * lanes * CHUNK * 4;
    static constexpr int rest_row_bytes = rest_words * lanes * 4;
    static constexpr int bytes(int rows) { return rows * (row_bytes + rest_row_bytes); }
    // Where the word of a column stands, in words from the table's start.
    static __device__ __forceinline__ int word(int rows, int row, int lane, int item) {
        if (item < chunks * CHUNK)
            return row * (row_bytes / 4) + (item / CHUNK * lanes + lane) * CHUNK + item % CHUNK;
        return rows * (row_bytes / 4) + row * (rest_row_bytes / 4) + lane * rest_words + item % CHUNK;
    }
};

// volatile: the compiler must not move a load across rows, where it would cost registers.
template <int WORDS>
__device__ __forceinline__ void load_shared(unsigned (&words)[CHUNK], unsigned address) {
    if constexpr (WORDS == 4)
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(words[0]), "=r"(words[1]), "=r"(words[2]), "=r"(words[3]) : "r"(address));
    else if constexpr (WORDS == 2)
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(words[0]), "=r"(words[1]) : "r"(address));
    else
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(words[0]) : "r"(address));
}

template <class Type>
__device__ __forceinline__ Type as_score(unsigned word) {
    static_assert(sizeof(Type) == 4);
    Type score;
    memcpy(&score, &word, 4);
    return score;
}

// A row of a profile in shared memory: a word for each score, of a pair of letters or of one.
template <class Type, int items, int lanes>
struct ProfileRow {
    using Layout = ProfileLayout<items, lanes>;
    unsigned row, rest_row;  // shared addresses of the lane's columns
    unsigned words[CHUNK];

    __device__ __forceinline__ void load(int chunk) {
        if (chunk < Layout::chunks)
            load_shared<CHUNK>(words, row + chunk * lanes * CHUNK * 4);
        else
            load_shared<Layout::rest_words>(words, rest_row);
    }
    __device__ __forceinline__ Type of(int k) const { return as_score<Type>(words[k]); }
};

// The scores of two chunks, a signed byte each.
struct ByteScores {
    uint2 chunks;
    unsigned word;

    __device__ __forceinline__ void load(int chunk) { word = chunk ? chunks.y : chunks.x; }
    __device__ __forceinline__ int of(int k) const { return (signed char)(word >> k * 8); }
};

// The scores of a row's letter with the letters of two chunks, a byte each: from the letter's row of a table.
struct TableScores {
    const int* row;
    uint2 letters;
    unsigned word;

    __device__ __forceinline__ void load(int chunk) { word = chunk ? letters.y : letters.x; }
    __device__ __forceinline__ int of(int k) const { return __ldg(row + (word >> k * 8 & 0xff)); }
};

// The scores of four letters with a row's letter, a signed byte each, for either half of a packed number: the column's
// selector picks a byte for each, and extends its sign.
template <int items>
struct PickedScores {
    unsigned low, high;
    const unsigned (&selectors)[items];
    int first;

    // Of a column that both halves have, by its letters' codes.
    static __device__ __forceinline__ unsigned selector(int low, int high) { return half(low) | half(high + 4) << 8; }
    static __device__ __forceinline__ unsigned half(int byte) { return byte | (byte | 8) << 4; }
    // No letter: 0 or -1, by the sign of a score.
    static constexpr unsigned NONE_LOW = 0x88, NONE_HIGH = 0xcc00;

    __device__ __forceinline__ void load(int chunk) { first = chunk * CHUNK; }
    __device__ __forceinline__ unsigned of(int k) const {
        return permute(low, high, selectors[first + k]);
    }
};

// The scores of a pair's letters with so many chunks of columns, a signed byte each: of either letter a word for a chunk,
// from a profile by single letters (score/byte_profile.cu), which is small where one by pairs of letters is not.
template <class Ops, int chunks>
struct PairedBytes {
    unsigned low[chunks], high[chunks];
    int now;

    __device__ __forceinline__ void load(int chunk) { now = chunk; }
    __device__ __forceinline__ typename Ops::type of(int k) const { return Ops::joined(low[now], high[now], k); }
};
