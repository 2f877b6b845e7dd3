/* checks.cu - memcheck, initcheck, synccheck, the borders of racecheck, and what
 * the reader sees. */
#include "race_programs.h"

#include <cuda/atomic>
#include <cuda_pipeline.h>
#include <stdlib.h>

enum { COUNT = 64 };

/* Bounds, and memory that is gone */

__global__ static void store_at(int *array, int i)
{
    array[i] = 1;
}

__global__ static void store_beside(int i)
{
    __shared__ int first[8];
    __shared__ int second[8];
    first[i] = 1;
    second[0] = 2;
}

/* The compiler knows how many bytes these are. */
__global__ static void copy_bytes(char *to, const char *from, int bug)
{
    if (bug == 6)
        memset(to + COUNT * sizeof(int) - 31, 0, 32);
    if (bug == 7)
        memcpy(to, from + COUNT * sizeof(int) - 63, 64);
}

static void bounds(int bug)
{
    int *array = filled<int>(COUNT, 0), host[COUNT];
    if (bug == 3)
        cudaFree(array);
    if (bug == 5)
        store_beside<<<1, 1>>>(8);
    else if (bug > 5)
        copy_bytes<<<1, 1>>>((char *)array, (const char *)array, bug);
    else
        store_at<<<1, 1>>>(bug == 4 ? host : array, bug == 1 ? COUNT : bug == 2 ? -1 : 0);
    cudaDeviceSynchronize();
}

static void frees(int bug)
{
    int *array = filled<int>(COUNT, 0);
    cudaFree(array);
    if (bug)
        cudaFree(array);
}

Test(checks, memcheck_names_what_is_out_of_bounds)
{
    CLEAN(bounds);
    BUG(bounds, 1, "array[64], and array has 64 elements");
    BUG(bounds, 2, "array[-1], and array has 64 elements");
    BUG(bounds, 3, "was freed at");
    BUG(bounds, 4, "host memory");
    BUG(bounds, 5, "first[8], and first has 8 elements");
    BUG(bounds, 6, "Invalid __global__ write");
    BUG(bounds, 7, "Invalid __global__ read");
    CLEAN(frees);
    BUG(frees, 1, "Invalid (double) free");
}

/* A structure of more than 16 bytes that goes by value to a function that stays one is read for the call. */
struct row {
    int values[8];
};

__noinline__ __device__ static int total_of(row given)
{
    int total = 0;
    for (int value : given.values)
        total += value;
    return total;
}

__device__ static int descend(row given, int depth)
{
    return depth ? given.values[depth & 7] + descend(given, depth - 1) : 0;
}

struct summed {
    __device__ virtual int of(row given) const
    {
        return total_of(given);
    }
};

__global__ static void pass_rows(row *rows, int *totals, int bug, int how)
{
    const unsigned int i = threadIdx.x, other = bug == 2 ? (i + 33) % COUNT : i + (bug == 1);
    int (*pointed)(row) = i < COUNT ? total_of : NULL;
    summed by_table;
    const summed *object = &by_table;
    rows[i].values[0] = 1;
    switch (how) {
    case 0:
        totals[i] = total_of(rows[other]);
        break;
    case 1:
        totals[i] = descend(rows[other], 3);
        break;
    case 2:
        totals[i] = pointed(rows[other]);
        break;
    default:
        totals[i] = object->of(rows[other]);
    }
}

static int passed_how;

static void by_value(int bug)
{
    row *rows = unfilled<row>(COUNT);
    cudaMemset(rows, 0, bug == 3 ? sizeof(row) : COUNT * sizeof(row));
    pass_rows<<<1, COUNT>>>(rows, unfilled<int>(COUNT), bug, passed_how);
    cudaDeviceSynchronize();
}

Test(checks, see_structures_that_go_by_value)
{
    for (passed_how = 0; passed_how < 4; passed_how++) {
        CLEAN(by_value);
        BUG(by_value, 1, "rows[64], and rows has 64 elements");
        BUG(by_value, 2, "Race");
        BUG(by_value, 3, "Uninitialized");
        BUG(by_value, 1, "at pass_rows"); // the line of the call, not that of the structure
    }
}

/* What ends a thread on this machine, and goes on on a GPU */

__global__ static void divide(int *out, int divisor)
{
    out[threadIdx.x] = 100 / (divisor - (int)threadIdx.x);
}

