/*
 * lexicon_dpl_fuzz.c - hostile lexicon files.
 *
 * Each input is opened as it is, and with all checksums made right. Properties: a lexicon that
 * opens can be walked, its words are found and rise, as do the numbers in rows, probabilities
 * are such; a collection can be projected through it; its model aligns rows of known and
 * unknown words and can be trained further, and what comes of that are numbers; what is written
 * from it is the same lexicon.
 */
#define _GNU_SOURCE /* memfd_create */
#include "files.h"

#include "lexicon/align_rows.h"
#include "lexicon/lexicon.h"
#include "lexicon/train_model.h"
#include "lexicon/write_lexicon.h"
#include "vectors/project.h"

/* ---- walking ------------------------------------------------------------------------ */

static void check_row(const uint32_t *row, const float *p, size_t n, uint32_t bound)
{
    for (size_t i = 0; i < n; i++) {
        REQUIRE(row[i] < bound && (i == 0 || row[i] > row[i - 1]));
        REQUIRE(p[i] > 0 && p[i] <= 1);
    }
}

static void walk(const dpl_lexicon *l)
{
    const dpl_lexicon_sizes *size = dpl_lexicon_get_sizes(l);
    const float *p;
    uint32_t number;
    size_t n;
    fuzz_touch(dpl_lexicon_get_info(l).settings);
    fuzz_touch(dpl__cstr(dpl_lexicon_get_info(l).source_lang));
    fuzz_touch(dpl__cstr(dpl_lexicon_get_info(l).target_lang));
    for (uint32_t s = 0; s < size->n_sources; s++) {
        dpl_str word = dpl_lexicon_source(l, s);
        REQUIRE(word.n && dpl_lexicon_find_source(l, word, &number) && number == s);
        const uint32_t *row = dpl_lexicon_row(l, s, &p, &n);
        check_row(row, p, n, size->n_targets);
        fuzz_checksum += dpl_lexicon_count(l, false, s) + dpl_lexicon_written(l, false, s).n;
    }
    for (uint32_t t = 0; t < size->n_targets; t++) {
        dpl_str word = dpl_lexicon_target(l, t);
        REQUIRE(word.n && dpl_lexicon_find_target(l, word, &number) && number == t);
        const uint32_t *row = dpl_lexicon_back_row(l, t, &p, &n);
        check_row(row, p, n, size->n_sources);
        fuzz_checksum += dpl_lexicon_count(l, true, t) + dpl_lexicon_written(l, true, t).n;
    }
}

/* ---- the model at work -------------------------------------------------------------- */

enum { ROWS = 5, TOKENS = 16 };

/* A few rows of the first and the last words, and of one that the model does not know. */
static dpl__encoded few_rows(const dpl__wordmodel *m)
{
    static const uint64_t begin[2][ROWS + 1] = {{0, 1, 4, 9, 9, 16}, {0, 1, 6, 8, 10, 14}};
    static uint32_t tokens[2][TOKENS];
    dpl__encoded b = {.n_rows = ROWS};
    for (int side = 0; side < 2; side++) {
        uint32_t n = m->n_words[side];
        for (uint32_t i = 0; i < TOKENS; i++)
            tokens[side][i] = i % 5 == 4 ? n : i % 3 ? i % (n + 1) : n - n / (i + 2);
        b.side[side] = (dpl__encoded_side){begin[side], tokens[side], n + 1, NULL};
    }
    return b;
}

static dpl_status take(void *user, size_t row, const dpl__row_link *links, size_t n,
                       dpl_error *err)
{
    (void)err;
    const dpl__encoded *b = user;
    for (size_t i = 0; i < n; i++)
        REQUIRE(links[i].left < dpl__encoded_length(b, DPL__LEFT, row) &&
                links[i].right < dpl__encoded_length(b, DPL__RIGHT, row));
    return DPL_OK;
}

static void use_model(dpl_ctx *ctx, const dpl__wordmodel *m)
{
    if (m->n_words[DPL__LEFT] > 1000 || m->n_words[DPL__RIGHT] > 1000)
        return; /* takes too long */
    dpl__encoded b = few_rows(m);
    dpl__align_rows_options o = {0};
    dpl__row_links_sink to = {take, &b};
    REQUIRE(dpl__align_rows(ctx, m, &b, &o, &to, NULL) == DPL_OK);
    o.method = DPL__ALIGN_SYMMETRIZE;
    o.symmetry = DPL__SYMMETRY_GROW_DIAG_FINAL_AND;
    REQUIRE(dpl__align_rows(ctx, m, &b, &o, &to, NULL) == DPL_OK);
    dpl__wordmodel more = {.ctx = ctx};
    dpl__model_summary summary;
    dpl__model_options further = {.n_model1 = 1, .n_hmm = 1, .start = m};
    REQUIRE(dpl__train_model(&more, &summary, ctx, &b, &further, NULL) == DPL_OK);
    for (uint64_t k = 0; k < more.n_links; k++)
        REQUIRE(more.links[k].p[0] >= 0 && more.links[k].p[1] >= 0 && more.counts[k] >= 0);
    dpl__wordmodel_clear(&more);
}

