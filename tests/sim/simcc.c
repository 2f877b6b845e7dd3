/* simcc.c - the compiler driver: options, files, errors, the library. */
#include "tool.h"

#include <criterion/criterion.h>

static const char ADD[] = "#include <cstdio>\n"
                          "__global__ void add(int *p, int n)\n"
                          "{\n"
                          "    p[threadIdx.x] += n;\n"
                          "}\n"
                          "int main()\n"
                          "{\n"
                          "    int *d, h = 40;\n"
                          "    cudaMalloc(&d, sizeof h);\n"
                          "    cudaMemcpy(d, &h, sizeof h, cudaMemcpyHostToDevice);\n"
                          "    add<<<1, 1>>>(d, 2);\n"
                          "    cudaMemcpy(&h, d, sizeof h, cudaMemcpyDeviceToHost);\n"
                          "    printf(\"%d\\n\", h);\n"
                          "}\n";

static void set_up(void)
{
    open_folder();
    write_file(folder, "add.cu", ADD);
}

TestSuite(simcc, .init = set_up, .fini = close_folder);

/* Runs a command; it must fail with one line that has `part`. */
#define EXPECT_FAILURE(part, ...)                                                                  \
    do {                                                                                           \
        struct outcome *seen = run_in(folder, __VA_ARGS__);                                        \
        EXPECT_STATUS(seen, 1);                                                                    \
        EXPECT_MESSAGE(seen, "simcc: error: ");                                                    \
        EXPECT_MESSAGE(seen, part);                                                                \
        cr_expect_eq(strchr(seen->text, '\n') + 1 - seen->text, (long)strlen(seen->text),          \
                     "one line:\n%s", seen->text);                                                 \
    } while (0)

/* The rows are wanted: that they cannot be written is told, and ends the program. */
Test(simcc, program_without_a_place_for_its_profile_says_so)
{
    struct outcome *seen = run_in(folder, "$SIMCC add.cu && SIM_PROFILE=/no/where ./a.out");
    EXPECT_STATUS(seen, 2);
    EXPECT_MESSAGE(seen, "SIM_PROFILE: cannot write /no/where: No such file or directory\n");
    seen = run_in(folder, "SIM_PROFILE=/dev/full ./a.out");
    EXPECT_STATUS(seen, 2);
    EXPECT_MESSAGE(seen, "SIM_PROFILE: cannot write /dev/full: No space left on device\n");
}

Test(simcc, builds_a_program_from_any_folder)
{
    EXPECT_OUTPUT("42\n", "$SIMCC add.cu -o add && ./add");
    EXPECT_OUTPUT("42\n", "$SIMCC add.cu && ./a.out");
    EXPECT_OUTPUT("42\n",
                  "mkdir sub && cd sub && ln -s \"$SIMCC\" cc && ./cc ../add.cu && ./a.out");
}

Test(simcc, compiles_and_links_in_two_steps)
{
    write_file(folder, "main.c", "int twice(int);\nint main(void) { return twice(21) != 42; }\n");
    write_file(folder, "two.cu",
               "#include \"two.cuh\"\n"
               "extern \"C\" int twice(int x) { return FACTOR * x; }\n");
    write_file(folder, "two.cuh", "#define FACTOR (VALUE)\n");
    write_file(folder, "three.cpp", "int three() { return 3; }\n");
    EXPECT_OUTPUT("", "$SIMCC -c -DVALUE=2 two.cu && $SIMCC -c main.c -o m.o && "
                      "$SIMCC m.o two.o three.cpp -o p && ./p");
    EXPECT_OUTPUT("",
                  "cp two.cu two.txt && $SIMCC -c -D VALUE=2 -x cu two.txt -o t.o && test -s t.o");
}

