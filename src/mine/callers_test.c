/*
 * Many callers of one context: import, pairs by each method, sentence alignment, look-ups and
 * cosines, all at the same time, give what each gives alone; and a cancelled one ends alone.
 */
#include "doppel/doppel.h"

#include "base/hash.h"
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>

enum { N_DOCS = 30, N_WORDS = 60, N_VOCABULARY = 300, N_CALLERS = 8, N_TIMES = 2 };

/* Frozen while the callers work. */
typedef struct world {
    char text[2][300], lexicon_path[300], imported[N_CALLERS + 1][300];
    dpl_collection *docs[2];
    dpl_lexicon *lexicon;
    dpl_vectors *vectors[2];
    dpl_doc_pair pairs[N_DOCS];
} world;

static void keep_path(char out[300], const char *path)
{
    CHECK(snprintf(out, 300, "%s", path) < 300);
}

/* Word number w of a language. */
static int spell(char *out, size_t room, unsigned w, bool is_right)
{
    static const char *const s[2][8] = {
        {"ka", "lo", "mi", "ru", "te", "sa", "vo", "ne"},
        {"bir", "dug", "fel", "gop", "hix", "jaw", "pym", "qez"}};
    return snprintf(out, room, "%s%s%s", s[is_right][w % 8], s[is_right][w / 8 % 8],
                    s[is_right][w / 64 % 8]);
}

static const char *write_docs(const char *name, bool is_right)
{
    static char text[N_DOCS * N_WORDS * 16];
    size_t n = 0;
    dpl__rng rng = {dpl__mix(3)};
    for (unsigned d = 0; d < N_DOCS; d++) {
        n += (size_t)snprintf(text + n, sizeof text - n, "%02u\t", d);
        for (unsigned i = 0; i < N_WORDS; i++) {
            uint64_t r = dpl__rng_below(&rng, N_VOCABULARY);
            unsigned w = (unsigned)(r * dpl__rng_below(&rng, N_VOCABULARY) / N_VOCABULARY);
            n += (size_t)spell(text + n, sizeof text - n, w, is_right);
            n += (size_t)snprintf(text + n, sizeof text - n, i % 9 == 8 ? ". " : " ");
        }
        text[n++] = '\n';
    }
    return test_write(name, text, n);
}

static const char *write_lexicon(void)
{
    static char text[N_VOCABULARY * 32];
    size_t n = 0;
    for (unsigned w = 0; w < N_VOCABULARY; w++) {
        n += (size_t)spell(text + n, sizeof text - n, w, false);
        n += (size_t)snprintf(text + n, sizeof text - n, "\t");
        n += (size_t)spell(text + n, sizeof text - n, w, true);
        n += (size_t)snprintf(text + n, sizeof text - n, "\t0.9\n");
    }
    return test_write("lexicon.tsv", text, n);
}

static dpl_status import(dpl_ctx *ctx, const char *out, const world *w, bool is_right,
                         dpl_error *err)
{
    const char *in = w->text[is_right];
    dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV, .lang = is_right ? "en" : "de");
    dpl_import_options o = DPL_INIT(dpl_import_options, .read = &read);
    return dpl_import(NULL, ctx, out, &in, 1, &o, err);
}

static void make_world(world *w, dpl_ctx *ctx)
{
    keep_path(w->lexicon_path, write_lexicon());
    CHECK_OK(dpl_lexicon_open(&w->lexicon, ctx, w->lexicon_path, NULL, &test_err));
    for (int i = 0; i <= N_CALLERS; i++) {
        char name[30];
        snprintf(name, sizeof name, "imported-%d.dpl", i);
        keep_path(w->imported[i], test_path(name));
    }
    for (int side = 0; side < 2; side++) {
        keep_path(w->text[side], write_docs(side ? "right.tsv" : "left.tsv", side));
        char path[300];
        keep_path(path, test_path(side ? "right.dpl" : "left.dpl"));
        CHECK_OK(import(ctx, path, w, side, &test_err));
        CHECK_OK(dpl_collection_open(&w->docs[side], ctx, path, &test_err));
        keep_path(path, test_path(side ? "right.vectors.dpl" : "left.vectors.dpl"));
        CHECK_OK(dpl_vectors_make(NULL, ctx, path, w->docs[side], side ? NULL : w->lexicon,
                                  NULL, &test_err));
        CHECK_OK(dpl_vectors_open(&w->vectors[side], ctx, path, &test_err));
    }
    for (uint32_t i = 0; i < N_DOCS; i++)
        w->pairs[i] = (dpl_doc_pair){i, i};
}

