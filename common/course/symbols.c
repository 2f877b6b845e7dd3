/* symbols.c - looks through an object's names, which `nm` lists with their lines. */
#define _GNU_SOURCE
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

/* What the program around a kernel is made of: a list with blanks. A * stands for any end. */
static const char ours[] =
    "sim_* cuda* __tsan_* __sanitizer_* __cxa_* target_* serve_* wire_* copies_* "
    "stripes_* facts_* reports_* main measure_run verify_count measure_far_end text_of "
    "verify_is_right read write send recv exit _exit atexit on_exit abort malloc calloc "
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
