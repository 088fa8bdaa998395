/*
 * divided_step.c - totals of right words go round, then probabilities of links; or counts.
 *
 * Model 1: two rounds of chunks, both by left classes. Who makes a chunk of the second round
 * has mostly made that of the first and has its counts; who has not finds them again. A chunk
 * of probabilities has a list for each part of the rows: of the links of its cells, word by
 * word. Who writes it finds these lists in the occurrences of its words, who reads it in its
 * rows: they are the same.
 */
#include "lexicon/divided_step.h"

#include "base/ctx.h"
#include "io/files.h"
#include "io/parts.h"
#include "io/shared_run.h"
#include "kernels/kernels.h"
#include "par/pool.h"

#include <unistd.h>

/* Links in lists, one behind the other. */
typedef struct link_lists {
    DPL_VEC(uint32_t) links;
    size_t *begin; /* of each list, and the end; NULL: not made */
} link_lists;

struct dpl__divided {
    dpl__trainer *t;
    size_t n;                     /* parts of rows, and of classes */
    link_lists *of_rows;          /* of each part of the rows: lists by place of a left word */
    link_lists *of_classes;       /* of each part of the classes: by part of the rows */
    uint64_t *bits, *counted;     /* of each link: for lists; that it has a count */
    uint8_t *has_rows, *has_part; /* of each part: its probabilities are here */
    uint8_t *is_wanted;           /* of each part of the rows: it was counted here */
    uint8_t *is_tallied;          /* of each part of the classes: in this iteration */
    uint64_t *totals;             /* of each right word: of the parts that were taken */
    dpl__word_links *some;        /* n: of parts of the rows */
    dpl__bytes bytes;             /* of a chunk that is written */
    const dpl__divided_step *step;
    bool is_clean; /* only links with bits have a count */
};

static const char BEHIND[] = "iteration-is-over";

bool dpl__divided_is_behind(dpl_status status, const dpl_error *err)
{
    return status == DPL_E_STOPPED && strcmp(err->code, BEHIND) == 0;
}

static dpl_status fail_behind(dpl_error *err)
{
    return dpl__fail_code(err, DPL_E_STOPPED, BEHIND, "other processes have gone on");
}

static dpl__class_range part_of(const dpl__divided *d, size_t part)
{
    return dpl__maximizer_part(d->t->maximizer, part, d->n);
}

uint64_t dpl__divided_key(const dpl__divided *d)
{
    return dpl__fingerprint_number(d->t->key, d->t->n_left);
}

/* Probabilities behind the iteration that leaves so many. */
static dpl__shared_files files_of(const dpl__divided *d, unsigned n_left)
{
    return (dpl__shared_files){
        .name = "maximized", .key = dpl__fingerprint_number(d->t->key, n_left), .n = d->n};
}

/* ---- lists of links --------------------------------------------------------------------- */

static void mark(dpl__divided *d, const uint32_t *numbers, size_t n)
{
    const uint64_t n_links = d->t->model->n_links;
    for (size_t i = 0; i < n; i++)
        if (numbers[i] < n_links)
            d->bits[numbers[i] / 64] |= (uint64_t)1 << numbers[i] % 64;
}

/* Adds the links of a word that were marked, and no longer are. */
static bool list_word(dpl__divided *d, link_lists *out, uint32_t word)
{
    const uint64_t *begin = d->t->model->begin;
    bool has_room = true;
    for (uint64_t k = begin[word]; dpl__next_link(d->bits, &k, begin[word + 1]) && has_room;
         k++) {
        has_room = dpl__vec_push(d->t->ctx, &out->links, (uint32_t)k);
        d->bits[k / 64] &= ~((uint64_t)1 << k % 64);
    }
    return has_room;
}

