/* chapters.c - what is known of all chapters, as JSON: for the book, grades, proofs. */
#include <string.h>

#include "chapter.h"
#include "commands.h"
#include "lesson.h"
#include "util.h"

/* A string of JSON, or null. */
static void put(const char *name, const char *text)
{
    printf("\"%s\": ", name);
    if (text)
        put_json(text, stdout);
    else
        printf("null");
}

/* A string as a member among others. */
static void put_member(const char *name, const char *text)
{
    put(name, text);
    printf(", ");
}

/* What the suite's first line says: "right, and each update is an atomic". */
static const char *technique_of(const char *suite)
{
    struct lines in = lines_of(suite);
    const char *dash = next_line(&in) ? strstr(in.line, " - ") : NULL;
    end_lines(&in);
    return dash ? dash + 3 : NULL;
}

static void put_operations(const char *operations)
{
    const char *between = "";
    printf("\"operations\": [");
    for (const char *word = operations; *word; word += strspn(word, " ")) {
        const int length = (int)strcspn(word, " ");
        printf("%s\"%.*s\"", between, length, word);
        word += length;
        between = ", ";
    }
    printf("], ");
}

static void put_gaps(const char *file)
{
    const struct gaps gaps = gaps_in(file, 0);
    printf("\"gaps\": [");
    for (unsigned int i = 0; i < gaps.count; i++) {
        const struct gap *gap = &gaps.all[i];
        printf("%s{\"name\": \"%u.%u\", \"line\": %u, \"filled\": %s, ", i > 0 ? ", " : "",
               gap->chapter, gap->number, gap->line, gap->filled ? "true" : "false");
        put("sentence", gap->sentence);
        printf("}");
    }
    printf("], ");
}

static void put_lesson(const struct lesson *lesson)
{
    put_member("title", lesson->title);
    put_member("afterwards", lesson->afterwards);
    printf("\"minutes\": %u, \"optional\": %s, \"hints\": [", lesson->minutes,
           lesson->optional ? "true" : "false");
    for (size_t i = 0; i < lesson->hint_count; i++) {
        const struct hint *hint = &lesson->hints[i];
        printf("%s{\"gap\": \"%u.%u\", \"step\": \"%s\", \"lines\": [%zu, %zu]}", i > 0 ? ", " : "",
               hint->chapter, hint->gap, hint_steps[hint->step], hint->first + 1, hint->last);
    }
    printf("], \"questions\": [");
    const struct questions questions = questions_of(lesson);
    for (size_t i = 0; i < questions.count; i++) {
        printf("%s{\"number\": %u, ", i > 0 ? ", " : "", questions.all[i].number);
        put("words", questions.all[i].words);
        printf(", \"counts\": [");
        for (size_t j = 0; j < questions.all[i].count_count; j++) {
            const struct question_count *count = &questions.all[i].counts[j];
            printf("%s{", j > 0 ? ", " : "");
            put_member("label", count->label);
            put("sum", count->sum);
            printf("}");
        }
        printf("]}");
    }
    printf("]");
}

static void put_chapter(const struct chapter *chapter)
{
    struct lesson lesson;
    lesson_read(&lesson, chapter->lesson);
    printf("{\"number\": %u, \"part\": %u, ", chapter->number, chapter->part);
    put_member("stem", chapter->stem);
    put_member("name", chapter->name);
    put_member("contract", chapter->contract.name);
    put_member("file", chapter->file);
    put_member("solution", exists(chapter->solution) ? chapter->solution : NULL);
    put_member("lesson", chapter->lesson);
    put_member("suite", chapter->suite);
    put_member("exercise", exists(chapter->exercise) ? chapter->exercise : NULL);
    put_member("technique", technique_of(chapter->suite));
    put_operations(chapter->operations);
    put_gaps(chapter->file);
    put_lesson(&lesson);
    printf("}");
}

/* --json [FOLDER]: all chapters in FOLDER, or chapters/. A file that is missing is null, or has
 * nothing in its lists. */
int chapters_command(int count, char **arguments)
{
    struct chapter *chapters;
    const size_t found = chapters_of(count == 3 ? arguments[2] : "chapters", &chapters);
    if (strcmp(arguments[1], "--json") != 0)
        fail(2, "usage: ladder chapters --json [FOLDER]");
    printf("[");
    for (size_t i = 0; i < found; i++) {
        printf("%s", i > 0 ? ",\n " : "");
        put_chapter(&chapters[i]);
    }
    printf("]\n");
    return 0;
}
