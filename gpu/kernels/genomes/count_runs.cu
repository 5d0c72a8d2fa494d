// How often each matched word stands in both genomes, how many runs begin with it, and how many where only the places are
// taken that a mode takes. A thread has a word.
#include "genomes/runs.cuh"

// The place behind the last word that equals the one at `first`; such words are few as a rule.
__device__ __forceinline__ int end_of(const Word* __restrict__ words, const int count, const int first) {
    const Word word = words[first];
    int step = 1;
    while (first + step < count && words[first + step] == word) step *= 2;
    return first_from<true>(words, first + step / 2, min(first + step, count), word);
}

// matched: query and subject are given, the counts are written. all, taken: runs.
extern "C" __global__ void __launch_bounds__(THREADS)
count_runs(const int count, const Word* __restrict__ query, const unsigned* __restrict__ query_places, const int query_words,
           const Word* __restrict__ subject, const unsigned* __restrict__ subject_places, const int subject_words, const int mode,
           Matched* __restrict__ matched, Count* __restrict__ all, Count* __restrict__ taken) {
    const int number = blockIdx.x * THREADS + threadIdx.x;
    if (number >= count) return;
    Matched word = matched[number];
    word.query_count = end_of(query, query_words, word.query) - word.query;
    word.subject_count = end_of(subject, subject_words, word.subject) - word.subject;
    matched[number] = word;
    all[number] = Runs(word, Steps{1, 1}, query_places, subject_places).count();
    taken[number] = mode ? Runs(word, steps_of(word, mode), query_places, subject_places).count() : all[number];
}
