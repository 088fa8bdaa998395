/*
 * text_parts.c - lines and paragraphs that recur in a collection, removed.
 *
 * First pass: a fingerprint of 64 bits of each part, a hash of its words (case and punctuation
 * do not count), goes to a spool in the order of the text; parts of few words have none. The
 * fingerprints are then counted in slices, each of them the part of all fingerprints that fits
 * into a quarter of the memory with its positions, sorted: that marks in a bitmap, one bit for
 * each part of the collection, what is to be removed. Second pass: documents are read again and
 * written without their marked parts. Cost: two readings, one of them with words; 8 bytes of
 * disk and a bit of memory for each part.
 */
#include "dedup/text_parts.h"

#include "base/ascii.h"
#include "base/base64.h"
#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"
#include "dedup/dedup_run.h"
#include "dedup/kept.h"
#include "dedup/pack.h"
#include "io/spill.h"
#include "io/text_output.h"
#include "readers/json_parser.h"

#include <stdio.h>
#include <stdlib.h>

enum { SOME_KEYS = 1 << 13, MOST_LISTED = 10000, MOST_LISTED_BYTES = 1000 };
static const uint64_t NO_KEY = 0;

/* ---- parts of a text ---------------------------------------------------------------- */

static size_t line_end(dpl_str text, size_t at)
{
    const char *end = memchr(text.data + at, '\n', text.n - at);
    return end ? (size_t)(end + 1 - text.data) : text.n;
}

static bool is_blank(dpl_str text, size_t begin, size_t end)
{
    while (begin < end && strchr(" \t\r\n", text.data[begin]) && text.data[begin])
        begin++;
    return begin == end;
}

static bool has_empty_line(dpl_str text)
{
    for (size_t at = 0, end; at < text.n; at = end) {
        end = line_end(text, at);
        if (end < text.n && is_blank(text, at, end))
            return true;
    }
    return false;
}

bool dpl__part_next(dpl__part_walk *w, dpl__part *part)
{
    if (w->at == 0)
        w->is_by_line = w->unit == DPL_DEDUP_LINE || !has_empty_line(w->text);
    if (w->at >= w->text.n)
        return false;
    *part = (dpl__part){w->at, line_end(w->text, w->at)};
    while (!w->is_by_line && part->end < w->text.n &&
           !is_blank(w->text, part->begin, part->end)) {
        const size_t next = line_end(w->text, part->end);
        const bool is_gap = is_blank(w->text, part->end, next);
        part->end = next;
        if (is_gap)
            break;
    }
    while (!w->is_by_line && part->end < w->text.n) { /* more empty lines */
        const size_t next = line_end(w->text, part->end);
        if (!is_blank(w->text, part->end, next))
            break;
        part->end = next;
    }
    w->at = part->end;
    return true;
}

/* ---- first pass: fingerprints -------------------------------------------------------- */

typedef struct removal {
    dpl_ctx *ctx;
    dpl_dedup_result *r;
    dpl__spill spill;
    dpl__spool keys;     /* of all parts, in order */
    size_t input;        /* that is read */
    dpl_tokens **tokens; /* of each thread */
    uint64_t n_parts;
    DPL_VEC(uint64_t) chunk_first; /* number of the first part of each chunk */
    size_t chunk;                  /* in the second pass */
    uint64_t *marks;               /* bits of parts to be removed */
    /* Removed parts to be listed: the most frequent ones. */
    struct listed {
        uint64_t count, first; /* its first part */
        char *text;
        size_t n_text;
    } * listed;
    size_t n_listed;
    size_t next_listed;
    /* Where the second pass writes. */
    dpl__kept_file file;
    dpl_output *output;
    bool has_written;
} removal;

