/*
 * phrases.c - phrase pairs (Koehn, Och, Marcu: Statistical Phrase-Based Translation, 2003).
 *
 * A phrase pair is a span of words on either side such that no link leads out of it. Pairs are
 * sorted by source phrase, in temporary files when there are many; the translations of a phrase
 * are scored by relative frequency both ways and by the probabilities of their words both ways,
 * combined with fixed weights (params.h), and the best are kept. Cost: O(max_phrase) pairs a
 * word, one sort of them.
 */
#include "translate/phrases.h"

#include "base/maths.h"
#include "translate/keys.h"
#include "translate/params.h"

#include <stdlib.h>

/* How often each target phrase was extracted, by its key. */
typedef struct phrase_counts {
    uint64_t *keys; /* 0: free */
    float *counts;
    size_t n_slots, n;
} phrase_counts;

/* One translation of the phrase in hand. */
typedef struct option {
    size_t begin; /* in words */
    uint32_t n;
    double count, lexical[2];
    double score;
} option;

struct dpl__phrases {
    dpl_ctx *ctx;
    dpl__spill *spill;
    dpl__sorter *sorter;
    unsigned max_phrase, max_options;
    uint64_t n_extracted;
    phrase_counts targets;
    /* of the row in hand: links of each word */
    DPL_VEC(uint32_t) low, high; /* of each source word: its links' range; high < low: none */
    DPL_VEC(uint32_t) n_links;   /* of each target word */
    /* of the phrase in hand */
    DPL_VEC(option) options;
    DPL_VEC(uint32_t) words;
    /* written */
    DPL_VEC(uint64_t) keys, offsets, begins;
    DPL_VEC(float) scores;
    DPL_VEC(uint32_t) out_words;
};

typedef struct value {
    float count, lexical[2];
} value;

dpl_status dpl__phrases_new(dpl__phrases **out, dpl__spill *spill, unsigned max_phrase,
                            unsigned max_options, dpl_error *err)
{
    *out = NULL;
    dpl__phrases *p = dpl__calloc(spill->ctx, 1, sizeof *p);
    if (!p)
        return dpl__fail_nomem(err);
    p->ctx = spill->ctx;
    p->spill = spill;
    p->max_phrase = max_phrase;
    p->max_options = max_options;
    dpl_status status =
        dpl__sorter_new(&p->sorter, spill, (size_t)(dpl_ctx_memory(p->ctx) / 4), err);
    if (status == DPL_OK)
        *out = p;
    else
        dpl__phrases_free(p);
    return status;
}

static void clear_counts(dpl__phrases *p)
{
    dpl__free(p->ctx, p->targets.keys, p->targets.n_slots * sizeof *p->targets.keys);
    dpl__free(p->ctx, p->targets.counts, p->targets.n_slots * sizeof *p->targets.counts);
    p->targets = (phrase_counts){0};
}

void dpl__phrases_free(dpl__phrases *p)
{
    if (!p)
        return;
    dpl_ctx *ctx = p->ctx;
    dpl__sorter_free(p->sorter);
    clear_counts(p);
    dpl__vec_clear(ctx, &p->low);
    dpl__vec_clear(ctx, &p->high);
    dpl__vec_clear(ctx, &p->n_links);
    dpl__vec_clear(ctx, &p->options);
    dpl__vec_clear(ctx, &p->words);
    dpl__vec_clear(ctx, &p->keys);
    dpl__vec_clear(ctx, &p->offsets);
    dpl__vec_clear(ctx, &p->begins);
    dpl__vec_clear(ctx, &p->scores);
    dpl__vec_clear(ctx, &p->out_words);
    dpl__free(ctx, p, sizeof *p);
}

/* ---- counts of target phrases --------------------------------------------------------- */

static size_t slot_of(const phrase_counts *c, uint64_t key)
{
    size_t i = key & (c->n_slots - 1);
    while (c->keys[i] && c->keys[i] != key)
        i = (i + 1) & (c->n_slots - 1);
    return i;
}

