/*
 * pairs_part.c - one part of a search, to a file.
 *
 * Two sets: left and right rows are cut into ranges, and a part is the block of one left with
 * one right range. Within one set: a part is a range of left rows, compared with each other and
 * with all rows behind it; ranges are longer towards the end, so that all have as many pairs.
 * The window method has all rows in every part, and a range of its tables instead; ngram has
 * all documents, and scores the candidates of a range of left ones.
 *
 * The plan is that of the whole, made in every part: it samples rows by the seed. What a part
 * finds is written before selection, which needs to see all of it, with the ids of the rows
 * that stand in pairs and the true pairs of its share of the rows of the recall check. Where
 * exact search has to find best pairs only, a part keeps the best of its own rows on either
 * side: the best of all are among them.
 */
#include "pairs/pairs_part_counts.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "io/target.h"
#include "pairs/ngram/ngram_settings.h"
#include "signatures/hash_functions.h"
#include "tokens/collection.h"

#include <math.h>

/* Rows of left and right that are compared with each other. */
typedef struct block {
    uint32_t first[2], n[2];
    bool is_self; /* the left ones with each other */
} block;

enum { MOST_BLOCKS = 2 };

typedef struct part_run {
    dpl_pairs *p; /* of the whole */
    const dpl_pairs_side *left, *right;
    dpl_part part;
    dpl__part_mark mark;
    dpl__json_text settings;
    block blocks[MOST_BLOCKS];
    size_t n_blocks;
    dpl__spool found[MOST_BLOCKS];
    uint64_t n_comparisons, n_candidates, n_found;
} part_run;

/* ---- what is asked for -------------------------------------------------------------- */

static void put_hash(dpl_json *j, const dpl_hash_options *h)
{
    dpl_json_begin(j, "hash", '{');
    dpl_json_cstr(j, "function", dpl__hash_function_name(h->function));
    dpl_json_number(j, "k", h->length);
    dpl_json_number(j, "l", h->codes);
    dpl_json_number(j, "r", h->radix);
    dpl_json_real(j, "width", h->width);
    dpl_json_number(j, "encoding", (uint64_t)h->encoding);
    dpl_json_end(j, '}');
}

/* Everything that pairs depend on, as it was given: zero means default. */
static void put_settings(dpl__json_text *text, const dpl_pairs *p)
{
    const dpl_pairs_options *o = &p->options;
    const char *method = dpl__pairs_method_name(o->method),
               *select = dpl_select_name(o->select);
    dpl_json j = dpl__json_into(text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "doppel pairs", dpl_version());
    dpl_json_cstr(&j, "method", method ? method : "");
    dpl_json_real(&j, "threshold", o->threshold);
    dpl_json_real(&j, "recall", o->recall);
    dpl_json_cstr(&j, "select", select ? select : "");
    dpl_json_number(&j, "best", o->top);
    dpl_json_number(&j, "assignment", (uint64_t)o->assignment);
    dpl_json_real(&j, "near_ratio", o->ratio);
    dpl_json_number(&j, "margin", o->margin);
    dpl_json_bool(&j, "verify", !o->no_verify);
    dpl_json_bool(&j, "early_stop", !o->no_early_stop);
    dpl_json_number(&j, "signature", (uint64_t)o->signature);
    dpl_json_number(&j, "bits", o->length);
    dpl_json_number(&j, "tables", o->tables);
    dpl_json_number(&j, "window", o->width);
    dpl_json_number(&j, "sample", o->sample);
    dpl_json_bool(&j, "recall_check", !o->no_recall_check);
    dpl_json_number(&j, "seed", p->ctx->seed);
    if (o->hash)
        put_hash(&j, o->hash);
    if (o->ngram && dpl__method_of(o->method) && dpl__method_of(o->method)->info.has_documents)
        dpl__ngram_put_settings(&j, o->ngram);
    dpl_json_end(&j, '}');
}

static uint64_t side_fingerprint(uint64_t so_far, const dpl_pairs_side *side)
{
    if (side->vectors)
        so_far = dpl__vectors_fingerprint(so_far, side->vectors);
    if (side->signatures) {
        const dpl_signatures *s = side->signatures;
        so_far = s->file ? dpl__fingerprint_file(so_far, s->file)
                         : dpl__fingerprint(so_far, s->ctx, s->bits.words,
                                            (size_t)s->bits.n_rows * s->bits.n_words * 8);
    }
    if (side->collection && !side->vectors)
        so_far = dpl__fingerprint_file(so_far, dpl__collection_file(side->collection));
    return dpl__fingerprint_number(so_far, 1);
}

