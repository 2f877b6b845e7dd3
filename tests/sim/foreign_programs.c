/* foreign_programs.c - what programs of courses, books and sample collections rely on: NVIDIA's
 * header guards, headers shared with .cpp files, __CUDA_ARCH__, old names. */
#include "tool.h"

#include <criterion/criterion.h>

TestSuite(foreign_programs, .init = open_folder, .fini = close_folder);

/* Without these, helper_cuda.h defines neither checkCudaErrors nor findCudaDevice. */
Test(foreign_programs, find_the_guards_of_nvidias_headers)
{
    write_file(
        folder, "guards.h",
        "#if !defined(__DRIVER_TYPES_H__) || !defined(__CUDA_RUNTIME_API_H__) || "
        "!defined(__VECTOR_TYPES_H__)\n"
        "#error guards\n"
        "#endif\n"
        "static inline const char *name_of(cudaError_t e) { return cudaGetErrorName(e); }\n");
    write_file(folder, "a.cu",
               "#include \"guards.h\"\n#ifndef __CUDA_RUNTIME_H__\n#error runtime\n#endif\n"
               "int main() { puts(name_of(cudaSuccess)); }\n");
    write_file(folder, "b.cpp",
               "#include <cuda_runtime.h>\n#include <cstdio>\n#include \"guards.h\"\n"
               "#ifndef __CUDA_RUNTIME_H__\n#error runtime\n#endif\n"
               "int main() { puts(name_of(cudaSuccess)); }\n");
    write_file(folder, "c.c",
               "#include <driver_types.h>\n#include <stdio.h>\n#include \"guards.h\"\n"
               "int main(void) { puts(name_of(cudaSuccess)); }\n");
    EXPECT_OUTPUT("cudaSuccess\n", "$SIMCC a.cu -o a && ./a");
    EXPECT_OUTPUT("cudaSuccess\n", "$SIMCC b.cpp -o b && ./b");
    EXPECT_OUTPUT("cudaSuccess\n", "$SIMCC c.c -o c && ./c");
}

/* min, clamp, threadIdx: what only a .cu file has must not take a host program's own names. */
/* nvcc's own headers bring it along. */
Test(foreign_programs, walk_through_a_list_without_its_header)
{
    write_file(
        folder, "list.cu",
        "__global__ void k(int *sum) { for (int i : {1, 2, 3}) sum[0] += i; }\nint main() {}\n");
    EXPECT_STATUS(run_in(folder, "$SIMCC -c list.cu"), 0);
}

/* Rows of an array follow each other, and programs walk through all of them by an index of the first. An index beyond
 * an array that has no rows is a mistake. */
Test(foreign_programs, walk_through_rows_of_an_array_of_the_host)
{
    write_file(
        folder, "rows.cu",
        "#include <cstdio>\nint main(int count, char **) { int t[3][5], sum = 0, row[5] = {0};\n"
        "for (int i = 0; i < 15; i++) t[0][i] = i;\nfor (int i = 0; i < 15; i++) sum += t[0][i];\n"
        "printf(\"%d\\n\", sum + t[2][4]);\nreturn row[4 + count]; }\n");
    struct outcome *outcome = run_in(folder, "$SIMCC rows.cu -o rows && ./rows");
    EXPECT_MESSAGE(outcome, "119\n");
#ifndef __clang__ /* gcc alone compares an index with the number of elements */
    EXPECT_STATUS(outcome, 86);
    EXPECT_MESSAGE(outcome, "Invalid index: row[5], and row has 5 elements");
#endif
}

Test(foreign_programs, share_headers_between_kernels_and_host_code)
{
    write_file(folder, "shared.h",
               "#include <cuda_runtime.h>\n"
               "struct pair {\n    int a, b;\n"
               "    __host__ __device__ int sum() const { return a + b; }\n};\n"
               "__host__ __device__ __forceinline__ int twice(int x) { return 2 * x; }\n"
               "int on_gpu(struct pair p);\n");
    write_file(folder, "main.cpp",
               "#include \"shared.h\"\n#include <cstdio>\n"
               "template <class T> T min(T a, T b) { return a < b ? a : b; }\n"
               "static int threadIdx = 7;\n"
               "int main() { int *d; cudaMalloc(&d, 4); cudaFree(d); pair p = {1, 2};\n"
               "printf(\"%d %d %d\\n\", on_gpu(p), twice(p.sum()), min(threadIdx, 9)); }\n");
    write_file(folder, "gpu.cu",
               "#include \"shared.h\"\n"
               "__global__ void add(pair p, int *to) { *to = twice(p.sum()); }\n"
               "int on_gpu(pair p) { int *d, h; cudaMalloc(&d, 4); add<<<1, 1>>>(p, d);\n"
               "cudaMemcpy(&h, d, 4, cudaMemcpyDefault); cudaFree(d); return h; }\n");
    EXPECT_OUTPUT("6 6 7\n", "$SIMCC main.cpp gpu.cu -o p && ./p");
}

