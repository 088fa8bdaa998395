/*
 * reader.c - what all formats share before their records: a path becomes chunks.
 *
 * In: a path. Out: documents in file order, or chunks of whole records for those who parse in
 * parallel. This half is sequential: it only moves bytes and looks for a record boundary from
 * the end of the buffer. Cost: one copy of the input.
 */
#include "readers/reader.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/sized.h"
#include "io/codec.h"
#include "readers/blocks.h"
#include "readers/chunks.h"
#include "readers/dir.h"
#include "readers/foreign.h"
#include "readers/textfile.h"

#include <sys/stat.h>

enum {
    DEFAULT_CHUNK = 1 << 20,
    MOST_CHUNK = 1 << 30,
    MOST_BOUNDARY = 16 /* bytes: "</page>", '\n' */
};
static const uint32_t DEFAULT_MIN_CHARS = 100;

static const char *const drop_names[] = {
    [DPL_DROP_EMPTY] = "empty",
    [DPL_DROP_REDIRECT] = "redirect",
    [DPL_DROP_NAMESPACE] = "other namespace",
    [DPL_DROP_STUB] = "stub",
    [DPL_DROP_DUPLICATE] = "duplicate id",
    [DPL_DROP_UTF8] = "invalid UTF-8",
    [DPL_DROP_MALFORMED] = "malformed",
    [DPL_DROP_MISSING] = "missing key",
    [DPL_DROP_LONG] = "too long",
    [DPL_DROP_FILE_TYPE] = "other file type",
    [DPL_DROP_LANGUAGE] = "other language",
    [DPL_DROP_LINK] = "symbolic link",
    [DPL_DROP_DISAMBIGUATION] = "disambiguation page",
    [DPL_DROP_LIST] = "list",
    [DPL_DROP_RECORD_TYPE] = "other record type",
    [DPL_DROP_MEDIA_TYPE] = "other media type",
    [DPL_DROP_STATUS] = "HTTP status",
};

const char *dpl_drop_name(dpl_drop drop)
{
    return (unsigned)drop < DPL_LEN(drop_names) ? drop_names[drop] : NULL;
}

struct dpl_reader {
    dpl_ctx *ctx;
    dpl_reader_options options; /* defaults filled in */
    const dpl__format *ops;     /* NULL until it is known */
    dpl__arena arena;           /* names */
    const char *file;           /* for messages */
    dpl_str buffer;             /* the caller's, instead of a file; data is NULL: none */
    dpl_doc_source source;      /* the caller's */
    dpl__doc_feed feed;         /* over it */
    void *mapped;               /* of ops->mapped; NULL: not open */
    dpl__textfile in;           /* its bytes: read, but behind the last boundary */
    uint64_t line, offset;      /* of the first of them */
    uint64_t n_before;          /* bytes of its line in front of it */
    bool is_conversion_counted; /* of this file */
    bool can_guess;             /* encodings are detected */
    const char *path;           /* of the input; NULL: it is not a file */
    dpl__blocks *blocks;        /* boilerplate; NULL: none was learnt */
    bool is_learnt;             /* or there is nothing to learn */
    bool is_header_read;        /* ops->begin was called */
    dpl__header header;
    dpl__dir_list members; /* DIR */
    size_t n_members_read;
    dpl_read_counts counts;
    struct dpl_skip_list skipped; /* by this half; and of the batches of dpl_reader_next */
    dpl__chunk chunk;             /* dpl_reader_next */
    dpl__batch batch;
    size_t n_given;
    dpl_status status; /* of what follows the batch */
    dpl_error fault;
};

static const dpl__format *format_of_name(dpl_str path)
{
    const dpl_str name = dpl__unpacked_name(path);
    for (size_t i = 0; dpl__formats[i]; i++) {
        for (const char *const *at = dpl__formats[i]->endings; at && *at; at++)
            if (dpl__has_ending(name, *at))
                return dpl__formats[i];
        if (dpl__formats[i]->is_ours && dpl__formats[i]->is_ours(name))
            return dpl__formats[i];
    }
    return NULL;
}

static const dpl__format *format_of_bytes(dpl_str start)
{
    for (size_t i = 0; dpl__formats[i]; i++)
        if (dpl__formats[i]->sniff && dpl__formats[i]->sniff(start))
            return dpl__formats[i];
    return NULL;
}

