/*
 * passages.c - nearest passages of both sides; votes for documents.
 *
 * Equal sentences of a side are one passage with several places. One search finds the nearest
 * passages of both sides. A passage pair votes for every pair of documents that hold it, with
 * the logarithm of its margin, divided by the root of the number of document pairs: what
 * stands in many documents says little. Within a pair of documents every place counts once,
 * and a vote with another one beside it, in the same section and order, counts several times: a
 * translated part is contiguous, while chance is not.
 *
 * Cost: the search among the passages; votes are linear in the neighbours times their places.
 */
#include "mine/passages.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/maths.h"
#include "base/merge_sort.h"
#include "base/order.h"
#include "mine/derived_docs.h"
#include "mine/mine_params.h"
#include "mine/unit.h"
#include "par/pool.h"
#include "vectors/vectors.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { BLOCK = 16 };
#define NONE UINT32_MAX

typedef struct place {
    uint32_t doc, at; /* sentence of the document */
} place;

typedef struct side_passages {
    dpl_collection *c;
    uint32_t n;         /* passages */
    uint64_t *begin;    /* of each passage's places; one more than passages */
    place *places;      /* in the order of documents */
    uint32_t *n_docs;   /* of each passage: documents that hold it */
    uint64_t *doc;      /* of each document: where its sentences begin in: */
    uint32_t *passages; /* of each sentence; NONE: too short */
    uint64_t n_sentences;
    uint32_t n_all;   /* documents */
    uint32_t longest; /* sentences of the longest document */
} side_passages;

/* A passage of the other side and the vote for each pair of their documents. */
typedef struct edge {
    uint32_t to;
    float vote;
} edge;

struct dpl__passages {
    dpl_ctx *ctx;
    const dpl__comparable *corpus;
    dpl__comparable units; /* passages in the place of documents */
    dpl_vectors *pivot_vectors;
    side_passages side[2];
    uint64_t *edge_begin[2]; /* of each passage */
    edge *edges[2];
    size_t n_edges;
    DPL_VEC(dpl_doc_pair) sure; /* passage pairs of the last search to learn from */
    bool has_searched;
};

/* ---- passages ----------------------------------------------------------------------- */

/* Hashes of all sentences that are long enough, by hash; the number is over all documents. */
static dpl_status hash_sentences(dpl__keyed *refs, size_t *n, side_passages *s,
                                 const dpl_collection *c, const uint8_t *skip)
{
    uint64_t number = 0;
    *n = 0;
    for (uint32_t doc = 0; doc < s->n_all; doc++) {
        size_t n_sentences = dpl_collection_n_sentences(c, doc);
        s->doc[doc] = number;
        for (size_t i = 0; i < n_sentences; i++, number++) {
            dpl__token_run t = dpl__sentence_tokens(c, doc, i, i + 1);
            s->passages[number] = NONE;
            if ((skip && skip[doc]) || t.n < (size_t)DPL__P(mine, passage_tokens))
                continue;
            refs[(*n)++] =
                (dpl__keyed){dpl__hash(t.tokens, t.n * sizeof *t.tokens, t.n), number};
        }
        s->longest = n_sentences > s->longest ? (uint32_t)n_sentences : s->longest;
    }
    s->doc[s->n_all] = number;
    if (*n)
        qsort(refs, *n, sizeof *refs, dpl__by_key);
    return DPL_OK;
}

/* Passages are numbered in the order of their hashes: by content. */
static void number_passages(side_passages *s, const dpl__keyed *refs, size_t n)
{
    s->n = 0;
    for (size_t i = 0; i < n; i++) {
        s->n += i > 0 && refs[i].key != refs[i - 1].key;
        s->passages[refs[i].number] = s->n;
    }
    s->n += n > 0;
}

static dpl_status find_places(dpl_ctx *ctx, side_passages *s, size_t n, dpl_error *err)
{
    s->begin = dpl__calloc(ctx, (size_t)s->n + 2, sizeof *s->begin);
    s->places = dpl__alloc(ctx, (n + 1) * sizeof *s->places);
    s->n_docs = dpl__calloc(ctx, (size_t)s->n + 1, sizeof *s->n_docs);
    DPL_TRY(dpl__need(s->begin && s->places && s->n_docs, err));
    for (uint64_t i = 0; i < s->n_sentences; i++)
        if (s->passages[i] != NONE)
            s->begin[s->passages[i] + 2]++;
    for (size_t i = 2; i < (size_t)s->n + 2; i++)
        s->begin[i] += s->begin[i - 1];
    for (uint32_t doc = 0; doc < s->n_all; doc++)
        for (uint64_t i = s->doc[doc]; i < s->doc[doc + 1]; i++) {
            uint32_t passage = s->passages[i];
            if (passage == NONE)
                continue;
            s->places[s->begin[passage + 1]++] = (place){doc, (uint32_t)(i - s->doc[doc])};
        }
    for (uint32_t passage = 0; passage < s->n; passage++)
        for (uint64_t i = s->begin[passage]; i < s->begin[passage + 1]; i++)
            s->n_docs[passage] +=
                i == s->begin[passage] || s->places[i].doc != s->places[i - 1].doc;
    return DPL_OK;
}

