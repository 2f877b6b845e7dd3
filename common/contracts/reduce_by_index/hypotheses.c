/* hypotheses.c - other keys for the elements, with which all bins would be what they are. */
#include "causes.h"

/* Other keys for the elements, with a number. */
struct hypothesis {
    const struct difference *d;
    uint64_t number;
};

bool holds(const struct difference *d, oracle_bin *bin_of_element, uint64_t number)
{
    size_t first;
    const struct hypothesis hypothesis = {d, number};
    struct oracle other = oracle_with(d->input, bin_of_element, &hypothesis);
    const bool fits = oracle_wrong(&other, d->held, &first) == 0;
    oracle_free(&other);
    return fits;
}

/* What these do to the rows of a batch is not asked. */
uint64_t clamped_bin(const struct input *input, size_t i, const void *unused)
{
    (void)unused;
    const uint64_t bin = input_bin(input, i);
    return bin < input->num_bins ? bin : input->num_bins - 1;
}

uint64_t wrapped_bin(const struct input *input, size_t i, const void *unused)
{
    (void)unused;
    return input_key(input, i) % input->num_bins;
}

uint64_t short_bin(const struct input *input, size_t i, const void *unused)
{
    (void)unused;
    return input_key(input, i) & 0xffff;
}

uint64_t bin_of_prefix(const struct input *input, size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    return i < hypothesis->number ? input_bin(input, i) : input->num_bins;
}

uint64_t bin_but_of_block(const struct input *input, size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    const struct difference *d = hypothesis->d;
    return i / d->threads_per_block % d->blocks == hypothesis->number ? input->num_bins
                                                                      : input_bin(input, i);
}

uint64_t bin_but_of_section(const struct input *input, size_t i, const void *context)
{
    const struct hypothesis *hypothesis = context;
    const uint64_t blocks = hypothesis->d->blocks;
    const size_t section = (size_t)((input->length + blocks - 1) / blocks);
    return i / section == hypothesis->number ? input->num_bins : input_bin(input, i);
}
