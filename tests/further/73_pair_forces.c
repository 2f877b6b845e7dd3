/* 73_pair_forces.c - the exercise of chapter 73: four sums of a warp by ten shuffles.
 *
 * Operations: half full */
#include "exact_forces.h"
#include "expect_right_on.h"

enum { ATOMS_MEASURED = 400, SHUFFLES = 10, LONGEST = 150 };

/* Catches a tree for each component, and a thread that takes a whole list. */
static void expect_few_shuffles(size_t atoms)
{
    enum { WARP = 32, WORDS_OF_ENTRY = 8, WORDS_OF_ATOM = 16 };
    struct input input = atoms_drawn(&(struct drawn_case){ATOMS_SORTED, atoms, {2}}, 1);
    const struct measurement cost = measure_input(&input);
    input_free(&input);
    expect_at_most(cost.shuffles, "shuffles", SHUFFLES * atoms,
                   "a lane gives away half of its components, and keeps the sums of the other "
                   "half: 10 for each of %s lists",
                   grouped(atoms));
    expect_at_most(cost.most_by_thread, "words read by one thread",
                   (LONGEST / WARP + 1) * WORDS_OF_ENTRY + WORDS_OF_ATOM,
                   "a warp takes a list: 8 for each of its rounds, and 16");
    if (operation_turn(operation_chosen()) == 0)
        technique_is("%s shuffles for %s lists", grouped(cost.shuffles), grouped(atoms));
}

Test(further73, adds_up_four_components_by_ten_shuffles)
{
    for_each_operation(expect_few_shuffles, ATOMS_MEASURED, 2);
}
