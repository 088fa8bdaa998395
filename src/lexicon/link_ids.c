/*
 * link_ids.c - a block of rows becomes link numbers.
 *
 * The left tokens are grouped by word (a counting sort). For each left word, on all
 * threads, a table over the right vocabulary gets the numbers of the word's links, and the
 * cells of its occurrences look their numbers up in it: no hashing, no search, one or two
 * nanoseconds a cell. The table is not emptied between words: an entry that another word left
 * is outside the word's own range of numbers.
 */
#include "lexicon/link_ids.h"

#include "base/order.h"
#include "par/pool.h"

#include <stdlib.h>

/* Work handed to a thread at a time. */
enum { TASK_CELLS = 1 << 16, PART_TOKENS = 1 << 14, BLOCK_WORDS = 256 };

/* Adds item i with n_cells to the current task, which ends behind it when it is large enough.
 */
static bool add_to_task(dpl_ctx *ctx, dpl__tasks *tasks, uint64_t *in_task, uint64_t n_cells,
                        size_t i)
{
    *in_task += n_cells;
    if (*in_task < TASK_CELLS)
        return true;
    *in_task = 0;
    return dpl__vec_push(ctx, tasks, i + 1);
}

static bool end_tasks(dpl_ctx *ctx, dpl__tasks *tasks, size_t end)
{
    return tasks->data[tasks->n - 1] == end || dpl__vec_push(ctx, tasks, end);
}

/* ---- occurrences -------------------------------------------------------------------- */

void dpl__occurrences_clear(dpl__occurrences *p)
{
    if (!p->ctx)
        return;
    dpl__free(p->ctx, p->begin, p->all);
    dpl__vec_clear(p->ctx, &p->tasks);
    *p = (dpl__occurrences){.ctx = p->ctx};
}

static dpl_status reserve_words(dpl__occurrences *p, size_t n, dpl_error *err)
{
    if (n > p->cap_words) {
        dpl__free(p->ctx, p->begin);
        p->begin = dpl__alloc(p->ctx, n * sizeof *p->begin);
        p->cap_words = p->begin ? n : 0;
    }
    return dpl__need(p->cap_words >= n, err);
}

static dpl_status reserve_occurrences(dpl__occurrences *p, size_t n, dpl_error *err)
{
    if (n > p->cap_occurrences) {
        dpl__free(p->ctx, p->all);
        p->all = dpl__alloc(p->ctx, n * sizeof *p->all);
        p->cap_occurrences = p->all ? n : 0;
        if (p->all) /* its pages are touched on all threads */
            dpl__parallel_set(p->ctx, p->all, 0, n * sizeof *p->all);
    }
    return dpl__need(p->cap_occurrences >= n, err);
}

/* A part is a range of rows: it counts the occurrences of each word, and later puts them behind
 * those of the parts before it. */
typedef struct filling {
    dpl__occurrences *p;
    const dpl__occurrence_range *range;
    size_t n_parts;
    uint32_t *counts;  /* n_parts * n_words: occurrences; then where the part's begin */
    uint64_t *n_cells; /* of each part; then of all before it */
    uint64_t *of_word; /* cells of each word */
} filling;

/* From the first one; beyond the last one for others. */
static uint32_t word_of(const filling *f, uint32_t token)
{
    const uint32_t *places = f->range->places;
    return (places ? places[token] : token) - f->p->first_word;
}

static size_t part_begin(const filling *f, size_t part)
{
    const dpl__occurrence_range *r = f->range;
    return r->first + (r->end - r->first) * part / f->n_parts;
}

static void count_occurrences(void *user, size_t part)
{
    const filling *f = user;
    const dpl__encoded *b = f->range->corpus;
    uint32_t *counts = f->counts + part * f->p->n_words;
    uint64_t n_cells = 0;
    memset(counts, 0, f->p->n_words * sizeof *counts);
    for (size_t row = part_begin(f, part); row < part_begin(f, part + 1); row++) {
        size_t n = dpl__encoded_cells(b, row, f->range->max_tokens);
        if (n == 0)
            continue;
        n_cells += n;
        const uint32_t *tokens = dpl__encoded_tokens(b, DPL__LEFT, row);
        for (size_t i = 0; i < dpl__encoded_length(b, DPL__LEFT, row); i++) {
            const uint32_t word = word_of(f, tokens[i]);
            if (word < f->p->n_words)
                counts[word]++;
        }
    }
    f->n_cells[part] = n_cells;
}

