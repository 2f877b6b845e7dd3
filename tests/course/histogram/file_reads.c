/* Which bytes of a file a process reads: whatever function it calls, and however it has opened the file. */
#define _GNU_SOURCE
#include "file_reads.h"

#include <criterion/criterion.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

enum { LENGTH = 1000 };

static char folder[64], path[80];

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
    struct file_read *reads;
    va_list numbers;
    const size_t seen = file_reads_end(&reads);
    cr_assert_eq(seen, count, "%zu reads", seen);
    va_start(numbers, count);
    for (size_t i = 0; i < count; i++) {
        const unsigned int begin = va_arg(numbers, unsigned int);
        const unsigned int end = va_arg(numbers, unsigned int);
        cr_expect(reads[i].begin == begin && reads[i].end == end, "read %zu: %llu to %llu", i,
                  (unsigned long long)reads[i].begin, (unsigned long long)reads[i].end);
    }
    va_end(numbers);
    free(reads);
}

static int begin_open(void)
{
    file_reads_begin(path, NULL);
    const int file = open(path, O_RDONLY);
    cr_assert(file >= 0);
    return file;
}

Test(file_reads, of_read_and_pread)
{
    char bytes[LENGTH];
    const int file = begin_open();
    cr_expect_eq(read(file, bytes, 10), 10);
    cr_expect_eq(read(file, bytes, 10), 10); /* goes on where that ended */
    cr_expect_eq(lseek(file, 500, SEEK_SET), 500);
    cr_expect_eq(read(file, bytes, 10), 10);
    cr_expect(bytes[0] == (char)500 && bytes[9] == (char)509);
    cr_expect_eq(pread(file, bytes, LENGTH, 990), 10); /* as much as there is */
    cr_expect_eq(pread64(file, bytes, 5, LENGTH), 0);
    close(file);
    expect_reads(3, 0u, 20u, 500u, 510u, 990u, 1000u);
}

Test(file_reads, of_several_parts_of_memory)
{
    char one[10], other[20];
    struct iovec parts[] = {{one, sizeof one}, {other, sizeof other}};
    const int file = begin_open();
    cr_expect_eq(readv(file, parts, 2), 30);
    cr_expect_eq(preadv(file, parts, 2, 100), 30);
    cr_expect_eq(preadv(file, parts, 2, 985), 15);
    cr_expect(one[0] == (char)985 && other[0] == (char)995);
    cr_expect_eq(preadv(file, parts, 2, -1), -1);
    close(file);
    expect_reads(3, 0u, 30u, 100u, 130u, 985u, 1000u);
}

/* What stdio reads ahead nobody has asked for. */
Test(file_reads, of_stdio)
{
    char bytes[LENGTH], *line = NULL;
    size_t room = 0;
    file_reads_begin(path, NULL);
    FILE *file = fopen(path, "r");
    cr_assert(file);
    cr_expect_eq(fread(bytes, 3, 4, file), 4u);
    cr_expect_eq(fgetc(file), 12);
    cr_expect_eq(getc(file), 13);
    fseek(file, 256, SEEK_SET);
    cr_expect_eq(getline(&line, &room, file), 11); /* 0 to 10, which is the end of a line */
    fseek(file, 512, SEEK_SET);
    cr_expect(fgets(bytes, 8, file));
    fseek(file, -5, SEEK_END);
    cr_expect_eq(fread(bytes, 1, 100, file), 5u);
    cr_expect(feof(file));
    fclose(file);
    free(line);
    expect_reads(4, 0u, 14u, 256u, 267u, 512u, 519u, 995u, 1000u);
}

Test(file_reads, of_that_file_alone_and_only_while_it_is_watched)
{
    char bytes[16], other[96];
    snprintf(other, sizeof other, "%s/other", folder);
    const int before = open(path, O_RDONLY), twin = open(other, O_RDWR | O_CREAT, 0600);
    cr_expect_eq(read(before, bytes, 4), 4);
    file_reads_begin(path, NULL);
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

Test(file_reads, of_no_file_and_a_folder_are_none)
{
    char missing[96];
    snprintf(missing, sizeof missing, "%s/missing", folder);
    file_reads_begin(missing, NULL);
    cr_expect_eq(open(missing, O_RDONLY), -1);
    cr_expect_eq(errno, ENOENT);
    expect_reads(0);
    file_reads_begin(folder, NULL);
    const int file = open(folder, O_RDONLY | O_DIRECTORY);
    cr_expect(file >= 0);
    close(file);
    expect_reads(0);
}

static void note(const void *memory, uint64_t begin, uint64_t end, void *context)
{
    char *text = context;
    const size_t used = strlen(text);
    snprintf(text + used, 100 - used, "%d:%d-%d ", memory ? *(const unsigned char *)memory : -1,
             (int)begin, (int)end);
}

Test(file_reads, are_told_with_their_memory)
{
    char bytes[32], text[100] = "";
    file_reads_observe(note, text);
    file_reads_observe_mappings(note, text);
    const int file = begin_open();
    cr_expect_eq(pread(file, bytes, 10, 7), 10);
    const unsigned char *mapped = mmap(NULL, LENGTH, PROT_READ, MAP_PRIVATE, file, 0);
    cr_expect(mapped != MAP_FAILED && mapped[999] == (unsigned char)999);
    file_reads_observe(NULL, NULL);
    cr_expect_eq(pread(file, bytes, 10, 0), 10);
    cr_expect_str_eq(text, "7:7-17 0:0-1000 ");
    expect_reads(2, 7u, 17u, 0u, 10u); /* who reads a mapping is not seen */
    close(file);
}

Test(file_reads, may_be_refused)
{
    file_reads_begin(path, &(struct file_rules){.refused = true});
    cr_expect_eq(open(path, O_RDONLY), -1);
    cr_expect_eq(errno, EACCES);
    errno = 0;
    cr_expect_null(fopen(path, "r"));
    cr_expect_eq(errno, EACCES);
    cr_expect_eq(access(path, R_OK), -1);
    cr_expect_eq(access(path, F_OK), 0);
    expect_reads(0);
    const int file = open(path, O_RDONLY);
    cr_expect(file >= 0, "it is over");
    close(file);
}

Test(file_reads, find_a_file_that_shrinks)
{
    char bytes[LENGTH];
    struct stat about;
    file_reads_begin(path, &(struct file_rules){.shrinks = path, .shrunk = LENGTH / 2});
    const int file = open(path, O_RDONLY);
    cr_expect(fstat(file, &about) == 0 && about.st_size == LENGTH, "before the first read");
    cr_expect_eq(pread(file, bytes, 100, 450), 50);
    cr_expect_eq(pread(file, bytes, 100, 900), 0);
    close(file);
    expect_reads(1, 450u, 500u);
}

/* A file of which only the offsets matter. */
Test(file_reads, may_skip_what_is_there)
{
    char bytes[2 * LENGTH] = "as before";
    file_reads_begin(path, &(struct file_rules){.skips = true});
    const int file = open(path, O_RDONLY);
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

Test(file_reads, are_not_noted_in_a_pause)
{
    char bytes[16];
    file_reads_begin(path, NULL);
    file_reads_pause();
    const int file = open(path, O_RDONLY);
    file_reads_resume();
    cr_expect_eq(read(file, bytes, 10), 10); /* nor later, of what was opened then */
    close(file);
    const int own = open(path, O_RDONLY);
    cr_expect_eq(read(own, bytes, 10), 10);
    close(own);
    expect_reads(1, 0u, 10u);
}
