/* picture.c - draws what one warp asks of the memory, from the simulator's own trace.
 *
 *     picture NAME OUT.svg [TEXT]
 *
 * Runs histogram() on a short text, the file TEXT or a sentence, each repeated to LENGTH
 * characters, and keeps every access of the first warp. The picture shows the bins, which bytes
 * the warp's loads touch, and its first and last requests, lane by lane. Plain C has no warp: its
 * picture shows the characters and their bins. The text equivalent of the picture stands
 * in it as <desc>, and is printed, for the lesson. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bins.h"
#include "histogram.h"
#include "letters.h"
#include "sim.h"
#include "target.h"
#include "text.h"

#define PICTURE_STYLE "docs/pictures/style.css"

enum {
    PICTURE_LENGTH = 4096,
    WARP = 32,
    SECTOR = 32,
    BANKS = 32,
    MOST_REQUESTS = 4096,
    COLORS = 5 /* of bins: pictures have no more */
};

/* What the picture is drawn from. */
struct trace {
    struct text text;
    unsigned int bins[COLORS]; /* the result */
    uintptr_t text_address, bins_address;
    uintptr_t copies_address;                /* lowest global address that is neither */
    uintptr_t shared_address;                /* lowest offset in shared memory */
    bool shared_table;                       /* a block shares more than one copy of the bins */
    struct sim_event request[MOST_REQUESTS]; /* of warp 0 of block 0, in order */
    size_t requests;
};

enum array { TEXT, BINS_ARRAY, COPIES, SHARED };

/* What reads a byte of the text first. */
struct trace_reader {
    unsigned int load, lane; /* load 1 is the first of the warp, and 0 none */
    unsigned int bytes;      /* that this lane loads at a time */
};

enum array trace_array(const struct trace *trace, const struct sim_event *event)
{
    uintptr_t address = event->address[__builtin_ctz(event->active)];
    if (event->space == SIM_SHARED)
        return SHARED;
    if (address - trace->text_address < trace->text.length)
        return TEXT;
    if (address - trace->bins_address < sizeof trace->bins)
        return BINS_ARRAY;
    return COPIES;
}

static void keep(const struct sim_event *event, void *context)
{
    struct trace *trace = context;
    if (event->active == 0)
        return;
    enum array array = trace_array(trace, event);
    uintptr_t *lowest = array == SHARED ? &trace->shared_address : &trace->copies_address;
    for (unsigned int lane = 0; lane < WARP && array >= COPIES; lane++)
        if (event->active >> lane & 1 && event->address[lane] < *lowest)
            *lowest = event->address[lane];
    if (event->block == 0 && event->warp == 0 && trace->requests < MOST_REQUESTS)
        trace->request[trace->requests++] = *event;
}

/* Runs histogram() on trace->text and keeps what its first warp asks. Ends the program with one
 * line when it does not run to its end. */
static void trace_run(struct trace *trace)
{
    char error[256];
    unsigned char *text = target_allocate(trace->text.length);
    unsigned int *bins = target_allocate(sizeof trace->bins);
    target_write(text, trace->text.bytes, trace->text.length);
    target_fill(bins, 0, sizeof trace->bins);
    trace->text_address = (uintptr_t)text;
    trace->bins_address = (uintptr_t)bins;
    trace->copies_address = trace->shared_address = UINTPTR_MAX;
    sim_observe(keep, trace);
    histogram(text, trace->text.length, bins);
    if (!target_finish(error, sizeof error)) {
        fprintf(stderr, "%s\n", error);
        exit(1);
    }
    sim_observe(NULL, NULL);
    struct sim_launch_shape shape = sim_last_launch();
    trace->shared_table = shape.static_shared + shape.dynamic_shared > 2 * sizeof trace->bins;
    target_read(trace->bins, bins, sizeof trace->bins);
    target_free(text);
    target_free(bins);
}

static bool trace_is_atomic(const struct sim_event *event)
{
    return event->access == SIM_RED || event->access == SIM_ATOM;
}

/* The most lanes of a request that use one address. */
static int trace_most_on_one_address(const struct sim_event *event)
{
    int most = 0;
    for (unsigned int one = 0; one < WARP; one++) {
        int same = 0;
        for (unsigned int lane = 0; lane < WARP && event->active >> one & 1; lane++)
            same += event->active >> lane & 1 && event->address[lane] == event->address[one];
        most = same > most ? same : most;
    }
    return most;
}

