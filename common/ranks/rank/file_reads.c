/* file_reads.c - which bytes of a file this process reads: see file_reads.h.
 *
 * The functions below have the names of the C library's, and stand before them; what they do they ask of the
 * system itself. */
#define _GNU_SOURCE
#include "file_reads.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { HIDDEN = 1024, MAPPINGS = 64 };

static struct {
    bool on, has_shrunk;
    dev_t device;
    ino_t inode;
    struct file_rules rules;
    struct file_read *reads;
    size_t count, room;
} watch;
static _Thread_local unsigned int paused;
static bool is_hidden[HIDDEN]; /* descriptors that were opened so */
static struct {
    file_reads_saw *saw;
    void *context;
} observer, mapping_observer;
static void *mapping[MAPPINGS]; /* where parts of a file are mapped; NULL: free */
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void file_reads_begin(const char *path, const struct file_rules *rules)
{
    struct stat file;
    watch.on = false;
    watch.count = 0;
    watch.has_shrunk = false;
    watch.rules = rules ? *rules : (struct file_rules){0};
    if (stat(path, &file) != 0 || S_ISDIR(file.st_mode))
        return;
    watch.device = file.st_dev;
    watch.inode = file.st_ino;
    watch.on = true;
}

size_t file_reads_end(struct file_read **reads)
{
    pthread_mutex_lock(&turn);
    size_t count = watch.count;
    *reads = watch.reads;
    watch.reads = NULL;
    watch.count = watch.room = 0;
    watch.on = false;
    pthread_mutex_unlock(&turn);
    return count;
}

void file_reads_pause(void)
{
    paused++;
}

void file_reads_resume(void)
{
    paused--;
}

const struct file_rules *file_reads_rules(void)
{
    return watch.on ? &watch.rules : NULL;
}

static bool make_room(void)
{
    if (watch.count < watch.room)
        return true;
    size_t room = 2 * watch.room + 16;
    struct file_read *more = realloc(watch.reads, room * sizeof *more);
    if (!more)
        return false;
    watch.reads = more;
    watch.room = room;
    return true;
}

void file_reads_observe(file_reads_saw *saw, void *context)
{
    observer.saw = saw;
    observer.context = context;
}

void file_reads_observe_mappings(file_reads_saw *saw, void *context)
{
    mapping_observer.saw = saw;
    mapping_observer.context = context;
}

void file_reads_note(const void *memory, uint64_t begin, uint64_t end)
{
    if (!watch.on || begin >= end)
        return;
    pthread_mutex_lock(&turn);
    if (watch.count > 0 && watch.reads[watch.count - 1].end == begin)
        watch.reads[watch.count - 1].end = end;
    else if (make_room())
        watch.reads[watch.count++] = (struct file_read){begin, end};
    pthread_mutex_unlock(&turn);
    if (observer.saw)
        observer.saw(memory, begin, end, observer.context);
}

void file_reads_before(void)
{
    if (!watch.on || !watch.rules.shrinks || watch.has_shrunk)
        return;
    watch.has_shrunk = true;
    if (watch.rules.cut)
        watch.rules.cut();
    else if (truncate(watch.rules.shrinks, (off_t)watch.rules.shrunk) != 0)
        perror(watch.rules.shrinks);
}

/* Whether a descriptor is of the file; its size then, unless `size` is NULL. errno stays. */
static bool is_of_file(int descriptor, uint64_t *size)
{
    struct stat file;
    int before = errno;
    bool is = watch.on && fstat(descriptor, &file) == 0 && file.st_dev == watch.device &&
              file.st_ino == watch.inode;
    errno = before;
    if (is && size)
        *size = (uint64_t)file.st_size;
    return is;
}

/* And whether what is read of it is to be noted. */
static bool is_watched(int descriptor)
{
    const bool hidden = descriptor >= 0 && descriptor < HIDDEN && is_hidden[descriptor];
    return !paused && !hidden && is_of_file(descriptor, NULL);
}

/* Of `count` bytes from an offset on so many are in the file. */
static size_t available(int descriptor, off_t offset, size_t count)
{
    uint64_t size = 0;
    if (!is_of_file(descriptor, &size) || offset < 0 || (uint64_t)offset >= size)
        return 0;
    return count < size - (uint64_t)offset ? count : (size_t)(size - (uint64_t)offset);
}

