/* intrinsics.cu - integer, SIMD-in-a-word and float functions of kernels, against
 * what their definitions say, worked out another way. They serve the host, too, so
 * most are called from here. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdint.h>

/* Words with many edge cases among their bytes and halfwords. */
static uint32_t next_word(uint32_t *state)
{
    static const unsigned char edges[] = {0, 1, 0x7f, 0x80, 0xff, 0xfe, 0x81, 0x40};
    uint32_t word = 0;
    for (int i = 0; i < 4; i++) {
        *state = *state * 1664525u + 1013904223u;
        uint32_t random = *state >> 16;
        word = word << 8 | (random & 0x100 ? edges[random & 7] : random & 0xff);
    }
    return word;
}

enum { TRIALS = 3000 };

Test(intrinsics, count_bits)
{
    uint32_t state = 1;
    for (int trial = 0; trial < TRIALS; trial++) {
        uint32_t x = next_word(&state);
        unsigned long long y = (unsigned long long)next_word(&state) << 32 | x;
        int ones = 0, ones64 = 0, first = 0, first64 = 0, zeros = 0, zeros64 = 0;
        uint32_t reversed = 0;
        unsigned long long reversed64 = 0;
        for (int i = 0; i < 64; i++) {
            int bit = (int)(y >> i & 1);
            ones64 += bit;
            first64 = bit && !first64 ? i + 1 : first64;
            zeros64 = bit ? 63 - i : zeros64;
            reversed64 = reversed64 << 1 | (unsigned long long)bit;
            if (i >= 32)
                continue;
            ones += bit;
            first = bit && !first ? i + 1 : first;
            zeros = bit ? 31 - i : zeros;
            reversed = reversed << 1 | (uint32_t)bit;
        }
        cr_assert_eq(__popc(x), ones);
        cr_assert_eq(__popcll(y), ones64);
        cr_assert_eq(__ffs((int)x), first);
        cr_assert_eq(__ffsll((long long)y), first64);
        cr_assert_eq(__clz((int)x), x ? zeros : 32);
        cr_assert_eq(__clzll((long long)y), y ? zeros64 : 64);
        cr_assert_eq(__brev(x), reversed);
        cr_assert_eq(__brevll(y), reversed64);
    }
    cr_expect_eq(__clz(0), 32);
    cr_expect_eq(__ffs(0), 0);
}

Test(intrinsics, find_the_nth_set_bit)
{
    cr_expect_eq(__fns(0x58u, 0, 1), 3);
    cr_expect_eq(__fns(0x58u, 0, 3), 6);
    cr_expect_eq(__fns(0x58u, 4, 2), 6);
    cr_expect_eq(__fns(0x58u, 6, -2), 4);
    cr_expect_eq(__fns(0x58u, 4, 0), 4);
    cr_expect_eq(__fns(0x58u, 5, 0), 0xffffffffu);
    cr_expect_eq(__fns(0x58u, 0, 4), 0xffffffffu);
}

Test(intrinsics, pick_and_shift_bytes)
{
    cr_expect_eq(__byte_perm(0x33221100u, 0x77665544u, 0x7531), 0x77553311u);
    cr_expect_eq(__byte_perm(0x33221100u, 0x77665544u, 0x0123), 0x00112233u);
    cr_expect_eq(__byte_perm(0x33221100u, 0x77665544u, 0x4444), 0x44444444u);
    cr_expect_eq(__funnelshift_l(0x89abcdefu, 0x01234567u, 8), 0x23456789u);
    cr_expect_eq(__funnelshift_r(0x89abcdefu, 0x01234567u, 8), 0x6789abcdu);
    cr_expect_eq(__funnelshift_l(1u, 2u, 32), 2u);
    cr_expect_eq(__funnelshift_lc(1u, 2u, 32), 1u);
    cr_expect_eq(__funnelshift_rc(1u, 2u, 40), 2u);
    cr_expect_eq(__funnelshift_r(1u, 2u, 32), 1u);
}

Test(intrinsics, multiply)
{
    cr_expect_eq(__umul24(0xff000003u, 0xff000005u), 15u);
    cr_expect_eq(__mul24(-3, 5), -15);
    cr_expect_eq(__mul24(0x00ffffff, 2), -2);
    cr_expect_eq(__umulhi(0x80000000u, 6u), 3u);
    cr_expect_eq(__mulhi(-1, 1), -1);
    cr_expect_eq(__umul64hi(1ull << 63, 6), 3);
    cr_expect_eq(__mul64hi(-1, 5), -1);
    cr_expect_eq(__sad(-5, 7, 100u), 112u);
    cr_expect_eq(__usad(7u, 5u, 1u), 3u);
    cr_expect_eq(__sad(INT_MIN, INT_MAX, 0u), 0xffffffffu);
    cr_expect_eq(__hadd(-3, 0), -2);
    cr_expect_eq(__rhadd(-3, 0), -1);
    cr_expect_eq(__uhadd(0xffffffffu, 0xfffffffdu), 0xfffffffeu);
    cr_expect_eq(__urhadd(0xffffffffu, 0xfffffffeu), 0xffffffffu);
}

