/* math_names.cu - functions that CUDA has by names of its own, on the host and in kernels. */
#include <criterion/criterion.h>
#include <math.h>

Test(math_names, choose_the_smaller_and_the_larger)
{
    cr_expect_eq(umin(3u, 0xffffffffu), 3u);
    cr_expect_eq(umax(3u, 0xffffffffu), 0xffffffffu);
    cr_expect_eq(llmin(-3LL, 1LL << 40), -3LL);
    cr_expect_eq(llmax(-3LL, 1LL << 40), 1LL << 40);
    cr_expect_eq(ullmin(3ULL, ~0ULL), 3ULL);
    cr_expect_eq(ullmax(3ULL, ~0ULL), ~0ULL);
}

Test(math_names, invert_erf_and_the_normal_distribution)
{
    for (double x = -5.0; x < 5.0; x += 0.0625) {
        cr_expect_float_eq(erfinv(erf(x * 0.5)), x * 0.5, 1e-12);
        cr_expect_float_eq(erfcinv(erfc(x)), x, 1e-3 * fmax(1e-9, exp(x * x - 25.0)) + 1e-12);
        cr_expect_float_eq(normcdfinv(normcdf(-fabs(x))), -fabs(x), 1e-12);
    }
    cr_expect_eq(erfinv(0.0), 0.0);
    cr_expect(isinf(erfcinv(0.0)) && isinf(erfinvf(-1.0f)) && isnan(erfinv(1.5)));
    /* Published values: Abramowitz and Stegun, table 26.1; erfc(2) = 0.00467773... */
    cr_expect_float_eq(normcdfinvf(0.975f), 1.959964f, 1e-5f);
    cr_expect_float_eq(erfcx(2.0), 0.2553956763105057, 1e-15);
    cr_expect_float_eq(erfcx(100.0), 0.005641613782989433, 1e-17);
}

/* Abramowitz and Stegun, table 9.8 and 9.11: I0(1), I1(1), and exp(-20) I0(20). */
Test(math_names, norms_of_arrays_and_modified_bessel_functions)
{
    const double values[] = {2.0, -3.0, 6.0};
    const float floats[] = {2.0f, -3.0f, 6.0f};
    cr_expect_eq(norm(3, values), 7.0);
    cr_expect_eq(normf(3, floats), 7.0f);
    cr_expect_float_eq(rnorm(3, values) + (double)rnormf(3, floats), 2.0 / 7.0, 1e-7);
    cr_expect_float_eq(rnorm4d(1.0, 1.0, 1.0, 1.0) + (double)rnorm4df(1.0f, 1.0f, 1.0f, 1.0f), 1.0,
                       1e-7);
    cr_expect_float_eq(cyl_bessel_i0(1.0), 1.2660658777520084, 1e-15);
    cr_expect_float_eq(cyl_bessel_i1(-1.0), -0.5651591039924850, 1e-15);
    cr_expect_float_eq(exp(-20.0) * cyl_bessel_i0(20.0), 0.0897803119, 1e-9);
    cr_expect_float_eq(cyl_bessel_i0f(0.0f) + cyl_bessel_i1f(0.0f), 1.0f, 0.0f);
}

__global__ static void smaller(unsigned int *numbers)
{
    numbers[threadIdx.x] = umin(threadIdx.x, 7u) + umax(threadIdx.x, 7u);
}

Test(math_names, work_in_kernels)
{
    unsigned int *numbers, last = 0;
    cr_assert_eq(cudaMalloc(&numbers, 32 * sizeof *numbers), cudaSuccess);
    smaller<<<1, 32>>>(numbers);
    cudaMemcpy(&last, numbers + 31, sizeof last, cudaMemcpyDeviceToHost);
    cr_expect_eq(last, 38);
}

__global__ static void round_all_ways(int *right)
{
    const float one = 1.0f, least = 1e-9f;
    bool first;
    right[0] = __fadd_rd(one, least) == 1.0f && __fadd_ru(one, least) == nextafterf(1.0f, 2.0f);
    right[1] = __fsub_rz(one, least) == nextafterf(1.0f, 0.0f) && __fsub_ru(one, least) == 1.0f;
    right[2] = __frcp_ru(3.0f) == nextafterf(__frcp_rd(3.0f), 1.0f);
    right[3] = __dadd_ru(1.0, 1e-30) == nextafter(1.0, 2.0) && __dadd_rz(1.0, 1e-30) == 1.0;
    right[4] = __int2float_ru(16777217) == 16777218.0f && __int2float_rz(16777217) == 16777216.0f;
    right[5] = __double2float_ru(0.1) == nextafterf(__double2float_rz(0.1), 1.0f);
    right[6] = __fmaf_rd(0.1f, 0.1f, 0.0f) < __fmaf_ru(0.1f, 0.1f, 0.0f);
    right[7] = __dsqrt_ru(2.0) == nextafter(__dsqrt_rd(2.0), 2.0);
    right[8] = __fdiv_rz(-1.0f, 3.0f) == nextafterf(__fdiv_rd(-1.0f, 3.0f), 0.0f);
    right[9] = __ull2float_rz(~0ull) < 18446744073709551616.0f &&
               __ull2double_ru(~0ull) == 18446744073709551616.0;
    right[10] = __vimax3_s32(1, -2, 3) == 3 && __vimin3_u32(3u, 1u, 2u) == 1 &&
                __viaddmax_s32(2, 3, 4) == 5;
    right[11] = __vibmax_s32(4, 4, &first) == 4 && first && __vimax_s32_relu(-3, -4) == 0;
    right[12] = __viaddmax_s16x2(0x00010002u, 0x00010001u, 0x00050000u) == 0x00050003u;
    right[13] = __vimin3_s16x2(0xffff0001u, 0x00010002u, 0x00020003u) == 0xffff0001u;
    right[14] =
        __vimax3_u16x2(0xffff0001u, 1u, 2u) == 0xffff0002u && __viaddmin_s32_relu(-5, 1, 3) == 0;
}

/* Directions that are exchanged, operands computed before the processor's mode is set, halfwords with the wrong sign. */
Test(math_names, round_in_each_direction_and_take_the_larger)
{
    int *right, host[15];
    cr_assert_eq(cudaMalloc(&right, sizeof host), cudaSuccess);
    round_all_ways<<<1, 1>>>(right);
    cudaMemcpy(host, right, sizeof host, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 15; i++)
        cr_expect(host[i], "line %d", i);
}
