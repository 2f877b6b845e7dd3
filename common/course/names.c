/* names.c - looks through the names of an object file of this machine (elf(5)): see names.h. */
#define _GNU_SOURCE
#include "names.h"

#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util.h"

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

/* Whether sim.h, with which the judge commands the simulator, declares a function of this name. Headers for kernels
 * call one of them, sim_locate. */
static bool commands_simulator(const char *name)
{
    static char *header;
    size_t size;
    if (!begins_with(name, "sim_") || strcmp(name, "sim_locate") == 0)
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

/* Why a name must not be there, or NULL. */
static const char *wrong_with(const char *name, const ElfW(Sym) * symbol, bool threads)
{
    const bool is_used = symbol->st_shndx == SHN_UNDEF;
    if (ELF64_ST_BIND(symbol->st_info) != STB_GLOBAL)
        return NULL;
    if (!is_used && is_among(name, ours))
        return "is defined here, and is a name of the judge's or of the system's: choose another";
    if (is_used && (is_among(name, closed) || commands_simulator(name)) &&
        !(threads && is_among(name, of_threads)))
        return "is called here, and no kernel needs it: leave it out";
    return NULL;
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

/* "chapters/05_name/histogram.cu:30: ", where an object's name stands in the source; "" when nobody knows. */
static const char *place_of(const char *object, const char *name)
{
    char *lines = printed_by(format("nm -g -P -l '%s' 2>/dev/null", object));
    for (char *line; (line = strsep(&lines, "\n"));) {
        const char *tab = strchr(line, '\t');
        if (tab && begins_with(line, name) && line[strlen(name)] == ' ')
            return format("%s: ", from_here(tab + 1));
    }
    return "";
}

/* What an object file has. */
struct object {
    const ElfW(Shdr) * sections;
    size_t section_count;
    const char *section_names;
    const ElfW(Sym) * symbols;
    size_t symbol_count;
    const char *symbol_names;
};

/* Of a file that is no object there is nothing. */
static struct object read_object(const char *file)
{
    struct object object = {.symbol_count = 0};
    size_t size;
    const char *bytes = read_file(file, &size);
    const ElfW(Ehdr) *head = (const void *)bytes;
    if (!bytes || size < sizeof *head || memcmp(bytes, ELFMAG, SELFMAG) != 0)
        return object;
    object.sections = (const void *)(bytes + head->e_shoff);
    object.section_count = head->e_shnum;
    object.section_names = bytes + object.sections[head->e_shstrndx].sh_offset;
    for (size_t i = 0; i < object.section_count; i++) {
        const ElfW(Shdr) *section = &object.sections[i];
        if (section->sh_type != SHT_SYMTAB)
            continue;
        object.symbols = (const void *)(bytes + section->sh_offset);
        object.symbol_count = section->sh_size / sizeof *object.symbols;
        object.symbol_names = bytes + object.sections[section->sh_link].sh_offset;
    }
    return object;
}

/* Something that the loader calls runs before anything limits the process. Returns its name, or NULL. */
static const char *called_by_loader(const struct object *object)
{
    for (size_t i = 0; i < object->symbol_count; i++)
        if (ELF64_ST_TYPE(object->symbols[i].st_info) == STT_GNU_IFUNC)
            return object->symbol_names + object->symbols[i].st_name;
    for (size_t i = 0; i < object->section_count; i++)
        if (strcmp(object->section_names + object->sections[i].sh_name, ".preinit_array") == 0)
            return ".preinit_array";
    return NULL;
}

const char *wrong_names(const char *file, bool threads)
{
    const struct object object = read_object(file);
    const char *early = called_by_loader(&object), *first = NULL, *why_first = NULL;
    if (early)
        return format("%s runs while the program is loaded (ifunc, preinit_array), and no kernel "
                      "needs that: leave it out",
                      early);
    for (size_t i = 0; i < object.symbol_count; i++) {
        const char *name = object.symbol_names + object.symbols[i].st_name;
        const char *why = wrong_with(name, &object.symbols[i], threads);
        if (why && (!first || strcmp(name, first) < 0)) {
            first = name;
            why_first = why;
        }
    }
    return first ? format("%s%s %s", place_of(file, first), first, why_first) : NULL;
}