static dpl_status read_side(dpl__passages *p, int side, dpl_error *err)
{
    side_passages *s = &p->side[side];
    const dpl_collection *c = p->corpus->c[side];
    s->n_all = dpl_collection_get_sizes(c)->n_docs;
    s->n_sentences = dpl_collection_get_sizes(c)->n_sentences;
    size_t room = (size_t)s->n_sentences + 1, n = 0;
    s->doc = dpl__alloc(p->ctx, ((size_t)s->n_all + 1) * sizeof *s->doc);
    s->passages = dpl__alloc(p->ctx, room * sizeof *s->passages);
    dpl__keyed *refs = dpl__alloc(p->ctx, room * sizeof *refs);
    dpl_status status = dpl__need(s->doc && s->passages && refs, err);
    if (status == DPL_OK)
        status = hash_sentences(refs, &n, s, c, p->corpus->skip[side]);
    if (status == DPL_OK) {
        number_passages(s, refs, n);
        status = find_places(p->ctx, s, n, err);
    }
    dpl__free(p->ctx, refs);
    return status;
}

/* ---- collections of passages ---------------------------------------------------------- */

typedef struct passage_reader {
    const dpl_collection *c;
    const side_passages *s;
    uint32_t next;
    char id[16];
} passage_reader;

static dpl_status next_passage(void *user, dpl_doc *out, dpl_error *err)
{
    (void)err;
    passage_reader *r = user;
    if (r->next == r->s->n)
        return DPL_END;
    place at = r->s->places[r->s->begin[r->next]];
    int n = snprintf(r->id, sizeof r->id, "%u", r->next++);
    out->id = (dpl_str){r->id, (size_t)n};
    out->lang = dpl_collection_doc(r->c, at.doc).lang;
    out->text = dpl_collection_sentence_text(r->c, at.doc, at.at);
    return DPL_OK;
}

static dpl_status open_passages(dpl__passages *p, int side, dpl_error *err)
{
    passage_reader r = {.c = p->corpus->c[side], .s = &p->side[side]};
    const dpl__derived_docs docs = {.side = side,
                                    .what = "passages",
                                    .source = {next_passage, &r, "passages"},
                                    .is_stemmed = p->corpus->is_stemmed,
                                    .parts_of = p->corpus->words[side]};
    DPL_TRY(dpl__derived_docs_open(&p->side[side].c, p->corpus, &docs, err));
    p->units.c[side] = p->side[side].c;
    p->units.skip[side] = NULL;
    uint32_t n = p->units.n_docs[side] = dpl_collection_get_sizes(p->side[side].c)->n_docs;
    p->units.keys[side] = dpl__alloc(p->ctx, ((size_t)n + 1) * sizeof *p->units.keys[side]);
    DPL_TRY(dpl__need(p->units.keys[side], err));
    for (uint32_t i = 0; i < n; i++)
        p->units.keys[side][i] = dpl__doc_key(p->side[side].c, i);
    return DPL_OK;
}

/* Bytes per sentence: a temporary hash, its passage, its place. Most sentences are passages of
 * their own. */
uint64_t dpl__passages_list_bytes(const dpl__comparable *corpus)
{
    const uint64_t passage = 2 * sizeof(uint64_t) + sizeof(uint32_t),
                   sentence = sizeof(dpl__keyed) + sizeof(uint32_t) + sizeof(place);
    uint64_t bytes = 0;
    for (int side = 0; side < 2; side++) {
        const dpl_collection_sizes *sizes = dpl_collection_get_sizes(corpus->c[side]);
        bytes += sizes->n_sentences * (sentence + passage) + sizes->n_docs * sizeof(uint64_t);
    }
    return bytes;
}

/* Bytes per passage: list, key, mean, number, first edge, and an edge on both sides for each
 * entry of the list; per pair as dpl__rounds_check_memory counts. */
uint64_t dpl__passages_search_bytes(const dpl__passages *p)
{
    enum { PAIR_BYTES = 3 * 200 };
    const uint64_t passage = DPL__NEAREST * (sizeof(dpl__near) + 2 * sizeof(edge)) +
                             2 * sizeof(uint64_t) + sizeof(double) + sizeof(uint32_t);
    uint64_t n[2] = {p->side[0].n, p->side[1].n};
    return (n[0] + n[1]) * passage + dpl__min(n[0], n[1]) * PAIR_BYTES;
}

