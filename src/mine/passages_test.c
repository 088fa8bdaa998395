#include "mine/passages.h"

#include "mine/mine_params.h"
#include "mine/random_sides_test.h"
#include "mine/unit.h"
#include "vectors/vectors.h"

#include <math.h>

enum { DOCS = 24, SENTENCES = 7, TERMS = 40 };
enum { MOST_SENTENCES = DOCS * SENTENCES };
#define NONE UINT32_MAX

/* ---- two sides -------------------------------------------------------------------------- */

typedef struct world {
    dpl_ctx *ctx;
    dpl__comparable p;
    dpl_mine_options options;
    dpl_pairs_options search;
    dpl_lexicon *lexicon;
    uint32_t groups[DOCS];
} world;

/* The collections of passages are kept for those who come after. */
static void forget_passages(void)
{
    remove(test_path("left-passages.dpl"));
    remove(test_path("right-passages.dpl"));
}

static void begin(world *w, unsigned n_threads, uint64_t seed, int pivot)
{
    static const side_shape shape = {DOCS, SENTENCES, 6, TERMS, true, true};
    dpl__rng rng = {dpl__mix(seed)};
    *w = (world){.ctx = test_ctx(n_threads)};
    w->options = (dpl_mine_options)DPL_INIT(dpl_mine_options, .search = &w->search);
    w->search = (dpl_pairs_options)DPL_INIT(dpl_pairs_options, .no_recall_check = true);
    w->p = make_parallel_sides(w->ctx, &rng, shape, pivot);
    w->p.options = &w->options;
    w->p.unit = &dpl__unit_document;
    snprintf(w->p.work, sizeof w->p.work, "%s", test_dir());
    w->lexicon = make_random_lexicon(w->ctx, TERMS);
    forget_passages();
}

static void end(world *w)
{
    dpl_lexicon_close(w->lexicon);
    close_sides(&w->p);
    test_ctx_done(w->ctx);
}

/* ---- a naive search --------------------------------------------------------------------- */

/* Distinct sentences of a side, and how they are compared. */
typedef struct naive_side {
    dpl__token_run text[MOST_SENTENCES];
    uint32_t n, n_docs[MOST_SENTENCES];
    uint32_t passage[DOCS][SENTENCES]; /* of each sentence; NONE: it has none */
    size_t n_sentences[DOCS];
} naive_side;

typedef struct naive {
    naive_side side[2];
    float vote[MOST_SENTENCES][MOST_SENTENCES];
} naive;

static bool is_same(dpl__token_run a, dpl__token_run b)
{
    return a.n == b.n && memcmp(a.tokens, b.tokens, a.n * sizeof *a.tokens) == 0;
}

static void list_passages(naive_side *s, const dpl__comparable *p, int side)
{
    *s = (naive_side){.n = 0};
    for (uint32_t doc = 0; doc < DOCS; doc++) {
        bool is_in_doc[MOST_SENTENCES] = {false};
        s->n_sentences[doc] = dpl_collection_n_sentences(p->c[side], doc);
        CHECK(s->n_sentences[doc] <= SENTENCES);
        for (size_t i = 0; i < s->n_sentences[doc]; i++) {
            const dpl__token_run t = dpl__sentence_tokens(p->c[side], doc, i, i + 1);
            uint32_t at = 0;
            while (at < s->n && !is_same(s->text[at], t))
                at++;
            s->passage[doc][i] = p->skip[side][doc] ? NONE : at;
            if (p->skip[side][doc])
                continue;
            s->text[at] = t;
            s->n += at == s->n;
            s->n_docs[at] += !is_in_doc[at];
            is_in_doc[at] = true;
        }
    }
}

/* The passage of a document of a kept collection of passages: they hold the same words. */
static uint32_t passage_of(const naive_side *s, const dpl_collection *docs,
                           const dpl_collection *passages, uint32_t doc)
{
    size_t n;
    const uint32_t *tokens = dpl_collection_tokens(passages, doc, &n);
    for (uint32_t at = 0; at < s->n; at++) {
        bool is_here = s->text[at].n == n;
        for (size_t i = 0; i < n && is_here; i++)
            is_here = dpl__str_eq(dpl_collection_term(docs, s->text[at].tokens[i]),
                                  dpl_collection_term(passages, tokens[i]));
        if (is_here)
            return at;
    }
    CHECK(!"a passage that is no sentence");
    return NONE;
}

static double naive_around(const dpl__near *list)
{
    double sum = 0;
    for (size_t i = 0; i < DPL__AROUND; i++)
        sum +=
            list[i].row == DPL__NO_ROW ? DPL__P(mine, passage_cosine) : (double)list[i].score;
    return sum / DPL__AROUND;
}

