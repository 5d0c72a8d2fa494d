// Which places of each word are taken, so that no word has more runs than its limit. A thread has a word.
#include "genomes/runs.cuh"

// limits: of each unit. taken: in, how many runs the mode takes; out, how many are taken. factors: of the mode's steps.
extern "C" __global__ void __launch_bounds__(THREADS)
choose_steps(const int count, const Word* __restrict__ query, const unsigned* __restrict__ query_places,
             const unsigned* __restrict__ subject_places, const int mode, const Count* __restrict__ limits,
             const Matched* __restrict__ matched, Count* __restrict__ taken, int* __restrict__ factors) {
    const int number = blockIdx.x * THREADS + threadIdx.x;
    if (number >= count) return;
    const Matched word = matched[number];
    const Count limit = limits[Listed::unit_of(query[word.query])];
    if (taken[number] <= limit) {
        factors[number] = 1;
        return;
    }
    const Steps steps = steps_of(word, mode);
    const int places = multiples(word.query_count, steps.query), others = multiples(word.subject_count, steps.subject);
    int least = 1, most = max(places, others);  // the smallest factor that is enough; the greatest always is
    while (least < most) {
        const int middle = least + (most - least) / 2;
        if ((Count)multiples(places, middle) * multiples(others, middle) <= limit) most = middle;
        else least = middle + 1;
    }
    factors[number] = least;
    // Steps beyond all places take the first one alone, as the largest step that 32 bits hold does.
    const Steps longer{(int)min((Count)steps.query * least, 1ull << 30), (int)min((Count)steps.subject * least, 1ull << 30)};
    taken[number] = Runs(word, longer, query_places, subject_places).count();
}
