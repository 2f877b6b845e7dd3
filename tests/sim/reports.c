/* reports.c - what reports say of places: lines, functions, and neither. */
#include "tool.h"

TestSuite(reports, .init = open_folder, .fini = close_folder);

/* Without line information a program counter is all that is known of a place. */
Test(reports, a_divergent_barrier_without_line_information)
{
    write_file(folder, "barrier.cu",
               "__global__ void diverge(int *p)\n"
               "{\n"
               "    if (threadIdx.x < 32)\n"
               "        __syncthreads();\n"
               "    else\n"
               "        __syncthreads();\n"
               "    p[threadIdx.x] = 1;\n"
               "}\n"
               "int main()\n"
               "{\n"
               "    int *d;\n"
               "    cudaMalloc(&d, 64 * sizeof *d);\n"
               "    diverge<<<1, 64>>>(d);\n"
               "}\n");
    struct outcome *seen = run_in(folder, "$SIMCC barrier.cu -o barrier && ./barrier");
    EXPECT_STATUS(seen, 86);
    EXPECT_MESSAGE(seen, "at diverge in barrier.cu:4");
    seen = run_in(folder, "strip barrier && ./barrier");
    EXPECT_STATUS(seen, 86);
    EXPECT_MESSAGE(seen, "Barrier error detected. Divergent thread(s) in block");
    EXPECT_MESSAGE(seen, "at an unknown line");
}

Test(reports, name_kernels_and_variables_as_the_source_does)
{
    write_file(folder, "names.cu",
               "namespace course {\n"
               "__device__ int first, bins[4];\n"
               "template <typename T> __global__ void store(T *p)\n"
               "{\n"
               "    p[1] = 1;\n"
               "}\n"
               "namespace {\n"
               "__global__ void race(int (*unused)(int, char))\n"
               "{\n"
               "    bins[2]++, atomicAdd(&first, 1);\n"
               "}\n"
               "} // namespace\n"
               "} // namespace course\n"
               "int main()\n"
               "{\n"
               "    int *d;\n"
               "    cudaMalloc(&d, 4);\n"
               "    course::race<<<1, 2>>>(nullptr);\n"
               "    course::store<int><<<1, 1>>>(d);\n"
               "}\n");
    struct outcome *seen = run_in(folder, "$SIMCC names.cu -o names && ./names");
    EXPECT_STATUS(seen, 86);
    EXPECT_MESSAGE(seen, "at course::store<int> in names.cu:5");
    EXPECT_MESSAGE(seen, "race in names.cu:10");
    EXPECT_MESSAGE(seen,
                   "writes course::bins[2] while another reads it, both in line 10 (WAR hazard "
                   "in global memory)");
}

/* Behind a variable lies nobody's memory, or the host's: a kernel may read neither. */
Test(reports, what_lies_behind_a_variable)
{
    write_file(folder, "behind.cu",
               "#include <cstdlib>\n"
               "static int host[4] = {1, 2, 3, 4};\n"
               "static const int table[2] = {5, 6};\n"
               "__constant__ int fixed[3];\n"
               "__device__ int bins[5];\n"
               "__global__ void read(int *out, int i) { *out = table[i % 2] + fixed[i]; }\n"
               "__global__ void write(int i) { bins[i] = 1; }\n"
               "__global__ void copy(int *out, const int *from) { *out = *from; }\n"
               "int main(int, char **argument)\n{\n    int *d, way = atoi(argument[1]);\n"
               "    cudaMalloc(&d, 4);\n    if (way < 2)\n        read<<<1, 1>>>(d, 2 + way);\n"
               "    else if (way < 4)\n        write<<<1, 1>>>(2 + way);\n"
               "    else\n        copy<<<1, 1>>>(d, host);\n"
               "    return cudaDeviceSynchronize() != cudaSuccess;\n}\n");
    EXPECT_STATUS(run_in(folder, "$SIMCC behind.cu -o behind && ./behind 0 && ./behind 2"), 0);
    EXPECT_MESSAGE(
        run_in(folder, "./behind 1"),
        "__global__ read of size 4 bytes: 0 bytes behind the end of fixed, which has 12 bytes");
    EXPECT_MESSAGE(
        run_in(folder, "./behind 3"),
        "__global__ write of size 4 bytes: 0 bytes behind the end of bins, which has 20 bytes");
    EXPECT_MESSAGE(run_in(folder, "./behind 4"), "by from, is host memory: a kernel cannot use it");
}

#ifndef __clang__ /* gcc alone can be asked to fill local variables without a word to the checks */
Test(reports, local_variables_that_nobody_set_hold_rubbish)
{
    write_file(folder, "local.cu",
               "__global__ void add(int *out, const int *p, int n)\n{\n    int sum, all[4];\n"
               "    for (int i = 0; i < n; i++)\n        sum += p[i], all[i] += p[i];\n"
               "    out[0] = sum;\n    out[1] = all[n - 1];\n}\n"
               "int main()\n{\n    int *d, host[6] = {0};\n    cudaMalloc(&d, sizeof host);\n"
               "    cudaMemset(d, 0, sizeof host);\n    add<<<1, 1>>>(d, d + 2, 4);\n"
               "    cudaMemcpy(host, d, sizeof host, cudaMemcpyDeviceToHost);\n"
               "    return host[0] == 0 || host[1] == 0;\n}\n");
    EXPECT_STATUS(run_in(folder, "$SIMCC local.cu -o local && ./local"), 0);
}
#endif
