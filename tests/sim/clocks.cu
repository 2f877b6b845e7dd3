/* clocks.cu - clock(), clock64() and the global timer: they advance, also for those who wait. */
#include <criterion/criterion.h>
#include <time.h>

#include "device_ints.h"

/* A wait of so many cycles is on its way in samples, to keep a kernel busy. */
template <class Clock> __device__ long long wait_for(long long cycles, Clock now)
{
    long long start = now(), passed = 0;
    while (passed < cycles)
        passed = now() - start;
    return passed;
}

__global__ void wait_on_all_clocks(int *waited)
{
    waited[threadIdx.x] =
        (wait_for(1000000000, [] __device__ { return clock64(); }) >= 1000000000) +
        (wait_for(100000000, [] __device__ { return (long long)clock(); }) >= 100000000) +
        (wait_for(50000000, [] __device__ { return (long long)__globaltimer(); }) >= 50000000);
}

Test(clocks, let_those_go_on_who_wait_for_a_time)
{
    int *waited = device_ints(64);
    wait_on_all_clocks<<<1, 64>>>(waited);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    for (int i = 0; i < 64; i++)
        cr_expect_eq(fetch(waited, i), 3);
    cudaFree(waited);
}

/* Gives up too early when time runs away from a store of another block. */
__global__ void wait_for_the_other_block(volatile int *flag, int *seen)
{
    if (blockIdx.x == 1) {
        atomicExch((int *)flag, 1);
        return;
    }
    long long start = clock64();
    while (atomicAdd((int *)flag, 0) == 0 && clock64() - start < 1000000000000)
        ;
    *seen = atomicAdd((int *)flag, 0);
}

Test(clocks, give_others_time_to_do_what_is_waited_for)
{
    int *flag = device_ints(2);
    wait_for_the_other_block<<<2, 1>>>(flag, flag + 1);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(fetch(flag, 1), 1);
    cudaFree(flag);
}

__global__ void measure(const int *numbers, int *sum, int *cycles)
{
    for (int i = 0; i < 64; i++) {
        long long start = clock64();
        *sum += numbers[i];
        cycles[i] = (int)(clock64() - start);
    }
}

Test(clocks, measure_work_in_a_loop)
{
    int *numbers = device_ints(64), *sum = device_ints(1), *cycles = device_ints(64);
    measure<<<1, 1>>>(numbers, sum, cycles);
    for (int i = 0; i < 64; i++) {
        cr_expect_gt(fetch(cycles, i), 0);
        cr_expect_lt(fetch(cycles, i), 100);
    }
    cudaFree(numbers);
    cudaFree(sum);
    cudaFree(cycles);
}

Test(clocks, are_the_hosts_on_the_host)
{
    clock_t start = clock(), now = start;
    while (now < start + CLOCKS_PER_SEC / 100)
        now = clock();
    cr_expect_lt(now, start + 10 * CLOCKS_PER_SEC);
}
