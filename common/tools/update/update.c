/* update.c - takes a newer version of the course, and leaves what the student wrote as it is.
 *
 *     update BASE NEW TAKEN
 *
 * BASE     the version that was installed: a folder, the record .course, or - when nobody knows
 * NEW      the folder of the newer version
 * TAKEN    a file that is made: the paths that are as NEW has them then
 *
 * Runs in the root of the student's course. A file that is as in BASE is replaced, or removed when
 * NEW has it no more. One that the student changed or made stays; when NEW has another, too, that
 * is put beside it, as FILE.new. Without a BASE a file in chapters/ counts as changed; any other is
 * moved to before-update/ and replaced.
 *
 * Each file is copied beside its place and renamed, so that it is the old or the new one at any
 * time. An update that was cut off is completed by the next. Status 1 when something could not be
 * written. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "update.h"

#define WRITTEN_BY_STUDENTS "chapters/"
#define MOVED_TO "before-update/"

struct update {
    struct tree base, new;
    const char *from; /* the folder of the new version */
    bool has_base;
    FILE *taken;
    unsigned int added, replaced, removed, conflicts, moved, failed;
};

/* What is in the student's folder in the place of a file. */
enum mine { ABSENT, FILE_OF_HASH, OTHER };

static enum mine look_at(const char *path, uint64_t *hash)
{
    if (hash_file(path, hash))
        return FILE_OF_HASH;
    return errno == ENOENT || errno == ENOTDIR ? ABSENT : OTHER;
}

/* Says why a file is not in its place. */
static void fail(struct update *update, const char *path)
{
    printf("%s: cannot be written: %s\n", path, strerror(errno));
    update->failed++;
}

static bool take(struct update *update, const char *path, const char *to)
{
    char *from;
    if (asprintf(&from, "%s/%s", update->from, path) < 0)
        from = NULL;
    bool placed = from && place_copy(from, to);
    if (!placed)
        fail(update, to);
    free(from);
    return placed;
}

/* Puts the new version beside the student's: FILE.new, or the first of FILE.new2 and so on that
 * the student has not written into. */
static void put_beside(struct update *update, const struct file *new, const struct file *base)
{
    char *beside = NULL, number[16] = "";
    for (unsigned int i = 2; i < 1000; i++) {
        uint64_t hash;
        free(beside);
        if (asprintf(&beside, "%s.new%s", new->path, number) < 0)
            return fail(update, new->path);
        enum mine mine = look_at(beside, &hash);
        if (mine == FILE_OF_HASH && hash == new->hash)
            break;
        if (mine == ABSENT || (mine == FILE_OF_HASH && base && hash == base->hash)) {
            if (!take(update, new->path, beside)) {
                free(beside);
                return;
            }
            break;
        }
        snprintf(number, sizeof number, "%u", i);
    }
    printf("%s: yours stays as it is; the course has a new one: %s\n", new->path, beside);
    update->conflicts++;
    free(beside);
}

/* Without a base: the old file goes to before-update/, whoever wrote it. */
static void replace_and_keep(struct update *update, const struct file *new)
{
    char *kept = NULL;
    struct stat status;
    for (unsigned int i = 1; i < 1000; i++) {
        free(kept);
        if (asprintf(&kept, MOVED_TO "%u/%s", i, new->path) < 0)
            return fail(update, new->path);
        if (lstat(kept, &status) != 0)
            break;
    }
    if (!place_move(new->path, kept))
        fail(update, new->path);
    else if (take(update, new->path, new->path))
        update->moved++;
    else if (rename(kept, new->path) != 0)
        printf("%s: is in %s\n", new->path, kept);
    free(kept);
}

/* One file of the new version. */
static void update_file(struct update *update, const struct file *new)
{
    uint64_t hash = 0;
    const struct file *base = tree_find(&update->base, new->path);
    enum mine mine = look_at(new->path, &hash);
    if (mine == ABSENT) {
        update->added += take(update, new->path, new->path);
    } else if (mine == FILE_OF_HASH && hash == new->hash) {
        ; /* it is there already */
    } else if (mine == FILE_OF_HASH && base && hash == base->hash) {
        update->replaced += take(update, new->path, new->path);
    } else if (base && base->hash == new->hash) {
        return; /* the student's, and the course has nothing new */
    } else if (update->has_base || mine == OTHER ||
               strncmp(new->path, WRITTEN_BY_STUDENTS, strlen(WRITTEN_BY_STUDENTS)) == 0) {
        put_beside(update, new, base);
        return;
    } else {
        replace_and_keep(update, new);
    }
    fprintf(update->taken, "%s\n", new->path);
}

/* A file that the new version has no more. */
static void drop_file(struct update *update, const struct file *base)
{
    uint64_t hash;
    enum mine mine = look_at(base->path, &hash);
    if (mine == FILE_OF_HASH && hash == base->hash) {
        if (!place_remove(base->path))
            return fail(update, base->path);
        update->removed++;
    } else if (mine != ABSENT) {
        printf("%s: the course has it no more; yours stays\n", base->path);
        return;
    }
    fprintf(update->taken, "%s\n", base->path);
}

static int report(const struct update *update)
{
    unsigned int changes = update->added + update->replaced + update->removed + update->moved;
    if (update->moved > 0)
        printf(
            "nothing tells which version was here, so %u files that differ were moved to " MOVED_TO
            "; if you changed none of them, remove it\n",
            update->moved);
    if (update->failed > 0) {
        printf("%u files could not be written; nothing of yours is lost, and make update goes on "
               "from here\n",
               update->failed);
        return 1;
    }
    if (changes + update->conflicts == 0)
        printf("nothing is new\n");
    else
        printf("files that are new: %u, newer: %u, gone: %u; what you wrote is as it was\n",
               update->added, update->replaced + update->moved, update->removed);
    return 0;
}

int main(int count, char **arguments)
{
    if (count != 4) {
        fprintf(stderr, "usage: update BASE NEW TAKEN\n");
        return 2;
    }
    struct update update = {.from = arguments[2], .has_base = strcmp(arguments[1], "-") != 0};
    const char *what = arguments[1];
    bool whole = !update.has_base || tree_read(&update.base, what);
    whole = whole && tree_read(&update.new, what = arguments[2]);
    if (whole && !(update.taken = fopen(what = arguments[3], "w")))
        whole = false;
    if (!whole) {
        printf("%s: %s\n", what, strerror(errno));
        return 1;
    }
    for (size_t i = 0; i < update.new.count; i++)
        update_file(&update, &update.new.files[i]);
    for (size_t i = 0; i < update.base.count && update.failed == 0; i++)
        if (!tree_find(&update.new, update.base.files[i].path))
            drop_file(&update, &update.base.files[i]);
    if (fclose(update.taken) != 0)
        fail(&update, arguments[3]);
    if (update.failed == 0 && !tree_record(&update.new))
        fail(&update, RECORD);
    int status = report(&update);
    tree_free(&update.base);
    tree_free(&update.new);
    return status;
}