static bool grow(dpl__phrases *p)
{
    phrase_counts old = p->targets, new = {.n_slots = old.n_slots ? 2 * old.n_slots : 1 << 12};
    new.keys = dpl__calloc(p->ctx, new.n_slots, sizeof *new.keys);
    new.counts = dpl__calloc(p->ctx, new.n_slots, sizeof *new.counts);
    if (!new.keys || !new.counts) {
        dpl__free(p->ctx, new.keys, new.n_slots * sizeof *new.keys);
        dpl__free(p->ctx, new.counts, new.n_slots * sizeof *new.counts);
        return false;
    }
    for (size_t i = 0; i < old.n_slots; i++)
        if (old.keys[i]) {
            size_t at = slot_of(&new, old.keys[i]);
            new.keys[at] = old.keys[i];
            new.counts[at] = old.counts[i];
        }
    new.n = old.n;
    clear_counts(p);
    p->targets = new;
    return true;
}

static uint64_t key_of(const uint32_t *words, size_t n)
{
    uint64_t key = 0;
    for (size_t i = 0; i < n; i++)
        key = dpl__phrase_key(key, words[i]);
    return key + !key;
}

static bool count_target(dpl__phrases *p, uint64_t key, double count)
{
    if (2 * p->targets.n >= p->targets.n_slots && !grow(p))
        return false;
    size_t i = slot_of(&p->targets, key);
    p->targets.n += p->targets.keys[i] == 0;
    p->targets.keys[i] = key;
    p->targets.counts[i] += (float)count;
    return true;
}

/* ---- extraction ----------------------------------------------------------------------- */

static dpl_status add(dpl__phrases *p, uint64_t source_key, const uint32_t *target, size_t n,
                      const value *v, dpl_error *err)
{
    char key[8 + 4 * (DPL__MOST_PHRASE + 1)];
    for (unsigned i = 0; i < 8; i++)
        key[i] = (char)(source_key >> (56 - 8 * i));
    memcpy(key + 8, target, n * sizeof *target);
    if (!count_target(p, key_of(target, n), (double)v->count))
        return dpl__fail_nomem(err);
    p->n_extracted++;
    return dpl__sorter_add(p->sorter, (dpl_str){key, 8 + 4 * n},
                           (dpl_str){(const char *)v, sizeof *v}, err);
}

/* ln p of the words of one side of a pair given those of the other, by the links. */
static double lexical(const dpl__phrase_row *row, const uint32_t span[4], dpl__word_p *word_p,
                      void *user, bool back)
{
    size_t first = back ? span[0] : span[2], end = back ? span[1] : span[3];
    double sum = 0;
    for (size_t w = first; w < end; w++) {
        double p = 0;
        unsigned n = 0;
        for (size_t k = 0; k < row->n_links; k++) {
            const dpl_link *l = &row->links[k];
            if (l->left < span[0] || l->left >= span[1] || (back ? l->left : l->right) != w)
                continue;
            p += word_p(user, row->source[l->left], row->target[l->right], back);
            n++;
        }
        sum += dpl__log(n ? p / n : DPL__P(translate, unlinked));
    }
    return sum;
}

/* Links by word; both ends of each source word's range. */
static dpl_status index_links(dpl__phrases *p, const dpl__phrase_row *row, dpl_error *err)
{
    p->low.n = p->high.n = p->n_links.n = 0;
    if (!dpl__vec_reserve(p->ctx, &p->low, row->n_source) ||
        !dpl__vec_reserve(p->ctx, &p->high, row->n_source) ||
        !dpl__vec_reserve(p->ctx, &p->n_links, row->n_target))
        return dpl__fail_nomem(err);
    for (size_t i = 0; i < row->n_source; i++) {
        p->low.data[i] = UINT32_MAX;
        p->high.data[i] = 0;
    }
    if (row->n_target)
        memset(p->n_links.data, 0, row->n_target * sizeof *p->n_links.data);
    for (size_t k = 0; k < row->n_links; k++) {
        uint32_t s = row->links[k].left, t = row->links[k].right;
        if (t < p->low.data[s])
            p->low.data[s] = t;
        if (t + 1 > p->high.data[s])
            p->high.data[s] = t + 1;
        p->n_links.data[t]++;
    }
    return DPL_OK;
}