/* The keys of a document's parts, behind those that are there. */
static dpl_status fingerprint(removal *m, dpl__pass_slot *slot, const dpl_doc *doc,
                              dpl_tokens *tokens, dpl_error *err)
{
    dpl__part_walk walk = {.unit = m->r->o.unit, .text = doc->text};
    dpl__part part;
    dpl_token token;
    char lang[16] = "";
    memcpy(lang, doc->lang.data, dpl__min(doc->lang.n, sizeof lang - 1));
    DPL_TRY(dpl_tokens_start(tokens, doc->text, lang, err));
    dpl_status status = dpl_tokens_next(tokens, &token, err);
    while (dpl__part_next(&walk, &part)) {
        uint64_t h = 0;
        unsigned n = 0;
        for (; status == DPL_OK && token.begin < part.end; n++) {
            h = dpl__mum(h ^ DPL__K1, dpl__hash(token.term.data, token.term.n, 0) ^ DPL__K2);
            status = dpl_tokens_next(tokens, &token, err);
        }
        if (status != DPL_OK && status != DPL_END)
            return status;
        h = n < m->r->o.min_words ? NO_KEY : dpl__mix(h) | 1;
        DPL_TRY(dpl__need(dpl__vec_push(m->ctx, &slot->keys, h), err));
    }
    return DPL_OK;
}

static dpl_status map_keys(void *user, dpl__pass_slot *slot, unsigned worker, dpl_error *err)
{
    removal *m = user;
    for (size_t i = 0; i < slot->batch.docs.n; i++)
        DPL_TRY(fingerprint(m, slot, &slot->batch.docs.data[i], m->tokens[worker], err));
    return DPL_OK;
}

static dpl_status take_keys(void *user, dpl__pass_slot *slot, dpl_error *err)
{
    removal *m = user;
    dpl__read_counts_add(&m->r->read, &slot->batch.counts);
    DPL_TRY(dpl__need(dpl__skips_take(&m->r->skipped, &slot->batch.skipped,
                                      dpl_input_name(&m->r->in.data[m->input]),
                                      (uint32_t)m->input, &slot->batch.counts),
                      err));
    m->r->s.n_docs += slot->batch.docs.n;
    for (size_t i = 0; i < slot->batch.docs.n; i++)
        m->r->s.n_bytes += slot->batch.docs.data[i].text.n;
    DPL_TRY(dpl__need(dpl__vec_push(m->ctx, &m->chunk_first, m->n_parts), err));
    m->n_parts += slot->keys.n;
    return slot->keys.n ? dpl__spool_append(&m->keys, slot->keys.data,
                                            slot->keys.n * sizeof(uint64_t), err)
                        : DPL_OK;
}

/* ---- counting ------------------------------------------------------------------------ */

typedef struct placed {
    uint64_t key, place;
} placed;

DPL__ORDER(by_key, placed, DPL__RISING(key) DPL__RISING(place))

DPL__ORDER(by_count, struct listed, DPL__FALLING(count) DPL__RISING(first))

DPL__ORDER(by_first, struct listed, DPL__RISING(first))

/* Keeps the most frequent ones of twice as many as are listed. */
static void list(removal *m, uint64_t count, uint64_t first)
{
    m->listed[m->n_listed++] = (struct listed){.count = count, .first = first};
    if (m->n_listed == 2 * MOST_LISTED) {
        qsort(m->listed, m->n_listed, sizeof *m->listed, by_count);
        m->n_listed = MOST_LISTED;
    }
}

/* All places of one key, rising. */
static void mark(removal *m, const placed *group, size_t n)
{
    if (n < m->r->o.min_count)
        return;
    const size_t first = m->r->o.drop_first ? 0 : 1;
    for (size_t i = first; i < n; i++)
        m->marks[group[i].place / 64] |= (uint64_t)1 << group[i].place % 64;
    m->r->s.n_parts_removed += n - first;
    m->r->s.n_distinct++;
    list(m, n, group[0].place);
}

/* Fingerprints of one slice. */
static dpl_status count_slice(removal *m, placed *room, size_t slice, size_t n_slices,
                              uint64_t *some, dpl_error *err)
{
    size_t n = 0;
    for (uint64_t at = 0; at < m->n_parts; at += SOME_KEYS) {
        const size_t got = (size_t)dpl__min(SOME_KEYS, m->n_parts - at);
        DPL_TRY(dpl__spool_read(&m->keys, at * sizeof *some, some, got * sizeof *some, err));
        for (size_t i = 0; i < got; i++)
            if (some[i] != NO_KEY && (some[i] >> 32) % n_slices == slice)
                room[n++] = (placed){some[i], at + i};
    }
    if (n)
        qsort(room, n, sizeof *room, by_key);
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && room[end].key == room[i].key;)
            end++;
        mark(m, room + i, end - i);
    }
    return DPL_OK;
}

