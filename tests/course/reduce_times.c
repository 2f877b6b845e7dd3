/* reduce_times.c - what makes up make gpu bench PART=3 and gpu test PART=3, as far as it goes without a
 * GPU: the programs run on the simulated one, with a clock that is made up. */
#include "in_folder.h"

#define ROOM "common/bench/gpu/reduce"
#define HEADER                                                                                     \
    "operation,implementation,bytes,length,median_ms,min_ms,max_ms,runs,queued,correct,results,"   \
    "error,shape\n"
#define ROW(start, ms, answer) start "," ms "," ms "," ms ",15,30," answer ",1,0,-\n"

static const char peers[] = "operation,implementation,bytes,median_ms\n"
                            "sum,read only,50000000,0.0154\n"
                            "sum,cub DeviceReduce,1073741824,0.2391\n";

/* At 50,000,000 bytes faster than CUB, and not below 0.0165 ms; at 1 GiB the other way round. */
static const char sum_rows[] = HEADER ROW("sum,read only,50000000,12500000", "0.01500", "-")
    ROW("sum,cub DeviceReduce,50000000,12500000", "0.02000", "yes")
        ROW("sum,46_at_the_roofline,50000000,12500000", "0.01800", "yes")
            ROW("sum,40_shared_tree,50000000,12500000", "0.03000", "yes")
                ROW("sum,read only,1073741824,268435456", "0.23300", "-")
                    ROW("sum,cub DeviceReduce,1073741824,268435456", "0.23600", "yes")
                        ROW("sum,46_at_the_roofline,1073741824,268435456", "0.23700",
                            "yes") "sum,41_warp_shuffle,1073741824,268435456,-,-,-,0,0,failed,-,-,-"
                                   "\n";
static const char float_rows[] =
    HEADER ROW("float_sum,cub gpu-to-gpu,65536,16384", "0.00800", "yes")
        ROW("float_sum,46_at_the_roofline,65536,16384", "0.00400", "yes")
            ROW("float_sum,47_reproducible,65536,16384", "0.00420", "yes")
                ROW("float_sum,46_at_the_roofline,1048576,262144", "0.00500", "yes")
                    ROW("float_sum,47_reproducible,1048576,262144", "0.00500", "NO")
                        ROW("float_sum,cub gpu-to-gpu,4194304,1048576", "0.00900", "NO")
                            ROW("float_sum,47_reproducible,4194304,1048576", "0.00600", "yes");

static void summarize(const char *files)
{
    run("cd %s && ${CC:-gcc} -std=c11 -Icommon/tools/parts " ROOM "/reduce_summary.c "
        "common/tools/parts/csv.c -o %s/s && cd %s && ./s peers.csv out.csv %s",
        root, folder, folder, files);
}

TestSuite(reduce_summary, .init = make_folder, .fini = remove_folder);

