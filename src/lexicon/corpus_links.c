/*
 * corpus_links.c - a corpus becomes the table of its links.
 *
 * The left tokens are grouped by word; for each left word, on all threads, the right
 * words of its rows are counted in a table over the right vocabulary. Two passes: the first
 * finds how many links there are (and how strong they are, to leave out the weakest if there
 * are too many), the second writes them. Two nanoseconds a cell, and no memory but that of the
 * result: for a large corpus the left words are taken in slices.
 */
#include "lexicon/corpus_links.h"

#include "base/arena.h"
#include "base/order.h"
#include "par/pool.h"

#include <stdlib.h>

/* Strengths, n(l,r)^2 / (n(l) n(r)), in steps of a quarter octave; 0 is below 2^-64. */
enum { STEPS_PER_OCTAVE = 4, N_STRENGTHS = 80 * STEPS_PER_OCTAVE };

/* A worker's tables over the right vocabulary. */
typedef struct scratch {
    uint32_t *counts; /* zero between words */
    uint32_t *seen;   /* the right words counted */
    uint64_t *bits;   /* for sorting them; zero between words */
    uint64_t strengths[N_STRENGTHS];
} scratch;

typedef struct finder {
    dpl_ctx *ctx;
    dpl__arena arena; /* of what follows */
    const dpl__encoded *corpus;
    const dpl__wordmodel *known;
    const dpl__links_options *limits;
    dpl__wordmodel *out;
    dpl__occurrences occurrences;
    scratch *workers;
    uint32_t end_word;
    unsigned weakest; /* links below this strength are left out */
    bool is_writing;
} finder;

/* A count that marks a link of the known model, which is always kept. */
#define KNOWN UINT32_MAX

/* ---- one word ----------------------------------------------------------------------- */

static unsigned strength(const finder *f, uint32_t left, uint32_t right, uint32_t count)
{
    assert(count > 0);
    if (count == KNOWN)
        return N_STRENGTHS - 1;
    double n = count;
    float x = (float)(n * n /
                      ((double)f->out->tokens[DPL__LEFT][left] *
                       (double)f->out->tokens[DPL__RIGHT][right]));
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    /* The exponent and two bits of the mantissa. */
    int step = (int)(bits >> 21) - (127 - 64) * STEPS_PER_OCTAVE;
    return step < 0 ? 0 : step < N_STRENGTHS ? (unsigned)step : N_STRENGTHS - 1;
}

/* The right words that co-occur with the left word into seen, how often into counts. */
static size_t count_word(const finder *f, uint32_t word, scratch *s)
{
    size_t n = 0;
    if (f->known && word < f->known->n_words[DPL__LEFT])
        for (uint64_t k = f->known->begin[word]; k < f->known->begin[word + 1]; k++) {
            s->counts[f->known->right[k]] = KNOWN;
            s->seen[n++] = f->known->right[k];
        }
    uint32_t w = word - f->occurrences.first_word, end = f->occurrences.begin[w + 1];
    const uint32_t *tokens = f->corpus->side[DPL__RIGHT].tokens;
    for (uint32_t at = f->occurrences.begin[w]; at < end; at++) {
        const dpl__occurrence *occurrence = &f->occurrences.all[at];
        const uint32_t *right = tokens + occurrence->right;
        DPL_PREFETCH(tokens + dpl__occurrences_ahead(&f->occurrences, at, end)->right);
        for (uint32_t j = 0; j < occurrence->n_right; j++) {
            uint32_t count = s->counts[right[j]];
            if (count == 0)
                s->seen[n++] = right[j];
            s->counts[right[j]] = count + (count < KNOWN - 1);
        }
    }
    return n;
}

static void sort_few(uint32_t *a, size_t n)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t x = a[i];
        size_t k = i;
        for (; k > 0 && a[k - 1] > x; k--)
            a[k] = a[k - 1];
        a[k] = x;
    }
}

DPL__RISING_NUMBERS(by_number, uint32_t)

/* Distinct numbers below n_all; bits has a zero bit for each, and has again afterwards. */
static void sort(uint32_t *a, size_t n, uint64_t *bits, size_t n_all)
{
    assert(n <= n_all);
    if (n < 24) {
        sort_few(a, n);
        return;
    }
    if (n < n_all / 2048) {
        qsort(a, n, sizeof *a, by_number);
        return;
    }
    for (size_t i = 0; i < n; i++)
        bits[a[i] / 64] |= (uint64_t)1 << a[i] % 64;
    for (size_t i = 0, k = 0; i < n; k++)
        for (uint64_t word = bits[k]; word; word &= word - 1) {
            a[i++] = (uint32_t)(64 * k) + (uint32_t)__builtin_ctzll(word);
            bits[k] = 0;
        }
}