dpl_status dpl__passages_new(dpl__passages **out, const dpl__comparable *corpus, dpl_error *err)
{
    dpl__passages *p = *out = dpl__calloc(corpus->ctx, 1, sizeof *p);
    DPL_TRY(dpl__need(p, err));
    p->ctx = corpus->ctx;
    p->corpus = corpus;
    p->units = *corpus;
    p->units.unit = &dpl__unit_passage;
    for (int side = 0; side < 2; side++) {
        p->units.words[side] = NULL;
        p->units.keys[side] = NULL;
        p->units.groups[side] = NULL;
        p->units.n_copies[side] = 0;
    }
    dpl_status status = DPL_OK;
    for (int side = 0; side < 2 && status == DPL_OK; side++) {
        status = read_side(p, side, err);
        if (status == DPL_OK)
            status = open_passages(p, side, err);
    }
    if (status != DPL_OK) {
        dpl__passages_free(p);
        *out = NULL;
    }
    return status;
}

static void free_edges(dpl__passages *p)
{
    for (int side = 0; side < 2; side++) {
        dpl__free(p->ctx, p->edges[side], p->edge_begin[side]);
        p->edges[side] = NULL;
        p->edge_begin[side] = NULL;
    }
}

void dpl__passages_free(dpl__passages *p)
{
    if (!p)
        return;
    free_edges(p);
    dpl__vec_clear(p->ctx, &p->sure);
    dpl_vectors_close(p->pivot_vectors);
    for (int side = 0; side < 2; side++) {
        side_passages *s = &p->side[side];
        dpl__free(p->ctx, p->units.keys[side]);
        dpl_collection_close(s->c);
        dpl__free(p->ctx, s->n_docs, s->places, s->begin, s->passages, s->doc);
    }
    dpl__free(p->ctx, p);
}

/* ---- votes of passage pairs ----------------------------------------------------------- */

typedef struct nearest {
    dpl_vectors *v[2];
    dpl__neighbours c;
    double *around[2]; /* of each row: the mean of what is around it */
    uint32_t *unit[2]; /* of each row: its passage */
} nearest;

static const dpl__near *list_of(const nearest *x, int side, uint32_t row)
{
    return x->c.near[side] + (size_t)row * DPL__NEAREST;
}

static uint32_t number_of(dpl_str id)
{
    uint32_t n = 0;
    for (size_t i = 0; i < id.n; i++)
        n = n * 10 + (uint32_t)(id.data[i] - '0');
    return n;
}

static dpl_status measure_side(nearest *x, dpl__passages *p, int side, dpl_error *err)
{
    double threshold = DPL__P(mine, passage_cosine);
    size_t room = (size_t)x->c.n[side] + 1;
    x->around[side] = dpl__alloc(p->ctx, room * sizeof *x->around[side]);
    x->unit[side] = dpl__alloc(p->ctx, room * sizeof *x->unit[side]);
    DPL_TRY(dpl__need(x->around[side] && x->unit[side], err));
    for (uint32_t row = 0; row < x->c.n[side]; row++) {
        const dpl__near *list = list_of(x, side, row);
        double sum = 0;
        for (size_t i = 0; i < DPL__AROUND; i++)
            sum += list[i].row != NONE ? (double)list[i].score : threshold;
        x->around[side][row] = sum / DPL__AROUND;
        x->unit[side][row] =
            number_of(dpl_collection_doc(p->side[side].c, x->v[side]->docs[row]).id);
    }
    return DPL_OK;
}

static float vote_of(const nearest *x, const dpl__passages *p, uint32_t left, uint32_t right,
                     float score)
{
    double margin = 2 * (double)score / (x->around[0][left] + x->around[1][right]);
    double n = (double)p->side[0].n_docs[x->unit[0][left]] *
               (double)p->side[1].n_docs[x->unit[1][right]];
    if (margin <= DPL__P(mine, passage_margin) || n > DPL__P(mine, passage_docs))
        return 0;
    return (float)(dpl__log(margin / DPL__P(mine, passage_margin)) / sqrt(n));
}

static bool lists(const dpl__near *list, uint32_t row)
{
    for (size_t i = 0; i < DPL__NEAREST && list[i].row != NONE; i++)
        if (list[i].row == row)
            return true;
    return false;
}

