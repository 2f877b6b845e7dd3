/* gpu_times.c - what makes up make gpu bench and gpu test, as far as it goes without a GPU: the timing program
 * runs on the simulated one, with a clock that is made up. */
#include "in_folder.h"

#define HERE "common/bench/gpu"
#define SIMCC                                                                                      \
    "common/sim/simcc -O1 -g1 -w -I" HERE " -Icommon/bench -Icommon/contract -Icommon/judge "

/* In place of queue.cu: three runs, and times that nobody measured; with SLOW so many milliseconds a unit of the
 * input, with LOADS so many more in the first run of many. */
static const char made_up_queue[] =
    "#include \"queue.h\"\n#include <stdlib.h>\n#include <stdio.h>\n"
    "struct run {\n    void *who, *field;\n    size_t units, turn;\n};\n"
    "double queue_warm_up(timed_run *run, void *what)\n{\n"
    "    const size_t units = ((struct run *)what)->units;\n"
    "    const char *slow = getenv(\"SLOW\"), *loads = getenv(\"LOADS\");\n    run(what);\n"
    "    static int loaded;\n"
    "    if (loads && units > 1 && !loaded++)\n        return atof(loads);\n"
    "    if (slow)\n        fprintf(stderr, \"%zu units\\n\", units);\n"
    "    return slow ? 0.5 + atof(slow) * (double)units : 0.5;\n}\n"
    "struct times queue_time(timed_run *run, void (*afresh)(void *, int), void *what, double ms,\n"
    "                        int repetitions, bool with_latency)\n{\n"
    "    const struct times times = {.run = {2 * ms, ms, 3 * ms, ms, 4 * ms},\n"
    "                                .repetitions = repetitions, .queued = 3};\n"
    "    afresh(what, 3);\n    for (int i = 0; i < 3; i++)\n        run(what);\n"
    "    return times;\n}\n";

/* Compiles the timing program for a workload: its files, what they are compiled for, and kernel.c or
 * kernel.cu of the folder. What all workloads share is compiled once a test. */
static void compile(const char *files, const char *defined)
{
    write_file("queue.c", made_up_queue);
    run("cd %s && for f in $([ -e %s/queue.c.o ] || ls %s/queue.c common/judge/grouped.c " HERE
        "/times.c common/bench/clock.c " HERE "/supervised.c " HERE
        "/reading.cu) $(ls %s/kernel.c*) "
        "$(for n in %s; do echo " HERE "/$n; done); do " SIMCC
        "%s -c $f -o %s/$(basename $f).o || exit; done; cd %s && %s/common/sim/simcc *.o -ldl "
        "-lpthread $(case '%s' in ranks*) mpicc --showme:link ;; esac) -o times",
        root, folder, folder, folder, files, defined, folder, folder, root, files);
    cr_assert(status == 0, "%s", text);
}

/* The solution of a chapter, but for what `wrong` does before it, where WRONG is set. */
static void write_kernel(const char *contract, const char *stem, const char *wrong)
{
    char source[4096];
    snprintf(
        source, sizeof source,
        "#include <stdlib.h>\n#define %s solution\n#include \"%s/solutions/%s/%s.cu\"\n#undef %s\n"
        "#include \"wrong.h\"\n",
        contract, root, stem, contract, contract);
    write_file("kernel.cu", source);
    write_file("wrong.h", wrong);
}

/* A library in a folder as that of a chapter; its kernel is host code. */
static void write_library(const char *path, const char *source)
{
    write_file("library.c", source);
    run("mkdir -p $(dirname %s) && ${CC:-gcc} -w -shared -fPIC -I%s/" HERE " library.c -o %s", path,
        root, path);
    cr_assert(status == 0, "%s", text);
}

TestSuite(gpu_parts, .init = make_folder, .fini = remove_folder);

