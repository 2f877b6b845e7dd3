/* criterion.h - what the suites of chapters need of Criterion, on machines that do not have it.
 *
 * The build takes it where <criterion/criterion.h> is missing (common/make/settings.mk), with a
 * main() of our own in place of runner.c. It is no replacement: the suites in tests/course and
 * tests/sim need Criterion itself. */
#ifndef CRITERION_FALLBACK_H
#define CRITERION_FALLBACK_H

struct fallback_test {
    const char *suite, *name;
    void (*run)(void);
    int exit_code; /* with which the test has to end */
    struct fallback_test *next;
};

/* Adds a test to those that main() runs. */
void fallback_add(struct fallback_test *test);

/* Ends the test: failed with this message, or skipped. */
__attribute__((format(printf, 1, 2), noreturn)) void fallback_fail(const char *format, ...);
__attribute__((format(printf, 1, 2), noreturn)) void fallback_skip(const char *format, ...);

#define Test(Suite, Name, ...)                                                                     \
    static void Suite##_##Name##_run(void);                                                        \
    static struct fallback_test Suite##_##Name##_test = {                                          \
        .suite = #Suite, .name = #Name, .run = Suite##_##Name##_run, __VA_ARGS__};                 \
    __attribute__((constructor)) static void Suite##_##Name##_add(void)                            \
    {                                                                                              \
        fallback_add(&Suite##_##Name##_test);                                                      \
    }                                                                                              \
    static void Suite##_##Name##_run(void)

#define cr_assert_fail(...) fallback_fail(__VA_ARGS__)
#define cr_skip_test(...) fallback_skip(__VA_ARGS__)
#define cr_assert(Condition, ...)                                                                  \
    do {                                                                                           \
        if (!(Condition))                                                                          \
            fallback_fail(__VA_ARGS__);                                                            \
    } while (0)

#endif
