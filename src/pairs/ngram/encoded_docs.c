/*
 * encoded_docs.c - documents in base64, one per line.
 */
#include "pairs/ngram/encoded_docs.h"

#include "pairs/ngram/extract.h"

#include <sys/stat.h>

enum { CHUNK = 1 << 18, LONGEST = 1 << 30 };

dpl_status dpl__encoded_open(dpl__encoded *e, dpl__spill *spill, const char *path,
                             dpl_error *err)
{
    *e = (dpl__encoded){.ctx = spill->ctx, .path = path};
    struct stat st;
    e->is_kept = strcmp(path, "-") == 0 || stat(path, &st) != 0 || !S_ISREG(st.st_mode);
    dpl__spool_init(&e->spool, spill, (size_t)(dpl_ctx_memory(e->ctx) / 8));
    return dpl__input_open(&e->in, e->ctx, path, err);
}

void dpl__encoded_close(dpl__encoded *e)
{
    if (!e->ctx)
        return;
    dpl__vec_clear(e->ctx, &e->rest);
    dpl__spool_clear(&e->spool);
    dpl__input_close(e->in);
    *e = (dpl__encoded){0};
}

dpl_status dpl__encoded_rewind(dpl__encoded *e, dpl_error *err)
{
    e->rest.n = 0;
    e->n_lines = 0;
    e->spool_at = 0;
    e->is_again = e->is_kept;
    dpl__input_close(e->in);
    e->in = NULL;
    return e->is_again ? DPL_OK : dpl__input_open(&e->in, e->ctx, e->path, err);
}

static dpl_status read_some(dpl__encoded *e, char *to, size_t n, size_t *got, dpl_error *err)
{
    if (!e->is_again) {
        DPL_TRY(dpl__input_read(e->in, to, n, got, err));
        return e->is_kept && *got ? dpl__spool_append(&e->spool, to, *got, err) : DPL_OK;
    }
    uint64_t left = dpl__spool_size(&e->spool) - e->spool_at;
    *got = left < n ? (size_t)left : n;
    if (*got)
        DPL_TRY(dpl__spool_read(&e->spool, e->spool_at, to, *got, err));
    e->spool_at += *got;
    return DPL_OK;
}

static dpl_status fail_long(const dpl__encoded *e, dpl_error *err)
{
    dpl__fail(err, DPL_E_FORMAT, "'%s' line %llu: longer than %d MiB", e->path,
              (unsigned long long)(e->n_lines + 1), LONGEST >> 20);
    dpl__error_place(err, e->n_lines + 1, 0, 0);
    return DPL_E_FORMAT;
}

static size_t count_lines(const dpl__bytes *text)
{
    size_t n = 0;
    for (const char *p = text->data, *end = p + text->n; p < end; n++) {
        const char *line_end = memchr(p, '\n', (size_t)(end - p));
        p = line_end ? line_end + 1 : end;
    }
    return n;
}

dpl_status dpl__encoded_next(dpl__encoded *e, dpl__chunk *chunk, dpl_error *err)
{
    dpl__bytes *t = &chunk->text;
    t->n = 0;
    chunk->first = e->n_lines;
    DPL_TRY(dpl__need(dpl__vec_append(e->ctx, t, e->rest.data, e->rest.n), err));
    e->rest.n = 0;
    for (;;) {
        size_t got, from = t->n;
        DPL_TRY(dpl__need(dpl__vec_reserve(e->ctx, t, CHUNK), err));
        DPL_TRY(read_some(e, t->data + t->n, CHUNK, &got, err));
        t->n += got;
        if (!got)
            break;
        size_t end = t->n; /* behind the last line that is complete */
        while (end > from && t->data[end - 1] != '\n')
            end--;
        if (end > from) {
            DPL_TRY(
                dpl__need(dpl__vec_append(e->ctx, &e->rest, t->data + end, t->n - end), err));
            t->n = end;
            if (end >= CHUNK / 2)
                break;
            DPL_TRY(dpl__need(dpl__vec_append(e->ctx, t, e->rest.data, e->rest.n), err));
            e->rest.n = 0;
        }
        if (t->n > LONGEST)
            return fail_long(e, err);
    }
    if (!t->n)
        return DPL_END;
    e->n_lines += count_lines(t);
    return DPL_OK;
}

bool dpl__chunk_line(const dpl__chunk *chunk, size_t *at, dpl_str *line)
{
    if (*at >= chunk->text.n)
        return false;
    const char *begin = chunk->text.data + *at, *end = chunk->text.data + chunk->text.n;
    const char *line_end = memchr(begin, '\n', (size_t)(end - begin));
    if (!line_end)
        line_end = end;
    *at = (size_t)(line_end - chunk->text.data) + 1;
    *line = (dpl_str){begin, (size_t)(line_end - begin)};
    if (line->n && line->data[line->n - 1] == '\r')
        line->n--;
    return true;
}

/* ---- words ---------------------------------------------------------------------------- */

void dpl__words_clear(dpl__words *w, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &w->text, &w->words);
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r') || c == 0;
}

/* Behind a word that begins at p. The text ends with a blank, and eight bytes can be read
 * behind it. Bytes up to that of a blank are sought eight at a time: the lowest mark is right,
 * whatever those above it are. */
static const char *end_of_word(const char *p)
{
    const uint64_t ones = 0x0101010101010101u, high = ones << 7;
    for (;;) {
        const uint64_t x = dpl__load64(p), low = (x - (' ' + 1) * ones) & ~x & high;
        p += low ? (size_t)__builtin_ctzll(low) / 8 : 8;
        if (low && is_blank(*p))
            return p;
        p += low != 0;
    }
}

static dpl_status hash_words(dpl__words *w, dpl_ctx *ctx, dpl_error *err)
{
    w->words.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &w->words, w->text.n / 2 + 1), err));
    const char *p = w->text.data, *end = p + w->text.n;
    while (p < end) {
        if (is_blank(*p)) {
            p++;
            continue;
        }
        const char *word = p;
        p = end_of_word(p);
        w->words.data[w->words.n++] = dpl__ngram_word((dpl_str){word, (size_t)(p - word)});
    }
    return DPL_OK;
}

dpl_status dpl__words_read(dpl__words *w, dpl_ctx *ctx, const dpl__base64 *b, dpl_str line,
                           const dpl__line_place *place, dpl_error *err)
{
    w->text.n = 0;
    const size_t n_room = line.n / 4 * 3 + 3 + 1 + sizeof(uint64_t);
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &w->text, n_room), err));
    size_t n;
    if (!dpl__base64_decode(b, w->text.data, &n, line)) {
        dpl__fail(err, DPL_E_FORMAT, "'%s' line %llu: not base64 (column %zu)", place->path,
                  (unsigned long long)(place->number + 1), n + 1);
        dpl__error_place(err, place->number + 1, n + 1, 0);
        return DPL_E_FORMAT;
    }
    w->text.n = n;
    memset(w->text.data + n, ' ', 1 + sizeof(uint64_t));
    return hash_words(w, ctx, err);
}
