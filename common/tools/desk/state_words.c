/* state_words.c - says how far a student is: see state_words.h. */
#include "state_words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "by_operation.h"

/* What there is to say of a file that is in work. */
static void more_of_work(const struct standing *chapter, char *words, size_t size)
{
    const char *before = chapter->solved_before ? "; once solved" : "";
    if (chapter->empty > 0)
        snprintf(words, size, ", %u of %u gaps empty%s", chapter->empty, chapter->gaps, before);
    else if (chapter->wrong)
        snprintf(words, size, ", wrong%s",
                 chapter->solved_before ? "; an earlier one was right" : "");
    else if (chapter->said[0] && !strchr(chapter->said, ':'))
        snprintf(words, size, ": %s%s", chapter->said, before);
    else
        snprintf(words, size, "%s", before);
}

void state_words(const struct standing *chapter, char *words, size_t size)
{
    char more[STANDING_SAID + 64] = "";
    if (chapter->state == STANDING_IN_WORK)
        more_of_work(chapter, more, sizeof more);
    else if (chapter->state == STANDING_MISSING)
        snprintf(more, sizeof more, ": %s", chapter->said);
    else if (chapter->optional && chapter->state == STANDING_UNTOUCHED)
        snprintf(more, sizeof more, " (optional)");
    snprintf(words, size, "%s%s", standing_names[chapter->state], more);
}

void settings_words(const struct standings *standings, const struct standing *chapter, char *words,
                    size_t size)
{
    char bins[24] = "";
    if (standings->bins != 5 && !has_operation(chapter->file))
        snprintf(bins, sizeof bins, " BINS=%u", standings->bins);
    bool usual = strcmp(standings->folder, "chapters") == 0;
    snprintf(words, size, "%s%s%s", bins,
             usual ? "" : " CHAPTERS=", usual ? "" : standings->folder);
}

int state_no_chapter(const char *folder)
{
    struct stat seen;
    bool there = stat(folder, &seen) == 0;
    fprintf(stderr, "%s: %s\n", folder,
            !there                  ? "there is no such folder"
            : S_ISDIR(seen.st_mode) ? "there is no chapter in it, no folder like NN_name that "
                                      "has a suite in tests/"
                                    : "this is no folder");
    return 1;
}

int state_asked(int count, char **arguments, struct standings *standings)
{
    if (count != 3) {
        const char *slash = strrchr(arguments[0], '/');
        fprintf(stderr, "usage: %s FOLDER BINS\n", slash ? slash + 1 : arguments[0]);
        return 2;
    }
    *standings = standings_read(arguments[1], (unsigned int)strtoul(arguments[2], NULL, 10));
    return standings->count == 0 ? state_no_chapter(arguments[1]) : 0;
}
