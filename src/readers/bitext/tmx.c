/*
 * tmx.c - translation memories (TMX 1.1 to 1.4b): two variants of each unit become a row.
 *
 *     <tu><tuv xml:lang="de-DE"><seg>Hallo <bpt i="1">&lt;b></bpt>Welt</seg></tuv>
 *         <tuv xml:lang="en"><seg>Hello world</seg></tuv></tu>
 *
 * The file streams through Expat, which stops behind each unit. Of a unit, the first variant
 * that fits the left language and the first other one that fits the right language count;
 * units without both are counted. Inside of a segment, what stands in <bpt>, <ept>, <ph>, <it>
 * and <ut> is markup of the original format and left out; <sub> in them is text again, with
 * blanks around it, and so is <hi>.
 *
 * After an error Expat cannot go on. To skip one, a new parser starts at the next "<tu" as if
 * nothing had been before. Entities of an internal DTD are read, within Expat's limits on what
 * they may grow to; no external entity is ever fetched, and one that is referred to is an
 * error. Names that HTML knows ("&nbsp;") are understood where a DTD is missing.
 *
 * Cost: Expat's, and one copy of the text. Expat's own memory is not the context's: its
 * allocator functions have no place for one.
 */
#include "readers/bitext/bitext.h"

#include "base/ctx.h"
#include "kernels/kernels.h"
#include "readers/html/html_names.h"
#include "readers/reader.h"
#include "unicode/charset.h"
#include "unicode/unicode.h"

#include <expat.h>

enum { FIRST_STEP = 512, N_TAGS = 16, LOOK_AT = 1024, LEAST_TOKEN = 1 << 16 };

static const char PREFIX[] = "<tmx><body>"; /* what a parser that starts anew sees before */

/* A language tag seen before, and which sides it fits. */
typedef struct tag {
    char name[24];
    bool fits[2];
} tag;

/* The unit at hand. */
typedef struct unit {
    unsigned depth; /* of its element; 0: outside */
    dpl__place place;
    dpl__bytes text[2];
    bool has[2];
    int side;               /* of the variant at hand; -1: none that counts */
    unsigned segment_depth; /* 0: outside */
    bool is_kept;           /* text, not markup */
    dpl__bytes kept;        /* is_kept outside of each element of the segment */
    bool is_long;
    char entity[40]; /* the first one that nobody knows; "" */
    bool is_ready;   /* complete and waiting to be given */
} unit;

typedef struct tmx {
    dpl__rows *rows;
    dpl__textfile *file;
    XML_Parser parser;
    dpl__charset charset; /* other than Unicode */
    size_t head;          /* in the file's bytes: what is before has been dealt with */
    size_t fed;           /* likewise: what is before was given to the parser */
    size_t checked;       /* likewise: what is before was made UTF-8 (REPLACE) */
    size_t step;          /* bytes to give at most */
    XML_Index index;      /* that the head has for the parser */
    dpl__place place;     /* of the head */
    unsigned depth;       /* of elements */
    bool is_suspended;    /* there is more in the parser */
    bool is_final;        /* it was given the end of the file */
    bool is_over;         /* the first element has ended */
    bool is_out_of_memory, is_external, is_other;
    unit unit;
    tag tags[N_TAGS];
    unsigned n_tags;
} tmx;

static void move_head(tmx *t, size_t n)
{
    const char *p = t->file->bytes.data + t->head, *end = p + n;
    t->head += n;
    t->place.offset += n;
    for (const char *line; p < end && (line = memchr(p, '\n', (size_t)(end - p)));
         p = line + 1) {
        t->place.line++;
        t->place.column = 1;
    }
    t->place.column += (uint64_t)(end - p);
}

/* Moves the head to where the parser is. */
static void settle(tmx *t)
{
    const XML_Index index = XML_GetCurrentByteIndex(t->parser);
    if (index <= t->index || t->is_over)
        return;
    const size_t n = dpl__min((size_t)(index - t->index), t->fed - t->head);
    t->index += (XML_Index)n;
    move_head(t, n);
}

/* Moves the head behind </tmx> and leaves it there: where Expat sees what should not follow
 * depends on what it has read so far. */
static void settle_at_end(tmx *t)
{
    settle(t);
    const int n = XML_GetCurrentByteCount(t->parser);
    move_head(t, dpl__min((size_t)n, t->fed - t->head));
    t->is_over = true;
}

static void out_of_memory(tmx *t)
{
    t->is_out_of_memory = true;
    XML_StopParser(t->parser, XML_FALSE);
}

/* ---- what Expat reports ------------------------------------------------------------- */

