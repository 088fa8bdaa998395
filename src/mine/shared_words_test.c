#include "mine/shared_words.h"

#include "mine/random_sides_test.h"

/* ---- one word -----------------------------------------------------------------------------
 */

typedef struct sides {
    dpl__comparable p;
    dpl_lexicon *lexicon;
    dpl_tokens *tokens;
    dpl__word_sides is;
} sides;

static void begin(sides *x, const char *left, const char *right, const char *const words[][2],
                  const float *p, size_t n, int pivot)
{
    dpl_lexicon_entry entries[8];
    const dpl_lexicon_import_options o =
        DPL_INIT(dpl_lexicon_import_options, .source_lang = "eo", .target_lang = "sw");
    *x = (sides){.p = {.ctx = test_ctx(1)}};
    set_side(&x->p, 0, import_side(x->p.ctx, left, strlen(left), false), "eo");
    set_side(&x->p, 1, import_side(x->p.ctx, right, strlen(right), true), "sw");
    for (size_t i = 0; i < n; i++)
        entries[i] = (dpl_lexicon_entry){dpl__cstr(words[i][0]), dpl__cstr(words[i][1]), p[i]};
    if (n)
        CHECK_OK(dpl_lexicon_from_entries(&x->lexicon, x->p.ctx, entries, n, &o, &test_err));
    CHECK_OK(dpl_tokens_new(&x->tokens, x->p.ctx, NULL, &test_err));
    x->is = (dpl__word_sides){
        .ctx = x->p.ctx, .c = {x->p.c[0], x->p.c[1]}, .lexicon = x->lexicon, .pivot = pivot};
}

static void end(sides *x)
{
    dpl_tokens_free(x->tokens);
    dpl_lexicon_close(x->lexicon);
    close_sides(&x->p);
    test_ctx_done(x->p.ctx);
}

static void check_word(const sides *x, uint32_t left, uint32_t right, const char *term,
                       const char *want_left, const char *want_right)
{
    dpl__shared_word word;
    const dpl_doc_pair docs = {left, right};
    CHECK_OK(
        dpl__shared_word_find(&word, &x->is, x->tokens, &docs, dpl__cstr(term), &test_err));
    CHECK_STR(word.side[0], want_left);
    CHECK_STR(word.side[1], want_right);
}

static const char *const entries[][2] = {{"domo", "nyumba"},
                                         {"domo", "jengo"},
                                         {"urbo", "mji"},
                                         {"vilagxo", "mji"},
                                         {"akvo", "maji"}};
static const float likely[] = {0.6f, 0.4f, 1, 1, 1};

DPL_TEST(shared_words, stand_as_they_are_written_where_they_occur_first)
{
    sides x;
    begin(&x, "a\tJen DOMO. Domo kaj urbo.\nb\tLa Akvo\n",
          "c\tHii ni Nyumba. Mji na nyumba.\nd\tJengo, jengo na NYUMBA\n", entries, likely, 5,
          0);
    check_word(&x, 0, 0, "domo", "DOMO", "Nyumba");
    check_word(&x, 0, 0, "urbo", "urbo", "Mji");
    check_word(&x, 0, 1, "domo", "DOMO", "Jengo"); /* 0.4 twice is more than 0.6 */
    check_word(&x, 0, 1, "urbo", "", "");          /* its translation is not there */
    check_word(&x, 0, 0, "akvo", "", "");
    check_word(&x, 1, 0, "akvo", "", "");
    check_word(&x, 1, 0, "domo", "", "");
    check_word(&x, 0, 0, "nyumba", "", ""); /* no word of the pivot */
    check_word(&x, 0, 0, "nenio", "", "");
    end(&x);
}

DPL_TEST(shared_words, are_those_of_the_pivot_on_either_side)
{
    sides x;
    begin(&x, "a\tUrbo kaj vilagxo, urbo\nb\tVilagxo vilagxo vilagxo urbo\n", "c\tMJI\n",
          entries, likely, 5, 1);
    check_word(&x, 0, 0, "mji", "Urbo", "MJI");
    check_word(&x, 1, 0, "mji", "Vilagxo", "MJI");
    check_word(&x, 0, 0, "urbo", "", "");
    end(&x);
}