/* The bank of shared memory that a lane uses. */
static unsigned int trace_bank(const struct sim_event *event, unsigned int lane)
{
    return (unsigned int)(event->address[lane] / sizeof(unsigned int) % BANKS);
}

/* The most lanes of a request that use one bank of shared memory. */
static int trace_most_in_one_bank(const struct sim_event *event)
{
    int most = 0, lanes[BANKS] = {0};
    for (unsigned int lane = 0; lane < WARP; lane++)
        if (event->active >> lane & 1 && ++lanes[trace_bank(event, lane)] > most)
            most = lanes[trace_bank(event, lane)];
    return most;
}

/* The first request that loads the text, or NULL. */
static const struct sim_event *trace_first_load(const struct trace *trace)
{
    for (size_t i = 0; i < trace->requests; i++)
        if (trace_array(trace, &trace->request[i]) == TEXT)
            return &trace->request[i];
    return NULL;
}

static struct trace_reader trace_reader_of_byte(const struct trace *trace, size_t at)
{
    unsigned int load = 0;
    for (size_t i = 0; i < trace->requests; i++) {
        const struct sim_event *event = &trace->request[i];
        if (trace_array(trace, event) != TEXT)
            continue;
        load++;
        for (unsigned int lane = 0; lane < WARP; lane++)
            if (event->active >> lane & 1 &&
                trace->text_address + at - event->address[lane] < event->bytes)
                return (struct trace_reader){load, lane, event->bytes};
    }
    return (struct trace_reader){0, 0, 1};
}

/* How many bytes at the beginning of the text the map shows: up to the first two loads. */
static size_t trace_map_length(const struct trace *trace)
{
    enum { MOST_ROWS = 16 };
    size_t length = SECTOR;
    for (size_t at = 0; at < MOST_ROWS * SECTOR; at++) {
        unsigned int load = trace_reader_of_byte(trace, at).load;
        if (load == 1 || load == 2)
            length = at / SECTOR * SECTOR + SECTOR;
    }
    return length;
}

/* The picture in words: its text equivalent. */
static void trace_write_words(FILE *file, const struct trace *trace, const char *name)
{
    const struct sim_event *load = trace_first_load(trace);
    fprintf(file, "%s, on a text of %zu characters. ", name, trace->text.length);
    if (!load) {
        fprintf(file, "One loop reads the characters in order and adds one to the bin of each.");
        return;
    }
    size_t atomics = 0;
    int most = 0;
    for (size_t i = 0; i < trace->requests; i++)
        if (trace_is_atomic(&trace->request[i])) {
            int meet = trace_most_on_one_address(&trace->request[i]);
            atomics++;
            most = meet > most ? meet : most;
        }
    fprintf(file,
            "The first load of the first warp is one request and touches %u sector%s of 32 bytes. "
            "In all the warp makes %zu requests, %zu of them atomics; up to %d of its lanes meet "
            "at one address.",
            load->cost, load->cost == 1 ? "" : "s", trace->requests, atomics, most);
}

/* The style of all pictures, which a proof compares with this file. False when it cannot be read. */
static bool copy_style(FILE *file)
{
    FILE *style = fopen(PICTURE_STYLE, "r");
    if (!style)
        return false;
    fprintf(file, "<style>\n");
    for (int character; (character = fgetc(style)) != EOF;)
        fputc(character, file);
    fprintf(file, "</style>\n");
    fclose(style);
    return true;
}

static void draw_words(FILE *file, int x, int y, const char *class, const char *words)
{
    fprintf(file, "<text class='%s' x='%d' y='%d'>%s</text>\n", class, x, y, words);
}

/* A cell of the picture; `class` colors it, `words` stand in its middle. */
static void draw_cell(FILE *file, int x, int y, int width, int height, const char *class,
                      const char *words)
{
    fprintf(file, "<rect class='%s' x='%d' y='%d' width='%d' height='%d'/>\n", class, x, y, width,
            height);
    if (*words)
        draw_words(file, x + width / 2, y + height / 2 + 4,
                   !*class      ? "tiny"
                   : width < 16 ? "cell tiny"
                                : "cell",
                   words);
}

