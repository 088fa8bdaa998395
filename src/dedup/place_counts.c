/*
 * place_counts.c - a shuffle by ranges of places, there and back.
 *
 * A file has the places of its items by range: how many each item has there, as ones that end
 * with a zero, and the places themselves. Who counts a range reads these from all files, and
 * writes, file by file, a bit for each place: whether it was named more than once; and how
 * often, a byte for each such place. So nobody holds a table of all places, and most answers
 * are a bit. Cost: four bytes of shared disk for each place that is named, written once and
 * read twice, and some two bits back.
 */
#define _POSIX_C_SOURCE 200809L
#include "dedup/place_counts.h"

#include "base/ctx.h"
#include "io/files.h"
#include "io/shared_run.h"

#include <errno.h>

enum { MOST_RANGES = 256, WORD = 64 };

static size_t n_ranges(const dpl__place_counts *c)
{
    return dpl__min(dpl__shared_n(c->ctx), MOST_RANGES);
}

size_t dpl__place_reader_ranges(const dpl__place_counts *c)
{
    return n_ranges(c);
}

/* By the bits that each place has. */
static size_t range_of(size_t n, uint32_t place)
{
    return (size_t)(((uint64_t)(place >> 16) * n) >> 16);
}

static uint64_t first_place(size_t n, size_t range)
{
    return (((uint64_t)range << 16) + n - 1) / n << 16;
}

dpl__item_range dpl__places_items(const dpl__place_counts *c, size_t file)
{
    return (dpl__item_range){c->n_items * file / c->n_files,
                             c->n_items * (file + 1) / c->n_files};
}

static size_t n_items(const dpl__place_counts *c, size_t file)
{
    const dpl__item_range r = dpl__places_items(c, file);
    return r.end - r.first;
}

static void path_of(char out[4200], const dpl__place_counts *c, const char *name, size_t n,
                    size_t i)
{
    const dpl__shared_files files = {.name = name, .key = c->n_items, .n = n};
    dpl__shared_path(out, c->ctx, &files, i);
}

static void file_path(char out[4200], const dpl__place_counts *c, size_t file)
{
    path_of(out, c, "places", c->n_files, file);
}

static void counts_path(char out[4200], const dpl__place_counts *c, size_t range)
{
    path_of(out, c, "counts", n_ranges(c), range);
}

/* ---- files ------------------------------------------------------------------------------ */

static size_t words_of(uint64_t n_bits)
{
    return (size_t)((n_bits + WORD - 1) / WORD);
}

/* A range in a file, which begins with how many places each has. */
typedef struct piece {
    const uint64_t *ones; /* words_of(n + items) */
    const uint32_t *places;
    uint64_t n;
} piece;

/* A mapped file. */
typedef struct mapped {
    const char *data;
    size_t n;
} mapped;

static dpl_status map_path(mapped *out, const char *path, dpl_error *err)
{
    const int code = dpl__map_file(&out->data, &out->n, path);
    return code ? dpl__fail_errno(err, code, "cannot read '%s'", path) : DPL_OK;
}

static void unmap(const mapped *m)
{
    if (m->data)
        dpl__unmap_file(m->data, m->n);
}

static dpl_status fail_damaged(const char *path, dpl_error *err)
{
    return dpl__fail(err, DPL_E_FORMAT, "'%s' is damaged", path);
}

/* false: the file is of another size. */
static bool find_pieces(piece *out, const mapped *m, size_t ranges, size_t items)
{
    const size_t n_words = m->n / sizeof(uint64_t);
    const uint64_t *words = (const uint64_t *)(const void *)m->data;
    uint64_t at = ranges, n_places = 0;
    if (n_words < ranges)
        return false;
    for (size_t r = 0; r < ranges; r++) {
        out[r] = (piece){.ones = words + at, .n = words[r]};
        if (out[r].n > m->n || (at += words_of(out[r].n + items)) > n_words)
            return false;
        n_places += out[r].n;
    }
    const uint32_t *places = (const uint32_t *)(const void *)(words + at);
    for (size_t r = 0; r < ranges; places += out[r++].n)
        out[r].places = places;
    return at * sizeof(uint64_t) + n_places * sizeof *places == m->n;
}

/* Where a range is written. */
typedef struct filling {
    uint64_t *ones, bit;
    uint32_t *places;
} filling;

