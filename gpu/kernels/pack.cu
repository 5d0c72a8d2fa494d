// Lays a part of a shard out in packs: from letters, subject after subject, to pair codes (packs.cuh).
//
// A block owns a pack; its threads walk over the rows, a thread for each pair. LETTERS is a macro: that of the packs'
// class. Letters are bytes of FASTA; `code_of` maps each to its residue code.
#include "packs.cuh"

// slots: 2 * GROUPS subjects for each pack, or -1; offsets: where each subject's letters begin, and where the last end.
extern "C" __global__ void pack(const unsigned char* __restrict__ letters, const unsigned char* __restrict__ code_of,
                                const long long* __restrict__ offsets, const unsigned* __restrict__ lengths,
                                const int* __restrict__ slots, const long long* __restrict__ pack_starts,
                                const int* __restrict__ pack_rows, const int first_pack, unsigned short* codes) {
    const int number = first_pack + blockIdx.x, group = threadIdx.x % GROUPS;
    const int* pair = slots + (number * GROUPS + group) * 2;
    // A subject without a partner is its own.
    const int a = pair[0], b = pair[1] < 0 ? a : pair[1];
    const unsigned a_length = a < 0 ? 0 : lengths[a], b_length = b < 0 ? 0 : lengths[b];
    const unsigned char* a_letters = letters + (a < 0 ? 0 : offsets[a]);
    const unsigned char* b_letters = letters + (b < 0 ? 0 : offsets[b]);
    unsigned short* out = codes + pack_starts[number] * GROUPS + group;
    for (unsigned row = threadIdx.x / GROUPS; row < pack_rows[number]; row += blockDim.x / GROUPS) {
        const int first = row < a_length ? code_of[a_letters[row]] : LETTERS;
        const int second = row < b_length ? code_of[b_letters[row]] : LETTERS;
        out[(long long)row * GROUPS] = PairCode<LETTERS>::make(first, second);
    }
}