/* A character as it can stand in an SVG; what cannot be seen is a dot in the middle. */
static const char *printable(unsigned char character, char words[8])
{
    bool visible = character > ' ' && character < 127;
    snprintf(words, 8, "&#%d;", visible ? character : 183);
    return words;
}

static const char *color(int bin)
{
    static const char *const class[COLORS] = {"b0", "b1", "b2", "b3", "b4"};
    return class[bin % COLORS];
}

static int bin_of(unsigned char character)
{
    unsigned short bin_of_byte[256];
    letters_in_bins(bin_of_byte);
    return bin_of_byte[character];
}

/* The color of a character's bin; none when it is not counted. */
static const char *color_of(unsigned char character)
{
    const int bin = bin_of(character);
    return bin == NOT_COUNTED ? "" : color(bin);
}

/* The bins: color, letters, and a bar as long as the count. */
static void draw_bins(FILE *file, const struct trace *trace, int x, int y)
{
    enum { HEIGHT = 20, LONGEST = 110 };
    unsigned int most = 1;
    draw_words(file, x, y, "note", "The bins, and what they count in the end");
    for (int bin = 0; bin < COLORS; bin++)
        most = trace->bins[bin] > most ? trace->bins[bin] : most;
    for (int bin = 0; bin < COLORS; bin++) {
        char words[32], first = 0, last = 0;
        for (char letter = 'a'; letter <= 'z'; letter++)
            if (bin_of((unsigned char)letter) == bin) {
                first = first ? first : letter;
                last = letter;
            }
        int top = y + 8 + bin * HEIGHT, bar = (int)(trace->bins[bin] * LONGEST / most);
        snprintf(words, sizeof words, "%d", bin);
        draw_cell(file, x, top, 16, 16, color(bin), words);
        snprintf(words, sizeof words, "%c to %c", first, last);
        draw_words(file, x + 24, top + 12, "note", words);
        draw_cell(file, x + 66, top, bar, 16, color(bin), "");
        snprintf(words, sizeof words, "%u", trace->bins[bin]);
        draw_words(file, x + 72 + bar, top + 12, "note", words);
    }
}

/* The beginning of the text, a row for each sector. */
static void draw_map(FILE *file, const struct trace *trace, int x, int y)
{
    enum { WIDTH = 13, HEIGHT = 14 };
    int rows = (int)(trace_map_length(trace) / SECTOR);
    bool wide = rows > 0 && trace_reader_of_byte(trace, 0).bytes > 1;
    draw_words(file, x, y, "note",
               wide
                   ? "The text: a row is a sector of 32 bytes; which load reads it, for which lane"
                   : "The text: a row is a sector of 32 bytes; a number is the load that reads it");
    for (int row = 0; row < rows; row++) {
        char words[16];
        snprintf(words, sizeof words, "%d", row * SECTOR);
        draw_words(file, x + 30, y + 19 + row * HEIGHT, "note right", words);
        for (int column = 0, bytes; column < SECTOR; column += bytes) {
            struct trace_reader reader =
                trace_reader_of_byte(trace, (size_t)(row * SECTOR + column));
            bytes = (int)reader.bytes;
            snprintf(words, sizeof words, bytes > 1 ? "%u, lane %u" : "%u", reader.load,
                     reader.lane);
            draw_cell(file, x + 36 + column * WIDTH, y + 8 + row * HEIGHT, bytes * WIDTH, HEIGHT,
                      reader.load == 1   ? "first"
                      : reader.load == 2 ? "second"
                                         : "",
                      reader.load ? words : "");
        }
    }
}

/* What a lane does in a request: the first character that it loads, or the bin it uses, or the
 * bank where there is more in shared memory than bins. */
