/* host_threads.cu - host threads that use the runtime at the same time. */
#include <cuda_runtime.h>
#include <criterion/criterion.h>
#include <pthread.h>

#include "capture.h"
#include "sim.h"

enum { HOST_THREADS = 6, ROUNDS = 20, COUNT = 300 };

__global__ static void scale(int *array, int count, int factor)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    if (i < count)
        array[i] *= factor;
}

/* Allocates, copies, launches and frees; counts what is wrong. */
static void *work(void *argument)
{
    long number = (long)argument, wrong = 0;
    int host[COUNT];
    for (int round = 0; round < ROUNDS; round++) {
        int *array = NULL;
        cudaStream_t stream;
        for (int i = 0; i < COUNT; i++)
            host[i] = i;
        wrong += cudaMalloc(&array, sizeof host) != cudaSuccess;
        wrong += cudaStreamCreate(&stream) != cudaSuccess;
        cudaMemcpyAsync(array, host, sizeof host, cudaMemcpyHostToDevice, stream);
        scale<<<5, 64, 0, stream>>>(array, COUNT, (int)number);
        cudaMemcpyAsync(host, array, sizeof host, cudaMemcpyDeviceToHost, stream);
        wrong += cudaStreamSynchronize(stream) != cudaSuccess;
        for (int i = 0; i < COUNT; i++)
            wrong += host[i] != i * number;
        cudaStreamDestroy(stream);
        cudaFree(array);
    }
    return (void *)wrong;
}

Test(host_threads, come_one_after_the_other)
{
    pthread_t thread[HOST_THREADS];
    sim_set_checks("all");
    for (long t = 0; t < HOST_THREADS; t++)
        cr_assert_eq(pthread_create(&thread[t], NULL, work, (void *)(t + 1)), 0);
    for (int t = 0; t < HOST_THREADS; t++) {
        void *wrong;
        pthread_join(thread[t], &wrong);
        cr_expect_null(wrong);
    }
    cr_expect_eq(sim_error_count(), 0u);
    cr_expect_eq(sim_counters().launches, (uint64_t)HOST_THREADS * ROUNDS);
}

/* The last error is each thread's own. */
static void *fail(void *argument)
{
    int *none = NULL;
    (void)argument;
    cudaMemcpy(none, none, 4, cudaMemcpyHostToDevice);
    return cudaPeekAtLastError() == cudaSuccess ? argument : NULL;
}

Test(host_threads, have_their_own_last_error)
{
    static struct capture capture;
    pthread_t thread;
    void *forgot;
    capture_start(&capture);
    cr_assert_eq(pthread_create(&thread, NULL, fail, &capture), 0);
    pthread_join(thread, &forgot);
    capture_end(&capture);
    cr_expect_null(forgot);
    cr_expect_eq(cudaGetLastError(), cudaSuccess);
}

/* A callback may wait for a thread that needs the runtime. */
static void join(void *thread)
{
    void *wrong;
    pthread_join(*(pthread_t *)thread, &wrong);
}

Test(host_threads, may_be_waited_for_by_a_callback)
{
    pthread_t thread;
    cr_assert_eq(pthread_create(&thread, NULL, work, (void *)1), 0);
    cr_expect_eq(cudaLaunchHostFunc(0, join, &thread), cudaSuccess);
}

__global__ static void compute_for_ever(volatile int *out)
{
    unsigned int x = threadIdx.x + 1;
    while (x)
        x = x * 3 | 1;
    *out = (int)x;
}

static void *launch_endless(void *argument)
{
    int *out;
    (void)argument;
    cudaMalloc(&out, sizeof *out);
    compute_for_ever<<<1, 1>>>(out);
    return cudaDeviceSynchronize() == cudaErrorLaunchTimeout ? NULL : out;
}

/* The watch looks after the thread that launched, whichever one the signal meets. */
Test(host_threads, are_watched_too)
{
    static struct capture capture;
    pthread_t thread;
    void *wrong;
    setenv("SIM_PATIENCE", "1", 1);
    capture_start(&capture);
    cr_assert_eq(pthread_create(&thread, NULL, launch_endless, NULL), 0);
    pthread_join(thread, &wrong);
    const char *text = capture_end(&capture);
    sim_reset_errors();
    cr_expect_null(wrong);
    EXPECT_PRINTED(text, "Endless kernel: a thread computes for ever");
}
