/* device_api.c - errors, the device, streams and events of the CUDA runtime. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <string.h>
#include <time.h>

#include "capture.h"
#include "include/cuda_runtime_api.h"

/* Of a call that must fail: nothing of what it prints is wanted here. */
static cudaError_t quietly(cudaError_t error, struct capture *capture)
{
    capture_end(capture);
    return error;
}
#define EXPECT_ERROR(call, error)                                                                  \
    do {                                                                                           \
        struct capture capture;                                                                    \
        capture_start(&capture);                                                                   \
        cr_expect_eq(quietly((call), &capture), error);                                            \
        cr_expect_eq(cudaGetLastError(), error);                                                   \
    } while (0)

Test(device_api, names_errors_as_cuda_does)
{
    cr_expect_eq(cudaErrorInvalidValue, 1);
    cr_expect_eq(cudaErrorInvalidConfiguration, 9);
    cr_expect_eq(cudaErrorIllegalAddress, 700);
    cr_expect_eq(cudaErrorCooperativeLaunchTooLarge, 720);
    cr_expect_str_eq(cudaGetErrorName(cudaSuccess), "cudaSuccess");
    cr_expect_str_eq(cudaGetErrorString(cudaSuccess), "no error");
    cr_expect_str_eq(cudaGetErrorName(cudaErrorInvalidValue), "cudaErrorInvalidValue");
    cr_expect_str_eq(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument");
    cr_expect_str_eq(cudaGetErrorString(cudaErrorInvalidConfiguration),
                     "invalid configuration argument");
    cr_expect_str_eq(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory");
    cr_expect_str_eq(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
}

Test(device_api, remembers_the_last_error_until_it_is_asked)
{
    struct capture capture;
    capture_start(&capture);
    cudaSetDevice(1);
    capture_end(&capture);
    int device = -1;
    cr_expect_eq(cudaGetDevice(&device), cudaSuccess); /* a success does not hide it */
    cr_expect_eq(device, 0);
    cr_expect_eq(cudaPeekAtLastError(), cudaErrorInvalidDevice);
    cr_expect_eq(cudaGetLastError(), cudaErrorInvalidDevice);
    cr_expect_eq(cudaGetLastError(), cudaSuccess);
}

Test(device_api, says_where_a_call_went_wrong)
{
    struct capture capture;
    capture_start(&capture);
    cudaSetDevice(3);
    const char *text = capture_end(&capture);
    EXPECT_PRINTED(text, "tests/sim/device_api.c:");
    EXPECT_PRINTED(text, ": cudaSetDevice: there is no device 3");
}

Test(device_api, describes_one_device_with_the_limits_of_an_h200)
{
    int count = 0, value = 0;
    struct cudaDeviceProp p;
    cr_expect_eq(cudaGetDeviceCount(&count), cudaSuccess);
    cr_expect_eq(count, 1);
    cr_expect_eq(cudaGetDeviceProperties(&p, 0), cudaSuccess);
    cr_expect_str_eq(p.name, "Simulated GPU (H200 rules)");
    cr_expect_eq(p.major, 9);
    cr_expect_eq(p.minor, 0);
    cr_expect_eq(p.multiProcessorCount, 132);
    cr_expect_eq(p.maxThreadsPerBlock, 1024);
    cr_expect_eq(p.maxThreadsPerMultiProcessor, 2048);
    cr_expect_eq(p.sharedMemPerBlock, 48 * 1024);
    cr_expect_eq(p.sharedMemPerBlockOptin, 227 * 1024);
    cr_expect_eq(p.maxGridSize[0], 2147483647);
    cr_expect_eq(p.maxThreadsDim[2], 64);
    cr_expect_eq(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0), cudaSuccess);
    cr_expect_eq(value, 132);
    cr_expect_eq(cudaRuntimeGetVersion(&value), cudaSuccess);
    cr_expect_eq(value, 13000);
    EXPECT_ERROR(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    EXPECT_ERROR(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)999, 0),
                 cudaErrorInvalidValue);
}

Test(device_api, has_a_bus_by_which_it_is_found)
{
    int value = 7;
    char id[16] = "";
    cr_expect_eq(cudaDeviceGetPCIBusId(id, sizeof id, 0), cudaSuccess);
    cr_expect_str_eq(id, "0000:00:00.0");
    cr_expect_eq(cudaDeviceGetByPCIBusId(&value, id), cudaSuccess);
    cr_expect_eq(value, 0);
    EXPECT_ERROR(cudaDeviceGetPCIBusId(id, 12, 0), cudaErrorInvalidValue);
    EXPECT_ERROR(cudaDeviceGetByPCIBusId(&value, "0000:01:00.0"), cudaErrorInvalidValue);
}

Test(device_api, knows_no_pair_of_devices)
{
    int value = 0;
    EXPECT_ERROR(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1),
                 cudaErrorInvalidDevice);
    EXPECT_ERROR(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrPerformanceRank, 0, 0),
                 cudaErrorInvalidDevice);
}

