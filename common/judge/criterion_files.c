/* criterion_files.c - keeps the files of Criterion in TMPDIR.
 *
 * It makes a socket in /tmp and a file in /dev/shm, and leaves both there when it is ended by a
 * signal. What stands here has the names of the functions that it calls for them, and comes before
 * those. So they are where whoever set TMPDIR removes them, as reaper.h does. */
#define _GNU_SOURCE
#include "criterion_files.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/un.h>
#include <unistd.h>

enum { PATH = sizeof((struct sockaddr_un *)0)->sun_path };

int nn_bind(int socket, const char *address);
int nn_connect(int socket, const char *address);

void criterion_files_in_folder(void)
{
}

/* Where a file of this name is to be. Returns false where that is too long for one, or not asked. */
static bool in_folder(const char *name, char path[PATH])
{
    const char *folder = getenv("TMPDIR");
    if (!folder || folder[0] != '/')
        return false;
    int length = snprintf(path, PATH, "%s/%s", folder, name + (name[0] == '/'));
    return length > 0 && length < PATH;
}

int shm_open(const char *name, int how, mode_t mode)
{
    char path[PATH];
    if (!in_folder(name, path))
        snprintf(path, sizeof path, "/dev/shm/%s", name + (name[0] == '/'));
    return open(path, how | O_CLOEXEC | O_NOFOLLOW, mode);
}

int shm_unlink(const char *name)
{
    char path[PATH];
    if (!in_folder(name, path))
        snprintf(path, sizeof path, "/dev/shm/%s", name + (name[0] == '/'));
    return unlink(path);
}

/* Calls nanomsg's function of this name, with its address in the folder. */
static int call(const char *function, int socket, const char *address)
{
    static const char before[] = "ipc:///tmp/";
    char path[PATH], own[sizeof before + PATH];
    void *found = dlsym(RTLD_NEXT, function);
    int (*nanomsg)(int, const char *);
    if (!found)
        return -1;
    memcpy(&nanomsg, &found, sizeof nanomsg);
    if (strncmp(address, before, sizeof before - 1) == 0 &&
        in_folder(address + sizeof before - 1, path)) {
        snprintf(own, sizeof own, "ipc://%s", path);
        address = own;
    }
    return nanomsg(socket, address);
}

int nn_bind(int socket, const char *address)
{
    return call("nn_bind", socket, address);
}

int nn_connect(int socket, const char *address)
{
    return call("nn_connect", socket, address);
}
