/* device.h - what the host asks of the device before a launch: given code of chapter 20. A CUDA call that
 * fails ends the program with one line. */
#ifndef DEVICE_H
#define DEVICE_H

#include <stddef.h>

#include "cuda_check.h"

/* An attribute of the current device: cudaDevAttrMultiProcessorCount, ... */
static inline size_t device_has(enum cudaDeviceAttr attribute)
{
    int device, value;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaDeviceGetAttribute(&value, attribute, device));
    return (size_t)value;
}

/* Whether a block of the kernel can have so many bytes of shared memory; if so, asks for them. */
static inline int fits(const void *kernel, size_t bytes)
{
    if (bytes > device_has(cudaDevAttrMaxSharedMemoryPerBlockOptin))
        return 0;
    CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes));
    return 1;
}

#endif
