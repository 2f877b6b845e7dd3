/* times.c - times and judges entrants on a GPU, whatever their contract (bench.h).
 *
 *     times time OUT.csv SECONDS LIBRARY.so... -- CELLS...     times each entrant; a row may take so many seconds
 *     times check LIBRARY.so... -- CELLS...                    tells whether results are right
 *     times once LIBRARY.so... -- CELLS...     the same in this process, for profiler and sanitizer
 *
 * CELLS is FIRST,...:SECOND,..., each one of the first list with each one of the second. The workload knows what they
 * mean. A LIBRARY.so holds a kernel, whose name is that of its folder, or peers. In every cell all entrants run on
 * the same input in this one process. The program prints a table, and appends rows to OUT.csv.
 *
 * What is timed is the call that a user makes, with all that it allocates, zeroes and merges: queued back to
 * back (queue.h), or by the clock on the wall (clock.h). Results are judged before and after. A kernel may take
 * hours where its input is unkind. So it first gets a part of the input, then more, and is left out when all of
 * it would take too long. The program tells of a kernel that crashes or never ends, and goes on with the others.
 * A wrong result of a kernel makes the status 1. That of a peer is told, and has NO in its row. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "grouped.h"
#include "queue.h"
#include "supervised.h"

enum { MOST_ENTRANTS = 256, MOST_CELLS = 256, WARM_UPS = 3, FEW = 5, TO_CHOOSE = 3 };
static const double enough_ms = 500; /* for the repetitions of a row, where few are enough */
static const double wall_ms = 2000;  /* for the repetitions of a row, by the wall */

enum goal { TIME, CHECK, ONCE };
enum yardstick { READING, CUB };

struct task {
    enum goal goal;
    const char *out, *header;
    double seconds;
    char **libraries;
    int num_libraries;
    struct cell cells[MOST_CELLS];
    struct entrant who[MOST_ENTRANTS];
    size_t num_cells, count;
};

/* All that one run needs: who, on what, how much of it, and which turn it is. */
struct run {
    struct entrant *who;
    struct workspace *workspace;
    size_t units, turn;
};

static void quit(int status, const char *problem, const char *what)
{
    fprintf(stderr, "gpu: %s%s\n", problem, what);
    exit(status);
}

/* -- rows -- */

void columns_add(struct columns *columns, const char *name, const char *format, ...)
{
    const size_t used = strlen(columns->lines), room = sizeof columns->lines - used;
    const int begun = snprintf(columns->lines + used, room, "%s=", name);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(columns->lines + used + begun, room - (size_t)begun - 1, format, arguments);
    va_end(arguments);
    strcat(columns->lines, "\n");
}

/* Prints the value of a column of that length, if it is there. */
static bool put_column(FILE *csv, const struct columns *columns, const char *column, size_t length)
{
    for (const char *line = columns->lines; *line; line = strchr(line, '\n') + 1)
        if (strncmp(line, column, length) == 0 && line[length] == '=')
            return fprintf(csv, "%.*s", (int)strcspn(line + length + 1, "\n"), line + length + 1) >=
                   0;
    return false;
}

static FILE *open_rows(const struct task *task)
{
    FILE *csv = fopen(task->out, "a");
    if (!csv)
        quit(1, "cannot write ", task->out);
    if (fseek(csv, 0, SEEK_END) == 0 && ftell(csv) == 0)
        fprintf(csv, "%s\n", task->header);
    return csv;
}

/* A row; what nobody knows is a dash. */
static void write_row(const struct task *task, const struct cell *cell,
                      const struct columns *measured)
{
    FILE *csv = open_rows(task);
    for (const char *column = task->header; *column;) {
        const size_t length = strcspn(column, ",");
        if (!put_column(csv, &cell->columns, column, length) &&
            !put_column(csv, measured, column, length))
            fputc('-', csv);
        column += length;
        fputc(*column ? *column++ : '\n', csv);
    }
    fclose(csv);
}

/* A row without times: `answer` is "left out" or "failed". */
static void write_no_times(const struct task *task, const struct entrant *who,
                           const struct cell *cell, const char *answer, const char *why)
{
    struct columns measured = {""};
    columns_add(&measured, "implementation", "%s", who->name);
    columns_add(&measured, "correct", "%s", answer);
    columns_add(&measured, "runs", "0");
    columns_add(&measured, "queued", "0");
    write_row(task, cell, &measured);
    printf("%-28s %10s %s: %s\n", who->name, "-", answer, why);
    fflush(stdout);
}

