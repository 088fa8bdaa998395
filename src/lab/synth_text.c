/*
 * synth_text.c - one document: its words in one language, and their translation.
 *
 * A document has a topic. Of its content words 0.3 are drawn from the topic: in every stretch
 * of ranks as long as the number of topics, each topic has one word, so that words of all
 * frequencies become bursty while their frequencies stay as they are. Besides, a document
 * repeats content words that it had before (Simon, "On a class of skew distribution functions",
 * 1955), which also keeps the frequencies. Lengths of documents and sentences are log-normal.
 *
 * A translation goes word by word: one of its translations for each word, some frequent words
 * more or fewer, some neighbours in another order, and noise.
 */
#include "lab/synth_parts.h"

#include "base/maths.h"

enum { PARAGRAPH = 4 /* sentences */, MOST_WORDS = 1 << 20, MOST_LINE = 400 };
static const double topical = 0.3, numbers = 0.02;
static const double dropped = 0.1, inserted = 0.05; /* frequent words of a translation */
static const double turned = 0.15;                  /* neighbours */

void dpl__synth_scratch_clear(dpl__synth_scratch *s)
{
    dpl__vec_clear(s->ctx, &s->source.words, &s->source.ends, &s->fill.words, &s->fill.ends,
                   &s->content, &s->line);
}

/* ---- words -------------------------------------------------------------------------- */

static bool happens(dpl__rng *rng, double p)
{
    return dpl__rng_real(rng) < p;
}

static size_t log_normal(dpl__rng *rng, const double log_of[2], size_t least, size_t most)
{
    double normal[2];
    dpl__rng_normal(rng, normal);
    const double n = dpl__exp(log_of[0] + log_of[1] * normal[0]) + 0.5;
    return n < (double)least ? least : n < (double)most ? (size_t)n : most;
}

/* Days, years, and amounts. */
static uint64_t draw_number(dpl__rng *rng)
{
    const uint64_t kind = dpl__rng_below(rng, 4);
    const uint64_t n = kind < 2    ? 1 + dpl__rng_below(rng, 31)
                       : kind == 2 ? 1900 + dpl__rng_below(rng, 130)
                                   : (uint64_t)dpl__exp(dpl__rng_real(rng) * 14);
    return DPL__SYNTH_NUMBER | n;
}

/* The topic's word among those of similar frequency. */
static uint64_t of_topic(const dpl__synth_model *m, uint64_t word, uint64_t topic)
{
    const uint64_t stretch = (word - DPL__SYNTH_FUNCTION) / m->n_topics;
    const uint64_t place = (topic + dpl__mix(stretch) % m->n_topics) % m->n_topics;
    return DPL__SYNTH_FUNCTION + stretch * m->n_topics + place;
}

static uint64_t draw_word(dpl__synth_scratch *s, const dpl__synth_model *m, dpl__rng *rng,
                          uint64_t topic)
{
    uint64_t word = dpl__synth_draw(m, rng);
    if (word < DPL__SYNTH_FUNCTION)
        return word;
    if (s->content.n && happens(rng, m->repeated))
        return s->content.data[dpl__rng_below(rng, s->content.n)];
    return happens(rng, topical) ? of_topic(m, word, topic) : word;
}

static bool add_sentence(dpl__synth_doc *doc, dpl__synth_scratch *s, const dpl__synth_model *m,
                         dpl__rng *rng, uint64_t topic)
{
    const size_t n = log_normal(rng, m->log_sentence, 2, MOST_LINE);
    for (size_t i = 0; i < n; i++) {
        const bool is_number = i + 1 < n && happens(rng, numbers);
        const uint64_t word = is_number ? draw_number(rng) : draw_word(s, m, rng, topic);
        if (!dpl__vec_push(s->ctx, &doc->words, word) ||
            (word >= DPL__SYNTH_FUNCTION && !dpl__vec_push(s->ctx, &s->content, word)))
            return false;
    }
    return dpl__vec_push(s->ctx, &doc->ends, (uint32_t)doc->words.n);
}