/* Calls take for every passage pair of which one lists the other, once. */
static void each_pair(const nearest *x, const dpl__passages *p,
                      void (*take)(void *user, uint32_t left, uint32_t right, float vote),
                      void *user)
{
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < x->c.n[side]; row++) {
            const dpl__near *list = list_of(x, side, row);
            for (size_t i = 0; i < DPL__NEAREST && list[i].row != NONE; i++) {
                uint32_t left = side ? list[i].row : row, right = side ? row : list[i].row;
                if (side && lists(list_of(x, 0, left), right))
                    continue;
                float vote = vote_of(x, p, left, right, list[i].score);
                if (vote > 0)
                    take(user, x->unit[0][left], x->unit[1][right], vote);
            }
        }
}

static void count_edge(void *user, uint32_t left, uint32_t right, float vote)
{
    (void)vote;
    dpl__passages *p = user;
    p->edge_begin[0][left + 2]++;
    p->edge_begin[1][right + 2]++;
    p->n_edges++;
}

static void add_edge(void *user, uint32_t left, uint32_t right, float vote)
{
    dpl__passages *p = user;
    p->edges[0][p->edge_begin[0][left + 1]++] = (edge){right, vote};
    p->edges[1][p->edge_begin[1][right + 1]++] = (edge){left, vote};
}

static dpl_status make_edges(dpl__passages *p, const nearest *x, dpl_error *err)
{
    free_edges(p);
    p->n_edges = 0;
    for (int side = 0; side < 2; side++) {
        p->edge_begin[side] =
            dpl__calloc(p->ctx, (size_t)p->side[side].n + 2, sizeof *p->edge_begin[side]);
        DPL_TRY(dpl__need(p->edge_begin[side], err));
    }
    each_pair(x, p, count_edge, p);
    for (int side = 0; side < 2; side++) {
        for (size_t i = 2; i < (size_t)p->side[side].n + 2; i++)
            p->edge_begin[side][i] += p->edge_begin[side][i - 1];
        p->edges[side] = dpl__alloc(p->ctx, (p->n_edges + 1) * sizeof *p->edges[side]);
    }
    DPL_TRY(dpl__need(p->edges[0] && p->edges[1], err));
    each_pair(x, p, add_edge, p);
    return DPL_OK;
}

static dpl_status find_nearest(nearest *x, dpl__doc_candidates *found, dpl__passages *p,
                               const dpl_lexicon *lexicon, dpl_error *err)
{
    dpl__comparable *u = &p->units;
    for (int side = 0; side < 2; side++) {
        bool is_kept = lexicon && side == u->pivot;
        if (is_kept)
            x->v[side] = p->pivot_vectors;
        if (!x->v[side])
            DPL_TRY(dpl__make_vectors(&x->v[side], &found->known, u,
                                      (dpl__vector_docs){side, NULL}, lexicon, err));
        if (is_kept)
            p->pivot_vectors = x->v[side];
        if (dpl_vectors_get_sizes(x->v[side])->n_rows == 0) {
            dpl__reason_set(&found->why_empty, NULL,
                            "no sentence in '%s' has enough words to be compared",
                            u->lang[side]);
            return DPL_OK;
        }
    }
    dpl_pairs_options o = *u->options->search;
    o.method = DPL_PAIRS_EXACT;
    o.threshold = DPL__P(mine, passage_cosine);
    o.temp = u->work;
    dpl__row_docs rows = {.keys = {u->keys[0], u->keys[1]}};
    DPL_TRY(dpl__neighbours_find(&x->c, p->ctx, x->v, &rows, &o, err));
    DPL_TRY(measure_side(x, p, 0, err));
    DPL_TRY(measure_side(x, p, 1, err));
    return make_edges(p, x, err);
}

/* Numbers of passages go by content, and each is in one pair at most. */
DPL__ORDER(by_left, dpl_doc_pair, DPL__RISING(left))

DPL__ORDER(by_right, dpl_doc_pair, DPL__RISING(right))

static dpl_status keep_sure(dpl__passages *p, const nearest *x, dpl__doc_candidates *f,
                            dpl_error *err)
{
    static const dpl__sample all = {0};
    const dpl__comparable *u = &p->units;
    const dpl__round_input in = {
        .corpus = u, .unit = &dpl__unit_document, .sample = &all, .number = DPL__NO_ROUND};
    DPL_TRY(dpl__estimate_confidence(f, &in, NULL, err));
    p->sure.n = 0;
    for (size_t i = 0; i < f->pairs.n; i++) {
        const dpl__match *m = &f->pairs.data[i].match;
        dpl_doc_pair pair = {x->unit[0][m->row[0]], x->unit[1][m->row[1]]};
        if (f->pairs.data[i].confidence >= DPL__P(mine, passage_sure) &&
            !dpl__vec_push(p->ctx, &p->sure, pair))
            return dpl__fail_nomem(err);
    }
    dpl__vec_sort(&p->sure, u->pivot ? by_right : by_left);
    p->has_searched = true;
    return DPL_OK;
}