static void find_word(const finder *f, uint32_t word, scratch *s)
{
    size_t n = count_word(f, word, s), n_kept = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t right = s->seen[i];
        unsigned step = strength(f, word, right, s->counts[right]);
        s->counts[right] = 0;
        s->strengths[step]++;
        if (step >= f->weakest)
            s->seen[n_kept++] = right;
    }
    if (!f->is_writing) {
        f->out->begin[word + 1] = n_kept;
        return;
    }
    if (n_kept == 0)
        return;
    assert(f->out->begin[word] + n_kept == f->out->begin[word + 1]);
    sort(s->seen, n_kept, s->bits, f->out->n_words[DPL__RIGHT]);
    memcpy(f->out->right + f->out->begin[word], s->seen, n_kept * sizeof *s->seen);
}

static dpl_status find_words(void *user, size_t task, unsigned worker, dpl_error *err)
{
    (void)err;
    finder *f = user;
    const dpl__word_task t = f->occurrences.tasks.data[task];
    for (uint32_t w = t.begin; w < t.end; w++)
        find_word(f, f->occurrences.first_word + w, &f->workers[worker]);
    return DPL_OK;
}

/* ---- all words ---------------------------------------------------------------------- */

/* The end of a slice of words that begins at `word`. */
static uint32_t slice_end(const finder *f, uint32_t word)
{
    uint64_t n = 0;
    uint32_t end = word;
    do
        n += f->out->tokens[DPL__LEFT][end++];
    while (end < f->end_word &&
           n + f->out->tokens[DPL__LEFT][end] <= f->limits->max_occurrences);
    return end;
}

static dpl_status each_word(finder *f, dpl_error *err)
{
    for (unsigned i = 0; i < dpl_ctx_threads(f->ctx); i++)
        memset(f->workers[i].strengths, 0, sizeof f->workers[i].strengths);
    uint32_t end;
    for (uint32_t word = f->limits->first_word; word < f->end_word; word = end) {
        end = slice_end(f, word);
        bool is_all =
            word == f->limits->first_word && end == f->end_word && f->occurrences.begin;
        dpl__occurrence_range range = {.corpus = f->corpus,
                                       .max_tokens = f->limits->max_tokens,
                                       .end = f->corpus->n_rows,
                                       .first_word = word,
                                       .end_word = end};
        if (!is_all)
            DPL_TRY(dpl__occurrences_fill(&f->occurrences, &range, err));
        DPL_TRY(dpl__parallel_for(f->ctx, f->occurrences.tasks.n, f, find_words, err));
    }
    return DPL_OK;
}

/* Leaves out as many strengths as needed, but not the highest. */
static void choose_weakest(finder *f)
{
    uint64_t n = 0;
    unsigned step = N_STRENGTHS;
    while (step > 0 && n <= f->limits->max_links) {
        step--;
        for (unsigned i = 0; i < dpl_ctx_threads(f->ctx); i++)
            n += f->workers[i].strengths[step];
    }
    f->weakest = step < N_STRENGTHS - 1 ? step + 1 : step;
}

static uint64_t add_up(uint64_t *begin, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        begin[i + 1] += begin[i];
    return begin[n];
}

static dpl_status find(finder *f, uint64_t *n_dropped, dpl_error *err)
{
    dpl__wordmodel *m = f->out;
    uint32_t n_left = m->n_words[DPL__LEFT];
    DPL_TRY(each_word(f, err));
    uint64_t n_links = add_up(m->begin, n_left), n_found = n_links;
    if (n_links > f->limits->max_links) {
        choose_weakest(f);
        memset(m->begin, 0, ((size_t)n_left + 1) * sizeof *m->begin);
        DPL_TRY(each_word(f, err));
        n_links = add_up(m->begin, n_left);
    }
    if (n_links >= UINT32_MAX - 1)
        return dpl__fail(err, DPL_E_LIMIT, "the corpus has more than %u pairs of words",
                         UINT32_MAX);
    m->n_links = n_links;
    *n_dropped = n_found - n_links;
    m->right = dpl__alloc(m->ctx, (size_t)n_links * sizeof *m->right);
    m->links = dpl__alloc(m->ctx, ((size_t)n_links + 2) * sizeof *m->links);
    if ((!m->right && n_links) || !m->links)
        return dpl__fail_nomem(err);
    f->is_writing = true;
    return each_word(f, err);
}

