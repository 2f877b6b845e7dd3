/* language_variables.cu - __shared__, __device__ and __constant__ variables. Everything here
 * compiles with nvcc, too. */
#include "device_ints.h"

/* --- shared variables --- */

struct pair {
    int a;
    float b;
};

__device__ static int sum(const int *values, int n)
{
    int total = 0;
    for (int i = 0; i < n; i++)
        total += values[i];
    return total;
}

template <int N> __device__ int length_of(int (&)[N])
{
    return N;
}

__device__ int shared_in_a_function(int value)
{
    __shared__ int kept;
    if (threadIdx.x == 0)
        kept = value;
    __syncthreads();
    return kept;
}

__global__ void shared_forms(int *out)
{
    __shared__ int a[32], b, matrix[4][8];
    static __shared__ float c;
    __shared__ volatile int v[2];
    __shared__ __align__(64) char aligned[3];
    alignas(16) __shared__ pair pairs[5];
    volatile __shared__ unsigned long long wide;
    __shared__ struct {
        int x, y;
    } local;
    __shared__ int *pointer;
    const int i = threadIdx.x;
    a[i] = i;
    matrix[i / 8][i % 8] = i;
    if (i == 0) {
        b = 100;
        c = 0.5f;
        v[1] = 7;
        aligned[2] = 3;
        pairs[4].a = 11;
        wide = 1ull << 40;
        local.y = 5;
        pointer = &a[3];
    }
    __syncthreads();
    int by_range = 0;
    for (int value : a)
        by_range += value;
    if (i == 0) {
        out[0] = sum(a, 32) + b;
        out[1] = sizeof a + sizeof b + sizeof matrix;
        out[2] = (int)(c * 2) + v[1] + aligned[2] + pairs[4].a + (int)(wide >> 40) + local.y;
        out[3] = *pointer + length_of(a);
        out[4] = by_range;
        out[5] = (size_t)aligned % 64 == 0 && (size_t)pairs % 16 == 0;
        out[6] = matrix[3][7];
    }
    const int kept = shared_in_a_function(5);
    if (i == 0)
        out[7] = kept;
}

Test(shared, takes_every_form)
{
    int *out = device_ints(8);
    shared_forms<<<1, 32>>>(out);
    cr_expect_eq(fetch(out, 0), 496 + 100);
    cr_expect_eq(fetch(out, 1), 128 + 4 + 128);
    cr_expect_eq(fetch(out, 2), 1 + 7 + 3 + 11 + 1 + 5);
    cr_expect_eq(fetch(out, 3), 3 + 32);
    cr_expect_eq(fetch(out, 4), 496);
    cr_expect_eq(fetch(out, 5), 1);
    cr_expect_eq(fetch(out, 6), 31);
    cr_expect_eq(fetch(out, 7), 5);
}

__global__ void shared_at_wide_multiples(int *out)
{
    __shared__ char first;
    __shared__ __align__(1024) int table[32];
    alignas(256) __shared__ int other[4];
    first = 1;
    table[threadIdx.x] = 2;
    other[0] = 3;
    out[0] = (size_t)table % 1024 == 0 && (size_t)other % 256 == 0;
    out[1] = first + table[31] + other[0];
}

Test(shared, lies_at_the_multiple_that_it_asks_for)
{
    int *out = device_ints(2);
    shared_at_wide_multiples<<<1, 1>>>(out);
    cr_expect_eq(fetch(out, 0), 1);
}

template <typename T> struct storage {
    struct type {
        T values[8];
    };
};

template <typename T, int N> __global__ void shared_in_template(int *out)
{
    __shared__ typename storage<T>::type typed;
    __shared__ T several[N], one;
    if (threadIdx.x == 0) {
        typed.values[7] = 1;
        several[N - 1] = 2;
        one = 3;
        out[0] = sizeof typed + sizeof several + sizeof one;
        out[1] = (int)(typed.values[7] + several[N - 1] + one);
    }
}

Test(shared, is_one_variable_for_each_template_instance)
{
    int *out = device_ints(2);
    shared_in_template<char, 4><<<1, 32>>>(out);
    cr_expect_eq(fetch(out, 0), 8 + 4 + 1);
    shared_in_template<double, 2><<<1, 32>>>(out);
    cr_expect_eq(fetch(out, 0), 64 + 16 + 8);
    cr_expect_eq(fetch(out, 1), 6);
}

__global__ void dynamic_in_function(int *out, int n)
{
    extern __shared__ int ints[];
    extern __shared__ char chars[];
    extern __shared__ __align__(16) float4 fours[];
    ints[threadIdx.x] = 0x01010101 * (int)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0) {
        float *floats = (float *)ints;
        int *end = ints + n;
        out[0] = chars[4 * 5] + (floats == reinterpret_cast<float *>(chars));
        out[1] = sum(ints, 2) + *(end - 1);
        out[2] = (void *)&fours[1] == (void *)&ints[4];
    }
}

template <typename T> struct dynamic {
    __device__ operator T *()
    {
        extern __shared__ int untyped[];
        return (T *)untyped;
    }
};

template <typename T> __global__ void dynamic_by_type(int *out)
{
    T *values = dynamic<T>();
    values[threadIdx.x] = (T)threadIdx.x;
    __syncthreads();
    if (threadIdx.x == 0)
        *out = (int)values[blockDim.x - 1];
}