static dpl_status push_all(dpl__doc_candidate_vec *to, dpl_ctx *ctx, const nearest *x,
                           const dpl__matches *from, dpl_error *err)
{
    for (size_t i = 0; i < from->n; i++) {
        const dpl__match *m = &from->data[i];
        dpl__doc_candidate c = {.docs = {x->v[0]->docs[m->row[0]], x->v[1]->docs[m->row[1]]},
                                .match = *m};
        DPL_TRY(dpl__need(dpl__vec_push(ctx, to, c), err));
    }
    return DPL_OK;
}

/* Passages that are each other's best match, with their confidence as that of documents. */
static dpl_status find_sure(dpl__passages *p, const nearest *x, bool is_by_spelling,
                            dpl_error *err)
{
    dpl__matches matches = {0}, decoys = {0};
    dpl__doc_candidates found = {.is_by_spelling = is_by_spelling};
    dpl_status status;
    if ((status = dpl__matches_find(&matches, &x->c, NULL, 1, err)) != DPL_OK ||
        (status = dpl__decoys_find(&decoys, &x->c, &matches, 1, err)) != DPL_OK ||
        (status = push_all(&found.pairs, p->ctx, x, &matches, err)) != DPL_OK ||
        (status = push_all(&found.decoys, p->ctx, x, &decoys, err)) != DPL_OK)
        goto done;
    status = keep_sure(p, x, &found, err);
done:
    dpl__doc_candidates_clear(&found, p->ctx);
    dpl__vec_clear(p->ctx, &decoys, &matches);
    return status;
}

static dpl_status vote_passages(dpl__passages *p, dpl__doc_candidates *found,
                                const dpl_lexicon *lexicon, dpl_error *err)
{
    nearest x = {.c = {.ctx = p->ctx}};
    dpl_status status = find_nearest(&x, found, p, lexicon, err);
    found->receipt = x.c.recall_check;
    if (status == DPL_OK && !dpl__is_nothing(&found->why_empty))
        status = find_sure(p, &x, !lexicon, err);
    for (int side = 0; side < 2; side++) {
        dpl__free(p->ctx, x.unit[side], x.around[side]);
        if (x.v[side] != p->pivot_vectors)
            dpl_vectors_close(x.v[side]);
    }
    dpl__neighbours_clear(&x.c);
    return status;
}

/* ---- documents ------------------------------------------------------------------------ */

/* A vote for a document of the other side. */
typedef struct ballot {
    uint32_t doc;
    uint32_t at[2]; /* sentences, left and right */
    float vote;
} ballot;

/* What a document of the other side has got. Between elections all of it is zero. */
typedef struct tally {
    uint32_t n; /* votes; then: where its last ballot ends */
    float sum;
} tally;

typedef struct counter {
    DPL_VEC(ballot) ballots, sorted, spare; /* as they come; by document */
    DPL_VEC(uint32_t) docs, spare_docs;     /* that have a ballot, rising */
    tally *tallies;                         /* of each document of the other side */
    size_t n_tallies;
    uint32_t *partner[2]; /* of each sentence of the two documents; NONE */
} counter;

typedef struct election {
    dpl__passages *p;
    dpl__neighbours *out;
    int side;
    counter *counters; /* of each worker */
} election;

/* The larger vote; of equal ones the one nearest to the beginnings, so that both sides count
 * the same. */
static bool counts_before(const ballot *x, const ballot *y)
{
    if (x->vote > y->vote || x->vote < y->vote)
        return x->vote > y->vote;
    uint32_t sum[2] = {x->at[0] + x->at[1], y->at[0] + y->at[1]};
    if (sum[0] != sum[1])
        return sum[0] < sum[1];
    uint32_t off[2] = {x->at[0] > x->at[1] ? x->at[0] : x->at[1],
                       y->at[0] > y->at[1] ? y->at[0] : y->at[1]};
    if (off[0] != off[1])
        return off[0] < off[1];
    return x->at[0] < y->at[0];
}

#define IS_LOWER(a, b) (*(a) < *(b))
DPL_MERGE_SORT(sort_ballots, ballot, counts_before);
DPL_MERGE_SORT(sort_docs, uint32_t, IS_LOWER);