/* How many fingerprints each slice has at the most. */
static dpl_status largest_slice(size_t *out, removal *m, size_t n_slices, uint64_t *some,
                                dpl_error *err)
{
    size_t *sizes = dpl__calloc(m->ctx, n_slices, sizeof *sizes);
    dpl_status status = dpl__need(sizes, err);
    for (uint64_t at = 0; status == DPL_OK && at < m->n_parts; at += SOME_KEYS) {
        const size_t got = (size_t)dpl__min(SOME_KEYS, m->n_parts - at);
        status = dpl__spool_read(&m->keys, at * sizeof *some, some, got * sizeof *some, err);
        for (size_t i = 0; status == DPL_OK && i < got; i++)
            sizes[(some[i] >> 32) % n_slices] += some[i] != NO_KEY;
    }
    *out = 1;
    for (size_t i = 0; status == DPL_OK && i < n_slices; i++)
        *out = dpl__max(*out, sizes[i]);
    dpl__free(m->ctx, sizes);
    return status;
}

static dpl_status count_slices(removal *m, size_t n_slices, uint64_t *some, dpl_error *err)
{
    size_t n_room = 0;
    DPL_TRY(largest_slice(&n_room, m, n_slices, some, err));
    placed *room = dpl__alloc(m->ctx, n_room * sizeof *room);
    dpl_status status;
    DPL__STEP(dpl__need(room, err));
    for (size_t i = 0; i < n_slices; i++) {
        const dpl_progress p = {"count", "slices", i, n_slices};
        DPL__STEP(dpl__progress(m->ctx, &p, err));
        DPL__STEP(count_slice(m, room, i, n_slices, some, err));
    }
done:
    dpl__free(m->ctx, room);
    return status;
}

static dpl_status count_all(removal *m, dpl_error *err)
{
    const size_t n_slices =
        1 + (size_t)(m->n_parts * sizeof(placed) / (m->ctx->memory / 4 + 1));
    uint64_t *some = dpl__alloc(m->ctx, SOME_KEYS * sizeof *some);
    m->marks = dpl__calloc(m->ctx, (size_t)(m->n_parts / 64) + 1, sizeof *m->marks);
    m->listed = dpl__calloc(m->ctx, 2 * MOST_LISTED, sizeof *m->listed);
    dpl_status status = some && m->marks && m->listed ? count_slices(m, n_slices, some, err)
                                                      : dpl__fail_nomem(err);
    dpl__free(m->ctx, some);
    DPL_TRY(status);
    qsort(m->listed, m->n_listed, sizeof *m->listed, by_count);
    m->n_listed = dpl__min(m->n_listed, MOST_LISTED);
    qsort(m->listed, m->n_listed, sizeof *m->listed, by_first);
    return DPL_OK;
}

/* ---- second pass: documents without the marked parts ---------------------------------- */

static bool is_marked(const removal *m, uint64_t part)
{
    return m->marks[part / 64] >> part % 64 & 1;
}

/* Line i of JSON with another text: every other byte as it was. */
static dpl_status put_json_line(removal *m, dpl__bytes *out, dpl__batch *batch, dpl_str line,
                                dpl_str text, dpl_error *err)
{
    const dpl_str text_key = dpl__cstr(batch->options->text_key);
    dpl__json j = dpl__json_begin(m->ctx, line);
    size_t from = 0;
    bool has_room = true;
    dpl_str key, raw;
    dpl_status status = dpl__json_open(&j, '{');
    while (status == DPL_OK && (status = dpl__json_member(&j, &batch->arena, &key)) == DPL_OK) {
        const bool is_text = dpl__str_eq(key, text_key);
        (void)dpl__json_peek(&j);
        status = dpl__json_skip(&j, &raw);
        if (!is_text || status != DPL_OK)
            continue;
        const size_t begin = (size_t)(raw.data - line.data);
        has_room = has_room && dpl__vec_append(m->ctx, out, line.data + from, begin - from) &&
                   dpl__json_escape(m->ctx, out, text);
        from = begin + raw.n;
    }
    has_room = has_room && dpl__vec_append(m->ctx, out, line.data + from, line.n - from);
    return dpl__need(has_room, err);
}

