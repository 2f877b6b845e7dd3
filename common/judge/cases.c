/* cases.c - inputs that break kernels of whatever contract: see cases.h. */
#include "cases.h"

#include "contract.h"
#include "expect_right.h"
#include "host_work.h"
#include "sim.h"

enum { A_FEW_MULTIPROCESSORS = 3 };

void for_each_operation(void (*expect)(size_t most), size_t most, unsigned int multiprocessors)
{
    for (size_t i = 0; i < operations_asked(); i++) {
        operation_choose(i);
        sim_set_multiprocessors(multiprocessors);
        expect(most);
    }
}

static void expect_right(struct input input)
{
    judge_input(&input, 1, true);
    input_free(&input);
}

static void expect_right_around(size_t length)
{
    for (size_t i = length - 1; length > 0 && i <= length + 1; i++)
        expect_right(contract.draw(1 + i, i));
}

void expect_right_around_lengths(size_t block, size_t grid)
{
    const size_t lengths[] = {0, 1, 31, 32, 33};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++)
        expect_right(contract.draw(1 + lengths[i], lengths[i]));
    expect_right_around(block);
    expect_right_around(grid);
}

void expect_right_at_misalignments(void)
{
    const size_t misalignments[] = {1, 2, 3, 5, 63};
    for (size_t i = 0; i < sizeof misalignments / sizeof *misalignments; i++) {
        struct input input = contract.draw(7 + i, misalignments[i] == 5 ? 2 : 331 - i);
        input.misalignment = misalignments[i];
        input_say_more(&input, ", %zu %s%s after a multiple of 256 bytes", misalignments[i],
                       layout.unit, misalignments[i] == 1 ? "" : "s");
        expect_right(input);
    }
}

static void expect_right_with_others_before(size_t unused)
{
    (void)unused;
    const size_t lengths[] = {4099, 4099, 1021, 0, 5, 2053};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct input input = contract.draw(20 + i, lengths[i]);
        input_say_more(&input, ", call %zu in a row", i + 1);
        expect_right(input);
    }
}

void expect_right_in_a_row(void)
{
    for_each_operation(expect_right_with_others_before, 0, A_FEW_MULTIPROCESSORS);
}

static void expect_memory_back(size_t unused)
{
    (void)unused;
    struct input input = contract.draw(3, 1000);
    expect_memory_back_on(&input);
    input_free(&input);
}

void expect_keeps_no_memory(void)
{
    if (contract.has_operation) /* its grid follows the device: calls without a grid to speak of */
        for_each_operation(expect_memory_back, 0, 1);
    else
        expect_memory_back(0);
}

/* It ends the test, so that one operation has its turn: another one in each run. */
void call_with_too_many(void)
{
    operation_choose((size_t)(run_draw() % operations_asked()));
    struct input input = contract.draw(1, 1);
    call_with_too_many_on(&input);
}
