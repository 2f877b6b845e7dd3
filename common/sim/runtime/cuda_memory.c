/* cuda_memory.c - cudaMalloc, cudaFree and their kind. */
#include <string.h>

#include "runtime/runtime.h"

enum { PITCH_BYTES = 512, WHERE_BYTES = 512 };

/* The common part of all allocations; nothing is allocated for 0 bytes. */
static cudaError_t allocate_on(struct sim_call call, unsigned int device, void **pointer,
                               size_t bytes, enum sim_memory_kind kind)
{
    if (!pointer)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    *pointer = NULL;
    if (bytes == 0 || sim_sticky_error())
        return sim_return(cudaSuccess);
    sim_leak_watch();
    sim_watch_host(); /* host code can touch it before the first launch, too */
    *pointer = sim_memory_allocate(bytes, kind, device, call.pc);
    if (!*pointer && !sim_memory_reserved())
        return sim_refuse(call, cudaErrorMemoryAllocation,
                          "a limit on addresses (ulimit -v) leaves the simulated GPU no room: it "
                          "reserves 4 GB at least, but uses what a kernel touches; lift it with "
                          "ulimit -v unlimited");
    if (!*pointer)
        return sim_refuse(call, cudaErrorMemoryAllocation,
                          "%zu bytes are asked for, %zu of the device's %zu are left", bytes,
                          sim_memory_available(device), sim_memory_total());
    return sim_return(cudaSuccess);
}

static cudaError_t allocate(struct sim_call call, void **pointer, size_t bytes,
                            enum sim_memory_kind kind)
{
    return allocate_on(call, sim_current_device(), pointer, bytes, kind);
}

cudaError_t cudaMalloc(void **pointer, size_t bytes)
{
    return allocate(SIM_CALL("cudaMalloc"), pointer, bytes, SIM_DEVICE_MEMORY);
}

/* A stream makes or frees it: other streams wait before they use it, or have ended with it. */
static void in_stream(struct sim_call call, cudaStream_t stream, const char *what,
                      const void *pointer)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)pointer);
    if (!a || a->freed_at || sim_is_captured(stream))
        return;
    sim_stream_select(stream);
    sim_stream_copies(call, (struct sim_transfer){what, a->device, pointer, a->bytes, NULL, 0});
    sim_stream_later();
}

cudaError_t cudaMallocAsync(void **pointer, size_t bytes, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaMallocAsync");
    cudaError_t error = sim_check_stream(call, stream);
    if (!error)
        error = allocate_on(call, sim_stream_device(stream), pointer, bytes, SIM_DEVICE_MEMORY);
    if (!error && *pointer) {
        sim_memory_is_pooled(*pointer);
        in_stream(call, stream, "allocation", *pointer);
    }
    return error;
}

cudaError_t cudaMallocHost(void **pointer, size_t bytes)
{
    return allocate(SIM_CALL("cudaMallocHost"), pointer, bytes, SIM_PINNED_MEMORY);
}

cudaError_t cudaHostAlloc(void **pointer, size_t bytes, unsigned int flags)
{
    struct sim_call call = SIM_CALL("cudaHostAlloc");
    if (flags > (cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
        return sim_refuse(call, cudaErrorInvalidValue, "flags 0x%x are not known", flags);
    return allocate(call, pointer, bytes, SIM_PINNED_MEMORY);
}

cudaError_t cudaMallocManaged(void **pointer, size_t bytes, unsigned int flags)
{
    struct sim_call call = SIM_CALL("cudaMallocManaged");
    if (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "flags must be cudaMemAttachGlobal or cudaMemAttachHost, not 0x%x",
                          flags);
    if (bytes == 0) /* here the real runtime is stricter than cudaMalloc */
        return sim_refuse(call, cudaErrorInvalidValue, "0 bytes are asked for");
    return allocate(call, pointer, bytes, SIM_MANAGED_MEMORY);
}

/* Rows of `width` bytes, padded to *pitch. */
static cudaError_t allocate_rows(struct sim_call call, void **pointer, size_t *pitch, size_t width,
                                 size_t rows)
{
    size_t bytes;
    if (!pitch)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the pitch is NULL");
    if (width > SIZE_MAX - PITCH_BYTES ||
        __builtin_mul_overflow((width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES, rows, &bytes))
        return sim_refuse(call, cudaErrorMemoryAllocation, "%zu rows of %zu bytes are too many",
                          rows, width);
    *pitch = (width + PITCH_BYTES - 1) / PITCH_BYTES * PITCH_BYTES;
    return allocate(call, pointer, bytes, SIM_DEVICE_MEMORY);
}

cudaError_t cudaMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height)
{
    return allocate_rows(SIM_CALL("cudaMallocPitch"), pointer, pitch, width, height);
}

cudaError_t cudaMalloc3D(struct cudaPitchedPtr *pointer, struct cudaExtent extent)
{
    struct sim_call call = SIM_CALL("cudaMalloc3D");
    size_t rows;
    if (!pointer)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    if (__builtin_mul_overflow(extent.height, extent.depth, &rows))
        return sim_refuse(call, cudaErrorMemoryAllocation, "%zu slices of %zu rows are too many",
                          extent.depth, extent.height);
    pointer->xsize = extent.width;
    pointer->ysize = extent.height;
    return allocate_rows(call, &pointer->ptr, &pointer->pitch, extent.width, rows);
}

/* Says why `pointer` cannot be freed by this call, or returns cudaSuccess.
 * cudaFreeHost frees what is `pinned`, cudaFree the rest. */
static cudaError_t check_free(struct sim_call call, const void *pointer, bool pinned)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)pointer);
    char allocated[WHERE_BYTES], freed[WHERE_BYTES];
    if (!a)
        return sim_refuse(call, cudaErrorInvalidValue, "%p is not memory that %s allocated",
                          pointer, pinned ? "cudaMallocHost or cudaHostAlloc" : "cudaMalloc");
    if (a->kind == SIM_DEVICE_VARIABLE)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "%p is a variable of the program: it cannot be freed", pointer);
    if (!a->freed_at && a->base == (uintptr_t)pointer && (a->kind == SIM_PINNED_MEMORY) == pinned)
        return cudaSuccess;
    sim_locate(a->allocated_at, allocated, sizeof allocated); /* reads the debug information */
    if (a->freed_at)
        sim_report_double_free(a, call.pc);
    if (a->freed_at)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "%p was allocated at %s and has been freed at %s", pointer, allocated,
                          sim_locate(a->freed_at, freed, sizeof freed));
    if (a->base != (uintptr_t)pointer)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "%p is byte %zu of what %s allocated: free its first byte", pointer,
                          (size_t)((uintptr_t)pointer - a->base), allocated);
    return sim_refuse(call, cudaErrorInvalidValue, "what %s allocated needs %s", allocated,
                      pinned ? "cudaFree" : "cudaFreeHost");
}