Test(intrinsics, sum_products_of_bytes)
{
    int8_t a[4] = {-128, 127, -1, 3}, b[4] = {-128, 2, 100, -7};
    uint8_t c[4] = {255, 1, 2, 200}, d[4] = {255, 7, 0, 200};
    int signed_sum = 10, halves = 0;
    unsigned int unsigned_sum = 10, word[4];
    memcpy(&word[0], a, 4), memcpy(&word[1], b, 4), memcpy(&word[2], c, 4), memcpy(&word[3], d, 4);
    for (int i = 0; i < 4; i++) {
        signed_sum += a[i] * b[i];
        unsigned_sum += (unsigned int)c[i] * d[i];
    }
    cr_expect_eq(__dp4a((int)word[0], (int)word[1], 10), signed_sum);
    cr_expect_eq(__dp4a(word[2], word[3], 10u), unsigned_sum);
    cr_expect_eq(__dp4a(make_char4(-128, 127, -1, 3), make_char4(-128, 2, 100, -7), 10),
                 signed_sum);
    cr_expect_eq(__dp4a(make_uchar4(255, 1, 2, 200), make_uchar4(255, 7, 0, 200), 10u),
                 unsigned_sum);
    int16_t pair[2] = {-30000, 5};
    memcpy(&halves, pair, 4);
    cr_expect_eq(__dp2a_lo(halves, (int)word[1], 1), -30000 * -128 + 5 * 2 + 1);
    cr_expect_eq(__dp2a_hi(halves, (int)word[1], 1), -30000 * 100 + 5 * -7 + 1);
}

/* The elements of a word, widened. */
struct elements {
    int count, bits;
    long long s[4], u[4]; /* as signed and as unsigned numbers */
};

static struct elements split(uint32_t word, int count)
{
    struct elements e = {count, 32 / count, {0}, {0}};
    for (int i = 0; i < count; i++) {
        e.u[i] = word >> i * e.bits & ((1ull << e.bits) - 1);
        e.s[i] = e.u[i] >> (e.bits - 1) ? e.u[i] - (1 << e.bits) : e.u[i];
    }
    return e;
}

static uint32_t join(const long long *value, int count)
{
    uint32_t word = 0;
    for (int i = 0; i < count; i++)
        word |= (uint32_t)((unsigned long long)value[i] & ((1ull << 32 / count) - 1))
                << i * (32 / count);
    return word;
}

static long long bound(long long value, long long lowest, long long highest)
{
    return value < lowest ? lowest : value > highest ? highest : value;
}

/* Checks NAME2 and NAME4 on words x and y: V, an expression in a and b, is the
 * element that must come out. K gives the elements, s or u. */
