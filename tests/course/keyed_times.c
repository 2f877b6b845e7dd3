/* keyed_times.c - what makes up make gpu bench PART=2, as far as it goes without a GPU. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

static char folder[64];

static void make_folder(void)
{
    snprintf(folder, sizeof folder, "/tmp/histogram-ladder-XXXXXX");
    cr_assert(mkdtemp(folder));
}

/* What a command printed, standard error included; `status` is its exit status. */
__attribute__((format(printf, 2, 3))) static const char *run(int *status, const char *format, ...)
{
    static char text[16384];
    char command[4096];
    const int used = snprintf(command, sizeof command, "F=%s; { ", folder);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command + used, sizeof command - (size_t)used - 8, format, arguments);
    va_end(arguments);
    strcat(command, "\n} 2>&1");
    FILE *pipe = popen(command, "r");
    cr_assert(pipe, "%s", command);
    text[fread(text, 1, sizeof text - 1, pipe)] = '\0';
    const int ended = pclose(pipe);
    *status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    return text;
}

static void remove_folder(void)
{
    int status;
    run(&status, "rm -r $F");
}

static void write_file(const char *name, const char *content)
{
    char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    cr_assert(file && fputs(content, file) >= 0 && fclose(file) == 0);
}

static void expect_in(const char *text, const char *part)
{
    cr_assert(strstr(text, part), "expected: %s\nin: %s", part, text);
}

#define ROOM "common/bench/gpu/reduce_by_index"
#define COMPILE                                                                                    \
    "${CC:-gcc} -std=c11 -I" ROOM " -Icommon/bench/gpu -Icommon/contract -Icommon/tools/parts "
#define HEADER                                                                                     \
    "operation,implementation,keys,length,bins,median_ms,min_ms,max_ms,runs,queued,correct,"       \
    "reading_ms\n"
#define ROW(start, ms, answer) start "," ms "," ms "," ms ",15,30," answer ",0.04400\n"

/* One cell that reaches its target, one that does not, a wrong result, one left out. */
static const char count_rows[] = HEADER ROW("count,read only,uniform,50000000,31", "0.04400", "-")
    ROW("count,20_many_bins,uniform,50000000,31", "0.05000", "yes")
        ROW("count,25_partition,uniform,50000000,31", "0.05400", "yes")
            ROW("count,20_many_bins,zipf,50000000,58112", "0.06000", "yes")
                ROW("count,25_partition,zipf,50000000,58112", "0.01000", "NO")
                    ROW("count,20_many_bins,stride63,50000000,196607", "0.40000",
                        "yes") "count,22_lock,zipf,50000000,58112,-,-,-,0,0,left out,-\n";
static const char minmax_rows[] =
    HEADER ROW("minmax,plain kernel,zipf,50000000,505", "9.00000", "yes")
        ROW("minmax,22_lock,zipf,50000000,505", "4.50000", "yes")
            ROW("minmax,22_lock,uniform,50000000,505", "9.50000",
                "yes") "minmax,plain kernel,single,50000000,505,-,-,-,0,0,left "
                       "out,-\n" ROW("minmax,22_lock,single,50000000,505", "1400.00000", "yes");
static const char peers[] =
    "implementation,keys,length,bins,ms\n"
    "generalized-histogram library ; hardware atomics ; i32 add,RF=1,50000000,31,0.12925\n"
    "generalized-histogram library ; locks ; argmax of (index ; value),RF=63,50000000,31,0.9\n"
    "generalized-histogram library ; locks ; argmax of (index ; value),RF=63,50000000,127,0.18\n";

static const char *summarize(int *status, const char *files)
{
    const char *said = run(status,
                           COMPILE ROOM "/keyed_summary.c common/tools/parts/csv.c -o $F/s && "
                                        "$F/s $F/peers.csv $F/out.csv %s",
                           files);
    return said;
}

TestSuite(keyed_summary, .init = make_folder, .fini = remove_folder);