/* Detected by no format: say what it is, where that can be told. */
static dpl_status refuse_format(const dpl_reader *r, dpl_error *err)
{
    const dpl__foreign *foreign = dpl__foreign_of((dpl_str){r->in.bytes.data, r->in.bytes.n});
    if (foreign) {
        dpl__fail(err, DPL_E_FORMAT, "'%s' is %s", r->file, foreign->what);
        return dpl__code(err, DPL_E_FORMAT,
                         strcmp(foreign->code, "file-binary") == 0 ? "input-binary"
                                                                   : foreign->code);
    }
    return dpl__fail_code(err, DPL_E_FORMAT, "unknown-format",
                          "cannot detect the format of '%s'", r->file);
}

/* Opens a file at its first line; detects the format from its first bytes if need be. */
static dpl_status open_file(dpl_reader *r, const char *path, dpl_error *err)
{
    DPL_TRY(r->buffer.data ? dpl__textfile_open_memory(&r->in, r->ctx, path, r->buffer.data,
                                                       r->buffer.n, err)
                           : dpl__textfile_open(&r->in, r->ctx, path, err));
    r->line = 1;
    r->n_before = 0;
    r->is_conversion_counted = false;
    r->offset = r->in.n_mark;
    const dpl_str start = {r->in.bytes.data, r->in.bytes.n};
    if (!r->ops)
        r->ops = format_of_bytes(start);
    if (!r->ops && r->options.unknown_as_text && !dpl__foreign_of(start))
        r->ops = &dpl__format_dir;
    if (!r->ops)
        return refuse_format(r, err);
    /* files that are documents may be binary, or declare their encoding: dir.c */
    return r->ops->cut && r->can_guess && !r->ops->is_binary ? dpl__textfile_guess(&r->in, err)
                                                             : DPL_OK;
}

static void fill_defaults(dpl_reader_options *o)
{
    if (!o->id_key)
        o->id_key = "id";
    if (!o->lang_key)
        o->lang_key = "lang";
    if (!o->title_key)
        o->title_key = "title";
    if (!o->text_key)
        o->text_key = "text";
    if (!o->max_record)
        o->max_record = DPL__MAX_RECORD;
    if (!o->min_chars)
        o->min_chars = DEFAULT_MIN_CHARS;
    o->chunk = o->chunk ? dpl__min(o->chunk, MOST_CHUNK) : DEFAULT_CHUNK;
}

static dpl_status check_language(const char *name, dpl_lang *lang, dpl_error *err)
{
    *lang = dpl_lang_canonical(dpl__cstr(name));
    return strcmp(lang->code, "und") != 0
               ? DPL_OK
               : dpl__fail(err, DPL_E_USAGE, "unknown language '%s'", name);
}

static dpl_status check_options(dpl_reader *r, dpl_error *err)
{
    dpl_reader_options *o = &r->options;
    dpl_lang lang;
    if (!dpl__format_name(o->from) || (unsigned)o->on_error > DPL_ON_ERROR_SKIP ||
        (unsigned)o->side > DPL_SIDE_TARGET)
        return dpl__fail(err, DPL_E_USAGE, "no such format or policy");
    if (o->lang)
        DPL_TRY(check_language(o->lang, &lang, err));
    if (o->only_lang) { /* as a code, which every document is compared with */
        DPL_TRY(check_language(o->only_lang, &lang, err));
        o->only_lang = dpl__arena_copy(&r->arena, dpl__cstr(lang.code)).data;
        DPL_TRY(dpl__need(o->only_lang, err));
    }
    bool is_utf8 = false;
    if (o->encoding && !dpl__charset_option(&r->in.other, &is_utf8, o->encoding))
        return dpl__fail(err, DPL_E_USAGE, "unknown encoding '%s'", o->encoding);
    r->can_guess = !is_utf8;
    if (o->max_record > INT32_MAX / 4)
        return dpl__fail(err, DPL_E_USAGE, "records are limited to %d MiB",
                         INT32_MAX / 4 >> 20);
    return DPL_OK;
}

