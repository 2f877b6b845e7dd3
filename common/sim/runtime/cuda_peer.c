/* cuda_peer.c - devices that use each other's memory. */
#include "runtime/runtime.h"

/* All devices of a host may be peers of each other; none is its own. */
cudaError_t cudaDeviceCanAccessPeer(int *can_access, int device, int peer)
{
    struct sim_call call = SIM_CALL("cudaDeviceCanAccessPeer");
    cudaError_t error = sim_check_device(call, device);
    if (!error)
        error = sim_check_device(call, peer);
    if (!error)
        error = sim_check_result(call, can_access);
    if (error)
        return error;
    *can_access = device != peer;
    return sim_return(cudaSuccess);
}

static cudaError_t check_pair(struct sim_call call, int device, int peer)
{
    cudaError_t error = cudaSuccess;
    if (sim_options()->devices == 1)
        return sim_refuse(call, cudaErrorInvalidDevice,
                          "devices %d and %d are no pair: the only device is number 0", device,
                          peer);
    error = sim_check_device(call, device);
    if (!error)
        error = sim_check_device(call, peer);
    if (!error && device == peer)
        error = sim_refuse(call, cudaErrorInvalidDevice, "device %d is no peer of itself", device);
    return error;
}

/* As between two H200 on NVLink. */
cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr kind, int device, int peer)
{
    struct sim_call call = SIM_CALL("cudaDeviceGetP2PAttribute");
    cudaError_t error = check_pair(call, device, peer);
    if (!error)
        error = sim_check_result(call, value);
    if (error)
        return error;
    if (kind < cudaDevP2PAttrPerformanceRank || kind > cudaDevP2PAttrCudaArrayAccessSupported)
        return sim_refuse(call, cudaErrorInvalidValue, "attribute %d is not known here", (int)kind);
    *value = kind != cudaDevP2PAttrPerformanceRank;
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags)
{
    struct sim_call call = SIM_CALL("cudaDeviceEnablePeerAccess");
    unsigned int device = sim_current_device();
    if (sim_options()->devices == 1)
        return sim_refuse(call, cudaErrorInvalidDevice, "there is no second device");
    cudaError_t error = check_pair(call, (int)device, peer);
    if (error)
        return error;
    if (flags)
        return sim_refuse(call, cudaErrorInvalidValue, "the flags have to be 0");
    if (sim_has_peer_access(device, (unsigned int)peer, false))
        return sim_refuse(call, cudaErrorPeerAccessAlreadyEnabled,
                          "device %u may touch the memory of device %d already", device, peer);
    sim_set_peer_access(device, (unsigned int)peer, false, true);
    return sim_return(cudaSuccess);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
    struct sim_call call = SIM_CALL("cudaDeviceDisablePeerAccess");
    unsigned int device = sim_current_device();
    if (sim_options()->devices == 1)
        return sim_refuse(call, cudaErrorPeerAccessNotEnabled, "there is no second device");
    cudaError_t error = check_pair(call, (int)device, peer);
    if (error)
        return error;
    if (!sim_has_peer_access(device, (unsigned int)peer, false))
        return sim_refuse(call, cudaErrorPeerAccessNotEnabled,
                          "device %u may not touch the memory of device %d anyway", device, peer);
    sim_set_peer_access(device, (unsigned int)peer, false, false);
    return sim_return(cudaSuccess);
}
