/*
 * maximize.c - expected counts become probabilities.
 *
 * A rare word co-occurs with many words, and EM from its counts alone overfits: it becomes the
 * translation of any of them that lacks one. The prior of a word is therefore what its class
 * (words with the same prefix) is aligned with; its weight falls as the counts of the word
 * grow:
 *
 *     p(right|left) = (c(left, right) + prior p(class of right | class of left)
 *                      p(right | class of right)) / (c(left) + prior)
 *
 * Classes are the same on both sides, and a class is likely to be aligned with itself (names,
 * numbers, loans): as if that had been seen same_class times (params.h).
 *
 * All links of the words of a left class are worked on by one thread, which adds up their
 * counts in a table over the right classes.
 */
#include "lexicon/maximize.h"

#include "base/arena.h"
#include "lexicon/lexicon_params.h"
#include "par/pool.h"

/* Links of a task; a token takes as long as TOKEN_LINKS, with the cells of its row. */
enum { TASK_LINKS = 1 << 15, TOKEN_LINKS = 4 };

struct dpl__maximizer {
    dpl_ctx *ctx;
    dpl__arena arena; /* of all that follows */
    dpl__wordmodel *model;
    const dpl__tally *tallies;
    float prior;
    bool has_classes; /* if not, every word is one */
    uint32_t n_classes[2];
    const uint32_t *classes[2];
    float *shares[2];               /* of each word: p(word | its class) */
    uint32_t *class_begin;          /* of each left class: its words */
    uint32_t *class_words, *places; /* left words by class, and where each stands */
    size_t *tasks;                  /* of left classes */
    size_t n_tasks, first_task;     /* first_task: of a part */
    const uint64_t *counted;        /* of dpl__maximize_some */
    const dpl__word_links *some;
    size_t n_some;
    uint64_t *totals;     /* for each worker, of each right word */
    float *inverse;       /* of each right word: 1 / (total + prior) */
    float *class_inverse; /* of each right class: prior / total */
    double (*sums)[2];    /* for each worker, of each right class: counts of a left class */
};

/* ---- constant over iterations ------------------------------------------------------- */

static bool assign_own_classes(dpl__maximizer *m, int side)
{
    uint32_t n = m->model->n_words[side];
    uint32_t *classes = dpl__arena_alloc(&m->arena, n * sizeof *classes);
    for (uint32_t w = 0; classes && w < n; w++)
        classes[w] = w;
    m->classes[side] = classes;
    m->n_classes[side] = n;
    return classes;
}

static bool find_shares(dpl__maximizer *m, int side)
{
    uint32_t n = m->model->n_words[side];
    const uint64_t *tokens = m->model->tokens[side];
    float *shares = dpl__arena_alloc(&m->arena, n * sizeof *shares);
    uint64_t *in_class = dpl__calloc(m->ctx, m->n_classes[side], sizeof *in_class);
    bool has_room = shares && (in_class || m->n_classes[side] == 0);
    for (uint32_t w = 0; has_room && w < n; w++) {
        assert(m->classes[side][w] < m->n_classes[side]);
        in_class[m->classes[side][w]] += tokens[w];
    }
    for (uint32_t w = 0; has_room && w < n; w++) {
        uint64_t all = in_class[m->classes[side][w]];
        shares[w] = all ? (float)((double)tokens[w] / (double)all) : 0;
    }
    dpl__free(m->ctx, in_class);
    m->shares[side] = shares;
    return has_room;
}

static bool group_words(dpl__maximizer *m)
{
    uint32_t n = m->model->n_words[DPL__LEFT], n_classes = m->n_classes[DPL__LEFT];
    const uint32_t *classes = m->classes[DPL__LEFT];
    size_t n_bytes = ((size_t)n_classes + 1) * sizeof *m->class_begin;
    m->class_begin = dpl__arena_alloc(&m->arena, n_bytes);
    m->class_words = dpl__arena_alloc(&m->arena, n * sizeof *m->class_words);
    m->places = dpl__arena_alloc(&m->arena, n * sizeof *m->places);
    if (!m->class_begin || !m->class_words || !m->places)
        return false;
    memset(m->class_begin, 0, n_bytes);
    for (uint32_t w = 0; w < n; w++)
        m->class_begin[classes[w]]++;
    for (uint32_t c = 0; c < n_classes; c++)
        m->class_begin[c + 1] += m->class_begin[c];
    for (uint32_t w = n; w-- > 0;) {
        m->places[w] = --m->class_begin[classes[w]];
        m->class_words[m->places[w]] = w;
    }
    assert(m->class_begin[0] == 0 && m->class_begin[n_classes] == n);
    return true;
}

