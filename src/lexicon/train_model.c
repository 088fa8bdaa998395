/*
 * train_model.c - expectation-maximisation: links, Model 1, then the hidden Markov model.
 */
#include "lexicon/train_model.h"

#include "base/ctx.h"
#include "base/mappings.h"
#include "base/maths.h"
#include "io/parts.h"
#include "io/shared_run.h"
#include "lexicon/corpus_links.h"
#include "lexicon/divided_step.h"
#include "lexicon/hmm.h"
#include "lexicon/lexicon_params.h"
#include "lexicon/model1.h"
#include "lexicon/row_repeats.h"
#include "par/pool.h"

#include <stdlib.h>

/* ---- options, sizes ----------------------------------------------------------------- */

/* A link: its right word, probabilities, tally, count. A cell: its number, and its share of the
 * data of each token. */
enum {
    LINK_BYTES = sizeof(uint32_t) + sizeof(dpl__link_p) + sizeof(dpl__tally) + sizeof(float),
    CELL_BYTES = 6,
    WORD_BYTES = 60,        /* of either side: counts, shares, classes, places */
    WORD_THREAD_BYTES = 20, /* the same, for each thread */
};

static void fill_in(dpl__model_options *o, const dpl__model_options *given)
{
    *o = given ? *given : (dpl__model_options){0};
    o->n_model1 = o->n_model1 ? o->n_model1 : (unsigned)DPL__P(lexicon, n_model1);
    o->n_hmm = o->no_hmm ? 0 : o->n_hmm ? o->n_hmm : (unsigned)DPL__P(lexicon, n_hmm);
    o->max_tokens = o->max_tokens ? o->max_tokens : (size_t)DPL__P(lexicon, max_tokens);
    o->prior = o->prior > 0 ? o->prior : DPL__P(lexicon, class_prior);
    o->p_empty = o->p_empty > 0 ? o->p_empty : DPL__P(lexicon, p_empty);
}

static void count_rows(dpl__model_summary *s, const dpl__encoded *b, size_t max_tokens)
{
    *s = (dpl__model_summary){0};
    for (size_t row = 0; row < b->n_rows; row++) {
        size_t n_cells = dpl__encoded_cells(b, row, max_tokens);
        bool is_empty =
            !dpl__encoded_length(b, DPL__LEFT, row) || !dpl__encoded_length(b, DPL__RIGHT, row);
        s->n_rows += n_cells > 0;
        s->n_empty += is_empty;
        s->n_long += n_cells == 0 && !is_empty;
        s->n_cells += n_cells;
        for (int side = 0; side < 2 && n_cells; side++) {
            size_t n = dpl__encoded_length(b, side, row);
            s->n_tokens[side] += n;
            s->longest = dpl__max(s->longest, n);
        }
    }
}

/* The cells of a block are counted in 32 bits, and a row may be the one too many. */
#define MOST_CELLS ((uint64_t)UINT32_MAX / 2)

/* Bytes for everything but links and cells. */
static uint64_t count_rest(const dpl__trainer *t, size_t longest)
{
    uint64_t n_threads = dpl_ctx_threads(t->ctx);
    uint64_t n_words = (uint64_t)t->corpus->side[0].n_words + t->corpus->side[1].n_words;
    return dpl__ctx_used(t->ctx) + n_words * (WORD_BYTES + WORD_THREAD_BYTES * n_threads) +
           (t->options.n_hmm ? dpl__hmm_row_bytes(longest) * n_threads : 0);
}

/* rest: bytes for everything but links and cells. */
static dpl_status check_links(const dpl__trainer *t, const dpl__model_summary *s, uint64_t rest,
                              dpl_error *err)
{
    if (!t->options.needs_all_links || !s->n_dropped)
        return DPL_OK;
    uint64_t needed = (t->model->n_links + s->n_dropped) * LINK_BYTES / 3 * 4 + rest;
    return dpl__fail_code(
        err, DPL_E_LIMIT, "memory",
        "training on %llu sentence pairs needs about %llu MiB of memory; the limit is "
        "%llu",
        (unsigned long long)s->n_rows, (unsigned long long)(needed >> 20) + 1,
        (unsigned long long)(dpl_ctx_memory(t->ctx) >> 20));
}