static cudaError_t release(struct sim_call call, void *pointer, bool pinned)
{
    if (!pointer || sim_sticky_error())
        return sim_return(cudaSuccess);
    cudaError_t error = check_free(call, pointer, pinned);
    if (error)
        return error;
    sim_memory_free(pointer, call.pc);
    return sim_return(cudaSuccess);
}

/* Nothing is freed while the device may use it. */
static cudaError_t release_and_wait(struct sim_call call, void *pointer, bool pinned)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)pointer);
    sim_host_waits_for_device(sim_current_device());
    if (a && sim_is_of_device(a))
        sim_host_waits_for_device(a->device);
    else if (a)
        sim_host_waits_for_all();
    return release(call, pointer, pinned);
}

cudaError_t cudaFree(void *pointer)
{
    return release_and_wait(SIM_CALL("cudaFree"), pointer, false);
}

cudaError_t cudaFreeAsync(void *pointer, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaFreeAsync");
    cudaError_t error = sim_check_stream(call, stream);
    if (error)
        return error;
    in_stream(call, stream, "release", pointer);
    return release(call, pointer, false);
}

cudaError_t cudaFreeHost(void *pointer)
{
    return release_and_wait(SIM_CALL("cudaFreeHost"), pointer, true);
}

/* The allocation that holds the pointer and was not freed, or NULL. */
static const struct sim_allocation *find_live(const void *pointer)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)pointer);
    return a && !a->freed_at ? a : NULL;
}

static bool is_of_host(const struct sim_allocation *a)
{
    return a->kind == SIM_PINNED_MEMORY || a->kind == SIM_REGISTERED_MEMORY;
}

static cudaError_t check_pinned(struct sim_call call, const void *pointer, const void *result)
{
    const struct sim_allocation *a = find_live(pointer);
    if (!result)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    if (!a || !is_of_host(a))
        return sim_refuse(call, cudaErrorInvalidValue,
                          "%p is not memory that cudaMallocHost or cudaHostAlloc allocated, or "
                          "that cudaHostRegister registered",
                          pointer);
    return sim_return(cudaSuccess);
}

cudaError_t cudaHostGetDevicePointer(void **device_pointer, void *host_pointer, unsigned int flags)
{
    (void)flags;
    cudaError_t error =
        check_pinned(SIM_CALL("cudaHostGetDevicePointer"), host_pointer, device_pointer);
    if (!error)
        *device_pointer = host_pointer;
    return error;
}

cudaError_t cudaHostGetFlags(unsigned int *flags, void *pointer)
{
    cudaError_t error = check_pinned(SIM_CALL("cudaHostGetFlags"), pointer, flags);
    if (!error)
        *flags = cudaHostAllocMapped;
    return error;
}

