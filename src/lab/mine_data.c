/*
 * mine_data.c - harder and smaller collections out of two with gold pairs.
 *
 * As shared data are made harder elsewhere (docs/measurements/hard.md): of the gold pairs some
 * stay whole, others lose one side, so that both collections have documents without counterpart
 * that are as similar to the others as the ones with. Everything drawn depends on the seed, the
 * number of the draw, and the collections.
 */
#include "lab/mine_data.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "doppel-lab/synth.h"
#include "doppel/file.h"
#include "io/files.h"
#include "io/text_output.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST_LINES = 1 << 16, MOST_SYNTHETIC = 1 << 30 };

/* ---- the pool ----------------------------------------------------------------------- */

static dpl__rng rng_of(const dpl__lab *lab, uint64_t what, uint64_t draw)
{
    return (dpl__rng){dpl__mix(lab->ctx->seed ^ dpl__mix(draw << 8 | what))};
}

/* Pairs without those whose document has another one already, and what is left over. */
static dpl_status split(dpl__mine_pool *p, uint8_t *const seen[2], dpl_error *err)
{
    const dpl_doc_pair *gold;
    size_t n;
    DPL_TRY(dpl__lab_gold(&gold, &n, p->lab, err));
    for (size_t i = 0; i < n; i++) {
        const dpl_doc_pair pair = gold[i];
        if (!seen[0][pair.left] && !seen[1][pair.right] &&
            !dpl__vec_push(p->lab->ctx, &p->pairs, pair))
            return dpl__fail_nomem(err);
        seen[0][pair.left] = seen[1][pair.right] = 1;
    }
    for (unsigned side = 0; side < 2; side++)
        for (uint32_t doc = 0; doc < dpl_collection_get_sizes(p->sides[side])->n_docs; doc++)
            if (!seen[side][doc] && !dpl__vec_push(p->lab->ctx, &p->unpaired[side], doc))
                return dpl__fail_nomem(err);
    return DPL_OK;
}

static dpl_status fill(dpl__mine_pool *p, dpl_error *err)
{
    size_t n[2];
    uint8_t *seen[2];
    for (unsigned side = 0; side < 2; side++) {
        DPL_TRY(dpl__lab_collection(&p->sides[side], p->lab, side, err));
        n[side] = dpl_collection_get_sizes(p->sides[side])->n_docs;
    }
    for (unsigned side = 0; side < 2; side++)
        seen[side] = dpl__calloc(p->lab->ctx, n[side], 1);
    const dpl_status status = seen[0] && seen[1] ? split(p, seen, err) : dpl__fail_nomem(err);
    for (unsigned side = 0; side < 2; side++)
        dpl__free(p->lab->ctx, seen[side]);
    return status;
}

#define SHUFFLE(v, rng, type)                                                                  \
    do {                                                                                       \
        for (size_t i_ = (v)->n; i_ > 1; i_--) {                                               \
            const size_t to_ = (size_t)dpl__rng_below((rng), i_);                              \
            const type kept_ = (v)->data[i_ - 1];                                              \
            (v)->data[i_ - 1] = (v)->data[to_];                                                \
            (v)->data[to_] = kept_;                                                            \
        }                                                                                      \
    } while (0)

dpl_status dpl__mine_pool_make(dpl__mine_pool *out, dpl__lab *lab, uint64_t draw,
                               dpl_error *err)
{
    *out = (dpl__mine_pool){.lab = lab, .is_synthetic = lab->n_inputs == 0};
    if (out->is_synthetic)
        return DPL_OK;
    dpl__rng rng = rng_of(lab, 1, draw);
    dpl_status status;
    DPL__STEP(fill(out, err));
    SHUFFLE(&out->pairs, &rng, dpl_doc_pair);
    SHUFFLE(&out->unpaired[0], &rng, uint32_t);
    SHUFFLE(&out->unpaired[1], &rng, uint32_t);
done:
    if (status != DPL_OK)
        dpl__mine_pool_clear(out);
    return status;
}