/* ---- the trainer -------------------------------------------------------------------- */

enum { TASK_LINKS = 1 << 15 };

static dpl_status make_tasks(dpl__trainer *t, dpl_error *err)
{
    const dpl__wordmodel *m = t->model;
    size_t n = m->n_words[DPL__LEFT], first = 0;
    bool has_room = dpl__vec_push(t->ctx, &t->tasks, 0);
    for (size_t w = 0; w < n && has_room; w++)
        if (m->begin[w + 1] - m->begin[first] >= TASK_LINKS || w + 1 == n) {
            has_room = dpl__vec_push(t->ctx, &t->tasks, w + 1);
            first = w + 1;
        }
    return dpl__need(has_room, err);
}

/* One more, so that there is always something to point to. */
static size_t n_empty(const dpl__trainer *t, int side)
{
    return (size_t)t->model->n_words[!side] * dpl_ctx_threads(t->ctx) + 1;
}

static void free_inverse(dpl__trainer *t)
{
    for (int side = 0; side < 2; side++) {
        dpl__free(t->ctx, t->inverse[side]);
        t->inverse[side] = NULL;
        t->cap_inverse[side] = 0;
    }
}

static void clear_trainer(dpl__trainer *t)
{
    free_inverse(t);
    dpl__divided_free(t->divided);
    t->divided = NULL;
    dpl__maximizer_free(t->maximizer);
    dpl__free(t->ctx, t->times);
    dpl__link_ids_clear(&t->link_ids);
    dpl__link_ids_clear(&t->word_ids);
    dpl__vec_clear(t->ctx, &t->tasks);
    dpl__free(t->ctx, t->empty[0], t->empty[1], t->tallies);
    t->maximizer = NULL;
    t->times = NULL;
    t->empty[0] = t->empty[1] = NULL;
    t->tallies = NULL;
}

static dpl_status allocate(dpl__trainer *t, dpl_error *err)
{
    dpl__wordmodel *m = t->model;
    size_t n_links = (size_t)m->n_links;
    t->tallies = dpl__alloc(t->ctx, n_links * sizeof *t->tallies);
    m->counts = dpl__alloc(t->ctx, n_links * sizeof *m->counts);
    bool has_room = (t->tallies && m->counts) || !n_links;
    for (int side = 0; side < 2; side++) {
        size_t n = m->n_words[!side];
        const size_t n_bytes = n_empty(t, side) * sizeof *t->empty[side];
        t->empty[side] = dpl__alloc(t->ctx, n_bytes);
        if (t->empty[side])
            dpl__parallel_set(t->ctx, t->empty[side], 0, n_bytes);
        m->empty[side] = dpl__alloc(t->ctx, n * sizeof *m->empty[side]);
        has_room = has_room && t->empty[side] && (m->empty[side] || !n);
    }
    return has_room ? make_tasks(t, err) : dpl__fail_nomem(err);
}

/* Tables of links are large: their pages are first touched on all threads. */
static void init_links(void *user, size_t task)
{
    const dpl__trainer *t = user;
    dpl__wordmodel *m = t->model;
    const uint64_t begin = m->begin[t->tasks.data[task]],
                   end = m->begin[t->tasks.data[task + 1]];
    dpl__link_p each;
    for (int side = 0; side < 2; side++)
        each.p[side] = 1 / (float)m->n_words[!side];
    for (uint64_t k = begin; k < end; k++)
        m->links[k] = each;
    if (t->options.start && end > begin)
        memset(m->counts + begin, 0, (size_t)(end - begin) * sizeof *m->counts);
}

/* Initialises everything but the links. */
static void init_uniform(dpl__trainer *t)
{
    dpl__wordmodel *m = t->model;
    for (int side = 0; side < 2; side++) {
        float each = 1 / (float)m->n_words[!side];
        for (uint32_t w = 0; w < m->n_words[!side]; w++)
            m->empty[side][w] = each;
        m->p_empty[side] = t->options.p_empty;
        for (int d = -DPL__JUMP_MOST; d <= DPL__JUMP_MOST; d++)
            m->jumps[side][DPL__JUMP_MOST + d] =
                dpl__exp(-DPL__P(lexicon, first_jump_decay) * abs(d - 1));
    }
}

