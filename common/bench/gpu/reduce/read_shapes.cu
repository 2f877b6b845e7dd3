/* read_shapes.cu - reads and does nothing else, with more or fewer loads under way and blocks. */
#include "read_shapes.h"

#include <cuda_runtime.h>
#include <stdio.h>

#include "errors.h"

enum { MOST_THREADS = 1024 };

static const int loads[] = {4, 8, 16};
static const struct {
    int threads, a_multiprocessor;
} grids[] = {{256, 8}, {512, 4}, {1024, 2}, {1024, 1}};

enum { LOADS = sizeof loads / sizeof *loads, GRIDS = sizeof grids / sizeof *grids };
static_assert(READ_SHAPES == LOADS * GRIDS * 2, "each number of loads, grid and layout");

/* Of shape 0, 1, 2 ...: the grid changes first, then the layout. */
static bool has_sections(int shape)
{
    return shape / GRIDS % 2 == 1;
}

static int loads_of(int shape)
{
    return loads[shape / GRIDS / 2];
}

template <int IN_FLIGHT, bool SECTIONS>
__global__ void __launch_bounds__(MOST_THREADS)
    read_shape_kernel(const uint4 *words, size_t count, unsigned int *sink)
{
    const size_t share = (count + gridDim.x - 1) / gridDim.x;
    const size_t stride = SECTIONS ? blockDim.x : (size_t)gridDim.x * blockDim.x;
    size_t i = SECTIONS ? blockIdx.x * share : (size_t)blockIdx.x * blockDim.x;
    const size_t end = SECTIONS && i + share < count ? i + share : count;
    unsigned int mixed = 0;
    for (i += threadIdx.x; i + (IN_FLIGHT - 1) * stride < end; i += IN_FLIGHT * stride) {
        uint4 loaded[IN_FLIGHT];
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k++)
            loaded[k] = __ldcs(&words[i + k * stride]);
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k++)
            mixed ^= loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
    }
    for (; i < end; i += stride) {
        const uint4 loaded = __ldcs(&words[i]);
        mixed ^= loaded.x ^ loaded.y ^ loaded.z ^ loaded.w;
    }
    if (mixed == 0x9e3779b9u) // so that the loads are not dropped
        *sink = mixed;
}

template <bool SECTIONS>
static void launch(int in_flight, unsigned int blocks, int threads, const uint4 *words,
                   size_t count, unsigned int *sink)
{
    const unsigned int size = (unsigned int)threads;
    if (in_flight == 4)
        read_shape_kernel<4, SECTIONS><<<blocks, size>>>(words, count, sink);
    else if (in_flight == 8)
        read_shape_kernel<8, SECTIONS><<<blocks, size>>>(words, count, sink);
    else
        read_shape_kernel<16, SECTIONS><<<blocks, size>>>(words, count, sink);
}

void read_in_shape(int shape, const void *bytes, size_t length, unsigned int *sink)
{
    int device, multiprocessors;
    must(cudaGetDevice(&device), "cudaGetDevice");
    must(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device),
         "cudaDeviceGetAttribute");
    const int threads = grids[shape % GRIDS].threads;
    const size_t count = length / sizeof(uint4), needed = (count + threads - 1) / threads;
    const size_t most = (size_t)multiprocessors * grids[shape % GRIDS].a_multiprocessor;
    const unsigned int blocks = (unsigned int)(needed < 1 ? 1 : needed < most ? needed : most);
    if (has_sections(shape))
        launch<true>(loads_of(shape), blocks, threads, (const uint4 *)bytes, count, sink);
    else
        launch<false>(loads_of(shape), blocks, threads, (const uint4 *)bytes, count, sink);
    must(cudaGetLastError(), "read_shape_kernel");
}

const char *read_shape_name(int shape)
{
    static char name[64];
    snprintf(name, sizeof name, "%d loads; %s; %d x %d", loads_of(shape),
             has_sections(shape) ? "sections" : "strides", grids[shape % GRIDS].threads,
             grids[shape % GRIDS].a_multiprocessor);
    return name;
}
