/*
 * playground.c - alignment, removal of duplicates and new pocket indexes in the page.
 *
 * The page writes its files to the file system that it has for the module (web/js/wasi.js) and
 * calls; each call leaves JSON or the bytes of a file for play_body(). A call that fails leaves
 * {"error": text}. The functions are those of the command line, with its defaults.
 */
#include "module.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "doppel/dedup.h"
#include "doppel/index.h"
#include "doppel/sentences.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static dpl__json_text body;
static dpl__bytes file; /* that play_save() wrote */
static bool is_file;
static dpl_error error;

/* Of the texts that were aligned last. */
static dpl_collection *sides[2];
static struct {
    dpl_bead *beads;
    uint32_t *units[2];
    dpl_aligned_docs docs;
} aligned;

int EXPORT(play_align)(const char *left, const char *right, const char *left_lang,
                       const char *right_lang, int is_one_per_line);
int EXPORT(play_save)(int format);
int EXPORT(play_dedup)(const char *path, int unit, double threshold);
int EXPORT(play_index)(const char *folder, const char *path);
const char *EXPORT(play_body)(void);
size_t EXPORT(play_body_size)(void);

const char *play_body(void)
{
    return is_file ? (const char *)file.data : (const char *)body.bytes.data;
}

size_t play_body_size(void)
{
    return is_file ? file.n : body.bytes.n;
}

static dpl_json begin(dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &body.bytes);
    body = (dpl__json_text){.ctx = ctx};
    is_file = false;
    dpl_json j = dpl__json_into(&body, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    return j;
}

/* 0, or 1 and what is wrong in the body. */
static int answer(dpl_ctx *ctx, dpl_status status)
{
    if (status == DPL_OK)
        return 0;
    dpl_json j = begin(ctx);
    dpl_json_cstr(&j, "error", error.text);
    dpl_json_end(&j, '}');
    return 1;
}

/* ---- alignment -------------------------------------------------------------------------- */

static void forget(dpl_ctx *ctx)
{
    for (int i = 0; i < 2; i++) {
        if (aligned.units[i])
            dpl__free(ctx, aligned.units[i]);
        dpl_collection_close(sides[i]);
        sides[i] = NULL;
        aligned.units[i] = NULL;
    }
    dpl__free(ctx, aligned.beads);
    aligned.beads = NULL;
    aligned.docs = (dpl_aligned_docs){0};
}

/* A dpl_aligned_docs_fn: keeps the beads, so that they can be written in any format. */
static dpl_status keep(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    dpl_ctx *ctx = user;
    aligned.docs = *docs;
    aligned.beads = dpl__alloc(ctx, docs->n_beads * sizeof *aligned.beads);
    if (!aligned.beads && docs->n_beads)
        return dpl__fail_nomem(err);
    if (docs->n_beads)
        memcpy(aligned.beads, docs->beads, docs->n_beads * sizeof *aligned.beads);
    for (int i = 0; i < 2; i++) {
        const size_t n = (docs->n_units[i] + 1) * sizeof *aligned.units[i];
        aligned.units[i] = dpl__alloc(ctx, n);
        if (!aligned.units[i])
            return dpl__fail_nomem(err);
        memcpy(aligned.units[i], docs->units[i], n);
        aligned.docs.units[i] = aligned.units[i];
    }
    aligned.docs.beads = aligned.beads;
    return DPL_OK;
}

static dpl_status read_side(int i, dpl_ctx *ctx, const char *path, const char *lang)
{
    const dpl_reader_options read =
        DPL_INIT(dpl_reader_options, .lang = *lang ? lang : NULL, .unknown_as_text = true,
                 .on_error = DPL_ON_ERROR_REPLACE);
    const dpl_import_options o =
        DPL_INIT(dpl_import_options, .read = &read, .needs_docs = true);
    const dpl_input input = {.path = path};
    DPL_TRY(dpl_collection_from_inputs(&sides[i], NULL, ctx, &input, 1, &o, &error));
    const uint32_t n = dpl_collection_get_sizes(sides[i])->n_docs;
    return n == 1 ? DPL_OK
                  : dpl__fail(&error, DPL_E_USAGE,
                              n ? "the %s file holds several documents; one is needed"
                                : "the %s text is empty",
                              i ? "right" : "left");
}

static void put_side(dpl_json *j, int i)
{
    const dpl_doc doc = dpl_collection_doc(sides[i], 0);
    const dpl_collection_sizes *sizes = dpl_collection_get_sizes(sides[i]);
    dpl_json_begin(j, i ? "right" : "left", '{');
    dpl_json_text(j, "title", doc.title);
    dpl_json_text(j, "lang", doc.lang);
    dpl_json_number(j, "n_sentences", sizes->n_sentences);
    dpl_json_number(j, "n_words", sizes->n_tokens);
    dpl_json_end(j, '}');
}