typedef struct counting {
    dpl__wordmodel *to;
    const dpl__encoded *corpus;
    const dpl__wordmodel *known;
    size_t max_tokens;
} counting;

static void count_tokens(void *user, size_t side)
{
    const counting *c = user;
    const dpl__encoded *b = c->corpus;
    uint64_t *n_tokens = c->to->tokens[side];
    for (size_t row = 0; row < b->n_rows; row++) {
        if (!dpl__encoded_cells(b, row, c->max_tokens))
            continue;
        const uint32_t *tokens = dpl__encoded_tokens(b, (int)side, row);
        for (size_t i = 0; i < dpl__encoded_length(b, (int)side, row); i++)
            n_tokens[tokens[i]]++;
    }
    for (uint32_t w = 0; c->known && w < c->known->n_words[side]; w++)
        n_tokens[w] += c->known->tokens[side][w];
}

dpl_status dpl__links_begin(dpl__wordmodel *m, dpl_ctx *ctx, const dpl__encoded *corpus,
                            const dpl__links_options *options, dpl_error *err)
{
    const dpl__wordmodel *known = options->known;
    *m = (dpl__wordmodel){.ctx = ctx};
    for (int side = 0; side < 2; side++) {
        size_t n = m->n_words[side] = corpus->side[side].n_words;
        assert(!known || known->n_words[side] <= n);
        m->tokens[side] = dpl__calloc(ctx, n, sizeof *m->tokens[side]);
        if (!m->tokens[side] && n)
            return dpl__fail_nomem(err);
    }
    counting counts = {m, corpus, known, options->max_tokens};
    DPL_TRY(dpl__parallel_each(ctx, 2, &counts, count_tokens, err));
    m->begin = dpl__calloc(ctx, (size_t)m->n_words[DPL__LEFT] + 1, sizeof *m->begin);
    return dpl__need(m->begin, err);
}

static dpl_status make_scratch(finder *f, dpl_error *err)
{
    const dpl__wordmodel *m = f->out;
    const size_t n_threads = dpl_ctx_threads(f->ctx), n_right = m->n_words[DPL__RIGHT],
                 n_bits = n_right / 64 + 1;
    f->workers = dpl__arena_alloc(&f->arena, n_threads * sizeof *f->workers);
    uint32_t *counts = dpl__arena_alloc(&f->arena, n_threads * n_right * sizeof *counts),
             *seen = dpl__arena_alloc(&f->arena, n_threads * n_right * sizeof *seen);
    uint64_t *bits = dpl__arena_alloc(&f->arena, n_threads * n_bits * sizeof *bits);
    DPL_TRY(dpl__need(f->workers && counts && seen && bits, err));
    dpl__parallel_set(f->ctx, counts, 0, n_threads * n_right * sizeof *counts);
    dpl__parallel_set(f->ctx, bits, 0, n_threads * n_bits * sizeof *bits);
    for (size_t i = 0; i < n_threads; i++) {
        f->workers[i].counts = counts + i * n_right;
        f->workers[i].seen = seen + i * n_right;
        f->workers[i].bits = bits + i * n_bits;
    }
    return DPL_OK;
}

dpl_status dpl__links_find(dpl__wordmodel *out, uint64_t *n_dropped, dpl_ctx *ctx,
                           const dpl__encoded *corpus, const dpl__links_options *options,
                           dpl_error *err)
{
    finder f = {.ctx = ctx,
                .corpus = corpus,
                .known = options->known,
                .limits = options,
                .out = out,
                .occurrences.ctx = ctx};
    dpl__arena_init(&f.arena, ctx);
    dpl_status status;
    DPL__STEP(dpl__links_begin(out, ctx, corpus, options, err));
    f.end_word = options->end_word ? options->end_word : out->n_words[DPL__LEFT];
    DPL__STEP(make_scratch(&f, err));
    DPL__STEP(find(&f, n_dropped, err));
    if (options->left_over && f.occurrences.n_words == out->n_words[DPL__LEFT]) {
        *options->left_over = f.occurrences;
        f.occurrences = (dpl__occurrences){.ctx = ctx};
    }
done:
    dpl__occurrences_clear(&f.occurrences);
    dpl__arena_clear(&f.arena);
    if (status != DPL_OK)
        dpl__wordmodel_clear(out);
    return status;
}