Test(simcc, keeps_the_device_code_of_files_apart)
{
    write_file(folder, "h.cuh",
               "__device__ int bump(int x) { return x + 1; }\n"
               "__device__ int count = 5;\n"
               "int other(int *p);\n");
    write_file(folder, "a.cu",
               "#include \"h.cuh\"\n#include <cstdio>\n"
               "__global__ void k(int *p) { count += 10; *p = bump(count); }\n"
               "int main() { int *d, h; cudaMalloc(&d, 4); k<<<1, 1>>>(d);\n"
               "cudaMemcpy(&h, d, 4, cudaMemcpyDefault);\n"
               "printf(\"%d %d\\n\", h, other(d)); }\n");
    write_file(folder, "b.cu",
               "#include \"h.cuh\"\n"
               "static __global__ void k(int *p) { *p = bump(count); }\n"
               "int other(int *d) { int h; k<<<1, 1>>>(d);\n"
               "cudaMemcpy(&h, d, 4, cudaMemcpyDefault); return h; }\n");
    EXPECT_OUTPUT("16 6\n", "$SIMCC a.cu b.cu && ./a.out");
}

Test(simcc, links_device_code_between_files)
{
    write_file(folder, "a.cu",
               "#include <cstdio>\n"
               "extern __device__ int count;\n__device__ int bump(int x);\n"
               "__global__ void k(int *p) { count += 1; *p = bump(count); }\n"
               "int main() { int *d, h; cudaMalloc(&d, 4); k<<<1, 1>>>(d);\n"
               "cudaMemcpy(&h, d, 4, cudaMemcpyDefault); printf(\"%d\\n\", h); }\n");
    write_file(folder, "b.cu",
               "__device__ int count = 5;\n"
               "__device__ int bump(int x) { return x * 7; }\n");
    EXPECT_OUTPUT("42\n", "$SIMCC -rdc=true a.cu b.cu && ./a.out");
    EXPECT_OUTPUT("42\n", "$SIMCC -dc a.cu b.cu && $SIMCC a.o b.o && ./a.out");
}

Test(simcc, takes_the_options_of_nvcc)
{
    EXPECT_OUTPUT("42\n",
                  "$SIMCC -O3 -std=c++11 -arch=sm_90 -arch sm_90 -gencode "
                  "arch=compute_90,code=sm_90 --generate-code=arch=compute_90,code=sm_90 "
                  "--gpu-architecture=sm_90 -code=sm_90 -Xcompiler -Wall,-Wextra -Xcompiler=-O2 "
                  "--compiler-options -fPIC -lineinfo -G -g -rdc=false -ccbin g++ "
                  "--use_fast_math -use_fast_math -Xptxas -v -Xptxas=-O3 --ptxas-options=-v "
                  "-Xlinker --as-needed -lcudart -lcuda -lcudadevrt --expt-relaxed-constexpr "
                  "--extended-lambda -maxrregcount=32 --maxrregcount 32 -ftz=true "
                  "-prec-div=false -fmad=false -Wno-deprecated-gpu-targets -cudart static "
                  "--default-stream per-thread -m64 --threads 2 -I /usr/local/cuda/include "
                  "-Werror all-warnings add.cu -o add && ./add");
}

Test(simcc, takes_every_standard)
{
    static const char *const standards[] = {"c++11", "c++14", "c++17", "c++20"};
    for (size_t i = 0; i < sizeof standards / sizeof *standards; i++)
        EXPECT_OUTPUT("42\n", "$SIMCC -std=%s -Wall -Wextra -pedantic add.cu && ./a.out",
                      standards[i]);
    EXPECT_OUTPUT("42\n", "$SIMCC --std c++17 add.cu && ./a.out");
}

Test(simcc, writes_dependencies_for_make)
{
    write_file(folder, "h.cuh", "");
    write_file(folder, "d.cu", "#include \"h.cuh\"\n");
    EXPECT_OUTPUT("", "$SIMCC -c -MMD -MP d.cu && grep -q '^d.o: d.cu' d.d && "
                      "grep -q '^h.cuh:' d.d && ! grep -q stdio.h d.d");
    EXPECT_OUTPUT("", "$SIMCC -c -MD -MF x.d -MT target d.cu && grep -q '^target: d.cu' x.d && "
                      "grep -q h.cuh x.d");
    EXPECT_OUTPUT("", "$SIMCC -c -MMD -MF y.d d.cu -o sub.o && grep -q '^sub.o: d.cu' y.d");
}

