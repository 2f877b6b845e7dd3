/* rewrite.c - the step from CUDA C++ to C++: what goes in, and what comes out. */
#include "tool.h"

#include <criterion/criterion.h>
#include <ctype.h>

/* Runs the step on a text. */
static struct outcome *rewrite(const char *text)
{
    open_folder();
    write_file(folder, "input.ii", text);
    struct outcome *outcome = run_in(folder, "$(dirname $($SIMCC --library))/rewrite input.ii");
    int status = outcome->status;
    static struct outcome kept;
    kept = *outcome;
    close_folder();
    kept.status = status;
    return &kept;
}

static bool is_word_character(char c)
{
    return c == '_' || isalnum((unsigned char)c);
}

/* Removes line markers, and all blanks but those that keep two words apart. */
static void squeeze(char *text)
{
    char *to = text;
    bool line_start = true, blank = false;
    for (const char *from = text; *from; from++) {
        if (line_start && *from == '#' && from[1] == ' ') {
            from = strchr(from, '\n');
            if (!from)
                break;
            blank = true;
            continue;
        }
        line_start = *from == '\n';
        if (*from == '\n' || *from == ' ') {
            blank = true;
            continue;
        }
        if (blank && to > text && is_word_character(to[-1]) && is_word_character(*from))
            *to++ = ' ';
        blank = false;
        *to++ = *from;
    }
    *to = '\0';
}

static void expect_rewritten(const char *text, const char *expected)
{
    char squeezed[4096];
    strcpy(squeezed, expected);
    squeeze(squeezed);
    struct outcome *outcome = rewrite(text);
    EXPECT_STATUS(outcome, 0);
    squeeze(outcome->text);
    cr_expect_str_eq(outcome->text, squeezed);
}

static void expect_part(const char *text, const char *part)
{
    char squeezed[4096];
    strcpy(squeezed, part);
    squeeze(squeezed);
    struct outcome *outcome = rewrite(text);
    EXPECT_STATUS(outcome, 0);
    squeeze(outcome->text);
    EXPECT_MESSAGE(outcome, squeezed);
}

static void expect_refused(const char *text, const char *message)
{
    struct outcome *outcome = rewrite(text);
    EXPECT_STATUS(outcome, 1);
    EXPECT_MESSAGE(outcome, message);
}

Test(rewrite, leaves_plain_cpp_alone)
{
    static const char *const texts[] = {
        "",
        "int x;",
        "template<class T> struct a<b<c<T>>> { int operator<<(int) const; };",
        "auto s = R\"x(kernel<<<1, 2>>>(3); )y\" )x\"; char c = '\"', d = '\\'';",
        "int y = 1'000'000 + 0x1p-3 + .5e+7f; /* k<<<1, 2>>>() */",
        "void f() { std::operator<< <char>(a, b); a << b >> c; } // k<<<1, 2>>>()",
        "#pragma once\n\"unclosed\nint z;",
        "__attribute__((__noinline__)) int threads(int threadIdx);"};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct outcome *outcome = rewrite(texts[i]);
        EXPECT_STATUS(outcome, 0);
        cr_expect_str_eq(outcome->text, texts[i]);
    }
}

Test(rewrite, makes_a_call_of_a_launch)
{
    expect_rewritten("void f() { k<<<1, n>>>(a, b); }",
                     "void f() { ( ::sim_configuration( 1, n), k (a, b)) ; }");
    expect_rewritten("void f() { if (x) ns::k<int, (3 > 2)><<<g(1, 2), dim3{1, 2}, 0, s>>>(); }",
                     "void f() { if (x) ( ::sim_configuration( g(1, 2), dim3{1, 2}, 0, s), "
                     "ns :: k < int , ( 3 > 2 ) > ()) ; }");
    expect_rewritten("void f() { (*p)<<<1, 1>>>(a)\n, o->k[i + 1]<<<1, 1>>>(b); }",
                     "void f() { ( ::sim_configuration( 1, 1), ( * p ) (a)) , "
                     "( ::sim_configuration( 1, 1), o -> k [ i + 1 ] (b)) ; }");
    expect_part("void f() { k<<<1, s<vec<int>>(2)>>>(1); }", "( 1, s<vec<int>>(2)), k (1))");
    expect_part("void f() { k<<<1, a[b<int>::c]>>>(1); }", "( 1, a[b<int>::c]), k (1))");
    expect_part("void f() { ::a::k<<<1, 1>>>(1); }",
                "( ::sim_configuration( 1, 1), :: a :: k (1))");
    expect_part("void f() { x.template k<2><<<1, 1>>>(1); }", "x . template k < 2 > (1))");
}

