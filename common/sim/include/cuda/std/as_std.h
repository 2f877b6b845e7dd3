/* as_std.h - cuda::std has what the C++ library has; what libcu++ has besides is found first. */
#ifndef CUDA_STD_AS_STD_H
#define CUDA_STD_AS_STD_H

namespace cuda
{
namespace std
{
using namespace ::std;
}
} // namespace cuda

#endif
