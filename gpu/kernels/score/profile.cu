// The query profiles of all strips of a query, in the layout of core/scores.cuh: OPS, ITEMS, LANES, LETTERS,
// ROWS and TABLE_BYTES are macros.
//
// A block row (blockIdx.y) makes one strip's table: ROWS rows of LANES * ITEMS scores. For packed score types a row is
// a pair code and a word holds both subjects' scores; for the others a row is a letter. Columns beyond the query and
// letters of padding score PAD_SCORE, which no path gains by.
#include "core/arithmetic.cuh"
#include "core/scores.cuh"
#include "database/packs.cuh"

using Ops = OPS;
using Layout = ProfileLayout<ITEMS, LANES>;
constexpr int PAD_SCORE = -2000;
static_assert(Layout::bytes(ROWS) == TABLE_BYTES);
static_assert(!Ops::packed || ROWS == PairCode<LETTERS>::rows || ROWS == PairCode<LETTERS>::even_rows);

template <class Type, class Score>
__device__ __forceinline__ typename Type::type entry(int row, const Score& score) {
    if constexpr (Type::packed)
        return Type::make(score(PairCode<LETTERS>::first(row)), score(PairCode<LETTERS>::second(row)));
    else
        return Type::make(score(row));
}

// scores: rows of MATRIX_LETTERS; query: the row of each place, its residue's code in a matrix, or its own in a PSSM.
extern "C" __global__ void profile(const int* __restrict__ scores, const int* __restrict__ query,
                                   const int query_length, Ops::type* tables) {
    Ops::type* table = tables + (long long)blockIdx.y * (Layout::bytes(ROWS) / 4);
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < ROWS * LANES * ITEMS; i += gridDim.x * blockDim.x) {
        const int row = i / (LANES * ITEMS), column = i % (LANES * ITEMS);
        const int place = blockIdx.y * (LANES * ITEMS) + column;
        const auto score = [&](int letter) {
            return place < query_length && letter < LETTERS ? scores[query[place] * MATRIX_LETTERS + letter] : PAD_SCORE;
        };
        table[Layout::word(ROWS, row, column / ITEMS, column % ITEMS)] = entry<Ops>(row, score);
    }
}
