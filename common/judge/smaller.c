/* smaller.c - looks for the smallest input on which the output is wrong. */
#include "smaller.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "contract.h"
#include "expect_right.h"
#include "placed.h"

enum { A_NAME = 120 };

/* Whether the call leaves a wrong output; then the line says which. */
static bool is_wrong_on(const struct input *input, char *line, size_t size)
{
    char name[A_NAME], first[FIRST_OUTPUT];
    struct oracle *oracle = input->contract->oracle(input);
    struct placed placed = place(input);
    place_output(&placed);
    expect_to_end(&placed, input->name);
    unsigned char *held = place_read(&placed);
    struct difference d = {.input = input, .oracle = oracle, .held = held};
    const bool wrong = !contract_compare(&d) && d.wrong > 0;
    if (wrong) {
        contract_name(&d, name, sizeof name);
        say_first(&d, name, first);
        snprintf(line, size, "\n  the smallest input that is wrong, too: %s; %s", input->name,
                 first);
    }
    free(held);
    place_free(&placed);
    contract_forget(oracle);
    return wrong;
}

void smaller_input(const struct input *input, char *line, size_t size)
{
    bool found = !input->contract->draw;
    for (size_t length = 1; length <= input->length / 2 && !found; length += (length + 1) / 2) {
        struct input small = input->contract->draw(1, length);
        found = is_wrong_on(&small, line, size);
        input_free(&small);
    }
}
