/* story_json.c - the trace as JSON, which the script of the page reads: all but its steps. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "story_steps.h"
#include "verify.h"

void story_pair(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\":", name);
    json_string(file, text);
}

static void write_source(FILE *file, const char *path)
{
    char *line = NULL;
    size_t room = 0;
    const char *comma = "";
    FILE *source = fopen(path, "r");
    fprintf(file, "\"source\":[");
    while (source && getline(&line, &room, source) > 0) {
        line[strcspn(line, "\n")] = '\0';
        fputs(comma, file);
        json_string(file, line);
        comma = ",\n";
    }
    free(line);
    if (source)
        fclose(source);
    fprintf(file, "],\n");
}

static void write_counts(FILE *file, const char *name, const unsigned int *counts)
{
    fprintf(file, "\"%s\":[", name);
    for (int bin = 0; bin < NUM_BINS; bin++)
        fprintf(file, "%s%u", bin ? "," : "", counts[bin]);
    fprintf(file, "],\n");
}

/* "a-f", "e", "'e'" or "200": the bytes of a bin. */
static void write_bins(FILE *file)
{
    unsigned short bin_of_byte[256];
    letters_in_bins(bin_of_byte);
    fprintf(file, "\"bins\":[");
    for (int bin = 0; bin < NUM_BINS; bin++) {
        int first = -1, last = -1;
        char name[16];
        for (int byte = 0; byte < 256; byte++)
            if (bin_of_byte[byte] == bin) {
                first = first < 0 ? byte : first;
                last = byte;
            }
        if (first < last)
            snprintf(name, sizeof name, "%c-%c", first, last);
        else if (NUM_BINS < 256 || (first > 32 && first < 127))
            snprintf(name, sizeof name, NUM_BINS < 256 ? "%c" : "'%c'", first);
        else
            snprintf(name, sizeof name, "%d", first);
        fputs(bin ? "," : "", file);
        json_string(file, name);
    }
    fprintf(file, "],\n");
}

static void write_launches(struct writer *w)
{
    fprintf(w->file, "\"launches\":[");
    for (size_t i = 0; i < w->r->launches; i++) {
        const struct recorded_launch *launch = &w->r->launch[i];
        const unsigned int *g = launch->shape.grid, *b = launch->shape.block;
        fprintf(w->file, "%s{", i ? ",\n" : "");
        story_pair(w->file, "kernel", launch->shape.kernel);
        fprintf(w->file, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%zu,\"metrics\":[",
                g[0], g[1], g[2], b[0], b[1], b[2],
                launch->shape.static_shared + launch->shape.dynamic_shared);
        for (size_t m = 0; !is_plain_c() && m < sim_metric_count(); m++) {
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
    fprintf(file, "},\n\"seed\":%llu,\"size\":%zu,\"input\":{", (unsigned long long)s->trial->seed,
            s->trial->length);
    story_pair(file, "what", s->input);
    fprintf(file, ",\"misalignment\":%zu,\"seed\":%llu,\"calls\":%u,\"blocks\":%u,",
            s->trial->misalignment, (unsigned long long)s->trial->seed, s->trial->calls,
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
    write_source(file, story->source);
    fprintf(file, "\"text\":");
    json_bytes(file, story->trial->text, story->trial->length);
    fprintf(file, ",\n");
    write_bins(file);
    write_counts(file, "counted", story->outcome->counted);
    write_counts(file, "expected", story->outcome->expected);
    write_launches(&w);
    story_arrays(&w);
    write_failure(&w);
    write_race(&w);
    size_t cut = story_steps(&w, most);
    fprintf(file, "\"cut\":%zu}\n", cut);
    return cut;
}
