/* litmus.cu - how often do the wrong results of the litmus programs come up on this card?
 *
 *     nvcc -arch=sm_90 tests/litmus/[a-z]*.cu -o build/litmus && build/litmus >build/litmus.csv
 *
 * Prints CSV: program, form, trials, and in how many of them the result was wrong. A number of
 * thousands of trials as the argument: otherwise ten million. */
#include <stdio.h>
#include <stdlib.h>

#include "litmus.h"

/* Pairs of blocks: all of them are on an H200 at the same time, where 132 x 16 have room. */
enum { PAIRS = 256, THREAD_PAIRS = PAIRS * THREADS, TRIALS = THREAD_PAIRS * ROUNDS };

static void must(cudaError_t error)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "litmus: %s\n", cudaGetErrorString(error));
    exit(1);
}

/* All words of one launch, in one piece: x, y, first, second, met. */
enum { WORDS = 4 * TRIALS + THREAD_PAIRS };

static struct words words_at(int *memory)
{
    const struct words words = {memory, memory + TRIALS, memory + 2 * TRIALS, memory + 3 * TRIALS,
                                memory + 4 * TRIALS};
    return words;
}

/* Runs the program once. Returns how many of its TRIALS were wrong. */
static long run_once(const struct litmus *litmus, int *device, int *host)
{
    long wrong = 0;
    must(cudaMemset(device, 0, WORDS * sizeof(int)));
    litmus->kernel<<<2 * PAIRS, THREADS>>>(words_at(device));
    must(cudaGetLastError());
    must(cudaMemcpy(host, device, WORDS * sizeof(int), cudaMemcpyDeviceToHost));
    const struct words left = words_at(host);
    for (size_t trial = 0; trial < TRIALS; trial++)
        wrong += litmus->is_wrong(&left, trial);
    return wrong;
}

static void count(const struct litmus *litmus, int forms, long most, int *device, int *host)
{
    for (; forms > 0; forms--, litmus++) {
        long trials = 0, wrong = 0;
        for (; trials < most; trials += TRIALS)
            wrong += run_once(litmus, device, host);
        printf("%s,%s,%ld,%ld\n", litmus->program, litmus->form, trials, wrong);
        fflush(stdout);
    }
}

int main(int arguments, char **argument)
{
    const long most = arguments > 1 ? atol(argument[1]) * 1000 : 10000000;
    int *device, *host = (int *)malloc(WORDS * sizeof(int));
    if (!host) {
        fprintf(stderr, "litmus: no memory\n");
        return 1;
    }
    must(cudaMalloc(&device, WORDS * sizeof(int)));
    printf("program,form,trials,wrong\n");
    count(message_passing, 2, most, device, host);
    count(store_buffering, 3, most, device, host);
    count(last_block, 2, most, device, host);
    count(lock, 2, most, device, host);
    count(flag_between_blocks, 2, most, device, host);
    must(cudaFree(device));
    free(host);
    return 0;
}
