/*
 * train_lexicon.c - parallel text becomes a lexicon file.
 *
 * Text is read in batches and kept as numbers (encoder.h); the model is trained on these
 * (train_model.h); its words are put in byte order, and tables made from it (model_tables.h).
 */
#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/sized.h"
#include "io/target.h"
#include "lexicon/encoder.h"
#include "lexicon/hmm.h"
#include "lexicon/lexicon.h"
#include "lexicon/lexicon_params.h"
#include "lexicon/row_batch.h"
#include "lexicon/save_model.h"

enum { MIB = 1 << 20, MOST_TOKENS = UINT16_MAX - 1 };

typedef struct training {
    dpl_ctx *ctx;
    const char *const *paths; /* of the text; or: */
    size_t n_paths;
    dpl_bitext *rows; /* of the caller; NULL: the files */
    dpl__lexicon_destination to;
    dpl_train_options options;
    dpl_bitext_options read;
    dpl_prune prune;
    dpl_bitext_counts counts;
    dpl_lexicon_sizes sizes;
    char lang[2][12]; /* canonical; "" when not known */
    dpl_lexicon *start;
    dpl__encoder *encoder;
    dpl__model_summary trained;
    dpl__wordmodel model;
    uint32_t *rank[2];     /* of each word of the corpus: its number in the file */
    uint32_t n_words[2];   /* of the corpus */
    dpl__strings words[2]; /* of the file */
    dpl__strings written[2];
} training;

/* ---- options ------------------------------------------------------------------------ */

static dpl_status set_lang(training *t, int side, const char *given, const char *of_start,
                           dpl_error *err)
{
    if (given) {
        dpl_lang lang = dpl_lang_canonical(dpl__cstr(given));
        memcpy(t->lang[side], lang.code, sizeof t->lang[side]);
    }
    if (!of_start || !*of_start)
        return DPL_OK;
    if (given && strcmp(t->lang[side], of_start) != 0)
        return dpl__fail(err, DPL_E_USAGE, "'%s' was trained on '%s', not on '%s'",
                         t->options.lexicon, of_start, t->lang[side]);
    memcpy(t->lang[side], of_start, strlen(of_start) + 1);
    return DPL_OK;
}

static dpl_status open_start(training *t, dpl_error *err)
{
    DPL_TRY(dpl_lexicon_open(&t->start, t->ctx, t->options.lexicon, NULL, err));
    if (!t->start->has_model) {
        dpl__fail(err, DPL_E_USAGE, "'%s' has no model to continue", t->options.lexicon);
        return DPL_E_USAGE;
    }
    t->options.stem = t->start->is_stemmed;
    t->options.pretokenized = t->start->is_pretokenized;
    return DPL_OK;
}

static dpl_status check_options(training *t, dpl_error *err)
{
    dpl_train_options *o = &t->options;
    if (o->max_words > MOST_TOKENS)
        return dpl__fail(err, DPL_E_USAGE, "rows of %u words are over %d", o->max_words,
                         MOST_TOKENS);
    o->model1 = o->model1 ? o->model1 : (unsigned)DPL__P(lexicon, n_model1);
    o->hmm = o->no_hmm ? 0 : o->hmm ? o->hmm : (unsigned)DPL__P(lexicon, n_hmm);
    o->max_words = o->max_words ? o->max_words : (unsigned)DPL__P(lexicon, max_tokens);
    if (o->min_link <= 0)
        o->min_link = o->min_link < 0 ? 0
                      : o->hmm        ? DPL__P(lexicon, min_link)
                                      : DPL__P(lexicon, min_link_model1);
    if (o->lexicon)
        DPL_TRY(open_start(t, err));
    DPL_TRY(set_lang(t, DPL__LEFT, t->read.left_lang,
                     t->start ? t->start->lang[DPL__LEFT] : NULL, err));
    return set_lang(t, DPL__RIGHT, t->read.right_lang,
                    t->start ? t->start->lang[DPL__RIGHT] : NULL, err);
}

/* ---- text to numbers ---------------------------------------------------------------- */

/* The text takes more than half of the memory: reads the rest to say how much is needed. */
static dpl_status too_large(const training *t, dpl_bitext *reader, uint64_t n_bytes_read,
                            dpl_error *err)
{
    uint64_t n_bytes = n_bytes_read;
    dpl_bitext_row row;
    dpl_status status;
    while ((status = dpl_bitext_next(reader, &row, err)) == DPL_OK)
        n_bytes += row.left.n + row.right.n;
    if (status != DPL_END)
        return status;
    double needed = (double)dpl__encoder_bytes(t->encoder) * (double)n_bytes /
                    (double)n_bytes_read * 2 / MIB;
    return dpl__fail_code(err, DPL_E_LIMIT, "memory-training",
                          "this much text needs some %.0f MiB of memory; the limit is %.1f",
                          needed + 1, (double)dpl_ctx_memory(t->ctx) / MIB);
}

