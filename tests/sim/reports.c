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
    EXPECT_SAID(seen, "at diverge in barrier.cu:4");
    seen = run_in(folder, "strip barrier && ./barrier");
    EXPECT_STATUS(seen, 86);
    EXPECT_SAID(seen, "Barrier error detected. Divergent thread(s) in block");
    EXPECT_SAID(seen, "at an unknown line");
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
    EXPECT_SAID(seen, "at course::store<int> in names.cu:5");
    EXPECT_SAID(seen, "race in names.cu:10");
    EXPECT_SAID(seen, "writes course::bins[2] while another reads it, both in line 10 (WAR hazard "
                      "in global memory)");
}
