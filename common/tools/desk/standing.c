/* standing.c - looks at the files of the chapters and at the record: see standing.h. */
#define _GNU_SOURCE
#include "standing.h"

#include <ctype.h>
#include <errno.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "gap_search.h"
#include "record.h"

const char *const standing_names[STANDING_STATES] = {"missing", "untouched", "in work",
                                                     "right, by another technique", "solved"};

/* FOLDER/CONTRACT.cu or .c, if there is such a file; NULL when there is none, or no memory. */
static char *file_of(const char *folder, const char *header)
{
    static const char *const languages[] = {"cu", "c"};
    char *name = NULL;
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++) {
        if (asprintf(&name, "%s/%.*s.%s", folder, (int)strcspn(header, "."), header, languages[i]) <
            0)
            return NULL;
        if (access(name, F_OK) == 0)
            return name;
        free(name);
    }
    return NULL;
}

/* The file in a folder that is named as a contract, as make finds it: see settings.mk. Where there
 * is none, the first that could be. */
static char *find_file(const char *folder)
{
    glob_t contracts = {.gl_pathc = 0};
    char *found = NULL;
    glob("common/contract/*.h", 0, NULL, &contracts);
    for (size_t i = 0; !found && i < contracts.gl_pathc; i++)
        found = file_of(folder, strrchr(contracts.gl_pathv[i], '/') + 1);
    globfree(&contracts);
    if (!found && asprintf(&found, "%s/histogram.cu", folder) < 0)
        return NULL;
    return found;
}

/* Sets the paths of a chapter. */
static void find_chapter(const char *folder, struct standing *chapter)
{
    char *inside = NULL, *file = NULL;
    if (asprintf(&inside, "%s/%s", folder, chapter->stem) >= 0)
        file = find_file(inside);
    snprintf(chapter->file, sizeof chapter->file, "%s", file ? file : "");
    snprintf(chapter->lesson, sizeof chapter->lesson, "docs/%s.md", chapter->stem);
    free(file);
    free(inside);
}

/* Whether the first line of the lesson, its title, says that the chapter is optional. */
static bool is_optional(const char *lesson)
{
    char title[256] = "";
    FILE *page = fopen(lesson, "r");
    if (!page)
        return false;
    bool any = fgets(title, sizeof title, page);
    fclose(page);
    return any && strstr(title, "(optional)");
}

/* What the gaps say. Returns false when that is all there is to say. */
static bool look_at_gaps(struct standing *chapter, unsigned int bins)
{
    struct gaps all = gaps_in(chapter->file, 0), wanted = gaps_in(chapter->file, bins);
    chapter->gaps = wanted.count;
    chapter->empty = wanted.empty;
    bool untouched = all.count > 0 && all.empty == all.count, fine = !all.error;
    if (all.error)
        snprintf(chapter->said, sizeof chapter->said, "%s", all.error);
    chapter->state = fine && untouched ? STANDING_UNTOUCHED : STANDING_IN_WORK;
    gaps_free(&all);
    gaps_free(&wanted);
    return fine && !untouched;
}

static void look_at_record(struct standing *chapter, uint64_t hash)
{
    struct record record = record_read(chapter->file);
    const struct verdict *best = record_best(&record, hash);
    chapter->verdicts = record.count;
    for (size_t i = 0; i < record.count; i++)
        chapter->solved_before |=
            record.verdicts[i].hash != hash && record.verdicts[i].outcome == OUTCOME_SOLVED;
    if (best && chapter->state == STANDING_IN_WORK) {
        chapter->judged = true;
        chapter->wrong = best->outcome == OUTCOME_WRONG;
        chapter->state = best->outcome == OUTCOME_SOLVED    ? STANDING_SOLVED
                         : best->outcome == OUTCOME_ANOTHER ? STANDING_ANOTHER
                                                            : STANDING_IN_WORK;
        snprintf(chapter->said, sizeof chapter->said, "%s", best->said);
    }
    record_free(&record);
}

void standing_look(const struct standings *standings, struct standing *chapter)
{
    struct stat seen;
    uint64_t hash = 0;
    find_chapter(standings->folder, chapter);
    chapter->number = (unsigned int)strtoul(chapter->stem, NULL, 10);
    chapter->optional = is_optional(chapter->lesson);
    chapter->state = STANDING_MISSING;
    chapter->gaps = chapter->empty = 0;
    chapter->judged = chapter->wrong = chapter->solved_before = false;
    chapter->verdicts = 0;
    chapter->when = 0;
    chapter->said[0] = '\0';
    if (stat(chapter->file, &seen) != 0 || !record_hash(chapter->file, &hash)) {
        snprintf(chapter->said, sizeof chapter->said, "%s", strerror(errno));
        return;
    }
    chapter->when = seen.st_mtime;
    bool go_on = look_at_gaps(chapter, standings->bins);
    if (seen.st_size == 0)
        snprintf(chapter->said, sizeof chapter->said, "the file is empty");
    look_at_record(chapter, hash);
    chapter->judged |= !go_on || seen.st_size == 0;
}

static int by_number(const void *one, const void *other)
{
    const struct standing *first = one, *second = other;
    if (first->number != second->number)
        return first->number < second->number ? -1 : 1;
    return strcmp(first->stem, second->stem);
}

struct standings standings_read(const char *folder, unsigned int bins)
{
    struct standings all = {.folder = folder, .bins = bins};
    char pattern[STANDING_PATH], suite[STANDING_PATH];
    glob_t found = {.gl_pathc = 0};
    snprintf(pattern, sizeof pattern, "%s/[0-9]*_*", folder);
    glob(pattern, 0, NULL, &found);
    all.chapters = calloc(found.gl_pathc + 1, sizeof *all.chapters);
    for (size_t i = 0; all.chapters && i < found.gl_pathc; i++) {
        const char *stem = strrchr(found.gl_pathv[i], '/') + 1;
        struct standing *chapter = &all.chapters[all.count];
        if (snprintf(suite, sizeof suite, "tests/%s.c", stem) >= (int)sizeof chapter->stem ||
            access(suite, F_OK) != 0)
            continue; /* a copy beside it, such as 05_backup */
        snprintf(chapter->stem, sizeof chapter->stem, "%s", stem);
        standing_look(&all, chapter);
        all.count++;
    }
    globfree(&found);
    if (all.count > 0)
        qsort(all.chapters, all.count, sizeof *all.chapters, by_number);
    return all;
}

void standings_free(struct standings *standings)
{
    free(standings->chapters);
    standings->chapters = NULL;
    standings->count = 0;
}

bool standing_is_open(const struct standing *chapter)
{
    return chapter->state == STANDING_IN_WORK && !chapter->judged && chapter->empty == 0;
}

struct standing *standings_current(const struct standings *standings)
{
    for (size_t i = 0; i < standings->count; i++) {
        struct standing *chapter = &standings->chapters[i];
        bool passed_over = chapter->optional && (chapter->state == STANDING_UNTOUCHED ||
                                                 chapter->state == STANDING_MISSING);
        if (chapter->state != STANDING_SOLVED && !passed_over)
            return chapter;
    }
    return NULL;
}

const char *standing_name(const struct standing *chapter)
{
    const char *bar = strchr(chapter->stem, '_');
    return bar ? bar + 1 : chapter->stem;
}
