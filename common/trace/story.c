/* story.c - the trace as JSON, which the script of the page reads.
 *
 * Most steps are alike, so lists that a formula gives are left to the page: "s" in place of "i" for
 * indexes at equal distances, one number for values that are all the same. */
#include "trace.h"

#include <stdlib.h>
#include <string.h>

#include "contract.h"
#include "json.h"
#include "util.h"

/* What the page is made of, and how far it is. */
struct writer {
    const struct story *story;
    const struct recording *r;
    FILE *file;
    size_t element[MOST_ARRAYS]; /* bytes of an element, as the page sees it */
    char other[256]; /* a file that the kernel's includes, where most other steps are; or "" */
    int lines;       /* of the kernel's file; those of the other one follow */
};

/* "name":"text" */
static void put_pair(FILE *file, const char *name, const char *text)
{
    fprintf(file, "\"%s\":", name);
    put_json(text, file);
}

static unsigned long long element_at(const unsigned char *memory, size_t bytes)
{
    uint64_t value = 0;
    memcpy(&value, memory, bytes > sizeof value ? sizeof value : bytes);
    return value;
}

/* An element of the page is as narrow as the narrowest access: a word may be used byte by byte. */
static void find_elements(struct writer *w)
{
    for (size_t i = 0; i < w->r->arrays; i++) {
        const struct shape *shape = recording_shape(w->r, (int)i);
        w->element[i] = w->r->array[i].element;
        if (shape && shape->cell < w->element[i])
            w->element[i] = shape->cell;
    }
    for (size_t i = 0; i < w->r->steps; i++) {
        const struct recorded_step *step = &w->r->step[i];
        if (step->array >= 0 && step->bytes < w->element[step->array])
            w->element[step->array] = step->bytes;
    }
}

/* Of a script's numbers larger ones are not exact: they are written as strings. */
static void write_number(FILE *file, const char *comma, unsigned long long number)
{
    const char *quote = number >> 53 ? "\"" : "";
    fprintf(file, "%s%s%llu%s", comma, quote, number, quote);
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
        write_number(file, at ? "," : "", element_at(array->initial + at, element));
    fputc(']', file);
}

static void write_arrays(struct writer *w)
{
    enum { SECTOR = 32, BANK = 4, BANKS = 32 };
    find_elements(w);
    fprintf(w->file, "\"arrays\":[");
    for (size_t i = 0; i < w->r->arrays; i++) {
        const struct recorded_array *array = &w->r->array[i];
        const size_t element = w->element[i];
        bool shared = array->space == SIM_SHARED;
        fprintf(w->file, "%s{", i ? ",\n" : "");
        put_pair(w->file, "name", array->name);
        fprintf(w->file,
                ",\"space\":\"%s\",\"block\":%d,\"bytes\":%zu,\"count\":%zu,\"row\":%zu,"
                "\"sector0\":%d,\"bank0\":%d",
                shared ? "shared" : "global", shared ? (int)array->block : -1, element,
                array->bytes / element, array->row * (array->element / element),
                (int)(array->base % SECTOR), (int)(array->base / BANK % BANKS));
        if (array->device > 0)
            fprintf(w->file, ",\"device\":%u", array->device);
        static const char *const contents[] = {[INPUT] = "input",
                                               [INPUT_COPY] = "copy of input",
                                               [OUTPUT] = "bins",
                                               [OUTPUT_COPY] = "copy of bins"};
        const bool is_text = array->role == INPUT && traced.counts_text;
        if (array->role != OWN)
            fprintf(w->file, ",\"content\":\"%s\"", is_text ? "text" : contents[array->role]);
        if (!is_text)
            write_initial(w->file, array, element);
        fputc('}', w->file);
    }
    fprintf(w->file, "],\n");
}

/* The line that "file:line" has in a file; 0 when it is in another. */
static int line_in(const char *file, const char *place)
{
    const size_t length = strlen(file);
    return length > 0 && strncmp(place, file, length) == 0 && place[length] == ':'
               ? atoi(place + length + 1)
               : 0;
}

/* The line of an instruction among those of the page; 0 when it is in none of its files. */
static int line_of(const struct writer *w, uintptr_t pc)
{
    char place[600];
    if (!pc)
        return 0;
    sim_locate(pc, place, sizeof place);
    const int other = line_in(w->other, place);
    return other ? w->lines + other : line_in(w->story->source, place);
}

