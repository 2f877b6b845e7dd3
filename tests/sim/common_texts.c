/* common_texts.c - what stands in many programs, and once did not compile, or did another thing than on a card. */
#include "tool.h"

#include <criterion/criterion.h>

TestSuite(common_texts, .init = open_folder, .fini = close_folder);

/* A place that is written between the two halves of a sign that a macro has. */
Test(common_texts, shifts_of_macros_stay_whole)
{
    write_file(folder, "a.cu",
               "#include <iostream>\n"
               "#define SHOW(x) std::cout << \"x = \" << x << \" \"\n"
               "#define SAY(what, n) std::cout << what << \" \" << n << \" : \";\n"
               "template <class T, unsigned B> void add(T n) { std::cout << n + B << \"\\n\"; }\n"
               "#define OR(x, k) x <<= (k), x >>= 2, x |= 1, std::cout << x + 2\n"
               "#define TEST(what) (std::cout << \" \" << (what) << \"\\n\")\n"
               "template <class T> T shift(T a, T b) { a <<= 1; a >>= b + 1; return a; }\n"
               "int main()\n"
               "{\n"
               "    unsigned n = 3;\n"
               "    SHOW(static_cast<float>(n) + 0.5f);\n"
               "    SAY(\"n\", n) add<unsigned, 1>(n);\n"
               "    OR(n, 3); TEST(shift<int>(9, 3) == 1);\n"
               "}\n");
    EXPECT_OUTPUT("x = 3.5 n 3 : 4\n9 1\n", "$SIMCC a.cu -o a && ./a");
}

/* A shift taken for two brackets of template arguments. */
Test(common_texts, shifts_in_template_arguments)
{
    write_file(
        folder, "a.cu",
        "#include <cstdio>\n"
        "#include <array>\n"
        "template <int N, int M = 1> __global__ void k(int *o) { o[threadIdx.x] = N + M; }\n"
        "template <int N> struct S { static constexpr int v = N; };\n"
        "template <unsigned B> __host__ __device__ unsigned mix(unsigned x) { x <<= B; x >>= 1; "
        "return x; }\n"
        "__global__ void m(int *o) { o[0] = mix<(1 << 2)>(3u) + S<(8 >> 1)>::v + S<1 << 3>::v; }\n"
        "int main() { int *o, h[2]; cudaMalloc(&o, 256); std::array<S<2>, (4 >> 1)> a; (void)a;\n"
        " k<(1 << 4), (64 >> 2)><<<1, 32>>>(o); cudaMemcpy(h, o, 8, cudaMemcpyDeviceToHost); "
        "printf(\"%d\\n\", h[0]);\n"
        " k<1 << 4><<<1, 32>>>(o); cudaMemcpy(h, o, 8, cudaMemcpyDeviceToHost); printf(\"%d\\n\", "
        "h[0]);\n"
        " k<(16 > 3 ? 5 : 6)><<<1 << 1, 64 >> 1>>>(o); cudaMemcpy(h, o, 8, "
        "cudaMemcpyDeviceToHost); printf(\"%d\\n\", h[0]);\n"
        " m<<<1, 1>>>(o); cudaMemcpy(h, o, 8, cudaMemcpyDeviceToHost); printf(\"%d\\n\", h[0]);\n"
        "}\n");
    EXPECT_OUTPUT("32\n17\n6\n36\n", "$SIMCC a.cu -o a && ./a 2>/dev/null");
}

/* Names that the rewriting step puts into a kernel: they are reserved ones, or a parameter would hide them. */
Test(common_texts, parameters_of_any_name)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "__global__ void k(int *kernel, int name, int parameters, int most_threads, int "
               "text, int value, int index,\n"
               "                  int grid, int block, int self, int caller, int shared, int "
               "values, int element, int launch)\n"
               "{\n"
               "    __shared__ int tile[32];\n"
               "    extern __shared__ int more[];\n"
               "    static int type, bytes;\n"
               "    tile[threadIdx.x] = more[threadIdx.x] = type + bytes;\n"
               "    __syncthreads();\n"
               "    if (threadIdx.x == 0)\n"
               "        kernel[0] = name + parameters + most_threads + text + value + index + grid "
               "+ block + self + caller - shared +\n"
               "                    values - element + launch - launch + tile[1] + more[1];\n"
               "}\n"
               "int main()\n"
               "{\n"
               "    int *o, h;\n"
               "    cudaMalloc(&o, 4);\n"
               "    k<<<1, 32, 128>>>(o, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 11, 13);\n"
               "    cudaMemcpy(&h, o, 4, cudaMemcpyDeviceToHost);\n"
               "    printf(\"%d\\n\", h);\n"
               "}\n");
    EXPECT_OUTPUT("45\n", "$SIMCC -DA=1 -DB=2 -DT=3 -DN=4 -DP=5 a.cu -o a && ./a");
}

