/*
 * fit.c - a straight line through points, by least squares; the interval of a share.
 */
#include "lab/experiment.h"

#include <math.h>

dpl__lab_fit dpl__lab_line(const double *x, const double *y, size_t n)
{
    double mean_x = 0, mean_y = 0, xx = 0, xy = 0, yy = 0;
    for (size_t i = 0; i < n; i++) {
        mean_x += x[i] / (double)n;
        mean_y += y[i] / (double)n;
    }
    for (size_t i = 0; i < n; i++) {
        xx += (x[i] - mean_x) * (x[i] - mean_x);
        xy += (x[i] - mean_x) * (y[i] - mean_y);
        yy += (y[i] - mean_y) * (y[i] - mean_y);
    }
    dpl__lab_fit f = {.intercept = mean_y};
    if (xx > 0) {
        f.slope = xy / xx;
        f.intercept = mean_y - f.slope * mean_x;
        f.r2 = yy > 0 ? xy * xy / (xx * yy) : 1;
    }
    return f;
}

void dpl__lab_wilson(double ends[2], uint64_t part, uint64_t whole)
{
    const double z = 1.959964, n = (double)whole, p = whole ? (double)part / n : 0;
    const double middle = p + z * z / (2 * n),
                 half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)), scale = 1 + z * z / n;
    ends[0] = whole ? fmax(0, (middle - half) / scale) : 0;
    ends[1] = whole ? fmin(1, (middle + half) / scale) : 1;
}