/* Of the rows that t->link_ids holds. */
static bool list_rows(dpl__divided *d, link_lists *out)
{
    const dpl__link_ids *c = &d->t->link_ids;
    const uint32_t *words = dpl__maximizer_words(d->t->maximizer),
                   n_words = d->t->model->n_words[DPL__LEFT];
    size_t n = 0;
    mark(d, c->numbers, c->begin[c->end - c->first]);
    for (uint64_t k = 0; k <= d->t->model->n_links / 64; k++)
        n += dpl__n_ones(d->bits[k]);
    bool has_room = dpl__vec_reserve(d->t->ctx, &out->links, n);
    for (uint32_t i = 0; i < n_words && has_room; i++) {
        out->begin[i] = out->links.n;
        has_room = list_word(d, out, words[i]);
    }
    out->begin[n_words] = out->links.n;
    return has_room;
}

/* The first left token of a part of the rows. */
static uint64_t first_token(const dpl__divided *d, size_t part)
{
    return d->t->corpus->side[DPL__LEFT].begin[dpl__trainer_part(d->t, part)];
}

enum { USUAL_LISTS = 2 }; /* that a link is in */

/* Of the classes whose words t->word_ids holds: for each part of the rows, where each word goes
 * on in `at`. */
static bool list_part(dpl__divided *d, link_lists *out, uint32_t *at)
{
    const dpl__link_ids *c = &d->t->word_ids;
    const dpl__occurrences *p = &c->occurrences;
    const uint64_t *begin = d->t->model->begin;
    size_t n = 0;
    for (uint32_t w = 0; w < p->n_words; w++) {
        const uint32_t word = c->words[p->first_word + w];
        n += (size_t)(begin[word + 1] - begin[word]);
    }
    bool has_room = dpl__vec_reserve(d->t->ctx, &out->links, USUAL_LISTS * n);
    memcpy(at, p->begin, p->n_words * sizeof *at);
    for (size_t part = 0; part < d->n && has_room; part++) {
        const uint64_t end = first_token(d, part + 1);
        out->begin[part] = out->links.n;
        for (uint32_t w = 0; w < p->n_words && has_room; w++) {
            for (; at[w] < p->begin[w + 1] && p->all[at[w]].token < end; at[w]++)
                mark(d, c->numbers + p->all[at[w]].cell, p->all[at[w]].n_right);
            has_room = list_word(d, out, c->words[p->first_word + w]);
        }
    }
    out->begin[d->n] = out->links.n;
    return has_room;
}

static void clear_lists(dpl_ctx *ctx, link_lists *l)
{
    dpl__vec_clear(ctx, &l->links);
    dpl__free(ctx, l->begin);
    l->begin = NULL;
}

static dpl_status make_lists(dpl__divided *d, link_lists *out, bool is_of_rows, dpl_error *err)
{
    dpl_ctx *ctx = d->t->ctx;
    const size_t n = is_of_rows ? d->t->model->n_words[DPL__LEFT] : d->n,
                 n_words = d->t->word_ids.occurrences.n_words;
    if (out->begin)
        return DPL_OK;
    uint32_t *at = dpl__alloc(ctx, (n_words + 1) * sizeof *at);
    out->begin = dpl__alloc(ctx, (n + 1) * sizeof *out->begin);
    const bool has_room =
        at && out->begin && (is_of_rows ? list_rows(d, out) : list_part(d, out, at));
    dpl__free(ctx, at);
    if (!has_room)
        clear_lists(ctx, out);
    return dpl__need(has_room, err);
}

/* ---- files of probabilities ---------------------------------------------------------------
 */

/* Begins a file; behind it, n + 1 bounds and n + 1 checksums: of probabilities for each part of
 * the rows, then of the state, which the first chunk has. */
typedef struct file_head {
    uint64_t key, n_lists;
} file_head;

typedef struct probabilities {
    const char *data; /* of the file */
    size_t n_bytes;
    const char *lists;
    const uint64_t *ends, *sums;
} probabilities;

static size_t head_bytes(const dpl__divided *d)
{
    return sizeof(file_head) + 2 * (d->n + 1) * sizeof(uint64_t);
}

