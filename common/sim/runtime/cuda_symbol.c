/* cuda_symbol.c - variables of the device, by name: those of the device that is current. */
#include "runtime/runtime.h"

/* A managed variable is an allocation of its own; it is a symbol, too. */
static const struct sim_allocation *find_symbol(const void *symbol)
{
    const struct sim_allocation *a = sim_memory_find((uintptr_t)symbol);
    return a && a->kind == SIM_DEVICE_VARIABLE ? a : NULL;
}

static cudaError_t check_symbol(struct sim_call call, const void *symbol)
{
    if (find_symbol(symbol))
        return cudaSuccess;
    return sim_refuse(call, cudaErrorInvalidSymbol,
                      "%p is not a __device__ or __constant__ variable: name the variable itself, "
                      "without &",
                      symbol);
}

static cudaError_t copy_symbol(struct sim_call call, void *to, const void *from, size_t bytes,
                               enum cudaMemcpyKind kind, const void *symbol)
{
    cudaError_t error = check_symbol(call, symbol);
    return error ? error : sim_copy_and_wait(call, to, from, bytes, kind);
}

cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes, size_t offset,
                               enum cudaMemcpyKind kind)
{
    return copy_symbol(SIM_CALL("cudaMemcpyToSymbol"), (char *)symbol + offset, from, bytes, kind,
                       symbol);
}

cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset,
                                 enum cudaMemcpyKind kind)
{
    return copy_symbol(SIM_CALL("cudaMemcpyFromSymbol"), to, (const char *)symbol + offset, bytes,
                       kind, symbol);
}

cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaMemcpyToSymbolAsync");
    cudaError_t error = check_symbol(call, symbol);
    return error ? error
                 : sim_copy_in_stream(call, stream, (char *)symbol + offset, from, bytes, kind);
}

cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                      enum cudaMemcpyKind kind, cudaStream_t stream)
{
    struct sim_call call = SIM_CALL("cudaMemcpyFromSymbolAsync");
    cudaError_t error = check_symbol(call, symbol);
    return error ? error
                 : sim_copy_in_stream(call, stream, to, (const char *)symbol + offset, bytes, kind);
}

cudaError_t cudaGetSymbolAddress(void **pointer, const void *symbol)
{
    struct sim_call call = SIM_CALL("cudaGetSymbolAddress");
    if (!pointer)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    cudaError_t error = check_symbol(call, symbol);
    if (error)
        return error;
    *pointer = (void *)symbol;
    return sim_return(cudaSuccess);
}

cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol)
{
    struct sim_call call = SIM_CALL("cudaGetSymbolSize");
    if (!bytes)
        return sim_refuse(call, cudaErrorInvalidValue, "the pointer for the result is NULL");
    cudaError_t error = check_symbol(call, symbol);
    if (error)
        return error;
    *bytes = find_symbol(symbol)->bytes;
    return sim_return(cudaSuccess);
}