/* The file, when it has its numbers of places. */
static void fill_pieces(char *data, filling *at, size_t ranges, const dpl__named_places *items,
                        size_t n)
{
    uint64_t *sizes = (uint64_t *)(void *)data, *ones = sizes + ranges;
    for (size_t r = 0; r < ranges; ones += words_of(sizes[r++] + n))
        at[r] = (filling){.ones = ones};
    uint32_t *places = (uint32_t *)(void *)ones;
    for (size_t r = 0; r < ranges; places += sizes[r++])
        at[r].places = places;
    for (size_t i = 0; i < n; i++) {
        for (size_t k = 0; k < items[i].n; k++) {
            filling *f = &at[range_of(ranges, items[i].places[k])];
            *f->places++ = items[i].places[k];
            f->ones[f->bit / WORD] |= (uint64_t)1 << f->bit % WORD;
            f->bit++;
        }
        for (size_t r = 0; r < ranges; r++)
            at[r].bit++;
    }
}

dpl_status dpl__places_write(const dpl__place_counts *c, size_t file,
                             const dpl__named_places *items, dpl_error *err)
{
    const size_t ranges = n_ranges(c), n = n_items(c, file);
    uint64_t sizes[MOST_RANGES] = {0}, n_bytes = ranges * sizeof *sizes;
    filling *at = dpl__alloc(c->ctx, ranges * sizeof *at);
    char path[4200], *data = NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < items[i].n; k++)
            sizes[range_of(ranges, items[i].places[k])]++;
    for (size_t r = 0; r < ranges; r++)
        n_bytes += words_of(sizes[r] + n) * sizeof(uint64_t) + sizes[r] * sizeof(uint32_t);
    dpl_status status;
    DPL__STEP(dpl__need(at && (data = dpl__calloc(c->ctx, (size_t)n_bytes, 1)), err));
    memcpy(data, sizes, ranges * sizeof *sizes);
    fill_pieces(data, at, ranges, items, n);
    file_path(path, c, file);
    status = dpl__shared_write(c->ctx, path, (dpl_str){data, (size_t)n_bytes}, err);
done:
    dpl__free(c->ctx, at, data);
    return status;
}

/* ---- counting --------------------------------------------------------------------------- */

typedef struct counting {
    const dpl__place_counts *c;
    unsigned n_bits;
} counting;

/* Counts of a range, and what is written. */
typedef struct counted {
    const dpl__place_counts *c;
    unsigned shift;
    uint64_t first; /* place */
    uint8_t *counts;
    mapped *files;
    piece *pieces; /* of each file */
    dpl__bytes out;
} counted;

/* Maps all files. */
static dpl_status find_range(counted *x, size_t range, dpl_error *err)
{
    const size_t ranges = n_ranges(x->c);
    piece all[MOST_RANGES];
    const uint64_t first = first_place(ranges, range), end = first_place(ranges, range + 1);
    for (size_t i = 0; i < x->c->n_files; i++) {
        char path[4200];
        file_path(path, x->c, i);
        DPL_TRY(map_path(&x->files[i], path, err));
        if (!find_pieces(all, &x->files[i], ranges, n_items(x->c, i)))
            return fail_damaged(path, err);
        x->pieces[i] = all[range];
        for (uint64_t k = 0; k < all[range].n; k++)
            if (all[range].places[k] < first || all[range].places[k] >= end)
                return fail_damaged(path, err);
    }
    return DPL_OK;
}

static inline uint8_t *count_at(const counted *x, uint32_t place)
{
    return &x->counts[(place - x->first) >> x->shift];
}

static void count_places(const counted *x, const piece *p)
{
    enum { AHEAD = 16 };
    for (uint64_t k = 0; k < p->n; k++) {
        DPL_PREFETCH(count_at(x, p->places[k + AHEAD < p->n ? k + AHEAD : k]));
        uint8_t *n = count_at(x, p->places[k]);
        *n = (uint8_t)(*n + (*n < UINT8_MAX));
    }
}

/* Bits of a file, and counts. n_more: how many. */
static bool put_counts(counted *x, const piece *p, uint64_t *n_more)
{
    dpl_ctx *ctx = x->c->ctx;
    const size_t at = x->out.n, n_bytes = words_of(p->n) * sizeof(uint64_t);
    if (!dpl__vec_reserve(ctx, &x->out, n_bytes + (size_t)p->n + sizeof(uint64_t)))
        return false;
    uint64_t *bits = (uint64_t *)(void *)(x->out.data + at);
    uint8_t *more = (uint8_t *)x->out.data + at + n_bytes;
    memset(bits, 0, n_bytes);
    *n_more = 0;
    for (uint64_t k = 0; k < p->n; k++) {
        const uint8_t n = *count_at(x, p->places[k]);
        bits[k / WORD] |= (uint64_t)(n > 1) << k % WORD;
        more[*n_more] = n;
        *n_more += n > 1;
    }
    x->out.n = at + n_bytes + (size_t)*n_more;
    while (x->out.n % sizeof(uint64_t))
        x->out.data[x->out.n++] = 0;
    return true;
}

