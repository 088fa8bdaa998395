#include "doppel/ngram.h"
#include "doppel/pairs.h"

#include "base/json_writer.h"
#include "base/summary.h"
#include "test.h"

#include <math.h>

/* The figures of a summary as one line of JSON. */
static void check_json(const dpl_summary_table *table, const void *summary,
                       const char *expected)
{
    dpl__json_text text = {.ctx = test_ctx(1)};
    dpl_json j = dpl__json_into(&text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_summary_json(&j, &(dpl_figures){.table = table, .summary = summary});
    dpl_json_end(&j, '}');
    CHECK_STR(((dpl_str){text.bytes.data, text.bytes.n}), expected);
    dpl__vec_clear(text.ctx, &text.bytes);
    test_ctx_done(text.ctx);
}

/* Of figures that are not written, too. */
static dpl_figure_value value_of(const dpl_pairs_summary *s, const char *name)
{
    dpl_figure_value v = {0};
    const dpl_figures in = {.table = &dpl_pairs_figures, .summary = s};
    CHECK(dpl_figure_find(&v, &in, dpl__cstr(name)));
    return v;
}

/* ---- recall -------------------------------------------------------------------------------
 */

DPL_TEST(pairs_summary, a_recall_is_known_if_it_was_sampled_or_need_not_be)
{
    dpl_recall_check c = {.n_rows = 7,
                          .n_true = 20,
                          .n_found = 15,
                          .recall = 0.75,
                          .low = 0.5,
                          .high = 0.875,
                          .seconds = 2};
    check_json(&dpl_recall_figures, &c,
               "{\"exact\":false,\"rows\":7,\"true\":20,\"found\":15,\"recall\":0.75,"
               "\"low\":0.5,\"high\":0.875,\"seconds\":2}");
    c.is_empty = true; /* none of the rows has a pair */
    check_json(&dpl_recall_figures, &c,
               "{\"exact\":false,\"rows\":7,\"true\":20,\"found\":15,\"recall\":null,"
               "\"low\":null,\"high\":null,\"seconds\":2}");
    c = (dpl_recall_check){.recall = 0.75, .low = 0.5, .high = 0.875}; /* not checked */
    check_json(&dpl_recall_figures, &c,
               "{\"exact\":false,\"rows\":0,\"true\":0,\"found\":0,\"recall\":null,"
               "\"low\":null,\"high\":null,\"seconds\":0}");
    c = (dpl_recall_check){
        .is_exact = true, .is_empty = true, .recall = 1, .low = 1, .high = 1};
    check_json(&dpl_recall_figures, &c,
               "{\"exact\":true,\"rows\":0,\"true\":0,\"found\":0,\"recall\":1,"
               "\"low\":1,\"high\":1,\"seconds\":0}");
}

/* ---- methods ------------------------------------------------------------------------------
 */

static const dpl_recall_check exact = {.is_exact = true, .recall = 1, .low = 1, .high = 1};
#define EXACT                                                                                  \
    "\"recall_check\":{\"exact\":true,\"rows\":0,\"true\":0,\"found\":0,\"recall\":1,"         \
    "\"low\":1,\"high\":1,\"seconds\":0}"

/* Every field has a value of its own. */
static dpl_pairs_summary summary_of(dpl_pairs_method method)
{
    return (dpl_pairs_summary){.method = method,
                               .n_left = 2,
                               .n_right = 3,
                               .threshold = 0.25,
                               .n_comparisons = 11,
                               .n_candidates = 12,
                               .n_found = 13,
                               .n_selected = 14,
                               .planned_recall = 0.5,
                               .recall_check = &exact,
                               .n_spilled_bytes = 15,
                               .sign_seconds = 16,
                               .search_seconds = 17,
                               .verify_seconds = 18,
                               .select_seconds = 19,
                               .seconds = 20};
}

#define BEHIND                                                                                 \
    "\"comparisons\":11,\"candidates\":12,\"found\":13,\"pairs\":14,\"planned_recall\":0."     \
    "5," EXACT ",\"spilled_bytes\":15,\"sign_seconds\":16,\"search_seconds\":17,"              \
    "\"verify_seconds\":18,\"select_seconds\":19"

DPL_TEST(pairs_summary, has_figures_of_its_method_alone)
{
    dpl_pairs_summary s = summary_of(DPL_PAIRS_EXACT);
    check_json(&dpl_pairs_figures, &s,
               "{\"left\":2,\"right\":3,\"method\":\"exact\",\"threshold\":0.25," BEHIND
               ",\"seconds\":20}");
    s = summary_of(DPL_PAIRS_WINDOW);
    s.bits = 4;
    s.cut = 5;
    s.first_bits = 6;
    s.first_cut = 7;
    s.n_tables = 8;
    s.width = 9;
    s.chunk = 10;
    s.signature = DPL_SIGN_RP8;
    check_json(&dpl_pairs_figures, &s,
               "{\"left\":2,\"right\":3,\"method\":\"window\",\"threshold\":0.25,"
               "\"signature\":\"rp8\",\"bits\":4,\"cut\":5,\"first_bits\":6,\"first_cut\":7,"
               "\"tables\":8,\"width\":9,\"chunk\":10," BEHIND ",\"seconds\":20}");
    s = summary_of(DPL_PAIRS_HASH);
    s.hash = DPL_HASH_PSTABLE;
    s.code_length = 4;
    s.n_codes = 5;
    s.radix = 6;
    s.code_width = 0.75;
    check_json(&dpl_pairs_figures, &s,
               "{\"left\":2,\"right\":3,\"method\":\"hash\",\"threshold\":0.25,"
               "\"hash\":\"pstable\",\"code_length\":4,\"codes\":5,\"radix\":6,"
               "\"code_width\":0.75," BEHIND ",\"seconds\":20}");
}

DPL_TEST(pairs_summary, says_what_ngrams_were_and_why_they_were_dropped)
{
    const dpl_ngram_summary ngram = {.n_docs = 30,
                                     .n_groups = 31,
                                     .n_words = 32,
                                     .n_postings = 33,
                                     .n_unsampled = 34,
                                     .n_matching = 35,
                                     .n_single = 36,
                                     .n_one_group = 37,
                                     .n_frequent = 38,
                                     .n_used = 39,
                                     .n_generated = 40,
                                     .n_candidates = 41,
                                     .n_entries = 42,
                                     .n_scoring = 43,
                                     .n_scoring_single = 44,
                                     .n_scoring_frequent = 45,
                                     .n_kept = 46,
                                     .n_below = 47,
                                     .n_disordered = 48,
                                     .extract_seconds = 50,
                                     .match_seconds = 51,
                                     .score_seconds = 52,
                                     .n_capped = 53,
                                     .n_translated = 54};
    dpl_pairs_summary s = summary_of(DPL_PAIRS_NGRAM);
    s.ngram = &ngram;
    check_json(
        &dpl_pairs_figures, &s,
        "{\"left\":2,\"right\":3,\"method\":\"ngram\",\"threshold\":0.25,\"documents\":30,"
        "\"groups\":31,\"words\":32,\"translated\":54,"
        "\"matching\":{\"postings\":33,\"distinct\":35,\"single\":36,\"one_language\":37,"
        "\"frequent\":38,\"used\":39,\"not_sampled\":34},"
        "\"scoring\":{\"entries\":42,\"distinct\":43,\"single\":44,\"frequent\":45,"
        "\"kept_entries\":46},\"generated\":40,\"capped\":53,\"comparisons\":11,"
        "\"candidates\":12,\"below\":47,\"disordered\":48,\"found\":13,\"pairs\":14,"
        "\"planned_recall\":0.5," EXACT ",\"spilled_bytes\":15,\"sign_seconds\":16,"
        "\"search_seconds\":17,\"verify_seconds\":18,\"select_seconds\":19,"
        "\"extract_seconds\":50,\"match_seconds\":51,\"score_seconds\":52,\"seconds\":20}");
    CHECK(value_of(&s, "different").real == 41 + 53);
    CHECK_EQ(value_of(&s, "matching.dropped").number, 36 + 37 + 38);
    CHECK_EQ(value_of(&s, "scoring.dropped").number, 44 + 45);
    CHECK_EQ(value_of(&s, "dropped").number, 47 + 48);
}

/* As many names as there are counts, and none behind them. */
DPL_TEST(pairs_summary, every_count_of_what_was_dropped_has_a_name)
{
    const dpl_ngram_summary ngram = {.n_docs = 1};
    dpl_pairs_summary s = summary_of(DPL_PAIRS_NGRAM);
    s.ngram = &ngram;
    static const char *const names[] = {"matching.dropped", "scoring.dropped", "dropped"};
    for (size_t i = 0; i < DPL_LEN(names); i++) {
        const dpl_figure *f = value_of(&s, names[i]).figure;
        unsigned n = 0;
        while (f->choice(n))
            n++;
        CHECK_EQ(n * sizeof(uint64_t), f->n_bytes);
        for (unsigned a = 0; a < n; a++)
            for (unsigned b = 0; b < a; b++)
                CHECK(strcmp(f->choice(a), f->choice(b)) != 0);
    }
}

DPL_TEST(pairs_summary, other_figures_follow_from_those)
{
    dpl_pairs_summary s = summary_of(DPL_PAIRS_BRUTE);
    CHECK(value_of(&s, "is_selected").real == 1);
    CHECK(value_of(&s, "has_candidates").real == 1);
    CHECK(value_of(&s, "has_products").real == 0);
    CHECK(value_of(&s, "planned_recall").real == 0.5);
    s.n_selected = s.n_found;
    s.signature = DPL_SIGN_RP8;
    s.method = DPL_PAIRS_EXACT;
    s.planned_recall = 0;
    CHECK(value_of(&s, "is_selected").real == 0);
    CHECK(value_of(&s, "has_candidates").real == 0);
    CHECK(value_of(&s, "has_products").real == 1);
    CHECK(isnan(value_of(&s, "planned_recall").real)); /* none was predicted */
    /* names of the field's value, as long as there are any */
    for (unsigned i = 0; dpl_pairs_get_method_info((dpl_pairs_method)i); i++) {
        s.method = (dpl_pairs_method)i;
        const dpl_pairs_method_info *info = dpl_pairs_get_method_info(s.method);
        CHECK_STR(dpl__cstr(value_of(&s, "method").text), info->name);
        CHECK_STR(dpl__cstr(value_of(&s, "compared_unit").text), info->unit);
    }
    for (unsigned i = 0; dpl_sign_get_method_info((dpl_sign_method)i); i++) {
        s.signature = (dpl_sign_method)i;
        const dpl_sign_method_info *info = dpl_sign_get_method_info(s.signature);
        CHECK_STR(dpl__cstr(value_of(&s, "signature").text), info->name);
        CHECK_STR(dpl__cstr(value_of(&s, "unit").text), info->unit);
    }
    for (unsigned i = 0; dpl_hash_get_function_info((dpl_hash_function)i); i++) {
        s.hash = (dpl_hash_function)i;
        const dpl_hash_function_info *info = dpl_hash_get_function_info(s.hash);
        CHECK_STR(dpl__cstr(value_of(&s, "hash").text), info->name);
        CHECK_STR(dpl__cstr(value_of(&s, "code_unit").text), info->unit);
    }
}
