/* race_scopes.cu - fences and atomics that are missing or of too small a scope, also where
 * volatile hides it, and what only the letter of PTX asks for (SIM_CHECKS=strict). The cases are
 * those of the ScoR suite (Kamath, George, Basu: ScoRD, ISCA 2020), in our own words. */
#include "race_programs.h"

#include <cuda/atomic>

enum { BLOCKS = 4, THREADS = 64 };

/* What is between the accesses and the flag. */
enum fence { NONE, BLOCK, DEVICE };

__device__ static void fence(enum fence scope)
{
    if (scope == BLOCK)
        __threadfence_block();
    else if (scope == DEVICE)
        __threadfence();
}

struct lock_case {
    enum fence acquire, release;
    bool block_cas, block_exchange, same_block;
};

/* Two threads count under a lock, of one block or of two. T: int or volatile int. */
template <typename T> __global__ static void count(int *lock, T *counter, lock_case c)
{
    bool mine = c.same_block ? blockIdx.x == 0 && threadIdx.x % 32 == 0 : threadIdx.x == 0;
    for (int round = 0; mine && round < 3; round++) {
        while ((c.block_cas ? atomicCAS_block(lock, 0, 1) : atomicCAS(lock, 0, 1)) != 0) {
        }
        fence(c.acquire);
        *counter = *counter + 1;
        fence(c.release);
        if (c.block_exchange)
            atomicExch_block(lock, 0);
        else
            atomicExch(lock, 0);
    }
}

template <typename T> static void run(lock_case c)
{
    int *lock = filled<int>(1, 0), *counter = filled<int>(1, 0);
    count<T><<<BLOCKS, THREADS>>>(lock, counter, c);
    cudaDeviceSynchronize();
}

static const lock_case lock_cases[] = {
    {DEVICE, DEVICE, false, false, false}, /* right */
    {BLOCK, BLOCK, true, true, true},      /* right: all are in one block */
    {DEVICE, NONE, false, false, false},   /* 2: no fence before the lock is free */
    {DEVICE, BLOCK, false, false, false},  /* 3 */
    {DEVICE, DEVICE, true, false, false},  /* 4 */
    {DEVICE, DEVICE, false, true, false},  /* 5 */
    {NONE, NONE, false, false, true},      /* 6: no fences, in one block */
    {NONE, DEVICE, false, false, false},   /* 7: by the letter only */
    {BLOCK, DEVICE, false, false, false},  /* 8: by the letter only */
    {NONE, NONE, false, false, false},     /* 9 */
};

static void lock_of_grid(int bug)
{
    run<int>(lock_cases[bug]);
}

static void lock_of_block(int bug)
{
    run<int>(lock_cases[bug ? bug : 1]);
}

static void volatile_lock(int bug)
{
    run<volatile int>(lock_cases[bug]);
}

Test(race_scopes, locks)
{
    CLEAN(lock_of_grid);
    CLEAN(lock_of_block);
    BUG(lock_of_grid, 2, "hazard");
    BUG(lock_of_grid, 3, "of block scope, and these are two blocks");
    BUG(lock_of_grid, 4, "use the atomic without _block");
    BUG(lock_of_grid, 5, "use the atomic without _block");
    BUG(lock_of_grid, 6, "hazard");
    BUG(lock_of_grid, 9, "hazard");
}

Test(race_scopes, volatile_hides_no_scope)
{
    CLEAN(volatile_lock);
    BUG(volatile_lock, 3, "of block scope, and these are two blocks");
    BUG(volatile_lock, 4, "use the atomic without _block");
    BUG(volatile_lock, 5, "use the atomic without _block");
}

/* A message by way of a flag. */
struct message_case {
    enum fence send, receive;
    bool atomic_flag, volatile_data;
};

__device__ static int read_flag(int *flag, bool atomic)
{
    return atomic ? atomicAdd(flag, 0) : *(volatile int *)flag;
}

__global__ static void send(int *flag, int *message, int *out, message_case c)
{
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        if (c.volatile_data)
            *(volatile int *)message = 5;
        else
            *message = 5;
        fence(c.send);
        if (c.atomic_flag)
            atomicExch(flag, 1);
        else
            *(volatile int *)flag = 1;
    } else {
        while (!read_flag(flag, c.atomic_flag)) {
        }
        fence(c.receive);
        out[blockIdx.x] = c.volatile_data ? *(volatile int *)message : *message;
    }
}

static void pass(message_case c)
{
    send<<<BLOCKS, THREADS>>>(filled<int>(1, 0), unfilled<int>(1), unfilled<int>(BLOCKS), c);
    cudaDeviceSynchronize();
}

/* By number: bit 0 and 1 what is wrong, 1 no fence, 2 a narrow one, 3 no fence by the reader;
 * bit 2 the flag is atomic, bit 3 the message is volatile. */
static void message(int bug)
{
    enum fence sender = bug % 4 == 1 ? NONE : bug % 4 == 2 ? BLOCK : DEVICE;
    pass({sender, bug % 4 == 3 ? NONE : DEVICE, (bug & 4) != 0, (bug & 8) != 0});
}

static void atomic_flag(int bug)
{
    message(4 + bug);
}

static void volatile_message(int bug)
{
    message(8 + bug);
}

static void atomic_flag_and_volatile_message(int bug)
{
    message(12 + bug);
}

