/*
 * written_words.c - stems become words again, as a collection writes them.
 *
 * Only documents with a term that was not seen often enough are split into tokens; the rows of
 * the collection say which. Cost: linear in the rows, and in MOST_READ bytes of text.
 */
#include "mine/written_words.h"

#include "base/vec.h"

#include <stdlib.h>

enum {
    ENOUGH = 12,        /* times that a term is looked at */
    MOST_READ = 2 << 20 /* bytes of text */
};

typedef struct form {
    dpl_str word;
    uint32_t count, next; /* next: of the term, one more than its place; 0: none */
} form;

typedef struct sought {
    uint32_t term;  /* of the collection */
    uint32_t first; /* form, one more than its place; 0: none */
    uint32_t n_seen;
} sought;

typedef struct search {
    const dpl__writing *w;
    DPL_VEC(sought) terms; /* by term, each once */
    DPL_VEC(form) forms;
    size_t n_open, n_read; /* terms not seen often enough; bytes read */
} search;

static int by_term(const void *a, const void *b)
{
    const sought *x = a, *y = b;
    return x->term < y->term ? -1 : x->term > y->term;
}

static sought *find(const search *s, uint32_t term)
{
    const sought key = {.term = term};
    return s->terms.n ? bsearch(&key, s->terms.data, s->terms.n, sizeof *s->terms.data, by_term)
                      : NULL;
}

static dpl_status begin(search *s, dpl_str *terms, size_t n, dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        sought t = {0};
        if (dpl_collection_find_term(s->w->docs, terms[i], &t.term) &&
            !dpl__vec_push(s->w->ctx, &s->terms, t))
            return dpl__fail_nomem(err);
    }
    if (!s->terms.n)
        return DPL_OK;
    qsort(s->terms.data, s->terms.n, sizeof *s->terms.data, by_term);
    size_t kept = 1;
    for (size_t i = 1; i < s->terms.n; i++)
        if (s->terms.data[i].term != s->terms.data[kept - 1].term)
            s->terms.data[kept++] = s->terms.data[i];
    s->terms.n = s->n_open = kept;
    return DPL_OK;
}

/* Whether a document has a term that is still sought. */
static bool is_useful(const search *s, uint32_t doc)
{
    const uint32_t *counts;
    size_t n;
    const uint32_t *row = dpl_collection_row(s->w->docs, doc, &counts, &n);
    for (size_t i = 0; i < n; i++) {
        const sought *t = find(s, row[i]);
        if (t && t->n_seen < ENOUGH)
            return true;
    }
    return false;
}

static dpl_status count_form(search *s, sought *t, dpl_str word, dpl_error *err)
{
    uint32_t *at = &t->first;
    s->n_open -= ++t->n_seen == ENOUGH;
    for (; *at; at = &s->forms.data[*at - 1].next)
        if (dpl__str_eq(s->forms.data[*at - 1].word, word)) {
            s->forms.data[*at - 1].count++;
            return DPL_OK;
        }
    *at = (uint32_t)s->forms.n + 1;
    return dpl__vec_push(s->w->ctx, &s->forms, ((form){word, 1, 0})) ? DPL_OK
                                                                     : dpl__fail_nomem(err);
}

static dpl_status read_doc(search *s, uint32_t doc, dpl_error *err)
{
    const dpl_str text = dpl_collection_doc(s->w->docs, doc).text;
    dpl_token token;
    dpl_status status;
    s->n_read += text.n;
    DPL_TRY(dpl_tokens_start(s->w->tokens, text, s->w->lang, err));
    while ((status = dpl_tokens_next(s->w->tokens, &token, err)) == DPL_OK) {
        uint32_t term;
        if (!dpl_collection_find_term(s->w->docs, token.term, &term))
            continue;
        sought *t = find(s, term);
        if (t)
            DPL_TRY(count_form(
                s, t, (dpl_str){text.data + token.begin, token.end - token.begin}, err));
    }
    return status == DPL_END ? DPL_OK : status;
}

static void write_back(const search *s, dpl_str *terms, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        uint32_t term, most = 0;
        const sought *t =
            dpl_collection_find_term(s->w->docs, terms[i], &term) ? find(s, term) : NULL;
        for (uint32_t f = t ? t->first : 0; f; f = s->forms.data[f - 1].next)
            if (s->forms.data[f - 1].count > most) {
                most = s->forms.data[f - 1].count;
                terms[i] = s->forms.data[f - 1].word;
            }
    }
}

dpl_status dpl__words_as_written(const dpl__writing *w, dpl_str *terms, size_t n,
                                 dpl_error *err)
{
    search s = {.w = w};
    const uint32_t n_docs = dpl_collection_get_sizes(w->docs)->n_docs;
    dpl_status status = begin(&s, terms, n, err);
    for (uint32_t doc = 0; status == DPL_OK && doc < n_docs && s.n_open && s.n_read < MOST_READ;
         doc++)
        if (is_useful(&s, doc))
            status = read_doc(&s, doc, err);
    if (status == DPL_OK)
        write_back(&s, terms, n);
    dpl__vec_clear(w->ctx, &s.terms);
    dpl__vec_clear(w->ctx, &s.forms);
    return status;
}
