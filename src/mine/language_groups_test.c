#include "mine/many.h"

#include "base/hash.h"
#include "mine/made_up_side_test.h"
#include "mine/mine_params.h"

#include <stdlib.h>

enum { MOST_LANGS = 9, MOST_RUNS = MOST_LANGS * (MOST_LANGS - 1) / 2, N_DOCS = 7, MOST = 12 };
enum { MOST_GROUPS = MOST_RUNS * MOST };
#define NONE DPL_MINE_NO_DOC

/* Languages with the same documents, and runs of every two of them with pairs of any of these.
 */
typedef struct made {
    dpl_mine_result result;
    dpl_collection *c;
    dpl_mine_language langs[MOST_LANGS];
    const dpl_mine_language *lang_list[MOST_LANGS];
    dpl__pair_run runs[MOST_RUNS];
    dpl__pair_run *run_pointers[MOST_RUNS];
    const dpl_mine_run *run_list[MOST_RUNS];
    dpl__doc_candidate pairs[MOST_RUNS][MOST];
    uint32_t as_read[N_DOCS]; /* of the left side of some runs */
    uint64_t n_by_size[MOST_LANGS + 1];
    size_t pivot;
} made;

static void add_run(made *m, size_t left, size_t right, dpl__rng *rng)
{
    const size_t i = m->result.n_runs++;
    dpl__pair_run *r = m->run_pointers[i] = &m->runs[i];
    *r = (dpl__pair_run){.task.langs = {left, right},
                         .summary = {.left = &m->langs[left], .right = &m->langs[right]}};
    m->run_list[i] = &r->summary;
    r->last = &r->rounds[0];
    r->corpus.c[0] = r->corpus.c[1] = m->c;
    if (dpl__rng_below(rng, 2)) {
        r->read.numbers[0].as_read = m->as_read;
        r->read.numbers[0].read = m->c;
        r->read.numbers[0].n_read = N_DOCS;
    }
    r->summary.n_pairs = dpl__rng_below(rng, MOST + 1);
    r->summary.is_empty = r->summary.n_pairs == 0;
    r->final.found.pairs.data = m->pairs[i];
    r->final.found.pairs.n = (size_t)r->summary.n_pairs;
    for (size_t k = 0; k < r->summary.n_pairs; k++)
        m->pairs[i][k] =
            (dpl__doc_candidate){.docs = {(uint32_t)dpl__rng_below(rng, N_DOCS),
                                          (uint32_t)dpl__rng_below(rng, N_DOCS)},
                                 .confidence = (double)dpl__rng_below(rng, 1001) / 1000};
}

/* Runs with the pivot, then the others, if every two languages are mined. */
static void make_up(made *m, dpl_ctx *ctx, dpl_collection *c, size_t n_langs, bool is_complete,
                    dpl__rng *rng)
{
    *m = (made){.c = c, .pivot = dpl__rng_below(rng, n_langs)};
    m->result = (dpl_mine_result){.ctx = ctx,
                                  .langs = m->langs,
                                  .runs = m->run_pointers,
                                  .run_list = m->run_list,
                                  .n_by_size = m->n_by_size};
    for (uint32_t i = 0; i < N_DOCS; i++)
        m->as_read[i] = (i + 3) % N_DOCS;
    for (size_t i = 0; i < n_langs; i++) {
        snprintf(m->langs[i].code, sizeof m->langs[i].code, "l%c", 'a' + (char)i);
        m->lang_list[i] = &m->langs[i];
    }
    m->result.summary = (dpl_mine_summary){.langs = m->lang_list,
                                           .n_langs = n_langs,
                                           .pivot = &m->langs[m->pivot],
                                           .runs = m->run_list};
    for (size_t i = 0; i < n_langs; i++)
        if (i != m->pivot)
            add_run(m, i, m->pivot, rng);
    for (size_t i = 0; i < n_langs && is_complete; i++)
        for (size_t k = i + 1; k < n_langs; k++)
            if (i != m->pivot && k != m->pivot)
                add_run(m, i, k, rng);
    m->result.summary.n_runs = m->result.n_runs;
}

static dpl_collection *make_docs(dpl_ctx *ctx)
{
    static const char text[] =
        "d0\tno\nd1\tone\nd2\ttwo\nd3\tthree\nd4\tfour\nd5\tfive\nd6\tsix\n";
    return import_side(ctx, text, sizeof text - 1, false);
}

typedef struct naive_groups {
    uint32_t docs[MOST_GROUPS][MOST_LANGS];
    size_t n;
} naive_groups;

static size_t group_with(const naive_groups *g, size_t lang, uint32_t doc)
{
    size_t i = 0;
    while (i < g->n && g->docs[i][lang] != doc)
        i++;
    return i;
}

static uint32_t read_doc(const made *m, size_t run, int side, const dpl__doc_candidate *c)
{
    const uint32_t doc = side ? c->docs.right : c->docs.left;
    return !side && m->runs[run].read.numbers[0].as_read ? m->as_read[doc] : doc;
}

