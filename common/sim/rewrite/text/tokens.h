/* tokens.h - preprocessed CUDA C++ as tokens: what the passes look at. */
#ifndef TOKENS_H
#define TOKENS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum token_kind { TOKEN_END, TOKEN_NAME, TOKEN_NUMBER, TOKEN_STRING, TOKEN_SIGN };

/* Words that the passes know. A name token's id is one of these, or a larger
 * number that stands for that name everywhere in the text. */
#define KNOWN_WORDS(WORD)                                                                          \
    WORD(GLOBAL, "__global__")                                                                     \
    WORD(DEVICE, "__device__")                                                                     \
    WORD(HOST, "__host__")                                                                         \
    WORD(ASM, "asm")                                                                               \
    WORD(ASM_GNU, "__asm__")                                                                       \
    WORD(ASM_SHORT, "__asm")                                                                       \
    WORD(NOINLINE, "__noinline__")                                                                 \
    WORD(CONSTANT, "__constant__")                                                                 \
    WORD(MANAGED, "__managed__")                                                                   \
    WORD(SHARED, "__shared__")                                                                     \
    WORD(THREAD_INDEX, "threadIdx")                                                                \
    WORD(BLOCK_INDEX, "blockIdx")                                                                  \
    WORD(BLOCK_DIM, "blockDim")                                                                    \
    WORD(GRID_DIM, "gridDim")                                                                      \
    WORD(ATOMIC_ADD, "atomicAdd")                                                                  \
    WORD(ATOMIC_SUB, "atomicSub")                                                                  \
    WORD(ATOMIC_MIN, "atomicMin")                                                                  \
    WORD(ATOMIC_MAX, "atomicMax")                                                                  \
    WORD(ATOMIC_AND, "atomicAnd")                                                                  \
    WORD(ATOMIC_OR, "atomicOr")                                                                    \
    WORD(ATOMIC_XOR, "atomicXor")                                                                  \
    WORD(ATTRIBUTE, "__attribute__")                                                               \
    WORD(ALIGNAS, "alignas")                                                                       \
    WORD(ALIGNOF, "alignof")                                                                       \
    WORD(DECLTYPE, "decltype")                                                                     \
    WORD(TYPEOF, "__typeof__")                                                                     \
    WORD(NOEXCEPT, "noexcept")                                                                     \
    WORD(LAUNCH_BOUNDS, "__launch_bounds__")                                                       \
    WORD(TEMPLATE, "template")                                                                     \
    WORD(TYPENAME, "typename")                                                                     \
    WORD(NAMESPACE, "namespace")                                                                   \
    WORD(CLASS, "class")                                                                           \
    WORD(STRUCT, "struct")                                                                         \
    WORD(UNION, "union")                                                                           \
    WORD(ENUM, "enum")                                                                             \
    WORD(EXTERN, "extern")                                                                         \
    WORD(STATIC, "static")                                                                         \
    WORD(INLINE, "inline")                                                                         \
    WORD(INLINE_GNU, "__inline__")                                                                 \
    WORD(CONSTEXPR, "constexpr")                                                                   \
    WORD(CONSTINIT, "constinit")                                                                   \
    WORD(CONST, "const")                                                                           \
    WORD(VOLATILE, "volatile")                                                                     \
    WORD(RESTRICT, "__restrict__")                                                                 \
    WORD(RESTRICT_SHORT, "__restrict")                                                             \
    WORD(FRIEND, "friend")                                                                         \
    WORD(VIRTUAL, "virtual")                                                                       \
    WORD(TYPEDEF, "typedef")                                                                       \
    WORD(OPERATOR, "operator")                                                                     \
    WORD(VOID, "void")                                                                             \
    WORD(BOOL, "bool")                                                                             \
    WORD(CHAR, "char")                                                                             \
    WORD(SHORT, "short")                                                                           \
    WORD(INT, "int")                                                                               \
    WORD(LONG, "long")                                                                             \
    WORD(SIGNED, "signed")                                                                         \
    WORD(UNSIGNED, "unsigned")                                                                     \
    WORD(FLOAT, "float")                                                                           \
    WORD(DOUBLE, "double")                                                                         \
    WORD(AUTO, "auto")                                                                             \
    WORD(RETURN, "return")                                                                         \
    WORD(IF, "if")                                                                                 \
    WORD(ELSE, "else")                                                                             \
    WORD(FOR, "for")                                                                               \
    WORD(WHILE, "while")                                                                           \
    WORD(DO, "do")                                                                                 \
    WORD(SWITCH, "switch")                                                                         \
    WORD(CASE, "case")                                                                             \
    WORD(DEFAULT, "default")                                                                       \
    WORD(GOTO, "goto")                                                                             \
    WORD(DYNAMIC_CAST, "dynamic_cast")                                                             \
    WORD(TYPEID, "typeid")                                                                         \
    WORD(THROW, "throw")                                                                           \
    WORD(NEW, "new")                                                                               \
    WORD(DELETE, "delete")                                                                         \
    WORD(SIZEOF, "sizeof")                                                                         \
    WORD(STATIC_CAST, "static_cast")                                                               \
    WORD(PUBLIC, "public")                                                                         \
    WORD(PRIVATE, "private")                                                                       \
    WORD(PROTECTED, "protected")                                                                   \
    WORD(OVERRIDE, "override")                                                                     \
    WORD(FINAL, "final")                                                                           \
    WORD(MUTABLE, "mutable")                                                                       \
    WORD(TRY, "try")                                                                               \
    WORD(USING, "using")

