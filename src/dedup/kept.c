/*
 * kept.c - the kept documents: lines of the input as they stand, or JSON.
 *
 * An input whose records are lines is read again, and the lines of kept documents are copied
 * byte for byte. When nothing was left out at the first reading, the n-th line that is not
 * blank is document n, and lines need not be parsed; else they are, and told by their ids. Of
 * other formats, documents are written as JSON Lines from the collection.
 */
#include "dedup/kept.h"

#include "base/ctx.h"
#include "base/lower_bound.h"
#include "dedup/pack.h"
#include "io/codec.h"
#include "io/parts.h"
#include "io/shared_run.h"
#include "io/target.h"
#include "io/text_output.h"
#include "readers/json_parser.h"

#include <stdio.h>
#include <sys/stat.h>

enum { PIECE = 1 << 20 };

/* ---- names -------------------------------------------------------------------------- */

static const char *extension(dpl_format format)
{
    return format == DPL_FORMAT_TSV ? "tsv" : format == DPL_FORMAT_DOCENC ? "b64" : "jsonl";
}

static dpl_str base_name(const char *name)
{
    dpl_str s = dpl__unpacked_name(dpl__cstr(name));
    while (s.n > 1 && s.data[s.n - 1] == '/')
        s.n--;
    for (size_t i = s.n; i-- > 0;)
        if (s.data[i] == '/') {
            s = (dpl_str){s.data + i + 1, s.n - i - 1};
            break;
        }
    return s;
}

static bool is_name_taken(const dpl_input *inputs, size_t input)
{
    const dpl_str name = base_name(dpl_input_name(&inputs[input]));
    for (size_t i = 0; i < input; i++)
        if (dpl__str_eq(name, base_name(dpl_input_name(&inputs[i]))))
            return true;
    return false;
}

dpl_status dpl__kept_name(dpl__kept_file *out, const dpl_dedup_result *r, size_t n_inputs,
                          size_t input, dpl_error *err)
{
    const dpl_dedup_options *o = &r->o;
    const dpl_input *in = &r->in.data[input];
    char folder[4200], number[32] = "";
    assert(input < r->in.n && n_inputs <= r->in.n);
    DPL_TRY(dpl__pass_format(&out->format, r->ctx, in, o->read, err));
    out->compress = o->compress == DPL_COMPRESS_INPUT ? dpl__pack_of(in) : o->compress;
    const char *packed = dpl__pack_ending(out->compress);
    if (n_inputs == 1) {
        snprintf(out->path, sizeof out->path, "%s/kept.%s%s", r->work.folder.dir,
                 extension(out->format), packed);
        return DPL_OK;
    }
    DPL_TRY(dpl__out_folder_file(folder, sizeof folder, &r->work.folder, false, "kept", err));
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return dpl__fail_errno(err, errno, "cannot make the folder '%s'", folder);
    const dpl_str name = base_name(dpl_input_name(in));
    if (is_name_taken(r->in.data, input))
        snprintf(number, sizeof number, "%zu-", input + 1);
    const bool is_line = dpl__format_has_lines(out->format);
    const int n =
        snprintf(out->path, sizeof out->path, "%s/%s%.*s%s%s", folder, number,
                 (int)dpl__min(name.n, 200), name.data, is_line ? "" : ".jsonl", packed);
    return n > 0 && (size_t)n < sizeof out->path
               ? dpl__check_overwrite(out->path, &in->path, 1, err)
               : dpl__fail_errno(err, ENAMETOOLONG, "cannot create '%s'", out->path);
}

/* ---- JSON --------------------------------------------------------------------------- */

static bool put_member(dpl__bytes *out, dpl_ctx *ctx, const char *key, const char *otherwise,
                       dpl_str value)
{
    const dpl_str k = dpl__cstr(key && *key ? key : otherwise);
    return (out->data[out->n - 1] == '{' || dpl__vec_append(ctx, out, ", ", 2)) &&
           dpl__json_escape(ctx, out, k) && dpl__vec_append(ctx, out, ": ", 2) &&
           dpl__json_escape(ctx, out, value);
}

