// A strand of a genome on the device (gpu/genomes/strands.py): 32 letters a word of two bits each, the first in the lowest
// bits (A 0, C 1, G 2, T 3; an unknown letter is A), and a bit a letter for those that are unknown and those that records
// begin with. A word of padding comes before the first letter, and two follow the last: 32 letters can be read from any
// place that is at most 32 before the first letter, and not behind the last.
#pragma once
#include "core/warp.cuh"

using Word = unsigned long long;

struct Strand {
    const Word* __restrict__ letters;
    const unsigned* __restrict__ unknown;
    const unsigned* __restrict__ begins;
    const int* __restrict__ offsets;  // (records + 1): where each record begins, and the last ends
    int length, records;

    // 32 letters from this place on.
    __device__ __forceinline__ Word letters_from(const int place) const {
        const unsigned at = place + LETTERS, shift = 2 * (at % LETTERS);
        const Word first = letters[at / LETTERS] >> shift;
        return shift ? first | letters[at / LETTERS + 1] << (2 * LETTERS - shift) : first;
    }
    __device__ __forceinline__ static unsigned bits_from(const unsigned* __restrict__ bits, const int place) {
        const unsigned at = place + LETTERS;
        return __funnelshift_r(bits[at / LETTERS], bits[at / LETTERS + 1], at % LETTERS);
    }
    // The record that a place is in: where it begins, and where it ends.
    __device__ __forceinline__ int2 record_at(const int place) const {
        int first = 0, last = records;  // the last one that begins here or before
        while (last - first > 1) {
            const int middle = (first + last) / 2;
            if (offsets[middle] <= place) first = middle;
            else last = middle;
        }
        return make_int2(offsets[first], offsets[first + 1]);
    }
};

// A bit for each of 32 letters of both strands that are not equal; unknown ones never are.
__device__ __forceinline__ unsigned unequal(const Strand& query, const int x, const Strand& subject, const int y) {
    const Word other = query.letters_from(x) ^ subject.letters_from(y);
    Word bits = (other | other >> 1) & 0x5555555555555555ull;
    bits = (bits | bits >> 1) & 0x3333333333333333ull;
    bits = (bits | bits >> 2) & 0x0f0f0f0f0f0f0f0full;
    bits = (bits | bits >> 4) & 0x00ff00ff00ff00ffull;
    bits = (bits | bits >> 8) & 0x0000ffff0000ffffull;
    bits = bits | bits >> 16;
    return (unsigned)bits | Strand::bits_from(query.unknown, x) | Strand::bits_from(subject.unknown, y);
}

// How far a seed may be extended: letters before it and from it on, in both records.
struct Room {
    int left, right;

    __device__ __forceinline__ Room(const Strand& query, const int x, const Strand& subject, const int y) {
        const int2 one = query.record_at(x), other = subject.record_at(y);
        left = min(x - one.x, y - other.x), right = min(one.y - x, other.y - y);
    }
};
