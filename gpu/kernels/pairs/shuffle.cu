// Shuffles sequences as shardwater/statistics/shuffles.py does, a block to a shuffle: letters are sorted by random keys,
// which have the letters in their low bits. WINDOW, CODE_BITS and RANDOM_BITS are of that module.
//
// The sort is Batcher's bitonic one, in shared memory: `size` keys, a power of two, those beyond the letters the largest.
#include "core/splitmix.cuh"

using Key = unsigned long long;

// As gpu/pairs/crowds.py has them: where the letters begin, and those of the first shuffle.
struct Job {
    Key stream;
    long long from, to;
    int letters, count, windows, unused;
};

// A block column (blockIdx.x) is a number of shuffles, a row one of jobs; codes: of all letters, in place and shuffled.
extern "C" __global__ void __launch_bounds__(SHUFFLE_THREADS)
shuffle(const Job* __restrict__ jobs, const int size, unsigned char* codes) {
    extern __shared__ Key keys[];
    const Job job = jobs[blockIdx.y];
    const int number = blockIdx.x;
    if (number >= job.count) return;
    const Key first = (Key)number * job.letters;
    for (int i = threadIdx.x; i < size; i += blockDim.x) {
        Key key = ~(Key)0;
        if (i < job.letters) {
            key = splitmix(job.stream, first + i);
            if (job.windows) key = (Key)(i / WINDOW) << (CODE_BITS + RANDOM_BITS) | key >> (64 - RANDOM_BITS) << CODE_BITS;
            else key &= ~(((Key)1 << CODE_BITS) - 1);
            key |= codes[job.from + i];
        }
        keys[i] = key;
    }
    __syncthreads();
    for (int run = 2; run <= size; run *= 2)
        for (int distance = run / 2; distance > 0; distance /= 2) {
            for (int i = threadIdx.x; i < size / 2; i += blockDim.x) {
                const int low = 2 * i - (i & (distance - 1)), high = low + distance;
                const Key a = keys[low], b = keys[high];
                // Every other run falls.
                if ((a > b) != ((low & run) != 0)) keys[low] = b, keys[high] = a;
            }
            __syncthreads();
        }
    unsigned char* to = codes + job.to + (long long)number * job.letters;
    for (int i = threadIdx.x; i < job.letters; i += blockDim.x) to[i] = keys[i];
}