/* The header of the course in which most steps are, such as the kernel of an earlier chapter, or an
 * operation; "" without any. */
static void find_other(struct writer *w)
{
    enum { FILES = 8 };
    const char *name[FILES] = {""};
    size_t steps[FILES] = {0}, best = 0;
    char place[600] = "";
    uintptr_t last = 0;
    for (size_t i = 0; i < w->r->steps; i++) {
        const uintptr_t pc = w->r->step[i].pc;
        if (!pc || w->r->step[i].what > ATOMIC)
            continue;
        if (pc != last)
            sim_locate(pc, place, sizeof place);
        last = pc;
        if (!begins_with(place, "common/contract/"))
            continue;
        size_t file = 0;
        while (file < FILES - 1 && steps[file] > 0 && !line_in(name[file], place))
            file++;
        if (steps[file]++ == 0)
            name[file] = format("%.*s", (int)strcspn(place, ":"), place);
        best = steps[file] > steps[best] ? file : best;
    }
    snprintf(w->other, sizeof w->other, "%s", name[best]);
}

static bool is_returning(const struct recording *r, const struct recorded_step *step)
{
    for (size_t i = 0; i < r->sites; i++)
        if (r->site[i].pc == step->pc && r->site[i].launch == step->launch)
            return r->site[i].returns;
    return false;
}

/* The element of an array at an address; below 0 before it. */
static long long index_of(const struct writer *w, int array, uintptr_t address)
{
    long long distance = (long long)(address - w->r->array[array].base);
    long long size = (long long)w->element[array];
    return distance < 0 ? -((size - 1 - distance) / size) : distance / size;
}

static void write_indexes(struct writer *w, const struct recorded_step *step)
{
    long long index[LANES], stride = 0;
    size_t count = 0;
    bool even = true;
    for (int lane = 0; lane < LANES; lane++)
        if (step->active >> lane & 1)
            index[count++] = index_of(w, step->array, step->address[lane]);
    stride = count > 1 ? index[1] - index[0] : 0;
    for (size_t i = 1; i < count; i++)
        even &= index[i] - index[i - 1] == stride;
    if (even) {
        fprintf(w->file, ",\"s\":[%lld,%lld]", index[0], stride);
        return;
    }
    fprintf(w->file, ",\"i\":[");
    for (size_t i = 0; i < count; i++)
        fprintf(w->file, "%s%lld", i ? "," : "", index[i]);
    fputc(']', w->file);
}

