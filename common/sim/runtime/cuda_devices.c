/* cuda_devices.c - which devices there are, and which one a host thread's calls are about. */
#include <stdio.h>

#include "runtime/runtime.h"

static _Thread_local unsigned int current;

unsigned int sim_current_device(void)
{
    return current < sim_options()->devices ? current : 0;
}

cudaError_t sim_check_device(struct sim_call call, int device)
{
    unsigned int devices = sim_options()->devices;
    if (device >= 0 && (unsigned int)device < devices)
        return cudaSuccess;
    char more[64] = "";
    if (device > 0 && device < SIM_MOST_DEVICES)
        snprintf(more, sizeof more, "; SIM_DEVICES=%d in the environment makes one", device + 1);
    if (devices == 1)
        return sim_refuse(call, cudaErrorInvalidDevice,
                          "there is no device %d: the only device is number 0%s", device, more);
    return sim_refuse(call, cudaErrorInvalidDevice,
                      "there is no device %d: the %u devices have the numbers 0 to %u%s", device,
                      devices, devices - 1, more);
}

cudaError_t sim_check_result(struct sim_call call, const void *result)
{
    if (result)
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
}

cudaError_t cudaGetDeviceCount(int *count)
{
    struct sim_call call = SIM_CALL("cudaGetDeviceCount");
    cudaError_t error = sim_check_result(call, count);
    if (error)
        return error;
    *count = (int)sim_options()->devices;
    return sim_return(cudaSuccess);
}

cudaError_t cudaGetDevice(int *device)
{
    struct sim_call call = SIM_CALL("cudaGetDevice");
    cudaError_t error = sim_check_result(call, device);
    if (error)
        return error;
    *device = (int)sim_current_device();
    return sim_return(cudaSuccess);
}

cudaError_t cudaSetDevice(int device)
{
    cudaError_t error = sim_check_device(SIM_CALL("cudaSetDevice"), device);
    if (error)
        return error;
    current = (unsigned int)device;
    return sim_return(cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned int flags_of_device, unsigned int flags)
{
    (void)flags_of_device, (void)flags;
    cudaError_t error = sim_check_device(SIM_CALL("cudaInitDevice"), device);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
    (void)wanted;
    return cudaGetDevice(device);
}

cudaError_t cudaDeviceSynchronize(void)
{
    cudaError_t error = sim_check_no_capture(SIM_CALL("cudaDeviceSynchronize"), NULL, true);
    if (error)
        return error;
    sim_host_waits_for_device(sim_current_device());
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceReset(void)
{
    unsigned int device = sim_current_device();
    sim_enter();
    sim_host_waits_for_device(device);
    sim_destroy_streams(device);
    sim_destroy_events(device);
    sim_memory_free_all(device);
    for (unsigned int peer = 0; peer < SIM_MOST_DEVICES; peer++)
        sim_set_peer_access(device, peer, false, false);
    sim_forget_errors();
    sim_leave();
    return cudaSuccess;
}