void dpl__mine_pool_clear(dpl__mine_pool *p)
{
    dpl__vec_clear(p->lab->ctx, &p->pairs, &p->unpaired[0], &p->unpaired[1]);
}

uint32_t dpl__mine_pool_most(const dpl__mine_pool *p)
{
    if (p->is_synthetic)
        return MOST_SYNTHETIC;
    /* With no counterparts at all, a gold pair gives a document to one side only. */
    const size_t one = dpl__min(p->unpaired[0].n, p->unpaired[1].n) + p->pairs.n;
    return (uint32_t)dpl__min(one, (p->pairs.n + p->unpaired[0].n + p->unpaired[1].n) / 2);
}

/* ---- choosing ----------------------------------------------------------------------- */

/* A subset: its documents on both sides, the first n_pairs of each being pairs. */
typedef struct chosen {
    DPL_VEC(uint32_t) docs[2];
    size_t n_pairs;
} chosen;

static bool add_unpaired(chosen *c, const dpl__mine_pool *p, const dpl__mine_wanted *w)
{
    size_t next = c->n_pairs; /* pairs that give one side */
    for (unsigned side = 0; side < 2; side++) {
        const size_t most = dpl__min(p->unpaired[side].n, w->n_docs - c->docs[side].n);
        if (!dpl__vec_append(p->lab->ctx, &c->docs[side], p->unpaired[side].data, most))
            return false;
        for (; c->docs[side].n < w->n_docs && next < p->pairs.n; next++) {
            const dpl_doc_pair *pair = &p->pairs.data[next];
            if (!dpl__vec_push(p->lab->ctx, &c->docs[side], side ? pair->right : pair->left))
                return false;
        }
    }
    return true;
}

static dpl_status choose(chosen *c, const dpl__mine_pool *p, const dpl__mine_wanted *w,
                         dpl_error *err)
{
    c->n_pairs = dpl__min((size_t)(w->paired * w->n_docs + 0.5), p->pairs.n);
    for (size_t i = 0; i < c->n_pairs; i++)
        DPL_TRY(dpl__need(dpl__vec_push(p->lab->ctx, &c->docs[0], p->pairs.data[i].left) &&
                              dpl__vec_push(p->lab->ctx, &c->docs[1], p->pairs.data[i].right),
                          err));
    return dpl__need(add_unpaired(c, p, w), err);
}

/* ---- documents of which a part is translated ----------------------------------------- */

static size_t split_lines(dpl_str *lines, dpl_str text)
{
    size_t n = 0;
    const char *at = text.data, *end = at + text.n;
    while (at < end && n < MOST_LINES) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        lines[n++] = (dpl_str){at, (size_t)(stop - at)};
        at = newline ? newline + 1 : end;
    }
    return n;
}

/* Any line of any document of the side. */
static dpl_str other_line(const dpl_collection *c, dpl__rng *rng)
{
    const uint32_t n_docs = dpl_collection_get_sizes(c)->n_docs;
    for (;;) {
        const uint32_t doc = (uint32_t)dpl__rng_below(rng, n_docs);
        const dpl_str text = dpl_collection_doc(c, doc).text;
        if (!text.n)
            continue;
        const char *at = text.data + dpl__rng_below(rng, text.n), *end = text.data + text.n;
        while (at > text.data && at[-1] != '\n')
            at--;
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const dpl_str line = {at, (size_t)((newline ? newline : end) - at)};
        if (line.n)
            return line;
    }
}

static bool add_line(dpl__bytes *out, dpl_ctx *ctx, dpl_str line)
{
    return dpl__vec_append(ctx, out, line.data, line.n) && dpl__vec_push(ctx, out, '\n');
}