/* Step 1 crashes, step 2 ends the program, step 3 never ends. */
Test(gpu_parts, supervised_goes_on_after_what_crashes_or_never_ends)
{
    write_file(
        "main.c",
        "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        "#include \"clock.h\"\n#include \"supervised.h\"\n"
        "static void work(struct progress *p, void *what)\n{\n    (void)what;\n"
        "    for (size_t i = p->next; i < 5; i++) {\n        begin_step(p, i, \"step\");\n"
        "        if (i == 1)\n            raise(SIGSEGV);\n"
        "        if (i == 2)\n            exit(0 + 7);\n        while (i == 3)\n            ;\n"
        "        printf(\"done %zu\\n\", i);\n        fflush(stdout);\n    }\n}\n"
        "static void lost(struct progress *p, const char *why, void *what)\n{\n"
        "    (void)what;\n    printf(\"lost %zu: %s\\n\", p->next, why);\n}\n"
        "int main(void)\n{\n    double ms[21];\n    for (int i = 0; i < 21; i++)\n"
        "        ms[i] = i * 8 % 21;\n    struct spread s = spread_of(ms, 21), two = spread_of(ms, "
        "2);\n"
        "    printf(\"%g %g %g %g %g, %g\\n\", s.median, s.low, s.high, s.least, s.most, "
        "two.median);\n"
        "    return supervised(work, lost, NULL, 1, 100) ? 0 : 1;\n}\n");
    run("cd %s && ${CC:-gcc} -std=c11 -I" HERE " -Icommon/bench %s/main.c " HERE "/supervised.c "
        "common/bench/clock.c -o %s/main && %s/main",
        root, folder, folder, folder);
    cr_assert(status == 1, "%s", text);
    cr_assert_str_eq(text, "10 2 18 0 20, 0.5\n"
                           "done 0\nlost 1: was ended by signal 11\nlost 2: ended the program\n"
                           "lost 3: did not end within 1 s\ndone 4\n");
}

/* A tool that finds what its program is, a script, says it does; and tells what it was asked. NCCL makes calls
 * that fail, on its own account: memcheck is not asked for them. */
Test(gpu_parts, sanitizer_tells_what_a_tool_has_found)
{
    static const char sanitize[] = "cd %s && B=%s/b KIND=solution FROM=%s/s STEMS=60_many CUDA=%s "
                                   "CUDA_VISIBLE_DEVICES=0,1 BINS=5 " HERE "/times.sh sanitize";
    write_file("bin/compute-sanitizer",
               "#!/bin/sh\necho ========= COMPUTE-SANITIZER\necho \"$*\" >>$CUDA/asked\n"
               "[ ! -e $CUDA/finds ] || sh $CUDA/finds \"$2\"\n");
    write_file("b/solution-5/60_many/kernel.so", "");
    write_file("s/60_many/many.cu", "");
    run("chmod +x bin/*");
    run(sanitize, root, folder, folder, folder);
    says(0, "memcheck ");
    says(0, "solution-5/60_many: clean\n");
    says(0, "solution-5/60_many, 2 GPUs: clean\n");
    is_silent_about("see");
    run("grep -c . asked; grep -c 'memcheck --report-api-errors no --error' asked; "
        "grep -c report-api asked");
    says(0, "5\n2\n2\n");
    write_file("finds",
               "[ $1 = racecheck ] || exit 0\n"
               "printf '=========\\n========= Error: Race reported\\n========= more\\n'; exit 9\n");
    run(sanitize, root, folder, folder, folder);
    says(1, "kernel.racecheck: Error: Race reported\n");
    says(1, "gpu: wrong results, or a kernel that did not end: it is said above\n");
    is_silent_about("more");
    write_file("finds", "[ \"$CUDA_VISIBLE_DEVICES\" = 0 ]\n");
    run(sanitize, root, folder, folder, folder);
    says(1, "kernel.memcheck-all\n");
    says(1, "60_many: clean\n");
}

TestSuite(gpu_values, .init = make_folder, .fini = remove_folder);

/* Catches a program that ends with the first kernel that crashes, one that takes a result for right because the
 * call before left it there, a wrong library that makes the goal fail, and one that hides a wrong chapter. */