static void add_spread(struct columns *columns, const char *prefix, const struct spread *spread)
{
    static const char *const names[] = {"median_ms", "low_ms", "high_ms", "min_ms", "max_ms"};
    const double values[] = {spread->median, spread->low, spread->high, spread->least,
                             spread->most};
    for (int i = 0; i < 5; i++) {
        char name[32];
        snprintf(name, sizeof name, "%s%s", prefix,
                 *prefix && i == 0 ? "ms" : names[i]); // latency_ms is a median
        if (!*prefix || i < 3)
            columns_add(columns, name, "%.5f", values[i]);
    }
}

static void print_heading(const struct task *task, const struct cell *cell)
{
    if (task->goal != TIME)
        return;
    printf(
        "\n%s: %s, median of the repetitions\n\n%-28s %10s %10s %10s %9s %9s %6s %s\n", cell->name,
        workload.by_the_wall ? "by the clock on the wall" : "on the GPU alone, queued back to back",
        "implementation", "ms", "low", "high", "GB/s", "% reading", "right",
        workload.has_latency ? "   latency" : "");
    fflush(stdout);
}

/* What was measured in a row: for people, and as columns. */
static void write_times(const struct task *task, const struct entrant *who, const struct cell *cell,
                        const struct times *times, const struct verdict *verdict,
                        const volatile double *yardsticks)
{
    const struct spread *run = &times->run;
    const double reading = who->peer.idle ? 0 : yardsticks[READING];
    const char *answer = !verdict->of ? "-" : verdict->wrong ? "NO" : "yes";
    char speed[32] = "-", percent[32] = "-", latency[32] = "";
    struct columns row = {""};
    columns_add(&row, "implementation", "%s", who->name);
    add_spread(&row, "", run);
    columns_add(&row, "runs", "%d", times->repetitions);
    columns_add(&row, "queued", "%d", times->queued);
    columns_add(&row, "correct", "%s", answer);
    if (times->latency.median > 0) {
        add_spread(&row, "latency_", &times->latency);
        snprintf(latency, sizeof latency, "%10.4f", times->latency.median);
    }
    if (!who->peer.idle && cell->bytes > 0)
        snprintf(speed, sizeof speed, "%.1f", (double)cell->bytes / run->median * 1e-6);
    if (reading > 0) {
        snprintf(percent, sizeof percent, "%.1f", 100 * reading / run->median);
        columns_add(&row, "reading_ms", "%.5f", reading);
    }
    if (yardsticks[CUB] > 0 && !who->peer.idle)
        columns_add(&row, "ratio_to_CUB", "%.3f", yardsticks[CUB] / run->median);
    columns_add(&row, "GB_per_s", "%s", speed);
    columns_add(&row, "percent_of_roofline", "%s", percent);
    columns_add(&row, "percent_of_reading", "%s", percent);
    if (verdict->of) {
        columns_add(&row, "results", "%zu", verdict->different);
        columns_add(&row, "error", "%.3g", verdict->error);
    } else if (who->peer.shapes) {
        columns_add(&row, "shape", "%s", read_shape_name(who->peer.shape));
    }
    write_row(task, cell, &row);
    printf("%-28s %10.5f %10.5f %10.5f %9s %9s %6s %s%s\n", who->name, run->median,
           workload.has_latency ? run->low : run->least,
           workload.has_latency ? run->high : run->most, speed, percent, answer, latency,
           times->queued ? "" : " waits for the GPU itself: not queued");
    fflush(stdout);
}

/* -- entrants -- */

static struct entrant *add(struct task *task, const char *name)
{
    if (task->count == MOST_ENTRANTS)
        quit(1, "too many implementations: at most 256 can be timed at once", "");
    struct entrant *who = &task->who[task->count++];
    *who = (struct entrant){.name = ""};
    snprintf(who->name, sizeof who->name, "%s", name);
    return who;
}

/* A peer, unless it is judged and leaves no result. Of two with one name, from libraries of two versions,
 * the later one gets its version: "cub 3.4.0 DeviceReduce". */
static void add_peer(struct task *task, const struct peer *peer, const char *version)
{
    char name[64];
    size_t same = 0;
    if (task->goal != TIME)
        return;
    while (same < task->count && strcmp(task->who[same].name, peer->name) != 0)
        same++;
    snprintf(name, sizeof name, "%s", peer->name);
    if (version && same < task->count)
        snprintf(name, sizeof name, "%.*s %s%s", (int)strcspn(peer->name, " "), peer->name, version,
                 peer->name + strcspn(peer->name, " "));
    struct entrant *who = add(task, name);
    who->peer = *peer;
    who->excused = version != NULL;
}