/* One text serves host and device: each function has to get its own branch. */
Test(foreign_programs, see_cuda_arch_in_device_code_only)
{
    write_file(folder, "arch.cu",
               "#include <cstdio>\n"
               "#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 700\n#error before Volta\n#endif\n"
               "#if __CUDA_ARCH__ < 600\n"
               "__device__ double add(double *p, double x) { return -1; }\n"
               "#else\n"
               "__device__ double add(double *p, double x) { return atomicAdd(p, x); }\n"
               "#endif\n"
               "#ifdef __CUDA_ARCH__\n"
               "__device__ int only_here() { return __CUDA_ARCH__; }\n"
               "#else\n"
               "int on_host() { return 7; }\n"
               "#endif\n"
               "struct number {\n"
               "    int n;\n"
               "    __host__ __device__ int both() const {\n"
               "#ifdef __CUDA_ARCH__\n"
               "        return n + (int)threadIdx.x;\n"
               "#else\n"
               "        return on_host() + n;\n"
               "#endif\n"
               "    }\n"
               "};\n"
               "template <class T> __host__ __device__ constexpr T size_of(T n) {\n"
               "#if __CUDA_ARCH__ >= 900\n"
               "    return n;\n"
               "#else\n"
               "    return n * 2;\n"
               "#endif\n"
               "}\n"
               "static char room[size_of(3)];\n"
               "__global__ void k(int *p, double *d)\n{\n"
               "#if __CUDA_ARCH__ >= 800\n"
               "    p[0] = 1;\n"
               "#endif\n"
               "#ifndef __CUDA_ARCH__\n"
               "    p[0] = nothing;\n"
               "#endif\n"
               "    number n{10}; p[1] = n.both(); p[2] = only_here(); p[3] = size_of(3);\n"
               "    *d = 1; add(d, 2);\n"
               "}\n"
               "int main() { int *p, h[4]; double *d, s; cudaMalloc(&p, 16); cudaMalloc(&d, 8);\n"
               "#ifdef __CUDA_ARCH__\n    wrong;\n#endif\n"
               "k<<<1, 1>>>(p, d); cudaMemcpy(h, p, 16, cudaMemcpyDefault);\n"
               "cudaMemcpy(&s, d, 8, cudaMemcpyDefault); number n{10};\n"
               "printf(\"%d %d %d %d %d %d %zu %g\\n\", h[0], h[1], h[2], h[3], n.both(), "
               "on_host(), sizeof room, s); }\n");
    EXPECT_OUTPUT("1 10 900 3 17 7 6 3\n", "$SIMCC -Wall -Wextra arch.cu -o arch && ./arch");
    write_file(folder, "bad.cu",
               "__host__ __device__ int f(int x)\n{\n#ifdef __CUDA_ARCH__\n    return x;\n#else\n"
               "    return  nowhere;\n#endif\n}\n"
               "__global__ void k()\n{\n#ifdef __CUDA_ARCH__\n    int i =  gone;\n#endif\n}\n");
    struct outcome *outcome = run_in(folder, "$SIMCC -c bad.cu");
    cr_expect_neq(outcome->status, 0);
    EXPECT_MESSAGE(outcome, "bad.cu:6:13: error: ");
    EXPECT_MESSAGE(outcome, "bad.cu:12:14: error: ");
}

/* Catches a program that is compiled for another card than it runs on: the way around an atomic that the
 * card does not have is taken, or it is not. */
