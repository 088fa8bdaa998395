/*
 * query_match.c - sentences of a query and of a document that match.
 *
 * Sentences are vectors of their words, weighted by idf, in the pivot language; each sentence
 * of the query is shown with the one of the document that has the largest cosine with it.
 *
 * Cost: the words of the query, sorted once; for each document its words, sorted, and a search
 * for each word of the query.
 */
#include "index/query.h"

#include "base/lower_bound.h"
#include "base/order.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdlib.h>

/* A word of a sentence: a term of the index, or the key of a word that it does not have. */
typedef struct element {
    uint64_t what;
    uint32_t sentence;
    float weight;
} element;

/* The sentences of a text. */
typedef struct side {
    DPL_VEC(element) elements;        /* by what, then sentence */
    DPL_VEC(double) squares;          /* of each sentence */
    DPL_VEC(dpl_query_passage) spans; /* begin and end of each */
} side;

typedef struct matching {
    side sides[2];
    DPL_VEC(double) dots; /* of a sentence of the query with each of the document */
    DPL_VEC(uint32_t) shared;
} matching;

static void free_matching(dpl_query *q)
{
    matching *m = q->matching;
    for (int i = 0; i < 2; i++)
        dpl__vec_clear(q->ctx, &m->sides[i].elements, &m->sides[i].squares, &m->sides[i].spans);
    dpl__vec_clear(q->ctx, &m->dots, &m->shared);
    dpl__free(q->ctx, m);
    q->matching = NULL;
}

/* ---- a side ------------------------------------------------------------------------- */

DPL__ORDER(by_what, element, DPL__RISING(what) DPL__RISING(sentence) DPL__RISING(weight))

/* What a token stands for. */
static bool add_token(dpl_query *q, side *s, const dpl_token *token,
                      const dpl__pocket_lexicon *lexicon)
{
    const dpl_index *x = q->index;
    const uint64_t key = dpl__term_key(token->term);
    uint32_t term, begin = 0, end = 0;
    dpl__index_find_terms(x, &key, 1, &term);
    if (term == DPL__NO_WORD)
        return dpl__vec_push(
            q->ctx, &s->elements,
            ((element){key | (uint64_t)1 << 63, token->sentence, (float)x->unknown_idf}));
    if (lexicon) {
        begin = lexicon->offsets[term];
        end = lexicon->offsets[term + 1];
    }
    if (begin == end)
        return dpl__vec_push(q->ctx, &s->elements,
                             ((element){term, token->sentence, x->idf[term]}));
    for (uint32_t k = begin; k < end; k++) {
        const uint32_t to = x->lexicon_terms[k];
        if (!dpl__vec_push(q->ctx, &s->elements,
                           ((element){to, token->sentence, x->idf[to] * x->lexicon_p[k]})))
            return false;
    }
    return true;
}

static void join_elements(side *s)
{
    size_t n = 0;
    element *e = s->elements.data;
    dpl__vec_sort(&s->elements, by_what);
    for (size_t i = 0; i < s->elements.n; i++)
        if (n && e[n - 1].what == e[i].what && e[n - 1].sentence == e[i].sentence)
            e[n - 1].weight += e[i].weight;
        else
            e[n++] = e[i];
    s->elements.n = n;
    for (size_t i = 0; i < n; i++)
        s->squares.data[e[i].sentence] += (double)e[i].weight * (double)e[i].weight;
}

/* Sentences are numbered anew, without those that have no words. */
static dpl_status make_side(dpl_query *q, side *s, const dpl_token *tokens, size_t n,
                            uint32_t lang, dpl_error *err)
{
    const dpl__pocket_lexicon *lexicon = dpl__index_lexicon(q->index, lang);
    s->elements.n = s->squares.n = s->spans.n = 0;
    uint32_t last = UINT32_MAX;
    for (size_t i = 0; i < n; i++) {
        dpl_token token = tokens[i];
        const dpl_query_passage span = {.begin = token.begin, .end = token.end};
        if ((i == 0 || token.sentence != last) &&
            (!dpl__vec_push(q->ctx, &s->spans, span) || !dpl__vec_push(q->ctx, &s->squares, 0)))
            return dpl__fail_nomem(err);
        last = token.sentence;
        s->spans.data[s->spans.n - 1].end = token.end;
        token.sentence = (uint32_t)s->spans.n - 1;
        DPL_TRY(dpl__need(add_token(q, s, &token, lexicon), err));
    }
    join_elements(s);
    return DPL_OK;
}

