/* story_json.c - the trace as JSON: what the script of the page reads.
 *
 * Most steps are alike, so lists that a formula gives are left to the page: "s" in place of "i" for
 * indexes at equal distances, one number for values that are all the same. */
#include <stdlib.h>
#include <string.h>

#include "json.h"
#include "story.h"
#include "verify.h"

/* What the page is made of, and how far it is. */
struct writer {
    const struct story *story;
    const struct recording *r;
    FILE *file;
    size_t element[MOST_ARRAYS]; /* bytes of an element, as the page sees it */
};

static void write_pair(FILE *file, const char *name, const char *text)
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
    verify_bins_of_bytes(bin_of_byte);
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
        write_pair(w->file, "kernel", launch->shape.kernel);
        fprintf(w->file, ",\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%zu,\"metrics\":[",
                g[0], g[1], g[2], b[0], b[1], b[2],
                launch->shape.static_shared + launch->shape.dynamic_shared);
        for (size_t m = 0; !is_plain_c() && m < sim_metric_count(); m++) {
            fprintf(w->file, "%s{", m ? ",\n" : "");
            write_pair(w->file, "name", sim_metric(m).name);
            fputc(',', w->file);
            write_pair(w->file, "sentence", sim_metric(m).sentence);
            fprintf(w->file, ",\"value\":%llu}",
                    (unsigned long long)sim_metric_value(&launch->counters, m));
        }
        fprintf(w->file, "]}");
    }
    fprintf(w->file, "],\n");
}

static unsigned long long element_at(const unsigned char *memory, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, memory, bytes > sizeof value ? sizeof value : bytes);
    return value;
}

/* An element is as narrow as the narrowest access: a word may be used byte by byte. */
static void find_elements(struct writer *w)
{
    for (size_t i = 0; i < w->r->arrays; i++)
        w->element[i] = w->r->array[i].element;
    for (size_t i = 0; i < w->r->steps; i++) {
        const struct recorded_step *step = &w->r->step[i];
        if (step->array >= 0 && step->bytes < w->element[step->array])
            w->element[step->array] = step->bytes;
    }
}

static void write_initial(FILE *file, const struct recorded_array *array, size_t element)
{
    fprintf(file, ",\"initial\":");
    if (!array->has_initial) {
        fprintf(file, "null");
        return;
    }
    fputc('[', file);
    for (size_t at = 0; at + element <= array->bytes; at += element)
        fprintf(file, "%s%llu", at ? "," : "", element_at(array->initial + at, element));
    fputc(']', file);
}

static void write_arrays(struct writer *w)
{
    enum { SECTOR = 32, BANK = 4, BANKS = 32 };
    fprintf(w->file, "\"arrays\":[");
    for (size_t i = 0; i < w->r->arrays; i++) {
        const struct recorded_array *array = &w->r->array[i];
        const size_t element = w->element[i];
        bool shared = array->space == SIM_SHARED;
        fprintf(w->file, "%s{", i ? ",\n" : "");
        write_pair(w->file, "name", array->name);
        fprintf(w->file,
                ",\"space\":\"%s\",\"block\":%d,\"bytes\":%zu,\"count\":%zu,\"row\":%zu,"
                "\"sector0\":%d,\"bank0\":%d",
                shared ? "shared" : "global", shared ? (int)array->block : -1, element,
                array->bytes / element, array->row * (array->element / element),
                (int)(array->base % SECTOR), (int)(array->base / BANK % BANKS));
        if (array->is_text)
            fprintf(w->file, ",\"content\":\"text\"");
        else if (array->is_bins)
            fprintf(w->file, ",\"content\":\"bins\"");
        if (!array->is_text)
            write_initial(w->file, array, element);
        fputc('}', w->file);
    }
    fprintf(w->file, "],\n");
}

/* The line of an instruction in the kernel's file; 0 when it is in another. */
static int line_of(const struct writer *w, uintptr_t pc)
{
    char place[600];
    size_t length = strlen(w->story->source);
    if (!pc)
        return 0;
    sim_locate(pc, place, sizeof place);
    return strncmp(place, w->story->source, length) == 0 && place[length] == ':'
               ? atoi(place + length + 1)
               : 0;
}

static bool is_returning(const struct recording *r, const struct recorded_step *step)
{
    for (size_t i = 0; i < r->sites; i++)
        if (r->site[i].pc == step->pc && r->site[i].launch == step->launch)
            return r->site[i].returns;
    return false;
}

