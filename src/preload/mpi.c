/* Hooks on MPI's files, for any MPI: those of C, those with large counts (`_c`), and those of
 * Fortran, whose arguments are all addresses. Each finds the function behind it by its own name,
 * which may be another tool's, and so on to MPI's. A program without MPI never comes here. */
#include "preload/mpi_io.h"
#include "preload/real.h"
#include <stdatomic.h>
#include <string.h>

typedef void *handle; /* as arguments: a register holds any of them */
typedef long long offset;
typedef long long large;

enum { FAILED = 16 }; /* an error code of every MPI */

/* Stands in for a function that cannot be found: in C the result is an error, in Fortran none. */
static int mpi_missing(void)
{
    return FAILED;
}

/* Finds the function of this name once, and stores it in `function`; false if there is none. */
static bool mpi_find(_Atomic(void *) *kept, const char *name, void *function)
{
    void *found = real_behind(kept, name);
    memcpy(function, &found, sizeof found);
    return found != NULL;
}

static void mpi_behind(_Atomic(void *) *kept, const char *name, void *function)
{
    int (*missing)(void) = mpi_missing;
    if (!mpi_find(kept, name, function))
        memcpy(function, &missing, sizeof missing);
}

/* Defines `behind`, the function that a hook stands in front of. */
#define BEHIND(type, name, ...)                                                                    \
    static _Atomic(void *) kept;                                                                   \
    type (*behind)(__VA_ARGS__);                                                                   \
    mpi_behind(&kept, name, &behind);

/* --- bytes ------------------------------------------------------------------------------------ */

static double bytes_of(large count, handle type)
{
    static _Atomic(void *) kept;
    int (*measure)(handle, large *);
    large size = 0;
    if (count <= 0 || !mpi_find(&kept, "PMPI_Type_size_x", &measure) || measure(type, &size) != 0 ||
        size <= 0)
        return 0;
    return (double)count * (double)size;
}

static double fortran_bytes(const int *count, const int *type)
{
    static _Atomic(void *) kept;
    void (*measure)(const int *, int *, int *);
    int size = 0, fault = 0;
    if (*count <= 0 || !mpi_find(&kept, "pmpi_type_size_", &measure))
        return 0;
    measure(type, &size, &fault);
    return fault == 0 && size > 0 ? (double)*count * size : 0;
}

static mpi_handle number(const int *fortran)
{
    return (unsigned)*fortran;
}

/* In C a request is a number in MPICH, and all that descend from it. */
static size_t request_size(void)
{
    static _Atomic size_t size;
    static _Atomic(void *) kept;
    size_t known = atomic_load_explicit(&size, memory_order_relaxed);
    if (__builtin_expect(known == 0, 0)) {
        known = real_behind(&kept, "ompi_mpi_comm_world") ? sizeof(void *) : sizeof(int);
        atomic_store_explicit(&size, known, memory_order_relaxed);
    }
    return known;
}

static mpi_handle request_handle(const void *request)
{
    return mpi_io_handle(request, request_size());
}

/* --- reads and writes ------------------------------------------------------------------------- */

#define PLAIN(X)                                                                                   \
    X(read, READS)                                                                                 \
    X(write, WRITES)                                                                               \
    X(read_all, READS)                                                                             \
    X(write_all, WRITES)                                                                           \
    X(read_shared, READS)                                                                          \
    X(write_shared, WRITES)                                                                        \
    X(read_ordered, READS)                                                                         \
    X(write_ordered, WRITES)

#define AT(X)                                                                                      \
    X(read_at, READS)                                                                              \
    X(write_at, WRITES)                                                                            \
    X(read_at_all, READS)                                                                          \
    X(write_at_all, WRITES)

#define IMMEDIATE(X)                                                                               \
    X(iread, READS)                                                                                \
    X(iwrite, WRITES)                                                                              \
    X(iread_all, READS)                                                                            \
    X(iwrite_all, WRITES)                                                                          \
    X(iread_shared, READS)                                                                         \
    X(iwrite_shared, WRITES)

#define IMMEDIATE_AT(X)                                                                            \
    X(iread_at, READS)                                                                             \
    X(iwrite_at, WRITES)                                                                           \
    X(iread_at_all, READS)                                                                         \
    X(iwrite_at_all, WRITES)

#define SPLIT(X)                                                                                   \
    X(read_all, READS)                                                                             \
    X(write_all, WRITES)                                                                           \
    X(read_ordered, READS)                                                                         \
    X(write_ordered, WRITES)

