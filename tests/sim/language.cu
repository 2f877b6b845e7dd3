/* language.cu - the forms of CUDA C++ that are no C++: launches and kernels. Everything here
 * compiles with nvcc, too. */
#include <new>

#include "device_ints.h"

enum { MOST = 1024 };

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