/* The chapter that a library is of: 21_name of .../21_name/argmax/kernel.so, where argmax is the operation,
 * and of .../21_name/kernel.so. */
static void name_of_chapter(const char *path, char *name, size_t size)
{
    char *copy = strdup(path), *folder = copy, *end;
    while (copy && (end = strrchr(copy, '/'))) {
        *end = '\0';
        folder = strrchr(copy, '/') ? strrchr(copy, '/') + 1 : copy;
        if (!workload.operation || strcmp(folder, workload.operation) != 0)
            break;
    }
    snprintf(name, size, "%.60s", folder ? folder : path);
    free(copy);
}

static void add_peers(struct task *task, const struct peers *peers)
{
    for (const struct peer *peer = peers->peer; peer->name; peer++)
        add_peer(task, peer, peers->version);
}

static void add_library(struct task *task, const char *path)
{
    char name[64];
    void (*function[2])(void) = {NULL, NULL};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library)
        quit(1, dlerror(), "");
    for (int i = 0; i < 2 && workload.function[i]; i++) {
        void *symbol = dlsym(library, workload.function[i]);
        memcpy(&function[i], &symbol, sizeof symbol);
    }
    const struct peers *peers = dlsym(library, "peers");
    if (function[0] || function[1]) {
        name_of_chapter(path, name, sizeof name);
        struct entrant *who = add(task, name);
        memcpy(who->function, function, sizeof function);
        who->excused = strcmp(name, "plain") == 0; /* its floats are added in any order */
    } else if (peers) {
        add_peers(task, peers);
    } else {
        fprintf(stderr, "gpu: %s: there is no %s() in it\n", path, workload.function[0]);
        exit(1);
    }
}

static void add_all(struct task *task)
{
    task->count = 0;
    for (const struct peer *peer = workload.peers; peer && peer->name; peer++)
        add_peer(task, peer, NULL);
    if (workload.linked[0] || workload.linked[1])
        memcpy(add(task, "this kernel")->function, workload.linked, sizeof workload.linked);
    for (int i = 0; i < task->num_libraries; i++)
        add_library(task, task->libraries[i]);
}

/* -- a row -- */

/* A timed_run of a struct run. */
static void run_once(void *what)
{
    struct run *run = what;
    workspace_run(run->workspace, run->who, run->units, run->turn++);
}

/* The next run is the first of so many. */
static void afresh(void *what, int runs)
{
    struct run *run = what;
    workspace_reset(run->workspace, run->who, (size_t)runs);
    run->turn = 0;
}

/* About how many milliseconds all of so many units take, from those of the run; 0 when that is no longer than
 * launches differ. */
static double for_all(struct run *run, size_t units, double launch)
{
    const double ms = queue_warm_up(run_once, run);
    return ms > 2 * launch ? (ms - launch) * (double)units / (double)run->units : 0;
}

/* About how many milliseconds all of the input takes, from a part of it, then more: it stops as soon as that is
 * clearly more than `most`. Returns 0 when it is not. A kernel that only longer inputs get is loaded in its first
 * run, which takes far longer than others: so what is too long is asked twice. */
static double estimate(struct run *run, double most)
{
    const size_t units = run->units, first = units / 3000;
    double slack = 4, all;
    run->units = units < 1 ? units : 1;
    (void)queue_warm_up(run_once, run); // what is new is loaded
    const double launch = queue_warm_up(run_once, run);
    for (size_t part = first < 1 << 14 ? 1 << 14 : first; part < units; part *= 16, slack /= 2) {
        run->units = part;
        if (for_all(run, units, launch) > slack * most &&
            (all = for_all(run, units, launch)) > slack * most)
            return all;
    }
    run->units = units;
    return 0;
}

/* How many repetitions there is time for: 0 when not for the fewest. */
static int affordable(const struct task *task, double ms)
{
    const int wanted = ms < LONG_MS ? workload.repetitions : FEW;
    const double most = (workload.fewest > 1 ? task->seconds * 1e3 : enough_ms) / ms;
    return most < workload.fewest ? 0 : most < wanted ? (int)most : wanted;
}

static struct times time_few(struct run *run)
{
    if (workload.by_the_wall)
        return wall_time(run_once, run, TO_CHOOSE, 0);
    afresh(run, WARM_UPS);
    const double ms = queue_warm_up(run_once, run);
    return queue_time(run_once, afresh, run, ms, TO_CHOOSE, false);
}

/* Leaves the entrant in the shape in which it reads fastest here. */
static void choose_shape(struct run *run)
{
    double least = 0;
    int best = 0;
    for (int shape = 0; shape < run->who->peer.shapes; shape++) {
        run->who->peer.shape = shape;
        const double ms = time_few(run).run.median;
        if (shape == 0 || ms < least) {
            least = ms;
            best = shape;
        }
    }
    run->who->peer.shape = best;
}

