// The letters of a genome, forward or as the reverse complement, as Strand has them. A thread makes a word.
#include "genomes/strand.cuh"

__device__ __forceinline__ unsigned upper(const unsigned char letter) { return letter & 0xdfu; }

__device__ __forceinline__ bool is_known(const unsigned letter) {
    return letter == 'A' || letter == 'C' || letter == 'G' || letter == 'T' || letter == 'U';
}

// ASCII: bits 1 and 2 tell the bases apart, in the order A C T G.
__device__ __forceinline__ unsigned code_of(const unsigned letter) {
    const unsigned bits = letter >> 1 & 3;
    return bits ^ bits >> 1;
}

extern "C" __global__ void __launch_bounds__(THREADS)
pack_genome(const unsigned char* __restrict__ ascii, const int length, const int reverse, Word* __restrict__ letters,
            unsigned* __restrict__ unknown) {
    const int first = (blockIdx.x * THREADS + threadIdx.x) * LETTERS;
    if (first >= length) return;
    Word word = 0;
    unsigned strange = 0;
    for (int each = 0; each < min(LETTERS, length - first); each++) {
        const int place = first + each;
        const unsigned letter = upper(ascii[reverse ? length - 1 - place : place]);
        const Word code = reverse ? 3 - code_of(letter) : code_of(letter);
        if (is_known(letter)) word |= code << 2 * each;
        else strange |= 1u << each;
    }
    letters[1 + first / LETTERS] = word, unknown[1 + first / LETTERS] = strange;
}
