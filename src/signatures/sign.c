/*
 * sign.c - the signatures of all rows: into a file, or kept.
 *
 * Blocks of rows go through the pipeline: signed on any thread, written in order. What is kept
 * is written to its place at once: in memory, or in an unnamed mapped file when it takes more
 * than a quarter of the context's memory.
 */
#include "signatures/shape.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/sized.h"
#include "io/container.h"
#include "io/files.h"
#include "io/parts.h"
#include "io/target.h"
#include "par/pool.h"
#include "signatures/signer.h"

enum { BLOCK_BYTES = 256 << 10 };

typedef struct block {
    uint32_t first, n; /* rows */
    uint64_t *words;
} block;

typedef struct signing {
    dpl_ctx *ctx;
    dpl__signer signer;
    uint64_t *kept;             /* all rows ... */
    dpl__writer *writer;        /* ... or the file they go to */
    const dpl__part_mark *mark; /* of a part; NULL: all rows */
    uint32_t n_rows, next, n_block;
    block *slots;
    size_t n_slots;
} signing;

/* ---- blocks of rows ----------------------------------------------------------------- */

static size_t row_bytes(const signing *s)
{
    return s->signer.n_words * sizeof(uint64_t);
}

static dpl_status produce(void *user, size_t index, dpl_error *err)
{
    signing *s = user;
    block *b = &s->slots[index];
    (void)err;
    if (s->next == s->n_rows)
        return DPL_END;
    b->first = s->next;
    b->n = (uint32_t)dpl__min(s->n_block, s->n_rows - s->next);
    s->next += b->n;
    if (s->kept)
        b->words = s->kept + (size_t)b->first * s->signer.n_words;
    return DPL_OK;
}

static dpl_status map(void *user, size_t index, unsigned worker, dpl_error *err)
{
    (void)err;
    const signing *s = user;
    const block *b = &s->slots[index];
    dpl__signer_rows(&s->signer, b->words, b->first, b->n, worker);
    return DPL_OK;
}

static dpl_status commit(void *user, size_t index, dpl_error *err)
{
    signing *s = user;
    const block *b = &s->slots[index];
    if (s->writer)
        DPL_TRY(dpl__writer_append(s->writer, b->words, b->n * row_bytes(s), err));
    dpl_progress progress = {"sign", "documents", b->first + b->n, s->n_rows};
    return dpl__progress(s->ctx, &progress, err);
}

static dpl_status sign_rows(signing *s, dpl_error *err)
{
    if (s->n_rows == 0)
        return DPL_OK;
    s->n_block = (uint32_t)dpl__min(dpl__max(1, BLOCK_BYTES / row_bytes(s)), s->n_rows);
    s->n_slots = 2 * (size_t)s->ctx->n_threads + 1;
    s->slots = dpl__calloc(s->ctx, s->n_slots, sizeof *s->slots);
    DPL_TRY(dpl__need(s->slots, err));
    for (size_t i = 0; i < s->n_slots && !s->kept; i++) {
        s->slots[i].words = dpl__alloc(s->ctx, s->n_block * row_bytes(s));
        DPL_TRY(dpl__need(s->slots[i].words, err));
    }
    dpl__pipeline p = {s, s->n_slots, produce, map, commit};
    return dpl__pipeline_run(s->ctx, &p, err);
}

static dpl_status signing_init(signing *s, dpl_ctx *ctx, const dpl_vectors *vectors,
                               const dpl_sign_options *options, dpl_error *err)
{
    unsigned n;
    *s = (signing){.ctx = ctx, .n_rows = vectors->sizes.n_rows};
    DPL_TRY(dpl_sign_check(&n, options, err));
    return dpl__signer_init(&s->signer, ctx, vectors, options->method, n, err);
}

static void signing_clear(signing *s)
{
    for (size_t i = 0; s->slots && !s->kept && i < s->n_slots; i++)
        dpl__free(s->ctx, s->slots[i].words);
    dpl__free(s->ctx, s->slots);
    if (s->signer.ctx)
        dpl__signer_clear(&s->signer);
    dpl__writer_free(s->writer);
}

/* ---- what else there is to say about them ------------------------------------------- */

/* {"method":"rp","bits":1024,"seed":1,"vectors":{...}} */
static void put_settings(dpl__json_text *text, const dpl__signer *s)
{
    dpl_json j = dpl__json_into(text, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "method", s->method->info.name);
    dpl_json_number(&j, s->method->info.unit, s->n);
    dpl_json_number(&j, "seed", s->seed);
    dpl_json_raw(&j, "vectors", s->vectors->settings);
    dpl_json_end(&j, '}');
}

