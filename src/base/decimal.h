/*
 * decimal.h - a number as text that is the same whatever the locale.
 */
#ifndef DPL_BASE_DECIMAL_H
#define DPL_BASE_DECIMAL_H

/* With up to six digits behind the point and no needless ones; returns out. From 0 to below
 * 10^12. */
const char *dpl__decimal(char out[32], double x);

/* With six digits behind the point, as scores are written. */
const char *dpl__millionths(char out[32], double x);

#endif