#ifndef __clang__
/* What the build of a chapter defines is no name in the simulator's headers, not even that of a macro's
 * parameter: gcc would read them anew for each kernel, which takes as long as all the rest. */
Test(simcc, knows_its_headers_whatever_a_chapter_defines)
{
    EXPECT_OUTPUT("", "$SIMCC -c -Winvalid-pch -DOPERATION=count -DBINS=5 -DSATURATE_AT=9u add.cu");
    struct outcome *seen = run_in(folder, "$SIMCC -c -Winvalid-pch -DcudaMallocPitch=other add.cu");
    EXPECT_MESSAGE(seen, "not used because");
}
#endif

Test(simcc, prints_the_rewritten_text)
{
    struct outcome *outcome = run_in(folder, "$SIMCC -E add.cu | grep sim_configuration | tail -1");
    EXPECT_MESSAGE(outcome, "::sim_configuration(");
}

Test(simcc, says_in_one_line_what_it_cannot_do)
{
    EXPECT_FAILURE("no input file", "$SIMCC");
    EXPECT_FAILURE("no input file", "$SIMCC -O2 -o x");
    EXPECT_FAILURE("none.cu: no such file", "$SIMCC none.cu");
    EXPECT_FAILURE(".: is a folder", "$SIMCC .");
    EXPECT_FAILURE("-o wants an argument", "$SIMCC add.cu -o");
    EXPECT_FAILURE("there is no folder no", "$SIMCC add.cu -o no/where");
    EXPECT_FAILURE("sub: is a folder", "mkdir sub; $SIMCC add.cu -o sub");
    EXPECT_FAILURE("-o names one file", "$SIMCC -c add.cu add.cu -o x.o");
    EXPECT_FAILURE("data.txt: simcc compiles .cu", "touch data.txt; $SIMCC data.txt");
    EXPECT_FAILURE("leave -dlink out", "$SIMCC -dlink add.cu");
    EXPECT_FAILURE("'no-such-cc' is not installed", "CC=no-such-cc $SIMCC add.cu");
}

Test(simcc, points_errors_at_the_users_line_and_column)
{
    write_file(folder, "bad.cu",
               "__device__ int f();\n"
               "__global__ void k(float *p)\n"
               "{\n"
               "    __shared__ int a[4];  a[0] =   nowhere;\n"
               "}\n"
               "int main()\n"
               "{\n"
               "    k<<<1, missing>>>(0); k<<<1, 1>>>(0, 1); int i = gone;\n"
               "    k<<<1, 1>>>(\"text\");\n"
               "}\n");
    struct outcome *outcome = run_in(folder, "$SIMCC bad.cu");
    cr_expect_neq(outcome->status, 0);
    EXPECT_MESSAGE(outcome, "bad.cu:4:36: error: ");
    EXPECT_MESSAGE(outcome, "bad.cu:8:12: error: ");
    EXPECT_MESSAGE(outcome, "bad.cu:8:38: error: ");
    EXPECT_MESSAGE(outcome, "bad.cu:8:54: error: ");
    EXPECT_MESSAGE(outcome, "bad.cu:9:");
    cr_expect_null(strstr(outcome->text, "/tmp/tmp"), "%s", outcome->text);
}

/* The first line is about the user's file, whatever the compiler says before it. */
Test(simcc, says_the_error_first)
{
    write_file(folder, "inner.cuh",
               "template <class T> void g(T t)\n{\n    t.start();\n}\nint f() { g(3); }\n");
    write_file(folder, "first.cu", "#include \"inner.cuh\"\nint main() {}\n");
    struct outcome *outcome = run_in(folder, "$SIMCC first.cu");
    cr_expect_neq(outcome->status, 0);
    cr_expect_not_null(strstr(outcome->text, "inner.cuh:"));
    cr_expect_not_null(strstr(outcome->text, "In file included from first.cu:1"));
    cr_expect_lt(strstr(outcome->text, "inner.cuh:"),
                 strstr(outcome->text, "In file included from first.cu:1"), "%s", outcome->text);
    cr_expect_not_null(strstr(outcome->text, "error: "));
    write_file(folder, "note.cu",
               "__global__ void k(int *p)\n{\n    p[0] = atomicAdd(p, 1.0f, 3);\n}\n");
    outcome = run_in(folder, "$SIMCC -c note.cu");
    cr_expect_eq(strncmp(outcome->text, "note.cu:3:", 10), 0, "%s", outcome->text);
    cr_expect_null(strstr(outcome->text, "sim_atomics.h"), "%s", outcome->text);
    cr_expect_null(strstr(outcome->text, "SIM_"), "%s", outcome->text);
}