Test(rewrite, says_which_launch_it_cannot_take)
{
    expect_refused("# 7 \"my.cu\"\nvoid f() {\n k<a < b ? 1 : 2><<<1, 2>>>(3); }",
                   "my.cu:8: error: cannot tell which kernel is launched");
    expect_refused("# 7 \"my.cu\"\nvoid f() { k<<<1, 2>>>; }",
                   "my.cu:7: error: expected the kernel's arguments in parentheses after >>>");
    expect_refused("void f() { k<<<1, 2; }", "input:1: error: <<< without >>>");
    expect_refused("void f() { k<<<32>>>(x); }", "error: a launch needs the number of blocks");
    expect_refused("void f() { k<<<1, 2>>>(x; }",
                   "error: the parenthesis after >>> is never closed");
    expect_refused("__global__ void k() {} __global__ void p() { k<<<1, 1>>>(); }",
                   "error: a kernel that launches kernels (dynamic parallelism) is not simulated");
    expect_refused("void f() { 3 <<<1, 2>>>(x); }", "error: cannot tell which kernel");
}

Test(rewrite, gives_a_kernel_its_first_statement)
{
    expect_rewritten(
        "__global__ void k(int *a, const float (&b)[3], int = 2) { }",
        "__attribute__((noinline, flatten)) void k(int *a, const float (&b)[3], int sim_unnamed_2 "
        "= 2) { struct sim_self { static constexpr auto __kernel() { return static_cast<void "
        "(*)(::sim_parameter<decltype(a)>, "
        "::sim_parameter<decltype(b)>, ::sim_parameter<decltype(sim_unnamed_2)>)>(::k); } static "
        "constexpr const char *__name() { return \"k\"; } static constexpr const char "
        "*__parameters() "
        "{ return \"a, b, sim_unnamed_2\"; } static constexpr unsigned int "
        "__most_threads() { return (unsigned int)(0); } }; if "
        "(::sim_called_by_host()) { ::sim_kernel_of<sim_self>::__launch"
        "(__builtin_return_address(0), a, b, sim_unnamed_2); return; } }");
    expect_part("namespace a::b { namespace { template <typename T, int N = (3 > 2), class... U> "
                "static __global__ void __launch_bounds__(256) k(T t, U... u) {} } }",
                "static_cast<void (*)(::sim_parameter<decltype(t)>, "
                "::sim_parameter<decltype(u)>...)>(::a::b::k<T, N, U...>)");
    expect_part("__global__ void __launch_bounds__(f(1, 2) * N, 3) k() {}",
                "__most_threads() { return (unsigned int)( f ( 1 , 2 ) * N); }");
    expect_part("template <> __global__ void k<float, 3>(float *p) {}", "(::k< float , 3 >)");
    expect_part("extern \"C\" { __global__ void k(void (*f)(int), S<1, 2> s, unsigned) {} }",
                "::sim_parameter<decltype(f)>, ::sim_parameter<decltype(s)>, "
                "::sim_parameter<decltype(sim_unnamed_2)>");
    expect_rewritten("__global__ void k(int *);",
                     "__attribute__((noinline, flatten)) void k(int *);");
    expect_refused("# 4 \"my.cu\"\n__global__ int k(int *p) { return 1; }",
                   "my.cu:4: error: a kernel cannot return a value");
    expect_refused("struct s { static __global__ void k() {} };",
                   "error: a kernel cannot be a member of a class");
    expect_refused("# 4 \"my.cu\"\nvoid k(int *p) {}\nvoid f() { k<<<1, 1>>>(0); }",
                   "my.cu:5: error: k is launched, and is a function of the host: write __global__ "
                   "in front of it");
    expect_part("void k(int *p) {} namespace n { __global__ void k(int *p) {} } "
                "void f() { n::k<<<1, 1>>>(0); }",
                "::sim_configuration(");
}

