/* yields.cu - which lanes of a warp load their next element together, and which swap together, where they update
 * bins by compare-and-swap. Each lane notes at each load, and behind each swap, which lanes are with it, and when.
 *
 *     nvcc -O3 -arch=sm_90 -Icommon/contract tests/fidelity/yields.cu -o yields && ./yields >yields.csv
 *
 * A line is a load or a swap of a warp, in the order of its clock: the lanes that made it, and of a swap those that
 * succeeded. Bit 0 is lane 0. */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#include "cuda_check.h"

enum {
    WARPS = 8,
    LANES = 32,
    ELEMENTS = 256,
    BINS = 31,
    NOTES = 8 + 8 * 64 + 1,
    NO_BIN_EVERY = 64
};

/* What a lane notes. */
struct note {
    unsigned int event, lanes, clock,
        swapped; /* 0, 'l' for a load or 's' for a swap; a mask; cycles; 0 or 1 */
};

__device__ static void write_note(struct note *notes, int *count, unsigned int event,
                                  unsigned int swapped)
{
    const unsigned int lanes = __activemask(), now = (unsigned int)clock();
    const struct note note = {event, lanes, now, swapped};
    notes[(*count)++] = note; // never full: 8 elements, each swapped 64 times at most
}

/* Chapter 21's loop: adds 1 up to a limit, and always swaps. */
__global__ static void add(const unsigned int *elements, struct note *all_notes)
{
    __shared__ unsigned int bins[BINS];
    struct note *notes = all_notes + (blockIdx.x * LANES + threadIdx.x) * NOTES;
    int count = 0;
    if (threadIdx.x < BINS)
        bins[threadIdx.x] = 0;
    __syncthreads(); // the bins are zero before the first element
    for (size_t i = threadIdx.x; i < ELEMENTS; i += blockDim.x) {
        write_note(notes, &count, 'l', 0);
        const unsigned int bin = elements[blockIdx.x * ELEMENTS + i] % 32;
        if (bin < BINS) {
            unsigned int held = bins[bin], expected;
            do {
                expected = held;
                held =
                    atomicCAS(&bins[bin], expected, expected < 1u << 24 ? expected + 1 : expected);
                write_note(notes, &count, 's', held == expected);
            } while (held != expected);
        }
    }
}

/* Chapter 31's loop: keeps the largest, and leaves without a swap where nothing would change. */
__global__ static void maximum(const unsigned int *elements, struct note *all_notes)
{
    __shared__ unsigned int bins[BINS];
    struct note *notes = all_notes + (blockIdx.x * LANES + threadIdx.x) * NOTES;
    int count = 0;
    if (threadIdx.x < BINS)
        bins[threadIdx.x] = 0;
    __syncthreads(); // the bins are zero before the first element
    for (size_t i = threadIdx.x; i < ELEMENTS; i += blockDim.x) {
        write_note(notes, &count, 'l', 0);
        const unsigned int element = elements[blockIdx.x * ELEMENTS + i], bin = element % 32;
        if (bin < BINS) {
            unsigned int held = bins[bin], expected;
            do {
                expected = held;
                if (expected >= element)
                    break;
                held = atomicCAS(&bins[bin], expected, element);
                write_note(notes, &count, 's', held == expected);
            } while (held != expected);
        }
    }
}

/* Chapter 23's loop: nvcc makes eight copies of it. A load is here the guess in front of a swap. */
__global__ static void add_unrolled(const unsigned int *elements, struct note *all_notes)
{
    __shared__ unsigned int bins[BINS];
    struct note *notes = all_notes + (blockIdx.x * LANES + threadIdx.x) * NOTES;
    int count = 0;
    if (threadIdx.x < BINS)
        bins[threadIdx.x] = 0;
    __syncthreads(); // the bins are zero before the first element
#pragma unroll
    for (size_t i = 0; i < ELEMENTS; i += LANES) {
        const unsigned int bin = elements[blockIdx.x * ELEMENTS + i + threadIdx.x] % 32;
        if (bin >= BINS)
            continue;
        unsigned int held = *(volatile unsigned int *)&bins[bin];
        write_note(notes, &count, 'l', 0);
        for (;;) {
            const unsigned int wanted = held < 1u << 24 ? held + 1 : held;
            if (wanted == held)
                break;
            const unsigned int found = atomicCAS(&bins[bin], held, wanted);
            write_note(notes, &count, 's', found == held);
            if (found == held)
                break;
            held = found;
        }
    }
}

/* Prints what the lanes of one warp noted: all that noted the same lanes at the same time are one line. */
static void print_warp(const char *loop, int warp, const struct note *notes)
{
    int next[LANES] = {0};
    for (int step = 0;; step++) {
        const struct note *first = NULL;
        for (int lane = 0; lane < LANES; lane++) {
            const struct note *own = &notes[lane * NOTES + next[lane]];
            if (next[lane] < NOTES && own->event &&
                (!first || (int)(own->clock - first->clock) < 0))
                first = own;
        }
        if (!first)
            return;
        unsigned int swapped = 0;
        for (int lane = 0; lane < LANES; lane++)
            if (first->lanes >> lane & 1)
                swapped |= notes[lane * NOTES + next[lane]++].swapped << lane;
        printf("%s,%d,%d,%s,%08x,%08x\n", loop, warp, step, first->event == 'l' ? "load" : "swap",
               first->lanes, swapped);
    }
}

static void trace(const char *loop, void (*kernel)(const unsigned int *, struct note *),
                  const unsigned int *d_elements, struct note *d_notes, struct note *notes)
{
    const size_t bytes = (size_t)WARPS * LANES * NOTES * sizeof *notes;
    CHECK(cudaMemset(d_notes, 0, bytes));
    kernel<<<WARPS, LANES>>>(d_elements, d_notes);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(notes, d_notes, bytes, cudaMemcpyDeviceToHost));
    for (int warp = 0; warp < WARPS; warp++)
        print_warp(loop, warp, notes + (size_t)warp * LANES * NOTES);
}

int main(void)
{
    static unsigned int elements[WARPS * ELEMENTS];
    unsigned int state = 1, *d_elements;
    struct note *d_notes, *notes;
    for (int i = 0; i < WARPS * ELEMENTS; i++) {
        state = state * 1664525u + 1013904223u;
        const unsigned int bin = state >> 8 & 63, drawn = state >> 16;
        /* One in 64 has no bin. */
        elements[i] = drawn * 32 + (bin == NO_BIN_EVERY - 1 ? (unsigned int)BINS : bin % BINS);
    }
    CHECK(cudaMalloc(&d_elements, sizeof elements));
    CHECK(cudaMemcpy(d_elements, elements, sizeof elements, cudaMemcpyHostToDevice));
    notes = (struct note *)malloc((size_t)WARPS * LANES * NOTES * sizeof *notes);
    CHECK(cudaMalloc(&d_notes, (size_t)WARPS * LANES * NOTES * sizeof *notes));
    printf("loop,warp,step,what,lanes,swapped\n");
    trace("add", add, d_elements, d_notes, notes);
    trace("maximum", maximum, d_elements, d_notes, notes);
    trace("unrolled", add_unrolled, d_elements, d_notes, notes);
    return 0;
}