Test(simcc, says_in_one_line_what_is_wrong_with_a_source_or_a_machine)
{
    EXPECT_FAILURE("utf16.cu: is no plain text",
                   "iconv -t UTF-16 add.cu >utf16.cu; $SIMCC utf16.cu");
    EXPECT_FAILURE("empty.cu: is empty", ": >empty.cu; $SIMCC empty.cu");
    EXPECT_FAILURE("leave -m32 out", "$SIMCC -m32 add.cu");
    EXPECT_FAILURE("leave -m32 out", "$SIMCC -Xcompiler -m32 add.cu");
    EXPECT_FAILURE("cannot make a folder in /no/where", "TMPDIR=/no/where $SIMCC add.cu");
    EXPECT_FAILURE("no file has a function main", "echo 'int f();' >f.cu; $SIMCC f.cu");
    EXPECT_FAILURE("lost(int) is used, but no file defines it",
                   "echo 'void lost(int); int main() { lost(1); }' >f.cu; $SIMCC f.cu");
    write_file(
        folder, "full",
        "#!/bin/sh\ncase \"$*\" in\n"
        "*-x\\ c++-cpp-output*) echo 'cc1plus: error: writing: No space left on device' >&2\n"
        "exit 1 ;;\nesac\nexec g++ \"$@\"\n");
    EXPECT_FAILURE("the disk is full", "chmod +x full; CXX=\"$PWD/full\" $SIMCC -c add.cu");
    write_file(folder, "old",
               "#!/bin/sh\ncase \"$*\" in\n*-std=gnu++17*) exit 1 ;;\n"
               "*--version*) echo old 4.8 ;;\nesac\n");
    EXPECT_FAILURE("cannot compile kernels, for it lacks options that gcc 12 and clang 14 have: "
                   "old 4.8",
                   "chmod +x old; CXX=\"$PWD/old\" $SIMCC -c add.cu");
}

Test(simcc, points_errors_in_headers_at_the_header)
{
    write_file(folder, "bad.cuh", "\n__global__ void k(int *p) { *p = nowhere; }\n");
    write_file(folder, "main.cu", "#include \"bad.cuh\"\nint main() {}\n");
    struct outcome *outcome = run_in(folder, "$SIMCC main.cu");
    cr_expect_neq(outcome->status, 0);
    EXPECT_MESSAGE(outcome, "bad.cuh:2:34: error: ");
    write_file(folder, "bad.cuh", "\n\n__global__ void k() { __shared__ int a = 3; }\n");
    outcome = run_in(folder, "$SIMCC main.cu");
    EXPECT_STATUS(outcome, 1);
    EXPECT_MESSAGE(outcome, "bad.cuh:3: error: a __shared__ variable cannot have an initial value");
}

Test(simcc, warns_about_the_users_code_only)
{
    write_file(folder, "w.cu",
               "#include <cooperative_groups.h>\n"
               "template <typename T> __global__ void k(T *p)\n"
               "{\n"
               "    extern __shared__ T s[];\n"
               "    __shared__ int a[2];\n"
               "    a[threadIdx.x & 1] = 0;\n"
               "    s[0] = p[a[0]];\n"
               "    atomicAdd(&p[1], s[0]);\n"
               "}\n"
               "int main()\n"
               "{\n"
               "    k<<<1, 1, 8>>>((int *)nullptr);\n"
               "}\n");
    EXPECT_OUTPUT("", "$SIMCC -Wall -Wextra -pedantic -Wshadow -Wconversion -c w.cu");
    write_file(folder, "v.cu", "int f(int x)\n{\n    int unused;\n    return x;\n}\n");
    struct outcome *outcome = run_in(folder, "$SIMCC -Wall -c v.cu");
    EXPECT_STATUS(outcome, 0);
    EXPECT_MESSAGE(outcome, "v.cu:3:9: warning: ");
}