Test(rewrite, refers_to_shared_memory)
{
    expect_rewritten(
        "void f() { static __shared__ volatile int a[2][N], b; }",
        "void f() { struct sim_shared_0 { volatile int a[2][N], b; }; static const char "
        "sim_key_0[2] = {}; auto &a = ::sim_shared<decltype(sim_shared_0::a)>(sim_key_0 + 0, "
        "\"a\", __alignof__(static_cast<sim_shared_0 *>(nullptr)->a)); auto &b = "
        "::sim_shared<decltype(sim_shared_0::b)>(sim_key_0 + 1, \"b\", "
        "__alignof__(static_cast<sim_shared_0 *>(nullptr)->b)); }");
    expect_rewritten("void f() { extern __shared__ float s[]; }",
                     "void f() { struct sim_shared_0 { float s[ 1 ]; }; auto &s = "
                     "::sim_dynamic<decltype(sim_shared_0::s)>(\"s\"); }");
    expect_part(
        "namespace n { extern __shared__ int s[]; __device__ int f(int i) { return s[i]; } }",
        "f(int i) { __attribute__((unused)) auto &s = ::n::sim_variable_0_0(); { return "
        "s[i]; } }");
    expect_part("extern __shared__ int s[]; int host() { int s = 3; return s; }",
                "int host() { int s = 3; return s; }");
    expect_refused("# 3 \"my.cu\"\n__global__ void k() {\n__shared__ int a[2] = {1, 2};\n}",
                   "my.cu:4: error: a __shared__ variable cannot have an initial value");
    expect_refused("void f() { __shared__ int a[2] }",
                   "error: expected a semicolon after a __shared__ declaration");
    expect_refused("struct s { static __shared__ int a; };",
                   "error: a member of a class cannot be __shared__");
}

#define IN_SECTION "static __attribute__((section(\"sim_device\"), aligned(64), used)) "
#define TYPE_OF_A                                                                                  \
    " static struct ::sim_variable sim_type_of_a __attribute__((section(\"sim_types\"), used)) ="  \
    " ::sim_type_of<decltype(a)>(__builtin_addressof(a));"

Test(rewrite, puts_device_variables_into_their_section)
{
    expect_rewritten("__device__ int a = 1, b[2];", IN_SECTION "int a = 1, b[2];" TYPE_OF_A);
    expect_rewritten("static __device__ __managed__ int a;", IN_SECTION "int a;" TYPE_OF_A);
    expect_part("__constant__ struct { int a; } b[3] = {{1}};", "b[3] = {{1}};");
    expect_part("__constant__ float a[2] = {1, 2}, b;",
                "b; static_assert(sizeof a <= 65536, \"__constant__ memory has 65,536 bytes\");");
    expect_rewritten("extern __constant__ float a[2];",
                     "extern __attribute__((section(\"sim_device\"), aligned(64))) float a[2];");
    expect_rewritten("__device__ int (*f)(int);", IN_SECTION "int (*f)(int);");
    expect_rewritten("__device__ const int a = 1; __constant__ constexpr int b = 2;",
                     "const int a = 1; constexpr int b = 2;");
    expect_rewritten("__device__ const int *a;", IN_SECTION "const int *a;" TYPE_OF_A);
    expect_rewritten("__device__ S<int, 2> a{1};", IN_SECTION "S<int, 2> a{1};" TYPE_OF_A);
}

Test(rewrite, makes_device_functions_plain_functions)
{
    expect_rewritten("__device__ int f(int);", "int f(int);");
    expect_rewritten("__host__ __device__ static inline int f(int x) { return x; }",
                     "static inline int f(int x) { return x; }");
    expect_rewritten("__device__ V operator+(V a, V b) { return a; }",
                     "inline __attribute__((used)) V operator+(V a, V b) { return a; }");
    expect_rewritten("struct s { __device__ s() : a{1}, b(2) {} __device__ int operator()(int) "
                     "const { return 1; } };",
                     "struct s { s() : a{1}, b(2) {} int operator()(int) const { return 1; } };");
    expect_rewritten("auto l = [=] __device__ (int x) { return x; };",
                     "auto l = [=] (int x) { return x; };");
    expect_rewritten("__device__ __noinline__ int f(int);",
                     "__attribute__((noinline)) int f(int);");
}

