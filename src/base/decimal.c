/*
 * decimal.c - through an integer number of millionths.
 */
#include "base/decimal.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

const char *dpl__millionths(char out[32], double x)
{
    uint64_t millionths = (uint64_t)(x * 1e6 + 0.5);
    if (millionths > 9999999) {
        snprintf(out, 32, "%llu.%06llu", (unsigned long long)(millionths / 1000000),
                 (unsigned long long)(millionths % 1000000));
        return out;
    }
    for (int i = 8; i-- > 0; millionths /= i == 1 ? 1 : 10) /* "1.234567" */
        out[i] = i == 1 ? '.' : (char)('0' + millionths % 10);
    out[8] = 0;
    return out;
}

const char *dpl__decimal(char out[32], double x)
{
    size_t n = strlen(dpl__millionths(out, x));
    while (out[n - 1] == '0')
        n--;
    out[out[n - 1] == '.' ? n - 1 : n] = 0;
    return out;
}
