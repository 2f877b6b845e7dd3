/* device.c - the table of what a device is: asked once for each device, by whichever thread comes first. */
#include "device.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "model.h"

enum { MOST_DEVICES = 64, OLDEST = 80 };

static struct {
    ladder_device device;
    bool is_known;
    unsigned int prepared; /* a bit for each operation */
} table[MOST_DEVICES];
static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER; /* protects the table */

/* An attribute of a device; 0 when the call fails. */
static size_t attribute(enum cudaDeviceAttr which, int number, cudaError_t *status)
{
    int value = 0;
    if (*status == cudaSuccess)
        *status = cudaDeviceGetAttribute(&value, which, number);
    return (size_t)value;
}

static cudaError_t describe(int number, ladder_device *device)
{
    static struct cudaDeviceProp properties; /* large; the caller holds the lock */
    cudaError_t status = cudaGetDeviceProperties(&properties, number);
    memset(device, 0, sizeof *device);
    if (status != cudaSuccess)
        return status;
    snprintf(device->name, sizeof device->name, "%.63s", properties.name);
    device->capability = 10 * properties.major + properties.minor;
    device->multiprocessors =
        (unsigned int)attribute(cudaDevAttrMultiProcessorCount, number, &status);
    device->threads =
        (unsigned int)attribute(cudaDevAttrMaxThreadsPerMultiProcessor, number, &status);
    device->shared_of_block = attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin, number, &status);
    device->shared_of_multiprocessor =
        attribute(cudaDevAttrMaxSharedMemoryPerMultiprocessor, number, &status);
    device->cache_bytes = attribute(cudaDevAttrL2CacheSize, number, &status);
    device->is_measured = strstr(device->name, "H200") != NULL;
    return status;
}

/* The same with the lock held. */
static ladder_status ask(int number, ladder_operation operation, const ladder_device **device)
{
    if (!table[number].is_known) {
        if (describe(number, &table[number].device) != cudaSuccess)
            return LADDER_CUDA_ERROR;
        table[number].is_known = true;
    }
    if (table[number].device.capability < OLDEST)
        return LADDER_NO_DEVICE;
    const unsigned int bit = 1u << operation;
    if (operation != 0 && !(table[number].prepared & bit)) {
        const struct ladder_facts *const facts = ladder_facts_of(operation);
        if (facts->kernels->prepare(table[number].device.shared_of_block) != cudaSuccess)
            return LADDER_CUDA_ERROR;
        table[number].prepared |= bit;
    }
    *device = &table[number].device;
    return LADDER_OK;
}

ladder_status ladder_device_now(ladder_operation operation, const ladder_device **device)
{
    int number;
    *device = NULL;
    if (cudaGetDevice(&number) != cudaSuccess || number < 0 || number >= MOST_DEVICES)
        return LADDER_NO_DEVICE;
    pthread_mutex_lock(&one_at_a_time);
    const ladder_status status = ask(number, operation, device);
    pthread_mutex_unlock(&one_at_a_time);
    return status;
}

ladder_status ladder_current_device(ladder_device *device)
{
    const ladder_device *known;
    if (!device)
        return LADDER_NULL;
    const ladder_status status = ladder_device_now((ladder_operation)0, &known);
    if (status == LADDER_OK)
        *device = *known;
    return status;
}
