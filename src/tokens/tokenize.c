/*
 * tokenize.c - text to term numbers, sentence by sentence.
 *
 * The loop over words is the hottest of the import: one look-up in the word table and one
 * update of the term's counts per word. Everything slow hangs behind a miss in the table.
 */
#include "tokens/tokenize.h"

#include "base/ctx.h"
#include "tokens/tokens_params.h"
#include "unicode/unicode.h"

#include <stdio.h>

dpl_status dpl__worker_init(dpl__worker *w, dpl_ctx *ctx, const dpl_tokens_options *options,
                            size_t surface_memory, dpl_error *err)
{
    *w = (dpl__worker){.ctx = ctx, .options = options, .surface_memory = surface_memory};
    dpl__terms_init(&w->terms, ctx);
    DPL_TRY(dpl__folder_new(&w->folder, ctx, options, err));
    return dpl__segmenter_new(&w->segmenter, ctx, err);
}

void dpl__worker_end(dpl__worker *w)
{
    if (!w->ctx)
        return;
    for (size_t i = 0; i < w->languages.n; i++)
        dpl__surfaces_clear(&w->languages.data[i].surfaces);
    dpl__vec_clear(w->ctx, &w->languages, &w->spans, &w->starts, &w->new_words, &w->new_terms,
                   &w->term_keys, &w->doc_keys);
    dpl__vec_clear(w->ctx, &w->part_begin, &w->parts, &w->with_parts);
    dpl__segmenter_free(w->segmenter);
    dpl__folder_free(w->folder);
    w->segmenter = NULL;
    w->folder = NULL;
}

void dpl__worker_clear(dpl__worker *w)
{
    dpl__worker_end(w);
    dpl__terms_clear(&w->terms);
}

void dpl__worker_new_terms(dpl__worker *w)
{
    for (size_t i = 0; i < w->languages.n; i++)
        dpl__surfaces_forget(&w->languages.data[i].surfaces);
    dpl_ctx *ctx = w->ctx;
    w->term_keys.n = w->part_begin.n = w->parts.n = 0;
    dpl__terms_clear(&w->terms);
    dpl__terms_init(&w->terms, ctx);
}

/* What the word table of one language may take. Small ones are always allowed: they are faster
 * than none, even for hundreds of languages. */
static size_t surface_share(const dpl__worker *w)
{
    return dpl__max(w->surface_memory / (w->languages.n + 1), 1 << 14);
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
    dpl__surfaces_init(&l.surfaces, w->ctx, dpl__folder_is_turkic(w->folder));
    DPL_TRY(dpl__surfaces_reserve(&l.surfaces, 1, surface_share(w), err));
    if (!dpl__vec_push(w->ctx, &w->languages, l)) {
        dpl__surfaces_clear(&l.surfaces);
        return dpl__fail_nomem(err);
    }
    *out = &w->languages.data[w->languages.n - 1].surfaces;
    return DPL_OK;
}

static inline uint32_t count(dpl__term_count *t, uint32_t doc)
{
    /* Without a branch: whether the document already had the word is unpredictable. */
    uint32_t is_new = t->last_doc != doc;
    t->count++;
    assert(t->last_doc <= doc);
    t->n_docs += is_new;
    t->last_doc = doc;
    return is_new;
}

/* Words are taken some at a time: first their keys and the places of their slots, so that the
 * memory of all of them is on its way, then the slots, and the counts on their way; new words
 * likewise. Written as one loop, it waits for memory at every word and takes twice as long. */
enum { AHEAD = 64, NEW_AHEAD = 16 };

/* A document whose words are w->spans of the text; terms: room for the number of each. */
typedef struct document {
    dpl__worker *w;
    dpl__surfaces *surfaces;
    const char *text;
    uint32_t *terms;
} document;

/* Numbers of the terms of n words, as far as they are in the table; the others are appended to
 * the new words. */
