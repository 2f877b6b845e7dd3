/* reading.cu - the fastest way to read, in several shapes, and the price of a launch. */
#include <cuda_runtime.h>
#include <stdio.h>

#include "bench.h"
#include "errors.h"

enum { MOST_THREADS = 1024 };

/* A shape is how many loads of 16 bytes a thread has under way, whether neighbouring threads or blocks
 * share a part of the bytes (strides, sections), and threads a block times blocks a multiprocessor. */
static const int loads[] = {4, 8, 16};
static const struct {
    int threads, a_multiprocessor;
} grids[] = {{256, 8}, {512, 4}, {1024, 2}, {1024, 1}};

enum { LOADS = sizeof loads / sizeof *loads, GRIDS = sizeof grids / sizeof *grids };
static_assert(READ_SHAPES == LOADS * GRIDS * 2, "each number of loads, grid and layout");

/* The grid changes first, then the layout. That of the roofline is 4 loads, by strides, 1024 x 2. */
static int grid_of(int shape)
{
    return shape == ROOFLINE_SHAPE ? 2 : shape % GRIDS;
}

static bool has_sections(int shape)
{
    return shape / GRIDS % 2 == 1;
}

static int loads_of(int shape)
{
    return loads[shape == ROOFLINE_SHAPE ? 0 : shape / GRIDS / 2];
}

/* A load that STREAMS leaves the cache first; the roofline's is a plain one, as chapters have it. */
template <bool STREAMS> __device__ static inline uint4 load(const uint4 *word)
{
    return STREAMS ? __ldcs(word) : *word;
}

template <int IN_FLIGHT, bool SECTIONS, bool STREAMS>
__global__ void __launch_bounds__(MOST_THREADS)
    read_kernel(const uint4 *words, size_t count, unsigned int *sink)
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
            loaded[k] = load<STREAMS>(&words[i + k * stride]);
#pragma unroll
        for (int k = 0; k < IN_FLIGHT; k++)
            mixed ^= loaded[k].x ^ loaded[k].y ^ loaded[k].z ^ loaded[k].w;
    }
    for (; i < end; i += stride) {
        const uint4 loaded = load<STREAMS>(&words[i]);
        mixed ^= loaded.x ^ loaded.y ^ loaded.z ^ loaded.w;
    }
    if (mixed == 0x9e3779b9u) // so that the loads are not dropped
        *sink = mixed;
}

template <bool SECTIONS>
static void launch(int in_flight, unsigned int blocks, unsigned int threads, const uint4 *words,
                   size_t count, unsigned int *sink)
{
    if (in_flight == 4)
        read_kernel<4, SECTIONS, true><<<blocks, threads>>>(words, count, sink);
    else if (in_flight == 8)
        read_kernel<8, SECTIONS, true><<<blocks, threads>>>(words, count, sink);
    else
        read_kernel<16, SECTIONS, true><<<blocks, threads>>>(words, count, sink);
}

void read_in_shape(int shape, const void *bytes, size_t length, unsigned int *sink)
{
    const size_t multiprocessors = (size_t)device_has(cudaDevAttrMultiProcessorCount);
    const unsigned int threads = (unsigned int)grids[grid_of(shape)].threads;
    const uint4 *words = (const uint4 *)bytes;
    const size_t count = length / sizeof *words, needed = (count + threads - 1) / threads;
    const size_t most = multiprocessors * grids[grid_of(shape)].a_multiprocessor;
    const unsigned int blocks = (unsigned int)(needed < 1 ? 1 : needed < most ? needed : most);
    if (shape == ROOFLINE_SHAPE)
        read_kernel<4, false, false><<<blocks, threads>>>(words, count, sink);
    else if (has_sections(shape))
        launch<true>(loads_of(shape), blocks, threads, words, count, sink);
    else
        launch<false>(loads_of(shape), blocks, threads, words, count, sink);
    must(cudaGetLastError(), "read_kernel");
}

void read_alone(const struct peer *self, const void *input, size_t bytes, void *sink, size_t)
{
    read_in_shape(self->shape, input, bytes, (unsigned int *)sink);
}

const char *read_shape_name(int shape)
{
    static char name[64];
    snprintf(name, sizeof name, "%d loads; %s; %d x %d", loads_of(shape),
             has_sections(shape) ? "sections" : "strides", grids[grid_of(shape)].threads,
             grids[grid_of(shape)].a_multiprocessor);
    return name;
}

__global__ void empty_kernel(void)
{
}

void launch_nothing(const struct peer *, const void *, size_t, void *, size_t)
{
    empty_kernel<<<1, 32>>>();
    must(cudaGetLastError(), "empty_kernel");
}
