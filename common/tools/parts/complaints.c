/* complaints.c - looks for complaints in what a test printed: see complaints.h. */
#define _GNU_SOURCE
#include "complaints.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool complaint_of_simulator(const char *file, char *sentence, size_t size)
{
    char *line = NULL, headline[256] = "", place[512] = "";
    size_t room = 0;
    FILE *said = fopen(file, "r");
    while (said && !place[0] && getline(&line, &room, said) > 0) {
        if (!headline[0] && sscanf(line, "========= Error: %255[^\n]", headline) != 1)
            sscanf(line, "========= %255[^\n]", headline);
        else if (strncmp(line, "=========     at ", 17) == 0 && strstr(line, " in "))
            sscanf(strstr(line, " in ") + 4, "%511[^\n]", place);
    }
    free(line);
    if (said)
        fclose(said);
    snprintf(sentence, size, "%s%s%s", place, place[0] ? ": " : "", headline);
    return headline[0];
}

bool complaint_in(const char *file, const char *source, char *sentence, size_t size)
{
    char *line = NULL;
    size_t room = 0, length = strlen(source);
    bool found = false;
    FILE *said = fopen(file, "r");
    while (said && !found && getline(&line, &room, said) > 0)
        found = strncmp(line, source, length) == 0 && line[length] == ':' &&
                line[length + 1] >= '0' && line[length + 1] <= '9';
    if (found)
        snprintf(sentence, size, "%.*s", (int)strcspn(line, "\n"), line);
    free(line);
    if (said)
        fclose(said);
    return found;
}
