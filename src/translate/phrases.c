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

#include "base/map.h"
#include "base/maths.h"
#include "base/order.h"
#include "io/external_sort.h"
#include "io/keysort.h"
#include "translate/language_model.h"
#include "translate/phrase_keys.h"
#include "translate/translate_params.h"

#include <assert.h>

/* How often each target phrase was extracted, by its key. Counts are in units of 2^-32, so that
 * the sum of parts does not depend on how a small memory divides them. */
typedef struct phrase_count {
    uint64_t key, count;
} phrase_count;

DPL_KEY_MAP(count_map, phrase_count);

/* Two numbers, sorted by the first one. */
typedef struct numbers {
    uint64_t key, content;
} numbers;

#define IS_LOWER(a, b) ((a)->key < (b)->key)
DPL_EXTERNAL_SORT(number_sort, numbers, IS_LOWER, DPL_KEEP_ALL);

static bool add_counts(phrase_count *a, const phrase_count *b)
{
    if (a->key != b->key)
        return false;
    a->count += b->count;
    return true;
}

DPL_EXTERNAL_SORT(count_sort, phrase_count, IS_LOWER, add_counts);

typedef struct phrase_counts {
    count_map map;
    bool is_spilled;
    count_sort parts; /* counts that did not fit, if it is */
} phrase_counts;

#define UNIT 4294967296.0

/* One translation of the phrase in hand. */
typedef struct option {
    size_t begin; /* in words */
    uint32_t n;
    double count, lexical[2];
    double all; /* count of the target phrase, with any source */
    double score;
} option;

enum { KEYS, OFFSETS, BEGINS, SCORES, WORDS, N_OUT };

struct dpl__phrases {
    dpl_ctx *ctx;
    dpl__spill *spill;
    dpl__sorter *sorter;
    size_t share; /* bytes for counts, and for each sorter of them */
    unsigned max_phrase, max_options;
    uint64_t n_extracted;
    phrase_counts targets;
    /* of the row in hand: links of each word */
    DPL_VEC(uint32_t) low, high; /* of each source word: its links' range; high < low: none */
    DPL_VEC(uint32_t) n_links;   /* of each target word */
    /* of the phrase in hand */
    DPL_VEC(option) options;
    DPL_VEC(uint32_t) words;
    /* where counts did not fit: translations by number, and which phrases they belong to */
    number_sort wanted, found; /* target key: number; number: count */
    dpl__spool listed;
    uint64_t n_listed, n_options_out, n_words_out;
    /* written: keys, offsets, begins of words (uint64_t), scores (float), words (uint32_t) */
    dpl__spool out[N_OUT];
};

typedef struct listed {
    uint64_t source;
    double count, lexical[2];
    uint32_t n, words[DPL__MOST_PHRASE + 1];
} listed;

typedef struct value {
    float count, lexical[2];
} value;

dpl_status dpl__phrases_new(dpl__phrases **out, dpl__spill *spill, unsigned max_phrase,
                            unsigned max_options, dpl_error *err)
{
    *out = NULL;
    assert(max_phrase > 0 && max_phrase <= DPL__MOST_PHRASE && max_options > 0);
    dpl__phrases *p = dpl__calloc(spill->ctx, 1, sizeof *p);
    DPL_TRY(dpl__need(p, err));
    p->ctx = spill->ctx;
    p->spill = spill;
    p->max_phrase = max_phrase;
    p->max_options = max_options;
    p->share = (size_t)(dpl_ctx_memory(p->ctx) / 8);
    for (int i = 0; i < N_OUT; i++)
        dpl__spool_init(&p->out[i], spill, p->share / 8);
    dpl__spool_init(&p->listed, spill, p->share / 4);
    dpl_status status;
    DPL__STEP(dpl__sorter_new(&p->sorter, spill, (size_t)(dpl_ctx_memory(p->ctx) / 4), err));
    *out = p;
    p = NULL;
done:
    dpl__phrases_free(p);
    return status;
}

static void clear_counts(dpl__phrases *p)
{
    count_map_clear(&p->targets.map, p->ctx);
}

void dpl__phrases_free(dpl__phrases *p)
{
    if (!p)
        return;
    dpl_ctx *ctx = p->ctx;
    dpl__sorter_free(p->sorter);
    count_sort_clear(&p->targets.parts);
    number_sort_clear(&p->wanted);
    number_sort_clear(&p->found);
    dpl__spool_clear(&p->listed);
    for (int i = 0; i < N_OUT; i++)
        dpl__spool_clear(&p->out[i]);
    clear_counts(p);
    dpl__vec_clear(ctx, &p->low, &p->high, &p->n_links, &p->options, &p->words);
    dpl__free(ctx, p);
}