static void put_text(dpl_json *j, int side, uint32_t unit, uint32_t n)
{
    const uint32_t *units = aligned.units[side];
    dpl_json_text(
        j, NULL,
        n ? dpl_sentences_text(sides[side], 0, units[unit], units[unit + n] - units[unit])
          : (dpl_str){0});
}

/* Whether a paragraph (1) or a section (2) begins with the bead. */
static unsigned break_before(const dpl_bead *b)
{
    unsigned found = 0;
    for (int i = 0; i < 2; i++) {
        if (!(i ? b->n_right : b->n_left))
            continue;
        const dpl_sentence s =
            dpl_collection_sentence(sides[i], 0, aligned.units[i][i ? b->right : b->left]);
        found = dpl__max(found, s.is_section_start ? 2u : s.is_paragraph_start ? 1u : 0u);
    }
    return found;
}

/* Rows: left text, right text, score, verdict, break, sentences left and right. */
static void put_beads(dpl_json *j)
{
    dpl_json_begin(j, "beads", '[');
    for (size_t i = 0; i < aligned.docs.n_beads; i++) {
        const dpl_bead *b = &aligned.beads[i];
        dpl_json_begin(j, NULL, '[');
        put_text(j, 0, b->left, b->n_left);
        put_text(j, 1, b->right, b->n_right);
        dpl_json_decimal(j, NULL, (double)b->score);
        dpl_json_cstr(j, NULL, dpl_verdict_name(b->verdict));
        dpl_json_number(j, NULL, break_before(b));
        dpl_json_number(j, NULL, b->n_left);
        dpl_json_number(j, NULL, b->n_right);
        dpl_json_end(j, ']');
    }
    dpl_json_end(j, ']');
}

static dpl_status align(dpl_ctx *ctx, const char *const paths[2], const char *const langs[2],
                        bool is_one_per_line)
{
    static const dpl_doc_pair pair = {0, 0};
    dpl_sentences_summary s = DPL_INIT(dpl_sentences_summary);
    const dpl_sentences_options o =
        DPL_INIT(dpl_sentences_options, .one_per_line = is_one_per_line);
    for (int i = 0; i < 2; i++)
        DPL_TRY(read_side(i, ctx, paths[i], langs[i]));
    const dpl_sentences_input in = DPL_INIT(dpl_sentences_input, .left = sides[0],
                                            .right = sides[1], .pairs = &pair, .n_pairs = 1);
    DPL_TRY(dpl_sentences_align(&s, ctx, &in, &o, keep, ctx, &error));
    dpl_json j = begin(ctx);
    put_side(&j, 0);
    put_side(&j, 1);
    dpl_json_decimal(&j, "seconds", s.seconds);
    dpl_json_begin(&j, "verdicts", '{');
    for (unsigned v = 0; v < DPL_N_VERDICTS; v++)
        if (s.n_verdicts[v])
            dpl_json_number(&j, dpl_verdict_name((dpl_verdict)v), s.n_verdicts[v]);
    dpl_json_end(&j, '}');
    put_beads(&j);
    dpl_json_end(&j, '}');
    return body.has_failed ? dpl__fail_nomem(&error) : DPL_OK;
}

int play_align(const char *left, const char *right, const char *left_lang,
               const char *right_lang, int is_one_per_line)
{
    dpl_ctx *ctx = dpl__wasm_ctx();
    const char *const paths[] = {left, right}, *const langs[] = {left_lang, right_lang};
    forget(ctx);
    return answer(ctx, align(ctx, paths, langs, is_one_per_line));
}

static void put_bytes(void *user, int side, const char *data, size_t n)
{
    (void)side;
    if (!dpl__vec_append(user, &file, data, n))
        body.has_failed = true;
}

static dpl_status save(dpl_ctx *ctx, dpl_beads_format format)
{
    dpl_beads_writer *writer = NULL;
    const dpl_beads_options o =
        DPL_INIT(dpl_beads_options, .to = format, .put = put_bytes, .user = ctx);
    dpl_status status = DPL_OK;
    dpl__vec_clear(ctx, &file);
    if (!sides[1])
        return dpl__fail(&error, DPL_E_USAGE, "nothing was aligned");
    DPL__STEP(dpl_beads_open(&writer, ctx, NULL, sides[0], sides[1], &o, &error));
    DPL__STEP(dpl_beads_write(writer, &aligned.docs, &error));
    DPL__STEP(dpl_beads_finish(NULL, writer, &error));
done:
    dpl_beads_close(writer);
    return status;
}

