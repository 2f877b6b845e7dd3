/* atomic_builtins.cu - __nv_atomic_load_n and its kind: results, and what their orders hand over. */
#include <criterion/criterion.h>

static const int threads = 256;

__global__ static void all_operations(int *ints, unsigned long long *longs, float *sum)
{
    int i = (int)threadIdx.x;
    __nv_atomic_add(&ints[0], 2, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
    __nv_atomic_fetch_sub(&ints[1], 1, __NV_ATOMIC_RELAXED);
    __nv_atomic_min(&ints[2], -i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_max(&longs[0], (unsigned)i, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_or(&longs[1], 1ULL << i % 64, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_add(sum, 0.5f, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    unsigned long long seen = __nv_atomic_load_n(&longs[2], __NV_ATOMIC_RELAXED), next;
    do
        next = seen + 3;
    while (!__nv_atomic_compare_exchange_n(&longs[2], &seen, next, false, __NV_ATOMIC_RELAXED,
                                           __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE));
}

Test(atomic_builtins, do_what_they_say)
{
    int *ints;
    unsigned long long *longs;
    float *sum;
    cr_assert_eq(cudaMallocManaged(&ints, 3 * sizeof *ints), cudaSuccess);
    cr_assert_eq(cudaMallocManaged(&longs, 3 * sizeof *longs), cudaSuccess);
    cr_assert_eq(cudaMallocManaged(&sum, sizeof *sum), cudaSuccess);
    memset(ints, 0, 3 * sizeof *ints);
    memset(longs, 0, 3 * sizeof *longs);
    *sum = 0;
    all_operations<<<1, threads>>>(ints, longs, sum);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(ints[0], 2 * threads);
    cr_expect_eq(ints[1], -threads);
    cr_expect_eq(ints[2], 1 - threads);
    cr_expect_eq(longs[0], threads - 1);
    cr_expect_eq(longs[1], ~0ULL);
    cr_expect_eq(longs[2], 3 * threads);
    cr_expect_float_eq(*sum, threads * 0.5f, 1e-6f);
    cudaFree(ints);
    cudaFree(longs);
    cudaFree(sum);
}

/* The second block may read the data since a release and an acquire stand between. */
__global__ static void hand_over(int *data, int *flag, int *result)
{
    if (blockIdx.x == 0) {
        *data = 42;
        __nv_atomic_store_n(flag, 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    } else {
        while (__nv_atomic_load_n(flag, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) == 0)
            ;
        *result = *data;
    }
}

Test(atomic_builtins, hand_data_over)
{
    int *words, result = 0;
    cr_assert_eq(cudaMalloc(&words, 3 * sizeof *words), cudaSuccess);
    cudaMemset(words, 0, 3 * sizeof *words);
    hand_over<<<2, 1>>>(words, words + 1, words + 2);
    cr_assert_eq(cudaMemcpy(&result, words + 2, sizeof result, cudaMemcpyDeviceToHost),
                 cudaSuccess);
    cr_expect_eq(result, 42);
    cudaFree(words);
}