/* Counts become places. */
static void add_up_parts(const filling *f)
{
    uint32_t n = 0;
    uint64_t n_cells = 0;
    for (uint32_t w = 0; w < f->p->n_words; w++) {
        f->p->begin[w] = n;
        for (size_t part = 0; part < f->n_parts; part++) {
            uint32_t *count = &f->counts[part * f->p->n_words + w], here = *count;
            *count = n;
            n += here;
        }
    }
    f->p->begin[f->p->n_words] = n;
    for (size_t part = 0; part < f->n_parts; part++) {
        const uint64_t here = f->n_cells[part];
        f->n_cells[part] = n_cells;
        n_cells += here;
    }
}

static void note_occurrences(void *user, size_t part)
{
    const filling *f = user;
    const dpl__occurrence_range *r = f->range;
    const dpl__encoded *b = r->corpus;
    const dpl__encoded_side *left = &b->side[DPL__LEFT], *right = &b->side[DPL__RIGHT];
    uint32_t *places = f->counts + part * f->p->n_words;
    uint64_t cell = f->n_cells[part];
    for (size_t row = part_begin(f, part); row < part_begin(f, part + 1); row++) {
        if (!dpl__encoded_cells(b, row, r->max_tokens))
            continue;
        dpl__occurrence occurrence = {
            .right = (uint32_t)(right->begin[row] - right->begin[r->first]),
            .n_right = (uint32_t)dpl__encoded_length(b, DPL__RIGHT, row)};
        for (uint64_t k = left->begin[row]; k < left->begin[row + 1]; k++) {
            const uint32_t word = word_of(f, left->tokens[k]);
            occurrence.token = (uint32_t)(k - left->begin[r->first]);
            occurrence.cell = (uint32_t)cell;
            if (word < f->p->n_words)
                f->p->all[places[word]++] = occurrence;
            cell += occurrence.n_right;
        }
    }
}

static void count_cells(void *user, size_t block)
{
    const filling *f = user;
    const size_t end = dpl__min((block + 1) * BLOCK_WORDS, f->p->n_words);
    for (size_t w = block * BLOCK_WORDS; w < end; w++) {
        f->of_word[w] = 0;
        for (uint32_t k = f->p->begin[w]; k < f->p->begin[w + 1]; k++)
            f->of_word[w] += f->p->all[k].n_right;
    }
}

/* One part per thread, if there is enough work besides adding up the words. */
static size_t count_parts(const dpl__occurrences *p, const dpl__occurrence_range *r)
{
    const uint64_t *begin = r->corpus->side[DPL__LEFT].begin;
    const uint64_t n_tokens = begin[r->end] - begin[r->first];
    return dpl__min((size_t)n_tokens / dpl__max(PART_TOKENS, p->n_words) + 1,
                    dpl_ctx_threads(p->ctx));
}

DPL__ORDER(by_cells, dpl__word_task, DPL__FALLING(n_cells) DPL__RISING(begin))

static dpl_status make_word_tasks(const filling *f, dpl_error *err)
{
    dpl__occurrences *p = f->p;
    dpl__word_task t = {0};
    p->tasks.n = 0;
    for (uint32_t w = 0; w < p->n_words; w++) {
        t.n_cells += f->of_word[w];
        t.end = w + 1;
        if (t.n_cells < TASK_CELLS && t.end < p->n_words)
            continue;
        DPL_TRY(dpl__need(dpl__vec_push(p->ctx, &p->tasks, t), err));
        t = (dpl__word_task){.begin = t.end};
    }
    if (p->tasks.n)
        qsort(p->tasks.data, p->tasks.n, sizeof *p->tasks.data, by_cells);
    return DPL_OK;
}

static dpl_status fill(filling *f, dpl_error *err)
{
    dpl__occurrences *p = f->p;
    DPL_TRY(dpl__need(f->counts && f->n_cells && f->of_word, err));
    DPL_TRY(dpl__parallel_each(p->ctx, f->n_parts, f, count_occurrences, err));
    add_up_parts(f);
    DPL_TRY(reserve_occurrences(p, p->begin[p->n_words], err));
    DPL_TRY(dpl__parallel_each(p->ctx, f->n_parts, f, note_occurrences, err));
    DPL_TRY(dpl__parallel_each(p->ctx, ((size_t)p->n_words + BLOCK_WORDS - 1) / BLOCK_WORDS, f,
                               count_cells, err));
    return make_word_tasks(f, err);
}

dpl_status dpl__occurrences_fill(dpl__occurrences *p, const dpl__occurrence_range *range,
                                 dpl_error *err)
{
    assert(range->first <= range->end && range->first_word <= range->end_word);
    p->first = range->first;
    p->end = range->end;
    p->first_word = range->first_word;
    p->n_words = range->end_word - range->first_word;
    DPL_TRY(reserve_words(p, (size_t)p->n_words + 1, err));
    filling f = {.p = p, .range = range, .n_parts = count_parts(p, range)};
    f.counts = dpl__alloc(p->ctx, (f.n_parts * p->n_words + 1) * sizeof *f.counts);
    f.n_cells = dpl__alloc(p->ctx, f.n_parts * sizeof *f.n_cells);
    f.of_word = dpl__alloc(p->ctx, ((size_t)p->n_words + 1) * sizeof *f.of_word);
    const dpl_status status = fill(&f, err);
    dpl__free(p->ctx, f.counts, f.n_cells, f.of_word);
    return status;
}

