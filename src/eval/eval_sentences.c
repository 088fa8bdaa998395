/*
 * eval_sentences.c - found beads against gold beads.
 *
 * In: pairs of files of beads, or of arrays. Out: counts, precision, recall, strict and lax, as
 * vecalign's scorer has them (Thompson and Koehn, EMNLP 2019), which follows Sennrich and Volk
 * (NODALIDA 2011). Precision is over all found beads, recall over the gold beads with both
 * sides. A bead becomes the key of its two lists, and a key for each left and right sentence
 * that it links; maps keep whether these are in gold, found or both. Cost: linear in the beads,
 * and in the sentence pairs within them. What does not fit into the context's memory, such as a
 * ladder with a step of a billion lines, is refused.
 */
#include "doppel/eval.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/sized.h"
#include "base/vec.h"
#include "eval/key_map.h"
#include "eval/measure.h"
/* Where a bead or a link was seen. */
enum { GOLD = 1, FOUND = 2 };
/* Seeds of keys. */
enum { BEAD = 1, LINK = 2 };

/* A bead of a document pair: its sentences in the array of numbers. */
typedef struct bead {
    size_t at; /* left ones first */
    uint32_t n[2];
} bead;

/* The beads of a document pair, from one file or array. */
typedef struct file {
    dpl_ctx *ctx;
    DPL_VEC(bead) beads;
    DPL_VEC(uint64_t) numbers;
} file;

typedef struct eval {
    dpl_ctx *ctx;
    dpl_eval_sentences counts;
    file files[2]; /* gold, found */
    dpl__keys beads, links;
} eval;

/* ---- numbers ------------------------------------------------------------------------ */

DPL_COLD static dpl_status fail_limit(const dpl_ctx *ctx, dpl_error *err)
{
    return dpl__fail_code(err, DPL_E_LIMIT, "memory",
                          "the beads of a document pair do not fit into %llu MiB",
                          (unsigned long long)(ctx->memory >> 20));
}

/* Room for n more numbers within the context's memory. */
static dpl_status reserve(file *f, uint64_t n, dpl_error *err)
{
    if (f->numbers.cap - f->numbers.n >= n)
        return DPL_OK;
    /* The array grows at least to its double, and is copied. */
    uint64_t most = 2 * (f->numbers.cap + n) * sizeof *f->numbers.data;
    if (n > f->ctx->memory || dpl__ctx_used(f->ctx) + most > f->ctx->memory)
        return fail_limit(f->ctx, err);
    return dpl__need(dpl__vec_reserve(f->ctx, &f->numbers, n), err);
}

static dpl_status add_number(file *f, uint64_t number, dpl_error *err)
{
    DPL_TRY(reserve(f, 1, err));
    f->numbers.data[f->numbers.n++] = number;
    return DPL_OK;
}

static dpl_status add_bead(file *f, bead b, dpl_error *err)
{
    if (b.n[0] > UINT32_MAX - b.n[1])
        return fail_limit(f->ctx, err);
    return dpl__need(dpl__vec_push(f->ctx, &f->beads, b), err);
}

/* Sentences [from, to) of each side. */
static dpl_status add_runs(file *f, const uint64_t from[2], const uint64_t to[2],
                           dpl_error *err)
{
    bead b = {.at = f->numbers.n};
    for (int side = 0; side < 2; side++) {
        b.n[side] = (uint32_t)(to[side] - from[side]);
        DPL_TRY(reserve(f, b.n[side], err));
        for (uint64_t i = from[side]; i < to[side]; i++)
            f->numbers.data[f->numbers.n++] = i;
    }
    return add_bead(f, b, err);
}

/* ---- reading ------------------------------------------------------------------------ */

static void skip_blanks(dpl_str *s)
{
    while (s->n && (*s->data == ' ' || *s->data == '\r')) {
        s->data++;
        s->n--;
    }
}

static bool take_char(dpl_str *s, char c)
{
    skip_blanks(s);
    if (!s->n || *s->data != c)
        return false;
    s->data++;
    s->n--;
    return true;
}

static bool take_number(dpl_str *s, uint64_t *out)
{
    skip_blanks(s);
    const char *begin = s->data;
    *out = dpl__take_digits(s);
    return s->data > begin && *out < UINT64_MAX;
}

