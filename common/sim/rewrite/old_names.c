/* old_names.c - names that CUDA 13 no longer has, and what to write instead. */
#include "passes.h"

#include <string.h>

static const struct {
    const char *name, *current;
} old_names[] = {{"cudaThreadSynchronize", "write cudaDeviceSynchronize()"},
                 {"cudaThreadExit", "write cudaDeviceReset()"},
                 {"cudaThreadSetLimit", "write cudaDeviceSetLimit"},
                 {"cudaThreadGetLimit", "write cudaDeviceGetLimit"},
                 {"cudaThreadSetCacheConfig", "write cudaDeviceSetCacheConfig"},
                 {"cudaThreadGetCacheConfig", "write cudaDeviceGetCacheConfig"},
                 {"cudaConfigureCall", "write kernel<<<grid, block>>>(arguments)"},
                 {"cudaSetupArgument", "write kernel<<<grid, block>>>(arguments)"},
                 {"__shfl", "write __shfl_sync(0xffffffff, value, lane)"},
                 {"__shfl_up", "write __shfl_up_sync(0xffffffff, value, distance)"},
                 {"__shfl_down", "write __shfl_down_sync(0xffffffff, value, distance)"},
                 {"__shfl_xor", "write __shfl_xor_sync(0xffffffff, value, lanes)"},
                 {"__any", "write __any_sync(0xffffffff, condition)"},
                 {"__all", "write __all_sync(0xffffffff, condition)"},
                 {"__ballot", "write __ballot_sync(0xffffffff, condition)"}};

void refuse_old_name(const struct rewriting *rewriting, size_t i)
{
    enum { DECLARED = NAME_FOR_DEVICE | NAME_HOST_FUNCTION | NAME_OF_SYSTEM };
    const struct source *source = rewriting->source;
    const struct token *token = token_at(source, i);
    enum scope_kind kind = current_scope(rewriting)->kind;
    bool inside = kind == SCOPE_FUNCTION || kind == SCOPE_BLOCK;
    if (token->system || !inside || !is_sign(source, i + 1, '(') ||
        rewriting->flags[token->id] & DECLARED || is_sign(source, i - 1, '.') ||
        is_sign(source, i - 1, SIGN2('-', '>')))
        return;
    for (size_t k = 0; k < sizeof old_names / sizeof *old_names; k++)
        if (strlen(old_names[k].name) == token->length &&
            !memcmp(old_names[k].name, token->text, token->length))
            fail_at(source, i, "%s is gone from CUDA 13; %s", old_names[k].name,
                    old_names[k].current);
}