/* Where the counts of each file begin, and how many they are; then these. */
static dpl_status count_range(counted *x, size_t range, dpl_error *err)
{
    dpl_ctx *ctx = x->c->ctx;
    const size_t n_files = x->c->n_files, ranges = n_ranges(x->c);
    const uint64_t n = (first_place(ranges, range + 1) - x->first) >> x->shift;
    x->counts = dpl__calloc(ctx, (size_t)n, 1);
    x->files = dpl__calloc(ctx, n_files, sizeof *x->files);
    x->pieces = dpl__alloc(ctx, n_files * sizeof *x->pieces);
    DPL_TRY(dpl__need(x->counts && x->files && x->pieces &&
                          dpl__vec_reserve(ctx, &x->out, 2 * n_files * sizeof(uint64_t)),
                      err));
    DPL_TRY(find_range(x, range, err));
    for (size_t i = 0; i < n_files; i++)
        count_places(x, &x->pieces[i]);
    x->out.n = 2 * n_files * sizeof(uint64_t);
    for (size_t i = 0; i < n_files; i++) {
        uint64_t head[2] = {x->out.n, 0};
        DPL_TRY(dpl__need(put_counts(x, &x->pieces[i], &head[1]), err));
        memcpy(x->out.data + i * sizeof head, head, sizeof head);
    }
    return DPL_OK;
}

static dpl_status make_counts(const char *path, void *user, size_t range, dpl_error *err)
{
    const counting *of = user;
    counted x = {.c = of->c,
                 .shift = DPL__PLACE_BITS - of->n_bits,
                 .first = first_place(n_ranges(of->c), range)};
    dpl_status status;
    DPL__STEP(count_range(&x, range, err));
    status = dpl__shared_write(x.c->ctx, path, (dpl_str){x.out.data, x.out.n}, err);
done:
    for (size_t i = 0; x.files && i < x.c->n_files; i++)
        unmap(&x.files[i]);
    dpl__vec_clear(x.c->ctx, &x.out);
    dpl__free(x.c->ctx, x.counts, x.files, x.pieces);
    return status;
}

dpl_status dpl__places_count(const dpl__place_counts *c, unsigned n_bits, dpl_error *err)
{
    counting x = {c, n_bits};
    const dpl__shared_files files = {.name = "counts",
                                     .key = c->n_items,
                                     .n = n_ranges(c),
                                     .user = &x,
                                     .make = make_counts,
                                     .is_for_all = true};
    assert(n_bits >= DPL__PLACE_LEAST_BITS && n_bits <= DPL__PLACE_BITS);
    return dpl__shared_files_make(c->ctx, &files, err);
}

/* ---- the counts of a file --------------------------------------------------------------- */

/* Of a range. */
typedef struct known {
    piece p;
    const uint64_t *bits;
    const uint8_t *more;
    mapped file; /* of counts */
} known;

struct dpl__place_reader {
    dpl_ctx *ctx;
    size_t ranges;
    mapped file;
    known *known;
    dpl__place_cursor *blocks; /* of each block, for each range */
};

/* Ones up to the next zero, which has to be there. */
static inline uint64_t count_ones(const uint64_t *words, uint64_t *bit)
{
    uint64_t n = 0;
    for (;;) {
        const uint64_t zeros = ~words[*bit / WORD] >> *bit % WORD;
        if (zeros) {
            const unsigned ones = (unsigned)__builtin_ctzll(zeros);
            *bit += ones + 1;
            return n + ones;
        }
        n += WORD - *bit % WORD;
        *bit += WORD - *bit % WORD;
    }
}

/* Ones of [from, to). */
static inline uint64_t ones_between(const uint64_t *words, uint64_t from, uint64_t to)
{
    uint64_t n = 0;
    while (from < to) {
        const uint64_t some = dpl__min(WORD - from % WORD, to - from);
        const uint64_t bits = words[from / WORD] >> from % WORD;
        n += dpl__n_ones(some < WORD ? bits & (((uint64_t)1 << some) - 1) : bits);
        from += some;
    }
    return n;
}

/* Do the ones and zeros tell of all places and items? */
static bool is_complete(const piece *p, size_t items)
{
    const uint64_t n_bits = p->n + items;
    return ones_between(p->ones, 0, n_bits) == p->n &&
           (!items || !(p->ones[(n_bits - 1) / WORD] >> (n_bits - 1) % WORD & 1));
}

