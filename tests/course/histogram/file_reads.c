/* Which bytes of a file a process reads, however it has opened the file. */
#define _GNU_SOURCE
#include "file_reads.h"

#include <criterion/criterion.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LENGTH = 1000, ROOM = 4 };

static char folder[64], path[80];
static struct many_read reads[ROOM];

static void make_file(void)
{
    unsigned char bytes[LENGTH];
    snprintf(folder, sizeof folder, "/tmp/file-reads-XXXXXX");
    cr_assert(mkdtemp(folder));
    snprintf(path, sizeof path, "%s/text", folder);
    for (int i = 0; i < LENGTH; i++)
        bytes[i] = (unsigned char)i;
    FILE *file = fopen(path, "w");
    cr_assert(file && fwrite(bytes, 1, LENGTH, file) == LENGTH);
    fclose(file);
}

static void remove_file(void)
{
    remove(path);
    rmdir(folder);
}

TestSuite(file_reads, .init = make_file, .fini = remove_file);

/* Ends the watch: there were so many reads, of these bytes: begin, end, begin, end, ... */
static void expect_reads(size_t count, ...)
{
    va_list numbers;
    const size_t seen = file_reads_end();
    cr_assert_eq(seen, count, "%zu reads", seen);
    va_start(numbers, count);
    for (size_t i = 0; i < count && i < ROOM; i++) {
        const unsigned int begin = va_arg(numbers, unsigned int);
        const unsigned int end = va_arg(numbers, unsigned int);
        cr_expect(reads[i].begin == begin && reads[i].end == end, "read %zu: %llu to %llu", i,
                  (unsigned long long)reads[i].begin, (unsigned long long)reads[i].end);
    }
    va_end(numbers);
}

static void begin(const char *watched, struct file_rules rules)
{
    file_reads_begin(watched, &rules, reads, ROOM);
}

static int begin_open(struct file_rules rules)
{
    begin(path, rules);
    const int file = open(path, O_RDONLY);
    cr_assert(file >= 0);
    return file;
}

Test(file_reads, of_read_and_pread)
{
    char bytes[LENGTH];
    const int file = begin_open((struct file_rules){0});
    cr_expect_eq(read(file, bytes, 10), 10);
    cr_expect_eq(read(file, bytes, 10), 10); /* goes on where that ended */
    cr_expect_eq(lseek(file, 500, SEEK_SET), 500);
    cr_expect_eq(read(file, bytes, 10), 10);
    cr_expect(bytes[0] == (char)500 && bytes[9] == (char)509);
    cr_expect_eq(pread(file, bytes, LENGTH, 990), 10); /* as much as there is */
    cr_expect_eq(pread64(file, bytes, 5, LENGTH), 0);
    cr_expect_eq(pread(file, bytes, 5, -1), -1);
    close(file);
    expect_reads(3, 0u, 20u, 500u, 510u, 990u, 1000u);
}

/* What stdio reads ahead nobody has asked for. */
Test(file_reads, of_fread)
{
    char bytes[LENGTH];
    begin(path, (struct file_rules){0});
    FILE *file = fopen(path, "r");
    cr_assert(file);
    cr_expect_eq(fread(bytes, 3, 4, file), 4u);
    fseek(file, -5, SEEK_END);
    cr_expect_eq(fread(bytes, 2, 100, file), 2u);
    cr_expect(feof(file));
    fclose(file);
    expect_reads(2, 0u, 12u, 995u, 1000u);
}

Test(file_reads, of_more_than_there_is_room_for)
{
    char bytes[1];
    const int file = begin_open((struct file_rules){0});
    for (int i = 0; i < 2 * ROOM; i++)
        cr_expect_eq(pread(file, bytes, 1, 2 * i), 1);
    close(file);
    expect_reads(2 * ROOM, 0u, 1u, 2u, 3u, 4u, 5u, 6u, 7u);
}

