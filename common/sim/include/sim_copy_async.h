/* sim_copy_async.h - how cuda::memcpy_async copies: at once, in the widest pieces that a
 * thread can load, the threads of a group side by side. */
#ifndef SIM_COPY_ASYNC_H
#define SIM_COPY_ASYNC_H

#include "cuda_runtime.h"

namespace cuda
{

/* A number of bytes that is a multiple of Alignment, as the addresses are. */
template <size_t __Alignment> struct aligned_size_t {
    static constexpr size_t align = __Alignment;
    size_t value;
    SIM_INLINE_MEMBER explicit aligned_size_t(size_t __bytes) : value(__bytes)
    {
    }
    SIM_INLINE_MEMBER operator size_t() const
    {
        return value;
    }
};

namespace details
{

template <class __Piece>
SIM_INLINE void __copy_pieces(void *__to, const void *__from, size_t __bytes, size_t __rank,
                              size_t __threads)
{
    __Piece *__target = (__Piece *)__to;
    const __Piece *__source = (const __Piece *)__from;
    for (size_t __i = __rank; __i < __bytes / sizeof(__Piece); __i += __threads)
        __target[__i] = __source[__i];
}

SIM_INLINE void __copy_part(void *__to, const void *__from, size_t __bytes, size_t __rank,
                            size_t __threads)
{
    typedef uint4 __attribute__((may_alias)) __quad;
    typedef unsigned long long __attribute__((may_alias)) __pair;
    typedef unsigned int __attribute__((may_alias)) __word;
    size_t __odd = (size_t)__to | (size_t)__from | __bytes;
    if (__odd % 16 == 0)
        __copy_pieces<__quad>(__to, __from, __bytes, __rank, __threads);
    else if (__odd % 8 == 0)
        __copy_pieces<__pair>(__to, __from, __bytes, __rank, __threads);
    else if (__odd % 4 == 0)
        __copy_pieces<__word>(__to, __from, __bytes, __rank, __threads);
    else
        __copy_pieces<unsigned char>(__to, __from, __bytes, __rank, __threads);
}

} // namespace details
} // namespace cuda

#endif