#define CHECK_WIDTH(NAME, COUNT, K, V)                                                             \
    do {                                                                                           \
        struct elements ex = split(x, COUNT), ey = split(y, COUNT);                                \
        const long long most = (1ll << ex.bits) - 1, high = most >> 1, low = -high - 1;            \
        long long expected[4];                                                                     \
        for (int i = 0; i < COUNT; i++) {                                                          \
            long long a = ex.K[i], b = ey.K[i];                                                    \
            (void)a, (void)b, (void)most, (void)high, (void)low;                                   \
            expected[i] = V;                                                                       \
        }                                                                                          \
        uint32_t word = join(expected, COUNT);                                                     \
        cr_assert_eq(NAME, word, "%s of %08x, %08x: %08x, not %08x", #NAME, x, y, NAME, word);     \
    } while (0)
#define CHECK(NAME, K, V)                                                                          \
    CHECK_WIDTH(NAME##2(x, y), 2, K, V);                                                           \
    CHECK_WIDTH(NAME##4(x, y), 4, K, V)
#define CHECK_UNARY(NAME, K, V)                                                                    \
    CHECK_WIDTH(NAME##2(x), 2, K, V);                                                              \
    CHECK_WIDTH(NAME##4(x), 4, K, V)

Test(intrinsics, add_and_subtract_elements)
{
    uint32_t state = 2;
    for (int trial = 0; trial < TRIALS; trial++) {
        uint32_t x = next_word(&state), y = next_word(&state);
        CHECK(__vadd, u, a + b);
        CHECK(__vaddss, s, bound(a + b, low, high));
        CHECK(__vaddus, u, bound(a + b, 0, most));
        CHECK(__vsub, u, a - b);
        CHECK(__vsubss, s, bound(a - b, low, high));
        CHECK(__vsubus, u, bound(a - b, 0, most));
        CHECK_UNARY(__vneg, s, -a);
        CHECK_UNARY(__vnegss, s, bound(-a, low, high));
        CHECK_UNARY(__vabs, s, llabs(a));
        CHECK_UNARY(__vabsss, s, bound(llabs(a), low, high));
    }
}

Test(intrinsics, average_and_order_elements)
{
    uint32_t state = 3;
    for (int trial = 0; trial < TRIALS; trial++) {
        uint32_t x = next_word(&state), y = next_word(&state);
        CHECK(__vhaddu, u, (long long)floor((double)(a + b) / 2));
        CHECK(__vavgu, u, (long long)ceil((double)(a + b) / 2));
        CHECK(__vavgs, s, (long long)round((double)(a + b) / 2)); /* halves away from zero */
        CHECK(__vmins, s, a < b ? a : b);
        CHECK(__vminu, u, a < b ? a : b);
        CHECK(__vmaxs, s, a < b ? b : a);
        CHECK(__vmaxu, u, a < b ? b : a);
        CHECK(__vabsdiffs, s, llabs(a - b));
        CHECK(__vabsdiffu, u, llabs(a - b));
    }
}

Test(intrinsics, compare_elements)
{
    uint32_t state = 4;
    for (int trial = 0; trial < TRIALS; trial++) {
        uint32_t x = next_word(&state), y = trial % 3 ? next_word(&state) : x ^ 0x00ff0000u;
        CHECK(__vcmpeq, u, a == b ? most : 0);
        CHECK(__vcmpne, u, a != b ? most : 0);
        CHECK(__vcmpges, s, a >= b ? most : 0);
        CHECK(__vcmpgeu, u, a >= b ? most : 0);
        CHECK(__vcmpgts, s, a > b ? most : 0);
        CHECK(__vcmpgtu, u, a > b ? most : 0);
        CHECK(__vcmples, s, a <= b ? most : 0);
        CHECK(__vcmpleu, u, a <= b ? most : 0);
        CHECK(__vcmplts, s, a < b ? most : 0);
        CHECK(__vcmpltu, u, a < b ? most : 0);
        CHECK(__vseteq, u, a == b);
        CHECK(__vsetne, u, a != b);
        CHECK(__vsetges, s, a >= b);
        CHECK(__vsetgeu, u, a >= b);
        CHECK(__vsetgts, s, a > b);
        CHECK(__vsetgtu, u, a > b);
        CHECK(__vsetles, s, a <= b);
        CHECK(__vsetleu, u, a <= b);
        CHECK(__vsetlts, s, a < b);
        CHECK(__vsetltu, u, a < b);
    }
}

Test(intrinsics, sum_distances_of_elements)
{
    cr_expect_eq(__vsadu4(0x00ff0301u, 0xff000504u), 255 + 255 + 2 + 3);
    cr_expect_eq(__vsads4(0x80000000u, 0x7f000001u), 255 + 1);
    cr_expect_eq(__vsadu2(0xffff0001u, 0x00000003u), 65535 + 2);
    cr_expect_eq(__vsads2(0x80000001u, 0x7fff0003u), 65535 + 2);
}

Test(intrinsics, convert_bits)
{
    cr_expect_eq(__float_as_int(-2.0f), (int)0xc0000000u);
    cr_expect_eq(__float_as_uint(1.0f), 0x3f800000u);
    cr_expect_eq(__int_as_float(0x40490fdb), 3.14159274101257f);
    cr_expect_eq(__uint_as_float(0xbf800000u), -1.0f);
    cr_expect_eq(__double_as_longlong(-2.0), (long long)0xc000000000000000ull);
    cr_expect_eq(__longlong_as_double(0x3ff8000000000000ll), 1.5);
    cr_expect_eq(__double2hiint(1.5), 0x3ff80000);
    cr_expect_eq(__double2loint(__longlong_as_double(0x3ff80000fedcba98ll)), (int)0xfedcba98u);
    cr_expect_eq(__hiloint2double(0x3ff80000, 0), 1.5);
}

Test(intrinsics, convert_numbers_and_stop_at_the_limits)
{
    cr_expect_eq(__float2int_rn(2.5f), 2);
    cr_expect_eq(__float2int_rn(3.5f), 4);
    cr_expect_eq(__float2int_rz(-2.9f), -2);
    cr_expect_eq(__float2int_ru(2.1f), 3);
    cr_expect_eq(__float2int_rd(-2.1f), -3);
    cr_expect_eq(__float2int_rn(1e20f), INT_MAX);
    cr_expect_eq(__float2int_rn(-1e20f), INT_MIN);
    cr_expect_eq(__float2int_rz(nanf("")), 0);
    cr_expect_eq(__float2uint_rz(-3.0f), 0u);
    cr_expect_eq(__float2uint_rz(1e20f), UINT_MAX);
    cr_expect_eq(__double2uint_rn(4294967294.6), 4294967295u);
    cr_expect_eq(__double2ll_rz(-9.3e18), LLONG_MIN);
    cr_expect_eq(__double2ull_rd(1.8e19), 18000000000000000000ull);
    cr_expect_eq(__float2ull_rn(1e30f), ULLONG_MAX);
    cr_expect_eq(__int2float_rn(16777217), 16777216.0f);
    cr_expect_eq(__double2float_rn(0.1), 0.1f);
    cr_expect_eq(__saturatef(1.5f), 1.0f);
    cr_expect_eq(__saturatef(-0.5f), 0.0f);
    cr_expect_eq(__saturatef(nanf("")), 0.0f);
    cr_expect_eq(__saturatef(0.25f), 0.25f);
}

Test(intrinsics, compute_with_floats)
{
    cr_expect_eq(__fmaf_rn(0x1.000002p0f, 0x1.000002p0f, -0x1.000004p0f), 0x1p-46f);
    cr_expect_eq(__fma_rn(0x1.0000001p0, 0x1.0000001p0, -0x1.0000002p0), 0x1p-56);
    cr_expect_eq(rsqrtf(16.0f), 0.25f);
    cr_expect_eq(rsqrt(16.0), 0.25);
    cr_expect_eq(__fsqrt_rn(2.25f), 1.5f);
    cr_expect_eq(__frcp_rn(8.0f), 0.125f);
    cr_expect_eq(__fdividef(1.0f, 4.0f), 0.25f);
    cr_expect_eq(__dadd_rn(0.5, 0.25), 0.75);
    cr_expect_float_eq(__sinf(1.0f), 0.841471f, 1e-6f);
    cr_expect_float_eq(__expf(1.0f), 2.718282f, 1e-6f);
    cr_expect_float_eq(__powf(2.0f, 0.5f), 1.414214f, 1e-6f);
    cr_expect_float_eq(exp10f(-2.0f), 0.01f, 1e-8f);
    cr_expect_float_eq(sinpif(0.5f), 1.0f, 1e-7f);
    cr_expect_float_eq(norm3df(2.0f, 3.0f, 6.0f), 7.0f, 1e-6f);
    cr_expect_float_eq(normcdff(0.0f), 0.5f, 1e-7f);
    float sine, cosine;
    __sincosf(2.0f, &sine, &cosine);
    cr_expect_float_eq(sine * sine + cosine * cosine, 1.0f, 1e-6f);
}

Test(intrinsics, take_the_smaller_and_the_larger_of_all_types)
{
    cr_expect_eq(min(3, -4), -4);
    cr_expect_eq(max(3u, 0xffffffffu), 0xffffffffu);
    cr_expect_eq(min(-1, 5u), 5u); /* -1 becomes the largest unsigned int */
    cr_expect_eq(max(1ll << 40, -1ll), 1ll << 40);
    cr_expect_eq(min((size_t)7, (size_t)9), 7);
    cr_expect_eq(min(1.5f, nanf("")), 1.5f);
    cr_expect_eq(max(1.5f, 2.5), 2.5);
    cr_expect_eq(abs(-1.5f), 1.5f);
}

__global__ static void load_and_store(const int4 *from, int4 *to, const unsigned char *bytes,
                                      unsigned char *copy)
{
    __stcs(&to[0], __ldg(&from[0]));
    __stcg(&to[1], __ldcs(from + 1));
    __stwt(copy, __ldca(bytes));
    __stwb(copy + 1, __ldcv(bytes + 1));
}

Test(intrinsics, load_and_store_with_a_cache_policy)
{
    int host[8] = {1, 2, 3, 4, 5, 6, 7, 8}, result[8] = {0};
    unsigned char *bytes;
    int4 *memory;
    cudaMalloc(&memory, 4 * sizeof *memory);
    cudaMalloc(&bytes, 4);
    cudaMemcpy(memory, host, sizeof host, cudaMemcpyHostToDevice);
    cudaMemcpy(bytes, "xy", 2, cudaMemcpyHostToDevice);
    load_and_store<<<1, 1>>>(memory, memory + 2, bytes, bytes + 2);
    cudaMemcpy(result, memory + 2, sizeof result, cudaMemcpyDeviceToHost);
    cr_expect_eq(memcmp(host, result, sizeof host), 0);
    char text[5] = "";
    cudaMemcpy(text, bytes, 4, cudaMemcpyDeviceToHost);
    cr_expect_str_eq(text, "xyxy");
}