/* Sizes fit; the bytes of lists are not checked. */
static bool is_whole(probabilities *p, const dpl__divided *d, uint64_t key)
{
    file_head h;
    if (p->n_bytes < head_bytes(d))
        return false;
    memcpy(&h, p->data, sizeof h);
    p->ends = (const uint64_t *)(const void *)(p->data + sizeof h);
    p->sums = p->ends + d->n + 1;
    p->lists = p->data + head_bytes(d);
    for (size_t i = 0; i < d->n; i++)
        if (p->ends[i] > p->ends[i + 1])
            return false;
    return h.key == key && h.n_lists == d->n && p->ends[d->n] == p->n_bytes - head_bytes(d);
}

static uint64_t list_begin(const probabilities *p, size_t list)
{
    return list ? p->ends[list - 1] : 0;
}

/* A file behind the iteration that leaves so many; one that is damaged is removed. false: it is
 * not there. */
static bool open_file(probabilities *out, const dpl__divided *d, unsigned n_left, size_t chunk)
{
    const dpl__shared_files files = files_of(d, n_left);
    char path[4200];
    *out = (probabilities){0};
    dpl__shared_path(path, d->t->ctx, &files, chunk);
    if (dpl__map_file(&out->data, &out->n_bytes, path) != 0)
        return false;
    if (is_whole(out, d, files.key))
        return true;
    dpl__unmap_file(out->data, out->n_bytes);
    dpl__shared_remove(d->t->ctx, &files, chunk);
    return false;
}

/* A list of n bytes; NULL: damaged. */
static const char *get_list(const probabilities *p, const dpl__divided *d, size_t list,
                            uint64_t n)
{
    assert(list <= d->n);
    const uint64_t begin = list_begin(p, list);
    const char *data = p->lists + begin;
    const bool is_right =
        p->ends[list] - begin == n &&
        (!n || d->t->ctx->kernels->crc32c(0, data, (size_t)n) == p->sums[list]);
    return is_right ? data : NULL;
}

/* Probabilities of n links, a list of a file. */
static bool take_list(const dpl__divided *d, const probabilities *p, size_t list,
                      const uint32_t *links, size_t n)
{
    const char *data = get_list(p, d, list, n * sizeof(dpl__link_p));
    for (size_t i = 0; data && i < n; i++)
        memcpy(&d->t->model->links[links[i]], data + i * sizeof(dpl__link_p),
               sizeof(dpl__link_p));
    return data;
}

typedef struct taking {
    dpl__divided *d;
    size_t rows; /* the part */
} taking;

/* Those of one part of the classes for a part of the rows. */
static dpl_status take_for_rows(void *user, size_t part, unsigned worker, dpl_error *err)
{
    const taking *x = user;
    dpl__divided *d = x->d;
    const unsigned n_left = d->t->n_left + 1;
    const dpl__shared_files files = files_of(d, n_left);
    const link_lists *l = &d->of_rows[x->rows];
    const dpl__class_range range = part_of(d, part);
    const size_t begin = l->begin[range.first], end = l->begin[range.end];
    probabilities p;
    (void)worker;
    if (d->has_part[part])
        return DPL_OK;
    if (!open_file(&p, d, n_left, part))
        return fail_behind(err);
    const bool is_taken = take_list(d, &p, x->rows, l->links.data + begin, end - begin);
    dpl__unmap_file(p.data, p.n_bytes);
    if (is_taken)
        return DPL_OK;
    dpl__shared_remove(d->t->ctx, &files, part);
    return fail_behind(err);
}

/* Was the iteration before this one of Model 1, or is there none? */
static bool is_behind_model1(const dpl__divided *d)
{
    return d->t->n_left + 1 >= d->t->options.n_hmm;
}

/* Counts of the rows in the iteration that leaves so many. */
static dpl__shared_files counts_of(const dpl__divided *d, unsigned n_left)
{
    return (dpl__shared_files){
        .name = "counts", .key = dpl__fingerprint_number(d->t->key, n_left), .n = d->n};
}

