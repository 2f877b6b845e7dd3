/* criterion.h - what suites need of Criterion, on machines that do not have it: the build takes it where
 * <criterion/criterion.h> is missing, with a main() of our own (run_tests.c). It is no replacement: the suites in
 * tests/course and tests/sim need Criterion itself. */
#ifndef CRITERION_FALLBACK_H
#define CRITERION_FALLBACK_H

struct criterion_suite {
    const char *name;
};
struct criterion_test {
    const char *name;
    struct criterion_suite suite;
    void (*run)(void);
    int exit_code; /* with which the test has to end */
    struct criterion_test *next;
};
extern const struct criterion_test *criterion_current_test;
extern const struct criterion_suite *criterion_current_suite;

/* Adds a test to those that main() runs. */
void fallback_add(struct criterion_test *test);

/* Ends the test: failed with this message, or skipped. */
__attribute__((format(printf, 1, 2), noreturn)) void fallback_fail(const char *format, ...);
__attribute__((format(printf, 1, 2), noreturn)) void fallback_skip(const char *format, ...);

#define Test(Suite, Name, ...)                                                                     \
    static void Suite##_##Name##_run(void);                                                        \
    static struct criterion_test Suite##_##Name##_test = {                                         \
        .suite.name = #Suite, .name = #Name, .run = Suite##_##Name##_run, __VA_ARGS__};            \
    __attribute__((constructor)) static void Suite##_##Name##_add(void)                            \
    {                                                                                              \
        fallback_add(&Suite##_##Name##_test);                                                      \
    }                                                                                              \
    static void Suite##_##Name##_run(void)

#define cr_assert_fail fallback_fail
#define cr_skip_test fallback_skip
#define cr_assert(Condition, ...) ((Condition) ? (void)0 : fallback_fail(__VA_ARGS__))

#endif
