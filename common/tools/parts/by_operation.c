/* by_operation.c - reads contracts and the heads of suites: see by_operation.h. */
#define _GNU_SOURCE
#include "by_operation.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The first line of a file that has these words, from them on; NULL when there is none. To be
 * freed. */
static char *line_with(const char *file, const char *words)
{
    char *line = NULL, *found = NULL;
    size_t room = 0;
    FILE *from = fopen(file, "r");
    while (from && !found && getline(&line, &room, from) > 0) {
        const char *at = strstr(line, words);
        found = at ? strdup(at) : NULL;
    }
    if (from)
        fclose(from);
    free(line);
    return found;
}

static const char *name_of(const char *kernel_file)
{
    const char *slash = strrchr(kernel_file, '/');
    return slash ? slash + 1 : kernel_file;
}

bool reduces_array(const char *kernel_file)
{
    return strcmp(name_of(kernel_file), "reduce.cu") == 0;
}

bool counts_on_many(const char *kernel_file)
{
    return strcmp(name_of(kernel_file), "many.cu") == 0;
}

bool has_operation(const char *kernel_file)
{
    const char *name = name_of(kernel_file);
    char header[512];
    snprintf(header, sizeof header, "common/contract/%.*s.h", (int)strcspn(name, "."), name);
    char *line = line_with(header, "#include \"operation.h\"");
    free(line);
    return line != NULL;
}

void first_operation(const char *stem, char *operation, size_t size)
{
    static const char words[] = "Operations:";
    char suite[512];
    snprintf(suite, sizeof suite, "tests/%s.c", stem);
    char *line = line_with(suite, words);
    const char *begin = line ? line + strlen(words) : "";
    begin += strspn(begin, " ");
    const size_t length = strcspn(begin, " \n*.,");
    snprintf(operation, size, "%.*s", length > 0 ? (int)length : 5, length > 0 ? begin : "count");
    free(line);
}
