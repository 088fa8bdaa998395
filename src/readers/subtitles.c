/*
 * subtitles.c - SubRip (.srt) and WebVTT (.vtt): what is spoken, without times and markup.
 *
 *     12                                     WEBVTT
 *     00:01:02,500 --> 00:01:04,000          Language: en
 *     <i>The keeper opens
 *     the lower gates,</i>                   00:01.000 --> 00:04.000 align:start
 *                                            <v Ann>The keeper &amp; I
 *
 * The lines of a cue are one paragraph, unless they begin with a dash or a voice: then somebody
 * else speaks. A sentence that goes on in the next cue is joined: the one before does not end
 * with a full stop or the like, and the next begins with a lower-case letter or with dots.
 * Captions that roll repeat the line before; it is taken once. Cost: one pass.
 */
#include "readers/dir.h"

#include "base/ascii.h"
#include "readers/html/html_names.h"
#include "readers/reader.h"
#include "unicode/unicode.h"

#include <unicode/uchar.h>

typedef struct subtitles {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    dpl_str left; /* of the file */
    uint64_t line;
    bool is_vtt;
    bool is_in_cue;   /* its time was read */
    bool is_cue_new;  /* none of its text was */
    bool has_cue;     /* one at all */
    dpl_str previous; /* line of text, as it stood: in captions that roll it comes again */
    dpl__bytes text;
    dpl_str lang;
} subtitles;

static bool next_line(subtitles *s, dpl_str *line)
{
    if (!dpl__next_line(line, &s->left))
        return false;
    *line = dpl__trim(*line);
    s->line++;
    return true;
}

static bool contains(dpl_str s, const char *what)
{
    const size_t n = strlen(what);
    for (size_t i = 0; i + n <= s.n; i++)
        if (memcmp(s.data + i, what, n) == 0)
            return true;
    return false;
}

/* "00:01:02,500 --> 00:01:04,000": digits before the arrow and behind it. */
static bool is_time(dpl_str line)
{
    return line.n >= 9 && dpl__is_digit(line.data[0]) && contains(line, "-->");
}

static bool is_number(dpl_str line)
{
    for (size_t i = 0; i < line.n; i++)
        if (line.data[i] < '0' || line.data[i] > '9')
            return false;
    return line.n > 0;
}

/* ---- a line of text --------------------------------------------------------------------- */

/* The length of the markup at the beginning of s; 0: there is none. */
static size_t markup_at(const subtitles *s, dpl_str at)
{
    char close = 0;
    if (at.n >= 3 && at.data[0] == '<') {
        const char c = at.data[1];
        if (c == '/' || (c | 0x20) == 'i' || (c | 0x20) == 'b' || (c | 0x20) == 'u' ||
            (c | 0x20) == 's' || (c | 0x20) == 'f' || (c | 0x20) == 'c' || (c | 0x20) == 'v' ||
            (c | 0x20) == 'r' || (c | 0x20) == 'l' || (s->is_vtt && dpl__is_digit(c)))
            close = '>';
    } else if (at.n >= 3 && at.data[0] == '{' && at.data[1] == '\\') {
        close = '}';
    }
    const char *end = close ? memchr(at.data, close, at.n) : NULL;
    return end ? (size_t)(end - at.data) + 1 : 0;
}

/* Appends the line without markup. */
static bool add_words(subtitles *s, dpl_str line)
{
    dpl_ctx *ctx = s->batch->ctx;
    if (!dpl__vec_reserve(ctx, &s->text, line.n + 8))
        return false;
    for (size_t i = 0; i < line.n;) {
        const dpl_str at = {line.data + i, line.n - i};
        const size_t n = markup_at(s, at);
        uint32_t c;
        const size_t n_entity = s->is_vtt && *at.data == '&' ? dpl__html_entity(at, &c) : 0;
        char utf8[4];
        if (n) {
            i += n;
        } else if (n_entity && c > ' ') {
            if (!dpl__vec_append(ctx, &s->text, utf8, dpl__utf8_encode(utf8, c)))
                return false;
            i += n_entity;
        } else {
            const char last = s->text.n ? s->text.data[s->text.n - 1] : '\n';
            if (!n_entity && (unsigned char)*at.data > ' ') {
                if (!dpl__vec_push(ctx, &s->text, *at.data))
                    return false;
            } else if (last != ' ' && last != '\n' && !dpl__vec_push(ctx, &s->text, ' ')) {
                return false;
            }
            i += n_entity ? n_entity : 1;
        }
    }
    return true;
}

/* The first character behind markup and blanks; 0: none. */
static UChar32 first_letter(const subtitles *s, dpl_str line)
{
    size_t n;
    while (line.n && ((n = markup_at(s, line)) || line.data[0] == ' ')) {
        n = n ? n : 1;
        line = (dpl_str){line.data + n, line.n - n};
    }
    UChar32 c = 0;
    int32_t i = 0;
    if (line.n)
        U8_NEXT((const uint8_t *)line.data, i, (int32_t)dpl__min(line.n, 8), c);
    return c;
}

static bool ends_sentence(const dpl__bytes *text)
{
    static const char *const ends[] = {".", "!",  "?",  ":",  ")", "]", "\"",
                                       "…", "。", "！", "？", "♪", "”", "»"};
    const dpl_str s = {text->data, text->n};
    for (size_t i = 0; i < DPL_LEN(ends); i++) {
        const size_t n = strlen(ends[i]);
        if (s.n >= n && memcmp(s.data + s.n - n, ends[i], n) == 0)
            return true;
    }
    return false;
}

static void drop_ending(dpl__bytes *text, const char *ending)
{
    const size_t n = strlen(ending);
    if (text->n >= n && memcmp(text->data + text->n - n, ending, n) == 0)
        text->n -= n;
}