Test(gpu_values, are_timed_whoever_crashes_or_is_wrong)
{
    write_kernel("reduce", "42_two_pass",
                 "extern \"C\" void reduce(const value_t *v, size_t n, value_t *r)\n{\n"
                 "    solution(v, n - (n == 5000 && getenv(\"WRONG\")), r);\n}\n");
    compile("arrays.c inputs.cu", "-DOPERATION=sum");
    write_library("40_crash/sum/kernel.so",
                  "#include <stdlib.h>\nvoid reduce(void)\n{\n    abort();\n}\n");
    write_library("41_nothing/kernel.so", "void reduce(void)\n{\n}\n");
    write_library(
        "peers.so",
        "#include \"bench.h\"\nstatic void none()\n{\n}\n"
        "static const struct peer table[] = {{.name = \"cub DeviceReduce\", .run = none,\n"
        "    .counts = true}, {.name = \"thrust reduce\", .run = none}, {.name = NULL}};\n"
        "const struct peers peers = {table, \"9.9.9\", NULL};\n");
    run("./times time out.csv 3 ./peers.so 40_crash/sum/kernel.so -- 1Kv");
    says(1, "40_crash");
    says(1, "failed: was ended by signal 6\n");
    says(1, "cub DeviceReduce, sum, 1,024 values: 3 of 3 results wrong: 1549556828 in place of ");
    says(1, " (a mistake of the library's own)\n");
    run("cp peers.so newer.so; ./times time out.csv 3 ./peers.so ./newer.so -- 10000");
    says(0, "cub 9.9.9 DeviceReduce");
    run("./times time out.csv 3 41_nothing/kernel.so ./peers.so -- 10000");
    says(1, "41_nothing, sum, 2,500 values: 3 of 3 results wrong: 1549556828 in place of ");
    run("cut -d, -f2-12 out.csv | sort -u");
    cr_assert_str_eq(
        text,
        "40_crash,4096,1024,-,-,-,0,0,failed,-,-\n"
        "41_nothing,10000,2500,1.00000,0.50000,2.00000,15,3,NO,1,0\n"
        "cub 9.9.9 DeviceReduce,10000,2500,1.00000,0.50000,2.00000,15,3,NO,1,0\n"
        "cub DeviceReduce,10000,2500,1.00000,0.50000,2.00000,15,3,NO,1,0\n"
        "cub DeviceReduce,4096,1024,1.00000,0.50000,2.00000,15,3,NO,1,0\n"
        "implementation,bytes,length,median_ms,min_ms,max_ms,runs,queued,correct,results,error\n"
        "read only,10000,2500,1.00000,0.50000,2.00000,15,3,-,-,-\n"
        "read only,4096,1024,1.00000,0.50000,2.00000,15,3,-,-,-\n"
        "this kernel,10000,2500,1.00000,0.50000,2.00000,15,3,yes,1,0\n"
        "this kernel,4096,1024,1.00000,0.50000,2.00000,15,3,yes,1,0\n"
        "thrust 9.9.9 reduce,10000,2500,1.00000,0.50000,2.00000,15,3,-,-,-\n"
        "thrust reduce,10000,2500,1.00000,0.50000,2.00000,15,3,-,-,-\n"
        "thrust reduce,4096,1024,1.00000,0.50000,2.00000,15,3,-,-,-\n");
    run("sed -n 2p out.csv");
    says(0, ",4 loads; strides; 256 x 8,0.0,100.0,-\n");

    /* A check with room for a wrong value: the last of 5,000 is missing. */
    run("WRONG=1 ./times check -- 0v,1v,5000v,5001v");
    says(1, "sum, 0 values: 2 of 2 right\n");
    says(1, "sum, 5,000 values: 0 of 2 right\n");
    says(1, "this kernel, sum, 5,000 values that begin one value later: 2 of 2 results wrong: ");
    says(1, "sum, 5,001 values: 2 of 2 right\n");
    run("./times check 40_crash/sum/kernel.so -- 7v,33v");
    says(1, "40_crash, sum, 33 values that begin one value later: was ended by signal 6\n");
    says(1, "sum, 7 values: 2 of 4 right\n");
    says(1, "sum, 33 values: 2 of 4 right\n");
    run("./times once -- 777v");
    says(0, "sum, 777 values: 2 of 2 right\n");
    run("WRONG=1 ./times once -- 5000v");
    says(1, "0 of 2 right\n");

    /* A kernel that takes hours where there is much to do is found out on a part. */
    run("SLOW=0.1 ./times time slow.csv 3 -- 400Kv,8Mv; cut -d, -f2-9 slow.csv");
    says(0, "left out: a run would take about 838.");
    says(0, "this kernel,33554432,8388608,-,-,-,0,0\n");
    is_silent_about("8388608 units");
    /* One that is loaded where there is more to do is not. */
    run("LOADS=20000 ./times time loads.csv 3 -- 17Kv; cut -d, -f2-9 loads.csv");
    says(0, "read only,69632,17408,1.00000,");

    /* Sizes that are none, and libraries that hold no kernel. */
    static const char *const sizes[] = {"",     "0",   "3",  "x",   "64Q",
                                        "64KK", "1vv", "-1", "4K,", "17179869184"};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run("./times time out.csv 3 -- '%s'", sizes[i]);
        says(2, "CELLS are numbers of bytes, like 50000000, 64K or 4G, or of values, like 16Mv.");
    }
    run("./times time out.csv 3 absent.so -- 4K");
    says(1, "gpu: absent.so: cannot open shared object file");
    write_library("x.so", "int x;\n");
    run("./times check ./x.so -- 4Kv");
    says(1, "gpu: ./x.so: there is no reduce() in it");
    run("mkdir out; ./times time out 3 -- 4K");
    says(1, "gpu: cannot write out");
}

