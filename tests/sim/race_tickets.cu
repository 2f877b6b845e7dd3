/* race_tickets.cu - the last block of a grid, locks and flags by volatile accesses, barriers made
 * by hand: right under all checks, and with one planted bug. */
#include "race_programs.h"

enum { BLOCKS = 8, THREADS = 64 };

/* The last block adds up what all others found, and sets the counter back for the next launch:
 * its own atomic has seen all the others. */
__device__ static unsigned int arrived;

__global__ static void sum_up(const int *in, volatile int *part, int *out, int bug)
{
    __shared__ bool last;
    if (threadIdx.x == 0) {
        part[blockIdx.x] = in[blockIdx.x];
        if (bug == 2)
            __threadfence_block();
        else if (bug != 1)
            __threadfence();
        unsigned int ticket = atomicInc(&arrived, bug == 4 ? 2 * gridDim.x : gridDim.x);
        last = ticket == gridDim.x - 1 - (bug == 3);
    }
    __syncthreads();
    if (last && threadIdx.x == 33) {
        int sum = 0;
        for (unsigned int i = 0; i < gridDim.x; i++)
            sum += ((int *)part)[i];
        *out = sum;
        arrived = 0;
    }
}

static void last_block(int bug)
{
    int *in = filled<int>(BLOCKS, 1), *part = unfilled<int>(BLOCKS), *out = unfilled<int>(1);
    unsigned int zero = 0;
    cudaMemcpyToSymbol(arrived, &zero, sizeof zero);
    for (int launch = 0; launch < 2; launch++)
        sum_up<<<BLOCKS, THREADS>>>(in, part, out, bug);
    cudaDeviceSynchronize();
}

/* atomicInc wraps around by itself: nobody has to set the counter back. */
__global__ static void take_turns(unsigned int *turn, int *last_one, int bug)
{
    if (threadIdx.x != 0)
        return;
    unsigned int ticket = atomicInc(turn, gridDim.x - 1);
    if (ticket == gridDim.x - 1)
        *last_one = (int)blockIdx.x;
    if (bug == 1 && ticket == 0)
        *turn = 0;
}

static void wrap_around(int bug)
{
    unsigned int *turn = filled<unsigned int>(1, 0);
    int *last_one = unfilled<int>(1);
    for (int launch = 0; launch < 2; launch++)
        take_turns<<<BLOCKS, THREADS>>>(turn, last_one, bug);
    cudaDeviceSynchronize();
}

Test(race_tickets, the_last_block_may_reset_its_counter)
{
    CLEAN(last_block);
    BUG(last_block, 1, "hazard");
    BUG(last_block, 2, "hazard");
    BUG(last_block, 3, "hazard");
    CLEAN(wrap_around);
    BUG(wrap_around, 1, "hazard");
}

/* Volatile is relaxed: with fences it passes a lock or a flag on. */
__global__ static void count_under_lock(int *lock, int *counter, int bug)
{
    if (threadIdx.x % 32 != 0)
        return;
    for (int round = 0; round < 3; round++) {
        while (atomicCAS(lock, 0, 1) != 0) {
        }
        __threadfence();
        *counter = *counter + 1;
        if (bug == 2)
            __threadfence_block();
        else if (bug != 1)
            __threadfence();
        *(volatile int *)lock = 0;
        __threadfence();
    }
}

static void volatile_lock(int bug)
{
    count_under_lock<<<BLOCKS, THREADS>>>(filled<int>(1, 0), filled<int>(1, 0), bug);
    cudaDeviceSynchronize();
}

__global__ static void send(volatile int *flag, int *message, int *out, int bug)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        *message = 5;
        if (bug == 2)
            __threadfence_block();
        else if (bug != 1)
            __threadfence();
        *flag = 1;
    } else {
        while (*flag == 0) {
        }
        __threadfence();
        out[blockIdx.x] = *message;
    }
}

static void volatile_flag(int bug)
{
    send<<<BLOCKS, THREADS>>>(filled<int>(1, 0), unfilled<int>(1), unfilled<int>(BLOCKS), bug);
    cudaDeviceSynchronize();
}

/* A flag between threads of one warp, in shared memory. */
__global__ static void send_in_warp(int *out, int bug)
{
    __shared__ volatile int flag;
    __shared__ int message;
    if (threadIdx.x == 0)
        flag = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        message = 5;
        if (bug != 1)
            __threadfence_block();
        flag = 1;
    } else if (threadIdx.x == 1 || threadIdx.x == 40) {
        while (!flag) {
        }
        __threadfence_block();
        out[blockIdx.x * THREADS + threadIdx.x] = message;
    }
}

static void shared_flag(int bug)
{
    send_in_warp<<<2, THREADS>>>(unfilled<int>(2 * THREADS), bug);
    cudaDeviceSynchronize();
}

/* Peterson's lock: both write `turn`. */
__global__ static void wait_politely(volatile int *want, volatile int *turn, int *counter, int bug)
{
    int me = (int)blockIdx.x, other = 1 - me;
    for (int round = 0; round < 4; round++) {
        want[me] = 1;
        if (bug != 1)
            __threadfence();
        *turn = other;
        if (bug != 1)
            __threadfence();
        while (want[other] && *turn == other) {
        }
        if (bug != 1)
            __threadfence();
        *counter = *counter + 1;
        if (bug != 1)
            __threadfence();
        want[me] = 0;
    }
}

