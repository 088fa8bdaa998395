#include "vectors/weights.h"

#include "base/hash.h"
#include "test.h"

#include <math.h>

static bool is_near(double a, double b)
{
    return fabs(a - b) < 1e-6;
}

DPL_TEST(weights, idf_is_above_zero_for_what_every_document_holds)
{
    CHECK(is_near(dpl__weighting(DPL_WEIGHT_BM25)->idf(2, 1), log(2)));
    CHECK(is_near(dpl__weighting(DPL_WEIGHT_BM25)->idf(2, 2), log(1.2)));
    CHECK(is_near(dpl__weighting(DPL_WEIGHT_TFIDF)->idf(100, 4), log(26)));
    CHECK(is_near(dpl__weighting(DPL_WEIGHT_IDF)->idf(100, 4), log(26)));
    /* projection makes df above the number of documents, and next to nothing */
    static const double dfs[] = {0, 1e-40, 0.3, 999, 1000, 1000.5, 1e9};
    for (size_t i = 0; i < DPL_LEN(dfs); i++)
        for (int w = DPL_WEIGHT_BM25; w <= DPL_WEIGHT_IDF; w++) {
            double idf = dpl__weighting((dpl_weighting)w)->idf(1000, dfs[i]);
            CHECK(idf > 0 && isfinite(idf));
        }
}

DPL_TEST(weights, rows_have_length_one)
{
    static const double idf[] = {0.5, 2, 1};
    for (int w = DPL_WEIGHT_BM25; w <= DPL_WEIGHT_IDF; w++) {
        dpl__weigher weigher = {dpl__weighting((dpl_weighting)w), 1.2, 0.75, 4, idf};
        dpl__part parts[] = {{3, 0}, {0.01, 1}, {1, 2}};
        dpl__weigh(&weigher, parts, 3);
        double squares = 0;
        for (int i = 0; i < 3; i++) {
            CHECK(parts[i].value > 0);
            squares += parts[i].value * parts[i].value;
        }
        CHECK(is_near(squares, 1));
    }
}

DPL_TEST(weights, below_one_occurrence_a_term_counts_by_its_share)
{
    static const double idf[] = {1, 1};
    for (int w = DPL_WEIGHT_TFIDF; w <= DPL_WEIGHT_IDF; w++) {
        dpl__weigher weigher = {.ops = dpl__weighting((dpl_weighting)w), .idf = idf};
        dpl__part parts[] = {{1, 0}, {0.25, 1}};
        dpl__weigh(&weigher, parts, 2);
        CHECK(is_near(parts[1].value / parts[0].value, 0.25));
    }
    dpl__weigher weigher = {.ops = dpl__weighting(DPL_WEIGHT_TFIDF), .idf = idf};
    dpl__part parts[] = {{1, 0}, {exp(1), 1}};
    dpl__weigh(&weigher, parts, 2);
    CHECK(is_near(parts[1].value / parts[0].value, 2));
}

DPL_TEST(weights, have_names)
{
    CHECK_STR(dpl__cstr(dpl__weighting_name(DPL_WEIGHT_BM25)), "bm25");
    CHECK_STR(dpl__cstr(dpl__weighting_name(DPL_WEIGHT_TFIDF)), "tf-idf");
    CHECK_STR(dpl__cstr(dpl__weighting_name(DPL_WEIGHT_IDF)), "idf");
    CHECK(dpl__weighting_name((dpl_weighting)7) == NULL);
}
