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
#include <fts.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "util.h"

#define WRITTEN_BY_STUDENTS "chapters/"
#define MOVED_TO "before-update/"
/* What is installed: "HASH PATH" in each line, HASH in 16 hexadecimal digits. */
#define RECORD ".course"

struct file {
    const char *path; /* from the root of the course */
    uint64_t hash;
};

/* The files of a version of the course. */
struct version {
    struct file *files; /* sorted by path */
    size_t count;
};

struct update {
    struct version base, new;
    const char *from; /* the folder of the new version */
    bool has_base;
    FILE *taken;
    unsigned int added, replaced, removed, conflicts, moved, failed;
};

/* The hash of a file's content. Returns false, with errno, when it is no regular file (EINVAL) or
 * cannot be read. */
static bool hash_plain(const char *path, uint64_t *hash)
{
    struct stat seen;
    if (lstat(path, &seen) != 0)
        return false;
    errno = EINVAL;
    return S_ISREG(seen.st_mode) && hash_file(path, hash);
}

/* A path that stays below the root of the course, and can stand in a line. */
static bool is_inside(const char *path)
{
    for (const char *part = path; part; part = strchr(part, '/') ? strchr(part, '/') + 1 : NULL)
        if (*part == '/' || begins_with(part, "../") || strcmp(part, "..") == 0)
            return false;
    return *path && !strpbrk(path, "\n\r");
}

static void add(struct version *version, const char *path, uint64_t hash)
{
    if (!is_inside(path))
        return;
    version->files = grow(version->files, version->count, 1, sizeof *version->files);
    version->files[version->count++] = (struct file){format("%s", path), hash};
}

/* What is at the top of a folder, and of no course. */
static bool is_foreign(const FTSENT *entry)
{
    return entry->fts_level == 1 &&
           (strcmp(entry->fts_name, ".git") == 0 || strcmp(entry->fts_name, "build") == 0 ||
            strcmp(entry->fts_name, RECORD) == 0);
}

