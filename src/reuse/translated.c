/*
 * translated.c - passages that are translations.
 *
 * Sentences of the query are projected into the language of the collection through the lexicon,
 * and paired with the collection's sentences whose vectors are near. Pairs of sentences that
 * are near each other on both sides make a candidate, which is verified by its words: the share
 * of words on either side that have a translation on the other, rare words counting more.
 * Cost: a search for pairs of sentences (doppel/pairs.h), and a look at each candidate.
 */
#include "reuse/reuse_run.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/maths.h"
#include "base/order.h"
#include "reuse/match_groups.h"
#include "reuse/reuse_params.h"
#include "tokens/tokens_params.h"

#include <stdio.h>

/* ---- sentences as documents ----------------------------------------------------------- */

typedef struct walk {
    const dpl_collection *c;
    const char *lang, *other; /* sentences in lang; the lexicon's other language */
    uint32_t doc;
    size_t sentence;
    char id[48];
} walk;

/* Is it in the language? The sentence decides, where it is long enough and in one of the two;
 * else its document: an English essay with a German paragraph is both. */
static bool is_wanted(const walk *w, dpl_str document_lang, dpl_str sentence)
{
    if (sentence.n >= DPL__P(tokens, sentence_bytes)) {
        const dpl_lang found = dpl_lang_identify(sentence);
        if (strcmp(found.code, w->lang) == 0)
            return true;
        if (strcmp(found.code, w->other) == 0)
            return false;
    }
    return dpl__str_eq(document_lang, dpl__cstr(w->lang));
}

static dpl_status next_sentence(void *user, dpl_doc *out, dpl_error *err)
{
    (void)err;
    walk *w = user;
    const uint32_t n_docs = dpl_collection_get_sizes(w->c)->n_docs;
    for (; w->doc < n_docs; w->doc++, w->sentence = 0) {
        const dpl_str document_lang = dpl_collection_doc(w->c, w->doc).lang;
        const size_t n_sentences = dpl_collection_n_sentences(w->c, w->doc);
        for (; w->sentence < n_sentences; w->sentence++) {
            const dpl_str text = dpl_collection_sentence_text(w->c, w->doc, w->sentence);
            if (!is_wanted(w, document_lang, text))
                continue;
            const int n = snprintf(w->id, sizeof w->id, "%u:%zu", w->doc, w->sentence++);
            out->id = (dpl_str){w->id, (size_t)n};
            out->lang = dpl__cstr(w->lang);
            out->text = text;
            return DPL_OK;
        }
    }
    return DPL_END;
}

static dpl_status make_sentences(dpl_collection **out, dpl_ctx *ctx, const dpl_collection *c,
                                 const char *const langs[2], bool stem, dpl_error *err)
{
    walk w = {.c = c, .lang = langs[0], .other = langs[1]};
    const dpl_doc_source source = {next_sentence, &w, "(sentences)"};
    const dpl_input input = {.source = &source};
    const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = stem);
    const dpl_import_options o = DPL_INIT(dpl_import_options, .tokens = &tokens);
    return dpl_collection_from_inputs(out, NULL, ctx, &input, 1, &o, err);
}

/* "12:7": document and sentence. */
static void parse_id(dpl_str id, uint32_t *doc, uint32_t *sentence)
{
    *doc = (uint32_t)dpl__take_digits(&id);
    assert(id.n > 1 && *id.data == ':');
    id = (dpl_str){id.data + 1, id.n - 1};
    *sentence = (uint32_t)dpl__take_digits(&id);
}

/* ---- translations of the query's words -------------------------------------------------- */

typedef struct words {
    dpl_ctx *ctx;
    const dpl_collection *c[2]; /* documents, words as the lexicon has them */
    uint64_t *first;            /* of each term of the query, in `others`; one more */
    DPL_VEC(uint32_t) others;   /* terms of the collection that translate it */
    double *weight[2];          /* of each term of either side: rare ones more */
    uint32_t n_terms[2];
} words;

