/* 73_pair_forces.c - right; with half lists one atomic of 16 bytes for each pair and each list, and with full lists
 * none, and the same bits every time.
 *
 * Operations: half full */
#include "exact_forces.h"
#include "expect_right_on.h"

#include "base/cards.h"
#include "random_numbers.h"

enum { ATOMS_MEASURED = 512, DRAWN = 2 };

/* Additions of four floats are one atomic from compute capability 9.0 on, and four before. */
static uint64_t atomics_of_four(void)
{
    return sim_card_chosen()->capability >= 90 ? 1 : 4;
}

/* Entries of the longest list. */
static uint64_t longest_list(const struct input *input)
{
    const struct arrays at = arrays_of(input->length, input->more);
    uint64_t longest = 0;
    for (size_t i = 0; i < at.atoms; i++) {
        const uint64_t entries =
            input_word(input, at.first + i + 1) - input_word(input, at.first + i);
        longest = entries > longest ? entries : longest;
    }
    return longest;
}

static void expect_technique(const struct input *input, bool is_logged)
{
    const struct measurement cost = measure_input(input);
    const uint64_t on_forces = cost.bins.atomic.lanes;
    const uint64_t atomics = on_forces + cost.elsewhere.atomic.lanes;
    struct oracle *oracle = forces_oracle(input);
    const uint64_t each = atomics_of_four(), all = oracle->at.atoms;
    const uint64_t pairs = oracle->near + oracle->unsure, least = oracle->near - oracle->unsure;
    const char *const added_by =
        each == 1 ? "there is one atomic of four floats" : "there are four atomics";
    const uint64_t lists = oracle->lists - oracle->unsure; /* one pair may be all that a list has */
    contract_forget(oracle);
    expect_exactly(cost.shared.atomic.lanes, "shared atomics", 0,
                   "a warp adds up in registers, and by shuffles");
    expect_at_most(cost.most_by_thread, "words read by one thread", 16 * longest_list(input) + 64,
                   "lists are shared out among threads: 16 for each of %s entries of the longest "
                   "list, and 64",
                   grouped(longest_list(input)));
    if (operation_chosen() == FULL_LISTS) {
        expect_exactly(atomics, "atomics", 0, "full lists: each atom gathers all its pairs");
    } else {
        expect_at_most(
            atomics, "atomics", each * (pairs + all),
            "with half lists %s for each of %s pairs within the cutoff, and for each of %s lists",
            added_by, grouped(pairs), grouped(all));
        expect_at_least(
            on_forces, "atomics on forces", each * (least + lists),
            "with half lists %s for each of %s pairs within the cutoff, and for each of %s lists",
            added_by, grouped(least), grouped(lists));
    }
    if (is_logged)
        technique_is("%s atomics for %s pairs of %s atoms, in %s lists", grouped(atomics),
                     grouped(pairs), grouped(all), operation_name(operation_chosen()));
}

/* Catches four atomics for a force, an atomic for each pair on the list's own atom, a full list that adds, and sums in
 * shared memory; one thread for all lists; and a kernel that does so for some numbers of atoms or types only, or
 * where there are images. */
static void expect_by_technique(size_t unused)
{
    (void)unused;
    uint64_t state = run_draw();
    for (int i = 0; i <= DRAWN; i++) {
        const struct drawn_case drawn = {i == 0 ? ATOMS_SORTED : ATOMS_SHUFFLED,
                                         i == 0 ? ATOMS_MEASURED : 1 + random_below(&state, 900),
                                         {i == 0 ? 3 : 1 + random_below(&state, 6)}};
        struct input input = atoms_drawn(&drawn, 3 + (uint64_t)i);
        if (i == DRAWN)
            input.more[BOX] = bits_of_float(0);
        expect_technique(&input, i == 0 && operation_turn(operation_chosen()) == 0);
        input_free(&input);
    }
}

Test(chapter73, adds_by_one_atomic_a_pair_or_by_none)
{
    for_each_operation(expect_by_technique, 0, 2);
}

/* Catches floats that are added as they come. */
static void expect_same_bits_with_full_lists(size_t atoms)
{
    if (operation_chosen() == FULL_LISTS)
        expect_same_output_bits(atoms_drawn(&(struct drawn_case){ATOMS_SHUFFLED, atoms, {2}}, 9),
                                "a fixed order of a list's pairs");
}

Test(chapter73, leaves_the_same_bits_with_full_lists)
{
    for_each_operation(expect_same_bits_with_full_lists, 150, 1);
}
