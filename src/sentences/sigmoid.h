/*
 * sigmoid.h - the logistic function, the same bits on every machine.
 */
#ifndef DPL_SENTENCES_SIGMOID_H
#define DPL_SENTENCES_SIGMOID_H

/* 1 / (1 + exp(-x)), within 1e-9. */
static inline double dpl__sigmoid(double x)
{
    double y = x < 0 ? -x : x;
    if (y > 40)
        return x < 0 ? 0 : 1;
    y /= -1024; /* exp(-|x|) is exp(-|x| / 1024) to the power of 1024 */
    double e = 1 + y * (1 + y / 2 * (1 + y / 3 * (1 + y / 4 * (1 + y / 5))));
    for (int i = 0; i < 10; i++)
        e *= e;
    return x < 0 ? e / (1 + e) : 1 / (1 + e);
}

#endif
