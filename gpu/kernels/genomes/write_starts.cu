// The first seeds of all runs that are taken: their diagonal in the upper half, their place in the query in the lower one.
// Of a word every so-many-th run is taken. A thread has a run.
#include "genomes/runs.cuh"

// ends: of each word, how many runs it and those before it have. diagonals count from -shift.
extern "C" __global__ void __launch_bounds__(THREADS)
write_starts(const int runs, const int words, const long long* __restrict__ ends, const unsigned* __restrict__ query_places,
             const unsigned* __restrict__ subject_places, const int mode, const Matched* __restrict__ matched,
             const Count* __restrict__ strides, const int shift, Count* __restrict__ starts) {
    const int number = blockIdx.x * THREADS + threadIdx.x;
    if (number >= runs) return;
    const int at = first_from<true>(ends, 0, words, (long long)number);
    const Matched word = matched[at];
    const Steps steps = steps_of(word, mode);
    const Runs found(word, steps, query_places, subject_places);
    const longlong2 place = found.place((number - (at ? ends[at - 1] : 0)) * strides[at]);
    const unsigned x = query_places[word.query + place.x * steps.query] & PLACE_MASK;
    const unsigned y = subject_places[word.subject + place.y * steps.subject] & PLACE_MASK;
    starts[number] = (Count)(y + shift - x) << 32 | x;
}
