/*
 * tokenize.c - text to term numbers, sentence by sentence.
 *
 * The loop over words is the hottest of the import: one look-up in the word table and one
 * update of the term's counts per word. Everything slow hangs behind a miss in the table.
 */
#include "tokens/tokenize.h"

#include "base/ctx.h"
#include "text/unicode.h"

dpl_status dpl__worker_init(dpl__worker *w, dpl_ctx *ctx, const dpl_tokens_options *options,
                            size_t surface_memory, dpl_error *err)
{
    *w = (dpl__worker){.ctx = ctx, .options = options, .surface_memory = surface_memory};
    dpl__terms_init(&w->terms, ctx);
    DPL_TRY(dpl__folder_new(&w->folder, ctx, options, err));
    return dpl__segmenter_new(&w->segmenter, ctx, err);
}

void dpl__worker_clear(dpl__worker *w)
{
    if (!w->ctx)
        return;
    for (size_t i = 0; i < w->languages.n; i++)
        dpl__surfaces_clear(&w->languages.data[i].surfaces);
    dpl__vec_clear(w->ctx, &w->languages);
    dpl__vec_clear(w->ctx, &w->spans);
    dpl__vec_clear(w->ctx, &w->starts);
    dpl__terms_clear(&w->terms);
    dpl__segmenter_free(w->segmenter);
    dpl__folder_free(w->folder);
}

void dpl__worker_new_terms(dpl__worker *w)
{
    for (size_t i = 0; i < w->languages.n; i++)
        dpl__surfaces_forget(&w->languages.data[i].surfaces);
    dpl_ctx *ctx = w->ctx;
    dpl__terms_clear(&w->terms);
    dpl__terms_init(&w->terms, ctx);
}

static dpl_status surfaces_of(dpl__worker *w, const char *lang, dpl__surfaces **out,
                              dpl_error *err)
{
    for (size_t i = 0; i < w->languages.n; i++)
        if (strcmp(w->languages.data[i].code, lang) == 0) {
            *out = &w->languages.data[i].surfaces;
            return DPL_OK;
        }
    dpl__worker_language l = {.code = ""};
    memcpy(l.code, lang, dpl__min(strlen(lang), sizeof l.code - 1));
    dpl__surfaces_init(&l.surfaces, w->ctx);
    DPL_TRY(dpl__surfaces_reserve(&l.surfaces, w->surface_memory, err));
    if (!dpl__vec_push(w->ctx, &w->languages, l)) {
        dpl__surfaces_clear(&l.surfaces);
        return dpl__fail_nomem(err);
    }
    *out = &w->languages.data[w->languages.n - 1].surfaces;
    return DPL_OK;
}

static inline void count(dpl__worker *w, uint32_t term, uint32_t *n_entries)
{
    dpl__term_count *t = &w->terms.counts.data[term];
    /* No branch: whether a word was in the document before cannot be foretold. */
    uint32_t is_new = t->last_doc != w->n_docs;
    t->count++;
    t->n_docs += is_new;
    t->last_doc = w->n_docs;
    *n_entries += is_new;
}

/* A word met for the first time (or after its table was forgotten). */
static dpl_status new_surface(dpl__worker *w, dpl__surfaces *surfaces, const uint64_t key[3],
                              dpl_str word, uint32_t *number, dpl_error *err)
{
    dpl_str term;
    DPL_TRY(dpl__fold(w->folder, word, &term, err));
    *number = DPL__SURFACE_DROPPED;
    if (term.n)
        DPL_TRY(dpl__terms_number(&w->terms, term, number, err));
    dpl__surface *slot = dpl__surfaces_find(surfaces, key);
    memcpy(slot->key, key, sizeof slot->key);
    slot->term = *number;
    surfaces->n_used++;
    return dpl__surfaces_reserve(surfaces, w->surface_memory, err);
}

/* Words are taken some at a time: first their keys and the places of their slots, so that the
 * memory of all of them is on its way, then the slots, then the counts. Written as one loop, it
 * waits for memory at every word and takes twice as long. */
enum { AHEAD = 32 };

typedef struct ahead {
    uint64_t keys[AHEAD][3];
    uint32_t terms[AHEAD];
} ahead;

