/* judge_anew.c - runs make for chapters without a verdict: see judge_anew.h. */
#define _GNU_SOURCE
#include "judge_anew.h"

#include <stdio.h>

#include "by_operation.h"
#include "own_make.h"
#include "record.h"

static const char log_file[] = "build/progress/judged.out";

static void judge(const struct standings *standings, struct standing *chapter)
{
    char goal[32], bins[32], folder[STANDING_PATH];
    snprintf(goal, sizeof goal, "chapter%u", chapter->number);
    snprintf(bins, sizeof bins, "BINS=%u", standings->bins);
    snprintf(folder, sizeof folder, "CHAPTERS=%s", standings->folder);
    /* These bins are of texts; other chapters have a number of their own, or none. */
    if (has_operation(chapter->file))
        own_make((const char *const[]){goal, "test", folder, NULL}, log_file);
    else
        own_make((const char *const[]){goal, "test", bins, folder, NULL}, log_file);
    standing_look(standings, chapter);
    if (!standing_is_open(chapter))
        return;
    record_add(chapter->file, standings->bins, OUTCOME_UNBUILT, "it does not compile");
    standing_look(standings, chapter);
}

void judge_all_anew(struct standings *standings)
{
    unsigned int open = 0, number = 0;
    for (size_t i = 0; i < standings->count; i++)
        open += standing_is_open(&standings->chapters[i]);
    for (size_t i = 0; i < standings->count; i++) {
        struct standing *chapter = &standings->chapters[i];
        if (!standing_is_open(chapter))
            continue;
        fprintf(stderr, "judging %s, of which no verdict is kept (%u of %u)\n", chapter->file,
                ++number, open);
        judge(standings, chapter);
    }
}

struct standing *judge_to_current(struct standings *standings)
{
    struct standing *current;
    while ((current = standings_current(standings)) && standing_is_open(current) &&
           current->verdicts == 0) {
        fprintf(stderr, "judging %s, of which no verdict is kept\n", current->file);
        judge(standings, current);
        if (standing_is_open(current))
            break; /* nothing can be kept here */
    }
    return current;
}
