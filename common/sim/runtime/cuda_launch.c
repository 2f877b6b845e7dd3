/* cuda_launch.c - kernels by address: launches, attributes, occupancy. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "runtime/runtime.h"
#include "sim.h"

enum { MOST_PARAMETERS = 256 };

static struct sim_kernel *kernels;

int sim_register_kernel(struct sim_kernel *kernel)
{
    kernel->next = kernels;
    kernels = kernel;
    return 0;
}

static const struct sim_kernel *find_kernel(const void *address)
{
    const struct sim_kernel *kernel = kernels;
    while (kernel && kernel->kernel != address)
        kernel = kernel->next;
    return kernel;
}

unsigned int sim_most_threads(const void *address)
{
    const struct sim_kernel *kernel = find_kernel(address);
    unsigned int most = kernel ? kernel->most_threads : 0;
    return most && most < SIM_THREADS_PER_BLOCK ? most : SIM_THREADS_PER_BLOCK;
}

/* A closure begins with this; the arguments follow. */
struct closure {
    const struct sim_kernel *kernel;
};
_Static_assert(sizeof(struct closure) <= SIM_CLOSURE, "the arguments follow");

/* In each lane. */
static void run_closure(const void *closure)
{
    ((const struct closure *)closure)->kernel->call(closure);
}

void sim_take_closure(void *copy, const void *closure, size_t bytes)
{
    memcpy(copy, closure, bytes);
}

static size_t closure_bytes(const struct sim_kernel *kernel)
{
    return kernel->parameters.offsets[kernel->parameters.count];
}

/* Arguments are taken by value when the launch is made, as CUDA does. NULL: no memory. */
static struct closure *pack(const struct sim_kernel *kernel, const void *const *arguments)
{
    struct closure *closure = calloc(1, closure_bytes(kernel));
    if (!closure)
        return NULL;
    closure->kernel = kernel;
    for (size_t i = 0; i < kernel->parameters.count; ++i)
        memcpy((char *)closure + kernel->parameters.offsets[i], arguments[i], kernel->bytes[i]);
    return closure;
}

/* What all launches come to: the arguments become a closure, the kernel a name. */
static cudaError_t launch_with(struct sim_call call, const struct sim_kernel *kernel,
                               const void *const *arguments, struct sim_launch *launch)
{
    struct closure *closure = pack(kernel, arguments);
    if (!closure)
        return sim_refuse(call, cudaErrorMemoryAllocation, "the host is out of memory");
    launch->entry = run_closure;
    launch->closure = closure;
    launch->closure_bytes = closure_bytes(kernel);
    launch->kernel = kernel->kernel;
    launch->name = kernel->name;
    launch->parameters = kernel->parameters;
    const cudaError_t error = (cudaError_t)sim_launch(launch);
    free(closure);
    return error;
}

void sim_launch_configured(const struct sim_kernel *kernel, const void *const *values,
                           struct sim_configured *configured, const void *caller)
{
    char place[512];
    if (!configured || configured->taken) {
        fprintf(stderr,
                "%s: error: the kernel %s was called like a function; "
                "launch it: %s<<<grid, block>>>(...)\n",
                sim_locate((uintptr_t)caller, place, sizeof place), kernel->name, kernel->name);
        exit(1);
    }
    configured->taken = true;
    struct sim_launch launch = {
        .caller = caller,
        .grid = configured->grid,
        .block = configured->block,
        .shared_bytes = configured->shared_bytes,
        .stream = configured->stream,
    };
    launch_with((struct sim_call){kernel->name, (uintptr_t)caller}, kernel, values, &launch);
}

static cudaError_t check_kernel(struct sim_call call, const void *address)
{
    if (address)
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidDeviceFunction, "the kernel is NULL");
}

static cudaError_t check_launch(struct sim_call call, const struct sim_kernel *kernel,
                                void *const *arguments, const void *address)
{
    cudaError_t error = check_kernel(call, address);
    if (error)
        return error;
    if (!kernel)
        return sim_refuse(call, cudaErrorInvalidDeviceFunction, "%p is no __global__ function",
                          address);
    if (kernel->parameters.count > MOST_PARAMETERS)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "%s has %zu parameters, at most %d work here", kernel->name,
                          kernel->parameters.count, MOST_PARAMETERS);
    if (kernel->parameters.count && !arguments)
        return sim_refuse(call, cudaErrorInvalidValue, "%s has parameters, but no arguments came",
                          kernel->name);
    for (size_t i = 0; i < kernel->parameters.count; ++i) {
        if (!arguments[i])
            return sim_refuse(call, cudaErrorInvalidValue, "argument %zu of %s is NULL", i,
                              kernel->name);
        if (!sim_host_can_read((uintptr_t)arguments[i]))
            return sim_refuse(call, cudaErrorInvalidValue,
                              "argument %zu of %s lies in device memory: what is passed is the "
                              "address of each argument, &pointer in the place of pointer",
                              i, kernel->name);
    }
    return cudaSuccess;
}