static void draw_lane(FILE *file, const struct trace *trace, const struct sim_event *event,
                      unsigned int lane, int x, int y)
{
    enum { WIDTH = 16, HEIGHT = 16 };
    char words[8] = "";
    const char *class = "";
    enum array array = trace_array(trace, event);
    uintptr_t base = array == BINS_ARRAY ? trace->bins_address
                     : array == SHARED   ? trace->shared_address
                                         : trace->copies_address;
    if (!(event->active >> lane & 1)) {
        class = "idle";
    } else if (array == TEXT) {
        unsigned char character = trace->text.bytes[event->address[lane] - trace->text_address];
        printable(character, words);
        class = color_of(character);
    } else if (array == SHARED && trace->shared_table) {
        snprintf(words, sizeof words, "%u", trace_bank(event, lane));
        class = "second";
    } else {
        int bin = (int)((event->address[lane] - base) / sizeof(unsigned int) % COLORS);
        snprintf(words, sizeof words, "%d", bin);
        class = color(bin);
    }
    draw_cell(file, x + (int)lane * WIDTH, y, WIDTH, HEIGHT, class, words);
}

/* What a request goes to, as the picture calls it: a variable without its underscores. */
static void name_array(const struct sim_event *event, enum array array, char words[32])
{
    static const char *const name[] = {"text", "bins", "private bins", "shared bins"};
    bool variable = array == SHARED && event->shared;
    snprintf(words, 32, "%s", variable ? event->shared : name[array]);
    for (char *c = words; *c; c++)
        *c = *c == '_' ? ' ' : *c;
}

static void draw_request(FILE *file, const struct trace *trace, size_t number, int y)
{
    const struct sim_event *event = &trace->request[number];
    enum array array = trace_array(trace, event);
    bool table = array == SHARED && trace->shared_table;
    char words[96], name[32];
    name_array(event, array, name);
    snprintf(words, sizeof words, "%zu. %s %s", number + 1,
             trace_is_atomic(event)      ? "add to"
             : event->access == SIM_LOAD ? "load"
                                         : "store",
             name);
    draw_words(file, 10, y + 12, "note", words);
    for (unsigned int lane = 0; lane < WARP; lane++)
        draw_lane(file, trace, event, lane, 150, y);
    int written =
        snprintf(words, sizeof words, "%u %s%s", event->cost,
                 event->space == SIM_SHARED ? "wavefront" : "sector", event->cost == 1 ? "" : "s");
    int most = table ? trace_most_in_one_bank(event) : trace_most_on_one_address(event);
    if (trace_is_atomic(event))
        snprintf(words + written, sizeof words - (size_t)written, ", %d lane%s %s", most,
                 most == 1 ? "" : "s", table ? "in a bank" : "on one bin");
    draw_words(file, 670, y + 12, "note", words);
}

enum { FIRST = 8, LAST = 3, ROW = 19 };

/* How many requests after the first go on storing: a table is zeroed in many. */
static size_t further_stores(const struct trace *trace)
{
    size_t i = 0;
    while (trace->shared_table && i < trace->requests && trace->request[i].access == SIM_STORE)
        i++;
    return i > 2 ? i - 1 : 0;
}

static size_t rows_of_requests(const struct trace *trace)
{
    size_t stores = further_stores(trace), rows = trace->requests - stores;
    return (rows <= FIRST + LAST + 1 ? rows : FIRST + LAST + 1) + (stores > 0);
}

/* A row that stands for many. */
static void draw_left_out(FILE *file, size_t count, const char *what, int y)
{
    char words[64];
    snprintf(words, sizeof words, "... %zu more %s ...", count, what);
    draw_words(file, 150, y + 12, "note", words);
}

/* The first and the last requests. */
static void draw_requests(FILE *file, const struct trace *trace, int y)
{
    int top = y + 8;
    char words[192];
    bool wide = trace_reader_of_byte(trace, 0).bytes > 1;
    snprintf(
        words, sizeof words,
        "The requests of the first warp. Columns: its 32 lanes. Letters: %s a lane loads, a dot "
        "for a blank. Digits: the %s.",
        wide ? "the first that" : "what", trace->shared_table ? "bank" : "bin");
    draw_words(file, 10, y, "note", words);
    size_t stores = further_stores(trace), last = trace->requests - LAST;
    bool all = trace->requests - stores <= FIRST + LAST + 1;
    for (size_t i = 0; i < trace->requests; i++) {
        if (i == 1 && stores > 0) {
            i += stores;
            draw_left_out(file, stores, "like it", top);
            top += ROW;
        }
        if (!all && i == FIRST + stores) {
            i = last;
            draw_left_out(file, last - FIRST - stores, "requests", top);
            top += ROW;
        }
        draw_request(file, trace, i, top);
        top += ROW;
    }
}