/* The text with a share of its lines, in one piece, among lines of other documents. */
static dpl_status mix_lines(dpl__bytes *out, const dpl__mine_pool *p, dpl_str text,
                            double share, dpl__rng *rng, dpl_str *lines, dpl_error *err)
{
    const size_t n = split_lines(lines, text);
    size_t n_kept = (size_t)(share * (double)n + 0.5);
    n_kept = dpl__min(n, dpl__max(n_kept, n > 1 ? 2 : 1));
    const size_t first = (size_t)dpl__rng_below(rng, n - n_kept + 1);
    const size_t place = (size_t)dpl__rng_below(rng, n - n_kept + 1);
    out->n = 0;
    for (size_t i = 0; i < n; i++) {
        const bool is_kept = i >= place && i - place < n_kept;
        const dpl_str line = is_kept ? lines[first + i - place] : other_line(p->sides[1], rng);
        DPL_TRY(dpl__need(add_line(out, p->lab->ctx, line), err));
    }
    return DPL_OK;
}

/* ---- files -------------------------------------------------------------------------- */

static void put_doc(dpl_output *o, dpl_doc doc, dpl_str text)
{
    dpl_json j = dpl__output_json(o, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_text(&j, "id", doc.id);
    dpl_json_text(&j, "lang", doc.lang);
    if (doc.title.n)
        dpl_json_text(&j, "title", doc.title);
    dpl_json_text(&j, "text", text);
    dpl_json_end(&j, '}');
    dpl_output_write(o, "\n", 1);
}

static dpl_status put_docs(dpl_output *o, const chosen *c, unsigned side,
                           const dpl__mine_pool *p, const dpl__mine_wanted *w, dpl_error *err)
{
    dpl_ctx *ctx = p->lab->ctx;
    dpl__bytes text = {0};
    dpl_str *lines = dpl__alloc(ctx, MOST_LINES * sizeof *lines);
    dpl__rng order = rng_of(p->lab, 2 + side, w->draw), rng = rng_of(p->lab, 4, w->draw);
    DPL_VEC(uint32_t) places = {0};
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(lines, err));
    for (uint32_t i = 0; i < c->docs[side].n; i++)
        DPL__STEP(dpl__need(dpl__vec_push(ctx, &places, i), err));
    SHUFFLE(&places, &order, uint32_t);
    for (size_t i = 0; i < places.n; i++) {
        const uint32_t at = places.data[i];
        const dpl_doc doc = dpl_collection_doc(p->sides[side], c->docs[side].data[at]);
        const bool is_mixed = side && at < c->n_pairs && w->translated < 1;
        if (is_mixed)
            DPL__STEP(mix_lines(&text, p, doc.text, w->translated, &rng, lines, err));
        put_doc(o, doc, is_mixed ? (dpl_str){text.data, text.n} : doc.text);
    }
done:
    dpl__vec_clear(ctx, &places, &text);
    dpl__free(ctx, lines);
    return status;
}

static dpl_status write_side(const char *path, const chosen *c, unsigned side,
                             const dpl__mine_pool *p, const dpl__mine_wanted *w, dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, p->lab->ctx, path, err));
    dpl_status status;
    DPL__STEP(put_docs(o, c, side, p, w, err));
done:
    return dpl__output_end(o, status, err);
}

static dpl_status write_gold(const char *path, const chosen *c, const dpl__mine_pool *p,
                             dpl_error *err)
{
    dpl_output *o = NULL;
    DPL_TRY(dpl_output_new(&o, p->lab->ctx, path, err));
    for (size_t i = 0; i < c->n_pairs; i++) {
        const dpl_str left = dpl_collection_doc(p->sides[0], c->docs[0].data[i]).id;
        const dpl_str right = dpl_collection_doc(p->sides[1], c->docs[1].data[i]).id;
        dpl__put_str(o, left);
        dpl_output_write(o, "\t", 1);
        dpl__put_str(o, right);
        dpl_output_write(o, "\n", 1);
    }
    return dpl__output_end(o, DPL_OK, err);
}

static dpl_status write_subset(dpl__mine_data *out, const dpl__mine_pool *p,
                               const dpl__mine_wanted *w, dpl_error *err)
{
    chosen c = {.n_pairs = 0};
    dpl_status status;
    DPL__STEP(choose(&c, p, w, err));
    DPL__STEP(write_side(out->left, &c, 0, p, w, err));
    DPL__STEP(write_side(out->right, &c, 1, p, w, err));
    status = write_gold(out->gold, &c, p, err);
done:
    out->n_docs = dpl__max(c.docs[0].n, c.docs[1].n);
    out->n_pairs = c.n_pairs;
    dpl__vec_clear(p->lab->ctx, &c.docs[0], &c.docs[1]);
    return status;
}

