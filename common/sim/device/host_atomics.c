/* host_atomics.c - the host's own atomics in a .cu file: std::atomic, local statics.
 *
 * The compiler, told to instrument for ThreadSanitizer, turns them into calls of
 * these functions, which do what was asked for. CUDA's atomics are in atomics.c. */
#include <stdbool.h>
#include <stdint.h>

#define ORDER __ATOMIC_SEQ_CST

/* One read-modify-write, by the compiler's name for it. */
#define UPDATE(BITS, T, NAME, BUILTIN)                                                             \
    T __tsan_atomic##BITS##_##NAME(volatile T *address, T value, int order);                       \
    T __tsan_atomic##BITS##_##NAME(volatile T *address, T value, int order)                        \
    {                                                                                              \
        (void)order;                                                                               \
        return BUILTIN(address, value, ORDER);                                                     \
    }

#define COMPARE(BITS, T, NAME, WEAK)                                                               \
    int __tsan_atomic##BITS##_##NAME(volatile T *address, T *expected, T value, int order,         \
                                     int failure);                                                 \
    int __tsan_atomic##BITS##_##NAME(volatile T *address, T *expected, T value, int order,         \
                                     int failure)                                                  \
    {                                                                                              \
        (void)order, (void)failure;                                                                \
        return __atomic_compare_exchange_n(address, expected, value, WEAK, ORDER, ORDER);          \
    }

#define ATOMICS(BITS, T)                                                                           \
    T __tsan_atomic##BITS##_load(const volatile T *address, int order);                            \
    T __tsan_atomic##BITS##_load(const volatile T *address, int order)                             \
    {                                                                                              \
        (void)order;                                                                               \
        return __atomic_load_n(address, ORDER);                                                    \
    }                                                                                              \
    void __tsan_atomic##BITS##_store(volatile T *address, T value, int order);                     \
    void __tsan_atomic##BITS##_store(volatile T *address, T value, int order)                      \
    {                                                                                              \
        (void)order;                                                                               \
        __atomic_store_n(address, value, ORDER);                                                   \
    }                                                                                              \
    T __tsan_atomic##BITS##_compare_exchange_val(volatile T *address, T expected, T value,         \
                                                 int order, int failure);                          \
    T __tsan_atomic##BITS##_compare_exchange_val(volatile T *address, T expected, T value,         \
                                                 int order, int failure)                           \
    {                                                                                              \
        (void)order, (void)failure;                                                                \
        __atomic_compare_exchange_n(address, &expected, value, false, ORDER, ORDER);               \
        return expected;                                                                           \
    }                                                                                              \
    COMPARE(BITS, T, compare_exchange_strong, false)                                               \
    COMPARE(BITS, T, compare_exchange_weak, true)                                                  \
    UPDATE(BITS, T, exchange, __atomic_exchange_n)                                                 \
    UPDATE(BITS, T, fetch_add, __atomic_fetch_add)                                                 \
    UPDATE(BITS, T, fetch_sub, __atomic_fetch_sub)                                                 \
    UPDATE(BITS, T, fetch_and, __atomic_fetch_and)                                                 \
    UPDATE(BITS, T, fetch_or, __atomic_fetch_or)                                                   \
    UPDATE(BITS, T, fetch_xor, __atomic_fetch_xor)                                                 \
    UPDATE(BITS, T, fetch_nand, __atomic_fetch_nand)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order);
void __tsan_atomic_thread_fence(int order)
{
    (void)order;
    __atomic_thread_fence(ORDER);
}

void __tsan_atomic_signal_fence(int order);
void __tsan_atomic_signal_fence(int order)
{
    (void)order;
    __atomic_signal_fence(ORDER);
}
