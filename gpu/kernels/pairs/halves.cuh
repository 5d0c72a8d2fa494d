// What keep_pairs kept of a pair, one half of each word, as walk_kept reads it.
#pragma once
#include "pairs/kept.cuh"
#include "pairs/slots.cuh"

struct KeptHalves {
    struct Memory {
        const Set* sets;
        const KeptPlace* places;
        const uint2* rows;
        const uint4* columns;
    };
    static constexpr bool by_sections = false;
    const uint2* rows;
    const uint4* columns;
    int width, bursts, half;

    static __device__ __forceinline__ KeptHalves of(const Memory& memory, int number) {
        const KeptPlace place = memory.places[number / 2];
        const Set set = memory.sets[number / 2];
        return KeptHalves{memory.rows + place.rows, memory.columns + place.columns, kept_width(set.columns),
                          kept_bursts(set.rows), number % 2};
    }
    __device__ __forceinline__ int own(unsigned word) const { return half ? (int)word >> 16 : (short)(word & 0xffff); }

    // H there, and the gap that leaves it: of the last row before a multiple of KEPT_ROWS, and of a column likewise.
    __device__ __forceinline__ int2 in_row(int row, int column) const {
        const uint2 kept = rows[(size_t)(row / KEPT_ROWS) * width + column];
        return make_int2(own(kept.x), own(kept.y));
    }
    __device__ __forceinline__ int2 in_column(int row, int column) const {
        constexpr int words = AFFINE ? 2 : 1;
        const uint4* kept = columns + ((size_t)(column / KEPT_COLUMNS) * bursts + row / BURST) * words;
        const int H = own(((const unsigned*)kept)[row % BURST]);
        return make_int2(H, AFFINE ? own(((const unsigned*)(kept + 1))[row % BURST]) : 0);
    }
};
