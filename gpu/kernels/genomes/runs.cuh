// The runs that begin with a word, from the places of that word in both genomes, which are sorted by the letter before.
//
// A pair of places begins a run where the letters before differ, or are none. Of all places, by rank, those are taken that
// are multiples of a step; how many runs these have, and which the nth of them is, follows from the classes' borders.
#pragma once
#include "genomes/search.cuh"
#include "genomes/words.cuh"

using Count = unsigned long long;
constexpr unsigned PLACE_MASK = (1u << PLACE_BITS) - 1;

// Where a word stands among the sorted words of both genomes, and how often.
struct Matched {
    int query, subject, query_count, subject_count;
};

struct Steps {
    int query, subject;
};

// How many multiples of a step lie below a rank.
__device__ __forceinline__ int multiples(const int rank, const int step) { return (rank + step - 1) / step; }

// The places of a word on one side: where each class begins among those taken, and how many are taken.
struct Side {
    int borders[CLASSES + 1];

    __device__ __forceinline__ Side(const unsigned* __restrict__ places, const int first, const int count, const int step) {
        borders[0] = 0, borders[CLASSES] = multiples(count, step);
        int rank = 0;
#pragma unroll
        for (int kind = 1; kind < CLASSES; kind++) {
            // Most words stand at one place.
            if (rank < count) rank = first_from<false>(places, first + rank, first + count, (unsigned)kind << PLACE_BITS) - first;
            borders[kind] = multiples(rank, step);
        }
    }
    __device__ __forceinline__ int all() const { return borders[CLASSES]; }
    __device__ __forceinline__ int of(const int kind) const { return borders[kind + 1] - borders[kind]; }
};

// The runs of a word where these places are taken.
struct Runs {
    Side query, subject;

    __device__ __forceinline__ Runs(const Matched& word, const Steps& steps, const unsigned* __restrict__ query_places,
                                    const unsigned* __restrict__ subject_places)
        : query(query_places, word.query, word.query_count, steps.query),
          subject(subject_places, word.subject, word.subject_count, steps.subject) {}

    // Places of the subject that begin a run with a place of the query of this class.
    __device__ __forceinline__ int partners(const int kind) const {
        return subject.all() - (kind == NONE_BEFORE ? 0 : subject.of(kind));
    }
    __device__ __forceinline__ Count count() const {
        Count sum = 0;
#pragma unroll
        for (int kind = 0; kind < CLASSES; kind++) sum += (Count)query.of(kind) * partners(kind);
        return sum;
    }
    // The numbers, among those taken, of the places that run number n begins with: by the query's, then by the subject's.
    __device__ __forceinline__ longlong2 place(Count n) const {
        int kind = 0;
        for (; kind < CLASSES - 1; kind++) {
            const Count own = (Count)query.of(kind) * partners(kind);
            if (n < own) break;
            n -= own;
        }
        const Count each = partners(kind), other = n % each;
        const bool behind = kind != NONE_BEFORE && other >= subject.borders[kind];
        return make_longlong2(query.borders[kind] + n / each, behind ? other + subject.of(kind) : other);
    }
};

// The steps of a mode of sensitivity: 0 takes all, 1 is `fast`, 2 `hyperfast`.
__device__ __forceinline__ Steps steps_of(const Matched& word, const int mode) {
    if (mode == 0) return Steps{1, 1};
    const int query = (int)sqrt(4.0 * word.query_count), subject = (int)sqrt(4.0 * word.subject_count);
    return Steps{query, mode == 1 ? subject : word.subject_count};
}