dpl_status dpl__divided_links(const uint32_t **out, size_t *n, dpl__divided *d, size_t part,
                              dpl_error *err)
{
    taking x = {d, part};
    DPL_TRY(make_lists(d, &d->of_rows[part], true, err));
    d->is_wanted[part] = 1;
    if (!d->has_rows[part]) {
        const dpl__shared_files damaged = counts_of(d, d->t->n_left); /* if it is there */
        const dpl_status status =
            is_behind_model1(d) ? dpl__parallel_for(d->t->ctx, d->n, &x, take_for_rows, err)
                                : fail_behind(err);
        if (status != DPL_OK)
            dpl__shared_remove(d->t->ctx, &damaged, part);
        DPL_TRY(status);
    }
    d->has_rows[part] = 1;
    *out = d->of_rows[part].links.data;
    *n = d->of_rows[part].links.n;
    return DPL_OK;
}

/* All probabilities of a part of the classes: every link is in some list. */
static dpl_status take_part(dpl__divided *d, size_t part, dpl_error *err)
{
    const unsigned n_left = d->t->n_left + 1;
    const dpl__shared_files files = files_of(d, n_left);
    probabilities p;
    bool is_taken = true;
    if (d->has_part[part])
        return DPL_OK;
    if (!open_file(&p, d, n_left, part))
        return fail_behind(err);
    const link_lists *l = &d->of_classes[part];
    for (size_t i = 0; i < d->n && is_taken; i++)
        is_taken =
            take_list(d, &p, i, l->links.data + l->begin[i], l->begin[i + 1] - l->begin[i]);
    dpl__unmap_file(p.data, p.n_bytes);
    if (!is_taken)
        dpl__shared_remove(d->t->ctx, &files, part);
    return is_taken ? DPL_OK : fail_behind(err);
}

/* ---- the state: all of the model but links --------------------------------------------------
 */

static size_t state_bytes(const dpl__divided *d)
{
    const dpl__wordmodel *m = d->t->model;
    return sizeof m->n_empty + sizeof m->jumps +
           ((size_t)m->n_words[0] + m->n_words[1]) * sizeof(float);
}

static bool put_state(dpl__divided *d)
{
    const dpl__wordmodel *m = d->t->model;
    bool has_room =
        dpl__vec_append(d->t->ctx, &d->bytes, (const char *)m->n_empty, sizeof m->n_empty) &&
        dpl__vec_append(d->t->ctx, &d->bytes, (const char *)m->jumps, sizeof m->jumps);
    for (int side = 0; side < 2; side++)
        has_room =
            has_room && dpl__vec_append(d->t->ctx, &d->bytes, (const char *)m->empty[side],
                                        m->n_words[!side] * sizeof *m->empty[side]);
    return has_room;
}

static bool take_state(dpl__divided *d, const probabilities *p)
{
    dpl__wordmodel *m = d->t->model;
    const size_t n[2] = {m->n_words[1] * sizeof(float), m->n_words[0] * sizeof(float)};
    const char *data = get_list(p, d, d->n, state_bytes(d));
    if (!data)
        return false;
    memcpy(m->n_empty, data, sizeof m->n_empty);
    memcpy(m->jumps, data + sizeof m->n_empty, sizeof m->jumps);
    data += sizeof m->n_empty + sizeof m->jumps;
    memcpy(m->empty[0], data, n[0]);
    memcpy(m->empty[1], data + n[0], n[1]);
    return true;
}

static bool has_all_links(const dpl__divided *d, unsigned n_left)
{
    bool is_there = true;
    for (size_t i = 0; i < d->n && is_there; i++) {
        probabilities p;
        is_there = open_file(&p, d, n_left, i);
        if (is_there)
            dpl__unmap_file(p.data, p.n_bytes);
    }
    return is_there;
}

static bool has_all_counts(const dpl__divided *d, unsigned n_left)
{
    const dpl__shared_files files = counts_of(d, n_left);
    char path[4200];
    bool is_there = true;
    for (size_t i = 0; i < d->n && is_there; i++) {
        dpl__shared_path(path, d->t->ctx, &files, i);
        is_there = access(path, R_OK) == 0;
    }
    return is_there;
}

static void set_flags(dpl__divided *d, uint8_t has_all_links_now)
{
    memset(d->has_rows, has_all_links_now, d->n);
    memset(d->has_part, has_all_links_now, d->n);
    d->is_clean = false;
}