dpl_status dpl__synth_source(dpl__synth_doc *doc, dpl__synth_scratch *s,
                             const dpl__synth_model *m, dpl__rng rng, dpl_error *err)
{
    const uint64_t topic = dpl__rng_below(&rng, m->n_topics);
    const size_t n = doc->words.n + log_normal(&rng, m->log_words, 2, MOST_WORDS);
    /* The last sentence goes beyond n or not, so that n is met on average: the one that passes
     * a place is longer than the mean, by its variance. */
    const double variance = m->log_sentence[1] * m->log_sentence[1];
    const size_t half = (size_t)(dpl__exp(m->log_sentence[0] + 1.5 * variance) / 2);
    s->content.n = 0;
    do
        DPL_TRY(dpl__need(add_sentence(doc, s, m, &rng, topic), err));
    while (doc->words.n + half < n);
    return DPL_OK;
}

/* ---- text --------------------------------------------------------------------------- */

typedef size_t spell_fn(char *out, const dpl__synth_model *m, uint64_t word);

static bool write_sentence(dpl__bytes *out, dpl__synth_scratch *s, const dpl__synth_model *m,
                           const uint64_t *words, size_t n, size_t number, spell_fn *spell)
{
    if (!dpl__vec_reserve(s->ctx, out, n * (DPL__SYNTH_MOST_LETTERS + 1) + 4))
        return false;
    char *at = out->data + out->n;
    if (number > 0 && number % PARAGRAPH == 0) {
        *at++ = '\\';
        *at++ = 'n';
    } else if (number > 0) {
        *at++ = ' ';
    }
    char *first = at;
    for (size_t i = 0; i < n; i++) {
        if (i)
            *at++ = ' ';
        at += spell(at, m, words[i]);
    }
    if (*first >= 'a' && *first <= 'z')
        *first = (char)(*first - 'a' + 'A');
    *at++ = '.';
    out->n = (size_t)(at - out->data);
    s->n_words += n;
    return true;
}

static size_t sentence(const uint64_t **words, const dpl__synth_doc *doc, size_t i)
{
    const uint32_t from = i ? doc->ends.data[i - 1] : 0;
    *words = doc->words.data + from;
    return doc->ends.data[i] - from;
}

dpl_status dpl__synth_left(dpl__bytes *out, dpl__synth_scratch *s, const dpl__synth_model *m,
                           const dpl__synth_plan *plan, uint64_t doc, dpl_error *err)
{
    s->source.words.n = s->source.ends.n = 0;
    DPL_TRY(
        dpl__synth_source(&s->source, s, m, dpl__synth_rng(plan, DPL__SYNTH_LEFT, doc), err));
    for (size_t i = 0; i < s->source.ends.n; i++) {
        const uint64_t *words;
        const size_t n = sentence(&words, &s->source, i);
        DPL_TRY(dpl__need(write_sentence(out, s, m, words, n, i, dpl__synth_spell_left), err));
    }
    return DPL_OK;
}

/* ---- translation -------------------------------------------------------------------- */

static bool add_translation(dpl__synth_scratch *s, const dpl__synth_model *m, dpl__rng *rng,
                            uint64_t word)
{
    uint64_t words[DPL__SYNTH_MOST_TRANSLATIONS];
    double p[DPL__SYNTH_MOST_TRANSLATIONS], draw = dpl__rng_real(rng);
    const size_t n = dpl__synth_translations(words, p, m, word);
    size_t which = 0;
    while (which + 1 < n && draw >= p[which])
        draw -= p[which++];
    return dpl__vec_push(s->ctx, &s->line, words[which]);
}

/* Any but a frequent word. */
static uint64_t other_word(const dpl__synth_model *m, dpl__rng *rng)
{
    for (;;) {
        const uint64_t word = dpl__synth_draw(m, rng);
        if (word >= DPL__SYNTH_FUNCTION)
            return word;
    }
}

