/* Hooks on metadata: each call is one operation. */
#include "preload/call.h"
#include "preload/descriptor.h"
#include "preload/real.h"

#define PATH(type, name, parameters, arguments, directory, where)                                  \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        call_operation_at(directory, where);                                                       \
        return real()->name arguments;                                                             \
    }
HOOKS_PATH(PATH)
#undef PATH

#define STATE(type, name, parameters, arguments)                                                   \
    HOOK type name parameters                                                                      \
    {                                                                                              \
        if (descriptor_controlled(fd))                                                             \
            call_operation();                                                                      \
        return real()->name arguments;                                                             \
    }
HOOKS_STATE(STATE)
#undef STATE