static dpl_status write_synthetic(dpl__mine_data *out, const dpl__mine_pool *p,
                                  const dpl__mine_wanted *w, dpl_error *err)
{
    dpl_synth_options o =
        DPL_INIT(dpl_synth_options, .left = w->n_docs, .right = w->n_docs,
                 .paired = w->paired > 0 ? w->paired : -1, .translated = w->translated);
    dpl_synth_summary s = DPL_INIT(dpl_synth_summary);
    dpl_ctx *job = NULL;
    DPL_TRY(dpl_job_new(&job, p->lab->ctx, NULL, err));
    job->seed = rng_of(p->lab, 0, w->draw).state;
    const dpl_status status = dpl_synth(&s, job, out->folder, &o, err);
    dpl_ctx_free(job);
    DPL_TRY(status);
    out->n_docs = s.n_left;
    out->n_pairs = s.n_pairs;
    return DPL_OK;
}

dpl_status dpl__mine_data_make(dpl__mine_data *out, const dpl__mine_pool *pool,
                               const dpl__mine_wanted *wanted, const char *name, dpl_error *err)
{
    const dpl__lab *lab = pool->lab;
    const char *ending = pool->is_synthetic ? ".jsonl.zst" : ".jsonl";
    snprintf(out->folder, sizeof out->folder, "%s/%s-data/%s",
             lab->set->keep_data ? lab->folder : lab->scratch, lab->about->name, name);
    DPL_TRY(dpl__folder_make(out->folder, err));
    snprintf(out->left, sizeof out->left, "%s/left%s", out->folder, ending);
    snprintf(out->right, sizeof out->right, "%s/right%s", out->folder, ending);
    snprintf(out->gold, sizeof out->gold, "%s/gold.tsv", out->folder);
    return (pool->is_synthetic ? write_synthetic : write_subset)(out, pool, wanted, err);
}

void dpl__mine_data_remove(const dpl__mine_data *data, const dpl__lab *lab)
{
    char lexicon[4300];
    if (lab->set->keep_data)
        return;
    snprintf(lexicon, sizeof lexicon, "%s/lexicon.tsv", data->folder);
    unlink(data->left);
    unlink(data->right);
    unlink(data->gold);
    unlink(lexicon);
    rmdir(data->folder);
}

/* ---- mining ------------------------------------------------------------------------- */

static dpl_status measure(dpl__mined *m, dpl_ctx *ctx, const dpl_mine_result *found,
                          const dpl__mine_data *data, dpl_error *err)
{
    const dpl_mine_run *run = dpl_mine_get_summary(found)->runs[0];
    dpl_id_pair *pairs = dpl__alloc(ctx, (run->n_pairs + 1) * sizeof *pairs);
    DPL_TRY(dpl__need(pairs, err));
    for (size_t i = 0; i < run->n_pairs; i++) {
        const dpl_mine_pair pair = dpl_mine_get_pair(found, 0, i);
        pairs[i] = (dpl_id_pair){pair.left_id, pair.right_id};
    }
    dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
    const dpl_eval_pairs_input in = DPL_INIT(dpl_eval_pairs_input, .gold_path = data->gold,
                                             .found = pairs, .n_found = run->n_pairs);
    const dpl_status status = dpl_eval_pairs_run(&e, ctx, &in, err);
    dpl__free(ctx, pairs);
    DPL_TRY(status);
    m->n_found += (double)e.n_found;
    m->precision += e.strict_precision;
    m->recall += e.recall;
    m->f1 += e.strict_f1;
    m->least_f1 = m->n_runs && m->least_f1 < e.strict_f1 ? m->least_f1 : e.strict_f1;
    m->most_f1 = m->n_runs && m->most_f1 > e.strict_f1 ? m->most_f1 : e.strict_f1;
    m->estimated_precision += run->estimated_precision;
    m->estimated_recall += run->estimated_recall;
    m->n_by_passages += run->unit == DPL_UNIT_PASSAGE;
    return DPL_OK;
}

