/* warp_intrinsics.cu - votes, matches, shuffles and reductions, against a model
 * that works on an array of 32 values. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <string.h>

#include "capture.h"
#include "sim.h"

enum { LANES = 32 };

/* Runs `kernel` in one warp: lane i gets in[i], and writes out[i]. */
template <typename In, typename Out>
static void run_warp(void (*kernel)(const In *, Out *), const In *in, Out *out)
{
    In *device_in;
    Out *device_out;
    cudaMalloc(&device_in, LANES * sizeof(In));
    cudaMalloc(&device_out, LANES * sizeof(Out));
    cudaMemcpy(device_in, in, LANES * sizeof(In), cudaMemcpyHostToDevice);
    kernel<<<1, LANES>>>(device_in, device_out);
    cr_assert_eq(cudaDeviceSynchronize(), cudaSuccess);
    cudaMemcpy(out, device_out, LANES * sizeof(Out), cudaMemcpyDeviceToHost);
}

static const int values[LANES] = {3,  -1, 3, 7, 0,  0, 3,  -1, 12, 3,  0,  5,  5, 5, 7, 3,
                                  -1, 3,  0, 0, 12, 3, -7, 7,  9,  -1, -1, -7, 0, 3, 3, 5};

__global__ static void vote(const int *in, uint4 *out)
{
    const int mine = in[threadIdx.x];
    out[threadIdx.x] = make_uint4(__ballot_sync(0xffffffffu, mine > 0),
                                  (unsigned int)__any_sync(0xffffffffu, mine == 12),
                                  (unsigned int)__all_sync(0xffffffffu, mine > -8),
                                  (unsigned int)__all_sync(0xffffffffu, mine != 9));
}

Test(warp_intrinsics, vote)
{
    uint4 out[LANES];
    uint32_t positive = 0;
    for (int i = 0; i < LANES; i++)
        positive |= (uint32_t)(values[i] > 0) << i;
    run_warp(vote, values, out);
    for (int i = 0; i < LANES; i++) {
        cr_assert_eq(out[i].x, positive);
        cr_assert_eq(out[i].y, 1);
        cr_assert_eq(out[i].z, 1);
        cr_assert_eq(out[i].w, 0);
    }
}

template <typename T> __global__ static void match(const int *in, unsigned int *out)
{
    out[threadIdx.x] = __match_any_sync(0xffffffffu, (T)in[threadIdx.x]);
}

template <typename T> static void expect_matches()
{
    unsigned int out[LANES];
    run_warp(match<T>, values, out);
    for (int i = 0; i < LANES; i++) {
        uint32_t equal = 0;
        for (int k = 0; k < LANES; k++)
            equal |= (uint32_t)(values[k] == values[i]) << k;
        cr_assert_eq(out[i], equal);
    }
}

Test(warp_intrinsics, match_equal_values)
{
    expect_matches<int>();
    expect_matches<unsigned int>();
    expect_matches<long>();
    expect_matches<unsigned long long>();
    expect_matches<float>();
    expect_matches<double>();
}

__global__ static void match_all(const int *in, uint4 *out)
{
    int same, different;
    unsigned int a = __match_all_sync(0xffffffffu, in[0], &same);
    unsigned int b = __match_all_sync(0xffffffffu, in[threadIdx.x], &different);
    out[threadIdx.x] = make_uint4(a, (unsigned int)same, b, (unsigned int)different);
}

Test(warp_intrinsics, match_only_when_all_are_equal)
{
    uint4 out[LANES];
    run_warp(match_all, values, out);
    for (int i = 0; i < LANES; i++) {
        cr_assert_eq(out[i].x, 0xffffffffu);
        cr_assert_eq(out[i].y, 1);
        cr_assert_eq(out[i].z, 0);
        cr_assert_eq(out[i].w, 0);
    }
}

/* All shuffles of one width, of values that fill the type. */
template <typename T> struct shuffled {
    T index, up, down, exchanged;
};