/* ---- continuing a model ------------------------------------------------------------- */

/* Expected alignments of each right word of the model. */
static double *count_right(dpl_ctx *ctx, const dpl__wordmodel *m)
{
    double *totals = dpl__calloc(ctx, m->n_words[DPL__RIGHT], sizeof *totals);
    for (uint64_t k = 0; totals && k < m->n_links; k++)
        totals[m->right[k]] += m->counts[k];
    return totals;
}

/* Links of the model keep their counts and probabilities; the probability of a new link is
 * uniform, times the weight of the prior of its word. */
static dpl_status init_from_model(dpl__trainer *t, dpl_error *err)
{
    dpl__wordmodel *m = t->model;
    const dpl__wordmodel *start = t->options.start;
    double *of_right = count_right(t->ctx, start), prior = t->options.prior;
    if (!of_right && start->n_words[DPL__RIGHT])
        return dpl__fail_nomem(err);
    for (uint32_t w = 0; w < m->n_words[DPL__LEFT]; w++) {
        double of_left = 0;
        uint64_t at = 0, end = 0;
        if (w < start->n_words[DPL__LEFT]) {
            at = start->begin[w];
            end = start->begin[w + 1];
        }
        for (uint64_t k = at; k < end; k++)
            of_left += start->counts[k];
        for (uint64_t k = m->begin[w]; k < m->begin[w + 1]; k++) {
            uint32_t r = m->right[k];
            if (at < end && start->right[at] == r) {
                m->counts[k] = start->counts[at];
                m->links[k] = start->links[at++];
                continue;
            }
            double right = r < start->n_words[DPL__RIGHT] ? of_right[r] : 0;
            m->links[k].p[DPL__LEFT] =
                (float)(prior / (of_left + prior) / m->n_words[DPL__RIGHT]);
            m->links[k].p[DPL__RIGHT] =
                (float)(prior / (right + prior) / m->n_words[DPL__LEFT]);
        }
    }
    dpl__free(t->ctx, of_right);
    for (int side = 0; side < 2; side++) {
        for (uint32_t w = 0; w < m->n_words[!side]; w++)
            m->empty[side][w] = w < start->n_words[!side] ? start->empty[side][w]
                                                          : 1 / (float)m->n_words[!side];
        m->p_empty[side] = start->p_empty[side];
        memcpy(m->jumps[side], start->jumps[side], sizeof m->jumps[side]);
    }
    return DPL_OK;
}

/* ---- iterations --------------------------------------------------------------------- */

dpl_status dpl__trainer_next(dpl__trainer *t, size_t *row, dpl_error *err)
{
    uint64_t n_rows = t->corpus->n_rows, n = t->options.n_model1 + t->options.n_hmm;
    dpl_progress progress = {"train", "rows", t->rows_done, n * n_rows};
    DPL_TRY(dpl__progress(t->ctx, &progress, err));
    if (*row == n_rows)
        return DPL_END;
    DPL_TRY(dpl__link_ids_load(&t->link_ids, *row, err));
    t->rows_done += t->link_ids.end - *row;
    *row = t->link_ids.end;
    return DPL_OK;
}

size_t dpl__trainer_part(const dpl__trainer *t, size_t part)
{
    const size_t n_parts = dpl__shared_n(t->ctx);
    const uint64_t before = t->n_cells / n_parts * part;
    uint64_t n_cells = 0;
    size_t row = 0;
    for (; row < t->corpus->n_rows && (n_cells < before || part == n_parts); row++)
        n_cells += dpl__encoded_cells(t->corpus, row, t->options.max_tokens);
    return row;
}

static void clear_tallies(void *user, size_t task)
{
    const dpl__trainer *t = user;
    const uint64_t begin = t->model->begin[t->tasks.data[task]],
                   end = t->model->begin[t->tasks.data[task + 1]];
    if (end > begin)
        memset(t->tallies + begin, 0, (size_t)(end - begin) * sizeof *t->tallies);
}

dpl_status dpl__trainer_clear_tallies(dpl__trainer *t, dpl_error *err)
{
    return dpl__parallel_each(t->ctx, dpl__tasks_n(&t->tasks), t, clear_tallies, err);
}