/* Memory that CUDA allocated need not be registered, nor what is registered already. */
static cudaError_t check_unowned(struct sim_call call, const void *pointer, size_t bytes)
{
    const struct sim_allocation *a = sim_memory_overlap((uintptr_t)pointer, bytes);
    char where[WHERE_BYTES];
    if (!a)
        return cudaSuccess;
    sim_locate(a->allocated_at, where, sizeof where);
    return sim_refuse(call, cudaErrorHostMemoryAlreadyRegistered, "%p: a part of it was %s at %s",
                      pointer,
                      a->kind == SIM_REGISTERED_MEMORY ? "registered" : "allocated by CUDA", where);
}

cudaError_t cudaHostRegister(void *pointer, size_t bytes, unsigned int flags)
{
    struct sim_call call = SIM_CALL("cudaHostRegister");
    const unsigned int known = cudaHostRegisterPortable | cudaHostRegisterMapped |
                               cudaHostRegisterIoMemory | cudaHostRegisterReadOnly;
    if (sim_sticky_error())
        return sim_return(cudaSuccess);
    if (!pointer || !bytes || flags & ~known)
        return sim_refuse(call, cudaErrorInvalidValue,
                          !pointer ? "the pointer is NULL"
                          : bytes  ? "flags 0x%x are not known"
                                   : "0 bytes are given",
                          flags);
    cudaError_t error = check_unowned(call, pointer, bytes);
    if (error)
        return error;
    if (!sim_memory_register(pointer, bytes, sim_current_device(), call.pc))
        return sim_refuse(call, cudaErrorMemoryAllocation, "the host is out of memory");
    return sim_return(cudaSuccess);
}

cudaError_t cudaHostUnregister(void *pointer)
{
    struct sim_call call = SIM_CALL("cudaHostUnregister");
    const struct sim_allocation *a = find_live(pointer);
    if (sim_sticky_error())
        return sim_return(cudaSuccess);
    if (!a || a->kind != SIM_REGISTERED_MEMORY || a->base != (uintptr_t)pointer)
        return sim_refuse(call, cudaErrorHostMemoryNotRegistered, "%p is not registered", pointer);
    sim_memory_unregister((struct sim_allocation *)(uintptr_t)a);
    return sim_return(cudaSuccess);
}

cudaError_t cudaMemGetInfo(size_t *available, size_t *total)
{
    if (!available || !total)
        return sim_refuse(SIM_CALL("cudaMemGetInfo"), cudaErrorInvalidValue,
                          "a pointer for a result is NULL");
    size_t in_use = sim_memory_total() - sim_memory_available(sim_current_device());
    *total = sim_memory_for_programs();
    *available = *total > in_use ? *total - in_use : 0;
    return sim_return(cudaSuccess);
}

cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes, const void *pointer)
{
    static const enum cudaMemoryType types[] = {
        [SIM_DEVICE_MEMORY] = cudaMemoryTypeDevice,   [SIM_PINNED_MEMORY] = cudaMemoryTypeHost,
        [SIM_MANAGED_MEMORY] = cudaMemoryTypeManaged, [SIM_DEVICE_VARIABLE] = cudaMemoryTypeDevice,
        [SIM_REGISTERED_MEMORY] = cudaMemoryTypeHost,
    };
    const struct sim_allocation *a = find_live(pointer);
    if (!attributes)
        return sim_refuse(SIM_CALL("cudaPointerGetAttributes"), cudaErrorInvalidValue,
                          "the pointer for the result is NULL");
    memset(attributes, 0, sizeof *attributes);
    attributes->type = a ? types[a->kind] : cudaMemoryTypeUnregistered;
    if (a && a->kind == SIM_DEVICE_VARIABLE)
        attributes->device = (int)sim_current_device();
    else
        attributes->device = a ? (int)a->device : cudaInvalidDeviceId;
    attributes->devicePointer = a ? (void *)pointer : NULL;
    if (!a || is_of_host(a) || a->kind == SIM_MANAGED_MEMORY)
        attributes->hostPointer = (void *)pointer;
    return sim_return(cudaSuccess);
}

/* Hints */

static cudaError_t check_managed(struct sim_call call, const void *pointer, size_t bytes)
{
    const struct sim_allocation *a = find_live(pointer);
    if (!a || a->kind != SIM_MANAGED_MEMORY)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "%p is not memory that cudaMallocManaged allocated", pointer);
    return sim_check_range(call, (struct sim_range){"range", pointer, bytes, SIM_EITHER_SIDE});
}

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, struct cudaMemLocation location,
                                 unsigned int flags, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaMemPrefetchAsync");
    (void)location, (void)flags;
    cudaError_t error = sim_check_stream(call, stream);
    if (!error)
        error = check_managed(call, pointer, bytes);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
    (void)advice, (void)location;
    cudaError_t error = check_managed(SIM_CALL("cudaMemAdvise"), pointer, bytes);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes,
                                     unsigned int flags)
{
    struct sim_call call = SIM_CALL("cudaStreamAttachMemAsync");
    (void)bytes, (void)flags;
    cudaError_t error = sim_check_stream(call, stream);
    if (!error)
        error = check_managed(call, pointer, 1);
    return error ? error : sim_return(cudaSuccess);
}
