// Marks the pairs of letters that earlier alignments have, where align.cu will keep their moves: it reads the mark before
// it writes the move. A warp takes a run of such pairs. The words of all moves are 0 before.
#include "pairs/walk.cuh"

// As gpu/pairs/taken.py packs them.
struct TakenRun {
    long long moves;         // where the words of its pair of sequences begin
    long long rows;          // letters of that pair's subject
    long long column, row;   // its first letters of query and subject
    long long letters;       // of each
};

extern "C" __global__ void __launch_bounds__(WARP)
take(const TakenRun* __restrict__ runs, unsigned* moves) {
    const TakenRun run = runs[blockIdx.x];
    const MoveTable table{moves + run.moves, MoveTable::bursts_for(run.rows)};
    for (int i = threadIdx.x; i < run.letters; i += WARP) table.mark(run.column + i, run.row + i);
}
