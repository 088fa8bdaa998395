/*
 * fuzz.h - what every fuzz target needs.
 */
#ifndef DPL_FUZZ_H
#define DPL_FUZZ_H

#include "base/base.h"

#include <stdlib.h>

/* A property that does not hold ends the program, which is how the fuzzer learns of it. */
#define REQUIRE(what)                                                                          \
    do {                                                                                       \
        if (!(what))                                                                           \
            abort();                                                                           \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);

#endif