static bool translate(dpl__synth_scratch *s, const dpl__synth_model *m, dpl__rng *rng,
                      const uint64_t *words, size_t n, double noise)
{
    s->line.n = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_frequent = words[i] < DPL__SYNTH_FUNCTION;
        if (is_frequent && happens(rng, dropped) && s->line.n)
            continue;
        const bool is_noise = !is_frequent && happens(rng, noise);
        if (!add_translation(s, m, rng, is_noise ? other_word(m, rng) : words[i]))
            return false;
        if (happens(rng, inserted) &&
            !add_translation(s, m, rng, dpl__rng_below(rng, DPL__SYNTH_FUNCTION)))
            return false;
    }
    for (size_t i = 0; i + 1 < s->line.n; i++)
        if (happens(rng, turned)) {
            const uint64_t word = s->line.data[i];
            s->line.data[i] = s->line.data[i + 1];
            s->line.data[++i] = word;
        }
    return true;
}

uint32_t dpl__synth_piece(uint32_t *first, const dpl__synth_plan *plan, uint64_t pair,
                          uint32_t n)
{
    uint32_t n_piece = (uint32_t)(dpl__synth_similarity(plan, pair) * n + 0.5);
    n_piece = n_piece < 1 ? 1 : n_piece > n ? n : n_piece;
    dpl__rng rng = dpl__synth_rng(plan, DPL__SYNTH_PAIR, pair);
    dpl__rng_next(&rng); /* the similarity */
    *first = (uint32_t)dpl__rng_below(&rng, n - n_piece + 1);
    return n_piece;
}

/* Sentences of other documents, at least n. */
static dpl_status fill(dpl__synth_scratch *s, const dpl__synth_model *m,
                       const dpl__synth_plan *plan, uint64_t pair, size_t n, dpl_error *err)
{
    dpl__rng rng = dpl__synth_rng(plan, DPL__SYNTH_FILL, pair);
    s->fill.words.n = s->fill.ends.n = 0;
    while (s->fill.ends.n < n)
        DPL_TRY(dpl__synth_source(&s->fill, s, m, (dpl__rng){dpl__rng_next(&rng)}, err));
    return DPL_OK;
}

dpl_status dpl__synth_right(dpl__bytes *out, dpl__synth_scratch *s, const dpl__synth_model *m,
                            const dpl__synth_plan *plan, const dpl_synth_options *set,
                            uint64_t doc, dpl_error *err)
{
    const uint64_t pair = dpl__synth_pair_of(plan, 1, doc);
    const bool is_paired = pair < plan->n_pairs;
    const dpl__rng source =
        is_paired ? dpl__synth_rng(plan, DPL__SYNTH_LEFT, dpl__permute(&plan->order[0], pair))
                  : dpl__synth_rng(plan, DPL__SYNTH_RIGHT, doc);
    dpl__rng rng = dpl__synth_rng(plan, DPL__SYNTH_TRANSLATE, doc);
    s->source.words.n = s->source.ends.n = s->fill.ends.n = 0;
    DPL_TRY(dpl__synth_source(&s->source, s, m, source, err));
    const uint32_t n = (uint32_t)s->source.ends.n;
    uint32_t first = 0, n_piece = n;
    if (is_paired)
        n_piece = dpl__synth_piece(&first, plan, pair, n);
    if (n_piece < n)
        DPL_TRY(fill(s, m, plan, pair, n, err));
    for (uint32_t i = 0; i < n; i++) {
        const bool is_translated = i >= first && i - first < n_piece;
        const uint64_t *words;
        const size_t n_words = sentence(&words, is_translated ? &s->source : &s->fill, i);
        DPL_TRY(dpl__need(
            translate(s, m, &rng, words, n_words, set->noise) &&
                write_sentence(out, s, m, s->line.data, s->line.n, i, dpl__synth_spell_right),
            err));
    }
    return DPL_OK;
}
