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

enum { MOST_FILES = 8 };

/* A file whose lines the page shows, one file after the other. */
struct shown_file {
    const char *name;
    int before; /* lines of the files before it */
};

/* What the page is made of, and how far it is. */
struct writer {
    const struct story *story;
    const struct recording *r;
    struct json json;
    size_t element[MOST_ARRAYS];        /* bytes of an element, as the page sees it */
    struct shown_file file[MOST_FILES]; /* first the kernel's own */
    size_t files;
};

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

static void write_initial(struct json *json, const struct recorded_array *array, size_t element)
{
    if (!array->has_initial) {
        json_text(json, "initial", NULL);
        return;
    }
    json_array(json, "initial");
    for (size_t at = 0; at + element <= array->bytes; at += element)
        json_exact(json, NULL, element_at(array->initial + at, element));
    json_end(json);
}

static void write_array(struct json *json, const struct recorded_array *array, size_t element)
{
    enum { SECTOR = 32, BANK = 4, BANKS = 32 };
    static const char *const contents[] = {[INPUT] = "input",
                                           [INPUT_COPY] = "copy of input",
                                           [OUTPUT] = "bins",
                                           [OUTPUT_COPY] = "copy of bins"};
    const bool shared = array->space == SIM_SHARED,
               is_text = array->role == INPUT && traced_counts_text();
    json_break(json);
    json_object(json, NULL);
    json_text(json, "name", array->name);
    json_text(json, "space", shared ? "shared" : "global");
    json_integer(json, "block", shared ? (int)array->block : -1);
    json_count(json, "bytes", element);
    json_count(json, "count", array->bytes / element);
    json_count(json, "row", array->row * (array->element / element));
    json_count(json, "sector0", array->base % SECTOR);
    json_count(json, "bank0", array->base / BANK % BANKS);
    if (array->device > 0)
        json_count(json, "device", array->device);
    if (array->role != OWN)
        json_text(json, "content", is_text ? "text" : contents[array->role]);
    if (!is_text)
        write_initial(json, array, element);
    json_end(json);
}

static void write_arrays(struct writer *w)
{
    find_elements(w);
    json_break(&w->json);
    json_array(&w->json, "arrays");
    for (size_t i = 0; i < w->r->arrays; i++)
        write_array(&w->json, &w->r->array[i], w->element[i]);
    json_end(&w->json);
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
    for (size_t i = 0; i < w->files; i++) {
        const int line = line_in(w->file[i].name, place);
        if (line)
            return w->file[i].before + line;
    }
    return 0;
}

static bool is_shown(const struct writer *w, const char *place)
{
    for (size_t i = 0; i < w->files; i++)
        if (line_in(w->file[i].name, place))
            return true;
    return false;
}

/* The kernel's own file, and the headers of the course in which there are steps, such as the kernel of an earlier
 * chapter, or an operation, in the order of their first steps. */
static void find_files(struct writer *w)
{
    char place[600] = "";
    uintptr_t last = 0;
    w->file[0].name = w->story->source;
    w->files = 1;
    for (size_t i = 0; i < w->r->steps && w->files < MOST_FILES; i++) {
        const uintptr_t pc = w->r->step[i].pc;
        if (!pc || pc == last)
            continue;
        last = pc;
        sim_locate(pc, place, sizeof place);
        if (begins_with(place, "common/contract/") && !is_shown(w, place))
            w->file[w->files++].name = format("%.*s", (int)strcspn(place, ":"), place);
    }
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
    json_array(&w->json, even ? "s" : "i");
    for (size_t i = 0; i < count && !even; i++)
        json_integer(&w->json, NULL, index[i]);
    if (even) {
        json_integer(&w->json, NULL, index[0]);
        json_integer(&w->json, NULL, stride);
    }
    json_end(&w->json);
}

/* One lane's value: a number, or the elements of a wide access. */
static void write_value(struct json *json, const char *name, const uint64_t value[2], size_t bytes,
                        size_t element)
{
    if (bytes <= element || element > 8) {
        json_exact(json, name, value[0]);
        return;
    }
    json_array(json, name);
    for (size_t at = 0; at < bytes && at < 16; at += element)
        json_exact(json, NULL, element_at((const unsigned char *)value + at, element));
    json_end(json);
}