template <typename T, int Width> __global__ static void shuffle(const T *in, shuffled<T> *out)
{
    const int lane = (int)threadIdx.x;
    const T mine = in[lane];
    out[lane].index = __shfl_sync(0xffffffffu, mine, lane * 7 + 3, Width);
    out[lane].up = __shfl_up_sync(0xffffffffu, mine, 3, Width);
    out[lane].down = __shfl_down_sync(0xffffffffu, mine, 5, Width);
    out[lane].exchanged = __shfl_xor_sync(0xffffffffu, mine, 6, Width);
}

template <typename T, int Width> static void expect_shuffles()
{
    T in[LANES];
    shuffled<T> out[LANES];
    for (int i = 0; i < LANES; i++)
        in[i] = (T)(values[i] * 1000 + i) / (T)3 + (T)((i % 2 ? 1ull : 3ull) << (sizeof(T) * 7));
    run_warp(shuffle<T, Width>, in, out);
    for (int i = 0; i < LANES; i++) {
        const int first = i / Width * Width, last = first + Width - 1, crossed = i ^ 6;
        cr_assert_eq(out[i].index, in[first + (i * 7 + 3) % Width]);
        cr_assert_eq(out[i].up, in[i - 3 >= first ? i - 3 : i]);
        cr_assert_eq(out[i].down, in[i + 5 <= last ? i + 5 : i]);
        cr_assert_eq(out[i].exchanged, in[crossed <= last ? crossed : i]);
    }
}

template <typename T> static void expect_all_widths()
{
    expect_shuffles<T, 32>();
    expect_shuffles<T, 16>();
    expect_shuffles<T, 8>();
    expect_shuffles<T, 4>();
    expect_shuffles<T, 2>();
    expect_shuffles<T, 1>();
}

Test(warp_intrinsics, shuffle_all_types_and_widths)
{
    expect_all_widths<int>();
    expect_all_widths<unsigned int>();
    expect_all_widths<long>();
    expect_all_widths<unsigned long>();
    expect_all_widths<long long>();
    expect_all_widths<unsigned long long>();
    expect_all_widths<float>();
    expect_all_widths<double>();
}

struct reduced {
    unsigned int sum, all_bits, any_bits, odd_bits, smallest, largest;
    int signed_sum, signed_smallest, signed_largest;
};

__global__ static void reduce(const int *in, reduced *out)
{
    const int mine = in[threadIdx.x];
    const unsigned int bits = (unsigned int)mine;
    reduced &r = out[threadIdx.x];
    r.sum = __reduce_add_sync(0xffffffffu, bits);
    r.all_bits = __reduce_and_sync(0xffffffffu, bits);
    r.any_bits = __reduce_or_sync(0xffffffffu, bits);
    r.odd_bits = __reduce_xor_sync(0xffffffffu, bits);
    r.smallest = __reduce_min_sync(0xffffffffu, bits);
    r.largest = __reduce_max_sync(0xffffffffu, bits);
    r.signed_sum = __reduce_add_sync(0xffffffffu, mine);
    r.signed_smallest = __reduce_min_sync(0xffffffffu, mine);
    r.signed_largest = __reduce_max_sync(0xffffffffu, mine);
}

Test(warp_intrinsics, reduce)
{
    reduced out[LANES], expected = {0, ~0u, 0, 0, ~0u, 0, 0, INT_MAX, INT_MIN};
    for (int i = 0; i < LANES; i++) {
        const unsigned int bits = (unsigned int)values[i];
        expected.sum += bits;
        expected.all_bits &= bits;
        expected.any_bits |= bits;
        expected.odd_bits ^= bits;
        expected.smallest = bits < expected.smallest ? bits : expected.smallest;
        expected.largest = bits > expected.largest ? bits : expected.largest;
        expected.signed_sum += values[i];
        if (values[i] < expected.signed_smallest)
            expected.signed_smallest = values[i];
        if (values[i] > expected.signed_largest)
            expected.signed_largest = values[i];
    }
    run_warp(reduce, values, out);
    for (int i = 0; i < LANES; i++)
        cr_assert_eq(memcmp(&out[i], &expected, sizeof expected), 0);
}

