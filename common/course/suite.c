/* suite.c - starts the tests of a suite and waits for them; looks through an object's names: see suite.h. */
#define _GNU_SOURCE
#include "suite.h"

#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <unistd.h>

#include "process.h"
#include "util.h"

static void add_test(struct suite_run *suite, const char *name)
{
    const char *slash = strchr(name, '/');
    if (!slash)
        return;
    suite->tests = grow(suite->tests, suite->count, 1, sizeof *suite->tests);
    suite->tests[suite->count++] =
        (struct suite_test){.name = format("%s", name),
                            .output = format("%s.tests/%.*s.%s.out", suite->kept,
                                             (int)(slash - name), name, slash + 1)};
}

void suite_list(struct suite_run *suite)
{
    const char *list = format("%s.tests/names", suite->kept);
    suite->count = 0;
    make_folders(list);
    process_run((char *[]){suite->program, "--names", NULL}, list);
    for (struct lines in = lines_of(list); next_line(&in);)
        add_test(suite, in.line);
}

/* Of lines "SECONDS NAME". */
static void read_times(struct suite_run *suite)
{
    char name[512];
    double seconds;
    for (struct lines in = lines_of(format("%s.tests/seconds", suite->kept)); next_line(&in);)
        for (size_t i = 0; i < suite->count; i++)
            if (sscanf(in.line, "%lf %511s", &seconds, name) == 2 &&
                strcmp(suite->tests[i].name, name) == 0)
                suite->tests[i].seconds = seconds;
}

static void write_times(const struct suite_run *suite)
{
    FILE *times = fopen(format("%s.tests/seconds", suite->kept), "w");
    for (size_t i = 0; times && i < suite->count; i++)
        if (suite->tests[i].seconds > 0)
            fprintf(times, "%.3f %s\n", suite->tests[i].seconds, suite->tests[i].name);
    if (times)
        fclose(times);
}

/* A word that nobody can guess. */
static const char *draw_nonce(void)
{
    uint64_t drawn;
    if (getrandom(&drawn, sizeof drawn, 0) != sizeof drawn)
        fail(3, "verdict: cannot draw a number: %s", strerror(errno));
    return format("%016llx", (unsigned long long)drawn);
}

static void start(const struct suite_run *suite, struct suite_test *test)
{
    char *arguments[8] = {suite->program}, **next = arguments + 1;
    if (suite->kernel) {
        *next++ = "--kernel";
        *next++ = suite->kernel;
    }
    memcpy(next, (char *[]){"--jobs", "1", "--filter", test->name}, 4 * sizeof *next);
    test->nonce = draw_nonce();
    test->stdout_file = memfd_create("verdict log", MFD_CLOEXEC);
    if (test->stdout_file < 0)
        fail(3, "verdict: cannot make a file for entries: %s", strerror(errno));
    setenv("VERDICT_LOG", test->nonce, 1);
    test->begun = seconds_now();
    test->pid = process_start(arguments, test->output, test->stdout_file);
    test->state = RUNS;
}

/* Sorts what came on standard output: entries are kept, what is none goes to the output. */
static void take_log(struct suite_test *test)
{
    FILE *output = fopen(test->output, "a"), *log = open_text();
    struct lines in = {.file = fdopen(test->stdout_file, "r")};
    const char *begin = format("%s ", test->nonce);
    if (in.file)
        rewind(in.file);
    while (next_line(&in))
        if (begins_with(in.line, begin))
            fprintf(log, "%s\n", in.line + strlen(begin));
        else if (output)
            fprintf(output, "%s\n", in.line);
    if (output)
        fclose(output);
    test->log = close_text(log);
}

static struct suite_test *first_failure(struct suite_run *suite)
{
    for (size_t i = 0; i < suite->count; i++) {
        if (suite->tests[i].state == FAILED)
            return &suite->tests[i];
        if (suite->tests[i].state != PASSED)
            return NULL;
    }
    return NULL;
}

/* The test to begin next: of those before the first that failed, the longest; of two that are
 * equally long, the first. NULL when there is none. */
static struct suite_test *next_test(struct suite_run *suite)
{
    struct suite_test *next = NULL;
    for (size_t i = 0; i < suite->count && suite->tests[i].state != FAILED; i++)
        if (suite->tests[i].state == WAITS && (!next || suite->tests[i].seconds > next->seconds))
            next = &suite->tests[i];
    return next;
}

static void take_result(struct suite_run *suite, pid_t pid, int status)
{
    for (size_t i = 0; i < suite->count; i++) {
        struct suite_test *test = &suite->tests[i];
        if (test->pid != pid || test->state != RUNS)
            continue;
        test->state = status == 0 ? PASSED : FAILED;
        take_log(test);
        test->seconds = seconds_now() - test->begun;
    }
}

static void stop_the_rest(struct suite_run *suite)
{
    for (size_t i = 0; i < suite->count; i++) {
        struct suite_test *test = &suite->tests[i];
        if (test->state != RUNS)
            continue;
        kill(test->pid, SIGKILL);
        process_wait(&test->pid);
        take_log(test);
        test->state = STOPPED;
    }
}

struct suite_test *suite_run_tests(struct suite_run *suite)
{
    unsigned int running = 0;
    struct suite_test *next;
    read_times(suite);
    while (!first_failure(suite)) {
        if (running < suite->jobs && (next = next_test(suite))) {
            start(suite, next);
            running++;
            continue;
        }
        if (running == 0)
            break;
        pid_t pid = 0;
        int status = process_wait(&pid);
        take_result(suite, pid, status);
        running--;
    }
    stop_the_rest(suite);
    write_times(suite);
    return first_failure(suite);
}