void dpl__divided_restart(dpl__divided *d)
{
    set_flags(d, 1);
}

bool dpl__divided_resume(dpl__divided *d)
{
    dpl__trainer *t = d->t;
    const unsigned n_hmm = t->options.n_hmm;
    for (unsigned n_left = 0; n_left < n_hmm + t->options.n_model1; n_left++) {
        const bool is_hmm = n_left < n_hmm;
        probabilities p;
        if (is_hmm ? !has_all_counts(d, n_left)
                   : !has_all_links(d, n_left) || !open_file(&p, d, n_left, 0))
            continue;
        const bool is_taken = is_hmm || take_state(d, &p);
        if (!is_hmm)
            dpl__unmap_file(p.data, p.n_bytes);
        if (!is_taken)
            continue;
        t->n_left = n_left + is_hmm;
        set_flags(d, 0);
        return true;
    }
    return false;
}

/* ---- an iteration ---------------------------------------------------------------------------
 */

/* Their words, and which links which rows need. */
static dpl_status load_words(dpl__divided *d, size_t part, dpl_error *err)
{
    const dpl__class_range range = part_of(d, part);
    if (d->of_classes[part].begin)
        return DPL_OK;
    DPL_TRY(dpl__link_ids_load_words(&d->t->word_ids, range.first, range.end, err));
    return make_lists(d, &d->of_classes[part], false, err);
}

static dpl_status tally(dpl__divided *d, size_t part, dpl_error *err)
{
    if (d->is_tallied[part])
        return DPL_OK;
    DPL_TRY(load_words(d, part, err));
    DPL_TRY(take_part(d, part, err));
    DPL_TRY(d->step->tally(d->step->user, part_of(d, part), err));
    d->is_tallied[part] = 1;
    return DPL_OK;
}

static dpl_status make_totals(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    dpl__divided *d = user;
    const dpl__trainer *t = d->t;
    const size_t n_bytes = t->model->n_words[DPL__RIGHT] * sizeof(uint64_t);
    uint64_t *totals = dpl__alloc(t->ctx, n_bytes);
    dpl_status status;
    DPL__STEP(dpl__need(totals, err));
    DPL__STEP(tally(d, chunk, err));
    DPL__STEP(dpl__maximizer_total(totals, t->maximizer, t->tallies, part_of(d, chunk), err));
    status = dpl__need(dpl__vec_append(t->ctx, out, (const char *)totals, n_bytes), err);
done:
    dpl__free(t->ctx, totals);
    return status;
}

static dpl_status take_totals(void *user, size_t chunk, const char *data, size_t n,
                              dpl_error *err)
{
    const dpl__divided *d = user;
    const uint32_t n_words = d->t->model->n_words[DPL__RIGHT];
    (void)chunk;
    if (n != n_words * sizeof(uint64_t))
        return dpl__fail(err, DPL_E_FORMAT, "totals of another size");
    for (uint32_t w = 0; w < n_words; w++, data += sizeof(uint64_t)) {
        uint64_t total;
        memcpy(&total, data, sizeof total);
        d->totals[w] += total;
    }
    return DPL_OK;
}

/* Room for the head, and the probabilities of a part, in its lists. */
static bool put_lists(dpl__divided *d, size_t part)
{
    const link_lists *l = &d->of_classes[part];
    const size_t at = head_bytes(d), n_bytes = l->links.n * sizeof(dpl__link_p);
    assert(l->begin);
    d->bytes.n = 0;
    if (!dpl__vec_reserve(d->t->ctx, &d->bytes, at + n_bytes + (part ? 0 : state_bytes(d))))
        return false;
    char *out = d->bytes.data + at;
    for (size_t i = 0; i < l->links.n; i++)
        memcpy(out + i * sizeof(dpl__link_p), &d->t->model->links[l->links.data[i]],
               sizeof(dpl__link_p));
    d->bytes.n = at + n_bytes;
    return true;
}