static void write_values(struct json *json, const char *name, const struct recorded_step *step,
                         const uint64_t value[LANES][2], size_t element)
{
    const unsigned int first = (unsigned int)__builtin_ctz(step->active);
    bool same = true;
    for (int lane = 0; lane < LANES; lane++)
        same &= !(step->active >> lane & 1) || memcmp(value[lane], value[first], 16) == 0;
    if (same && step->bytes <= element) {
        write_value(json, name, value[first], step->bytes, element);
        return;
    }
    json_array(json, name);
    for (int lane = 0; lane < LANES; lane++)
        if (step->active >> lane & 1)
            write_value(json, NULL, value[lane], step->bytes, element);
    json_end(json);
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
    json_count(&w->json, "z", step->bytes);
    json_count(&w->json, "c", cost);
    if (others[step->atomic])
        json_text(&w->json, "op", others[step->atomic]);
    if (array && array->space == SIM_SHARED && cost > step->least)
        json_count(&w->json, "k", cost - step->least);
    if (step->loads > 0) {
        json_count(&w->json, "x", step->loads);
        json_count(&w->json, "kx", step->loads - step->least_loads);
    }
    if (step->refused)
        json_count(&w->json, "bad", 1);
    if (!array)
        return;
    write_indexes(w, step);
    if (!step->carried_out ||
        (array->role == INPUT && traced_counts_text() && step->what == LOADED))
        return;
    write_values(&w->json, "v", step, step->what == LOADED ? step->before : step->after, element);
    if (step->what == ATOMIC)
        write_values(&w->json, "r", step, step->before, element);
}

/* What a warp intrinsic is to the page. */
static const char *kind_of_intrinsic(const char *name)
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
    struct json *json = &w->json;
    json_object(json, NULL);
    json_count(json, "l", step->launch);
    json_count(json, "d", step->device);
    json_integer(json, "b", -1);
    json_integer(json, "w", -1);
    json_integer(json, "n", line_of(w, step->pc));
    json_text(json, "o", step->what == COPIED ? "copy" : "nccl");
    json_integer(json, "a", -1);
    json_count(json, "m", 0);
    json_count(json, "z", step->moved);
    json_integer(json, "to", array);
    json_text(json, "f", step->name);
    json_count(json, "of", step->what == COPIED ? 0 : step->active);
    json_end(json);
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
    const char *name = step->what == INTRINSIC ? kind_of_intrinsic(step->name)
                       : step->what != ATOMIC  ? names[step->what]
                       : shared || returns     ? "atom"
                                               : "red";
    struct json *json = &w->json;
    json_object(json, NULL);
    json_count(json, "l", step->launch);
    if (step->device > 0)
        json_count(json, "d", step->device);
    json_count(json, "b", step->block);
    json_count(json, "w", step->warp);
    json_integer(json, "n", line_of(w, step->pc));
    json_text(json, "o", name);
    json_integer(json, "a", step->array);
    json_count(json, "m", step->active);
    if (step->what <= ATOMIC)
        write_access(w, step, returns);
    if (step->what == INTRINSIC) {
        json_text(json, "f", step->name);
        write_values(&w->json, "v", step, step->after, 8);
        write_values(&w->json, "r", step, step->before, 8);
    }
    json_end(json);
}

/* Those that fit, as long as the file is shorter than `most` bytes. Returns how many are left out. */
static size_t write_steps(struct writer *w, size_t most)
{
    size_t i = 0;
    json_break(&w->json);
    json_array(&w->json, "steps");
    for (; i < w->r->steps && (size_t)ftell(w->json.to) < most; i++) {
        json_break(&w->json);
        write_step(w, &w->r->step[i]);
    }
    json_end(&w->json);
    return w->r->steps - i + w->r->more;
}

/* Returns how many lines it has. */
static int write_lines(struct json *json, const char *path)
{
    int lines = 0;
    for (struct lines in = lines_of(path); next_line(&in); lines++) {
        json_break(json);
        json_text(json, NULL, in.line);
    }
    return lines;
}

static void write_source(struct writer *w)
{
    int lines = 0;
    json_break(&w->json);
    json_array(&w->json, "source");
    for (size_t i = 0; i < w->files; i++) {
        w->file[i].before = lines;
        lines += write_lines(&w->json, w->file[i].name);
    }
    json_end(&w->json);
    json_array(&w->json, "files");
    for (size_t i = 0; i < w->files; i++) {
        json_object(&w->json, NULL);
        json_text(&w->json, "name", w->file[i].name);
        json_integer(&w->json, "before", w->file[i].before);
        json_end(&w->json);
    }
    json_end(&w->json);
}

