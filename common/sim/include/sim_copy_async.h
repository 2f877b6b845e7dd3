/* sim_copy_async.h - how cuda::memcpy_async copies: at once, in the widest pieces that a
 * thread can load, the threads of a group side by side. */
#ifndef SIM_COPY_ASYNC_H
#define SIM_COPY_ASYNC_H

#include "cuda_runtime.h"

namespace cuda
{

/* A number of bytes that is a multiple of Alignment, as the addresses are. */
template <size_t Alignment> struct aligned_size_t {
    static constexpr size_t align = Alignment;
    size_t value;
    SIM_INLINE_MEMBER explicit aligned_size_t(size_t bytes) : value(bytes)
    {
    }
    SIM_INLINE_MEMBER operator size_t() const
    {
        return value;
    }
};

namespace details
{

template <class Piece>
SIM_INLINE void copy_pieces(void *to, const void *from, size_t bytes, size_t rank, size_t threads)
{
    Piece *target = (Piece *)to;
    const Piece *source = (const Piece *)from;
    for (size_t i = rank; i < bytes / sizeof(Piece); i += threads)
        target[i] = source[i];
}

SIM_INLINE void copy_part(void *to, const void *from, size_t bytes, size_t rank, size_t threads)
{
    typedef uint4 __attribute__((may_alias)) quad;
    typedef unsigned long long __attribute__((may_alias)) pair;
    typedef unsigned int __attribute__((may_alias)) word;
    size_t odd = (size_t)to | (size_t)from | bytes;
    if (odd % 16 == 0)
        copy_pieces<quad>(to, from, bytes, rank, threads);
    else if (odd % 8 == 0)
        copy_pieces<pair>(to, from, bytes, rank, threads);
    else if (odd % 4 == 0)
        copy_pieces<word>(to, from, bytes, rank, threads);
    else
        copy_pieces<unsigned char>(to, from, bytes, rank, threads);
}

} // namespace details
} // namespace cuda

#endif