/* A copy of a __shared__ variable, or none. */
Test(common_texts, lambdas_share_the_variables_of_a_block)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "template <class F> __device__ void each(int n, F f) { for (int i = 0; i < n; i++) "
               "f(i); }\n"
               "__global__ void k(int *o) { __shared__ int s[32]; auto put = [=](int i) { s[i] = "
               "i; }; auto get = [&](int i) { return s[i]; };\n"
               " put(threadIdx.x); __syncthreads(); o[threadIdx.x] = get(31 - threadIdx.x); \n"
               "#ifdef BOTH\n"
               " auto none = [](int i) { return s[i]; }; each(1, [&](int k) { o[threadIdx.x] += "
               "none(k); (void)s[k]; });\n"
               "#endif\n"
               " extern __shared__ float dyn[]; auto d = [=](int i) { dyn[i] = i; }; "
               "d(threadIdx.x); __syncthreads(); o[threadIdx.x] += dyn[31 - threadIdx.x]; }\n"
               "int main() { int *o, h[32]; cudaMalloc(&o, 128); k<<<1, 32, 128>>>(o); "
               "cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost); printf(\"%d %s\\n\", h[0], "
               "cudaGetErrorString(cudaGetLastError())); }\n");
    EXPECT_OUTPUT("62 no error\n", "$SIMCC -DBOTH a.cu -o a && ./a");
}

/* One for all threads, as a __device__ variable is. */
Test(common_texts, static_variables_of_device_functions)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "__device__ int ticket() { static int count; return atomicAdd(&count, 1); }\n"
               "__device__ int from_ten() { static __device__ int count = 10; return "
               "atomicAdd(&count, 1); }\n"
               "template <class T> __device__ T look(int i) { static const T t[4] = {1, 2, 3, 4}; "
               "return t[i]; }\n"
               "__device__ float *place() { static float room[4]; return room; }\n"
               "__global__ void k(int *o) { int mine = ticket(); if (threadIdx.x == 0 && "
               "blockIdx.x == 0) { o[1] = from_ten();\n"
               "    place()[2] = look<float>(2); o[3] = (int)place()[2]; o[2] = look<int>(1) * 3; "
               "} atomicMax(&o[0], mine + 1); }\n"
               "int main() { int *o, h[4]; cudaMalloc(&o, 16); cudaMemset(o, 0, 16); k<<<2, "
               "32>>>(o); cudaMemcpy(h, o, 16, cudaMemcpyDeviceToHost);\n"
               "    printf(\"%d %d %d %d %s\\n\", h[0], h[1], h[2], h[3], "
               "cudaGetErrorString(cudaGetLastError())); }\n");
    EXPECT_OUTPUT("64 10 6 3 no error\n", "$SIMCC a.cu -o a && ./a");
}

/* Without __activemask() the lanes that do not call would be waited for. */
Test(common_texts, names_from_before_2018)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "__global__ void k(unsigned *o) { unsigned l, m, e; asm volatile(\"mov.u32 %0, "
               "%%laneid;\" : \"=r\"(l)); asm(\"mov.u32 %0, %lanemask_lt;\" : \"=r\"(m)); asm "
               "volatile (\"mov.u32   %0,%%lanemask_ge ;\" : \"=r\"(e)); \n"
               " int v = threadIdx.x; for (int d = 16; d; d /= 2) v += __shfl_down(v, d); int x = "
               "__shfl(v, 0) + __any(v > 3) + __popc(__ballot(threadIdx.x & 1)); if (threadIdx.x < "
               "8) x += __shfl_xor(x, 1, 8);\n"
               " o[threadIdx.x] = l + m + x + (e & 1); }\n"
               "int main() { unsigned *o, h[32]; cudaMalloc(&o, 128); k<<<1, 32>>>(o); "
               "cudaThreadSynchronize(); cudaMemcpy(h, o, 128, cudaMemcpyDeviceToHost); "
               "printf(\"%u %u\\n\", h[0], h[31]); cudaThreadExit(); }\n");
    struct outcome *seen = run_in(folder, "$SIMCC a.cu -o a && ./a");
    EXPECT_STATUS(seen, 0);
    EXPECT_MESSAGE(seen, "1027 2147484191\n");
    EXPECT_MESSAGE(seen,
                   "a.cu:3: warning: __shfl_down is gone from CUDA 13; write __shfl_down_sync(");
    EXPECT_MESSAGE(seen, "a.cu:5: warning: cudaThreadSynchronize is gone");
}

/* The host's printf tells characters, a kernel's tells arguments. */
Test(common_texts, printf_returns_the_number_of_arguments)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "__global__ void k(int *o) { int n = printf(\"%d %d\\n\", 12345, 2); o[0] = n; if "
               "(printf(\"x\\n\") == 0) o[1] = 7; }\n"
               "int main() { int *o, h[2]; cudaMalloc(&o, 128); k<<<1, 1>>>(o); cudaMemcpy(h, o, "
               "8, cudaMemcpyDeviceToHost); int m = printf(\"abc\\n\"); printf(\"%d %d %d\\n\", "
               "h[0], h[1], m); }\n");
    EXPECT_OUTPUT("12345 2\nx\nabc\n2 7 4\n", "$SIMCC a.cu -o a && ./a");
}

Test(common_texts, pairs_of_halves_in_braces)
{
    write_file(folder, "a.cu",
               "#include <cuda_fp16.h>\n"
               "#include <cstdio>\n"
               "__global__ void k(float *o) { half a = __float2half(1.5f), b = __float2half(2.f); "
               "half2 h = {a, b}; __half2 g{a, b}; half2 z; z = {b, a}; o[0] = __low2float(h) + "
               "__high2float(g) + __low2float(z); }\n"
               "int main() { float *o, h[2]; cudaMalloc(&o, 128); k<<<1, 1>>>(o); cudaMemcpy(h, o, "
               "8, cudaMemcpyDeviceToHost); printf(\"%g\\n\", h[0]); }\n");
    EXPECT_OUTPUT("5.5\n", "$SIMCC a.cu -o a && ./a");
}
