#include "tokens/morphs.h"

#include "base/hash.h"
#include "test.h"
#include "tokens/import.h"

#include <stdio.h>

/* A language of stems with endings: every stem has half of the endings, or so. */
enum { N_STEMS = 60, N_ENDINGS = 6, N_WORDS = N_STEMS * N_ENDINGS, WORD = 24 };

static const char *const endings[N_ENDINGS] = {"", "ak", "nul", "osse", "imu", "ekra"};

typedef struct vocabulary {
    char words[N_WORDS][WORD];
    size_t stems[N_WORDS]; /* bytes of each one's stem */
    size_t n;
} vocabulary;

static void make_words(vocabulary *v, uint64_t seed)
{
    static const char consonants[] = "bdfghjpqtvwxyz", vowels[] = "aeiou";
    dpl__rng rng = {seed};
    v->n = 0;
    for (unsigned s = 0; s < N_STEMS; s++) {
        char stem[8];
        for (unsigned i = 0; i < 6; i++)
            stem[i] = i % 2 ? vowels[dpl__rng_below(&rng, 5)]
                            : consonants[dpl__rng_below(&rng, sizeof consonants - 1)];
        for (unsigned e = 0; e < N_ENDINGS; e++)
            if (dpl__rng_below(&rng, 2)) {
                v->stems[v->n] = 6;
                snprintf(v->words[v->n++], WORD, "%.6s%s", stem, endings[e]);
            }
    }
}

/* A document for each word, from the first or from the last. */
static dpl_collection *collect(dpl_ctx *ctx, const vocabulary *v, bool is_reversed)
{
    static char text[N_WORDS * (WORD + 40)];
    size_t at = 0;
    dpl_collection *c = NULL;
    for (size_t i = 0; i < v->n; i++)
        at += (size_t)snprintf(text + at, sizeof text - at,
                               "{\"id\":%zu,\"lang\":\"mt\",\"text\":\"%s\"}\n", i,
                               v->words[is_reversed ? v->n - 1 - i : i]);
    const dpl_input in = {.buffer = {text, at}, .name = "words.jsonl"};
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    return c;
}

static dpl_str str(const char *s)
{
    return (dpl_str){s, strlen(s)};
}

DPL_TEST(morphs, endings_are_cut_from_stems)
{
    vocabulary v;
    dpl_ctx *ctx = test_ctx(1);
    for (uint64_t seed = 1; seed < 6; seed++) {
        make_words(&v, seed);
        dpl_collection *c = collect(ctx, &v, false);
        dpl__morphs *m;
        CHECK_OK(dpl__morphs_learn(&m, ctx, c, &test_err));
        dpl_collection_close(c); /* it is not needed any more */
        size_t n_right = 0, n_with = 0;
        for (size_t i = 0; i < v.n; i++) {
            dpl_str parts[DPL__MOST_MORPHS];
            const size_t n = dpl__morphs_of(parts, m, str(v.words[i]));
            if (strlen(v.words[i]) == v.stems[i])
                continue;
            n_with++;
            n_right += n >= 1 && parts[0].data == v.words[i] && parts[0].n == v.stems[i];
        }
        CHECK(10 * n_right >= 9 * n_with);
        dpl__morphs_free(m);
    }
    test_ctx_done(ctx);
}

DPL_TEST(morphs, do_not_depend_on_the_order_of_documents)
{
    vocabulary v;
    dpl_ctx *ctx = test_ctx(1);
    make_words(&v, 9);
    dpl__morphs *m[2];
    for (int i = 0; i < 2; i++) {
        dpl_collection *c = collect(ctx, &v, i);
        CHECK_OK(dpl__morphs_learn(&m[i], ctx, c, &test_err));
        dpl_collection_close(c);
    }
    for (size_t i = 0; i < v.n; i++) {
        dpl_str parts[2][DPL__MOST_MORPHS];
        const size_t n = dpl__morphs_of(parts[0], m[0], str(v.words[i]));
        CHECK_EQ(dpl__morphs_of(parts[1], m[1], str(v.words[i])), n);
        for (size_t k = 0; k < n; k++)
            CHECK(parts[0][k].data == parts[1][k].data && parts[0][k].n == parts[1][k].n);
    }
    dpl__morphs_free(m[0]);
    dpl__morphs_free(m[1]);
    test_ctx_done(ctx);
}