static void free_world(world *w)
{
    for (int side = 0; side < 2; side++) {
        dpl_vectors_close(w->vectors[side]);
        dpl_collection_close(w->docs[side]);
    }
    dpl_lexicon_close(w->lexicon);
}

/* ---- the operations -------------------------------------------------------------------- */

/* Each answers a hash of its result. caller numbers the file that may be written. */
typedef dpl_status operation(const world *w, dpl_ctx *ctx, int caller, uint64_t *hash,
                             dpl_error *err);

static dpl_status import_docs(const world *w, dpl_ctx *ctx, int caller, uint64_t *hash,
                              dpl_error *err)
{
    DPL_TRY(import(ctx, w->imported[caller], w, true, err));
    FILE *f = fopen(w->imported[caller], "rb");
    if (!f)
        return dpl__fail(err, DPL_E_IO, "no output");
    char block[4096];
    for (size_t n; (n = fread(block, 1, sizeof block, f)) > 0;)
        *hash = dpl__hash(block, n, *hash);
    fclose(f);
    return DPL_OK;
}

static dpl_status find_pairs(const world *w, dpl_ctx *ctx, const dpl_pairs_options *o,
                             uint64_t *hash, dpl_error *err)
{
    dpl_pairs_side left = {.vectors = w->vectors[0]}, right = {.vectors = w->vectors[1]};
    dpl_pairs *pairs = NULL;
    DPL_TRY(dpl_pairs_open(&pairs, ctx, &left, &right, o, err));
    dpl_pair pair;
    dpl_status status;
    while ((status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK)
        *hash = dpl__hash(&pair, sizeof pair, *hash);
    dpl_pairs_close(pairs);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status find_exact(const world *w, dpl_ctx *ctx, int caller, uint64_t *hash,
                             dpl_error *err)
{
    (void)caller;
    dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT,
                                   .threshold = 0.05, .margin = 3, .select = DPL_SELECT_MUTUAL);
    return find_pairs(w, ctx, &o, hash, err);
}

static dpl_status find_brute(const world *w, dpl_ctx *ctx, int caller, uint64_t *hash,
                             dpl_error *err)
{
    (void)caller;
    dpl_pairs_options o =
        DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_BRUTE, .threshold = 0.1);
    return find_pairs(w, ctx, &o, hash, err);
}

static dpl_status find_window(const world *w, dpl_ctx *ctx, int caller, uint64_t *hash,
                              dpl_error *err)
{
    (void)caller;
    dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_WINDOW,
                                   .threshold = 0.2, .tables = 10, .width = 5);
    return find_pairs(w, ctx, &o, hash, err);
}

static dpl_status add_beads(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    (void)err;
    uint64_t *hash = user;
    *hash = dpl__hash(docs->beads, docs->n_beads * sizeof *docs->beads, *hash);
    return DPL_OK;
}

static dpl_status align(const world *w, dpl_ctx *ctx, int caller, uint64_t *hash,
                        dpl_error *err)
{
    (void)caller;
    dpl_sentences_input in =
        DPL_INIT(dpl_sentences_input, .left = w->docs[0], .right = w->docs[1],
                 .pairs = w->pairs, .n_pairs = N_DOCS, .lexicon = w->lexicon);
    return dpl_sentences_align(NULL, ctx, &in, NULL, add_beads, hash, err);
}

