/* language.cu - the forms of CUDA C++ that are no C++: launches, kernels, shared and
 * device variables, the built-in indices. Everything here compiles with nvcc, too. */
#include <criterion/criterion.h>
#include <new>

#include "language.cuh"

enum { MOST = 1024 };

/* Gives device memory of `count` ints, all zero. */
static int *device_ints(int count)
{
    int *memory;
    cr_assert_eq(cudaMalloc(&memory, count * sizeof *memory), cudaSuccess);
    cr_assert_eq(cudaMemset(memory, 0, count * sizeof *memory), cudaSuccess);
    return memory;
}

/* The int at `memory[i]` once all kernels have run. */
static int fetch(const int *memory, int i)
{
    int value;
    cr_assert_eq(cudaMemcpy(&value, memory + i, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
    return value;
}

/* --- launches --- */

__global__ void store(int *out, int value)
{
    out[threadIdx.x] = value;
}

__global__ void store_default(int *out, int value = 9)
{
    out[0] = value;
}

__global__ void store_many(int *a, float f, double d, char c, const char *text, size_t n)
{
    if (!text)
        a[0] = (int)(f + d) + c + (int)n;
}

__global__ void overloaded(int *out, int)
{
    *out = 1;
}

__global__ void overloaded(int *out, float)
{
    *out = 2;
}

namespace outer
{
namespace
{
__global__ void hidden(int *out)
{
    *out = 21;
}
} // namespace
namespace inner
{
static __global__ void nested(int *out)
{
    *out = 22;
}
} // namespace inner
inline namespace version
{
__global__ void versioned(int *out)
{
    *out = 23;
}
} // namespace version
} // namespace outer

extern "C" {
__global__ void in_c(int *out)
{
    *out = 24;
}
}
extern "C" __global__ void one_in_c(int *out)
{
    *out = 25;
}

Test(launch, passes_the_configuration_and_the_arguments)
{
    int *out = device_ints(32);
    store<<<1, 32>>>(out, 7);
    cr_expect_eq(fetch(out, 31), 7);
    store<<<dim3(1), dim3(16, 1, 1), 0, 0>>>(out, 8);
    cr_expect_eq(fetch(out, 15), 8);
    cr_expect_eq(fetch(out, 16), 7);
    store<<<1, 1, 0, NULL>>>(out, 'x');
    cr_expect_eq(fetch(out, 0), 'x');
}

Test(launch, converts_arguments_as_a_call_does)
{
    int *out = device_ints(1);
    store_many<<<1, 1>>>(out, 1, 2.5f, 3, NULL, 4);
    cr_expect_eq(fetch(out, 0), 10);
    store_many<<<1, 1>>>(out, 1.0, 2, 0, 0, 1u);
    cr_expect_eq(fetch(out, 0), 4);
    store_many<<<1, 1>>>(out, {}, {}, {}, nullptr, {});
    cr_expect_eq(fetch(out, 0), 0);
    store_default<<<1, 1>>>(out);
    cr_expect_eq(fetch(out, 0), 9);
}

Test(launch, picks_overloads)
{
    int *out = device_ints(1);
    overloaded<<<1, 1>>>(out, 1);
    cr_expect_eq(fetch(out, 0), 1);
    overloaded<<<1, 1>>>(out, 1.0f);
    cr_expect_eq(fetch(out, 0), 2);
}

Test(launch, finds_kernels_in_namespaces_and_in_c)
{
    int *out = device_ints(1);
    outer::hidden<<<1, 1>>>(out);
    cr_expect_eq(fetch(out, 0), 21);
    outer::inner::nested<<<1, 1>>>(out);
    cr_expect_eq(fetch(out, 0), 22);
    ::outer::versioned<<<1, 1>>>(out);
    cr_expect_eq(fetch(out, 0), 23);
    in_c<<<1, 1>>>(out);
    cr_expect_eq(fetch(out, 0), 24);
    one_in_c<<<1, 1>>>(out);
    cr_expect_eq(fetch(out, 0), 25);
}

struct kernels {
    void (*first)(int *, int);
    void (*second[2])(int *, int);
};

static void (*choose(bool yes))(int *, int)
{
    return yes ? store : nullptr;
}

Test(launch, takes_pointers_to_kernels)
{
    int *out = device_ints(1);
    void (*pointer)(int *, int) = store;
    kernels list = {store, {store, store}};
    kernels *to_list = &list;
    pointer<<<1, 1>>>(out, 1);
    cr_expect_eq(fetch(out, 0), 1);
    (pointer)<<<1, 1>>>(out, 2);
    cr_expect_eq(fetch(out, 0), 2);
    (*pointer)<<<1, 1>>>(out, 3);
    cr_expect_eq(fetch(out, 0), 3);
    list.first<<<1, 1>>>(out, 4);
    cr_expect_eq(fetch(out, 0), 4);
    to_list->first<<<1, 1>>>(out, 5);
    cr_expect_eq(fetch(out, 0), 5);
    list.second[1]<<<1, 1>>>(out, 6);
    cr_expect_eq(fetch(out, 0), 6);
    choose(true)<<<1, 1>>>(out, 7);
    cr_expect_eq(fetch(out, 0), 7);
}

#define LAUNCH(kernel, ...) kernel<<<1, 1>>>(__VA_ARGS__)

Test(launch, stands_wherever_an_expression_may)
{
    int *out = device_ints(4);
    int calls = 0;
    if (calls == 0)
        store<<<1, 1>>>(out, 1);
    else
        store<<<1, 1>>>(out, 2);
    cr_expect_eq(fetch(out, 0), 1);
    for (int i = 0; i < 3; i++)
        store<<<1, 1>>>(out, i), calls++;
    cr_expect_eq(fetch(out, 0), 2);
    cr_expect_eq(calls, 3);
    LAUNCH(store, out, 5);
    cr_expect_eq(fetch(out, 0), 5);
    auto start = [&](int value) { store<<<1, 1>>>(out, value); };
    start(6);
    cr_expect_eq(fetch(out, 0), 6);
    calls > 0 ? store<<<1, 1>>>(out, 8) : store<<<1, 1>>>(out, 9);
    cr_expect_eq(fetch(out, 0), 8);
    do
        store<<<1, 1>>>(out, 10);
    while (false);
    cr_expect_eq(fetch(out, 0), 10);
    switch (calls) {
    case 3:
        store<<<1, 1>>>(out, 11);
        break;
    default:
        store<<<1, 1>>>(out, 12);
    }
    cr_expect_eq(fetch(out, 0), 11);
    /* clang-format off */
    store
        <<<
            1,
            1
        >>>
        (
            out,
            13
        );
    /* clang-format on */
    cr_expect_eq(fetch(out, 0), 13);
}

static int evaluated;

static int count_up()
{
    return ++evaluated;
}

static int launch_and_return(int *out, int value)
{
    store<<<1, 1>>>(out, value);
    return value;
}

Test(launch, evaluates_each_argument_once_on_the_host)
{
    int *out = device_ints(64);
    evaluated = 0;
    store<<<count_up(), 32>>>(out, count_up() * 10);
    cr_expect_eq(evaluated, 2);
    cr_expect(fetch(out, 0) == 10 || fetch(out, 0) == 20);
    store<<<1, 1>>>(out + 1, launch_and_return(out + 2, 77)); /* a launch in an argument */
    cr_expect_eq(fetch(out, 1), 77);
    cr_expect_eq(fetch(out, 2), 77);
}

/* --- templates --- */

template <typename T>
__global__ void restricted(T *__restrict__ out, const T *const __restrict__ in, const int n)
{
    out[threadIdx.x] = in[threadIdx.x] + n;
}

template <typename T> __global__ void fill(T *out, T value, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        out[i] = value;
}

template <typename T, int N = 3, bool NEGATE = false> __global__ void numbered(T *out)
{
    __shared__ T tile[N];
    if (threadIdx.x < N)
        tile[threadIdx.x] = N;
    __syncthreads();
    if (threadIdx.x < N)
        out[threadIdx.x] = NEGATE ? -tile[threadIdx.x] : tile[threadIdx.x];
}

template <> __global__ void fill<char>(char *out, char, int n)
{
    out[0] = 's';
    (void)n;
}

template <typename... T> __global__ void sum_of(int *out, T... values)
{
    *out = (0 + ... + values);
}

template <template <typename> class Box, typename T> __global__ void unbox(int *out, Box<T> box)
{
    *out = box.value;
}

template <typename T> struct box {
    T value;
};

template <typename F> __global__ void apply(int *out, F function)
{
    out[threadIdx.x] = function(threadIdx.x);
}

struct square {
    __host__ __device__ int operator()(int x) const
    {
        return x * x;
    }
};

struct choice {
    template <int N> static void run(int *out)
    {
        numbered<int, N><<<1, 32>>>(out);
    }
};

template <typename T> static void fill_all(T *out, T value, int n)
{
    fill<<<1, 64>>>(out, value, n);
    fill<T><<<1, 64>>>(out, value, n);
}

Test(templates, are_launched_with_deduced_and_explicit_arguments)
{
    int *out = device_ints(8);
    fill<<<1, 4>>>(out, 3, 8);
    cr_expect_eq(fetch(out, 7), 3);
    restricted<<<1, 1>>>(out, out + 7, 1);
    cr_expect_eq(fetch(out, 0), 4);
    fill<int><<<1, 4>>>(out, 4, 8);
    cr_expect_eq(fetch(out, 7), 4);
    numbered<int><<<1, 32>>>(out);
    cr_expect_eq(fetch(out, 2), 3);
    numbered<int, 5><<<1, 32>>>(out);
    cr_expect_eq(fetch(out, 4), 5);
    numbered<int, (7 > 6 ? 7 : 6), true><<<1, 32>>>(out);
    cr_expect_eq(fetch(out, 6), -7);
    (numbered<int, 2>)<<<1, 32>>>(out);
    cr_expect_eq(fetch(out, 1), 2);
    fill_all(out, 6, 8);
    cr_expect_eq(fetch(out, 7), 6);
    choice::run<4>(out);
    cr_expect_eq(fetch(out, 3), 4);
    sum_of<<<1, 1>>>(out, 1, 2L, (short)3);
    cr_expect_eq(fetch(out, 0), 6);
    unbox<<<1, 1>>>(out, box<int>{12});
    cr_expect_eq(fetch(out, 0), 12);
    apply<<<1, 8>>>(out, square());
    cr_expect_eq(fetch(out, 7), 49);
}

Test(templates, may_be_specialized)
{
    char *out, value;
    cudaMalloc(&out, 1);
    fill<<<1, 1>>>(out, 'a', 1);
    cudaMemcpy(&value, out, 1, cudaMemcpyDeviceToHost);
    cr_expect_eq(value, 's');
}

/* --- by address --- */

Test(address, starts_every_kernel)
{
    int *out = device_ints(8), value = 31, n = 8;
    void *arguments[] = {&out, &value, &n};
    cr_expect_eq(cudaLaunchKernel((void *)store, dim3(1), dim3(1), arguments, 0, 0), cudaSuccess);
    cr_expect_eq(fetch(out, 0), 31);
    value = 32;
    const void *kernel = (const void *)fill<int>;
    cr_expect_eq(cudaLaunchKernel(kernel, dim3(1), dim3(8), arguments, 0, 0), cudaSuccess);
    cr_expect_eq(fetch(out, 7), 32);
    cr_expect_eq(cudaLaunchKernel((void *)numbered<int, 6>, dim3(1), dim3(32), arguments, 0, 0),
                 cudaSuccess);
    cr_expect_eq(fetch(out, 5), 6);
    cr_expect_eq(cudaLaunchKernel((void *)outer::hidden, dim3(1), dim3(1), arguments, 0, 0),
                 cudaSuccess);
    cr_expect_eq(fetch(out, 0), 21);
}

/* --- parameters --- */

struct large {
    int values[200];
    double last;
};

__global__ void by_value(int *out, const large argument, large)
{
    out[threadIdx.x] = argument.values[threadIdx.x] + (int)argument.last;
}

struct counted { /* copied and destroyed by code */
    static int copies, destroyed;
    int value;
    explicit counted(int v) : value(v)
    {
    }
    counted(const counted &other) : value(other.value)
    {
        copies++;
    }
    ~counted()
    {
        destroyed++;
    }
};
int counted::copies, counted::destroyed;

__global__ void by_copy(int *out, counted argument)
{
    if (threadIdx.x == 0)
        *out = argument.value;
}

__global__ void strange(int (*rows)[4], int count, float, const unsigned = 3,
                        int *const __restrict__ last = nullptr)
{
    rows[1][2] = count + (last == nullptr);
}

__global__ void by_reference(int *out, const int &value, counted &thing)
{
    *out = value + thing.value;
}

__global__ void shadow(int *shadow)
{
    *shadow = 64;
}

__global__ void plain(void)
{
}

Test(parameters, arrive_as_they_were_passed)
{
    int *out = device_ints(64);
    large argument;
    for (int i = 0; i < 200; i++)
        argument.values[i] = i;
    argument.last = 1000;
    by_value<<<1, 64>>>(out, argument, large());
    cr_expect_eq(fetch(out, 63), 1063);
    counted thing(5);
    by_copy<<<1, 32>>>(out, thing);
    cr_expect_eq(fetch(out, 0), 5);
    cr_expect_eq(counted::destroyed, counted::copies, "no copy is made or destroyed in a lane");
    cr_expect_lt(counted::copies, 32);
    strange<<<1, 1>>>((int(*)[4])out, 5, 0);
    cr_expect_eq(fetch(out, 6), 6);
    int *managed;
    cudaMallocManaged(&managed, sizeof *managed + sizeof(counted));
    *managed = 70;
    counted *placed = new (managed + 1) counted(7);
    by_reference<<<1, 1>>>(out, *managed, *placed); /* the addresses are passed */
    cr_expect_eq(fetch(out, 0), 77);
    shadow<<<1, 1>>>(out);
    cr_expect_eq(fetch(out, 0), 64);
    plain<<<1, 1>>>();
    cr_expect_eq(cudaDeviceSynchronize(), cudaSuccess);
}

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

/* --- built-in indices --- */

__device__ unsigned int linear(uint3 index, dim3 size)
{
    return index.x + size.x * (index.y + size.y * index.z);
}

__device__ static unsigned int linear_thread()
{
    auto thread = threadIdx;
    const uint3 again = threadIdx;
    return linear(threadIdx, blockDim) + (thread.x - again.x);
}

__global__ void indices(int *out)
{
    dim3 gridDim(2, 2);
    gridDim.x = 3; /* the user's own variable */
    if (linear_thread() == blockDim.x * blockDim.y * blockDim.z - 1 && blockIdx.x == 1 &&
        blockIdx.y == 0) {
        out[0] = linear_thread();
        out[1] = gridDim.x + gridDim.y;
        out[2] = ::gridDim.y + warpSize;
        out[3] = linear(blockIdx, dim3(5, 5, 5));
    }
}

static int volume(const dim3 &blockDim)
{
    return blockDim.x * blockDim.y * blockDim.z;
}

Test(indices, are_values_unless_the_user_declares_them)
{
    int *out = device_ints(4);
    dim3 blockDim(4, 4), gridDim = dim3(2, 3, 1);
    blockDim.z = 2;
    indices<<<gridDim, blockDim>>>(out);
    cr_expect_eq(fetch(out, 0), 31);
    cr_expect_eq(fetch(out, 1), 5);
    cr_expect_eq(fetch(out, 2), 3 + 32);
    cr_expect_eq(fetch(out, 3) % 5, 1);
    cr_expect_eq(volume(blockDim), 32);
}

/* --- kernels in headers --- */

Test(header, holds_kernels)
{
    int *out = device_ints(2);
    from_header<<<1, 1>>>(out, header_value(2));
    cr_expect_eq(fetch(out, 0), 20 + 5);
    from_header_typed<short><<<1, 1>>>(out);
    cr_expect_eq(fetch(out, 0), 2);
}
