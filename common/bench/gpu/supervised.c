/* supervised.c - work in a process of its own that may crash, or never end, and goes on after that. */
#define _GNU_SOURCE
#include "supervised.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

void begin_step(struct progress *progress, size_t number, const char *name)
{
    snprintf(progress->name, sizeof progress->name, "%s", name);
    progress->begun = time(NULL);
    progress->next = number;
}

/* Waits for the child, or ends it. Returns why it was lost, or NULL. */
static const char *outcome(pid_t child, const struct progress *progress, int patience)
{
    static char why[96];
    int status;
    pid_t ended;
    while ((ended = waitpid(child, &status, WNOHANG)) == 0) {
        if (time(NULL) - progress->begun > patience) {
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            snprintf(why, sizeof why, "did not end within %d s", patience);
            return why;
        }
        usleep(20000);
    }
    if (ended == child && progress->complete)
        return NULL;
    if (ended == child && WIFSIGNALED(status))
        snprintf(why, sizeof why, "was ended by signal %d", WTERMSIG(status));
    else
        snprintf(why, sizeof why, "ended the program");
    return why;
}

bool supervised(void (*work)(struct progress *progress, void *what),
                void (*lost)(struct progress *progress, const char *why, void *what), void *what,
                int patience)
{
    struct progress *progress =
        mmap(NULL, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (progress == MAP_FAILED) {
        fprintf(stderr, "gpu: out of memory\n");
        return false;
    }
    for (int losses = 0; losses < MOST_LOST; losses++) {
        const size_t first = progress->next;
        progress->begun = time(NULL);
        fflush(NULL);
        const pid_t child = fork();
        if (child == 0) {
            work(progress, what);
            progress->complete = true;
            fflush(NULL);
            _exit(0);
        }
        const char *why = child < 0 ? strerror(errno) : outcome(child, progress, patience);
        if (!why)
            break;
        progress->anything_wrong = true;
        if (progress->name[0] == '\0' || child < 0) { // outside of all steps: so would be the next
            fprintf(stderr, "gpu: the measurement %s\n", why);
            break;
        }
        lost(progress, why, what);
        progress->next = progress->next < first ? first : progress->next + 1;
    }
    const bool all_right = !progress->anything_wrong;
    munmap(progress, sizeof *progress);
    return all_right;
}