bool dpl__kept_json(dpl__bytes *out, dpl_ctx *ctx, const dpl_doc *doc, dpl_str id,
                    const dpl_reader_options *read)
{
    static const dpl_reader_options none;
    const dpl_reader_options *r = read ? read : &none;
    return dpl__vec_push(ctx, out, '{') && put_member(out, ctx, r->id_key, "id", id) &&
           (!doc->lang.n || put_member(out, ctx, r->lang_key, "lang", doc->lang)) &&
           (!doc->title.n || put_member(out, ctx, r->title_key, "title", doc->title)) &&
           put_member(out, ctx, r->text_key, "text", doc->text) &&
           (doc->extra.n <= 2 ||
            (dpl__vec_append(ctx, out, ", ", 2) &&
             dpl__vec_append(ctx, out, doc->extra.data + 1, doc->extra.n - 2))) &&
           dpl__vec_append(ctx, out, "}\n", 2);
}

/* ---- writing ------------------------------------------------------------------------ */

typedef struct writer {
    dpl_ctx *ctx;
    const dpl__dedup_docs *docs;
    const dpl__clusters *clusters;
    const dpl_dedup_options *o;
    dpl__kept_file file;
    dpl_output *output;
    uint32_t next, end; /* documents of the input */
    uint32_t from, to;  /* of lines: chunks that begin with one of these are written */
    bool has_written;
} writer;

static bool is_kept(const writer *w, uint32_t doc)
{
    return w->clusters->center[doc] == doc;
}

static dpl_status put_packed(writer *w, dpl__bytes *bytes, dpl_error *err)
{
    DPL_TRY(dpl__pack(bytes, w->ctx, w->file.compress, err));
    w->has_written = w->has_written || bytes->n;
    dpl_output_write(w->output, bytes->data, bytes->n);
    bytes->n = 0;
    return DPL_OK;
}

static dpl_status write_json(writer *w, dpl_error *err)
{
    dpl__bytes out = {0};
    dpl_status status;
    for (uint32_t doc = w->next; doc < w->end; doc++) {
        const dpl_doc d = dpl__dedup_doc(w->docs, doc);
        if (is_kept(w, doc) &&
            !dpl__kept_json(&out, w->ctx, &d, dpl__dedup_bare_id(w->docs, doc), w->o->read))
            DPL__STEP(dpl__fail_nomem(err));
        if (out.n >= PIECE)
            DPL__STEP(put_packed(w, &out, err));
    }
    status = put_packed(w, &out, err);
done:
    dpl__vec_clear(w->ctx, &out);
    return status;
}

/* ---- lines, all of them documents ---------------------------------------------------- */

static bool is_blank(const writer *w, dpl_str line)
{
    size_t i = 0;
    while (i < line.n && strchr(" \t\r\n", line.data[i]) && line.data[i])
        i++;
    return w->file.format == DPL_FORMAT_JSONL && i == line.n;
}

static dpl_str line_at(const dpl__bytes *raw, size_t at)
{
    const char *end = memchr(raw->data + at, '\n', raw->n - at);
    return (dpl_str){raw->data + at, end ? (size_t)(end + 1 - (raw->data + at)) : raw->n - at};
}

static void count_lines(void *user, dpl__pass_slot *slot)
{
    writer *w = user;
    slot->first = w->next;
    for (size_t at = 0; at < slot->raw.n;) {
        const dpl_str line = line_at(&slot->raw, at);
        w->next += !is_blank(w, line);
        at += line.n;
    }
}

static bool append_line(dpl_ctx *ctx, dpl__bytes *out, dpl_str line)
{
    return dpl__vec_append(ctx, out, line.data, line.n) &&
           (!line.n || line.data[line.n - 1] == '\n' || dpl__vec_push(ctx, out, '\n'));
}

