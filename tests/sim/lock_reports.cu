/* lock_reports.cu - kernels whose lock never comes free: within 5 seconds the reader is told who
 * holds which lock, where it was taken, and where the others wait. */
#include "lock_kernels.h"

enum { FEW = 1500 };

/* Locks that nobody gets. */

__global__ static void not_freed_on_one_way(struct bin *bins, int *locks, int length)
{
    if (thread_number() >= length)
        return;
    while (atomicCAS(&locks[17], 0, 1) != 0) /* line of the wait */
        ;
    __threadfence();
    update(&bins[0]);
    int sum = bins[0].sum;
    __threadfence();
    if (sum != 600)
        atomicExch(&locks[17], 0);
}

__global__ static void taken_twice(struct bin *bins, int *locks, int)
{
    while (atomicCAS(&locks[3], 0, 1) != 0)
        ;
    __threadfence();
    while (atomicCAS(&locks[3], 0, 1) != 0)
        ;
    update(&bins[0]);
    __threadfence();
    atomicExch(&locks[3], 0);
}

__global__ static void in_two_orders(struct bin *bins, int *locks, int)
{
    int mine = threadIdx.x % 2, other = 1 - mine;
    while (atomicCAS(&locks[mine], 0, 1) != 0)
        ;
    while (atomicCAS(&locks[other], 0, 1) != 0)
        ;
    __threadfence();
    update(&bins[0]);
    __threadfence();
    atomicExch(&locks[other], 0);
    atomicExch(&locks[mine], 0);
}

__global__ static void barrier_inside(struct bin *bins, int *locks, int)
{
    while (atomicExch(&locks[0], 1) != 0)
        ;
    __threadfence();
    update(&bins[0]);
    __syncthreads();
    __threadfence();
    atomicExch(&locks[0], 0);
}

__global__ static void never_set(struct bin *bins, int *locks, int)
{
    while (atomicCAS((int *)&bins[5], 7, 1) != 7)
        ;
    update(&bins[0]);
    atomicExch((int *)&bins[5], 7);
    (void)locks;
}

__global__ static void kept_in_shared_memory(struct bin *bins, int *, int)
{
    __shared__ int mutex[4];
    if (threadIdx.x < 4)
        mutex[threadIdx.x] = 0;
    __syncthreads();
    while (atomicCAS(&mutex[2], 0, 1) != 0)
        ;
    if (threadIdx.x == 1000)
        update(&bins[0]);
}

__global__ static void polled(struct bin *bins, int *locks, int)
{
    for (bool done = false; !done;)
        if (*(volatile int *)&locks[9] == 0 && atomicCAS(&locks[9], 0, 1) == 0) {
            if (threadIdx.x == 1000)
                update(&bins[0]);
            done = true;
        }
}

__global__ static void stale_guess(struct bin *bins, int *, int)
{
    int old = bins[0].sum;
    while (atomicCAS(&bins[0].sum, old, old + 1) != old)
        ;
}

__global__ static void sum_of_nan(struct bin *bins, int *, int)
{
    float *sum = (float *)&bins[0].sum;
    float old = *sum, assumed;
    do {
        assumed = old;
        old = __int_as_float(atomicCAS((int *)sum, __float_as_int(assumed),
                                       __float_as_int(assumed + __int_as_float(0x7fc00000))));
    } while (old != assumed);
}

/* Runs it and returns what is said; within the 5 seconds that are promised. */
static const char *output_of(lock_kernel *kernel, int blocks, int threads)
{
    static struct capture capture;
    double began = seconds();
    set_up();
    sim_reset_errors();
    capture_start(&capture);
    kernel<<<blocks, threads>>>(bins, locks, FEW);
    cudaError_t error = cudaDeviceSynchronize();
    const char *text = capture_end(&capture);
    cudaDeviceReset();
    cr_expect_eq(error, cudaErrorLaunchTimeout, "%s:\n%s", cudaGetErrorName(error), text);
    cr_expect_lt(seconds() - began, seconds_allowed(), "%.1f s until it was said that\n%s",
                 seconds() - began, text);
    return text;
}

