/* file_reads.c - which bytes of a file this process reads: see file_reads.h.
 *
 * The functions below have the names of the C library's, and stand before them. */
#define _GNU_SOURCE
#include "file_reads.h"

#include <dlfcn.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct {
    bool on;
    dev_t device;
    ino_t inode;
    struct file_rules rules;
    struct many_read *reads;
    size_t count, room;
} watch;
static pthread_mutex_t turn = PTHREAD_MUTEX_INITIALIZER;

void file_reads_begin(const char *path, const struct file_rules *rules, struct many_read *reads,
                      size_t room)
{
    struct stat file;
    watch.on = false;
    watch.rules = *rules;
    watch.reads = reads;
    watch.room = room;
    watch.count = 0;
    if (stat(path, &file) != 0 || S_ISDIR(file.st_mode))
        return;
    watch.device = file.st_dev;
    watch.inode = file.st_ino;
    watch.on = true;
}

size_t file_reads_end(void)
{
    pthread_mutex_lock(&turn);
    watch.on = false;
    pthread_mutex_unlock(&turn);
    return watch.count;
}

/* Whether a descriptor is of the file. errno stays. */
static bool is_watched(int descriptor)
{
    struct stat file;
    const int before = errno;
    const bool is = watch.on && fstat(descriptor, &file) == 0 && file.st_dev == watch.device &&
                    file.st_ino == watch.inode;
    errno = before;
    return is;
}

/* Notes what a call got at an offset, which is nothing when it failed; returns that. */
static ssize_t noted(const void *memory, off_t offset, ssize_t got)
{
    const uint64_t begin = (uint64_t)offset, end = begin + (uint64_t)got;
    if (got <= 0)
        return got;
    pthread_mutex_lock(&turn);
    if (watch.count > 0 && watch.count <= watch.room && watch.reads[watch.count - 1].end == begin)
        watch.reads[watch.count - 1].end = end;
    else if (watch.count++ < watch.room)
        watch.reads[watch.count - 1] = (struct many_read){.begin = begin, .end = end};
    pthread_mutex_unlock(&turn);
    if (watch.rules.saw)
        watch.rules.saw(memory, begin, end);
    return got;
}

/* So many of `count` bytes from an offset on can be read. */
static size_t available(int descriptor, off_t offset, size_t count)
{
    struct stat file;
    if (offset < 0 || fstat(descriptor, &file) != 0)
        return 0;
    const uint64_t most = watch.rules.most, begin = (uint64_t)offset, size = (uint64_t)file.st_size;
    const uint64_t end = most > 0 && most < size ? most : size;
    return begin >= end ? 0 : count < end - begin ? count : (size_t)(end - begin);
}

ssize_t pread(int descriptor, void *to, size_t count, off_t offset)
{
    if (!is_watched(descriptor) || offset < 0)
        return syscall(SYS_pread64, descriptor, to, count, offset);
    const size_t there = available(descriptor, offset, count);
    return noted(to, offset,
                 watch.rules.skips ? (ssize_t)there
                                   : syscall(SYS_pread64, descriptor, to, there, offset));
}

ssize_t read(int descriptor, void *to, size_t count)
{
    if (!is_watched(descriptor))
        return syscall(SYS_read, descriptor, to, count);
    const off_t offset = lseek(descriptor, 0, SEEK_CUR);
    const size_t there = available(descriptor, offset, count);
    if (!watch.rules.skips)
        return noted(to, offset, syscall(SYS_read, descriptor, to, there));
    lseek(descriptor, (off_t)there, SEEK_CUR);
    return noted(to, offset, (ssize_t)there);
}

void *mmap(void *address, size_t bytes, int protection, int flags, int descriptor, off_t offset)
{
    void *made = (void *)syscall(SYS_mmap, address, bytes, protection, flags, descriptor, offset);
    if (flags & MAP_ANONYMOUS || made == MAP_FAILED || !is_watched(descriptor))
        return made;
    if (watch.rules.saw)
        watch.rules.saw(made, (uint64_t)offset, (uint64_t)offset + bytes);
    return made;
}

/* The one of the C library. */
static size_t usual_fread(void *to, size_t size, size_t count, FILE *file)
{
    static __typeof__(&fread) usual;
    if (!usual)
        *(void **)&usual = dlsym(RTLD_NEXT, "fread");
    return usual(to, size, count, file);
}

/* What stdio reads ahead is not noted: its caller has not asked for it. */
size_t fread(void *to, size_t size, size_t count, FILE *file)
{
    if (!is_watched(fileno(file)) || size == 0)
        return usual_fread(to, size, count, file);
    char behind;
    const off_t offset = ftello(file);
    const size_t bytes = size * count, there = available(fileno(file), offset, bytes);
    const size_t got = watch.rules.skips ? there : usual_fread(to, 1, there, file);
    if (got < bytes) { /* the end is seen when nothing can be read behind it */
        fseeko(file, 0, SEEK_END);
        (void)usual_fread(&behind, 1, 1, file);
    } else if (watch.rules.skips) {
        fseeko(file, offset + (off_t)got, SEEK_SET);
    }
    noted(to, offset, (ssize_t)got);
    return got / size;
}

ssize_t pread64(int descriptor, void *to, size_t count, off64_t offset)
    __attribute__((alias("pread")));
void *mmap64(void *address, size_t bytes, int protection, int flags, int descriptor, off64_t offset)
    __attribute__((alias("mmap")));
