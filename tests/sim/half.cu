/* half.cu - numbers of 16 bits: conversions, arithmetic, comparisons, and what kernels do. */
#include <criterion/criterion.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdlib.h>

#include "sim.h"

static __half of_bits(unsigned int bits)
{
    return __ushort_as_half((unsigned short)bits);
}

/* The value by the definition of the format. */
static double value_of(unsigned int bits)
{
    int exponent = (int)(bits >> 10 & 31), fraction = (int)(bits & 1023);
    double size = exponent == 31  ? fraction ? (double)NAN : (double)INFINITY
                  : exponent == 0 ? ldexp(fraction, -24)
                                  : ldexp(1024 + fraction, exponent - 25);
    return bits >> 15 ? -size : size;
}

Test(half, every_value_goes_to_float_and_back)
{
    for (unsigned int bits = 0; bits < 65536; bits++) {
        float value = __half2float(of_bits(bits));
        if (isnan(value_of(bits))) {
            cr_assert(isnan(value) && __hisnan(of_bits(bits)));
            continue;
        }
        cr_assert_eq((double)value, value_of(bits));
        cr_assert_eq(__half_as_ushort(__float2half(value)), bits);
        cr_assert_eq(__half_as_ushort(__double2half((double)value)), bits);
        cr_assert_eq(__half2int_rz(of_bits(bits)),
                     isinf(value) ? (value < 0 ? INT_MIN : INT_MAX) : (int)value);
    }
}

/* Between two neighbors lies one that is rounded, in each of the four directions. */
Test(half, rounds_what_lies_between)
{
    for (unsigned int bits = 0; bits < 0x7bff; bits += 7) {
        double low = value_of(bits), high = value_of(bits + 1);
        float quarter = (float)(low + (high - low) / 4), middle = (float)((low + high) / 2);
        cr_assert_eq(__half_as_ushort(__float2half_rn(quarter)), bits);
        cr_assert_eq(__half_as_ushort(__float2half_rz(quarter)), bits);
        cr_assert_eq(__half_as_ushort(__float2half_rd(quarter)), bits);
        cr_assert_eq(__half_as_ushort(__float2half_ru(quarter)), bits + 1);
        cr_assert_eq(__half_as_ushort(__float2half_rd(-quarter)), 0x8000 + bits + 1);
        cr_assert_eq(__half_as_ushort(__float2half_ru(-quarter)), 0x8000 + bits);
        cr_assert_eq(__half_as_ushort(__float2half(middle)), (bits + 1) & ~1u, "ties go to even");
    }
    cr_expect_eq(__half_as_ushort(__float2half(65519.0f)), 0x7bff);
    cr_expect_eq(__half_as_ushort(__float2half(65520.0f)), 0x7c00);
    cr_expect_eq(__half_as_ushort(__float2half_rz(1e9f)), 0x7bff);
    cr_expect_eq(__half_as_ushort(__int2half_rn(-70000)), 0xfc00);
    cr_expect_eq(__half_as_ushort(__float2half_ru(1e-30f)), 0x0001);
    cr_expect_eq(__half2int_rn(__half(2.5f)), 2);
    cr_expect_eq(__half2uint_rz(__half(-3.0f)), 0u);
}

Test(half, computes_as_exact_and_rounds_once)
{
    srand(1);
    for (int i = 0; i < 20000; i++) {
        unsigned int x = (unsigned int)rand() & 0xffff, y = (unsigned int)rand() & 0xffff;
        __half a = of_bits(x), b = of_bits(y);
        if (__hisnan(a) || __hisnan(b))
            continue;
        cr_assert_eq(__hlt(a, b), value_of(x) < value_of(y));
        cr_assert_eq(a == b, value_of(x) == value_of(y));
        if (__hisinf(a) || __hisinf(b))
            continue;
        cr_assert_eq(__half_as_ushort(a * b),
                     __half_as_ushort(__double2half(value_of(x) * value_of(y))));
        cr_assert_eq(__half_as_ushort(__hadd(a, b)),
                     __half_as_ushort(__double2half(value_of(x) + value_of(y))));
    }
    __half2 ones = __float2half2_rn(1.0f), pair = __floats2half2_rn(2.0f, -3.0f);
    __half2 sum = __hfma2(pair, pair, ones);
    cr_expect_eq(__low2float(sum), 5.0f);
    cr_expect_eq(__high2float(sum), 10.0f);
    cr_expect(__hbgt2(sum, ones) && !__hbgt2(pair, ones));
    cr_expect_eq(__hlt2_mask(pair, ones), 0xffff0000u);
    cr_expect_eq(__half2float(__hadd_sat(__half(0.75f), __half(0.75f))), 1.0f);
    cr_expect_eq(__half2float(hsqrt(__half(6.25f))), 2.5f);
    cr_expect(!(CUDART_NAN_FP16 == CUDART_NAN_FP16) && __hgeu(CUDART_NAN_FP16, ones.x));
    cr_expect_eq(__half2float(__hmax(CUDART_NAN_FP16, ones.x)), 1.0f);
}

__global__ static void sums(__half *sum, __half2 *pairs, const __half2 *numbers)
{
    __half2 mine = numbers[threadIdx.x];
    atomicAdd(sum, __hadd(mine.x, mine.y));
    atomicAdd(pairs, mine);
    for (int step = 16; step > 0; step /= 2)
        mine += __shfl_down_sync(0xffffffffu, mine, step);
    if (threadIdx.x == 0)
        pairs[1] = mine;
}

Test(half, is_summed_by_atomics_and_shuffles)
{
    __half *sum, result;
    __half2 *pairs, *numbers, host[32], seen[2];
    for (int i = 0; i < 32; i++)
        host[i] = __floats2half2_rn((float)i, 0.5f);
    cr_assert_eq(cudaMalloc(&sum, sizeof *sum), cudaSuccess);
    cr_assert_eq(cudaMalloc(&pairs, sizeof seen), cudaSuccess);
    cr_assert_eq(cudaMalloc(&numbers, sizeof host), cudaSuccess);
    cudaMemset(sum, 0, sizeof *sum);
    cudaMemset(pairs, 0, sizeof seen);
    cudaMemcpy(numbers, host, sizeof host, cudaMemcpyHostToDevice);

    sim_reset_counters();
    sums<<<1, 32>>>(sum, pairs, numbers);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    struct sim_counters counters = sim_counters();
    cudaMemcpy(&result, sum, sizeof result, cudaMemcpyDeviceToHost);
    cudaMemcpy(seen, pairs, sizeof seen, cudaMemcpyDeviceToHost);
    cr_expect_eq((float)result, 512.0f);
    for (int i = 0; i < 2; i++) {
        cr_expect_eq(__low2float(seen[i]), 496.0f);
        cr_expect_eq(__high2float(seen[i]), 16.0f);
    }
    cr_expect_eq(counters.global[SIM_LOAD].requests, 1, "a pair is loaded at once");
    cr_expect_eq(counters.global[SIM_LOAD].sectors, 4);
    cr_expect_eq(sim_error_count(), 0);
}