Test(lock_reports, that_are_not_freed_are_named_with_their_holder)
{
    const char *text = output_of(not_freed_on_one_way, 6, 256);
    EXPECT_PRINTED(text, "threads wait for locks[17], and the thread that holds it has returned");
    EXPECT_PRINTED(text, "took locks[17] in ");
    EXPECT_PRINTED(text, ", and has returned\n");
    EXPECT_PRINTED(text, "free the lock on every way that leads out");
    EXPECT_PRINTED(text, "Where threads stand:");
    text = output_of(kept_in_shared_memory, 6, 256);
    EXPECT_PRINTED(text,
                   "255 threads wait for mutex[2], and the thread that holds it has returned");
    text = output_of(polled, 6, 256);
    EXPECT_PRINTED(text, "threads wait for locks[9], and the thread that holds it has returned");
}

Test(lock_reports, of_blocks_that_have_ended_are_named_too)
{
    const char *text = output_of(polled, 300, 32);
    EXPECT_PRINTED(text, "threads wait for locks[9], and the thread that holds it has returned");
    EXPECT_PRINTED(text, "took locks[9] in ");
}

Test(lock_reports, that_are_taken_twice_or_in_two_orders)
{
    const char *text = output_of(taken_twice, 2, 64);
    EXPECT_PRINTED(text, "128 threads wait for locks[3], and the thread that holds it is one of");
    EXPECT_PRINTED(text, ", and waits for locks[3] in ");
    text = output_of(in_two_orders, 2, 64);
    EXPECT_PRINTED(text, "and the thread that holds it waits for another word");
    EXPECT_PRINTED(text, "took locks[0] in ");
    EXPECT_PRINTED(text, "took locks[1] in ");
    EXPECT_PRINTED(text, "takes the one with the lower index first");
}

Test(lock_reports, that_are_held_at_a_barrier_or_were_never_free)
{
    const char *text = output_of(barrier_inside, 2, 64);
    EXPECT_PRINTED(text, "and is at __syncthreads in ");
    EXPECT_PRINTED(text, "free the lock before the barrier");
    text = output_of(never_set, 2, 64);
    EXPECT_PRINTED(text, "threads wait for bins[5], which is 0, and no thread of this launch has");
}

Test(lock_reports, are_not_what_a_loop_around_compare_and_swap_waits_for)
{
    const char *text = output_of(stale_guess, 1, 64);
    EXPECT_PRINTED(text, "atomicCAS compares bins[0] with what it no longer holds");
    text = output_of(sum_of_nan, 1, 64);
    EXPECT_PRINTED(text, "a NaN is not equal to itself");
}

/* The flag inside of the loop is another one. */
__global__ static void flag_declared_again(struct bin *bins, int *locks, int length)
{
    bool done = thread_number() >= length;
    while (!done) {
        bool done = false;
        if (atomicCAS(&locks[4], 0, 1) == 0) {
            __threadfence();
            update(&bins[0]);
            __threadfence();
            atomicExch(&locks[4], 0);
            done = true;
        }
        (void)done;
    }
}

Test(lock_reports, that_one_thread_takes_for_ever_are_named)
{
    const char *text = output_of(flag_declared_again, 1, 32);
    EXPECT_PRINTED(text, "Endless kernel: a thread has taken locks[4] ");
    EXPECT_PRINTED(text, "a flag that is declared once more inside of the loop");
    sim_set_budget_for(2000 * FEW, FEW, "key");
    text = output_of(flag_declared_again, 3, 512);
    EXPECT_PRINTED(text, "Endless kernel: a thread has taken locks[4] ");
}

/* Many rounds of one thread on one lock are no end, as long as it reads its next key. */
__global__ static void many_keys(const int *keys, struct bin *bins, int *locks, int length)
{
    for (int i = (int)threadIdx.x; i < length; i += (int)blockDim.x)
        for (bool done = false; !done;)
            if (atomicCAS(&locks[keys[i]], 0, 1) == 0) {
                __threadfence();
                update(&bins[keys[i]]);
                __threadfence();
                atomicExch(&locks[keys[i]], 0);
                done = true;
            }
}

Test(lock_reports, may_be_taken_many_times_by_one_thread)
{
    struct bin left;
    int *keys;
    set_up();
    cudaMalloc(&keys, KEYS * sizeof *keys);
    cudaMemset(keys, 0, KEYS * sizeof *keys);
    sim_set_budget_for(400 * KEYS, KEYS, "key");
    many_keys<<<1, 32>>>(keys, bins, locks, KEYS);
    cudaMemcpy(&left, bins, sizeof left, cudaMemcpyDeviceToHost);
    cr_expect_eq(left.updates, KEYS);
    cr_expect_eq(sim_error_count(), 0);
}