static double rarity(const dpl_collection *c, uint32_t term)
{
    const double n = dpl_collection_get_sizes(c)->n_docs;
    return dpl__log(1 + n / dpl_collection_doc_count(c, term));
}

static dpl_status add_translations(words *w, const dpl_lexicon *lexicon, bool is_target,
                                   uint32_t term, dpl_error *err)
{
    const dpl_str text = dpl_collection_term(w->c[0], term);
    uint32_t number, other;
    double sum = 0, mass = 0;
    if (dpl_collection_find_term(w->c[1], text, &other)) { /* names, numbers */
        DPL_TRY(dpl__need(dpl__vec_push(w->ctx, &w->others, other), err));
        sum = rarity(w->c[1], other);
        mass = 1;
    }
    if (is_target ? dpl_lexicon_find_target(lexicon, text, &number)
                  : dpl_lexicon_find_source(lexicon, text, &number)) {
        const float *p;
        size_t n;
        const uint32_t *row = is_target ? dpl_lexicon_back_row(lexicon, number, &p, &n)
                                        : dpl_lexicon_row(lexicon, number, &p, &n);
        for (size_t i = 0; i < n; i++) {
            const dpl_str to = is_target ? dpl_lexicon_source(lexicon, row[i])
                                         : dpl_lexicon_target(lexicon, row[i]);
            if ((double)p[i] < DPL__P(reuse, least_p) ||
                !dpl_collection_find_term(w->c[1], to, &other))
                continue;
            DPL_TRY(dpl__need(dpl__vec_push(w->ctx, &w->others, other), err));
            sum += (double)p[i] * rarity(w->c[1], other);
            mass += (double)p[i];
        }
    }
    w->weight[0][term] = mass > 0 ? sum / mass : -1;
    return DPL_OK;
}

static dpl_status make_words(words *w, const dpl_lexicon *lexicon, bool is_target,
                             dpl_error *err)
{
    double sum = 0;
    for (int side = 0; side < 2; side++) {
        w->n_terms[side] = dpl_collection_get_sizes(w->c[side])->n_terms;
        w->weight[side] = dpl__alloc(w->ctx, ((size_t)w->n_terms[side] + 1) * sizeof(double));
        DPL_TRY(dpl__need(w->weight[side], err));
    }
    for (uint32_t i = 0; i < w->n_terms[1]; i++)
        sum += w->weight[1][i] = rarity(w->c[1], i);
    w->first = dpl__alloc(w->ctx, ((size_t)w->n_terms[0] + 1) * sizeof *w->first);
    DPL_TRY(dpl__need(w->first, err));
    for (uint32_t i = 0; i < w->n_terms[0]; i++) {
        w->first[i] = w->others.n;
        DPL_TRY(add_translations(w, lexicon, is_target, i, err));
        if (w->weight[0][i] < 0) /* unknown: as any word of the collection */
            w->weight[0][i] = w->n_terms[1] ? sum / w->n_terms[1] : 1;
    }
    w->first[w->n_terms[0]] = w->others.n;
    return DPL_OK;
}

static void clear_words(words *w)
{
    for (int side = 0; side < 2; side++)
        dpl__free(w->ctx, w->weight[side]);
    dpl__free(w->ctx, w->first);
    dpl__vec_clear(w->ctx, &w->others);
}

/* ---- candidates ------------------------------------------------------------------------- */

typedef struct finder {
    dpl_reuse_result *r;
    words words;
    uint32_t query, source; /* documents at hand */
    uint32_t *stamp, *seen; /* of each term of the collection: the candidate it was met in,
                               and translated in */
    uint32_t candidate;
} finder;

typedef struct sentence_pair {
    uint32_t query, source;
    dpl__match match;
} sentence_pair;

static uint32_t first_token(const dpl_collection *c, uint32_t doc, size_t sentence)
{
    size_t n;
    (void)dpl_collection_tokens(c, doc, &n);
    return sentence < dpl_collection_n_sentences(c, doc)
               ? dpl_collection_sentence(c, doc, sentence).token
               : (uint32_t)n;
}