static dpl_status make_mark(part_run *r, dpl_error *err)
{
    r->mark.part = r->part;
    put_settings(&r->settings, r->p);
    if (r->settings.has_failed)
        return dpl__fail_nomem(err);
    r->mark.options = dpl__hash(r->settings.bytes.data, r->settings.bytes.n, 0);
    r->mark.inputs = side_fingerprint(0, r->left);
    if (r->right)
        r->mark.inputs = side_fingerprint(r->mark.inputs, r->right);
    return DPL_OK;
}

/* ---- blocks ------------------------------------------------------------------------- */

static void put_range(block *b, int side, uint64_t n, uint32_t number, uint32_t n_parts)
{
    assert(number < n_parts);
    uint64_t first, end;
    dpl__part_range(&first, &end, n, &(dpl_part){number, n_parts});
    b->first[side] = (uint32_t)first;
    b->n[side] = (uint32_t)(end - first);
}

/* n_parts = rows x columns of blocks, with the fewest rows of both sides in one of them. */
static void make_grid(part_run *r, uint64_t n_left, uint64_t n_right)
{
    uint32_t best = 1;
    double least = INFINITY;
    for (uint32_t down = 1; down <= r->part.n; down++) {
        const double rows =
            (double)n_left / down + (double)n_right / ((double)r->part.n / down);
        if (r->part.n % down == 0 && rows < least) {
            least = rows;
            best = down;
        }
    }
    const uint32_t across = r->part.n / best;
    put_range(&r->blocks[0], 0, n_left, r->part.number / across, best);
    put_range(&r->blocks[0], 1, n_right, r->part.number % across, across);
    r->n_blocks = 1;
    assert(best * across == r->part.n);
}

/* The first row of part i: before it are i / n_parts of all pairs. */
static uint32_t triangle_begin(uint32_t n, uint32_t i, uint32_t n_parts)
{
    const double rest = 1 - (double)i / n_parts;
    return i == n_parts ? n : (uint32_t)((double)n * (1 - sqrt(rest)));
}

static void make_triangle(part_run *r, uint32_t n)
{
    const uint32_t begin = triangle_begin(n, r->part.number, r->part.n),
                   end = triangle_begin(n, r->part.number + 1, r->part.n);
    r->blocks[0] = (block){{begin, begin}, {end - begin, end - begin}, true};
    r->blocks[1] = (block){{begin, end}, {end - begin, n - end}, false};
    r->n_blocks = 2;
}

static void make_blocks(part_run *r)
{
    dpl_pairs *p = r->p;
    const uint32_t n_left = p->summary.n_left, n_right = p->summary.n_right;
    if (p->method->n_units) {
        uint64_t first, end;
        dpl__part_range(&first, &end, p->method->n_units(p), &r->part);
        p->first_unit = (uint32_t)first;
        p->n_units = (uint32_t)(end - first);
        r->blocks[0] = (block){{0, 0}, {n_left, n_right}, p->is_self};
        r->n_blocks = first < end; /* more parts than tables */
    } else if (p->is_self) {
        make_triangle(r, n_left);
    } else {
        make_grid(r, n_left, n_right);
    }
}

/* A side of a block: ranges of what is there. */
typedef struct side_slice {
    dpl_vectors vectors;
    dpl_signatures signatures;
    dpl_pairs_side side;
} side_slice;

static void slice_side(side_slice *out, const dpl_pairs_side *whole, uint32_t first, uint32_t n)
{
    out->side = (dpl_pairs_side){0};
    if (whole->vectors) {
        out->vectors = dpl__vectors_slice(whole->vectors, first, n);
        out->side.vectors = &out->vectors;
    }
    if (whole->signatures) {
        out->signatures = *whole->signatures;
        out->signatures.sizes.n_rows = out->signatures.bits.n_rows = n;
        out->signatures.bits.words += (size_t)first * out->signatures.bits.n_words;
        out->side.signatures = &out->signatures;
    }
}