static dpl_status write_settings(signing *s, dpl_error *err)
{
    dpl__json_text text = {.ctx = s->ctx};
    put_settings(&text, &s->signer);
    return dpl__writer_add_json(s->writer, "settings", &text, err);
}

static dpl_status write_ids(signing *s, dpl_error *err)
{
    const dpl_vectors *v = s->signer.vectors;
    uint64_t end = 0;
    DPL_TRY(dpl__writer_begin(s->writer, "id.offsets", 8, err));
    DPL_TRY(dpl__writer_append(s->writer, &end, sizeof end, err));
    for (uint32_t row = 0; row < s->n_rows; row++) {
        end += dpl_vectors_id(v, row).n;
        DPL_TRY(dpl__writer_append(s->writer, &end, sizeof end, err));
    }
    DPL_TRY(dpl__writer_begin(s->writer, "id.bytes", 1, err));
    for (uint32_t row = 0; row < s->n_rows; row++) {
        dpl_str id = dpl_vectors_id(v, row);
        DPL_TRY(dpl__writer_append(s->writer, id.data, id.n, err));
    }
    return DPL_OK;
}

static dpl_status write_file(signing *s, uint64_t *n_bytes, dpl_error *err)
{
    const dpl_vectors *v = s->signer.vectors;
    const uint64_t shape[DPL__N_SHAPE] = {
        [DPL__SHAPE_HASH] = DPL__SIGN_HASH,
        [DPL__SHAPE_METHOD] = (uint64_t)s->signer.method->info.method,
        [DPL__SHAPE_N] = s->signer.n,
        [DPL__SHAPE_SEED] = s->signer.seed,
        [DPL__SHAPE_PROJECTED] = v->is_projected,
    };
    DPL_TRY(dpl__writer_begin(s->writer, "words", 8, err));
    DPL_TRY(sign_rows(s, err));
    DPL_TRY(write_ids(s, err));
    DPL_TRY(dpl__writer_add(s->writer, "shape", 8, shape, sizeof shape, err));
    DPL_TRY(dpl__writer_add(s->writer, "space", 1, v->space.data, v->space.n, err));
    DPL_TRY(dpl__writer_add(s->writer, "lang", 1, v->lang.data, v->lang.n, err));
    DPL_TRY(dpl__writer_add(s->writer, "doc.lang", 1, v->doc_lang.data, v->doc_lang.n, err));
    DPL_TRY(write_settings(s, err));
    if (s->mark)
        DPL_TRY(dpl__part_write(s->writer, s->mark, err));
    return dpl__writer_finish(s->writer, n_bytes, err);
}

/* All of it, to a file. What signing holds is to be cleared also after a failure. */
static dpl_status sign_file(signing *s, const char *path, uint64_t *n_bytes, dpl_error *err)
{
    DPL_TRY(dpl__writer_new(&s->writer, s->signer.ctx, path, "signatures", err));
    return write_file(s, n_bytes, err);
}

/* ---- the two ways ------------------------------------------------------------------- */

dpl_status dpl_sign(dpl_sign_summary *summary, dpl_ctx *ctx, const char *out_path,
                    const dpl_vectors *vectors, const dpl_sign_options *options, dpl_error *err)
{
    double began = dpl__now();
    dpl_sign_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    DPL_TRY(dpl__check_overwrite(out_path, (const char *const[]){vectors->path}, 1, err));
    signing s;
    uint64_t n_bytes = 0;
    dpl_status status;
    DPL__STEP(signing_init(&s, ctx, vectors, &o, err));
    DPL__STEP(sign_file(&s, out_path, &n_bytes, err));
    const dpl_sign_summary made =
        DPL_INIT(dpl_sign_summary, .n_rows = s.n_rows, .length = s.signer.n, .seed = ctx->seed,
                 .n_output_bytes = n_bytes, .seconds = dpl__now() - began);
    DPL__GIVE(summary, &made);
done:
    signing_clear(&s);
    return status;
}

/* ---- parts -------------------------------------------------------------------------- */