static dpl_span span_of(const dpl_collection *c, uint32_t doc, uint32_t low, uint32_t high)
{
    const uint32_t begin = first_token(c, doc, low),
                   end = first_token(c, doc, (size_t)high + 1);
    return (dpl_span){.doc = doc, .first_token = begin, .n_tokens = end - begin};
}

/* Weighted share of words with a translation, mean of both sides. */
static double translated_share(finder *f, const dpl_passage *p)
{
    const words *w = &f->words;
    size_t n;
    const uint32_t *q = dpl_collection_tokens(w->c[0], p->query.doc, &n) + p->query.first_token,
                   *s = dpl_collection_tokens(w->c[1], p->source.doc, &n) +
                        p->source.first_token;
    double all[2] = {0, 0}, good[2] = {0, 0};
    f->candidate++;
    for (uint32_t i = 0; i < p->source.n_tokens; i++)
        f->stamp[s[i]] = f->candidate;
    for (uint32_t i = 0; i < p->query.n_tokens; i++) {
        bool is_good = false;
        for (uint64_t k = w->first[q[i]]; k < w->first[q[i] + 1]; k++) {
            const uint32_t other = w->others.data[k];
            if (f->stamp[other] != f->candidate)
                continue;
            is_good = true;
            f->seen[other] = f->candidate;
        }
        all[0] += w->weight[0][q[i]];
        good[0] += is_good ? w->weight[0][q[i]] : 0;
    }
    for (uint32_t i = 0; i < p->source.n_tokens; i++) {
        all[1] += w->weight[1][s[i]];
        good[1] += f->seen[s[i]] == f->candidate ? w->weight[1][s[i]] : 0;
    }
    return all[0] > 0 && all[1] > 0 ? (good[0] / all[0] + good[1] / all[1]) / 2 : 0;
}

/* A dpl__group_fn. */
static dpl_status verify(void *user, dpl__match *m, size_t n, dpl_error *err)
{
    finder *f = user;
    dpl_reuse_result *r = f->r;
    uint32_t low[2], high[2];
    dpl__matches_range(m, n, low, high);
    dpl_passage p = {.query = span_of(f->words.c[0], f->query, low[0], high[0]),
                     .source = span_of(f->words.c[1], f->source, low[1], high[1]),
                     .kind = DPL_PASSAGE_TRANSLATED};
    if (p.query.n_tokens < r->o.min_words || p.source.n_tokens < r->o.min_words)
        return DPL_OK;
    p.similarity = (float)translated_share(f, &p);
    if (p.similarity < (float)r->o.translation)
        return DPL_OK;
    return dpl__need(dpl__vec_push(r->ctx, &r->passages, p), err);
}

DPL__ORDER(by_docs, sentence_pair, DPL__RISING(query) DPL__RISING(source))

typedef DPL_VEC(sentence_pair) sentence_pairs;

static dpl_status group_pairs(finder *f, sentence_pairs *pairs, dpl_error *err)
{
    DPL_VEC(dpl__match) matches = {0};
    dpl_status status = DPL_OK;
    dpl__vec_sort(pairs, by_docs);
    for (size_t i = 0, end; i < pairs->n; i = end) {
        matches.n = 0;
        f->query = pairs->data[i].query;
        f->source = pairs->data[i].source;
        for (end = i; end < pairs->n && by_docs(&pairs->data[i], &pairs->data[end]) == 0; end++)
            DPL__STEP(
                dpl__need(dpl__vec_push(f->r->ctx, &matches, pairs->data[end].match), err));
        DPL__STEP(dpl__group_matches(matches.data, matches.n,
                                     (uint32_t)DPL__P(reuse, sentence_gap), verify, f, err));
    }
done:
    dpl__vec_clear(f->r->ctx, &matches);
    return status;
}

/* ---- the search --------------------------------------------------------------------- */