static void take_counts(void *user, size_t task)
{
    const dpl__trainer *t = user;
    const uint64_t end = t->model->begin[t->tasks.data[task + 1]];
    for (uint64_t k = t->model->begin[t->tasks.data[task]]; k < end; k++)
        t->model->counts[k] = (t->tallies[k].p[DPL__LEFT] + t->tallies[k].p[DPL__RIGHT]) / 2;
}

static void add_start_counts(void *user, size_t task)
{
    dpl__trainer *t = user;
    const dpl__wordmodel *m = t->model;
    uint64_t end = m->begin[t->tasks.data[task + 1]];
    for (uint64_t k = m->begin[t->tasks.data[task]]; k < end; k++)
        for (int side = 0; side < 2; side++)
            t->tallies[k].p[side] += m->counts[k];
}

/* p(word | no counterpart). */
static dpl_status normalize_empty(void *user, size_t side, unsigned worker, dpl_error *err)
{
    const dpl__trainer *t = user;
    (void)worker;
    const double prior = DPL__P(lexicon, empty_prior);
    const dpl__wordmodel *start = t->options.start;
    dpl__wordmodel *m = t->model;
    uint32_t n = m->n_words[!side];
    double sum = start ? start->n_empty[side] : prior * n;
    DPL_TRY(dpl__counts_gather(t->ctx, t->empty[side], n, err));
    for (uint32_t w = 0; w < n; w++) {
        double count = dpl__counts_take(t->empty[side], w);
        sum += count;
        count += prior;
        if (start)
            count += w < start->n_words[!side]
                         ? (double)start->empty[side][w] * start->n_empty[side] - prior
                         : 0;
        m->empty[side][w] = (float)count;
    }
    m->n_empty[side] = sum;
    for (uint32_t w = 0; w < n; w++)
        m->empty[side][w] = (float)((double)m->empty[side][w] / sum);
    return DPL_OK;
}

dpl_status dpl__trainer_normalize_empty(dpl__trainer *t, dpl_error *err)
{
    return dpl__parallel_for(t->ctx, 2, t, normalize_empty, err);
}

static dpl_status iterate(dpl__trainer *t,
                          dpl_status (*expect)(dpl__trainer *, double *, dpl_error *),
                          double log_p[2], dpl_error *err)
{
    if (!t->key)
        DPL_TRY(dpl__trainer_clear_tallies(t, err));
    DPL_TRY(expect(t, log_p, err));
    if (t->options.start)
        DPL_TRY(dpl__parallel_each(t->ctx, dpl__tasks_n(&t->tasks), t, add_start_counts, err));
    if (dpl__trainer_divides(t))
        return DPL_OK;
    DPL_TRY(dpl__maximize(t->maximizer, t->tallies, err));
    return dpl__trainer_normalize_empty(t, err);
}

/* ---- the first model -------------------------------------------------------------------- */

static void set_memory(dpl__trainer *t, uint64_t rest)
{
    const uint64_t all = dpl_ctx_memory(t->ctx);
    if (!t->options.memory)
        t->options.memory = all > rest ? all - rest : 0;
}

/* Links come first, and may take up to three quarters of the memory. */
static dpl__links_options links_wanted(const dpl__trainer *t)
{
    const uint64_t memory = t->options.memory;
    return (dpl__links_options){.max_tokens = t->options.max_tokens,
                                .max_links = (memory - memory / 4) / LINK_BYTES,
                                .max_occurrences = memory / 2 / sizeof(dpl__occurrence),
                                .known = t->options.start};
}

static dpl_status find_links(dpl__trainer *t, dpl__model_summary *s, dpl_error *err)
{
    const uint64_t rest = count_rest(t, s->longest);
    set_memory(t, rest);
    dpl__links_options wanted = links_wanted(t);
    t->link_ids = (dpl__link_ids){.ctx = t->ctx, .occurrences.ctx = t->ctx};
    wanted.left_over = &t->link_ids.occurrences;
    DPL_TRY(dpl__links_find(t->model, &s->n_dropped, t->ctx, t->corpus, &wanted, err));
    return check_links(t, s, rest, err);
}