extern __shared__ int whole[];
extern __shared__ __align__(8) unsigned char bytes[];
__shared__ int fixed[4];

namespace outer
{
extern __shared__ double doubles[];
__device__ double *second()
{
    return &doubles[1];
}
} // namespace outer

__device__ int helper_that_mentions_it(int i)
{
    return whole[i];
}

__global__ void dynamic_outside(int *out)
{
    whole[threadIdx.x] = threadIdx.x + 1;
    __syncthreads();
    if (threadIdx.x == 0) {
        float *floats = reinterpret_cast<float *>(whole);
        int *third = whole + 2, *fourth = &whole[3], *first = whole;
        fixed[3] = 40;
        out[0] = *first + *third + *fourth + fixed[3];
        out[1] = (void *)floats == (void *)bytes;
        out[2] = helper_that_mentions_it(1) + bytes[0];
        out[3] = (char *)outer::second() - (char *)bytes;
    }
}

__global__ void local_of_that_name(int *out, int fixed)
{
    int whole = 3;
    *out = whole + fixed;
}

Test(shared, is_dynamic_in_functions)
{
    int *out = device_ints(4);
    dynamic_in_function<<<1, 32, 32 * sizeof(int)>>>(out, 4);
    cr_expect_eq(fetch(out, 0), 5 + 1);
    cr_expect_eq(fetch(out, 1), 0x01010101 * 4);
    cr_expect_eq(fetch(out, 2), 1);
    dynamic_by_type<double><<<1, 16, 16 * sizeof(double)>>>(out);
    cr_expect_eq(fetch(out, 0), 15);
    dynamic_by_type<unsigned short><<<1, 16, 16 * sizeof(short)>>>(out);
    cr_expect_eq(fetch(out, 0), 15);
}

Test(shared, is_dynamic_outside_of_functions)
{
    int *out = device_ints(4);
    dynamic_outside<<<1, 32, 32 * sizeof(int)>>>(out);
    cr_expect_eq(fetch(out, 0), 1 + 3 + 4 + 40);
    cr_expect_eq(fetch(out, 1), 1);
    cr_expect_eq(fetch(out, 2), 2 + 1);
    cr_expect_eq(fetch(out, 3), 8);
    local_of_that_name<<<1, 1>>>(out, 4);
    cr_expect_eq(fetch(out, 0), 7);
}

/* --- device variables --- */

__device__ int counter;
__device__ int many[4] = {1, 2, 3, 4}, another = 5;
__constant__ float factors[3] = {0.5f, 1.5f, 2.5f};
__device__ const int fixed_table[2] = {10, 20};
static __device__ volatile unsigned long long wide_counter;
__managed__ int both = 3;
__device__ __managed__ int both_again;
__device__ int *device_pointer;
__constant__ struct pair settings;
constexpr __device__ int limit = 6;

struct holder {
    __device__ static int twice(int x)
    {
        return 2 * x;
    }
    __host__ __device__ holder(int v) : value(v)
    {
    }
    __device__ int operator[](int i) const
    {
        return value + i;
    }
    __device__ operator int() const
    {
        return value;
    }
    int value;
};

__device__ int (*function_pointer)(int) = holder::twice;

__device__ __forceinline__ int inlined(int x)
{
    return x + 1;
}

__device__ __noinline__ int not_inlined(int x)
{
    return x + 2;
}

__device__ int recursive(int n)
{
    return n < 2 ? 1 : n * recursive(n - 1);
}

__device__ int declared_later(int x);

__global__ void use_variables(int *out)
{
    holder h(4);
    static __device__ int kept;
    atomicAdd(&kept, 1);
    atomicAdd(&counter, 1);
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        device_pointer = &many[2];
        wide_counter = 1ull << 33;
        out[0] = many[3] + another + fixed_table[1] + both + limit;
        out[1] = (int)(factors[0] + factors[2]) + holder::twice(4) + h[1] + h;
        out[2] = *device_pointer + (int)(wide_counter >> 33) + settings.a + function_pointer(3);
        out[3] = inlined(1) + not_inlined(1) + recursive(5) + declared_later(2);
        both_again = both * 4;
    }
}

__device__ int declared_later(int x)
{
    return x * 100;
}

Test(variables, live_on_the_device)
{
    int *out = device_ints(8);
    pair host_settings = {6, 0};
    cr_expect_eq(cudaMemcpyToSymbol(settings, &host_settings, sizeof settings), cudaSuccess);
    use_variables<<<2, 32>>>(out);
    cr_expect_eq(fetch(out, 0), 4 + 5 + 20 + 3 + 6);
    cr_expect_eq(fetch(out, 1), 3 + 8 + 5 + 4);
    cr_expect_eq(fetch(out, 2), 3 + 1 + 6 + 6);
    cr_expect_eq(fetch(out, 3), 2 + 3 + 120 + 200);
    int count;
    cr_expect_eq(cudaMemcpyFromSymbol(&count, counter, sizeof count), cudaSuccess);
    cr_expect_eq(count, 64);
    cudaDeviceSynchronize();
    cr_expect_eq(both_again, 12);
    float changed[3] = {1, 2, 3};
    cudaMemcpyToSymbol(factors, changed, sizeof changed);
    use_variables<<<1, 32>>>(out);
    cr_expect_eq(fetch(out, 1), 4 + 8 + 5 + 4);
}