static dpl_status pair_sentences(sentence_pairs *out, const dpl_reuse_result *r,
                                 dpl_vectors *const v[2], dpl_error *err)
{
    const dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .threshold = DPL__P(reuse, sentence_cosine),
                 .select = DPL_SELECT_BEST, .top = (uint32_t)DPL__P(reuse, n_best),
                 .no_recall_check = true, .temp = r->o.temp);
    const dpl_pairs_side left = {.vectors = v[0]}, right = {.vectors = v[1]};
    dpl_pairs *pairs = NULL;
    dpl_pair pair;
    dpl_status status = dpl_pairs_open(&pairs, r->ctx, &left, &right, &o, err);
    while (status == DPL_OK && (status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK) {
        sentence_pair p = {.match = {.weight = pair.score}};
        parse_id(dpl_vectors_id(v[0], pair.left), &p.query, &p.match.query);
        parse_id(dpl_vectors_id(v[1], pair.right), &p.source, &p.match.source);
        if (!dpl__vec_push(r->ctx, out, p))
            status = dpl__fail_nomem(err);
    }
    dpl_pairs_close(pairs);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status search_sentences(sentence_pairs *out, const dpl_reuse_result *r,
                                   const dpl_lexicon *lexicon, const char *const lang[2],
                                   dpl_error *err)
{
    dpl_collection *c[2] = {NULL, NULL};
    dpl_vectors *v[2] = {NULL, NULL};
    const bool stem = dpl_lexicon_get_info(lexicon).is_stemmed;
    const dpl_vectors_options o =
        DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 3, .temp = r->o.temp);
    dpl_status status;
    for (int side = 0; side < 2; side++) {
        const char *const langs[2] = {lang[side], lang[!side]};
        DPL__STEP(make_sentences(&c[side], r->ctx, r->c[side], langs, stem, err));
        if (!dpl_collection_get_sizes(c[side])->n_docs)
            goto done;
        DPL__STEP(dpl_vectors_from_collection(&v[side], NULL, r->ctx, c[side],
                                              side ? NULL : lexicon, &o, err));
        if (!dpl_vectors_get_sizes(v[side])->n_rows)
            goto done;
    }
    status = pair_sentences(out, r, v, err);
done:
    for (int side = 0; side < 2; side++) {
        dpl_vectors_close(v[side]);
        dpl_collection_close(c[side]);
    }
    return status;
}

/* Query in the lexicon's first language (or second, with is_target), collection in the other.
 */
static dpl_status search(dpl_reuse_result *r, const dpl_lexicon *lexicon, bool is_target,
                         dpl_error *err)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(lexicon);
    const char *lang[2] = {about.source_lang, about.target_lang};
    if (is_target) {
        const char *t = lang[0];
        lang[0] = lang[1];
        lang[1] = t;
    }
    sentence_pairs pairs = {0};
    finder f = {.r = r, .words = {.ctx = r->ctx, .c = {r->c[0], r->c[1]}}};
    const size_t n = (size_t)dpl_collection_get_sizes(r->c[1])->n_terms + 1;
    dpl_status status;
    DPL__STEP(search_sentences(&pairs, r, lexicon, lang, err));
    if (!pairs.n)
        goto done;
    f.stamp = dpl__calloc(r->ctx, n, sizeof *f.stamp);
    f.seen = dpl__calloc(r->ctx, n, sizeof *f.seen);
    DPL__STEP(f.stamp && f.seen ? make_words(&f.words, lexicon, is_target, err)
                                : dpl__fail_nomem(err));
    DPL__STEP(group_pairs(&f, &pairs, err));
done:
    clear_words(&f.words);
    dpl__free(r->ctx, f.stamp, f.seen);
    dpl__vec_clear(r->ctx, &pairs);
    return status;
}

dpl_status dpl__reuse_translations(dpl_reuse_result *r, const dpl_lexicon *lexicon,
                                   dpl_error *err)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(lexicon);
    if (!*about.source_lang || !*about.target_lang)
        return dpl__fail_code(err, DPL_E_USAGE, "lexicon-languages-unknown",
                              "the languages of '%s' are not known",
                              r->o.lexicon ? r->o.lexicon : "(lexicon)");
    DPL_TRY(search(r, lexicon, false, err));
    return search(r, lexicon, true, err);
}