static bool make_tasks(dpl__maximizer *m)
{
    uint32_t n_classes = m->n_classes[DPL__LEFT];
    m->tasks = dpl__arena_alloc(&m->arena, ((size_t)n_classes + 1) * sizeof *m->tasks);
    if (!m->tasks)
        return false;
    uint64_t n_links = 0;
    m->tasks[0] = 0;
    for (uint32_t c = 0; c < n_classes; c++) {
        for (uint32_t k = m->class_begin[c]; k < m->class_begin[c + 1]; k++) {
            uint32_t w = m->class_words[k];
            n_links += m->model->begin[w + 1] - m->model->begin[w] +
                       TOKEN_LINKS * m->model->tokens[DPL__LEFT][w];
        }
        if (n_links >= TASK_LINKS || c + 1 == n_classes) {
            m->tasks[++m->n_tasks] = c + 1;
            n_links = 0;
        }
    }
    return true;
}

static bool make_tables(dpl__maximizer *m)
{
    size_t n = m->model->n_words[DPL__RIGHT], n_classes = m->n_classes[DPL__RIGHT];
    size_t n_sums = n_classes * dpl_ctx_threads(m->ctx), n_totals = n * dpl_ctx_threads(m->ctx);
    m->totals = dpl__arena_alloc(&m->arena, n_totals * sizeof *m->totals);
    m->inverse = dpl__arena_alloc(&m->arena, n * sizeof *m->inverse);
    m->class_inverse = dpl__arena_alloc(&m->arena, n_classes * sizeof *m->class_inverse);
    m->sums = dpl__arena_alloc(&m->arena, n_sums * sizeof *m->sums);
    if (m->sums)
        dpl__parallel_set(m->ctx, m->sums, 0, n_sums * sizeof *m->sums);
    if (m->totals)
        dpl__parallel_set(m->ctx, m->totals, 0, n_totals * sizeof *m->totals);
    return m->totals && m->inverse && m->class_inverse && m->sums;
}

dpl_status dpl__maximizer_new(dpl__maximizer **out, dpl__wordmodel *model,
                              const dpl__encoded *corpus, double prior, dpl_error *err)
{
    *out = NULL;
    dpl__maximizer *m = dpl__calloc(model->ctx, 1, sizeof *m);
    DPL_TRY(dpl__need(m, err));
    m->ctx = model->ctx;
    m->model = model;
    m->prior = (float)prior;
    m->has_classes = corpus->n_classes > 0;
    dpl__arena_init(&m->arena, m->ctx);
    bool has_room = true;
    for (int side = 0; side < 2 && has_room; side++) {
        m->classes[side] = corpus->side[side].classes;
        m->n_classes[side] = corpus->n_classes;
        has_room = (m->has_classes || assign_own_classes(m, side)) && find_shares(m, side);
    }
    if (!has_room || !group_words(m) || !make_tasks(m) || !make_tables(m)) {
        dpl__maximizer_free(m);
        return dpl__fail_nomem(err);
    }
    *out = m;
    return DPL_OK;
}

void dpl__maximizer_free(dpl__maximizer *m)
{
    if (!m)
        return;
    dpl__arena_clear(&m->arena);
    dpl__free(m->ctx, m);
}

/* ---- counts of all workers ---------------------------------------------------------- */

typedef struct gathering {
    uint64_t *counts;
    size_t n;
    unsigned n_workers;
} gathering;

enum { GATHERED = 2048 }; /* words of a part */

static void gather_part(void *user, size_t part)
{
    const gathering *g = user;
    const size_t first = part * GATHERED, end = dpl__min(first + GATHERED, g->n);
    for (unsigned i = 1; i < g->n_workers; i++) {
        uint64_t *counts = g->counts + i * g->n;
        for (size_t w = first; w < end; w++)
            g->counts[w] += counts[w];
        memset(counts + first, 0, (end - first) * sizeof *counts);
    }
}

dpl_status dpl__counts_gather(dpl_ctx *ctx, uint64_t *counts, size_t n, dpl_error *err)
{
    gathering g = {counts, n, dpl_ctx_threads(ctx)};
    return dpl__parallel_each(ctx, g.n_workers > 1 ? (n + GATHERED - 1) / GATHERED : 0, &g,
                              gather_part, err);
}

/* ---- each iteration ----------------------------------------------------------------- */

/* From link *k on, the first one before end that has a count. */
static inline bool next_counted(const dpl__maximizer *m, uint64_t *k, uint64_t end)
{
    return m->counted ? dpl__next_link(m->counted, k, end) : *k < end;
}

