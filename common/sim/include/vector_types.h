/* vector_types.h - char1 to double4, and dim3.
 *
 * A vector of two or four elements is loaded and stored as one access of its
 * whole size, as on a GPU. The compilers tend to split such copies into their
 * elements before the accesses are counted, which has to be prevented:
 *
 * - gcc leaves a structure whole that has a volatile member; an unnamed bit-field
 *   of width 0 is one that takes no room and no initializer.
 * - clang needs copy operations that move the whole as one vector register; the
 *   types then need a constructor, and arrays of them inner braces.
 *
 * Vectors of three elements, and of four 8-byte elements, are loaded in pieces
 * on a GPU, too: they are plain structures. */
#ifndef __VECTOR_TYPES_H__
#define __VECTOR_TYPES_H__

#define SIM_VECTOR1(NAME, TYPE)                                                                    \
    struct NAME {                                                                                  \
        TYPE x;                                                                                    \
    };                                                                                             \
    typedef struct NAME NAME;
#define SIM_VECTOR3(NAME, TYPE)                                                                    \
    struct NAME {                                                                                  \
        TYPE x, y, z;                                                                              \
    };                                                                                             \
    typedef struct NAME NAME;
/* clang's instrumentation does not see a structure of 3 or 6 bytes that is passed by value
 * as an integer of so many bits. */
#if defined(__cplusplus) && defined(__clang__)
#define SIM_SMALL_VECTOR3(NAME, TYPE)                                                              \
    struct NAME {                                                                                  \
        TYPE x, y, z;                                                                              \
        NAME() = default;                                                                          \
        NAME(const NAME &__other) : x(__other.x), y(__other.y), z(__other.z)                       \
        {                                                                                          \
        }                                                                                          \
        NAME &operator=(const NAME &__other)                                                       \
        {                                                                                          \
            x = __other.x;                                                                         \
            y = __other.y;                                                                         \
            z = __other.z;                                                                         \
            return *this;                                                                          \
        }                                                                                          \
        constexpr NAME(TYPE __x_value, TYPE __y_value = 0, TYPE __z_value = 0)                     \
            : x(__x_value), y(__y_value), z(__z_value)                                             \
        {                                                                                          \
        }                                                                                          \
    };
#else
#define SIM_SMALL_VECTOR3 SIM_VECTOR3
#endif
#define SIM_WIDE_VECTOR4(NAME, TYPE)                                                               \
    struct __attribute__((__aligned__(16))) NAME {                                                 \
        TYPE x, y, z, w;                                                                           \
    };                                                                                             \
    typedef struct NAME NAME;

#if defined(__cplusplus) && defined(__clang__)
#define SIM_COPIED_WHOLE(NAME, TYPE, COUNT)                                                        \
    typedef TYPE sim_whole __attribute__((__vector_size__(sizeof(TYPE) * COUNT), __may_alias__));  \
    NAME() = default;                                                                              \
    NAME(const NAME &__other)                                                                      \
    {                                                                                              \
        *(sim_whole *)this = *(const sim_whole *)&__other;                                         \
    }                                                                                              \
    NAME &operator=(const NAME &__other)                                                           \
    {                                                                                              \
        *(sim_whole *)this = *(const sim_whole *)&__other;                                         \
        return *this;                                                                              \
    }
#define SIM_VECTOR2(NAME, TYPE)                                                                    \
    struct __attribute__((__aligned__(2 * sizeof(TYPE)))) NAME {                                   \
        TYPE x, y;                                                                                 \
        SIM_COPIED_WHOLE(NAME, TYPE, 2)                                                            \
        constexpr NAME(TYPE __x_value, TYPE __y_value = 0) : x(__x_value), y(__y_value)            \
        {                                                                                          \
        }                                                                                          \
    };
#define SIM_VECTOR4(NAME, TYPE)                                                                    \
    struct __attribute__((__aligned__(4 * sizeof(TYPE)))) NAME {                                   \
        TYPE x, y, z, w;                                                                           \
        SIM_COPIED_WHOLE(NAME, TYPE, 4)                                                            \
        constexpr NAME(TYPE __x_value, TYPE __y_value = 0, TYPE __z_value = 0, TYPE __w_value = 0) \
            : x(__x_value), y(__y_value), z(__z_value), w(__w_value)                               \
        {                                                                                          \
        }                                                                                          \
    };
#else
#ifdef __cplusplus
#define SIM_KEPT_WHOLE volatile unsigned char : 0;
#else
#define SIM_KEPT_WHOLE
#endif
#define SIM_VECTOR2(NAME, TYPE)                                                                    \
    struct __attribute__((__aligned__(2 * sizeof(TYPE)))) NAME {                                   \
        TYPE x, y;                                                                                 \
        SIM_KEPT_WHOLE                                                                             \
    };                                                                                             \
    typedef struct NAME NAME;
#define SIM_VECTOR4(NAME, TYPE)                                                                    \
    struct __attribute__((__aligned__(4 * sizeof(TYPE)))) NAME {                                   \
        TYPE x, y, z, w;                                                                           \
        SIM_KEPT_WHOLE                                                                             \
    };                                                                                             \
    typedef struct NAME NAME;
#endif

#define SIM_VECTORS(NAME, TYPE, VECTOR3)                                                           \
    SIM_VECTOR1(NAME##1, TYPE)                                                                     \
    SIM_VECTOR2(NAME##2, TYPE)                                                                     \
    VECTOR3(NAME##3, TYPE)                                                                         \
    SIM_VECTOR4(NAME##4, TYPE)
#define SIM_WIDE_VECTORS(NAME, TYPE)                                                               \
    SIM_VECTOR1(NAME##1, TYPE)                                                                     \
    SIM_VECTOR2(NAME##2, TYPE)                                                                     \
    SIM_VECTOR3(NAME##3, TYPE)                                                                     \
    SIM_WIDE_VECTOR4(NAME##4, TYPE)

SIM_VECTORS(char, signed char, SIM_SMALL_VECTOR3)
SIM_VECTORS(uchar, unsigned char, SIM_SMALL_VECTOR3)
SIM_VECTORS(short, short, SIM_SMALL_VECTOR3)
SIM_VECTORS(ushort, unsigned short, SIM_SMALL_VECTOR3)
SIM_VECTORS(int, int, SIM_VECTOR3)
SIM_VECTORS(uint, unsigned int, SIM_VECTOR3)
SIM_VECTORS(float, float, SIM_VECTOR3)
SIM_WIDE_VECTORS(long, long)
SIM_WIDE_VECTORS(ulong, unsigned long)
SIM_WIDE_VECTORS(longlong, long long)
SIM_WIDE_VECTORS(ulonglong, unsigned long long)
SIM_WIDE_VECTORS(double, double)

/* The shape of a grid or a block; what is left out is 1. */
struct dim3 {
    unsigned int x, y, z;
#ifdef __cplusplus
    constexpr dim3(unsigned int __x_size = 1, unsigned int __y_size = 1, unsigned int __z_size = 1)
        : x(__x_size), y(__y_size), z(__z_size)
    {
    }
    constexpr dim3(uint3 __size) : x(__size.x), y(__size.y), z(__size.z)
    {
    }
    constexpr operator uint3() const
    {
        return uint3{x, y, z};
    }
#endif
};
typedef struct dim3 dim3;

#endif
