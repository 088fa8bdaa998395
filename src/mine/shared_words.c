/*
 * shared_words.c - from terms of the pivot language to words in both texts.
 *
 * A term of the pivot is a word of the document on that side. On the other side it stands for
 * the word of the document that gives most to it: probability in the lexicon, times
 * occurrences. Terms are folded and reduced to stems; the word is written as where it occurs
 * first. Only the sentence in which it does is split into tokens again.
 */
#include "mine/shared_words.h"

#include "base/lower_bound.h"
#include "par/pool.h"
#include "tokens/collection.h"

typedef struct finder {
    dpl__word_sides sides;
    dpl__shared_words *out;
    const dpl_doc_pair *docs;
    const dpl__evidence *evidence;
    dpl_tokens **tokens; /* of each thread; made when it is needed */
} finder;

/* ---- the term of each side ----------------------------------------------------------------
 */

/* How often a document has a term. */
static uint32_t count_in(const dpl_collection *c, uint32_t doc, uint32_t term)
{
    const uint32_t *counts;
    size_t n, at;
    const uint32_t *terms = dpl_collection_row(c, doc, &counts, &n);
    DPL__LOWER_BOUND(at, n, terms[at] < term);
    return at < n && terms[at] == term ? counts[at] : 0;
}

static bool has_term(const dpl_collection *c, uint32_t doc, dpl_str text, uint32_t *term)
{
    return dpl_collection_find_term(c, text, term) && count_in(c, doc, *term) > 0;
}

/* The words that a word of the pivot may stand for, with probabilities; NULL: it has none. */
static const uint32_t *translations(const dpl__word_sides *r, dpl_str text, const float **p,
                                    size_t *n)
{
    const dpl_lexicon *l = r->lexicon;
    uint32_t word;
    if (!l)
        return NULL;
    if (r->pivot == 0)
        return dpl_lexicon_find_source(l, text, &word) ? dpl_lexicon_row(l, word, p, n) : NULL;
    return dpl_lexicon_find_target(l, text, &word) ? dpl_lexicon_back_row(l, word, p, n) : NULL;
}

/* The term of the document that is not the pivot's. */
static bool find_other(uint32_t *out, const dpl__word_sides *r, uint32_t doc, dpl_str text)
{
    const int side = !r->pivot;
    const dpl_collection *c = r->c[side];
    const float *p = NULL;
    size_t n = 0;
    const uint32_t *to = translations(r, text, &p, &n);
    double most = 0;
    for (size_t i = 0; to && i < n; i++) {
        const dpl_str word = side ? dpl_lexicon_target(r->lexicon, to[i])
                                  : dpl_lexicon_source(r->lexicon, to[i]);
        uint32_t term;
        if (!dpl_collection_find_term(c, word, &term))
            continue;
        const double x = (double)p[i] * count_in(c, doc, term);
        if (x > most) {
            most = x;
            *out = term;
        }
    }
    return most > 0 || has_term(c, doc, text, out);
}

/* ---- a term as it is written --------------------------------------------------------------
 */

static bool is_writable(dpl_str word)
{
    for (size_t i = 0; i < word.n; i++)
        if ((uint8_t)word.data[i] <= ' ' || word.data[i] == '|')
            return false;
    return word.n > 0;
}