/* The links of the words of a task's classes, class by class, word by word. */
static dpl_status add_totals(void *user, size_t task, unsigned worker, dpl_error *err)
{
    (void)err;
    const dpl__maximizer *m = user;
    const dpl__wordmodel *model = m->model;
    uint64_t *totals = m->totals + (size_t)worker * model->n_words[DPL__RIGHT];
    const size_t *classes = m->tasks + m->first_task + task;
    uint32_t first = m->class_begin[classes[0]], end = m->class_begin[classes[1]];
    for (uint32_t i = first; i < end; i++) {
        uint32_t w = m->class_words[i];
        for (uint64_t k = model->begin[w]; next_counted(m, &k, model->begin[w + 1]); k++)
            totals[model->right[k]] += dpl__count_units(m->tallies[k].p[DPL__RIGHT]);
    }
    return DPL_OK;
}

static void invert_totals(dpl__maximizer *m)
{
    for (uint32_t c = 0; c < m->n_classes[DPL__RIGHT]; c++)
        m->class_inverse[c] = m->has_classes ? (float)DPL__P(lexicon, same_class) : 0;
    uint32_t n = m->model->n_words[DPL__RIGHT];
    for (uint32_t w = 0; w < n; w++) {
        double total = dpl__counts_take(m->totals, w);
        m->inverse[w] = (float)(1 / (total + (double)m->prior));
        m->class_inverse[m->classes[DPL__RIGHT][w]] += (float)total;
    }
    for (uint32_t c = 0; c < m->n_classes[DPL__RIGHT]; c++)
        m->class_inverse[c] = m->class_inverse[c] > 0 ? m->prior / m->class_inverse[c] : 0;
}

/* Counts of a left class and each right class; returns those with all of them. */
static double add_class(const dpl__maximizer *m, uint32_t class, double (*sums)[2])
{
    const dpl__wordmodel *model = m->model;
    double total = 0;
    if (m->has_classes)
        total = sums[class][DPL__LEFT] = sums[class][DPL__RIGHT] = DPL__P(lexicon, same_class);
    for (uint32_t i = m->class_begin[class]; i < m->class_begin[class + 1]; i++) {
        uint32_t w = m->class_words[i];
        for (uint64_t k = model->begin[w]; next_counted(m, &k, model->begin[w + 1]); k++) {
            double *sum = sums[m->classes[DPL__RIGHT][model->right[k]]];
            sum[DPL__LEFT] += m->tallies[k].p[DPL__LEFT];
            sum[DPL__RIGHT] += m->tallies[k].p[DPL__RIGHT];
            total += m->tallies[k].p[DPL__LEFT];
        }
    }
    return total;
}

/* Factors for all links of a left word. */
typedef struct word_scale {
    float inverse, class_inverse, share;
} word_scale;

static word_scale scale_of(const dpl__maximizer *m, uint32_t w, double total,
                           double class_total)
{
    return (word_scale){(float)(1 / (total + (double)m->prior)),
                        class_total > 0 ? m->prior / (float)class_total : 0,
                        m->shares[DPL__LEFT][w]};
}

static inline void normalize_link(const dpl__maximizer *m, uint64_t k, const word_scale *scale,
                                  double (*sums)[2])
{
    const float least = (float)DPL__P(lexicon, least_link_p);
    const dpl__wordmodel *model = m->model;
    uint32_t right = model->right[k], class = m->classes[DPL__RIGHT][right];
    const float *c = m->tallies[k].p;
    float p =
        (float)sums[class][DPL__LEFT] * scale->class_inverse * m->shares[DPL__RIGHT][right];
    float q = (float)sums[class][DPL__RIGHT] * m->class_inverse[class] * scale->share;
    p = (c[DPL__LEFT] + p) * scale->inverse;
    q = (c[DPL__RIGHT] + q) * m->inverse[right];
    model->links[k].p[DPL__LEFT] = p > least ? p : least;
    model->links[k].p[DPL__RIGHT] = q > least ? q : least;
}

/* The word at a place. */
static void normalize_word(const dpl__maximizer *m, uint32_t place, double class_total,
                           double (*sums)[2])
{
    const dpl__wordmodel *model = m->model;
    const uint32_t w = m->class_words[place];
    double total = 0;
    for (uint64_t k = model->begin[w]; next_counted(m, &k, model->begin[w + 1]); k++)
        total += m->tallies[k].p[DPL__LEFT];
    const word_scale scale = scale_of(m, w, total, class_total);
    for (uint64_t k = model->begin[w]; !m->counted && k < model->begin[w + 1]; k++)
        normalize_link(m, k, &scale, sums);
    for (size_t i = 0; i < m->n_some; i++)
        for (size_t j = m->some[i].begin[place]; j < m->some[i].begin[place + 1]; j++)
            normalize_link(m, m->some[i].links[j], &scale, sums);
}