static void fetch_slots(ahead *a, const char *text, const dpl__span *spans, size_t n,
                        const dpl__surfaces *surfaces)
{
    for (size_t i = 0; i < n; i++) {
        dpl__surface_key(a->keys[i], text + spans[i].begin, spans[i].end - spans[i].begin);
        DPL_PREFETCH(dpl__surfaces_home(surfaces, a->keys[i]));
    }
}

static dpl_status find_terms(dpl__worker *w, ahead *a, const char *text, const dpl__span *spans,
                             size_t n, dpl__surfaces *surfaces, dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const dpl__surface *slot = dpl__surfaces_find(surfaces, a->keys[i]);
        a->terms[i] = slot->term;
        if (DPL_UNLIKELY((slot->key[0] | slot->key[2]) == 0)) {
            dpl_str word = {text + spans[i].begin, spans[i].end - spans[i].begin};
            DPL_TRY(new_surface(w, surfaces, a->keys[i], word, &a->terms[i], err));
        }
        if (a->terms[i] != DPL__SURFACE_DROPPED)
            DPL_PREFETCH(&w->terms.counts.data[a->terms[i]]);
    }
    return DPL_OK;
}

/* Notes for every sentence that begins at or before `at` that its first token comes next. */
static inline size_t begin_sentences(const dpl__worker *w, dpl__tokenized *out, size_t next,
                                     uint32_t at, size_t first_token)
{
    for (; next < w->starts.n && w->starts.data[next].at <= at; next++)
        out->sentence_token.data[out->sentence_token.n++] =
            (uint32_t)(out->tokens.n - first_token);
    return next;
}

static dpl_status add_words(dpl__worker *w, dpl__tokenized *out, const char *text,
                            dpl__surfaces *surfaces, uint32_t *n_entries, dpl_error *err)
{
    size_t next_start = 0, first = out->tokens.n;
    if (!dpl__vec_reserve(w->ctx, &out->tokens, w->spans.n))
        return dpl__fail_nomem(err);
    for (size_t at = 0; at < w->spans.n; at += AHEAD) {
        ahead a;
        const dpl__span *spans = w->spans.data + at;
        size_t n = dpl__min(AHEAD, w->spans.n - at);
        fetch_slots(&a, text, spans, n, surfaces);
        DPL_TRY(find_terms(w, &a, text, spans, n, surfaces, err));
        for (size_t i = 0; i < n; i++) {
            if (next_start < w->starts.n && w->starts.data[next_start].at <= spans[i].begin)
                next_start = begin_sentences(w, out, next_start, spans[i].begin, first);
            if (a.terms[i] == DPL__SURFACE_DROPPED)
                continue;
            out->tokens.data[out->tokens.n++] = a.terms[i];
            count(w, a.terms[i], n_entries);
            if (out->has_places && !dpl__vec_push(w->ctx, &out->places, spans[i]))
                return dpl__fail_nomem(err);
        }
    }
    begin_sentences(w, out, next_start, UINT32_MAX, first);
    return DPL_OK;
}

/* ---- character n-grams -------------------------------------------------------------- */

/* Words that touch, as Chinese ones do, are one run. */
static void join_spans(dpl__spans *spans)
{
    size_t to = 0;
    for (size_t i = 0; i < spans->n; i++)
        if (to && spans->data[to - 1].end == spans->data[i].begin)
            spans->data[to - 1].end = spans->data[i].end;
        else
            spans->data[to++] = spans->data[i];
    spans->n = to;
}

/* The n-grams of one run; folding may have changed lengths, so their place is the run's. */
static dpl_status add_ngrams_of(dpl__worker *w, dpl__tokenized *out, dpl_str term,
                                dpl__span run, uint32_t *n_entries, dpl_error *err)
{
    size_t left = dpl__utf8_length(term), n = w->options->ngram;
    for (size_t at = 0;; left--) {
        size_t end = at, step = 0;
        for (size_t k = 0; k < n && end < term.n; k++) {
            uint32_t c;
            end += dpl__utf8_decode((const uint8_t *)term.data + end, &c);
            if (k == 0)
                step = end - at;
        }
        uint32_t number;
        DPL_TRY(
            dpl__terms_number(&w->terms, (dpl_str){term.data + at, end - at}, &number, err));
        if (!dpl__vec_push(w->ctx, &out->tokens, number) ||
            (out->has_places && !dpl__vec_push(w->ctx, &out->places, run)))
            return dpl__fail_nomem(err);
        count(w, number, n_entries);
        if (left <= n) /* a run shorter than n is one token */
            return DPL_OK;
        at += step;
    }
}

