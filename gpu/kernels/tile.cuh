// The recurrence, written once: one row of the items query columns that a lane holds.
//
//     S = H(i-1, j-1) + score        H = max(0, S, E, F)
//     E = max(E - next, H - first)   along the query, handed from column to column
//     F = max(F - next, H - first)   along the subject, one for each column
//
// H never passes the best S, so the running maximum is taken over S: the best H is reached by a diagonal step or is 0.
// Using S twice also keeps the compiler from fusing its addition into a maximum, which would move work from the
// multiplier's pipe to the ALU, the pipe that limits the loop (docs/kernels.md).
#pragma once

template <class Ops>
struct Gaps {
    typename Ops::type first;  // minus the cost of a gap's first residue
    typename Ops::type next;   // minus the cost of each further residue
};

// Scores of a row are read CHUNK columns at a time, the widest load there is; a lane's columns of one chunk lie
// together, and the lanes of a group side by side, so that a group reads lanes * 16 bytes without bank conflicts
// whatever rows its neighbours are at. The columns left over by whole chunks, if any, form a narrower table, where
// groups may meet in a bank.
constexpr int CHUNK = 4;

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

__device__ __forceinline__ unsigned shared_address(const void* pointer) {
    return (unsigned)__cvta_generic_to_shared(pointer);
}

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

template <class Ops, int items, int lanes>
struct Tile {
    using type = typename Ops::type;
    using Layout = ProfileLayout<items, lanes>;
    type H[items], F[items];  // of the row above
    type E;                   // leaving the last column of this row
    type corner;              // H left of the first column, in the row above
    type best;

    __device__ __forceinline__ void clear() {
#pragma unroll
        for (int j = 0; j < items; j++) H[j] = F[j] = type(0);
        E = corner = best = type(0);
    }

    // One row: `left` is H and E what enters from the left; the scores stand at these shared addresses.
    __device__ __forceinline__ void relax(type left, unsigned row, unsigned rest_row, const Gaps<Ops>& gaps) {
        type diagonal = corner, previous = type(0);
        corner = left;
#pragma unroll
        for (int chunk = 0; chunk * CHUNK < items; chunk++) {
            unsigned words[CHUNK];
            if (chunk < Layout::chunks)
                load_shared<CHUNK>(words, row + chunk * lanes * CHUNK * 4);
            else
                load_shared<Layout::rest_words>(words, rest_row);
#pragma unroll
            for (int k = 0; k < CHUNK; k++) {
                const int j = chunk * CHUNK + k;
                if (j >= items) break;
                const type S = Ops::add(diagonal, as_score<type>(words[k]));
                diagonal = H[j];
                H[j] = Ops::max3_or_0(S, E, F[j]);
                const type opened = Ops::add(H[j], gaps.first);
                E = Ops::add_max(E, gaps.next, opened);
                F[j] = Ops::add_max(F[j], gaps.next, opened);
                // Two columns a step: a three-way maximum costs what a two-way one does.
                if (j % 2) best = Ops::max3(best, previous, S);
                else if (j == items - 1) best = Ops::max3(best, S, S);
                previous = S;
            }
        }
    }
};
