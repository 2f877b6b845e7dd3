/* measure_constants.cu - measures what common/ladder/constants.h has: prints a row for each operation, and the numbers
 * below the rows. Each way of combining is forced on uniform keys, of two lengths, so that what a launch takes is told
 * apart from what an element takes. */
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" {
#include "../../../common/ladder/model.h"
}

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "measure_constants: %s: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

enum keys { UNIFORM, ONE_KEY };

__global__ static void draw(uint32_t *keys, uint32_t *values, size_t length, size_t num_bins,
                            enum keys kind)
{
    const size_t stride = (size_t)gridDim.x * blockDim.x;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < length; i += stride) {
        unsigned int x = (unsigned int)i * 2 + 1;
        x = (x ^ x >> 16) * 0x7feb352dU;
        x = (x ^ x >> 15) * 0x846ca68bU;
        x ^= x >> 16;
        keys[i] = kind == ONE_KEY ? 0 : (uint32_t)((unsigned long long)x * num_bins >> 32);
        values[i] = __float_as_uint((float)(x % 64) / 64);
    }
}

static char *arena;
static const size_t MOST = (size_t)1 << 26;

/* The plan for a way that is forced, where that is possible. */
static ladder_plan forced(const ladder_device *device, ladder_operation operation, size_t length,
                          size_t num_bins, enum ladder_memory memory)
{
    struct ladder_plan plan;
    ladder_choose(device, operation, length, num_bins, &plan);
    plan.inspects = plan.may_be_direct = false;
    if (memory == LADDER_AS_THEY_ARE)
        plan.memory = memory;
    return plan;
}

/* Microseconds of one round, the median of some. */
static double time_of(const ladder_facts *facts, const ladder_plan *plan, size_t length,
                      size_t num_bins, enum keys kind)
{
    uint32_t *const keys = (uint32_t *)arena, *const values = keys + MOST;
    char *const bins = (char *)(values + MOST), *const temporary = bins + ((size_t)1 << 31);
    cudaEvent_t begin, end;
    std::vector<double> times;
    must(cudaEventCreate(&begin), "event");
    must(cudaEventCreate(&end), "event");
    draw<<<1024, 256>>>(keys, values, length, num_bins, kind);
    const ladder_elements elements = {keys, values, (unsigned int)length, 0, 0, facts->has_values};
    for (int i = 0; i < 9; i++) {
        must(facts->kernels->clear(bins, num_bins, plan->multiprocessors, 0), "clear");
        must(cudaEventRecord(begin), "record");
        must(facts->kernels->run(plan, &elements, bins, num_bins, temporary, 0), facts->name);
        must(cudaEventRecord(end), "record");
        must(cudaEventSynchronize(end), facts->name);
        float ms;
        must(cudaEventElapsedTime(&ms, begin, end), "elapsed");
        times.push_back(1000.0 * ms);
    }
    std::sort(times.begin(), times.end());
    return times[times.size() / 2];
}

/* Picoseconds for an element, from two lengths; 0 where the model would not go that way. */
static double slope(const ladder_device *device, ladder_operation operation, size_t num_bins,
                    enum ladder_memory memory, enum keys kind)
{
    const ladder_facts *const facts = ladder_facts_of(operation);
    const size_t lengths[2] = {kind == ONE_KEY ? MOST / 64 : MOST / 2,
                               kind == ONE_KEY ? MOST / 32 : MOST};
    double times[2];
    for (int i = 0; i < 2; i++) {
        const ladder_plan plan = forced(device, operation, lengths[i], num_bins, memory);
        if (plan.memory != memory &&
            !(memory == LADDER_IN_BUCKETS && plan.memory == LADDER_IN_32_BUCKETS))
            return 0;
        times[i] = time_of(facts, &plan, lengths[i], num_bins, kind);
    }
    return 1e6 * (times[1] - times[0]) / (double)(lengths[1] - lengths[0]);
}

int main(void)
{
    ladder_device device;
    if (ladder_current_device(&device) != LADDER_OK)
        return fprintf(stderr, "measure_constants: no device\n"), 1;
    must(cudaMalloc(&arena, 2 * MOST * 4 + ((size_t)1 << 31) + ((size_t)3 << 30)), "cudaMalloc");
    printf("%s\noperation: a pass in shared memory, in buckets, a sector of an atomic in the "
           "cache, and in memory (ps)\n",
           device.name);
    for (int op = LADDER_COUNT; op <= LADDER_ARGMAX_U32; op++) {
        const ladder_operation operation = (ladder_operation)op;
        size_t bytes = 0;
        const size_t in_cache = device.cache_bytes / 4 / ladder_bin_bytes(operation);
        const size_t in_memory = ((size_t)1 << 31) / ladder_bin_bytes(operation) / 2;
        // The first call of an operation makes its kernels ready.
        ladder_reduce_by_index(NULL, &bytes, operation, NULL, NULL, 1, NULL, 1, 0);
        printf("ROW(%s, %.2f, %.1f, %.1f, %.1f)\n", ladder_facts_of(operation)->name,
               slope(&device, operation, 5000, LADDER_IN_SHARED, UNIFORM),
               slope(&device, operation, in_cache, LADDER_IN_BUCKETS, UNIFORM),
               slope(&device, operation, in_cache, LADDER_AS_THEY_ARE, UNIFORM),
               slope(&device, operation, in_memory, LADDER_AS_THEY_ARE, UNIFORM));
    }
    printf("SAME_ADDRESS_PS %.0f\n",
           32 * slope(&device, LADDER_COUNT, 1, LADDER_AS_THEY_ARE, ONE_KEY));
    return 0;
}