Test(foreign_programs, see_the_architecture_of_the_card)
{
    write_file(
        folder, "card.cu",
        "__global__ void add(float4 *to, int *arch)\n{\n"
        "#if __CUDA_ARCH__ >= 900\n"
        "    atomicAdd(to, make_float4(1, 1, 1, 1));\n"
        "#else\n"
        "    atomicAdd(&to->w, 2);\n"
        "#endif\n"
        "#ifdef __CUDA_ARCH__\n    *arch = __CUDA_ARCH__;\n#endif\n"
        "}\n"
        "int main() { float4 *f, g; int *d, arch; cudaMalloc(&f, 16); cudaMalloc(&d, 4);\n"
        "cudaMemset(f, 0, 16); add<<<1, 1>>>(f, d);\n"
        "cudaMemcpy(&g, f, 16, cudaMemcpyDefault); cudaMemcpy(&arch, d, 4, cudaMemcpyDefault);\n"
        "printf(\"%d %g\\n\", arch, g.w); }\n");
    EXPECT_OUTPUT("900 1\n", "$SIMCC card.cu -o card && ./card");
    EXPECT_OUTPUT("800 2\n", "export SIM_CARD=A100; $SIMCC card.cu -o card && ./card");
    EXPECT_OUTPUT("890 2\n", "export SIM_CARD=RTX4090; $SIMCC card.cu -o card && ./card");
    struct outcome *outcome = run_in(folder, "SIM_CARD=A10 $SIMCC card.cu -o card");
    cr_expect_neq(outcome->status, 0);
    EXPECT_MESSAGE(outcome, "SIM_CARD=A10 is not one of H200 A100 RTX4090 RTX3060_LAPTOP");
    outcome = run_in(folder, "$SIMCC card.cu -o card && SIM_CARD=A100 ./card");
    EXPECT_MESSAGE(outcome,
                   "atomicAdd of float4 is not on this card: A100 has compute capability 8.0");
    EXPECT_MESSAGE(outcome, "card.cu:4");
}

/* Our headers use reserved names inside, so that a program may define any other before them. */
Test(foreign_programs, may_define_common_words_before_the_headers)
{
    run_in(folder,
           "for name in A B K M N T TO BLOCK SIZE TYPE bits block bytes c config count data "
           "f group h2 i id index j k lane lanes mask n object offset pad parameters "
           "result seed src state sum tile u warp; do\n"
           "echo \"#define $name @garbage@\"; done >words.h");
    write_file(folder, "words.cu",
               "#include <cstddef>\n#include <cstdio>\n#include <atomic>\n#include <chrono>\n"
               "#include <utility>\n#include \"words.h\"\n#include <cuda_runtime.h>\n"
               "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\n"
               "#include <cuda_fp16.h>\n#include <cuda/atomic>\n#include <cuda/barrier>\n"
               "#include <cuda/pipeline>\n#include <cuda_pipeline.h>\n#include <cuComplex.h>\n"
               "#include <curand_kernel.h>\n#include <math_constants.h>\n"
               "int main() { puts(\"right\"); }\n");
    EXPECT_OUTPUT("right\n", "$SIMCC words.cu -o words && ./words");
}

/* A real CUDA in a folder that the compiler searches: its headers cannot be used here. */
Test(foreign_programs, name_a_real_header_that_is_not_simulated)
{
    run_in(folder, "mkdir -p real/crt && touch real/crt/host_config.h");
    write_file(folder, "real/extra_functions.h",
               "/* Copyright NVIDIA */\n__device_builtin__ int f(int);\nint g(lost);\n");
    write_file(folder, "x.cu", "#include <extra_functions.h>\nint main() {}\n");
    struct outcome *outcome = run_in(folder, "CPATH=$PWD/real $SIMCC x.cu");
    EXPECT_STATUS(outcome, 1);
    EXPECT_MESSAGE(outcome, ": error: extra_functions.h: this header of NVIDIA's is not simulated");
    cr_expect_eq(strchr(outcome->text, '\n') + 1 - outcome->text, (long)strlen(outcome->text),
                 "one line:\n%s", outcome->text);
    write_file(folder, "y.cu",
               "#include <math_functions.h>\n#include <sm_20_atomic_functions.h>\n"
               "#include <device_types.h>\n#include <host_defines.h>\nint main() {}\n");
    write_file(folder, "real/device_types.h", "/* NVIDIA */ int fine;\n");
    EXPECT_OUTPUT("", "CPATH=$PWD/real $SIMCC y.cu");
}

/* A helper that only the device has must stand before the kernel that calls it. */
Test(foreign_programs, keep_device_helpers_before_their_kernels)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "#if __CUDA_ARCH__ >= 700\n"
               "template <bool twice> __device__ int value(int x) { return twice ? 2 * x : x; }\n"
               "#endif\n"
               "__global__ void kernel(int *to)\n{\n"
               "#if __CUDA_ARCH__ >= 700\n    *to = value<true>(21);\n#endif\n}\n"
               "int main() { int *d, h; cudaMalloc(&d, 4); kernel<<<1, 1>>>(d);\n"
               "cudaMemcpy(&h, d, 4, cudaMemcpyDefault); printf(\"%d\\n\", h); }\n");
    EXPECT_OUTPUT("42\n", "$SIMCC a.cu -o a && ./a");
}
