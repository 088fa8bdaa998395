/*
 * cpu_within.c - every left row of bits against every right one.
 *
 * In: two sets of rows, or one and itself; cuts. Out: the pairs that pass, with their
 * distances, by left row, then right row.
 *
 * The masks of the kernel are made for 512 left rows, whose tables stay in the cache, and a
 * range of right rows: a piece of work. All pieces of a block of left rows run on all threads,
 * each keeping what it found; then the finds of every 512 rows are brought into order, given
 * away and freed. A block whose finds are too many for the memory is done again in smaller
 * blocks: in the end one row at a time.
 *
 * Cost: one comparison per pair (hamming_slices.h), and the distance of each pair that passes;
 * 40 bytes of memory for such a pair of the block.
 */
#include "devices/compare.h"
#include "devices/device.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <stdatomic.h>

enum {
    DOCS = DPL__HAMMING_DOCS, /* left rows of a piece */
    BLOCK = 8 * DOCS,         /* left rows, at the most */
    GRAIN = 1024,             /* right rows; a piece's are a multiple of it */
    STEP = 4 * GRAIN,         /* right rows whose masks are in memory */
    RANGE = 4 * STEP,         /* right rows of a piece, at the most */
    PIECES = 8,               /* wanted for each thread */
    BYTES = 40,               /* for each pair that was found: it, room to grow, it in order */
};

typedef DPL_VEC(dpl_near_pair) near_pairs;

typedef struct piece {
    uint32_t left, n_left;
    uint32_t right, right_end;
    near_pairs found; /* right rows rise, and left rows for each */
} piece;

/* A worker's own. */
typedef struct scratch {
    char *memory;
    void *kernel;   /* 64-byte aligned, as is: */
    uint64_t *mask; /* of STEP right rows */
} scratch;

typedef struct search {
    const dpl_device_host *host;
    dpl_ctx *ctx;
    const dpl_within *task;
    const dpl__comparison *how;
    const dpl_bit_rows *left, *right;
    bool is_self;
    scratch *scratch;
    size_t n_scratch; /* bytes of each */
    /* the block */
    DPL_VEC(piece) pieces;
    size_t next;
    size_t slots[1024]; /* the piece in each slot of the pipeline */
    _Atomic size_t n_found;
    size_t most_found;
    dpl_progress progress;
} search;

static const uint64_t *row_of(const dpl_bit_rows *rows, uint32_t row)
{
    assert(row < rows->n_rows);
    return rows->words + (size_t)row * rows->n_words;
}

/* ---- a piece ------------------------------------------------------------------------ */

/* Which of 512 left rows may be paired with the right row. */
static uint64_t allowed(const search *s, const piece *t, uint32_t right, size_t word)
{
    const uint64_t first = t->left + 64 * (uint64_t)word;
    if (!s->is_self || right >= first + 64)
        return ~(uint64_t)0;
    return right <= first ? 0 : ((uint64_t)1 << (right - first)) - 1;
}

/* Keeps what the mask of a right row lets through. */
static bool take_mask(search *s, piece *t, uint32_t right, const uint64_t *mask)
{
    const dpl__kernels *k = s->ctx->kernels;
    const uint64_t *row = row_of(s->right, right);
    uint64_t any = 0;
    for (size_t word = 0; word < DOCS / 64; word++)
        any |= mask[word];
    for (size_t word = 0; any && word < DOCS / 64; word++)
        for (uint64_t bits = mask[word] & allowed(s, t, right, word); bits; bits &= bits - 1) {
            uint32_t left = t->left + (uint32_t)(64 * word) + (uint32_t)__builtin_ctzll(bits);
            unsigned distance =
                s->how->distance(k, row_of(s->left, left), row, s->left->n_words);
            dpl_near_pair c = {left, right, distance};
            if (distance <= s->task->cut && !dpl__vec_push(s->ctx, &t->found, c))
                return false;
        }
    return true;
}

static bool is_too_much(const search *s)
{
    return atomic_load_explicit(&s->n_found, memory_order_relaxed) > s->most_found;
}

static dpl_status run_piece(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    search *s = user;
    piece *t = &s->pieces.data[s->slots[slot]];
    assert(t->n_left <= DOCS && t->right_end <= s->right->n_rows);
    const scratch *own = &s->scratch[worker];
    const bool is_early = s->task->first_words > 0;
    const size_t n_words = is_early ? s->task->first_words : s->left->n_words;
    const unsigned cut = is_early ? s->task->first_cut : s->task->cut;
    for (uint32_t at = t->right, n; at < t->right_end && !is_too_much(s); at += n) {
        n = (uint32_t)dpl__min(STEP, t->right_end - at);
        const dpl__mask_rows rows = {.queries = row_of(s->right, at),
                                     .docs = row_of(s->left, t->left),
                                     .n_queries = n,
                                     .n_docs = t->n_left,
                                     .n_words = n_words,
                                     .stride = s->left->n_words};
        s->how->mask(s->ctx->kernels, own->mask, own->kernel, &rows, cut);
        const size_t n_before = t->found.n;
        for (uint32_t i = 0; i < n; i++)
            DPL_TRY(
                dpl__need(take_mask(s, t, at + i, own->mask + (size_t)i * (DOCS / 64)), err));
        atomic_fetch_add_explicit(&s->n_found, t->found.n - n_before, memory_order_relaxed);
    }
    return DPL_OK;
}