DPL_TEST(morphs, digits_long_words_and_scripts_without_blanks_have_none)
{
    vocabulary v;
    dpl_ctx *ctx = test_ctx(1);
    make_words(&v, 3);
    dpl_collection *c = collect(ctx, &v, false);
    dpl__morphs *m;
    CHECK_OK(dpl__morphs_learn(&m, ctx, c, &test_err));
    dpl_str parts[DPL__MOST_MORPHS];
    const char *const whole[] = {"1bedosse",
                                 "漢字仮名osse",
                                 "ภาษาไทยimu",
                                 "",
                                 "é",
                                 "bebebebebebebebebebebebebebebebebebebebe",
                                 "bebebebebebebebebebebebebebebebebebebebebe"};
    for (size_t i = 0; i < DPL_LEN(whole); i++)
        CHECK_EQ(dpl__morphs_of(parts, m, str(whole[i])), 0);
    dpl__morphs_free(m);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* An ending of one word of two hundred is a part like others; one of every tenth says little.
 */
DPL_TEST(morphs, parts_in_many_documents_are_left_out)
{
    vocabulary v;
    dpl_ctx *ctx = test_ctx(1);
    make_words(&v, 5);
    dpl_collection *c = collect(ctx, &v, false);
    dpl__morphs *m;
    CHECK_OK(dpl__morphs_learn(&m, ctx, c, &test_err));
    for (size_t i = 0; i < v.n; i++) {
        dpl_str parts[DPL__MOST_MORPHS];
        const size_t n = dpl__morphs_of(parts, m, str(v.words[i]));
        for (size_t k = 0; k < n; k++)
            for (size_t e = 1; e < N_ENDINGS; e++) /* each has about 30 of 180 words */
                CHECK(!dpl__str_eq(parts[k], str(endings[e])));
    }
    dpl__morphs_free(m);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

DPL_TEST(morphs, words_that_share_nothing_have_none)
{
    dpl_ctx *ctx = test_ctx(1);
    const char text[] = "{\"id\":1,\"lang\":\"mt\",\"text\":\"ab cd ef 12 13\"}\n";
    const dpl_input in = {.buffer = {text, sizeof text - 1}, .name = "words.jsonl"};
    dpl_collection *c = NULL;
    CHECK_OK(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, &test_err));
    dpl__morphs *m;
    CHECK_OK(dpl__morphs_learn(&m, ctx, c, &test_err));
    CHECK(m == NULL);
    dpl__morphs_free(m);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* ---- an import with parts --------------------------------------------------------------- */

static bool has_token(const dpl_collection *c, uint32_t doc, dpl_sentence s, size_t i,
                      const char *text)
{
    size_t n;
    const uint32_t *tokens = dpl_collection_tokens(c, doc, &n);
    CHECK(s.token + i < n);
    return dpl__str_eq(dpl_collection_term(c, tokens[s.token + i]), str(text));
}

DPL_TEST(morphs, an_import_has_parts_behind_their_words)
{
    vocabulary v;
    dpl_ctx *ctx = test_ctx(2);
    make_words(&v, 4);
    size_t with = 0;
    while (strlen(v.words[with]) == v.stems[with])
        with++;
    dpl_collection *words = collect(ctx, &v, false), *c = NULL;
    dpl__morphs *m;
    CHECK_OK(dpl__morphs_learn(&m, ctx, words, &test_err));
    char text[400], stem[WORD];
    const char *word = v.words[with];
    snprintf(stem, sizeof stem, "%.6s", word);
    dpl_str parts[DPL__MOST_MORPHS];
    CHECK_EQ(dpl__morphs_of(parts, m, str(word)), 1);
    const int n =
        snprintf(text, sizeof text,
                 "{\"id\":\"a\",\"lang\":\"mt\",\"text\":\"17 %s 17! %s 17!\"}\n", word, word);
    const dpl_input in = {.buffer = {text, (size_t)n}, .name = "text.jsonl"};
    char path[1000];
    snprintf(path, sizeof path, "%s", test_path("parts.dpl"));
    const dpl_import_options o = DPL_INIT(dpl_import_options);
    CHECK_OK(dpl__import_with_parts(ctx, path, &in, &o, m, &test_err));
    CHECK_OK(dpl_collection_open(&c, ctx, path, &test_err));
    CHECK_EQ(dpl_collection_get_sizes(c)->n_tokens, 7);
    CHECK_EQ(dpl_collection_get_sizes(c)->n_terms, 3);
    CHECK_EQ(dpl_collection_n_sentences(c, 0), 2);
    const dpl_sentence first = dpl_collection_sentence(c, 0, 0),
                       second = dpl_collection_sentence(c, 0, 1);
    CHECK_EQ(first.token, 0);
    CHECK_EQ(second.token, 4);
    const char *const expected[] = {"17", word, stem, "17"};
    for (size_t i = 0; i < 4; i++)
        CHECK(has_token(c, 0, first, i, expected[i]));
    for (size_t i = 0; i < 3; i++)
        CHECK(has_token(c, 0, second, i, expected[i + 1]));
    uint32_t term;
    CHECK(dpl_collection_find_term(c, str(stem), &term));
    CHECK_EQ(dpl_collection_doc_count(c, term), 1);
    const uint32_t *counts;
    size_t n_row;
    dpl_collection_row(c, 0, &counts, &n_row);
    CHECK_EQ(n_row, 3);
    dpl_collection_close(c);
    dpl_collection_close(words);
    dpl__morphs_free(m);
    test_ctx_done(ctx);
}

static dpl_status learn_body(void *user, dpl_ctx *ctx, dpl_error *err)
{
    const char *text = user;
    const dpl_input in = {.buffer = str(text), .name = "words.jsonl"};
    const dpl_import_options o = DPL_INIT(dpl_import_options);
    dpl_collection *c = NULL;
    dpl__morphs *m = NULL;
    DPL_TRY(dpl_collection_from_inputs(&c, NULL, ctx, &in, 1, NULL, err));
    dpl_status status = dpl__morphs_learn(&m, ctx, c, err);
    if (status == DPL_OK)
        status = dpl__import_with_parts(ctx, test_path("parts.dpl"), &in, &o, m, err);
    dpl__morphs_free(m);
    dpl_collection_close(c);
    return status;
}

DPL_TEST(morphs, every_failing_allocation_is_told)
{
    test_allocation_failures(learn_body,
                             "{\"id\":1,\"lang\":\"mt\",\"text\":\"babak babnul bubak bubnul "
                             "gobak gobnul tibak tibnul\"}\n");
}