/* Which sides the tag fits, cached: finding out is slow, and files have few tags. */
static tag look_up(tmx *t, const char *name)
{
    for (unsigned i = 0; i < t->n_tags; i++)
        if (strcmp(t->tags[i].name, name) == 0)
            return t->tags[i];
    tag new = {.fits = {dpl__lang_fits(t->rows->options.left_lang, dpl__cstr(name)),
                        dpl__lang_fits(t->rows->options.right_lang, dpl__cstr(name))}};
    size_t n = strlen(name);
    if (n < sizeof new.name && t->n_tags < N_TAGS) {
        memcpy(new.name, name, n + 1);
        t->tags[t->n_tags++] = new;
    }
    return new;
}

static int side_of(tmx *t, const XML_Char **attributes)
{
    const char *name = NULL;
    for (; *attributes; attributes += 2)
        if (strcmp(*attributes, "xml:lang") == 0 || (!name && strcmp(*attributes, "lang") == 0))
            name = attributes[1];
    if (!name)
        return -1;
    const tag found = look_up(t, name);
    for (int side = 0; side < 2; side++)
        if (found.fits[side] && !t->unit.has[side])
            return side;
    return -1;
}

static void add_text(tmx *t, const char *text, size_t n)
{
    unit *u = &t->unit;
    if (!u->segment_depth || !u->is_kept || u->side < 0 || u->is_long)
        return;
    if (u->text[0].n + u->text[1].n + n > t->rows->options.max_record)
        u->is_long = true;
    else if (!dpl__vec_append(t->rows->ctx, &u->text[u->side], text, n))
        out_of_memory(t);
}

static void begin_unit(tmx *t)
{
    unit *u = &t->unit;
    settle(t);
    u->depth = t->depth;
    u->place = t->place;
    u->place.column = 0;
    u->text[0].n = u->text[1].n = 0;
    u->has[0] = u->has[1] = u->is_long = u->is_ready = false;
    u->side = -1;
    u->segment_depth = 0;
    u->entity[0] = '\0';
}

static void begin_inline(tmx *t, const char *name)
{
    static const char *const markup[] = {"bpt", "ept", "ph", "it", "ut"};
    unit *u = &t->unit;
    if (!dpl__vec_push(t->rows->ctx, &u->kept, u->is_kept)) {
        out_of_memory(t);
        return;
    }
    for (size_t i = 0; i < DPL_LEN(markup); i++)
        if (strcmp(name, markup[i]) == 0)
            u->is_kept = false;
    if (strcmp(name, "sub") == 0) {
        u->is_kept = true;
        add_text(t, " ", 1);
    }
}

static void on_start(void *user, const XML_Char *name, const XML_Char **attributes)
{
    tmx *t = user;
    unit *u = &t->unit;
    if (++t->depth == 1 && strcmp(name, "tmx") != 0) {
        t->is_other = true;
        XML_StopParser(t->parser, XML_FALSE);
    } else if (u->segment_depth) {
        begin_inline(t, name);
    } else if (!u->depth) {
        if (strcmp(name, "tu") == 0)
            begin_unit(t);
    } else if (t->depth == u->depth + 1 && strcmp(name, "tuv") == 0) {
        u->side = side_of(t, attributes);
        if (u->side >= 0)
            u->has[u->side] = true;
    } else if (t->depth == u->depth + 2 && strcmp(name, "seg") == 0) {
        u->segment_depth = t->depth;
        u->is_kept = true;
        u->kept.n = 0;
    }
}

static void end_unit(tmx *t)
{
    unit *u = &t->unit;
    u->depth = 0;
    if (!u->has[0] || !u->has[1]) {
        t->rows->counts.n_alone++;
        return;
    }
    u->is_ready = true;
    XML_StopParser(t->parser, XML_TRUE);
}

static void on_end(void *user, const XML_Char *name)
{
    tmx *t = user;
    unit *u = &t->unit;
    const unsigned depth = t->depth--;
    if (t->is_out_of_memory) /* the end of an empty element comes in any case */
        return;
    if (u->segment_depth && depth > u->segment_depth) {
        if (strcmp(name, "sub") == 0)
            add_text(t, " ", 1);
        u->is_kept = u->kept.data[--u->kept.n];
    } else if (u->segment_depth) {
        u->segment_depth = 0;
    } else if (u->depth && depth == u->depth + 1) {
        u->side = -1;
    } else if (u->depth && depth == u->depth) {
        end_unit(t);
    } else if (depth == 1) {
        settle_at_end(t);
    }
}

