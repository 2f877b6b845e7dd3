/* chapters.c - what proofs and the book ask of all chapters, as JSON. */
#include <string.h>

#include "chapter.h"
#include "commands.h"
#include "json.h"
#include "lesson.h"
#include "util.h"

static void put_operations(struct json *json, const char *member, const char *operations)
{
    json_array(json, member);
    for (const char **word = words_of(operations); *word; word++)
        json_text(json, NULL, *word);
    json_end(json);
}

static void put_hints(struct json *json, const struct lesson *lesson)
{
    json_array(json, "hints");
    for (size_t i = 0; i < lesson->hint_count; i++) {
        const struct hint *hint = &lesson->hints[i];
        json_object(json, NULL);
        json_text(json, "gap", format("%u.%u", hint->chapter, hint->gap));
        json_text(json, "step", hint_steps[hint->step]);
        json_array(json, "lines");
        json_count(json, NULL, hint->first + 1);
        json_count(json, NULL, hint->last);
        json_end(json);
        json_end(json);
    }
    json_end(json);
}

static void put_chapter(struct json *json, const struct chapter *chapter)
{
    struct lesson lesson;
    lesson_read(&lesson, chapter->lesson);
    json_object(json, NULL);
    json_text(json, "stem", chapter->stem);
    json_count(json, "part", chapter->part);
    json_truth(json, "ranks", is_for_ranks(chapter->file));
    put_operations(json, "operations", chapter->operations);
    put_operations(json, "exercise_operations", operations_of(format("further/%s", chapter->stem)));
    put_hints(json, &lesson);
    json_end(json);
}

/* --json [FOLDER]: all chapters in FOLDER, or chapters/. A file that is missing is null, or has
 * nothing in its lists. */
int chapters_command(int count, char **arguments)
{
    struct chapter *chapters;
    const size_t found = chapters_in(count == 3 ? arguments[2] : "chapters", &chapters);
    if (strcmp(arguments[1], "--json") != 0)
        fail(2, "usage: ladder chapters --json [FOLDER]");
    struct json json = {.to = stdout};
    json_array(&json, NULL);
    for (size_t i = 0; i < found; i++) {
        json_break(&json);
        put_chapter(&json, &chapters[i]);
    }
    json_end(&json);
    printf("\n");
    return 0;
}
