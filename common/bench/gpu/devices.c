/* devices.c - the workload of chapters that count on several devices: WHERE:SIZE, on all that this program
 * sees (CUDA_VISIBLE_DEVICES).
 *
 *     each:16G       so much text lies on each card: reading alone, the chapter, and no text at all
 *     all:1G         so much in all, in equal shares on the cards: the same
 *     pinned:8G      so much in pinned memory of the host: the copies alone, the chapter
 *     pageable:8G    the same in memory that is not pinned
 *
 * What is timed is a call, by the clock on the wall, from an idle machine until the bins are complete in host
 * memory: launches, collective and all. What lies on the cards is counted by histogram_on_devices() (many.h),
 * if the chapter has it. With all: each run counts another of PARTS parts of what each card holds, which caches
 * have not. To be judged are lengths: texts of several kinds (made_text.h) in memory that is pinned and that is
 * not, at an address that is a multiple of 256 and at the next one, each counted twice; from LONG_TEXT bytes on
 * there is one letter, at one address, once, so that a bin holds more than 32 bits can. */
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench.h"
#include "binning.h"
#include "errors.h"
#include "grouped.h"
#include "made_text.h"
#include "many.h"
#include "sizes.h"

enum { MOST_DEVICES = 64, ALIGNMENT = 256, PARTS = 8 };
enum { BUFFERS = 2, BUFFER_BYTES = 1 << 26, LONG_TEXT = 1 << 28 };
enum place { EACH, ALL, PINNED, PAGEABLE, PLACES };
static const char *const places[PLACES] = {"each", "all", "pinned", "pageable"};
#pragma weak histogram_many
#pragma weak histogram_on_devices

/* What one device has: of its own text `share` bytes are counted from `at` on; of a text in host memory its
 * share is copied, to buffers in turn. */
struct lane {
    int device;
    unsigned char *room, *buffer[BUFFERS];
    unsigned int *sink;
    cudaStream_t stream;
    const unsigned char *text;
    size_t length;
};

struct field {
    enum place place;
    bool judged, is_empty; /* is_empty: on the cards, without a text */
    int devices, device_left;
    struct lane lane[MOST_DEVICES];
    size_t room_bytes, share, at; /* on each card */
    unsigned char *room, *text;   /* in host memory */
    size_t length;
    unsigned long long bins[NUM_BINS], truth[NUM_BINS]; /* truth: of a text in host memory */
};

static run_of_peer read_cards, copy_text;
static const struct peer peers[] = {
    {.name = "reading alone", .run = read_cards, .shapes = READ_SHAPES},
    {.name = "copies alone", .run = copy_text, .shapes = 1},
    {.name = NULL},
};

/* -- cells -- */

/* A text of a length that is to be judged: of so many kinds, at so many addresses, in two sorts of memory. */
static size_t judged_cells(const char *size, struct cell *cells, size_t room)
{
    const size_t length = size_typed(size, 0);
    const bool is_long = length >= LONG_TEXT;
    size_t found = 0;
    if (length == 0 && strcmp(size, "0") != 0)
        return 0;
    for (int place = PAGEABLE; place >= PINNED; place--)
        for (int kind = is_long ? ONE_LETTER : 0; kind < (is_long ? ONE_LETTER + 1 : MADE_TEXTS);
             kind++)
            for (size_t shift = is_long; shift < 2 && found < room; shift++) {
                struct cell cell = {.units = length, .bytes = length, .shift = shift, .kind = kind};
                cell.place = place;
                cell.calls = is_long ? 1 : 2;
                snprintf(cell.title, sizeof cell.title, "%d bins, %s bytes", (int)NUM_BINS,
                         grouped(length));
                snprintf(cell.name, sizeof cell.name, "%d bins, %s bytes, %s, in %s memory%s",
                         (int)NUM_BINS, grouped(length), made_text_names[kind], places[place],
                         shift ? " at an odd address" : "");
                cells[found++] = cell;
            }
    return found;
}

