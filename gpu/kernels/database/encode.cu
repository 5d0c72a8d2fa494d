// Residue codes of subjects, one after another, from their letters, which may have those of others between them; and
// which subjects have a letter beyond the 20 amino acids: these go to packs of their own, scored by a larger table.
//
// A warp owns a subject. `code_of` maps bytes of FASTA to residue codes, the amino acids first.
#include "database/packs.cuh"

// starts: of each subject's letters, `first` being that of the first letter here; ends: of its codes in `residues`.
extern "C" __global__ void encode(const unsigned char* __restrict__ letters, const unsigned char* __restrict__ code_of,
                                  const long long* __restrict__ starts, const long long first,
                                  const unsigned* __restrict__ lengths, const long long* __restrict__ ends,
                                  const int subjects, unsigned char* residues, bool* ambiguous) {
    const int subject = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    if (subject >= subjects) return;
    const unsigned length = lengths[subject];
    const unsigned char* from = letters + (starts[subject] - first);
    unsigned char* to = residues + (ends[subject] - length);
    bool found = false;
    for (unsigned i = lane; i < length; i += WARP) {
        const unsigned char code = code_of[from[i]];
        to[i] = code;
        found |= code >= AMINO_ACIDS;
    }
    found = __any_sync(ALL_LANES, found);
    if (lane == 0) ambiguous[subject] = found;
}