/* Without a kernel: rows of characters in the order in which the loop reads them. */
static void draw_characters(FILE *file, const struct trace *trace, int x, int y)
{
    enum { ROWS = 6, SIZE = 14 };
    draw_words(file, x, y, "note",
               "The text, read from left to right, each character in its bin's color");
    for (int i = 0; i < ROWS * SECTOR; i++) {
        char words[8];
        unsigned char character = trace->text.bytes[i];
        draw_cell(file, x + i % SECTOR * SIZE, y + 8 + i / SECTOR * (SIZE + 3), SIZE, SIZE,
                  color_of(character), printable(character, words));
    }
}

/* Whether the map is worth its place: not where a kernel that has more to show, copies of the bins
 * or a table of them, reads as the simpler ones do, byte after byte or word after word. */
static bool has_map(const struct trace *trace)
{
    bool wide = trace_reader_of_byte(trace, 0).bytes > 1, copies = false;
    for (size_t i = 0; i < trace->requests; i++)
        copies = copies || trace_array(trace, &trace->request[i]) >= COPIES;
    bool in_order = trace_reader_of_byte(trace, 1).load == 1;
    return !copies || (wide ? !trace->shared_table : !in_order);
}

static bool picture_draw(FILE *file, const struct trace *trace, const char *name)
{
    enum { WIDTH = 880, TOP = 20, BINS_HEIGHT = 112, GAP = 28 };
    bool warps = trace->requests > 0;
    bool mapped = warps && has_map(trace);
    int map = mapped ? 8 + 14 * (int)(trace_map_length(trace) / SECTOR) : 110;
    int requests = TOP + (map > BINS_HEIGHT ? map : BINS_HEIGHT) + GAP;
    int height = warps ? requests + 16 + ROW * (int)rows_of_requests(trace) : requests;
    fprintf(file,
            "<svg xmlns='http://www.w3.org/2000/svg' class='ladder' role='img' viewBox='0 0 %d %d' "
            "width='%d' "
            "height='%d'>\n<title>%s</title>\n<desc>",
            WIDTH, height, WIDTH, height, name);
    trace_write_words(file, trace, name);
    fprintf(file, "</desc>\n");
    bool styled = copy_style(file);
    if (warps) {
        if (mapped)
            draw_map(file, trace, 10, TOP);
        draw_requests(file, trace, requests);
    } else {
        draw_characters(file, trace, 10, TOP);
    }
    draw_bins(file, trace, warps && !mapped ? 150 : 530, TOP);
    fprintf(file, "</svg>\n");
    return styled;
}

static struct text read_text(char *file)
{
    /* Its length shares no factor with 32, so lanes do not all read the same character. */
    static const char sentence[] =
        "many hands make light work, and many threads make a histogram; but "
        "two of them must not add to one bin at the same moment. ";
    char error[256], *files[] = {file};
    struct text text = file ? text_read(files, 1, PICTURE_LENGTH, error, sizeof error)
                            : text_from("a sentence", sentence, sizeof sentence - 1);
    if (!text.bytes || text.length == 0) {
        fprintf(stderr, "%s\n", text.bytes ? "the text is empty" : error);
        exit(1);
    }
    text_resize(&text, PICTURE_LENGTH);
    return text;
}

int main(int arguments, char **argument)
{
    static struct trace trace;
    if ((arguments != 3 && arguments != 4) || num_bins() != COLORS) {
        fprintf(stderr, "usage: %s NAME OUT.svg [TEXT], and 5 bins\n", argument[0]);
        return 2;
    }
    trace.text = read_text(arguments == 4 ? argument[3] : NULL);
    trace_run(&trace);
    FILE *file = fopen(argument[2], "w");
    if (!file) {
        fprintf(stderr, "cannot write %s\n", argument[2]);
        return 1;
    }
    if (!picture_draw(file, &trace, argument[1])) {
        fprintf(stderr, "cannot read %s: run this in the folder of the course\n", PICTURE_STYLE);
        return 1;
    }
    fclose(file);
    printf("%s: ", argument[2]);
    trace_write_words(stdout, &trace, argument[1]);
    printf("\n");
    text_free(&trace.text);
    return 0;
}
