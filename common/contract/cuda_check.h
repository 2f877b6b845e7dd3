/* cuda_check.h - what every chapter on the GPU does when a CUDA call fails: it says so and ends. */
#ifndef CUDA_CHECK_H
#define CUDA_CHECK_H

#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

/* CHECK(cudaMalloc(&copies, bytes)); makes the call, once. When it returns an error, the program
 * ends with status 1 and one line on standard error: where CHECK stands, the call as it is
 * written there, and CUDA's words for the error:
 *
 *     chapters/05_privatized_global/histogram.cu:64: cudaMalloc(&copies, bytes): out of memory
 *
 * A kernel launch returns nothing: CHECK(cudaGetLastError()) after it tells whether it began. */
#define CHECK(call)                                                                                \
    do {                                                                                           \
        const cudaError_t error = (call);                                                          \
        if (error != cudaSuccess) {                                                                \
            fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #call,                          \
                    cudaGetErrorString(error));                                                    \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

#endif