/* Every pair in turn: of a document with a group and one without, the other one comes to it if
 * it has none of its language. */
static void join_naively(naive_groups *g, const made *m)
{
    g->n = 0;
    for (size_t run = 0; run < m->result.n_runs; run++)
        for (size_t k = 0; k < m->runs[run].summary.n_pairs; k++) {
            const size_t lang[2] = {(size_t)(m->runs[run].summary.left - m->langs),
                                    (size_t)(m->runs[run].summary.right - m->langs)};
            uint32_t doc[2];
            size_t at[2];
            for (int side = 0; side < 2; side++) {
                doc[side] = read_doc(m, run, side, &m->pairs[run][k]);
                at[side] = group_with(g, lang[side], doc[side]);
            }
            if (at[0] == g->n && at[1] == g->n) {
                for (size_t i = 0; i < MOST_LANGS; i++)
                    g->docs[g->n][i] = NONE;
                g->docs[g->n][lang[0]] = doc[0];
                g->docs[g->n++][lang[1]] = doc[1];
            } else if (at[0] == g->n && g->docs[at[1]][lang[0]] == NONE) {
                g->docs[at[1]][lang[0]] = doc[0];
            } else if (at[1] == g->n && g->docs[at[0]][lang[1]] == NONE) {
                g->docs[at[0]][lang[1]] = doc[1];
            }
        }
}

/* Those of the pivot's documents come first, in the order of these. */
static void order_naively(naive_groups *out, const naive_groups *g, size_t pivot)
{
    out->n = 0;
    for (uint32_t doc = 0; doc < N_DOCS; doc++) {
        const size_t at = group_with(g, pivot, doc);
        if (at < g->n)
            memcpy(out->docs[out->n++], g->docs[at], sizeof g->docs[at]);
    }
    for (size_t i = 0; i < g->n; i++)
        if (g->docs[i][pivot] == NONE)
            memcpy(out->docs[out->n++], g->docs[i], sizeof g->docs[i]);
}

static void check_groups(const made *m, const naive_groups *want)
{
    const dpl_mine_summary *s = &m->result.summary;
    uint64_t n_by_size[MOST_LANGS + 1] = {0}, n_paired[MOST_LANGS] = {0};
    CHECK_EQ(s->n_groups, want->n);
    for (size_t i = 0; i < want->n; i++) {
        size_t n = 0;
        for (size_t lang = 0; lang < s->n_langs; lang++) {
            CHECK_EQ(m->result.groups[i * s->n_langs + lang], want->docs[i][lang]);
            n += want->docs[i][lang] != NONE;
            n_paired[lang] += want->docs[i][lang] != NONE;
        }
        n_by_size[n]++;
    }
    for (size_t i = 0; i < s->n_langs; i++)
        CHECK_EQ(m->langs[i].n_paired, n_paired[i]);
    for (size_t i = 0; i <= s->n_langs; i++)
        CHECK_EQ(m->n_by_size[i], n_by_size[i]);
}

