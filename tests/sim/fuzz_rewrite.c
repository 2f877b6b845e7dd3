/* fuzz_rewrite.c - feeds broken CUDA C++ to the rewriting step.
 *
 *     gcc -g -O1 -fsanitize=address,undefined -fno-sanitize-recover -Icommon/sim/rewrite \
 *         -o build/fuzz tests/sim/fuzz_rewrite.c common/sim/rewrite/[!r]*.c \
 *         common/sim/rewrite/text/*.c
 *     build/fuzz 20000 1 tests/sim/language.cu tests/sim/graph_programs.cu
 *
 * The arguments: COUNT SEED FILE... Each of COUNT inputs is one of the files with up
 * to eight mutations: bytes and stretches changed, removed, doubled, swapped, words of
 * CUDA C++ put in. Any end but a normal one (a rewritten text, or a message and
 * status 1) within two seconds is a bug: the input is kept in fuzz-SEED-N.cu, and the
 * status is 1. */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "passes.h"

enum { MOST_BYTES = 1 << 20 };

struct input {
    char bytes[MOST_BYTES];
    size_t length;
};

/* The sanitizers' own status, unlike that of a message for the user. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "exitcode=99:detect_leaks=0";
}
const char *__ubsan_default_options(void);
const char *__ubsan_default_options(void)
{
    return "exitcode=99";
}

static unsigned long long state;

static size_t random_below(size_t bound)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return bound ? (size_t)(state % bound) : 0;
}

/* Puts `length` bytes into the input at `at`, in place of `removed` bytes. */
static void splice(struct input *input, size_t at, size_t removed, const char *bytes, size_t length)
{
    static char copy[MOST_BYTES];
    if (input->length - removed + length > MOST_BYTES)
        return;
    memcpy(copy, bytes, length);
    memmove(input->bytes + at + length, input->bytes + at + removed, input->length - at - removed);
    memcpy(input->bytes + at, copy, length);
    input->length += length - removed;
}

/* What the rewriting step looks for, and what surrounds it. */
static const char *const words[] = {"<<<",
                                    ">>>",
                                    "__shared__ ",
                                    "__global__ ",
                                    "__device__ ",
                                    "extern ",
                                    "template <",
                                    ">",
                                    "(",
                                    ")",
                                    "{",
                                    "}",
                                    "[",
                                    "]",
                                    ";",
                                    ",",
                                    "::",
                                    "threadIdx",
                                    "atomicAdd(&",
                                    "R\"(",
                                    "/*",
                                    "\"",
                                    "'",
                                    "\n# 7 \"f\" 3\n",
                                    "operator",
                                    "namespace n",
                                    "struct s ",
                                    "for (",
                                    "__constant__ ",
                                    "\n#",
                                    "__attribute__",
                                    "<",
                                    "= ",
                                    "...",
                                    "alignas(",
                                    "\\\n"};

static void mutate(struct input *input)
{
    size_t at = random_below(input->length + 1);
    size_t span = random_below(input->length - at + 1);
    span = random_below(4) ? random_below(span < 40 ? span + 1 : 40) : span;
    size_t other = random_below(input->length - span + 1);
    const char *word = words[random_below(sizeof words / sizeof *words)];
    char byte = (char)random_below(256);
    switch (random_below(6)) {
    case 0:
        splice(input, at, span, "", 0);
        break;
    case 1:
        splice(input, at, 0, input->bytes + other, span);
        break;
    case 2:
        splice(input, at, span, input->bytes + other, span);
        break;
    case 3:
        splice(input, at, at < input->length, &byte, 1);
        break;
    default:
        splice(input, at, 0, word, strlen(word));
        break;
    }
}

/* Rewrites the input in a process of its own. Returns whether it ended well. */
static bool survives(const struct input *input)
{
    pid_t child = fork();
    if (child == 0) {
        int nowhere = open("/dev/null", O_WRONLY);
        static char errors[1 << 16];
        setvbuf(stderr, errors, _IOFBF, sizeof errors);
        alarm(60);
        char *text = malloc(input->length ? input->length : 1); /* not a byte more */
        memcpy(text, input->bytes, input->length);
        struct rewriting rewriting = {.source = source_read(text, input->length),
                                      .edits = edits_new()};
        FILE *output = fdopen(nowhere, "w");
        if (!getenv("FUZZ_SHOW_ERRORS"))
            dup2(nowhere, 2);
        rewrite(&rewriting);
        edits_write(rewriting.edits, rewriting.source, output);
        _exit(0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) <= 1;
}

static void load(struct input *input, const char *name)
{
    FILE *file = fopen(name, "rb");
    if (!file) {
        fprintf(stderr, "%s: cannot open it\n", name);
        exit(2);
    }
    input->length = fread(input->bytes, 1, MOST_BYTES / 2, file);
    fclose(file);
}

int main(int argc, char **argv)
{
    if (argc < 4) {
        fprintf(stderr, "usage: fuzz COUNT SEED FILE...\n");
        return 2;
    }
    static struct input input;
    unsigned long count = strtoul(argv[1], NULL, 10), failures = 0;
    state = strtoull(argv[2], NULL, 10) * 0x9e3779b97f4a7c15u + 1;
    for (unsigned long n = 0; n < count; n++) {
        load(&input, argv[3 + random_below((size_t)argc - 3)]);
        for (size_t mutations = 1 + random_below(8); mutations > 0; mutations--)
            mutate(&input);
        if (survives(&input))
            continue;
        char name[64];
        snprintf(name, sizeof name, "fuzz-%s-%lu.cu", argv[2], n);
        FILE *file = fopen(name, "wb");
        if (file) {
            fwrite(input.bytes, 1, input.length, file);
            fclose(file);
        }
        fprintf(stderr, "input %lu of seed %s ends badly: see %s\n", n, argv[2], name);
        failures++;
    }
    printf("%lu inputs, %lu of them end badly\n", count, failures);
    return failures != 0;
}
