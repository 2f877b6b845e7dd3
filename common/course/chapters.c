/* chapters.c - what is known of all chapters, as JSON: for the book, grades, proofs. */
#include <string.h>

#include "chapter.h"
#include "commands.h"
#include "json.h"
#include "lesson.h"
#include "util.h"

/* What the suite's first line says: "right, and each update is an atomic". */
static const char *technique_of(const char *suite)
{
    struct lines in = lines_of(suite);
    const char *dash = next_line(&in) ? strstr(in.line, " - ") : NULL;
    end_lines(&in);
    return dash ? dash + 3 : NULL;
}

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

static void put_question(struct json *json, const struct question *question)
{
    json_object(json, NULL);
    json_count(json, "number", question->number);
    json_text(json, "words", question->words);
    json_array(json, "counts");
    for (size_t i = 0; i < question->count_count; i++) {
        json_object(json, NULL);
        json_text(json, "label", question->counts[i].label);
        json_text(json, "sum", question->counts[i].sum);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void put_lesson(struct json *json, const struct lesson *lesson)
{
    json_text(json, "title", lesson->title);
    json_text(json, "afterwards", lesson->afterwards);
    json_count(json, "minutes", lesson->minutes);
    json_truth(json, "optional", lesson->optional);
    put_hints(json, lesson);
    json_array(json, "questions");
    const struct questions questions = questions_of(lesson);
    for (size_t i = 0; i < questions.count; i++)
        put_question(json, &questions.all[i]);
    json_end(json);
}

static void put_chapter(struct json *json, const struct chapter *chapter)
{
    struct lesson lesson;
    const struct gaps gaps = gaps_in(chapter->file, 0);
    lesson_read(&lesson, chapter->lesson);
    json_object(json, NULL);
    json_count(json, "number", chapter->number);
    json_count(json, "part", chapter->part);
    json_text(json, "stem", chapter->stem);
    json_text(json, "name", chapter->name);
    json_text(json, "contract", chapter->contract.name);
    json_text(json, "file", chapter->file);
    json_text(json, "solution", exists(chapter->solution) ? chapter->solution : NULL);
    json_text(json, "lesson", chapter->lesson);
    json_text(json, "suite", chapter->suite);
    json_text(json, "exercise", exists(chapter->exercise) ? chapter->exercise : NULL);
    json_text(json, "technique", technique_of(chapter->suite));
    json_truth(json, "ranks", is_for_ranks(chapter->file));
    put_operations(json, "operations", chapter->operations);
    put_operations(json, "exercise_operations", operations_of(format("further/%s", chapter->stem)));
    gaps_put(json, &gaps);
    put_lesson(json, &lesson);
    json_end(json);
}

/* --json [FOLDER]: all chapters in FOLDER, or chapters/. A file that is missing is null, or has
 * nothing in its lists. */
int chapters_command(int count, char **arguments)
{
    struct chapter *chapters;
    const size_t found = chapters_of(count == 3 ? arguments[2] : "chapters", &chapters);
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
