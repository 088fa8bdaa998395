/*
 * vectors_fuzz.c - hostile files of vectors, and vectors of hostile collections.
 *
 * Each input is opened as it is, and with all checksums made right. Properties: vectors that
 * open can be walked, terms rise, rows have length one and match themselves; a collection that
 * opens becomes vectors that open, or is refused.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

#include "lexicon/lexicon.h"
#include "vectors/vectors.h"

#include <math.h>

static void walk_vectors(const dpl_vectors *v)
{
    const dpl_vectors_sizes *size = dpl_vectors_get_sizes(v);
    REQUIRE(dpl__vectors_check_match(v, v, NULL) == DPL_OK);
    fuzz_touch(dpl_vectors_get_info(v).space), fuzz_touch(dpl_vectors_get_info(v).settings);
    fuzz_touch(dpl_vectors_get_info(v).lang), fuzz_touch(dpl_vectors_get_info(v).doc_lang);
    for (uint32_t t = 0; t < size->n_terms; t++) {
        uint32_t number;
        REQUIRE(dpl_vectors_find_term(v, dpl_vectors_term(v, t), &number) && number == t);
    }
    for (uint32_t row = 0; row < size->n_rows; row++) {
        const float *weights;
        size_t n;
        const uint32_t *terms = dpl_vectors_row(v, row, &weights, &n);
        fuzz_touch(dpl_vectors_id(v, row));
        for (size_t i = 0; i < n; i++) {
            REQUIRE(i == 0 || terms[i] > terms[i - 1]);
            REQUIRE(weights[i] > 0);
            fuzz_touch(dpl_vectors_term(v, terms[i]));
        }
        REQUIRE(fabs(dpl_vectors_cosine(v, row, v, row) - 1) < 3e-3);
    }
}

static char folder[64];

static void remove_folder(void)
{
    rmdir(folder);
}

/* Where the vectors of a collection go: in memory where there is such a place. */
static const char *output(void)
{
    static char path[80];
    if (!*path) {
        snprintf(folder, sizeof folder, "%s/doppel-fuzz-XXXXXX",
                 access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
        REQUIRE(mkdtemp(folder) && atexit(remove_folder) == 0);
        snprintf(path, sizeof path, "%s/v.dpl", folder);
    }
    return path;
}

static void make_vectors(dpl_ctx *ctx, const dpl_collection *c, const dpl_lexicon *l)
{
    dpl_vectors_options o = DPL_INIT(dpl_vectors_options, .min_count = 1, .min_terms = 1);
    if (dpl_vectors_make(NULL, ctx, output(), c, l, &o, NULL) != DPL_OK)
        return;
    dpl_vectors *v = NULL;
    REQUIRE(dpl_vectors_open(&v, ctx, output(), NULL) == DPL_OK);
    unlink(output());
    walk_vectors(v);
    dpl_vectors_close(v);
}

static void open_file(dpl_ctx *ctx, const char *path)
{
    dpl_vectors *v = NULL;
    if (dpl_vectors_open(&v, ctx, path, NULL) == DPL_OK)
        walk_vectors(v);
    dpl_vectors_close(v);
    dpl_collection *c = NULL;
    if (dpl_collection_open(&c, ctx, path, NULL) != DPL_OK)
        return;
    dpl_str table = DPL_STR("das\tthe\t0.5\nhaus\thouse\t1\nschiff\tship\t0.25\n");
    dpl_lexicon *l = NULL;
    make_vectors(ctx, c, NULL);
    REQUIRE(dpl__lexicon_open_memory(&l, ctx, "x", table, NULL, NULL) == DPL_OK);
    make_vectors(ctx, c, l);
    dpl_lexicon_close(l);
    dpl_collection_close(c);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_open_both(data, n, open_file);
    return 0;
}