/* Votes of all passage pairs of which one is among the nearest of the other. */
static void vote_naively(naive *x, const world *w, const dpl_lexicon *lexicon)
{
    dpl__comparable units = w->p;
    dpl_collection *c[2];
    dpl_vectors *v[2];
    dpl__neighbours near = {0};
    double known = 0;
    char path[1000];
    memset(x->vote, 0, sizeof x->vote);
    units.unit = &dpl__unit_passage;
    for (int side = 0; side < 2; side++) {
        snprintf(path, sizeof path, "%s",
                 test_path(side ? "right-passages.dpl" : "left-passages.dpl"));
        CHECK_OK(dpl_collection_open(&c[side], w->ctx, path, &test_err));
        CHECK_EQ(dpl_collection_get_sizes(c[side])->n_docs, x->side[side].n);
        units.c[side] = c[side];
        units.keys[side] = dpl__alloc(w->ctx, x->side[side].n * sizeof *units.keys[side]);
        for (uint32_t i = 0; i < x->side[side].n; i++)
            units.keys[side][i] = dpl__doc_key(c[side], i);
    }
    for (int side = 0; side < 2; side++)
        CHECK_OK(dpl__make_vectors(&v[side], &known, &units, (dpl__vector_docs){side, NULL},
                                   lexicon, &test_err));
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT,
                                         .threshold = DPL__P(mine, passage_cosine));
    const dpl__row_docs docs = {.keys = {units.keys[0], units.keys[1]}};
    CHECK_OK(dpl__neighbours_find(&near, w->ctx, v, &docs, &o, &test_err));
    for (int side = 0; side < 2; side++)
        for (uint32_t row = 0; row < near.n[side]; row++)
            for (size_t i = 0; i < DPL__NEAREST; i++) {
                const dpl__near one = near.near[side][row * DPL__NEAREST + i];
                if (one.row == DPL__NO_ROW)
                    continue;
                const uint32_t rows[2] = {side ? one.row : row, side ? row : one.row};
                double around = 0, n = 1;
                uint32_t passage[2];
                for (int k = 0; k < 2; k++) {
                    passage[k] = passage_of(&x->side[k], w->p.c[k], c[k], v[k]->docs[rows[k]]);
                    around += naive_around(&near.near[k][rows[k] * DPL__NEAREST]);
                    n *= x->side[k].n_docs[passage[k]];
                }
                const double margin = 2 * (double)one.score / around,
                             vote = log(margin / DPL__P(mine, passage_margin)) / sqrt(n);
                if (vote > 0)
                    x->vote[passage[0]][passage[1]] = (float)vote;
            }
    dpl__neighbours_clear(&near);
    for (int side = 0; side < 2; side++) {
        dpl_vectors_close(v[side]);
        dpl__free(w->ctx, units.keys[side]);
        dpl_collection_close(c[side]);
    }
}

typedef struct naive_ballot {
    uint32_t at[2];
    float vote;
} naive_ballot;

/* Larger votes first; of equal ones what is nearer to the beginnings. */
static bool is_first(const naive_ballot *a, const naive_ballot *b)
{
    const uint32_t sum[2] = {a->at[0] + a->at[1], b->at[0] + b->at[1]};
    if (fabsf(a->vote - b->vote) > 0)
        return a->vote > b->vote;
    if (sum[0] != sum[1])
        return sum[0] < sum[1];
    const uint32_t most[2] = {a->at[0] > a->at[1] ? a->at[0] : a->at[1],
                              b->at[0] > b->at[1] ? b->at[0] : b->at[1]};
    return most[0] != most[1] ? most[0] < most[1] : a->at[0] < b->at[0];
}

static bool in_one_section(const dpl_collection *c, uint32_t doc, uint32_t a, uint32_t b)
{
    for (uint32_t i = a < b ? a : b; i < (a < b ? b : a); i++)
        if (dpl_collection_sentence(c, doc, i + 1).is_section_start)
            return false;
    return true;
}

/* Up to three sentences apart on both sides, in the same direction and section. */
static bool supports(const world *w, const uint32_t docs[2], const naive_ballot *a,
                     const naive_ballot *b)
{
    int off[2];
    for (int side = 0; side < 2; side++) {
        off[side] = (int)a->at[side] - (int)b->at[side];
        if (off[side] == 0 || abs(off[side]) > 3 ||
            !in_one_section(w->p.c[side], docs[side], a->at[side], b->at[side]))
            return false;
    }
    return (off[0] > 0) == (off[1] > 0);
}

