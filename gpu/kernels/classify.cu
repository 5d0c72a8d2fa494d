// Which subjects have a letter beyond the 20 amino acids: these go to packs of their own, scored by a larger table.
//
// A warp owns a subject. `code_of` maps bytes of FASTA to residue codes, the amino acids first.
#include "packs.cuh"

constexpr int AMINO_ACIDS = 20;

extern "C" __global__ void classify(const unsigned char* __restrict__ letters, const unsigned char* __restrict__ code_of,
                                    const long long* __restrict__ offsets, const unsigned* __restrict__ lengths,
                                    const int subjects, bool* ambiguous) {
    const int subject = (blockIdx.x * blockDim.x + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
    if (subject >= subjects) return;
    const unsigned char* own = letters + offsets[subject];
    bool found = false;
    for (unsigned i = lane; i < lengths[subject]; i += WARP) found |= code_of[own[i]] >= AMINO_ACIDS;
    found = __any_sync(ALL_LANES, found);
    if (lane == 0) ambiguous[subject] = found;
}
