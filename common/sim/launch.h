/* launch.h - limits of the simulated device, and what the runtime asks of them. */
#ifndef SIM_LAUNCH_H
#define SIM_LAUNCH_H

#include <stddef.h>

/* An H200 (compute capability 9.0). Source: CUDA C++ Programming Guide, table
 * of technical specifications, and cudaGetDeviceProperties on the device. */
enum {
    SIM_WARP_SIZE = 32,
    SIM_MOST_MULTIPROCESSORS = 132, /* sim_options()->multiprocessors may be fewer */
    SIM_THREADS_PER_BLOCK = 1024,
    SIM_THREADS_PER_MULTIPROCESSOR = 2048,
    SIM_BLOCKS_PER_MULTIPROCESSOR = 32,
    SIM_SHARED_PER_BLOCK = 48 * 1024,
    SIM_SHARED_PER_BLOCK_OPTIN = 227 * 1024,
    SIM_SHARED_PER_MULTIPROCESSOR = 228 * 1024,
    SIM_SHARED_RESERVED_PER_BLOCK = 1024,
    SIM_L2_BYTES = 60 * 1024 * 1024
};

/* What is known of one kernel, by the address of its __global__ function. */
struct sim_kernel_attributes {
    size_t static_shared;          /* bytes; known after the first launch, 0 before */
    size_t dynamic_shared_maximum; /* as set by cudaFuncSetAttribute; 48 KB at first */
};
struct sim_kernel_attributes *sim_kernel_attributes(const void *kernel);

/* Blocks of this shape that fit on one multiprocessor at a time; 0 when none does. */
int sim_blocks_per_multiprocessor(const void *kernel, unsigned int threads, size_t dynamic_shared);

/* Remembers an error for cudaGetLastError and returns it; 0 changes nothing.
 * Errors of a kernel that was stopped stay until cudaDeviceReset. Defined in
 * runtime.c. */
int sim_set_error(int error, int sticky);
/* The sticky error, or 0. */
int sim_sticky_error(void);

#endif
