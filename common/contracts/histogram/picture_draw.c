/* picture_draw.c - the picture as SVG: the bins, the text, the requests, lane by lane. */
#include <string.h>

#include "letters.h"
#include "picture.h"

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

bool picture_draw(FILE *file, const struct trace *trace, const char *name)
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
