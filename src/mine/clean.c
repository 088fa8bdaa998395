/*
 * clean.c - finds boilerplate and untranslated text, and imports the documents without it.
 *
 * Boilerplate: the table of contents on every page of a manual makes all pages alike, and all
 * words frequent. A sentence in boilerplate_docs of the documents of a side is boilerplate, if
 * such sentences are boilerplate_words of the words (mine_params.h); counted in a sample.
 *
 * Untranslated text: pages of a translation that are still in the language of the original, or
 * in a third one on both sides. They are the nearest ones of all, and teach that words are
 * their own translations. A sentence is untranslated when the other side has it, too, and it is
 * in another language than its side, if such sentences are a share of the words. A page whose
 * rest is in another language is left out as well. Where there are few of them, pages in
 * another language than their side are left out of which the other side has most, too, or that
 * were detected to be in its language, unless begun_share of them is in that of their side.
 *
 * Labels: numbers before every document (doc_labels.h).
 *
 * Collections with little of these stay as they are. Cost: a hash of each sentence, a sort;
 * where there is something to be left out, language identification of the sentences that both
 * sides have, and another import.
 */
#include "mine/clean.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"
#include "io/parts.h"
#include "io/shared_loop.h"
#include "io/shared_run.h"
#include "mine/derived_docs.h"
#include "mine/doc_key.h"
#include "mine/doc_labels.h"
#include "mine/mine_params.h"
#include "mine/sentence_tokens.h"
#include "par/pool.h"
#include "par/sort.h"
#include "sentences/line_labels.h"
#include "tokens/collection.h"
#include "unicode/unicode.h"
#include "vectors/term_match.h"

#include <stdlib.h>

enum { PART = 512 }; /* documents that a thread takes at a time */
#define P(name) DPL__P(mine, name)

typedef DPL_VEC(uint64_t) hashes;

/* What is known about a side. */
typedef struct side_text {
    hashes boilerplate;    /* sentences that are, rising; none: too little of it */
    hashes common;         /* sentences of the other side, rising; none: too few are common */
    bool has_untranslated; /* many such sentences */
    double share_common;   /* of words, in sentences that the other side has, too */
    bool *others;          /* of each document: it is such a page; NULL: none is left out */
    bool has_labels;       /* numbers before every document */
    uint64_t n_boilerplate, n_untranslated, n_docs; /* left out */
} side_text;

typedef struct cleaner {
    dpl__pair_run *run;
    dpl__facts facts[2];
    side_text sides[2];
} cleaner;

DPL__RISING_NUMBERS(rising, uint64_t)

static bool has_hash(const hashes *h, uint64_t hash)
{
    return h->n && bsearch(&hash, h->data, h->n, sizeof *h->data, rising);
}

static uint64_t hash_text(dpl_str text)
{
    return dpl__hash(text.data, text.n, 0);
}

/* ---- boilerplate -------------------------------------------------------------------- */

/* A sentence of a sampled document. */
typedef struct counted {
    dpl__keyed by; /* its hash, number of its document in the sample */
    uint32_t n_tokens;
} counted;

/* A document of the sample. */
typedef struct sampled_doc {
    uint32_t n_tokens, n_repeated; /* n_repeated: in frequent sentences */
} sampled_doc;

typedef struct sentence_counts {
    DPL_VEC(counted) sentences; /* by hash, then document */
    DPL_VEC(sampled_doc) docs;
} sentence_counts;

typedef struct drawing {
    const dpl_collection *c;
    uint32_t n_docs;
    uint64_t step; /* one document in so many, by its content */
    uint8_t *is_drawn;
} drawing;

static void draw_part(void *user, size_t part)
{
    const drawing *d = user;
    const uint32_t end = (uint32_t)dpl__min((part + 1) * PART, d->n_docs);
    for (uint32_t doc = (uint32_t)(part * PART); doc < end; doc++)
        d->is_drawn[doc] = d->step == 1 || dpl__mix(dpl__doc_key(d->c, doc)) % d->step == 0;
}