Test(simcc, reports_a_kernel_that_is_called_like_a_function)
{
    write_file(folder, "call.cu",
               "__global__ void scale(int) {}\n"
               "int main()\n{\n    scale(3);\n}\n");
    struct outcome *outcome = run_in(folder, "$SIMCC call.cu && ./a.out");
    EXPECT_STATUS(outcome, 1);
    EXPECT_MESSAGE(outcome, "call.cu:4: error: the kernel scale was called like a function; "
                            "launch it: scale<<<grid, block>>>(...)");
}

Test(simcc, compiles_host_code_with_atomics_and_threads)
{
    write_file(folder, "host.cu",
               "#include <atomic>\n#include <memory>\n#include <thread>\n"
               "#include <map>\n#include <string>\n#include <cstdio>\n"
               "struct made { made() { puts(\"made\"); } };\n"
               "void f() { static made once; }\n"
               "std::atomic<int> n{40};\n"
               "int main() { f(); f(); auto p = std::make_shared<int>(1);\n"
               "std::map<int, std::string> m; m[1] = \"x\";\n"
               "std::thread t([p] { n += *p; }); t.join(); n++;\n"
               "try { throw 1; } catch (int) { printf(\"%d\\n\", n.load()); } }\n");
    EXPECT_OUTPUT("made\n42\n", "$SIMCC host.cu -pthread && ./a.out");
}

/* Of two links at once neither finds half of the other's program, and a linker's words are not lost. */
Test(simcc, links_a_program_that_another_links_too)
{
    EXPECT_OUTPUT("42\n", "$SIMCC -c add.cu && for i in 1 2 3 4 5 6; do $SIMCC add.o -o p & done; "
                          "for i in $(seq 40); do [ ! -e p ] || ./p >said || exit; done; wait; "
                          "./p; ! ls p.* 2>/dev/null");
    struct outcome *failed = run_in(folder, "echo junk >bad.o; $SIMCC bad.o -o p");
    EXPECT_STATUS(failed, 1);
    EXPECT_MESSAGE(failed, "bad.o");
    EXPECT_OUTPUT("42\n", "./p");
}

Test(simcc, leaves_nothing_behind)
{
    EXPECT_OUTPUT("", "mkdir t && export TMPDIR=$PWD/t && $SIMCC -c add.cu && "
                      "! $SIMCC -DmainX add.cu nofile.cu 2>/dev/null && "
                      "echo 'int main() { return x; }' >bad.cu && ! $SIMCC bad.cu 2>/dev/null && "
                      "ls t");
    EXPECT_OUTPUT("add.cu\nadd.o\nbad.cu\nt\n", "ls");
}

Test(simcc, makes_its_library_once_for_all_who_want_it)
{
    struct outcome *outcome = run_in(folder, "$SIMCC --library");
    EXPECT_STATUS(outcome, 0);
    EXPECT_MESSAGE(outcome, "/libsim.a\n");
    EXPECT_OUTPUT("42\n42\n42\n",
                  "for i in 1 2 3; do ($SIMCC add.cu -o p$i && ./p$i) & done; wait");
}

/* What is older than its library is compiled and tested anew, which takes minutes. */
Test(simcc, leaves_its_library_as_it_is_when_a_compiler_is_new)
{
    write_file(folder, "other", "#!/bin/sh\nexec g++ \"$@\"\n");
    EXPECT_OUTPUT("the same\n",
                  "l=$($SIMCC --library); touch -r $l mark; chmod +x other; "
                  "CXX=$PWD/other $SIMCC -c add.cu && [ ! $l -nt mark ] && echo the same; "
                  "rm ${l%%/*}/*-other*");
}

Test(simcc, explains_itself)
{
    struct outcome *outcome = run_in(folder, "$SIMCC --help");
    EXPECT_STATUS(outcome, 0);
    EXPECT_MESSAGE(outcome, "simcc - compiles CUDA C++ for the simulated GPU");
    EXPECT_MESSAGE(outcome, "SIM_CFLAGS");
}