/* Of floats: a result that no order of adding gives. */
Test(gpu_values, of_pairs_are_judged_exactly)
{
    write_kernel("reduce", "42_two_pass",
                 "extern \"C\" void reduce(const value_t *v, size_t n, value_t *r)\n{\n"
                 "    solution(v, n - (n == 5000), r);\n}\n");
    compile("arrays.c inputs.cu", "-DOPERATION=dot");
    run("./times check -- 5000v,5001v");
    says(1, "dot, 5,000 values: 0 of 2 right\n");
    says(1, "dot, 5,001 values: 2 of 2 right\n");
}

TestSuite(gpu_keys, .init = make_folder, .fini = remove_folder);

/* Catches a check of bins with room for one element that is missing. */
Test(gpu_keys, are_judged_and_timed)
{
    static const char *const operations[] = {"argmax", "float_sum", "count"};
    static const char *const all[] = {"24\n", "12\n", "65\n"};
    write_kernel(
        "reduce_by_index", "21_compare_and_swap",
        "extern \"C\" void reduce_by_index(const element_t *x, size_t n, bin_t *b, size_t m)\n"
        "{\n    solution(x, m == 31 ? n / 2 : n, b, m);\n}\n");
    for (int i = 0; i < 3; i++) {
        char defined[64];
        snprintf(defined, sizeof defined, "-DOPERATION=%s", operations[i]);
        compile("keys.c inputs.cu plain.cu", defined);
        run("LENGTH=3000 ./times check -- 505:uniform,zipf,single,stride63,ninety,sorted");
        is_silent_about("wrong");
        says(0, " elements, sorted keys, 505 bins: 1 of 1 right\n");
        run("LENGTH=3000 ./times once -- 31:uniform");
        says(1, " bins, the first is bin ");
        run("LENGTH=10 SIM_CHECKS=none ./times check -- all:all 2>/dev/null | grep -c right");
        cr_expect_str_eq(text, all[i]);
    }
    run("LENGTH=100 ./times time out.csv 3 -- 505,31:zipf; cut -d, -f1-5,11 out.csv");
    says(0, "operation,implementation,keys,length,bins,correct\ncount,read only,zipf,100,505,-\n"
            "count,plain kernel,zipf,100,505,yes\ncount,this kernel,zipf,100,505,yes\n");
    says(0, "count,this kernel,zipf,100,31,NO\n");
    write_kernel(
        "reduce_by_index_batched", "31_batched",
        "extern \"C\" void reduce_by_index_batched(const element_t *x, size_t n, size_t h,\n"
        "    bin_t *b, size_t m)\n{\n    solution(x, n, m == 31 ? h - 1 : h, b, m);\n}\n");
    compile("keys.c inputs.cu plain.cu", "-DOPERATION=count");
    run("LENGTH=3000 BATCH=30 ./times check -- 505,31:zipf");
    says(1, "505 bins in each of 30 histograms: 1 of 1 right\n");
    says(1, " of 930 bins, the first is bin 899\n");
    run("LENGTH=3000 BATCH=30 ./times time out.csv 3 -- 505:zipf && tail -n 2 out.csv | cut -d, "
        "-f2,11");
    says(0, "plain kernel,yes\nthis kernel,yes\n");
    run("LENGTH=3000 BATCH=7 ./times check -- 31:zipf");
    says(2, "CELLS are like");
    static const char *const refused[] = {"", "0:zipf", "31:zip", "31:zipf,x", "200000000:zipf"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        run("./times check -- '%s'", refused[i]);
        says(2, "CELLS are like 505,12281:zipf,uniform");
    }
}

