/* memory_resource.h - stands before Thrust's own of this name: where the C++ back end has its memory.
 *
 * Thrust's algorithms run on the host here, by its back end for plain C++, and on memory of the device: what code of
 * Thrust touches there it may touch (engine/thrust.c). */
#pragma once

#include <thrust/detail/config.h>
#include <thrust/mr/fancy_pointer_resource.h>
#include <thrust/mr/memory_resource.h>
#include <thrust/mr/new.h>
#include <thrust/system/cpp/pointer.h>

THRUST_NAMESPACE_BEGIN
namespace system
{
namespace cpp
{
namespace detail
{
class __device_resource final : public thrust::mr::memory_resource<>
{
  public:
    void *do_allocate(std::size_t __bytes, std::size_t) override
    {
        void *__memory = nullptr;
        if (cudaMalloc(&__memory, __bytes) != cudaSuccess)
            throw std::bad_alloc();
        return __memory;
    }
    void do_deallocate(void *__memory, std::size_t, std::size_t) override
    {
        cudaFree(__memory);
    }
};
typedef thrust::mr::fancy_pointer_resource<__device_resource, thrust::cpp::pointer<void>>
    native_resource;
typedef thrust::mr::fancy_pointer_resource<__device_resource, thrust::cpp::universal_pointer<void>>
    universal_native_resource;
} // namespace detail
typedef detail::native_resource memory_resource;
typedef detail::universal_native_resource universal_memory_resource;
typedef detail::native_resource universal_host_pinned_memory_resource;
} // namespace cpp
} // namespace system
THRUST_NAMESPACE_END
