/* cuda_atomic.cu - cuda::atomic and cuda::atomic_ref: sums, locks, flags. */
#include <criterion/criterion.h>
#include <cuda/atomic>

enum { BLOCKS = 4, THREADS = 64, LANES = BLOCKS * THREADS };

/* An atomic on one byte touches its neighbor, so a word is the least. */
template <typename T> static T *device_value(T value)
{
    T *memory;
    cr_assert_eq(cudaMalloc(&memory, sizeof value + 3), cudaSuccess);
    cudaMemset(memory, 0, sizeof value + 3);
    cudaMemcpy(memory, &value, sizeof value, cudaMemcpyHostToDevice);
    return memory;
}

template <typename T> static T fetch(const T *memory)
{
    T value;
    cr_assert_eq(cudaMemcpy(&value, memory, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
}

template <typename T> __global__ static void add_to_reference(T *target)
{
    cuda::atomic_ref<T, cuda::thread_scope_device> ref(*target);
    ref.fetch_add((T)1, cuda::memory_order_relaxed);
    ref += (T)2;
    ref--;
}

template <typename T> static void expect_sums()
{
    T *target = device_value((T)3);
    add_to_reference<<<BLOCKS, THREADS>>>(target);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(fetch(target), (T)(3 + 2 * LANES));
}

Test(cuda_atomic, adds_in_every_type)
{
    expect_sums<int>();
    expect_sums<unsigned int>();
    expect_sums<long>();
    expect_sums<unsigned long long>();
    expect_sums<float>();
    expect_sums<double>();
    expect_sums<unsigned char>(); /* 1 and 2 bytes: by compare and swap */
    expect_sums<short>();
}

struct extremes {
    int smallest, largest;
    float largest_float;
    unsigned int bits;
};

__global__ static void find_extremes(extremes *e)
{
    const int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    cuda::atomic_ref<int, cuda::thread_scope_device>(e->smallest).fetch_min(-i);
    cuda::atomic_ref<int, cuda::thread_scope_device>(e->largest).fetch_max(i);
    cuda::atomic_ref<float, cuda::thread_scope_device>(e->largest_float).fetch_max((float)i * 0.5f);
    cuda::atomic_ref<unsigned int, cuda::thread_scope_device>(e->bits).fetch_or(1u << i % 32);
}

Test(cuda_atomic, finds_extremes)
{
    extremes *e = device_value(extremes{0, 0, 0, 0});
    find_extremes<<<BLOCKS, THREADS>>>(e);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    extremes found = fetch(e);
    cr_expect_eq(found.smallest, 1 - LANES);
    cr_expect_eq(found.largest, LANES - 1);
    cr_expect_eq(found.largest_float, (LANES - 1) * 0.5f);
    cr_expect_eq(found.bits, 0xffffffffu);
}

/* One lane of each block takes a lock and changes what it guards. */
__global__ static void count_under_a_lock(cuda::atomic<bool, cuda::thread_scope_device> *lock,
                                          int *guarded)
{
    if (threadIdx.x != 0)
        return;
    bool expected = false;
    while (!lock->compare_exchange_weak(expected, true, cuda::memory_order_acquire))
        expected = false;
    *guarded += 1;
    lock->store(false, cuda::memory_order_release);
}

Test(cuda_atomic, makes_locks)
{
    cuda::atomic<bool, cuda::thread_scope_device> *lock;
    int *guarded = device_value(0);
    cudaMalloc(&lock, 4);
    cudaMemset(lock, 0, 4);
    count_under_a_lock<<<20, 32>>>(lock, guarded);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(fetch(guarded), 20);
}

/* Block 0 publishes data; the others wait for the flag. */
__global__ static void pass_a_flag(int *flag, int *data, int *seen)
{
    cuda::atomic_ref<int, cuda::thread_scope_device> ready(*flag);
    if (threadIdx.x != 0)
        return;
    if (blockIdx.x == 0) {
        *data = 42;
        ready.store(1, cuda::memory_order_release);
    } else {
        while (ready.load(cuda::memory_order_acquire) == 0) {
        }
        seen[blockIdx.x] = *data;
    }
}

Test(cuda_atomic, passes_flags)
{
    int *flag = device_value(0), *data = device_value(0), *seen, host[BLOCKS];
    cudaMalloc(&seen, sizeof host);
    pass_a_flag<<<BLOCKS, 32>>>(flag, data, seen);
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(host, seen, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 1; i < BLOCKS; i++)
        cr_expect_eq(host[i], 42);
}

__global__ static void count_in_shared(int *out)
{
    __shared__ cuda::atomic<int, cuda::thread_scope_block> count;
    if (threadIdx.x == 0)
        count.store(10, cuda::memory_order_relaxed);
    __syncthreads();
    count++;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = count;
}

Test(cuda_atomic, lives_in_shared_memory_and_on_the_host)
{
    int *out = device_value(0);
    count_in_shared<<<1, THREADS>>>(out);
    cr_expect_eq(fetch(out), 10 + THREADS);
    cuda::atomic<int> host(5);
    cr_expect_eq(host.fetch_add(2), 5);
    cr_expect_eq(host.exchange(20), 7);
    int expected = 20;
    cr_expect(host.compare_exchange_strong(expected, 21));
    cr_expect_eq(host.load(), 21);
}
