/* scratch.c - a folder for the files of this program, which goes when it ends. */
#define _GNU_SOURCE
#include "job.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "reaper.h"

static char folder[64];
static pid_t owner;

static void remove_own(void)
{
    if (getpid() == owner)
        remove_folder(folder);
}

static bool make_in(const char *parent)
{
    int length = snprintf(folder, sizeof folder, "%s/ranks-XXXXXX", parent);
    return length > 0 && (size_t)length < sizeof folder && mkdtemp(folder);
}

/* In TMPDIR, unless that is long: its name is short, for sockets are made in it. */
static const char *scratch_folder(void)
{
    const char *chosen = getenv("TMPDIR");
    if (owner == getpid())
        return folder;
    if (!(chosen && *chosen && make_in(chosen)) && !make_in("/tmp") && !make_in("/dev/shm"))
        cr_assert_fail("cannot make a folder in /tmp for the files that ranks count: %s",
                       strerror(errno));
    owner = getpid();
    atexit(remove_own);
    return folder;
}

void scratch_make(char *path, size_t size)
{
    static unsigned int number;
    snprintf(path, size, "%s/%u", scratch_folder(), ++number);
    if (mkdir(path, 0700) != 0)
        cr_assert_fail("cannot make the folder %s: %s", path, strerror(errno));
}

void scratch_write(const char *path, const void *bytes, uint64_t length)
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
        cr_assert_fail("cannot write %s, which ranks are to count: %s", path, strerror(errno));
    close(file);
}