DPL_TEST(language_groups, are_joined_pair_by_pair)
{
    dpl__rng rng = {dpl__mix(21)};
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_docs(ctx);
    static made m;
    static naive_groups joined, want;
    size_t n_large = 0;
    for (int turn = 0; turn < 300; turn++) {
        make_up(&m, ctx, c, 2 + dpl__rng_below(&rng, 5), turn % 3 != 0, &rng);
        m.langs[0].n_paired = 1000; /* of an earlier count */
        CHECK_OK(dpl__find_groups(&m.result, &test_err));
        join_naively(&joined, &m);
        order_naively(&want, &joined, m.pivot);
        check_groups(&m, &want);
        n_large += m.n_by_size[3] > 0;
        dpl__free(ctx, m.result.groups);
    }
    CHECK(n_large > 100);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

static dpl__many_work work_of(made *m)
{
    dpl__many_work w = {.ctx = m->result.ctx, .dir = test_dir(), .result = &m->result};
    w.settings.options = (dpl_mine_options)DPL_INIT(dpl_mine_options);
    snprintf(w.folder.dir, sizeof w.folder.dir, "%s", test_dir());
    return w;
}

static void check_text(const char *name, const char *want)
{
    char *have = test_read(test_path(name), NULL);
    CHECK_STR(dpl__cstr(have), want);
    free(have);
}

DPL_TEST(language_groups, have_the_pivot_in_the_first_column)
{
    dpl__rng rng = {dpl__mix(22)};
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_docs(ctx);
    static made m;
    for (int turn = 0; turn < 20; turn++) {
        make_up(&m, ctx, c, 2 + dpl__rng_below(&rng, 4), true, &rng);
        const size_t n = m.result.summary.n_langs;
        dpl__many_work w = work_of(&m);
        w.settings.options.header = turn % 2;
        CHECK_OK(dpl__find_groups(&m.result, &test_err));
        char want[4000], ids[MOST_LANGS][8];
        size_t at = 0;
        for (size_t row = 0; row <= m.result.summary.n_groups; row++) {
            if (row == 0 && !w.settings.options.header)
                continue;
            for (size_t i = 0; i < n; i++) {
                const uint32_t doc = row ? m.result.groups[(row - 1) * n + i] : 0;
                if (!row)
                    snprintf(ids[i], sizeof ids[i], "l%c", 'a' + (char)i);
                else
                    snprintf(ids[i], sizeof ids[i], doc == NONE ? "" : "d%u", doc);
            }
            at += (size_t)snprintf(want + at, sizeof want - at, "%s", ids[m.pivot]);
            for (size_t i = 0; i < n; i++)
                if (i != m.pivot)
                    at += (size_t)snprintf(want + at, sizeof want - at, "\t%s", ids[i]);
            at += (size_t)snprintf(want + at, sizeof want - at, "\n");
        }
        want[at] = 0;
        CHECK_OK(dpl__write_groups(&w, &test_err));
        check_text("groups.tsv", want);
        dpl__free(ctx, m.result.groups);
    }
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

/* The document of the pivot that a document of a language is paired with, last. */
static uint32_t counterpart(const made *m, size_t lang, uint32_t doc, double *confidence)
{
    uint32_t found = NONE;
    for (size_t run = 0; run < m->result.n_runs; run++)
        for (size_t k = 0; k < m->runs[run].summary.n_pairs; k++)
            if (m->runs[run].summary.left == &m->langs[lang] &&
                read_doc(m, run, 0, &m->pairs[run][k]) == doc) {
                found = m->pairs[run][k].docs.right;
                *confidence = m->pairs[run][k].confidence;
            }
    return found;
}

/* Where every document is in one pair of a run. */
static void make_one_to_one(made *m)
{
    for (size_t run = 0; run < m->result.n_runs; run++) {
        m->runs[run].summary.n_pairs = N_DOCS;
        m->runs[run].final.found.pairs.n = N_DOCS;
        for (uint32_t k = 0; k < N_DOCS; k++)
            m->pairs[run][k].docs = (dpl_doc_pair){k, (uint32_t)((k * 3 + run) % N_DOCS)};
    }
}

static size_t put_implied(char *to, size_t room, const made *m, double least)
{
    const size_t n = m->result.summary.n_langs;
    size_t at = 0;
    for (size_t left = 0; left < n; left++)
        for (size_t right = left + 1; right < n; right++)
            for (uint32_t l = 0; l < N_DOCS && left != m->pivot && right != m->pivot; l++)
                for (uint32_t r = 0; r < N_DOCS; r++) {
                    double p[2];
                    char score[DPL_SCORE_TEXT];
                    const uint32_t a = counterpart(m, left, l, &p[0]),
                                   b = counterpart(m, right, r, &p[1]);
                    if (a == NONE || a != b || p[0] * p[1] < least)
                        continue;
                    dpl_score_text(score, p[0] * p[1]);
                    at += (size_t)snprintf(to + at, room - at, "d%u\td%u\t%s\tl%c\tl%c\n", l, r,
                                           score, 'a' + (char)left, 'a' + (char)right);
                }
    return at;
}

DPL_TEST(language_groups, imply_pairs_of_languages_that_were_not_mined)
{
    dpl__rng rng = {dpl__mix(23)};
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_docs(ctx);
    static made m;
    static char want[1 << 16];
    for (size_t n = 3; n <= MOST_LANGS; n++) {
        const bool is_complete = n <= (size_t)DPL__P(mine, paired_langs);
        make_up(&m, ctx, c, n, is_complete, &rng);
        make_one_to_one(&m);
        for (size_t i = 0; i < m.result.n_runs; i++)
            m.runs[i].summary.is_empty = true; /* they have no pairs.tsv */
        dpl__many_work w = work_of(&m);
        w.settings.options.confidence = 0.25;
        CHECK_EQ(dpl__has_all_pairs(n), is_complete);
        CHECK_OK(dpl__join_pairs(&w, &test_err));
        want[0] = 0;
        if (!is_complete)
            CHECK(put_implied(want, sizeof want, &m, 0.25) > 100);
        check_text("pairs.tsv", want);
    }
    CHECK(!dpl__has_all_pairs(MOST_LANGS));
    dpl_collection_close(c);
    test_ctx_done(ctx);
}

static dpl_status find_and_free(void *user, dpl_ctx *ctx, dpl_error *err)
{
    dpl_mine_result *m = user;
    m->ctx = ctx;
    m->groups = NULL;
    dpl_status status = dpl__find_groups(m, err);
    dpl__free(ctx, m->groups);
    return status;
}

DPL_TEST(language_groups, survive_every_failing_allocation)
{
    dpl__rng rng = {dpl__mix(24)};
    dpl_ctx *ctx = test_ctx(1);
    dpl_collection *c = make_docs(ctx);
    static made m;
    make_up(&m, ctx, c, 4, true, &rng);
    test_allocation_failures(find_and_free, &m.result);
    dpl_collection_close(c);
    test_ctx_done(ctx);
}
