/* devices.c - the workload of chapters that count on several devices: all that this program sees
 * (CUDA_VISIBLE_DEVICES). A cell is WHERE:SIZE:
 *
 *     each:16G       each card holds so much text: reading alone, the chapter, and no text at all
 *     all:1G         all cards together hold so much text, in equal shares: the same
 *     pinned:8G      pinned memory of the host holds so much text: the copies alone, the chapter
 *     pageable:8G    the same in memory that is not pinned
 *
 * What is timed is a call, by the clock on the wall, from an idle machine until the bins are complete in host
 * memory: launches and collective are part of it. histogram_on_devices() (many.h) counts what lies on the cards, if
 * the chapter has it. A card holds PARTS shares with "all", and each run counts the next one, so that no cache has it.
 *
 * When a chapter is judged, a cell is a length. The chapter counts texts of several kinds (made_text.h), in pinned
 * and in pageable memory, at a multiple of 256 bytes and at the next address, and each text twice. A text of
 * LONG_TEXT bytes or more is one letter over and over, so that a bin holds more than 32 bits can. It is counted once,
 * at one address. */
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

/* What one device holds: a text of its own, of which `share` bytes from `at` on are counted; or buffers, to which
 * its share of a text in host memory is copied in turn. */
struct card {
    int device;
    unsigned char *room, *buffer[BUFFERS];
    unsigned int *sink;
    cudaStream_t stream;
    const unsigned char *text;
    size_t length;
};

