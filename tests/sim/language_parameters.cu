/* language_parameters.cu - what kernels take as parameters, the built-in indices, kernels in
 * headers. Everything here compiles with nvcc, too. */
#include "device_ints.h"
#include "language_parameters.cuh"

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