static dpl_status add_ngrams(dpl__worker *w, dpl__tokenized *out, const char *text,
                             uint32_t *n_entries, dpl_error *err)
{
    join_spans(&w->spans);
    size_t next_start = 0, first = out->tokens.n;
    for (size_t i = 0; i < w->spans.n; i++) {
        dpl__span span = w->spans.data[i];
        next_start = begin_sentences(w, out, next_start, span.begin, first);
        dpl_str term;
        DPL_TRY(dpl__fold(w->folder, (dpl_str){text + span.begin, span.end - span.begin}, &term,
                          err));
        if (term.n)
            DPL_TRY(add_ngrams_of(w, out, term, span, n_entries, err));
    }
    begin_sentences(w, out, next_start, UINT32_MAX, first);
    return DPL_OK;
}

/* ---- one document ------------------------------------------------------------------- */

static dpl_status add_sentences(dpl__worker *w, dpl__tokenized *out, dpl_error *err)
{
    size_t n = w->starts.n;
    if (!dpl__vec_reserve(w->ctx, &out->sentence_begin, n) ||
        !dpl__vec_reserve(w->ctx, &out->sentence_token, n) ||
        !dpl__vec_reserve(w->ctx, &out->sentence_flags, n))
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < n; i++) {
        out->sentence_begin.data[out->sentence_begin.n++] = w->starts.data[i].at;
        out->sentence_flags.data[out->sentence_flags.n++] = w->starts.data[i].is_paragraph;
    }
    return DPL_OK;
}

dpl_status dpl__tokenize(dpl__worker *w, dpl__tokenized *out, size_t at, size_t n,
                         const char *lang, dpl_error *err)
{
    const char *text = out->text.data + at;
    dpl_str s = {text, n};
    w->n_docs++;
    dpl__surfaces *surfaces = NULL;
    DPL_TRY(dpl__folder_language(w->folder, lang, err));
    DPL_TRY(surfaces_of(w, lang, &surfaces, err));
    DPL_TRY(dpl__segment(w->segmenter, s, lang, &w->spans, err));
    DPL_TRY(dpl__split_sentences(w->ctx, s, lang, &w->starts, err));
    DPL_TRY(add_sentences(w, out, err));
    size_t before = out->tokens.n;
    uint32_t n_entries = 0;
    DPL_TRY(w->options->ngram ? add_ngrams(w, out, text, &n_entries, err)
                              : add_words(w, out, text, surfaces, &n_entries, err));
    bool is_done = dpl__vec_push(w->ctx, &out->n_tokens, (uint32_t)(out->tokens.n - before)) &&
                   dpl__vec_push(w->ctx, &out->n_entries, n_entries) &&
                   dpl__vec_push(w->ctx, &out->n_sentences, (uint32_t)w->starts.n);
    return is_done ? DPL_OK : dpl__fail_nomem(err);
}

void dpl__tokenized_reset(dpl__tokenized *t)
{
    t->text.n = t->tokens.n = 0;
    t->n_tokens.n = t->n_entries.n = t->n_sentences.n = 0;
    t->sentence_begin.n = t->sentence_token.n = t->sentence_flags.n = 0;
    t->places.n = 0;
}

void dpl__tokenized_clear(dpl__tokenized *t, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &t->text);
    dpl__vec_clear(ctx, &t->tokens);
    dpl__vec_clear(ctx, &t->n_tokens);
    dpl__vec_clear(ctx, &t->n_entries);
    dpl__vec_clear(ctx, &t->n_sentences);
    dpl__vec_clear(ctx, &t->sentence_begin);
    dpl__vec_clear(ctx, &t->sentence_token);
    dpl__vec_clear(ctx, &t->sentence_flags);
    dpl__vec_clear(ctx, &t->places);
}