/* Cells take what is left but for a part of the limit, for what is resident and not counted:
 * then there are more blocks, no other result. */
enum { SPARE_PART = 8 };

/* What iterations need, when links are there. */
static dpl_status prepare(dpl__trainer *t, uint64_t for_repeats, dpl_error *err)
{
    dpl__wordmodel *m = t->model;
    const uint64_t of_links = m->n_links * LINK_BYTES;
    const uint64_t left = t->options.memory - dpl__min(of_links, t->options.memory),
                   spare = dpl__min(dpl_ctx_memory(t->ctx) / SPARE_PART, left / 2),
                   for_cells = left - spare;
    dpl__occurrences words = t->link_ids.occurrences;
    if (t->n_cells * CELL_BYTES > for_cells) /* rows come in blocks */
        dpl__occurrences_clear(&words);
    t->link_ids = (dpl__link_ids){.ctx = t->ctx,
                                  .corpus = t->corpus,
                                  .model = m,
                                  .max_tokens = t->options.max_tokens,
                                  .max_cells = dpl__min(for_cells / CELL_BYTES, MOST_CELLS),
                                  .occurrences = words};
    if (of_links + t->n_cells * CELL_BYTES > t->options.memory / SPARE_PART)
        dpl__mappings_give_back(t->ctx);
    DPL_TRY(allocate(t, err));
    if (t->options.n_hmm && for_repeats)
        DPL_TRY(dpl__repeats_find(&t->times, t->ctx, t->corpus, for_repeats, err));
    DPL_TRY(dpl__maximizer_new(&t->maximizer, m, t->corpus, t->options.prior, err));
    t->word_ids = t->link_ids;
    t->word_ids.occurrences = (dpl__occurrences){.ctx = t->ctx};
    t->word_ids.words = dpl__maximizer_words(t->maximizer);
    t->word_ids.places = dpl__maximizer_places(t->maximizer);
    DPL_TRY(dpl__parallel_each(t->ctx, dpl__tasks_n(&t->tasks), t, init_links, err));
    if (t->options.start)
        DPL_TRY(init_from_model(t, err));
    else
        init_uniform(t);
    if (t->key)
        DPL_TRY(dpl__divided_new(&t->divided, t, err));
    for (int side = 0; side < 2; side++) {
        m->links[m->n_links].p[side] = (float)DPL__P(lexicon, unknown_link_p);
        m->links[m->n_links + 1].p[side] = (float)DPL__P(lexicon, same_class_link_p);
    }
    return DPL_OK;
}

/* Where processes share iterations: begins with the last one that is complete, or, again, with
 * the first. */
static dpl_status find_iteration(dpl__trainer *t, bool is_again, dpl_error *err)
{
    if (!t->key || dpl__divided_resume(t->divided) || !is_again)
        return DPL_OK;
    t->n_left = t->options.n_model1 + t->options.n_hmm;
    DPL_TRY(dpl__parallel_each(t->ctx, dpl__tasks_n(&t->tasks), t, init_links, err));
    init_uniform(t);
    dpl__divided_restart(t->divided);
    return DPL_OK;
}

static dpl_status next_iteration(dpl__trainer *t, double log_p[2], dpl_error *err)
{
    const bool is_first = --t->n_left >= t->options.n_hmm;
    if (!is_first)
        free_inverse(t);
    return iterate(t, is_first ? dpl__model1_expect : dpl__hmm_expect, log_p, err);
}

/* Model 1, then the hidden Markov model. */
static dpl_status iterate_all(dpl__trainer *t, dpl__model_summary *s, double log_p[2],
                              dpl_error *err)
{
    enum { MOST_TIMES = 100 };
    unsigned n_times = 0;
    DPL_TRY(find_iteration(t, false, err));
    while (t->n_left) {
        dpl_error why = {0};
        const dpl_status status = next_iteration(t, log_p, &why);
        s->n_blocks = s->n_blocks ? s->n_blocks : t->key ? 1 : t->link_ids.n_loads;
        if (dpl__divided_is_behind(status, &why) && n_times++ < MOST_TIMES) {
            for (int side = 0; side < 2; side++)
                memset(t->empty[side], 0, n_empty(t, side) * sizeof *t->empty[side]);
            DPL_TRY(find_iteration(t, true, err));
        } else if (status != DPL_OK) {
            if (err)
                *err = why;
            return status;
        }
    }
    return DPL_OK;
}