static dpl_status open_counts(known *k, const dpl__place_counts *c, size_t file, size_t range,
                              dpl_error *err)
{
    char path[4200];
    uint64_t head[2];
    counts_path(path, c, range);
    DPL_TRY(map_path(&k->file, path, err));
    const uint64_t n = k->file.n, n_bytes = words_of(k->p.n) * sizeof(uint64_t);
    if (n < 2 * c->n_files * sizeof(uint64_t))
        return fail_damaged(path, err);
    memcpy(head, k->file.data + file * sizeof head, sizeof head);
    if (head[0] % sizeof(uint64_t) || head[0] > n || n - head[0] < n_bytes ||
        n - head[0] - n_bytes < head[1])
        return fail_damaged(path, err);
    k->bits = (const uint64_t *)(const void *)(k->file.data + head[0]);
    k->more = (const uint8_t *)k->bits + n_bytes;
    return ones_between(k->bits, 0, k->p.n) == head[1] ? DPL_OK : fail_damaged(path, err);
}

static void find_blocks(dpl__place_reader *r, size_t items)
{
    for (size_t i = 0; i < r->ranges; i++) {
        const known *k = &r->known[i];
        dpl__place_cursor at = {0};
        for (size_t item = 0; item < items; item++) {
            if (item % DPL__PLACE_BLOCK == 0)
                r->blocks[item / DPL__PLACE_BLOCK * r->ranges + i] = at;
            const uint64_t end = at.key + count_ones(k->p.ones, &at.bit);
            at.more += ones_between(k->bits, at.key, end);
            at.key = end;
        }
    }
}

static dpl_status open_all(dpl__place_reader *r, const dpl__place_counts *c, size_t file,
                           dpl_error *err)
{
    const size_t items = n_items(c, file),
                 n_blocks = (items + DPL__PLACE_BLOCK - 1) / DPL__PLACE_BLOCK;
    char path[4200];
    piece pieces[MOST_RANGES];
    r->known = dpl__calloc(c->ctx, r->ranges, sizeof *r->known);
    r->blocks = dpl__alloc(c->ctx, (n_blocks * r->ranges + 1) * sizeof *r->blocks);
    DPL_TRY(dpl__need(r->known && r->blocks, err));
    file_path(path, c, file);
    DPL_TRY(map_path(&r->file, path, err));
    if (!find_pieces(pieces, &r->file, r->ranges, items))
        return fail_damaged(path, err);
    for (size_t i = 0; i < r->ranges; i++) {
        r->known[i].p = pieces[i];
        if (!is_complete(&pieces[i], items))
            return fail_damaged(path, err);
        DPL_TRY(open_counts(&r->known[i], c, file, i, err));
    }
    find_blocks(r, items);
    return DPL_OK;
}

dpl_status dpl__place_reader_open(dpl__place_reader **out, const dpl__place_counts *c,
                                  size_t file, dpl_error *err)
{
    dpl__place_reader *r = dpl__calloc(c->ctx, 1, sizeof *r);
    *out = NULL;
    DPL_TRY(dpl__need(r, err));
    r->ctx = c->ctx;
    r->ranges = n_ranges(c);
    dpl_status status;
    DPL__STEP(open_all(r, c, file, err));
    *out = r;
    r = NULL;
done:
    dpl__place_reader_close(r);
    return status;
}

void dpl__place_reader_close(dpl__place_reader *r)
{
    if (!r)
        return;
    for (size_t i = 0; r->known && i < r->ranges; i++)
        unmap(&r->known[i].file);
    unmap(&r->file);
    dpl__free(r->ctx, r->known, r->blocks, r);
}

void dpl__place_block_begin(dpl__place_cursor *cursors, const dpl__place_reader *r,
                            size_t block)
{
    memcpy(cursors, r->blocks + block * r->ranges, r->ranges * sizeof *cursors);
}

size_t dpl__place_item_begin(dpl__place_cursor *cursors, const dpl__place_reader *r)
{
    size_t n = 0;
    for (size_t i = 0; i < r->ranges; i++) {
        dpl__place_cursor *at = &cursors[i];
        at->end = at->key + count_ones(r->known[i].p.ones, &at->bit);
        n += (size_t)ones_between(r->known[i].bits, at->key, at->end);
    }
    return n;
}

unsigned dpl__place_item_next(dpl__place_cursor *cursors, const dpl__place_reader *r,
                              uint32_t place)
{
    const size_t range = range_of(r->ranges, place);
    dpl__place_cursor *at = &cursors[range];
    const known *k = &r->known[range];
    assert(at->key < at->end);
    const bool is_more = k->bits[at->key / WORD] >> at->key % WORD & 1;
    at->key++;
    return is_more ? k->more[at->more++] : 1;
}

void dpl__place_item_end(dpl__place_cursor *cursors, const dpl__place_reader *r)
{
    for (size_t i = 0; i < r->ranges; i++) {
        dpl__place_cursor *at = &cursors[i];
        at->more += (size_t)ones_between(r->known[i].bits, at->key, at->end);
        at->key = at->end;
    }
}