static dpl_status find_known(const document *d, size_t first, size_t n, dpl_error *err)
{
    assert(n <= AHEAD && first + n <= d->w->spans.n);
    dpl__worker *w = d->w;
    const dpl__surfaces *surfaces = d->surfaces;
    uint32_t *terms = d->terms + first;
    const dpl__span *spans = w->spans.data + first;
    dpl__surface keys[AHEAD];
    size_t further[AHEAD], n_further = 0;
    for (size_t i = 0; i < n; i++) {
        keys[i] =
            dpl__surface_key(surfaces, d->text + spans[i].begin, spans[i].end - spans[i].begin);
        DPL_PREFETCH(dpl__surface_map_home(&surfaces->map, keys[i].hash));
    }
    for (size_t i = 0; i < n; i++) {
        const dpl__surface *home = dpl__surface_map_home(&surfaces->map, keys[i].hash);
        terms[i] = home->term;
        if (home->term < w->terms.counts.n) /* most are known, and counted later */
            DPL_PREFETCH(&w->terms.counts.data[home->term]);
        further[n_further] = i;
        n_further += !dpl__surface_is(NULL, home, &keys[i]);
    }
    for (size_t k = 0; k < n_further; k++) {
        const size_t i = further[k];
        const dpl__surface *slot = dpl__surfaces_find(surfaces, &keys[i]);
        terms[i] = slot->term;
        const dpl__new_word word = {(uint32_t)(first + i), keys[i]};
        if (!slot->check && !dpl__vec_push(w->ctx, &w->new_words, word))
            return dpl__fail_nomem(err);
    }
    return DPL_OK;
}

/* Some new words at once. */
static dpl_status add_new(const document *d, const dpl__new_word *words, size_t n,
                          dpl_error *err)
{
    assert(n <= NEW_AHEAD);
    dpl__worker *w = d->w;
    dpl__surfaces *surfaces = d->surfaces;
    size_t ends[NEW_AHEAD];
    uint32_t hashes[NEW_AHEAD];
    dpl__surface *slots[NEW_AHEAD];
    size_t n_new = 0;
    w->new_terms.n = 0;
    DPL_TRY(dpl__surfaces_reserve(surfaces, n, surface_share(w), err));
    for (size_t i = 0; i < n; i++) {
        dpl__surface *slot = dpl__surfaces_find(surfaces, &words[i].key);
        if (slot->check) /* twice in the document */
            continue;
        *slot = words[i].key;
        const dpl__span span = w->spans.data[words[i].span];
        dpl_str term;
        DPL_TRY(dpl__fold(w->folder, (dpl_str){d->text + span.begin, span.end - span.begin},
                          &term, err));
        hashes[n_new] = dpl__term_hash(term);
        dpl__terms_fetch_slot(&w->terms, hashes[n_new]);
        DPL_TRY(dpl__need(dpl__vec_append(w->ctx, &w->new_terms, term.data, term.n), err));
        ends[n_new] = w->new_terms.n;
        slots[n_new++] = slot;
    }
    surfaces->map.n_used += n_new;
    for (size_t i = 0; i < n_new; i++)
        dpl__terms_fetch_term(&w->terms, hashes[i]);
    for (size_t i = 0, begin = 0; i < n_new; begin = ends[i++]) {
        slots[i]->term = DPL__SURFACE_DROPPED;
        if (ends[i] == begin) /* there may be no bytes at all */
            continue;
        const dpl_str term = {w->new_terms.data + begin, ends[i] - begin};
        DPL_TRY(dpl__terms_number_hashed(&w->terms, term, hashes[i], &slots[i]->term, err));
    }
    for (size_t i = 0; i < n; i++)
        d->terms[words[i].span] = dpl__surfaces_find(surfaces, &words[i].key)->term;
    return DPL_OK;
}

/* Numbers of the terms of words [first, end) of the document. */
static dpl_status find_terms(const document *d, size_t first, size_t end, dpl_error *err)
{
    dpl__worker *w = d->w;
    assert(first <= end && end <= w->spans.n);
    w->new_words.n = 0;
    for (size_t at = first; at < end; at += AHEAD)
        DPL_TRY(find_known(d, at, dpl__min(AHEAD, end - at), err));
    dpl_status status = DPL_OK;
    for (size_t at = 0; status == DPL_OK && at < w->new_words.n; at += NEW_AHEAD)
        status =
            add_new(d, w->new_words.data + at, dpl__min(NEW_AHEAD, w->new_words.n - at), err);
    if (status != DPL_OK) /* slots without a term may be left */
        dpl__surfaces_forget(d->surfaces);
    return status;
}

