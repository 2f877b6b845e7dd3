/* watch.c - the way of bytes to devices, as the simulator tells it. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <cuda_runtime_api.h>
#include <string.h>

#include "origins.h"
#include "sim.h"
#include "text_watch.h"

enum { LENGTH = 1000, DEVICES = 2 };
static unsigned char text[LENGTH];

static void expect_origin(struct origins *origins, uintptr_t at, uintptr_t begin, uintptr_t end,
                          uint64_t offset)
{
    struct origin part;
    cr_assert(origins_next(origins, at, 1000, &part), "%zu: none", (size_t)at);
    cr_expect(part.begin == begin && part.end == end && part.offset == offset,
              "%zu: %zu to %zu, of %zu", (size_t)at, (size_t)part.begin, (size_t)part.end,
              (size_t)part.offset);
}

Test(origins, are_overwritten_and_forgotten)
{
    struct origins origins = {.count = 0};
    struct origin part;
    origins_set(&origins, 100, 50, 7);
    expect_origin(&origins, 10, 100, 150, 7);
    origins_set(&origins, 120, 10, 500);
    expect_origin(&origins, 110, 110, 120, 17);
    expect_origin(&origins, 120, 120, 130, 500);
    expect_origin(&origins, 130, 130, 150, 37);
    origins_forget(&origins, 90, 35);
    expect_origin(&origins, 90, 125, 130, 505);
    cr_expect(!origins_next(&origins, 90, 125, &part));
    cr_expect(!origins_next(&origins, 125, 125, &part));
    origins_clear(&origins);
    cr_expect(!origins_next(&origins, 0, 1000, &part));
}

static struct sim_event add_of(unsigned int bytes, uintptr_t address)
{
    return (struct sim_event){.space = SIM_GLOBAL,
                              .access = SIM_ATOM,
                              .atomic = SIM_ADD,
                              .bytes = bytes,
                              .active = 1,
                              .address = {address}};
}

Test(narrow_sums, are_those_of_several_launches)
{
    const struct sim_event narrow = add_of(4, 64), wide = add_of(8, 128);
    struct sim_event store = narrow;
    store.access = SIM_STORE;
    store.atomic = SIM_NO_ATOMIC;
    narrow_sums_begin();
    cr_expect_eq(narrow_sums_note(&narrow, 1), 0u);
    cr_expect_eq(narrow_sums_note(&narrow, 1), 0u);
    cr_expect_eq(narrow_sums_note(&narrow, 2), 1u);
    narrow_sums_set(0, 1 << 20);
    cr_expect_eq(narrow_sums_note(&narrow, 3), 0u);
    narrow_sums_note(&store, 4);
    cr_expect_eq(narrow_sums_note(&narrow, 4), 0u);
    cr_expect_eq(narrow_sums_note(&wide, 4), 0u);
    cr_expect_eq(narrow_sums_note(&wide, 5), 0u);
}

static void begin(void)
{
    sim_set_devices(DEVICES);
}

TestSuite(text_watch, .init = begin);

static void expect_read(const struct many_seen *seen, size_t i, unsigned int unit, uint64_t from,
                        uint64_t to)
{
    cr_assert(i < seen->read_count, "%zu reads", seen->read_count);
    const struct many_read *read = &seen->reads[i];
    cr_expect(read->unit == unit && read->begin == from && read->end == to, "unit %u, %zu to %zu",
              read->unit, (size_t)read->begin, (size_t)read->end);
}

Test(text_watch, follows_copies_through_other_memory)
{
    struct many_seen seen = {.result = 0};
    unsigned char *there[DEVICES], *pinned;
    cudaMallocHost((void **)&pinned, LENGTH);
    text_watch_begin(text, LENGTH, DEVICES, false);
    for (int i = 0; i < DEVICES; i++) {
        cudaSetDevice(i);
        cudaMalloc((void **)&there[i], LENGTH);
    }
    cudaMemcpy(there[1], text + 600, 400, cudaMemcpyHostToDevice);
    cudaMemcpy(pinned, text, 300, cudaMemcpyHostToHost);
    cudaMemcpy(there[0], pinned, 300, cudaMemcpyHostToDevice);
    cudaMemcpy(there[0] + 300, text + 300, 300, cudaMemcpyHostToDevice);
    cudaMemcpyPeer(there[1] + 400, 1, there[0], 0, 10);
    cudaMemcpy(there[0], there[0] + 300, 100, cudaMemcpyDeviceToDevice);
    text_watch_end(&seen);
    cr_assert_eq(seen.read_count, 3u, "%zu", seen.read_count);
    expect_read(&seen, 0, 0, 0, 600);
    expect_read(&seen, 1, 1, 0, 10);
    expect_read(&seen, 2, 1, 600, 1000);
    cr_expect_eq(seen.unit[0].copied, 600u);
    cr_expect_eq(seen.unit[0].from_pageable, 300u);
    cr_expect_eq(seen.unit[1].copied, 410u);
    cr_expect_eq(seen.unit[1].most_on_device, (uint64_t)LENGTH);
    cr_expect_eq(seen.loaded, 0u);
    free(seen.reads);
}

/* Of a file its reader tells what has come; memory that is used again holds the next. */
Test(text_watch, is_told_what_comes_from_a_file)
{
    struct many_seen seen = {.result = 0};
    unsigned char *there, *pinned;
    cudaMallocHost((void **)&pinned, LENGTH);
    text_watch_begin(NULL, 3000, 1, false);
    cudaMalloc((void **)&there, LENGTH);
    for (unsigned int i = 0; i < 3; i++) {
        text_watch_arrives(pinned, 5000000000 + i * LENGTH, LENGTH);
        cudaMemcpy(there, pinned, LENGTH, cudaMemcpyHostToDevice);
    }
    text_watch_end(&seen);
    cr_assert_eq(seen.read_count, 1u);
    expect_read(&seen, 0, 0, 5000000000, 5000003000);
    cr_expect_eq(seen.unit[0].copied, 3000u);
    free(seen.reads);
}

/* Nothing is copied, and all is told. */
Test(text_watch, tells_of_a_text_that_nobody_touches)
{
    struct many_seen seen = {.result = 0};
    const unsigned char *nowhere = (const unsigned char *)(uintptr_t)4096;
    unsigned char *there;
    text_watch_begin(nowhere, (size_t)1 << 40, 1, true);
    cr_assert_eq(cudaMalloc((void **)&there, (size_t)1 << 36), cudaSuccess);
    cr_assert_eq(cudaMemcpy(there, nowhere + 5, (size_t)1 << 36, cudaMemcpyHostToDevice),
                 cudaSuccess);
    cudaFree(there);
    text_watch_end(&seen);
    cr_assert_eq(seen.read_count, 1u);
    expect_read(&seen, 0, 0, 5, 5 + (1ull << 36));
    cr_expect_eq(seen.unit[0].most_on_device, 1ull << 36);
    free(seen.reads);
}
