/*
 * divided_step.c - totals of right words go round, then probabilities of links.
 *
 * Two rounds of chunks, both by left classes. Who makes a chunk of the second round has mostly
 * made that of the first and has its counts; who has not finds them again.
 */
#include "lexicon/divided_step.h"

#include "base/ctx.h"
#include "io/parts.h"
#include "io/shared_run.h"

typedef struct running {
    const dpl__divided_step *step;
    dpl__trainer *t;
    size_t n;            /* parts */
    uint8_t *is_tallied; /* of each part: here */
    uint64_t *totals;    /* of each right word: of the parts that were taken */
} running;

static dpl__class_range part_of(const running *r, size_t chunk)
{
    return dpl__maximizer_part(r->t->maximizer, chunk, r->n);
}

static dpl_status tally(running *r, size_t chunk, dpl_error *err)
{
    if (r->is_tallied[chunk])
        return DPL_OK;
    DPL_TRY(r->step->tally(r->step->user, part_of(r, chunk), err));
    r->is_tallied[chunk] = 1;
    return DPL_OK;
}

static dpl_status make_totals(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    running *r = user;
    const dpl__trainer *t = r->t;
    const size_t n_bytes = t->model->n_words[DPL__RIGHT] * sizeof(uint64_t);
    uint64_t *totals = dpl__alloc(t->ctx, n_bytes);
    dpl_status status;
    DPL__STEP(dpl__need(totals, err));
    DPL__STEP(tally(r, chunk, err));
    DPL__STEP(dpl__maximizer_total(totals, t->maximizer, t->tallies, part_of(r, chunk), err));
    status = dpl__need(dpl__vec_append(t->ctx, out, (const char *)totals, n_bytes), err);
done:
    dpl__free(t->ctx, totals);
    return status;
}

static dpl_status take_totals(void *user, size_t chunk, const char *data, size_t n,
                              dpl_error *err)
{
    const running *r = user;
    const uint32_t n_words = r->t->model->n_words[DPL__RIGHT];
    (void)chunk;
    if (n != n_words * sizeof(uint64_t))
        return dpl__fail(err, DPL_E_FORMAT, "totals of another size");
    for (uint32_t w = 0; w < n_words; w++, data += sizeof(uint64_t)) {
        uint64_t total;
        memcpy(&total, data, sizeof total);
        r->totals[w] += total;
    }
    return DPL_OK;
}

/* The links of the word at a place, and their bytes. */
static dpl__link_p *links_at(const running *r, uint32_t place, size_t *n_bytes)
{
    const dpl__wordmodel *m = r->t->model;
    const uint32_t w = dpl__maximizer_words(r->t->maximizer)[place];
    *n_bytes = (size_t)(m->begin[w + 1] - m->begin[w]) * sizeof *m->links;
    return m->links + m->begin[w];
}

static size_t bytes_of(const running *r, dpl__class_range part)
{
    size_t n = 0, n_bytes;
    for (uint32_t place = part.first; place < part.end; place++, n += n_bytes)
        (void)links_at(r, place, &n_bytes);
    return n;
}

static dpl_status make_links(dpl__bytes *out, void *user, size_t chunk, dpl_error *err)
{
    running *r = user;
    const dpl__trainer *t = r->t;
    const dpl__class_range part = part_of(r, chunk);
    DPL_TRY(tally(r, chunk, err));
    DPL_TRY(dpl__maximizer_normalize(t->maximizer, t->tallies, part, err));
    bool has_room = dpl__vec_reserve(t->ctx, out, bytes_of(r, part) + 1);
    for (uint32_t place = part.first; place < part.end && has_room; place++) {
        size_t n;
        const dpl__link_p *links = links_at(r, place, &n);
        has_room = dpl__vec_append(t->ctx, out, (const char *)links, n);
    }
    return dpl__need(has_room, err);
}

static dpl_status take_links(void *user, size_t chunk, const char *data, size_t n,
                             dpl_error *err)
{
    const running *r = user;
    const dpl__class_range part = part_of(r, chunk);
    if (n != bytes_of(r, part))
        return dpl__fail(err, DPL_E_FORMAT, "links of another size");
    for (uint32_t place = part.first; place < part.end; place++, data += n) {
        dpl__link_p *links = links_at(r, place, &n);
        if (n)
            memcpy(links, data, n);
    }
    return DPL_OK;
}

static dpl_status run(running *r, dpl_error *err)
{
    const dpl__trainer *t = r->t;
    dpl__shared_work work = {.name = "totals",
                             .key = dpl__fingerprint_number(t->key, t->n_left),
                             .n = r->n,
                             .user = r,
                             .make = make_totals,
                             .take = take_totals,
                             .is_for_all = true};
    DPL_TRY(dpl__shared_work_run(t->ctx, &work, err));
    dpl__maximizer_set_totals(t->maximizer, r->totals);
    work.name = "maximized";
    work.make = make_links;
    work.take = take_links;
    return dpl__shared_work_run(t->ctx, &work, err);
}

dpl_status dpl__divided_step_run(const dpl__divided_step *step, dpl_error *err)
{
    dpl__trainer *t = step->t;
    running r = {.step = step, .t = t, .n = dpl__shared_n(t->ctx)};
    r.is_tallied = dpl__calloc(t->ctx, r.n, 1);
    r.totals = dpl__calloc(t->ctx, t->model->n_words[DPL__RIGHT], sizeof *r.totals);
    dpl_status status = dpl__need(r.is_tallied && r.totals, err);
    if (status == DPL_OK)
        status = run(&r, err);
    dpl__free(t->ctx, r.totals, r.is_tallied);
    return status;
}