static dpl_status search_block(part_run *r, size_t i, dpl_error *err)
{
    const block *b = &r->blocks[i];
    dpl_pairs run = *r->p;
    side_slice left, right;
    const dpl_pairs_side *whole_right = r->right ? r->right : r->left;
    if (b->n[0] == 0 || b->n[1] == 0)
        return DPL_OK;
    const bool is_whole = run.method->n_units != NULL;
    slice_side(&left, r->left, b->first[0], b->n[0]);
    slice_side(&right, whole_right, b->first[1], b->n[1]);
    run.is_self = b->is_self;
    run.found = &r->found[i];
    run.first[0] = b->first[0];
    run.first[1] = b->first[1];
    run.summary.n_left = b->n[0];
    run.summary.n_right = b->n[1];
    run.summary.n_comparisons = 0;
    if (!is_whole) {
        run.signatures =
            (dpl__signed_sides){.of = {left.side.signatures, right.side.signatures}};
    }
    if (run.has_vectors) {
        run.whole_left = r->left->vectors;
        run.sides.left = &left.vectors;
        run.sides.right = b->is_self ? &left.vectors : &right.vectors;
        run.sides.is_self = b->is_self;
    }
    dpl_status status = DPL_OK;
    if (!is_whole && run.method->info.has_signatures)
        DPL__STEP(dpl__pairs_sign(&run, &left.side, &right.side, err));
    DPL__STEP(dpl__pairs_search(&run, err));
done:
    r->n_comparisons += run.summary.n_comparisons;
    r->n_candidates += run.summary.n_candidates;
    r->n_found += run.summary.n_found;
    dpl__vec_clear(run.ctx, &run.verified);
    if (!is_whole)
        dpl__signed_sides_clear(&run.signatures);
    return status;
}

/* ---- the file ----------------------------------------------------------------------- */

static void put_numbers(const part_run *r, uint64_t *n, double *reals)
{
    const dpl_pairs *p = r->p;
    const dpl_pairs_options *o = &p->options;
    const dpl_pairs_summary *s = &p->summary;
    const bool has_bits = p->method->info.has_signatures;
    n[DPL__PAIRS_IS_SELF] = p->is_self;
    n[DPL__PAIRS_N_LEFT] = s->n_left;
    n[DPL__PAIRS_N_RIGHT] = s->n_right;
    n[DPL__PAIRS_METHOD] = (uint64_t)o->method;
    n[DPL__PAIRS_SELECT] = (uint64_t)o->select;
    n[DPL__PAIRS_N_BEST] = o->top;
    n[DPL__PAIRS_ASSIGNMENT] = (uint64_t)o->assignment;
    n[DPL__PAIRS_MARGIN] = o->margin;
    n[DPL__PAIRS_NO_VERIFY] = o->no_verify;
    n[DPL__PAIRS_HAS_CHECK] = p->check != NULL;
    n[DPL__PAIRS_SIGNATURE] = has_bits ? (uint64_t)o->signature : 0;
    n[DPL__PAIRS_BITS] = has_bits ? o->length : 0;
    n[DPL__PAIRS_CUT] = has_bits ? p->cuts.cut : 0;
    n[DPL__PAIRS_FIRST_BITS] = has_bits ? 64 * p->cuts.first_words : 0;
    n[DPL__PAIRS_FIRST_CUT] = has_bits ? p->cuts.first_cut : 0;
    n[DPL__PAIRS_N_TABLES] = o->tables;
    n[DPL__PAIRS_WINDOW] = o->width;
    n[DPL__PAIRS_HASH] = (uint64_t)s->hash;
    n[DPL__PAIRS_CODE_LENGTH] = s->code_length;
    n[DPL__PAIRS_N_CODES] = s->n_codes;
    n[DPL__PAIRS_RADIX] = s->radix;
    n[DPL__PAIRS_SAMPLE] = o->sample;
    n[DPL__PAIRS_N_COMPARISONS] = r->n_comparisons;
    n[DPL__PAIRS_N_CANDIDATES] = r->n_candidates;
    reals[DPL__PAIRS_THRESHOLD] = o->threshold;
    reals[DPL__PAIRS_PLANNED] = s->planned_recall;
    reals[DPL__PAIRS_WIDTH] = s->code_width;
    reals[DPL__PAIRS_NEAR_RATIO] = o->ratio;
}

/* What a block found, read back in order. */
typedef struct finds {
    const dpl__spool *spool;
    uint64_t at;
    dpl_pair held[512];
    size_t n, i;
} finds;

