/*
 * fit.c - lines and powers through points, by least squares; where a gain ends; the interval of
 * a share; how likely one of some numbers is above one of others.
 */
#include "lab/experiment.h"

#include "base/maths.h"

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

double dpl__lab_power(const double *x, const double *y, size_t n)
{
    enum { MOST = 64 };
    double logs[2][MOST];
    size_t n_there = 0;
    assert(n <= MOST);
    for (size_t i = 0; i < n; i++)
        if (x[i] > 0 && y[i] > 0) {
            logs[0][n_there] = dpl__log(x[i]);
            logs[1][n_there++] = dpl__log(y[i]);
        }
    return n_there > 1 ? dpl__lab_line(logs[0], logs[1], n_there).slope : 0;
}

double dpl__lab_border(const double *x, const double *gains, size_t n)
{
    double border = 0;
    for (size_t i = 0; i < n; i++) {
        if (gains[i] > 0) {
            border = x[i];
            continue;
        }
        if (i && !isnan(gains[i]))
            border += (x[i] - x[i - 1]) * gains[i - 1] / (gains[i - 1] - gains[i]);
        break;
    }
    return border;
}

double dpl__lab_likelier(const double *x, size_t n_x, const double *y, size_t n_y)
{
    double sum = 0;
    for (size_t i = 0; i < n_x; i++)
        for (size_t k = 0; k < n_y; k++)
            sum += x[i] > y[k] ? 1 : x[i] < y[k] ? 0 : 0.5;
    return n_x && n_y ? sum / (double)n_x / (double)n_y : NAN;
}

void dpl__lab_wilson(double ends[2], uint64_t part, uint64_t whole)
{
    const double z = 1.959964, n = (double)whole, p = whole ? (double)part / n : 0;
    const double middle = p + z * z / (2 * n),
                 half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n)), scale = 1 + z * z / n;
    ends[0] = whole ? fmax(0, (middle - half) / scale) : 0;
    ends[1] = whole ? fmin(1, (middle + half) / scale) : 1;
}