/* A place and a size; on the cards a second cell is that without any text. */
size_t workload_cells(bool judged, const char *where, const char *size, struct cell *cells,
                      size_t room)
{
    const size_t length = size_typed(size, 0);
    int place = 0;
    if (judged)
        return *size ? 0 : judged_cells(where, cells, room);
    while (place < PLACES && strcmp(where, places[place]) != 0)
        place++;
    const size_t count = place == EACH || place == ALL ? 2 : 1;
    if (place == PLACES || length < MOST_DEVICES * ALIGNMENT || room < count)
        return 0;
    for (size_t i = 0; i < count; i++) {
        struct cell cell = {.place = place, .source = i ? "no text" : NULL, .kind = MIXED};
        cell.units = cell.bytes = i ? 0 : length;
        cell.shift = length;
        snprintf(cell.name, sizeof cell.name, "%s: %s%s bytes, %d bins", where,
                 i ? "no text of " : "", grouped(length), (int)NUM_BINS);
        fields_add(&cell.fields, "where", "%s", where);
        fields_add(&cell.fields, "bins", "%d", (int)NUM_BINS);
        if (i)
            fields_add(&cell.fields, "implementation", "no text");
        cells[i] = cell;
    }
    return count;
}

static bool is_on_cards(const struct cell *cell)
{
    return cell->place == EACH || cell->place == ALL;
}

static bool takes(const struct cell *cell, const struct entrant *who)
{
    if (who->peer.run)
        return !cell->source && (who->peer.run == read_cards) == is_on_cards(cell);
    if (is_on_cards(cell) && !who->function[1] && cell->place == EACH && !cell->source)
        printf("%s has no histogram_on_devices(): it is timed from host memory alone\n", who->name);
    return !is_on_cards(cell) || who->function[1];
}

/* -- text on the cards -- */

static void use(int device)
{
    must(cudaSetDevice(device), "cudaSetDevice");
}

static bool fill_cards(struct field *field)
{
    for (int device = 0; device < field->devices; device++) {
        struct lane *lane = &field->lane[device];
        use(device);
        must(cudaMalloc((void **)&lane->sink, sizeof *lane->sink), "cudaMalloc");
        if (!got_memory(cudaMalloc((void **)&lane->room, field->room_bytes),
                        "cudaMalloc of the text"))
            return false;
        made_text_fill(lane->room, field->room_bytes, (size_t)device << 40, MIXED);
    }
    for (int device = 0; device < field->devices; device++) {
        use(device);
        must(cudaDeviceSynchronize(), "fill_text_kernel");
    }
    return true;
}

static void read_cards(const struct peer *self, const void *input, size_t units, void *output,
                       size_t bins)
{
    const struct field *field = output;
    (void)input, (void)units, (void)bins;
    for (int device = 0; device < field->devices; device++) {
        use(device);
        read_in_shape(self->shape, field->lane[device].room + field->at, field->share,
                      field->lane[device].sink);
    }
    for (int device = 0; device < field->devices; device++) {
        use(device);
        must(cudaDeviceSynchronize(), "reading alone");
    }
    use(0);
}

static void count_on_cards(struct field *field, void (*function)(void), size_t share)
{
    const unsigned char *texts[MOST_DEVICES];
    size_t lengths[MOST_DEVICES];
    for (int device = 0; device < field->devices; device++) {
        texts[device] = field->lane[device].room + field->at;
        lengths[device] = share;
    }
    ((void (*)(const unsigned char *const *, const size_t *, unsigned long long *))function)(
        texts, lengths, field->bins);
}

/* -- text in host memory -- */

/* What Linux could give to a program now, in bytes; a lot where it does not say. */
static uint64_t memory_free(void)
{
    uint64_t kilobytes = UINT64_MAX >> 10;
    char line[128];
    FILE *file = fopen("/proc/meminfo", "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %" SCNu64, &kilobytes) == 1)
            break;
    if (file)
        fclose(file);
    return kilobytes << 10;
}