static double naive_score(const naive *x, const world *w, const uint32_t docs[2])
{
    naive_ballot kept[SENTENCES];
    bool is_taken[2][SENTENCES] = {{false}};
    size_t n = 0;
    for (;;) { /* the best of those that are left */
        naive_ballot best = {.vote = 0};
        for (uint32_t i = 0; i < x->side[0].n_sentences[docs[0]]; i++)
            for (uint32_t j = 0; j < x->side[1].n_sentences[docs[1]]; j++) {
                const uint32_t l = x->side[0].passage[docs[0]][i],
                               r = x->side[1].passage[docs[1]][j];
                const naive_ballot one = {{i, j}, l == NONE || r == NONE ? 0 : x->vote[l][r]};
                if (one.vote > 0 && !is_taken[0][i] && !is_taken[1][j] &&
                    (!(best.vote > 0) || is_first(&one, &best)))
                    best = one;
            }
        if (!(best.vote > 0))
            break;
        is_taken[0][best.at[0]] = is_taken[1][best.at[1]] = true;
        kept[n++] = best;
    }
    double sum = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_supported = false;
        for (size_t k = 0; k < n; k++)
            is_supported |= supports(w, docs, &kept[i], &kept[k]);
        sum += (double)kept[i].vote * (is_supported ? 4 : 1);
    }
    return sum / 4096;
}

/* The lists have the scores of the naive search, falling; above half a vote only. */
static size_t check_lists(const dpl__neighbours *c, const naive *x, const world *w)
{
    size_t n_all = 0;
    for (int side = 0; side < 2; side++)
        for (uint32_t doc = 0; doc < DOCS; doc++) {
            double scores[DOCS], last = 1;
            size_t n_above = 0, n_better = 0, n = 0;
            const dpl__near *list = &c->near[side][doc * DPL__NEAREST];
            for (uint32_t i = 0; i < DOCS; i++) {
                scores[i] = naive_score(x, w, (uint32_t[]){side ? i : doc, side ? doc : i});
                n_above += scores[i] > 0.5 / 4096;
            }
            for (; n < DPL__NEAREST && list[n].row != DPL__NO_ROW; n++) {
                CHECK(fabs((double)list[n].score / scores[list[n].row] - 1) < 1e-5);
                CHECK((double)list[n].score <= last);
                last = (double)list[n].score;
            }
            for (uint32_t i = 0; i < DOCS; i++)
                n_better += scores[i] > last * (1 + 1e-5);
            CHECK_EQ(n, n_above < DPL__NEAREST ? n_above : DPL__NEAREST);
            CHECK(n_above < DPL__NEAREST || n_better < DPL__NEAREST);
            n_all += n;
        }
    return n_all;
}

static void search(dpl__neighbours *out, dpl__passages **passages, world *w,
                   const dpl_lexicon *lexicon)
{
    dpl__doc_candidates found = {0};
    CHECK_OK(dpl__passages_new(passages, &w->p, &test_err));
    CHECK_OK(dpl__passages_neighbours(out, &found, *passages, lexicon, &test_err));
    CHECK(!dpl__is_nothing(&found.why_empty));
    CHECK(out->n[0] == DOCS && out->n[1] == DOCS);
}

DPL_TEST(passages, documents_are_near_by_the_votes_of_a_naive_search)
{
    static world w;
    static naive x;
    for (unsigned turn = 0; turn < 12; turn++) {
        dpl__neighbours near;
        dpl__passages *passages;
        begin(&w, 1 + turn % 3, 40 + turn, turn % 2);
        for (uint32_t doc = 0; doc < DOCS && turn % 4 == 3; doc++)
            w.p.skip[doc % 2][doc] = doc % 5 == 0;
        search(&near, &passages, &w, w.lexicon);
        CHECK(near.threshold == 0.5 / 4096 && !near.groups[0] && !near.groups[1]);
        for (int side = 0; side < 2; side++) {
            list_passages(&x.side[side], &w.p, side);
            CHECK(!memcmp(near.keys[side], w.p.keys[side], DOCS * sizeof *near.keys[side]));
        }
        vote_naively(&x, &w, w.lexicon);
        CHECK(check_lists(&near, &x, &w) > 4 * DOCS);
        dpl__neighbours_clear(&near);
        dpl__passages_free(passages);
        end(&w);
    }
}

/* In the order of documents and of lists. */
static void check_mirrored(const dpl__neighbours *a, const dpl__neighbours *b)
{
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < DOCS * DPL__NEAREST; i++)
            CHECK(a->near[side][i].row == b->near[!side][i].row &&
                  a->near[side][i].score == b->near[!side][i].score);
}