__device__ static int deep(int depth, int *out)
{
    int local[64];
    for (int i = 0; i < 64; i++)
        local[i] = depth + i;
    out[depth % 32] = local[depth % 64];
    return depth == 0 ? 0 : 1 + deep(depth - 1, out) + local[(depth * 7) % 64];
}

__global__ static void descend(int *out, int depth)
{
    out[32 * threadIdx.x] = deep(depth, out + 32 * threadIdx.x);
}

/* Through a pointer no index is known, and the array's neighbor is overwritten. */
__global__ static void fill_local(int *out, int number)
{
    int own[8];
    int *volatile place = own;
    for (int i = 0; i < number; i++)
        place[i] = i;
    out[threadIdx.x] = own[number / 2];
}

/* The others read what lies on the stack of thread 0. */
__global__ static void borrow_local(int *out, bool borrows)
{
    __shared__ int *lent;
    int own = (int)threadIdx.x;
    if (threadIdx.x == 0)
        lent = &own;
    __syncthreads();
    out[threadIdx.x] = borrows ? *lent : own;
    __syncthreads();
    out[threadIdx.x] += own;
}

static void endings(int bug)
{
    int *array = filled<int>(1024, 0);
    divide<<<1, 32>>>(array, bug == 1 ? 5 : 32);
    descend<<<1, bug == 3 ? 32 : 1>>>(array, bug == 2 || bug == 3 ? 1000000 : 100);
    fill_local<<<1, 32>>>(array, bug == 4 ? 11 : 8);
    borrow_local<<<1, 64>>>(array, bug == 5);
    cudaDeviceSynchronize();
}

Test(checks, names_what_a_processor_cannot_do)
{
    CLEAN(endings);
#ifdef __x86_64__ /* others divide by 0 without a word */
    BUG(endings, 1, "Integer division by zero");
#endif
    BUG(endings, 2, "the thread's stack is full");
    BUG(endings, 3, "the thread's stack is full");
    BUG(endings, 4, "Invalid __local__ write beyond the end of an array");
    BUG(endings, 5, "local memory of another thread");
}

/* An index of an array of a thread's own */

struct words {
    int word[4];
    int last;
};

__global__ static void index_local(int *out, int row, int column)
{
    int own[8] = {0}, table[2][4] = {{0}};
    struct words mine = {{0}, 0};
    __shared__ int rows[2][8];
    const int t = (int)threadIdx.x;
    for (int k = 0; k < 8; k++)
        own[k] = table[k / 4][k % 4] = t + k;
    if (row == 0)
        rows[0][t] = t; /* 16 threads: an index may leave a row of what is shared */
    if (row == 1)
        out[t] = own[column];
    if (row == 2)
        table[1][column] = t;
    if (row == 3)
        table[column][0]++;
    if (row == 4)
        mine.word[column] = t;
    const int *end = &own[8]; /* no access */
    out[t] += end[-1] + table[1][3] + mine.word[3] + mine.last;
}

static void indexes(int bug)
{
    int *array = filled<int>(16, 0);
    const int column = bug == 2 ? -1 : bug == 4 ? 2 : bug == 3 || bug == 5 ? 4 : 8;
    index_local<<<1, 16>>>(array, bug == 0 ? 0 : bug < 3 ? 1 : bug - 1, column);
    cudaDeviceSynchronize();
}

/* Catches reads of what is nobody's, and writes that stay within the next 16 bytes. */
Test(checks, compares_the_index_of_a_local_array)
{
    CLEAN(indexes);
#ifndef __clang__ /* with which only pointers' rule is there: kernel_flags.sh */
    BUG(indexes, 1, "own[8], and own has 8 elements");
    BUG(indexes, 2, "own[-1], and own has 8 elements");
    BUG(indexes, 3, "table[1][4], and table[1] has 4 elements");
    BUG(indexes, 4, "table[2], and table has 2 elements");
    BUG(indexes, 5, "mine.word[4], and mine.word has 4 elements");
#endif
}

/* Memory that nobody has set */

struct pair {
    char kind;
    int value;
};

__global__ static void read_some(const int *array, pair *pairs, int *out, int bug)
{
    __shared__ int part[COUNT];
    extern __shared__ int dynamic[];
    int t = (int)threadIdx.x;
    part[t] = t;
    dynamic[t] = t;
    pairs[t].kind = 1;
    pairs[t].value = 2;
    pairs[COUNT + t] = pairs[t]; /* copies the padding, too */
    __syncthreads();
    out[t] = array[t] + part[t];
    if (bug == 2)
        out[t] += dynamic[t + COUNT];
}