Test(rewrite, refuses_assembly_in_kernels)
{
    expect_refused("__device__ int lane() {\nint i; asm volatile(\"mov.u32 %0, %smid;\" : "
                   "\"=r\"(i)); return i; }",
                   "input:2: error: mov.u32: PTX assembly is not simulated");
    expect_refused("__device__ int f() { asm volatile(\"{\\n\\t.reg .u32 t; }\"); return 0; }",
                   "input:1: error: .reg: PTX assembly is not simulated");
    expect_refused("__device__ void f() { asm volatile(\"membar.gl;\"); }",
                   "input:1: error: membar.gl: PTX assembly is not simulated");
    expect_rewritten("__device__ void fence() { asm volatile(\"\" ::: \"memory\"); }",
                     "inline __attribute__((used)) void fence() { asm volatile(\"\" ::: "
                     "\"memory\"); }");
    expect_rewritten("int host() { asm(\"nop\"); }", "int host() { asm(\"nop\"); }");
}

Test(rewrite, tells_the_built_in_indices_from_variables)
{
    expect_rewritten("int i = threadIdx.x + blockIdx.y;",
                     "int i = ::sim_index(threadIdx) .x + ::sim_index(blockIdx) .y;");
    expect_rewritten("dim3 blockDim(2, 2), gridDim;", "dim3 blockDim(2, 2), gridDim;");
    expect_rewritten("f(threadIdx); uint3 i = blockIdx;",
                     "f( ::sim_index(threadIdx) ); uint3 i = ::sim_index(blockIdx) ;");
    expect_rewritten("a.threadIdx.x; n::blockDim.x;", "a.threadIdx.x; n::blockDim.x;");
}

/* Wraps a body into a kernel and says whether its last atomic is marked. */
static bool is_uniform(const char *body)
{
    char text[4096];
    snprintf(text, sizeof text,
             "__device__ int d_count, d_bins[4]; __device__ int *d_pointer; template <int N> "
             "__global__ void k(int *bins, int n, S s, int **rows, const int *text) { "
             "__shared__ int tile[4], grid[4][4], one; int tid = threadIdx.x; %s }",
             body);
    struct outcome *outcome = rewrite(text);
    EXPECT_STATUS(outcome, 0);
    const char *last = NULL;
    for (const char *next = outcome->text; (next = strstr(next, "atomic")) != NULL; next++)
        last = next;
    return last && strstr(last, "::sim_uniform(") != NULL;
}

Test(uniform, holds_where_all_lanes_have_the_same_address)
{
    static const char *const bodies[] = {
        "atomicAdd(bins, 1);",
        "atomicAdd(&bins[3], tid);",
        "atomicSub(bins + blockIdx.x * gridDim.x, 1);",
        "atomicMax(&d_count, 1);",
        "atomicAdd(&d_bins[n], 1);",
        "atomicAdd(tile, 1);",
        "atomicAdd(&one, 1);",
        "atomicAdd(&grid[1][N], 1);",
        "for (int b = 0; b < 5; b++) atomicAdd(&bins[b], tile[b]);",
        "int b; for (b = 0; b < 5; ++b) { if (tid == b) continue; atomicAdd(&bins[b], 1); }",
        "for (int b = tid; b < 5; b++) ; for (int b = 0; b < 5; b++) atomicAdd(&bins[b], 1);",
        "int *mine = bins + blockIdx.x * N; atomicAdd(&mine[2], 1);",
        "int i = 2; i = n * 3; i += 4; atomicAdd(&bins[i], 1);",
        "const unsigned a = 1, i = (unsigned)(a + sizeof(int)); atomicOr(&bins[i], 1);",
        "atomicAdd(s.counter, 1);",
        "atomicAdd(&s.bins[2], 1);"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        cr_expect(is_uniform(bodies[i]), "%s", bodies[i]);
}

Test(uniform, is_not_claimed_where_lanes_may_differ)
{
    static const char *const bodies[] = {
        "atomicAdd(&bins[tid], 1);",
        "atomicAdd(&bins[threadIdx.x], 1);",
        "atomicAdd(&bins[text[0]], 1);",
        "atomicAdd(&bins[tile[0]], 1);",
        "atomicAdd(&bins[*text], 1);",
        "atomicAdd(&bins[d_count], 1);",
        "atomicAdd(&rows[0][1], 1);",
        "atomicAdd(d_pointer, 1);",
        "atomicAdd(&d_pointer[1], 1);",
        "atomicAdd(&bins[f(3)], 1);",
        "for (int b = tid; b < 5; b += 32) atomicAdd(&bins[b], 1);",
        "int b; for (b = 0; b < 5; b++) if (b == tid) break; atomicAdd(&bins[b], 1);",
        "int i = 0; if (tid > 3) i = 1; atomicAdd(&bins[i], 1);",
        "int i = 0; if (tid > 3) { i = 1; } atomicAdd(&bins[i], 1);",
        "int i = 0; while (i < tid) i++; atomicAdd(&bins[i], 1);",
        "int i; change(i); atomicAdd(&bins[i], 1);",
        "int i, *p = &i; *p = tid; atomicAdd(&bins[i], 1);",
        "int i = tid, j = i + 1, k = j; atomicAdd(&bins[k], 1);",
        "int *mine = bins + tid; atomicAdd(mine, 1);",
        "n = tid; atomicAdd(&bins[n], 1);",
        "int i = 0; auto f = [&] { i = tid; }; f(); atomicAdd(&bins[i], 1);",
        "int i = 0; if (tid) goto end; i = 1; end: atomicAdd(&bins[i], 1);",
        "int i; asm(\"\" : \"=r\"(i)); atomicAdd(&bins[i], 1);",
        "atomicAdd(&bins[n > 3 ? 1 : 2], 1);",
        "atomicCAS(bins, 1, 2);"};
    for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++)
        cr_expect_not(is_uniform(bodies[i]), "%s", bodies[i]);
}

