/* memory_api.c - allocations, copies and fills of the CUDA runtime, and what it
 * says of wrong ones. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "capture.h"
#include "include/cuda_runtime_api.h"
#include "sim.h"

enum { BYTES = 1000 };

static void *device_memory(size_t bytes)
{
    void *memory = NULL;
    cr_assert_eq(cudaMalloc(&memory, bytes), cudaSuccess);
    cr_assert_not_null(memory);
    return memory;
}

/* Runs a call that must fail with `error`, print `part`, and be remembered. */
#define EXPECT_REFUSED(call, error, part)                                                          \
    do {                                                                                           \
        struct capture capture;                                                                    \
        capture_start(&capture);                                                                   \
        cudaError_t result = (call);                                                               \
        const char *text = capture_end(&capture);                                                  \
        cr_expect_eq(result, error, "%s", cudaGetErrorName(result));                               \
        cr_expect_eq(cudaGetLastError(), error);                                                   \
        cr_expect_eq(cudaGetLastError(), cudaSuccess);                                             \
        EXPECT_PRINTED(text, part);                                                                \
        EXPECT_PRINTED(text, "memory_api.c:");                                                     \
        sim_reset_errors();                                                                        \
    } while (0)

Test(memory_api, counts_a_copy_that_does_not_fit_as_an_error)
{
    struct capture capture;
    char host[20], *memory = device_memory(10);
    cudaMemset(memory, 0, 10);
    capture_start(&capture);
    cudaMemcpy(host, memory, 10, cudaMemcpyDeviceToHost);
    cr_expect_eq(sim_error_count(), 0);
    cudaMemcpy(host, memory, 11, cudaMemcpyDeviceToHost);
    cr_expect_eq(sim_error_count(), 1);
    sim_set_checks("none");
    cudaMemset(memory, 0, 11);
    cr_expect_eq(sim_error_count(), 1);
    capture_end(&capture);
    sim_reset_errors();
}

Test(memory_api, gives_memory_at_multiples_of_256)
{
    for (size_t bytes = 1; bytes < 5000; bytes += 999)
        cr_expect_eq((uintptr_t)device_memory(bytes) % 256, 0);
}

Test(memory_api, gives_nothing_for_0_bytes)
{
    void *memory = &memory;
    cr_expect_eq(cudaMalloc(&memory, 0), cudaSuccess);
    cr_expect_null(memory);
    cr_expect_eq(cudaFree(NULL), cudaSuccess);
    cr_expect_eq(cudaFreeHost(NULL), cudaSuccess);
}

Test(memory_api, refuses_more_than_the_device_has)
{
    void *memory = &memory;
    size_t available = 0, total = 0;
    cr_assert_eq(cudaMemGetInfo(&available, &total), cudaSuccess);
    cr_expect_leq(available, total);
    EXPECT_REFUSED(cudaMalloc(&memory, (size_t)1 << 43), cudaErrorMemoryAllocation,
                   "are asked for");
    cr_expect_null(memory);
    EXPECT_REFUSED(cudaMalloc(&memory, SIZE_MAX), cudaErrorMemoryAllocation, "are asked for");
    EXPECT_REFUSED(cudaMalloc(NULL, 1), cudaErrorInvalidValue, "NULL");
}

Test(memory_api, counts_what_is_allocated)
{
    size_t before = 0, during = 0, after = 0, total = 0;
    cudaMemGetInfo(&before, &total);
    void *memory = device_memory(1 << 20);
    cudaMemGetInfo(&during, &total);
    cudaFree(memory);
    cudaMemGetInfo(&after, &total);
    cr_expect_eq(before - during, 1 << 20);
    cr_expect_eq(after, before);
}

