/* locks.cu - kernels with locks: the right ones end soon, whatever the crowd, and what their fences
 * order is no race. */
#include "lock_kernels.h"
#include "race_programs.h"

/* The styles of a right lock. */

__global__ static void until_done(struct bin *bins, int *locks, int length)
{
    int i = thread_number();
    for (bool done = i >= length; !done;) {
        if (atomicCAS(&locks[0], 0, 1) == 0) {
            __threadfence();
            update(&bins[0]);
            __threadfence();
            atomicExch(&locks[0], 0);
            done = true;
        }
    }
}

__global__ static void freed_by_a_volatile_store(struct bin *bins, int *locks, int length)
{
    int i = thread_number();
    for (bool done = i >= length; !done;) {
        if (atomicExch(&locks[0], 1) == 0) {
            __threadfence();
            update(&bins[0]);
            __threadfence();
            *(volatile int *)&locks[0] = 0;
            done = true;
        }
    }
}

/* The holder leaves the loop: its warp goes on in two parts. */
__global__ static void behind_the_loop(struct bin *bins, int *locks, int length)
{
    if (thread_number() >= length)
        return;
    while (atomicCAS(&locks[0], 0, 1) != 0)
        __nanosleep(100);
    __threadfence();
    update(&bins[0]);
    __threadfence();
    atomicExch(&locks[0], 0);
}

__global__ static void look_first(struct bin *bins, int *locks, int length)
{
    int i = thread_number();
    unsigned int pause = 8;
    for (bool done = i >= length; !done;) {
        if (*(volatile int *)&locks[0] == 0 && atomicCAS(&locks[0], 0, 1) == 0) {
            __threadfence();
            update(&bins[0]);
            __threadfence();
            atomicExch(&locks[0], 0);
            done = true;
        } else {
            __nanosleep(pause);
            pause = pause < 256 ? 2 * pause : pause;
        }
    }
}

__global__ static void tickets(struct bin *bins, int *locks, int length)
{
    if (thread_number() >= length)
        return;
    int ticket = atomicAdd(&locks[0], 1);
    while (*(volatile int *)&locks[1] != ticket)
        ;
    __threadfence();
    update(&bins[0]);
    __threadfence();
    atomicAdd(&locks[1], 1);
}

__global__ static void in_shared_memory(struct bin *bins, int *, int length)
{
    __shared__ int lock;
    __shared__ struct bin own;
    if (threadIdx.x == 0) {
        lock = 0;
        own.sum = own.updates = 0;
    }
    __syncthreads();
    int i = thread_number();
    for (bool done = i >= length; !done;) {
        if (atomicCAS(&lock, 0, 1) == 0) {
            __threadfence_block();
            update(&own);
            __threadfence_block();
            atomicExch(&lock, 0);
            done = true;
        }
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&bins[0].sum, own.sum);
        atomicAdd(&bins[0].updates, own.updates);
    }
}

static void expect_right(const char *name, lock_kernel *kernel, int length, int threads)
{
    struct bin left;
    double began = seconds();
    set_up();
    kernel<<<(length + threads - 1) / threads, threads>>>(bins, locks, length);
    cr_expect_eq(cudaMemcpy(&left, bins, sizeof left, cudaMemcpyDeviceToHost), cudaSuccess, "%s",
                 name);
    cr_expect_eq(left.updates, length, "%s: %d updates of %d", name, left.updates, length);
    cr_expect_eq(left.sum, 2 * length, "%s", name);
    cr_expect_eq(sim_error_count(), 0, "%s is right", name);
    cr_expect_lt(seconds() - began, seconds_allowed(), "%s took %.1f s", name, seconds() - began);
}
#define EXPECT_RIGHT(KERNEL, LENGTH, THREADS) expect_right(#KERNEL, KERNEL, LENGTH, THREADS)

Test(locks, that_are_right_end_soon_with_all_keys_alike)
{
    EXPECT_RIGHT(until_done, KEYS, 1024);
    EXPECT_RIGHT(freed_by_a_volatile_store, KEYS, 1024);
    EXPECT_RIGHT(behind_the_loop, KEYS, 1024);
    EXPECT_RIGHT(look_first, KEYS, 1024);
    EXPECT_RIGHT(in_shared_memory, KEYS, 1024);
    EXPECT_RIGHT(tickets, KEYS / 4, 1024);
}

Test(locks, that_are_right_end_within_one_warp_and_with_every_schedule)
{
    for (unsigned int seed = 1; seed <= 10; seed++) {
        sim_set_seed(seed);
        EXPECT_RIGHT(until_done, 32, 32);
        EXPECT_RIGHT(behind_the_loop, 32, 32);
        EXPECT_RIGHT(tickets, 32, 32);
        EXPECT_RIGHT(in_shared_memory, 300, 96);
        EXPECT_RIGHT(look_first, 300, 96);
    }
}

/* Fences: bug 0 is right. */

template <int BUG> __global__ static void fenced(struct bin *bins, int *lock)
{
    for (bool done = false; !done;) {
        if (atomicCAS(lock, 0, 1) == 0) {
            if (BUG != 1 && BUG != 3)
                __threadfence();
            update(bins);
            if (BUG != 1 && BUG != 2 && BUG != 5)
                __threadfence();
            if (BUG == 4)
                *lock = 0;
            else if (BUG == 5)
                atomicExch(lock, 0);
            else
                *(volatile int *)lock = 0;
            done = true;
        }
    }
}

static void fences(int bug)
{
    static void (*const kernels[])(struct bin *, int *) = {fenced<0>, fenced<1>, fenced<2>,
                                                           fenced<3>, fenced<4>, fenced<5>};
    set_up();
    kernels[bug]<<<4, 64>>>(bins, locks);
    cudaDeviceSynchronize();
}

/* As the Programming Guide's own examples, the reader of a flag needs no fence: bug 3 is none but
 * by the letter of PTX. */
static void fences_behind_it_left_out(int bug)
{
    fences(bug ? bug : 3);
}

Test(locks, that_are_freed_by_a_volatile_store_between_fences_are_no_race)
{
    CLEAN(fences);
    CLEAN(fences_behind_it_left_out);
    BUG(fences, 1, "Race reported: a thread reads bins[0] while another writes it");
    BUG(fences, 1, "if lock[0] is the lock that keeps the two apart: put __threadfence() before");
    BUG(fences, 2, "Race reported: a thread reads bins[0] while another writes it");
    BUG(fences, 5, "Race reported: a thread reads bins[0] while another writes it");
    BUG(fences, 4, "write lock[0]");
}

Test(locks, need_a_fence_behind_them_by_the_letter_of_ptx)
{
    static struct capture capture;
    sim_set_checks("strict");
    capture_start(&capture);
    fences(0);
    const char *text = capture_end(&capture);
    cr_expect_eq(sim_error_count(), 0, "%s", text);
    capture_start(&capture);
    fences(3);
    EXPECT_PRINTED(capture_end(&capture), "by the letter of PTX");
}