/* What --closed refuses is one line; `kernel` is its text, beside whose folder lies other.h. */
#define EXPECT_CLOSED(part, kernel)                                                                \
    do {                                                                                           \
        write_file(folder, "own/k.cu", kernel "\nint end;\n");                                     \
        struct outcome *seen = run_in(folder, "$SIMCC --closed -I given -c own/k.cu -o k.o");      \
        EXPECT_STATUS(seen, 1);                                                                    \
        EXPECT_MESSAGE(seen, part);                                                                \
        cr_expect_eq(strchr(seen->text, '\n') + 1 - seen->text, (long)strlen(seen->text),          \
                     "one line:\n%s", seen->text);                                                 \
    } while (0)

static void lay_out_closed(void)
{
    run_in(folder,
           "mkdir -p own given && echo 'int other;' >other.h && echo '#error hush' >bad.h && "
           "ln -s ../other.h own/link.h && echo 'int mine;' >own/mine.h && "
           "echo 'int theirs;' >given/theirs.h");
}

Test(simcc, closed_lets_a_kernel_include_what_is_its_own)
{
    lay_out_closed();
    write_file(folder, "own/k.cu",
               "#include <cstdio>\n#include <vector>\n#include \"mine.h\"\n#include \"theirs.h\"\n"
               "const char *text = \" .incbin .macro\"; int embedded = mine + theirs;\n");
    EXPECT_OUTPUT("", "$SIMCC --closed -I given -c own/k.cu -o k.o");
    write_file(folder, "own/k.c",
               "#include <stdio.h>\n#include \"mine.h\"\nint f(void) { return mine; }\n");
    EXPECT_OUTPUT("", "$SIMCC --closed -c own/k.c -o k.o");
}

Test(simcc, closed_refuses_files_of_others_however_they_are_named)
{
    static const char outside[] = "lies outside this kernel's folder";
    lay_out_closed();
    EXPECT_CLOSED(outside, "#include \"../other.h\"");
    EXPECT_CLOSED(outside, "#include \"../bad.h\"");
    EXPECT_CLOSED(outside, "#include \"link.h\"");
    EXPECT_CLOSED(outside, "#include </etc/passwd>");
    EXPECT_CLOSED(outside, "#include \"/proc/self/environ\"");
    EXPECT_CLOSED(outside, "#import \"../other.h\"");
    EXPECT_CLOSED(outside, "#include_next \"../other.h\"");
    EXPECT_CLOSED(outside, "#define NAME \"../other.h\"\n#include NAME");
    EXPECT_CLOSED(outside, "%:incl\\\nude \"../other.h\"");
    EXPECT_CLOSED(outside, "# /* */ line 1 \"/usr/include/stdio.h\"\n#include \"../other.h\"");
}

Test(simcc, closed_refuses_what_reads_or_asks_in_another_way)
{
    lay_out_closed();
    EXPECT_CLOSED("k.cu:1: error: .incbin in assembly", "asm(\".incbin \\\"other.h\\\"\");");
    EXPECT_CLOSED(".macro in assembly",
                  "asm(\".macro m a b\\n.\\\\a\\\\b \\\"other.h\\\"\\n.endm\\nm inc bin\");");
    EXPECT_CLOSED(
        ".INCBIN in assembly",
        "int x __attribute__((section(\"a\\n.INCBIN \\\"other.h\\\"\\n.section b\"))) = 1;");
    EXPECT_CLOSED("__has_include asks", "#if __has_include(\"../other.h\")\n#endif");
    EXPECT_CLOSED("__has_include asks", "#if __has_in\\\nclude(\"../other.h\")\n#endif");
    EXPECT_CLOSED("#embed reads", "#/* \n */embed \"../other.h\"");
    EXPECT_CLOSED("__has_include, put together by ##, asks",
                  "#define P(a, b) a##b\n#if P(__has_, include)(\"../other.h\")\n#endif");
    EXPECT_CLOSED("#pragma GCC dependency asks", "#pragma GCC  dependency \"../other.h\"");
    EXPECT_CLOSED("#pragma GCC dependency asks", "_Pragma(\"GCC dependency \\\"../other.h\\\"\")");
}