Test(race_scopes, messages)
{
    CLEAN(message);
    BUG(message, 1, "RAW hazard");
    BUG(message, 2, "of block scope, and these are two blocks");
    CLEAN(atomic_flag);
    BUG(atomic_flag, 1, "RAW hazard");
    BUG(atomic_flag, 2, "of block scope, and these are two blocks");
    CLEAN(volatile_message);
    BUG(volatile_message, 2, "of block scope, and these are two blocks");
    CLEAN(atomic_flag_and_volatile_message);
    BUG(atomic_flag_and_volatile_message, 2, "of block scope, and these are two blocks");
}

/* A wide fence after a narrow one still makes an acquire of a relaxed load. */
__global__ static void read_relaxed(int *flag, int *message, int *out)
{
    if (threadIdx.x != 0)
        return;
    cuda::atomic_ref<int> ready(*flag);
    if (blockIdx.x == 0) {
        *message = 5;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (!ready.load(cuda::memory_order_relaxed)) {
        }
        __threadfence_block();
        __threadfence();
        out[blockIdx.x] = *message;
    }
}

static void two_fences(int bug)
{
    (void)bug;
    read_relaxed<<<2, 1>>>(filled<int>(1, 0), unfilled<int>(1), unfilled<int>(2));
    cudaDeviceSynchronize();
}

Test(race_scopes, the_widest_fence_counts)
{
    CLEAN(two_fences);
}

/* The letter of PTX. */
static void strictly(program *run, int bug, bool wrong, const char *expected)
{
    static struct capture capture;
    for (unsigned long long seed = 1; seed <= 3; seed++) {
        sim_set_checks("strict");
        sim_set_seed(seed);
        capture_start(&capture);
        run(bug);
        cudaDeviceReset();
        unsigned long long errors = sim_error_count();
        sim_reset_errors();
        const char *text = capture_end(&capture);
        sim_set_checks("all");
        cr_expect((errors != 0) == wrong, "bug %d with seed %llu:\n%s", bug, seed, text);
        if (wrong)
            EXPECT_PRINTED(text, expected);
    }
}

/* All threads have written; a barrier; one fences for all, and counts the block in. */
__global__ static void gather(int *part, unsigned int *count, int *out, int bug)
{
    __shared__ bool last;
    part[blockIdx.x * THREADS + threadIdx.x] = 1;
    if (bug == 1)
        __threadfence();
    __syncthreads();
    if (threadIdx.x == 0) {
        if (bug != 1)
            __threadfence();
        last = atomicAdd(count, 1) == gridDim.x - 1;
        if (bug != 2)
            __threadfence();
    }
    __syncthreads();
    int sum = 0;
    for (unsigned int i = threadIdx.x; last && i < gridDim.x * THREADS; i += THREADS)
        sum += part[i];
    if (last)
        out[threadIdx.x] = sum;
}

static void gathering(int bug)
{
    gather<<<BLOCKS, THREADS>>>(unfilled<int>(BLOCKS * THREADS), filled<unsigned int>(1, 0),
                                unfilled<int>(THREADS), bug);
    cudaDeviceSynchronize();
}

/* A thread that waits for its number reads it again where it reads an old one. */
__global__ static void wait_for_number(int *next, volatile int *serving, int *counter)
{
    if (threadIdx.x % 32 != 0)
        return;
    for (int round = 0; round < 3; round++) {
        int mine = atomicAdd(next, 1);
        while (*serving != mine) {
        }
        __threadfence();
        *counter += 1;
        __threadfence();
        *serving = mine + 1;
    }
}

static void ticket_lock(int bug)
{
    (void)bug;
    wait_for_number<<<BLOCKS, THREADS>>>(filled<int>(1, 0), filled<int>(1, 0), filled<int>(1, 0));
    cudaDeviceSynchronize();
}

Test(race_scopes, strict_goes_by_the_letter)
{
    static const char expected[] = "by the letter of PTX";
    strictly(lock_of_grid, 0, false, "");
    strictly(lock_of_block, 1, false, "");
    strictly(lock_of_grid, 7, true, expected);
    strictly(lock_of_grid, 8, true, expected);
    strictly(volatile_lock, 0, false, "");
    strictly(volatile_lock, 2, true, expected);
    strictly(volatile_lock, 7, true, expected);
    strictly(volatile_lock, 8, true, expected);
    strictly(message, 0, false, "");
    strictly(message, 3, true, expected);
    strictly(volatile_message, 0, false, "");
    strictly(volatile_message, 1, true, expected);
    strictly(volatile_message, 3, true, expected);
    strictly(atomic_flag, 3, true, expected);
    strictly(two_fences, 0, false, "");
    strictly(gathering, 0, false, "");
    strictly(gathering, 1, true, expected);
    strictly(gathering, 2, true, expected);
    CLEAN(gathering);
    strictly(ticket_lock, 0, false, "");
    CLEAN(ticket_lock);
    /* What is usual is right otherwise. */
    unsigned long long errors;
    for (int usual = 7; usual <= 8; usual++) {
        run_program(lock_of_grid, usual, 1, &errors);
        cr_expect_eq(errors, 0u);
    }
    for (int usual = 1; usual <= 2; usual++) {
        run_program(gathering, usual, 1, &errors);
        cr_expect_eq(errors, 0u);
    }
}
