#include "mine/missed_docs.h"

#include "base/hash.h"
#include "base/maths.h"
#include "test.h"

#include <math.h>
#include <stdlib.h>

static double draw(uint64_t of)
{
    return ((double)(dpl__mix(of) % 1000000) + 0.5) / 1000000;
}

/* A share of the documents has a counterpart; it is found the more likely the longer the
 * document is, half of the time at `middle`. step -1: in the opposite order. */
static double missed_of(size_t n, double share, double middle, int step, double *n_lost)
{
    dpl__doc_found *docs = calloc(n + 1, sizeof *docs);
    CHECK(docs != NULL);
    *n_lost = 0;
    for (size_t i = 0; docs && i < n; i++) {
        size_t k = step > 0 ? i : n - 1 - i;
        double length = 3 + 4 * draw(k), rise = 1 / (1 + dpl__exp((middle - length) / 0.5));
        bool has = draw(k + n) < share, is_found = has && draw(k + 2 * n) < rise;
        *n_lost += has && !is_found;
        docs[i] = (dpl__doc_found){(uint64_t)dpl__exp(length), k, is_found ? 0.99 : 0};
    }
    double missed = docs ? dpl__missed_of_side(docs, n) : 0;
    free(docs);
    return missed;
}

DPL_TEST(missed_docs, short_documents_that_are_not_found_are_counted)
{
    for (double share = 0.5; share <= 1; share += 0.25) {
        double lost, missed = missed_of(4000, share, 4, 1, &lost);
        CHECK(lost > 400 && missed > 0.6 * lost && missed < 1.2 * lost);
    }
}

DPL_TEST(missed_docs, documents_without_counterpart_are_not)
{
    double lost, missed = missed_of(4000, 0.5, -20, 1, &lost);
    CHECK(lost < 1 && missed < 80);
    CHECK(missed_of(4000, 1, -20, 1, &lost) < 50);
}

DPL_TEST(missed_docs, the_order_of_documents_does_not_matter)
{
    double lost;
    double missed[2] = {missed_of(1000, 0.8, 4, 1, &lost), missed_of(1000, 0.8, 4, -1, &lost)};
    CHECK(missed[0] == missed[1] && missed[0] > 0);
}

DPL_TEST(missed_docs, a_few_say_nothing)
{
    double lost;
    CHECK(missed_of(0, 1, 4, 1, &lost) == 0);
    CHECK(missed_of(60, 1, 4, 1, &lost) == 0);
    CHECK(missed_of(2000, 0.02, 4, 1, &lost) == 0);
}
