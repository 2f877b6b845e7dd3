/* rows_in_lanes.h - rows of floats in registers, and their distances: a group of lanes has some rows, and each of its
 * lanes some components of them. Given code of chapter 70.
 *
 * A warp loads its rows side by side, so that each sector of memory is asked for once, and hands each lane what it
 * needs through shared memory. Where `rows` and `each` are numbers that the compiler knows, all of it is in registers. */
#ifndef ROWS_IN_LANES_H
#define ROWS_IN_LANES_H

#include <stddef.h>

enum { LANES = 32, FOUR = 4, MOST_ROWS = 8, MOST_FLOATS = 64 };

/* Lane number `member` of a group has components member, member + group, ... of a row. */
struct in_lanes {
    unsigned int dimensions; // of a row: group x each at most
    unsigned int group;      // lanes: a power of two, up to LANES
    unsigned int
        rows; // that a group has at a time: FOUR, or up to MOST_ROWS where a lane is a group
    unsigned int each; // components of a row that a lane has: rows x each is MOST_FLOATS at most
};

/* What a lane has of the rows of its group: component number j of row r is x[r * each + j]. */
struct some_rows {
    float x[MOST_FLOATS];
};

/* Whether a lane needs what it loads: a row is `each` times as long as a warp. */
__host__ __device__ __forceinline__ static bool needs_no_exchange(const struct in_lanes *in)
{
    return in->group == LANES && in->dimensions == in->each * LANES;
}

/* Bytes of shared memory through which a thread exchanges rows. */
static inline size_t exchange_bytes(const struct in_lanes *in)
{
    return needs_no_exchange(in) ? 0 : in->rows * in->each * sizeof(float);
}

/* Loads the `count` rows at `from`: float number n of a lane is n x LANES behind its first one. Zeros stand for more
 * rows. */
__device__ __forceinline__ static struct some_rows load_rows(const struct in_lanes *in,
                                                             const float *from, unsigned int count)
{
    const unsigned int lane = threadIdx.x % LANES, floats = count * in->dimensions;
    struct some_rows loaded;
    if (floats == in->rows * in->each * LANES) { // without a test for each
#pragma unroll
        for (unsigned int n = 0; n < in->rows * in->each; n++)
            loaded.x[n] = from[n * LANES + lane];
        return loaded;
    }
#pragma unroll
    for (unsigned int n = 0; n < in->rows * in->each; n++)
        loaded.x[n] = n * LANES + lane < floats ? from[n * LANES + lane] : 0;
    return loaded;
}

/* Which of the rows that a warp has loaded is number r of this lane's group. */
__device__ __forceinline__ static unsigned int row_of_group(const struct in_lanes *in,
                                                            unsigned int r)
{
    return (r * LANES + threadIdx.x % LANES) / in->group;
}

/* Hands what the lanes of a warp have loaded to those that need it, through `exchange`, which is the warp's. All of
 * them call it together. */
__device__ __forceinline__ static struct some_rows
hand_out(const struct in_lanes *in, float *exchange, const struct some_rows *loaded)
{
    const unsigned int lane = threadIdx.x % LANES, member = lane % in->group;
    struct some_rows held;
    if (needs_no_exchange(in))
        return *loaded;
#pragma unroll
    for (unsigned int n = 0; n < in->rows * in->each; n++)
        exchange[n * LANES + lane] = loaded->x[n];
    __syncwarp(); // no lane may read a coordinate that another has yet to store
#pragma unroll
    for (unsigned int n = 0; n < in->rows * in->each; n++) {
        const unsigned int i = member + n % in->each * in->group;
        const unsigned int row = row_of_group(in, n / in->each);
        held.x[n] = i < in->dimensions ? exchange[row * in->dimensions + i] : 0;
    }
    __syncwarp(); // no lane may store a coordinate of the next rows while another still reads
    return held;
}

/* A row in shared memory has so many float4: one behind the other, for each lane of a group its first four
 * components; then for each lane its next four; behind the last component are zeros. */
__host__ __device__ __forceinline__ static unsigned int float4_of_row(const struct in_lanes *in)
{
    return (in->each + FOUR - 1) / FOUR * in->group;
}

/* Copies `count` rows to shared memory like this. All threads of the block call it together, and wait for each other
 * behind it. */
__device__ static void spread_rows(const struct in_lanes *in, const float *from, unsigned int count,
                                   float4 *to)
{
    const unsigned int pitch = float4_of_row(in);
    for (unsigned int n = threadIdx.x; n < count * pitch; n += blockDim.x) {
        const float *const row = from + (size_t)(n / pitch) * in->dimensions;
        float x[FOUR];
        for (unsigned int j = 0; j < FOUR; j++) {
            const unsigned int i = (n % pitch / in->group * FOUR + j) * in->group + n % in->group;
            x[j] = i < in->dimensions ? row[i] : 0;
        }
        to[n] = make_float4(x[0], x[1], x[2], x[3]);
    }
}

/* Of points and a centroid, which begins for this lane at `centroid`: the sums of squares of the components that the
 * lane has. */
__device__ __forceinline__ static void sum_squares(const struct in_lanes *in,
                                                   const struct some_rows *points,
                                                   const float4 *centroid, float sums[MOST_ROWS])
{
#pragma unroll
    for (unsigned int p = 0; p < in->rows; p++)
        sums[p] = 0;
#pragma unroll
    for (unsigned int j = 0; j < in->each; j += FOUR) {
        const float4 four = centroid[j / FOUR * in->group];
        const float x[FOUR] = {four.x, four.y, four.z, four.w};
#pragma unroll
        for (unsigned int k = 0; k < FOUR && j + k < in->each; k++)
#pragma unroll
            for (unsigned int p = 0; p < in->rows;
                 p++) { // the difference of two near floats is exact
                const float difference = points->x[p * in->each + j + k] - x[k];
                sums[p] += difference * difference;
            }
    }
}

/* Adds up what the lanes of a group have of four sums: each lane gets that of point member % FOUR. Lanes give away the
 * sums of other points, two and then one, before they add. All lanes of the warp call it together. */
__device__ __forceinline__ static float sum_of_group(const struct in_lanes *in,
                                                     const float sums[MOST_ROWS])
{
    const bool odd = threadIdx.x % 2, second = threadIdx.x / 2 % 2;
    const float low =
        (odd ? sums[1] : sums[0]) + __shfl_xor_sync(0xffffffffu, odd ? sums[0] : sums[1], 1);
    const float high =
        (odd ? sums[3] : sums[2]) + __shfl_xor_sync(0xffffffffu, odd ? sums[2] : sums[3], 1);
    float sum = (second ? high : low) + __shfl_xor_sync(0xffffffffu, second ? low : high, 2);
    for (unsigned int away = FOUR; away < in->group; away *= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, (int)away);
    return sum;
}

#endif