/* Sentences of the documents drawn. */
static dpl_status take_drawn(sentence_counts *out, dpl_ctx *ctx, const drawing *d,
                             dpl_error *err)
{
    const dpl_collection *c = d->c;
    for (uint32_t doc = 0; doc < d->n_docs; doc++) {
        if (!d->is_drawn[doc])
            continue;
        sampled_doc one_doc = {0};
        for (size_t i = 0; i < dpl_collection_n_sentences(c, doc); i++) {
            counted one = {{hash_text(dpl_collection_sentence_text(c, doc, i)), out->docs.n},
                           (uint32_t)dpl__sentence_tokens(c, doc, i, i + 1).n};
            one_doc.n_tokens += one.n_tokens;
            DPL_TRY(dpl__need(dpl__vec_push(ctx, &out->sentences, one), err));
        }
        DPL_TRY(dpl__need(dpl__vec_push(ctx, &out->docs, one_doc), err));
    }
    return DPL_OK;
}

/* Sentences of a sample of the documents. */
static dpl_status count_sentences(sentence_counts *out, const cleaner *x, int side,
                                  dpl_error *err)
{
    dpl_ctx *ctx = x->run->ctx;
    drawing d = {.c = x->run->corpus.c[side]};
    d.n_docs = dpl_collection_get_sizes(d.c)->n_docs;
    d.step = d.n_docs / (uint32_t)P(boilerplate_sample) + 1;
    d.is_drawn = dpl__alloc(ctx, (size_t)d.n_docs + 1);
    DPL_TRY(dpl__need(d.is_drawn, err));
    dpl_status status =
        dpl__parallel_each(ctx, ((size_t)d.n_docs + PART - 1) / PART, &d, draw_part, err);
    if (status == DPL_OK)
        status = take_drawn(out, ctx, &d, err);
    dpl__free(ctx, d.is_drawn);
    DPL_TRY(status);
    return dpl__parallel_sort(ctx, out->sentences.data, out->sentences.n,
                              sizeof *out->sentences.data, dpl__by_key, err);
}

/* A document that consists of frequent sentences is a copy of others and does not count. */
static bool has_own_text(const sampled_doc *d)
{
    uint32_t own = d->n_tokens - d->n_repeated;
    return own >= P(own_tokens) && own >= P(own_share) * d->n_tokens;
}

/* Calls take with each sentence [begin, end) that is in so many documents with text of their
 * own. */
static dpl_status each_frequent(sentence_counts *all, double least,
                                dpl_status (*take)(void *user, const counted *begin,
                                                   const counted *end, dpl_error *err),
                                void *user, dpl_error *err)
{
    const counted *s = all->sentences.data;
    for (size_t begin = 0, end; begin < all->sentences.n; begin = end) {
        size_t n = 0;
        for (end = begin; end < all->sentences.n && s[end].by.key == s[begin].by.key; end++)
            n += (end == begin || s[end].by.number != s[end - 1].by.number) &&
                 has_own_text(&all->docs.data[s[end].by.number]);
        if (n >= P(boilerplate_least) && (double)n >= least)
            DPL_TRY(take(user, s + begin, s + end, err));
    }
    return DPL_OK;
}

static dpl_status note_repeated(void *user, const counted *begin, const counted *end,
                                dpl_error *err)
{
    (void)err;
    sentence_counts *all = user;
    for (; begin < end; begin++)
        all->docs.data[begin->by.number].n_repeated += begin->n_tokens;
    return DPL_OK;
}

typedef struct frequent {
    dpl_ctx *ctx;
    hashes *hashes;
    double n_tokens;
} frequent;

static dpl_status take_hash(void *user, const counted *begin, const counted *end,
                            dpl_error *err)
{
    frequent *f = user;
    for (const counted *c = begin; c < end; c++)
        f->n_tokens += c->n_tokens;
    return dpl__need(dpl__vec_push(f->ctx, f->hashes, begin->by.key), err);
}