static long long index_of(const struct recorded_array *array, size_t element, uintptr_t address)
{
    long long distance = (long long)(address - array->base), size = (long long)element;
    return distance < 0 ? -((size - 1 - distance) / size) : distance / size;
}

static void write_indexes(FILE *file, const struct recorded_step *step,
                          const struct recorded_array *array, size_t element)
{
    long long index[LANES], stride = 0;
    size_t count = 0;
    bool even = true;
    for (int lane = 0; lane < LANES; lane++)
        if (step->active >> lane & 1)
            index[count++] = index_of(array, element, step->address[lane]);
    stride = count > 1 ? index[1] - index[0] : 0;
    for (size_t i = 1; i < count; i++)
        even &= index[i] - index[i - 1] == stride;
    if (even) {
        fprintf(file, ",\"s\":[%lld,%lld]", index[0], stride);
        return;
    }
    fprintf(file, ",\"i\":[");
    for (size_t i = 0; i < count; i++)
        fprintf(file, "%s%lld", i ? "," : "", index[i]);
    fputc(']', file);
}

/* One lane's value: a number, or the elements of a wide access. */
static void write_value(FILE *file, const uint64_t value[2], size_t bytes, size_t element)
{
    if (bytes <= element || element > 8) {
        fprintf(file, "%llu", (unsigned long long)value[0]);
        return;
    }
    fputc('[', file);
    for (size_t at = 0; at < bytes && at < 16; at += element)
        fprintf(file, "%s%llu", at ? "," : "",
                element_at((const unsigned char *)value + at, element));
    fputc(']', file);
}

static void write_values(FILE *file, const char *name, const struct recorded_step *step,
                         const uint64_t value[LANES][2], size_t element)
{
    const unsigned int first = (unsigned int)__builtin_ctz(step->active);
    const char *comma = "";
    bool same = true;
    for (int lane = 0; lane < LANES; lane++)
        same &= !(step->active >> lane & 1) || memcmp(value[lane], value[first], 16) == 0;
    fprintf(file, ",\"%s\":", name);
    if (same && step->bytes <= element) {
        write_value(file, value[first], step->bytes, element);
        return;
    }
    fputc('[', file);
    for (int lane = 0; lane < LANES; lane++)
        if (step->active >> lane & 1) {
            fputs(comma, file);
            write_value(file, value[lane], step->bytes, element);
            comma = ",";
        }
    fputc(']', file);
}

static void write_access(struct writer *w, const struct recorded_step *step, bool returns)
{
    const struct recorded_array *array = step->array < 0 ? NULL : &w->r->array[step->array];
    const size_t element = array ? w->element[step->array] : step->bytes;
    const unsigned int cost = returns ? step->used : step->unused;
    fprintf(w->file, ",\"z\":%u,\"c\":%u", step->bytes, cost);
    if (array && array->space == SIM_SHARED && cost > step->least)
        fprintf(w->file, ",\"k\":%u", cost - step->least);
    if (step->loads > 0)
        fprintf(w->file, ",\"x\":%u,\"kx\":%u", step->loads, step->loads - step->least_loads);
    if (!array)
        return;
    write_indexes(w->file, step, array, element);
    if (!step->carried_out || (array->is_text && step->what == LOADED))
        return;
    write_values(w->file, "v", step, step->what == LOADED ? step->before : step->after, element);
    if (step->what == ATOMIC)
        write_values(w->file, "r", step, step->before, element);
}

/* What a warp intrinsic is to the page. */
static const char *kind_of_collective(const char *name)
{
    return strstr(name, "shfl")     ? "shfl"
           : strstr(name, "match")  ? "match"
           : strstr(name, "reduce") ? "reduce"
           : strstr(name, "warp")   ? "sync"
                                    : "vote";
}

