/* util.c - memory, lines, files, words on a screen: see util.h. */
#define _GNU_SOURCE
#include "util.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

void fail(int status, const char *words, ...)
{
    va_list arguments;
    va_start(arguments, words);
    vfprintf(stderr, words, arguments);
    va_end(arguments);
    fputc('\n', stderr);
    exit(status);
}

const char *chosen(const char *name)
{
    const char *value = getenv(name);
    return value ? value : "";
}

bool read_number(const char *text, uint64_t *number)
{
    const bool is_number = *text && !text[strspn(text, "0123456789")];
    errno = 0;
    *number = is_number ? strtoull(text, NULL, 10) : 0;
    return is_number && errno == 0;
}

bool read_length(const char *text, uint64_t *length)
{
    char digits[24];
    const size_t count = strspn(text, "0123456789");
    const char *unit = text + count;
    const unsigned int shift = *unit == 'K' ? 10 : *unit == 'M' ? 20 : *unit == 'G' ? 30 : 0;
    if (count >= sizeof digits || strlen(unit) != (shift > 0))
        return false;
    snprintf(digits, sizeof digits, "%.*s", (int)count, text);
    if (!read_number(digits, length) || *length < 1 || *length > UINT32_MAX >> shift)
        return false;
    *length <<= shift;
    return true;
}

char *format(const char *words, ...)
{
    char *text;
    va_list arguments;
    va_start(arguments, words);
    if (vasprintf(&text, words, arguments) < 0)
        fail(3, "no memory is left");
    va_end(arguments);
    return text;
}

void *grow(void *array, size_t count, size_t more, size_t element)
{
    char *grown = reallocarray(array, count + more, element);
    if (!grown)
        fail(3, "no memory is left");
    memset(grown + count * element, 0, more * element);
    return grown;
}

/* What was closed last. */
static struct {
    char *text;
    size_t size;
} opened;

FILE *open_text(void)
{
    FILE *text = open_memstream(&opened.text, &opened.size);
    if (!text)
        fail(3, "no memory is left");
    return text;
}

char *close_text(FILE *text)
{
    if (fclose(text) != 0)
        fail(3, "no memory is left");
    return opened.text;
}

double seconds_now(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

unsigned int number_of(const char *text)
{
    return (unsigned int)strtoul(text, NULL, 10);
}

const char *skip_blanks(const char *text)
{
    return text + strspn(text, " \t");
}

char *trimmed(const char *from, const char *end)
{
    while (from < end && isspace((unsigned char)*from))
        from++;
    while (end > from && isspace((unsigned char)end[-1]))
        end--;
    return format("%.*s", (int)(end - from), from);
}

bool begins_with(const char *text, const char *begin)
{
    return strncmp(text, begin, strlen(begin)) == 0;
}

bool ends_with(const char *text, const char *end)
{
    const size_t length = strlen(text), tail = strlen(end);
    return length >= tail && strcmp(text + length - tail, end) == 0;
}

const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

char *beside(const char *path, const char *name)
{
    return format("%.*s%s", (int)(base_name(path) - path), path, name);
}

char **matches(const char *pattern)
{
    glob_t found = {.gl_pathc = 0};
    glob(pattern, 0, NULL, &found);
    return found.gl_pathv ? found.gl_pathv : grow(NULL, 0, 1, sizeof(char *));
}

char *first_match(const char *pattern)
{
    return matches(pattern)[0];
}

FILE *open_file(const char *file)
{
    struct stat seen;
    if (stat(file, &seen) == 0 && !S_ISREG(seen.st_mode) && !S_ISDIR(seen.st_mode)) {
        errno = ENODEV;
        return NULL;
    }
    return fopen(file, "r");
}

struct lines lines_of(const char *file)
{
    return (struct lines){.file = open_file(file)};
}

struct lines lines_in(const char *text)
{
    return (struct lines){.file = *text ? fmemopen((char *)text, strlen(text), "r") : NULL};
}

bool next_line(struct lines *lines)
{
    ssize_t length = lines->file ? getline(&lines->line, &lines->room, lines->file) : -1;
    if (length < 0) {
        end_lines(lines);
        return false;
    }
    if (length > 0 && lines->line[length - 1] == '\n')
        lines->line[length - 1] = '\0';
    return true;
}

void end_lines(struct lines *lines)
{
    if (lines->file)
        fclose(lines->file);
    lines->file = NULL;
}

bool exists(const char *file)
{
    return access(file, F_OK) == 0;
}

char *read_file(const char *file, size_t *length)
{
    char *text = NULL;
    size_t room = 0;
    FILE *from = open_file(file);
    if (!from)
        return NULL;
    *length = 0;
    do {
        text = grow(text, room, 1 << 16, 1);
        room += 1 << 16;
        *length += fread(text + *length, 1, room - *length, from);
    } while (*length == room);
    int error = ferror(from) ? errno : 0; /* a folder can be opened, and not read */
    fclose(from);
    errno = error;
    return error ? NULL : text;
}

static bool is_plain(const char *file)
{
    struct stat seen;
    return stat(file, &seen) == 0 && S_ISREG(seen.st_mode);
}

bool same_content(const char *one, const char *other)
{
    if (!is_plain(one) || !is_plain(other)) /* to open one could wait forever */
        return false;
    size_t length = 0, other_length = 0;
    char *text = read_file(one, &length), *other_text = read_file(other, &other_length);
    return text && other_text && length == other_length && memcmp(text, other_text, length) == 0;
}

bool hash_file(const char *file, uint64_t *hash)
{
    size_t length;
    char *text = read_file(file, &length);
    *hash = 0xcbf29ce484222325u;
    for (size_t i = 0; text && i < length; i++)
        *hash = (*hash ^ (unsigned char)text[i]) * 0x100000001b3u;
    const bool read = text;
    free(text); /* some look again and again */
    return read;
}

void make_folders(const char *file)
{
    char *path = format("%s", file);
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        mkdir(path, 0777);
        *slash = '/';
    }
}

bool replace_file(const char *file, const char *text, size_t length)
{
    char *new = format("%s.new", file);
    FILE *to = fopen(new, "w");
    bool fine = to && fwrite(text, 1, length, to) == length;
    fine = to && fclose(to) == 0 && fine && rename(new, file) == 0;
    int error = errno;
    if (to && !fine)
        unlink(new);
    errno = error;
    return fine;
}

void print_in_color(const char *color, const char *text)
{
    const bool colors = *color && isatty(STDOUT_FILENO) && !*chosen("NO_COLOR") &&
                        strcmp(chosen("TERM"), "dumb") != 0;
    printf("%s%s%s", colors ? color : "", text, colors ? "\33[0m" : "");
}

/* How many columns of a terminal so many bytes of UTF-8 take. */
static size_t columns_of(const char *word, size_t length)
{
    size_t columns = 0;
    for (size_t i = 0; i < length; i++) /* what begins a character counts */
        columns += ((unsigned char)word[i] & 0xc0) != 0x80;
    return columns;
}

void print_wrapped(const char *text, size_t indent, size_t width)
{
    size_t column = 0;
    while (*(text += strspn(text, " "))) {
        const size_t length = strcspn(text, " "), columns = columns_of(text, length);
        if (column > 0 && column + 1 + columns > width) {
            printf("\n");
            column = 0;
        }
        const size_t lead = column == 0 ? indent : 1;
        printf("%*s%.*s", (int)lead, "", (int)length, text);
        column += lead + columns;
        text += length;
    }
    printf("\n");
}