static void initialized(int bug)
{
    int *array = unfilled<int>(COUNT);
    cudaMemset(array, 0, bug == 1 ? 4 * COUNT - 1 : 4 * COUNT);
    read_some<<<1, COUNT, 8 * COUNT>>>(array, unfilled<pair>(2 * COUNT), unfilled<int>(COUNT), bug);
    cudaDeviceSynchronize();
}

/* A copy on the device takes what is missing along. */
static void copied(int bug)
{
    int *from = unfilled<int>(COUNT), *to = unfilled<int>(COUNT);
    cudaMemset(from, 0, 4 * COUNT - 4 * (bug != 0));
    cudaMemcpy(to, from, 4 * COUNT, cudaMemcpyDeviceToDevice);
    read_some<<<1, COUNT, 8 * COUNT>>>(to, unfilled<pair>(2 * COUNT), unfilled<int>(COUNT), 0);
    cudaDeviceSynchronize();
}

Test(checks, initcheck_finds_bytes_that_nothing_wrote)
{
    CLEAN(initialized);
    BUG(initialized, 1, "byte 3 of array[63]");
    BUG(initialized, 2, "nothing has written dynamic[");
    CLEAN(copied);
    BUG(copied, 1, "array[63]");
}

/* Copies that a thread begins and waits for later: of two stages the next is under way while one is read. Bug 1 waits
 * for the one before, bug 2 commits nothing, bug 3 lets others read what they have not waited for. */
__global__ static void staged_copies(const int *from, int *to, int rounds, int bug)
{
    __shared__ int stage[2][COUNT];
    const int t = (int)threadIdx.x, other = bug == 3 ? COUNT - 1 - t : t;
    __pipeline_memcpy_async(&stage[0][t], &from[t], sizeof(int));
    if (bug != 2)
        __pipeline_commit();
    for (int round = 0; round < rounds; round++) {
        if (round + 1 < rounds)
            __pipeline_memcpy_async(&stage[(round + 1) % 2][t], &from[(round + 1) * COUNT + t],
                                    sizeof(int));
        if (bug != 2)
            __pipeline_commit();
        if (bug != 3)
            __pipeline_wait_prior(bug == 1 ? 2 : 1);
        __syncthreads();
        to[round * COUNT + t] = stage[round % 2][other];
        __syncthreads();
    }
}

static void begun(int bug)
{
    enum { ROUNDS = 4 };
    staged_copies<<<1, COUNT>>>(filled<int>(ROUNDS * COUNT, 1), unfilled<int>(ROUNDS * COUNT),
                                ROUNDS, bug);
    cudaDeviceSynchronize();
}

Test(checks, initcheck_finds_copies_that_nobody_waited_for)
{
    CLEAN(begun);
    BUG(begun, 1, "a thread has begun to copy stage[0][");
    BUG(begun, 2, "a thread has begun to copy stage[0][");
    BUG(begun, 3, "Asynchronous copy read too early");
}

/* Barriers and masks */

#define MEET_IF(condition)                                                                         \
    if (condition)                                                                                 \
        __syncthreads();                                                                           \
    else                                                                                           \
        __syncthreads()

__device__ static void store_and_meet(int *out, int value)
{
    out[threadIdx.x] = value;
    __syncthreads();
}

__global__ static void meet(int *out, int bug)
{
    int t = (int)threadIdx.x, value = t;
    if (bug == 1 && t >= 40)
        return;
    if (bug == 2 && t < 32)
        __syncthreads();
    else
        __syncthreads();
    if (bug == 3 && t % 32 >= 16)
        return;
    if (bug == 4) {
        if (t % 32 < 8)
            value = __shfl_sync(0xffffff00u, value, 9);
    } else {
        value = __shfl_sync(0xffffffffu, value, 0);
    }
    if (bug == 5) {
        if (t % 32 < 16)
            __syncwarp();
        else
            __syncthreads();
    }
    if (bug == 6) /* one mask, two intrinsics */
        value = t % 32 < 16 ? __any_sync(0xffffffffu, value) : __all_sync(0xffffffffu, value);
    if (bug == 7) /* one intrinsic, two masks that name each other */
        value = __any_sync(t % 32 < 16 ? 0xffffffffu : 0xffff8000u, value);
    if (bug == 8) { /* two barriers in one line */
        MEET_IF(t < 32);
    }
    if (bug == 9 && t < 32) /* one, in a function that two branches call */
        store_and_meet(out, 1);
    else
        store_and_meet(out, 2);
    out[t] = value;
}

