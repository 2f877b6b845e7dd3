/* to_run.c - on which texts the chapters of histogram() are run and traced: see to_run.h. */
#include "text_input.h"

extern const struct contract histogram_contract;

static const struct traced_case cases[] = {
    TRACED(TEXT_UNIFORM, 0),
    TRACED(TEXT_UNIFORM, 1),
    TRACED(TEXT_UNIFORM, 2),
    TRACED(TEXT_UNIFORM, 31),
    TRACED(TEXT_UNIFORM, 32),
    TRACED(TEXT_UNIFORM, 33),
    TRACED(TEXT_UNIFORM, 33, .calls = 2),
    TRACED(TEXT_UNIFORM, 255),
    TRACED(TEXT_UNIFORM, 257),
    TRACED(TEXT_ENGLISH, 600),
    TRACED(TEXT_UNIFORM, 999, .misalignment = 1),
    TRACED(TEXT_UNIFORM, 999, .misalignment = 3),
    TRACED(TEXT_UNIFORM, 999, .misalignment = 8),
    TRACED(TEXT_UNIFORM, 999, .misalignment = 15),
    TRACED(CONTENT_HIGH, 4099),
    TRACED(CONTENT_ALL_VALUES, 4099),
    TRACED(CONTENT_BRACES, 4099),
    TRACED(CONTENT_LAST_LETTER, 4099),
    TRACED(CONTENT_IN_TURN, 4099),
    TRACED(TEXT_UNIFORM, 4095),
    TRACED(TEXT_UNIFORM, 4097),
    TRACED(TEXT_RUNS, 10007),
    TRACED(TEXT_ENGLISH, 10007),
    TRACED(TEXT_UNIFORM, 16381),
    TRACED(TEXT_UNIFORM, 16383, .misalignment = 7),
    TRACED(TEXT_SINGLE, 40009),
    TRACED(TEXT_UNIFORM, 40009),
    TRACED(TEXT_UNIFORM, 65537),
    TRACED(TEXT_ENGLISH, 300007),
    NO_MORE_TRACED,
};

static struct input draw_text(const struct drawn_case *drawn, uint64_t unused)
{
    (void)unused;
    return text_drawn(&histogram_contract, drawn);
}

static const struct to_run texts_to_run = {.contract = &histogram_contract,
                                           .draw = draw_text,
                                           .write = text_write_asked,
                                           .read = text_read_asked,
                                           .few = {.kind = CONTENT_TALE},
                                           .tales = {640, 1280, 2400, 4200, 8300},
                                           .cases = cases,
                                           .simplify = text_simplify,
                                           .name_output = text_name_bin};

const struct to_run *kernel_to_run(void)
{
    return &texts_to_run;
}