/* Notes what a call got at an offset, which is none where it failed; returns that. */
static ssize_t noted(const void *memory, off_t offset, ssize_t got)
{
    if (got > 0 && offset >= 0)
        file_reads_note(memory, (uint64_t)offset, (uint64_t)offset + (uint64_t)got);
    return got;
}

/* Bytes that came into several parts of memory, or are to. */
static size_t sum_of(const struct iovec *parts, int count)
{
    size_t sum = 0;
    for (int i = 0; i < count; i++)
        sum += parts[i].iov_len;
    return sum;
}

static ssize_t noted_parts(const struct iovec *parts, off_t offset, ssize_t got)
{
    for (ssize_t rest = got; rest > 0; parts++) {
        ssize_t here = (size_t)rest < parts->iov_len ? rest : (ssize_t)parts->iov_len;
        noted(parts->iov_base, offset, here);
        offset += here;
        rest -= here;
    }
    return got;
}

/* By a call that the filter lets through. */
static ssize_t asked(int descriptor, const struct iovec *parts, int count, off_t offset, int flags)
{
    if (flags)
        return syscall(SYS_preadv2, descriptor, parts, count, offset, 0L, flags);
    return offset == -1 ? syscall(SYS_readv, descriptor, parts, count)
                        : syscall(SYS_preadv, descriptor, parts, count, offset, 0L);
}

ssize_t preadv2(int descriptor, const struct iovec *parts, int count, off_t offset, int flags)
{
    bool is = is_watched(descriptor);
    off_t from = is && offset == -1 ? lseek(descriptor, 0, SEEK_CUR) : offset;
    if (is)
        file_reads_before();
    if (!is || !watch.rules.skips) {
        ssize_t got = asked(descriptor, parts, count, offset, flags);
        return is ? noted_parts(parts, from, got) : got;
    }
    ssize_t got = (ssize_t)available(descriptor, from, sum_of(parts, count));
    if (offset == -1)
        lseek(descriptor, got, SEEK_CUR);
    return noted_parts(parts, from, got);
}

ssize_t preadv(int descriptor, const struct iovec *parts, int count, off_t offset)
{
    if (offset < 0) {
        errno = EINVAL;
        return -1;
    }
    return preadv2(descriptor, parts, count, offset, 0);
}

ssize_t readv(int descriptor, const struct iovec *parts, int count)
{
    return preadv2(descriptor, parts, count, -1, 0);
}

ssize_t pread(int descriptor, void *to, size_t count, off_t offset)
{
    return is_watched(descriptor) ? preadv(descriptor, &(struct iovec){to, count}, 1, offset)
                                  : syscall(SYS_pread64, descriptor, to, count, offset);
}

ssize_t read(int descriptor, void *to, size_t count)
{
    return is_watched(descriptor) ? preadv2(descriptor, &(struct iovec){to, count}, 1, -1, 0)
                                  : syscall(SYS_read, descriptor, to, count);
}

uint64_t file_reads_mappings(void)
{
    uint64_t count = 0;
    for (size_t i = 0; i < MAPPINGS; i++)
        count += mapping[i] != NULL;
    return count;
}

/* One that is `before`, a place or NULL for none, becomes `now`. */
static void note_mapping(const void *before, void *current)
{
    pthread_mutex_lock(&turn);
    size_t i = 0;
    while (i < MAPPINGS && mapping[i] != before)
        i++;
    if (i < MAPPINGS)
        mapping[i] = current;
    pthread_mutex_unlock(&turn);
}

int munmap(void *address, size_t bytes)
{
    if (address)
        note_mapping(address, NULL);
    return (int)syscall(SYS_munmap, address, bytes);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset)
{
    bool is = !(flags & MAP_ANONYMOUS) && is_watched(descriptor);
    void *made =
        (void *)syscall(SYS_mmap, address, bytes, protection, flags, descriptor, (long)offset);
    if (!is || made == MAP_FAILED)
        return made;
    file_reads_before();
    note_mapping(NULL, made);
    if (mapping_observer.saw)
        mapping_observer.saw(made, (uint64_t)offset, (uint64_t)offset + bytes,
                             mapping_observer.context);
    return made;
}

/* A descriptor was opened. False: this process may not, it is to be closed. */
static bool may_open(int descriptor)
{
    if (descriptor >= 0 && descriptor < HIDDEN)
        is_hidden[descriptor] = paused > 0;
    return !watch.rules.refused || !is_of_file(descriptor, NULL);
}

/* A rank that may not read it. */
static int opened(int descriptor)
{
    if (descriptor < 0 || may_open(descriptor))
        return descriptor;
    close(descriptor);
    errno = EACCES;
    return -1;
}