static void on_text(void *user, const XML_Char *text, int n)
{
    add_text(user, text, (size_t)n);
}

/* A name that the DTD may declare, which is not read. */
static void on_skipped(void *user, const XML_Char *name, int is_parameter)
{
    tmx *t = user;
    unit *u = &t->unit;
    if (is_parameter || !u->segment_depth || !u->is_kept || u->side < 0)
        return;
    char text[48], utf8[4];
    size_t n = strlen(name);
    uint32_t c;
    if (n + 3 <= sizeof text) {
        text[0] = '&';
        memcpy(text + 1, name, n);
        memcpy(text + 1 + n, ";", 2);
        if (dpl__html_entity((dpl_str){text, n + 2}, &c) == n + 2) {
            add_text(t, utf8, dpl__utf8_encode(utf8, c));
            return;
        }
    }
    n = dpl__min(n, sizeof u->entity - 1);
    if (!u->entity[0]) {
        memcpy(u->entity, name, n);
        u->entity[n] = '\0';
    }
}

static int on_external(XML_Parser parser, const XML_Char *context, const XML_Char *base,
                       const XML_Char *system_id, const XML_Char *public_id)
{
    (void)context, (void)base, (void)system_id, (void)public_id;
    tmx *t = XML_GetUserData(parser);
    t->is_external = true;
    return XML_STATUS_ERROR;
}

/* Encodings of one byte for a character. */
static int on_encoding(void *user, const XML_Char *name, XML_Encoding *info)
{
    (void)user;
    info->data = NULL;
    info->convert = NULL;
    info->release = NULL;
    return dpl__charset_map(info->map, name) ? XML_STATUS_OK : XML_STATUS_ERROR;
}

/* ---- feeding it --------------------------------------------------------------------- */

static void set_handlers(tmx *t)
{
    XML_SetUserData(t->parser, t);
    XML_SetElementHandler(t->parser, on_start, on_end);
    XML_SetCharacterDataHandler(t->parser, on_text);
    XML_SetSkippedEntityHandler(t->parser, on_skipped);
    XML_SetExternalEntityRefHandler(t->parser, on_external);
    XML_SetUnknownEncodingHandler(t->parser, on_encoding, NULL);
}

/* NULL: Expat finds out. */
static const char *encoding_of(const tmx *t)
{
    return t->file->n_mark ? "UTF-8" : t->charset.name[0] ? t->charset.name : NULL;
}

/* Bytes at the end of p[0, n) that may be the beginning of a character. */
static size_t unfinished(const char *p, size_t n)
{
    for (size_t i = 1; i <= 3 && i <= n; i++) {
        const unsigned char c = (unsigned char)p[n - i];
        if (c >= 0xC0)
            return (c >= 0xF0 ? 4u : c >= 0xE0 ? 3u : 2u) > i ? i : 0;
        if (c < 0x80)
            return 0;
    }
    return 0;
}

/* Makes what was read valid UTF-8, as far as it is complete (REPLACE). */
static dpl_status replace_invalid(tmx *t, dpl_error *err)
{
    dpl__bytes *b = &t->file->bytes;
    const size_t n_tail =
        t->file->is_at_end ? 0 : unfinished(b->data + t->checked, b->n - t->checked);
    const size_t end = b->n - n_tail;
    dpl_str text = {b->data + t->checked, end - t->checked};
    uint64_t n_replaced;
    DPL_TRY(dpl__utf8_replace(&text, &t->rows->arena, &n_replaced, err));
    t->rows->counts.n_replaced += n_replaced;
    if (n_replaced) {
        char tail[4] = {0};
        memcpy(tail, b->data + end, n_tail);
        b->n = t->checked;
        DPL_TRY(dpl__need(dpl__vec_append(t->rows->ctx, b, text.data, text.n) &&
                              dpl__vec_append(t->rows->ctx, b, tail, n_tail),
                          err));
    }
    t->checked = b->n - n_tail;
    return DPL_OK;
}

/* More bytes behind those that were fed, unless the file ends. */
static dpl_status read_on(tmx *t, dpl_error *err)
{
    dpl__textfile_drop(t->file, t->head);
    t->fed -= t->head;
    t->checked -= dpl__min(t->checked, t->head);
    t->head = 0;
    return dpl__textfile_fill(t->file, t->rows->chunk, err);
}

/* Where what may be given to the parser ends. */
static dpl_status make_ready(tmx *t, size_t *end, dpl_error *err)
{
    const bool is_mended =
        t->rows->options.on_error == DPL_ON_ERROR_REPLACE && !t->charset.name[0];
    for (;;) {
        if (is_mended)
            DPL_TRY(replace_invalid(t, err));
        *end = is_mended ? t->checked : t->file->bytes.n;
        if (*end > t->fed || t->file->is_at_end)
            return DPL_OK;
        DPL_TRY(read_on(t, err));
    }
}