/* Ballots by document, which rise. */
static dpl_status deal_ballots(counter *k, dpl_ctx *ctx, dpl_error *err)
{
    const size_t n = k->ballots.n, n_docs = k->docs.n;
    uint32_t at = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &k->sorted, n) &&
                          dpl__vec_reserve(ctx, &k->spare, n) &&
                          dpl__vec_reserve(ctx, &k->spare_docs, n_docs),
                      err));
    sort_docs(k->docs.data, k->spare_docs.data, n_docs);
    for (size_t i = 0; i < n_docs; i++) {
        tally *t = &k->tallies[k->docs.data[i]];
        uint32_t count = t->n;
        t->n = at;
        at += count;
    }
    for (size_t i = 0; i < n; i++)
        k->sorted.data[k->tallies[k->ballots.data[i].doc].n++] = k->ballots.data[i];
    return DPL_OK;
}

static dpl_status collect(counter *k, const dpl__passages *p, int side, uint32_t doc,
                          dpl_error *err)
{
    const side_passages *s = &p->side[side], *o = &p->side[!side];
    k->sorted.n = k->spare.n = k->spare_docs.n = 0;
    k->ballots.n = k->docs.n = 0;
    for (uint64_t i = s->doc[doc]; i < s->doc[doc + 1]; i++) {
        uint32_t passage = s->passages[i], at = (uint32_t)(i - s->doc[doc]);
        if (passage == NONE)
            continue;
        for (uint64_t e = p->edge_begin[side][passage]; e < p->edge_begin[side][passage + 1];
             e++) {
            const edge *to = &p->edges[side][e];
            size_t n = (size_t)(o->begin[to->to + 1] - o->begin[to->to]);
            DPL_TRY(dpl__need(dpl__vec_reserve(p->ctx, &k->ballots, n) &&
                                  dpl__vec_reserve(p->ctx, &k->docs, n),
                              err));
            for (size_t j = 0; j < n; j++) {
                const place *there = &o->places[o->begin[to->to] + j];
                ballot b = {.doc = there->doc, .vote = to->vote};
                b.at[side] = at;
                b.at[!side] = there->at;
                k->ballots.data[k->ballots.n++] = b;
                tally *t = &k->tallies[b.doc];
                if (t->n++ == 0)
                    k->docs.data[k->docs.n++] = b.doc;
                t->sum += b.vote;
            }
        }
    }
    return k->ballots.n ? deal_ballots(k, p->ctx, err) : DPL_OK;
}

/* Whether a section begins between two sentences of a document, or with the later one. */
static bool is_section_between(const dpl_collection *c, uint32_t doc, uint32_t a, uint32_t b)
{
    for (uint32_t i = (a < b ? a : b) + 1, last = a < b ? b : a; i <= last; i++)
        if (dpl_collection_sentence(c, doc, i).is_section_start)
            return true;
    return false;
}

/* A vote nearby in the same sections, with both places before or both behind. */
static bool has_neighbour(const counter *k, const dpl__passages *p, const uint32_t docs[2],
                          const ballot *b)
{
    const uint32_t n = (uint32_t)dpl_collection_n_sentences(p->corpus->c[0], docs[0]);
    uint32_t window = (uint32_t)DPL__P(mine, passage_window);
    uint32_t low = b->at[0] > window ? b->at[0] - window : 0;
    uint32_t high = b->at[0] + window < n ? b->at[0] + window : n - 1;
    for (uint32_t i = low; i <= high; i++) {
        uint32_t j = k->partner[0][i];
        if (i == b->at[0] || j == NONE || j == b->at[1])
            continue;
        uint32_t off = j > b->at[1] ? j - b->at[1] : b->at[1] - j;
        if (off <= window && (i > b->at[0]) == (j > b->at[1]) &&
            !is_section_between(p->corpus->c[0], docs[0], i, b->at[0]) &&
            !is_section_between(p->corpus->c[1], docs[1], j, b->at[1]))
            return true;
    }
    return false;
}

/* Every sentence counts once, in the order of the votes. */
static double count_votes(counter *k, const dpl__passages *p, const uint32_t docs[2], ballot *b,
                          size_t n)
{
    size_t n_kept = 0;
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        if (k->partner[0][b[i].at[0]] != NONE || k->partner[1][b[i].at[1]] != NONE)
            continue;
        k->partner[0][b[i].at[0]] = b[i].at[1];
        k->partner[1][b[i].at[1]] = b[i].at[0];
        b[n_kept++] = b[i];
    }
    for (size_t i = 0; i < n_kept; i++)
        sum += (double)b[i].vote *
               (has_neighbour(k, p, docs, &b[i]) ? 1 + DPL__P(mine, passage_bonus) : 1);
    for (size_t i = 0; i < n_kept; i++)
        k->partner[0][b[i].at[0]] = k->partner[1][b[i].at[1]] = NONE;
    return sum;
}