/* ---- projection --------------------------------------------------------------------- */

/* PREFIX-PID.NAME, in memory where there is such a place. */
static const char *place(const char *name)
{
    static char path[80];
    snprintf(path, sizeof path, "%s/doppel-fuzz-%ld.%s",
             access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", (long)getpid(), name);
    return path;
}

static dpl_collection *german_words(bool stem)
{
    static dpl_ctx *ctx;
    static const char text[] = "Das alte Haus, die Katzen im Haus: eine Katze ist die\n";
    char in[80], out[80];
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1),
                            NULL) == DPL_OK);
    snprintf(in, sizeof in, "%s", place("tsv"));
    snprintf(out, sizeof out, "%s", place("collection.dpl"));
    FILE *f = fopen(in, "w");
    REQUIRE(f && fputs(text, f) >= 0 && fclose(f) == 0);
    const char *path = in;
    dpl_import_options o = DPL_INIT(
        dpl_import_options,
        .read = &(dpl_reader_options)DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_TSV,
                                              .columns = "text", .lang = "de"),
        .tokens = &(dpl_tokens_options)DPL_INIT(dpl_tokens_options, .stem = stem));
    dpl_collection *c = NULL;
    REQUIRE(dpl_import(NULL, ctx, out, &path, 1, &o, NULL) == DPL_OK);
    REQUIRE(dpl_collection_open(&c, ctx, out, NULL) == DPL_OK);
    unlink(in);
    unlink(out);
    return c;
}

static void project(dpl_ctx *ctx, const dpl_lexicon *l)
{
    static dpl_collection *collections[2];
    dpl_collection **c = &collections[l->is_stemmed];
    dpl__projection p;
    dpl__facts facts;
    if (!*c)
        *c = german_words(l->is_stemmed);
    REQUIRE(dpl__facts_find(&facts, *c, 1, NULL) == DPL_OK);
    for (int direction = DPL_DIRECTION_AUTO; direction <= DPL_DIRECTION_SOURCE; direction++) {
        dpl__projection_input in = {
            .c = *c, .facts = &facts, .lexicon = l, .direction = (dpl_direction)direction};
        if (dpl__projection_make(&p, ctx, &in, NULL) != DPL_OK)
            continue; /* other languages, or none of the words */
        for (size_t i = 0; i < p.table.n; i++)
            REQUIRE(p.table.cols[i] < p.n_texts && p.table.p[i] >= 0 && p.table.p[i] <= 1);
        dpl__projection_clear(&p);
    }
}

/* ---- written again ------------------------------------------------------------------ */

static void write_again(dpl_ctx *ctx, const dpl_lexicon *l)
{
    const char *path = place("dpl");
    dpl__lexicon_parts parts = {.lang = {l->lang[0], l->lang[1]},
                                .is_stemmed = l->is_stemmed,
                                .is_pretokenized = l->is_pretokenized,
                                .words = {l->words[0], l->words[1]},
                                .counts = {l->counts[0], l->counts[1]},
                                .table = {l->table[0], l->table[1]},
                                .model = l->has_model ? &l->model : NULL};
    dpl_lexicon *again = NULL;
    REQUIRE(dpl__lexicon_write(NULL, ctx, path, &parts, NULL) == DPL_OK);
    REQUIRE(dpl_lexicon_open(&again, ctx, path, NULL, NULL) == DPL_OK);
    unlink(path);
    dpl_section a, b;
    for (size_t i = 0; i < dpl_file_get_info(again->file).n_sections; i++) {
        b = dpl_file_section(again->file, i);
        REQUIRE(dpl_file_find(l->file, b.name, &a));
        if (strcmp(a.name, "settings") != 0)
            REQUIRE(a.n_bytes == b.n_bytes && memcmp(a.data, b.data, a.n_bytes) == 0);
    }
    dpl_lexicon_close(again);
}

static void open_file(dpl_ctx *ctx, const char *path)
{
    dpl_lexicon *l = NULL;
    if (dpl_lexicon_open(&l, ctx, path, NULL, NULL) != DPL_OK)
        return;
    walk(l);
    project(ctx, l);
    if (l->has_model)
        use_model(ctx, &l->model);
    if (l->file)
        write_again(ctx, l);
    dpl_lexicon_close(l);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    fuzz_open_both(data, n, open_file);
    return 0;
}
