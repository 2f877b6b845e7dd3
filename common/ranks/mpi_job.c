/* job.c - ranks under mpirun, that wait for cases: their files, and what they print. */
#define _GNU_SOURCE
#include "mpi_job.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "confine.h"
#include "control.h"
#include "kernel_folder.h"
#include "out_of_memory.h"
#include "reaper.h"
#include "verdict_log.h"

/* What ranks print, passed on in measure. */

enum { PRINTED_LINES = 20 }; /* shown, at most */

struct job_output {
    const char *folder; /* of the job */
    unsigned int ranks;
    off_t message[MOST_UNITS], printed[MOST_UNITS]; /* so far */
    unsigned int lines;                             /* shown */
    char line[PRINTED_LINES][512];                  /* of this round, and whose they are */
    unsigned int line_of[PRINTED_LINES], message_count;
};

static void job_output_begin(struct job_output *printed, const char *folder, unsigned int ranks)
{
    *printed = (struct job_output){.folder = folder, .ranks = ranks};
}

static FILE *file_of(const struct job_output *printed, unsigned int rank, bool is_error)
{
    char path[PATH_ROOM + 32];
    snprintf(path, sizeof path, "%s/%s.%u", printed->folder, is_error ? MESSAGE_FILE : PRINTED_FILE,
             rank);
    return fopen(path, "r");
}

/* Whether another rank has said the same in this round; keeps it otherwise. */
static bool is_repeated(struct job_output *printed, unsigned int rank, const char *line)
{
    for (unsigned int i = 0; i < printed->message_count; i++)
        if (printed->line_of[i] != rank && strcmp(printed->line[i], line) == 0)
            return true;
    if (printed->message_count < PRINTED_LINES) {
        snprintf(printed->line[printed->message_count], sizeof *printed->line, "%s", line);
        printed->line_of[printed->message_count++] = rank;
    }
    return false;
}

/* Passes on a rank's new lines; of reports only when `reports`. Returns whether it had some. */
static bool show(struct job_output *printed, unsigned int rank, bool is_error, bool reports)
{
    off_t *so_far = is_error ? &printed->message[rank] : &printed->printed[rank];
    FILE *file = file_of(printed, rank, is_error);
    char line[512];
    bool had_some = false;
    if (!file)
        return false;
    fseeko(file, *so_far, SEEK_SET);
    while (fgets(line, sizeof line, file)) {
        const bool is_report = strncmp(line, "=========", 9) == 0;
        line[strcspn(line, "\n")] = '\0';
        had_some |= is_report;
        if (is_report ? !reports : is_repeated(printed, rank, line))
            continue;
        if (is_report || printed->lines++ < PRINTED_LINES)
            verdict_log_print(line);
    }
    *so_far = ftello(file);
    fclose(file);
    return had_some;
}

/* Passes on to standard error what has come since the last time: of all ranks the first lines, without those
 * that another rank has said; the reports of the simulator of the first rank that has some. */
static void job_output_show(struct job_output *printed)
{
    bool had_some = false;
    printed->message_count = 0;
    for (unsigned int rank = 0; rank < printed->ranks; rank++) {
        show(printed, rank, false, false);
        had_some |= show(printed, rank, true, !had_some);
    }
}

static void skip(struct job_output *printed, unsigned int rank, bool is_error, off_t *so_far)
{
    FILE *file = file_of(printed, rank, is_error);
    if (!file)
        return;
    fseeko(file, 0, SEEK_END);
    *so_far = ftello(file);
    fclose(file);
}

/* Nobody need see it. */
static void job_output_skip(struct job_output *printed)
{
    for (unsigned int rank = 0; rank < printed->ranks; rank++) {
        skip(printed, rank, false, &printed->printed[rank]);
        skip(printed, rank, true, &printed->message[rank]);
    }
}

/* A folder for the files of this program, which goes when it ends. */

static char scratch[64];
static pid_t owner;

static void remove_own(void)
{
    if (getpid() == owner)
        remove_folder(scratch);
}

static bool make_in(const char *parent)
{
    int length = snprintf(scratch, sizeof scratch, "%s/ranks-XXXXXX", parent);
    return length > 0 && (size_t)length < sizeof scratch && mkdtemp(scratch);
}