static dpl_status fill(finds *f, dpl_error *err)
{
    if (f->i < f->n)
        return DPL_OK;
    const uint64_t n = dpl__min(sizeof f->held, dpl__spool_size(f->spool) - f->at);
    f->i = 0;
    f->n = (size_t)n / sizeof *f->held;
    if (f->n)
        DPL_TRY(dpl__spool_read(f->spool, f->at, f->held, (size_t)n, err));
    f->at += n;
    return DPL_OK;
}

/* Left rows rise in both blocks, and right rows of the second are higher. */
static dpl_status write_pairs(part_run *r, dpl__writer *w, dpl__row_set rows[2], dpl_error *err)
{
    finds f[MOST_BLOCKS];
    for (size_t i = 0; i < MOST_BLOCKS; i++) {
        f[i].spool = &r->found[i];
        f[i].at = f[i].n = f[i].i = 0;
    }
    DPL_TRY(dpl__writer_begin(w, "pairs", 4, err));
    for (;;) {
        DPL_TRY(fill(&f[0], err));
        DPL_TRY(fill(&f[1], err));
        const dpl_pair *a = f[0].i < f[0].n ? &f[0].held[f[0].i] : NULL,
                       *b = f[1].i < f[1].n ? &f[1].held[f[1].i] : NULL;
        if (!a && !b)
            return DPL_OK;
        const bool is_second = !a || (b && b->left < a->left);
        const dpl_pair *next = is_second ? b : a;
        assert(next->left < rows[0].n_rows && next->right < rows[1].n_rows);
        f[is_second].i++;
        dpl__row_set_add(&rows[0], next->left);
        dpl__row_set_add(&rows[1], next->right);
        DPL_TRY(dpl__writer_append(w, next, sizeof *next, err));
    }
}

static dpl_str left_id(const void *user, uint32_t row)
{
    return dpl_pairs_id(user, false, row);
}

static dpl_str right_id(const void *user, uint32_t row)
{
    return dpl_pairs_id(user, true, row);
}

static dpl_status write_check(const dpl__recall_check *c, dpl__writer *w, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(w, "check.rows", 4, err));
    for (size_t i = 0; i < c->rows.n; i++)
        DPL_TRY(dpl__writer_append(w, &c->rows.data[i].row, 4, err));
    DPL_TRY(dpl__writer_begin(w, "check.offsets", 8, err));
    for (size_t i = 0; i <= c->rows.n; i++) {
        const uint64_t at = i < c->rows.n ? c->rows.data[i].first : c->rights.n;
        DPL_TRY(dpl__writer_append(w, &at, 8, err));
    }
    return dpl__writer_add(w, "check.rights", 4, c->rights.data, 4 * c->rights.n, err);
}

static dpl_status write_sections(part_run *r, dpl__writer *w, dpl__row_set rows[2],
                                 dpl_error *err)
{
    uint64_t counts[DPL__N_PAIRS_COUNTS];
    double reals[DPL__N_PAIRS_REALS];
    put_numbers(r, counts, reals);
    r->mark.decided = dpl__hash(counts, DPL__PAIRS_N_DECIDED * sizeof *counts, 0) ^
                      dpl__hash(reals, sizeof reals, 1);
    DPL_TRY(write_pairs(r, w, rows, err));
    DPL_TRY(dpl__row_set_write(&rows[0], w, "left", left_id, r->p, err));
    DPL_TRY(dpl__row_set_write(&rows[1], w, "right", right_id, r->p, err));
    DPL_TRY(dpl__writer_add(w, "doc.groups", 4, r->p->group_of,
                            r->p->group_of ? 4 * (size_t)r->p->summary.n_left : 0, err));
    DPL_TRY(write_check(&r->p->recall_check, w, err));
    DPL_TRY(dpl__writer_add(w, "counts", 8, counts, sizeof counts, err));
    DPL_TRY(dpl__writer_add(w, "reals", 8, reals, sizeof reals, err));
    DPL_TRY(dpl__writer_add_json(w, "settings", &r->settings, err));
    return dpl__part_write(w, &r->mark, err);
}