/* Names, and everything where there is no lexicon. */
DPL_TEST(shared_words, that_no_lexicon_has_are_the_same_on_both_sides)
{
    sides x;
    begin(&x, "a\tDomo en Berlin\n", "c\tberlin na domo\n", NULL, NULL, 0, 0);
    check_word(&x, 0, 0, "berlin", "Berlin", "berlin");
    check_word(&x, 0, 0, "domo", "Domo", "domo");
    check_word(&x, 0, 0, "en", "", "");
    end(&x);
    begin(&x, "a\tDomo en Berlin\n", "c\tberlin na domo\n", entries, likely, 5, 0);
    check_word(&x, 0, 0, "berlin", "Berlin", "berlin");
    check_word(&x, 0, 0, "domo", "Domo", "domo"); /* translations are not there */
    end(&x);
}

/* ---- of document pairs ------------------------------------------------------------------- */

static bool is_in(const dpl__shared_words *w, size_t n, int side, dpl_str word)
{
    for (size_t i = 0; i < n; i++)
        if (dpl__str_eq(w->words[i].side[side], word))
            return true;
    return false;
}

/* Those of the terms of each pair that both have, of which none has a word of one before. */
static void check_words(const dpl__shared_words *found, const dpl__pair_run *r,
                        const dpl_doc_pair *docs, const dpl__evidence *e, dpl_tokens *tokens)
{
    const dpl__word_sides is = {.ctx = r->ctx,
                                .c = {r->corpus.c[0], r->corpus.c[1]},
                                .lexicon = r->lexicon,
                                .pivot = r->corpus.pivot};
    size_t n = 0;
    for (size_t i = 0; i < e->n_terms; i++) {
        dpl__shared_word word;
        CHECK_OK(dpl__shared_word_find(&word, &is, tokens, docs, e->terms[i], &test_err));
        if (!word.side[0].n || !word.side[1].n || is_in(found, n, 0, word.side[0]) ||
            is_in(found, n, 1, word.side[1]))
            continue;
        CHECK(n < found->n);
        for (int side = 0; side < 2; side++)
            CHECK(dpl__str_eq(found->words[n].side[side], word.side[side]));
        n++;
    }
    CHECK_EQ(found->n, n);
}

DPL_TEST(shared_words, each_stands_in_one_pair_of_words)
{
    enum { DOCS = 12, TERMS = 20 };
    static const side_shape shape = {DOCS, 4, 6, TERMS, false, false};
    static char words[TERMS][8];
    dpl__rng rng = {dpl__mix(1400)};
    for (unsigned turn = 0; turn < 4; turn++) {
        dpl_ctx *ctx = test_ctx(1 + turn);
        dpl__pair_run r = {.ctx = ctx};
        dpl_doc_pair docs[DOCS];
        dpl__evidence evidence[DOCS];
        dpl__shared_words found[DOCS];
        dpl_tokens *tokens = NULL;
        size_t n_words = 0, n_terms = 0;
        r.corpus = make_parallel_sides(ctx, &rng, shape, turn % 2);
        r.lexicon = make_random_lexicon(ctx, TERMS);
        CHECK_OK(dpl_tokens_new(&tokens, ctx, NULL, &test_err));
        for (unsigned i = 0; i < TERMS; i++)
            words[i][put_random_word(words[i], i, turn % 2)] = 0;
        for (uint32_t i = 0; i < DOCS; i++) {
            docs[i] = (dpl_doc_pair){i, i};
            evidence[i].n_terms = dpl__rng_below(&rng, DPL__EVIDENCE_TERMS + 1);
            for (size_t k = 0; k < evidence[i].n_terms; k++)
                evidence[i].terms[k] = dpl__cstr(words[dpl__rng_below(&rng, TERMS)]);
            n_terms += evidence[i].n_terms;
        }
        CHECK_OK(dpl__shared_words_find(found, &r, docs, evidence, DOCS, &test_err));
        for (size_t i = 0; i < DOCS; i++) {
            check_words(&found[i], &r, &docs[i], &evidence[i], tokens);
            n_words += found[i].n;
        }
        CHECK(n_words > DOCS / 2 && n_words < n_terms);
        dpl_tokens_free(tokens);
        dpl_lexicon_close((dpl_lexicon *)(uintptr_t)r.lexicon);
        close_sides(&r.corpus);
        test_ctx_done(ctx);
    }
}