static dpl_status next_piece(void *user, size_t slot, dpl_error *err)
{
    (void)err;
    search *s = user;
    if (s->next == s->pieces.n || is_too_much(s))
        return DPL_END;
    s->slots[slot] = s->next++;
    return DPL_OK;
}

/* Pairs that a piece looks at. */
static uint64_t n_pairs(const search *s, const piece *t)
{
    uint64_t n = 0;
    for (uint32_t right = t->right; s->is_self && right < t->right_end; right++) {
        uint32_t below = right > t->left ? right - t->left : 0;
        if (below >= t->n_left)
            return n + (uint64_t)(t->right_end - right) * t->n_left;
        n += below;
    }
    return s->is_self ? n : (uint64_t)(t->right_end - t->right) * t->n_left;
}

static dpl_status piece_done(void *user, size_t slot, dpl_error *err)
{
    search *s = user;
    if (!is_too_much(s)) /* else it will be done again */
        s->progress.done += n_pairs(s, &s->pieces.data[s->slots[slot]]);
    return dpl__progress(s->ctx, &s->progress, err);
}

/* ---- a block ------------------------------------------------------------------------ */

static void clear_pieces(search *s)
{
    for (size_t i = 0; i < s->pieces.n; i++)
        dpl__vec_clear(s->ctx, &s->pieces.data[i].found);
    s->pieces.n = 0;
}

/* Right rows of a piece: enough pieces for all threads, large enough for the kernel. */
static uint32_t range_of(const search *s, uint32_t n_left, uint32_t n_right)
{
    const uint64_t n_groups = (n_left + DOCS - 1) / DOCS;
    const uint64_t range = n_groups * n_right / (PIECES * (uint64_t)s->ctx->n_threads);
    return (uint32_t)dpl__min(range / GRAIN * GRAIN + GRAIN, RANGE);
}

static dpl_status add_pieces(search *s, uint32_t begin, uint32_t end, dpl_error *err)
{
    const uint32_t n_right = s->right->n_rows, first = s->is_self ? begin : 0;
    const uint32_t range = range_of(s, end - begin, n_right - first);
    for (uint32_t left = begin; left < end; left += (uint32_t)dpl__min(DOCS, end - left))
        for (uint32_t right = s->is_self ? left : 0; right < n_right;
             right += (uint32_t)dpl__min(range, n_right - right)) {
            piece t = {.left = left,
                       .n_left = (uint32_t)dpl__min(DOCS, end - left),
                       .right = right,
                       .right_end = right + (uint32_t)dpl__min(range, n_right - right)};
            DPL_TRY(dpl__need(dpl__vec_push(s->ctx, &s->pieces, t), err));
        }
    return DPL_OK;
}

/* Pieces [begin, end) have the same left rows: what they found goes to the sink by left row. */
static dpl_status give(search *s, size_t begin, size_t end, dpl_error *err)
{
    size_t starts[DOCS + 1] = {0}, n = 0;
    const uint32_t left = s->pieces.data[begin].left;
    for (size_t i = begin; i < end; i++) {
        const near_pairs *found = &s->pieces.data[i].found;
        n += found->n;
        for (size_t c = 0; c < found->n; c++)
            starts[found->data[c].left - left + 1]++;
    }
    if (n == 0)
        return DPL_OK;
    for (size_t i = 1; i < DOCS; i++)
        starts[i + 1] += starts[i];
    dpl_near_pair *ordered = dpl__alloc(s->ctx, n * sizeof *ordered);
    DPL_TRY(dpl__need(ordered, err));
    for (size_t i = begin; i < end; i++) {
        near_pairs *found = &s->pieces.data[i].found;
        for (size_t c = 0; c < found->n; c++)
            ordered[starts[found->data[c].left - left]++] = found->data[c];
        dpl__vec_clear(s->ctx, found);
    }
    dpl_status status = s->task->take(s->task->user, ordered, n, err);
    dpl__free(s->ctx, ordered);
    return status;
}

static dpl_status give_all(search *s, dpl_error *err)
{
    for (size_t i = 0, end; i < s->pieces.n; i = end) {
        for (end = i; end < s->pieces.n && s->pieces.data[end].left == s->pieces.data[i].left;)
            end++;
        DPL_TRY(give(s, i, end, err));
    }
    return DPL_OK;
}