static void petersons_lock(int bug)
{
    wait_politely<<<2, 1>>>(filled<int>(2, 0), filled<int>(1, 0), filled<int>(1, 0), bug);
    cudaDeviceSynchronize();
}

/* Volatile makes no atomic of an update. */
__global__ static void count_in_vain(volatile int *counter)
{
    *counter = *counter + 1;
}

static void volatile_counter(int bug)
{
    if (bug)
        count_in_vain<<<2, THREADS>>>(filled<int>(1, 0));
    cudaDeviceSynchronize();
}

Test(race_tickets, volatile_passes_locks_and_flags_with_fences)
{
    CLEAN(volatile_lock);
    BUG(volatile_lock, 1, "hazard");
    BUG(volatile_lock, 2, "hazard");
    CLEAN(volatile_flag);
    BUG(volatile_flag, 1, "RAW hazard");
    BUG(volatile_flag, 2, "RAW hazard");
    CLEAN(shared_flag);
    BUG(shared_flag, 1, "hazard");
    CLEAN(petersons_lock);
    BUG(petersons_lock, 1, "hazard");
    CLEAN(volatile_counter);
    BUG(volatile_counter, 1, "hazard");
}

/* A barrier of the whole grid, made by hand: the last one to come lets all go on. */
__global__ static void phases(int *a, int *b, unsigned int *count, volatile unsigned int *phase,
                              int bug)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x), n = (int)(gridDim.x * blockDim.x);
    a[i] = i;
    for (unsigned int round = 1; round <= 2; round++) {
        __threadfence();
        __syncthreads();
        if (threadIdx.x == 0) {
            if (bug != 1)
                __threadfence();
            if (atomicAdd(count, 1) == gridDim.x - 1) {
                *count = 0;
                if (bug != 2)
                    __threadfence();
                *phase = round;
            } else {
                while (*phase < round) {
                }
            }
            __threadfence();
        }
        if (bug != 3)
            __syncthreads();
        if (round == 1)
            b[i] = a[(i + THREADS) % n];
        else
            a[i] = b[(i + 3 * THREADS) % n];
    }
}

static void barrier_by_hand(int bug)
{
    int *a = unfilled<int>(BLOCKS * THREADS), *b = unfilled<int>(BLOCKS * THREADS);
    phases<<<BLOCKS, THREADS>>>(a, b, filled<unsigned int>(1, 0), filled<unsigned int>(1, 0), bug);
    cudaDeviceSynchronize();
}

/* Who waits for the counter by a volatile load has seen all that was added. */
__global__ static void wait_for_all(int *count, int *out)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x > 0) {
        __threadfence();
        atomicAdd(count, 1);
        return;
    }
    while (*(volatile int *)count < (int)gridDim.x - 1) {
    }
    __threadfence();
    *out = *count;
    *count = 0;
}

static void waiting_block(int bug)
{
    (void)bug;
    wait_for_all<<<BLOCKS, THREADS>>>(filled<int>(1, 0), unfilled<int>(1));
    cudaDeviceSynchronize();
}

Test(race_tickets, barriers_made_by_hand)
{
    CLEAN(barrier_by_hand);
    BUG(barrier_by_hand, 3, "hazard");
    CLEAN(waiting_block);
}

/* A guess that is put to use behind another load. */
template <bool Guard> __global__ static void find_least(const int *in, int *least)
{
    __shared__ int shared[THREADS];
    shared[threadIdx.x] = in[blockIdx.x * THREADS + threadIdx.x];
    for (int half = THREADS / 2; half > 0; half /= 2) {
        __syncthreads();
        if ((int)threadIdx.x < half)
            shared[threadIdx.x] = min(shared[threadIdx.x], shared[threadIdx.x + half]);
    }
    if (threadIdx.x != 0)
        return;
    int old = *least, seen;
    for (;;) {
        if (shared[0] >= old)
            return;
        seen = Guard ? atomicMin(least, shared[0]) : atomicCAS(least, old, shared[0]);
        if (seen == old || Guard)
            return;
        old = seen;
    }
}

static void least(int bug)
{
    static int host[BLOCKS * THREADS];
    for (int i = 0; i < BLOCKS * THREADS; i++)
        host[i] = -i * 7 % 97;
    int *in = uploaded(host, BLOCKS * THREADS), *out = filled<int>(1, 0);
    if (bug)
        find_least<true><<<BLOCKS, THREADS>>>(in, out);
    else
        find_least<false><<<BLOCKS, THREADS>>>(in, out);
    cudaDeviceSynchronize();
}

Test(race_tickets, racecheck_knows_a_guess_with_another_load_behind_it)
{
    CLEAN(least);
    BUG(least, 1, "hazard");
}

/* A list whose head is swapped, with a fence in each round: many guesses, many fences. */
__global__ static void push(int *head, int *next, int *used)
{
    int mine = atomicAdd(used, 1), old = *head, assumed;
    do {
        assumed = old;
        next[mine] = assumed;
        __threadfence();
        old = atomicCAS(head, assumed, mine);
    } while (old != assumed);
}

static void list(int bug)
{
    (void)bug;
    push<<<4, THREADS>>>(filled<int>(1, -1), unfilled<int>(4 * THREADS), filled<int>(1, 0));
    cudaDeviceSynchronize();
}

Test(race_tickets, fences_in_a_loop_around_atomic_cas)
{
    CLEAN(list);
}