static void write_step(struct writer *w, const struct recorded_step *step)
{
    static const char *const names[] = {
        [LOADED] = "ld", [STORED] = "st", [REDUCED] = "red", [BARRIER] = "bar", [ENDED] = "end"};
    const bool returns = step->what == ATOMIC && is_returning(w->r, step);
    const bool shared = step->array >= 0 && w->r->array[step->array].space == SIM_SHARED;
    const char *name = step->what == COLLECTIVE ? kind_of_collective(step->name)
                       : step->what != ATOMIC   ? names[step->what]
                       : shared || returns      ? "atom"
                                                : "red";
    fprintf(w->file, "{\"l\":%u,\"b\":%u,\"w\":%u,\"n\":%d,\"o\":\"%s\",\"a\":%d,\"m\":%lu",
            step->launch, step->block, step->warp, line_of(w, step->pc), name, step->array,
            (unsigned long)step->active);
    if (step->what <= ATOMIC)
        write_access(w, step, returns);
    if (step->what == COLLECTIVE) {
        fprintf(w->file, ",\"f\":\"%s\"", step->name);
        write_values(w->file, "v", step, step->after, 8);
        write_values(w->file, "r", step, step->before, 8);
    }
    fputc('}', w->file);
}

static size_t write_steps(struct writer *w, size_t most)
{
    size_t i = 0;
    fprintf(w->file, "\"steps\":[");
    for (; i < w->r->steps && (size_t)ftell(w->file) < most; i++) {
        fputs(i ? ",\n" : "\n", w->file);
        write_step(w, &w->r->step[i]);
    }
    fprintf(w->file, "],\n");
    return w->r->steps - i + w->r->more;
}

static void write_race(struct writer *w)
{
    if (!w->r->race.found) {
        fprintf(w->file, "\"race\":null,\n");
        return;
    }
    struct told_race told = story_race(w->r);
    fprintf(w->file, "\"race\":{");
    write_pair(w->file, "words", w->story->outcome->words);
    fputc(',', w->file);
    write_pair(w->file, "element", w->r->race.element);
    fprintf(w->file, ",\"first\":%ld,\"second\":%ld,", told.first, told.second);
    if (told.second >= 0 && w->r->step[told.second].array >= 0) {
        const int array = w->r->step[told.second].array;
        fprintf(w->file, "\"where\":{\"a\":%d,\"i\":%lld},", array,
                index_of(&w->r->array[array], w->element[array], w->r->race.race.address));
    }
    write_pair(w->file, "lost", told.lost);
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
    long step = w->r->race.found              ? story_race(w->r).second
                : outcome->kind == WRONG_BINS ? -1
                                              : (long)w->r->steps - 1;
    fprintf(w->file, "\"failure\":{\"kind\":\"%s\",\"step\":%ld,", kinds[outcome->kind], step);
    write_pair(w->file, "check", outcome->check);
    fputc(',', w->file);
    write_pair(w->file, "words", outcome->words);
    fputc(',', w->file);
    write_pair(w->file, "shrunk", w->story->shrunk);
    fprintf(w->file, "},\n");
}

static void write_head(struct writer *w)
{
    const struct story *s = w->story;
    FILE *file = w->file;
    fprintf(file, "{\"title\":\"chapter %s, %s\",", s->number, s->name);
    write_pair(file, "file", s->source);
    fputs(",\n", file);
    write_pair(file, "command", s->command);
    fprintf(file, ",\n\"outcome\":{\"right\":%s,\"another\":%s,", s->right ? "true" : "false",
            s->another ? "true" : "false");
    write_pair(file, "words", s->words);
    fprintf(file, "},\n\"seed\":%llu,\"size\":%zu,\"input\":{", (unsigned long long)s->trial->seed,
            s->trial->length);
    write_pair(file, "what", s->input);
    fprintf(file, ",\"misalignment\":%zu,\"seed\":%llu,\"calls\":%u,\"blocks\":%u,",
            s->trial->misalignment, (unsigned long long)s->trial->seed, s->trial->calls,
            s->trial->blocks);
    write_pair(file, "file", s->text_file);
    fputc(',', file);
    write_pair(file, "profile", s->profile);
    fputc(',', file);
    write_pair(file, "note", s->note);
    fprintf(file, "},\n");
}

size_t story_write(const struct story *story, size_t most, FILE *file)
{
    static struct writer w;
    w = (struct writer){.story = story, .r = story->recording, .file = file};
    find_elements(&w);
    write_head(&w);
    write_source(file, story->source);
    fprintf(file, "\"text\":");
    json_bytes(file, story->trial->text, story->trial->length);
    fprintf(file, ",\n");
    write_bins(file);
    write_counts(file, "counted", story->outcome->counted);
    write_counts(file, "expected", story->outcome->expected);
    write_failure(&w);
    write_race(&w);
    write_launches(&w);
    write_arrays(&w);
    size_t cut = write_steps(&w, most);
    fprintf(file, "\"cut\":%zu}\n", cut);
    return cut;
}