enum word {
    WORD_NONE,
#define WORD_ID(name, text) WORD_##name,
    KNOWN_WORDS(WORD_ID)
#undef WORD_ID
        WORD_COUNT
};

/* A sign's id: its characters, the first in the low byte. */
#define SIGN2(a, b) ((uint32_t)(a) | (uint32_t)(b) << 8)

struct token {
    const char *text; /* in the source; not terminated */
    uint32_t length;
    uint32_t id;     /* of a name or a sign; 0 otherwise */
    uint32_t match;  /* of a bracket: index of its partner, or 0 */
    uint32_t line;   /* in the user's file */
    uint32_t column; /* in the text, in bytes, from 1 */
    uint32_t wanted; /* in the user's file; 0 when that is not known */
    uint32_t file;   /* id of its name, see source_name */
    uint8_t kind;
    bool system; /* in a system header */
};

struct source {
    char *text;
    size_t length;
    struct token *tokens; /* the first and the last are TOKEN_END */
    size_t count;
    struct names *names;
};

/* Takes a preprocessed text apart. Never fails on strange input; memory that
 * runs out ends the program. `#pragma unroll` is blanked in `text`. */
struct source *source_read(char *text, size_t length);
void source_free(struct source *source);

/* Finds the columns of the tokens in the user's files, as far as these can be read. */
void source_find_columns(struct source *source);

/* How many different names there are, known words included; and the text of one. */
size_t source_name_count(const struct source *source);
const char *source_name(const struct source *source, uint32_t id, size_t *length);

/* Token `i`; the last one for every `i` beyond the end. */
static inline const struct token *token_at(const struct source *source, size_t i)
{
    return &source->tokens[i < source->count ? i : source->count - 1];
}

/* Whether token `i` is this sign, or this word. */
static inline bool is_sign(const struct source *source, size_t i, uint32_t sign)
{
    const struct token *token = token_at(source, i);
    return token->kind == TOKEN_SIGN && token->id == sign;
}
static inline bool is_word(const struct source *source, size_t i, enum word word)
{
    const struct token *token = token_at(source, i);
    return token->kind == TOKEN_NAME && token->id == (uint32_t)word;
}
/* Whether token `i` is a name that is none of the known words. */
static inline bool is_other_name(const struct source *source, size_t i)
{
    const struct token *token = token_at(source, i);
    return token->kind == TOKEN_NAME && token->id >= (uint32_t)WORD_COUNT;
}

/* The partner of bracket `i`, or 0. */
static inline size_t match_of(const struct source *source, size_t i)
{
    return token_at(source, i)->match;
}

/* The `>` that closes the `<` at `i`, or the `<` that opens the `>` at `i`, when
 * they enclose template arguments; 0 otherwise. */
size_t close_angle(const struct source *source, size_t i);
size_t open_angle(const struct source *source, size_t i);

/* The index after an attribute (or alignas, decltype, ...) that begins at `i`;
 * `i` itself when none does. */
size_t skip_attribute(const struct source *source, size_t i);

/* Prints `FILE:LINE: error: ...` for the user and ends the program with status 1. */
__attribute__((noreturn, format(printf, 3, 4))) void fail_at(const struct source *source, size_t i,
                                                             const char *format, ...);

/* Prints `FILE:LINE: warning: ...`. */
__attribute__((format(printf, 3, 4))) void warn_at(const struct source *source, size_t i,
                                                   const char *format, ...);

/* Memory that is there, or the program ends. */
void *get_memory(void *old, size_t count, size_t size);

#endif
