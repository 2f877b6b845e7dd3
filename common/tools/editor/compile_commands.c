/* compile_commands.c - writes compile_commands.json: how an editor is to read each source.
 *
 *     compile_commands FILE FOLDER...
 *
 * FILE     what is written, when it would be another than it is; paths in it are absolute
 * FOLDER   below it every .cu and .c has an entry; run in the top folder of the course
 *
 * A .cu is read as clang reads CUDA C, with editor_cuda.h for the simulator: .clangd says the same
 * for its folders. Status 1 when FILE cannot be written. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <ftw.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "chapter.h"
#include "util.h"

enum { AT_ONCE = 16 }; /* folders that are open during a walk */

struct list {
    const char **item;
    size_t count;
};

/* What a walk has found; nftw hands its callback nothing else. */
static struct list sources, headers;

static void add(struct list *list, const char *text)
{
    list->item = grow(list->item, list->count, 1, sizeof *list->item);
    list->item[list->count++] = text;
}

static int by_name(const void *one, const void *other)
{
    return strcmp(*(char *const *)one, *(char *const *)other);
}

/* Puts a list in order, each item once. */
static void sort(struct list *list)
{
    size_t kept = 0;
    if (list->count)
        qsort(list->item, list->count, sizeof *list->item, by_name);
    for (size_t i = 0; i < list->count; i++)
        if (kept == 0 || strcmp(list->item[i], list->item[kept - 1]) != 0)
            list->item[kept++] = list->item[i];
    list->count = kept;
}

/* Of a walk: remembers sources, and folders with headers that a .c may include by name. */
static int look_at(const char *path, const struct stat *is, int type, struct FTW *at)
{
    (void)is;
    if (type == FTW_D && at->level > 0 && path[at->base] == '.')
        return FTW_SKIP_SUBTREE;
    if (type != FTW_F)
        return FTW_CONTINUE;
    if (ends_with(path, ".cu") || ends_with(path, ".c"))
        add(&sources, format("%s", path));
    else if (ends_with(path, ".h") && !strstr(path, "common/sim/") && !strstr(path, "/include/") &&
             !strstr(path, "/common/"))
        add(&headers, format("%.*s", at->base - 1, path));
    return FTW_CONTINUE;
}

/* A path as a string of JSON: from the top, unless it is absolute. */
static void put_path(FILE *out, const char *top, const char *path)
{
    put_json(path[0] == '/' ? path : format("%s/%s", top, path), out);
}

static void put_folder(FILE *out, const char *option, const char *top, const char *folder)
{
    fprintf(out, ", \"%s\", ", option);
    put_path(out, top, folder);
}

/* A tree within the tree, such as that of a test, may have contracts of its own. */
static void put_contracts_above(FILE *out, const char *top, const char *source)
{
    for (size_t i = strlen(source); i-- > 0;) {
        const char *folder = format("%.*s/common/contract", (int)i, source);
        if (source[i] == '/' && exists(folder))
            put_folder(out, "-I", top, folder);
    }
}

/* An operation that the kernel's chapter takes, where its contract has one: of a file of this chapter,
 * the folder 21_name on the way to it. Without a word for it each contract has one of its own. */
static void put_operation(FILE *out, const char *source)
{
    for (const char *slash = strchr(source, '/'); slash; slash = strchr(slash + 1, '/')) {
        const char *stem = format("%.*s", (int)strcspn(slash + 1, "/"), slash + 1);
        if (!isdigit((unsigned char)stem[0]) || !strchr(stem, '_') || !strchr(slash + 1, '/'))
            continue;
        const char *operation = first_operation(operations_of(stem));
        if (contract_of(source).by_operation || strcmp(operation, "count") != 0)
            fprintf(out, ", \"-DOPERATION=%s\"", operation);
        return;
    }
}

/* Where mpi.h is, as mpicc says, where there is one. */
static void put_mpi(FILE *out, const char *top)
{
    static char said[PATH_MAX];
    static bool asked;
    if (!asked) {
        FILE *pipe = popen("mpicc --showme:incdirs 2>/dev/null", "r");
        if (pipe && !fgets(said, sizeof said, pipe))
            said[0] = '\0';
        if (pipe)
            pclose(pipe);
        asked = true;
    }
    for (const char *at = said; *at > ' '; at += strspn(at, " \n")) {
        const int length = (int)strcspn(at, " \n");
        put_folder(out, "-isystem", top, format("%.*s", length, at));
        at += length;
    }
}