/* Is the code one of "de,en"? */
static bool is_listed(const char *list, const char *code)
{
    const size_t n = strlen(code);
    for (; *list; list += strcspn(list, ","), list += *list == ',')
        if (strncmp(list, code, n) == 0 && (list[n] == ',' || !list[n]))
            return true;
    return false;
}

/* The one that the sentence is in, if that is one of the options', else the one of `before`. */
static dpl_lang sentence_lang(const dpl__worker *w, dpl_str sentence, const dpl_lang *before)
{
    if (sentence.n < DPL__P(tokens, sentence_bytes))
        return *before;
    const dpl_lang found = dpl_lang_identify(sentence);
    return is_listed(w->options->sentence_langs, found.code) ? found : *before;
}

/* The same as find_terms of the whole document, each sentence in its language: where that
 * cannot be told, in that of the sentence before, in the first one of a paragraph in the
 * document's. */
static dpl_status find_by_sentence(document *d, size_t n_bytes, const char *lang,
                                   dpl_error *err)
{
    dpl__worker *w = d->w;
    size_t first = 0, end = 0;
    dpl_lang whole = {"", 0}, l = whole;
    snprintf(whole.code, sizeof whole.code, "%s", lang);
    for (size_t i = 0; i < w->starts.n; i++, first = end) {
        const size_t from = w->starts.data[i].at,
                     to = i + 1 < w->starts.n ? w->starts.data[i + 1].at : n_bytes;
        while (end < w->spans.n && (w->spans.data[end].begin < to || i + 1 == w->starts.n))
            end++;
        const bool is_first = i == 0 || w->starts.data[i].is_paragraph;
        l = sentence_lang(w, (dpl_str){d->text + from, to - from}, is_first ? &whole : &l);
        DPL_TRY(dpl__folder_language(w->folder, l.code, err));
        DPL_TRY(surfaces_of(w, l.code, &d->surfaces, err));
        DPL_TRY(find_terms(d, first, end, err));
    }
    assert(end == w->spans.n || !w->starts.n);
    return DPL_OK;
}

/* Notes for every sentence that begins at or before `at` that its first token comes next, and
 * returns where the next one begins. */
static uint32_t begin_sentences(const dpl__worker *w, dpl__tokenized *out, size_t first_start,
                                uint32_t at, size_t n_tokens)
{
    size_t next = out->sentence_token.n - first_start;
    for (; next < w->starts.n && w->starts.data[next].at <= at; next++)
        out->sentence_token.data[out->sentence_token.n++] = (uint32_t)n_tokens;
    return next < w->starts.n ? w->starts.data[next].at : UINT32_MAX;
}

static dpl_status add_places(dpl__worker *w, dpl__tokenized *out, const uint32_t *terms,
                             dpl_error *err)
{
    for (size_t i = 0; i < w->spans.n; i++)
        if (terms[i] != DPL__SURFACE_DROPPED &&
            !dpl__vec_push(w->ctx, &out->places, w->spans.data[i]))
            return dpl__fail_nomem(err);
    return DPL_OK;
}

/* ---- parts of words ------------------------------------------------------------------- */

/* Numbers of the parts of all terms so far. */
static dpl_status find_parts(dpl__worker *w, dpl_error *err)
{
    const size_t n_terms = w->terms.all.n;
    for (size_t t = w->part_begin.n ? w->part_begin.n - 1 : 0; t < n_terms; t++) {
        const dpl__term term = w->terms.all.data[t]; /* the array moves */
        const dpl_str word = dpl__term_text(&term);
        dpl_str parts[DPL__MOST_MORPHS];
        const size_t n = dpl__morphs_of(parts, w->morphs, word);
        if (!w->part_begin.n)
            DPL_TRY(dpl__need(dpl__vec_push(w->ctx, &w->part_begin, 0), err));
        for (size_t i = 0; i < n; i++) {
            uint32_t number;
            DPL_TRY(dpl__terms_number(&w->terms, parts[i], &number, err));
            DPL_TRY(dpl__need(dpl__vec_push(w->ctx, &w->parts, number), err));
        }
        DPL_TRY(dpl__need(dpl__vec_push(w->ctx, &w->part_begin, (uint32_t)w->parts.n), err));
    }
    return DPL_OK;
}