/* Every link of the target words [low, high) is to a source word of the span. */
static bool is_closed(const dpl__phrase_row *row, uint32_t first, uint32_t end, uint32_t low,
                      uint32_t high)
{
    for (size_t k = 0; k < row->n_links; k++) {
        const dpl_link *l = &row->links[k];
        if (l->right >= low && l->right < high && (l->left < first || l->left >= end))
            return false;
    }
    return true;
}

/* The pair and those with words without links at its edges. */
static dpl_status extract_span(dpl__phrases *p, const dpl__phrase_row *row, uint32_t span[4],
                               dpl__word_p *word_p, void *user, dpl_error *err)
{
    uint64_t key = key_of(row->source + span[0], span[1] - span[0]);
    uint32_t low = span[2], high = span[3];
    for (uint32_t a = low;; a--) {
        for (uint32_t b = high; b - a <= p->max_phrase; b++) {
            uint32_t at[4] = {span[0], span[1], a, b};
            value v = {1,
                       {(float)lexical(row, at, word_p, user, false),
                        (float)lexical(row, at, word_p, user, true)}};
            DPL_TRY(add(p, key, row->target + a, b - a, &v, err));
            if (b >= row->n_target || p->n_links.data[b])
                break;
        }
        if (a == 0 || p->n_links.data[a - 1] || high - (a - 1) > p->max_phrase)
            break;
    }
    return DPL_OK;
}

dpl_status dpl__phrases_extract(dpl__phrases *p, const dpl__phrase_row *row,
                                dpl__word_p *word_p, void *user, dpl_error *err)
{
    DPL_TRY(index_links(p, row, err));
    for (uint32_t first = 0; first < row->n_source; first++) {
        uint32_t low = UINT32_MAX, high = 0;
        for (uint32_t end = first + 1; end <= row->n_source && end - first <= p->max_phrase;
             end++) {
            low = (uint32_t)dpl__min(low, p->low.data[end - 1]);
            high = (uint32_t)dpl__max(high, p->high.data[end - 1]);
            if (low >= high || high - low > p->max_phrase ||
                !is_closed(row, first, end, low, high))
                continue;
            uint32_t span[4] = {first, end, low, high};
            DPL_TRY(extract_span(p, row, span, word_p, user, err));
        }
    }
    return DPL_OK;
}

dpl_status dpl__phrases_add_word(dpl__phrases *p, uint32_t source, uint32_t target,
                                 double count, dpl__word_p *word_p, void *user, dpl_error *err)
{
    value v = {(float)count,
               {(float)dpl__log(word_p(user, source, target, false)),
                (float)dpl__log(word_p(user, source, target, true))}};
    return add(p, key_of(&source, 1), &target, 1, &v, err);
}

/* ---- the table ------------------------------------------------------------------------ */

static int by_score(const void *a, const void *b)
{
    const option *x = a, *y = b;
    if (x->score != y->score)
        return x->score > y->score ? -1 : 1;
    return x->begin < y->begin ? -1 : x->begin > y->begin; /* in the order they were sorted */
}

static dpl_status end_phrase(dpl__phrases *p, uint64_t key, dpl_error *err)
{
    double total = 0;
    for (size_t i = 0; i < p->options.n; i++)
        total += p->options.data[i].count;
    for (size_t i = 0; i < p->options.n; i++) {
        option *o = &p->options.data[i];
        uint64_t target = key_of(p->words.data + o->begin, o->n);
        double all = (double)p->targets.counts[slot_of(&p->targets, target)];
        o->score = DPL__P(translate, phrase_weight) * dpl__log(o->count / total) +
                   DPL__P(translate, back_weight) * dpl__log(o->count / all) +
                   DPL__P(translate, lexical_weight) * (o->lexical[0] + o->lexical[1]) +
                   DPL__P(translate, phrase_bonus) + DPL__P(translate, word_bonus) * o->n;
    }
    qsort(p->options.data, p->options.n, sizeof *p->options.data, by_score);
    size_t n = dpl__min(p->options.n, p->max_options);
    bool is_done =
        dpl__vec_push(p->ctx, &p->keys, key) && dpl__vec_push(p->ctx, &p->offsets, p->scores.n);
    for (size_t i = 0; is_done && i < n; i++) {
        const option *o = &p->options.data[i];
        is_done = dpl__vec_push(p->ctx, &p->begins, p->out_words.n) &&
                  dpl__vec_push(p->ctx, &p->scores, (float)o->score) &&
                  dpl__vec_append(p->ctx, &p->out_words, p->words.data + o->begin, o->n);
    }
    p->options.n = p->words.n = 0;
    return is_done ? DPL_OK : dpl__fail_nomem(err);
}