/* First all documents count, then those that have text besides what is frequent. */
static dpl_status take_frequent(cleaner *x, int side, sentence_counts *all, dpl_error *err)
{
    double share = DPL__P(mine, boilerplate_docs), n_docs = 0, n_tokens = 0;
    frequent f = {.ctx = x->run->ctx, .hashes = &x->sides[side].boilerplate};
    DPL_TRY(each_frequent(all, share * (double)all->docs.n, note_repeated, all, err));
    for (size_t i = 0; i < all->docs.n; i++) {
        n_docs += has_own_text(&all->docs.data[i]);
        n_tokens += all->docs.data[i].n_tokens;
    }
    DPL_TRY(each_frequent(all, share * n_docs, take_hash, &f, err));
    if (f.n_tokens < DPL__P(mine, boilerplate_words) * n_tokens)
        f.hashes->n = 0;
    return DPL_OK;
}

static dpl_status find_boilerplate(void *user, size_t side, unsigned worker, dpl_error *err)
{
    cleaner *x = user;
    sentence_counts all = {0};
    (void)worker;
    dpl_status status = count_sentences(&all, x, (int)side, err);
    if (status == DPL_OK)
        status = take_frequent(x, (int)side, &all, err);
    dpl__vec_clear(x->run->ctx, &all.sentences, &all.docs);
    return status;
}

/* ---- untranslated text ---------------------------------------------------------------- */

/* The language of a text, where it is clear; else an empty code. */
static dpl_lang clear_language(dpl_str text)
{
    const dpl_lang unclear = {{0}, 0};
    if (text.n < (size_t)P(foreign_least))
        return unclear;
    text.n = dpl__min(text.n, (size_t)P(foreign_bytes));
    while (text.n && ((unsigned char)text.data[text.n - 1] & 0xC0) == 0x80)
        text.n--; /* the last character may be incomplete */
    if (text.n && (unsigned char)text.data[text.n - 1] >= 0xC0)
        text.n--;
    const dpl_lang lang = dpl_lang_identify(text);
    return (double)lang.confidence >= DPL__P(mine, foreign_confidence) ? lang : unclear;
}

bool dpl__is_foreign(dpl_str text, const char *own)
{
    const dpl_lang lang = clear_language(text);
    return *lang.code && *own && strcmp(own, "und") != 0 && strcmp(lang.code, own) != 0;
}

/* What is common to a document and the other side. */
typedef struct doc_share {
    uint32_t n_tokens,
        n_shared;      /* words, and those in sentences that the other side has, too */
    uint32_t is_other; /* it is a page in the other language */
} doc_share;

/* The sentences of a side that are long enough. */
typedef struct side_hashing {
    const dpl_collection *c;
    dpl_ctx *ctx;
    const hashes *common;
    const cleaner *x;
    int side;
    hashes *parts;
    doc_share *docs;
} side_hashing;

static dpl_status hash_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    (void)worker;
    const side_hashing *h = user;
    const uint32_t end =
        (uint32_t)dpl__min((part + 1) * PART, dpl_collection_get_sizes(h->c)->n_docs);
    for (uint32_t doc = (uint32_t)(part * PART); doc < end; doc++)
        for (size_t i = 0; i < dpl_collection_n_sentences(h->c, doc); i++)
            if (dpl__sentence_tokens(h->c, doc, i, i + 1).n >= P(common_tokens) &&
                !dpl__vec_push(h->ctx, &h->parts[part],
                               hash_text(dpl_collection_sentence_text(h->c, doc, i))))
                return dpl__fail_nomem(err);
    return DPL_OK;
}

static doc_share count_shared(const dpl_collection *c, const hashes *common, uint32_t doc)
{
    doc_share out = {0};
    for (size_t i = 0; i < dpl_collection_n_sentences(c, doc); i++) {
        const size_t n = dpl__sentence_tokens(c, doc, i, i + 1).n;
        out.n_tokens += (uint32_t)n;
        if (n >= P(common_tokens) &&
            has_hash(common, hash_text(dpl_collection_sentence_text(c, doc, i))))
            out.n_shared += (uint32_t)n;
    }
    return out;
}