Test(device_api, keeps_the_limits_that_are_set)
{
    size_t value = 0;
    cr_expect_eq(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 12345678), cudaSuccess);
    cr_expect_eq(cudaDeviceGetLimit(&value, cudaLimitMallocHeapSize), cudaSuccess);
    cr_expect_eq(value, 12345678);
    EXPECT_ERROR(cudaDeviceSetLimit((enum cudaLimit)99, 1), cudaErrorUnsupportedLimit);
}

Test(device_api, has_streams_that_can_be_used_until_they_are_destroyed)
{
    cudaStream_t first, second;
    int priority = 0;
    unsigned int flags = 0;
    unsigned long long id[2];
    cr_expect_eq(cudaStreamCreate(&first), cudaSuccess);
    cr_expect_eq(cudaStreamCreateWithPriority(&second, cudaStreamNonBlocking, -2), cudaSuccess);
    cr_expect_neq(first, second);
    cr_expect_eq(cudaStreamGetPriority(second, &priority), cudaSuccess);
    cr_expect_eq(priority, -2);
    cr_expect_eq(cudaStreamGetFlags(second, &flags), cudaSuccess);
    cr_expect_eq(flags, cudaStreamNonBlocking);
    cudaStreamGetId(first, &id[0]);
    cudaStreamGetId(second, &id[1]);
    cr_expect_neq(id[0], id[1]);
    cr_expect_eq(cudaStreamQuery(first), cudaSuccess);
    cr_expect_eq(cudaStreamSynchronize(0), cudaSuccess);
    cr_expect_eq(cudaStreamSynchronize(cudaStreamPerThread), cudaSuccess);
    cr_expect_eq(cudaStreamDestroy(first), cudaSuccess);
    EXPECT_ERROR(cudaStreamSynchronize(first), cudaErrorInvalidResourceHandle);
    EXPECT_ERROR(cudaStreamDestroy(first), cudaErrorInvalidResourceHandle);
    EXPECT_ERROR(cudaMemsetAsync(NULL, 0, 0, first), cudaErrorInvalidResourceHandle);
    cr_expect_eq(cudaStreamDestroy(second), cudaSuccess);
}

static void add_one(void *number)
{
    ++*(int *)number;
}

static void add_two(cudaStream_t stream, cudaError_t status, void *number)
{
    (void)stream;
    *(int *)number += status == cudaSuccess ? 2 : 100;
}

Test(device_api, calls_host_functions_in_the_order_of_the_stream)
{
    int number = 0;
    cr_expect_eq(cudaLaunchHostFunc(0, add_one, &number), cudaSuccess);
    cr_expect_eq(number, 1);
    cr_expect_eq(cudaStreamAddCallback(0, add_two, &number, 0), cudaSuccess);
    cr_expect_eq(number, 3);
    EXPECT_ERROR(cudaLaunchHostFunc(0, NULL, NULL), cudaErrorInvalidValue);
}

Test(device_api, measures_time_between_events)
{
    cudaEvent_t start, end;
    float milliseconds = -1;
    struct timespec pause = {0, 20 * 1000 * 1000};
    cr_expect_eq(cudaEventCreate(&start), cudaSuccess);
    cr_expect_eq(cudaEventCreateWithFlags(&end, cudaEventBlockingSync), cudaSuccess);
    EXPECT_ERROR(cudaEventElapsedTime(&milliseconds, start, end), cudaErrorInvalidResourceHandle);
    cr_expect_eq(cudaEventRecord(start, 0), cudaSuccess);
    nanosleep(&pause, NULL);
    cr_expect_eq(cudaEventRecord(end, 0), cudaSuccess);
    cr_expect_eq(cudaEventQuery(end), cudaSuccess);
    cr_expect_eq(cudaEventElapsedTime(&milliseconds, start, end), cudaSuccess);
    cr_expect(milliseconds >= 20 && milliseconds < 20000, "%f ms", (double)milliseconds);
    cr_expect_eq(cudaStreamWaitEvent(0, end, 0), cudaSuccess);
    cr_expect_eq(cudaEventDestroy(start), cudaSuccess);
    EXPECT_ERROR(cudaEventSynchronize(start), cudaErrorInvalidResourceHandle);
}

Test(device_api, does_not_time_events_that_ask_for_none)
{
    cudaEvent_t event;
    float milliseconds;
    cr_expect_eq(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), cudaSuccess);
    cudaEventRecord(event, 0);
    EXPECT_ERROR(cudaEventElapsedTime(&milliseconds, event, event), cudaErrorInvalidResourceHandle);
    EXPECT_ERROR(cudaEventCreateWithFlags(&event, 0x80), cudaErrorInvalidValue);
}

Test(device_api, refuses_kernels_that_are_none)
{
    int blocks = 0;
    struct cudaFuncAttributes attributes;
    dim3 one = {1, 1, 1};
    EXPECT_ERROR(cudaLaunchKernel(NULL, one, one, NULL, 0, 0), cudaErrorInvalidDeviceFunction);
    EXPECT_ERROR(cudaLaunchKernel(&blocks, one, one, NULL, 0, 0), cudaErrorInvalidDeviceFunction);
    EXPECT_ERROR(cudaFuncGetAttributes(&attributes, NULL), cudaErrorInvalidDeviceFunction);
    EXPECT_ERROR(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, NULL, 32, 0),
                 cudaErrorInvalidDeviceFunction);
}
