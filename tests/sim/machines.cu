/* machines.cu - what a kernel computes does not depend on the machine that it runs on. */
#include <criterion/criterion.h>
#include <limits.h>

/* In unified memory, which host and kernel may both touch. */
template <typename T> static T *shared_value(T value)
{
    T *memory;
    cr_assert_eq(cudaMallocManaged(&memory, sizeof value), cudaSuccess);
    *memory = value;
    return memory;
}

__global__ static void widen(const char *byte, int *wide)
{
    *wide = *byte;
}

Test(machines, give_plain_char_a_sign)
{
    int *wide = shared_value(0);
    widen<<<1, 1>>>(shared_value((char)0xff), wide);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(*wide, -1);
    cr_expect_lt(CHAR_MIN, 0);
}

__global__ static void multiply_and_add(float x, float y, float *sum)
{
    *sum = x * y + *sum;
}

/* The exact square is 1 + 2^-11 + 2^-24: half a unit above what a float holds. */
Test(machines, round_a_product_before_they_add)
{
    float *sum = shared_value(-0x1.002p0f);
    multiply_and_add<<<1, 1>>>(0x1.001p0f, 0x1.001p0f, sum);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    cr_expect_eq(*sum, 0.0f);
}
