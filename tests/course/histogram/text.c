/* text.c - the texts: generated, read from files, repeated and cut. */
#define _GNU_SOURCE
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "binning.h"
#include "timed_text.h"
#include "verify.h"
#include "text.h"
#include "util.h"

/* FNV-1a (Fowler, Noll, Vo): a number that tells one text from another. */
static uint64_t fingerprint(const struct text *text)
{
    uint64_t hash = 0xcbf29ce484222325u;
    for (size_t i = 0; i < text->length; i++)
        hash = (hash ^ text->bytes[i]) * 0x100000001b3u;
    return hash;
}

Test(text, is_the_same_on_every_machine)
{
    static const uint64_t expected[TEXT_KINDS] = {
#if BINS == 256
        [TEXT_ENGLISH] = 0x17f04e42b75a5850,
        [TEXT_UNIFORM] = 0x5fc534e512f8b2e1,
        [TEXT_ZIPF] = 0x972a4c66e9c1d8ad,
        [TEXT_SINGLE] = 0xdc5fc66e67d48335,
        [TEXT_RUNS] = 0x4fb49be154e86aa5,
#else
        [TEXT_ENGLISH] = 0x17f04e42b75a5850,
        [TEXT_UNIFORM] = 0x97f22b20762fa3f6,
        [TEXT_ZIPF] = 0x7dbcb88eb72b0624,
        [TEXT_SINGLE] = 0xdc5fc66e67d48335,
        [TEXT_RUNS] = 0x57d46ccd3f27cdf5,
#endif
    };
    for (int kind = 0; kind < TEXT_KINDS; kind++) {
        struct text text = text_of((enum text_kind)kind, 7, 10000);
        cr_expect(fingerprint(&text) == expected[kind], "%s: 0x%llx", text.name,
                  (unsigned long long)fingerprint(&text));
        text_free(&text);
    }
}

Test(text, differs_with_the_seed)
{
    const enum text_kind contents[] = {TEXT_ENGLISH, TEXT_UNIFORM, TEXT_ZIPF, TEXT_RUNS};
    for (size_t i = 0; i < sizeof contents / sizeof *contents; i++) {
        struct text one = text_of(contents[i], 1, 1000), two = text_of(contents[i], 2, 1000);
        cr_expect(memcmp(one.bytes, two.bytes, 1000) != 0, "%s and %s", one.name, two.name);
        text_free(&one);
        text_free(&two);
    }
}

Test(text, of_every_kind_but_english_holds_only_counted_characters)
{
    for (int kind = 0; kind < TEXT_KINDS; kind++) {
        struct text text = text_of((enum text_kind)kind, 3, 20000);
        unsigned int bins[NUM_BINS];
        size_t counted = 0;
        verify_count(text.bytes, text.length, bins);
        for (size_t bin = 0; bin < NUM_BINS; bin++)
            counted += bins[bin];
        cr_expect((counted == text.length) == (kind != TEXT_ENGLISH || NUM_BINS == 256), "%s: %zu",
                  text.name, counted);
        text_free(&text);
    }
}

Test(text, of_uniform_characters_fills_all_bins_alike)
{
    enum { EACH = 1000 };
    const size_t characters = NUM_BINS == 256 ? 256 : 26;
    struct text text = text_of(TEXT_UNIFORM, 5, EACH * characters);
    size_t count[256] = {0};
    for (size_t i = 0; i < text.length; i++)
        count[text.bytes[i]]++;
    /* Five standard deviations of a count that is 1,000 on average. */
    for (size_t byte = 0; byte < 256; byte++)
        cr_expect(count[byte] == 0 || (count[byte] > EACH - 158 && count[byte] < EACH + 158),
                  "byte %zu: %zu", byte, count[byte]);
    text_free(&text);
}

Test(text, of_zipf_has_half_as_many_of_the_second_as_of_the_first)
{
    struct text text = text_of(TEXT_ZIPF, 5, 100000);
    const unsigned char first = 'e', second = NUM_BINS == 256 ? (unsigned char)(149 + 'e') : 't';
    size_t firsts = 0, seconds = 0;
    for (size_t i = 0; i < text.length; i++) {
        firsts += text.bytes[i] == first;
        seconds += text.bytes[i] == second;
    }
    cr_expect(firsts > 19 * seconds / 10 && firsts < 21 * seconds / 10, "%zu and %zu", firsts,
              seconds);
    text_free(&text);
}

Test(text, of_runs_changes_exactly_at_their_ends)
{
    const size_t run_length = 12;
    struct text text = text_of_runs(run_length, 9, 1200);
    for (size_t i = 1; i < text.length; i++)
        cr_expect((text.bytes[i] != text.bytes[i - 1]) == (i % run_length == 0), "at %zu", i);
    text_free(&text);
}

Test(text, may_be_empty)
{
    for (int kind = 0; kind < TEXT_KINDS; kind++) {
        struct text text = text_of((enum text_kind)kind, 1, 0);
        cr_expect(text.length == 0 && text.bytes != NULL);
        text_free(&text);
    }
}

