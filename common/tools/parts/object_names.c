/* object_names.c - looks through an object's names, which `nm` lists with their lines. */
#define _GNU_SOURCE
#include "object_names.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* What the program around a kernel is made of. A * stands for any end. */
static const char *const ours[] = {
    "sim_*",          "cuda*",
    "__tsan_*",       "__sanitizer_*",
    "__cxa_*",        "target_*",
    "serve_*",        "wire_*",
    "copies_*",       "stripes_*",
    "facts_*",        "reports_*",
    "main",           "measure_run",
    "verify_count",   "measure_far_end",
    "text_of",        "verify_is_right",
    "read",           "write",
    "send",           "recv",
    "exit",           "_exit",
    "atexit",         "on_exit",
    "abort",          "malloc",
    "calloc",         "realloc",
    "free",           "memcpy",
    "memmove",        "memset",
    "memcmp",         "mmap",
    "munmap",         "mprotect",
    "getrandom",      "getpid",
    "fcntl",          "close",
    "fflush",         "fprintf",
    "printf",         "snprintf",
    "getenv",         "environ",
    "fork",           "sigaction",
    "pthread_create", "_start",
    "strcmp",         "strlen",
    "MPI_*",          "PMPI_*",
    "pread",          "pread64",
    "open",           "open64",
    "fopen",          "fread",
    "now_*",          "file_reads_*",
};

/* Host code that feeds several devices may do it by a thread for each, and map a file, which may
 * become shorter. */
static const char *const of_threads[] = {"pthread_create", "thrd_create", "mmap", "mmap64",
                                         "sigaction"};

/* What no kernel and no other host code around one needs. */
static const char *const closed[] = {
    "dlopen",         "dlsym",
    "dlvsym",         "dl_iterate_phdr",
    "ptrace",         "mprotect",
    "pkey_mprotect",  "mmap",
    "mmap64",         "mremap",
    "syscall",        "execve",
    "execv",          "execl",
    "execlp",         "execvp",
    "fexecve",        "fork",
    "vfork",          "clone",
    "posix_spawn",    "posix_spawnp",
    "system",         "popen",
    "pthread_create", "thrd_create",
    "environ",        "secure_getenv",
    "getenv",         "setenv",
    "putenv",         "process_vm_*",
    "socket",         "recv",
    "send",           "recvmsg",
    "sendmsg",        "sendto",
    "recvfrom",       "dup2",
    "dup3",           "sigaction",
    "signal",         "setitimer",
    "alarm",          "timer_create",
    "on_exit",        "atexit",
    "at_quick_exit",  "__cxa_at_quick_exit",
    "PMPI_*",
};

/* Of sim.h's functions the ones that headers for kernels use. */
static const char *const open_to_all[] = {"sim_locate", "sim_grid_dim", "sim_block_dim"};

static bool matches(const char *name, const char *pattern)
{
    size_t length = strcspn(pattern, "*");
    return strncmp(name, pattern, length) == 0 && (pattern[length] == '*' || !name[length]);
}

static bool is_among(const char *name, const char *const *patterns, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (matches(name, patterns[i]))
            return true;
    return false;
}

#define IS_AMONG(name, list) is_among(name, list, sizeof list / sizeof *list)

/* Whether sim.h, with which the judge commands the simulator, declares a function of this name. */
static bool commands_simulator(const char *name)
{
    static char *header;
    static size_t size;
    char call[256];
    if (strncmp(name, "sim_", 4) != 0 || IS_AMONG(name, open_to_all))
        return false;
    FILE *file = header ? NULL : fopen("common/sim/sim.h", "r");
    if (file && getdelim(&header, &size, '\0', file) < 0)
        header = NULL;
    if (file)
        fclose(file);
    snprintf(call, sizeof call, " %.200s(", name);
    return header && strstr(header, call);
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

/* A line of nm: "NAME KIND VALUE SIZE<tab>FILE:LINE". */
static bool is_fine(const char *line, bool threads, char *sentence, size_t size)
{
    char name[512], kind;
    if (sscanf(line, "%511s %c", name, &kind) != 2)
        return true;
    const char *tab = strchr(line, '\t'), *what = NULL;
    if (strchr("TDBRCSG", kind) && IS_AMONG(name, ours))
        what = "is defined here, and is a name of the judge's or of the system's: choose another";
    else if (kind == 'U' && (IS_AMONG(name, closed) || commands_simulator(name)) &&
             !(threads && IS_AMONG(name, of_threads)))
        what = "is called here, and no kernel needs it: leave it out";
    if (!what)
        return true;
    const char *place = tab ? from_here(tab + 1) : "";
    snprintf(sentence, size, "%.*s%s%s %s", (int)strcspn(place, "\n"), place, tab ? ": " : "", name,
             what);
    return false;
}

/* A function that the loader calls runs before anything limits the process. */
static bool none_is_loaded_first(const char *object, char *sentence, size_t size)
{
    char command[8600], name[512];
    snprintf(command, sizeof command,
             "{ nm -P '%s' | sed -n 's/ i .*//p'; readelf -SW '%s' | grep -o '\\.preinit_array'; } "
             "2>/dev/null",
             object, object);
    FILE *list = popen(command, "r");
    const bool found = list && fscanf(list, "%511s", name) == 1;
    if (list)
        pclose(list);
    if (found)
        snprintf(
            sentence, size,
            "%s runs while the program is loaded (ifunc, preinit_array), and no kernel needs that: "
            "leave it out",
            name);
    return !found;
}

bool names_are_fine(const char *object, bool threads, char *sentence, size_t size)
{
    char command[4200], *line = NULL;
    size_t room = 0;
    bool fine = true;
    if (access(object, R_OK) != 0)
        return true;
    snprintf(command, sizeof command, "nm -g -P -l '%s' 2>/dev/null", object);
    if (!none_is_loaded_first(object, sentence, size))
        return false;
    FILE *list = popen(command, "r");
    while (list && fine && getline(&line, &room, list) > 0)
        fine = is_fine(line, threads, sentence, size);
    free(line);
    if (list)
        pclose(list);
    return fine;
}