static dpl__part_mark mark_of(const dpl_part *part, dpl_ctx *ctx, const dpl_vectors *vectors,
                              dpl_sign_method method, unsigned n)
{
    uint64_t options = dpl__fingerprint_number(DPL__SIGN_HASH, (uint64_t)method);
    options = dpl__fingerprint_number(options, n);
    options = dpl__fingerprint_number(options, ctx->seed);
    return (dpl__part_mark){
        .part = *part, .inputs = dpl__vectors_fingerprint(0, vectors), .options = options};
}

dpl_status dpl_sign_part(dpl_part_summary *summary, dpl_ctx *ctx, const char *out_path,
                         const dpl_vectors *vectors, const dpl_part *part,
                         const dpl_sign_options *options, dpl_error *err)
{
    double began = dpl__now();
    dpl_sign_options o;
    unsigned n;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    DPL_TRY(dpl__part_check(part, err));
    DPL_TRY(dpl_sign_check(&n, &o, err));
    DPL_TRY(dpl__check_overwrite(out_path, (const char *const[]){vectors->path}, 1, err));
    const dpl__part_mark mark = mark_of(part, ctx, vectors, o.method, n);
    dpl_part_summary made = DPL_INIT(dpl_part_summary);
    DPL_TRY(dpl__part_find_done(&made.n_output_bytes, ctx, out_path, "signatures", &mark, err));
    made.is_kept = made.n_output_bytes > 0;
    if (!made.is_kept) {
        uint64_t first, end;
        dpl__part_range(&first, &end, vectors->sizes.n_rows, part);
        const dpl_vectors slice =
            dpl__vectors_slice(vectors, (uint32_t)first, (uint32_t)(end - first));
        signing s;
        dpl_status status = signing_init(&s, ctx, &slice, &o, err);
        s.mark = &mark;
        if (status == DPL_OK)
            status = sign_file(&s, out_path, &made.n_output_bytes, err);
        signing_clear(&s);
        DPL_TRY(status);
        made.n_items = end - first;
    }
    made.seconds = dpl__now() - began;
    DPL__GIVE(summary, &made);
    return DPL_OK;
}

/* A section of every part, one behind the other. */
static dpl_status join_sections(dpl__writer *w, const dpl_parts *parts, const char *name,
                                unsigned element, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(w, name, element, err));
    for (uint32_t i = 0; i < dpl_parts_get_info(parts).n; i++) {
        const void *data = NULL;
        size_t n = 0;
        DPL_TRY(dpl__get(dpl__parts_file(parts, i), name, element, &data, &n, err));
        DPL_TRY(dpl__writer_append(w, data, n * element, err));
    }
    return DPL_OK;
}

static dpl_status join_ids(dpl__writer *w, const dpl_parts *parts, uint64_t *n_rows,
                           dpl_error *err)
{
    uint64_t begin = 0;
    DPL_TRY(dpl__writer_begin(w, "id.offsets", 8, err));
    DPL_TRY(dpl__writer_append(w, &begin, sizeof begin, err));
    *n_rows = 0;
    for (uint32_t i = 0; i < dpl_parts_get_info(parts).n; i++) {
        dpl__strings ids;
        DPL_TRY(dpl__get_strings(dpl__parts_file(parts, i), "id.offsets", "id.bytes", &ids,
                                 SIZE_MAX, err));
        for (size_t row = 0; row < ids.n; row++) {
            const uint64_t end = begin + ids.offsets[row + 1];
            DPL_TRY(dpl__writer_append(w, &end, sizeof end, err));
        }
        begin += ids.offsets[ids.n];
        *n_rows += ids.n;
    }
    return join_sections(w, parts, "id.bytes", 1, err);
}

/* Writes one file as of all rows; sections that are not per row are those of the first part. */
static dpl_status write_merged(dpl__writer *w, const dpl_parts *parts, uint64_t *n_rows,
                               uint64_t *n_bytes, dpl_error *err)
{
    static const struct {
        const char *name;
        unsigned element;
    } rest[] = {{"shape", 8}, {"space", 1}, {"lang", 1}, {"doc.lang", 1}, {"settings", 1}};
    DPL_TRY(join_sections(w, parts, "words", 8, err));
    DPL_TRY(join_ids(w, parts, n_rows, err));
    for (size_t i = 0; i < DPL_LEN(rest); i++) {
        const void *data = NULL;
        size_t n = 0;
        DPL_TRY(
            dpl__get(dpl__parts_file(parts, 0), rest[i].name, rest[i].element, &data, &n, err));
        DPL_TRY(
            dpl__writer_add(w, rest[i].name, rest[i].element, data, n * rest[i].element, err));
    }
    return dpl__writer_finish(w, n_bytes, err);
}

