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
    out[0] = (char)('0' + millionths / 1000000); /* "1.234567" */
    out[1] = '.';
    for (int i = 7; i > 1; i--, millionths /= 10)
        out[i] = (char)('0' + millionths % 10);
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
