/* story_json.c - the trace as JSON, which the script of the page reads: all but its steps. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "story.h"

void story_pair(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\":", name);
    json_string(file, text);
}

/* Returns how many lines it has. */
static int write_lines(FILE *file, const char *path, const char *comma)
{
    char *line = NULL;
    size_t room = 0;
    int lines = 0;
    FILE *source = fopen(path, "r");
    while (source && getline(&line, &room, source) > 0) {
        line[strcspn(line, "\n")] = '\0';
        fputs(comma, file);
        json_string(file, line);
        comma = ",\n";
        lines++;
    }
    free(line);
    if (source)
        fclose(source);
    return lines;
}

static void write_source(struct writer *w)
{
    fprintf(w->file, "\"source\":[");
    w->lines = write_lines(w->file, w->story->source, "");
    if (w->other[0])
        write_lines(w->file, w->other, ",\n");
    fprintf(w->file, "],\n\"lines\":%d,", w->lines);
    story_pair(w->file, "other", w->other);
    fprintf(w->file, ",\n");
}

static void write_shape(FILE *file, const struct shape *shape)
{
    fprintf(file, "{\"bytes\":%zu,\"cell\":%zu,\"fields\":[", shape->bytes, shape->cell);
    for (size_t i = 0; i < shape->fields; i++) {
        static const char kinds[] = {
            [FIELD_UNSIGNED] = 'u', [FIELD_FLOAT] = 'f', [FIELD_LETTER] = 'c'};
        const struct field *field = &shape->field[i];
        fprintf(file, "%s[\"%s\",\"%c\",%u,%u]", i ? "," : "", field->name, kinds[field->type],
                field->from, field->bits);
    }
    fprintf(file, "]}");
}

/* What outputs there are: all their names, or those that differ from their numbers. */
static void write_outputs(struct writer *w)
{
    const struct traced_input *input = &w->story->trial->input;
    const size_t rows = input->batch > 0 ? input->batch : 1;
    fprintf(w->file, "\"shapes\":{\"input\":");
    write_shape(w->file, &w->r->of_input);
    fprintf(w->file, ",\"output\":");
    write_shape(w->file, &w->r->of_output);
    fprintf(w->file, "},\n\"unit\":\"%s\",\"outputs\":\"%s\",\"rows\":%zu,\"bins\":", traced.unit,
            traced.outputs, rows);
    if (!traced.name_output) {
        fprintf(w->file, "%zu,\n", input->outputs / rows);
        return;
    }
    for (size_t bin = 0; bin < input->outputs; bin++) {
        char name[32];
        traced.name_output(bin, name, sizeof name);
        fputc(bin ? ',' : '[', w->file);
        json_string(w->file, name);
    }
    fprintf(w->file, "],\n");
}

/* A number, "1,200", as one, of which a page can draw a share; other words as a string. */
static void write_said(FILE *file, const char *words)
{
    enum { MOST = 16 };
    if (!words[0] || strspn(words, "0123456789,") != strlen(words) || strlen(words) > MOST) {
        json_string(file, words);
        return;
    }
    for (; *words; words++)
        if (*words != ',')
            fputc(*words, file);
}

/* What outputs hold and should, of all, or of those that are wrong and some others. */
static void write_results(struct writer *w)
{
    enum { MOST = 1024, A_BIN = 128 };
    const struct traced_input *input = &w->story->trial->input;
    const unsigned char *held = w->story->outcome->held;
    char words[1024], said[2][A_BIN];
    bool *is_wrong = calloc(input->outputs + 1, sizeof *is_wrong);
    if (!is_wrong)
        abort();
    struct oracle *expected = traced_expect(input);
    const bool ended = w->story->outcome->kind == WRONG_BINS || w->story->outcome->miscounted;
    traced_wrong(expected, input, held, is_wrong, words, sizeof words);
    for (int part = 0; part < 2; part++) {
        fprintf(w->file, "\"%s\":[", part ? "counted" : "expected");
        for (size_t bin = 0; bin < input->outputs && bin < MOST; bin++) {
            traced_say(expected, bin, held, said[0], said[1], A_BIN);
            fputs(bin ? "," : "", w->file);
            write_said(w->file, said[part]);
        }
        fprintf(w->file, "],\n");
    }
    fprintf(w->file, "\"wrong\":[");
    const char *comma = "";
    for (size_t bin = 0; bin < input->outputs && ended; bin++)
        if (is_wrong[bin]) {
            fprintf(w->file, "%s%zu", comma, bin);
            comma = ",";
        }
    fprintf(w->file, "],\n");
    contract_forget(expected);
    free(is_wrong);
}