static bool is_folder(const char *path)
{
    struct stat st;
    return strcmp(path, "-") != 0 && stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static dpl_status open_folder(dpl_reader *r, const char *path, dpl_error *err)
{
    const bool is_one = r->buffer.data || r->in.input || strcmp(path, "-") == 0;
    DPL_TRY(is_one
                ? dpl__dir_list_one(&r->members, r->ctx, path, r->buffer.n, err)
                : dpl__dir_list_open(&r->members, r->ctx, path, r->options.follow_links, err));
    r->counts.n_dropped[DPL_DROP_FILE_TYPE] += r->members.n_other;
    r->counts.n_dropped[DPL_DROP_LINK] += r->members.n_links;
    for (size_t i = 0; i < r->members.n_left_out; i++) {
        const dpl__dir_left_out *l = &r->members.left_out[i];
        dpl__skip skip = {.reason = l->is_link ? DPL_DROP_LINK : DPL_DROP_FILE_TYPE};
        dpl__record_place(skip.file, sizeof skip.file,
                          &(dpl__chunk){.file = r->file, .member = l->name});
        DPL_TRY(dpl__need(dpl__skips_add(&r->skipped, &skip), err));
    }
    return DPL_OK;
}

/* A file whose records lie anywhere in it; if its first bytes were read to detect the format,
 * that was enough. */
static dpl_status open_mapped(dpl_reader *r, const char *path, dpl_error *err)
{
    dpl__textfile_close(&r->in);
    r->in.bytes.n = r->in.n_raw_bytes = 0;
    return r->ops->mapped->open(&r->mapped, r->ctx, path, r->buffer, err);
}

static dpl_status open_path(dpl_reader *r, const char *path, dpl_error *err)
{
    if (r->options.from != DPL_FORMAT_AUTO)
        r->ops = dpl__format_of(r->options.from);
    else if (!r->buffer.data && is_folder(path))
        r->ops = &dpl__format_dir;
    else
        r->ops = format_of_name(dpl__cstr(path));
    if (!r->ops || r->ops->cut)
        DPL_TRY(open_file(r, path, err));
    if (r->ops->mapped)
        DPL_TRY(open_mapped(r, path, err));
    else if (!r->ops->cut)
        DPL_TRY(open_folder(r, path, err));
    r->options.from = r->ops->format;
    return r->ops->check ? r->ops->check(&r->options, err) : DPL_OK;
}

static dpl_status open_input(dpl_reader *r, const dpl_input *input, dpl_error *err)
{
    const char *name = dpl_input_name(input);
    r->file = dpl__arena_copy(&r->arena, dpl__cstr(name)).data;
    DPL_TRY(dpl__need(r->file, err));
    DPL_TRY(check_options(r, err));
    if (input->source) {
        r->source = *input->source;
        r->feed.source = &r->source;
        r->ops = &dpl__format_source;
        return DPL_OK;
    }
    r->buffer = input->buffer;
    if (input->path && !(r->path = dpl__arena_copy(&r->arena, dpl__cstr(input->path)).data))
        return dpl__fail_nomem(err);
    return open_path(r, input->path ? input->path : r->file, err);
}

const char *dpl_input_name(const dpl_input *input)
{
    if (input->name)
        return input->name;
    if (input->path)
        return strcmp(input->path, "-") ? input->path : "(standard input)";
    if (input->source)
        return input->source->name ? input->source->name : "(documents)";
    return input->collection ? "(collection)" : "(memory)";
}

static dpl_status check_input(const dpl_input *input, dpl_error *err)
{
    int n = !!input->path + !!input->source + !!input->buffer.data + !!input->collection;
    for (size_t i = 0; i < DPL_LEN(input->reserved); i++)
        if (input->reserved[i])
            return dpl__fail(err, DPL_E_UNSUPPORTED,
                             "'%s': an input of a kind that this build does not know",
                             dpl_input_name(input));
    if (n != 1)
        return dpl__fail(err, DPL_E_USAGE,
                         "'%s': an input is one of path, source, buffer and collection",
                         dpl_input_name(input));
    if (input->collection)
        return dpl__fail(err, DPL_E_USAGE, "'%s': a collection is not read again",
                         dpl_input_name(input));
    return DPL_OK;
}

dpl_status dpl_reader_open_input(dpl_reader **out, dpl_ctx *ctx, const dpl_input *input,
                                 const dpl_reader_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_reader_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(check_input(input, err));
    dpl_reader *r = dpl__calloc(ctx, 1, sizeof *r);
    DPL_TRY(dpl__need(r, err));
    r->ctx = ctx;
    r->options = o;
    r->counts.size = sizeof r->counts;
    r->skipped.ctx = ctx;
    fill_defaults(&r->options);
    dpl__arena_init(&r->arena, ctx);
    dpl__batch_init(&r->batch, ctx, &r->options);
    dpl_status status = open_input(r, input, err);
    if (status != DPL_OK) {
        dpl_reader_close(r);
        return status;
    }
    *out = r;
    return DPL_OK;
}

dpl_status dpl_reader_open(dpl_reader **out, dpl_ctx *ctx, const char *path,
                           const dpl_reader_options *options, dpl_error *err)
{
    return dpl_reader_open_input(out, ctx, &(dpl_input){.path = path}, options, err);
}

void dpl_reader_close(dpl_reader *r)
{
    if (!r)
        return;
    dpl__chunk_clear(&r->chunk, r->ctx);
    dpl__batch_clear(&r->batch);
    dpl__skips_clear(&r->skipped);
    dpl__dir_list_close(&r->members);
    if (r->mapped)
        r->ops->mapped->close(r->mapped);
    dpl__textfile_clear(&r->in);
    dpl__blocks_free(r->blocks);
    dpl__arena_clear(&r->arena);
    dpl__free(r->ctx, r);
}

void dpl__chunk_clear(dpl__chunk *chunk, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &chunk->bytes);
}