/* Their sides change places, the pivot stays the same language. */
static void swap_sides(world *w)
{
    const dpl__comparable p = w->p;
    for (int side = 0; side < 2; side++) {
        w->p.c[side] = p.c[!side];
        w->p.skip[side] = p.skip[!side];
        w->p.keys[side] = p.keys[!side];
        memcpy(w->p.lang[side], p.lang[!side], sizeof p.lang[side]);
    }
    w->p.pivot = !p.pivot;
    forget_passages();
}

DPL_TEST(passages, of_swapped_sides_give_the_mirror_image)
{
    static world w;
    for (unsigned turn = 0; turn < 4; turn++) {
        dpl__neighbours near[2];
        dpl__passages *passages[2];
        begin(&w, 2, 60 + turn, turn % 2);
        search(&near[0], &passages[0], &w, w.lexicon);
        swap_sides(&w);
        search(&near[1], &passages[1], &w, w.lexicon);
        check_mirrored(&near[0], &near[1]);
        for (int i = 0; i < 2; i++) {
            dpl__neighbours_clear(&near[i]);
            dpl__passages_free(passages[i]);
        }
        end(&w);
    }
}

DPL_TEST(passages, of_near_copies_have_one_group)
{
    static world w;
    dpl__neighbours near;
    dpl__passages *passages;
    begin(&w, 1, 70, 0);
    for (uint32_t doc = 0; doc < DOCS; doc++)
        w.groups[doc] = doc % 4 == 3 ? NONE : doc % 4 + 4;
    w.p.groups[1] = w.groups;
    search(&near, &passages, &w, w.lexicon);
    CHECK(!near.groups[0] && near.groups[1]);
    for (uint32_t doc = 0; doc < DOCS; doc++) {
        uint32_t first = doc;
        for (uint32_t i = 0; i < DOCS && doc % 4 != 3; i++)
            if (i % 4 == doc % 4 && w.p.keys[1][i] < w.p.keys[1][first])
                first = i;
        CHECK_EQ(near.groups[1][doc], first);
    }
    dpl__neighbours_clear(&near);
    dpl__passages_free(passages);
    end(&w);
}

/* ---- learning --------------------------------------------------------------------------- */

static dpl__training_rows learn(dpl__passages *passages, world *w, dpl__pair_list pairs)
{
    dpl__training_rows rows = {.ctx = w->ctx, .collection = {w->p.c[0], w->p.c[1]}};
    dpl__reason why = {0};
    CHECK_OK(dpl__passages_learn(&rows, &why, passages, pairs, w->lexicon, &test_err));
    CHECK(!dpl__is_nothing(&why));
    return rows;
}

static dpl__token_run row_of(const dpl__training_rows *rows, int side, size_t i)
{
    const uint64_t from = rows->ends[side].data[i], to = rows->ends[side].data[i + 1];
    return (dpl__token_run){rows->tokens[side].data + from, (size_t)(to - from)};
}

static bool has_passage(const dpl__comparable *p, int side, uint32_t doc, dpl__token_run text)
{
    for (size_t i = 0; i < dpl_collection_n_sentences(p->c[side], doc); i++)
        if (is_same(dpl__sentence_tokens(p->c[side], doc, i, i + 1), text))
            return true;
    return false;
}

