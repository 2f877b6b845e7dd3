/* forgotten.c - what a program has forgotten, and was not told: to set memory of the host's, to return a value,
 * to write __device__. And what it had not forgotten, and was told. */
#include "tool.h"

#include <criterion/criterion.h>

TestSuite(forgotten, .init = open_folder, .fini = close_folder);

/* Memory that the host may write was taken for written. */
Test(forgotten, to_set_managed_and_pinned_memory)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "#include <cstdlib>\n"
               "__global__ void add(int *sum) { atomicAdd(sum, 1); }\n"
               "__global__ void read(const unsigned char *in, int *out) { out[0] = in[0]; }\n"
               "int main(int, char **words)\n"
               "{\n"
               "    int *sum;\n"
               "    unsigned char *bytes;\n"
               "    int which = atoi(words[1]);\n"
               "    if (which == 1)\n"
               "        cudaMallocHost(&sum, sizeof(int));\n"
               "    else\n"
               "        cudaMallocManaged(&sum, sizeof(int));\n"
               "    cudaMallocManaged(&bytes, 4);\n"
               "    bytes[0] = bytes[1] = 0xa5;\n"
               "    if (which == 2)\n"
               "        *sum = 0;\n"
               "    add<<<4, 64>>>(sum);\n"
               "    cudaDeviceSynchronize();\n"
               "    printf(\"%d %c\\n\", *sum, bytes[0]);\n"
               "    read<<<1, 1>>>(bytes, sum);\n"
               "    cudaDeviceSynchronize();\n"
               "}\n");
    EXPECT_STATUS(run_in(folder, "$SIMCC a.cu -o a"), 0);
    for (int i = 0; i < 2; i++) {
        struct outcome *seen = run_in(folder, "./a %d", i);
        EXPECT_STATUS(seen, 86);
        EXPECT_MESSAGE(seen, "nothing has written sum[0]");
    }
    EXPECT_OUTPUT("256 \xa5\n", "./a 2");
}

/* The function ran into the next one, and an address of nobody was told. */
Test(forgotten, to_return_a_value)
{
    write_file(folder, "a.cu",
               "__device__ unsigned int warp_sum(unsigned int p, volatile unsigned int *s)\n"
               "{\n"
               "    // TODO\n"
               "}\n"
               "__global__ void reduce(unsigned int *out, const unsigned int *in)\n"
               "{\n"
               "    extern __shared__ unsigned int s[];\n"
               "    unsigned int sum = warp_sum(in[threadIdx.x], s);\n"
               "    if (threadIdx.x == 0)\n"
               "        *out = sum;\n"
               "}\n"
               "int main()\n"
               "{\n"
               "    unsigned int *in, *out, result = 0;\n"
               "    cudaMalloc(&in, 128);\n"
               "    cudaMalloc(&out, 4);\n"
               "    cudaMemset(in, 0, 128);\n"
               "    reduce<<<1, 32, 128>>>(out, in);\n"
               "    cudaMemcpy(&result, out, 4, cudaMemcpyDeviceToHost);\n"
               "    printf(\"%u\\n\", result);\n"
               "}\n");
    struct outcome *seen = run_in(folder, "$SIMCC -w a.cu -o a && ./a");
    EXPECT_STATUS(seen, 86);
    EXPECT_MESSAGE(seen, "No value returned");
    EXPECT_MESSAGE(seen, "at warp_sum in a.cu:"); // its first line, or its brace
}

/* What nvcc refuses, and g++ takes. */
Test(forgotten, what_is_of_the_device_and_of_the_host)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "static const float table[4] = {1, 2, 3, 4}; static const int N = 4; static const "
               "int small[2] = {7, 8};\n"
               "__device__ int only(int x) { return x + 1; }\n"
               "__host__ __device__ int both(int x) { return x; }\n"
               "template <class F> __global__ void run(F f, int *o) { o[0] = f(1); }\n"
               "__global__ void k(float *o, int n) { o[0] = N;\n"
               "#if X == 1\n"
               " o[1] = table[n];\n"
               "#elif X == 2\n"
               " int a[n]; a[0] = 1; o[0] = a[n - 1];\n"
               "#endif\n"
               "}\n"
               "int main() { int *o; cudaMalloc(&o, 8); auto f = [] __device__ (int x) { return "
               "only(x); };\n"
               " struct op { __device__ int operator()(int x) const { return only(x); } };\n"
               " run<<<1, 1>>>(f, o); run<<<1, 1>>>(op(), o);\n"
               "#if X == 3\n"
               " printf(\"%d\\n\", only(3));\n"
               "#endif\n"
               " k<<<1, 1>>>((float *)o, 3); printf(\"%d %d %g %s\\n\", both(2), small[1], "
               "table[both(3)], cudaGetErrorName(cudaDeviceSynchronize())); }\n");
    EXPECT_OUTPUT("2 8 4 cudaSuccess\n", "$SIMCC -DX=0 --extended-lambda a.cu -o a && ./a");
    static const char *const parts[] = {
        "a.cu:8: error: identifier \"table\" is undefined in device code", "variable length array",
        ("a.cu:17: error: calling a __device__ function(\"only\") from a "
         "__host__ function(\"main\")")};
    for (int i = 0; i < 3; i++) {
        struct outcome *seen = run_in(folder, "$SIMCC -DX=%d --extended-lambda -c a.cu", i + 1);
        EXPECT_STATUS(seen, 1);
        EXPECT_MESSAGE(seen, parts[i]);
    }
}

/* The caller has multiplied. */
Test(forgotten, no_sizeof_where_a_wrapper_is_given_bytes)
{
    write_file(
        folder, "a.cu",
        "static void *device_alloc(size_t sz)\n{\n    void *place;\n    cudaMalloc(&place, sz);\n"
        "    return place;\n}\n"
        "__global__ void total(const float *in, float *out) { out[threadIdx.x] = in[threadIdx.x + "
        "300]; }\n"
        "int main(int count, char **)\n{\n    float *in = (float *)device_alloc(256 * "
        "sizeof(float)), *out;\n"
        "    cudaMalloc(&out, 16 * 4 * 16);\n"
        "    cudaMemset(in, 0, 1024);\n    cudaMemset(out, 0, 1024);\n"
        "    if (count > 1) total<<<1, 64>>>(out, in); else total<<<1, 64>>>(in, out);\n"
        "    cudaDeviceSynchronize();\n}\n");
    EXPECT_STATUS(run_in(folder, "$SIMCC a.cu -o a"), 0);
    for (int i = 0; i < 2; i++) {
        struct outcome *seen = run_in(folder, i ? "./a x" : "./a");
        EXPECT_MESSAGE(seen, "has 256 elements");
        cr_expect_null(strstr(seen->text, "sizeof"), "%s", seen->text);
    }
}

/* 40 TB of addresses one after the other, with something live among them. */
Test(forgotten, no_address_for_ever)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "__global__ void k(int *p) { p[0] = 1; }\n"
               "int main() { int *keep, *keep2; cudaMalloc(&keep, 4); for (int i = 0; i < 40000; "
               "i++) { void *p; if (cudaMalloc(&p, (size_t)1 << 30)) { printf(\"failed %d\\n\", "
               "i); return 1; } if (i == 20000) cudaMalloc(&keep2, 4); if (i % 5000 == 0) k<<<1, "
               "1>>>((int *)p); cudaFree(p); } k<<<1, 1>>>(keep2); k<<<1, 1>>>(keep); "
               "puts(cudaGetErrorName(cudaDeviceSynchronize())); }\n");
    EXPECT_OUTPUT("cudaSuccess\n", "$SIMCC a.cu -o a && ./a");
}
