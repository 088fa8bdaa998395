/*
 * aligned.c - document pairs as bytes in a spool.
 *
 * A document pair is: left and right document, units and beads, a flag byte, the first sentence
 * of each unit where it is not the unit's own number, and the beads. A bead is a byte of its
 * two lengths, a byte of verdict and flags, where it begins if not behind the bead before it,
 * and its score if not 0. Numbers are in the variable-length code of seven bits to the byte.
 * Cost: some nanoseconds for a bead in each direction.
 */
#include "sentences/aligned.h"

#include "base/ctx.h"
#include "io/spill.h"

/* Flags of a document pair: unit i of the side is sentence i. */
enum { PLAIN_UNITS = 1 };
/* Flags of a bead, beside its verdict. */
enum { HAS_PLACE = 0x80, HAS_SCORE = 0x40, VERDICT_BITS = 0x3F };

struct dpl__aligned {
    dpl_ctx *ctx;
    dpl__spill spill;
    dpl__spool spool;
    DPL_VEC(uint64_t) ends; /* of each document pair in the spool */
    dpl__bytes bytes;       /* of the pair being added */
};

dpl_status dpl__aligned_new(dpl__aligned **out, dpl_ctx *ctx, const char *dir, size_t share,
                            dpl_error *err)
{
    *out = NULL;
    dpl__aligned *a = dpl__calloc(ctx, 1, sizeof *a);
    DPL_TRY(dpl__need(a, err));
    a->ctx = ctx;
    dpl_status status = dpl__spill_init(&a->spill, ctx, dir ? dir : "", err);
    dpl__spool_init(&a->spool, &a->spill, dir ? share : SIZE_MAX / 2);
    if (status != DPL_OK) {
        dpl__aligned_free(a);
        return status;
    }
    *out = a;
    return DPL_OK;
}

void dpl__aligned_free(dpl__aligned *a)
{
    if (!a)
        return;
    dpl__vec_clear(a->ctx, &a->bytes, &a->ends);
    dpl__spool_clear(&a->spool);
    dpl__spill_clear(&a->spill);
    dpl__free(a->ctx, a);
}

size_t dpl__aligned_size(const dpl__aligned *a)
{
    return a->ends.n;
}

void dpl__sentences_count(dpl_sentences_summary *s, const dpl_aligned_docs *docs)
{
    s->n_pairs++;
    s->n_units[0] += docs->n_units[0];
    s->n_units[1] += docs->n_units[1];
    s->n_beads += docs->n_beads;
    for (size_t i = 0; i < docs->n_beads; i++) {
        s->n_verdicts[docs->beads[i].verdict]++;
        s->n_kinds[docs->beads[i].n_left][docs->beads[i].n_right]++;
    }
}

/* ---- writing ------------------------------------------------------------------------ */

/* Most bytes of a number, and of a bead. */
enum { NUMBER_BYTES = 5, BEAD_BYTES = 2 + 2 * NUMBER_BYTES + 4 };

/* The bytes have room. */
static void put_number(dpl__bytes *b, uint32_t x)
{
    for (; x > 0x7F; x >>= 7)
        b->data[b->n++] = (char)(x | 0x80);
    b->data[b->n++] = (char)x;
}

static bool are_plain(const uint32_t *units, uint32_t n)
{
    for (uint32_t i = 0; i <= n; i++)
        if (units[i] != i)
            return false;
    return true;
}

static void put_units(dpl__bytes *b, const uint32_t *units, uint32_t n)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i <= n; i++) {
        put_number(b, units[i] - before);
        before = units[i];
    }
}

static void put_bead(dpl__bytes *b, const dpl_bead *bead, const uint32_t expected[2])
{
    bool has_place = bead->left != expected[0] || bead->right != expected[1];
    bool has_score = bead->score != 0;
    assert(bead->n_left < 16 && bead->n_right < 16);
    b->data[b->n++] = (char)(bead->n_left << 4 | bead->n_right);
    b->data[b->n++] = (char)((unsigned)bead->verdict | (has_place ? HAS_PLACE : 0u) |
                             (has_score ? HAS_SCORE : 0u));
    if (has_place) {
        put_number(b, bead->left);
        put_number(b, bead->right);
    }
    if (has_score) {
        memcpy(b->data + b->n, &bead->score, sizeof bead->score);
        b->n += sizeof bead->score;
    }
}