/* Document i and document i: with one of these pairs the rows that it holds are gone. */
DPL_TEST(passages, that_are_in_no_pair_are_learnt_from)
{
    static world w;
    dpl__neighbours near;
    dpl__passages *passages, *interrupted;
    begin(&w, 2, 80, 1);
    search(&near, &passages, &w, w.lexicon);
    dpl__training_rows all = learn(passages, &w, (dpl__pair_list){NULL, 0});
    const size_t n = all.ends[0].n - 1;
    size_t n_right = 0, n_gone = 0;
    CHECK(n > DOCS && all.ends[1].n == n + 1);
    for (size_t i = 0; i < n; i++) {
        bool is_right = false;
        for (uint32_t doc = 0; doc < DOCS; doc++)
            is_right |= has_passage(&w.p, 0, doc, row_of(&all, 0, i)) &&
                        has_passage(&w.p, 1, doc, row_of(&all, 1, i));
        n_right += is_right;
    }
    CHECK(n_right >= n * 9 / 10);
    for (uint32_t doc = 0; doc < DOCS; doc++) {
        const dpl_doc_pair pair = {doc, doc};
        dpl__training_rows rows = learn(passages, &w, (dpl__pair_list){&pair, 1});
        size_t k = 0;
        for (size_t i = 0; i < n; i++) {
            if (has_passage(&w.p, 0, doc, row_of(&all, 0, i)) &&
                has_passage(&w.p, 1, doc, row_of(&all, 1, i))) {
                n_gone++;
                continue;
            }
            CHECK(k + 1 < rows.ends[0].n);
            CHECK(is_same(row_of(&rows, 0, k), row_of(&all, 0, i)));
            CHECK(is_same(row_of(&rows, 1, k), row_of(&all, 1, i)));
            k++;
        }
        CHECK_EQ(rows.ends[0].n, k + 1);
        dpl__training_rows_clear(&rows);
    }
    CHECK(n_gone > DOCS);
    /* what was interrupted after its search learns the same */
    CHECK_OK(dpl__passages_new(&interrupted, &w.p, &test_err));
    dpl__training_rows again = learn(interrupted, &w, (dpl__pair_list){NULL, 0});
    for (int side = 0; side < 2; side++) {
        CHECK_EQ(again.tokens[side].n, all.tokens[side].n);
        CHECK(!memcmp(again.tokens[side].data, all.tokens[side].data,
                      all.tokens[side].n * sizeof(uint32_t)));
    }
    dpl__training_rows_clear(&again);
    dpl__training_rows_clear(&all);
    dpl__passages_free(interrupted);
    dpl__neighbours_clear(&near);
    dpl__passages_free(passages);
    end(&w);
}

DPL_TEST(passages, without_words_are_a_reason)
{
    static world w;
    dpl__neighbours near;
    dpl__passages *passages;
    dpl__doc_candidates found = {0};
    dpl__training_rows rows = {0};
    dpl__reason why = {0};
    begin(&w, 1, 90, 1);
    memset(w.p.skip[1], 1, DOCS);
    CHECK_OK(dpl__passages_new(&passages, &w.p, &test_err));
    CHECK_OK(dpl__passages_neighbours(&near, &found, passages, w.lexicon, &test_err));
    CHECK(strstr(found.why_empty.text, "no sentence in 'sw' has enough words"));
    CHECK(!near.near[0] && !near.near[1]);
    CHECK_OK(dpl__passages_learn(&rows, &why, passages, (dpl__pair_list){NULL, 0}, w.lexicon,
                                 &test_err));
    CHECK(strstr(why.text, "no sentence in 'sw' has enough words") && !rows.ends[0].n);
    dpl__neighbours_clear(&near);
    dpl__passages_free(passages);
    end(&w);
}

/* Everything but the sorting of options and their collections, which are there already. */
static dpl_status search_all(void *user, dpl_ctx *ctx, dpl_error *err)
{
    world *w = user;
    dpl__neighbours near = {.ctx = ctx};
    dpl__passages *passages = NULL;
    dpl__doc_candidates found = {0};
    dpl_ctx *before = w->p.ctx;
    w->p.ctx = ctx;
    dpl_status status = dpl__passages_new(&passages, &w->p, err);
    if (status == DPL_OK)
        status = dpl__passages_neighbours(&near, &found, passages, w->lexicon, err);
    dpl__neighbours_clear(&near);
    dpl__passages_free(passages);
    w->p.ctx = before;
    return status;
}

DPL_TEST(passages, survive_every_failing_allocation)
{
    static world w;
    dpl__neighbours near;
    dpl__passages *passages;
    begin(&w, 1, 100, 0);
    for (uint32_t doc = 0; doc < DOCS; doc++)
        w.groups[doc] = doc % 2 ? NONE : 0;
    w.p.groups[0] = w.groups;
    search(&near, &passages, &w, w.lexicon);
    dpl__neighbours_clear(&near);
    dpl__passages_free(passages);
    test_allocation_failures(search_all, &w);
    end(&w);
}

DPL_TEST(passages, take_no_more_memory_than_was_said)
{
    static world w;
    dpl__passages *passages;
    begin(&w, 1, 110, 0);
    const uint64_t before = dpl__ctx_used(w.ctx);
    CHECK_OK(dpl__passages_new(&passages, &w.p, &test_err));
    const uint64_t bytes = dpl__passages_list_bytes(&w.p);
    uint64_t n_sentences = 0;
    for (int side = 0; side < 2; side++)
        n_sentences += dpl_collection_get_sizes(w.p.c[side])->n_sentences;
    CHECK(dpl__ctx_used(w.ctx) > before);
    CHECK_EQ(bytes, n_sentences * 48 + 2 * DOCS * 8);
    CHECK(dpl__passages_search_bytes(passages) > n_sentences * DPL__NEAREST * 8);
    dpl__passages_free(passages);
    end(&w);
}
