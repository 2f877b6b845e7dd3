/* gaps.c - follows comments and #if lines through a source, to find its gaps, or empty them. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "chapter.h"
#include "commands.h"
#include "util.h"

enum { NESTED = 32, SENTENCE = 1024 };

/* Where the search stands. */
struct search {
    const char *file;
    unsigned int line, bins;
    struct gaps *gaps;
    bool in_comment;  /* a comment of C is open */
    bool inside;      /* a gap is open, and this is known of it: */
    bool in_sentence; /* its sentence goes on */
    struct gap gap;
    char sentence[SENTENCE];
    unsigned int depth; /* of #if, and of each: the bins it asks for, or 0 */
    unsigned int asks_for[NESTED];
    bool in_else[NESTED];
};

/* The first thing that is wrong is kept. */
static void stop(struct search *s, const char *error)
{
    s->gaps->error = s->gaps->error ? s->gaps->error : error;
}

static void stop_without_end(struct search *s)
{
    stop(s, format("%s:%u: TODO(%u.%u) has no end", s->file, s->gap.line, s->gap.chapter,
                   s->gap.number));
}

/* Behind `//` or slash-star at the start of a line; NULL when there is none. */
static const char *comment_of(const char *line)
{
    line = skip_blanks(line);
    return line[0] == '/' && (line[1] == '/' || line[1] == '*') ? skip_blanks(line + 2) : NULL;
}

/* What follows the name "TODO(5.1)" that stands at `text`; NULL when none does. */
static const char *read_name(const char *text, struct gap *gap)
{
    int length = 0;
    *gap = (struct gap){.line = 0};
    return sscanf(text, "TODO(%u.%u)%n", &gap->chapter, &gap->number, &length) == 2 && length > 0
               ? text + length
               : NULL;
}

/* Whether the line holds anything but comments and blanks; follows comments over lines. */
static bool holds_code(struct search *s, const char *line)
{
    bool code = false;
    for (; *line; line++) {
        if (s->in_comment) {
            if (line[0] == '*' && line[1] == '/') {
                s->in_comment = false;
                line++;
            }
        } else if (line[0] == '/' && line[1] == '/') {
            return code;
        } else if (line[0] == '/' && line[1] == '*') {
            s->in_comment = true;
            line++;
        } else if (!isspace((unsigned char)*line)) {
            code = true;
        }
    }
    return code;
}

/* Adds a part of a sentence, without the end of a comment. */
static void add_words(struct search *s, const char *words)
{
    size_t used = strlen(s->sentence);
    const char *end = strstr(words, "*/");
    size_t length = end ? (size_t)(end - words) : strlen(words);
    while (length > 0 && isspace((unsigned char)words[length - 1]))
        length--;
    if (length > 0)
        snprintf(s->sentence + used, SENTENCE - used, "%s%.*s", used ? " " : "", (int)length,
                 words);
}

static void begin_gap(struct search *s, struct gap gap, const char *rest, bool block_comment)
{
    if (s->inside) {
        stop_without_end(s);
        return;
    }
    s->inside = s->in_sentence = true;
    s->gap = gap;
    s->gap.line = s->line;
    s->sentence[0] = '\0';
    s->in_comment = block_comment && !strstr(rest, "*/");
    add_words(s, skip_blanks(rest));
}

/* Whether an #if for another number of bins is around this line. */
static bool is_left_out(const struct search *s)
{
    for (unsigned int i = 0; i < s->depth && i < NESTED; i++)
        if (s->asks_for[i] && (s->asks_for[i] == s->bins) == s->in_else[i])
            return true;
    return false;
}

static void end_gap(struct search *s, struct gap gap)
{
    struct gaps *gaps = s->gaps;
    if (!s->inside || gap.chapter != s->gap.chapter || gap.number != s->gap.number) {
        stop(s, format("%s:%u: this end belongs to no gap", s->file, s->line));
        return;
    }
    s->inside = s->in_comment = false;
    s->gap.end = s->line;
    if (s->gap.code == 0)
        s->gap.code = s->line;
    if (is_left_out(s) || gaps->count == MOST_GAPS)
        return;
    s->gap.sentence = format("%s", s->sentence);
    gaps->all[gaps->count++] = s->gap;
    gaps->empty += !s->gap.filled;
}

/* The sentence of a gap goes on in comment lines whose words are set in. Returns whether this
 * line belonged to it. */
static bool continue_sentence(struct search *s, const char *line)
{
    const char *words = skip_blanks(line);
    bool line_comment = strncmp(words, "//  ", 4) == 0;
    if (!s->in_sentence || !(s->in_comment || line_comment))
        return false;
    if (line_comment)
        words = skip_blanks(words + 2);
    else if (words[0] == '*' && words[1] != '/')
        words = skip_blanks(words + 1);
    size_t before = strlen(s->sentence);
    add_words(s, words);
    s->in_sentence = strlen(s->sentence) > before;
    if (s->in_comment && strstr(line, "*/"))
        s->in_comment = false;
    return true;
}