/* What was aligned, as a file of this dpl_beads_format. */
int play_save(int format)
{
    dpl_ctx *ctx = dpl__wasm_ctx();
    body.has_failed = false;
    dpl_status status = save(ctx, (dpl_beads_format)format);
    if (status == DPL_OK && body.has_failed)
        status = dpl__fail_nomem(&error);
    is_file = status == DPL_OK;
    return answer(ctx, status);
}

/* ---- duplicates ------------------------------------------------------------------------- */

static void put_docs(dpl_json *j, const dpl_dedup_result *r, uint64_t n)
{
    const dpl_collection *c = dpl_dedup_get_collection(r);
    dpl_json_begin(j, "removed", '[');
    for (uint32_t i = 0; c && i < n; i++) {
        const dpl_dedup_doc d = dpl_dedup_get_doc(r, i);
        uint32_t kept = i;
        if (d.is_kept)
            continue;
        (void)dpl_collection_find_doc(c, d.cluster, &kept);
        const dpl_str text = dpl_collection_doc(c, i).text,
                      other = dpl_collection_doc(c, kept).text;
        dpl_json_begin(j, NULL, '[');
        dpl_json_text(j, NULL, d.id);
        dpl_json_text(j, NULL, d.cluster);
        dpl_json_decimal(j, NULL, (double)d.score);
        dpl_json_cstr(j, NULL, dpl_dedup_kind_name(d.kind));
        dpl_json_text(j, NULL, text);
        dpl_json_text(j, NULL, other);
        dpl_json_end(j, ']');
    }
    dpl_json_end(j, ']');
}

static void put_dedup(dpl_json *j, const dpl_dedup_result *r)
{
    const dpl_dedup_summary *s = dpl_dedup_get_summary(r);
    dpl_json_number(j, "n_docs", s->n_docs);
    dpl_json_number(j, "n_kept", s->n_kept);
    dpl_json_number(j, "n_removed", s->n_removed);
    dpl_json_number(j, "n_copies", s->n_copies);
    dpl_json_number(j, "n_near", s->n_near);
    dpl_json_number(j, "n_clusters", s->n_clusters);
    dpl_json_number(j, "n_parts", s->n_parts);
    dpl_json_number(j, "n_parts_removed", s->n_parts_removed);
    dpl_json_number(j, "n_distinct", s->n_distinct);
    dpl_json_decimal(j, "threshold", s->threshold);
    dpl_json_decimal(j, "seconds", s->seconds);
    if (s->kept_path)
        dpl_json_cstr(j, "kept_path", s->kept_path);
    put_docs(j, r, s->unit == DPL_DEDUP_DOCUMENT ? s->n_docs : 0);
}

/* Documents of the file or folder at path; the files of the result are in /out then. */
int play_dedup(const char *path, int unit, double threshold)
{
    dpl_ctx *ctx = dpl__wasm_ctx();
    dpl_dedup_result *r = NULL;
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    const dpl_dedup_options o =
        DPL_INIT(dpl_dedup_options, .read = &read, .unit = (dpl_dedup_unit)unit,
                 .threshold = threshold, .compress = DPL_COMPRESS_NONE);
    const dpl_input input = {.path = path};
    dpl_status status = dpl_dedup(&r, ctx, "/out", &input, 1, &o, &error);
    if (status == DPL_OK) {
        dpl_json j = begin(ctx);
        put_dedup(&j, r);
        dpl_json_end(&j, '}');
        if (body.has_failed)
            status = dpl__fail_nomem(&error);
    }
    dpl_dedup_result_free(r);
    return answer(ctx, status);
}

/* ---- pockets ---------------------------------------------------------------------------- */

/* An index of the documents in the folder, with texts, at path. */
int play_index(const char *folder, const char *path)
{
    dpl_ctx *ctx = dpl__wasm_ctx();
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .on_error = DPL_ON_ERROR_SKIP);
    const dpl_index_options o = DPL_INIT(dpl_index_options, .read = &read, .texts = true,
                                         .plain_texts = true, .temp = "/tmp");
    const dpl_input input = {.path = folder};
    const dpl_status status = dpl_index_build(NULL, ctx, path, &input, 1, &o, &error);
    if (status == DPL_OK) {
        dpl_json j = begin(ctx);
        dpl_json_end(&j, '}');
    }
    return answer(ctx, status);
}