/* "[1, 2]"; *is_list: whether it is one. */
static dpl_status take_list(file *f, dpl_str *s, uint32_t *n, bool *is_list, dpl_error *err)
{
    uint64_t number;
    *n = 0;
    *is_list = false;
    if (!take_char(s, '['))
        return DPL_OK;
    while (!take_char(s, ']')) {
        if ((*n > 0 && !take_char(s, ',')) || !take_number(s, &number))
            return DPL_OK;
        DPL_TRY(add_number(f, number, err));
        ++*n;
    }
    *is_list = true;
    return DPL_OK;
}

static dpl_status add_lists(file *f, const dpl__lines *lines, dpl_str line, dpl_error *err)
{
    bead b = {.at = f->numbers.n};
    bool is_left, is_right = false;
    DPL_TRY(take_list(f, &line, &b.n[0], &is_left, err));
    if (is_left && take_char(&line, ':'))
        DPL_TRY(take_list(f, &line, &b.n[1], &is_right, err));
    if (!is_right)
        return dpl__lines_bad(lines, err, "not two lists of sentences, [1,2]:[3]");
    skip_blanks(&line);
    if (line.n && *line.data != ':')
        return dpl__lines_bad(lines, err, "something behind the two lists");
    return add_bead(f, b, err);
}

static dpl_status add_rung(file *f, const dpl__lines *lines, dpl_str line, uint64_t last[2],
                           bool is_first, dpl_error *err)
{
    uint64_t rung[2];
    if (!take_number(&line, &rung[0]) || !take_char(&line, '\t') ||
        !take_number(&line, &rung[1]) || (line.n && !take_char(&line, '\t')))
        return dpl__lines_bad(lines, err, "not two numbers with a tab between");
    bool falls = !is_first && (rung[0] < last[0] || rung[1] < last[1]);
    if (falls || (!is_first &&
                  (rung[0] - last[0] > UINT32_MAX / 2 || rung[1] - last[1] > UINT32_MAX / 2)))
        return dpl__lines_bad(lines, err, "the ladder does not rise");
    if (!is_first)
        DPL_TRY(add_runs(f, last, rung, err));
    memcpy(last, rung, sizeof rung);
    return DPL_OK;
}

static dpl_status read_file(file *f, const char *path, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    uint64_t last[2] = {0, 0};
    bool is_first = true, is_ladder = false;
    f->beads.n = f->numbers.n = 0;
    dpl_status status;
    DPL__STEP(dpl__lines_open(&lines, f->ctx, path, err));
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        skip_blanks(&line);
        if (!line.n)
            continue;
        if (is_first)
            is_ladder = *line.data != '[';
        DPL__STEP(is_ladder ? add_rung(f, &lines, line, last, is_first, err)
                            : add_lists(f, &lines, line, err));
        is_first = false;
        DPL__STEP(dpl__measure_report(&lines, err));
    }
done:
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

/* ---- comparing ---------------------------------------------------------------------- */

static const uint64_t *numbers_of(const file *f, const bead *b)
{
    return b->n[0] + b->n[1] ? f->numbers.data + b->at : NULL;
}

static dpl__key key_of_bead(const file *f, const bead *b)
{
    const char *data = (const char *)numbers_of(f, b);
    dpl_str left = {data, b->n[0] * sizeof(uint64_t)};
    dpl_str right = {b->n[1] ? data + left.n : NULL, b->n[1] * sizeof(uint64_t)};
    return dpl__key_pair(dpl__key_of(left, BEAD), dpl__key_of(right, BEAD));
}

static dpl__key key_of_link(uint64_t left, uint64_t right)
{
    uint64_t numbers[] = {left, right};
    return dpl__key_of((dpl_str){(const char *)numbers, sizeof numbers}, LINK);
}

/* Marks a bead and the sentences that it links; *is_new: it was not in this file before. */
static dpl_status mark(eval *e, const file *f, const bead *b, uint32_t where, bool *is_new,
                       dpl_error *err)
{
    uint32_t *mark;
    const uint64_t *left = numbers_of(f, b), *right = b->n[1] ? left + b->n[0] : NULL;
    DPL_TRY(dpl__keys_put(&e->beads, key_of_bead(f, b), &mark, err));
    *is_new = !(*mark & where);
    *mark |= where;
    for (uint32_t i = 0; i < b->n[0]; i++)
        for (uint32_t j = 0; j < b->n[1]; j++) {
            DPL_TRY(dpl__keys_put(&e->links, key_of_link(left[i], right[j]), &mark, err));
            *mark |= where;
        }
    return DPL_OK;
}