static void pass(dpl_reader *r, const char *p, size_t n)
{
    size_t n_last = 0; /* bytes behind the last line break */
    while (n_last < n && p[n - n_last - 1] != '\n')
        n_last++;
    r->n_before = n_last < n ? n_last : r->n_before + n;
    r->line += dpl__count_lines(p, n);
    r->offset += n;
}

static dpl_status read_header(dpl_reader *r, dpl_str start, dpl_error *err)
{
    r->is_header_read = true;
    if (!r->ops->begin)
        return DPL_OK;
    r->ops->begin(&r->header, start);
    if (r->header.record.data)
        r->header.record = dpl__arena_copy(&r->arena, r->header.record);
    return r->header.record.data || !r->header.record.n ? DPL_OK : dpl__fail_nomem(err);
}

static bool drops_boilerplate(const dpl_reader *r)
{
    const dpl_boilerplate b = r->options.boilerplate;
    return r->ops->has_pages &&
           (r->ops->drops_boilerplate ? b != DPL_BOILERPLATE_KEEP : b == DPL_BOILERPLATE_DROP);
}

static void note_encoding(dpl_reader *r, dpl__chunk *chunk)
{
    const dpl__guess *guess = &r->in.guess;
    if (!guess->charset.name[0])
        return;
    const unsigned number = dpl__encoding_number(guess->charset.name);
    *(guess->is_sure ? &chunk->charset : &chunk->likely) = dpl__encoding_name(number);
    if (guess->is_sure && !r->is_conversion_counted)
        r->counts.n_converted[number]++;
    r->is_conversion_counted = guess->is_sure;
}

/* Moves the first n bytes read into the chunk. The buffers change places, so only what
 * stays behind is copied. */
static dpl_status hand_over(dpl_reader *r, dpl__chunk *chunk, size_t n, dpl_error *err)
{
    dpl__bytes next = chunk->bytes;
    next.n = 0;
    if (!dpl__vec_append(r->ctx, &next, r->in.bytes.data + n, r->in.bytes.n - n) ||
        !dpl__vec_reserve(r->ctx, &r->in.bytes, DPL__PAD)) {
        chunk->bytes = next;
        return dpl__fail_nomem(err);
    }
    chunk->bytes = r->in.bytes;
    chunk->bytes.n = n;
    memset(chunk->bytes.data + n, 0, DPL__PAD);
    r->in.bytes = next;
    *chunk = (dpl__chunk){.bytes = chunk->bytes,
                          .file = r->file,
                          .line = r->line,
                          .n_before = r->n_before,
                          .offset = r->offset,
                          .is_utf16 =
                              r->in.encoding == DPL__UTF16LE || r->in.encoding == DPL__UTF16BE,
                          .is_last = r->in.is_at_end && !r->in.bytes.n};
    note_encoding(r, chunk);
    chunk->keeps_first = r->ops->keeps_first;
    const bool is_first = !r->is_header_read;
    if (is_first)
        DPL_TRY(read_header(r, (dpl_str){chunk->bytes.data, n}, err));
    chunk->header = r->header;
    chunk->header.is_here = is_first;
    chunk->header.no_boilerplate = drops_boilerplate(r);
    chunk->header.blocks = r->blocks;
    pass(r, chunk->bytes.data, n);
    return DPL_OK;
}