Test(keyed_summary, tells_which_cells_reach_their_targets)
{
    int status;
    write_file("peers.csv", peers);
    write_file("count.csv", count_rows);
    write_file("minmax.csv", minmax_rows);
    const char *said = summarize(&status, "$F/count.csv $F/minmax.csv");
    cr_assert(status == 0, "%s", said);
    expect_in(said, "missed: zipf keys, 58112 bins: 0.0600 ms (20_many_bins), target 0.0576");
    expect_in(said, "0.0576 ms: 1 of 2 cells");
    expect_in(said, "20_many_bins               1 of 2\n    25_partition               1 of 2");
    expect_in(said, "plain kernel: 2 of 2 cells");
    expect_in(said, "20_many_bins               3 of 3, 100.0%");
    expect_in(said, "25_partition               1 of 2, 50.0%");
    said = run(&status, "cat $F/out.csv");
    expect_in(said, "count,25_partition,uniform,50000000,31,0.05400,0.05400,0.05400,15,30,yes,"
                    "0.04400,0.12925,0.0576,yes,1.080\n");
    expect_in(said, "NO,0.04400,-,0.0576,no,-\n");
    expect_in(said, "left out,-,-,0.0576,no,-\n");
    expect_in(said, "count,20_many_bins,stride63,50000000,196607,0.40000,0.40000,0.40000,15,30,yes,"
                    "0.04400,-,-,-,1.000\n");
    expect_in(said, "minmax,22_lock,uniform,50000000,505,9.50000,9.50000,9.50000,15,30,yes,0.04400,"
                    "-,-,-,1.000\n");
}

Test(keyed_summary, takes_the_stricter_of_two_targets)
{
    int status;
    write_file("peers.csv", peers);
    write_file("argmax.csv", HEADER ROW("argmax,21_word,stride63,50000000,31", "0.13000", "yes")
                                 ROW("argmax,21_word,stride63,50000000,127", "0.07000", "yes"));
    summarize(&status, "$F/argmax.csv");
    const char *said = run(&status, "cat $F/out.csv");
    expect_in(said, ",0.90000,0.1200,no,1.000\n");
    expect_in(said, ",0.18000,0.0600,no,1.000\n");
}

Test(keyed_summary, replaces_a_cell_by_its_newer_rows)
{
    int status;
    write_file("peers.csv", peers);
    write_file("out.csv", count_rows);
    write_file("minmax.csv", minmax_rows);
    write_file("newer.csv", HEADER ROW("count,20_many_bins,uniform,50000000,31", "0.05100", "yes"));
    summarize(&status, "$F/out.csv $F/minmax.csv $F/newer.csv");
    const char *said = run(&status, "cut -d, -f1-3,5,6 $F/out.csv | grep count | LC_ALL=C sort");
    cr_assert_str_eq(said, "count,20_many_bins,stride63,196607,0.40000\n"
                           "count,20_many_bins,uniform,31,0.05100\n"
                           "count,20_many_bins,zipf,58112,0.06000\n"
                           "count,22_lock,zipf,58112,-\n"
                           "count,25_partition,zipf,58112,0.01000\n");
}

Test(keyed_summary, says_which_file_it_cannot_read_or_write)
{
    int status;
    write_file("peers.csv", peers);
    write_file("count.csv", count_rows);
    expect_in(summarize(&status, "$F/absent.csv"), "absent.csv: cannot be read");
    cr_assert(status == 1);
    write_file("other.csv", "a,b\n1,2\n");
    expect_in(summarize(&status, "$F/other.csv"), "there is no column operation");
    cr_assert(status == 1);
    run(&status, "rm -f $F/out.csv; mkdir $F/out.csv");
    expect_in(summarize(&status, "$F/count.csv"), "out.csv: cannot be written");
    cr_assert(status == 1);
}

TestSuite(supervised, .init = make_folder, .fini = remove_folder);

/* Step 1 crashes, step 2 ends the program, step 3 never ends. */
Test(supervised, goes_on_after_what_crashes_or_never_ends)
{
    int status;
    write_file(
        "main.c",
        "#include <signal.h>\n#include <stdio.h>\n#include <stdlib.h>\n"
        "#include \"supervised.h\"\n"
        "static void work(struct progress *p, void *what)\n{\n    (void)what;\n"
        "    for (size_t i = p->next; i < 5; i++) {\n        begin_step(p, i, \"step\");\n"
        "        if (i == 1)\n            raise(SIGSEGV);\n"
        "        if (i == 2)\n            exit(0 + 7);\n        while (i == 3)\n            ;\n"
        "        printf(\"done %zu\\n\", i);\n        fflush(stdout);\n    }\n}\n"
        "static void lost(const struct progress *p, const char *why, void *what)\n{\n"
        "    (void)what;\n    printf(\"lost %zu: %s\\n\", p->next, why);\n}\n"
        "int main(void)\n{\n    return supervised(work, lost, NULL, 1) ? 0 : 1;\n}\n");
    const char *said =
        run(&status, COMPILE "$F/main.c common/bench/gpu/supervised.c -o $F/main && $F/main");
    cr_assert(status == 1, "%s", said);
    cr_assert_str_eq(said, "done 0\nlost 1: was ended by signal 11\nlost 2: ended the program\n"
                           "lost 3: did not end within 1 s\ndone 4\n");
}