/* Beads that are empty, or there twice, go. */
static dpl_status mark_file(eval *e, file *f, uint32_t where, dpl_error *err)
{
    size_t n = 0;
    for (size_t k = 0; k < f->beads.n; k++) {
        bead b = f->beads.data[k];
        bool is_new = false;
        if (b.n[0] + b.n[1])
            DPL_TRY(mark(e, f, &b, where, &is_new, err));
        if (is_new)
            f->beads.data[n++] = b;
    }
    f->beads.n = n;
    return DPL_OK;
}

static bool is_near(const eval *e, const file *f, const bead *b, uint32_t where)
{
    const uint64_t *left = numbers_of(f, b), *right = b->n[1] ? left + b->n[0] : NULL;
    for (uint32_t i = 0; i < b->n[0]; i++)
        for (uint32_t j = 0; j < b->n[1]; j++)
            if (dpl__keys_get(&e->links, key_of_link(left[i], right[j])) & where)
                return true;
    return false;
}

static void count(eval *e)
{
    dpl_eval_sentences *out = &e->counts;
    const file *gold = &e->files[0], *found = &e->files[1];
    out->n_gold += gold->beads.n;
    out->n_found += found->beads.n;
    for (size_t k = 0; k < found->beads.n; k++) {
        const bead *b = &found->beads.data[k];
        bool is_right = dpl__keys_get(&e->beads, key_of_bead(found, b)) & GOLD;
        out->n_right += is_right;
        out->n_near += is_right || is_near(e, found, b, GOLD);
    }
    for (size_t k = 0; k < gold->beads.n; k++) {
        const bead *b = &gold->beads.data[k];
        if (!b->n[0] || !b->n[1])
            continue;
        out->n_gold_both++;
        out->n_gold_right += (dpl__keys_get(&e->beads, key_of_bead(gold, b)) & FOUND) != 0;
        out->n_gold_near += is_near(e, gold, b, FOUND);
    }
}

/* Gold and found of one document pair, which have been read. */
static dpl_status compare(eval *e, dpl_error *err)
{
    dpl__keys_init(&e->beads, e->ctx);
    dpl__keys_init(&e->links, e->ctx);
    dpl_status status;
    DPL__STEP(mark_file(e, &e->files[0], GOLD, err));
    DPL__STEP(mark_file(e, &e->files[1], FOUND, err));
    count(e);
done:
    dpl__keys_clear(&e->links);
    dpl__keys_clear(&e->beads);
    return status;
}

static eval begin(dpl_ctx *ctx)
{
    return (eval){.ctx = ctx,
                  .counts = DPL_INIT(dpl_eval_sentences),
                  .files = {{.ctx = ctx}, {.ctx = ctx}}};
}

static void end(eval *e, dpl_eval_sentences *out)
{
    dpl_eval_sentences *c = &e->counts;
    c->precision = dpl__share(c->n_right, c->n_found);
    c->recall = dpl__share(c->n_gold_right, c->n_gold_both);
    c->f1 = dpl__f1(c->precision, c->recall);
    c->lax_precision = dpl__share(c->n_near, c->n_found);
    c->lax_recall = dpl__share(c->n_gold_near, c->n_gold_both);
    c->lax_f1 = dpl__f1(c->lax_precision, c->lax_recall);
    DPL__GIVE(out, c);
    for (int k = 1; k >= 0; k--)
        dpl__vec_clear(e->ctx, &e->files[k].numbers, &e->files[k].beads);
}

dpl_status dpl_eval_sentences_run(dpl_eval_sentences *out, dpl_ctx *ctx,
                                  const char *const *gold, const char *const *found,
                                  size_t n_files, dpl_error *err)
{
    eval e = begin(ctx);
    DPL_TRY(DPL__CHECK_OUT(out, err));
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < n_files; i++) {
        DPL__STEP(read_file(&e.files[0], gold[i], err));
        DPL__STEP(read_file(&e.files[1], found[i], err));
        DPL__STEP(compare(&e, err));
    }
done:
    end(&e, out);
    return status;
}