/* Whether a part of a document that the other side does not have is in the side's language: it
 * may be the translation of a part. */
static bool is_begun(const cleaner *x, int side, uint32_t doc, bool *has_memory)
{
    const dpl_collection *c = x->run->corpus.c[side];
    dpl__bytes own = {0};
    double n_own = 0, n_all = 0;
    for (size_t i = 0; i < dpl_collection_n_sentences(c, doc) && *has_memory; i++) {
        const dpl_str sentence = dpl_collection_sentence_text(c, doc, i);
        const uint64_t hash = hash_text(sentence);
        const double n = (double)dpl__sentence_tokens(c, doc, i, i + 1).n;
        n_all += n;
        if (has_hash(&x->sides[side].common, hash) ||
            has_hash(&x->sides[side].boilerplate, hash) ||
            dpl__is_foreign(sentence, x->facts[side].lang))
            continue;
        n_own += n;
        *has_memory = dpl__vec_append(x->run->ctx, &own, sentence.data, sentence.n) &&
                      dpl__vec_push(x->run->ctx, &own, '\n');
    }
    const dpl_lang lang = clear_language((dpl_str){own.data, own.n});
    dpl__vec_clear(x->run->ctx, &own);
    return n_own >= P(begun_share) * n_all && strcmp(lang.code, x->facts[side].lang) == 0;
}

/* A page that is not translated: the other side has most of it, too, or its language was
 * detected as that of the other side. */
static bool is_other(const cleaner *x, int side, uint32_t doc, const doc_share *s,
                     bool *has_memory)
{
    const dpl_doc d = dpl_collection_doc(x->run->corpus.c[side], doc);
    const bool is_detected = d.text.n >= (size_t)P(foreign_page) &&
                             dpl__str_eq(d.lang, dpl__cstr(x->facts[!side].lang));
    return (2 * (uint64_t)s->n_shared > s->n_tokens || is_detected) &&
           dpl__is_foreign(d.text, x->facts[side].lang) && !is_begun(x, side, doc, has_memory);
}

static dpl_status share_part(void *user, size_t part, unsigned worker, dpl_error *err)
{
    const side_hashing *h = user;
    const uint32_t end =
        (uint32_t)dpl__min((part + 1) * PART, dpl_collection_get_sizes(h->c)->n_docs);
    bool has_memory = true;
    (void)worker;
    for (uint32_t doc = (uint32_t)(part * PART); doc < end; doc++) {
        h->docs[doc] = count_shared(h->c, h->common, doc);
        h->docs[doc].is_other = is_other(h->x, h->side, doc, &h->docs[doc], &has_memory);
    }
    return dpl__need(has_memory, err);
}

static size_t n_parts(const side_hashing *h)
{
    return ((size_t)dpl_collection_get_sizes(h->c)->n_docs + PART - 1) / PART;
}

/* Sentences of a side, as hashes that rise. */
static dpl_status hash_side(void *user, size_t for_side, unsigned worker, dpl_error *err)
{
    cleaner *x = user;
    const size_t side = !for_side;
    hashes *out = &x->sides[for_side].common;
    (void)worker;
    side_hashing h = {.c = x->run->corpus.c[side], .ctx = x->run->ctx};
    const size_t n = n_parts(&h);
    h.parts = dpl__calloc(h.ctx, n + 1, sizeof *h.parts);
    DPL_TRY(dpl__need(h.parts, err));
    dpl_status status = dpl__parallel_for(h.ctx, n, &h, hash_part, err);
    for (size_t i = 0; i < n; i++) {
        const hashes *part = &h.parts[i];
        if (status == DPL_OK && !dpl__vec_append(h.ctx, out, part->data, part->n))
            status = dpl__fail_nomem(err);
        dpl__vec_clear(h.ctx, &h.parts[i]);
    }
    dpl__free(h.ctx, h.parts);
    DPL_TRY(status);
    return dpl__parallel_sort(h.ctx, out->data, out->n, sizeof *out->data, rising, err);
}

