/* endings.c - what a program hears that takes long, asks for too much, or never asks. */
#include "tool.h"

#include <criterion/criterion.h>

#include "self_checked.h"

TestSuite(endings, .init = open_folder, .fini = close_folder);

Test(endings, a_launch_that_failed_and_that_nobody_asked_about)
{
    write_file(folder, "launch.cu",
               "__global__ void k(int *p) { p[0] = 1; }\n"
               "int main(int argc, char **)\n{\n    int *p;\n    cudaMalloc(&p, 4);\n"
               "    k<<<argc > 2 ? 0 : 1, argc > 2 ? 32 : 2048>>>(p);\n"
               "    if (argc == 2) puts(cudaGetErrorName(cudaGetLastError()));\n}\n");
    struct outcome *outcome = run_in(folder, "$SIMCC launch.cu && ./a.out");
    EXPECT_STATUS(outcome, 86);
    EXPECT_MESSAGE(outcome, "A launch failed, and the program did not ask");
    EXPECT_MESSAGE(outcome, "k was not started: invalid configuration argument");
    EXPECT_MESSAGE(outcome, "launch.cu:6");
    EXPECT_MESSAGE(outcome, "look at cudaGetLastError()");
    outcome = run_in(folder, "./a.out asks");
    EXPECT_STATUS(outcome, 0);
    EXPECT_MESSAGE(outcome, "cudaErrorInvalidConfiguration");
    outcome = run_in(folder, "./a.out no blocks");
    EXPECT_STATUS(outcome, 0);
}

Test(endings, a_launch_that_takes_long)
{
    write_file(folder, "long.cu",
               "__global__ void k(volatile int *p)\n{\n"
               "    for (int i = 0; i < 6000; i++) p[blockIdx.x * 32 + threadIdx.x] = i;\n}\n"
               "int main() { int *p; cudaMalloc(&p, 20480); k<<<160, 32>>>(p); }\n");
    struct outcome *outcome = run_in(folder, "$SIMCC long.cu && SIM_PROGRESS=1 ./a.out");
    EXPECT_STATUS(outcome, 0);
    EXPECT_MESSAGE(outcome, "simulated GPU: k runs for ");
    EXPECT_MESSAGE(outcome, " of 160 blocks have ended");
    EXPECT_MESSAGE(outcome, "A smaller problem shows the same in less time");
    EXPECT_MESSAGE(outcome, "SIM_CHECKS=none");
}

/* For as long as a second takes that nobody else has. */
Test(endings, a_host_that_computes_long)
{
    write_file(folder, "host.cu",
               "#include <time.h>\n__global__ void k(int *p) { p[0] = 1; }\n"
               "int main()\n{\n    int *p;\n    volatile long rounds = 0;\n"
               "    cudaMalloc(&p, 4);\n    k<<<1, 1>>>(p);\n"
               "    while (clock() < 2 * CLOCKS_PER_SEC)\n"
               "        for (long i = 0; i < 10000000; i++)\n            rounds++;\n}\n");
    struct outcome *outcome = run_in(folder, "$SIMCC host.cu && SIM_PROGRESS=1 ./a.out");
    EXPECT_STATUS(outcome, 0);
    EXPECT_MESSAGE(outcome, "host code computes for 1 s without a launch, now at host.cu:1");
    EXPECT_MESSAGE(outcome, "a loop whose condition never becomes false");
}

/* All of it can be touched, with its shadow; without checks there is more. */
Test(endings, a_program_that_sizes_itself_by_the_device)
{
    write_file(folder, "size.cu",
               "int main()\n{\n    size_t left, total;\n    cudaDeviceProp p;\n"
               "    cudaMemGetInfo(&left, &total);\n    cudaGetDeviceProperties(&p, 0);\n"
               "    if (p.totalGlobalMem != total || left > total) return 1;\n"
               "    printf(\"%zu\\n\", total >> 20);\n}\n");
    struct outcome *outcome = run_in(folder, "$SIMCC size.cu && ./a.out");
    EXPECT_STATUS(outcome, 0);
    long with_checks = atol(outcome->text);
    outcome = run_in(folder, "SIM_CHECKS=none ./a.out");
    long without = atol(outcome->text);
    long machine = sysconf(_SC_PHYS_PAGES) / 256 * (sysconf(_SC_PAGESIZE) / 4096);
    cr_expect_gt(with_checks, 0);
    cr_expect_leq(with_checks * 9, machine);
    cr_expect_leq(without, machine);
    cr_expect_gt(without, with_checks);
    outcome = run_in(folder, "ulimit -v 8000000; ./a.out");
    cr_expect_leq(atol(outcome->text) * 9, 8000000 / 1024, "%s", outcome->text);
}

Test(endings, a_limit_on_addresses)
{
    if (is_self_checked())
        cr_skip_test("AddressSanitizer takes more addresses than any limit");
    write_file(folder, "limit.cu",
               "int main() { int *p; puts(cudaGetErrorName(cudaMalloc(&p, 4))); }\n");
    struct outcome *outcome = run_in(folder, "$SIMCC limit.cu && ulimit -v 3000000 && ./a.out");
    EXPECT_MESSAGE(outcome, "a limit on addresses (ulimit -v) leaves the simulated GPU no room");
    EXPECT_MESSAGE(outcome, "cudaErrorMemoryAllocation");
}
