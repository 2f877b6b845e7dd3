/* left_out.c - what a program is told that includes what the simulated GPU leaves out. */
#include "tool.h"

#include <criterion/criterion.h>

TestSuite(left_out, .init = open_folder, .fini = close_folder);

/* simcc fails with one line, which begins so and has `part`. */
static void expect_line(const char *file, const char *begin, const char *part)
{
    struct outcome *seen = run_in(folder, "$SIMCC %s -o p", file);
    EXPECT_STATUS(seen, 1);
    EXPECT_MESSAGE(seen, begin);
    EXPECT_MESSAGE(seen, part);
    cr_expect_eq(strchr(seen->text, '\n') + 1 - seen->text, (long)strlen(seen->text),
                 "one line:\n%s", seen->text);
}

Test(left_out, libraries_are_told_in_one_line)
{
    static const char *const headers[][2] = {
        {"npp.h", "NPP is not simulated"},
        {"nvrtc.h", "compiling at run time is not simulated"},
        {"cudnn.h", "cuDNN is not simulated"},
        {"cuda_gl_interop.h", "graphics are not simulated"},
        {"mma.h", "tensor cores are not simulated"},
    };
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "#include <cstdio>\n#include <%s>\nint main() {}\n",
                 headers[i][0]);
        write_file(folder, "p.cu", text);
        expect_line("p.cu", "p.cu:2: error: ", headers[i][1]);
        expect_line("p.cu", headers[i][0], "; ");
    }
}

Test(left_out, the_file_is_named_that_includes_it)
{
    write_file(folder, "own.h", "\n#include <nppi.h>\n#include <cudnn.h>\n");
    write_file(folder, "p.cu", "#include \"own.h\"\nint main() {}\n");
    write_file(folder, "p.cpp", "#include \"own.h\"\nint main() {}\n");
    expect_line("p.cu", "own.h:2: error: nppi.h: ", "write the filter as a kernel");
    expect_line("p.cpp", "own.h:2: error: nppi.h: ", "write the filter as a kernel");
}

Test(left_out, a_header_of_the_same_name_beside_the_program_is_taken)
{
    write_file(folder, "npp.h", "enum { ANSWER = 42 };\n");
    write_file(folder, "p.cu", "#include \"npp.h\"\nint main() { return ANSWER - 42; }\n");
    EXPECT_STATUS(run_in(folder, "$SIMCC p.cu -o p && ./p"), 0);
}

Test(left_out, a_call_that_nobody_declares_is_told_in_one_line)
{
    static const char *const lines[] = {
        "cudaImportExternalMemory(0, 0);", "if (cudaGraphicsUnregisterResource(0)) return 1;",
        "cudaExternalMemory_t m;", "int r = cuStreamWriteValue32(0, 0, 0, 0);",
        "ncclGroupSimulateEnd(0);"};
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "#include <cstdio>\nint main()\n{\n    %s\n}\n", lines[i]);
        write_file(folder, "p.cu", text);
        expect_line("p.cu", "p.cu:4: error: ", "the simulated GPU has nothing of that name");
    }
}

Test(left_out, names_of_ones_own_that_look_like_it_stay)
{
    write_file(folder, "p.cu",
               "struct cudaTimer { int n; int cudaRead() { return cudaLater(); } int cudaLater() "
               "{ return n; } };\n"
               "static int cudaTwice(int n) { return 2 * n; }\n"
               "int main()\n{\n    cudaTimer t = {0};\n"
               "    auto cudaAdd = [](int a) { return a; };\n    float cudaStart(0), cudaEnd(0);\n"
               "    \n    return t.cudaRead() + cudaTwice(0) + cudaAdd(int(cudaStart + "
               "cudaEnd));\n}\n");
    EXPECT_STATUS(run_in(folder, "$SIMCC p.cu -o p && ./p"), 0);
}

Test(left_out, other_messages_of_the_compiler_stay)
{
    write_file(folder, "p.cu", "#warning careful\n#include \"nowhere.h\"\nint main() {}\n");
    struct outcome *seen = run_in(folder, "$SIMCC p.cu -o p");
    EXPECT_STATUS(seen, 1);
    EXPECT_MESSAGE(seen, "careful");
    EXPECT_MESSAGE(seen, "nowhere.h");
}

/* A line of the header's own came first, which says nothing of the program. */
Test(left_out, tiles_of_several_warps_and_clusters_are_told_at_their_line)
{
    write_file(
        folder, "p.cu",
        "#include <cooperative_groups.h>\nnamespace cg = cooperative_groups;\n"
        "__global__ void k()\n{\n    auto t = cg::tiled_partition<64>(cg::this_thread_block());\n"
        "    t.sync();\n}\nint main() {}\n");
    expect_line("p.cu",
                "p.cu:5: error: tiled_partition<64>: ", "tiles of several warps are not simulated");
    write_file(folder, "p.cu",
               "__global__ void k()\n{\n    __cluster_barrier_wait();\n}\nint main() {}\n");
    expect_line("p.cu",
                "p.cu:3: error: __cluster_barrier_wait: ", "of clusters only those of one block");
}

Test(left_out, names_are_told_in_one_line)
{
    static const char *const lines[][2] = {
        {"texture<float, 2> image;", "textures and surfaces are not simulated"},
        {"__global__ void k(cudaTextureObject_t t, float *p) { *p = tex2D<float>(t, 0, 0); }",
         "textures and surfaces are not simulated"},
        {"void f() { cudaArray *a; cudaMallocArray(&a, 0, 1, 1); }", "cudaMallocPitch"},
        {"cudaKernelNodeParams p = {0};", "use cudaStreamBeginCapture"},
        {"__global__ void k(int *p) { *p = curand_poisson(0, 1.0); }", "Poisson numbers"},
        {"__global__ void k(int *p) { *p = __isConstant(p); }", "has no such function"},
        {"__device__ float f(float x) { return __fmaf_ieee_rn(x, x, x); }", "has no such function"},
        {"__device__ void f() { __threadfence_cluster(); }", "of clusters only"},
        {"cudaMemPoolProps made;", "only the default memory pool is simulated"},
        {"void f() { ncclBroadcast(a, b, 1, ncclInt, 0, c, 0); }", "of NCCL only ncclCommInitAll"},
        {"void f() { cuInit(0); }", "the driver API is not simulated"},
        {"void f() { curandGenerateUniform(g, p, n); }", "the host part of cuRAND"},
        {"void f() { cudaGraphAddKernelNode(&n, g, 0, 0, &p); }", "use cudaStreamBeginCapture"},
    };
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        char text[256];
        snprintf(text, sizeof text, "#include <cstdio>\n%s\nint main() {}\n", lines[i][0]);
        write_file(folder, "p.cu", text);
        expect_line("p.cu", "p.cu:2:", lines[i][1]);
    }
}

Test(left_out, a_programs_own_names_stay)
{
    write_file(folder, "p.cu",
               "namespace mine { template <class T> struct texture { T t; }; }\n"
               "static int tex2D(int x) { return x; }\n"
               "struct image { int array; int tex3D(int x) { return x + array; } };\n"
               "int main() { mine::texture<int> t = {1}; image i = {2};\n"
               "    return tex2D(t.t) + i.tex3D(1) + i.array - 6; }\n");
    EXPECT_STATUS(run_in(folder, "$SIMCC p.cu -o p && ./p"), 0);
}