static dpl_status query(const world *w, dpl_ctx *ctx, int caller, uint64_t *hash,
                        dpl_error *err)
{
    (void)caller;
    for (unsigned word = 0; word < N_VOCABULARY; word += 3) {
        char text[20];
        dpl_lexicon_hit hit;
        int n = spell(text, sizeof text, word, word % 2);
        DPL_TRY(dpl_lexicon_look_up(&hit, ctx, w->lexicon, word % 2, (dpl_str){text, (size_t)n},
                                    err));
        *hash = dpl__hash(&hit.number, sizeof hit.number, *hash);
    }
    for (uint32_t i = 0; i < dpl_vectors_get_sizes(w->vectors[0])->n_rows; i++)
        for (uint32_t j = 0; j < dpl_vectors_get_sizes(w->vectors[1])->n_rows; j++) {
            double cosine = dpl_vectors_cosine(w->vectors[0], i, w->vectors[1], j);
            *hash = dpl__hash(&cosine, sizeof cosine, *hash);
        }
    return DPL_OK;
}

static operation *const operations[] = {import_docs, find_exact,  align,       query,
                                        find_brute,  find_window, import_docs, align};

/* ---- the callers ----------------------------------------------------------------------- */

typedef struct caller {
    pthread_t thread;
    const world *w;
    dpl_ctx *ctx;
    int number;
    uint64_t expected;
    unsigned n_wrong;
    atomic_uint n_done;
    bool goes_on; /* until it is stopped */
    dpl_status status;
    dpl_error err;
} caller;

static void *call(void *user)
{
    caller *c = user;
    for (int i = 0; c->status == DPL_OK && (c->goes_on || i < N_TIMES); i++) {
        uint64_t hash = 0;
        c->status = operations[c->number % N_CALLERS](c->w, c->ctx, c->number, &hash, &c->err);
        c->n_wrong += c->status == DPL_OK && hash != c->expected;
        atomic_fetch_add(&c->n_done, 1);
    }
    return NULL;
}

static void set_up(caller *c, const world *w, dpl_ctx *ctx, int number, uint64_t expected)
{
    *c = (caller){.w = w, .ctx = ctx, .number = number, .expected = expected};
}

static void run_callers(unsigned n_threads)
{
    static world w;
    memset(&w, 0, sizeof w);
    dpl_ctx *ctx = test_ctx(n_threads), *job = NULL;
    make_world(&w, ctx);
    static caller callers[N_CALLERS + 1]; /* the last one is cancelled */
    for (int i = 0; i < N_CALLERS; i++) {
        uint64_t hash = 0;
        CHECK_OK(operations[i](&w, ctx, i, &hash, &test_err));
        set_up(&callers[i], &w, ctx, i, hash);
    }
    CHECK_OK(dpl_job_new(&job, ctx, NULL, &test_err));
    caller *last = &callers[N_CALLERS];
    set_up(last, &w, job, N_CALLERS, callers[0].expected);
    last->goes_on = true;
    for (int i = 0; i <= N_CALLERS; i++)
        CHECK_EQ(pthread_create(&callers[i].thread, NULL, call, &callers[i]), 0);
    while (!atomic_load(&last->n_done))
        sched_yield();
    dpl_job_cancel(job);
    for (int i = 0; i <= N_CALLERS; i++)
        pthread_join(callers[i].thread, NULL);
    CHECK_EQ(last->status, DPL_E_STOPPED);
    for (int i = 0; i <= N_CALLERS; i++) {
        CHECK_EQ(callers[i].n_wrong, 0);
        if (i < N_CALLERS && callers[i].status != DPL_OK)
            dpl__test_fail(__FILE__, __LINE__, "caller %d: %s", i, callers[i].err.text);
    }
    dpl_ctx_free(job);
    free_world(&w);
    test_ctx_done(ctx);
}

DPL_TEST(callers, share_one_context)
{
    run_callers(3);
}

DPL_TEST(callers, share_a_context_of_one_thread)
{
    run_callers(1);
}