/* Whether a document can be among the nearest when all its votes count, with the bonus. */
static bool may_be_near(const election *e, const dpl__near *near, const tally *t)
{
    double most = (double)t->sum * (1 + DPL__P(mine, passage_bonus));
    most += most / 1024; /* votes were added in another order */
    float score = (float)fmin(most * DPL__P(mine, passage_scale), 1);
    const dpl__near *last = &near[DPL__NEAREST - 1];
    return (double)score > e->out->threshold &&
           (last->row == DPL__NO_ROW || last->score <= score);
}

static dpl_status elect(const election *e, counter *k, uint32_t doc, dpl_error *err)
{
    const dpl__passages *p = e->p;
    dpl__near *near = e->out->own[e->side] + (size_t)doc * DPL__NEAREST;
    DPL_TRY(collect(k, p, e->side, doc, err));
    size_t begin = 0;
    for (size_t i = 0; i < k->docs.n; i++) {
        uint32_t other = k->docs.data[i], docs[2];
        tally *t = &k->tallies[other];
        ballot *ballots = k->sorted.data + begin;
        const size_t n = t->n - begin;
        const bool is_possible = may_be_near(e, near, t);
        begin = t->n;
        *t = (tally){0};
        if (!is_possible)
            continue;
        sort_ballots(ballots, k->spare.data, n);
        docs[e->side] = doc;
        docs[!e->side] = other;
        double sum = count_votes(k, p, docs, ballots, n);
        float score = (float)fmin(sum * DPL__P(mine, passage_scale), 1);
        if ((double)score > e->out->threshold)
            dpl__near_add(near, e->out->keys[!e->side], (dpl__near){other, score});
    }
    return DPL_OK;
}

static dpl_status elect_block(void *user, size_t i, unsigned worker, dpl_error *err)
{
    const election *e = user;
    uint32_t n = e->out->n[e->side];
    for (uint32_t doc = (uint32_t)i * BLOCK; doc < n && doc < (i + 1) * BLOCK; doc++)
        DPL_TRY(elect(e, &e->counters[worker], doc, err));
    return DPL_OK;
}

static dpl_status make_counters(election *e, dpl_error *err)
{
    dpl_ctx *ctx = e->p->ctx;
    e->counters = dpl__calloc(ctx, ctx->n_threads, sizeof *e->counters);
    DPL_TRY(dpl__need(e->counters, err));
    for (unsigned i = 0; i < ctx->n_threads; i++) {
        counter *k = &e->counters[i];
        k->n_tallies = dpl__max(e->p->side[0].n_all, e->p->side[1].n_all) + 1;
        k->tallies = dpl__calloc(ctx, k->n_tallies, sizeof *k->tallies);
        DPL_TRY(dpl__need(k->tallies, err));
        for (int side = 0; side < 2; side++) {
            size_t n = (size_t)e->p->side[side].longest + 1;
            uint32_t *partner = e->counters[i].partner[side] =
                dpl__alloc(ctx, n * sizeof *partner);
            DPL_TRY(dpl__need(partner, err));
            memset(partner, 0xff, n * sizeof *partner);
        }
    }
    return DPL_OK;
}

static void free_counters(election *e)
{
    dpl_ctx *ctx = e->p->ctx;
    if (!e->counters)
        return;
    for (unsigned i = 0; i < ctx->n_threads; i++) {
        counter *k = &e->counters[i];
        dpl__vec_clear(ctx, &k->ballots, &k->sorted, &k->spare, &k->docs, &k->spare_docs);
        if (k->tallies)
            dpl__free(ctx, k->tallies);
        for (int side = 0; side < 2; side++)
            dpl__free(ctx, e->counters[i].partner[side]);
    }
    dpl__free(ctx, e->counters);
}

/* The near-copy with the lowest key represents its group. */
static dpl_status copy_groups(dpl__neighbours *out, const dpl__passages *p, int side,
                              dpl_error *err)
{
    const uint32_t *groups = p->corpus->groups[side];
    uint32_t n = out->n[side], *rows;
    if (!groups)
        return DPL_OK;
    rows = out->groups[side] = dpl__alloc(p->ctx, ((size_t)n + 1) * sizeof *rows);
    uint32_t *lowest = dpl__alloc(p->ctx, ((size_t)n + 1) * sizeof *lowest);
    bool has_memory = rows && lowest;
    for (uint32_t row = 0; row < n && has_memory; row++)
        lowest[row] = NONE;
    for (uint32_t row = 0; row < n && has_memory; row++) {
        uint32_t *first = groups[row] == NONE ? NULL : &lowest[groups[row]];
        if (first && (*first == NONE || out->keys[side][row] < out->keys[side][*first]))
            *first = row;
    }
    for (uint32_t row = 0; row < n && has_memory; row++)
        rows[row] = groups[row] == NONE ? row : lowest[groups[row]];
    dpl__free(p->ctx, lowest);
    return dpl__need(has_memory, err);
}