static dpl_status add_rows(training *t, dpl__row_batch *rows, dpl_bitext *reader,
                           dpl_error *err)
{
    uint64_t n_bytes = 0;
    dpl_status status;
    while ((status = dpl__row_batch_read(rows, reader, err)) == DPL_OK) {
        n_bytes += rows->text.n;
        DPL_TRY(dpl__encoder_add(t->encoder, rows->rows.data, rows->rows.n, err));
        dpl_progress progress = {"read", "bytes", dpl_bitext_get_counts(reader)->n_file_bytes,
                                 0};
        DPL_TRY(dpl__progress(t->ctx, &progress, err));
        if (dpl__encoder_bytes(t->encoder) > dpl_ctx_memory(t->ctx) / 2)
            return too_large(t, reader, n_bytes, err);
    }
    return status == DPL_END ? DPL_OK : status;
}

/* The caller's rows, or those of the files. */
static dpl_status open_rows(dpl_bitext **out, const training *t, dpl_error *err)
{
    *out = t->rows;
    if (t->rows)
        return DPL_OK;
    dpl_bitext_options read = t->read;
    for (int side = 0; side < 2; side++)
        if (t->lang[side][0])
            *(side ? &read.right_lang : &read.left_lang) = t->lang[side];
    return dpl_bitext_open(out, t->ctx, t->paths, t->n_paths, &read, err);
}

static dpl_status read_text(training *t, dpl_error *err)
{
    dpl__encoder_options o = {.lang = {t->lang[0], t->lang[1]},
                              .is_pretokenized = t->options.pretokenized,
                              .stem = t->options.stem,
                              .has_forms = t->options.stem};
    for (int side = 0; side < 2 && t->start; side++)
        o.known[side] = &t->start->words[side];
    DPL_TRY(dpl__encoder_new(&t->encoder, t->ctx, &o, err));
    dpl_bitext *reader = NULL;
    dpl__row_batch rows = {.ctx = t->ctx};
    dpl_status status;
    DPL__STEP(open_rows(&reader, t, err));
    DPL__STEP(add_rows(t, &rows, reader, err));
    t->counts = *dpl_bitext_get_counts(reader);
done:
    dpl__row_batch_clear(&rows);
    if (!t->rows)
        dpl_bitext_close(reader);
    dpl__encoder_end_reading(t->encoder);
    return status;
}

/* ---- numbers to a model ------------------------------------------------------------- */

/* The longest row must fit into the memory for all threads. */
static dpl_status check_longest(const training *t, const dpl__encoded *corpus,
                                size_t max_tokens, dpl_error *err)
{
    size_t longest = dpl__encoded_longest(corpus, max_tokens);
    if (!longest)
        return dpl__fail(err, DPL_E_NOTHING,
                         "no row has words on both sides: nothing to train on");
    uint64_t needed = dpl__hmm_row_bytes(longest) * dpl_ctx_threads(t->ctx);
    if (!t->options.no_hmm && needed > dpl_ctx_memory(t->ctx) / 2)
        return dpl__fail_code(err, DPL_E_LIMIT, "memory-training",
                              "rows of %zu words need some %llu MiB of memory", longest,
                              (unsigned long long)(2 * needed / MIB + 1));
    return DPL_OK;
}

static dpl_status train(training *t, dpl_error *err)
{
    const dpl_train_options *o = &t->options;
    dpl__model_options core = {.n_model1 = o->model1,
                               .n_hmm = o->hmm,
                               .no_hmm = o->no_hmm,
                               .max_tokens = o->max_words,
                               .start = t->start ? &t->start->model : NULL};
    dpl__encoded corpus;
    DPL_TRY(dpl__encoder_rows(&corpus, t->encoder, err));
    DPL_TRY(check_longest(t, &corpus, core.max_tokens, err));
    for (int side = 0; side < 2; side++)
        t->n_words[side] = corpus.side[side].n_words;
    return dpl__train_model(&t->model, &t->trained, t->ctx, &corpus, &core, err);
}

/* ---- a model to a file -------------------------------------------------------------- */

static dpl_status sort_words(training *t, dpl_error *err)
{
    static const dpl__strings none = {0};
    for (int side = 0; side < 2; side++) {
        t->rank[side] = dpl__alloc(t->ctx, t->n_words[side] * sizeof *t->rank[side]);
        DPL_TRY(dpl__need(t->rank[side], err));
        DPL_TRY(dpl__encoder_words(&t->words[side], t->rank[side], t->encoder, side, err));
        if (t->options.stem)
            DPL_TRY(dpl__encoder_written(&t->written[side], t->encoder, side, t->rank[side],
                                         t->start ? &t->start->written[side] : &none, err));
    }
    dpl__encoder_free(t->encoder);
    t->encoder = NULL;
    return DPL_OK;
}