/* Whether the line is the rest of the sentence before it; dots on both sides go away. */
static bool goes_on(subtitles *s, dpl_str *line)
{
    if (!s->text.n || s->text.data[s->text.n - 1] == '\n')
        return false;
    const size_t n_dots = dpl__begins_with(*line, "...") ? 3
                          : dpl__begins_with(*line, "…") ? 3
                                                         : 0;
    if (n_dots) {
        drop_ending(&s->text, "...");
        drop_ending(&s->text, "…");
        *line = dpl__trim((dpl_str){line->data + n_dots, line->n - n_dots});
        return true;
    }
    return !ends_sentence(&s->text) && u_islower(first_letter(s, *line));
}

/* "- Who is there?" */
static bool take_dash(dpl_str *line)
{
    static const char *const dashes[] = {"-", "‐", "–", "—"};
    for (size_t i = 0; i < DPL_LEN(dashes); i++) {
        const size_t n = strlen(dashes[i]);
        if (!dpl__begins_with(*line, dashes[i]) || dpl__begins_with(*line, "-->"))
            continue;
        *line = dpl__trim((dpl_str){line->data + n, line->n - n});
        return true;
    }
    return false;
}

static dpl_status add_line(subtitles *s, dpl_str line, dpl_error *err)
{
    const bool is_repeated = s->is_vtt && s->is_cue_new && dpl__str_eq(line, s->previous);
    s->previous = line;
    if (is_repeated)
        return DPL_OK;
    const bool is_other_voice = take_dash(&line) || dpl__begins_with(line, "<v");
    const bool is_joined = !is_other_voice && (s->is_cue_new ? goes_on(s, &line) : true);
    s->is_cue_new = false;
    dpl_ctx *ctx = s->batch->ctx;
    while (s->text.n && s->text.data[s->text.n - 1] == ' ')
        s->text.n--;
    if (s->text.n && s->text.data[s->text.n - 1] != '\n' &&
        !dpl__vec_push(ctx, &s->text, is_joined ? ' ' : '\n'))
        return dpl__fail_nomem(err);
    return dpl__need(add_words(s, line), err);
}

/* ---- the file --------------------------------------------------------------------------- */

static void skip_block(subtitles *s)
{
    dpl_str line;
    while (next_line(s, &line) && line.n)
        ;
}

static void read_header(subtitles *s)
{
    dpl_str line;
    s->is_vtt = dpl__begins_with(s->left, "WEBVTT");
    if (!s->is_vtt)
        return;
    while (next_line(s, &line) && line.n)
        if (dpl__begins_with(line, "Language:"))
            s->lang = dpl__trim((dpl_str){line.data + 9, line.n - 9});
}

static bool is_comment(const subtitles *s, dpl_str line)
{
    return s->is_vtt && (dpl__begins_with(line, "NOTE") || dpl__begins_with(line, "STYLE") ||
                         dpl__begins_with(line, "REGION"));
}

static dpl_status read_line(subtitles *s, dpl_str line, dpl_error *err)
{
    if (is_time(line)) {
        s->is_in_cue = s->is_cue_new = s->has_cue = true;
        return DPL_OK;
    }
    if (s->is_in_cue)
        return add_line(s, line, err);
    if (is_comment(s, line)) {
        skip_block(s);
        return DPL_OK;
    }
    if (s->is_vtt || is_number(line)) /* the name of a cue */
        return DPL_OK;
    if (s->has_cue) /* a blank line inside of a cue */
        return add_line(s, line, err);
    return dpl__record_bad(s->batch, DPL__AT(s->chunk, s->line, 0), DPL_DROP_MALFORMED, err,
                           "neither the number nor the time of a subtitle");
}

static dpl_status read_lines(subtitles *s, dpl_error *err)
{
    dpl_str line;
    read_header(s);
    while (next_line(s, &line)) {
        if (line.n)
            DPL_TRY(read_line(s, line, err));
        else
            s->is_in_cue = false;
    }
    return DPL_OK;
}

static dpl_status parse_subtitles(dpl__batch *batch, const dpl__chunk *chunk, dpl_str id,
                                  dpl_str bytes, dpl_error *err)
{
    subtitles s = {.batch = batch, .chunk = chunk, .left = bytes};
    dpl_status status;
    DPL__STEP(read_lines(&s, err));
    while (s.text.n && (unsigned char)s.text.data[s.text.n - 1] <= ' ')
        s.text.n--;
    const dpl_doc doc = {.id = id,
                         .lang = s.lang,
                         .text =
                             dpl__arena_copy(&batch->arena, (dpl_str){s.text.data, s.text.n})};
    status = doc.text.data ? dpl__batch_add(batch, chunk, 0, &doc, err) : dpl__fail_nomem(err);
done:
    dpl__vec_clear(batch->ctx, &s.text);
    return status;
}

static bool is_subtitles(dpl_str start)
{
    if (dpl__begins_with(start, "WEBVTT"))
        return true;
    const char *newline = start.n ? memchr(start.data, '\n', start.n) : NULL;
    if (!newline)
        return false;
    const size_t n = (size_t)(newline - start.data);
    dpl_str rest = {newline + 1, start.n - n - 1};
    newline = rest.n ? memchr(rest.data, '\n', rest.n) : NULL;
    return newline && is_number(dpl__trim((dpl_str){start.data, n})) &&
           is_time(dpl__trim((dpl_str){rest.data, (size_t)(newline - rest.data)}));
}

const dpl__filetype dpl__filetype_subtitles = {.endings =
                                                   (const char *const[]){".srt", ".vtt", NULL},
                                               .sniff = is_subtitles,
                                               .parse = parse_subtitles};
