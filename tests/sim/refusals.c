/* refusals.c - what nvcc refuses, and another C++ compiler takes: each is one line at its place. */
#include "tool.h"

#include <criterion/criterion.h>

TestSuite(refusals, .init = open_folder, .fini = close_folder);

/* Compiles; it must fail with this line alone. */
static void expect_refused(const char *text, const char *line)
{
    write_file(folder, "k.cu", text);
    struct outcome *outcome = run_in(folder, "$SIMCC -c k.cu");
    EXPECT_STATUS(outcome, 1);
    cr_expect_eq(strncmp(outcome->text, line, strlen(line)), 0, "expected \"%s\" in:\n%s", line,
                 outcome->text);
    cr_expect_eq(strchr(outcome->text, '\n') + 1 - outcome->text, (long)strlen(outcome->text),
                 "one line:\n%s", outcome->text);
}

static void expect_accepted(const char *options, const char *text)
{
    write_file(folder, "k.cu", text);
    struct outcome *outcome = run_in(folder, "$SIMCC -c %s k.cu", options);
    EXPECT_STATUS(outcome, 0);
    cr_expect_str_empty(outcome->text, "%s", outcome->text);
}

Test(refusals, a_helper_without_device)
{
    expect_refused("int helper(int x) { return x + 1; }\n"
                   "__global__ void count(int *p)\n{\n    p[0] = helper(3);\n}\n",
                   "k.cu:4: error: calling a __host__ function(\"helper\") from a __global__ "
                   "function(\"count\") is not allowed; write __device__ in front of");
    expect_refused("template <class T> T helper(T x);\n"
                   "template <class T> __device__ T twice(T x) { return 2 * helper(x); }\n",
                   "k.cu:2: error: calling a __host__ function(\"helper\") from a __device__ "
                   "function(\"twice\") is not allowed");
    expect_refused("constexpr int helper(int x) { return x + 1; }\n"
                   "__global__ void count(int *p)\n{\n    p[0] = helper(p[1]);\n}\n",
                   "k.cu:4: error: calling a constexpr __host__ function(\"helper\") from a "
                   "__global__ function(\"count\") is not allowed; write __device__ in front of "
                   "it, or use --expt-relaxed-constexpr");
    expect_refused("#include <ctype.h>\n"
                   "__global__ void count(char *p)\n{\n    p[0] = (char)tolower(p[0]);\n}\n",
                   "k.cu:4: error: calling a __host__ function(\"tolower\") from a __global__ "
                   "function(\"count\") is not allowed; kernels have no C library");
}

Test(refusals, a_variable_of_the_host)
{
    expect_refused("static int weight = 3;\n"
                   "__global__ void count(int *p)\n{\n    if (p[0] > weight) p[0] = 1;\n}\n",
                   "k.cu:4: error: identifier \"weight\" is undefined in device code: it is a "
                   "variable of the host; pass it to the kernel, or declare it __device__");
    expect_refused("float table[4] = {1, 2, 3, 4}, *other;\n"
                   "__device__ float at(int i) { return table[i]; }\n",
                   "k.cu:2: error: identifier \"table\" is undefined in device code");
}

Test(refusals, a_store_to_a_constant)
{
    const char *line =
        "k.cu:2: error: table is __constant__: device code reads it, and cannot store "
        "to it; set it on the host with cudaMemcpyToSymbol, or declare it __device__";
    expect_refused("__constant__ int table[4];\n__global__ void k(int i) { table[i] = 3; }\n",
                   line);
    expect_refused("__constant__ int table;\n__device__ void k(int i) { table += i; }\n", line);
    expect_refused("static __constant__ struct { int n, m; } table;\n"
                   "template <class T> __device__ void k(T i) { if (i) ++table.n; }\n",
                   line);
    expect_accepted("", "__constant__ int table[4], *to, *rows[2];\n"
                        "struct both { int n, *to; };\n__constant__ both given;\n"
                        "__global__ void k(int i)\n{\n    to[i] = table[i];\n    *to = 1;\n"
                        "    rows[0][i] = 2;\n    given.to[i] = given.n == table[0];\n"
                        "    int n = 0;\n    both own = given;\n    own.n = n;\n}\n"
                        "void set(int n) { int table[2]; table[0] = n; }\n");
}

Test(refusals, the_cpp_library)
{
    expect_refused("#include <vector>\n__global__ void count()\n{\n    std::vector<int> v;\n}\n",
                   "k.cu:4: error: calling a __host__ function(\"std::vector\") from a __global__ "
                   "function(\"count\") is not allowed");
    expect_refused("#include <utility>\n__global__ void k(int *p)\n{\n"
                   "    std::swap(p[0], p[1]);\n}\n",
                   "k.cu:4: error: calling a __host__ function(\"std::swap\") from");
    expect_refused("#include <algorithm>\n__global__ void k(int *p)\n{\n"
                   "    p[0] = std::min(p[0], p[1]);\n}\n",
                   "k.cu:4: error: calling a constexpr __host__ function(\"std::min\") from a "
                   "__global__ function(\"k\") is not allowed; leave std:: out");
}