static dpl_status save(training *t, dpl_train_summary *s, dpl_error *err)
{
    const dpl_train_options *o = &t->options;
    dpl__json_text made = {.ctx = t->ctx}; /* members of an object */
    dpl_json j = dpl__json_into(&made, DPL_JSON_COMPACT);
    dpl_json_number(&j, "model1", o->model1);
    dpl_json_number(&j, "hmm", o->hmm);
    dpl_json_number(&j, "max_tokens", o->max_words);
    dpl_json_decimal(&j, "min_link", o->min_link);
    dpl__save_model_input in = {.model = &t->model,
                                .trained = &t->trained,
                                .parts = {.is_stemmed = o->stem,
                                          .is_pretokenized = o->pretokenized,
                                          .made = {made.bytes.data, made.bytes.n}},
                                .prune = t->prune,
                                .min_link = o->min_link,
                                .no_model = o->no_model,
                                .to = t->to};
    for (int side = 0; side < 2; side++) {
        in.rank[side] = t->rank[side];
        in.parts.lang[side] = t->lang[side];
        in.parts.words[side] = t->words[side];
        in.parts.written[side] = t->written[side];
    }
    s->sizes = &t->sizes;
    dpl_status status = made.has_failed ? dpl__fail_nomem(err) : dpl__save_model(s, &in, err);
    dpl__vec_clear(t->ctx, &made.bytes);
    return status;
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status take_options(training *t, const dpl_train_options *options, dpl_error *err)
{
    DPL_TRY(DPL__TAKE(&t->options, options, err));
    DPL_TRY(DPL__TAKE(&t->read, t->options.read, err));
    return DPL__TAKE(&t->prune, t->options.prune, err);
}

/* Copies the summary, and counts and sizes where the caller has room for them. */
static dpl_status give_summary(const training *t, dpl_train_summary *out, dpl_train_summary *s,
                               dpl_error *err)
{
    s->read = out->read;
    s->sizes = out->sizes;
    DPL_TRY(DPL__CHECK_OUT(s->sizes, err));
    DPL_TRY(DPL__CHECK_OUT(s->read, err));
    DPL__GIVE(s->sizes, &t->sizes);
    DPL__GIVE(s->read, &t->counts);
    DPL__GIVE(out, s);
    return DPL_OK;
}

static dpl_status run(training *t, dpl_train_summary *s, dpl_error *err)
{
    DPL_TRY(check_options(t, err));
    DPL_TRY(read_text(t, err));
    double begin = dpl__now();
    DPL_TRY(train(t, err));
    DPL_TRY(sort_words(t, err));
    s->train_seconds = dpl__now() - begin;
    return save(t, s, err);
}

static dpl_status train_all(training *t, dpl_train_summary *summary,
                            const dpl_train_options *options, dpl_error *err)
{
    dpl_ctx *ctx = t->ctx;
    dpl_train_summary s = DPL_INIT(dpl_train_summary);
    double begin = dpl__now();
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    DPL_TRY(take_options(t, options, err));
    DPL_TRY(dpl__check_overwrite(t->to.path, t->paths, t->n_paths, err));
    DPL_TRY(dpl__check_overwrite(t->to.path, &t->options.lexicon, 1, err));
    dpl_status status = run(t, &s, err);
    for (int side = 0; side < 2; side++) {
        dpl__words_free(&t->words[side], ctx);
        dpl__words_free(&t->written[side], ctx);
        dpl__free(ctx, t->rank[side]);
    }
    dpl__wordmodel_clear(&t->model);
    dpl__encoder_free(t->encoder);
    dpl_lexicon_close(t->start);
    s.seconds = dpl__now() - begin;
    return status == DPL_OK && summary ? give_summary(t, summary, &s, err) : status;
}

dpl_status dpl_lexicon_train(dpl_train_summary *summary, dpl_ctx *ctx, const char *out_path,
                             const char *const *paths, size_t n_paths,
                             const dpl_train_options *options, dpl_error *err)
{
    training t = {.ctx = ctx, .paths = paths, .n_paths = n_paths, .to.path = out_path};
    return train_all(&t, summary, options, err);
}

dpl_status dpl_lexicon_train_rows(dpl_lexicon **out, dpl_train_summary *summary, dpl_ctx *ctx,
                                  dpl_bitext *rows, const dpl_train_options *options,
                                  dpl_error *err)
{
    *out = NULL;
    training t = {.ctx = ctx, .rows = rows, .to.out = out};
    dpl_status status = train_all(&t, summary, options, err);
    if (status != DPL_OK) {
        dpl_lexicon_close(*out);
        *out = NULL;
    }
    return status;
}