static bool put_base64(dpl_ctx *ctx, dpl__bytes *out, dpl_str s)
{
    if (!dpl__vec_reserve(ctx, out, (s.n + 2) / 3 * 4))
        return false;
    out->n += dpl__base64_encode(out->data + out->n, s.data, s.n);
    return true;
}

/* A line of base64 in one column: only that column is replaced, which is the only one that
 * decodes to the old text; a single column is the usual case. */
static bool put_docenc_line(dpl_ctx *ctx, dpl__bytes *out, dpl_str line, dpl_str text,
                            const char *columns)
{
    size_t column = 0, at = 0;
    const char *names = columns ? columns : "text";
    while (strncmp(names, "text", 4) != 0 || (names[4] && names[4] != ',')) {
        const char *comma = strchr(names, ',');
        if (!comma)
            return false;
        names = comma + 1;
        column++;
    }
    for (; column > 0 && at < line.n; at++)
        column -= line.data[at] == '\t';
    size_t end = at;
    while (end < line.n && !strchr("\t\r\n", line.data[end]))
        end++;
    return dpl__vec_append(ctx, out, line.data, at) && put_base64(ctx, out, text) &&
           dpl__vec_append(ctx, out, line.data + end, line.n - end);
}

/* A document that stays: its line as it was read, and what is left of its text. */
typedef struct rest {
    dpl_str line, text;
    bool is_changed;
} rest;

static dpl_status put_doc(removal *m, dpl__pass_slot *slot, const dpl_doc *doc, const rest *of,
                          dpl_error *err)
{
    const dpl_str line = of->line, text = of->text;
    dpl_doc changed = *doc;
    changed.text = text;
    if (!dpl__format_has_lines(m->file.format))
        return dpl__need(dpl__kept_json(&slot->out, m->ctx, &changed, doc->id, m->r->o.read),
                         err);
    if (of->is_changed && m->file.format == DPL_FORMAT_JSONL)
        DPL_TRY(put_json_line(m, &slot->out, &slot->batch, line, text, err));
    else if (of->is_changed && m->file.format == DPL_FORMAT_DOCENC) {
        DPL_TRY(dpl__need(
            put_docenc_line(m->ctx, &slot->out, line, text, slot->batch.options->columns),
            err));
    } else if (!dpl__vec_append(m->ctx, &slot->out, line.data, line.n))
        return dpl__fail_nomem(err);
    if (slot->out.n && slot->out.data[slot->out.n - 1] != '\n' &&
        !dpl__vec_push(m->ctx, &slot->out, '\n'))
        return dpl__fail_nomem(err);
    return DPL_OK;
}

enum { N_KEPT, N_CHANGED, N_EMPTIED, N_BYTES };

/* The text without its marked parts, in the arena; *at counts parts. */
static dpl_status clean_text(dpl_str *out, removal *m, dpl__pass_slot *slot, dpl_str text,
                             uint64_t *at, dpl_error *err)
{
    dpl__part_walk walk = {.unit = m->r->o.unit, .text = text};
    dpl__part part;
    char *to = dpl__arena_alloc(&slot->batch.arena, text.n + 1);
    size_t n = 0;
    DPL_TRY(dpl__need(to, err));
    while (dpl__part_next(&walk, &part)) {
        if (*at >= m->n_parts)
            return dpl__fail(err, DPL_E_FORMAT, "'%s' changed while it was read",
                             slot->chunk.file);
        if (is_marked(m, (*at)++))
            continue;
        memcpy(to + n, text.data + part.begin, part.end - part.begin);
        n += part.end - part.begin;
    }
    *out = (dpl_str){to, n};
    if (n < text.n && n && to[n - 1] == '\n' && text.data[text.n - 1] != '\n')
        out->n--;
    return DPL_OK;
}