static dpl_status write_file(part_run *r, const char *path, uint64_t *n_bytes, dpl_error *err)
{
    dpl_ctx *ctx = r->p->ctx;
    dpl__writer *w = NULL;
    dpl__row_set rows[2] = {{0}};
    DPL_TRY(dpl__writer_new(&w, ctx, path, "pairs", err));
    dpl_status status;
    DPL__STEP(dpl__row_set_init(&rows[0], ctx, r->p->summary.n_left) &&
                      dpl__row_set_init(&rows[1], ctx, r->p->summary.n_right)
                  ? write_sections(r, w, rows, err)
                  : dpl__fail_nomem(err));
    DPL__STEP(dpl__writer_finish(w, n_bytes, err));
done:
    for (int side = 0; side < 2; side++)
        if (rows[side].bits)
            dpl__row_set_clear(&rows[side], ctx);
    dpl__writer_free(w);
    return status;
}

/* ---- the whole ---------------------------------------------------------------------- */

static dpl_status check_path(const char *path, const dpl_pairs_side *left,
                             const dpl_pairs_side *right, dpl_error *err)
{
    const dpl_pairs_side *sides[] = {left, right};
    for (int i = 0; i < 2 && sides[i]; i++) {
        const dpl_pairs_side *s = sides[i];
        const char *paths[3] = {
            s->vectors ? dpl_vectors_get_info(s->vectors).path : NULL,
            s->signatures ? dpl_signatures_get_info(s->signatures).path : NULL,
            s->collection ? dpl_file_get_info(dpl__collection_file(s->collection)).path : NULL};
        for (size_t k = 0; k < DPL_LEN(paths); k++)
            if (paths[k])
                DPL_TRY(dpl__check_overwrite(path, &paths[k], 1, err));
    }
    return DPL_OK;
}

static dpl_status search(part_run *r, dpl_error *err)
{
    dpl_pairs *p = r->p;
    DPL_TRY(dpl__pairs_choose(p, r->left, r->right, err));
    if (p->method->n_units && p->method->info.has_signatures)
        DPL_TRY(dpl__pairs_sign(p, r->left, r->right, err));
    DPL_TRY(dpl__pairs_complete(p, err));
    DPL_TRY(dpl__pairs_selector(p, err)); /* for the checks of its options */
    dpl__selector_free(p->selector);
    p->selector = NULL;
    make_blocks(r);
    for (size_t i = 0; i < MOST_BLOCKS; i++)
        dpl__spool_init(&r->found[i], &p->spill, (size_t)(p->ctx->memory / 8));
    DPL_TRY(dpl__pairs_check(p, &r->part, err));
    for (size_t i = 0; i < r->n_blocks; i++)
        DPL_TRY(search_block(r, i, err));
    return DPL_OK;
}

static dpl_status make_part(dpl_part_summary *made, part_run *r, const char *path,
                            dpl_error *err)
{
    DPL_TRY(make_mark(r, err));
    DPL_TRY(
        dpl__part_find_done(&made->n_output_bytes, r->p->ctx, path, "pairs", &r->mark, err));
    made->is_kept = made->n_output_bytes > 0;
    if (made->is_kept)
        return DPL_OK;
    DPL_TRY(search(r, err));
    made->n_items = r->n_found;
    return write_file(r, path, &made->n_output_bytes, err);
}

dpl_status dpl_pairs_part(dpl_part_summary *summary, dpl_ctx *ctx, const char *out_path,
                          const dpl_pairs_side *left, const dpl_pairs_side *right,
                          const dpl_part *part, const dpl_pairs_options *options,
                          dpl_error *err)
{
    double began = dpl__now();
    dpl_part_summary made = DPL_INIT(dpl_part_summary);
    part_run r = {.left = left, .right = right, .part = *part, .settings = {.ctx = ctx}};
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    DPL_TRY(dpl__part_check(part, err));
    DPL_TRY(check_path(out_path, left, right, err));
    dpl_status status;
    DPL__STEP(dpl__pairs_new(&r.p, ctx, !right, options, err));
    DPL__STEP(make_part(&made, &r, out_path, err));
    made.seconds = dpl__now() - began;
    DPL__GIVE(summary, &made);
done:
    for (size_t i = 0; i < MOST_BLOCKS; i++)
        if (r.found[i].spill)
            dpl__spool_clear(&r.found[i]);
    dpl__vec_clear(ctx, &r.settings.bytes);
    dpl_pairs_close(r.p);
    return status;
}