/* #if BINS == 26, #else and #endif outside of gaps. */
static void follow_condition(struct search *s, const char *line)
{
    int end = 0;
    unsigned int asked = 0;
    line = skip_blanks(line);
    if (*line != '#' || s->depth >= NESTED)
        return;
    line = skip_blanks(line + 1);
    if (strncmp(line, "if", 2) == 0) {
        bool of_bins = sscanf(line, "if BINS == %u %n", &asked, &end) == 1 && !line[end];
        s->asks_for[s->depth] = of_bins && s->bins ? asked : 0;
        s->in_else[s->depth++] = false;
    } else if (strncmp(line, "else", 4) == 0 && s->depth) {
        s->in_else[s->depth - 1] = true;
    } else if (strncmp(line, "endif", 5) == 0 && s->depth) {
        s->depth--;
    }
}

/* Returns whether the stub has the line, too: it fills no gap. */
static bool take_line(struct search *s, const char *line)
{
    struct gap gap;
    const char *comment = comment_of(line), *rest;
    bool ends = comment && begins_with(comment, "end of ");
    if (!s->inside)
        follow_condition(s, line);
    if (ends && read_name(comment + 7, &gap)) {
        end_gap(s, gap);
    } else if (comment && (rest = read_name(comment, &gap)) && *rest == ':') {
        begin_gap(s, gap, rest + 1, skip_blanks(line)[1] == '*');
    } else if (s->inside && !continue_sentence(s, line)) {
        s->in_sentence = false;
        if (s->gap.code == 0)
            s->gap.code = s->line;
        s->gap.filled |= holds_code(s, line);
        return false;
    }
    return true;
}

/* Reads the file to its end, or to what is wrong; writes its stub to `out`, if that is not NULL. */
static void search_lines(struct search *s, FILE *out)
{
    char *line = NULL;
    size_t room = 0;
    FILE *source = open_file(s->file);
    if (!source) {
        stop(s, format("%s: %s", s->file, strerror(errno)));
        return;
    }
    while (!s->gaps->error && getline(&line, &room, source) >= 0) {
        s->line++;
        size_t end = strcspn(line, "\r\n");
        char ending[3] = "";
        memcpy(ending, line + end, strnlen(line + end, 2));
        line[end] = '\0';
        if (take_line(s, line) && out)
            fprintf(out, "%s%s", line, ending);
    }
    if (s->inside)
        stop_without_end(s);
    free(line);
    fclose(source);
}

struct gaps gaps_in(const char *file, unsigned int bins)
{
    struct gaps gaps = {.file = file};
    struct search s = {.file = file, .bins = bins, .gaps = &gaps};
    search_lines(&s, NULL);
    return gaps;
}

bool gaps_untouched(const struct gaps *gaps)
{
    return gaps->count > 0 && gaps->empty == gaps->count;
}

const struct gap *gaps_first(const struct gaps *gaps)
{
    for (unsigned int i = 0; i < gaps->count; i++)
        if (!gaps->all[i].filled)
            return &gaps->all[i];
    return NULL;
}

const char *gaps_write_stub(const char *solution, FILE *out)
{
    struct gaps gaps = {.count = 0};
    struct search s = {.file = solution, .gaps = &gaps};
    search_lines(&s, out);
    if (gaps.count == 0)
        stop(&s, format("%s: there is no gap in it, so it is no stub's solution", solution));
    return gaps.error;
}

static const char *sentence_of(const struct gaps *gaps, const struct gap *gap)
{
    return format("%s:%u: not done yet: TODO(%u.%u) %s", gaps->file, gap->line, gap->chapter,
                  gap->number, gap->sentence);
}

int gaps_print(const struct gaps *gaps, FILE *out)
{
    if (gaps->error) {
        fprintf(out, "%s\n", gaps->error);
        return 3;
    }
    for (unsigned int i = 0; i < gaps->count; i++)
        if (!gaps->all[i].filled)
            fprintf(out, "%s\n", sentence_of(gaps, &gaps->all[i]));
    return gaps->empty == 0 ? 0 : gaps->empty == gaps->count ? 2 : 1;
}

/* All gaps of a file for other programs, a line each: "5.1 23 29 31 empty", with its line, and the lines from the
 * first of which to before the other its code stands. */
static int print_all(const char *file)
{
    const struct gaps gaps = gaps_in(file, 0);
    if (gaps.error) {
        fprintf(stderr, "%s\n", gaps.error);
        return 3;
    }
    for (const struct gap *gap = gaps.all; gap < gaps.all + gaps.count; gap++)
        printf("%u.%u %u %u %u %s\n", gap->chapter, gap->number, gap->line, gap->code, gap->end,
               gap->filled ? "filled" : "empty");
    return 0;
}

static int print_stub(const char *solution)
{
    const char *error = gaps_write_stub(solution, stdout);
    if (error)
        fprintf(stderr, "%s\n", error);
    return error ? 3 : 0;
}

/* FILE [BINS] prints the gaps that are still empty; --stub SOLUTION its text with empty gaps; --all FILE all gaps. */
int gaps_command(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], "--stub") == 0)
        return print_stub(arguments[2]);
    if (count == 3 && strcmp(arguments[1], "--all") == 0)
        return print_all(arguments[2]);
    struct gaps gaps = gaps_in(arguments[1], count == 3 ? number_of(arguments[2]) : 0);
    return gaps_print(&gaps, stdout);
}