/* Both halves of a warp vote, each with its own mask, in branches of their own. */
__global__ static void vote_in_branches(const int *in, unsigned int *out)
{
    const unsigned int odd = threadIdx.x & 1, mask = odd ? 0xaaaaaaaau : 0x55555555u;
    unsigned int result = 0;
    if (odd)
        result = __ballot_sync(mask, in[threadIdx.x] > 0);
    else
        result = (unsigned int)__shfl_sync(mask, in[threadIdx.x], 8);
    __syncwarp();
    out[threadIdx.x] = result + __activemask() * 0;
}

Test(warp_intrinsics, serve_the_lanes_of_a_mask)
{
    unsigned int out[LANES];
    uint32_t positive = 0;
    for (int i = 1; i < LANES; i += 2)
        positive |= (uint32_t)(values[i] > 0) << i;
    run_warp(vote_in_branches, values, out);
    for (int i = 0; i < LANES; i++)
        cr_assert_eq(out[i], i % 2 ? positive : (uint32_t)values[8]);
}

__global__ static void see_companions(unsigned int *out)
{
    out[threadIdx.x] = threadIdx.x < 5 ? __activemask() : 0;
}

Test(warp_intrinsics, tell_which_lanes_are_together)
{
    unsigned int out[40], *memory;
    cudaMalloc(&memory, sizeof out);
    see_companions<<<1, 40>>>(memory);
    cudaMemcpy(out, memory, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 40; i++)
        cr_assert_eq(out[i], i < 5 ? 0x1fu : 0u);
}

__global__ static void count_in_block(int *out)
{
    int odd = threadIdx.x & 1;
    int count = __syncthreads_count(odd), all = __syncthreads_and(odd), any = __syncthreads_or(odd);
    out[threadIdx.x] = count * 100 + all * 10 + any;
}

Test(warp_intrinsics, count_at_barriers)
{
    int out[70], *memory;
    cudaMalloc(&memory, sizeof out);
    count_in_block<<<1, 70>>>(memory);
    cudaMemcpy(out, memory, sizeof out, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 70; i++)
        cr_assert_eq(out[i], 35 * 100 + 1);
}

/* Half of the lanes read from the other half, which their mask does not name. */
__global__ static void read_outside(const int *in, int *out)
{
    const unsigned int lane = threadIdx.x;
    out[lane] = in[lane];
    if (lane < 16)
        out[lane] = __shfl_down_sync(0x0000ffffu, in[lane], 8);
}

Test(warp_intrinsics, shuffles_from_lanes_that_the_mask_does_not_name_give_anything)
{
    int out[LANES];
    struct capture capture;
    capture_start(&capture);
    run_warp(read_outside, values, out);
    cr_expect_str_eq(
        strtok((char *)capture_end(&capture), "\n"),
        "========= Warning: Invalid arguments: a shuffle from a lane outside of its mask: lane "
        "8 reads from lane 16, which is not in the mask 0x0000ffff: any value");
    cr_expect_eq(sim_error_count(), 0, "who throws the value away is right");
    for (int i = 0; i < LANES; i++)
        cr_expect_eq(out[i] == values[i < 8 ? i + 8 : i], i < 8 || i >= 16, "lane %d: %d", i,
                     out[i]);
}

/* By the letter nobody may even read from such a lane. */
Test(warp_intrinsics, shuffles_from_lanes_that_the_mask_does_not_name_are_errors_by_the_letter)
{
    int out[LANES];
    struct capture capture;
    sim_set_checks("strict");
    capture_start(&capture);
    run_warp(read_outside, values, out);
    cr_expect(strstr(capture_end(&capture),
                     "========= Invalid arguments: a shuffle from a lane outside"));
    cr_expect_eq(sim_error_count(), 1);
}