static void write_launches(struct writer *w)
{
    fprintf(w->file, "\"launches\":[");
    for (size_t i = 0; i < w->r->launches; i++) {
        const struct recorded_launch *launch = &w->r->launch[i];
        const unsigned int *g = launch->shape.grid, *b = launch->shape.block;
        fprintf(w->file, "%s{", i ? ",\n" : "");
        story_pair(w->file, "kernel", launch->shape.kernel);
        fprintf(w->file,
                ",\"device\":%u,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%zu,"
                "\"metrics\":[",
                launch->shape.device, g[0], g[1], g[2], b[0], b[1], b[2],
                launch->shape.static_shared + launch->shape.dynamic_shared);
        for (size_t m = 0; !traced_in_plain_c() && m < sim_metric_count(); m++) {
            fprintf(w->file, "%s{", m ? ",\n" : "");
            story_pair(w->file, "name", sim_metric(m).name);
            fputc(',', w->file);
            story_pair(w->file, "sentence", sim_metric(m).sentence);
            fprintf(w->file, ",\"value\":%llu}",
                    (unsigned long long)sim_metric_value(&launch->counters, m));
        }
        fprintf(w->file, "]}");
    }
    fprintf(w->file, "],\n");
}

static void write_race(struct writer *w)
{
    if (!w->r->race.found) {
        fprintf(w->file, "\"race\":null,\n");
        return;
    }
    struct told_race told = story_race(w->r, w->story->outcome->miscounted);
    fprintf(w->file, "\"race\":{");
    story_pair(w->file, "words", w->story->outcome->words);
    fputc(',', w->file);
    story_pair(w->file, "element", w->r->race.element);
    fprintf(w->file, ",\"first\":%ld,\"second\":%ld,", told.first, told.second);
    if (told.second >= 0 && w->r->step[told.second].array >= 0) {
        const int array = w->r->step[told.second].array;
        fprintf(w->file, "\"where\":{\"a\":%d,\"i\":%lld},", array,
                story_index(w, array, w->r->race.race.address));
    }
    story_pair(w->file, "lost", told.lost);
    fprintf(w->file, "},\n");
}

static void write_failure(struct writer *w)
{
    static const char *const kinds[] = {[WRONG_BINS] = "bins",
                                        [REPORTED] = "report",
                                        [REFUSED] = "stopped",
                                        [CRASHED] = "crash",
                                        [ENDLESS] = "endless"};
    const struct outcome *outcome = w->story->outcome;
    if (outcome->kind == RIGHT) {
        fprintf(w->file, "\"failure\":null,\n");
        return;
    }
    long step = w->r->race.found              ? story_race(w->r, outcome->miscounted).second
                : outcome->kind == WRONG_BINS ? -1
                                              : (long)w->r->steps - 1;
    fprintf(w->file, "\"failure\":{\"kind\":\"%s\",\"step\":%ld,", kinds[outcome->kind], step);
    story_pair(w->file, "check", outcome->check);
    fputc(',', w->file);
    story_pair(w->file, "words", outcome->words);
    fputc(',', w->file);
    story_pair(w->file, "shrunk", w->story->shrunk);
    fprintf(w->file, "},\n");
}

static void write_head(struct writer *w)
{
    const struct story *s = w->story;
    FILE *file = w->file;
    fprintf(file, "{\"title\":\"chapter %s, %s\",", s->number, s->name);
    story_pair(file, "file", s->source);
    fputs(",\n", file);
    story_pair(file, "command", s->command);
    fprintf(file, ",\n\"outcome\":{\"right\":%s,\"another\":%s,", s->right ? "true" : "false",
            s->another ? "true" : "false");
    story_pair(file, "words", s->words);
    const struct traced_input *input = &s->trial->input;
    fprintf(file, "},\n\"seed\":%llu,\"size\":%zu,\"devices\":%u,\"input\":{",
            (unsigned long long)s->trial->seed, input->length, input->devices);
    story_pair(file, "what", s->input);
    fprintf(file, ",\"misalignment\":%zu,\"seed\":%llu,\"calls\":%u,\"blocks\":%u,",
            input->misalignment, (unsigned long long)s->trial->seed, input->calls,
            s->trial->blocks);
    story_pair(file, "file", s->text_file);
    fputc(',', file);
    story_pair(file, "profile", s->profile);
    fputc(',', file);
    story_pair(file, "note", s->note);
    fprintf(file, "},\n");
}

size_t story_write(const struct story *story, size_t most, FILE *file)
{
    static struct writer w;
    w = (struct writer){.story = story, .r = story->recording, .file = file};
    write_head(&w);
    story_find_other(&w);
    write_source(&w);
    fprintf(file, "\"text\":");
    json_bytes(file, story->trial->input.units,
               traced.counts_text ? story->trial->input.length : 0);
    fprintf(file, ",\n");
    write_outputs(&w);
    write_results(&w);
    write_launches(&w);
    story_arrays(&w);
    write_failure(&w);
    write_race(&w);
    size_t cut = story_steps(&w, most);
    fprintf(file, "\"cut\":%zu}\n", cut);
    return cut;
}