/* ---- counts of target phrases --------------------------------------------------------- */

static uint64_t key_of(const uint32_t *words, size_t n)
{
    assert(n > 0);
    uint64_t key = 0;
    for (size_t i = 0; i < n; i++)
        key = dpl__phrase_key(key, words[i]);
    return key + !key;
}

/* Moves the counts so far to the sort. */
static dpl_status spill_counts(dpl__phrases *p, dpl_error *err)
{
    phrase_counts *c = &p->targets;
    if (!c->is_spilled)
        count_sort_init(&c->parts, p->spill, p->share);
    c->is_spilled = true;
    for (size_t i = 0; i < c->map.n_slots; i++)
        if (c->map.slots[i].key)
            DPL_TRY(count_sort_add(&c->parts, &c->map.slots[i], err));
    return dpl__need(count_map_begin(&c->map, p->ctx, c->map.n_slots / 2), err);
}

static dpl_status count_target(dpl__phrases *p, uint64_t key, double count, dpl_error *err)
{
    phrase_counts *c = &p->targets;
    /* while it grows, both sizes are there */
    if (2 * (c->map.n_used + 1) > c->map.n_slots && c->map.n_slots &&
        3 * c->map.n_slots * sizeof(phrase_count) > p->share)
        DPL_TRY(spill_counts(p, err));
    DPL_TRY(dpl__need(count_map_reserve(&c->map, p->ctx, 1), err));
    phrase_count *slot = count_map_find(&c->map, key, key);
    c->map.n_used += !slot->key;
    slot->key = key;
    slot->count += (uint64_t)(count * UNIT + 0.5);
    return DPL_OK;
}

/* ---- extraction ----------------------------------------------------------------------- */

static dpl_status add(dpl__phrases *p, uint64_t source_key, const uint32_t *target, size_t n,
                      const value *v, dpl_error *err)
{
    char key[8 + 4 * (DPL__MOST_PHRASE + 1)];
    assert(n > 0 && n <= DPL__MOST_PHRASE && v->count > 0);
    for (unsigned i = 0; i < 8; i++)
        key[i] = (char)(source_key >> (56 - 8 * i));
    memcpy(key + 8, target, n * sizeof *target);
    DPL_TRY(count_target(p, key_of(target, n), (double)v->count, err));
    p->n_extracted++;
    return dpl__sorter_add(p->sorter, (dpl_str){key, 8 + 4 * n},
                           (dpl_str){(const char *)v, sizeof *v}, err);
}

/* ln p of the words of one side of a pair given those of the other, by the links. */
static double lexical(const dpl__phrase_row *row, const uint32_t span[4],
                      const dpl__word_model *model, bool back)
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
            p += model->p(model->user, row->source[l->left], row->target[l->right], back);
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
    DPL_TRY(dpl__need(dpl__vec_reserve(p->ctx, &p->low, row->n_source) &&
                          dpl__vec_reserve(p->ctx, &p->high, row->n_source) &&
                          dpl__vec_reserve(p->ctx, &p->n_links, row->n_target),
                      err));
    for (size_t i = 0; i < row->n_source; i++) {
        p->low.data[i] = UINT32_MAX;
        p->high.data[i] = 0;
    }
    if (row->n_target)
        memset(p->n_links.data, 0, row->n_target * sizeof *p->n_links.data);
    for (size_t k = 0; k < row->n_links; k++) {
        uint32_t s = row->links[k].left, t = row->links[k].right;
        assert(s < row->n_source && t < row->n_target);
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
                               const dpl__word_model *model, dpl_error *err)
{
    uint64_t key = key_of(row->source + span[0], span[1] - span[0]);
    uint32_t low = span[2], high = span[3];
    for (uint32_t a = low;; a--) {
        for (uint32_t b = high; b - a <= p->max_phrase; b++) {
            uint32_t at[4] = {span[0], span[1], a, b};
            value v = {
                1,
                {(float)lexical(row, at, model, false), (float)lexical(row, at, model, true)}};
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
                                const dpl__word_model *model, dpl_error *err)
{
    assert(row->n_source < UINT32_MAX && row->n_target < UINT32_MAX);
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
            DPL_TRY(extract_span(p, row, span, model, err));
        }
    }
    return DPL_OK;
}

dpl_status dpl__phrases_add_word(dpl__phrases *p, uint32_t source, uint32_t target,
                                 double count, const dpl__word_model *model, dpl_error *err)
{
    value v = {(float)count,
               {(float)dpl__log(model->p(model->user, source, target, false)),
                (float)dpl__log(model->p(model->user, source, target, true))}};
    return add(p, key_of(&source, 1), &target, 1, &v, err);
}