TestSuite(keyed_cells, .init = make_folder, .fini = remove_folder);

Test(keyed_cells, are_those_of_the_operation_or_of_a_list)
{
    int status;
    write_file(
        "main.c",
        "#include <stdio.h>\n#include \"keyed_cells.h\"\n"
        "const char *const crowd_names[CROWDS] = {\"uniform\", \"zipf\", "
        "\"single\", \"stride63\", \"ninety\", \"sorted\"};\n"
        "int main(void)\n{\n    struct keyed_cell c[MOST_CELLS];\n"
        "    static const char *const lists[] = {\"all\", \"31:zipf,1572863:ninety\", "
        "\"all:all\",\n"
        "        \"all:uniform\", \"12281:all\", \"\", \"0:zipf\", \"31:zip\", \"31:zipf,x\"};\n"
        "    for (int i = 0; i < 9; i++)\n        printf(\"%zu \", keyed_cells(lists[i], c));\n"
        "    puts(\"\");\n}\n");
    const char *said =
        run(&status, "for o in count saturate argmax minmax; do " COMPILE
                     "-DOPERATION=$o $F/main.c " ROOM "/keyed_cells.c -o $F/main && $F/main; done");
    cr_assert_str_eq(said, "65 2 65 13 5 0 0 0 0 \n24 2 24 12 2 0 0 0 0 \n24 2 24 12 2 0 0 0 0 \n"
                           "12 2 12 3 4 0 0 0 0 \n");
}

TestSuite(keyed, .init = make_folder, .fini = remove_folder);

/* On the simulated GPU: the plain kernel is right on all kinds of keys, and a bin that is changed is
 * found. */
Test(keyed, knows_what_the_bins_must_hold)
{
    int status;
    write_file(
        "main.c",
        "#include <cuda_runtime_api.h>\n#include <stdio.h>\n#include \"keyed.h\"\n"
        "#include \"rivals.h\"\n"
        "int main(void)\n{\n    enum { LENGTH = 3000, BINS = 505, CHANGED = 17 };\n"
        "    element_t *elements;\n    bin_t *bins, changed;\n    size_t first, wrong = 0;\n"
        "    cudaMalloc((void **)&elements, LENGTH * sizeof *elements);\n"
        "    cudaMalloc((void **)&bins, BINS * sizeof *bins);\n"
        "    for (int crowd = 0; crowd < CROWDS; crowd++) {\n"
        "        keyed_fill(elements, LENGTH, BINS, (enum crowd)crowd);\n"
        "        keyed_clear(bins, BINS);\n"
        "        struct keyed_truth *truth = keyed_truth_of(elements, LENGTH, BINS);\n"
        "        plain_reduce(elements, LENGTH, bins, BINS);\n"
        "        wrong += keyed_wrong_bins(truth, bins, &first);\n"
        "        cudaMemcpy(&changed, bins + CHANGED, sizeof changed, cudaMemcpyDeviceToHost);\n"
        "        ((unsigned char *)&changed)[sizeof changed - 1] ^= 0x41;\n"
        "        cudaMemcpy(bins + CHANGED, &changed, sizeof changed, cudaMemcpyHostToDevice);\n"
        "        size_t found = keyed_wrong_bins(truth, bins, &first);\n"
        "        printf(\"%zu wrong, then %zu: %zu\\n\", wrong, found, first);\n"
        "        keyed_truth_free(truth);\n    }\n"
        "    cudaFree(elements);\n    cudaFree(bins);\n}\n");
    const char *said =
        run(&status,
            "for o in argmax float_sum; do for f in $F/main.c " ROOM "/keyed.cu " ROOM
            "/truth.cu " ROOM "/plain.cu; do common/sim/simcc -O2 -g1 -I" ROOM
            " -Icommon/bench/gpu -Icommon/contract -DOPERATION=$o -c $f -o $F/$o-$(basename $f).o"
            " || exit; done; common/sim/simcc $F/$o-*.o -o $F/$o && $F/$o || exit; done");
    cr_assert(status == 0, "%s", said);
    for (int line = 0; line < 12; line++, said = strchr(said, '\n') + 1)
        cr_assert(strncmp(said, "0 wrong, then 1: 17\n", 20) == 0, "%s", said);
}