dpl_status dpl_sign_merge(dpl_part_summary *summary, const dpl_parts *parts,
                          const char *out_path, dpl_error *err)
{
    double began = dpl__now();
    dpl_ctx *ctx = dpl__parts_ctx(parts);
    dpl__writer *w = NULL;
    dpl_part_summary made = DPL_INIT(dpl_part_summary);
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    DPL_TRY(dpl__parts_check_kind(parts, "signatures", err));
    for (uint32_t i = 0; i < dpl_parts_get_info(parts).n; i++) {
        const char *path = dpl_file_get_info(dpl__parts_file(parts, i)).path;
        DPL_TRY(dpl__check_overwrite(out_path, &path, 1, err));
    }
    DPL_TRY(dpl__writer_new(&w, ctx, out_path, "signatures", err));
    dpl_status status = write_merged(w, parts, &made.n_items, &made.n_output_bytes, err);
    dpl__writer_free(w);
    DPL_TRY(status);
    made.seconds = dpl__now() - began;
    DPL__GIVE(summary, &made);
    return DPL_OK;
}

/* ---- kept --------------------------------------------------------------------------- */

/* Room for all rows, 64-byte aligned. */
static dpl_status make_room(dpl_signatures *sig, const char *spill_dir, dpl_error *err)
{
    enum { ALIGN = 64 };
    size_t n_words = (size_t)sig->sizes.n_rows * sig->sizes.n_words;
    DPL_TRY(dpl__spill_init(&sig->spill, sig->ctx, spill_dir, err));
    DPL_TRY(dpl__scratch_init(&sig->words, &sig->spill,
                              2 * n_words + ALIGN / sizeof *sig->words.data,
                              (size_t)(sig->ctx->memory / 4), err));
    char *p = (char *)sig->words.data;
    sig->bits = (dpl__bits){.n_rows = sig->sizes.n_rows,
                            .n_words = sig->sizes.n_words,
                            .words = (void *)(p + -(uintptr_t)p % ALIGN)};
    return DPL_OK;
}

static dpl_status describe(dpl_signatures *sig, const dpl__signer *s, dpl_error *err)
{
    const dpl_vectors *v = s->vectors;
    sig->sizes = (dpl_signatures_sizes){.n_rows = v->sizes.n_rows,
                                        .n_words = s->n_words,
                                        .length = s->n,
                                        .method = s->method->info.method,
                                        .seed = s->seed};
    sig->vectors = v;
    sig->space = v->space;
    sig->lang = v->lang;
    sig->doc_lang = v->doc_lang;
    sig->is_projected = v->is_projected;
    dpl__json_text settings = {.ctx = s->ctx};
    put_settings(&settings, s);
    sig->made_settings = settings.bytes;
    if (settings.has_failed)
        return dpl__fail_nomem(err);
    sig->settings = (dpl_str){sig->made_settings.data, sig->made_settings.n};
    return DPL_OK;
}

static dpl_status keep_rows(dpl_signatures *sig, signing *s, const char *spill_dir,
                            dpl_error *err)
{
    const char *path = s->signer.vectors->path;
    char dir[4096];
    DPL_TRY(describe(sig, &s->signer, err));
    if (!spill_dir && !dpl__dirname(dir, sizeof dir, path))
        return dpl__fail_errno(err, ENAMETOOLONG, "cannot work beside '%s'", path);
    DPL_TRY(make_room(sig, spill_dir ? spill_dir : dir, err));
    s->kept = (uint64_t *)(uintptr_t)sig->bits.words;
    return sign_rows(s, err);
}

dpl_status dpl_signatures_make(dpl_signatures **out, dpl_ctx *ctx, const dpl_vectors *vectors,
                               const dpl_sign_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_sign_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    signing s;
    dpl_signatures *sig = NULL;
    dpl_status status;
    DPL__STEP(signing_init(&s, ctx, vectors, &o, err));
    DPL__STEP(dpl__signatures_new(&sig, ctx, vectors->path, err));
    status = keep_rows(sig, &s, o.temp, err);
done:
    signing_clear(&s);
    if (status != DPL_OK) {
        dpl_signatures_close(sig);
        sig = NULL;
    }
    *out = sig;
    return status;
}