static dpl_status make_lists(election *e, int side, dpl_error *err)
{
    dpl__neighbours *out = e->out;
    dpl_ctx *ctx = e->p->ctx;
    size_t n = out->n[side] = e->p->side[side].n_all;
    out->keys[side] = dpl__alloc(ctx, n * sizeof *out->keys[side]);
    out->near[side] = out->own[side] = dpl__alloc(ctx, n * DPL__NEAREST * sizeof(dpl__near));
    if (n && (!out->keys[side] || !out->near[side]))
        return dpl__fail_nomem(err);
    memcpy(out->keys[side], e->p->corpus->keys[side], n * sizeof *out->keys[side]);
    for (size_t i = 0; i < n * DPL__NEAREST; i++)
        out->own[side][i] = (dpl__near){DPL__NO_ROW, 0};
    return copy_groups(out, e->p, side, err);
}

static dpl_status vote_documents(dpl__neighbours *out, dpl__passages *p, dpl_error *err)
{
    election e = {.p = p, .out = out};
    dpl_status status = make_counters(&e, err);
    out->threshold = DPL__P(mine, passage_least) * DPL__P(mine, passage_scale);
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status = make_lists(&e, side, err);
    for (e.side = 0; e.side < 2 && status == DPL_OK; e.side++)
        status = dpl__parallel_for(p->ctx, ((size_t)out->n[e.side] + BLOCK - 1) / BLOCK, &e,
                                   elect_block, err);
    free_counters(&e);
    return status;
}

dpl_status dpl__passages_neighbours(dpl__neighbours *out, dpl__doc_candidates *found,
                                    dpl__passages *p, const dpl_lexicon *lexicon,
                                    dpl_error *err)
{
    *out = (dpl__neighbours){.ctx = p->ctx};
    dpl_status status = vote_passages(p, found, lexicon, err);
    out->recall_check = found->receipt;
    if (status == DPL_OK && !dpl__is_nothing(&found->why_empty))
        status = vote_documents(out, p, err);
    free_edges(p);
    if (status != DPL_OK)
        dpl__neighbours_clear(out);
    return status;
}

/* ---- learning ------------------------------------------------------------------------- */

/* Whether a document pair to learn from has both passages. */
static bool is_in_pairs(const dpl__passages *p, dpl_doc_pair sure, const uint32_t *partner)
{
    const side_passages *l = &p->side[0], *r = &p->side[1];
    for (uint64_t i = l->begin[sure.left]; i < l->begin[sure.left + 1]; i++) {
        uint32_t doc = partner[l->places[i].doc];
        for (uint64_t j = r->begin[sure.right]; doc != NONE && j < r->begin[sure.right + 1];
             j++)
            if (r->places[j].doc == doc)
                return true;
    }
    return false;
}

dpl_status dpl__passages_learn(dpl__training_rows *rows, dpl__reason *why, dpl__passages *p,
                               dpl__pair_list pairs, const dpl_lexicon *lexicon, dpl_error *err)
{
    if (!p->has_searched) { /* the run was interrupted after the search */
        dpl__doc_candidates found = {0};
        DPL_TRY(vote_passages(p, &found, lexicon, err));
        *why = found.why_empty;
        if (dpl__is_nothing(why))
            return DPL_OK;
    }
    size_t n = (size_t)p->side[0].n_all + 1;
    uint32_t *partner = dpl__alloc(p->ctx, n * sizeof *partner);
    DPL_TRY(dpl__need(partner, err));
    memset(partner, 0xff, n * sizeof *partner);
    for (size_t i = 0; i < pairs.n; i++)
        partner[pairs.data[i].left] = pairs.data[i].right;
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < p->sure.n && status == DPL_OK; i++) {
        if (is_in_pairs(p, p->sure.data[i], partner))
            continue;
        place l = p->side[0].places[p->side[0].begin[p->sure.data[i].left]];
        place r = p->side[1].places[p->side[1].begin[p->sure.data[i].right]];
        dpl__token_run a = dpl__sentence_tokens(p->corpus->c[0], l.doc, l.at, l.at + 1);
        dpl__token_run b = dpl__sentence_tokens(p->corpus->c[1], r.doc, r.at, r.at + 1);
        status = dpl__training_rows_add(rows, a.tokens, a.n, b.tokens, b.n, err);
    }
    dpl__free(p->ctx, partner);
    return status;
}