Test(reduce_summary, tells_which_sizes_reach_their_targets)
{
    write_file("peers.csv", peers);
    write_file("sum.csv", sum_rows);
    write_file("float.csv", float_rows);
    summarize("sum.csv float.csv");
    says(0, "sum: never slower than CUB: 1 of 2 sizes\n"
            "    reached: 50000000 bytes: 0.01800 ms, target 0.02000\n"
            "    missed: 1073741824 bytes: 0.23700 ms, target 0.23600\n");
    says(0, "at most 0.0165 ms: 0 of 1 sizes\n"
            "    missed: 50000000 bytes: 0.01800 ms, target 0.01650\n");
    says(0, "98% of reading alone: 1 of 1 sizes\n"
            "    reached: 1073741824 bytes: 0.23700 ms, target 0.23776\n");
    says(0, "within 5% of at_the_roofline: 1 of 3 sizes\n"
            "    reached: 65536 bytes: 0.00420 ms, target 0.00420\n"
            "    missed: 1048576 bytes: no time; target 0.00525\n"
            "    unknown: 4194304 bytes: at_the_roofline has no time\n");
    says(0, "faster than CUB's gpu-to-gpu mode: 1 of 3 sizes\n"
            "    reached: 65536 bytes: 0.00420 ms, target 0.00800\n"
            "    unknown: 1048576 bytes: cub gpu-to-gpu has no time\n"
            "    unknown: 4194304 bytes: no time to compare with: the result of cub gpu-to-gpu was "
            "wrong\n");
    says(0, "    sum, read only, 50000000 bytes: 0.01500 ms, there 0.0154\n"
            "    sum, cub DeviceReduce, 1073741824 bytes: 0.23600 ms, there 0.2391\n");
    says(0, "41_warp_shuffle, sum, 1073741824 bytes: failed\n"
            "47_reproducible, float_sum, 1048576 bytes: wrong results\n"
            "cub gpu-to-gpu, float_sum, 4194304 bytes: wrong results\n");
    run("cut -d, -f2,3,14- out.csv");
    says(0, "implementation,bytes,GB_per_s,percent_of_reading,ratio_to_CUB,target_ms,reached\n"
            "read only,50000000,3333.3,100.0,1.333,-,-\n"
            "cub DeviceReduce,50000000,2500.0,75.0,1.000,-,-\n"
            "46_at_the_roofline,50000000,2777.8,83.3,1.111,0.01650,no\n"
            "40_shared_tree,50000000,1666.7,50.0,0.667,-,-\n");
    says(0, "46_at_the_roofline,1073741824,4530.6,98.3,0.996,0.23600,no\n"
            "41_warp_shuffle,1073741824,-,-,-,-,-\n");
    says(0, "47_reproducible,65536,15.6,-,-,0.00420,yes\n");
    says(0, "47_reproducible,1048576,-,-,-,0.00525,no\n");
}

Test(reduce_summary, replaces_a_size_by_its_newer_rows)
{
    write_file("peers.csv", peers);
    write_file("out.csv", sum_rows);
    write_file("newer.csv", HEADER ROW("sum,40_shared_tree,50000000,12500000", "0.02900", "yes"));
    summarize("out.csv newer.csv");
    run("cut -d, -f2,3,5 out.csv");
    cr_assert_str_eq(text, "implementation,bytes,median_ms\n"
                           "read only,1073741824,0.23300\n"
                           "cub DeviceReduce,1073741824,0.23600\n"
                           "46_at_the_roofline,1073741824,0.23700\n"
                           "41_warp_shuffle,1073741824,-\n"
                           "40_shared_tree,50000000,0.02900\n");
    summarize("out.csv"); // what it wrote it can read
    says(0, "never slower than CUB: 0 of 1 sizes\n");
}

Test(reduce_summary, says_which_file_it_cannot_read_or_write)
{
    write_file("peers.csv", peers);
    write_file("sum.csv", sum_rows);
    summarize("absent.csv");
    says(1, "absent.csv: cannot be read");
    write_file("other.csv", "a,b\n1,2\n");
    summarize("other.csv");
    says(1, "there is no column operation");
    run("rm -f out.csv; mkdir out.csv");
    summarize("sum.csv");
    says(1, "out.csv: cannot be written");
}

TestSuite(reduce_programs, .init = make_folder, .fini = remove_folder);

/* In place of queue.cu: three runs, and times that nobody measured. */
static const char made_up_queue[] =
    "#include \"queue.h\"\n"
    "double queue_warm_up(gpu_run *run, void *what)\n{\n    run(what);\n    return 0.5;\n}\n"
    "struct gpu_times queue_time_afresh(gpu_run *run, void (*afresh)(void *, int), void *what,\n"
    "                                   double ms, int repetitions)\n{\n"
    "    const struct gpu_times times = {.run = {2 * ms, ms, 3 * ms},\n"
    "                                    .repetitions = repetitions, .queued = 3};\n"
    "    afresh(what, 3);\n    for (int i = 0; i < 3; i++)\n        run(what);\n"
    "    return times;\n}\n";

