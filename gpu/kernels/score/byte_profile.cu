// The profile of a query by single letters, a byte a score: sequential where one lane has a strip, striped where several
// share it (docs/kernels.md, Two older schedules).
//
// A block row (blockIdx.y) makes the table of one strip of lanes * items columns. Lane v has the columns v * items + t of
// it, t < items: element v of vector t. A word has four vectors' scores for a lane; words stand by letter, then chunk of
// four vectors, then lane. Columns beyond the query, and the letter of padding, which is `letters`, score 0: no path
// gains, and no value is larger than one before.

// scores: rows of MATRIX_LETTERS, all within a byte; query: the row of each place (score/profile.cu).
extern "C" __global__ void byte_profile(const int* __restrict__ scores, const int* __restrict__ query,
                                        const int query_length, const int letters, const int lanes, const int items,
                                        unsigned* tables) {
    const int chunks = (items + CHUNK - 1) / CHUNK, words = (letters + 1) * chunks * lanes;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= words) return;
    const int lane = i % lanes, chunk = i / lanes % chunks, letter = i / (lanes * chunks);
    unsigned word = 0;
    for (int k = 0; k < CHUNK; k++) {
        const int item = chunk * CHUNK + k, place = (blockIdx.y * lanes + lane) * items + item;
        if (letter < letters && item < items && place < query_length)
            word |= (scores[query[place] * MATRIX_LETTERS + letter] & 0xffu) << 8 * k;
    }
    tables[(long long)blockIdx.y * words + i] = word;
}
