/*
 * decimal.h - a number as text that is the same whatever the locale.
 */
#ifndef DPL_BASE_DECIMAL_H
#define DPL_BASE_DECIMAL_H

/* Prints x, from 0 to below 10^12, with at most six digits behind the point and no trailing
 * zeros; returns out. */
const char *dpl__decimal(char out[32], double x);

/* The same with exactly six digits behind the point, as scores are written. */
const char *dpl__millionths(char out[32], double x);

#endif
