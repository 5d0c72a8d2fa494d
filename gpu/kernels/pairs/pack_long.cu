// Lays the letters of long pairs out for fill_long (long.cuh, slots.cuh); ITEMS, and WORDS, those of four letters of two
// sequences, are macros. A row of blocks takes a pair.
//
// Of a strip's columns the first half and the second stand side by side, as two sequences of a slot do. Letters of rows stand a
// byte each, with padding before and behind them.
#include "pairs/long.cuh"
#include "pairs/slots.cuh"

constexpr int PAD = WORDS == 1 ? BASES : MATRIX_LETTERS;
constexpr int STRIP_COLUMNS = PLACES * ITEMS;
constexpr int GROUPS = STRIP_COLUMNS / 8;  // of four columns of each half

// Four letters of a sequence, from one of its places on.
__device__ __forceinline__ unsigned four(const unsigned char* letters, const int length, const int first) {
    unsigned word = 0;
#pragma unroll
    for (int k = 0; k < 4; k++) {
        const int place = first + k;
        word |= (place >= 0 && place < length ? letters[place] : PAD) << 8 * k;
    }
    return word;
}

extern "C" __global__ void __launch_bounds__(PACK_THREADS)
pack_long(const LongPair* __restrict__ pairs, const unsigned char* __restrict__ codes, const long long* __restrict__ column_starts,
          const long long* __restrict__ row_starts, unsigned* __restrict__ letters) {
    const LongPair pair = pairs[blockIdx.y];
    const unsigned char* columns = codes + column_starts[blockIdx.y];
    const unsigned char* rows = codes + row_starts[blockIdx.y];
    const int threads = gridDim.x * PACK_THREADS, thread = blockIdx.x * PACK_THREADS + threadIdx.x;
    for (int i = thread; i < pair.strips(ITEMS) * GROUPS; i += threads) {
        const int first = i / GROUPS * STRIP_COLUMNS + i % GROUPS * 4;
        const unsigned low = four(columns, pair.columns, first), high = four(columns, pair.columns, first + STRIP_COLUMNS / 2);
        if (WORDS == 1) letters[pair.columns_at + i] = (low + CODES * high) * CODE_BYTES;
        else ((uint2*)(letters + pair.columns_at))[i] = make_uint2(low, high);
    }
    for (int i = thread; i < long_row_words(pair.rounds()); i += threads)
        letters[pair.rows_at + i] = four(rows, pair.rows, 4 * i - LEAD);
}
