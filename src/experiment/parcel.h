/* A result as bytes, between processes of the same program on machines of the same kind. */
#ifndef WEIR_EXPERIMENT_PARCEL_H
#define WEIR_EXPERIMENT_PARCEL_H

#include "base/err.h"
#include "store/result.h"
#include <stddef.h>

/* free() frees; NULL with err when memory is out. */
char *parcel_pack(const struct run_result *result, size_t *size, struct err *err);

/* Fills in the result, which result_fini frees. 0, or -1 with err: the bytes are not such a parcel,
 * or memory is out; then the result is empty. */
int parcel_unpack(const char *data, size_t size, struct run_result *result, struct err *err);

#endif