/* Bounds and checksums of what follows. */
static void put_head(dpl__divided *d, size_t part)
{
    const file_head h = {dpl__divided_key(d), d->n};
    const size_t n_head = head_bytes(d);
    uint64_t *ends = (uint64_t *)(void *)(d->bytes.data + sizeof h), *sums = ends + d->n + 1;
    size_t at = n_head;
    memcpy(d->bytes.data, &h, sizeof h);
    for (size_t i = 0; i <= d->n; i++) {
        const size_t end = i < d->n
                               ? n_head + d->of_classes[part].begin[i + 1] * sizeof(dpl__link_p)
                               : d->bytes.n;
        ends[i] = end - n_head;
        sums[i] = end > at ? d->t->ctx->kernels->crc32c(0, d->bytes.data + at, end - at) : 0;
        at = end;
    }
}

static dpl_status make_links(const char *path, void *user, size_t chunk, dpl_error *err)
{
    dpl__divided *d = user;
    const dpl__trainer *t = d->t;
    DPL_TRY(load_words(d, chunk, err));
    DPL_TRY(tally(d, chunk, err));
    DPL_TRY(dpl__maximizer_normalize(t->maximizer, t->tallies, part_of(d, chunk), err));
    DPL_TRY(dpl__need(put_lists(d, chunk) && (chunk || put_state(d)), err));
    put_head(d, chunk);
    DPL_TRY(dpl__shared_write(t->ctx, path, (dpl_str){d->bytes.data, d->bytes.n}, err));
    d->is_tallied[chunk] = 2;
    return DPL_OK;
}

/* What nobody needs once all probabilities are there: what they were made from. Each process
 * removes what it made. */
static void remove_old(const dpl__divided *d)
{
    const uint64_t key = dpl__divided_key(d);
    const dpl__shared_files counts = {.name = d->step->counts, .key = key, .n = d->n},
                            totals = {.name = "totals", .key = key, .n = d->n},
                            before = files_of(d, d->t->n_left + 1);
    for (size_t i = 0; i < d->n; i++) {
        if (d->has_rows[i])
            dpl__shared_remove(d->t->ctx, &counts, i);
        if (d->is_tallied[i])
            dpl__shared_remove(d->t->ctx, &totals, i);
        if (d->has_part[i])
            dpl__shared_remove(d->t->ctx, &before, i);
    }
}

static dpl_status run(dpl__divided *d, dpl_error *err)
{
    const dpl__trainer *t = d->t;
    dpl__shared_work totals = {.name = "totals",
                               .key = dpl__divided_key(d),
                               .n = d->n,
                               .user = d,
                               .make = make_totals,
                               .take = take_totals,
                               .is_for_all = true,
                               .has_owners = true};
    dpl__shared_files links = files_of(d, t->n_left);
    links.user = d;
    links.make = make_links;
    links.is_for_all = links.has_owners = true;
    memset(d->is_tallied, 0, d->n);
    memset(d->totals, 0, t->model->n_words[DPL__RIGHT] * sizeof *d->totals);
    DPL_TRY(dpl__shared_work_run(t->ctx, &totals, err));
    dpl__maximizer_set_totals(t->maximizer, d->totals);
    DPL_TRY(dpl__shared_files_make(t->ctx, &links, err));
    remove_old(d);
    memset(d->has_rows, 0, d->n);
    for (size_t i = 0; i < d->n; i++)
        d->has_part[i] = d->is_tallied[i] == 2;
    return DPL_OK;
}

dpl_status dpl__divided_maximize(dpl__divided *d, const dpl__divided_step *step, dpl_error *err)
{
    d->step = step;
    const dpl_status status = run(d, err);
    d->step = NULL;
    d->is_clean = false;
    return status;
}

/* ---- few counts -----------------------------------------------------------------------------
 */

dpl_status dpl__divided_begin_counts(dpl__divided *d, dpl_error *err)
{
    dpl__trainer *t = d->t;
    const uint64_t n_links = t->model->n_links;
    for (uint64_t k = 0; d->is_clean && dpl__next_link(d->counted, &k, n_links); k++)
        memset(&t->tallies[k], 0, sizeof *t->tallies);
    if (!d->is_clean)
        DPL_TRY(dpl__trainer_clear_tallies(t, err));
    memset(d->counted, 0, ((size_t)(n_links / 64) + 1) * sizeof *d->counted);
    d->is_clean = true;
    return DPL_OK;
}