static enum XML_Status parse(tmx *t, size_t end)
{
    const size_t n = dpl__min(end - t->fed, t->step);
    t->is_final = t->file->is_at_end && t->fed + n == t->file->bytes.n;
    const size_t from = t->fed;
    t->fed += n;
    t->step = dpl__min(2 * t->step, INT32_MAX / 4);
    return XML_Parse(t->parser, n ? t->file->bytes.data + from : "", (int)n, t->is_final);
}

/* ---- errors ------------------------------------------------------------------------- */

static dpl_status restart(tmx *t, dpl_error *err)
{
    t->index = sizeof PREFIX - 1;
    t->fed = t->head;
    t->step = FIRST_STEP;
    t->depth = t->unit.depth = t->unit.segment_depth = 0;
    t->is_suspended = t->is_final = t->is_over = t->is_external = false;
    XML_ParserReset(t->parser, encoding_of(t));
    set_handlers(t);
    return dpl__need(
        XML_Parse(t->parser, PREFIX, sizeof PREFIX - 1, XML_FALSE) == XML_STATUS_OK, err);
}

static bool is_unit(const char *p)
{
    return memcmp(p, "<tu", 3) == 0 && (p[3] == '>' || (unsigned char)p[3] <= ' ');
}

/* Moves the head from an error to the next "<tu" behind it; DPL_END when there is none. */
static dpl_status find_unit(tmx *t, dpl_error *err)
{
    const dpl__bytes *b = &t->file->bytes;
    if (!t->is_over && t->head < b->n)
        move_head(t, 1);
    for (;;) {
        const char *p = b->data + t->head, *end = b->data + b->n;
        while (end - p >= 4 && !is_unit(p)) {
            p = memchr(p + 1, '<', (size_t)(end - p - 1));
            p = p ? p : end;
        }
        const bool is_found = end - p >= 4;
        move_head(t, (size_t)(p - b->data) - t->head);
        t->fed = t->head;
        if (is_found || t->file->is_at_end)
            return is_found ? DPL_OK : DPL_END;
        DPL_TRY(read_on(t, err));
    }
}

/* Whether what stands at the head is no UTF-8. */
static dpl_status is_ill_formed(tmx *t, bool *out, dpl_error *err)
{
    const dpl__bytes *b = &t->file->bytes;
    while (b->n - t->head < 4 && !t->file->is_at_end)
        DPL_TRY(read_on(t, err));
    uint8_t most;
    *out = !t->charset.name[0] && b->n > t->head &&
           t->rows->ctx->kernels->utf8_prefix((const uint8_t *)b->data + t->head,
                                              dpl__min(b->n - t->head, 4), &most) == 0;
    return DPL_OK;
}

/* Applies the policy for bad rows to an error of the parser at the head. */
static dpl_status malformed(tmx *t, enum XML_Error code, dpl_error *err)
{
    bool is_bad_utf8 = false;
    if (code == XML_ERROR_INVALID_TOKEN && t->rows->options.on_error != DPL_ON_ERROR_REPLACE)
        DPL_TRY(is_ill_formed(t, &is_bad_utf8, err));
    if (is_bad_utf8)
        return dpl__rows_utf8(t->rows, &(dpl_str){t->file->bytes.data + t->head, 1}, &t->place,
                              err);
    if (t->is_external)
        return dpl__rows_bad(t->rows, &t->place, err,
                             "an external entity, which is never fetched,");
    return dpl__rows_bad(t->rows, &t->place, err, "malformed XML: %s", XML_ErrorString(code));
}

/* Continues behind an error if the policy allows it; DPL_END when nothing is left. */
static dpl_status recover(tmx *t, dpl_status status, dpl_error *err)
{
    if (status != DPL_END)
        return status;
    DPL_TRY(find_unit(t, err));
    return restart(t, err);
}

static dpl_status fault(tmx *t, dpl_error *err)
{
    const enum XML_Error code = XML_GetErrorCode(t->parser);
    const char *name = t->place.file;
    if (t->is_out_of_memory || code == XML_ERROR_NO_MEMORY)
        return dpl__fail_nomem(err);
    if (t->is_other)
        return dpl__fail(err, DPL_E_FORMAT,
                         "'%s' is no TMX file: its first element is not <tmx>", name);
    if (code == XML_ERROR_UNKNOWN_ENCODING || code == XML_ERROR_INCORRECT_ENCODING)
        return dpl__fail_code(err, DPL_E_FORMAT, "xml-encoding",
                              "'%s': an encoding that cannot be read", name);
    return recover(t, malformed(t, code, err), err);
}