static void put_cuda(FILE *out, const char *top, const char *source)
{
    fputs("\"clang++\", \"-xcuda\", \"-std=gnu++17\", \"--cuda-host-only\", \"-nocudainc\", "
          "\"-nocudalib\", \"-Wno-unknown-cuda-version\", \"-fsigned-char\", \"-DBINS=5\", "
          "\"-Wall\", \"-Wno-unused\", \"-Wno-unused-parameter\"",
          out);
    put_operation(out, source);
    put_folder(out, "-isystem", top, "common/tools/editor/include");
    put_folder(out, "-isystem", top, "common/sim");
    put_folder(out, "-isystem", top, "common/sim/include");
    put_folder(out, "-I", top, "common/contract");
    put_contracts_above(out, top, source);
    put_mpi(out, top);
    if (begins_with(source, "common/bench/"))
        put_folder(out, "-I", top, "common/bench");
    if (begins_with(source, "common/bench/gpu/"))
        put_folder(out, "-I", top, "common/bench/gpu");
    fputs(", \"-include\", \"editor_cuda.h\"", out);
}

static void put_c(FILE *out, const char *top, const char *source)
{
    fputs("\"clang\", \"-std=c11\", \"-Wall\", \"-Wextra\", \"-Wshadow\", \"-Wconversion\", "
          "\"-fsigned-char\", \"-DBINS=5\", \"-DSIMULATED_GPU\"",
          out);
    put_folder(out, "-I", top, "common/sim");
    for (size_t i = 0; i < headers.count; i++)
        put_folder(out, "-I", top, headers.item[i]);
    put_contracts_above(out, top, source);
    put_folder(out, "-isystem", top, "common/sim/include");
    put_mpi(out, top);
    /* gcc keeps libbacktrace's header to itself; of several the last is meant */
    const char *last = NULL;
    for (char **path = matches("/usr/lib/gcc/*/*/include/backtrace.h"); *path; path++)
        last = *path;
    if (last)
        fprintf(out, ", \"-idirafter\", \"%.*s\"", (int)(strrchr(last, '/') - last), last);
}

static void put_entry(FILE *out, const char *top, const char *source)
{
    fputs("{\"directory\": ", out);
    put_path(out, top, top);
    fputs(", \"file\": ", out);
    put_path(out, top, source);
    fputs(", \"arguments\": [", out);
    (ends_with(source, ".cu") ? put_cuda : put_c)(out, top, source);
    fputs(", ", out);
    put_path(out, top, source);
    fputs("]}", out);
}

/* All entries, as the text of a file. */
static void put_entries(FILE *out, const char *top)
{
    fputs("[\n", out);
    for (size_t i = 0; i < sources.count; i++) {
        put_entry(out, top, sources.item[i]);
        fputs(i + 1 < sources.count ? ",\n" : "\n", out);
    }
    fputs("]\n", out);
}

int main(int count, char **arguments)
{
    char top[PATH_MAX];
    size_t length = 0;
    if (count < 3 || !getcwd(top, sizeof top))
        fail(1, "editor: compile_commands: wants a FILE to write, and FOLDERs");
    const char *name = arguments[1];
    for (char **folder = arguments + 2; *folder; folder++)
        if (nftw(*folder, look_at, AT_ONCE, FTW_PHYS | FTW_ACTIONRETVAL) != 0)
            fail(1, "editor: %s: %s", *folder, strerror(errno));
    sort(&sources);
    sort(&headers);
    FILE *out = open_text();
    put_entries(out, top);
    const char *text = close_text(out), *old = read_file(name, &length);
    const bool same = old && strcmp(old, text) == 0;
    if (!same && !replace_file(name, text, strlen(text)))
        fail(1, "editor: %s: %s", name, strerror(errno));
    printf("%s: %zu sources of %s\n"
           "docs/editors.md says how VS Code, vim, emacs and gdb are set up\n",
           name, sources.count, top);
    return 0;
}