/* In TMPDIR, unless that is long: its name is short, for sockets are made in it. */
static const char *scratch_folder(void)
{
    const char *chosen = getenv("TMPDIR");
    if (owner == getpid())
        return scratch;
    if (!(chosen && *chosen && make_in(chosen)) && !make_in("/tmp") && !make_in("/dev/shm"))
        fail_test("cannot make a folder in /tmp for the files that ranks count: %s",
                  strerror(errno));
    owner = getpid();
    atexit(remove_own);
    return scratch;
}

/* A new folder in it. Fails the test when it cannot be made. */
static void scratch_make(char *path, size_t size)
{
    static unsigned int number;
    snprintf(path, size, "%s/%u", scratch_folder(), ++number);
    if (mkdir(path, 0700) != 0)
        fail_test("cannot make the folder %s: %s", path, strerror(errno));
}

/* Writes a file of so many bytes; without any, zeros that take no room. Fails the test when it cannot. */
static void scratch_write(const char *path, const void *bytes, uint64_t length)
{
    int file = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    bool written = file >= 0;
    for (uint64_t done = 0; written && bytes && done < length;) {
        ssize_t got = write(file, (const char *)bytes + done, length - done);
        written = got > 0 || (got < 0 && errno == EINTR);
        done += got > 0 ? (uint64_t)got : 0;
    }
    if (written && !bytes)
        written = ftruncate(file, (off_t)length) == 0;
    if (!written)
        fail_test("cannot write %s, which ranks are to count: %s", path, strerror(errno));
    close(file);
}

enum { START = 60, CASE = 120 }; /* seconds, at most */

struct mpi_job {
    pid_t process; /* 0: it is over */
    char folder[PATH_ROOM - 32];
    struct control *control;
    const struct many_case *asked; /* that is worked on, or NULL */
    double begun;
    uint64_t short_before; /* of memory: what the system had ended for it before the start */
    struct stuck stuck;
    struct job_output printed;
    struct mpi_job *next;
};

static struct mpi_job *jobs;

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static struct control *make_control(const char *folder)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/" CONTROL_FILE, folder);
    scratch_write(path, NULL, sizeof(struct control));
    struct control *control = control_of(folder);
    if (!control)
        fail_test("cannot map %s: %s", path, strerror(errno));
    return control;
}

static void make_meetings(const char *folder)
{
    char path[PATH_ROOM];
    snprintf(path, sizeof path, "%s/" MEETINGS_FILE, folder);
    scratch_write(path, NULL, (uint64_t)MEETINGS * MEETING_BYTES);
}

static void end(struct mpi_job *job)
{
    job->control->over = 1;
    if (job->process > 0)
        launch_end(job->process, !job->asked);
    job->process = 0;
}

static void end_all(void)
{
    for (struct mpi_job *job = jobs; job; job = job->next)
        end(job);
}

struct mpi_job *job_start(unsigned int ranks, unsigned int per_node)
{
    struct mpi_job *job = calloc(1, sizeof *job);
    cr_assert(job, "no memory for ranks");
    scratch_make(job->folder, sizeof job->folder);
    if (!jobs)
        atexit(end_all); /* before what scratch_make has the end do */
    job->control = make_control(job->folder);
    make_meetings(job->folder);
    job->control->ranks = ranks;
    job->control->per_node = per_node;
    job->control->filtered = strcmp(confine_how(), "none") != 0;
    job_output_begin(&job->printed, job->folder, ranks);
    job->short_before = out_of_memory_ends();
    job->process = launch_ranks(kernel_program(""), job->folder, ranks,
                                per_node && per_node < ranks ? per_node : ranks);
    if (job->process < 0)
        fail_test("cannot start the ranks: %s", strerror(errno));
    job->next = jobs;
    jobs = job;
    return job;
}

bool job_can_take(const struct mpi_job *job)
{
    return job->process > 0 && job->control->asked < MOST_CASES;
}

/* Makes the file of a case, or what is in its place. */
static void make_file(const struct many_case *asked, const char *path)
{
    if (asked->bad == A_FOLDER && mkdir(path, 0700) != 0)
        fail_test("cannot make the folder %s: %s", path, strerror(errno));
    if (asked->bad != A_FOLDER && asked->bad != NO_FILE)
        scratch_write(path, asked->text, asked->length);
}

