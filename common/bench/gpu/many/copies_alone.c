/* copies_alone.c - copies a text to all devices at the same time. */
#include "copies_alone.h"

#include <cuda_runtime_api.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "errors.h"

enum { MOST_DEVICES = 64, BUFFERS = 2, BUFFER_BYTES = 1 << 26 };

struct lane {
    int device;
    unsigned char *buffer[BUFFERS];
    cudaStream_t stream;
    const unsigned char *text; /* its share */
    size_t length;
};

struct copies_alone {
    int devices;
    struct lane lane[MOST_DEVICES];
};

struct copies_alone *copies_alone_make(int devices)
{
    struct copies_alone *copies = calloc(1, sizeof *copies);
    if (!copies || devices > MOST_DEVICES) {
        fprintf(stderr, "gpu: no room for copies to %d devices\n", devices);
        exit(1);
    }
    copies->devices = devices;
    for (int device = 0; device < devices; device++) {
        struct lane *lane = &copies->lane[device];
        lane->device = device;
        must(cudaSetDevice(device), "cudaSetDevice");
        must(cudaStreamCreateWithFlags(&lane->stream, cudaStreamNonBlocking), "cudaStreamCreate");
        for (int i = 0; i < BUFFERS; i++)
            must(cudaMalloc((void **)&lane->buffer[i], BUFFER_BYTES), "cudaMalloc of a buffer");
    }
    return copies;
}

void copies_alone_free(struct copies_alone *copies)
{
    for (int device = 0; device < copies->devices; device++) {
        must(cudaSetDevice(device), "cudaSetDevice");
        must(cudaStreamDestroy(copies->lane[device].stream), "cudaStreamDestroy");
        for (int i = 0; i < BUFFERS; i++)
            must(cudaFree(copies->lane[device].buffer[i]), "cudaFree");
    }
    free(copies);
}

static void *copy_share(void *what)
{
    const struct lane *lane = what;
    must(cudaSetDevice(lane->device), "cudaSetDevice");
    for (size_t i = 0; i < lane->length; i += BUFFER_BYTES) {
        const size_t left = lane->length - i, length = left < BUFFER_BYTES ? left : BUFFER_BYTES;
        must(cudaMemcpyAsync(lane->buffer[i / BUFFER_BYTES % BUFFERS], lane->text + i, length,
                             cudaMemcpyHostToDevice, lane->stream),
             "cudaMemcpyAsync of the text");
    }
    must(cudaStreamSynchronize(lane->stream), "cudaMemcpyAsync of the text");
    return NULL;
}

void copies_alone_run(struct copies_alone *copies, const unsigned char *text, size_t length)
{
    pthread_t threads[MOST_DEVICES];
    const size_t share = length / (size_t)copies->devices;
    for (int device = 0; device < copies->devices; device++) {
        struct lane *lane = &copies->lane[device];
        lane->text = text + (size_t)device * share;
        lane->length = device + 1 < copies->devices ? share : length - (size_t)device * share;
        if (device > 0 && pthread_create(&threads[device], NULL, copy_share, lane) != 0) {
            fprintf(stderr, "gpu: cannot start a thread\n");
            exit(1);
        }
    }
    copy_share(&copies->lane[0]);
    for (int device = 1; device < copies->devices; device++)
        pthread_join(threads[device], NULL);
}