/* Compiles a program of the room for an operation, with a chapter's kernel linked in; its solution, or
 * a mutant of it: what sed makes of it. */
static void compile(const char *program, const char *operation, const char *stem, const char *sed)
{
    write_file("queue.c", made_up_queue);
    run("sed '%s' %s/solutions/%s/reduce.cu >kernel.cu && cd %s && for f in %s/kernel.cu "
        "%s/queue.c " ROOM "/%s.c $(ls " ROOM "/contest.c " ROOM "/results.c " ROOM
        "/values.cu) " ROOM
        "/read_shapes.cu common/bench/gpu/entrants.c common/bench/gpu/row_file.c "
        "common/bench/gpu/supervised.c common/harness/grouped.c; do "
        "common/sim/simcc -O1 -g1 -w -I" ROOM " -Icommon/bench/gpu -Icommon/contract "
        "-Icommon/harness -DOPERATION=%s -c $f -o %s/$(basename $f).o || exit; done; "
        "common/sim/simcc %s/*.o -o %s/%s && rm %s/*.o",
        sed, root, stem, root, folder, folder, program, operation, folder, folder, folder, program,
        folder);
    cr_assert(status == 0, "%s", text);
}

/* A library in a folder as that of a chapter; its kernel is host code. */
static void write_library(const char *stem, const char *body)
{
    char source[256];
    snprintf(source, sizeof source,
             "#include <stdlib.h>\nvoid reduce(void *v, size_t n, void *r)\n{\n    %s\n}\n", body);
    write_file("library.c", source);
    run("mkdir -p %s/sum && ${CC:-gcc} -w -shared -fPIC library.c -o %s/sum/reduce.so", stem, stem);
    cr_assert(status == 0, "%s", text);
}

/* Catches a program that ends with the first kernel that crashes, and one that takes a result for
 * right because the call before left it there. */
Test(reduce_programs, times_go_on_after_a_crash_and_see_a_wrong_result)
{
    compile("reduce_times", "sum", "42_two_pass", "");
    write_library("40_crash", "abort();");
    write_library("41_nothing", "");
    run("./reduce_times out.csv 1Kv,10000 40_crash/sum/reduce.so 41_nothing/sum/reduce.so");
    says(1, "sum, 4,096 bytes in 1,024 values");
    says(1, "sum, 10,000 bytes in 2,500 values");
    says(1, "40_crash: was ended by signal 6\n");
    says(1, "41_nothing, sum, 4,096 bytes: 3 of 3 results are wrong: 1549556828 in place of ");
    run("cut -d, -f1-12 out.csv");
    cr_assert_str_eq(
        text, "operation,implementation,bytes,length,median_ms,min_ms,max_ms,runs,queued,correct,"
              "results,error\n"
              "sum,read only,4096,1024,1.00000,0.50000,1.50000,15,3,-,-,-\n"
              "sum,this kernel,4096,1024,1.00000,0.50000,1.50000,15,3,yes,1,0\n"
              "sum,40_crash,4096,1024,-,-,-,0,0,failed,-,-\n"
              "sum,41_nothing,4096,1024,1.00000,0.50000,1.50000,15,3,NO,1,0\n"
              "sum,read only,10000,2500,1.00000,0.50000,1.50000,15,3,-,-,-\n"
              "sum,this kernel,10000,2500,1.00000,0.50000,1.50000,15,3,yes,1,0\n"
              "sum,40_crash,10000,2500,-,-,-,0,0,failed,-,-\n"
              "sum,41_nothing,10000,2500,1.00000,0.50000,1.50000,15,3,NO,1,0\n");
    run("cut -d, -f13 out.csv | sort | uniq -c");
    says(0, "6 -\n");
    says(0, "1 shape\n");
}