/* Each of the n tokens, which are there already, with its parts behind it. */
static dpl_status follow_by_parts(dpl__worker *w, dpl__tokenized *out, size_t first_start,
                                  size_t n, uint32_t *n_new, dpl_error *err)
{
    const size_t n_sentences = out->sentence_token.n - first_start;
    const uint32_t *tokens = out->tokens.data + out->tokens.n;
    size_t next = 0;
    assert(!out->has_places);
    w->with_parts.n = 0;
    DPL_TRY(find_parts(w, err));
    for (size_t i = 0; i <= n; i++) {
        for (; next < n_sentences && out->sentence_token.data[first_start + next] == i; next++)
            out->sentence_token.data[first_start + next] = (uint32_t)w->with_parts.n;
        if (i == n)
            break;
        const uint32_t *begin = &w->part_begin.data[tokens[i]];
        DPL_TRY(dpl__need(dpl__vec_push(w->ctx, &w->with_parts, tokens[i]) &&
                              dpl__vec_append(w->ctx, &w->with_parts, w->parts.data + begin[0],
                                              (size_t)(begin[1] - begin[0])),
                          err));
        for (uint32_t k = begin[0]; k < begin[1]; k++)
            *n_new += count(&w->terms.counts.data[w->parts.data[k]], w->n_docs);
    }
    return dpl__need(dpl__vec_append(w->ctx, &out->tokens, w->with_parts.data, w->with_parts.n),
                     err);
}

static dpl_status add_words(dpl__worker *w, dpl__tokenized *out, dpl_str text, const char *lang,
                            uint32_t *n_entries, dpl_error *err)
{
    const size_t n_words = w->spans.n, first_sentence = out->sentence_token.n;
    const uint32_t doc = w->n_docs;
    DPL_TRY(dpl__need(dpl__vec_reserve(w->ctx, &out->tokens, n_words), err));
    /* Dropped ones are taken out below. */
    uint32_t *terms = n_words ? out->tokens.data + out->tokens.n : NULL;
    document d = {w, NULL, text.data, terms};
    if (w->options->sentence_langs && w->starts.n) {
        DPL_TRY(find_by_sentence(&d, text.n, lang, err));
    } else {
        DPL_TRY(surfaces_of(w, lang, &d.surfaces, err));
        DPL_TRY(find_terms(&d, 0, n_words, err));
    }
    if (out->has_places)
        DPL_TRY(add_places(w, out, terms, err));
    const dpl__span *spans = w->spans.data;
    dpl__term_count *counts = w->terms.counts.data;
    uint32_t next_sentence = 0, n_new = 0;
    size_t n = 0;
    for (size_t i = 0; i < n_words; i++) {
        if (DPL_UNLIKELY(spans[i].begin >= next_sentence))
            next_sentence = begin_sentences(w, out, first_sentence, spans[i].begin, n);
        const uint32_t term = terms[i];
        if (term == DPL__SURFACE_DROPPED)
            continue;
        terms[n++] = term;
        n_new += count(&counts[term], doc);
    }
    begin_sentences(w, out, first_sentence, UINT32_MAX, n);
    if (w->morphs)
        DPL_TRY(follow_by_parts(w, out, first_sentence, n, &n_new, err));
    else
        out->tokens.n += n;
    *n_entries = n_new;
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
    size_t left = dpl__utf8_length(term), n = w->options->ngrams;
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
        *n_entries += count(&w->terms.counts.data[number], w->n_docs);
        if (left <= n) /* a run shorter than n is one token */
            return DPL_OK;
        at += step;
    }
}

static dpl_status add_ngrams(dpl__worker *w, dpl__tokenized *out, const char *text,
                             uint32_t *n_entries, dpl_error *err)
{
    join_spans(&w->spans);
    size_t first = out->tokens.n, first_sentence = out->sentence_token.n;
    for (size_t i = 0; i < w->spans.n; i++) {
        dpl__span span = w->spans.data[i];
        begin_sentences(w, out, first_sentence, span.begin, out->tokens.n - first);
        dpl_str term;
        DPL_TRY(dpl__fold(w->folder, (dpl_str){text + span.begin, span.end - span.begin}, &term,
                          err));
        if (term.n)
            DPL_TRY(add_ngrams_of(w, out, term, span, n_entries, err));
    }
    begin_sentences(w, out, first_sentence, UINT32_MAX, out->tokens.n - first);
    return DPL_OK;
}