/* ---- the table ------------------------------------------------------------------------ */

DPL__ORDER(by_score, option, DPL__FALLING(score) DPL__RISING(begin))

/* Scores the translations of a phrase, once their `all` is known, and keeps the best. */
static dpl_status score_phrase(dpl__phrases *p, uint64_t key, dpl_error *err)
{
    double total = 0;
    assert(p->options.n > 0);
    for (size_t i = 0; i < p->options.n; i++)
        total += p->options.data[i].count;
    for (size_t i = 0; i < p->options.n; i++) {
        option *o = &p->options.data[i];
        assert(o->count > 0 && o->all > 0); /* each is among the target's, too */
        o->score = DPL__P(translate, phrase_weight) * dpl__log(o->count / total) +
                   DPL__P(translate, back_weight) * dpl__log(o->count / o->all) +
                   DPL__P(translate, lexical_weight) * (o->lexical[0] + o->lexical[1]) +
                   DPL__P(translate, phrase_bonus) + DPL__P(translate, word_bonus) * o->n;
    }
    dpl__vec_sort(&p->options, by_score);
    size_t n = dpl__min(p->options.n, p->max_options);
    DPL_TRY(dpl__spool_append(&p->out[KEYS], &key, 8, err));
    DPL_TRY(dpl__spool_append(&p->out[OFFSETS], &p->n_options_out, 8, err));
    for (size_t i = 0; i < n; i++) {
        const option *o = &p->options.data[i];
        float score = (float)o->score;
        DPL_TRY(dpl__spool_append(&p->out[BEGINS], &p->n_words_out, 8, err));
        DPL_TRY(dpl__spool_append(&p->out[SCORES], &score, 4, err));
        DPL_TRY(
            dpl__spool_append(&p->out[WORDS], p->words.data + o->begin, 4 * (size_t)o->n, err));
        p->n_options_out++;
        p->n_words_out += o->n;
    }
    p->options.n = p->words.n = 0;
    return DPL_OK;
}

/* Counts did not fit: the translations go to a file, and wait there for theirs. */
static dpl_status list_phrase(dpl__phrases *p, uint64_t key, dpl_error *err)
{
    for (size_t i = 0; i < p->options.n; i++) {
        const option *o = &p->options.data[i];
        const uint32_t *words = p->words.data + o->begin;
        listed l = {.source = key, .count = o->count, .n = o->n};
        memcpy(l.lexical, o->lexical, sizeof l.lexical);
        memcpy(l.words, words, o->n * sizeof *words);
        DPL_TRY(dpl__spool_append(&p->listed, &l, sizeof l, err));
        DPL_TRY(
            number_sort_add(&p->wanted, &(numbers){key_of(words, o->n), p->n_listed++}, err));
    }
    p->options.n = p->words.n = 0;
    return DPL_OK;
}

static dpl_status end_phrase(dpl__phrases *p, uint64_t key, dpl_error *err)
{
    if (p->targets.is_spilled)
        return list_phrase(p, key, err);
    for (size_t i = 0; i < p->options.n; i++) {
        option *o = &p->options.data[i];
        const uint64_t target = key_of(p->words.data + o->begin, o->n);
        o->all = (double)count_map_find(&p->targets.map, target, target)->count / UNIT;
    }
    return score_phrase(p, key, err);
}

/* A record: another occurrence of the last translation, or a new one. */
static dpl_status take(dpl__phrases *p, dpl_str key, dpl_str record, dpl_error *err)
{
    uint32_t words[DPL__MOST_PHRASE + 1];
    size_t n = (key.n - 8) / 4;
    assert(key.n > 8 && n <= DPL__MOST_PHRASE && record.n == sizeof(value));
    value v;
    memcpy(words, key.data + 8, 4 * n);
    memcpy(&v, record.data, sizeof v);
    option *last = p->options.n ? &p->options.data[p->options.n - 1] : NULL;
    if (!last || last->n != n || memcmp(p->words.data + last->begin, words, 4 * n) != 0) {
        option o = {.begin = p->words.n, .n = (uint32_t)n};
        o.lexical[0] = (double)v.lexical[0];
        o.lexical[1] = (double)v.lexical[1];
        DPL_TRY(dpl__need(dpl__vec_push(p->ctx, &p->options, o) &&
                              dpl__vec_append(p->ctx, &p->words, words, n),
                          err));
        last = &p->options.data[p->options.n - 1];
    }
    last->count += (double)v.count;
    for (int i = 0; i < 2; i++) /* of several alignments the best */
        if ((double)v.lexical[i] > last->lexical[i])
            last->lexical[i] = (double)v.lexical[i];
    return DPL_OK;
}