TestSuite(gpu_devices, .init = make_folder, .fini = remove_folder);

/* Catches a function that counts wrong, leaves another device behind, or ends the program; and times of what a
 * chapter has not. The kernel is host code. */
Test(gpu_devices, are_judged_and_timed)
{
    write_file(
        "kernel.c",
        "#include <cuda_runtime_api.h>\n#include <stdlib.h>\n#include \"binning.h\"\n"
        "#include \"many.h\"\n"
        "void histogram_many(const unsigned char *text, size_t length, unsigned long long *bins)\n"
        "{\n    length -= length == 33 || length == 20000;\n    if (length == 7)\n"
        "        cudaSetDevice(0);\n    if (length == 8)\n        exit(0);\n"
        "    for (size_t i = 0; i < length; i++)\n"
        "        if (bin_of(text[i]) >= 0)\n            bins[bin_of(text[i])]++;\n}\n");
    compile("devices.c made_text.cu", "-DBINS=5");
    run("SIM_DEVICES=2 ./times check -- 0,33,34");
    says(1, "5 bins, 0 bytes: 12 of 12 right\n");
    says(1, "this kernel, 5 bins, 33 bytes, one letter, in pinned memory at an odd address, 2 "
            "devices: 1 "
            "of 1 results wrong: bin 0 has 64 in place of 66\n");
    says(1, "5 bins, 34 bytes: 12 of 12 right\n");
    run("SIM_DEVICES=2 ./times check -- 7");
    says(1, "device 0 is current in place of 1\n");
    run("SIM_DEVICES=2 ./times check -- 8");
    says(1, "8 bytes, mixed, in pageable memory: ended the program\n");
    says(1, "5 bins, 8 bytes: 0 of 12 right\n");
    run("./times check -- 33x");
    says(2, "usage: ");
    run("SIM_DEVICES=2 SIM_CHECKS=none ./times time out.csv 2 -- each:16K pinned:20000 "
        "pageable:16K");
    says(1, "this kernel has no histogram_on_devices(): it is timed from host memory alone\n");
    says(1, "results wrong: bin ");
    run("cut -d, -f1-5,10 out.csv");
    cr_assert_str_eq(text, "where,implementation,bins,devices,bytes,correct\n"
                           "each,reading alone,5,2,32768,-\n"
                           "pinned,copies alone,5,2,20000,-\n"
                           "pinned,this kernel,5,2,20000,NO\n"
                           "pageable,copies alone,5,2,16384,-\n"
                           "pageable,this kernel,5,2,16384,yes\n");
    static const char *const refused[] = {"", "each:", "each:0", "each:1", "moon:16K", "each:16KK"};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        run("./times time out.csv 2 -- '%s'", refused[i]);
        says(2, "CELLS are each, all, pinned or pageable, and a size: each:16G");
    }
}

TestSuite(gpu_ranks, .init = make_folder, .fini = remove_folder);