/* ---- one document ------------------------------------------------------------------- */

static dpl_status add_sentences(dpl__worker *w, dpl__tokenized *out, dpl_error *err)
{
    size_t n = w->starts.n;
    DPL_TRY(dpl__need(dpl__vec_reserve(w->ctx, &out->sentence_begin, n) &&
                          dpl__vec_reserve(w->ctx, &out->sentence_token, n) &&
                          dpl__vec_reserve(w->ctx, &out->sentence_flags, n),
                      err));
    for (size_t i = 0; i < n; i++) {
        out->sentence_begin.data[out->sentence_begin.n++] = w->starts.data[i].at;
        out->sentence_flags.data[out->sentence_flags.n++] =
            dpl__sentence_flags(w->starts.data[i].is_paragraph, w->starts.data[i].is_section);
    }
    return DPL_OK;
}

/* ---- the gate ----------------------------------------------------------------------- */

static dpl_status add_term_keys(dpl__worker *w, dpl_error *err)
{
    for (size_t i = w->term_keys.n; i < w->terms.all.n; i++)
        DPL_TRY(dpl__need(
            dpl__vec_push(w->ctx, &w->term_keys,
                          dpl__gate_word(w->gate, dpl__term_text(&w->terms.all.data[i]))),
            err));
    return DPL_OK;
}

/* Sets is_left_out from the words alone: nothing is counted, and terms that are not counted do
 * not get into the vocabulary. */
static dpl_status go_through_gate(dpl__worker *w, dpl__tokenized *out, const char *text,
                                  const char *lang, dpl_error *err)
{
    const size_t n = w->spans.n;
    document d = {w, NULL, text, NULL};
    w->is_left_out = false;
    if (!w->gate || strcmp(lang, w->gate->langs[0]) == 0 ||
        strcmp(lang, w->gate->langs[1]) == 0 || !n)
        return DPL_OK;
    DPL_TRY(dpl__need(dpl__vec_reserve(w->ctx, &out->tokens, n), err));
    d.terms = out->tokens.data + out->tokens.n;
    w->doc_keys.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(w->ctx, &w->doc_keys, n), err));
    DPL_TRY(surfaces_of(w, lang, &d.surfaces, err));
    DPL_TRY(find_terms(&d, 0, n, err));
    DPL_TRY(add_term_keys(w, err));
    for (size_t i = 0; i < n; i++)
        if (d.terms[i] != DPL__SURFACE_DROPPED)
            w->doc_keys.data[w->doc_keys.n++] = w->term_keys.data[d.terms[i]];
    w->is_left_out = !dpl__gate_passes(w->gate, w->doc_keys.data, w->doc_keys.n);
    return DPL_OK;
}

dpl_status dpl__tokenize(dpl__worker *w, dpl__tokenized *out, size_t at, size_t n,
                         const char *lang, dpl_error *err)
{
    const char *text = out->text.data + at;
    dpl_str s = {text, n};
    w->n_docs++;
    DPL_TRY(dpl__folder_language(w->folder, lang, err));
    DPL_TRY(dpl__segment(w->segmenter, s, lang, &w->spans, err));
    DPL_TRY(go_through_gate(w, out, text, lang, err));
    if (w->is_left_out)
        w->spans.n = s.n = 0;
    DPL_TRY(dpl__split_sentences(w->ctx, s, lang, &w->starts, err));
    DPL_TRY(add_sentences(w, out, err));
    size_t before = out->tokens.n;
    uint32_t n_entries = 0;
    DPL_TRY(w->options->ngrams ? add_ngrams(w, out, text, &n_entries, err)
                               : add_words(w, out, s, lang, &n_entries, err));
    bool is_done = dpl__vec_push(w->ctx, &out->n_tokens, (uint32_t)(out->tokens.n - before)) &&
                   dpl__vec_push(w->ctx, &out->n_entries, n_entries) &&
                   dpl__vec_push(w->ctx, &out->n_sentences, (uint32_t)w->starts.n);
    return dpl__need(is_done, err);
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
    dpl__vec_clear(ctx, &t->text, &t->tokens, &t->n_tokens, &t->n_entries, &t->n_sentences,
                   &t->sentence_begin, &t->sentence_token, &t->sentence_flags);
    dpl__vec_clear(ctx, &t->places);
}