static dpl_status copy_lines(void *user, dpl__pass_slot *slot, unsigned worker, dpl_error *err)
{
    (void)worker;
    const writer *w = user;
    uint64_t doc = slot->first;
    if (doc < w->from || doc >= w->to)
        return DPL_OK;
    for (size_t at = 0; at < slot->raw.n;) {
        const dpl_str line = line_at(&slot->raw, at);
        at += line.n;
        if (is_blank(w, line))
            continue;
        if (doc >= w->end)
            return dpl__fail(err, DPL_E_FORMAT, "'%s' changed while it was read",
                             slot->chunk.file);
        if (is_kept(w, (uint32_t)doc++) && !append_line(w->ctx, &slot->out, line))
            return dpl__fail_nomem(err);
    }
    return dpl__pack(&slot->out, w->ctx, w->file.compress, err);
}

static bool is_written(void *user)
{
    const writer *w = user;
    return w->next >= w->to;
}

static dpl_status write_out(void *user, dpl__pass_slot *slot, dpl_error *err)
{
    (void)err;
    writer *w = user;
    w->has_written = w->has_written || slot->out.n;
    dpl_output_write(w->output, slot->out.data, slot->out.n);
    return DPL_OK;
}

/* ---- lines, some of them documents --------------------------------------------------- */

static dpl_status match_docs(void *user, dpl__pass_slot *slot, dpl_error *err)
{
    writer *w = user;
    size_t at = 0;
    uint64_t line = slot->chunk.line;
    for (size_t i = 0; i < slot->batch.docs.n && w->next < w->end; i++) {
        if (!dpl__str_eq(slot->batch.docs.data[i].id, dpl__dedup_bare_id(w->docs, w->next)))
            continue; /* a second one of its id */
        const dpl_str text = dpl__pass_line(slot, slot->batch.lines.data[i], &at, &line);
        if (is_kept(w, w->next++) && !append_line(w->ctx, &slot->out, text))
            return dpl__fail_nomem(err);
    }
    return put_packed(w, &slot->out, err);
}

static dpl_status write_input(writer *w, const dpl_input *input, bool has_drops, dpl_error *err)
{
    if (!dpl__format_has_lines(w->file.format))
        return write_json(w, err);
    dpl__pass pass = {.ctx = w->ctx, .user = w};
    if (has_drops) {
        pass.commit = match_docs;
    } else {
        pass.no_parse = true;
        pass.is_over = w->to < w->end ? is_written : NULL;
        pass.begin = count_lines;
        pass.map = copy_lines;
        pass.commit = write_out;
    }
    return dpl__pass_run(&pass, input, w->o->read, err);
}

void dpl__kept_path(dpl_dedup_result *r, size_t n_inputs, const dpl__kept_file *file)
{
    char path[sizeof r->kept_path];
    if (n_inputs == 1)
        snprintf(path, sizeof path, "%s", file->path);
    else
        snprintf(path, sizeof path, "%s/kept", r->work.folder.dir);
    dpl__shared_published(r->kept_path, sizeof r->kept_path, r->ctx, path);
    r->s.kept_path = r->kept_path;
}

static dpl_status write_one(writer *w, const dpl_input *input, bool has_drops, dpl_error *err)
{
    DPL_TRY(dpl_output_new(&w->output, w->ctx, w->file.path, err));
    w->has_written = false;
    w->from = w->next;
    w->to = w->end;
    dpl_status status;
    DPL__STEP(write_input(w, input, has_drops, err));
    if (!w->has_written)
        DPL__STEP(dpl__pack_nothing(w->output, w->ctx, w->file.compress, err));
done:
    return dpl__output_end(w->output, status, err);
}

/* ---- all inputs ----------------------------------------------------------------------- */

/* The first new document of an input, or of those behind it. */
static uint32_t first_doc(const dpl__dedup_docs *d, size_t input)
{
    size_t doc;
    DPL__LOWER_BOUND(doc, d->n_new, dpl__dedup_input_of(d, (uint32_t)doc) < input);
    return (uint32_t)doc;
}

