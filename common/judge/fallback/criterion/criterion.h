/* criterion.h - what the suites of chapters need of Criterion, on machines that do not have it.
 *
 * The build takes it where <criterion/criterion.h> is missing (common/make/settings.mk), with a
 * main() of our own in place of runner.c. It is no replacement: the suites in tests/course and
 * tests/sim need Criterion itself. */
#ifndef CRITERION_STAND_IN_H
#define CRITERION_STAND_IN_H

struct stand_in_test {
    const char *suite, *name;
    void (*run)(void);
    int exit_code; /* with which the test has to end */
    struct stand_in_test *next;
};

/* Adds a test to those that main() runs. */
void stand_in_add(struct stand_in_test *test);

/* Ends the test: failed with this message, or skipped. */
__attribute__((format(printf, 1, 2), noreturn)) void stand_in_fail(const char *format, ...);
__attribute__((format(printf, 1, 2), noreturn)) void stand_in_skip(const char *format, ...);

#define Test(Suite, Name, ...)                                                                     \
    static void Suite##_##Name##_run(void);                                                        \
    static struct stand_in_test Suite##_##Name##_test = {                                          \
        .suite = #Suite, .name = #Name, .run = Suite##_##Name##_run, __VA_ARGS__};                 \
    __attribute__((constructor)) static void Suite##_##Name##_add(void)                            \
    {                                                                                              \
        stand_in_add(&Suite##_##Name##_test);                                                      \
    }                                                                                              \
    static void Suite##_##Name##_run(void)

#define cr_assert_fail(...) stand_in_fail(__VA_ARGS__)
#define cr_skip_test(...) stand_in_skip(__VA_ARGS__)
#define cr_assert(Condition, ...)                                                                  \
    do {                                                                                           \
        if (!(Condition))                                                                          \
            stand_in_fail(__VA_ARGS__);                                                            \
    } while (0)

#endif
