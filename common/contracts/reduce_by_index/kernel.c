/* kernel.c - calls what the contract at hand promises.
 *
 * The contracts with an operation share their harness, and a program has the function of one of them:
 * that of the other is weak, and absent. */
#include "measure.h"
#include "model.h"
#include "operations.h"
#include "reduce_by_index.h"
#include "reduce_by_index_batched.h"
#include "two_phase_asked.h"

#pragma weak reduce_by_index
#pragma weak reduce_by_index_batched
/* So are models, which a kernel need not have. */
#pragma weak race_factor
#pragma weak copies_in_cache
#pragma weak model_choose
#pragma weak parts_for

void call_make(const struct call *call)
{
    const element_t *elements = (const element_t *)(uintptr_t)call->elements;
    bin_t *bins = (bin_t *)(uintptr_t)call->bins;
    if (call->batch > 0)
        reduce_by_index_batched(elements, call->length / call->batch, call->batch, bins,
                                call->num_bins / call->batch);
    else if (reduce_by_index)
        reduce_by_index(elements, call->length, bins, call->num_bins);
    else /* a batch of no histogram, which would have been as long as others */
        reduce_by_index_batched(elements, 1000, 0, bins, 31);
}

static void ask_choice(const double *asked, double *answers)
{
    const struct model_card card = {(size_t)asked[2], (size_t)asked[3], (unsigned int)asked[4]};
    struct model_choice choice = {0, 0, 0};
    model_choose(&card, (size_t)asked[0], (size_t)asked[1], &choice);
    answers[0] = choice.in_shared;
    answers[1] = choice.copies;
    answers[2] = choice.passes;
}

static void ask_model_elements(struct model *model)
{
    const double *asked = model->asked;
    double *answers = model->answers;
    model->is_there = 1;
    if (model->function == MODEL_RACE_FACTOR && race_factor)
        answers[0] = race_factor((float)asked[0], (float)asked[1], (float)asked[2]);
    else if (model->function == MODEL_COPIES_IN_CACHE && copies_in_cache)
        answers[0] = copies_in_cache((float)asked[0], (unsigned int)asked[1]);
    else if (model->function == MODEL_CHOOSE && model_choose)
        ask_choice(asked, answers);
    else if (model->function == MODEL_PARTS && parts_for)
        answers[0] = (double)parts_for((size_t)asked[0], (size_t)asked[1], (size_t)asked[2],
                                       (size_t)asked[3]);
    else
        model->is_there = 0;
}

static uint32_t key_of_elements(const struct call *call, const unsigned char *element)
{
    return operation_key(call->operation, element);
}

const struct kernel_half kernel_half = {
    .key = key_of_elements, .model = ask_model_elements, .answer = two_phase_answer};
