/* hypotheses.c - other keys for the elements, with which all bins would be what they are. */
#include "causes.h"

/* Other keys for the elements, with a number. */
struct hypothesis {
    const struct difference *d;
    uint64_t number;
};

bool holds(const struct difference *d, oracle_key *key_of, uint64_t number)
{
    size_t first;
    const struct hypothesis hypothesis = {d, number};
    struct oracle other = oracle_with(d->input, key_of, &hypothesis);
    const bool fits = oracle_wrong(&other, d->held, &first) == 0;
    oracle_free(&other);
    return fits;
}

static uint32_t none(void)
{
    return UINT32_MAX; /* a key without a bin: there are at most 2^31 - 1 */
}

uint32_t clamped_key(const struct input *input, size_t i, const void *unused)
{
    (void)unused;
    const uint32_t key = input_key(input, i);
    return key < input->num_bins ? key : (uint32_t)(input->num_bins - 1);
}

uint32_t wrapped_key(const struct input *input, size_t i, const void *unused)
{
    (void)unused;
    return (uint32_t)(input_key(input, i) % input->num_bins);
}

uint32_t short_key(const struct input *input, size_t i, const void *unused)
{
    (void)unused;
    return input_key(input, i) & 0xffff;
}

uint32_t key_of_prefix(const struct input *input, size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    return i < hypothesis->number ? input_key(input, i) : none();
}

uint32_t key_but_of_block(const struct input *input, size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    const struct difference *d = hypothesis->d;
    return i / d->threads_per_block % d->blocks == hypothesis->number ? none()
                                                                      : input_key(input, i);
}

uint32_t key_but_of_section(const struct input *input, size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    const uint64_t blocks = hypothesis->d->blocks;
    const size_t section = (size_t)((input->length + blocks - 1) / blocks);
    return i / section == hypothesis->number ? none() : input_key(input, i);
}