/* Each character has the value of its byte. */
static void write_text(struct writer *w)
{
    const struct input *input = &w->story->trial->input;
    json_break(&w->json);
    json_bytes(&w->json, "text", input->elements, traced_counts_text() ? input->length : 0);
}

static void write_shape(struct json *json, const char *name, const struct shape *shape)
{
    static const char *const access_names[] = {
        [FIELD_UNSIGNED] = "u", [FIELD_FLOAT] = "f", [FIELD_LETTER] = "c"};
    json_object(json, name);
    json_count(json, "bytes", shape->bytes);
    json_count(json, "cell", shape->cell);
    json_array(json, "fields");
    for (size_t i = 0; i < shape->fields; i++) {
        const struct field *field = &shape->field[i];
        json_array(json, NULL);
        json_text(json, NULL, field->name);
        json_text(json, NULL, access_names[field->type]);
        json_count(json, NULL, field->from);
        json_count(json, NULL, field->bits);
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

/* The outputs by name: all of them, or only those whose names differ from their numbers. */
static void write_outputs(struct writer *w)
{
    const struct input *input = &w->story->trial->input;
    const size_t rows = input->batch > 0 ? input->batch : 1;
    struct json *json = &w->json;
    json_break(json);
    json_object(json, "shapes");
    write_shape(json, "input", &w->r->of_input);
    write_shape(json, "output", &w->r->of_output);
    json_end(json);
    json_text(json, "unit", traced_contract()->words.unit);
    json_text(json, "outputs", traced_outputs());
    json_count(json, "rows", rows);
    if (!kernel_to_run()->name_output) {
        json_count(json, "bins", traced_results(input) / rows);
        return;
    }
    json_array(json, "bins");
    for (size_t bin = 0; bin < input->num_bins; bin++) {
        char name[32];
        kernel_to_run()->name_output(bin, name, sizeof name);
        json_text(json, NULL, name);
    }
    json_end(json);
}

/* A number, "1,200" or "5.7e-06", as one, of which a page can draw a share; other words as a string. */
static void write_sentence(struct json *json, const char *words)
{
    enum { MOST = 16 };
    char number[MOST + 1], *end = number;
    const size_t length = strlen(words);
    bool is_whole = true;
    for (size_t i = 0; i < length && length <= MOST; i++) {
        is_whole &= strchr("0123456789,", words[i]) != NULL;
        if (words[i] != ',')
            *end++ = words[i];
    }
    *end = '\0';
    const bool is_number =
        end > number && strspn(number, "0123456789+-.e") == (size_t)(end - number);
    const double value = is_number ? strtod(number, &end) : 0;
    if (!is_number || *end)
        json_text(json, NULL, words);
    else if (is_whole)
        json_count(json, NULL, strtoull(number, NULL, 10));
    else
        json_number(json, NULL, value);
}

/* What outputs hold, and what they should hold: all of them, or the wrong ones and some others. */
static void write_results(struct writer *w)
{
    enum { MOST = 1024, A_BIN = 128 };
    const struct input *input = &w->story->trial->input;
    const unsigned char *held = w->story->outcome->held;
    char words[1024], words_of[2][A_BIN];
    bool *is_wrong = calloc(input->num_bins + 1, sizeof *is_wrong);
    if (!is_wrong)
        abort();
    struct oracle *expected = traced_expect(input);
    const bool ended = w->story->outcome->kind == WRONG_BINS || w->story->outcome->miscounted;
    traced_wrong(expected, input, held, is_wrong, words, sizeof words);
    for (int part = 0; part < 2; part++) {
        json_break(&w->json);
        json_array(&w->json, part ? "counted" : "expected");
        for (size_t bin = 0; bin < traced_results(input) && bin < MOST; bin++) {
            traced_say(expected, bin, held, words_of[0], words_of[1], A_BIN);
            write_sentence(&w->json, words_of[part]);
        }
        json_end(&w->json);
    }
    json_break(&w->json);
    json_array(&w->json, "wrong");
    for (size_t bin = 0; bin < traced_results(input) && ended; bin++)
        if (is_wrong[bin])
            json_count(&w->json, NULL, bin);
    json_end(&w->json);
    contract_forget(expected);
    free(is_wrong);
}

static void write_three(struct json *json, const char *name, const unsigned int three[3])
{
    json_array(json, name);
    for (int axis = 0; axis < 3; axis++)
        json_count(json, NULL, three[axis]);
    json_end(json);
}

static void write_launch(struct json *json, const struct recorded_launch *launch)
{
    json_break(json);
    json_object(json, NULL);
    json_text(json, "kernel", launch->shape.kernel);
    json_count(json, "device", launch->shape.device);
    write_three(json, "grid", launch->shape.grid);
    write_three(json, "block", launch->shape.block);
    json_count(json, "shared", launch->shape.static_shared + launch->shape.dynamic_shared);
    json_array(json, "metrics");
    for (size_t m = 0; !traced_in_plain_c() && m < sim_metric_count(); m++) {
        json_break(json);
        json_object(json, NULL);
        json_text(json, "name", sim_metric(m).name);
        json_text(json, "sentence", sim_metric(m).sentence);
        json_count(json, "value", sim_metric_value(&launch->counters, m));
        json_end(json);
    }
    json_end(json);
    json_end(json);
}

static void write_launches(struct writer *w)
{
    json_break(&w->json);
    json_array(&w->json, "launches");
    for (size_t i = 0; i < w->r->launches; i++)
        write_launch(&w->json, &w->r->launch[i]);
    json_end(&w->json);
}

static void write_race(struct writer *w)
{
    struct json *json = &w->json;
    json_break(json);
    if (!w->r->race.found) {
        json_text(json, "race", NULL);
        return;
    }
    struct race_story account = story_race(w->r, w->story->outcome->miscounted);
    json_object(json, "race");
    json_text(json, "words", w->story->outcome->words);
    json_text(json, "element", w->r->race.element);
    json_integer(json, "first", account.first);
    json_integer(json, "second", account.second);
    if (account.second >= 0 && w->r->step[account.second].array >= 0) {
        const int array = w->r->step[account.second].array;
        json_object(json, "where");
        json_integer(json, "a", array);
        json_integer(json, "i", index_of(w, array, w->r->race.race.address));
        json_end(json);
    }
    json_text(json, "lost", account.lost);
    json_end(json);
}

static void write_failure(struct writer *w)
{
    static const char *const access_names[] = {[WRONG_BINS] = "bins",
                                               [REPORTED] = "report",
                                               [STOPPED] = "stopped",
                                               [CRASHED] = "crash",
                                               [ENDLESS] = "endless"};
    const struct trial_outcome *outcome = w->story->outcome;
    struct json *json = &w->json;
    json_break(json);
    if (outcome->kind == RIGHT) {
        json_text(json, "failure", NULL);
        return;
    }
    long step = w->r->race.found              ? story_race(w->r, outcome->miscounted).second
                : outcome->kind == WRONG_BINS ? -1
                                              : (long)w->r->steps - 1;
    json_object(json, "failure");
    json_text(json, "kind", access_names[outcome->kind]);
    json_integer(json, "step", step);
    json_text(json, "check", outcome->check);
    json_text(json, "words", outcome->words);
    json_text(json, "shrunk", w->story->shrunk);
    json_end(json);
}

static void write_head(struct writer *w)
{
    const struct story *s = w->story;
    const struct input *input = &s->trial->input;
    struct json *json = &w->json;
    json_text(json, "title", format("chapter %s, %s", s->number, s->name));
    json_text(json, "file", s->source);
    json_break(json);
    json_text(json, "command", s->command);
    json_break(json);
    json_object(json, "outcome");
    json_truth(json, "right", s->right);
    json_truth(json, "another", s->another);
    json_text(json, "words", s->words);
    json_end(json);
    json_break(json);
    json_count(json, "seed", s->trial->seed);
    json_count(json, "size", input->length);
    json_count(json, "devices", input->devices);
    json_object(json, "input");
    json_text(json, "what", s->input);
    json_count(json, "misalignment", input->misalignment);
    json_count(json, "seed", s->trial->seed);
    json_count(json, "calls", input->calls);
    json_count(json, "blocks", s->trial->blocks);
    json_text(json, "file", s->text_file);
    json_text(json, "profile", s->profile);
    json_text(json, "note", s->note);
    json_end(json);
}

size_t story_write(const struct story *story, size_t most, FILE *file)
{
    static struct writer w;
    w = (struct writer){.story = story, .r = story->recording, .json = {.to = file, .tight = true}};
    json_object(&w.json, NULL);
    write_head(&w);
    find_files(&w);
    write_source(&w);
    write_text(&w);
    write_outputs(&w);
    write_results(&w);
    write_launches(&w);
    write_arrays(&w);
    write_failure(&w);
    write_race(&w);
    size_t cut = write_steps(&w, most);
    json_break(&w.json);
    json_count(&w.json, "cut", cut);
    json_end(&w.json);
    fputc('\n', file);
    return cut;
}