/* Returns false when there is not that much memory: more than the machine has free would end programs. */
static bool take_in_host(struct field *field, size_t bytes)
{
    void *room = NULL;
    if (bytes > memory_free())
        return false;
    if (field->place == PAGEABLE) {
        field->room = aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 1) * ALIGNMENT);
        return field->room != NULL;
    }
    const bool fits =
        got_memory(cudaHostAlloc(&room, bytes, cudaHostAllocPortable), "cudaHostAlloc of the text");
    field->room = fits ? room : NULL;
    return fits;
}

static void make_lanes(struct field *field)
{
    for (int device = 0; device < field->devices; device++) {
        struct lane *lane = &field->lane[device];
        use(device);
        must(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking), "cudaStreamCreate");
        for (int i = 0; i < BUFFERS; i++)
            must(cudaMalloc((void **)&lane->buffer[i], BUFFER_BYTES), "cudaMalloc of a buffer");
    }
}

static void *copy_share(void *what)
{
    const struct lane *lane = what;
    use(lane->device);
    for (size_t i = 0; i < lane->length; i += BUFFER_BYTES) {
        const size_t left = lane->length - i, length = left < BUFFER_BYTES ? left : BUFFER_BYTES;
        must(cudaMemcpyAsync(lane->buffer[i / BUFFER_BYTES % BUFFERS], lane->text + i, length,
                             cudaMemcpyHostToDevice, lane->stream),
             "cudaMemcpyAsync of the text");
    }
    must(cudaStreamSynchronize(lane->stream), "cudaMemcpyAsync of the text");
    return NULL;
}

/* What the links to the cards do: each device gets an equal share, all at the same time; a thread for each
 * waits until all is there. */
static void copy_text(const struct peer *self, const void *input, size_t units, void *output,
                      size_t bins)
{
    struct field *field = output;
    pthread_t threads[MOST_DEVICES];
    const size_t share = field->length / (size_t)field->devices;
    (void)self, (void)input, (void)units, (void)bins;
    for (int device = 0; device < field->devices; device++) {
        struct lane *lane = &field->lane[device];
        lane->text = field->text + (size_t)device * share;
        lane->length = device + 1 < field->devices ? share : field->length - (size_t)device * share;
        if (device > 0 && pthread_create(&threads[device], NULL, copy_share, lane) != 0) {
            fprintf(stderr, "gpu: cannot start a thread\n");
            exit(1);
        }
    }
    copy_share(&field->lane[0]);
    for (int device = 1; device < field->devices; device++)
        pthread_join(threads[device], NULL);
    use(0);
}

/* -- a cell -- */

void field_release(struct field *field)
{
    for (int device = 0; device < field->devices; device++) {
        struct lane *lane = &field->lane[device];
        use(device);
        if (lane->stream)
            must(cudaStreamDestroy(lane->stream), "cudaStreamDestroy");
        for (int i = 0; i < BUFFERS; i++)
            must(cudaFree(lane->buffer[i]), "cudaFree");
        must(cudaFree(lane->room), "cudaFree");
        must(cudaFree(lane->sink), "cudaFree");
    }
    if (field->place == PINNED)
        must(cudaFreeHost(field->room), "cudaFreeHost");
    else
        free(field->room);
    use(0);
    free(field);
}

/* What a cell says of itself once the number of devices is known. */
static void tell_devices(struct cell *cell, const struct field *field)
{
    char words[32];
    snprintf(words, sizeof words, ", %d device%s", field->devices, field->devices == 1 ? "" : "s");
    strncat(cell->name, words, sizeof cell->name - strlen(cell->name) - 1);
    cell->bytes = cell->units == 0    ? 0
                  : is_on_cards(cell) ? field->share * (size_t)field->devices
                                      : field->length;
    fields_add(&cell->fields, "devices", "%d", field->devices);
    fields_add(&cell->fields, "bytes", "%zu", cell->bytes);
}

