/* 60_many_gpus.c - the exercise of chapter 60: kernels read the text where it is, in memory of the host. */
#include "many/harness.h"

enum { DEVICES = 4, LENGTH = 1 << 16 };

/* Catches a copy of the text on a device, or in other memory of the host. */
Test(further60, reads_the_text_where_it_is)
{
    for (int pinned = 0; pinned <= 1; pinned++) {
        struct text text = text_of(TEXT_UNIFORM, 7, LENGTH);
        const struct many_case asked = {.what = text.name,
                                        .text = text.bytes,
                                        .length = text.length,
                                        .units = DEVICES,
                                        .pinned = pinned};
        struct many_seen seen = many_measure_case(&asked);
        for (unsigned int i = 0; i < DEVICES; i++) {
            expect_exactly(seen.unit[i].copied, "bytes of the text", 0,
                           "copied to device %u: its kernels read the host's memory; bytes", i);
            expect_at_most(seen.unit[i].most_on_device, "bytes of memory", LENGTH / DEVICES / 2,
                           "on device %u: it needs its sums alone, and "
                           "not half of a share; bytes",
                           i);
        }
        many_seen_free(&seen);
        text_free(&text);
    }
    technique_is("no byte of the text is copied to any of %d devices", DEVICES);
}

/* Catches bins that the host adds up. */
Test(further60, adds_up_with_one_collective)
{
    struct text text = text_of(TEXT_UNIFORM, 8, LENGTH + 1);
    struct many_seen seen = many_measure(&text, DEVICES);
    expect_exactly(seen.collectives, "collectives", 1, "one adds up the sums of all; collectives");
    many_seen_free(&seen);
    text_free(&text);
}
