/* random.cu - cuRAND's device generators: NVIDIA's own sequences, numbers and leaps.
 *
 * What is expected of XORWOW, and of all distributions, was computed by NVIDIA's own
 * curand_kernel.h (CUDA 13.0); of Philox, by the authors' test of known answers (Random123,
 * kat_vectors). */
#include <criterion/criterion.h>
#include <curand_kernel.h>

#include "sim.h"

enum { BLOCKS = 2, THREADS = 64, DRAWS = 16 };

struct start {
    unsigned long long seed, sequence, offset;
    unsigned int first[3];
};

template <typename State> static void expect_sequences(const start (&starts)[5])
{
    for (const start &s : starts) {
        State state;
        curand_init(s.seed, s.sequence, s.offset, &state);
        for (unsigned int expected : s.first)
            cr_expect_eq(curand(&state), expected);
    }
}

Test(random, xorwow_gives_nvidias_sequences)
{
    static const start starts[5] = {
        {0, 0, 0, {0xbd7f03b6, 0x703e556d, 0x845af0c5}},
        {1234, 0, 0, {0x253d5e15, 0x6f558604, 0xdee6daf2}},
        {1234, 1, 0, {0xd1f7605a, 0xed29ae49, 0x83030ed9}},
        {1234, 7, 1000000007, {0x1f516232, 0xb5e92c61, 0x38996567}},
        {0xdeadbeefcafe, 123456789, 5, {0x61695244, 0xe2d83f10, 0xd49d06c4}},
    };
    expect_sequences<curandStateXORWOW_t>(starts);
}

Test(random, philox_gives_nvidias_sequences)
{
    static const start starts[5] = {
        {0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c}},
        {1234, 0, 0, {0x2090b348, 0xda7cf0ab, 0x4401906f}},
        {1234, 1, 0, {0xd115a128, 0x52fc7c75, 0xc7f33f17}},
        {1234, 7, 1000000007, {0xffc1ee19, 0xb3f6ecb2, 0x9af7ad3a}},
        {0xdeadbeefcafe, 123456789, 5, {0x54655def, 0xdcf2efd7, 0x3dde6792}},
    };
    expect_sequences<curandStatePhilox4_32_10_t>(starts);
}

static void expect_answer(uint4 counter, uint2 key, uint4 expected)
{
    uint4 seen = curand_Philox4x32_10(counter, key);
    cr_expect(seen.x == expected.x && seen.y == expected.y && seen.z == expected.z &&
              seen.w == expected.w);
}

Test(random, philox_gives_the_known_answers)
{
    const unsigned int ones = 0xffffffff;
    expect_answer(make_uint4(0, 0, 0, 0), make_uint2(0, 0),
                  make_uint4(0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8));
    expect_answer(make_uint4(ones, ones, ones, ones), make_uint2(ones, ones),
                  make_uint4(0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd));
    expect_answer(make_uint4(0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344),
                  make_uint2(0xa4093822, 0x299f31d0),
                  make_uint4(0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1));
}

/* A leap ends where as many steps do. */
template <typename State> static void expect_leaps()
{
    for (unsigned int leap = 0; leap < 1000; leap += 37) {
        State walking, leaping, started;
        curand_init(42, 3, 0, &walking);
        leaping = walking;
        for (unsigned int i = 0; i < leap; i++)
            (void)curand(&walking);
        skipahead(leap, &leaping);
        curand_init(42, 3, leap, &started);
        unsigned int expected = curand(&walking);
        cr_expect_eq(curand(&leaping), expected);
        cr_expect_eq(curand(&started), expected);
    }
    State one, other;
    curand_init(42, 3, 0, &one);
    curand_init(42, 1, 0, &other);
    skipahead_sequence(2, &other);
    cr_expect_eq(curand(&one), curand(&other));
}

Test(random, leaps_end_where_steps_do)
{
    expect_leaps<curandStateXORWOW_t>();
    expect_leaps<curandStatePhilox4_32_10_t>();
}

Test(random, four_at_once_are_the_next_four)
{
    for (int before = 0; before < 9; before++) {
        curandStatePhilox4_32_10_t one, four;
        curand_init(9, 0, 0, &one);
        for (int i = 0; i < before; i++)
            (void)curand(&one);
        four = one;
        uint4 seen = curand4(&four);
        cr_expect_eq(seen.x, curand(&one));
        cr_expect_eq(seen.y, curand(&one));
        cr_expect_eq(seen.z, curand(&one));
        cr_expect_eq(seen.w, curand(&one));
        cr_expect_eq(curand(&four), curand(&one));
    }
}

template <typename State>
static void expect_distributions(float uniform, double uniform_double, float first, float second,
                                 double normal_double)
{
    State state;
    curand_init(1234, 0, 0, &state);
    cr_expect_eq(curand_uniform(&state), uniform);
    cr_expect_eq(curand_uniform_double(&state), uniform_double);
    float seen[2] = {curand_normal(&state), curand_normal(&state)};
    double last = curand_normal_double(&state);
    cr_expect_float_eq(seen[0], first, 2e-6f);
    cr_expect_float_eq(seen[1], second, 2e-6f);
    cr_expect_float_eq(last, normal_double, 1e-11);
}

Test(random, distributions_are_nvidias)
{
    expect_distributions<curandStateXORWOW_t>(0.145467639f, 0.87070998751386286, -0.981185f,
                                              0.781962f, 1.699898033712);
    expect_distributions<curandStatePhilox4_32_10_t>(0.12720795f, 0.8534689350053668, -1.560540f,
                                                     0.464621f, 1.008196707737);
}

template <typename State> __global__ void prepare(State *states)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    curand_init(1234, (unsigned long long)i, 0, &states[i]);
}

template <typename State> __global__ void draw(State *states, float *numbers)
{
    int i = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    State state = states[i];
    for (int k = 0; k < DRAWS; k++)
        numbers[i * DRAWS + k] = curand_uniform(&state);
    states[i] = state;
}

/* As courses do it: one kernel starts the generators, others draw from them. */
template <typename State> static void expect_kernels()
{
    enum { COUNT = BLOCKS * THREADS };
    static float host[COUNT * DRAWS];
    State *states;
    float *numbers;
    cr_assert_eq(cudaMalloc(&states, COUNT * sizeof *states), cudaSuccess);
    cr_assert_eq(cudaMalloc(&numbers, sizeof host), cudaSuccess);
    prepare<<<BLOCKS, THREADS>>>(states);
    for (int launch = 0; launch < 2; launch++) {
        draw<<<BLOCKS, THREADS>>>(states, numbers);
        cr_assert_eq(cudaMemcpy(host, numbers, sizeof host, cudaMemcpyDeviceToHost), cudaSuccess);
        for (int i = 0; i < COUNT; i++) {
            State state;
            curand_init(1234, (unsigned long long)i, (unsigned long long)(launch * DRAWS), &state);
            for (int k = 0; k < DRAWS; k++)
                cr_assert_eq(host[i * DRAWS + k], curand_uniform(&state));
        }
    }
    cr_expect_eq(sim_error_count(), 0);
}

Test(random, kernels_draw_what_the_host_draws)
{
    expect_kernels<curandState>();
    expect_kernels<curandStatePhilox4_32_10_t>();
}
