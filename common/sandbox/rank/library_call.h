/* library_call.h - the function that one of the same name in this program stands before. */
#ifndef LIBRARY_CALL_H
#define LIBRARY_CALL_H

#include <dlfcn.h>

/* LIBRARY_CALL(fread)(to, size, count, file). It must be there: the program is linked with it. */
#define LIBRARY_CALL(name)                                                                         \
    ({                                                                                             \
        static __typeof__(&name) library_call_;                                                    \
        if (!library_call_)                                                                        \
            *(void **)&library_call_ = dlsym(RTLD_NEXT, #name);                                    \
        library_call_;                                                                             \
    })

#endif