static bool read_folder(struct version *version, char *folder)
{
    const size_t root = strlen(folder) + 1;
    bool whole = true;
    uint64_t hash;
    FTS *walk = fts_open((char *[]){folder, NULL}, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
    for (FTSENT *entry; walk && whole && (errno = 0, entry = fts_read(walk));) {
        if (is_foreign(entry))
            fts_set(walk, entry, FTS_SKIP);
        else if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
            errno = entry->fts_errno, whole = false;
        else if (entry->fts_info == FTS_F && (whole = hash_plain(entry->fts_path, &hash)))
            add(version, entry->fts_path + root, hash);
    }
    return walk && whole && errno == 0;
}

static bool read_record(struct version *version, const char *record)
{
    uint64_t hash;
    if (access(record, R_OK) != 0)
        return false;
    for (struct lines in = lines_of(record); next_line(&in);) {
        int path = 0;
        if (sscanf(in.line, "%16" SCNx64 " %n", &hash, &path) == 1 && path == 17)
            add(version, in.line + path, hash);
    }
    return true;
}

static int by_path(const void *one, const void *other)
{
    return strcmp(((const struct file *)one)->path, ((const struct file *)other)->path);
}

/* Reads a folder, or a record. Returns false, with errno, when it cannot be read. */
static bool read_version(struct version *version, char *from)
{
    struct stat seen;
    const bool whole =
        stat(from, &seen) == 0 &&
        (S_ISDIR(seen.st_mode) ? read_folder(version, from) : read_record(version, from));
    if (version->count > 0)
        qsort(version->files, version->count, sizeof *version->files, by_path);
    return whole;
}

/* The file of this path, or NULL. */
static const struct file *find(const struct version *version, const char *path)
{
    const struct file wanted = {.path = path};
    return version->count == 0
               ? NULL
               : bsearch(&wanted, version->files, version->count, sizeof *version->files, by_path);
}

/* Copies a file with its rights, as a whole or not at all, and makes the folders that it needs; what
 * had its name is gone. Returns false, with errno, when that cannot be done: then all is as before. */
static bool place_copy(const char *from, const char *to)
{
    struct stat seen;
    size_t length;
    char *text = read_file(from, &length), *beside = format("%s.taking", to);
    make_folders(to);
    FILE *out = text && stat(from, &seen) == 0 ? fopen(beside, "wb") : NULL;
    bool placed = out && fwrite(text, 1, length, out) == length && fflush(out) == 0 &&
                  fsync(fileno(out)) == 0 &&
                  fchmod(fileno(out), (seen.st_mode & 0777) | S_IWUSR) == 0;
    placed = out && fclose(out) == 0 && placed && rename(beside, to) == 0;
    const int error = errno;
    if (!placed)
        unlink(beside);
    free(text);
    errno = error;
    return placed;
}

/* Removes a file, and the folders that are empty without it. */
static bool remove_with_folders(const char *path)
{
    char *folder = format("%s", path);
    if (unlink(path) != 0)
        return false;
    for (char *slash; (slash = strrchr(folder, '/'));) {
        *slash = '\0';
        if (rmdir(folder) != 0)
            break;
    }
    return true;
}

/* What is in the student's folder in the place of a file. */
enum mine { ABSENT, FILE_OF_HASH, OTHER };

static enum mine look_at(const char *path, uint64_t *hash)
{
    if (hash_plain(path, hash))
        return FILE_OF_HASH;
    return errno == ENOENT || errno == ENOTDIR ? ABSENT : OTHER;
}

/* Says why a file is not in its place. */
static void note_failure(struct update *update, const char *path)
{
    printf("%s: cannot be written: %s\n", path, strerror(errno));
    update->failed++;
}

static bool take(struct update *update, const char *path, const char *to)
{
    const bool placed = place_copy(format("%s/%s", update->from, path), to);
    if (!placed)
        note_failure(update, to);
    return placed;
}

/* Puts the new version beside the student's: FILE.new, or the first of FILE.new2 and so on that
 * the student has not written into. */
static void put_beside(struct update *update, const struct file *new, const struct file *base)
{
    const char *beside = format("%s.new", new->path);
    for (unsigned int i = 2; i < 1000; i++) {
        uint64_t hash;
        const enum mine mine = look_at(beside, &hash);
        if (mine == FILE_OF_HASH && hash == new->hash)
            break;
        if (mine == ABSENT || (mine == FILE_OF_HASH && base && hash == base->hash)) {
            if (!take(update, new->path, beside))
                return;
            break;
        }
        beside = format("%s.new%u", new->path, i);
    }
    printf("%s: yours stays as it is; the course has a new one: %s\n", new->path, beside);
    update->conflicts++;
}

/* Without a base: the old file goes to before-update/, whoever wrote it. */
static void replace_and_keep(struct update *update, const struct file *new)
{
    const char *kept = new->path;
    struct stat status;
    for (unsigned int i = 1; i < 1000 && lstat(kept, &status) == 0; i++)
        kept = format(MOVED_TO "%u/%s", i, new->path);
    make_folders(kept);
    if (rename(new->path, kept) != 0)
        note_failure(update, new->path);
    else if (take(update, new->path, new->path))
        update->moved++;
    else if (rename(kept, new->path) != 0)
        printf("%s: is in %s\n", new->path, kept);
}

/* One file of the new version. */
static void update_file(struct update *update, const struct file *new)
{
    uint64_t hash = 0;
    const struct file *base = find(&update->base, new->path);
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
        if (!remove_with_folders(base->path))
            return note_failure(update, base->path);
        update->removed++;
    } else if (mine != ABSENT) {
        printf("%s: the course has it no more; yours stays\n", base->path);
        return;
    }
    fprintf(update->taken, "%s\n", base->path);
}

/* Makes the record of a version, as a whole or not at all. */
static bool write_record(const struct version *version)
{
    FILE *file = fopen(RECORD ".taking", "w");
    if (!file)
        return false;
    fputs("# what was installed here; make update compares your files with it\n", file);
    for (size_t i = 0; i < version->count; i++)
        fprintf(file, "%016" PRIx64 " %s\n", version->files[i].hash, version->files[i].path);
    const bool written = !ferror(file);
    return fclose(file) == 0 && written && rename(RECORD ".taking", RECORD) == 0;
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
    char *what = arguments[1];
    bool whole = !update.has_base || read_version(&update.base, what);
    whole = whole && read_version(&update.new, what = arguments[2]);
    if (whole && !(update.taken = fopen(what = arguments[3], "w")))
        whole = false;
    if (!whole) {
        printf("%s: %s\n", what, strerror(errno));
        return 1;
    }
    for (size_t i = 0; i < update.new.count; i++)
        update_file(&update, &update.new.files[i]);
    for (size_t i = 0; i < update.base.count && update.failed == 0; i++)
        if (!find(&update.new, update.base.files[i].path))
            drop_file(&update, &update.base.files[i]);
    if (fclose(update.taken) != 0)
        note_failure(&update, arguments[3]);
    if (update.failed == 0 && !write_record(&update.new))
        note_failure(&update, RECORD);
    return report(&update);
}