/* Merges what was judged later; says what is wrong. */
static void judge(struct run *run, const struct cell *cell, struct verdict *verdict)
{
    const struct entrant *who = run->who;
    if (who->peer.run && !who->peer.counts)
        return;
    const struct verdict now = workspace_judge(run->workspace, who, run->turn);
    if (now.wrong > 0)
        fprintf(stderr, "%s, %s: %s of %s results wrong: %s%s\n", who->name, cell->name,
                grouped(now.wrong), grouped(now.of), now.why,
                who->excused ? " (a peer: it is not what is tested)" : "");
    const size_t wrong = verdict->wrong + now.wrong;
    *verdict = now;
    verdict->wrong = wrong;
}

/* Why a row has no times, or NULL when `times` has them. */
static const char *time_queued(const struct task *task, const struct cell *cell, struct run *run,
                               struct times *times, struct verdict *verdict)
{
    static char why[128];
    const double most = task->seconds * 1e3 / workload.fewest;
    afresh(run, 1);
    const double guess = estimate(run, most);
    if (guess > 0) {
        snprintf(why, sizeof why, "a run would take about %.1f s", guess / 1e3);
        return why;
    }
    if (run->who->peer.shapes > 1)
        choose_shape(run);
    afresh(run, WARM_UPS);
    const double ms = queue_warm_up(run_once, run);
    judge(run, cell, verdict);
    const int repetitions = affordable(task, ms);
    if (repetitions == 0 && workload.fewest > 1) {
        snprintf(why, sizeof why, "%d runs would take %.1f s, and %g s are allowed",
                 workload.fewest, ms * workload.fewest / 1e3, task->seconds);
        return why;
    }
    *times = (struct times){.run = {ms, ms, ms, ms, ms}, .repetitions = 1, .queued = 1};
    if (repetitions > 0) // or that one run has to do
        *times = queue_time(run_once, afresh, run, ms, repetitions, workload.has_latency);
    judge(run, cell, verdict);
    return NULL;
}

static const char *time_on_the_wall(const struct cell *cell, struct run *run, struct times *times,
                                    struct verdict *verdict)
{
    afresh(run, 1);
    if (run->who->peer.shapes > 1)
        choose_shape(run);
    *times = wall_time(run_once, run, workload.fewest, workload.repetitions > FEW ? wall_ms : 0);
    judge(run, cell, verdict);
    return NULL;
}

static void time_one(const struct task *task, const struct cell *cell, struct run *run,
                     struct progress *progress)
{
    const struct peer *peer = &run->who->peer;
    struct times times;
    struct verdict verdict = {.wrong = 0};
    const char *why = peer->longest && cell->bytes > peer->longest ? "it is for shorter inputs"
                      : workload.by_the_wall ? time_on_the_wall(cell, run, &times, &verdict)
                                             : time_queued(task, cell, run, &times, &verdict);
    if (verdict.wrong > 0 && !run->who->excused)
        progress->anything_wrong = true;
    if (why) {
        write_no_times(task, run->who, cell, "left out", why);
    } else {
        if (peer->shapes)
            progress->kept[READING] = times.run.median;
        if (strncmp(run->who->name, "cub Device", strlen("cub Device")) == 0 && !verdict.wrong)
            progress->kept[CUB] = times.run.median;
        write_times(task, run->who, cell, &times, &verdict, progress->kept);
    }
    if (peer->forget)
        peer->forget();
}

static void judge_one(const struct cell *cell, struct run *run, struct progress *progress)
{
    struct verdict verdict = {.wrong = 0};
    afresh(run, (int)cell->calls);
    for (size_t call = 0; call < cell->calls; call++)
        run_once(run);
    judge(run, cell, &verdict);
    progress->judged++;
    progress->right += verdict.wrong == 0;
    progress->anything_wrong = progress->anything_wrong || verdict.wrong > 0;
}

/* -- cells -- */

/* One line for all cells of a title, behind the last of them. */
static void tell_title(const struct task *task, size_t c, struct progress *progress)
{
    const char *title = task->cells[c].title;
    if (task->goal == TIME ||
        (c + 1 < task->num_cells && strcmp(title, task->cells[c + 1].title) == 0))
        return;
    printf("%s: %zu of %zu right\n", title, progress->right, progress->judged);
    fflush(stdout);
    progress->right = progress->judged = 0;
}

