/* Random texts that text_number has to read as strtod does. */
#ifndef WEIR_TESTS_BASE_DECIMALS_H
#define WEIR_TESTS_BASE_DECIMALS_H

#include <stdint.h>

/* Reads `count` texts of all kinds, and compares value, sign and length. */
void decimals_compare(uint64_t seed, uint32_t count);

#endif