static uint64_t sides_key(const cleaner *x, uint64_t key)
{
    for (int side = 0; side < 2; side++)
        key = dpl__fingerprint_file(key, dpl__collection_file(x->run->corpus.c[side]));
    return key;
}

/* The same by other processes. */
static dpl_status make_hashes(dpl__bytes *out, void *user, size_t for_side, dpl_error *err)
{
    cleaner *x = user;
    hashes *common = &x->sides[for_side].common;
    common->n = 0;
    DPL_TRY(hash_side(x, for_side, 0, err));
    return dpl__need(dpl__vec_append(x->run->ctx, out, (const char *)common->data,
                                     common->n * sizeof *common->data),
                     err);
}

static dpl_status take_hashes(void *user, size_t for_side, const char *data, size_t n,
                              dpl_error *err)
{
    cleaner *x = user;
    hashes *common = &x->sides[for_side].common;
    common->n = 0;
    if (n % sizeof *common->data)
        return dpl__fail(err, DPL_E_FORMAT, "hashes of another size");
    DPL_TRY(
        dpl__need(dpl__vec_reserve(x->run->ctx, common, n / sizeof *common->data + 1), err));
    memcpy(common->data, data, n);
    common->n = n / sizeof *common->data;
    return DPL_OK;
}

static dpl_status hash_sides(cleaner *x, dpl_error *err)
{
    const dpl__shared_work work = {.name = "sentences",
                                   .key = sides_key(x, 0),
                                   .n = 2,
                                   .user = x,
                                   .make = make_hashes,
                                   .take = take_hashes,
                                   .is_for_all = true};
    return dpl__is_shared(x->run->ctx) ? dpl__shared_work_run(x->run->ctx, &work, err)
                                       : dpl__parallel_for(x->run->ctx, 2, x, hash_side, err);
}

static dpl_status share_docs(side_hashing *h, dpl_error *err)
{
    const dpl__shared_loop loop = {.name = "common",
                                   .key = sides_key(h->x, (uint64_t)h->side),
                                   .user = h,
                                   .run = share_part,
                                   .items = h->docs,
                                   .n_items = dpl_collection_get_sizes(h->c)->n_docs,
                                   .size = sizeof *h->docs,
                                   .per_job = PART};
    return dpl__shared_for(h->ctx, &loop, err);
}

/* Share of the side's words in sentences that the other one has, too; and others. */
static dpl_status share_common(void *user, size_t side, unsigned worker, dpl_error *err)
{
    cleaner *x = user;
    (void)worker;
    side_hashing h = {.c = x->run->corpus.c[side],
                      .ctx = x->run->ctx,
                      .common = &x->sides[side].common,
                      .x = x,
                      .side = (int)side};
    const uint32_t n_docs = dpl_collection_get_sizes(h.c)->n_docs;
    double sum = 1, shared = 0;
    uint32_t n_others = 0;
    side_text *t = &x->sides[side];
    dpl_status status;
    t->others = dpl__calloc(h.ctx, (size_t)n_docs + 1, sizeof *t->others);
    h.docs = dpl__alloc(h.ctx, ((size_t)n_docs + 1) * sizeof *h.docs);
    DPL__STEP(dpl__need(t->others && h.docs, err));
    DPL__STEP(share_docs(&h, err));
    for (uint32_t doc = 0; doc < n_docs; doc++) {
        sum += h.docs[doc].n_tokens;
        shared += h.docs[doc].n_shared;
        t->others[doc] = h.docs[doc].is_other;
        n_others += h.docs[doc].is_other;
    }
    /* If most pages of a side are in other languages, the language of the side was given wrong:
     * keep all. */
    if (!n_others || n_others >= n_docs / 2) {
        dpl__free(h.ctx, t->others);
        t->others = NULL;
    }
    t->share_common = shared / sum;
done:
    dpl__free(h.ctx, h.docs);
    return status;
}