Test(rewrite, keeps_the_users_lines_and_columns)
{
    open_folder();
    write_file(folder, "my.cu",
               "void f()\n{\n    k<<<1,   2>>>(a);  /* c */ b = threadIdx.x;\n}\n");
    write_file(folder, "input.ii",
               "# 1 \"my.cu\"\nvoid f()\n{\n    k<<<1, 2>>>(a); b = threadIdx.x;\n}\n");
    struct outcome *outcome =
        run_in(folder, "$(dirname $($SIMCC --library))/rewrite input.ii |\n"
                       "awk '/^#/ { line = $2; next } { if ((c = index($0, \"(a)\")) || "
                       "(d = index($0, \"b =\"))) print line, c, d; line++ }'");
    cr_expect_str_eq(outcome->text, "3 18 0\n3 0 32\n", "%s", outcome->text);
    close_folder();
}

/* The headers declare what a kernel may call: their text is read, and gcc takes what it made of them before. */
Test(rewrite, reads_headers_that_are_precompiled_and_does_not_write_them)
{
    static const char kernel[] = "# 1 \"my.cu\"\nvoid f() { cudaKnown(1); k<<<1, 2>>>(3); }\n";
    static const char line[] = "#pragma GCC pch_preprocess \"headers.gch\"\n";
    char text[512];
    open_folder();
    write_file(folder, "headers", "# 1 \"known.h\" 1 3 4\nint cudaKnown(int);\n# 0 \"x\" 2\n");
    snprintf(text, sizeof text, "# 0 \"my.cu\"\n%s%s", line, kernel);
    write_file(folder, "with.ii", text);
    write_file(folder, "without.ii", kernel);
    snprintf(text, sizeof text, "%sint x;\n%s", line, kernel);
    write_file(folder, "first.ii", text);
    struct outcome *outcome =
        run_in(folder, "r=$(dirname $($SIMCC --library))/rewrite; "
                       "$r --headers headers with.ii >with; $r --headers headers first.ii >first; "
                       "cat headers without.ii >whole.ii; $r whole.ii | tail -n +4 >whole; "
                       "head -n 2 with; tail -n +3 with | cmp - whole && echo same; "
                       "grep -c known with first; $r without.ii");
    EXPECT_MESSAGE(
        outcome,
        "# 0 \"my.cu\"\n#pragma GCC pch_preprocess \"headers.gch\"\nsame\nwith:0\nfirst:0\n");
    EXPECT_MESSAGE(outcome, "cudaKnown: the simulated GPU has nothing of that name");
    close_folder();
}