/* ---- rows --------------------------------------------------------------------------- */

/* Goes on until a unit is ready or what was fed is used up; DPL_END at the end of the file. */
static dpl_status advance(tmx *t, dpl_error *err)
{
    enum XML_Status status;
    if (t->is_suspended) {
        status = XML_ResumeParser(t->parser);
    } else if (t->is_final) {
        return DPL_END;
    } else {
        size_t end;
        DPL_TRY(make_ready(t, &end, err));
        status = parse(t, end);
    }
    t->is_suspended = status == XML_STATUS_SUSPENDED;
    settle(t);
    if (status == XML_STATUS_ERROR)
        return fault(t, err);
    /* a tag or comment without end; how much of it Expat leaves for later is its own business
     */
    if (!t->is_suspended && t->fed - t->head > 2 * t->rows->options.max_record + LEAST_TOKEN)
        return recover(t, dpl__rows_long(t->rows, &t->place, err), err);
    return DPL_OK;
}

static dpl_status give(tmx *t, dpl_bitext_row *row, dpl_error *err)
{
    unit *u = &t->unit;
    u->is_ready = false;
    if (u->is_long)
        return dpl__rows_long(t->rows, &u->place, err);
    if (u->entity[0])
        return dpl__rows_bad(t->rows, &u->place, err, "unknown entity '&%s;'", u->entity);
    *row = (dpl_bitext_row){{u->text[0].data, u->text[0].n}, {u->text[1].data, u->text[1].n}};
    DPL_TRY(dpl__rows_side(t->rows, &row->left, &u->place, err));
    return dpl__rows_side(t->rows, &row->right, &u->place, err);
}

static dpl_status next_unit(void *state, dpl_bitext_row *row, dpl_error *err)
{
    tmx *t = state;
    dpl_status status;
    do {
        dpl__arena_reset(&t->rows->arena);
        while (!t->unit.is_ready)
            DPL_TRY(advance(t, err));
        status = give(t, row, err);
    } while (status == DPL_END);
    return status;
}

static dpl_status check(const dpl_bitext_options *o, dpl_error *err)
{
    if (o->left_lang && o->right_lang)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "bitext-languages",
                          "a TMX file may hold many languages: which two?");
}

static void close_tmx(void *state)
{
    tmx *t = state;
    dpl_ctx *ctx = t->rows->ctx;
    dpl__vec_clear(ctx, &t->unit.kept, &t->unit.text[0], &t->unit.text[1]);
    XML_ParserFree(t->parser);
    dpl__free(ctx, t);
}

/* The encoding that the XML declaration names. */
static dpl_status declared(dpl__charset *out, dpl__textfile *file, size_t chunk, dpl_error *err)
{
    const dpl__bytes *b = &file->bytes;
    const char *end = NULL;
    while (!(end = b->n ? memchr(b->data, '>', b->n) : NULL) && b->n < LOOK_AT &&
           !file->is_at_end)
        DPL_TRY(dpl__textfile_fill(file, chunk, err));
    *out = file->n_mark || !end
               ? (dpl__charset){0}
               : dpl__charset_declared((dpl_str){b->data, (size_t)(end - b->data) + 1});
    return DPL_OK;
}

static dpl_status open_tmx(void **state, dpl__rows *rows, dpl__textfile *const *files,
                           dpl_error *err)
{
    tmx *t = dpl__calloc(rows->ctx, 1, sizeof *t);
    DPL_TRY(dpl__need(t, err));
    t->rows = rows;
    t->file = files[0];
    t->step = FIRST_STEP;
    t->place = (dpl__place){.file = dpl__input_name(t->file->input),
                            .line = 1,
                            .column = 1,
                            .offset = t->file->n_mark,
                            .is_utf16 = t->file->encoding != DPL__UTF8};
    dpl_status status;
    DPL__STEP(declared(&t->charset, t->file, rows->chunk, err));
    t->parser = XML_ParserCreate(encoding_of(t));
    status = dpl__need(t->parser, err);
done:
    if (status != DPL_OK) {
        close_tmx(t);
        return status;
    }
    set_handlers(t);
    *state = t;
    return DPL_OK;
}

const dpl__bitext_ops dpl__bitext_tmx = {
    .n_files = 1, .check = check, .open = open_tmx, .next = next_unit, .close = close_tmx};
