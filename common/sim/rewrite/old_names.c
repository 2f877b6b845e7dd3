/* old_names.c - names that CUDA 13 no longer has: what takes their place, with a warning that says so. */
#include "passes.h"

#include <string.h>

/* `current` stands in the place of `name`. An intrinsic of a warp gets the lanes that call it as its
 * mask, which is what it meant before 2018. Where nothing can stand there, `current` is NULL. */
static const struct {
    const char *name, *current, *advice;
    bool masked;
} old_names[] = {
    {"cudaThreadSynchronize", "cudaDeviceSynchronize", "write cudaDeviceSynchronize()", false},
    {"cudaThreadExit", "cudaDeviceReset", "write cudaDeviceReset()", false},
    {"cudaThreadSetLimit", "cudaDeviceSetLimit", "write cudaDeviceSetLimit", false},
    {"cudaThreadGetLimit", "cudaDeviceGetLimit", "write cudaDeviceGetLimit", false},
    {"cudaThreadSetCacheConfig", "cudaDeviceSetCacheConfig", "write cudaDeviceSetCacheConfig",
     false},
    {"cudaThreadGetCacheConfig", "cudaDeviceGetCacheConfig", "write cudaDeviceGetCacheConfig",
     false},
    {"cudaConfigureCall", NULL, "write kernel<<<grid, block>>>(arguments)", false},
    {"cudaSetupArgument", NULL, "write kernel<<<grid, block>>>(arguments)", false},
    {"__shfl", "__shfl_sync", "write __shfl_sync(0xffffffff, value, lane)", true},
    {"__shfl_up", "__shfl_up_sync", "write __shfl_up_sync(0xffffffff, value, distance)", true},
    {"__shfl_down", "__shfl_down_sync", "write __shfl_down_sync(0xffffffff, value, distance)",
     true},
    {"__shfl_xor", "__shfl_xor_sync", "write __shfl_xor_sync(0xffffffff, value, lanes)", true},
    {"__any", "__any_sync", "write __any_sync(0xffffffff, condition)", true},
    {"__all", "__all_sync", "write __all_sync(0xffffffff, condition)", true},
    {"__ballot", "__ballot_sync", "write __ballot_sync(0xffffffff, condition)", true}};
enum { OLD_NAMES = sizeof old_names / sizeof *old_names };

bool rewrite_old_name(struct rewriting *rewriting, size_t i)
{
    enum { DECLARED = NAME_FOR_DEVICE | NAME_HOST_FUNCTION | NAME_OF_SYSTEM };
    static bool told[OLD_NAMES];
    const struct source *source = rewriting->source;
    const struct token *token = token_at(source, i);
    enum scope_kind kind = current_scope(rewriting)->kind;
    bool inside = kind == SCOPE_FUNCTION || kind == SCOPE_BLOCK;
    if (token->system || !inside || !is_sign(source, i + 1, '(') ||
        rewriting->flags[token->id] & DECLARED || is_sign(source, i - 1, '.') ||
        is_sign(source, i - 1, SIGN2('-', '>')))
        return false;
    for (size_t k = 0; k < OLD_NAMES; k++) {
        if (strlen(old_names[k].name) != token->length ||
            memcmp(old_names[k].name, token->text, token->length))
            continue;
        if (!old_names[k].current)
            fail_at(source, i, "%s is gone from CUDA 13; %s", old_names[k].name,
                    old_names[k].advice);
        if (!told[k])
            warn_at(source, i, "%s is gone from CUDA 13; %s", old_names[k].name,
                    old_names[k].advice);
        told[k] = true;
        edit_instead(rewriting->edits, i, old_names[k].current);
        if (old_names[k].masked)
            edit_after(rewriting->edits, i + 1, "__activemask(), ");
        return true;
    }
    return false;
}
