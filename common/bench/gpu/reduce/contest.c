/* contest.c - finds chapters and libraries that reduce. */
#include "contest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "entrants.h"

/* The chapter that is linked in, where one is. */
__attribute__((weak)) void reduce(const value_t *d_values, size_t length, value_t *d_result);

void contest_add(struct contest *contest, const char *name, reduction *run, bool is_library)
{
    if (contest->count == MOST_CONTESTANTS) {
        fprintf(stderr, "gpu: at most %d implementations can be timed at once\n",
                (int)MOST_CONTESTANTS);
        exit(1);
    }
    struct contestant *who = &contest->who[contest->count++];
    snprintf(who->name, sizeof who->name, "%s", name);
    who->run = run;
    who->is_library = is_library;
}

/* Adds those of rivals.h that are there. Returns whether it is a library of rivals at all. */
static bool add_rivals(struct contest *contest, void *library)
{
    static const struct {
        const char *function, *name;
    } rivals[] = {{"cub_reduce", "cub DeviceReduce"},
                  {"thrust_reduce", "thrust reduce"},
                  {"cub_gpu_to_gpu", "cub gpu-to-gpu"},
                  {"cub_not_guaranteed", "cub not guaranteed"}};
    const char *version, *other_version;
    entrant_function(library, "libraries_version", &version);
    entrant_function(library, "gpu_to_gpu_version", &other_version);
    for (size_t i = 0; i < sizeof rivals / sizeof *rivals; i++) {
        reduction *run;
        entrant_function(library, rivals[i].function, &run);
        if (run)
            contest_add(contest, rivals[i].name, run, true);
    }
    return version || other_version;
}

void contest_add_libraries(struct contest *contest, char *const *paths, int count)
{
    if (reduce)
        contest_add(contest, "this kernel", reduce, false);
    for (int i = 0; i < count; i++) {
        char name[64];
        reduction *chapter;
        void *library = entrant_library(paths[i]);
        entrant_function(library, "reduce", &chapter);
        if (chapter) {
            entrant_chapter(paths[i], OPERATION_NAME, name, sizeof name);
            contest_add(contest, name, chapter, false);
        } else if (!add_rivals(contest, library)) {
            fprintf(stderr, "gpu: %s: there is no reduce() in it\n", paths[i]);
            exit(1);
        }
    }
}
