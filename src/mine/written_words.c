/*
 * written_words.c - stems become words again, as a collection writes them.
 *
 * Only documents with a term that was not seen often enough are split into tokens; the rows of
 * the collection say which, and its tokens which term a word has. Cost: linear in the rows, and
 * in MOST_READ bytes of text; four bytes for each term of the collection.
 */
#include "mine/written_words.h"

#include "base/ctx.h"
#include "base/vec.h"

enum {
    ENOUGH = 12,        /* times that a term is looked at */
    MOST_READ = 2 << 20 /* bytes of text */
};

typedef struct form {
    dpl_str word;
    uint32_t count, next; /* next: of the term, one more than its place; 0: none */
} form;

typedef struct sought {
    uint32_t first; /* form, one more than its place; 0: none */
    uint32_t n_seen;
} sought;

typedef struct search {
    const dpl__writing *w;
    DPL_VEC(sought) terms;
    uint32_t *numbers; /* of each term of the collection, among them + 1; 0: not sought */
    DPL_VEC(form) forms;
    size_t n_open, n_read; /* terms not seen often enough; bytes read */
} search;

static sought *find(const search *s, uint32_t term)
{
    const uint32_t number = s->numbers[term];
    return number ? &s->terms.data[number - 1] : NULL;
}

static size_t n_terms(const search *s)
{
    return dpl_collection_get_sizes(s->w->docs)->n_terms;
}

static dpl_status begin(search *s, const dpl_str *terms, size_t n, dpl_error *err)
{
    s->numbers = dpl__calloc(s->w->ctx, n_terms(s) + 1, sizeof *s->numbers);
    if (!s->numbers)
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        uint32_t term;
        if (!dpl_collection_find_term(s->w->docs, terms[i], &term) || s->numbers[term])
            continue;
        if (!dpl__vec_push(s->w->ctx, &s->terms, (sought){0}))
            return dpl__fail_nomem(err);
        s->numbers[term] = (uint32_t)s->terms.n;
    }
    s->n_open = s->terms.n;
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

/* The token's term: the next one of the document, where words are split as they were then. */
static bool term_of(uint32_t *out, const search *s, dpl_str term, const uint32_t *next)
{
    if (next && dpl__str_eq(dpl_collection_term(s->w->docs, *next), term)) {
        *out = *next;
        return true;
    }
    return dpl_collection_find_term(s->w->docs, term, out);
}

static dpl_status read_doc(search *s, uint32_t doc, dpl_error *err)
{
    const dpl_str text = dpl_collection_doc(s->w->docs, doc).text;
    dpl_token token;
    dpl_status status;
    size_t n;
    const uint32_t *tokens = dpl_collection_tokens(s->w->docs, doc, &n);
    s->n_read += text.n;
    DPL_TRY(dpl_tokens_start(s->w->tokens, text, s->w->lang, err));
    for (size_t i = 0; (status = dpl_tokens_next(s->w->tokens, &token, err)) == DPL_OK; i++) {
        uint32_t term;
        if (!term_of(&term, s, token.term, i < n ? tokens + i : NULL))
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
    dpl__free(w->ctx, s.numbers, (n_terms(&s) + 1) * sizeof *s.numbers);
    dpl__vec_clear(w->ctx, &s.terms);
    dpl__vec_clear(w->ctx, &s.forms);
    return status;
}
