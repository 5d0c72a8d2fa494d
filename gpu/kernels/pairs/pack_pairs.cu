// Lays the letters of pairs out for score_pairs and keep_pairs (slots.cuh); LANES, those of a slot, and WORDS, those of four letters of two
// sequences, are macros.
//
// A block takes a set, and each of its warps pieces of WARP letters: it reads one sequence after another, a letter a
// lane, and writes the words of all slots, neighbours side by side.
#include "pairs/slots.cuh"

constexpr int WARPS = PACK_THREADS / WARP;
constexpr int PIECE = WARP / BURST;
constexpr int PAD = WORDS == 1 ? BASES : MATRIX_LETTERS;
constexpr int STRIDE = WARP / 4 + 1;  // words between the letters of sequences: their columns lie in different banks

extern "C" __global__ void __launch_bounds__(PACK_THREADS)
pack_pairs(const Set* __restrict__ sets, const unsigned char* __restrict__ codes, const longlong2* __restrict__ query_starts,
           const longlong2* __restrict__ subject_starts, const int2* __restrict__ query_lengths,
           const int2* __restrict__ subject_lengths, unsigned* __restrict__ letters) {
    __shared__ unsigned tiles[WARPS][2 * SLOTS * STRIDE];
    const Set set = sets[blockIdx.x];
    const int lane = threadIdx.x % WARP, warp = threadIdx.x / WARP;
    unsigned* tile = tiles[warp];
    const int query_pieces = (set.columns + WARP - 1) / WARP, pieces = query_pieces + (set.rows + WARP - 1) / WARP;
    for (int number = warp; number < pieces; number += WARPS) {
        const bool query = number < query_pieces;
        const int piece = query ? number : number - query_pieces;
        const long long* starts = (const long long*)((query ? query_starts : subject_starts) + blockIdx.x * SLOTS);
        const int* lengths = (const int*)((query ? query_lengths : subject_lengths) + blockIdx.x * SLOTS);
#pragma unroll 8
        for (int sequence = 0; sequence < 2 * SLOTS; sequence++) {
            const int place = piece * WARP + lane;
            const int letter = place < lengths[sequence] ? codes[starts[sequence] + place] : PAD;
            ((unsigned char*)(tile + sequence * STRIDE))[lane] = letter;
        }
        __syncwarp();
        const int words = ((query ? set.columns : set.rows) + BURST - 1) / BURST - piece * PIECE;
        unsigned* to = letters + (query ? set.columns_at : set.rows_at) + (long long)piece * PIECE * SLOTS * WORDS;
        for (int i = lane; i < min(words, PIECE) * SLOTS; i += WARP) {
            const unsigned* both = tile + i % SLOTS * (2 * STRIDE) + i / SLOTS;
            if (WORDS == 1) to[i] = (both[0] + CODES * both[STRIDE]) * CODE_BYTES;
            else ((uint2*)to)[i] = make_uint2(both[0], both[STRIDE]);
        }
        __syncwarp();
    }
}