/* What all launches by address end in. */
static cudaError_t start(struct sim_call call, const void *address,
                         const cudaLaunchConfig_t *config, void *const *arguments, int cooperative)
{
    const struct sim_kernel *kernel = find_kernel(address);
    cudaError_t error = check_launch(call, kernel, arguments, address);
    if (!error)
        error = sim_check_stream(call, config->stream);
    if (error)
        return error;
    struct sim_launch launch = {
        .caller = (const void *)call.pc,
        .grid = {config->gridDim.x, config->gridDim.y, config->gridDim.z},
        .block = {config->blockDim.x, config->blockDim.y, config->blockDim.z},
        .shared_bytes = config->dynamicSmemBytes,
        .stream = config->stream,
        .cooperative = cooperative,
    };
    error = launch_with(call, kernel, (const void *const *)arguments, &launch);
    sim_see_error(); /* it is returned */
    return error;
}

cudaError_t cudaLaunchKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                             size_t shared_bytes, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {grid, block, shared_bytes, stream, NULL, 0};
    return start(SIM_CALL("cudaLaunchKernel"), kernel, &config, arguments, 0);
}

cudaError_t cudaLaunchCooperativeKernel(const void *kernel, dim3 grid, dim3 block, void **arguments,
                                        size_t shared_bytes, cudaStream_t stream)
{
    cudaLaunchConfig_t config = {grid, block, shared_bytes, stream, NULL, 0};
    return start(SIM_CALL("cudaLaunchCooperativeKernel"), kernel, &config, arguments, 1);
}

/* A cluster of one block is no cluster. */
static int asks_for_clusters(const cudaLaunchAttribute *attribute)
{
    const cudaLaunchAttributeValue *value = &attribute->val;
    return attribute->id == cudaLaunchAttributeClusterDimension &&
           (value->clusterDim.x > 1 || value->clusterDim.y > 1 || value->clusterDim.z > 1);
}

/* A configuration that is there, and asks for no clusters. */
static cudaError_t check_config(struct sim_call call, const cudaLaunchConfig_t *config)
{
    if (!config || (config->numAttrs && !config->attrs))
        return sim_refuse(call, cudaErrorInvalidValue, "the configuration is NULL");
    for (unsigned int i = 0; i < config->numAttrs; ++i)
        if (asks_for_clusters(&config->attrs[i]))
            return sim_refuse(call, cudaErrorNotSupported,
                              "clusters of blocks are not supported on the simulated GPU");
    return cudaSuccess;
}

cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *kernel,
                                void **arguments)
{
    struct sim_call call = SIM_CALL("cudaLaunchKernelExC");
    int cooperative = 0;
    cudaError_t error = check_config(call, config);
    if (error)
        return error;
    for (unsigned int i = 0; i < config->numAttrs; ++i)
        if (config->attrs[i].id == cudaLaunchAttributeCooperative)
            cooperative = config->attrs[i].val.cooperative;
    return start(call, kernel, config, arguments, cooperative);
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *kernel)
{
    struct sim_call call = SIM_CALL("cudaFuncGetAttributes");
    cudaError_t error = check_kernel(call, kernel);
    if (error)
        return error;
    if (!attributes)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    const struct sim_kernel_attributes *known = sim_kernel_attributes(kernel);
    memset(attributes, 0, sizeof *attributes);
    attributes->sharedSizeBytes = known->static_shared;
    attributes->maxThreadsPerBlock = (int)sim_most_threads(kernel);
    attributes->ptxVersion = sim_options()->card->capability;
    attributes->binaryVersion = sim_options()->card->capability;
    attributes->maxDynamicSharedSizeBytes =
        (int)known->dynamic_shared_maximum[sim_current_device()];
    attributes->preferredShmemCarveout = cudaSharedmemCarveoutDefault;
    return sim_return(cudaSuccess);
}

/* More than 48 KB must be asked for, as on the card. */
static cudaError_t set_dynamic_shared(struct sim_call call, const void *kernel, int bytes)
{
    struct sim_kernel_attributes *attributes = sim_kernel_attributes(kernel);
    if (bytes < 0 || attributes->static_shared + (size_t)bytes > sim_shared_per_block_optin())
        return sim_refuse(call, cudaErrorInvalidValue,
                          "%d bytes of dynamic and %zu of static shared memory: a block has at "
                          "most %zu",
                          bytes, attributes->static_shared, sim_shared_per_block_optin());
    attributes->dynamic_shared_maximum[sim_current_device()] = (size_t)bytes;
    return sim_return(cudaSuccess);
}