static void drop_head(dpl_reader *r, size_t n)
{
    pass(r, r->in.bytes.data, n);
    dpl__textfile_drop(&r->in, n);
}

static bool take_skipped(dpl_reader *r, const struct dpl_skip_list *more)
{
    for (size_t i = 0; i < more->records.n; i++)
        if (!dpl__skips_add(&r->skipped, &more->records.data[i]))
            return false;
    return true;
}

/* The policy for what lies at the head of what was read and is over the limit. */
static dpl_status reject_long(dpl_reader *r, const char *member, dpl_error *err)
{
    dpl__batch policy = {.ctx = r->ctx, .options = &r->options, .skipped = {.ctx = r->ctx}};
    dpl__chunk here = {.bytes = r->in.bytes,
                       .file = r->file,
                       .member = member,
                       .number = r->n_members_read,
                       .line = r->line,
                       .offset = r->offset,
                       .is_numbered = r->feed.source != NULL};
    dpl_status status = dpl__record_long(&policy, &here, member ? 0 : r->line, err);
    dpl__read_counts_add(&r->counts, &policy.counts);
    const bool is_ok = take_skipped(r, &policy.skipped);
    dpl__skips_clear(&policy.skipped);
    DPL_TRY(dpl__need(is_ok, err));
    return status == DPL_END ? DPL_OK : status;
}

/* The record at the head of what was read is over the limit; no boundary ends in its first
 * `looked` bytes. */
static dpl_status drop_long(dpl_reader *r, size_t looked, dpl_error *err)
{
    DPL_TRY(reject_long(r, NULL, err));
    size_t last;
    while (!(last = r->ops->cut(&r->header, (const uint8_t *)r->in.bytes.data, r->in.bytes.n,
                                looked)) &&
           !r->in.is_at_end) {
        drop_head(r, r->in.bytes.n - dpl__min(r->in.bytes.n, MOST_BOUNDARY));
        looked = 0;
        DPL_TRY(dpl__textfile_fill(&r->in, r->options.chunk, err));
    }
    /* cut finds the last boundary, the record ends at the first: before `low` there is none. */
    size_t low = last ? looked : r->in.bytes.n, first = last ? last : r->in.bytes.n;
    while (low + 1 < first) {
        size_t middle = low + (first - low) / 2;
        size_t found =
            r->ops->cut(&r->header, (const uint8_t *)r->in.bytes.data, middle, looked);
        first = found ? found : first;
        low = found ? low : middle;
    }
    drop_head(r, first);
    return DPL_OK;
}

/* Passes over a long record at the head that nobody wants; false when it is not one. */
static bool skip_unwanted(dpl_reader *r, dpl_status *status, dpl_error *err)
{
    dpl_drop drop;
    uint64_t left = r->ops->unwanted((const uint8_t *)r->in.bytes.data, r->in.bytes.n, &drop);
    if (!left)
        return false;
    r->counts.n_dropped[drop]++;
    *status = DPL_OK;
    while (*status == DPL_OK && left && (r->in.bytes.n || !r->in.is_at_end)) {
        const size_t n = (size_t)dpl__min(left, r->in.bytes.n);
        drop_head(r, n);
        left -= n;
        if (left)
            *status = dpl__textfile_fill(&r->in, r->options.chunk, err);
    }
    return true;
}

