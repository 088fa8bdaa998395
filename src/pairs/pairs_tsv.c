/*
 * pairs_tsv.c - one line to two ids; a score to text.
 */
#include "pairs/pairs_tsv.h"

#include "base/ascii.h"
#include "doppel/pairs.h"

#include <math.h>
#include <stdio.h>

/* Scores are floats, and the product with 10^6 is exact in double: this is printf's "%.6f",
 * which would follow the locale and take 45 bytes for the largest floats. */
size_t dpl_score_text(char out[DPL_SCORE_TEXT], double score)
{
    const double most = 1e12;
    if (isnan(score))
        return (size_t)snprintf(out, DPL_SCORE_TEXT, "nan");
    const double x = fmin(fabs(score), most) * 1e6, whole = floor(x), rest = x - whole;
    uint64_t n = (uint64_t)whole;
    n += rest > 0.5 || (rest == 0.5 && n % 2);
    return (size_t)snprintf(out, DPL_SCORE_TEXT, "%s%llu.%06llu", signbit(score) ? "-" : "",
                            (unsigned long long)(n / 1000000),
                            (unsigned long long)(n % 1000000));
}

static bool is_header(const dpl__pair_line *p)
{
    return dpl__str_eq(p->left, DPL_STR("left_id")) &&
           dpl__str_eq(p->right, DPL_STR("right_id"));
}

dpl_status dpl__pairs_tsv_next(dpl__lines *lines, dpl__pair_line *out, dpl_error *err)
{
    do {
        DPL_TRY(dpl__lines_next(lines, &out->rest, err));
        out->left = dpl__next_column(&out->rest);
        if (!out->rest.data)
            return dpl__lines_bad(lines, err, "no tab between two ids");
        out->right = dpl__next_column(&out->rest);
        if (!out->left.n || !out->right.n)
            return dpl__lines_bad(lines, err, "an id is empty");
    } while (lines->number == 1 && is_header(out));
    return DPL_OK;
}