cudaError_t cudaFuncSetAttribute(const void *kernel, enum cudaFuncAttribute attribute, int value)
{
    struct sim_call call = SIM_CALL("cudaFuncSetAttribute");
    cudaError_t error = check_kernel(call, kernel);
    if (error)
        return error;
    if (attribute == cudaFuncAttributeMaxDynamicSharedMemorySize)
        return set_dynamic_shared(call, kernel, value);
    if (attribute != cudaFuncAttributePreferredSharedMemoryCarveout)
        return sim_refuse(call, cudaErrorInvalidValue, "attribute %d is not known here",
                          (int)attribute);
    if (value < cudaSharedmemCarveoutDefault || value > cudaSharedmemCarveoutMaxShared)
        return sim_refuse(call, cudaErrorInvalidValue, "%d is not a percentage", value);
    return sim_return(cudaSuccess);
}

cudaError_t cudaFuncSetCacheConfig(const void *kernel, enum cudaFuncCache preference)
{
    (void)preference;
    cudaError_t error = check_kernel(SIM_CALL("cudaFuncSetCacheConfig"), kernel);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaFuncSetSharedMemConfig(const void *kernel, enum cudaSharedMemConfig bank_size)
{
    (void)bank_size;
    cudaError_t error = check_kernel(SIM_CALL("cudaFuncSetSharedMemConfig"), kernel);
    return error ? error : sim_return(cudaSuccess);
}

cudaError_t cudaFuncGetName(const char **name, const void *kernel)
{
    struct sim_call call = SIM_CALL("cudaFuncGetName");
    const struct sim_kernel *found = find_kernel(kernel);
    if (!name)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    if (!found)
        return sim_refuse(call, cudaErrorInvalidDeviceFunction, "%p is no __global__ function",
                          kernel);
    *name = found->name;
    return sim_return(cudaSuccess);
}

static cudaError_t count_blocks(struct sim_call call, int *blocks, const void *kernel, int threads,
                                size_t dynamic_shared)
{
    cudaError_t error = check_kernel(call, kernel);
    if (error)
        return error;
    if (!blocks || threads <= 0)
        return sim_refuse(call, cudaErrorInvalidValue,
                          blocks ? "a block needs at least one thread"
                                 : "the pointer for the result is NULL");
    *blocks = sim_blocks_per_multiprocessor(kernel, (unsigned int)threads, dynamic_shared);
    return sim_return(cudaSuccess);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *kernel,
                                                          int threads, size_t dynamic_shared)
{
    return count_blocks(SIM_CALL("cudaOccupancyMaxActiveBlocksPerMultiprocessor"), blocks, kernel,
                        threads, dynamic_shared);
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, const void *kernel,
                                                                   int threads,
                                                                   size_t dynamic_shared,
                                                                   unsigned int flags)
{
    (void)flags;
    return count_blocks(SIM_CALL("cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags"), blocks,
                        kernel, threads, dynamic_shared);
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *kernel,
                                           const cudaLaunchConfig_t *config)
{
    struct sim_call call = SIM_CALL("cudaOccupancyMaxActiveClusters");
    cudaError_t error = check_config(call, config);
    if (error)
        return error;
    const dim3 block = config->blockDim;
    error = count_blocks(call, clusters, kernel, (int)(block.x * block.y * block.z),
                         config->dynamicSmemBytes);
    if (!error)
        *clusters *= (int)sim_options()->multiprocessors;
    return error;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *kernel, int blocks,
                                                      int threads)
{
    struct sim_call call = SIM_CALL("cudaOccupancyAvailableDynamicSMemPerBlock");
    cudaError_t error = check_kernel(call, kernel);
    if (error)
        return error;
    if (!bytes || blocks <= 0 || threads <= 0 || threads > SIM_THREADS_PER_BLOCK)
        return sim_refuse(call, cudaErrorInvalidValue,
                          "blocks and threads must be positive, threads at most %d",
                          SIM_THREADS_PER_BLOCK);
    size_t each = (size_t)sim_options()->card->shared_per_multiprocessor / (size_t)blocks;
    size_t taken = SIM_SHARED_RESERVED_PER_BLOCK + sim_kernel_attributes(kernel)->static_shared;
    *bytes = each > taken ? each - taken : 0;
    if (*bytes > sim_shared_per_block_optin())
        *bytes = sim_shared_per_block_optin();
    return sim_return(cudaSuccess);
}
