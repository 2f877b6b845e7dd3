/* target_device.c - histogram() works in the memory of the device. */
#include "target.h"

#include <cuda_runtime_api.h>
#include <stdio.h>
#include <stdlib.h>

#include "sim.h"

static void must(cudaError_t error, const char *what)
{
    if (error == cudaSuccess)
        return;
    fprintf(stderr, "%s failed: %s\n", what, cudaGetErrorString(error));
    exit(1);
}

bool target_is_device(void)
{
    return true;
}

void *target_allocate(size_t bytes)
{
    void *memory = NULL;
    must(cudaMalloc(&memory, bytes > 0 ? bytes : 1), "cudaMalloc");
#ifdef SIMULATED_GPU
    sim_lend(memory); /* a student knows it by the kernel's parameter */
#endif
    return memory;
}

void *target_reserve(size_t bytes)
{
    return target_allocate(bytes);
}

void target_free(void *memory)
{
    must(cudaFree(memory), "cudaFree");
}

void target_fill(void *memory, int value, size_t bytes)
{
    must(cudaMemset(memory, value, bytes), "cudaMemset");
}

void target_write(void *memory, const void *from, size_t bytes)
{
    must(cudaMemcpy(memory, from, bytes, cudaMemcpyHostToDevice), "cudaMemcpy to the device");
}

void target_read(void *to, const void *memory, size_t bytes)
{
    must(cudaMemcpy(to, memory, bytes, cudaMemcpyDeviceToHost), "cudaMemcpy from the device");
}

size_t target_memory_left(void)
{
    size_t left = 0, total = 0;
    must(cudaMemGetInfo(&left, &total), "cudaMemGetInfo");
    return left;
}

struct held target_held(void)
{
    struct held held = {{[HELD_FILES] = held_files()}};
#ifdef SIMULATED_GPU
    held.count[HELD_COMMUNICATORS] = sim_live_communicators();
    held.count[HELD_HANDLES] = sim_live_handles();
    held.count[HELD_HOST_MEMORY] = sim_live_host_memory();
#endif
    return held;
}

bool target_finish(char *error, size_t size)
{
    cudaError_t launch = cudaGetLastError();
    cudaError_t kernel = cudaDeviceSynchronize();
    cudaError_t first = launch != cudaSuccess ? launch : kernel;
    if (first == cudaSuccess)
        return true;
    snprintf(error, size, "%s (%s)", cudaGetErrorString(first), cudaGetErrorName(first));
    return false;
}

uint64_t target_launches(void)
{
    return sim_counters().launches;
}