static dpl_status begin_input(writer *w, const dpl_dedup_result *r, size_t input,
                              dpl_error *err)
{
    *w = (writer){.ctx = r->ctx,
                  .docs = &r->docs,
                  .clusters = &r->clusters,
                  .o = &r->o,
                  .next = first_doc(&r->docs, input),
                  .end = first_doc(&r->docs, input + 1)};
    return dpl__kept_name(&w->file, r, r->n_new_inputs - r->state.n_earlier, input, err);
}

/* What processes of a shared run write: lines of an input in ranges, a file each. */
typedef struct ranges {
    const dpl_dedup_result *r;
    size_t n; /* of an input */
    dpl__shared_files files;
} ranges;

static dpl_status write_range(const char *path, void *user, size_t chunk, dpl_error *err)
{
    const ranges *x = user;
    writer w;
    uint64_t first, end;
    DPL_TRY(begin_input(&w, x->r, chunk / x->n, err));
    dpl__part_range(&first, &end, w.end - w.next,
                    &(dpl_part){(uint32_t)(chunk % x->n), (uint32_t)x->n});
    w.from = w.next + (uint32_t)first;
    w.to = w.next + (uint32_t)end;
    DPL_TRY(dpl_output_new(&w.output, w.ctx, path, err));
    dpl_status status = DPL_OK;
    if (dpl__format_has_lines(w.file.format))
        DPL__STEP(write_input(&w, &x->r->in.data[chunk / x->n], false, err));
done:
    return dpl__output_end(w.output, status, err);
}

/* All ranges of an input one after another; the only one is the file. */
static dpl_status join_ranges(writer *w, const ranges *x, size_t input, dpl_error *err)
{
    char path[4200];
    struct stat st;
    uint64_t n_bytes = 0;
    dpl__shared_path(path, w->ctx, &x->files, input * x->n);
    if (x->n == 1 && stat(path, &st) == 0 && st.st_size > 0)
        return dpl__shared_link(w->ctx, path, w->file.path, err);
    DPL_TRY(dpl_output_new(&w->output, w->ctx, w->file.path, err));
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < x->n; i++) {
        dpl__shared_path(path, w->ctx, &x->files, input * x->n + i);
        DPL__STEP(dpl__dedup_copy(w->output, &n_bytes, w->ctx, path, err));
    }
    if (!n_bytes)
        DPL__STEP(dpl__pack_nothing(w->output, w->ctx, w->file.compress, err));
done:
    return dpl__output_end(w->output, status, err);
}

dpl_status dpl__kept_write(dpl_dedup_result *r, bool has_drops, dpl_error *err)
{
    const bool is_divided = dpl__is_shared(r->ctx) && !has_drops && !r->state.n_earlier;
    ranges x = {.r = r};
    writer w;
    if (is_divided) { /* enough for all processes */
        x.n = (dpl__shared_n(r->ctx) + r->n_new_inputs - 1) / r->n_new_inputs;
        x.files = (dpl__shared_files){.name = "kept",
                                      .n = x.n * r->n_new_inputs,
                                      .user = &x,
                                      .make = write_range,
                                      .is_for_all = true};
        DPL_TRY(dpl__shared_files_make(r->ctx, &x.files, err));
    }
    DPL_TRY(dpl__shared_leave(r->ctx, err));
    for (size_t i = r->state.n_earlier; i < r->n_new_inputs; i++) {
        DPL_TRY(begin_input(&w, r, i, err));
        DPL_TRY(is_divided && dpl__format_has_lines(w.file.format)
                    ? join_ranges(&w, &x, i, err)
                    : write_one(&w, &r->in.data[i], has_drops, err));
    }
    dpl__kept_path(r, r->n_new_inputs - r->state.n_earlier, &w.file);
    return DPL_OK;
}
