/* sim_inline.h - how the device functions of these headers are defined.
 *
 * Always inlined, so that an access or an atomic is counted, and reported, at the
 * line of the kernel that made it. */
#ifndef SIM_INLINE_H
#define SIM_INLINE_H

#define SIM_INLINE static inline __attribute__((__always_inline__, __unused__))
/* The same for member functions. */
#define SIM_INLINE_MEMBER inline __attribute__((__always_inline__))

#endif