static void clear_class(const dpl__maximizer *m, uint32_t class, double (*sums)[2])
{
    const dpl__wordmodel *model = m->model;
    if (m->has_classes)
        memset(sums[class], 0, sizeof *sums);
    for (uint32_t i = m->class_begin[class]; i < m->class_begin[class + 1]; i++) {
        uint32_t w = m->class_words[i];
        for (uint64_t k = model->begin[w]; next_counted(m, &k, model->begin[w + 1]); k++)
            memset(sums[m->classes[DPL__RIGHT][model->right[k]]], 0, sizeof *sums);
    }
}

static dpl_status normalize_classes(void *user, size_t task, unsigned worker, dpl_error *err)
{
    (void)err;
    const dpl__maximizer *m = user;
    double(*sums)[2] = m->sums + (size_t)worker * m->n_classes[DPL__RIGHT];
    const size_t *classes = m->tasks + m->first_task + task;
    for (size_t c = classes[0]; c < classes[1]; c++) {
        double total = add_class(m, (uint32_t)c, sums);
        for (uint32_t i = m->class_begin[c]; i < m->class_begin[c + 1]; i++)
            normalize_word(m, i, total, sums);
        clear_class(m, (uint32_t)c, sums);
    }
    return DPL_OK;
}

/* Runs some work on the tasks of a part. */
static dpl_status each_task(dpl__maximizer *m, const dpl__tally *tallies, dpl__class_range part,
                            dpl_status (*run)(void *, size_t, unsigned, dpl_error *),
                            dpl_error *err)
{
    m->tallies = tallies;
    m->first_task = part.first_task;
    return dpl__parallel_for(m->ctx, part.end_task - part.first_task, m, run, err);
}

dpl_status dpl__maximize(dpl__maximizer *m, const dpl__tally *tallies, dpl_error *err)
{
    const dpl__class_range all = dpl__maximizer_part(m, 0, 1);
    DPL_TRY(each_task(m, tallies, all, add_totals, err));
    DPL_TRY(dpl__counts_gather(m->ctx, m->totals, m->model->n_words[DPL__RIGHT], err));
    invert_totals(m);
    return each_task(m, tallies, all, normalize_classes, err);
}

dpl_status dpl__maximize_some(dpl__maximizer *m, const dpl__tally *tallies,
                              const uint64_t *counted, const dpl__word_links *some, size_t n,
                              dpl_error *err)
{
    assert(counted && !m->counted);
    m->counted = counted;
    m->some = some;
    m->n_some = n;
    const dpl_status status = dpl__maximize(m, tallies, err);
    m->counted = NULL;
    m->n_some = 0;
    return status;
}

/* ---- in parts ----------------------------------------------------------------------- */

const uint32_t *dpl__maximizer_words(const dpl__maximizer *m)
{
    return m->class_words;
}

const uint32_t *dpl__maximizer_places(const dpl__maximizer *m)
{
    return m->places;
}

dpl__class_range dpl__maximizer_part(const dpl__maximizer *m, size_t i, size_t n)
{
    assert(i < n);
    const size_t first = m->n_tasks * i / n, end = m->n_tasks * (i + 1) / n;
    return (dpl__class_range){first, end, m->class_begin[m->tasks[first]],
                              m->class_begin[m->tasks[end]]};
}

dpl_status dpl__maximizer_total(uint64_t *out, dpl__maximizer *m, const dpl__tally *tallies,
                                dpl__class_range part, dpl_error *err)
{
    const uint32_t n = m->model->n_words[DPL__RIGHT];
    DPL_TRY(each_task(m, tallies, part, add_totals, err));
    DPL_TRY(dpl__counts_gather(m->ctx, m->totals, n, err));
    memcpy(out, m->totals, n * sizeof *out);
    memset(m->totals, 0, n * sizeof *m->totals);
    return DPL_OK;
}

void dpl__maximizer_set_totals(dpl__maximizer *m, const uint64_t *totals)
{
    memcpy(m->totals, totals, m->model->n_words[DPL__RIGHT] * sizeof *totals);
    invert_totals(m);
}

dpl_status dpl__maximizer_normalize(dpl__maximizer *m, const dpl__tally *tallies,
                                    dpl__class_range part, dpl_error *err)
{
    return each_task(m, tallies, part, normalize_classes, err);
}
