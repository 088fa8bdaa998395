/*
 * written_words.c - stems become words again, as a collection writes them.
 *
 * Only documents with a term that was not seen often enough are split into tokens; the rows of
 * the collection say which, and its tokens which term a word has. Cost: linear in the rows, and
 * in MOST_READ bytes of text; four bytes for each term of the collection.
 */
#include "mine/written_words.h"

#include "base/vec.h"
#include "par/pool.h"

enum {
    ENOUGH = 12,         /* times that a term is looked at */
    MOST_READ = 2 << 20, /* bytes of text */
    AHEAD = 128,         /* documents that threads read at a time */
    LOOKED_AT = 8        /* tokens of a document: parts of a word stand behind it */
};

typedef struct form {
    dpl_str word;
    uint32_t count, next; /* next: of the term, one more than its place; 0: none */
} form;

typedef struct sought {
    uint32_t first; /* form, one more than its place; 0: none */
    uint32_t n_seen;
} sought;

/* A word that was read, of a term that is sought. */
typedef struct read_word {
    uint32_t term;
    dpl_str word;
} read_word;

typedef DPL_VEC(read_word) read_words;

typedef struct search {
    const dpl__writing *w;
    DPL_VEC(sought) terms;
    uint32_t *numbers; /* of each term of the collection, among them + 1; 0: not sought */
    DPL_VEC(form) forms;
    size_t n_open, n_read; /* terms not seen often enough; bytes read */
    uint32_t first;        /* of the documents at hand */
    read_words read[AHEAD];
    dpl_tokens **tokens; /* of each thread, when it needs one */
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
    DPL_TRY(dpl__need(s->numbers, err));
    for (size_t i = 0; i < n; i++) {
        uint32_t term;
        if (!dpl_collection_find_term(s->w->docs, terms[i], &term) || s->numbers[term])
            continue;
        DPL_TRY(dpl__need(dpl__vec_push(s->w->ctx, &s->terms, (sought){0}), err));
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
    return dpl__need(dpl__vec_push(s->w->ctx, &s->forms, ((form){word, 1, 0})), err);
}

/* Terms of a document from its tokens. */
typedef struct doc_terms {
    const uint32_t *next, *end;
} doc_terms;

/* The token's term: one of the next of the document, where words are split as they were then.
 */
static bool term_of(uint32_t *out, const search *s, dpl_str term, doc_terms *of)
{
    for (const uint32_t *t = of->next; t < of->end && t < of->next + LOOKED_AT; t++)
        if (dpl__str_eq(dpl_collection_term(s->w->docs, *t), term)) {
            *out = *t;
            of->next = t + 1;
            return true;
        }
    return dpl_collection_find_term(s->w->docs, term, out);
}

static dpl_status read_doc(read_words *out, const search *s, dpl_tokens *tokens, uint32_t doc,
                           dpl_error *err)
{
    const dpl_str text = dpl_collection_doc(s->w->docs, doc).text;
    dpl_token token;
    dpl_status status;
    size_t n;
    const uint32_t *terms = dpl_collection_tokens(s->w->docs, doc, &n);
    doc_terms of = {terms, terms + n};
    DPL_TRY(dpl_tokens_start(tokens, text, s->w->lang, err));
    while ((status = dpl_tokens_next(tokens, &token, err)) == DPL_OK) {
        uint32_t term;
        if (!term_of(&term, s, token.term, &of) || !s->numbers[term])
            continue;
        const read_word word = {term, {text.data + token.begin, token.end - token.begin}};
        DPL_TRY(dpl__need(dpl__vec_push(s->w->ctx, out, word), err));
    }
    return status == DPL_END ? DPL_OK : status;
}

/* ---- documents, some at a time -------------------------------------------------------- */

/* Reads one of them, if it may be needed: one that is of no use now is of none later. */
static dpl_status read_ahead(void *user, size_t i, unsigned worker, dpl_error *err)
{
    search *s = user;
    const uint32_t doc = s->first + (uint32_t)i;
    s->read[i].n = 0;
    if (!is_useful(s, doc))
        return DPL_OK;
    if (!s->tokens[worker])
        DPL_TRY(dpl_tokens_new(&s->tokens[worker], s->w->ctx, s->w->options, err));
    return read_doc(&s->read[i], s, s->tokens[worker], doc, err);
}

static dpl_status count_words(search *s, size_t i, dpl_error *err)
{
    const uint32_t doc = s->first + (uint32_t)i;
    if (!is_useful(s, doc))
        return DPL_OK;
    s->n_read += dpl_collection_doc(s->w->docs, doc).text.n;
    for (size_t k = 0; k < s->read[i].n; k++)
        DPL_TRY(count_form(s, find(s, s->read[i].data[k].term), s->read[i].data[k].word, err));
    return DPL_OK;
}

/* Reads documents in their order. */
static dpl_status read_docs(search *s, dpl_error *err)
{
    const uint32_t n_docs = dpl_collection_get_sizes(s->w->docs)->n_docs;
    s->tokens = dpl__calloc(s->w->ctx, dpl_ctx_threads(s->w->ctx), sizeof *s->tokens);
    DPL_TRY(dpl__need(s->tokens, err));
    for (; s->first < n_docs && s->n_open && s->n_read < MOST_READ; s->first += AHEAD) {
        const size_t n = dpl__min(n_docs - s->first, AHEAD);
        DPL_TRY(dpl__parallel_for(s->w->ctx, n, s, read_ahead, err));
        for (size_t i = 0; i < n && s->n_open && s->n_read < MOST_READ; i++)
            DPL_TRY(count_words(s, i, err));
    }
    return DPL_OK;
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
    search *s = dpl__calloc(w->ctx, 1, sizeof *s);
    DPL_TRY(dpl__need(s, err));
    s->w = w;
    dpl_status status;
    DPL__STEP(begin(s, terms, n, err));
    DPL__STEP(read_docs(s, err));
    write_back(s, terms, n);
done:
    for (unsigned i = 0; s->tokens && i < dpl_ctx_threads(w->ctx); i++)
        dpl_tokens_free(s->tokens[i]);
    dpl__free(w->ctx, s->tokens);
    for (size_t i = 0; i < AHEAD; i++)
        dpl__vec_clear(w->ctx, &s->read[i]);
    dpl__free(w->ctx, s->numbers);
    dpl__vec_clear(w->ctx, &s->terms, &s->forms);
    dpl__free(w->ctx, s);
    return status;
}