struct workspace {
    enum place place;
    bool judged, is_empty; /* is_empty: on the cards, without a text */
    int devices, device_left;
    struct card card[MOST_DEVICES];
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
        columns_add(&cell.columns, "where", "%s", where);
        columns_add(&cell.columns, "bins", "%d", (int)NUM_BINS);
        if (i)
            columns_add(&cell.columns, "implementation", "no text");
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

static bool fill_cards(struct workspace *workspace)
{
    for (int device = 0; device < workspace->devices; device++) {
        struct card *card = &workspace->card[device];
        use(device);
        must(cudaMalloc((void **)&card->sink, sizeof *card->sink), "cudaMalloc");
        if (!got_memory(cudaMalloc((void **)&card->room, workspace->room_bytes),
                        "cudaMalloc of the text"))
            return false;
        made_text_fill(card->room, workspace->room_bytes, (size_t)device << 40, MIXED);
    }
    for (int device = 0; device < workspace->devices; device++) {
        use(device);
        must(cudaDeviceSynchronize(), "fill_text_kernel");
    }
    return true;
}

static void read_cards(const struct peer *self, const void *input, size_t units, void *output,
                       size_t bins)
{
    const struct workspace *workspace = output;
    (void)input, (void)units, (void)bins;
    for (int device = 0; device < workspace->devices; device++) {
        use(device);
        read_in_shape(self->shape, workspace->card[device].room + workspace->at, workspace->share,
                      workspace->card[device].sink);
    }
    for (int device = 0; device < workspace->devices; device++) {
        use(device);
        must(cudaDeviceSynchronize(), "reading alone");
    }
    use(0);
}

static void count_on_cards(struct workspace *workspace, void (*function)(void), size_t share)
{
    const unsigned char *texts[MOST_DEVICES];
    size_t lengths[MOST_DEVICES];
    for (int device = 0; device < workspace->devices; device++) {
        texts[device] = workspace->card[device].room + workspace->at;
        lengths[device] = share;
    }
    ((void (*)(const unsigned char *const *, const size_t *, unsigned long long *))function)(
        texts, lengths, workspace->bins);
}

/* -- text in host memory -- */

/* Returns how many bytes Linux could give to a program now; very many where it does not say. */
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
static bool take_in_host(struct workspace *workspace, size_t bytes)
{
    void *room = NULL;
    if (bytes > memory_free())
        return false;
    if (workspace->place == PAGEABLE) {
        workspace->room = aligned_alloc(ALIGNMENT, (bytes / ALIGNMENT + 1) * ALIGNMENT);
        return workspace->room != NULL;
    }
    const bool fits =
        got_memory(cudaHostAlloc(&room, bytes, cudaHostAllocPortable), "cudaHostAlloc of the text");
    workspace->room = fits ? room : NULL;
    return fits;
}

static void make_streams(struct workspace *workspace)
{
    for (int device = 0; device < workspace->devices; device++) {
        struct card *card = &workspace->card[device];
        use(device);
        must(cudaStreamCreateWithFlags(&card->stream, cudaStreamNonBlocking), "cudaStreamCreate");
        for (int i = 0; i < BUFFERS; i++)
            must(cudaMalloc((void **)&card->buffer[i], BUFFER_BYTES), "cudaMalloc of a buffer");
    }
}

static void *copy_share(void *what)
{
    const struct card *card = what;
    use(card->device);
    for (size_t i = 0; i < card->length; i += BUFFER_BYTES) {
        const size_t left = card->length - i, length = left < BUFFER_BYTES ? left : BUFFER_BYTES;
        must(cudaMemcpyAsync(card->buffer[i / BUFFER_BYTES % BUFFERS], card->text + i, length,
                             cudaMemcpyHostToDevice, card->stream),
             "cudaMemcpyAsync of the text");
    }
    must(cudaStreamSynchronize(card->stream), "cudaMemcpyAsync of the text");
    return NULL;
}

/* What the links to the cards do: each device gets an equal share, all at the same time; a thread for each
 * waits until all is there. */
static void copy_text(const struct peer *self, const void *input, size_t units, void *output,
                      size_t bins)
{
    struct workspace *workspace = output;
    pthread_t threads[MOST_DEVICES];
    const size_t share = workspace->length / (size_t)workspace->devices;
    (void)self, (void)input, (void)units, (void)bins;
    for (int device = 0; device < workspace->devices; device++) {
        struct card *card = &workspace->card[device];
        card->text = workspace->text + (size_t)device * share;
        card->length =
            device + 1 < workspace->devices ? share : workspace->length - (size_t)device * share;
        if (device > 0 && pthread_create(&threads[device], NULL, copy_share, card) != 0) {
            fprintf(stderr, "gpu: cannot start a thread\n");
            exit(1);
        }
    }
    copy_share(&workspace->card[0]);
    for (int device = 1; device < workspace->devices; device++)
        pthread_join(threads[device], NULL);
    use(0);
}

/* -- a cell -- */

void workspace_release(struct workspace *workspace)
{
    for (int device = 0; device < workspace->devices; device++) {
        struct card *card = &workspace->card[device];
        use(device);
        if (card->stream)
            must(cudaStreamDestroy(card->stream), "cudaStreamDestroy");
        for (int i = 0; i < BUFFERS; i++)
            must(cudaFree(card->buffer[i]), "cudaFree");
        must(cudaFree(card->room), "cudaFree");
        must(cudaFree(card->sink), "cudaFree");
    }
    if (workspace->place == PINNED)
        must(cudaFreeHost(workspace->room), "cudaFreeHost");
    else
        free(workspace->room);
    use(0);
    free(workspace);
}

/* What a cell says of itself once the number of devices is known. */
static void tell_devices(struct cell *cell, const struct workspace *workspace)
{
    char words[32];
    snprintf(words, sizeof words, ", %d device%s", workspace->devices,
             workspace->devices == 1 ? "" : "s");
    strncat(cell->name, words, sizeof cell->name - strlen(cell->name) - 1);
    cell->bytes = cell->units == 0    ? 0
                  : is_on_cards(cell) ? workspace->share * (size_t)workspace->devices
                                      : workspace->length;
    columns_add(&cell->columns, "devices", "%d", workspace->devices);
    columns_add(&cell->columns, "bytes", "%zu", cell->bytes);
}

/* Shares on the cards are multiples of ALIGNMENT, so that they can be read by 16 bytes. */
struct workspace *workspace_prepare(struct cell *cell)
{
    struct workspace *workspace = calloc(1, sizeof *workspace);
    bool fits;
    workspace->place = (enum place)cell->place;
    workspace->judged = cell->calls > 0;
    workspace->is_empty = cell->source != NULL;
    must(cudaGetDeviceCount(&workspace->devices), "cudaGetDeviceCount");
    workspace->devices = workspace->devices < MOST_DEVICES ? workspace->devices : MOST_DEVICES;
    for (int device = 0; device < workspace->devices; device++)
        workspace->card[device].device = device;
    if (is_on_cards(cell)) {
        const size_t parts = cell->place == ALL ? (size_t)workspace->devices : 1;
        workspace->share = cell->shift / parts / ALIGNMENT * ALIGNMENT;
        workspace->room_bytes =
            workspace->is_empty ? ALIGNMENT : (cell->place == ALL ? PARTS : 1) * workspace->share;
        fits = fill_cards(workspace);
    } else {
        workspace->length = cell->units;
        fits = take_in_host(workspace, workspace->length + ALIGNMENT);
        workspace->text = workspace->room + (workspace->judged ? cell->shift : 0);
        if (fits)
            made_text_to_host(workspace->text, workspace->length, 0, (enum made_text)cell->kind,
                              workspace->truth);
        if (fits && !workspace->judged)
            make_streams(workspace);
    }
    use(0);
    tell_devices(cell, workspace);
    if (fits)
        return workspace;
    workspace_release(workspace);
    return NULL;
}

void workspace_reset(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    (void)who, (void)runs;
    memset(workspace->bins, 0, sizeof workspace->bins);
}

/* A chapter that is judged adds to what the call before has left; the device that is current must be so
 * afterwards. */
void workspace_run(struct workspace *workspace, const struct entrant *who, size_t units,
                   size_t turn)
{
    const int device = workspace->judged ? workspace->devices - 1 : 0;
    (void)turn;
    workspace->at += workspace->share;
    if (workspace->at + workspace->share > workspace->room_bytes)
        workspace->at = 0;
    if (who->peer.run) {
        who->peer.run(&who->peer, NULL, units, workspace, NUM_BINS);
        return;
    }
    if (!workspace->judged)
        memset(workspace->bins, 0, sizeof workspace->bins);
    use(device);
    if (workspace->room_bytes)
        count_on_cards(workspace, who->function[1], workspace->is_empty ? 0 : workspace->share);
    else
        ((void (*)(const unsigned char *, size_t, unsigned long long *))who->function[0])(
            workspace->text, workspace->length, workspace->bins);
    must(cudaGetDevice(&workspace->device_left), "cudaGetDevice");
    use(0);
    if (workspace->device_left == device)
        workspace->device_left = -1;
}

/* Whether there is a text on the cards. */
static bool is_filled(const struct workspace *workspace)
{
    return workspace->room_bytes > 0 && !workspace->is_empty;
}

struct verdict workspace_judge(struct workspace *workspace, const struct entrant *who, size_t runs)
{
    struct verdict verdict = {.of = 1, .different = 1};
    unsigned long long truth[NUM_BINS];
    (void)who;
    for (int bin = 0; bin < NUM_BINS; bin++)
        truth[bin] = workspace->truth[bin] * (workspace->judged ? runs : 1);
    for (int device = 0; device < workspace->devices && is_filled(workspace); device++) {
        use(device);
        made_text_count(workspace->card[device].room + workspace->at, workspace->share, truth);
    }
    use(0);
    for (int bin = NUM_BINS - 1; bin >= 0; bin--)
        if (workspace->bins[bin] != truth[bin]) {
            verdict.wrong = 1;
            snprintf(verdict.why, sizeof verdict.why, "bin %d has %s in place of %s", bin,
                     grouped(workspace->bins[bin]), grouped(truth[bin]));
        }
    if (workspace->judged && workspace->device_left >= 0) {
        verdict.wrong = 1;
        snprintf(verdict.why, sizeof verdict.why, "device %d is current in place of %d",
                 workspace->device_left, workspace->devices - 1);
    }
    return verdict;
}

const struct workload workload = {
    .function = {"histogram_many", "histogram_on_devices"},
    .linked = {(void (*)(void))histogram_many, (void (*)(void))histogram_on_devices},
    .header =
        "where,implementation,bins,devices,bytes,median_ms,min_ms,max_ms,runs,correct,GB_per_s",
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