static dpl_status find_common(cleaner *x, dpl_error *err)
{
    bool has_many = false;
    DPL_TRY(hash_sides(x, err));
    DPL_TRY(dpl__shared_sides(x->run->ctx, x, share_common, err));
    for (int side = 0; side < 2; side++)
        has_many = has_many || x->sides[side].share_common >= DPL__P(mine, common_words);
    for (int side = 0; side < 2; side++)
        x->sides[side].has_untranslated = has_many;
    return DPL_OK;
}

/* ---- documents without it --------------------------------------------------------------- */

typedef struct source {
    cleaner *x;
    int side;
    uint32_t doc;
    dpl__bytes text;
} source;

/* The mark of a section whose heading, or what stood before it, is left out. */
static bool put_section_mark(source *s)
{
    dpl_ctx *ctx = s->x->run->ctx;
    char last = s->text.n ? s->text.data[s->text.n - 1] : '\n';
    return last == DPL_SECTION_MARK || ((last == '\n' || dpl__vec_push(ctx, &s->text, '\n')) &&
                                        dpl__vec_push(ctx, &s->text, DPL_SECTION_MARK));
}

/* Whether a sentence is left out; it is counted then. */
static bool drops_sentence(source *s, uint32_t doc, size_t i)
{
    const dpl_collection *c = s->x->run->corpus.c[s->side];
    side_text *t = &s->x->sides[s->side];
    const dpl_str sentence = dpl_collection_sentence_text(c, doc, i);
    const uint64_t hash = hash_text(sentence);
    const bool is_boilerplate = has_hash(&t->boilerplate, hash);
    const bool is_untranslated = !is_boilerplate && t->has_untranslated &&
                                 dpl__sentence_tokens(c, doc, i, i + 1).n >= P(common_tokens) &&
                                 has_hash(&t->common, hash) &&
                                 dpl__is_foreign(sentence, s->x->facts[s->side].lang);
    t->n_boilerplate += is_boilerplate;
    t->n_untranslated += is_untranslated;
    return is_boilerplate || is_untranslated;
}

static dpl_status keep_sentences(source *s, uint32_t doc, dpl_error *err)
{
    const dpl_collection *c = s->x->run->corpus.c[s->side];
    const dpl_str text = dpl_collection_doc(c, doc).text;
    const size_t n = dpl_collection_n_sentences(c, doc);
    bool is_section = false;
    for (size_t i = 0; i < n; i++) {
        const size_t begin = dpl_collection_sentence(c, doc, i).begin,
                     end = i + 1 < n ? dpl_collection_sentence(c, doc, i + 1).begin : text.n;
        is_section |= dpl_collection_sentence(c, doc, i).is_section_start;
        if (drops_sentence(s, doc, i))
            continue;
        if ((is_section && !put_section_mark(s)) ||
            !dpl__vec_append(s->x->run->ctx, &s->text, text.data + begin, end - begin))
            return dpl__fail_nomem(err);
        is_section = false;
    }
    return DPL_OK;
}

/* What is left of a document. The import drops it if that is nothing. */
static dpl_status keep_text(source *s, uint32_t doc, dpl_error *err)
{
    side_text *t = &s->x->sides[s->side];
    const uint64_t n_before = t->n_untranslated;
    const dpl_collection *c = s->x->run->corpus.c[s->side];
    s->text.n = 0;
    if (t->others && t->others[doc]) {
        t->n_docs++;
        t->n_untranslated += dpl_collection_n_sentences(c, doc);
        return DPL_OK;
    }
    DPL_TRY(keep_sentences(s, doc, err));
    const dpl_str rest = {s->text.data, s->text.n};
    /* a third language is rather that of the side, named wrong */
    const dpl_lang lang = t->has_untranslated ? clear_language(rest) : (dpl_lang){{0}, 0};
    const bool is_other = *lang.code && strcmp(lang.code, s->x->facts[s->side].lang) != 0 &&
                          strcmp(lang.code, s->x->facts[!s->side].lang) == 0;
    if (is_other)
        s->text.n = 0;
    t->n_docs += is_other || (dpl__trim(rest).n == 0 && t->n_untranslated > n_before);
    return DPL_OK;
}