/* Catches a rank that touches bins that are not its own, one that reads what is not there, and one that crashes. */
Test(gpu_ranks, are_judged_and_timed)
{
    setenv("OMPI_MCA_btl", "^tcp", 1); // which Open MPI 5 complains of where there is no network
    run("mpicc --showme:link");
    if (status != 0)
        cr_skip_test("it needs Open MPI: libopenmpi-dev, openmpi-bin");
    setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
    setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
    write_file(
        "kernel.c",
        "#include <mpi.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include \"binning.h\"\n"
        "#include \"many.h\"\n"
        "int histogram_file(const char *path, unsigned long long *bins)\n{\n"
        "    int rank;\n    MPI_Comm_rank(MPI_COMM_WORLD, &rank);\n"
        "    FILE *file = fopen(path, \"rb\");\n    int c = file ? fgetc(file) : EOF;\n"
        "    if (getenv(\"CRASH\") && rank == 1)\n        abort();\n"
        "    if (!file || (c == EOF && ferror(file)))\n        return getenv(\"READS\") == NULL;\n"
        "    for (int b = 0; b < NUM_BINS && rank == 0; b++)\n        bins[b] = 0;\n"
        "    for (; c != EOF; c = fgetc(file))\n"
        "        if (rank == 0 && bin_of((unsigned char)c) >= 0)\n"
        "            bins[bin_of((unsigned char)c)]++;\n"
        "    if (getenv(\"TOUCH\") && rank == 1)\n        bins[0] = 7;\n"
        "    fclose(file);\n    return 0;\n}\n");
    compile("ranks.c made_text.cu", "-DBINS=5 -DOMPI_SKIP_MPICXX $(mpicc --showme:compile)");
    run("mkdir f; mpirun -n 2 --oversubscribe ./times check -- 0,33,65521,absent,folder:f; ls f");
    cr_assert_str_eq(text, "5 bins, 0 bytes of a file: 1 of 1 right\n"
                           "5 bins, 33 bytes of a file: 1 of 1 right\n"
                           "5 bins, 65,521 bytes of a file: 1 of 1 right\n"
                           "5 bins, absent in place of a file: 1 of 1 right\n"
                           "5 bins, folder in place of a file: 1 of 1 right\n");
    run("TOUCH=1 mpirun -n 2 --oversubscribe ./times check -- 33:f");
    says(1, "this kernel, rank 1 of 2: bin 0 has 7 in place of 12,345: nobody may touch it\n");
    run("READS=1 mpirun -n 2 --oversubscribe ./times check -- absent:f");
    says(1, "rank 0 of 2: returned 0\n");
    run("CRASH=1 timeout 60 mpirun -n 2 --oversubscribe ./times check -- 33:f");
    says(1, "this kernel, 5 bins, 33 bytes of a file: was ended by signal 6\n");
    run("mpirun -n 2 --oversubscribe ./times time out.csv 2 -- 1M:f/text; cut -d, -f1-5,9-10 "
        "out.csv");
    says(0, "file,reading alone,5,2,1048576,5,-\nfile,this kernel,5,2,1048576,5,yes\n");
}

/* What sums up a card's figures is for authors: Python 3. */
static void make_folder_for_python(void)
{
    make_folder();
    run("command -v python3");
    if (status == 0)
        return;
    remove_folder();
    fprintf(stderr, "left out: the summary of a card's figures; sudo apt-get install -y python3 && "
                    "make test\n");
    cr_skip_test("summary.py needs Python 3");
}

TestSuite(gpu_summary, .init = make_folder_for_python, .fini = remove_folder);

/* Runs summary.py where docs/results/h200 holds the peers of the test. */
static void summarize(const char *table)
{
    run("python3 %s/common/reports/summary.py %s .", root, table);
}

#define PEERS "docs/results/h200/"
#define KEYED_HEADER                                                                               \
    "operation,implementation,keys,length,bins,median_ms,min_ms,max_ms,runs,queued,correct,"       \
    "reading_ms\n"
#define KEYED(start, ms, answer) start "," ms "," ms "," ms ",15,30," answer ",0.04400\n"

/* Cells that reach their targets, and do not; a wrong result, one left out; the stricter of two targets; newer
 * rows of a cell. */