static void no_room(const struct task *task, const struct cell *cell, const struct entrant *who)
{
    if (task->goal == TIME)
        write_no_times(task, who, cell, "left out", "there is not that much memory free");
    else
        printf("%s, %s: left out: there is not that much memory free\n", who->name, cell->name);
}

/* One cell; of the steps those from `first` on. */
static void do_cell(struct progress *progress, struct task *task, size_t c, size_t first)
{
    struct cell *cell = &task->cells[c];
    if (c * task->count >= first) {
        begin_step(progress, c * task->count, "");
        progress->kept[READING] = progress->kept[CUB] = 0;
        print_heading(task, cell);
    }
    struct workspace *workspace = workspace_prepare(cell);
    for (size_t i = 0; i < task->count; i++) {
        struct entrant *who = &task->who[i];
        struct run run = {who, workspace, cell->units, 0};
        if (c * task->count + i < first || (workload.takes && !workload.takes(cell, who)))
            continue;
        begin_step(progress, c * task->count + i, who->name);
        if (!workspace)
            no_room(task, cell, who);
        else if (task->goal == TIME)
            time_one(task, cell, &run, progress);
        else
            judge_one(cell, &run, progress);
    }
    begin_step(progress, (c + 1) * task->count, "");
    if (workspace)
        workspace_release(workspace);
    tell_title(task, c, progress);
}

/* The steps are the rows, and those before progress->next are done. */
static void do_all(struct progress *progress, void *what)
{
    struct task *task = what;
    const size_t first = progress->next;
    add_all(task);
    progress->in_row = task->count;
    for (size_t c = 0; c < task->num_cells; c++)
        if ((c + 1) * task->count > first)
            do_cell(progress, task, c, first);
}

/* In the parent, which has no GPU, and no libraries. */
static void lost(struct progress *progress, const char *why, void *what)
{
    const struct task *task = what;
    const size_t c = progress->next / progress->in_row;
    const struct cell *cell = &task->cells[c];
    struct entrant who = {.name = ""};
    snprintf(who.name, sizeof who.name, "%s", progress->name);
    if (task->goal == TIME)
        write_no_times(task, &who, cell, "failed", why);
    else
        printf("%s, %s: %s\n", who.name, cell->name, why);
    progress->judged++;
    if (progress->next + 1 == (c + 1) * progress->in_row)
        tell_title(task, c, progress);
}

/* -- the command line -- */

/* Adds the cells of FIRST,...:SECOND,...; returns false when there are none of that name. */
static bool add_cells(struct task *task, const char *argument)
{
    char *copy = strdup(argument), *seconds = copy;
    char *firsts = strsep(&seconds, ":");
    for (char *first; copy && (first = strsep(&firsts, ","));) {
        char *rest = strdup(seconds ? seconds : ""), *list = rest;
        for (char *second; (second = strsep(&list, ","));) {
            const size_t found =
                workload_cells(task->goal != TIME, first, strdup(second),
                               task->cells + task->num_cells, MOST_CELLS - task->num_cells);
            if (found == 0)
                return false;
            task->num_cells += found;
        }
        free(rest);
    }
    return task->num_cells > 0;
}

static bool parse(struct task *task, int count, char **arguments)
{
    static const char *const goals[] = {"time", "check", "once"};
    int i = 2, cells;
    while (count > 1 && task->goal <= ONCE && strcmp(arguments[1], goals[task->goal]) != 0)
        task->goal++;
    if (count < 3 || task->goal > ONCE)
        return false;
    if (task->goal == TIME) {
        if (count < 5)
            return false;
        task->out = arguments[i++];
        task->seconds = strtod(arguments[i++], NULL);
    }
    for (cells = i; cells < count && strcmp(arguments[cells], "--") != 0;)
        cells++;
    task->libraries = arguments + i;
    task->num_libraries = cells - i;
    for (i = cells + 1; i < count; i++)
        if (!add_cells(task, arguments[i]))
            return false;
    return task->num_cells > 0;
}

int main(int count, char **arguments)
{
    static struct task task;
    struct progress alone = {.next = 0};
    task.header = workload.header;
    if (!parse(&task, count, arguments)) {
        fprintf(stderr,
                "usage: %s time OUT.csv SECONDS | check | once LIBRARY.so... -- CELLS...\n%s\n",
                arguments[0], workload.usage);
        return 2;
    }
    if (task.goal == TIME)
        fclose(open_rows(&task));
    if (task.goal != ONCE)
        return supervised(do_all, lost, &task, (int)workload.patience_s) ? 0 : 1;
    do_all(&alone, &task);
    return alone.anything_wrong ? 1 : 0;
}