/* ---- cells -------------------------------------------------------------------------- */

void dpl__link_ids_clear(dpl__link_ids *c)
{
    if (!c->ctx)
        return;
    dpl__free(c->ctx, c->begin, c->numbers, c->maps);
    dpl__vec_clear(c->ctx, &c->tasks);
    dpl__occurrences_clear(&c->occurrences);
    *c = (dpl__link_ids){.ctx = c->ctx};
}

/* The end of the block that begins at row first, and its cells. */
static size_t find_end(const dpl__link_ids *c, size_t first, uint64_t *n_cells)
{
    assert(first < c->corpus->n_rows);
    *n_cells = 0;
    size_t row = first;
    for (; row < c->corpus->n_rows && row - first < UINT32_MAX; row++) {
        size_t n = dpl__encoded_cells(c->corpus, row, c->max_tokens);
        if (*n_cells + n > c->max_cells && row > first)
            break;
        *n_cells += n;
    }
    return row;
}

static dpl_status reserve(dpl__link_ids *c, size_t n_rows, size_t n_cells, dpl_error *err)
{
    if (n_rows + 1 > c->cap_rows) {
        dpl__free(c->ctx, c->begin);
        c->begin = dpl__alloc(c->ctx, (n_rows + 1) * sizeof *c->begin);
        c->cap_rows = c->begin ? n_rows + 1 : 0;
    }
    if (n_cells > c->cap_cells) {
        dpl__free(c->ctx, c->numbers);
        c->numbers = dpl__alloc(c->ctx, n_cells * sizeof *c->numbers);
        c->cap_cells = c->numbers ? n_cells : 0;
    }
    if (!c->maps) {
        c->cap_maps = (size_t)dpl_ctx_threads(c->ctx) * c->corpus->side[DPL__RIGHT].n_words;
        c->maps = dpl__alloc(c->ctx, c->cap_maps * sizeof *c->maps);
        if (c->maps) /* nobody's number */
            dpl__parallel_set(c->ctx, c->maps, 255, c->cap_maps * sizeof *c->maps);
    }
    bool has_room = c->begin && (c->numbers || n_cells == 0) && (c->maps || c->cap_maps == 0);
    return dpl__need(has_room, err);
}

static dpl_status lay_out(dpl__link_ids *c, dpl_error *err)
{
    uint64_t n_cells = 0, in_task = 0;
    c->tasks.n = 0;
    bool has_room = dpl__vec_push(c->ctx, &c->tasks, 0);
    for (size_t row = c->first; row < c->end; row++) {
        size_t n = dpl__encoded_cells(c->corpus, row, c->max_tokens);
        c->begin[row - c->first] = (uint32_t)n_cells;
        n_cells += n;
        has_room = has_room && add_to_task(c->ctx, &c->tasks, &in_task, n, row - c->first);
    }
    c->begin[c->end - c->first] = (uint32_t)n_cells;
    return dpl__need(has_room && end_tasks(c->ctx, &c->tasks, c->end - c->first), err);
}

static bool is_alike(const dpl__encoded *b, uint32_t left, uint32_t right)
{
    return b->n_classes > 0 &&
           b->side[DPL__LEFT].classes[left] == b->side[DPL__RIGHT].classes[right];
}

/* place: of the word in the occurrences. */
static void number_word(const dpl__link_ids *c, uint32_t place, uint32_t *map)
{
    const uint32_t word = c->words ? c->words[c->occurrences.first_word + place] : place;
    const dpl__encoded_side *right = &c->corpus->side[DPL__RIGHT];
    const uint32_t *tokens = right->tokens + right->begin[c->first];
    const dpl__wordmodel *m = c->model;
    uint32_t first = 0, n = 0, n_links = (uint32_t)m->n_links;
    if (word < m->n_words[DPL__LEFT]) {
        first = (uint32_t)m->begin[word];
        n = (uint32_t)m->begin[word + 1] - first;
    }
    for (uint32_t k = first; k < first + n; k++)
        map[m->right[k]] = k;
    uint32_t end = c->occurrences.begin[place + 1];
    for (uint32_t k = c->occurrences.begin[place]; k < end; k++) {
        dpl__occurrence occurrence = c->occurrences.all[k];
        const dpl__occurrence *ahead = dpl__occurrences_ahead(&c->occurrences, k, end);
        DPL_PREFETCH(tokens + ahead->right);
        DPL_PREFETCH(c->numbers + ahead->cell);
        for (uint32_t j = 0; j < occurrence.n_right; j++) {
            uint32_t number = map[tokens[occurrence.right + j]];
            if (number - first >= n)
                number = n_links + is_alike(c->corpus, word, tokens[occurrence.right + j]);
            c->numbers[occurrence.cell + j] = number;
        }
    }
}