/* ---- matches ------------------------------------------------------------------------ */

DPL__ORDER(by_sentence, element, DPL__RISING(sentence) DPL__RISING(what))

static size_t first_of(const side *s, uint64_t what)
{
    size_t at;
    DPL__LOWER_BOUND(at, s->elements.n, s->elements.data[at].what < what);
    return at;
}

static dpl_status take_best(dpl_query *q, matching *m, uint32_t sentence, dpl_error *err)
{
    const side *a = &m->sides[0], *b = &m->sides[1];
    double best = 0;
    size_t at = 0;
    for (size_t i = 0; i < b->spans.n; i++) {
        const double squares = a->squares.data[sentence] * b->squares.data[i];
        const double cosine = squares > 0 ? m->dots.data[i] / sqrt(squares) : 0;
        const bool has_enough = m->shared.data[i] >= 2 || cosine > 0.7;
        if (has_enough && cosine > best) {
            best = cosine;
            at = i;
        }
    }
    if (best < DPL__P(index, passage_cosine))
        return DPL_OK;
    const dpl_query_passage p = {.query_begin = a->spans.data[sentence].begin,
                                 .query_end = a->spans.data[sentence].end,
                                 .begin = b->spans.data[at].begin,
                                 .end = b->spans.data[at].end,
                                 .score = (float)(best < 1 ? best : 1)};
    return dpl__need(dpl__vec_push(q->ctx, &q->passages, p), err);
}

static dpl_status match(dpl_query *q, matching *m, dpl_error *err)
{
    const side *a = &m->sides[0], *b = &m->sides[1];
    m->dots.n = m->shared.n = q->passages.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(q->ctx, &m->dots, b->spans.n + 1) &&
                          dpl__vec_reserve(q->ctx, &m->shared, b->spans.n + 1),
                      err));
    for (size_t i = 0; i < a->elements.n;) {
        const uint32_t sentence = a->elements.data[i].sentence;
        memset(m->dots.data, 0, b->spans.n * sizeof *m->dots.data);
        memset(m->shared.data, 0, b->spans.n * sizeof *m->shared.data);
        for (; i < a->elements.n && a->elements.data[i].sentence == sentence; i++) {
            const element *e = &a->elements.data[i];
            for (size_t k = first_of(b, e->what);
                 k < b->elements.n && b->elements.data[k].what == e->what; k++) {
                const element *f = &b->elements.data[k];
                m->dots.data[f->sentence] += (double)e->weight * (double)f->weight;
                m->shared.data[f->sentence]++;
            }
        }
        DPL_TRY(take_best(q, m, sentence, err));
    }
    return DPL_OK;
}

/* The sentences of the question, by sentence: made once for all hits. */
static dpl_status make_question(dpl_query *q, side *s, dpl_error *err)
{
    if (q->is_matched)
        return DPL_OK;
    DPL_TRY(make_side(q, s, q->tokens, q->n_tokens, q->lang, err));
    dpl__vec_sort(&s->elements, by_sentence);
    q->is_matched = true;
    return DPL_OK;
}

dpl_status dpl__query_match(dpl_query *q, size_t hit, const dpl__cut_text *cut,
                            const dpl_query_passage **passages, size_t *n, dpl_error *err)
{
    matching *m = q->matching;
    assert(hit < q->hits.n);
    *passages = NULL;
    *n = 0;
    if (!m) {
        m = dpl__calloc(q->ctx, 1, sizeof *m);
        DPL_TRY(dpl__need(m, err));
        q->matching = m;
        q->free_matching = free_matching;
    }
    const uint32_t lang = dpl__index_doc_lang(q->index, q->hits.data[hit].row);
    DPL_TRY(make_question(q, &m->sides[0], err));
    DPL_TRY(make_side(q, &m->sides[1], cut->tokens, cut->n_tokens, lang, err));
    DPL_TRY(match(q, m, err));
    *passages = q->passages.data;
    *n = q->passages.n;
    return DPL_OK;
}