/* Shares on the cards are multiples of ALIGNMENT, so that they can be read by 16 bytes. */
struct field *field_prepare(struct cell *cell)
{
    struct field *field = calloc(1, sizeof *field);
    bool fits;
    field->place = (enum place)cell->place;
    field->judged = cell->calls > 0;
    field->is_empty = cell->source != NULL;
    must(cudaGetDeviceCount(&field->devices), "cudaGetDeviceCount");
    field->devices = field->devices < MOST_DEVICES ? field->devices : MOST_DEVICES;
    for (int device = 0; device < field->devices; device++)
        field->lane[device].device = device;
    if (is_on_cards(cell)) {
        const size_t parts = cell->place == ALL ? (size_t)field->devices : 1;
        field->share = cell->shift / parts / ALIGNMENT * ALIGNMENT;
        field->room_bytes =
            field->is_empty ? ALIGNMENT : (cell->place == ALL ? PARTS : 1) * field->share;
        fits = fill_cards(field);
    } else {
        field->length = cell->units;
        fits = take_in_host(field, field->length + ALIGNMENT);
        field->text = field->room + (field->judged ? cell->shift : 0);
        if (fits)
            made_text_to_host(field->text, field->length, 0, (enum made_text)cell->kind,
                              field->truth);
        if (fits && !field->judged)
            make_lanes(field);
    }
    use(0);
    tell_devices(cell, field);
    if (fits)
        return field;
    field_release(field);
    return NULL;
}

void field_afresh(struct field *field, const struct entrant *who, size_t runs)
{
    (void)who, (void)runs;
    memset(field->bins, 0, sizeof field->bins);
}

/* A chapter that is judged adds to what the call before has left; the device that is current must be so
 * afterwards. */
void field_run(struct field *field, const struct entrant *who, size_t units, size_t turn)
{
    const int device = field->judged ? field->devices - 1 : 0;
    (void)turn;
    field->at += field->share;
    if (field->at + field->share > field->room_bytes)
        field->at = 0;
    if (who->peer.run) {
        who->peer.run(&who->peer, NULL, units, field, NUM_BINS);
        return;
    }
    if (!field->judged)
        memset(field->bins, 0, sizeof field->bins);
    use(device);
    if (field->room_bytes)
        count_on_cards(field, who->function[1], field->is_empty ? 0 : field->share);
    else
        ((void (*)(const unsigned char *, size_t, unsigned long long *))who->function[0])(
            field->text, field->length, field->bins);
    must(cudaGetDevice(&field->device_left), "cudaGetDevice");
    use(0);
    if (field->device_left == device)
        field->device_left = -1;
}

/* Whether there is a text on the cards. */
static bool is_filled(const struct field *field)
{
    return field->room_bytes > 0 && !field->is_empty;
}

struct verdict field_judge(struct field *field, const struct entrant *who, size_t runs)
{
    struct verdict verdict = {.of = 1, .different = 1};
    unsigned long long truth[NUM_BINS];
    (void)who;
    for (int bin = 0; bin < NUM_BINS; bin++)
        truth[bin] = field->truth[bin] * (field->judged ? runs : 1);
    for (int device = 0; device < field->devices && is_filled(field); device++) {
        use(device);
        made_text_count(field->lane[device].room + field->at, field->share, truth);
    }
    use(0);
    for (int bin = NUM_BINS - 1; bin >= 0; bin--)
        if (field->bins[bin] != truth[bin]) {
            verdict.wrong = 1;
            snprintf(verdict.why, sizeof verdict.why, "bin %d has %s in place of %s", bin,
                     grouped(field->bins[bin]), grouped(truth[bin]));
        }
    if (field->judged && field->device_left >= 0) {
        verdict.wrong = 1;
        snprintf(verdict.why, sizeof verdict.why, "device %d is current in place of %d",
                 field->device_left, field->devices - 1);
    }
    return verdict;
}

const struct workload workload = {
    .function = {"histogram_many", "histogram_on_devices"},
    .linked = {(void (*)(void))histogram_many, (void (*)(void))histogram_on_devices},
    .columns = "where,implementation,bins,devices,bytes,median_ms,min_ms,max_ms,runs,correct",
    .usage =
        "CELLS are each, all, pinned or pageable, and a size: each:16G, of at least 16K; to be "
        "judged, lengths: 0,33,4G.",
    .peers = peers,
    .repetitions = 21,
    .fewest = 5,
    .patience_s = 300,
    .by_the_wall = true,
    .takes = takes,
};
