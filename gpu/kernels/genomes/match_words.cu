// Where the subject has the words of the query, both sorted. A block has TILE of the query's words: they are between two
// places of the subject's, which it finds first.
#include "genomes/search.cuh"
#include "genomes/strand.cuh"

// found: for the first of equal words of the query the first such word of the subject; else -1.
extern "C" __global__ void __launch_bounds__(THREADS)
match_words(const Word* __restrict__ query, const int query_words, const Word* __restrict__ subject, const int subject_words,
            int* __restrict__ found) {
    __shared__ int borders[2];
    const int first = blockIdx.x * TILE, last = min(first + TILE, query_words);
    if (threadIdx.x == 0) borders[0] = first_from<false>(subject, 0, subject_words, query[first]);
    if (threadIdx.x == WARP) borders[1] = first_from<true>(subject, 0, subject_words, query[last - 1]);
    __syncthreads();
    for (int each = first + threadIdx.x; each < last; each += THREADS) {
        const Word word = query[each];
        int at = -1;
        if (each == 0 || query[each - 1] != word) {
            at = first_from<false>(subject, borders[0], borders[1], word);
            if (at == borders[1] || subject[at] != word) at = -1;
        }
        found[each] = at;
    }
}
