/* trace.c - the page of every step: its sums, its smallest failing inputs, what it stands. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <glob.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "sim.h"

enum { MEGABYTES_2 = 2000000, HALF_A_MEGABYTE = 500000, MOST_ARRAYS = 4096 };

static char folder[64], said[16384];

/* The status of a command; what it printed, standard error included, is in `said`. */
__attribute__((format(printf, 1, 2))) static int run(const char *format, ...)
{
    char command[4096] = "exec 2>&1; ";
    size_t length = strlen(command);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(command + length, sizeof command - length, format, arguments);
    va_end(arguments);
    FILE *pipe = popen(command, "r");
    cr_assert(pipe, "%s", command);
    said[fread(said, 1, sizeof said - 1, pipe)] = '\0';
    int status = pclose(pipe);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Each test has a folder, with a verdict in it. */
static void begin(void)
{
    snprintf(folder, sizeof folder, "/tmp/histogram-ladder-XXXXXX");
    cr_assert(mkdtemp(folder));
    cr_assert_eq(run("echo 'the judge says so' >%s/said", folder), 0);
}

/* What is built of a test's kernels is its own, too: tests run side by side. */
static const char *kind(void)
{
    static char name[32];
    snprintf(name, sizeof name, "traced-%s", strrchr(folder, '-') + 1);
    return name;
}

static void end(void)
{
    run("chmod -R u+w %s; rm -rf %s %s/%s-5", folder, folder, getenv("BUILD"), kind());
}

TestSuite(trace, .init = begin, .fini = end);

/* The page that a program makes, with a verdict `is`, "right" or "wrong"; NULL when it makes none.
 * To be freed. */
static char *page_of(const char *program, const char *source, const char *is, const char *text)
{
    char path[128], *page;
    struct stat about;
    int status = run("%s %s/page.html %s 9 name %s/suite %s %s/said %s", program, folder, source,
                     folder, is, folder, text);
    snprintf(path, sizeof path, "%s/page.html", folder);
    if (status != 0 || stat(path, &about) != 0)
        return NULL;
    cr_expect(strstr(said, "file:///"), "%s", said);
    FILE *file = fopen(path, "r");
    page = calloc((size_t)about.st_size + 1, 1);
    cr_assert(file && page && fread(page, 1, (size_t)about.st_size, file) > 0);
    fclose(file);
    return page;
}

static const char *program_of(const char *stem)
{
    static char path[256];
    snprintf(path, sizeof path, "%s/solution-5/%s/trace", getenv("BUILD"), stem);
    return path;
}

/* A solution with one piece of its text replaced; once more, with another. */
static void replace(const char *stem, const char *piece, const char *by)
{
    char path[256], text[16384];
    cr_assert_eq(run("mkdir -p %s/%s; [ -e %s/%s/histogram.cu ] || "
                     "cp solutions/%s/histogram.cu %s/%s",
                     folder, stem, folder, stem, stem, folder, stem),
                 0, "%s", said);
    snprintf(path, sizeof path, "%s/%s/histogram.cu", folder, stem);
    FILE *file = fopen(path, "r");
    cr_assert(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    fclose(file);
    char *at = strstr(text, piece);
    cr_assert(at, "%s has no \"%s\"", stem, piece);
    file = fopen(path, "w");
    cr_assert(file);
    fprintf(file, "%.*s%s%s", (int)(at - text), text, by, at + strlen(piece));
    fclose(file);
}

/* The same, compiled and linked: its program. */
static const char *wrong(const char *stem, const char *piece, const char *by)
{
    static char program[256];
    replace(stem, piece, by);
    snprintf(program, sizeof program, "%s/%s-5/%s/trace", getenv("BUILD"), kind(), stem);
    cr_assert_eq(run("env -u MAKEFLAGS -u MFLAGS -u MAKELEVEL make -f common/make/variant.mk "
                     "KIND=%s FROM=%s BINS=5 STEMS= %s",
                     kind(), folder, program),
                 0, "%s", said);
    return program;
}

static char *page_of_wrong(const char *stem, const char *piece, const char *by, const char *facts)
{
    char path[256];
    const char *program = wrong(stem, piece, by);
    cr_assert_eq(run("printf '%s' >%s/suite.facts", facts, folder), 0);
    snprintf(path, sizeof path, "%s/%s/histogram.cu", folder, stem);
    char *page = page_of(program, path, "wrong", "");
    cr_assert(page, "%s", said);
    return page;
}

static size_t text_length(const char *page)
{
    char path[128];
    struct stat about = {.st_size = 0};
    snprintf(path, sizeof path, "%s/page.txt", folder);
    cr_expect(page && stat(path, &about) == 0);
    return (size_t)about.st_size;
}

#define EXPECT_IN(page, part)                                                                      \
    cr_expect(strstr(page, part) != NULL, "the page has no \"%s\", but says: %s", part, said)

static unsigned long long number_after(const char *line, const char *line_end, const char *name)
{
    const char *at = memmem(line, (size_t)(line_end - line), name, strlen(name));
    return at ? strtoull(at + strlen(name), NULL, 10) : 0;
}

static const char *line_end(const char *at)
{
    return at + strcspn(at, "\n");
}

/* Whether arrays are of shared memory, by their index. */
static void read_arrays(const char *page, bool *shared)
{
    const char *at = strstr(page, "\"arrays\":[");
    cr_assert(at);
    for (size_t i = 0; i < MOST_ARRAYS && strncmp(at, "\"steps\"", 7) != 0; at++) {
        if (strncmp(at, "\"space\":\"", 9) == 0)
            shared[i++] = at[9] == 's';
        if (!*at)
            break;
    }
}

/* A counter as the steps of the page add up to it. */
static unsigned long long sum_of(const char *page, const char *metric, const bool *shared)
{
    const bool is_shared = strstr(metric, "shared") != NULL;
    const bool requests = strstr(metric, "requests") || strstr(metric, "inst_executed");
    const char *key = requests ? NULL : strstr(metric, "conflicts") ? "\"k\":" : "\"c\":";
    const char *op = strstr(metric, "_op_shared_atom") ? "atom" : strstr(metric, "_op_") + 4;
    char kind[32];
    unsigned long long sum = 0;
    if (strstr(metric, "_op_shared_atom"))
        snprintf(kind, sizeof kind, "\"o\":\"atom\"");
    else
        snprintf(kind, sizeof kind, "\"o\":\"%.*s\"", (int)strcspn(op, "."), op);
    for (const char *at = strstr(page, "\n{\"l\":"); at; at = strstr(at + 1, "\n{\"l\":")) {
        const char *stop = line_end(at + 1);
        if (!memmem(at, (size_t)(stop - at), kind, strlen(kind)) ||
            shared[number_after(at, stop, "\"a\":")] != is_shared)
            continue;
        sum += key ? number_after(at, stop, key) : 1;
    }
    return sum;
}

/* A counter as the list of the page has it, over all launches. */
static unsigned long long listed(const char *page, const char *metric)
{
    unsigned long long sum = 0;
    for (const char *at = strstr(page, metric); at; at = strstr(at + 1, metric))
        sum += number_after(at, line_end(at), "\"value\":");
    return sum;
}

/* As row has counted it, which writes what make profile shows. */
static unsigned long long profiled(const char *metric)
{
    static char all[1 << 16];
    char path[128], *rest = NULL, *line, *save = NULL;
    long column = -1;
    unsigned long long sum = 0;
    snprintf(path, sizeof path, "%s/profile.csv", folder);
    FILE *file = fopen(path, "r");
    cr_assert(file);
    all[fread(all, 1, sizeof all - 1, file)] = '\0';
    fclose(file);
    for (line = strtok_r(all, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        long i = 0;
        bool head = strncmp(line, "kernel,", 7) == 0;
        for (char *field = strtok_r(line, ",", &save); field;
             field = strtok_r(NULL, ",", &save), i++)
            if (head && strcmp(field, metric) == 0)
                column = i;
            else if (!head && i == column)
                sum += strtoull(field, NULL, 10);
    }
    cr_expect(column >= 0, "no column %s", metric);
    return sum;
}

static void expect_sums_of(const char *stem, const char *source)
{
    static bool shared[MOST_ARRAYS];
    char *page = page_of(program_of(stem), source, "right", "");
    cr_assert(page, "%s: %s", stem, said);
    cr_expect(strlen(page) < HALF_A_MEGABYTE, "%s: %zu bytes", stem, strlen(page));
    EXPECT_IN(page, "\"cut\":0");
    EXPECT_IN(page, "\"failure\":null");
    read_arrays(page, shared);
    cr_assert_eq(run("echo a >%s/page.txt.name; SIM_PROFILE=%s/profile.csv %s/solution-5/%s/row "
                     "%s/page.txt 9 name %s/row.csv",
                     folder, folder, getenv("BUILD"), stem, folder, folder),
                 0, "%s", said);
    for (size_t m = 0; strstr(source, ".cu") && m < sim_metric_count(); m++) {
        const char *name = sim_metric(m).name;
        cr_expect_eq(sum_of(page, name, shared), profiled(name), "%s, %s: %llu in steps, not %llu",
                     stem, name, sum_of(page, name, shared), profiled(name));
        cr_expect_eq(listed(page, name), profiled(name), "%s, %s: listed %llu", stem, name,
                     listed(page, name));
    }
    free(page);
}

/* Of all solutions, metric by metric: a step that is lost, or counted twice, is seen. */
Test(trace, sums_up_to_what_profile_prints)
{
    glob_t found;
    cr_assert_eq(glob("solutions/*/histogram.*", 0, NULL, &found), 0);
    for (size_t i = 0; i < found.gl_pathc; i++) {
        char stem[128];
        sscanf(found.gl_pathv[i], "solutions/%127[^/]", stem);
        expect_sums_of(stem, found.gl_pathv[i]);
    }
    globfree(&found);
}

Test(trace, tells_a_lost_update_on_two_characters)
{
    char *page = page_of_wrong("02_naive_atomic", "atomicAdd(&bins[bin], 1)", "bins[bin]++",
                               "failed bins\\ncaught racecheck x.cu:1\\n");
    cr_expect_eq(text_length(page), 2);
    EXPECT_IN(page, "\"text\":\"aa\"");
    EXPECT_IN(page, "Thread 1 of block 0 read 0 from bins[0] and then wrote 1; in between thread 0 "
                    "of block 0 had written 1, and that update is lost.");
    EXPECT_IN(page, "\"right\":false");
    free(page);
}

Test(trace, tells_what_came_too_late_on_a_warp_and_one_character)
{
    char *page =
        page_of_wrong("06_shared", "__syncthreads(); // no thread may read shared_bins while",
                      "// no thread may read shared_bins while", "caught racecheck x.cu:1\\n");
    cr_expect_leq(text_length(page), 33);
    EXPECT_IN(page, "read 32 from shared_bins[0]; only then thread 32 of block 0 made 33 of it");
    EXPECT_IN(page, "\"counted\":[32,0,0,0,0]");
    free(page);
}

Test(trace, shows_the_access_that_is_refused)
{
    char *page = page_of_wrong("05_privatized_global", "NUM_BINS * sizeof *private_bins",
                               "NUM_BINS", "caught memcheck x.cu:1\\n");
    cr_expect_eq(text_length(page), 1);
    EXPECT_IN(page, "\"bad\":1");
    EXPECT_IN(page, "\"check\":\"memcheck\"");
    free(page);
}

Test(trace, shrinks_wrong_bins_and_their_text)
{
    char *page = page_of_wrong("07_register", "__global__", "__global__", "failed bins\\n");
    EXPECT_IN(page, "no short text shows what the judge found");
    EXPECT_IN(page, "\"failure\":null");
    free(page);
    run("rm -r %s/07_register", folder);
    page = page_of_wrong("02_naive_atomic", "if (bin >= 0)", "if (bin >= 0 && text[i] != 'q')",
                         "failed bins\\n");
    cr_expect_eq(text_length(page), 1);
    EXPECT_IN(page, "\"text\":\"q\"");
    free(page);
}

static const char own_grid[] = "<<<blocks_for(length), THREADS_PER_BLOCK>>>";

/* Where the grid does not follow the text, and what is reported stays the same. */
Test(trace, shrinks_the_grid)
{
    replace("06_shared", own_grid, "<<<24, THREADS_PER_BLOCK>>>");
    char *page =
        page_of_wrong("06_shared", "__syncthreads(); // no thread may read shared_bins while",
                      "// no thread may read shared_bins while", "caught racecheck x.cu:1\\n");
    EXPECT_IN(page, "\"blocks\":1,");
    EXPECT_IN(page, "in a grid of 1 block");
    EXPECT_IN(page, "\"grid\":[1,1,1]");
    free(page);
}

/* A thousand blocks, nearly all of which do nothing, are no page full of nothing. */
Test(trace, tells_little_of_idle_blocks)
{
    char source[128];
    const char *program = wrong("06_shared", own_grid, "<<<1024, THREADS_PER_BLOCK>>>");
    snprintf(source, sizeof source, "%s/06_shared/histogram.cu", folder);
    char *page = page_of(program, source, "right", "");
    cr_assert(page, "%s", said);
    cr_expect(strlen(page) < 2 * HALF_A_MEGABYTE, "%zu bytes", strlen(page));
    EXPECT_IN(page, "\"cut\":0");
    EXPECT_IN(page, "most blocks of this grid read nothing");
    free(page);
}

/* Host code that hangs, or crashes, costs seconds and no page. */
Test(trace, outlives_what_it_runs)
{
    char *page = page_of_wrong("02_naive_atomic", "if (length == 0)",
                               "if (length > 40) *(volatile int *)8 = 1;\n    if (length == 0)",
                               "failed stopped\\n");
    EXPECT_IN(page, "histogram() was ended by signal 11");
    cr_expect_eq(text_length(page), 41);
    free(page);
    run("rm -r %s/02_naive_atomic", folder);
    replace("02_naive_atomic", "#include <stdint.h>", "#include <stdint.h>\n#include <unistd.h>");
    page = page_of_wrong("02_naive_atomic", "if (length == 0)",
                         "for (; length == 1; sleep(1))\n        ;\n    if (length == 0)",
                         "failed stopped\\n");
    EXPECT_IN(page, "histogram() did not return in time");
    free(page);
}

/* What could end the script, or is no character, stands in source and text. */
Test(trace, holds_any_byte_and_no_end_of_a_script)
{
    char text[128];
    cr_assert_eq(
        run("printf '</script>\"\\\\ <!-- \\200\\377\\001 z' >%s/text; echo t >%s/text.name",
            folder, folder),
        0);
    cr_assert_eq(run("cp solutions/02_naive_atomic/histogram.cu %s/stub.cu; "
                     "printf '// </script> \\351 <!-- \\n' >>%s/stub.cu",
                     folder, folder),
                 0);
    snprintf(text, sizeof text, "%s/text", folder);
    char source[128];
    snprintf(source, sizeof source, "%s/stub.cu", folder);
    char *page = page_of(program_of("02_naive_atomic"), source, "right", text);
    cr_assert(page, "%s", said);
    EXPECT_IN(page,
              "\"text\":\"\\u003c/script\\u003e\\\"\\\\ \\u003c!-- \\u0080\\u00ff\\u0001 z\"");
    EXPECT_IN(page, "// \\u003c/script\\u003e \\u00e9 \\u003c!-- ");
    const char *trace = strstr(page, "id=\"trace\"");
    cr_assert(trace);
    cr_expect_eq(strcspn(trace, "<"), (size_t)(strstr(trace, "</script>") - trace));
    free(page);
}

/* The longest text, with a step for each of its characters: the end is cut, and counted. */
Test(trace, stays_below_two_megabytes)
{
    char text[128];
    cr_assert_eq(run("TEXT=uniform SIZE=64K %s/common/program/histogram/input %s/text README.md",
                     getenv("BUILD"), folder),
                 0, "%s", said);
    snprintf(text, sizeof text, "%s/text", folder);
    const char *const stems[] = {"01_sequential", "12_packed_counters"};
    for (size_t i = 0; i < 2; i++) {
        char *page =
            page_of(program_of(stems[i]), "solutions/02_naive_atomic/histogram.cu", "right", text);
        cr_assert(page, "%s", said);
        cr_expect(strlen(page) < MEGABYTES_2, "%zu bytes", strlen(page));
        EXPECT_IN(page, "\"cut\":");
        cr_expect_null(strstr(page, "\"cut\":0}"));
        free(page);
    }
}

Test(trace, refuses_in_one_line_what_it_cannot_show)
{
    char text[128];
    cr_assert_eq(run("head -c 70000 /dev/zero >%s/text; echo t >%s/text.name", folder, folder), 0);
    snprintf(text, sizeof text, "%s/text", folder);
    cr_expect_null(page_of(program_of("02_naive_atomic"), "solutions/02_naive_atomic/histogram.cu",
                           "right", text));
    cr_expect(strstr(said, "70,000 characters are too many") && strchr(said, '\n')[1] == '\0', "%s",
              said);
    cr_expect_eq(run("%s /no/where.html solutions/02_naive_atomic/histogram.cu 2 n s right s",
                     program_of("02_naive_atomic")),
                 1);
    cr_expect(strstr(said, "cannot write /no/where.txt: No such file or directory\n"), "%s", said);
}