/* Where the term stands first; empty: nowhere. */
static dpl_status find_writing(dpl_str *out, dpl_tokens *tokens, const dpl_collection *c,
                               uint32_t doc, uint32_t term, dpl_error *err)
{
    size_t n, at = 0;
    const uint32_t *all = dpl_collection_tokens(c, doc, &n);
    const dpl_doc d = dpl_collection_doc(c, doc);
    const dpl_str wanted = dpl_collection_term(c, term);
    char lang[12] = "und";
    *out = (dpl_str){"", 0};
    while (at < n && all[at] != term)
        at++;
    if (at == n)
        return DPL_OK;
    const dpl_str sentence =
        dpl_collection_sentence_text(c, doc, dpl__collection_sentence_of(c, doc, at));
    if (d.lang.n < sizeof lang) {
        memcpy(lang, d.lang.data, d.lang.n);
        lang[d.lang.n] = 0;
    }
    dpl_token token;
    dpl_status status;
    DPL_TRY(dpl_tokens_start(tokens, sentence, lang, err));
    while ((status = dpl_tokens_next(tokens, &token, err)) == DPL_OK)
        if (dpl__str_eq(token.term, wanted)) {
            const dpl_str word = {sentence.data + token.begin, token.end - token.begin};
            if (is_writable(word))
                *out = word;
            return DPL_OK;
        }
    return status == DPL_END ? DPL_OK : status;
}

/* ---- all ----------------------------------------------------------------------------------
 */

dpl_status dpl__shared_word_find(dpl__shared_word *out, const dpl__word_sides *s,
                                 dpl_tokens *tokens, const dpl_doc_pair *pair, dpl_str term,
                                 dpl_error *err)
{
    const uint32_t docs[2] = {pair->left, pair->right};
    uint32_t terms[2];
    *out = (dpl__shared_word){{{"", 0}, {"", 0}}};
    if (!has_term(s->c[s->pivot], docs[s->pivot], term, &terms[s->pivot]) ||
        !find_other(&terms[!s->pivot], s, docs[!s->pivot], term))
        return DPL_OK;
    for (int side = 0; side < 2; side++)
        DPL_TRY(
            find_writing(&out->side[side], tokens, s->c[side], docs[side], terms[side], err));
    return DPL_OK;
}

/* Each word stands in one pair. */
static bool is_new(const dpl__shared_words *w, const dpl__shared_word *word)
{
    for (size_t i = 0; i < w->n; i++)
        for (int side = 0; side < 2; side++)
            if (dpl__str_eq(w->words[i].side[side], word->side[side]))
                return false;
    return true;
}

static dpl_status find_words(void *user, size_t i, unsigned worker, dpl_error *err)
{
    finder *f = user;
    dpl__shared_words *out = &f->out[i];
    out->n = 0;
    if (!f->tokens[worker]) {
        dpl_tokens_options o = DPL_INIT(dpl_tokens_options, .stem = f->sides.is_stemmed);
        DPL_TRY(dpl_tokens_new(&f->tokens[worker], f->sides.ctx, &o, err));
    }
    for (size_t k = 0; k < f->evidence[i].n_terms; k++) {
        dpl__shared_word word;
        DPL_TRY(dpl__shared_word_find(&word, &f->sides, f->tokens[worker], &f->docs[i],
                                      f->evidence[i].terms[k], err));
        if (word.side[0].n && word.side[1].n && is_new(out, &word))
            out->words[out->n++] = word;
    }
    return DPL_OK;
}

dpl_status dpl__shared_words_find(dpl__shared_words *out, const dpl__pair_run *r,
                                  const dpl_doc_pair *docs, const dpl__evidence *evidence,
                                  size_t n, dpl_error *err)
{
    const unsigned n_threads = dpl_ctx_threads(r->ctx);
    finder f = {.sides = {.ctx = r->ctx,
                          .c = {dpl__words_of(&r->corpus, 0), dpl__words_of(&r->corpus, 1)},
                          .lexicon = r->lexicon,
                          .pivot = r->corpus.pivot,
                          .is_stemmed = r->corpus.is_stemmed},
                .out = out,
                .docs = docs,
                .evidence = evidence,
                .tokens = dpl__calloc(r->ctx, n_threads, sizeof *f.tokens)};
    DPL_TRY(dpl__need(f.tokens, err));
    dpl_status status = dpl__parallel_for(r->ctx, n, &f, find_words, err);
    for (unsigned i = 0; i < n_threads; i++)
        dpl_tokens_free(f.tokens[i]);
    dpl__free(r->ctx, f.tokens);
    return status;
}
