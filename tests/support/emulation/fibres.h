// The threads of a block, as fibres: each has a stack, and gives way where it waits for others. WARP is a macro, as in
// the kernels.
#pragma once
// C's headers alone: those of C++ would take longer to read than a kernel.
#include <setjmp.h>
#include <stdint.h>
#include <ucontext.h>

struct Place { unsigned x, y, z; };
inline Place threadIdx, blockIdx, blockDim, gridDim;

namespace fibres {
constexpr int MOST_THREADS = 1024, BARRIERS = 16;
constexpr int STACK = 1 << 16;

struct Fibre {
    alignas(16) char stack[STACK];
    jmp_buf at;
    bool begun, ended;
};

// What the lanes of a warp leave for each other. Two rows of words take turns: no lane leaves its next but one word before
// all have looked at this one.
struct Exchange {
    uint64_t words[2][WARP];
    unsigned rounds[WARP];
};
struct Barrier { unsigned arrived, round; };

inline char* shared;
inline Fibre all[MOST_THREADS];
inline Exchange exchanges[MOST_THREADS / WARP];
inline Barrier barriers[BARRIERS];
inline void (*body)(void**);
inline void** arguments;
inline jmp_buf scheduler;
inline ucontext_t first_switch;
inline unsigned running;
inline bool moved;  // whether any fibre has come on in this turn of all

// By jumps, which unlike swapcontext ask nothing of the kernel.
inline void give_way() {
    if (!_setjmp(all[running].at)) _longjmp(scheduler, 1);
}

// Leaves a word for the lanes of the warp and waits for theirs. Our kernels part no warp: some lanes alone wait for ever,
// which run_block tells.
inline const uint64_t* exchange(unsigned mask, uint64_t word) {
    while (mask != 0xffffffffu) give_way();
    Exchange& warp = exchanges[running / WARP];
    const unsigned lane = running % WARP, round = warp.rounds[lane]++;
    warp.words[round % 2][lane] = word;
    moved = true;
    const auto all_there = [&] {
        for (int other = 0; other < WARP; other++)
            if (warp.rounds[other] <= round) return false;
        return true;
    };
    while (!all_there()) give_way();
    moved = true;
    return warp.words[round % 2];
}

inline void wait_at(unsigned number, unsigned threads) {
    Barrier& barrier = barriers[number];
    const unsigned round = barrier.round;
    moved = true;
    if (++barrier.arrived == threads) {
        barrier.arrived = 0;
        barrier.round++;
    }
    while (barrier.round == round) give_way();
}

inline void enter() {
    body(arguments);
    all[running].ended = moved = true;
    _longjmp(scheduler, 1);
}

inline void resume(unsigned number) {
    Fibre& fibre = all[number];
    running = number;
    threadIdx = {number, 0, 0};
    if (_setjmp(scheduler)) return;
    if (fibre.begun) _longjmp(fibre.at, 1);
    fibre.begun = true;
    getcontext(&first_switch);
    first_switch.uc_stack.ss_sp = fibre.stack;
    first_switch.uc_stack.ss_size = STACK;
    first_switch.uc_link = nullptr;
    makecontext(&first_switch, enter, 0);
    setcontext(&first_switch);
}

// Runs a block to its end; `backwards`: the last thread first. False where its threads wait for each other for ever.
inline bool run_block(unsigned threads, bool backwards) {
    for (unsigned warp = 0; warp < threads / WARP; warp++) exchanges[warp] = Exchange{};
    for (Barrier& barrier : barriers) barrier = Barrier{};
    for (unsigned number = 0; number < threads; number++) all[number].begun = all[number].ended = false;
    for (unsigned ended = 0; ended < threads;) {
        moved = false;
        ended = 0;
        for (unsigned i = 0; i < threads; i++) {
            const unsigned number = backwards ? threads - 1 - i : i;
            if (!all[number].ended) resume(number);
            ended += all[number].ended;
        }
        if (!moved) return false;
    }
    return true;
}
}  // namespace fibres