/* Cells of a word are far apart, so the first frequent word would be the one to touch the pages
 * of all: rows touch their own. */
static void touch_cells(void *user, size_t task)
{
    enum { PAGE_CELLS = 4096 / sizeof(uint32_t) };
    const dpl__link_ids *c = user;
    const uint32_t end = c->begin[c->tasks.data[task + 1]];
    for (uint64_t k = c->begin[c->tasks.data[task]]; k < end; k += PAGE_CELLS)
        c->numbers[k] = 0;
}

static dpl_status number_words(void *user, size_t task, unsigned worker, dpl_error *err)
{
    (void)err;
    dpl__link_ids *c = user;
    uint32_t *map = c->maps + (size_t)worker * c->corpus->side[DPL__RIGHT].n_words;
    const dpl__word_task t = c->occurrences.tasks.data[task];
    for (uint32_t w = t.begin; w < t.end; w++)
        number_word(c, w, map);
    return DPL_OK;
}

static dpl_status load(dpl__link_ids *c, size_t first, size_t end, uint64_t n_cells,
                       dpl_error *err)
{
    c->first = c->end = first; /* nothing, should the rest fail */
    DPL_TRY(reserve(c, end - first, (size_t)n_cells, err));
    dpl__occurrences *words = &c->occurrences;
    words->ctx = c->ctx;
    dpl__occurrence_range range = {.corpus = c->corpus,
                                   .max_tokens = c->max_tokens,
                                   .first = first,
                                   .end = end,
                                   .end_word = c->corpus->side[DPL__LEFT].n_words};
    const bool are_there = words->begin && words->first == first && words->end == end &&
                           words->n_words == range.end_word;
    if (!are_there)
        DPL_TRY(dpl__occurrences_fill(words, &range, err));
    c->end = end;
    dpl_status status;
    DPL__STEP(lay_out(c, err));
    DPL__STEP(dpl__parallel_each(c->ctx, dpl__tasks_n(&c->tasks), c, touch_cells, err));
    status = dpl__parallel_for(c->ctx, words->tasks.n, c, number_words, err);
done:
    if (status != DPL_OK)
        c->end = first;
    c->n_loads++;
    return status;
}

dpl_status dpl__link_ids_load(dpl__link_ids *c, size_t first, dpl_error *err)
{
    uint64_t n_cells;
    if (c->begin && c->first == first && c->end > first)
        return DPL_OK;
    const size_t end = find_end(c, first, &n_cells);
    return load(c, first, end, n_cells, err);
}

dpl_status dpl__link_ids_load_rows(dpl__link_ids *c, size_t first, size_t end, dpl_error *err)
{
    uint64_t n_cells = 0;
    if (c->begin && c->first == first && c->end == end)
        return DPL_OK;
    for (size_t row = first; row < end; row++)
        n_cells += dpl__encoded_cells(c->corpus, row, c->max_tokens);
    return load(c, first, end, n_cells, err);
}

/* Cells one after the other; how many there are. */
static uint64_t place_cells(dpl__occurrences *p)
{
    uint64_t n_cells = 0;
    for (uint32_t k = 0; k < p->begin[p->n_words]; k++) {
        p->all[k].cell = (uint32_t)n_cells;
        n_cells += p->all[k].n_right;
    }
    return n_cells;
}

dpl_status dpl__link_ids_load_words(dpl__link_ids *c, uint32_t first, uint32_t end,
                                    dpl_error *err)
{
    dpl__occurrences *p = &c->occurrences;
    assert(c->words && c->places);
    if (c->end && p->first_word == first && p->n_words == end - first)
        return DPL_OK;
    const dpl__occurrence_range range = {.corpus = c->corpus,
                                         .max_tokens = c->max_tokens,
                                         .end = c->corpus->n_rows,
                                         .first_word = first,
                                         .end_word = end,
                                         .places = c->places};
    c->first = c->end = 0; /* nothing, should the rest fail */
    p->ctx = c->ctx;
    DPL_TRY(dpl__occurrences_fill(p, &range, err));
    DPL_TRY(reserve(c, 0, (size_t)place_cells(p), err));
    DPL_TRY(dpl__parallel_for(c->ctx, p->tasks.n, c, number_words, err));
    c->end = c->corpus->n_rows;
    return DPL_OK;
}