/* The sorted phrase pairs, those of a source phrase at a time. */
static dpl_status read_pairs(dpl__phrases *p, dpl_error *err)
{
    dpl_str key, record;
    dpl_status status;
    uint64_t now = 0;
    DPL_TRY(dpl__sorter_sort(p->sorter, err));
    while ((status = dpl__sorter_next(p->sorter, &key, &record, err)) == DPL_OK) {
        uint64_t source = dpl__key_prefix(key.data, 8);
        if (source != now && p->options.n)
            DPL_TRY(end_phrase(p, now, err));
        now = source;
        DPL_TRY(take(p, key, record, err));
    }
    if (status != DPL_END)
        return status;
    if (p->options.n)
        DPL_TRY(end_phrase(p, now, err));
    dpl__sorter_free(p->sorter);
    p->sorter = NULL;
    return DPL_OK;
}

/* Counts of target phrases and the translations that want them, both by target key. */
static dpl_status join_counts(dpl__phrases *p, dpl_error *err)
{
    phrase_count all = {0}; /* no key is 0 */
    numbers wanted;
    dpl_status status;
    DPL_TRY(count_sort_end(&p->targets.parts, err));
    DPL_TRY(number_sort_end(&p->wanted, err));
    number_sort_init(&p->found, p->spill, p->share);
    while ((status = number_sort_next(&p->wanted, &wanted, err)) == DPL_OK) {
        while (all.key < wanted.key)
            DPL_TRY(
                count_sort_next(&p->targets.parts, &all, err)); /* every target is counted */
        assert(all.key == wanted.key);
        DPL_TRY(number_sort_add(&p->found, &(numbers){wanted.content, all.count}, err));
    }
    if (status != DPL_END)
        return status;
    number_sort_clear(&p->wanted);
    count_sort_clear(&p->targets.parts);
    return number_sort_end(&p->found, err);
}

static dpl_status add_listed(dpl__phrases *p, const listed *l, double all, dpl_error *err)
{
    option o = {.begin = p->words.n, .n = l->n, .count = l->count, .all = all};
    memcpy(o.lexical, l->lexical, sizeof o.lexical);
    return dpl__need(dpl__vec_push(p->ctx, &p->options, o) &&
                         dpl__vec_append(p->ctx, &p->words, l->words, l->n),
                     err);
}

static dpl_status score_listed(dpl__phrases *p, dpl_error *err)
{
    uint64_t now = 0;
    numbers all;
    for (uint64_t i = 0; i < p->n_listed; i++) {
        listed l;
        DPL_TRY(dpl__spool_read(&p->listed, i * sizeof l, &l, sizeof l, err));
        DPL_TRY(number_sort_next(&p->found, &all, err));
        assert(all.key == i);
        if (p->options.n && l.source != now)
            DPL_TRY(score_phrase(p, now, err));
        now = l.source;
        DPL_TRY(add_listed(p, &l, (double)all.content / UNIT, err));
    }
    return p->options.n ? score_phrase(p, now, err) : DPL_OK;
}

static dpl_status make_table(dpl__phrases *p, dpl_error *err)
{
    const bool is_spilled = p->targets.is_spilled;
    if (is_spilled) {
        DPL_TRY(spill_counts(p, err));
        clear_counts(p);
        number_sort_init(&p->wanted, p->spill, p->share);
    }
    DPL_TRY(read_pairs(p, err));
    clear_counts(p);
    if (is_spilled) {
        DPL_TRY(join_counts(p, err));
        DPL_TRY(score_listed(p, err));
    }
    DPL_TRY(dpl__spool_append(&p->out[OFFSETS], &p->n_options_out, 8, err));
    return dpl__spool_append(&p->out[BEGINS], &p->n_words_out, 8, err);
}

dpl_status dpl__phrases_write(dpl__phrases *p, dpl__writer *w, dpl_phrases_summary *s,
                              dpl_error *err)
{
    DPL_TRY(make_table(p, err));
    s->n_extracted = p->n_extracted;
    s->n_phrases = dpl__spool_size(&p->out[KEYS]) / 8;
    s->n_options = p->n_options_out;
    DPL_TRY(dpl__write_spool(w, p->ctx, "phrase.keys", 8, &p->out[KEYS], err));
    DPL_TRY(dpl__write_spool(w, p->ctx, "phrase.offsets", 8, &p->out[OFFSETS], err));
    DPL_TRY(dpl__write_spool(w, p->ctx, "option.scores", 4, &p->out[SCORES], err));
    DPL_TRY(dpl__write_spool(w, p->ctx, "option.begins", 8, &p->out[BEGINS], err));
    return dpl__write_spool(w, p->ctx, "option.words", 4, &p->out[WORDS], err);
}