static FILE *must_open(const char *file)
{
    FILE *stream = fopen(file, "w");
    if (!stream)
        fail(3, "%s: %s", file, strerror(errno));
    return stream;
}

void suite_gather(const struct suite_run *suite, const struct suite_test *last)
{
    FILE *out = must_open(format("%s.out", suite->kept)),
         *log = must_open(format("%s.log", suite->kept));
    size_t passed = 0, length = 0;
    for (size_t i = 0; i < suite->count; i++) {
        const struct suite_test *test = &suite->tests[i];
        const char *output = read_file(test->output, &length);
        fwrite(output, 1, output ? length : 0, out);
        fputs(test->log ? test->log : "", log);
        passed += test->state == PASSED;
        if (test == last)
            break;
    }
    fprintf(out, "%zu passed, %d failed\n", passed, last != NULL);
    fclose(out);
    fclose(log);
}

/* What the program around a kernel is made of: a list with blanks. A * stands for any end. */
static const char ours[] =
    "sim_* cuda* __tsan_* __sanitizer_* __cxa_* target_* serve_* wire_* copies_* "
    "stripes_* facts_* reports_* main measure_run verify_count measure_far_end text_of "
    "run_compare read write send recv exit _exit atexit on_exit abort malloc calloc "
    "realloc free memcpy memmove memset memcmp mmap munmap mprotect getrandom getpid "
    "fcntl close fflush fprintf printf snprintf getenv environ fork sigaction "
    "pthread_create _start strcmp strlen MPI_* PMPI_* pread pread64 open open64 fopen "
    "fread now_* file_reads_*";

/* Host code that feeds several devices may do it by a thread for each, and map a file, which may
 * become shorter. */
static const char of_threads[] = "pthread_create thrd_create mmap mmap64 sigaction";

/* What no kernel and no other host code around one needs. */
static const char closed[] =
    "dlopen dlsym dlvsym dl_iterate_phdr ptrace mprotect pkey_mprotect mmap mmap64 mremap "
    "syscall execve execv execl execlp execvp fexecve fork vfork clone posix_spawn "
    "posix_spawnp system popen pthread_create thrd_create environ secure_getenv getenv "
    "setenv putenv process_vm_* socket recv send recvmsg sendmsg sendto recvfrom dup2 "
    "dup3 sigaction signal setitimer alarm timer_create on_exit atexit at_quick_exit "
    "__cxa_at_quick_exit PMPI_*";

/* Of sim.h's functions the ones that headers for kernels use. */
static const char open_to_all[] = "sim_locate sim_grid_dim sim_block_dim";

static bool is_among(const char *name, const char *list)
{
    for (const char *word = list; *word; word += strspn(word, " ")) {
        const size_t length = strcspn(word, " ");
        const bool any_end = word[length - 1] == '*';
        if (strncmp(name, word, length - any_end) == 0 && (any_end || !name[length]))
            return true;
        word += length;
    }
    return false;
}

/* Whether sim.h, with which the judge commands the simulator, declares a function of this name. */
static bool commands_simulator(const char *name)
{
    static char *header;
    size_t size;
    if (!begins_with(name, "sim_") || is_among(name, open_to_all))
        return false;
    if (!header)
        header = read_file("common/sim/sim.h", &size);
    return header && strstr(header, format(" %s(", name));
}

/* "chapters/05_name/histogram.cu:30" of nm's path. */
static const char *from_here(const char *place)
{
    char here[4096];
    size_t length = getcwd(here, sizeof here) ? strlen(here) : 0;
    return length > 0 && strncmp(place, here, length) == 0 && place[length] == '/'
               ? place + length + 1
               : place;
}

/* A line of nm: "NAME KIND VALUE SIZE<tab>FILE:LINE". Returns NULL, or what is wrong. */
static const char *wrong_in(const char *line, bool threads)
{
    char name[512], kind;
    if (sscanf(line, "%511s %c", name, &kind) != 2)
        return NULL;
    const char *tab = strchr(line, '\t'), *what = NULL;
    if (strchr("TDBRCSG", kind) && is_among(name, ours))
        what = "is defined here, and is a name of the judge's or of the system's: choose another";
    else if (kind == 'U' && (is_among(name, closed) || commands_simulator(name)) &&
             !(threads && is_among(name, of_threads)))
        what = "is called here, and no kernel needs it: leave it out";
    return what ? format("%s%s%s %s", tab ? from_here(tab + 1) : "", tab ? ": " : "", name, what)
                : NULL;
}

/* What a command prints, as a text. */
static char *printed_by(const char *command)
{
    char *text = NULL;
    size_t room = 0;
    FILE *list = popen(command, "r");
    if (!list || getdelim(&text, &room, '\0', list) < 0)
        text = format("%s", "");
    if (list)
        pclose(list);
    return text;
}

const char *wrong_names(const char *object, bool threads)
{
    const char *wrong = NULL;
    if (access(object, R_OK) != 0)
        return NULL;
    /* A function that the loader calls runs before anything limits the process. */
    const char *first = printed_by(format(
        "{ nm -P '%s' | sed -n 's/ i .*//p'; readelf -SW '%s' | grep -o '\\.preinit_array'; } "
        "2>/dev/null",
        object, object));
    if (*first)
        return format("%.*s runs while the program is loaded (ifunc, preinit_array), and no kernel "
                      "needs that: leave it out",
                      (int)strcspn(first, " \n"), first);
    char *names = printed_by(format("nm -g -P -l '%s' 2>/dev/null", object));
    for (char *line; !wrong && (line = strsep(&names, "\n"));)
        wrong = wrong_in(line, threads);
    return wrong;
}