static dpl_status next_stream_chunk(dpl_reader *r, dpl__chunk *chunk, dpl_error *err)
{
    dpl_status status;
    size_t looked = 0; /* bytes in which no boundary ends */
    size_t want = r->options.chunk;
    for (;;) {
        while (!r->in.is_at_end && r->in.bytes.n < want)
            DPL_TRY(dpl__textfile_fill(&r->in, want - r->in.bytes.n, err));
        const size_t n = dpl__min(r->in.bytes.n, want);
        const bool is_last = r->in.is_at_end && n == r->in.bytes.n;
        if (is_last && n == 0)
            return DPL_END;
        size_t cut =
            is_last && n <= r->options.max_record
                ? n
                : r->ops->cut(&r->header, (const uint8_t *)r->in.bytes.data, n, looked);
        if (cut) {
            while (cut == r->in.bytes.n && !r->in.is_at_end) /* is it the last one? */
                DPL_TRY(dpl__textfile_fill(&r->in, r->options.chunk, err));
            return hand_over(r, chunk, cut, err);
        }
        if (r->ops->unwanted && skip_unwanted(r, &status, err)) {
            DPL_TRY(status);
            continue;
        }
        looked = n - dpl__min(n, MOST_BOUNDARY);
        want = dpl__min(2 * n, r->options.max_record + 1);
        if (n > r->options.max_record) {
            DPL_TRY(drop_long(r, looked, err));
            looked = 0;
            want = r->options.chunk;
        }
    }
}

/* A whole file, or more than max_record bytes of it. */
static dpl_status read_member(dpl_reader *r, const dpl__dir_member *member, dpl_error *err)
{
    dpl_status status = r->in.input ? DPL_OK : open_file(r, member->path, err);
    while (status == DPL_OK && !r->in.is_at_end && r->in.bytes.n <= r->options.max_record)
        status = dpl__textfile_fill(&r->in, r->options.chunk, err);
    if (r->in.input)
        r->counts.n_file_bytes += dpl__input_position(r->in.input);
    dpl__textfile_close(&r->in);
    return status;
}

static dpl_status next_member(dpl_reader *r, dpl__chunk *chunk, dpl_error *err)
{
    while (r->n_members_read < r->members.n) {
        const dpl__dir_member *member = &r->members.data[r->n_members_read++];
        DPL_TRY(read_member(r, member, err));
        if (r->in.bytes.n <= r->options.max_record) {
            DPL_TRY(hand_over(r, chunk, r->in.bytes.n, err));
            chunk->member = member->name;
            chunk->number = r->n_members_read;
            return DPL_OK;
        }
        DPL_TRY(reject_long(r, member->name, err));
    }
    return DPL_END;
}

static dpl_status next_source_chunk(dpl_reader *r, dpl__chunk *chunk, dpl_error *err)
{
    *chunk = (dpl__chunk){.bytes = chunk->bytes, .file = r->file, .is_numbered = true};
    dpl_status status;
    while ((status = dpl__doc_feed_chunk(&r->feed, chunk, r->ctx, &r->options, err)) ==
           DPL_E_LIMIT) {
        r->line = r->feed.n_docs;
        DPL_TRY(reject_long(r, NULL, err));
    }
    r->counts.n_file_bytes = r->counts.n_raw_bytes = r->feed.n_bytes;
    return status;
}

static dpl_status next_mapped_chunk(dpl_reader *r, dpl__chunk *chunk, dpl_error *err)
{
    *chunk =
        (dpl__chunk){.bytes = chunk->bytes,
                     .file = r->file,
                     .keeps_first = r->ops->keeps_first,
                     .header = {.no_boilerplate = drops_boilerplate(r), .blocks = r->blocks}};
    const dpl_status status = r->ops->mapped->next(r->mapped, chunk, err);
    r->counts.n_file_bytes = r->ops->mapped->position(r->mapped);
    return status;
}

/* Can the input be read a second time? */
static bool is_repeatable(const dpl_reader *r)
{
    struct stat st;
    return r->buffer.data || (r->path && strcmp(r->path, "-") != 0 && stat(r->path, &st) == 0 &&
                              (S_ISREG(st.st_mode) || S_ISDIR(st.st_mode)));
}