Test(gpu_summary, of_keys_tells_which_cells_reach_their_targets)
{
    write_file(
        PEERS "reduce-by-index-peers.csv",
        "implementation,keys,length,bins,ms\n"
        "generalized-histogram library ; hardware atomics ; i32 add,RF=1,50000000,31,0.12925\n"
        "library ; locks ; argmax of (index ; value),RF=63,50000000,31,0.9\n"
        "library ; locks ; argmax of (index ; value),RF=63,50000000,127,0.18\n");
    write_file("by-index-count.csv",
               KEYED_HEADER KEYED("count,read only,uniform,50000000,31", "0.04400", "-")
                   KEYED("count,20_many_bins,uniform,50000000,31", "0.05000", "yes") KEYED(
                       "count,25_partition,uniform,50000000,31", "0.05400",
                       "yes") "count,20_many_bins,zipf,50000000,58112,9,9,9,1,1,yes,0.04400\n");
    write_file("by-index-zipf.csv",
               KEYED_HEADER KEYED("count,20_many_bins,zipf,50000000,58112", "0.06000", "yes")
                   KEYED("count,25_partition,zipf,50000000,58112", "0.01000", "NO")
                       KEYED("count,20_many_bins,stride63,50000000,196607", "0.40000",
                             "yes") "count,22_lock,zipf,50000000,58112,-,-,-,0,0,left out,-\n");
    write_file("by-index-minmax.csv",
               KEYED_HEADER KEYED("minmax,plain kernel,zipf,50000000,505", "9.00000", "yes")
                   KEYED("minmax,22_lock,zipf,50000000,505", "4.50000", "yes")
                       KEYED("argmax,21_word,stride63,50000000,31", "0.13000", "yes")
                           KEYED("argmax,21_word,stride63,50000000,127", "0.07000", "yes")
                               KEYED("minmax,22_lock,single,50000000,505", "1400.00000", "yes"));
    run("touch -d '1 hour ago' by-index-count.csv");
    summarize("reduce-by-index");
    says(0, "missed: zipf keys, 58112 bins: 0.0600 ms (20_many_bins), target 0.0576");
    says(0, "0.0576 ms: 1 of 2 cells");
    says(0, "20_many_bins               1 of 2\n    25_partition               1 of 2");
    says(0, "plain kernel: 2 of 2 cells");
    says(0, "20_many_bins               3 of 3, 100.0%");
    says(0, "25_partition               1 of 2, 50.0%");
    run("cat reduce-by-index.csv");
    says(0, "count,25_partition,uniform,50000000,31,0.05400,0.05400,0.05400,15,30,yes,"
            "0.04400,0.12925,0.0576,yes,1.080\n");
    says(0, "NO,0.04400,-,0.0576,no,-\n");
    says(0, "left out,-,-,0.0576,no,-\n");
    says(0, "count,20_many_bins,stride63,50000000,196607,0.40000,0.40000,0.40000,15,30,yes,"
            "0.04400,-,-,-,1.000\n");
    says(0, ",0.90000,0.1200,no,1.000\n");
    says(0, ",0.18000,0.0600,no,1.000\n");
    is_silent_about(",9,9,9,");
    write_file("by-index-zipf.csv", "a,b\n1,2\n");
    summarize("reduce-by-index");
    says(1, "by-index-zipf.csv: there is no column operation");
    run("rm *.csv");
    summarize("reduce-by-index");
    says(1, "there is no reduce-by-index.csv");
}

#define REDUCED(start, ms, answer)                                                                 \
    start "," ms "," ms "," ms ",15,30," answer ",1,0,-,1.5,50.0,1.000\n"

/* At 50,000,000 bytes faster than CUB, and not below 0.0165 ms; at 1 GiB the other way round. */
Test(gpu_summary, of_values_tells_which_sizes_reach_their_targets)
{
    write_file(PEERS "reduce-peers.csv", "operation,implementation,bytes,median_ms\n"
                                         "sum,read only,50000000,0.0154\n");
    write_file(
        "reduce-times-sum.csv",
        "operation,implementation,bytes,length,median_ms,min_ms,max_ms,runs,queued,correct,results,"
        "error,"
        "shape,GB_per_s,percent_of_reading,ratio_to_CUB\n" REDUCED(
            "sum,read only,50000000,12500000", "0.01500",
            "-") REDUCED("sum,cub DeviceReduce,50000000,12500000", "0.02000", "yes")
            REDUCED("sum,46_at_the_roofline,50000000,12500000", "0.01800", "yes")
                REDUCED("sum,cub DeviceReduce,1073741824,268435456", "0.23600", "yes")
                    REDUCED("sum,46_at_the_roofline,1073741824,268435456", "0.23700", "yes")
                        REDUCED("float_sum,46_at_the_roofline,65536,16384", "0.00400", "yes")
                            REDUCED("float_sum,47_reproducible,65536,16384", "0.00420", "yes")
                                REDUCED("float_sum,cub gpu-to-gpu,65536,16384", "0.00900", "NO"));
    summarize("reduce");
    says(0, "sum: never slower than CUB: 1 of 2 sizes\n"
            "    reached: 50000000 bytes: 0.01800 ms, target 0.02000\n"
            "    missed: 1073741824 bytes: 0.23700 ms, target 0.23600\n");
    says(0, "missed: 50000000 bytes: 0.01800 ms, target 0.01650\n");
    says(0, "    unknown: 1073741824 bytes: read only has no time\n");
    says(0, "within 5% of at_the_roofline: 1 of 1 sizes\n");
    says(0, "    unknown: 65536 bytes: no time to compare with: the result of cub gpu-to-gpu was "
            "wrong\n");
    says(0, "    sum, read only, 50000000 bytes: 0.01500 ms, there 0.0154\n");
    says(0, "cub gpu-to-gpu, float_sum, 65536 bytes: wrong results\n");
    run("cat reduce.csv");
    says(0, "1,0,-,1.5,50.0,1.000,0.01650,no\n");
    says(0, "NO,1,0,-,-,-,-,-,-\n");
    run("rm -f reduce.csv; mkdir reduce.csv");
    summarize("reduce");
    says(1, "reduce.csv: can");
}

