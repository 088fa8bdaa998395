/*
 * eval_sentences.c - beads that were found against beads that are true.
 *
 * In: pairs of files of beads. Out: counts, precision, recall, strict and lax, as vecalign's
 * scorer has them (Thompson and Koehn, EMNLP 2019), which follows Sennrich and Volk (NODALIDA
 * 2011). Precision is over all beads found, recall over the gold beads with both sides. A bead
 * becomes the key of its two lists, and a key for each left and right sentence that it puts
 * together; all that is asked of either is which of the files it stands in. Cost: linear in
 * the beads, and in the sentence pairs within them.
 */
#include "doppel/eval.h"

#include "base/vec.h"
#include "eval/keys.h"
#include "eval/measure.h"

/* Where something stands: what two beads of one file put together is told from their keys. */
enum { GOLD = 1, FOUND = 2 };
/* Seeds of keys. */
enum { BEAD = 1, LINK = 2 };

/* A bead of a file: its numbers in the file's array. */
typedef struct bead {
    size_t at; /* left ones first */
    uint32_t n[2];
} bead;

typedef struct file {
    DPL_VEC(bead) beads;
    DPL_VEC(uint64_t) numbers;
} file;

typedef struct eval {
    dpl_ctx *ctx;
    dpl_eval_sentences *out;
    file files[2]; /* gold, found */
    dpl__keys beads, links;
} eval;

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
    size_t n = 0;
    *out = 0;
    for (; n < s->n && n < 18 && s->data[n] >= '0' && s->data[n] <= '9'; n++)
        *out = *out * 10 + (uint64_t)(s->data[n] - '0');
    s->data += n;
    s->n -= n;
    return n > 0;
}

/* "[1, 2]" */
static bool take_list(eval *e, file *f, dpl_str *s, uint32_t *n, bool *has_memory)
{
    uint64_t number;
    *n = 0;
    if (!take_char(s, '['))
        return false;
    while (!take_char(s, ']')) {
        if ((*n > 0 && !take_char(s, ',')) || !take_number(s, &number))
            return false;
        *has_memory = *has_memory && dpl__vec_push(e->ctx, &f->numbers, number);
        ++*n;
    }
    return true;
}

static dpl_status add_lists(eval *e, file *f, const dpl__lines *lines, dpl_str line,
                            dpl_error *err)
{
    bead b = {.at = f->numbers.n};
    bool has_memory = true;
    if (!take_list(e, f, &line, &b.n[0], &has_memory) || !take_char(&line, ':') ||
        !take_list(e, f, &line, &b.n[1], &has_memory))
        return dpl__lines_bad(lines, err, "not two lists of sentences, [1,2]:[3]");
    skip_blanks(&line);
    if (line.n && *line.data != ':')
        return dpl__lines_bad(lines, err, "something behind the two lists");
    return has_memory && dpl__vec_push(e->ctx, &f->beads, b) ? DPL_OK : dpl__fail_nomem(err);
}

/* The bead between two rungs. */
static dpl_status add_between(eval *e, file *f, const uint64_t from[2], const uint64_t to[2],
                              dpl_error *err)
{
    bead b = {.at = f->numbers.n};
    for (int side = 0; side < 2; side++) {
        b.n[side] = (uint32_t)(to[side] - from[side]);
        for (uint64_t i = from[side]; i < to[side]; i++)
            if (!dpl__vec_push(e->ctx, &f->numbers, i))
                return dpl__fail_nomem(err);
    }
    return dpl__vec_push(e->ctx, &f->beads, b) ? DPL_OK : dpl__fail_nomem(err);
}

static dpl_status add_rung(eval *e, file *f, const dpl__lines *lines, dpl_str line,
                           uint64_t last[2], bool is_first, dpl_error *err)
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
        DPL_TRY(add_between(e, f, last, rung, err));
    memcpy(last, rung, sizeof rung);
    return DPL_OK;
}

static dpl_status read_file(eval *e, file *f, const char *path, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    uint64_t last[2] = {0, 0};
    bool is_first = true, is_ladder = false;
    f->beads.n = f->numbers.n = 0;
    dpl_status status = dpl__lines_open(&lines, e->ctx, path, err);
    while (status == DPL_OK && (status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        skip_blanks(&line);
        if (!line.n)
            continue;
        if (is_first)
            is_ladder = *line.data != '[';
        status = is_ladder ? add_rung(e, f, &lines, line, last, is_first, err)
                           : add_lists(e, f, &lines, line, err);
        is_first = false;
        if (status == DPL_OK)
            status = dpl__measure_report(&lines, err);
    }
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

/* Marks a bead and what it puts together; *is_new: it was not in this file before. */
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
    dpl_eval_sentences *out = e->out;
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

static dpl_status compare(eval *e, const char *gold, const char *found, dpl_error *err)
{
    dpl__keys_init(&e->beads, e->ctx);
    dpl__keys_init(&e->links, e->ctx);
    dpl_status status = read_file(e, &e->files[0], gold, err);
    if (status == DPL_OK)
        status = read_file(e, &e->files[1], found, err);
    if (status == DPL_OK)
        status = mark_file(e, &e->files[0], GOLD, err);
    if (status == DPL_OK)
        status = mark_file(e, &e->files[1], FOUND, err);
    if (status == DPL_OK)
        count(e);
    dpl__keys_clear(&e->links);
    dpl__keys_clear(&e->beads);
    return status;
}

dpl_status dpl_eval_sentences_run(dpl_eval_sentences *out, dpl_ctx *ctx,
                                  const char *const *gold, const char *const *found,
                                  size_t n_files, dpl_error *err)
{
    eval e = {.ctx = ctx, .out = out};
    dpl_status status = DPL_OK;
    *out = (dpl_eval_sentences){0};
    for (size_t i = 0; i < n_files && status == DPL_OK; i++)
        status = compare(&e, gold[i], found[i], err);
    out->precision = dpl__share(out->n_right, out->n_found);
    out->recall = dpl__share(out->n_gold_right, out->n_gold_both);
    out->f1 = dpl__f1(out->precision, out->recall);
    out->lax_precision = dpl__share(out->n_near, out->n_found);
    out->lax_recall = dpl__share(out->n_gold_near, out->n_gold_both);
    out->lax_f1 = dpl__f1(out->lax_precision, out->lax_recall);
    for (int k = 1; k >= 0; k--) {
        dpl__vec_clear(ctx, &e.files[k].numbers);
        dpl__vec_clear(ctx, &e.files[k].beads);
    }
    return status;
}
