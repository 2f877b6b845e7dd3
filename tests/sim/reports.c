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
               "__constant__ int fixed[3];\n"
               "__device__ int bins[5];\n"
               "__global__ void read(int *out, int i) { *out = fixed[i]; }\n"
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
/* Such an address is told as what it is, and not as a misaligned one or nobody's. */
Test(reports, a_pointer_that_nobody_set)
{
    write_file(folder, "unset.cu",
               "__global__ void k(int *p) { p[threadIdx.x + 2] = 1; }\n"
               "int main() { int *d;\n"
               "k<<<1, 32>>>(d); }\n");
    struct outcome *seen = run_in(folder, "$SIMCC -w unset.cu -o unset && ./unset");
    EXPECT_STATUS(seen, 86);
    EXPECT_MESSAGE(seen,
                   "Invalid __global__ write of size 4 bytes: by a pointer that nobody has set\n");
    EXPECT_MESSAGE(seen, "at k in unset.cu:1");
}

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

/* A function of the simulator's has inlined what a header of its defines: both are the simulator's lines. clang gives
 * an instruction of four bytes no line. */
#ifdef __clang__
#define LEAST "124"
#else
#define LEAST "128"
#endif
Test(reports, know_the_lines_of_our_own_headers)
{
    write_file(folder, "own.cu",
               "#include <cstdio>\n"
               "extern \"C\" bool sim_is_own(unsigned long);\n"
               "extern \"C\" void sim_go_round(void *, long, long, long);\n"
               "int main()\n"
               "{\n"
               "    int own = 0;\n"
               "    for (int i = 1; i <= 128; i++)\n"
               "        own += sim_is_own((unsigned long)sim_go_round + i);\n"
               "    printf(\"%s, %d of 1\", own < " LEAST " ? \"not all\" : \"ours\",\n"
               "           sim_is_own((unsigned long)main + 1));\n"
               "}\n");
    struct outcome *seen = run_in(folder, "$SIMCC own.cu -o own && ./own");
    EXPECT_MESSAGE(seen, "ours, 0 of 1");
}

/* Where a kernel or the host is when something of the simulator's or a library's is at work, too. */
Test(reports, name_a_line_of_the_user_and_none_of_our_own)
{
    write_file(folder, "places.cu",
               "#include <cmath>\n"
               "#include <cstdlib>\n"
               "#include \"sim.h\"\n"
               "__global__ void rounds(int *p, unsigned n)\n"
               "{\n"
               "    for (unsigned k = 0; k >= n; k++) // 6\n"
               "        if (k == 1) // 7\n"
               "            p[0] = 1; // 8\n"
               "}\n"
               "__global__ void sines(double *p, double least)\n"
               "{\n"
               "    double x = 1;\n"
               "    while (x > least) // 13\n"
               "        x = 1 + sin(x) * sin(x); // 14\n"
               "    p[0] = x;\n"
               "}\n"
               "__global__ void much(int *p)\n"
               "{\n"
               "    __shared__ int s[16384]; // 19\n"
               "    s[threadIdx.x] = 1; // 20\n"
               "    p[0] = s[0];\n"
               "}\n"
               "__device__ __noinline__ int deeper(int *p, int n)\n"
               "{\n"
               "    int own[64]; // 25\n"
               "    own[n % 64] = n; // 26\n"
               "    return n < 0 ? *p : deeper(p, n + 1) + own[n % 64]; // 27\n"
               "}\n"
               "__global__ void deep(int *p)\n"
               "{\n"
               "    p[1] = deeper(p, 0);\n"
               "}\n"
               "static int down(volatile int *p, int n)\n"
               "{\n"
               "    volatile int own[100]; // 35\n"
               "    own[n % 100] = *p; // 36\n"
               "    return n < 0 ? 0 : down(p, n + 1) + own[n % 100]; // 37\n"
               "}\n"
               "int main(int count, char **words)\n"
               "{\n"
               "    int *d, own = 1;\n"
               "    cudaMalloc(&d, 64);\n"
               "    switch (atoi(words[count - 1])) {\n"
               "    case 0: rounds<<<2, 64>>>(d, 0); break;\n"
               "    case 1: sines<<<1, 1>>>((double *)d, 0); break;\n"
               "    case 2: much<<<1, 64>>>(d); break;\n"
               "    case 3: deep<<<1, 1>>>(d); break;\n"
               "    case 4: return down(&own, 0); // 48\n"
               "    case 5: sim_set_host_patience(1);\n"
               "        for (volatile double x = 1; x > 0;) // 50\n"
               "            x = 1 + sin(x) * sin(x); // 51\n"
               "    }\n"
               "    cudaDeviceSynchronize();\n"
               "}\n");
    static const char *const places[][4] = {
        {"places.cu:6", "places.cu:7", "places.cu:8"},
        {"places.cu:13", "places.cu:14"},
        {"places.cu:19", "places.cu:20"},
        {"places.cu:24", "places.cu:26", "places.cu:27", "places.cu:25"},
        {"places.cu:34", "places.cu:35", "places.cu:36", "places.cu:37"},
        {"places.cu:50", "places.cu:51"}};
    EXPECT_STATUS(run_in(folder, "$SIMCC -I \"${SIMCC%%/simcc}\" places.cu -o places"), 0);
    for (int i = 0; i < 6; i++) {
        struct outcome *seen = run_in(folder, "SIM_PATIENCE=1 ./places %d", i);
        bool found = false;
        EXPECT_STATUS(seen, 86);
        for (int k = 0; k < 4 && places[i][k]; k++)
            found = found || strstr(seen->text, places[i][k]);
        cr_expect(found, "%d names no line of the user:\n%s", i, seen->text);
    }
}