void job_ask(struct mpi_job *job, const struct many_case *asked)
{
    const unsigned int number = job->control->asked;
    struct rank_case *given = &job->control->asked_case[number];
    *given = (struct rank_case){.length = asked->length,
                                .held = asked->held,
                                .seed = asked->seed,
                                .calls = asked->calls ? asked->calls : 1,
                                .idle = asked->text == NULL && asked->length > 0,
                                .bad = asked->bad};
    snprintf(given->path, sizeof given->path, "%s/%s.%u", job->folder,
             asked->bad == NO_FILE    ? "missing"
             : asked->bad == A_FOLDER ? "folder"
                                      : "text",
             number);
    make_file(asked, given->path);
    job->asked = asked;
    job->begun = seconds();
    job->stuck = (struct stuck){0};
    job->control->shrinks = 0;
    job->control->asked = number + 1;
}

static const char *take_answers(struct mpi_job *job, unsigned int number, struct many_seen *seen)
{
    static char reason[512];
    char path[PATH_ROOM + 32];
    const struct rank_case *given = &job->control->asked_case[number];
    rank_log_begin(seen);
    snprintf(seen->path, sizeof seen->path, "%s", given->path);
    for (unsigned int rank = 0; rank < job->control->ranks; rank++) {
        snprintf(path, sizeof path, "%s/" LOG_FILE ".%u", job->folder, rank);
        FILE *file = fopen(path, "r");
        const bool understood = file && rank_log_add(file, rank, seen);
        if (file)
            fclose(file);
        if (understood)
            continue;
        snprintf(reason, sizeof reason, "on %s: rank %u tells what nobody understands",
                 job->asked->what, rank);
        return reason;
    }
    rank_log_end(seen);
    if (seen->reports > 0)
        ending_tell_caught(job->control, job->folder);
    remove(given->path);
    return NULL;
}

static bool all_have_answered(const struct control *control)
{
    for (unsigned int rank = 0; rank < control->ranks; rank++)
        if (control->rank[rank].answered < control->asked)
            return false;
    return true;
}

/* Why it has to be ended, or NULL. */
static const char *what_holds(struct mpi_job *job, unsigned int number)
{
    const double now = seconds();
    if (!ranks_have_started(job->control))
        return now - job->begun > START ? "could not be called: the ranks did not start" : NULL;
    if (now - job->begun > START + CASE)
        return "did not return within two minutes";
    return stuck_look(&job->stuck, job->control, number, now);
}

/* The job is over, because of `held` or by itself. */
static const char *fail(struct mpi_job *job, const char *held, int status)
{
    static char reason[4096];
    const struct control *control = job->control;
    job_output_show(&job->printed);
    ending_tell_caught(control, job->folder);
    if (held)
        snprintf(reason, sizeof reason, "%s on %s on %u rank%s %s", many_function, job->asked->what,
                 control->ranks, control->ranks == 1 ? "" : "s", held);
    else
        ending_describe(control, job->folder, job->asked->what, status,
                        out_of_memory_ends() > job->short_before, reason, sizeof reason);
    job->asked = NULL;
    return reason;
}

/* Cuts the file of a case, which a rank may not. */
static void shrink(struct mpi_job *job, unsigned int number)
{
    const struct rank_case *given = &job->control->asked_case[number];
    if (job->control->shrinks != 1)
        return;
    if (truncate(given->path, (off_t)(given->length / 2)) != 0)
        perror(given->path);
    job->control->shrinks = 2;
}

enum job_state job_look(struct mpi_job *job, struct many_seen *seen, const char **reason)
{
    const unsigned int number = job->control->asked - 1;
    int status = 0;
    const bool answered = all_have_answered(job->control);
    shrink(job, number);
    if (answered) {
        *reason = take_answers(job, number, seen);
        if (job->asked->bad == GOOD_FILE)
            job_output_show(&job->printed);
        else
            job_output_skip(&job->printed);
        job->asked = NULL;
        return *reason ? JOB_FAILED : JOB_ANSWERED;
    }
    if (waitpid(job->process, &status, WNOHANG) == job->process) {
        job->process = 0;
        *reason = fail(job, NULL, status);
        return JOB_FAILED;
    }
    const char *held = what_holds(job, number);
    if (!held)
        return JOB_BUSY;
    end(job);
    *reason = fail(job, held, 0);
    return JOB_FAILED;
}