static dpl_status learn_from(dpl_reader *r, dpl_reader *again, dpl_error *err)
{
    dpl__chunk chunk = {0};
    dpl__batch batch;
    dpl__batch_init(&batch, r->ctx, &again->options);
    dpl_status status = DPL_OK;
    while (status == DPL_OK && !dpl__is_cancelled(r->ctx) &&
           (status = dpl__reader_chunk(again, &chunk, err)) == DPL_OK) {
        chunk.header.no_boilerplate = true;
        chunk.header.learning = r->blocks;
        dpl__batch_reset(&batch);
        status = dpl__reader_parse(again, &batch, &chunk, err);
    }
    dpl__batch_clear(&batch);
    dpl__chunk_clear(&chunk, r->ctx);
    /* what else is wrong with the input comes up again when it is read */
    return status == DPL_E_NOMEM ? status : DPL_OK;
}

/* Before the first chunk: reads the input once to learn which lines of its pages come again. */
static dpl_status learn_blocks(dpl_reader *r, dpl_error *err)
{
    r->is_learnt = true;
    if (!drops_boilerplate(r) || !is_repeatable(r))
        return DPL_OK;
    dpl_reader_options o = r->options;
    o.boilerplate = DPL_BOILERPLATE_KEEP;
    o.on_error = DPL_ON_ERROR_SKIP;
    const dpl_input input = {
        .path = r->buffer.data ? NULL : r->path, .buffer = r->buffer, .name = r->file};
    dpl_reader *again = NULL;
    r->blocks = dpl__blocks_new(r->ctx);
    DPL_TRY(dpl__need(r->blocks, err));
    dpl_status status;
    DPL__STEP(dpl_reader_open_input(&again, r->ctx, &input, &o, err));
    status = learn_from(r, again, err);
done:
    dpl_reader_close(again);
    return status;
}

dpl_status dpl__reader_chunk(dpl_reader *r, dpl__chunk *chunk, dpl_error *err)
{
    if (!r->is_learnt)
        DPL_TRY(learn_blocks(r, err));
    if (r->feed.source)
        return next_source_chunk(r, chunk, err);
    if (r->mapped)
        return next_mapped_chunk(r, chunk, err);
    bool is_dir = !r->ops->cut;
    dpl_status status = is_dir ? next_member(r, chunk, err) : next_stream_chunk(r, chunk, err);
    if (!is_dir)
        r->counts.n_file_bytes = dpl__input_position(r->in.input);
    r->counts.n_raw_bytes = r->in.n_raw_bytes;
    return status;
}

dpl_status dpl__reader_parse(const dpl_reader *r, dpl__batch *batch, dpl__chunk *chunk,
                             dpl_error *err)
{
    return r->ops->parse(batch, chunk, err);
}

const dpl_reader_options *dpl__reader_options(const dpl_reader *r)
{
    return &r->options;
}

uint64_t dpl__reader_size(const dpl_reader *r)
{
    if (r->mapped)
        return r->ops->mapped->size(r->mapped);
    return r->in.input ? dpl__input_size(r->in.input) : r->members.n_bytes;
}

/* ---- one document at a time --------------------------------------------------------- */

dpl_status dpl_reader_next(dpl_reader *r, dpl_doc *doc, dpl_error *err)
{
    assert(r->n_given <= r->batch.docs.n);
    while (r->n_given == r->batch.docs.n) {
        if (r->status != DPL_OK) { /* after the documents in front of it, and for good */
            if (err && r->status != DPL_END)
                *err = r->fault;
            return r->status;
        }
        dpl__batch_reset(&r->batch);
        r->n_given = 0;
        r->status = dpl__reader_chunk(r, &r->chunk, &r->fault);
        if (r->status != DPL_OK)
            continue;
        r->status = dpl__reader_parse(r, &r->batch, &r->chunk, &r->fault);
        dpl__read_counts_add(&r->counts, &r->batch.counts);
        if (!take_skipped(r, &r->batch.skipped) && r->status == DPL_OK)
            r->status = dpl__fail_nomem(&r->fault);
    }
    *doc = r->batch.docs.data[r->n_given++];
    return DPL_OK;
}

const dpl_read_counts *dpl_reader_counts(const dpl_reader *r)
{
    return &r->counts;
}

const dpl_skip_list *dpl_reader_skipped(const dpl_reader *r)
{
    return &r->skipped;
}