static dpl_status map_docs(void *user, dpl__pass_slot *slot, unsigned worker, dpl_error *err)
{
    (void)worker;
    removal *m = user;
    size_t at = 0;
    uint64_t line_number = slot->chunk.line, part = slot->first;
    for (size_t i = 0; i < slot->batch.docs.n; i++) {
        const dpl_doc *doc = &slot->batch.docs.data[i];
        dpl_str text = {0}, line = {0};
        DPL_TRY(clean_text(&text, m, slot, doc->text, &part, err));
        if (slot->raw.n)
            line = dpl__pass_line(slot, slot->batch.lines.data[i], &at, &line_number);
        const bool is_empty = is_blank(text, 0, text.n), is_changed = text.n != doc->text.n;
        slot->counts[N_KEPT] += !is_empty;
        slot->counts[N_CHANGED] += is_changed;
        slot->counts[N_EMPTIED] += is_empty;
        slot->counts[N_BYTES] += doc->text.n - text.n;
        if (!is_empty)
            DPL_TRY(put_doc(m, slot, &slot->batch.docs.data[i], &(rest){line, text, is_changed},
                            err));
    }
    return dpl__pack(&slot->out, m->ctx, m->file.compress, err);
}

static void begin_docs(void *user, dpl__pass_slot *slot)
{
    removal *m = user;
    slot->first = m->chunk < m->chunk_first.n ? m->chunk_first.data[m->chunk] : m->n_parts;
    m->chunk++;
}

/* Texts of the parts that are listed. */
static dpl_status take_texts(removal *m, const dpl__pass_slot *slot, dpl_error *err)
{
    uint64_t at = slot->first;
    for (size_t i = 0; i < slot->batch.docs.n && m->next_listed < m->n_listed; i++) {
        const dpl_str text = slot->batch.docs.data[i].text;
        dpl__part_walk walk = {.unit = m->r->o.unit, .text = text};
        dpl__part part;
        for (; dpl__part_next(&walk, &part) && m->next_listed < m->n_listed; at++) {
            struct listed *l = &m->listed[m->next_listed];
            if (l->first != at)
                continue;
            l->n_text = part.end - part.begin;
            if (l->n_text > MOST_LISTED_BYTES)
                l->n_text = dpl__char_begin(text.data + part.begin, MOST_LISTED_BYTES);
            DPL_TRY(dpl__need((l->text = dpl__alloc(m->ctx, l->n_text)), err));
            memcpy(l->text, text.data + part.begin, l->n_text);
            m->next_listed++;
        }
    }
    return DPL_OK;
}

static dpl_status take_docs(void *user, dpl__pass_slot *slot, dpl_error *err)
{
    removal *m = user;
    dpl_dedup_summary *s = &m->r->s;
    s->n_kept += slot->counts[N_KEPT];
    s->n_changed += slot->counts[N_CHANGED];
    s->n_emptied += slot->counts[N_EMPTIED];
    s->n_bytes_removed += slot->counts[N_BYTES];
    m->has_written = m->has_written || slot->out.n;
    if (m->output)
        dpl_output_write(m->output, slot->out.data, slot->out.n);
    return take_texts(m, slot, err);
}

/* ---- all of it ------------------------------------------------------------------------ */

static dpl_status read_inputs(removal *m, dpl_error *err)
{
    dpl__pass pass = {.ctx = m->ctx, .user = m, .map = map_keys, .commit = take_keys};
    for (size_t i = 0; i < m->r->in.n; i++) {
        m->input = i;
        DPL_TRY(dpl__pass_run(&pass, &m->r->in.data[i], m->r->o.read, err));
    }
    m->r->s.n_parts = m->n_parts;
    return DPL_OK;
}

static dpl_status write_input(removal *m, dpl__pass *pass, size_t i, dpl_error *err)
{
    dpl_dedup_result *r = m->r;
    if (!r->work.is_temporary) {
        DPL_TRY(dpl__kept_name(&m->file, r, r->in.n, i, err));
        DPL_TRY(dpl_output_new(&m->output, m->ctx, m->file.path, err));
    }
    m->has_written = false;
    dpl_status status;
    DPL__STEP(dpl__pass_run(pass, &r->in.data[i], r->o.read, err));
    if (m->output && !m->has_written)
        DPL__STEP(dpl__pack_nothing(m->output, m->ctx, m->file.compress, err));
    if (m->output)
        status = dpl_output_finish(m->output, err);
done:
    dpl_output_free(m->output);
    m->output = NULL;
    return status;
}