/* Each compiled and ran, and nvcc refuses it. */
Test(refusals, what_nvcc_refuses_across_host_and_device)
{
    expect_refused("__device__ int f(int x) { return x; }\nint main()\n{\n    return f(2);\n}\n",
                   "k.cu:4: error: calling a __device__ function(\"f\") from a __host__ function");
    expect_refused("__global__ void k(int *p) { p[0] = 1; }\nint main()\n{\n    k(0);\n}\n",
                   "k.cu:4: error: the kernel k was called like a function; launch it: k<<<");
    expect_refused(
        "template <class F> __global__ void k(F f) { f(1); }\nint main()\n{\n"
        "    k<<<1, 1>>>([](int i) { (void)i; });\n}\n",
        "k.cu:4: error: a lambda of the host is given to a kernel; write [=] __device__");
    expect_refused("__global__ void k(int *p)\n{\n    if (!p) throw 1;\n}\n",
                   "k.cu:3: error: throw: device code has no exceptions");
    expect_refused("struct a { __device__ virtual ~a() {} }; struct b : a {};\n"
                   "__global__ void k(a *p, int *o)\n{\n    o[0] = !dynamic_cast<b *>(p);\n}\n",
                   "k.cu:4: error: dynamic_cast: device code has no exceptions and no types");
    expect_accepted("", "#include <stdexcept>\n#include <typeinfo>\nstruct a { virtual ~a() {}\n"
                        "__host__ __device__ int f() {\n#ifndef __CUDA_ARCH__\nthrow 1;\n#endif\n"
                        "return 1; } };\n__global__ void k(int *p) { p[0] = 1; }\n"
                        "void call(void (*k)(int *)) { k(nullptr); }\n"
                        "int main() try { a x; k<<<1, 1>>>(nullptr); throw x.f(); }\n"
                        "catch (int e) { return typeid(e) == typeid(int); }\n");
}

/* What nvcc takes, too. */
Test(refusals, leave_right_kernels_alone)
{
    expect_accepted(
        "", "#include <cmath>\n#include <cstdint>\n#include <limits>\n#include <utility>\n"
            "#include <type_traits>\n"
            "int n = 4, scale, reduce(int x), weight(int);\n"
            "static int threshold, a, b, limit;\n"
            "int twice(int x) { return x; }\n__device__ float twice(float x) { return 2 * x; }\n"
            "constexpr int bins_of(int x) { return x * 2; }\n"
            "namespace sys = std;\nconst int letters = 26;\nconst float third = 1 / 3.0f;\n"
            "enum { COLORS = 3 };\n"
            "struct point {\n    int size() const { return 1; }\n"
            "    __device__ int sum() const { return threshold + later(); }\n"
            "    __device__ int later() const { return x; }\n    int x, threshold;\n};\n"
            "__device__ int own(int n) { return n; }\n"
            "template <class Reduce> __global__ void k(int *p, int n, Reduce reduce)\n{\n"
            "    __shared__ int room[bins_of(5)];\n"
            "    constexpr int twenty = bins_of(10), most = std::numeric_limits<int>::max();\n"
            "    int local[bins_of(2)] = {reduce(n)}, scale = 2, *threshold = p, a = 1, b = a;\n"
            "    auto weight = [=](int x) { return x * scale; };\n"
            "    for (int limit = 0; limit < n; limit++)\n"
            "        p[limit] = *threshold + weight(limit) + a * b + letters + COLORS;\n"
            "    point q{1, 2};\n"
            "    sys::uint32_t u = std::move(p[0]); room[0] = (int)std::sqrt(2.0f * third);\n"
            "    std::conditional_t<true, int, float> c = std::abs(own(local[0]));\n"
            "    p[0] = (int)twice(1.0f) + twenty + most + (int)u + room[0] + c + q.sum();\n"
            "}\n"
            "int main()\n{\n    int *p;\n    n = twice(scale) + reduce(weight(a));\n"
            "    cudaMalloc(&p, 4);\n"
            "    k<<<1, 1>>>(p, n, [] __device__(int x) { return x; });\n}\n");
    expect_accepted("--expt-relaxed-constexpr",
                    "#include <algorithm>\nconstexpr int f(int x) { return x + 1; }\n"
                    "__global__ void k(int *p) { p[0] = std::min(f(p[1]), p[2]); }\n");
}

Test(refusals, names_that_cuda_has_given_up)
{
    expect_refused("int main()\n{\n    cudaConfigureCall(1, 1);\n}\n",
                   "k.cu:3: error: cudaConfigureCall is gone from CUDA 13; "
                   "write kernel<<<grid, block>>>(arguments)\n");
    expect_accepted("", "__device__ int __shfl(int x, int lane)\n{\n"
                        "    return __shfl_sync(~0u, x, lane);\n}\n"
                        "__global__ void k(int *p)\n{\n    p[0] = __shfl(p[0], 1);\n}\n");
}

Test(refusals, a_brace_that_is_missing)
{
    expect_refused("__global__ void count(int *p, int n)\n{\n    for (int i = 0; i < n; i++) {\n"
                   "        p[i] = i;\n}\nint main(void) { return 0; }\n",
                   "k.cu:3: error: the { in this line has no }");
    expect_refused("__global__ void count(int *p)\n{\n    p[0] = 1;\n\n"
                   "int main(void)\n{\n    return 0;\n}\n",
                   "k.cu:2: error: the { in this line has no }");
    expect_refused("__global__ void count(int *p, int n)\n{\n    for (int i = 0; i < n; i++)\n"
                   "        p[i] = i;\n    }\n}\n",
                   "k.cu:6: error: this } has no {");
}