Test(file_reads, of_that_file_alone_and_only_while_it_is_watched)
{
    char bytes[16], other[96];
    snprintf(other, sizeof other, "%s/other", folder);
    const int before = open(path, O_RDONLY), twin = open(other, O_RDWR | O_CREAT, 0600);
    cr_expect_eq(read(before, bytes, 4), 4);
    begin(path, (struct file_rules){0});
    cr_expect_eq(write(twin, "0123456789", 10), 10);
    cr_expect_eq(pread(twin, bytes, 10, 0), 10);
    cr_expect_eq(read(before, bytes, 4), 4); /* it was open already */
    const int again = dup(before);
    cr_expect_eq(read(again, bytes, 4), 4);
    expect_reads(1, 4u, 12u);
    cr_expect_eq(read(again, bytes, 4), 4);
    cr_expect_eq(bytes[0], 12);
    close(twin), close(before), close(again);
    remove(other);
}

Test(file_reads, of_a_folder_are_none)
{
    begin(folder, (struct file_rules){0});
    const int file = open(folder, O_RDONLY | O_DIRECTORY);
    char bytes[1];
    cr_expect_eq(read(file, bytes, 1), -1);
    close(file);
    expect_reads(0);
}

static char told[100];

static void note(const void *memory, uint64_t from, uint64_t to)
{
    const size_t used = strlen(told);
    snprintf(told + used, sizeof told - used, "%d:%d-%d ", *(const unsigned char *)memory,
             (int)from, (int)to);
}

Test(file_reads, are_told_with_their_memory)
{
    char bytes[32];
    const int file = begin_open((struct file_rules){.saw = note});
    cr_expect_eq(pread(file, bytes, 10, 7), 10);
    const unsigned char *mapped = mmap(NULL, LENGTH, PROT_READ, MAP_PRIVATE, file, 0);
    cr_expect(mapped != MAP_FAILED && mapped[999] == (unsigned char)999);
    cr_expect_str_eq(told, "7:7-17 0:0-1000 ");
    expect_reads(1, 7u, 17u); /* who reads a mapping is not seen */
    close(file);
}

/* Of a file that has become shorter the bytes behind its new end are not there, by whatever call. */
Test(file_reads, find_a_file_that_shrinks)
{
    char bytes[LENGTH];
    struct stat about;
    const int file = begin_open((struct file_rules){.most = LENGTH / 2});
    cr_expect(fstat(file, &about) == 0 && about.st_size == LENGTH, "what it was before");
    cr_expect_eq(pread(file, bytes, 100, 450), 50);
    cr_expect_eq(pread(file, bytes, 100, 900), 0);
    cr_expect_eq(lseek(file, 490, SEEK_SET), 490);
    cr_expect_eq(read(file, bytes, 100), 10);
    FILE *stream = fdopen(file, "r");
    cr_expect_eq(fseek(stream, 400, SEEK_SET), 0);
    cr_expect_eq(fread(bytes, 1, 300, stream), 100u);
    cr_expect(feof(stream));
    fclose(stream);
    expect_reads(3, 450u, 500u, 490u, 500u, 400u, 500u);
}

/* A file of which only the offsets matter. */
Test(file_reads, may_skip_what_is_there)
{
    char bytes[2 * LENGTH] = "as before";
    const int file = begin_open((struct file_rules){.skips = true});
    cr_expect_eq(pread(file, bytes, 100, 10), 100);
    cr_expect_eq(read(file, bytes, 100), 100);
    cr_expect_eq(lseek(file, 0, SEEK_CUR), 100);
    cr_expect_eq(read(file, bytes, 2 * LENGTH), LENGTH - 100);
    close(file);
    FILE *stream = fopen(path, "r");
    cr_expect_eq(fread(bytes, 1, 600, stream), 600u);
    cr_expect_eq(fread(bytes, 1, 600, stream), 400u);
    cr_expect(feof(stream));
    fclose(stream);
    cr_expect_str_eq(bytes, "as before");
    expect_reads(3, 10u, 110u, 0u, 1000u, 0u, 1000u);
}
