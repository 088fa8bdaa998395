/*
 * zim.c - ZIM files (openZIM), as Kiwix offers them: every article becomes one document, whose
 * id is its path in the file.
 *
 * In: a file that is mapped, or its bytes. Taken: HTML and plain text of the namespace of
 * articles; redirects become aliases of titles; images, styles, indexes and metadata are
 * counted. The language is the one of the file's metadata, if it names one; else that of the
 * page, or detected. Out: documents in the order of clusters and blobs, so that each cluster is
 * unpacked once, by the thread that parses its pages. Cost: 12 bytes of memory for each entry,
 * and the HTML reader's.
 */
#include "readers/zim/zim_file.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/order.h"
#include "readers/dir.h"
#include "readers/html/html.h"
#include "readers/reader.h"
#include "unicode/unicode.h"

#include <stdlib.h>

enum {
    NO_CLUSTER = UINT32_MAX, /* of entries without a page */
    MOST_LOOSE = 4096,       /* of them in a chunk */
    MOST_LANGUAGE = 64       /* bytes of the metadata that name the language */
};

/* Where an entry lies. */
typedef struct place {
    uint32_t cluster, blob, entry;
} place;

typedef struct zim {
    dpl__zim file;
    place *places; /* in the order of documents */
    uint32_t n_given;
    dpl_lang lang; /* code is "" when the file names none, or several */
} zim;

/* What becomes of an entry. */
typedef enum kind { PAGE, TEXT, ALIAS, OTHER_SPACE, OTHER_TYPE, BAD } kind;

/* An entry in a chunk: slices of the file. */
typedef struct record {
    kind kind;
    bool is_xml;
    uint32_t blob, number;
    dpl_str path, title;
    dpl_str other; /* ALIAS: the title it leads to; OTHER_TYPE: the type */
} record;

/* ---- the order of entries ------------------------------------------------------------- */

DPL__ORDER(compare_places, place, DPL__RISING(cluster) DPL__RISING(blob) DPL__RISING(entry))

static kind kind_of(const dpl__zim *file, const dpl__zim_entry *e, dpl_str *type)
{
    *type = dpl__zim_type(file, e);
    if (e->space != file->content)
        return OTHER_SPACE;
    if (e->type == DPL__ZIM_REDIRECT)
        return ALIAS;
    if (dpl__is_word(*type, "text/html") || dpl__is_word(*type, "application/xhtml+xml"))
        return PAGE;
    return dpl__is_word(*type, "text/plain") ? TEXT : OTHER_TYPE;
}

/* The language, if the metadata name one: "deu", or "deu,eng" for a file in two. */
static dpl_status read_language(zim *z, const dpl__zim_entry *e, dpl_error *err)
{
    dpl__zim_blobs blobs;
    dpl_str text;
    const dpl_str cluster = dpl__zim_cluster(&z->file, e->cluster);
    dpl_status status =
        dpl__zim_blobs_open(&blobs, z->file.ctx, cluster, e->blob, 16 << 20, err);
    if (status == DPL_OK && dpl__zim_blob(&blobs, e->blob, &text) && text.n < MOST_LANGUAGE &&
        !memchr(text.data, ',', text.n))
        z->lang = dpl_lang_canonical(dpl__trim(text));
    if (strcmp(z->lang.code, "und") == 0)
        z->lang = (dpl_lang){0};
    dpl__zim_blobs_close(&blobs, z->file.ctx);
    return status == DPL_E_NOMEM ? status
                                 : DPL_OK; /* a fault comes up again, or says nothing */
}

static dpl_status find_places(zim *z, dpl_error *err)
{
    const dpl__zim *file = &z->file;
    for (uint32_t i = 0; i < file->n_entries; i++) {
        dpl__zim_entry e;
        dpl_str type;
        place *to = &z->places[i];
        *to = (place){.cluster = NO_CLUSTER, .entry = i};
        if (!dpl__zim_entry_at(file, i, &e))
            continue;
        const kind k = kind_of(file, &e, &type);
        if (k == PAGE || k == TEXT)
            *to = (place){e.cluster, e.blob, i};
        if (e.space == 'M' && e.type < DPL__ZIM_DELETED &&
            dpl__str_eq(e.path, DPL_STR("Language")))
            DPL_TRY(read_language(z, &e, err));
        if (i % 4096 == 0) {
            dpl__mappings_ease(file->ctx);
            if (dpl__is_cancelled(file->ctx))
                return dpl__fail(err, DPL_E_STOPPED, "stopped");
        }
    }
    if (file->n_entries)
        qsort(z->places, file->n_entries, sizeof *z->places, compare_places);
    return DPL_OK;
}

static void close_zim(void *state)
{
    zim *z = state;
    dpl_ctx *ctx = z->file.ctx;
    dpl__free(ctx, z->places);
    dpl__zim_close(&z->file);
    dpl__free(ctx, z);
}

