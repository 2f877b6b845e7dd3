/* sources.c - what is asked of the source when a program runs was written down when it was compiled. */
#include "tool.h"

#include <criterion/criterion.h>

TestSuite(sources, .init = open_folder, .fini = close_folder);

/* A simulator that reads the file when the kernel runs: without it no loop is unrolled, and with another
 * one in its place the wrong loops are. */
Test(sources, count_the_same_when_the_file_is_gone)
{
    char before[100];
    write_file(
        folder, "k.cu",
        "#include <cstdio>\n#include \"sim.h\"\n"
        "__global__ void k(int *o, const int *a) {\n"
        "#pragma unroll\n"
        "for (int r = 0; r < 8; r++) { int old = a[r], seen; do { seen = old;\n"
        "old = atomicCAS(&o[(threadIdx.x * 7 + r) % 5], seen, seen + 1); } while (old != seen); } "
        "}\n"
        "int main() { int *o, *a; cudaMalloc(&o, 128); cudaMemset(o, 0, 128);\n"
        "cudaMalloc(&a, 128); cudaMemset(a, 0, 128); sim_schedule_by_clock(1);\n"
        "k<<<4, 128>>>(o, a); cudaDeviceSynchronize();\n"
        "printf(\"%llu\\n\", (unsigned long long)sim_counters().global[SIM_ATOM].requests); }\n");
    run_in(folder, "$SIMCC -I \"${SIMCC%%/simcc}\" k.cu -o k");
    snprintf(before, sizeof before, "%.99s", run_in(folder, "./k")->text);
    cr_expect_gt(atoi(before), 1000);
    EXPECT_OUTPUT(before, "mv k.cu gone && ./k");
    EXPECT_OUTPUT(before, "sed 's/pragma unroll/pragma/' gone >k.cu && ./k");
    EXPECT_OUTPUT(before, "cd / && %s/k", folder);
}

/* Without the source an index that leaves an array went unseen, for it might have been a shared one's. */
Test(sources, check_local_arrays_when_the_file_is_gone)
{
    const char *compiler = getenv("CXX");
    if (compiler && strstr(compiler, "clang")) /* which knows no bounds: docs/simulator.md */
        return;
    write_file(folder, "k.cu",
               "__constant__ int table[2][4];\n"
               "__global__ void good(int *o, int i) { o[0] = table[0][i + 4]; }\n"
               "__global__ void bad(int *o, int i) { int mine[4] = {1, 2, 3, 4};\n"
               "mine[i] = 1; o[0] = mine[i + 4]; }\n"
               "int main(int c, char **v) { int *o; cudaMalloc(&o, 4); (void)v;\n"
               "if (c > 1) good<<<1, 1>>>(o, 1); else bad<<<1, 1>>>(o, 1);\n"
               "return cudaDeviceSynchronize() != cudaSuccess; }\n");
    run_in(folder, "$SIMCC k.cu -o k && mkdir sub && mv k.cu sub");
    EXPECT_STATUS(run_in(folder, "SIM_CHECKS=memcheck ./k row"), 0);
    struct outcome *bad = run_in(folder, "SIM_CHECKS=memcheck ./k");
    EXPECT_MESSAGE(bad, "mine[5], and mine has 4 elements");
}