/* Gives nothing away when the pairs of these left rows are too many. */
static dpl_status run_block(search *s, uint32_t begin, uint32_t end, dpl_error *err)
{
    const dpl_progress before = s->progress;
    s->most_found = (size_t)(s->host->memory_left(s->ctx) / 2 / BYTES);
    atomic_store(&s->n_found, 0);
    s->next = 0;
    DPL_TRY(add_pieces(s, begin, end, err));
    dpl__pipeline p = {.user = s,
                       .n_slots = dpl__min(DPL_LEN(s->slots), 4 * (size_t)s->ctx->n_threads),
                       .produce = next_piece,
                       .map = run_piece,
                       .commit = piece_done};
    DPL_TRY(dpl__pipeline_run(s->ctx, &p, err));
    if (!is_too_much(s))
        return give_all(s, err);
    s->progress = before;
    return DPL_OK;
}

/* ---- the whole ---------------------------------------------------------------------- */

static dpl_status run_blocks(search *s, dpl_error *err)
{
    const uint32_t n_left = s->left->n_rows;
    uint32_t block = BLOCK;
    for (uint32_t begin = 0; begin < n_left;) {
        uint32_t n = (uint32_t)dpl__min(block, n_left - begin);
        dpl_status status = run_block(s, begin, begin + n, err);
        clear_pieces(s);
        if (status != DPL_OK)
            return status;
        const bool is_over = is_too_much(s);
        if (is_over && n == 1)
            return dpl__fail_code(err, DPL_E_LIMIT, "memory-search",
                                  "the pairs of one row do not fit into memory");
        begin += is_over ? 0 : n;
        if (is_over)
            block = (n + 7) / 8;
        else if (atomic_load(&s->n_found) < s->most_found / 16) /* room for more at a time */
            block = (uint32_t)dpl__min(2 * block, BLOCK);
    }
    return DPL_OK;
}

static dpl_status make_scratch(search *s, dpl_error *err)
{
    const size_t n_mask = (size_t)STEP * DOCS / 8;
    const unsigned n = s->ctx->n_threads;
    s->n_scratch = n_mask + s->how->n_scratch(STEP, s->left->n_words) + 64;
    s->scratch = dpl__calloc(s->ctx, n, sizeof *s->scratch);
    DPL_TRY(dpl__need(s->scratch, err));
    for (unsigned i = 0; i < n; i++) {
        scratch *own = &s->scratch[i];
        own->memory = dpl__alloc(s->ctx, s->n_scratch);
        DPL_TRY(dpl__need(own->memory, err));
        own->mask = (void *)(own->memory + (64 - (uintptr_t)own->memory % 64));
        own->kernel = (char *)own->mask + n_mask;
    }
    return DPL_OK;
}

static void clear(search *s)
{
    for (unsigned i = 0; s->scratch && i < s->ctx->n_threads; i++)
        dpl__free(s->ctx, s->scratch[i].memory);
    dpl__free(s->ctx, s->scratch);
    dpl__vec_clear(s->ctx, &s->pieces);
}

static size_t bits_scratch(size_t n_queries, size_t n_words)
{
    (void)n_queries;
    return dpl__hamming_scratch(n_words);
}

static void bits_mask(const dpl__kernels *k, uint64_t *mask, void *own, const dpl__mask_rows *r,
                      unsigned cut)
{
    k->hamming_mask(mask, own, r, cut);
}

static unsigned bits_distance(const dpl__kernels *k, const uint64_t *a, const uint64_t *b,
                              size_t n_words)
{
    return k->hamming(a, b, n_words);
}

const dpl__comparison dpl__compare_bits = {bits_scratch, bits_mask, bits_distance};

dpl_status dpl__cpu_within(const dpl_device_host *host, const dpl_within *task, dpl_error *err)
{
    return dpl__cpu_within_by(host, task, &dpl__compare_bits, err);
}

dpl_status dpl__cpu_within_by(const dpl_device_host *host, const dpl_within *task,
                              const dpl__comparison *how, dpl_error *err)
{
    const uint64_t n_left = task->left.n_rows, n_right = task->right.n_rows;
    search s = {.host = host,
                .ctx = host->ctx,
                .task = task,
                .how = how,
                .left = &task->left,
                .right = &task->right,
                .is_self = task->is_self,
                .progress = {.stage = "compare", .unit = "comparisons"}};
    s.progress.total = dpl__count_pairs(n_left, n_right, s.is_self);
    if (s.progress.total == 0)
        return DPL_OK;
    dpl_status status;
    DPL__STEP(make_scratch(&s, err));
    DPL__STEP(run_blocks(&s, err));
done:
    clear(&s);
    return status;
}