/* Catches a wrong library that makes the goal fail, and one that hides a wrong chapter. */
Test(reduce_programs, a_wrong_library_is_told_and_a_wrong_chapter_is_a_failure)
{
    compile("reduce_times", "sum", "42_two_pass", "");
    write_file("rivals.c", "const char gpu_to_gpu_version[] = \"cub 9.9.9\";\n"
                           "void cub_gpu_to_gpu(void *v, unsigned long n, void *r)\n{\n}\n");
    run("${CC:-gcc} -shared -fPIC rivals.c -o rivals.so");
    run("./reduce_times out.csv 4K ./rivals.so");
    says(0, "cub gpu-to-gpu, sum, 4,096 bytes: 3 of 3 results are wrong: 1549556828 in place of ");
    says(0, " (a mistake of the library's own)\n");
    run("cut -d, -f2,10 out.csv");
    cr_assert_str_eq(text, "implementation,correct\nread only,-\nthis kernel,yes\n"
                           "cub gpu-to-gpu,NO\n");
    write_library("41_nothing", "");
    run("./reduce_times more.csv 4K ./rivals.so 41_nothing/sum/reduce.so");
    says(1, "41_nothing, sum, 4,096 bytes: 3 of 3 results are wrong: 1549556828 in place of ");
    run("./reduce_times again.csv 4K 41_nothing/sum/reduce.so ./rivals.so");
    says(1, "cub gpu-to-gpu, sum, 4,096 bytes: 3 of 3 results are wrong: ");
}

/* Catches sizes that are none, and libraries that hold no kernel. */
Test(reduce_programs, refuse_what_they_cannot_do)
{
    static const char *const sizes[] = {"",     "0",   "3",  "x",   "64Q",
                                        "64KK", "1vv", "-1", "4K,", "17179869184"};
    compile("reduce_times", "sum", "42_two_pass", "");
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        run("./reduce_times out.csv '%s'", sizes[i]);
        says(2, "A SIZE is a number of bytes, like 50000000, 64K or 4G, or of values, like 16Mv.");
    }
    run("./reduce_times out.csv 4K absent.so");
    says(1, "gpu: absent.so: cannot open shared object file");
    run("echo 'int x;' >x.c; ${CC:-gcc} -shared x.c -o x.so; ./reduce_times out.csv 4K ./x.so");
    says(1, "gpu: ./x.so: there is no reduce() in it");
    run("mkdir folder; ./reduce_times folder 4K");
    says(1, "gpu: cannot write folder");
}

/* Catches a check that has room for a wrong value: the last of 5,000 is missing. */
Test(reduce_programs, check_sees_one_value_that_is_missing)
{
    static const char *const operations[] = {"sum", "max", "float_sum", "dot"};
    for (int i = 0; i < 4; i++) {
        compile("reduce_check", operations[i], "42_two_pass",
                "s/^void reduce(.*/&/; /^void reduce(/,/^}/s/^{/{ length -= length == 5000;/");
        run("./reduce_check 0,1,5000,5001");
        says(1, "0 values: 1 of 1 right\n");
        says(1, "5,000 values: 0 of 1 right\n");
        says(1, "5,000 values that begin one value later: wrong in 2 of 2 calls: ");
        says(1, "5,001 values: 1 of 1 right\n");
        says(1, "5,001 values that begin one value later: 1 of 1 right\n");
    }
}

Test(reduce_programs, check_goes_on_after_a_crash)
{
    compile("reduce_check", "sum", "42_two_pass", "");
    write_library("40_crash", "abort();");
    run("./reduce_check 7,33 40_crash/sum/reduce.so");
    says(1, "40_crash, sum, 7 values: was ended by signal 6\n");
    says(1, "40_crash, sum, 33 values that begin one value later: was ended by signal 6\n");
    run("./reduce_check 7x");
    says(2, "usage: ");
}

Test(reduce_programs, once_says_whether_it_is_right)
{
    compile("reduce_once", "dot", "42_two_pass", "");
    run("./reduce_once 777");
    says(0, "right\n");
    run("./reduce_once 777x");
    says(2, "usage: ");
}
