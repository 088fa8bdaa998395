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

#include "par/pool.h"

/* Work handed to a thread at a time. */
enum { TASK_CELLS = 1 << 16, PART_TOKENS = 1 << 15 };

/* Adds item i with n_cells to the current task, which ends behind it when it is large enough.
 */
static bool add_to_task(dpl_ctx *ctx, dpl__tasks *tasks, uint64_t *in_task, size_t n_cells,
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
    }
    return dpl__need(p->cap_occurrences >= n, err);
}

/* Every part reads all tokens and works on the words w with w % n_parts == part: what it writes
 * is its own. */
typedef struct filling {
    dpl__occurrences *p;
    const dpl__occurrence_range *range;
    uint32_t n_parts; /* a power of two */
    uint64_t n_cells;
} filling;

static bool is_of_part(const filling *f, uint32_t word, size_t part)
{
    return word < f->p->n_words && (word & (f->n_parts - 1)) == part;
}

/* begin[w]: how often word w occurs. */
static void count_occurrences(void *user, size_t part)
{
    filling *f = user;
    const dpl__occurrence_range *r = f->range;
    const dpl__encoded *b = r->corpus;
    uint64_t n_cells = 0;
    for (size_t row = r->first; row < r->end; row++) {
        size_t n = dpl__encoded_cells(b, row, r->max_tokens);
        if (n == 0)
            continue;
        n_cells += n;
        const uint32_t *tokens = dpl__encoded_tokens(b, DPL__LEFT, row);
        for (size_t i = 0; i < dpl__encoded_length(b, DPL__LEFT, row); i++)
            if (is_of_part(f, tokens[i] - f->p->first_word, part))
                f->p->begin[tokens[i] - f->p->first_word]++;
    }
    if (part == 0)
        f->n_cells = n_cells;
}

/* From the last to the first: begin[w] moves down to where it belongs. */
static void note_occurrences(void *user, size_t part)
{
    filling *f = user;
    dpl__occurrences *p = f->p;
    const dpl__occurrence_range *r = f->range;
    uint64_t n_cells = f->n_cells;
    const dpl__encoded *b = r->corpus;
    size_t first = r->first;
    const dpl__encoded_side *left = &b->side[DPL__LEFT], *right = &b->side[DPL__RIGHT];
    for (size_t row = r->end; row-- > first;) {
        if (!dpl__encoded_cells(b, row, r->max_tokens))
            continue;
        dpl__occurrence occurrence = {
            .right = (uint32_t)(right->begin[row] - right->begin[first]),
            .n_right = (uint32_t)dpl__encoded_length(b, DPL__RIGHT, row)};
        for (uint64_t k = left->begin[row + 1]; k-- > left->begin[row];) {
            n_cells -= occurrence.n_right;
            if (!is_of_part(f, left->tokens[k] - p->first_word, part))
                continue;
            occurrence.token = (uint32_t)(k - left->begin[first]);
            occurrence.cell = (uint32_t)n_cells;
            p->all[--p->begin[left->tokens[k] - p->first_word]] = occurrence;
        }
    }
    assert(n_cells == 0);
}

/* As many as there are threads, if there is enough to do. */
static uint32_t count_parts(const dpl__occurrences *p, const dpl__occurrence_range *r)
{
    const uint64_t *begin = r->corpus->side[DPL__LEFT].begin;
    uint64_t n_tokens = begin[r->end] - begin[r->first];
    uint32_t n = 1;
    while (2 * n <= dpl_ctx_threads(p->ctx) && n_tokens / n > PART_TOKENS)
        n *= 2;
    assert(n && (n & (n - 1)) == 0);
    return n;
}

static dpl_status make_word_tasks(dpl__occurrences *p, dpl_error *err)
{
    uint64_t in_task = 0;
    p->tasks.n = 0;
    bool has_room = dpl__vec_push(p->ctx, &p->tasks, 0);
    for (uint32_t w = 0; w < p->n_words; w++) {
        size_t n_cells = 0;
        for (uint32_t k = p->begin[w]; k < p->begin[w + 1]; k++)
            n_cells += p->all[k].n_right;
        has_room = has_room && add_to_task(p->ctx, &p->tasks, &in_task, n_cells, w);
    }
    return dpl__need(has_room && end_tasks(p->ctx, &p->tasks, p->n_words), err);
}

dpl_status dpl__occurrences_fill(dpl__occurrences *p, const dpl__occurrence_range *range,
                                 dpl_error *err)
{
    assert(range->first <= range->end && range->first_word <= range->end_word);
    p->first = range->first;
    p->first_word = range->first_word;
    p->n_words = range->end_word - range->first_word;
    DPL_TRY(reserve_words(p, (size_t)p->n_words + 1, err));
    filling f = {p, range, count_parts(p, range), 0};
    memset(p->begin, 0, ((size_t)p->n_words + 1) * sizeof *p->begin);
    DPL_TRY(dpl__parallel_each(p->ctx, f.n_parts, &f, count_occurrences, err));
    for (uint32_t w = 0; w < p->n_words; w++)
        p->begin[w + 1] += p->begin[w];
    DPL_TRY(reserve_occurrences(p, p->begin[p->n_words], err));
    DPL_TRY(dpl__parallel_each(p->ctx, f.n_parts, &f, note_occurrences, err));
    return make_word_tasks(p, err);
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
        if (c->maps)
            memset(c->maps, 255, c->cap_maps * sizeof *c->maps); /* nobody's number */
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

static void number_word(const dpl__link_ids *c, uint32_t word, uint32_t *map)
{
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
    uint32_t end = c->occurrences.begin[word + 1];
    for (uint32_t k = c->occurrences.begin[word]; k < end; k++) {
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

static dpl_status number_words(void *user, size_t task, unsigned worker, dpl_error *err)
{
    (void)err;
    dpl__link_ids *c = user;
    uint32_t *map = c->maps + (size_t)worker * c->corpus->side[DPL__RIGHT].n_words;
    for (size_t w = c->occurrences.tasks.data[task]; w < c->occurrences.tasks.data[task + 1];
         w++)
        number_word(c, (uint32_t)w, map);
    return DPL_OK;
}

static dpl_status load(dpl__link_ids *c, size_t first, size_t end, uint64_t n_cells,
                       dpl_error *err)
{
    c->first = c->end = first; /* nothing, should the rest fail */
    DPL_TRY(reserve(c, end - first, (size_t)n_cells, err));
    c->occurrences.ctx = c->ctx;
    dpl__occurrence_range range = {.corpus = c->corpus,
                                   .max_tokens = c->max_tokens,
                                   .first = first,
                                   .end = end,
                                   .end_word = c->corpus->side[DPL__LEFT].n_words};
    DPL_TRY(dpl__occurrences_fill(&c->occurrences, &range, err));
    c->end = end;
    dpl_status status;
    DPL__STEP(lay_out(c, err));
    status =
        dpl__parallel_for(c->ctx, dpl__tasks_n(&c->occurrences.tasks), c, number_words, err);
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