Test(text, kinds_are_known_by_name)
{
    for (int kind = 0; kind < TEXT_KINDS; kind++)
        cr_expect(text_kind_named(text_kind_name((enum text_kind)kind)) == (enum text_kind)kind);
    cr_expect(text_kind_named("foo") == TEXT_KINDS);
    cr_expect(text_kind_named("") == TEXT_KINDS);
}

Test(text, sizes_are_numbers_with_k_m_or_g)
{
    static const struct {
        const char *size;
        size_t length;
    } good[] = {{"1", 1},         {"4096", 4096},          {"64K", 65536},
                {"16M", 1 << 24}, {"3G", (size_t)3 << 30}, {"4294967295", 4294967295u}};
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        uint64_t length = 0;
        cr_expect(read_length(good[i].size, &length), "%s", good[i].size);
        cr_expect(length == good[i].length, "%s: %zu", good[i].size, (size_t)length);
    }
    static const char *const bad[] = {"",    "K",  "12x", "12KB",       "1.5M",
                                      "-1",  "0",  "0K",  "4294967296", "4G",
                                      "10T", " 1", "1 ",  "0x1",        "99999999999999999999"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint64_t length;
        cr_expect(!read_length(bad[i], &length), "'%s'", bad[i]);
    }
}

Test(text, is_repeated_and_cut_to_a_size)
{
    struct text text = text_from("abc", "abc", 3);
    text_resize(&text, 8);
    cr_expect(text.length == 8 && memcmp(text.bytes, "abcabcab", 8) == 0);
    text_resize(&text, 2);
    cr_expect(text.length == 2 && memcmp(text.bytes, "ab", 2) == 0);
    text_free(&text);
}

/* Writes a file into the directory for temporary files; its name stands in `name`. */
static void write_temporary(char *name, size_t size, const char *content)
{
    snprintf(name, size, "/tmp/histogram-ladder-XXXXXX");
    int descriptor = mkstemp(name);
    FILE *file = descriptor >= 0 ? fdopen(descriptor, "w") : NULL;
    cr_assert(file && fputs(content, file) >= 0 && fclose(file) == 0);
}

Test(text, is_read_from_files_one_after_the_other)
{
    char one[64], two[64], error[256];
    write_temporary(one, sizeof one, "first ");
    write_temporary(two, sizeof two, "second");
    char *files[] = {one, two};
    struct text text = text_read(files, 2, 0, error, sizeof error);
    cr_assert(text.length == 12 && memcmp(text.bytes, "first second", 12) == 0);
    cr_expect_str_eq(text.name, "2 files in /tmp");
    text_free(&text);
    text = text_read(files, 1, 0, error, sizeof error);
    cr_assert(text.length == 6);
    cr_expect_str_eq(text.name, strrchr(one, '/') + 1);
    text_free(&text);
    remove(one);
    remove(two);
}

Test(text, is_read_no_further_than_asked_for)
{
    char one[64], two[64], error[256];
    write_temporary(one, sizeof one, "first ");
    write_temporary(two, sizeof two, "second");
    cr_assert(truncate(two, (off_t)5 << 30) == 0); /* 5 GiB, most of it a hole */
    char *files[] = {one, two};
    struct text text = text_read(files, 2, 9, error, sizeof error);
    cr_assert(text.length == 9 && memcmp(text.bytes, "first sec", 9) == 0, "%s", error);
    text_free(&text);
    text = text_read(files, 2, 0, error, sizeof error);
    cr_expect(text.bytes == NULL && strstr(error, "longer than 4,294,967,295 characters"));
    remove(one);
    remove(two);
}

/* Nobody writes into the pipe, and /dev/zero has no end. */
Test(text, comes_from_a_file_and_not_from_what_may_not_end, .timeout = 60)
{
    char pipe[64], error[256];
    write_temporary(pipe, sizeof pipe, "");
    cr_assert(remove(pipe) == 0 && mkfifo(pipe, 0600) == 0);
    char *files[] = {pipe, (char[]){"/dev/zero"}};
    struct text text = text_read(files, 1, 0, error, sizeof error);
    cr_expect(text.bytes == NULL && strstr(error, "this is a pipe"), "%s", error);
    text = text_read(files + 1, 1, 10, error, sizeof error);
    cr_expect(text.bytes == NULL && strstr(error, "this is a device"), "%s", error);
    remove(pipe);
}

Test(text, that_cannot_be_read_says_why)
{
    char empty[64], error[256];
    write_temporary(empty, sizeof empty, "");
    static const struct {
        const char *file, *why;
    } bad[] = {{"/tmp/no-such-file", "No such file"}, {"/tmp", "directory"}, {NULL, "nothing"}};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s", bad[i].file ? bad[i].file : empty);
        char *files[] = {name};
        struct text text = text_read(files, 1, 0, error, sizeof error);
        cr_expect(text.bytes == NULL);
        cr_expect(strstr(error, bad[i].why) && strstr(error, name), "%s", error);
        cr_expect(strchr(error, '\n') == NULL, "more than one line: %s", error);
    }
    remove(empty);
}