/* A record: another occurrence of the last translation, or a new one. */
static dpl_status take(dpl__phrases *p, dpl_str key, dpl_str record, dpl_error *err)
{
    uint32_t words[DPL__MOST_PHRASE + 1];
    size_t n = (key.n - 8) / 4;
    value v;
    memcpy(words, key.data + 8, 4 * n);
    memcpy(&v, record.data, sizeof v);
    option *last = p->options.n ? &p->options.data[p->options.n - 1] : NULL;
    if (!last || last->n != n || memcmp(p->words.data + last->begin, words, 4 * n) != 0) {
        option o = {.begin = p->words.n, .n = (uint32_t)n};
        o.lexical[0] = (double)v.lexical[0];
        o.lexical[1] = (double)v.lexical[1];
        if (!dpl__vec_push(p->ctx, &p->options, o) ||
            !dpl__vec_append(p->ctx, &p->words, words, n))
            return dpl__fail_nomem(err);
        last = &p->options.data[p->options.n - 1];
    }
    last->count += (double)v.count;
    for (int i = 0; i < 2; i++) /* of several alignments the best */
        if ((double)v.lexical[i] > last->lexical[i])
            last->lexical[i] = (double)v.lexical[i];
    return DPL_OK;
}

static dpl_status make_table(dpl__phrases *p, dpl_error *err)
{
    dpl_str key, record;
    dpl_status status;
    uint64_t now = 0;
    DPL_TRY(dpl__sorter_sort(p->sorter, err));
    while ((status = dpl__sorter_next(p->sorter, &key, &record, err)) == DPL_OK) {
        uint64_t source = 0;
        for (unsigned i = 0; i < 8; i++)
            source = source << 8 | (unsigned char)key.data[i];
        if (source != now && p->options.n)
            DPL_TRY(end_phrase(p, now, err));
        now = source;
        DPL_TRY(take(p, key, record, err));
    }
    if (status != DPL_END)
        return status;
    if (p->options.n)
        DPL_TRY(end_phrase(p, now, err));
    bool is_done = dpl__vec_push(p->ctx, &p->offsets, p->scores.n) &&
                   dpl__vec_push(p->ctx, &p->begins, p->out_words.n);
    return is_done ? DPL_OK : dpl__fail_nomem(err);
}

dpl_status dpl__phrases_write(dpl__phrases *p, dpl__writer *w, dpl_phrases_summary *s,
                              dpl_error *err)
{
    DPL_TRY(make_table(p, err));
    s->n_extracted = p->n_extracted;
    s->n_phrases = p->keys.n;
    s->n_options = p->scores.n;
    DPL_TRY(dpl__writer_add(w, "phrase.keys", 8, p->keys.data, p->keys.n * 8, err));
    DPL_TRY(dpl__writer_add(w, "phrase.offsets", 8, p->offsets.data, p->offsets.n * 8, err));
    DPL_TRY(dpl__writer_add(w, "option.scores", 4, p->scores.data, p->scores.n * 4, err));
    DPL_TRY(dpl__writer_add(w, "option.begins", 8, p->begins.data, p->begins.n * 8, err));
    return dpl__writer_add(w, "option.words", 4, p->out_words.data, p->out_words.n * 4, err);
}