Test(memory_api, copies_there_and_back)
{
    unsigned char sent[BYTES], received[BYTES];
    for (int i = 0; i < BYTES; i++)
        sent[i] = (unsigned char)(i * 7);
    void *first = device_memory(BYTES), *second = device_memory(BYTES);
    cr_expect_eq(cudaMemcpy(first, sent, BYTES, cudaMemcpyHostToDevice), cudaSuccess);
    cr_expect_eq(cudaMemcpy(second, first, BYTES, cudaMemcpyDeviceToDevice), cudaSuccess);
    cr_expect_eq(cudaMemcpy(received, second, BYTES, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_eq(memcmp(sent, received, BYTES), 0);
    memset(received, 0, BYTES);
    cr_expect_eq(cudaMemcpy(received, second, BYTES, cudaMemcpyDefault), cudaSuccess);
    cr_expect_eq(memcmp(sent, received, BYTES), 0);
}

Test(memory_api, copies_a_part)
{
    char received[4] = {0};
    char *memory = device_memory(10);
    cudaMemcpy(memory, "abcdefghij", 10, cudaMemcpyHostToDevice);
    cr_expect_eq(cudaMemcpy(received, memory + 7, 3, cudaMemcpyDeviceToHost), cudaSuccess);
    cr_expect_str_eq(received, "hij");
}

Test(memory_api, copies_nothing_even_from_nowhere)
{
    cr_expect_eq(cudaMemcpy(NULL, NULL, 0, cudaMemcpyHostToDevice), cudaSuccess);
    cr_expect_eq(cudaMemset(NULL, 0, 0), cudaSuccess);
}

Test(memory_api, fills_with_a_byte)
{
    unsigned char received[BYTES];
    char *memory = device_memory(BYTES);
    cr_expect_eq(cudaMemset(memory, 0x1ab, BYTES), cudaSuccess);
    cr_expect_eq(cudaMemset(memory + 10, 0, 5), cudaSuccess);
    cudaMemcpy(received, memory, BYTES, cudaMemcpyDeviceToHost);
    for (int i = 0; i < BYTES; i++)
        cr_assert_eq(received[i], i >= 10 && i < 15 ? 0 : 0xab);
}

Test(memory_api, refuses_a_copy_beyond_the_end_and_names_the_allocation)
{
    char host[2 * BYTES];
    char *memory = device_memory(BYTES);
    EXPECT_REFUSED(cudaMemcpy(memory, host, BYTES + 1, cudaMemcpyHostToDevice),
                   cudaErrorInvalidValue,
                   "cudaMemcpy: 1001 bytes from byte 0 of the destination do not fit");
    EXPECT_REFUSED(cudaMemcpy(host, memory + 1, BYTES, cudaMemcpyDeviceToHost),
                   cudaErrorInvalidValue,
                   "it has 1000 bytes, allocated at tests/sim/memory_api.c:");
    EXPECT_REFUSED(cudaMemset(memory, 0, 2 * BYTES), cudaErrorInvalidValue, "do not fit");
    EXPECT_REFUSED(cudaMemset(memory + BYTES + 8, 0, 1), cudaErrorInvalidValue,
                   "belongs to no allocation; the nearest is the 1000 bytes");
}

Test(memory_api, refuses_swapped_arguments)
{
    char host[BYTES];
    void *memory = device_memory(BYTES);
    EXPECT_REFUSED(cudaMemcpy(host, memory, BYTES, cudaMemcpyHostToDevice), cudaErrorInvalidValue,
                   "is host memory: device memory is expected here");
    EXPECT_REFUSED(cudaMemcpy(memory, host, BYTES, cudaMemcpyDeviceToHost), cudaErrorInvalidValue,
                   "is device memory, allocated at");
    EXPECT_REFUSED(cudaMemset(host, 0, BYTES), cudaErrorInvalidValue, "is host memory");
    EXPECT_REFUSED(cudaMemcpy(memory, NULL, BYTES, cudaMemcpyHostToDevice), cudaErrorInvalidValue,
                   "the source is NULL");
    EXPECT_REFUSED(cudaMemcpy(host, host, BYTES, (enum cudaMemcpyKind)5),
                   cudaErrorInvalidMemcpyDirection, "5 is not a direction");
}

Test(memory_api, refuses_memory_that_was_freed)
{
    char host[BYTES];
    void *memory = device_memory(BYTES);
    cr_expect_eq(cudaFree(memory), cudaSuccess);
    EXPECT_REFUSED(cudaMemcpy(host, memory, BYTES, cudaMemcpyDeviceToHost), cudaErrorInvalidValue,
                   "has been freed at tests/sim/memory_api.c:");
    EXPECT_REFUSED(cudaFree(memory), cudaErrorInvalidValue, "has been freed at");
}

Test(memory_api, frees_only_what_was_allocated)
{
    char host[BYTES];
    char *memory = device_memory(BYTES);
    void *pinned = NULL;
    cr_assert_eq(cudaMallocHost(&pinned, BYTES), cudaSuccess);
    EXPECT_REFUSED(cudaFree(host), cudaErrorInvalidValue, "is not memory that cudaMalloc");
    EXPECT_REFUSED(cudaFree(memory + 4), cudaErrorInvalidValue, "is byte 4 of what");
    EXPECT_REFUSED(cudaFree(pinned), cudaErrorInvalidValue, "needs cudaFreeHost");
    EXPECT_REFUSED(cudaFreeHost(memory), cudaErrorInvalidValue, "needs cudaFree");
    cr_expect_eq(cudaFree(memory), cudaSuccess);
    cr_expect_eq(cudaFreeHost(pinned), cudaSuccess);
}

Test(memory_api, shares_pinned_and_managed_memory_with_the_host)
{
    int *pinned = NULL, *managed = NULL, *mapped = NULL, *seen = NULL;
    cr_assert_eq(cudaHostAlloc((void **)&pinned, 40, cudaHostAllocMapped), cudaSuccess);
    cr_assert_eq(cudaMallocManaged((void **)&managed, 40, cudaMemAttachGlobal), cudaSuccess);
    pinned[9] = 5;
    managed[9] = 6;
    cr_expect_eq(cudaMemcpy(managed, pinned, 40, cudaMemcpyHostToDevice), cudaSuccess);
    cr_expect_eq(managed[9], 5);
    cr_expect_eq(cudaHostGetDevicePointer((void **)&seen, pinned, 0), cudaSuccess);
    cr_expect_eq(seen, pinned);
    EXPECT_REFUSED(cudaHostGetDevicePointer((void **)&mapped, managed, 0), cudaErrorInvalidValue,
                   "is not memory that cudaMallocHost");
    EXPECT_REFUSED(cudaMallocManaged((void **)&managed, 0, cudaMemAttachGlobal),
                   cudaErrorInvalidValue, "0 bytes");
}

Test(memory_api, copies_rows_between_pitches)
{
    enum { WIDTH = 5, HEIGHT = 3 };
    char sent[HEIGHT][8] = {"abcde", "fghij", "klmno"}, received[HEIGHT][WIDTH + 1];
    char *memory = NULL;
    size_t pitch = 0;
    cr_assert_eq(cudaMallocPitch((void **)&memory, &pitch, WIDTH, HEIGHT), cudaSuccess);
    cr_expect_geq(pitch, WIDTH);
    cr_expect_eq(pitch % 256, 0);
    cr_expect_eq(cudaMemset2D(memory, pitch, '-', WIDTH, HEIGHT), cudaSuccess);
    cr_expect_eq(cudaMemcpy2D(memory + 1, pitch, sent, 8, WIDTH - 1, 2, cudaMemcpyHostToDevice),
                 cudaSuccess);
    memset(received, 0, sizeof received);
    cr_expect_eq(
        cudaMemcpy2D(received, WIDTH + 1, memory, pitch, WIDTH, HEIGHT, cudaMemcpyDeviceToHost),
        cudaSuccess);
    cr_expect_str_eq(received[0], "-abcd");
    cr_expect_str_eq(received[1], "-fghi");
    cr_expect_str_eq(received[2], "-----");
    EXPECT_REFUSED(cudaMemcpy2D(received, 2, memory, pitch, 3, 2, cudaMemcpyDeviceToHost),
                   cudaErrorInvalidPitchValue, "do not fit in a pitch of 2 bytes");
    EXPECT_REFUSED(cudaMemset2D(memory, pitch, 0, WIDTH, HEIGHT + 1), cudaErrorInvalidValue,
                   "do not fit");
    EXPECT_REFUSED(cudaMemset2D(memory, SIZE_MAX / 2, 0, WIDTH, 4), cudaErrorInvalidValue,
                   "do not fit");
}

Test(memory_api, copies_boxes)
{
    struct cudaPitchedPtr box;
    struct cudaExtent extent = make_cudaExtent(4, 3, 2);
    char host[24], received[24] = {0};
    for (int i = 0; i < 24; i++)
        host[i] = (char)i;
    cr_assert_eq(cudaMalloc3D(&box, extent), cudaSuccess);
    struct cudaMemcpy3DParms copy = {.srcPtr = make_cudaPitchedPtr(host, 4, 4, 3),
                                     .dstPtr = box,
                                     .extent = extent,
                                     .kind = cudaMemcpyHostToDevice};
    cr_expect_eq(cudaMemcpy3D(&copy), cudaSuccess);
    copy.srcPtr = box;
    copy.dstPtr = make_cudaPitchedPtr(received, 4, 4, 3);
    copy.kind = cudaMemcpyDeviceToHost;
    cr_expect_eq(cudaMemcpy3D(&copy), cudaSuccess);
    cr_expect_eq(memcmp(host, received, 24), 0);
    memset(host, '-', 24);
    cr_expect_eq(cudaMemset3D(box, '-', extent), cudaSuccess);
    cr_expect_eq(cudaMemcpy3D(&copy), cudaSuccess);
    cr_expect_eq(memcmp(host, received, 24), 0);
    EXPECT_REFUSED(cudaMemset3D(box, 0, make_cudaExtent(4, 3, 3)), cudaErrorInvalidValue,
                   "belongs to no allocation");
}

Test(memory_api, tells_what_a_pointer_points_to)
{
    struct cudaPointerAttributes attributes;
    int host;
    void *managed = NULL, *device = device_memory(8);
    cudaMallocManaged(&managed, 8, cudaMemAttachGlobal);
    cr_expect_eq(cudaPointerGetAttributes(&attributes, device), cudaSuccess);
    cr_expect_eq(attributes.type, cudaMemoryTypeDevice);
    cr_expect_null(attributes.hostPointer);
    cr_expect_eq(cudaPointerGetAttributes(&attributes, managed), cudaSuccess);
    cr_expect_eq(attributes.type, cudaMemoryTypeManaged);
    cr_expect_eq(attributes.hostPointer, managed);
    cr_expect_eq(cudaPointerGetAttributes(&attributes, &host), cudaSuccess);
    cr_expect_eq(attributes.type, cudaMemoryTypeUnregistered);
    cr_expect_null(attributes.devicePointer);
    cudaFree(device);
    cr_expect_eq(cudaPointerGetAttributes(&attributes, device), cudaSuccess);
    cr_expect_eq(attributes.type, cudaMemoryTypeUnregistered);
}

Test(memory_api, forgets_everything_at_a_reset)
{
    char host[8];
    struct capture quiet;
    void *memory = device_memory(8);
    capture_start(&quiet);
    cudaMemcpy(host, host, 8, (enum cudaMemcpyKind)9);
    capture_end(&quiet);
    cr_expect_eq(cudaDeviceReset(), cudaSuccess);
    cr_expect_eq(cudaGetLastError(), cudaSuccess);
    EXPECT_REFUSED(cudaMemcpy(host, memory, 8, cudaMemcpyDeviceToHost), cudaErrorInvalidValue,
                   "freed");
}

Test(memory_api, knows_only_device_variables_as_symbols)
{
    static int host_variable;
    void *address = NULL;
    size_t bytes = 0;
    EXPECT_REFUSED(cudaMemcpyToSymbol(&host_variable, &bytes, 4, 0, cudaMemcpyHostToDevice),
                   cudaErrorInvalidSymbol, "is not a __device__ or __constant__ variable");
    EXPECT_REFUSED(cudaGetSymbolAddress(&address, &host_variable), cudaErrorInvalidSymbol,
                   "is not a __device__");
    EXPECT_REFUSED(cudaGetSymbolSize(&bytes, NULL), cudaErrorInvalidSymbol, "is not a __device__");
}

Test(memory_api, keeps_what_the_default_pool_is_told)
{
    cudaMemPool_t pool = NULL;
    uint64_t threshold = UINT64_MAX, kept = 1;
    int reuse = 0;
    cr_assert_eq(cudaDeviceGetDefaultMemPool(&pool, 0), cudaSuccess);
    cr_expect_eq(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept),
                 cudaSuccess);
    cr_expect_eq(kept, 0);
    cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold);
    cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &kept);
    cr_expect_eq(kept, UINT64_MAX);
    cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &reuse);
    cr_expect_eq(reuse, 1);
    cr_expect_eq(cudaMemPoolTrimTo(pool, 0), cudaSuccess);
    EXPECT_REFUSED(cudaDeviceGetDefaultMemPool(&pool, 1), cudaErrorInvalidDevice, "no device 1");
    EXPECT_REFUSED(cudaMemPoolGetAttribute(NULL, cudaMemPoolAttrReleaseThreshold, &kept),
                   cudaErrorInvalidValue, "is no memory pool");
    EXPECT_REFUSED(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &kept),
                   cudaErrorNotSupported, "not counted");
}