#define SPLIT_AT(X)                                                                                \
    X(read_at_all, READS)                                                                          \
    X(write_at_all, WRITES)

#define C_PLAIN(name, way, count_type)                                                             \
    HOOK int name(handle file, void *data, count_type count, handle type, void *status);           \
    HOOK int name(handle file, void *data, count_type count, handle type, void *status)            \
    {                                                                                              \
        BEHIND(int, #name, handle, void *, count_type, handle, void *)                             \
        struct mpi_io io = mpi_io_begin((mpi_handle)file, bytes_of(count, type), CALL_##way);      \
        int result = behind(file, data, count, type, status);                                      \
        mpi_io_end(&io);                                                                           \
        return result;                                                                             \
    }

#define C_AT(name, way, count_type)                                                                \
    HOOK int name(handle file, offset at, void *data, count_type count, handle type,               \
                  void *status);                                                                   \
    HOOK int name(handle file, offset at, void *data, count_type count, handle type, void *status) \
    {                                                                                              \
        BEHIND(int, #name, handle, offset, void *, count_type, handle, void *)                     \
        struct mpi_io io = mpi_io_begin((mpi_handle)file, bytes_of(count, type), CALL_##way);      \
        int result = behind(file, at, data, count, type, status);                                  \
        mpi_io_end(&io);                                                                           \
        return result;                                                                             \
    }

#define C_IMMEDIATE(name, way, count_type)                                                         \
    HOOK int name(handle file, void *data, count_type count, handle type, void *request);          \
    HOOK int name(handle file, void *data, count_type count, handle type, void *request)           \
    {                                                                                              \
        BEHIND(int, #name, handle, void *, count_type, handle, void *)                             \
        struct mpi_io io = mpi_io_begin((mpi_handle)file, bytes_of(count, type), CALL_##way);      \
        int result = behind(file, data, count, type, request);                                     \
        mpi_io_request(&io, result != 0, result == 0 ? request_handle(request) : 0);               \
        return result;                                                                             \
    }

#define C_IMMEDIATE_AT(name, way, count_type)                                                      \
    HOOK int name(handle file, offset at, void *data, count_type count, handle type,               \
                  void *request);                                                                  \
    HOOK int name(handle file, offset at, void *data, count_type count, handle type,               \
                  void *request)                                                                   \
    {                                                                                              \
        BEHIND(int, #name, handle, offset, void *, count_type, handle, void *)                     \
        struct mpi_io io = mpi_io_begin((mpi_handle)file, bytes_of(count, type), CALL_##way);      \
        int result = behind(file, at, data, count, type, request);                                 \
        mpi_io_request(&io, result != 0, result == 0 ? request_handle(request) : 0);               \
        return result;                                                                             \
    }

#define C_SPLIT(name, way, count_type)                                                             \
    HOOK int name(handle file, void *data, count_type count, handle type);                         \
    HOOK int name(handle file, void *data, count_type count, handle type)                          \
    {                                                                                              \
        BEHIND(int, #name, handle, void *, count_type, handle)                                     \
        struct mpi_io io = mpi_io_begin((mpi_handle)file, bytes_of(count, type), CALL_##way);      \
        int result = behind(file, data, count, type);                                              \
        mpi_io_split(&io, result != 0);                                                            \
        return result;                                                                             \
    }

#define C_SPLIT_AT(name, way, count_type)                                                          \
    HOOK int name(handle file, offset at, void *data, count_type count, handle type);              \
    HOOK int name(handle file, offset at, void *data, count_type count, handle type)               \
    {                                                                                              \
        BEHIND(int, #name, handle, offset, void *, count_type, handle)                             \
        struct mpi_io io = mpi_io_begin((mpi_handle)file, bytes_of(count, type), CALL_##way);      \
        int result = behind(file, at, data, count, type);                                          \
        mpi_io_split(&io, result != 0);                                                            \
        return result;                                                                             \
    }

#define C_JOIN(name)                                                                               \
    HOOK int name(handle file, void *data, void *status);                                          \
    HOOK int name(handle file, void *data, void *status)                                           \
    {                                                                                              \
        BEHIND(int, #name, handle, void *, void *)                                                 \
        bool outer = mpi_io_enter();                                                               \
        int result = behind(file, data, status);                                                   \
        if (outer) {                                                                               \
            mpi_io_leave();                                                                        \
            mpi_io_join((mpi_handle)file);                                                         \
        }                                                                                          \
        return result;                                                                             \
    }

/* With a count of either kind. */
#define BOTH(make, name, way) make(name, way, int) make(name##_c, way, large)
#define X(name, way)          BOTH(C_PLAIN, MPI_File_##name, way)
PLAIN(X)
#undef X
#define X(name, way) BOTH(C_AT, MPI_File_##name, way)
AT(X)
#undef X
#define X(name, way) BOTH(C_IMMEDIATE, MPI_File_##name, way)
IMMEDIATE(X)
#undef X
#define X(name, way) BOTH(C_IMMEDIATE_AT, MPI_File_##name, way)
IMMEDIATE_AT(X)
#undef X
#define X(name, way)                                                                               \
    C_SPLIT(MPI_File_##name##_begin, way, int)                                                     \
    C_SPLIT(MPI_File_##name##_begin_c, way, large) C_JOIN(MPI_File_##name##_end)
SPLIT(X)
#undef X
#define X(name, way)                                                                               \
    C_SPLIT_AT(MPI_File_##name##_begin, way, int)                                                  \
    C_SPLIT_AT(MPI_File_##name##_begin_c, way, large) C_JOIN(MPI_File_##name##_end)
SPLIT_AT(X)
#undef X

/* --- the same in Fortran ---------------------------------------------------------------------- */

#define F_PLAIN(name, way)                                                                         \
    HOOK void name(int *file, void *data, int *count, int *type, int *status, int *fault);         \
    HOOK void name(int *file, void *data, int *count, int *type, int *status, int *fault)          \
    {                                                                                              \
        BEHIND(void, #name, int *, void *, int *, int *, int *, int *)                             \
        struct mpi_io io = mpi_io_begin(number(file), fortran_bytes(count, type), CALL_##way);     \
        behind(file, data, count, type, status, fault);                                            \
        mpi_io_end(&io);                                                                           \
    }

#define F_AT(name, way)                                                                            \
    HOOK void name(int *file, offset *at, void *data, int *count, int *type, int *status,          \
                   int *fault);                                                                    \
    HOOK void name(int *file, offset *at, void *data, int *count, int *type, int *status,          \
                   int *fault)                                                                     \
    {                                                                                              \
        BEHIND(void, #name, int *, offset *, void *, int *, int *, int *, int *)                   \
        struct mpi_io io = mpi_io_begin(number(file), fortran_bytes(count, type), CALL_##way);     \
        behind(file, at, data, count, type, status, fault);                                        \
        mpi_io_end(&io);                                                                           \
    }

/* In Fortran 2008 the code of the fault may be left out. */
#define F_IMMEDIATE(name, way)                                                                     \
    HOOK void name(int *file, void *data, int *count, int *type, int *request, int *fault);        \
    HOOK void name(int *file, void *data, int *count, int *type, int *request, int *fault)         \
    {                                                                                              \
        BEHIND(void, #name, int *, void *, int *, int *, int *, int *)                             \
        struct mpi_io io = mpi_io_begin(number(file), fortran_bytes(count, type), CALL_##way);     \
        behind(file, data, count, type, request, fault);                                           \
        mpi_io_request(&io, fault &&*fault != 0, number(request));                                 \
    }

#define F_IMMEDIATE_AT(name, way)                                                                  \
    HOOK void name(int *file, offset *at, void *data, int *count, int *type, int *request,         \
                   int *fault);                                                                    \
    HOOK void name(int *file, offset *at, void *data, int *count, int *type, int *request,         \
                   int *fault)                                                                     \
    {                                                                                              \
        BEHIND(void, #name, int *, offset *, void *, int *, int *, int *, int *)                   \
        struct mpi_io io = mpi_io_begin(number(file), fortran_bytes(count, type), CALL_##way);     \
        behind(file, at, data, count, type, request, fault);                                       \
        mpi_io_request(&io, fault &&*fault != 0, number(request));                                 \
    }

#define F_SPLIT(name, way)                                                                         \
    HOOK void name(int *file, void *data, int *count, int *type, int *fault);                      \
    HOOK void name(int *file, void *data, int *count, int *type, int *fault)                       \
    {                                                                                              \
        BEHIND(void, #name, int *, void *, int *, int *, int *)                                    \
        struct mpi_io io = mpi_io_begin(number(file), fortran_bytes(count, type), CALL_##way);     \
        behind(file, data, count, type, fault);                                                    \
        mpi_io_split(&io, fault &&*fault != 0);                                                    \
    }

#define F_SPLIT_AT(name, way)                                                                      \
    HOOK void name(int *file, offset *at, void *data, int *count, int *type, int *fault);          \
    HOOK void name(int *file, offset *at, void *data, int *count, int *type, int *fault)           \
    {                                                                                              \
        BEHIND(void, #name, int *, offset *, void *, int *, int *, int *)                          \
        struct mpi_io io = mpi_io_begin(number(file), fortran_bytes(count, type), CALL_##way);     \
        behind(file, at, data, count, type, fault);                                                \
        mpi_io_split(&io, fault &&*fault != 0);                                                    \
    }

#define F_JOIN(name)                                                                               \
    HOOK void name(int *file, void *data, int *status, int *fault);                                \
    HOOK void name(int *file, void *data, int *status, int *fault)                                 \
    {                                                                                              \
        BEHIND(void, #name, int *, void *, int *, int *)                                           \
        bool outer = mpi_io_enter();                                                               \
        behind(file, data, status, fault);                                                         \
        if (outer) {                                                                               \
            mpi_io_leave();                                                                        \
            mpi_io_join(number(file));                                                             \
        }                                                                                          \
    }

/* Of mpif.h and the module mpi, and of the module mpi_f08. */
#define MODULES(make, name, way) make(name##_, way) make(name##_f08_, way)
#define X(name, way)             MODULES(F_PLAIN, mpi_file_##name, way)
PLAIN(X)
#undef X
#define X(name, way) MODULES(F_AT, mpi_file_##name, way)
AT(X)
#undef X
#define X(name, way) MODULES(F_IMMEDIATE, mpi_file_##name, way)
IMMEDIATE(X)
#undef X
#define X(name, way) MODULES(F_IMMEDIATE_AT, mpi_file_##name, way)
IMMEDIATE_AT(X)
#undef X
#define X(name, way)                                                                               \
    MODULES(F_SPLIT, mpi_file_##name##_begin, way)                                                 \
    F_JOIN(mpi_file_##name##_end_) F_JOIN(mpi_file_##name##_end_f08_)
SPLIT(X)
#undef X
#define X(name, way)                                                                               \
    MODULES(F_SPLIT_AT, mpi_file_##name##_begin, way)                                              \
    F_JOIN(mpi_file_##name##_end_) F_JOIN(mpi_file_##name##_end_f08_)
SPLIT_AT(X)
#undef X

/* --- files ------------------------------------------------------------------------------------ */

HOOK int MPI_File_open(handle group, const char *path, int mode, handle info, handle *file);
HOOK int MPI_File_open(handle group, const char *path, int mode, handle info, handle *file)
{
    BEHIND(int, "MPI_File_open", handle, const char *, int, handle, handle *)
    int result = behind(group, path, mode, info, file);
    if (result == 0)
        mpi_io_opened((mpi_handle)*file, path);
    return result;
}

HOOK int MPI_File_close(handle *file);
HOOK int MPI_File_close(handle *file)
{
    BEHIND(int, "MPI_File_close", handle *)
    mpi_handle before = (mpi_handle)*file;
    int result = behind(file);
    mpi_io_closed(before);
    return result;
}

/* A file of Fortran has a handle in C too. MPICH's module mpi_f08 opens it by the one, and writes
 * to it by functions of C. */
static mpi_handle file_in_c(const int *file)
{
    static _Atomic(void *) kept;
    handle (*convert)(int);
    return mpi_find(&kept, "PMPI_File_f2c", &convert) ? (mpi_handle)convert(*file) : 0;
}

/* A text of Fortran has its length, which stands last, and blanks at its end. */
static void fortran_opened(const int *file, const char *text, size_t length)
{
    char path[4096];
    while (length > 0 && text[length - 1] == ' ')
        length--;
    if (length >= sizeof path)
        return;
    memcpy(path, text, length);
    path[length] = '\0';
    mpi_io_opened(number(file), path);
    mpi_io_opened(file_in_c(file), path);
}

#define F_OPEN(name)                                                                               \
    HOOK void name(int *group, char *path, int *mode, int *info, int *file, int *fault,            \
                   size_t length);                                                                 \
    HOOK void name(int *group, char *path, int *mode, int *info, int *file, int *fault,            \
                   size_t length)                                                                  \
    {                                                                                              \
        BEHIND(void, #name, int *, char *, int *, int *, int *, int *, size_t)                     \
        behind(group, path, mode, info, file, fault, length);                                      \
        if (!fault || *fault == 0)                                                                 \
            fortran_opened(file, path, length);                                                    \
    }
F_OPEN(mpi_file_open_)
F_OPEN(mpi_file_open_f08_)

#define F_CLOSE(name)                                                                              \
    HOOK void name(int *file, int *fault);                                                         \
    HOOK void name(int *file, int *fault)                                                          \
    {                                                                                              \
        BEHIND(void, #name, int *, int *)                                                          \
        mpi_handle before = number(file), in_c = file_in_c(file);                                  \
        behind(file, fault);                                                                       \
        mpi_io_closed(before);                                                                     \
        mpi_io_closed(in_c);                                                                       \
    }
F_CLOSE(mpi_file_close_)
F_CLOSE(mpi_file_close_f08_)

/* --- completion ------------------------------------------------------------------------------- */

/* In C: what tells how many requests there are, the parameters and the arguments. */
#define COMPLETIONS(X)                                                                             \
    X(MPI_Wait, 1, (void *list, void *status), (list, status))                                     \
    X(MPI_Test, 1, (void *list, int *flag, void *status), (list, flag, status))                    \
    X(MPI_Request_free, 1, (void *list), (list))                                                   \
    X(MPI_Waitall, count, (int count, void *list, void *statuses), (count, list, statuses))        \
    X(MPI_Testall, count, (int count, void *list, int *flag, void *statuses),                      \
      (count, list, flag, statuses))                                                               \
    X(MPI_Waitany, count, (int count, void *list, int *one, void *status),                         \
      (count, list, one, status))                                                                  \
    X(MPI_Testany, count, (int count, void *list, int *one, int *flag, void *status),              \
      (count, list, one, flag, status))                                                            \
    X(MPI_Waitsome, count, (int count, void *list, int *done, int *which, void *statuses),         \
      (count, list, done, which, statuses))                                                        \
    X(MPI_Testsome, count, (int count, void *list, int *done, int *which, void *statuses),         \
      (count, list, done, which, statuses))

#define FORTRAN_COMPLETIONS(X, mangled)                                                            \
    X(mpi_wait##mangled, 1, (int *list, int *status, int *fault), (list, status, fault))           \
    X(mpi_test##mangled, 1, (int *list, int *flag, int *status, int *fault),                       \
      (list, flag, status, fault))                                                                 \
    X(mpi_request_free##mangled, 1, (int *list, int *fault), (list, fault))                        \
    X(mpi_waitall##mangled, *count, (int *count, int *list, int *statuses, int *fault),            \
      (count, list, statuses, fault))                                                              \
    X(mpi_testall##mangled, *count, (int *count, int *list, int *flag, int *statuses, int *fault), \
      (count, list, flag, statuses, fault))                                                        \
    X(mpi_waitany##mangled, *count, (int *count, int *list, int *one, int *status, int *fault),    \
      (count, list, one, status, fault))                                                           \
    X(mpi_testany##mangled, *count,                                                                \
      (int *count, int *list, int *one, int *flag, int *status, int *fault),                       \
      (count, list, one, flag, status, fault))                                                     \
    X(mpi_waitsome##mangled, *count,                                                               \
      (int *count, int *list, int *done, int *which, int *statuses, int *fault),                   \
      (count, list, done, which, statuses, fault))                                                 \
    X(mpi_testsome##mangled, *count,                                                               \
      (int *count, int *list, int *done, int *which, int *statuses, int *fault),                   \
      (count, list, done, which, statuses, fault))

#define PARAMETERS(...) __VA_ARGS__

#define C_COMPLETION(name, number_of, parameters, arguments)                                       \
    HOOK int name parameters;                                                                      \
    HOOK int name parameters                                                                       \
    {                                                                                              \
        BEHIND(int, #name, PARAMETERS parameters)                                                  \
        bool any = mpi_io_waits(list, number_of, request_size());                                  \
        int result = behind arguments;                                                             \
        if (any)                                                                                   \
            mpi_io_waited(list, number_of, request_size());                                        \
        return result;                                                                             \
    }
COMPLETIONS(C_COMPLETION)

#define F_COMPLETION(name, number_of, parameters, arguments)                                       \
    HOOK void name parameters;                                                                     \
    HOOK void name parameters                                                                      \
    {                                                                                              \
        BEHIND(void, #name, PARAMETERS parameters)                                                 \
        bool any = mpi_io_waits(list, number_of, sizeof(int));                                     \
        behind arguments;                                                                          \
        if (any)                                                                                   \
            mpi_io_waited(list, number_of, sizeof(int));                                           \
    }
FORTRAN_COMPLETIONS(F_COMPLETION, _)
FORTRAN_COMPLETIONS(F_COMPLETION, _f08_)