int openat(int folder, const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return opened((int)syscall(SYS_openat, folder, path, flags, mode));
}

int open(const char *path, int flags, ...)
{
    va_list arguments;
    va_start(arguments, flags);
    int mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(arguments, int) : 0;
    va_end(arguments);
    return openat(AT_FDCWD, path, flags, mode);
}

int access(const char *path, int mode)
{
    struct stat file;
    if (watch.on && watch.rules.refused && mode & R_OK && stat(path, &file) == 0 &&
        file.st_dev == watch.device && file.st_ino == watch.inode) {
        errno = EACCES;
        return -1;
    }
    return (int)syscall(SYS_faccessat, AT_FDCWD, path, mode);
}

/* What stdio reads: these call the functions of the C library that they stand before. */

FILE *fopen(const char *path, const char *mode)
{
    FILE *file = LIBRARY_CALL(fopen)(path, mode);
    if (!file || may_open(fileno(file)))
        return file;
    fclose(file);
    errno = EACCES;
    return NULL;
}

/* What is skipped of a file is not brought, but for its last byte, behind which the end is seen. */
static size_t skip(FILE *file, const void *to, off_t offset, size_t size, size_t count)
{
    size_t bytes = available(fileno(file), offset, size * count);
    fseeko(file, offset + (off_t)bytes, SEEK_SET);
    if (bytes < size * count)
        (void)LIBRARY_CALL(fgetc)(file);
    noted(to, offset, (ssize_t)bytes);
    return size ? bytes / size : 0;
}

size_t fread(void *to, size_t size, size_t count, FILE *file)
{
    if (!is_watched(fileno(file)))
        return LIBRARY_CALL(fread)(to, size, count, file);
    off_t offset = ftello(file);
    file_reads_before();
    if (file_reads_rules()->skips)
        return skip(file, to, offset, size, count);
    size_t got = LIBRARY_CALL(fread)(to, size, count, file);
    noted(to, offset, (ssize_t)(got < count ? ftello(file) - offset : (off_t)(size * got)));
    return got;
}

int fgetc(FILE *file)
{
    bool is = is_watched(fileno(file));
    off_t offset = is ? ftello(file) : 0;
    if (is)
        file_reads_before();
    int character = LIBRARY_CALL(fgetc)(file);
    if (is && character != EOF)
        noted(NULL, offset, 1);
    return character;
}

char *fgets(char *to, int size, FILE *file)
{
    bool is = is_watched(fileno(file));
    off_t offset = is ? ftello(file) : 0;
    if (is)
        file_reads_before();
    char *line = LIBRARY_CALL(fgets)(to, size, file);
    if (is && line)
        noted(to, offset, (ssize_t)(ftello(file) - offset));
    return line;
}

ssize_t getdelim(char **line, size_t *room, int delimiter, FILE *file)
{
    bool is = is_watched(fileno(file));
    off_t offset = is ? ftello(file) : 0;
    if (is)
        file_reads_before();
    ssize_t got = LIBRARY_CALL(getdelim)(line, room, delimiter, file);
    return is ? noted(NULL, offset, got) : got;
}

ssize_t getline(char **line, size_t *room, FILE *file)
{
    return getdelim(line, room, '\n', file);
}

/* Their other names. */
#define ALSO(name) __attribute__((alias(#name)))
ssize_t pread64(int descriptor, void *to, size_t count, off64_t offset) ALSO(pread);
ssize_t preadv64(int descriptor, const struct iovec *parts, int count, off64_t offset) ALSO(preadv);
ssize_t preadv64v2(int descriptor, const struct iovec *parts, int count, off64_t offset, int flags)
    ALSO(preadv2);
void *mmap64(void *address, size_t bytes, int protection, int flags, int descriptor, off64_t offset)
    ALSO(mmap);
int open64(const char *path, int flags, ...) ALSO(open);
int openat64(int folder, const char *path, int flags, ...) ALSO(openat);
FILE *fopen64(const char *path, const char *mode) ALSO(fopen);
ssize_t __getdelim(char **line, size_t *room, int delimiter, FILE *file) ALSO(getdelim);
#undef fread_unlocked
size_t fread_unlocked(void *to, size_t size, size_t count, FILE *file) ALSO(fread);
int fgetc_unlocked(FILE *file) ALSO(fgetc);
#undef getc
int getc(FILE *file) ALSO(fgetc);