dpl_status dpl__aligned_add(void *aligned, const dpl_aligned_docs *docs, dpl_error *err)
{
    dpl__aligned *a = aligned;
    dpl__bytes *b = &a->bytes;
    const uint32_t head[4] = {docs->docs.left, docs->docs.right, docs->n_units[0],
                              docs->n_units[1]};
    size_t most = 6 * NUMBER_BYTES + 1 + docs->n_beads * BEAD_BYTES +
                  ((size_t)head[2] + head[3] + 2) * NUMBER_BYTES;
    b->n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(a->ctx, b, most), err));
    for (size_t i = 0; i < DPL_LEN(head); i++)
        put_number(b, head[i]);
    assert(docs->n_beads <= UINT32_MAX);
    put_number(b, (uint32_t)docs->n_beads);
    size_t flags = b->n++;
    b->data[flags] = 0;
    for (int side = 0; side < 2; side++) {
        if (are_plain(docs->units[side], docs->n_units[side]))
            b->data[flags] = (char)(b->data[flags] | PLAIN_UNITS << side);
        else
            put_units(b, docs->units[side], docs->n_units[side]);
    }
    uint32_t expected[2] = {0, 0};
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *bead = &docs->beads[i];
        put_bead(b, bead, expected);
        expected[0] = bead->left + bead->n_left;
        expected[1] = bead->right + bead->n_right;
    }
    DPL_TRY(dpl__spool_append(&a->spool, b->data, b->n, err));
    return dpl__need(dpl__vec_push(a->ctx, &a->ends, dpl__spool_size(&a->spool)), err);
}

/* ---- reading ------------------------------------------------------------------------ */

void dpl__aligned_reader_clear(dpl__aligned_reader *r, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &r->units[0], &r->units[1], &r->beads, &r->bytes);
}

static uint32_t take_number(const uint8_t **at)
{
    uint32_t x = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint8_t byte = *(*at)++;
        x |= (uint32_t)(byte & 0x7F) << shift;
        if (byte < 0x80)
            return x;
    }
}

static void take_units(uint32_t *units, uint32_t n, bool is_plain, const uint8_t **at)
{
    uint32_t before = 0;
    for (uint32_t i = 0; i <= n; i++)
        units[i] = before = is_plain ? i : before + take_number(at);
}

static dpl_bead take_bead(const uint8_t **at, uint32_t expected[2])
{
    unsigned kind = *(*at)++, flags = *(*at)++;
    dpl_bead bead = {.left = expected[0],
                     .n_left = kind >> 4,
                     .right = expected[1],
                     .n_right = kind & 15,
                     .verdict = (dpl_verdict)(flags & VERDICT_BITS)};
    if (flags & HAS_PLACE) {
        bead.left = take_number(at);
        bead.right = take_number(at);
    }
    if (flags & HAS_SCORE) {
        memcpy(&bead.score, *at, sizeof bead.score);
        *at += sizeof bead.score;
    }
    expected[0] = bead.left + bead.n_left;
    expected[1] = bead.right + bead.n_right;
    return bead;
}

dpl_status dpl__aligned_read(dpl_aligned_docs *out, dpl__aligned_reader *r,
                             const dpl__aligned *a, size_t number, dpl_error *err)
{
    assert(number < a->ends.n);
    uint64_t begin = number ? a->ends.data[number - 1] : 0;
    size_t n = (size_t)(a->ends.data[number] - begin);
    r->bytes.n = r->beads.n = r->units[0].n = r->units[1].n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(a->ctx, &r->bytes, n), err));
    DPL_TRY(dpl__spool_read(&a->spool, begin, r->bytes.data, n, err));
    const uint8_t *at = (const uint8_t *)r->bytes.data;
    *out = (dpl_aligned_docs){.pair = number};
    out->docs.left = take_number(&at);
    out->docs.right = take_number(&at);
    out->n_units[0] = take_number(&at);
    out->n_units[1] = take_number(&at);
    out->n_beads = take_number(&at);
    unsigned flags = *at++;
    DPL_TRY(dpl__need(dpl__vec_reserve(a->ctx, &r->beads, out->n_beads), err));
    for (int side = 0; side < 2; side++) {
        DPL_TRY(dpl__need(
            dpl__vec_reserve(a->ctx, &r->units[side], (size_t)out->n_units[side] + 1), err));
        take_units(r->units[side].data, out->n_units[side], flags >> side & PLAIN_UNITS, &at);
        out->units[side] = r->units[side].data;
    }
    uint32_t expected[2] = {0, 0};
    for (size_t i = 0; i < out->n_beads; i++)
        r->beads.data[i] = take_bead(&at, expected);
    out->beads = r->beads.data;
    assert(at == (const uint8_t *)r->bytes.data + n);
    return DPL_OK;
}

dpl_status dpl__aligned_each(const dpl__aligned *a, const size_t *numbers, size_t n,
                             dpl_aligned_docs_fn *take, void *user, dpl_error *err)
{
    dpl__aligned_reader reader = {0};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < n && status == DPL_OK; i++) {
        dpl_aligned_docs docs;
        status = dpl__aligned_read(&docs, &reader, a, numbers ? numbers[i] : i, err);
        docs.pair = i;
        if (status == DPL_OK)
            status = take(user, &docs, err);
    }
    dpl__aligned_reader_clear(&reader, a->ctx);
    return status;
}