/* Links, and all that iterations need. */
static dpl_status begin(dpl__trainer *t, dpl__model_summary *s, dpl_error *err)
{
    DPL_TRY(find_links(t, s, err));
    return prepare(t, t->options.memory / 16, err);
}

/* ---- shared with other processes -------------------------------------------------------- */

/* Cells from which on it pays to divide an iteration: some 50 ms. */
enum { SHARED_CELLS = 1 << 20 };

/* All that decides the model. */
static uint64_t key_of(const dpl__trainer *t)
{
    const dpl__encoded *c = t->corpus;
    const dpl__model_options *o = &t->options;
    const double numbers[] = {o->n_model1, o->n_hmm,   (double)o->max_tokens,
                              o->prior,    o->p_empty, c->n_classes};
    uint64_t key = dpl__fingerprint(0, t->ctx, numbers, sizeof numbers);
    for (int side = 0; side < 2; side++) {
        const dpl__encoded_side *x = &c->side[side];
        key = dpl__fingerprint(key, t->ctx, x->begin, (c->n_rows + 1) * sizeof *x->begin);
        key = dpl__fingerprint(key, t->ctx, x->tokens,
                               (size_t)x->begin[c->n_rows] * sizeof *x->tokens);
    }
    return key ? key : 1;
}

/* Links that are found in parts: of some left words each, with about as many tokens. */
typedef struct found_links {
    dpl__trainer *t;
    dpl__links_options wanted;
    DPL_VEC(uint32_t) right; /* of the parts that were taken */
} found_links;

static uint32_t first_word(const found_links *x, size_t part)
{
    const dpl__wordmodel *m = x->t->model;
    const size_t n_parts = dpl__shared_n(x->t->ctx);
    uint64_t n = 0, all = 0;
    uint32_t word = 0;
    for (uint32_t w = 0; w < m->n_words[DPL__LEFT]; w++)
        all += m->tokens[DPL__LEFT][w];
    while (word < m->n_words[DPL__LEFT] && (n < all / n_parts * part || part == n_parts))
        n += m->tokens[DPL__LEFT][word++];
    return word;
}

/* How many links each word has, and their right words. */
static dpl_status make_links(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    found_links *x = user;
    dpl_ctx *ctx = x->t->ctx;
    const uint32_t first = first_word(x, chunk), end = first_word(x, chunk + 1);
    uint64_t n_dropped;
    dpl__wordmodel m = {.ctx = ctx};
    if (first == end)
        return DPL_OK;
    x->wanted.first_word = first;
    x->wanted.end_word = end;
    DPL_TRY(dpl__links_find(&m, &n_dropped, ctx, x->t->corpus, &x->wanted, err));
    const size_t n_right = (size_t)m.n_links * sizeof *m.right;
    bool has_room = dpl__vec_reserve(ctx, out, (end - first) * sizeof(uint32_t) + n_right);
    for (uint32_t w = first; w < end && has_room; w++) {
        const uint32_t n = (uint32_t)(m.begin[w + 1] - m.begin[w]);
        has_room = dpl__vec_append(ctx, out, (const char *)&n, sizeof n);
    }
    has_room = has_room && dpl__vec_append(ctx, out, (const char *)m.right, n_right);
    dpl__wordmodel_clear(&m);
    return dpl__need(has_room, err);
}