static dpl_status next_doc(void *user, dpl_doc *out, dpl_error *err)
{
    source *s = user;
    const dpl_collection *c = s->x->run->corpus.c[s->side];
    if (s->doc == dpl_collection_get_sizes(c)->n_docs)
        return DPL_END;
    DPL_TRY(keep_text(s, s->doc, err));
    *out = dpl_collection_doc(c, s->doc++);
    const dpl_str text = {s->text.n ? s->text.data : "", s->text.n};
    const size_t n = s->x->sides[s->side].has_labels ? dpl__line_label_of(text).n_bytes : 0;
    out->text = (dpl_str){text.data + n, text.n - n};
    return DPL_OK;
}

/* What is left out is counted while the documents are read: all of them, also where the
 * collection was there. */
static dpl_status clean_side(cleaner *x, int side, dpl_collection **out, dpl_error *err)
{
    dpl__pair_run *r = x->run;
    const side_text *t = &x->sides[side];
    source s = {.x = x, .side = side};
    dpl_doc doc;
    if (!t->boilerplate.n && !t->has_untranslated && !t->others && !t->has_labels)
        return DPL_OK;
    const dpl__derived_docs docs = {
        .side = side,
        .what = "clean",
        .source = {next_doc, &s, dpl_input_name(r->task.inputs[side])},
        .is_stemmed = x->facts[side].is_stemmed};
    dpl_status status = dpl__derived_docs_open(out, &r->corpus, &docs, err);
    while (status == DPL_OK)
        status = next_doc(&s, &doc, err);
    dpl__vec_clear(r->ctx, &s.text);
    r->summary.n_boilerplate[side] = t->n_boilerplate;
    r->summary.n_untranslated[side] = t->n_untranslated;
    r->summary.n_untranslated_docs[side] = t->n_docs;
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status find_text(cleaner *x, dpl_error *err)
{
    DPL_TRY(dpl__parallel_for(x->run->ctx, 2, x, find_boilerplate, err));
    return find_common(x, err);
}

static dpl_status clean(cleaner *x, dpl_error *err)
{
    dpl__pair_run *r = x->run;
    dpl_collection *rest[2] = {NULL, NULL};
    const dpl_collection *const c[2] = {r->corpus.c[0], r->corpus.c[1]};
    bool has_labels;
    DPL_TRY(dpl__have_other_labels(&has_labels, r->ctx, c, err));
    for (int side = 0; side < 2; side++) {
        x->sides[side].has_labels = has_labels;
        DPL_TRY(dpl__facts_find(&x->facts[side], c[side], 1, err));
    }
    if (r->unit->is_cleaned)
        DPL_TRY(find_text(x, err));
    dpl_status status = clean_side(x, 0, &rest[0], err);
    if (status == DPL_OK)
        status = clean_side(x, 1, &rest[1], err);
    for (int side = 0; side < 2; side++)
        if (rest[side] && status == DPL_OK)
            status = dpl__pair_run_replace(r, side, rest[side], err);
        else
            dpl_collection_close(rest[side]);
    return status;
}

dpl_status dpl__pair_run_clean(dpl__pair_run *r, dpl_error *err)
{
    cleaner x = {.run = r};
    dpl_status status = clean(&x, err);
    for (int side = 0; side < 2; side++) {
        dpl__vec_clear(r->ctx, &x.sides[side].boilerplate, &x.sides[side].common);
        dpl__free(r->ctx, x.sides[side].others);
    }
    return status;
}
