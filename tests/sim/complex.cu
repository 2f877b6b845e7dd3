/* complex.cu - cuComplex.h, on the host and in kernels. */
#include <complex>
#include <criterion/criterion.h>
#include <cuComplex.h>

/* Every function that the header has, in double precision and in single. */
template <typename Number> struct results {
    Number sum, difference, product, quotient, conjugate, fused;
    double length;
};

__host__ __device__ static void compute(results<cuDoubleComplex> *r, double2 a, double2 b)
{
    cuDoubleComplex x = make_cuDoubleComplex(a.x, a.y), y = make_cuDoubleComplex(b.x, b.y);
    *r = {cuCadd(x, y), cuCsub(x, y),    cuCmul(x, y), cuCdiv(x, y),
          cuConj(x),    cuCfma(x, y, x), cuCabs(x)};
}

__host__ __device__ static void compute(results<cuComplex> *r, double2 a, double2 b)
{
    cuComplex x = cuComplexDoubleToFloat(a), y = make_cuComplex((float)b.x, (float)b.y);
    *r = {cuCaddf(x, y), cuCsubf(x, y),    cuCmulf(x, y),     cuCdivf(x, y),
          cuConjf(x),    cuCfmaf(x, y, x), (double)cuCabsf(x)};
}

template <typename Number> __global__ static void kernel(results<Number> *r, double2 a, double2 b)
{
    compute(r, a, b);
}

template <typename Number>
static void expect_near(Number seen, std::complex<double> expected, double error)
{
    std::complex<double> number((double)seen.x, (double)seen.y);
    cr_expect_leq(std::abs(number - expected), error * std::abs(expected), "%g%+gi, not %g%+gi",
                  number.real(), number.imag(), expected.real(), expected.imag());
}

template <typename Number> static void expect_arithmetic(double error)
{
    double2 a = {1.5, -2.25}, b = {-0.375, 4.0};
    std::complex<double> x(a.x, a.y), y(b.x, b.y);
    results<Number> *memory, r;
    cr_assert_eq(cudaMalloc(&memory, sizeof r), cudaSuccess);
    kernel<Number><<<1, 1>>>(memory, a, b);
    cr_assert_eq(cudaMemcpy(&r, memory, sizeof r, cudaMemcpyDeviceToHost), cudaSuccess);
    for (int i = 0; i < 2; i++) { /* what the kernel computed, then the host's */
        expect_near(r.sum, x + y, error);
        expect_near(r.difference, x - y, error);
        expect_near(r.product, x * y, error);
        expect_near(r.quotient, x / y, error);
        expect_near(r.conjugate, std::conj(x), error);
        expect_near(r.fused, x * y + x, error);
        cr_expect_float_eq(r.length, std::abs(x), error * 3);
        compute(&r, a, b);
    }
}

Test(complex, computes_in_double_precision)
{
    expect_arithmetic<cuDoubleComplex>(1e-15);
}

Test(complex, computes_in_single_precision)
{
    expect_arithmetic<cuComplex>(2e-7);
}

Test(complex, divides_by_what_has_no_square)
{
    cuComplex one = make_cuComplex(1e30f, 0.0f), quotient = cuCdivf(one, one);
    cr_expect_eq(cuCrealf(quotient), 1.0f);
    cr_expect_eq(cuCimagf(quotient), 0.0f);
    cr_expect_float_eq(cuCabs(make_cuDoubleComplex(3e200, 4e200)), 5e200, 1e186);
}
