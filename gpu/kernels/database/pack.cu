// Lays a part of a shard out in packs: from residue codes, subject after subject, to pair codes (packs.cuh).
//
// A block owns a pack; its threads walk over the rows, a thread for each pair. LETTERS is a macro: that of the packs'
// class.
#include "database/packs.cuh"

// slots: 2 * GROUPS subjects for each pack, or -1; ends: where each subject's residues end.
extern "C" __global__ void pack(const unsigned char* __restrict__ residues, const long long* __restrict__ ends,
                                const unsigned* __restrict__ lengths, const int* __restrict__ slots,
                                const long long* __restrict__ pack_starts,
                                const int* __restrict__ pack_rows, const int first_pack, unsigned short* codes) {
    const int number = first_pack + blockIdx.x, group = threadIdx.x % GROUPS;
    const int* pair = slots + (number * GROUPS + group) * 2;
    // A subject without a partner is its own.
    const int a = pair[0], b = pair[1] < 0 ? a : pair[1];
    const unsigned a_length = a < 0 ? 0 : lengths[a], b_length = b < 0 ? 0 : lengths[b];
    const unsigned char* a_residues = residues + (a < 0 ? 0 : ends[a] - a_length);
    const unsigned char* b_residues = residues + (b < 0 ? 0 : ends[b] - b_length);
    unsigned short* out = codes + pack_starts[number] * GROUPS + group;
    for (unsigned row = threadIdx.x / GROUPS; row < pack_rows[number]; row += blockDim.x / GROUPS) {
        const int first = row < a_length ? a_residues[row] : LETTERS;
        const int second = row < b_length ? b_residues[row] : LETTERS;
        out[(long long)row * GROUPS] = PairCode<LETTERS>::make(first, second);
    }
}
