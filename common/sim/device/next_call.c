/* next_call.c - the function that a kernel's code calls next, where nothing but registers is set before. */
#include "device/next_call.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#if defined(__x86_64__)
/* The bytes of an operand that is told by its ModRM byte: that, a scaled index, and what is added. */
static size_t operand_bytes(const unsigned char *modrm)
{
    const unsigned int mode = *modrm >> 6, base = *modrm & 7;
    const bool indexed = mode != 3 && base == 4;
    const bool far = mode == 2 || (mode == 0 && (base == 5 || (indexed && (modrm[1] & 7) == 5)));
    return 1u + indexed + (far ? 4 : mode == 1);
}

/* The bytes of an instruction that does nothing but set a register; 0 for any other. */
static size_t setting_bytes(const unsigned char *code)
{
    enum {
        MOVE = 0x8b,
        ADDRESS = 0x8d,
        ADD = 0x03,
        EXTEND = 0x63
    };                                                     /* a register from an operand */
    enum { MOVE_TO = 0x89, ADD_TO = 0x01 };                /* an operand from a register */
    enum { BY_BYTE = 0x83, SHIFT = 0xc1, BY_WORD = 0x81 }; /* an operand by a number */
    enum { NUMBER = 0xb8 };                                /* a register: 0xb8 to 0xbf */
    const size_t prefix = code[0] >> 4 == 4;
    const unsigned char operation = code[prefix], *modrm = code + prefix + 1;
    const size_t length = prefix + 1 + operand_bytes(modrm);
    const bool is_register = *modrm >> 6 == 3;
    switch (operation) {
    case MOVE:
    case ADDRESS:
    case ADD:
    case EXTEND:
        return length;
    case MOVE_TO:
    case ADD_TO:
        return is_register ? length : 0;
    case BY_BYTE:
    case SHIFT:
        return is_register ? length + 1 : 0;
    case BY_WORD:
        return is_register ? length + sizeof(int32_t) : 0;
    default:
        return (operation & ~7) == NUMBER && !(prefix && code[0] & 8) ? prefix + 1 + sizeof(int32_t)
                                                                      : 0;
    }
}

uintptr_t sim_next_call(uintptr_t pc)
{
    enum { CALL = 0xe8, MOST = 8 };
    const unsigned char *code = (const unsigned char *)pc;
    int32_t distance;
    size_t bytes;
    for (int i = 0; i < MOST && (bytes = setting_bytes(code)) > 0; i++)
        code += bytes;
    if (*code != CALL)
        return 0;
    memcpy(&distance, code + 1, sizeof distance);
    return (uintptr_t)code + 1 + sizeof distance + (uintptr_t)(intptr_t)distance;
}
#else
uintptr_t sim_next_call(uintptr_t pc)
{
    (void)pc; /* how other processors' code looks is not known here */
    return 0;
}
#endif