/* One lane's value: a number, or the elements of a wide access. */
static void write_value(FILE *file, const uint64_t value[2], size_t bytes, size_t element)
{
    if (bytes <= element || element > 8) {
        write_number(file, "", value[0]);
        return;
    }
    fputc('[', file);
    for (size_t at = 0; at < bytes && at < 16; at += element)
        write_number(file, at ? "," : "", element_at((const unsigned char *)value + at, element));
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
    static const char *const others[SIM_ATOMICS] = {[SIM_EXTREME] = "extreme",
                                                    [SIM_BITWISE] = "bits",
                                                    [SIM_CAS] = "cas",
                                                    [SIM_EXCHANGE] = "exchange"};
    fprintf(w->file, ",\"z\":%u,\"c\":%u", step->bytes, cost);
    if (others[step->atomic])
        fprintf(w->file, ",\"op\":\"%s\"", others[step->atomic]);
    if (array && array->space == SIM_SHARED && cost > step->least)
        fprintf(w->file, ",\"k\":%u", cost - step->least);
    if (step->loads > 0)
        fprintf(w->file, ",\"x\":%u,\"kx\":%u", step->loads, step->loads - step->least_loads);
    if (step->refused)
        fprintf(w->file, ",\"bad\":1");
    if (!array)
        return;
    write_indexes(w, step);
    if (!step->carried_out || (array->role == INPUT && traced.counts_text && step->what == LOADED))
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

/* A step of the host has no lanes: what it did, how many bytes, and with what array of a device. */
static void write_host_step(struct writer *w, const struct recorded_step *step)
{
    int array = -1;
    for (size_t i = 0; i < w->r->arrays; i++)
        if (step->what == COPIED && w->r->array[i].space == SIM_GLOBAL &&
            step->address[0] - w->r->array[i].base < w->r->array[i].bytes)
            array = (int)i;
    fprintf(w->file,
            "{\"l\":%u,\"d\":%u,\"b\":-1,\"w\":-1,\"n\":%d,\"o\":\"%s\",\"a\":-1,\"m\":0,"
            "\"z\":%zu,\"to\":%d,\"f\":\"%s\",\"of\":%lu}",
            step->launch, step->device, line_of(w, step->pc),
            step->what == COPIED ? "copy" : "nccl", step->moved, array, step->name,
            step->what == COPIED ? 0ul : (unsigned long)step->active);
}

static void write_step(struct writer *w, const struct recorded_step *step)
{
    static const char *const names[] = {
        [LOADED] = "ld", [STORED] = "st", [REDUCED] = "red", [BARRIER] = "bar", [ENDED] = "end"};
    if (step->what >= COPIED) {
        write_host_step(w, step);
        return;
    }
    const bool returns = step->what == ATOMIC && is_returning(w->r, step);
    const bool shared = step->array >= 0 && w->r->array[step->array].space == SIM_SHARED;
    const char *name = step->what == COLLECTIVE ? kind_of_collective(step->name)
                       : step->what != ATOMIC   ? names[step->what]
                       : shared || returns      ? "atom"
                                                : "red";
    fprintf(w->file, "{\"l\":%u", step->launch);
    if (step->device > 0)
        fprintf(w->file, ",\"d\":%u", step->device);
    fprintf(w->file, ",\"b\":%u,\"w\":%u,\"n\":%d,\"o\":\"%s\",\"a\":%d,\"m\":%lu", step->block,
            step->warp, line_of(w, step->pc), name, step->array, (unsigned long)step->active);
    if (step->what <= ATOMIC)
        write_access(w, step, returns);
    if (step->what == COLLECTIVE) {
        fprintf(w->file, ",\"f\":\"%s\"", step->name);
        write_values(w->file, "v", step, step->after, 8);
        write_values(w->file, "r", step, step->before, 8);
    }
    fputc('}', w->file);
}

/* Those that fit, as long as the file is shorter than `most` bytes. Returns how many are left out. */
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

/* Returns how many lines it has. */
static int write_lines(FILE *file, const char *path, const char *comma)
{
    int lines = 0;
    for (struct lines in = lines_of(path); next_line(&in); lines++, comma = ",\n") {
        fputs(comma, file);
        put_json(in.line, file);
    }
    return lines;
}

static void write_source(struct writer *w)
{
    fprintf(w->file, "\"source\":[");
    w->lines = write_lines(w->file, w->story->source, "");
    if (w->other[0])
        write_lines(w->file, w->other, ",\n");
    fprintf(w->file, "],\n\"lines\":%d,", w->lines);
    put_pair(w->file, "other", w->other);
    fprintf(w->file, ",\n");
}

/* Each character has the value of its byte. */
static void write_text(struct writer *w)
{
    const struct input *input = &w->story->trial->input;
    fprintf(w->file, "\"text\":\"");
    for (size_t i = 0; traced.counts_text && i < input->length; i++)
        put_json_byte(input->elements[i], w->file);
    fprintf(w->file, "\",\n");
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
    const struct input *input = &w->story->trial->input;
    const size_t rows = input->batch > 0 ? input->batch : 1;
    fprintf(w->file, "\"shapes\":{\"input\":");
    write_shape(w->file, &w->r->of_input);
    fprintf(w->file, ",\"output\":");
    write_shape(w->file, &w->r->of_output);
    fprintf(w->file, "},\n\"unit\":\"%s\",\"outputs\":\"%s\",\"rows\":%zu,\"bins\":", traced.unit,
            traced.outputs, rows);
    if (!traced.name_output) {
        fprintf(w->file, "%zu,\n", input->num_bins / rows);
        return;
    }
    for (size_t bin = 0; bin < input->num_bins; bin++) {
        char name[32];
        traced.name_output(bin, name, sizeof name);
        fputc(bin ? ',' : '[', w->file);
        put_json(name, w->file);
    }
    fprintf(w->file, "],\n");
}

/* A number, "1,200", as one, of which a page can draw a share; other words as a string. */
static void write_said(FILE *file, const char *words)
{
    enum { MOST = 16 };
    if (!words[0] || strspn(words, "0123456789,") != strlen(words) || strlen(words) > MOST) {
        put_json(words, file);
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
    const struct input *input = &w->story->trial->input;
    const unsigned char *held = w->story->outcome->held;
    char words[1024], said[2][A_BIN];
    bool *is_wrong = calloc(input->num_bins + 1, sizeof *is_wrong);
    if (!is_wrong)
        abort();
    struct oracle *expected = traced_expect(input);
    const bool ended = w->story->outcome->kind == WRONG_BINS || w->story->outcome->miscounted;
    traced_wrong(expected, input, held, is_wrong, words, sizeof words);
    for (int part = 0; part < 2; part++) {
        fprintf(w->file, "\"%s\":[", part ? "counted" : "expected");
        for (size_t bin = 0; bin < input->num_bins && bin < MOST; bin++) {
            traced_say(expected, bin, held, said[0], said[1], A_BIN);
            fputs(bin ? "," : "", w->file);
            write_said(w->file, said[part]);
        }
        fprintf(w->file, "],\n");
    }
    fprintf(w->file, "\"wrong\":[");
    const char *comma = "";
    for (size_t bin = 0; bin < input->num_bins && ended; bin++)
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
        put_pair(w->file, "kernel", launch->shape.kernel);
        fprintf(w->file,
                ",\"device\":%u,\"grid\":[%u,%u,%u],\"block\":[%u,%u,%u],\"shared\":%zu,"
                "\"metrics\":[",
                launch->shape.device, g[0], g[1], g[2], b[0], b[1], b[2],
                launch->shape.static_shared + launch->shape.dynamic_shared);
        for (size_t m = 0; !traced_in_plain_c() && m < sim_metric_count(); m++) {
            fprintf(w->file, "%s{", m ? ",\n" : "");
            put_pair(w->file, "name", sim_metric(m).name);
            fputc(',', w->file);
            put_pair(w->file, "sentence", sim_metric(m).sentence);
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
    put_pair(w->file, "words", w->story->outcome->words);
    fputc(',', w->file);
    put_pair(w->file, "element", w->r->race.element);
    fprintf(w->file, ",\"first\":%ld,\"second\":%ld,", told.first, told.second);
    if (told.second >= 0 && w->r->step[told.second].array >= 0) {
        const int array = w->r->step[told.second].array;
        fprintf(w->file, "\"where\":{\"a\":%d,\"i\":%lld},", array,
                index_of(w, array, w->r->race.race.address));
    }
    put_pair(w->file, "lost", told.lost);
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
    put_pair(w->file, "check", outcome->check);
    fputc(',', w->file);
    put_pair(w->file, "words", outcome->words);
    fputc(',', w->file);
    put_pair(w->file, "shrunk", w->story->shrunk);
    fprintf(w->file, "},\n");
}

static void write_head(struct writer *w)
{
    const struct story *s = w->story;
    FILE *file = w->file;
    fprintf(file, "{\"title\":\"chapter %s, %s\",", s->number, s->name);
    put_pair(file, "file", s->source);
    fputs(",\n", file);
    put_pair(file, "command", s->command);
    fprintf(file, ",\n\"outcome\":{\"right\":%s,\"another\":%s,", s->right ? "true" : "false",
            s->another ? "true" : "false");
    put_pair(file, "words", s->words);
    const struct input *input = &s->trial->input;
    fprintf(file, "},\n\"seed\":%llu,\"size\":%zu,\"devices\":%u,\"input\":{",
            (unsigned long long)s->trial->seed, input->length, input->devices);
    put_pair(file, "what", s->input);
    fprintf(file, ",\"misalignment\":%zu,\"seed\":%llu,\"calls\":%u,\"blocks\":%u,",
            input->misalignment, (unsigned long long)s->trial->seed, input->calls,
            s->trial->blocks);
    put_pair(file, "file", s->text_file);
    fputc(',', file);
    put_pair(file, "profile", s->profile);
    fputc(',', file);
    put_pair(file, "note", s->note);
    fprintf(file, "},\n");
}

size_t story_write(const struct story *story, size_t most, FILE *file)
{
    static struct writer w;
    w = (struct writer){.story = story, .r = story->recording, .file = file};
    write_head(&w);
    find_other(&w);
    write_source(&w);
    write_text(&w);
    write_outputs(&w);
    write_results(&w);
    write_launches(&w);
    write_arrays(&w);
    write_failure(&w);
    write_race(&w);
    size_t cut = write_steps(&w, most);
    fprintf(file, "\"cut\":%zu}\n", cut);
    return cut;
}
