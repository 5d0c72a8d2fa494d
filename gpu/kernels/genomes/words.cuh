// The words of a strand: which there are, and the letter before each (docs/decisions/042-what-a-list-of-hsps-is.md).
#pragma once
#include "genomes/strand.cuh"

constexpr int NO_WORD = -1, NONE_BEFORE = 4, CLASSES = 5;

// Which words are listed: those of k letters that fall into units from first to before last.
struct Listed {
    int word, first, last;

    __device__ __forceinline__ Word value(const Strand& strand, const int place) const {
        return strand.letters_from(place) & ~0ull >> (64 - 2 * word);
    }
    // The letter before a place, or NONE_BEFORE; NO_WORD where no word is listed.
    __device__ __forceinline__ int before(const Strand& strand, const int place) const {
        if (place + word > strand.length) return NO_WORD;
        const unsigned own = ~0u >> (32 - word);
        if (Strand::bits_from(strand.unknown, place) & own || Strand::bits_from(strand.begins, place + 1) & own >> 1) return NO_WORD;
        const int unit = unit_of(value(strand, place));
        if (unit < first || unit >= last) return NO_WORD;
        const bool begins = Strand::bits_from(strand.begins, place) & 1;
        if (begins || Strand::bits_from(strand.unknown, place - 1) & 1) return NONE_BEFORE;
        return strand.letters_from(place - 1) & 3;
    }
    __device__ __forceinline__ static int unit_of(const Word value) { return (value * 0x9e3779b97f4a7c15ull) >> 56; }
};