static dpl_status open_zim(void **state, dpl_ctx *ctx, const char *name, dpl_str bytes,
                           dpl_error *err)
{
    zim *z = dpl__calloc(ctx, 1, sizeof *z);
    DPL_TRY(dpl__need(z, err));
    dpl_status status = bytes.data ? dpl__zim_read(&z->file, ctx, name, bytes, err)
                                   : dpl__zim_map(&z->file, ctx, name, err);
    if (status != DPL_OK) {
        dpl__free(ctx, z);
        return status;
    }
    z->places = dpl__alloc(ctx, z->file.n_entries * sizeof *z->places);
    status = z->places || !z->file.n_entries ? find_places(z, err) : dpl__fail_nomem(err);
    if (status == DPL_OK)
        *state = z;
    else
        close_zim(z);
    return status;
}

static uint64_t size_of(const void *state)
{
    const zim *z = state;
    return z->file.bytes.n;
}

/* ---- chunks --------------------------------------------------------------------------- */

static record make_record(const zim *z, const place *at, const place *before)
{
    const dpl__zim *file = &z->file;
    dpl__zim_entry e, other;
    record r = {.kind = BAD, .blob = at->blob, .number = at->entry};
    if (!dpl__zim_entry_at(file, at->entry, &e))
        return r;
    r.kind = kind_of(file, &e, &r.other);
    r.is_xml = dpl__is_word(r.other, "application/xhtml+xml");
    r.path = e.path;
    r.title = e.title;
    const bool is_again = before && (r.kind == PAGE || r.kind == TEXT) &&
                          before->cluster == at->cluster && before->blob == at->blob;
    if (r.kind != ALIAS && !is_again)
        return r;
    r.kind = ALIAS; /* two entries with one content, too */
    const uint32_t target = is_again ? before->entry : e.target;
    if (target >= file->n_entries || !dpl__zim_entry_at(file, target, &other))
        r.kind = BAD;
    else
        r.other = other.title;
    return r;
}

/* The pages of one cluster, or some entries without a page. */
static dpl_status next_chunk(void *state, dpl__chunk *chunk, dpl_error *err)
{
    zim *z = state;
    const uint32_t n = z->file.n_entries;
    if (z->n_given == n)
        return DPL_END;
    const place *all = z->places;
    uint32_t i = z->n_given;
    const uint32_t cluster = all[i].cluster;
    chunk->bytes.n = 0;
    chunk->header.lang = z->lang;
    chunk->number = i;
    if (cluster != NO_CLUSTER)
        chunk->mapped = dpl__zim_cluster(&z->file, cluster);
    for (; i < n && all[i].cluster == cluster; i++) {
        if (cluster == NO_CLUSTER && i - z->n_given == MOST_LOOSE)
            break;
        const record r = make_record(z, &all[i], i ? &all[i - 1] : NULL);
        DPL_TRY(dpl__need(
            dpl__vec_append(z->file.ctx, &chunk->bytes, (const char *)&r, sizeof r), err));
    }
    z->n_given = i;
    chunk->is_last = i == n;
    dpl__mappings_ease(z->file.ctx);
    return DPL_OK;
}

static uint64_t position_of(const void *state)
{
    const zim *z = state;
    const uint32_t n = z->file.n_entries;
    return n ? (uint64_t)((double)z->file.bytes.n / n * z->n_given) : z->file.bytes.n;
}

/* ---- documents ------------------------------------------------------------------------ */

static dpl_status read_page(dpl__batch *batch, const dpl__chunk *here, const record *r,
                            dpl_doc *doc, dpl_str text, dpl_error *err)
{
    dpl__html_page page = {0};
    const dpl__html_source source = {
        .header = &here->header, .html = text, .id = doc->id, .is_xml = r->is_xml};
    const dpl_status status =
        dpl__html_page_read(&page, &batch->arena, &source, &batch->counts.n_boilerplate, err);
    if (status == DPL_E_FORMAT)
        return dpl__record_bad(batch, DPL__AT(here, 0, 0), DPL_DROP_MALFORMED, err,
                               "its elements are nested too deeply");
    doc->text = page.text;
    if (r->title.data == r->path.data && page.title.n)
        doc->title = page.title;
    if (!doc->lang.n)
        doc->lang = page.lang;
    return status;
}

/* The text is of the file or of what was unpacked: a copy may be changed. */
static dpl_status read_text(dpl__batch *batch, dpl_doc *doc, dpl_str text, dpl_error *err)
{
    text = dpl__arena_copy(&batch->arena, text);
    return text.data ? dpl__filetype_plain.read(doc, &batch->arena, text, batch->options, err)
                     : dpl__fail_nomem(err);
}