static void meetings(int bug)
{
    meet<<<1, COUNT>>>(unfilled<int>(COUNT), bug);
    cudaDeviceSynchronize();
}

Test(checks, synccheck_finds_who_does_not_come)
{
    CLEAN(meetings);
    BUG(meetings, 1, "24 of the block's 64 threads have returned");
    BUG(meetings, 2, "other threads of the block wait at the barrier in");
    BUG(meetings, 3, "32 of the block's 64 threads have returned");
    BUG(meetings, 4, "does not name the calling thread");
    BUG(meetings, 5, "names lane 16 of the warp, which waits at __syncthreads in");
    BUG(meetings, 6, "names lane 16 of the warp, which waits at a warp intrinsic in");
    BUG(meetings, 7, "with the mask 0xffff8000");
    BUG(meetings, 8, "have come to a barrier of this line by another branch");
    BUG(meetings, 9, "have come to a barrier of this line by another branch");
}

/* The borders of racecheck */

__device__ static void add(double *sum, double value)
{
    unsigned long long *bits = (unsigned long long *)sum, old = *bits, assumed;
    do {
        assumed = old;
        old = atomicCAS(bits, assumed,
                        (unsigned long long)__double_as_longlong(
                            value + __longlong_as_double((long long)assumed)));
    } while (old != assumed);
}

__global__ static void add_by_swapping(double *sum, int *level, int bug)
{
    int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    add(sum, 1.0);
    add(sum, 2.0);
    for (int i = 0; bug == 1 && i < 4; i++) /* a guard is no loop around atomicCAS */
        if (level[(t + i) % 32] == 0)
            atomicCAS(&level[(t + i) % 32], 0, 1);
    if (bug == 2)
        *sum += 1;
}

static void swaps(int bug)
{
    add_by_swapping<<<2, COUNT>>>(filled<double>(1, 0), filled<int>(32, 0), bug);
    cudaDeviceSynchronize();
}

Test(checks, racecheck_knows_a_loop_around_atomic_cas)
{
    CLEAN(swaps);
    BUG(swaps, 1, "hazard");
    BUG(swaps, 2, "hazard");
}

/* The lanes that hold no new maximum never come to the atomicCAS. In the first launch
 * nobody does. */
__device__ static void raise(float *most, float value)
{
    int *bits = (int *)most, old = *bits;
    while (__int_as_float(old) < value) {
        int seen = atomicCAS(bits, old, __float_as_int(value));
        if (seen == old)
            return;
        old = seen;
    }
}

__device__ static void lower(unsigned short *least, unsigned short value)
{
    unsigned short old = *least, assumed;
    do {
        assumed = old;
        old = atomicCAS(least, assumed, assumed < value ? assumed : value);
    } while (old != assumed);
}

__global__ static void find_extremes(float *most, unsigned short *least, int scale, int bug)
{
    int t = (int)(blockIdx.x * blockDim.x + threadIdx.x);
    float value = (float)(t % 7 * scale);
    if (bug != 1 || *most < value) /* a guard: its load races */
        raise(most, value);
    lower(&least[t % 3], (unsigned short)(t % 5));
    if (bug == 2)
        *most = value;
}

static void extremes(int bug)
{
    float *most = filled<float>(1, 0);
    unsigned short *least = filled<unsigned short>(4, 0xff);
    for (int scale = 0; scale < 3; scale++)
        find_extremes<<<3, COUNT>>>(most, least, scale, bug);
    cudaDeviceSynchronize();
}

Test(checks, racecheck_knows_lanes_that_leave_such_a_loop_at_once)
{
    CLEAN(extremes);
    BUG(extremes, 1, "hazard");
    BUG(extremes, 2, "hazard");
}

/* A message, and the orders of the flag that hands it over. */
template <cuda::memory_order Store, cuda::memory_order Load>
__global__ static void hand_over(int *message, cuda::atomic<int> *flag, bool fences)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        message[0] = 1;
        if (fences)
            cuda::atomic_thread_fence(cuda::memory_order_release);
        flag->store(1, Store);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (flag->load(Load) == 0) {
        }
        if (fences)
            cuda::atomic_thread_fence(cuda::memory_order_acquire);
        message[1] = message[0];
    }
}