static dpl_status take_links(void *user, size_t chunk, const char *data, size_t n,
                             dpl_error *err)
{
    found_links *x = user;
    uint64_t *begin = x->t->model->begin, n_links = 0;
    const uint32_t first = first_word(x, chunk), end = first_word(x, chunk + 1);
    const size_t n_counts = (end - first) * sizeof(uint32_t);
    for (uint32_t w = first; w < end && n >= n_counts; w++) {
        uint32_t count;
        memcpy(&count, data + (w - first) * sizeof count, sizeof count);
        begin[w + 1] = begin[w] + count;
        n_links += count;
    }
    if (n != n_counts + n_links * sizeof(uint32_t))
        return dpl__fail(err, DPL_E_FORMAT, "links of another size");
    /* Parts are of about the same size; pages that are left over are not touched. */
    const size_t n_parts = dpl__shared_n(x->t->ctx),
                 n_wanted = chunk ? 1 : n_parts + n_parts / 4 + 1;
    DPL_TRY(dpl__need(dpl__vec_reserve(x->t->ctx, &x->right, n_wanted * (size_t)n_links), err));
    if (n_links)
        memcpy(x->right.data + x->right.n, data + n_counts, (size_t)n_links * sizeof(uint32_t));
    x->right.n += (size_t)n_links;
    return DPL_OK;
}

/* All of them, without probabilities. */
static dpl_status collect_links(found_links *x, dpl_error *err)
{
    dpl__trainer *t = x->t;
    const dpl__shared_work work = {.name = "links",
                                   .key = t->key,
                                   .n = dpl__shared_n(t->ctx),
                                   .user = x,
                                   .make = make_links,
                                   .take = take_links,
                                   .is_for_all = true};
    DPL_TRY(dpl__links_begin(t->model, t->ctx, t->corpus, &x->wanted, err));
    DPL_TRY(dpl__shared_work_run(t->ctx, &work, err));
    t->model->right = x->right.data;
    t->model->n_links = x->right.n;
    x->right.data = NULL;
    t->model->links = dpl__alloc(t->ctx, (x->right.n + 2) * sizeof *t->model->links);
    return dpl__need(t->model->links, err);
}

/* Each process goes on alone where links, or cells beside them, do not fit. */
static dpl_status share_links(dpl__trainer *t, dpl__model_summary *s, dpl_error *err)
{
    set_memory(t, count_rest(t, s->longest));
    found_links x = {.t = t, .wanted = links_wanted(t)};
    const dpl_status status = collect_links(&x, err);
    dpl__free(t->ctx, x.right.data);
    DPL_TRY(status);
    if (t->model->n_links <= x.wanted.max_links) {
        DPL_TRY(prepare(t, t->options.memory / 16, err));
        if (s->n_cells + t->model->n_links <= t->link_ids.max_cells)
            return DPL_OK;
    }
    DPL_TRY(dpl__shared_leave(t->ctx, err));
    clear_trainer(t);
    dpl__wordmodel_clear(t->model);
    t->key = 0;
    return begin(t, s, err);
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status run(dpl__trainer *t, dpl__model_summary *s, dpl_error *err)
{
    double log_p[2] = {0, 0};
    t->n_left = t->options.n_model1 + t->options.n_hmm;
    DPL_TRY((t->key ? share_links : begin)(t, s, err));
    DPL_TRY(iterate_all(t, s, log_p, err));
    DPL_TRY(dpl__parallel_each(t->ctx, dpl__tasks_n(&t->tasks), t, take_counts, err));
    for (int side = 0; side < 2; side++)
        s->perplexity[side] = dpl__exp(-log_p[side] / (double)s->n_tokens[!side]);
    return DPL_OK;
}

dpl_status dpl__train_model(dpl__wordmodel *out, dpl__model_summary *summary, dpl_ctx *ctx,
                            const dpl__encoded *corpus, const dpl__model_options *options,
                            dpl_error *err)
{
    dpl__model_summary unwanted, *s = summary ? summary : &unwanted;
    dpl__trainer t = {.ctx = ctx, .corpus = corpus, .model = out};
    *out = (dpl__wordmodel){.ctx = ctx};
    fill_in(&t.options, options);
    count_rows(s, corpus, t.options.max_tokens);
    t.longest = s->longest;
    t.n_cells = s->n_cells;
    if (dpl__is_shared(ctx) && dpl__shared_n(ctx) > 1 && t.options.n_hmm && !t.options.start &&
        s->n_cells >= SHARED_CELLS)
        t.key = key_of(&t);
    dpl_status status;
    if (!t.key)
        DPL__STEP(dpl__shared_leave(ctx, err));
    status = run(&t, s, err);
done:
    clear_trainer(&t);
    if (status != DPL_OK)
        dpl__wordmodel_clear(out);
    return status;
}
