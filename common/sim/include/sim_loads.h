/* sim_loads.h - loads and stores that name a cache policy. There are no caches to
 * steer here: they are plain accesses, and are counted as such. */
#ifndef SIM_LOADS_H
#define SIM_LOADS_H

#include "sim_inline.h"

/* A parameter whose type follows from the address alone. */
template <class __T> struct sim_given {
    typedef __T type;
};

#define SIM_LOAD_FUNCTION(NAME)                                                                    \
    template <class __T> SIM_INLINE __T NAME(const __T *__address)                                 \
    {                                                                                              \
        return *__address;                                                                         \
    }
#define SIM_STORE_FUNCTION(NAME)                                                                   \
    template <class __T>                                                                           \
    SIM_INLINE void NAME(__T *__address, typename sim_given<__T>::type __value)                    \
    {                                                                                              \
        *__address = __value;                                                                      \
    }

SIM_LOAD_FUNCTION(__ldg)  /* read-only data */
SIM_LOAD_FUNCTION(__ldca) /* cache at all levels */
SIM_LOAD_FUNCTION(__ldcg) /* cache in L2 */
SIM_LOAD_FUNCTION(__ldcs) /* streaming */
SIM_LOAD_FUNCTION(__ldlu) /* last use */
SIM_LOAD_FUNCTION(__ldcv) /* do not cache */
SIM_STORE_FUNCTION(__stwb)
SIM_STORE_FUNCTION(__stcg)
SIM_STORE_FUNCTION(__stcs)
SIM_STORE_FUNCTION(__stwt)

#undef SIM_LOAD_FUNCTION
#undef SIM_STORE_FUNCTION

#endif