#define MANY(start, ms, answer) start "," ms "," ms "," ms ",5," answer "\n"

/* Two rounds of the first cell; on two devices 5 bins reach 99%, 26 do not, and wrong bins have no speed. A plot
 * without text in files has an empty panel. */
Test(gpu_summary, of_devices_tells_which_targets_are_reached)
{
    write_file(
        "many-times.csv",
        "where,implementation,bins,devices,bytes,median_ms,min_ms,max_ms,runs,correct\n" MANY(
            "each,reading alone,5,1,16000000000", "3.70000",
            "-") MANY("each,no text,5,1,0", "0.03000",
                      "-") MANY("each,60_many,5,1,16000000000", "3.70000",
                                "yes") MANY("each,60_many,5,1,16000000000", "3.90000", "yes")
            MANY("each,reading alone,5,2,32000000000", "3.70000",
                 "-") MANY("each,no text,5,2,0", "0.05000",
                           "-") MANY("each,60_many,5,2,32000000000", "3.83000",
                                     "yes") MANY("each,60_many,26,1,16000000000", "3.80000", "yes")
                MANY("each,60_many,26,2,32000000000", "3.90000", "yes")
                    MANY("each,60_many,256,2,32000000000", "3.90000", "NO")
                        MANY("pinned,copies alone,5,2,8000000000", "80.00000", "-")
                            MANY("pinned,60_many,5,2,8000000000", "100.00000", "yes")
                                MANY("pageable,copies alone,5,2,8000000000", "600.0", "-")
                                    MANY("pageable,60_many,5,2,8000000000", "300.0", "yes")
                                        MANY("all,reading alone,5,2,1000000000", "0.12", "-")
                                            MANY("all,no text,5,2,0", "0.20", "-")
                                                MANY("all,60_many,5,2,1000000000", "0.33", "yes"));
    summarize("many");
    says(0, "    reached: 60_many, each, 5 bins, 2 devices: 99.22% of as many times one device");
    says(0, "    missed: 60_many, each, 26 bins, 2 devices: 97.44% of as many times one device");
    says(0, "    unknown: 60_many, each, 256 bins, 2 devices");
    says(0, "    missed: 60_many, pinned, 5 bins, 2 devices: 80.00% of copying alone, target 90%");
    run("cut -d, -f1-4,6,9-11,12- many.csv");
    says(0, "each,60_many,5,1,3.80000,2,10,yes,4210.5,100.0,97.4,the memory of the cards,-,-\n");
    says(0, "each,no text,5,2,0.05000,1,5,-,-,-,-,launches and collective,-,-\n");
    says(0, "each,60_many,5,2,3.83000,1,5,yes,8355.1,99.2,96.6,the memory of the cards,99.0,yes\n");
    says(0, "each,60_many,256,2,3.90000,1,5,NO,-,-,-,-,99.0,-\n");
    says(0, "pinned,60_many,5,2,100.00000,1,5,yes,80.0,-,80.0,the links to the cards,90.0,no\n");
    says(0, "pageable,60_many,5,2,300.00000,1,5,yes,26.7,-,200.0,what the host does,90.0,yes\n");
    says(0, "all,60_many,5,2,0.33000,1,5,yes,3030.3,-,36.4,launches and collective,-,-\n");
    run("echo 'NVIDIA Test, 1' >many-machine.txt; rm many-times.csv; cd %s && "
        "if command -v gnuplot >/dev/null; then STEMS= " HERE "/times.sh draw %s; "
        "else echo The plots are; echo '<title> NVIDIA Test' >%s/many.svg; fi",
        root, folder, folder);
    says(0, "The plots are");
    run("grep '<title>' many.svg");
    says(0, "NVIDIA Test");
    write_file("many-times.csv",
               "where,implementation,bins,devices,bytes,median_ms,min_ms,max_ms,runs,"
               "correct\nmoon,60_many,5,1,1,1,1,1,1,yes\n");
    summarize("many");
    says(1, "moon is no place of a text: each, all, pinned, pageable or file");
}
