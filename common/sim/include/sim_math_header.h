/* sim_math_header.h - <math.h> and what it brings along, in a third of the time.
 *
 * From C++17 on, <math.h> of libstdc++ ends with the special functions (Bessel,
 * zeta and so on). They take longer to compile than all other headers of a small
 * program, and no kernel can use them. A program that wants them defines
 * __STDCPP_WANT_MATH_SPEC_FUNCS__. What else programs got from that part of
 * <math.h>, std::min and std::numeric_limits among it, is included here. */
#ifndef SIM_MATH_HEADER_H
#define SIM_MATH_HEADER_H

#if __has_include(<bits/c++config.h>) && !defined(__STDCPP_WANT_MATH_SPEC_FUNCS__)
#include <bits/c++config.h>
#pragma push_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#undef _GLIBCXX_USE_STD_SPEC_FUNCS
#define _GLIBCXX_USE_STD_SPEC_FUNCS 0
#include <math.h>
#pragma pop_macro("_GLIBCXX_USE_STD_SPEC_FUNCS")
#include <bits/stl_algobase.h>
#include <limits>
#else
#include <math.h>
#endif

#endif