static void orders(int bug)
{
    using namespace cuda;
    int *message = unfilled<int>(2);
    atomic<int> *flags = filled<atomic<int>>(4, 0);
    hand_over<memory_order_release, memory_order_acquire><<<2, 1>>>(message, flags, false);
    hand_over<memory_order_relaxed, memory_order_relaxed><<<2, 1>>>(message, flags + 1, true);
    hand_over<memory_order_seq_cst, memory_order_seq_cst><<<2, 1>>>(message, flags + 2, false);
    if (bug == 1)
        hand_over<memory_order_relaxed, memory_order_acquire><<<2, 1>>>(message, flags + 3, false);
    if (bug == 2)
        hand_over<memory_order_release, memory_order_relaxed><<<2, 1>>>(message, flags + 3, false);
    cudaDeviceSynchronize();
}

Test(checks, racecheck_knows_memory_orders)
{
    CLEAN(orders);
    BUG(orders, 1, "RAW hazard");
    BUG(orders, 2, "RAW hazard");
}

/* No kernel reads what is stored here; the host might, so the stores and the loads that
 * feed them are made all the same. */
__device__ int last_seen;
__device__ static unsigned int handed_over;

__global__ static void look_once(int *data, int bug)
{
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        data[0] = 1;
        if (bug != 1)
            __threadfence();
        atomicExch(&handed_over, 1);
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (atomicAdd(&handed_over, 0) == 0) {
        }
        last_seen = data[bug == 2];
    }
}

static void looks(int bug)
{
    unsigned int zero = 0;
    cudaMemcpyToSymbol(handed_over, &zero, sizeof zero);
    look_once<<<2, 1>>>(unfilled<int>(2), bug);
    cudaDeviceSynchronize();
}

Test(checks, see_what_is_stored_only_for_the_host)
{
    CLEAN(looks);
    BUG(looks, 1, "RAW hazard");
    BUG(looks, 2, "Uninitialized");
}

__global__ static void store_a_flag(int *flag, int same)
{
    *flag = same ? 1 : (int)threadIdx.x;
}

static const char *flag_report(int same, unsigned long long *errors)
{
    static struct capture capture;
    sim_set_checks("all");
    capture_start(&capture);
    store_a_flag<<<2, COUNT>>>(unfilled<int>(1), same);
    *errors = sim_error_count();
    sim_reset_errors();
    return capture_end(&capture);
}

Test(checks, racecheck_warns_of_the_same_value)
{
    unsigned long long errors;
    const char *text = flag_report(1, &errors);
    cr_expect_eq(errors, 0);
    EXPECT_PRINTED(text, "Warning: Race reported: two threads write the same value to flag[0]");
    text = flag_report(0, &errors);
    cr_expect_gt(errors, 0);
    EXPECT_PRINTED(text, "Error: Race reported: two threads write flag[0]");
}

Test(checks, tell_each_bug_once_and_count_the_rest)
{
    unsigned long long errors;
    const char *text = flag_report(0, &errors), *first = strstr(text, "Race reported");
    cr_expect_eq(errors, 1);
    cr_assert_not_null(first);
    cr_expect_null(strstr(first + 1, "Race reported"));
}

Test(checks, can_be_switched_off)
{
    unsigned long long errors;
    sim_set_checks("none");
    store_a_flag<<<2, COUNT>>>(unfilled<int>(1), 0);
    errors = sim_error_count();
    cr_expect_eq(errors, 0);
}

Test(checks, explain_shows_a_race_step_by_step)
{
    char story[2048] = "";
    struct capture capture;
    capture_start(&capture);
    sim_set_checks("racecheck");
    sim_explain_start();
    swaps(2);
    FILE *out = fmemopen(story, sizeof story, "w");
    cr_expect_eq(sim_explain(out), 1);
    fclose(out);
    sim_reset_errors();
    capture_end(&capture);
    EXPECT_PRINTED(story, "A race on sum[0]");
    EXPECT_PRINTED(story, "adds:");
    EXPECT_PRINTED(story, "reads");
    const char *one = strstr(story, " * "), *other = one ? strstr(one + 1, " * ") : NULL;
    cr_expect(other && !strstr(other + 1, " * "), "both racing accesses are marked:\n%s", story);
}