void dpl__divided_note_count(dpl__divided *d, uint64_t link)
{
    assert(link < d->t->model->n_links);
    d->counted[link / 64] |= (uint64_t)1 << link % 64;
}

dpl_status dpl__divided_end_counts(dpl__divided *d, dpl_error *err)
{
    dpl__trainer *t = d->t;
    size_t n = 0;
    assert(d->is_clean && t->n_left > 0);
    for (uint64_t k = 0; dpl__next_link(d->counted, &k, t->model->n_links); k++) {
        const float count = (float)dpl__count_value(&t->tallies[k].count);
        t->tallies[k].p[DPL__LEFT] = t->tallies[k].p[DPL__RIGHT] = count;
    }
    for (size_t i = 0; i < d->n; i++)
        if (d->is_wanted[i])
            d->some[n++] = (dpl__word_links){d->of_rows[i].links.data, d->of_rows[i].begin};
    DPL_TRY(dpl__maximize_some(t->maximizer, t->tallies, d->counted, d->some, n, err));
    const dpl__shared_files before =
        is_behind_model1(d) ? files_of(d, t->n_left + 1) : counts_of(d, t->n_left + 1);
    const uint8_t *is_own = is_behind_model1(d) ? d->has_part : d->has_rows;
    for (size_t i = 0; i < d->n; i++)
        if (is_own[i])
            dpl__shared_remove(t->ctx, &before, i);
    memset(d->has_part, 0, d->n);
    memcpy(d->has_rows, d->is_wanted, d->n);
    return DPL_OK;
}

/* ---- all of it ------------------------------------------------------------------------------
 */

dpl_status dpl__divided_new(dpl__divided **out, dpl__trainer *t, dpl_error *err)
{
    dpl__divided *d = dpl__calloc(t->ctx, 1, sizeof *d);
    *out = d;
    DPL_TRY(dpl__need(d, err));
    d->t = t;
    d->n = dpl__shared_n(t->ctx);
    d->of_rows = dpl__calloc(t->ctx, d->n, sizeof *d->of_rows);
    d->of_classes = dpl__calloc(t->ctx, d->n, sizeof *d->of_classes);
    const size_t n_bits = (size_t)(t->model->n_links / 64) + 1;
    d->bits = dpl__calloc(t->ctx, n_bits, sizeof *d->bits);
    d->counted = dpl__calloc(t->ctx, n_bits, sizeof *d->counted);
    d->some = dpl__calloc(t->ctx, d->n, sizeof *d->some);
    d->is_wanted = dpl__calloc(t->ctx, d->n, 1);
    d->has_rows = dpl__calloc(t->ctx, d->n, 1);
    d->has_part = dpl__calloc(t->ctx, d->n, 1);
    d->is_tallied = dpl__calloc(t->ctx, d->n, 1);
    d->totals =
        dpl__calloc(t->ctx, (size_t)t->model->n_words[DPL__RIGHT] + 1, sizeof *d->totals);
    DPL_TRY(dpl__need(d->of_rows && d->of_classes && d->bits && d->counted && d->some &&
                          d->is_wanted && d->has_rows && d->has_part && d->is_tallied &&
                          d->totals,
                      err));
    set_flags(d, 1);
    return DPL_OK;
}

void dpl__divided_free(dpl__divided *d)
{
    if (!d)
        return;
    dpl_ctx *ctx = d->t->ctx;
    for (size_t i = 0; i < d->n; i++) {
        if (d->of_rows)
            clear_lists(ctx, &d->of_rows[i]);
        if (d->of_classes)
            clear_lists(ctx, &d->of_classes[i]);
    }
    dpl__vec_clear(ctx, &d->bytes);
    dpl__free(ctx, d->of_rows, d->of_classes, d->bits, d->counted, d->has_rows, d->has_part);
    dpl__free(ctx, d->is_tallied, d->is_wanted, d->some, d->totals);
    dpl__free(ctx, d);
}
