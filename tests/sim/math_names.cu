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
