// Where the scores of a row come from when letters come in pairs, one for each half of a register: by the letters' policy.
//
// Bases: a row's pair code makes four signed bytes for each half, the scores of its letter with A, C, G and T; a column's
// selector picks one of each. Profiled: a lane has the scores of its columns with every letter, four columns to a word, in
// shared memory. Either way a byte permutation makes the scores of a cell, and extends their signs.
#pragma once
#include "core/permute.cuh"
#include "core/warp.cuh"
#include "pairs/slots.cuh"

struct Bases {
    using Codes = unsigned;  // of the rows of a burst: a byte has both halves' letters
    static constexpr int words = 1;
    // Only the lower 16 bits of a selector count: the signs of the upper two bytes mark the last column of a half's query.
    static constexpr unsigned LAST_LOW = 1u << 23, LAST_HIGH = 1u << 31, LAST_MASK = 0xbbaau;

    struct Shared {
        uint2 row_scores[PADDING + 1];
        unsigned selectors[PADDING + 1];

        // scores: a word for each letter of a row, a signed byte in it for each of a column.
        __device__ __forceinline__ void fill(const void* scores) {
            const uint4 table = *(const uint4*)scores;
            const unsigned of_letter[CODES] = {table.x, table.y, table.z, table.w, 0};
            for (int code = threadIdx.x; code < PADDING + 1; code += THREADS) {
                const unsigned low = code % CODES, high = code / CODES;
                row_scores[code] = make_uint2(of_letter[low], of_letter[high]);
                // With padding 0 or -1: nothing local gains by it.
                selectors[code] = (low < BASES ? low | (low | 8) << 4 : 0x88) | (high < BASES ? 4 + high | (12 + high) << 4 : 0xcc) << 8;
            }
            __syncthreads();
        }
    };
    struct Row {
        uint2 bytes;
        const unsigned (&selectors)[ITEMS];
        __device__ __forceinline__ unsigned of(int j) const { return permute(bytes.x, bytes.y, selectors[j]); }
    };

    const Shared& shared;
    unsigned selectors[ITEMS];

    __device__ __forceinline__ Bases(const Shared& shared, unsigned*, int) : shared(shared) {}

    __device__ __forceinline__ void begin(const unsigned* letters, const int first, const int most, const int2 columns) {
        const unsigned char* codes = (const unsigned char*)letters;
#pragma unroll
        for (int j = 0; j < ITEMS; j++) {
            const int column = first + j;
            const int code = column < most ? codes[column / 4 * (4 * SLOTS) + column % 4] / CODE_BYTES : PADDING;
            selectors[j] = shared.selectors[code];
            if (column == columns.x - 1) selectors[j] |= LAST_LOW;
            if (column == columns.y - 1) selectors[j] |= LAST_HIGH;
        }
    }
    static __device__ __forceinline__ Codes codes(const unsigned* words) { return *words; }
    // Of four letters of each half.
    static __device__ __forceinline__ Codes joined(unsigned low, unsigned high) {
        return low * CODE_BYTES + high * (CODES * CODE_BYTES);
    }
    static __device__ __forceinline__ Codes next(Codes codes) { return codes >> 8; }
    __device__ __forceinline__ Row row(Codes codes) const {
        return Row{*(const uint2*)((const char*)shared.row_scores + (codes & 0xff)), selectors};
    }
    // Ones in the halves whose last column this is.
    __device__ __forceinline__ unsigned last(int j, int, int2) const { return permute(selectors[j], 0, LAST_MASK); }
};

struct Profiled {
    using Codes = uint2;  // of the rows of a burst, each half's letters in a word
    static constexpr int words = 2;
    static constexpr int GROUPS = ITEMS / 4;  // of columns whose scores share a word
    static constexpr int COUNT = MATRIX_LETTERS + 1, ROW = 2 * WARP;

    struct Shared {
        unsigned rows[COUNT * 8];

        // scores: 32 signed bytes for each letter of a column, padding last, those of it with each letter of a row.
        __device__ __forceinline__ void fill(const void* scores) {
            for (int i = threadIdx.x; i < COUNT * 8; i += THREADS) rows[i] = ((const unsigned*)scores)[i];
            __syncthreads();
        }
    };
    // A lane's words lie together: they are read by one instruction, and no two lanes meet in a bank.
    struct alignas(GROUPS % 4 == 0 ? 16 : GROUPS % 2 == 0 ? 8 : 4) Words {
        unsigned of[GROUPS];
    };
    struct Scores {
        Words low, high;
        __device__ __forceinline__ unsigned of(int j) const {
            const unsigned selectors[] = {pick(0, 0), pick(1, 1), pick(2, 2), pick(3, 3)};
            return permute(low.of[j / 4], high.of[j / 4], selectors[j % 4]);
        }
    };

    const Shared& shared;
    Words* profile;  // of this lane: a letter's words for both halves, those of all lanes side by side

    __device__ __forceinline__ Profiled(const Shared& shared, unsigned* profiles, int warp)
        : shared(shared), profile((Words*)profiles + warp * (COUNT * ROW) + threadIdx.x % WARP) {}

    __device__ __forceinline__ void begin(const unsigned* letters, const int first, const int most, int2) {
        for (int half = 0; half < 2; half++) {
#pragma unroll
            for (int group = 0; group < GROUPS; group++) {
                const int column = first + 4 * group;
                const unsigned codes = column < most ? letters[column / 4 * (2 * SLOTS) + half] : MATRIX_LETTERS * 0x01010101u;
                for (int four = 0; four < (COUNT + 3) / 4; four++) fill(codes, four, half, group);
            }
        }
    }
    // The words of four letters: from the scores of each column with these, those of each of these with the columns.
    __device__ __forceinline__ void fill(const unsigned codes, const int four, const int half, const int group) {
        unsigned of[4], words[4];
#pragma unroll
        for (int k = 0; k < 4; k++) of[k] = shared.rows[(codes >> 8 * k & 0xff) * 8 + four];
        transpose(of, words);
#pragma unroll
        for (int k = 0; k < 4; k++)
            if (4 * four + k < COUNT) profile[(4 * four + k) * ROW + half * WARP].of[group] = words[k];
    }

    static __device__ __forceinline__ Codes codes(const unsigned* words) { return *(const uint2*)words; }
    static __device__ __forceinline__ Codes joined(unsigned low, unsigned high) { return make_uint2(low, high); }
    static __device__ __forceinline__ Codes next(Codes codes) { return make_uint2(codes.x >> 8, codes.y >> 8); }
    __device__ __forceinline__ Scores row(Codes codes) const {
        return {profile[(codes.x & 0xff) * ROW], profile[(codes.y & 0xff) * ROW + WARP]};
    }
    __device__ __forceinline__ unsigned last(int, int column, int2 columns) const {
        return (column == columns.x - 1 ? 0xffffu : 0) | (column == columns.y - 1 ? 0xffff0000u : 0);
    }
};
