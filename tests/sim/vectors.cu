/* vectors.cu - vector types: their sizes, and that a load or store of one is one
 * access of its whole size. */
#include <criterion/criterion.h>
#include <string.h>

#include "sim.h"

#define EXPECT_LAYOUT(TYPE, SIZE, ALIGNMENT)                                                       \
    static_assert(sizeof(TYPE) == SIZE && alignof(TYPE) == ALIGNMENT, #TYPE)

EXPECT_LAYOUT(char1, 1, 1);
EXPECT_LAYOUT(uchar2, 2, 2);
EXPECT_LAYOUT(uchar3, 3, 1);
EXPECT_LAYOUT(uchar4, 4, 4);
EXPECT_LAYOUT(short2, 4, 4);
EXPECT_LAYOUT(ushort3, 6, 2);
EXPECT_LAYOUT(short4, 8, 8);
EXPECT_LAYOUT(int2, 8, 8);
EXPECT_LAYOUT(uint3, 12, 4);
EXPECT_LAYOUT(uint4, 16, 16);
EXPECT_LAYOUT(long2, 16, 16);
EXPECT_LAYOUT(ulonglong2, 16, 16);
EXPECT_LAYOUT(longlong4, 32, 16);
EXPECT_LAYOUT(float2, 8, 8);
EXPECT_LAYOUT(float3, 12, 4);
EXPECT_LAYOUT(float4, 16, 16);
EXPECT_LAYOUT(double2, 16, 16);
EXPECT_LAYOUT(double3, 24, 8);
EXPECT_LAYOUT(dim3, 12, 4);

/* Kernels of the kinds that compilers like to take apart. */
template <typename V> __global__ static void copy(V *to, const V *from)
{
    to[threadIdx.x] = from[threadIdx.x];
}

template <typename V> __global__ static void use_elements(V *to, const V *from)
{
    V v = from[threadIdx.x];
    V swapped = v;
    swapped.x = v.y;
    swapped.y = v.x;
    to[threadIdx.x] = swapped;
}

template <typename V> __global__ static void change_one_element(V *to, const V *from)
{
    V v = from[threadIdx.x];
    v.x = v.y;
    to[threadIdx.x] = v;
}

template <typename V>
static void expect_one_access(void (*kernel)(V *, const V *), const char *name)
{
    V *memory;
    cudaMalloc(&memory, 64 * sizeof(V));
    cudaMemset(memory, 0, 64 * sizeof(V));
    sim_reset_counters();
    kernel<<<1, 32>>>(memory + 32, memory);
    struct sim_counters counters = sim_counters();
    cr_expect_eq(counters.global[SIM_LOAD].requests, 1, "%s of %zu bytes", name, sizeof(V));
    cr_expect_eq(counters.global[SIM_STORE].requests, 1, "%s of %zu bytes", name, sizeof(V));
    cr_expect_eq(counters.global[SIM_LOAD].sectors, sizeof(V), "%s of %zu bytes", name, sizeof(V));
    cr_expect_eq(counters.global[SIM_STORE].sectors, sizeof(V), "%s of %zu bytes", name, sizeof(V));
}

template <typename V> static void expect_one_access_however_used()
{
    expect_one_access<V>(copy<V>, "copy");
    expect_one_access<V>(use_elements<V>, "use_elements");
    expect_one_access<V>(change_one_element<V>, "change_one_element");
}

Test(vectors, are_loaded_and_stored_whole)
{
    expect_one_access_however_used<uchar2>();
    expect_one_access_however_used<uchar4>();
    expect_one_access_however_used<ushort2>();
    expect_one_access_however_used<short4>();
    expect_one_access_however_used<int2>();
    expect_one_access_however_used<uint4>();
    expect_one_access_however_used<float2>();
    expect_one_access_however_used<float4>();
    expect_one_access_however_used<double2>();
    expect_one_access_however_used<ulonglong2>();
}

template <typename V> __global__ static void add_elements(const V *from, long long *sum)
{
    V v = from[threadIdx.x];
    sum[threadIdx.x] = (long long)v.x + (long long)v.y;
}

template <typename V> static void expect_one_load()
{
    V *memory;
    long long *sum;
    cudaMalloc(&memory, 32 * sizeof(V));
    cudaMalloc(&sum, 32 * sizeof *sum);
    cudaMemset(memory, 0, 32 * sizeof(V));
    sim_reset_counters();
    add_elements<V><<<1, 32>>>(memory, sum);
    cr_expect_eq(sim_counters().global[SIM_LOAD].requests, 1, "%zu bytes", sizeof(V));
    cr_expect_eq(sim_counters().global[SIM_LOAD].sectors, sizeof(V), "%zu bytes", sizeof(V));
}

Test(vectors, are_loaded_whole_when_their_elements_are_added)
{
    expect_one_load<uchar2>();
    expect_one_load<uchar4>();
    expect_one_load<short2>();
    expect_one_load<ushort4>();
    expect_one_load<uint2>();
    expect_one_load<int4>();
    expect_one_load<float4>();
    expect_one_load<longlong2>();
    expect_one_load<double2>();
}

/* A pointer in a structure that is a parameter tells how its elements lie, as one does that is a parameter itself:
 * the two members of an element are one load. */
struct pair {
    unsigned int key, value;
} __attribute__((aligned(8)));

struct alone {
    const pair *from;
};
struct behind {
    char kind;
    size_t length;
    void *any;
    unsigned int *const __restrict__ to;
    const volatile double *const weights;
    bool last;
    const pair *const __restrict__ from;
};
struct of_more_members {
    int a, b, c, d, e, f, g, h;
    const pair *from;
};
struct with_an_array {
    const pair *from;
    int extents[3];
};
struct with_a_structure {
    pair first;
    const pair *from;
};
struct with_a_union {
    union {
        int whole;
        float real;
    };
    const pair *from;
};
struct with_a_class {
    const pair *from;
    dim3 extents;
};
struct with_bits {
    unsigned int a : 3, b : 4, c : 5;
    const pair *from;
};
struct derived : alone {
    int more;
};
struct by_itself {
    const pair *from;
    explicit by_itself(const pair *place) : from(place)
    {
    }
};

template <typename S> __global__ static void add_pairs(S parameter, unsigned int *sum)
{
    sum[threadIdx.x] = parameter.from[threadIdx.x].key + parameter.from[threadIdx.x].value;
}

template <typename S> static void expect_loads(S parameter, unsigned int requests)
{
    unsigned int *sum;
    cudaMalloc(&sum, 32 * sizeof *sum);
    sim_reset_counters();
    add_pairs<<<1, 32>>>(parameter, sum);
    cr_expect_eq(sim_counters().global[SIM_LOAD].requests, requests, "%zu bytes", sizeof(S));
}

Test(vectors, are_known_by_a_pointer_in_a_structure)
{
    pair *pairs;
    cudaMalloc(&pairs, 32 * sizeof *pairs);
    cudaMemset(pairs, 0, 32 * sizeof *pairs);
    expect_loads(alone{pairs}, 1);
    expect_loads(behind{1, 2, pairs, nullptr, nullptr, true, pairs}, 1);
    /* Of these nothing is known; they are structures all the same. */
    expect_loads(of_more_members{1, 2, 3, 4, 5, 6, 7, 8, pairs}, 2);
    expect_loads(with_an_array{pairs, {}}, 2);
    expect_loads(with_a_structure{{}, pairs}, 2);
    expect_loads(with_a_union{{1}, pairs}, 2);
    expect_loads(with_a_class{pairs, dim3(1)}, 2);
    expect_loads(with_bits{1, 2, 3, pairs}, 2);
    expect_loads(derived{{pairs}, 1}, 2);
    expect_loads(by_itself(pairs), 2);
}

/* Of a variable its own type tells it, and not where it lies: as the card has it in chapters 44 and 45, where one
 * thread stores the two floats of a partial result at once (docs/results/h200/cells.csv). */
struct separate {
    unsigned int key, value;
};
__device__ static pair own_pairs[32];
__device__ static separate own_separate[32];
namespace within
{
__device__ pair pairs[32], more[32];
}

__global__ static void store_in_variables(unsigned int key)
{
    own_pairs[blockIdx.x].key = key;
    own_pairs[blockIdx.x].value = key + 1;
    within::pairs[blockIdx.x].key = key;
    within::pairs[blockIdx.x].value = key;
}

__global__ static void store_separate(unsigned int key)
{
    own_separate[blockIdx.x].key = key;
    own_separate[blockIdx.x].value = key;
}

Test(vectors, are_known_by_the_type_of_a_variable)
{
    sim_reset_counters();
    store_in_variables<<<3, 1>>>(5);
    cr_expect_eq(sim_counters().global[SIM_STORE].requests, 3 * 2);
    sim_reset_counters();
    store_separate<<<3, 1>>>(5);
    cr_expect_eq(sim_counters().global[SIM_STORE].requests, 3 * 2);
}

/* Text read 16 characters at a time, the way that fast kernels do it. */
__global__ static void sum_bytes(const unsigned char *text, unsigned int *sum)
{
    uint4 v = reinterpret_cast<const uint4 *>(text)[threadIdx.x];
    const unsigned char *byte = reinterpret_cast<const unsigned char *>(&v);
    unsigned int total = 0;
    for (int i = 0; i < 16; i++)
        total += byte[i];
    sum[threadIdx.x] = total;
}

Test(vectors, give_access_to_their_bytes)
{
    unsigned char text[512];
    unsigned char *device_text;
    unsigned int sum[32], *device_sum;
    for (int i = 0; i < 512; i++)
        text[i] = (unsigned char)(i * 31);
    cudaMalloc(&device_text, sizeof text);
    cudaMalloc(&device_sum, sizeof sum);
    cudaMemcpy(device_text, text, sizeof text, cudaMemcpyHostToDevice);
    sim_reset_counters();
    sum_bytes<<<1, 32>>>(device_text, device_sum);
    cr_expect_eq(sim_counters().global[SIM_LOAD].requests, 1);
    cudaMemcpy(sum, device_sum, sizeof sum, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 32; i++) {
        unsigned int total = 0;
        for (int k = 0; k < 16; k++)
            total += text[16 * i + k];
        cr_assert_eq(sum[i], total);
    }
}

Test(vectors, can_be_written_as_lists_and_made_by_functions)
{
    const float4 a = {1, 2, 3, 4}, b = make_float4(1, 2, 3, 4);
    cr_expect_eq(memcmp(&a, &b, sizeof a), 0);
    float4 zero = {}, list[2] = {{1, 2, 3, 4}, {5, 6, 7, 8}};
    cr_expect_eq(zero.w, 0.0f);
    cr_expect_eq(list[1].y, 6.0f);
    union {
        uint4 whole;
        unsigned char byte[16];
    } both;
    both.whole = make_uint4(0x04030201u, 0, 0, 0x80000000u);
    cr_expect_eq(both.byte[2], 3);
    cr_expect_eq(both.byte[15], 0x80);
    const uchar4 pixel = make_uchar4(1, 2, 3, 255);
    cr_expect_eq(pixel.w, 255);
}

Test(vectors, shapes_default_to_1)
{
    const dim3 plain, line(7), plane(7, 8);
    cr_expect(plain.x == 1 && plain.y == 1 && plain.z == 1);
    cr_expect(line.x == 7 && line.y == 1 && line.z == 1);
    cr_expect(plane.x == 7 && plane.y == 8 && plane.z == 1);
    const uint3 back = plane;
    cr_expect(back.x == 7 && back.z == 1);
}

/* Three small elements go through functions by value. clang passes a plain structure of 3 or 6
 * bytes as one integer, and its stores are not seen then. */
__device__ static uchar3 darker(uchar3 color)
{
    return make_uchar3(color.x / 2, color.y / 2, color.z / 2);
}

__device__ static ushort3 turned(ushort3 v)
{
    return ushort3{v.z, v.x, v.y};
}

__global__ static void pass_by_value(uchar3 *colors, ushort3 *vectors)
{
    __shared__ uchar3 row[32];
    unsigned int i = threadIdx.x;
    row[i] = darker(make_uchar3(200, 100, (unsigned char)i));
    vectors[i] = turned(make_ushort3(1, 2, 3));
    vectors[i] = turned(vectors[i]);
    __syncthreads();
    colors[i] = darker(row[31 - i]);
}

Test(vectors, of_three_small_elements_are_seen_when_passed_by_value)
{
    uchar3 *colors, color;
    ushort3 *vectors, vector;
    cudaMalloc(&colors, 32 * sizeof color);
    cudaMalloc(&vectors, 32 * sizeof vector);
    pass_by_value<<<1, 32>>>(colors, vectors);
    cudaMemcpy(&color, colors + 1, sizeof color, cudaMemcpyDeviceToHost);
    cudaMemcpy(&vector, vectors, sizeof vector, cudaMemcpyDeviceToHost);
    cr_expect(color.x == 50 && color.y == 25 && color.z == 7);
    cr_expect(vector.x == 2 && vector.y == 3 && vector.z == 1);
    cr_expect_eq(sim_error_count(), 0);
}