/* DPL_END: it was dropped, or learnt from. */
static dpl_status add_page(dpl__batch *batch, const dpl__chunk *here, const record *r,
                           dpl_str text, dpl_error *err)
{
    dpl_doc doc = {.id = r->path, .title = r->title, .lang = dpl__cstr(here->header.lang.code)};
    if (text.n > batch->options->max_record)
        return dpl__record_long(batch, here, 0, err);
    DPL_TRY(dpl__record_utf8(batch, here, 0, 0, &doc.id, err));
    DPL_TRY(dpl__record_utf8(batch, here, 0, 0, &doc.title, err));
    text = dpl__without_mark(text);
    DPL_TRY(dpl__file_to_utf8(batch, here, r->kind == PAGE, &text, err));
    DPL_TRY(r->kind == PAGE ? read_page(batch, here, r, &doc, text, err)
                            : read_text(batch, &doc, text, err));
    return dpl__batch_add(batch, here, 0, &doc, err);
}

/* An alias counts as a redirect; one whose titles are not UTF-8 is only counted. */
static dpl_status add_alias(dpl__batch *batch, const dpl__chunk *here, const record *r,
                            dpl_error *err)
{
    DPL_TRY(dpl__record_drop(batch, here, 0, DPL_DROP_REDIRECT, "", err));
    return dpl__is_utf8(batch->ctx, r->title) && dpl__is_utf8(batch->ctx, r->other)
               ? dpl__batch_add_alias(batch, r->title, r->other, err)
               : DPL_OK;
}

/* The pages of the chunk: what was unpacked of their cluster, or why it could not be. */
typedef struct pages {
    dpl__zim_blobs blobs;
    dpl_status status;
    dpl_error fault;
} pages;

static dpl_status parse_record(dpl__batch *batch, const dpl__chunk *here, const record *r,
                               const pages *p, dpl_error *err)
{
    dpl_str text;
    switch (r->kind) {
    case ALIAS: return add_alias(batch, here, r, err);
    case OTHER_SPACE: return dpl__record_drop(batch, here, 0, DPL_DROP_NAMESPACE, "", err);
    case OTHER_TYPE:
        return dpl__record_drop(batch, here, 0, DPL_DROP_MEDIA_TYPE, r->other.data, err);
    case BAD:
        return dpl__record_bad(batch, DPL__AT(here, 0, 0), DPL_DROP_MALFORMED, err,
                               "entry %lu of the ZIM file is damaged",
                               (unsigned long)r->number);
    case PAGE:
    case TEXT: break;
    }
    if (p->status != DPL_OK)
        return dpl__record_bad(batch, DPL__AT(here, 0, 0),
                               p->status == DPL_E_LIMIT ? DPL_DROP_LONG : DPL_DROP_MALFORMED,
                               err, "%s", p->fault.text);
    if (!dpl__zim_blob(&p->blobs, r->blob, &text))
        return dpl__record_bad(batch, DPL__AT(here, 0, 0), DPL_DROP_MALFORMED, err,
                               "its cluster has no blob %lu", (unsigned long)r->blob);
    return add_page(batch, here, r, text, err);
}

static record record_at(const dpl__chunk *chunk, size_t i)
{
    record r;
    memcpy(&r, chunk->bytes.data + i * sizeof r, sizeof r);
    return r;
}

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    const size_t n = chunk->bytes.n / sizeof(record);
    pages p = {0};
    dpl_status status = DPL_OK;
    if (n && chunk->mapped.data) {
        p.status = dpl__zim_blobs_open(&p.blobs, batch->ctx, chunk->mapped,
                                       record_at(chunk, n - 1).blob, batch->options->max_record,
                                       &p.fault);
        if (p.status == DPL_E_NOMEM)
            DPL__STEP(dpl__fail_nomem(err));
        batch->counts.n_raw_bytes += p.blobs.data.n * (p.blobs.held.n > 0);
    }
    for (size_t i = 0; i < n; i++) {
        const record r = record_at(chunk, i);
        dpl__chunk here = *chunk;
        here.bytes = (dpl__bytes){0};
        here.member = r.path.n ? r.path.data : NULL;
        here.number = chunk->number + i + 1;
        status = parse_record(batch, &here, &r, &p, err);
        if (status != DPL_OK && status != DPL_END)
            goto done;
    }
    status = DPL_OK;
done:
    dpl__zim_blobs_close(&p.blobs, batch->ctx);
    return status;
}

static const dpl__mapped_ops mapped = {.open = open_zim,
                                       .next = next_chunk,
                                       .size = size_of,
                                       .position = position_of,
                                       .close = close_zim};

const dpl__format dpl__format_zim = {.format = DPL_FORMAT_ZIM,
                                     .name = "zim",
                                     .endings = (const char *const[]){".zim", NULL},
                                     .is_binary = true,
                                     .keeps_first = true,
                                     .has_pages = true,
                                     .sniff = dpl__is_zim,
                                     .mapped = &mapped,
                                     .parse = parse};