static dpl_status write_inputs(removal *m, dpl_error *err)
{
    dpl_dedup_result *r = m->r;
    dpl__pass pass = {
        .ctx = m->ctx, .user = m, .begin = begin_docs, .map = map_docs, .commit = take_docs};
    for (size_t i = 0; i < r->in.n; i++)
        DPL_TRY(write_input(m, &pass, i, err));
    r->s.n_removed = r->s.n_docs - r->s.n_kept;
    if (!r->work.is_temporary)
        dpl__kept_path(r, r->in.n, &m->file);
    return DPL_OK;
}

/* count <TAB> text, most frequent first; line ends within a paragraph become blanks. */
static dpl_status write_list(removal *m, dpl_error *err)
{
    dpl_output *o = NULL;
    if (m->r->work.is_temporary)
        return DPL_OK;
    DPL_TRY(dpl__open_output(&o, m->ctx, m->r->work.folder.dir, "parts.tsv", err));
    qsort(m->listed, m->n_listed, sizeof *m->listed, by_count);
    for (size_t i = 0; i < m->n_listed; i++) {
        const struct listed *l = &m->listed[i];
        size_t n = l->text ? l->n_text : 0;
        while (n && strchr(" \t\r\n", l->text[n - 1]))
            n--;
        dpl__put(o, "%llu\t", (unsigned long long)l->count);
        dpl__put_field(o, (dpl_str){l->text, n}, "\n");
    }
    return dpl__output_end(o, DPL_OK, err);
}

static dpl_status set_up(removal *m, dpl_error *err)
{
    DPL_TRY(dpl__spill_init(&m->spill, m->ctx, m->r->work.folder.work, err));
    dpl__spool_init(&m->keys, &m->spill, (size_t)(m->ctx->memory / 8));
    m->tokens = dpl__calloc(m->ctx, m->ctx->n_threads, sizeof *m->tokens);
    DPL_TRY(dpl__need(m->tokens, err));
    for (unsigned i = 0; i < m->ctx->n_threads; i++)
        DPL_TRY(dpl_tokens_new(&m->tokens[i], m->ctx, NULL, err));
    return DPL_OK;
}

static void tear_down(removal *m)
{
    for (unsigned i = 0; m->tokens && i < m->ctx->n_threads; i++)
        dpl_tokens_free(m->tokens[i]);
    dpl__free(m->ctx, m->tokens);
    for (size_t i = 0; m->listed && i < m->n_listed; i++)
        dpl__free(m->ctx, m->listed[i].text);
    dpl__free(m->ctx, m->listed, m->marks);
    dpl__vec_clear(m->ctx, &m->chunk_first);
    if (m->spill.ctx) {
        dpl__spool_clear(&m->keys);
        dpl__spill_clear(&m->spill);
    }
}

static dpl_status remove_parts(removal *m, dpl_error *err)
{
    dpl_dedup_summary *s = &m->r->s;
    double began = dpl__now();
    DPL_TRY(set_up(m, err));
    DPL_TRY(read_inputs(m, err));
    s->import_seconds = dpl__now() - began;
    began = dpl__now();
    DPL_TRY(count_all(m, err));
    s->search_seconds = dpl__now() - began;
    began = dpl__now();
    DPL_TRY(write_inputs(m, err));
    DPL_TRY(write_list(m, err));
    s->write_seconds = dpl__now() - began;
    return DPL_OK;
}

dpl_status dpl__dedup_parts(dpl_dedup_result *r, dpl_error *err)
{
    removal m = {.ctx = r->ctx, .r = r};
    if (r->o.n_against)
        return dpl__fail(err, DPL_E_UNSUPPORTED,
                         "lines and paragraphs are not compared with another collection");
    dpl_status status = remove_parts(&m, err);
    r->s.n_spilled_bytes = m.spill.ctx ? m.spill.n_bytes : 0;
    tear_down(&m);
    return status;
}