static dpl_status mine(dpl__mined *m, dpl__lab *lab, const dpl__mine_data *data, dpl_error *err)
{
    dpl_ctx *job = NULL;
    dpl_mine_result *found = NULL;
    const dpl_input in[2] = {{.path = data->left}, {.path = data->right}};
    const dpl_mine_options o = DPL_INIT(dpl_mine_options, .temp = lab->scratch);
    DPL_TRY(dpl_job_new(&job, lab->ctx, NULL, err));
    const double began = dpl__lab_clock(), cores = dpl__lab_cpu_clock();
    dpl_status status = dpl_mine(&found, job, NULL, in, 2, &o, err);
    m->seconds += dpl__lab_clock() - began;
    m->core_seconds += dpl__lab_cpu_clock() - cores;
    m->peak_bytes += (double)dpl_ctx_peak(job);
    if (status == DPL_OK)
        status = measure(m, job, found, data, err);
    dpl_mine_result_free(found);
    dpl_ctx_free(job);
    m->n_docs += (double)data->n_docs;
    m->n_pairs += (double)data->n_pairs;
    m->n_runs++;
    return status;
}

dpl_status dpl__mined_add(dpl__mined *m, const dpl__mine_pool *pool,
                          const dpl__mine_wanted *wanted, const char *name, dpl_error *err)
{
    dpl__mine_data data = {.n_docs = 0};
    dpl_status status;
    DPL__STEP(dpl__mine_data_make(&data, pool, wanted, name, err));
    status = mine(m, pool->lab, &data, err);
done:
    dpl__mine_data_remove(&data, pool->lab);
    return status;
}

const dpl__lab_curve dpl__mine_curves[DPL__MINE_CURVES] = {
    {.title = "precision", .rows = "doppel", .x = 2, .y = DPL__MINE_PRECISION},
    {.title = "recall", .rows = "doppel", .x = 2, .y = DPL__MINE_RECALL},
    {.title = "estimated precision", .rows = "doppel", .x = 2, .y = DPL__MINE_ESTIMATED}};

void dpl__mined_finish(dpl__mined *m)
{
    double *const sums[] = {&m->n_docs,
                            &m->n_pairs,
                            &m->n_found,
                            &m->precision,
                            &m->recall,
                            &m->f1,
                            &m->estimated_precision,
                            &m->estimated_recall,
                            &m->seconds,
                            &m->core_seconds,
                            &m->peak_bytes};
    for (size_t i = 0; m->n_runs && i < DPL_LEN(sums); i++)
        *sums[i] /= m->n_runs;
}

void dpl__mined_put(dpl__lab_table *t, const dpl__mined *m)
{
    dpl__lab_number(t, m->n_docs, 0);
    dpl__lab_number(t, m->n_pairs, 0);
    dpl__lab_number(t, m->n_found, 1);
    /* The precision of nothing is not known. */
    if (m->n_found > 0)
        dpl__lab_number(t, m->precision, 4);
    else
        dpl__lab_none(t);
    dpl__lab_number(t, m->recall, 4);
    dpl__lab_number(t, m->f1, 4);
    dpl__lab_number(t, m->least_f1, 4);
    dpl__lab_number(t, m->most_f1, 4);
    if (m->n_found > 0)
        dpl__lab_number(t, m->estimated_precision, 4);
    else
        dpl__lab_none(t);
    dpl__lab_number(t, m->estimated_recall, 4);
    dpl__lab_number(t, m->seconds, 2);
    dpl__lab_number(t, m->core_seconds, 2);
    dpl__lab_number(t, m->peak_bytes / (1 << 20), 1);
    dpl__lab_number(t, m->core_seconds > 0 ? 2 * m->n_docs / m->core_seconds : 0, 0);
    dpl__lab_count(t, m->n_by_passages);
    dpl__lab_count(t, m->n_runs);
}
