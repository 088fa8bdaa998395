/*
 * platform.c - what the module has in place of devices, programs, Snowball, CLD2, and what
 * WASI's C library lacks. Files are the page's (web/js/wasi.js), in memory.
 *
 * Stems: from a table of the words of the index, and rules for others (src/page/stems.c).
 * Language of a text: by its function words, as the library does before it asks CLD2; a text
 * that leaves doubt has none, and the reader may say it.
 */
#define _DEFAULT_SOURCE
#include "platform.h"
#include "base/ctx.h"
#include "devices/device.h"
#include "doppel/text.h"
#include "io/codec.h"
#include "io/external_filter.h"
#include "page/stem_marks.h"
#include "tokens/stemming.h"
#include "tokens/stop_file.h"
#include "unicode/langwords.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

bool dpl__filter_is_there(const char *program)
{
    return (void)program, false;
}

dpl_status dpl__filter_run(dpl_str *out, dpl__arena *arena, const dpl__filter *filter,
                           dpl_str bytes, dpl_error *err)
{
    return (void)out, (void)arena, (void)filter, (void)bytes, (void)err, DPL_E_UNSUPPORTED;
}

const dpl_device_table *dpl__plugin_find(const char *name)
{
    return (void)name, NULL;
}

dpl_status dpl__stop_file_read(dpl__terms *out, dpl_ctx *ctx, const dpl_tokens_options *options,
                               uint64_t most, dpl_error *err)
{
    (void)out, (void)ctx, (void)most;
    return options->stop_file
               ? dpl__fail(err, DPL_E_UNSUPPORTED, "a page has no stop words of a file")
               : DPL_OK;
}

/* Large pages are a wish only. */
int madvise(void *address, size_t n, int advice);
int madvise(void *address, size_t n, int advice)
{
    return (void)address, (void)n, (void)advice, 0;
}

/* ---- files ---------------------------------------------------------------------------- */

/* Nobody else has them. */
int flock(int fd, int operation)
{
    return (void)fd, (void)operation, 0;
}

/* Fills in the six X at the end of the name. */
static void make_name(char *template)
{
    static unsigned n;
    char *end = template + strlen(template);
    unsigned x = ++n;
    for (int i = 1; i <= 6; i++, x /= 10)
        end[-i] = (char)('0' + x % 10);
}

int mkstemp(char *template)
{
    make_name(template);
    return open(template, O_RDWR | O_CREAT | O_EXCL, 0600);
}

char *mkdtemp(char *template)
{
    make_name(template);
    return mkdir(template, 0700) ? NULL : template;
}

int gethostname(char *name, size_t n)
{
    snprintf(name, n, "page");
    return 0;
}

uid_t geteuid(void)
{
    return 0;
}

pid_t getpid(void)
{
    return 1;
}

pid_t getpgid(pid_t process)
{
    return process;
}

int fchown(int fd, uid_t owner, gid_t group)
{
    return (void)fd, (void)owner, (void)group, 0;
}

int fchmod(int fd, mode_t mode)
{
    return (void)fd, (void)mode, 0;
}

char *realpath(const char *path, char *out)
{
    return out ? strcpy(out, path) : strdup(path);
}

/* ---- compression: the browser unpacks gzip before ------------------------------------- */

static bool never_matches(const uint8_t *p, size_t n)
{
    return (void)p, (void)n, false;
}

extern const dpl__codec dpl__codec_gzip, dpl__codec_zstd, dpl__codec_xz;
const dpl__codec dpl__codec_gzip = {.name = "gzip", .matches = never_matches};
const dpl__codec dpl__codec_zstd = {.name = "zstd", .matches = never_matches};
const dpl__codec dpl__codec_xz = {.name = "xz", .matches = never_matches};

bool dpl__zstd_pack(char *to, size_t *n_to, dpl_str from, int level)
{
    return (void)to, (void)n_to, (void)from, (void)level, false;
}

/* ---- languages ------------------------------------------------------------------------ */

dpl_lang dpl_lang_identify(dpl_str text)
{
    const char *code = dpl__lang_of_words(text);
    dpl_lang lang = {.code = "und"};
    if (code) {
        lang.confidence = 0.99f;
        memcpy(lang.code, code, strlen(code) + 1);
    }
    return lang;
}

/* Codes come from the page, which took them from the index: they are canonical. */
dpl_lang dpl_lang_canonical(dpl_str name)
{
    dpl_lang lang = {.code = "und"};
    bool is_code = name.n == 2 || name.n == 3;
    for (size_t i = 0; i < name.n && is_code; i++)
        is_code = name.data[i] >= 'a' && name.data[i] <= 'z';
    if (is_code) {
        lang.confidence = 1;
        memcpy(lang.code, name.data, name.n);
        lang.code[name.n] = '\0';
    }
    return lang;
}

/* ---- stems ---------------------------------------------------------------------------- */

static dpl_str table; /* all of it */

void dpl__wasm_set_stems(dpl_str text)
{
    table = text;
}

/* Lines of the table from one that begins with '=' or '~' on. */
typedef struct lines {
    const char *begin, *end;
} lines;

struct dpl__stemmer {
    dpl_ctx *ctx;
    lines words, rules;
    char lang[12];
    char room[512]; /* of a stem that is in no table */
};

static const char *line_end(const char *p, const char *end)
{
    const char *found = memchr(p, '\n', (size_t)(end - p));
    return found ? found + 1 : end;
}

static bool find_lines(lines *out, char mark, const char *lang)
{
    const char *end = table.data + table.n;
    const size_t n = strlen(lang);
    bool is_inside = false;
    for (const char *p = table.data; p && p < end; p = line_end(p, end)) {
        if (*p != '=' && *p != '~')
            continue;
        if (is_inside) {
            out->end = p;
            return true;
        }
        is_inside = *p == mark && (size_t)(end - p) > n + 1 && memcmp(p + 1, lang, n) == 0 &&
                    p[n + 1] == '\n';
        if (is_inside)
            *out = (lines){line_end(p, end), end};
    }
    return is_inside;
}

bool dpl__stem_has(const char *lang)
{
    lines found;
    return find_lines(&found, '=', lang);
}

const char *dpl__stem_language(size_t i)
{
    return (void)i, NULL;
}

dpl_status dpl__stemmer_new(dpl__stemmer **out, dpl_ctx *ctx, const char *lang, dpl_error *err)
{
    *out = dpl__calloc(ctx, 1, sizeof **out);
    if (!*out)
        return dpl__fail_nomem(err);
    if (!find_lines(&(*out)->words, '=', lang) || !find_lines(&(*out)->rules, '~', lang)) {
        dpl__free(ctx, *out);
        *out = NULL;
        return dpl__fail(err, DPL_E_UNSUPPORTED, "there is no stemmer for language '%s'", lang);
    }
    (*out)->ctx = ctx;
    memcpy((*out)->lang, lang, dpl__min(strlen(lang), sizeof(*out)->lang - 1));
    return DPL_OK;
}

void dpl__stemmer_free(dpl__stemmer *stemmer)
{
    if (stemmer)
        dpl__free(stemmer->ctx, stemmer);
}

static int compare(dpl_str a, dpl_str b)
{
    const int order = memcmp(a.data, b.data, dpl__min(a.n, b.n));
    return order ? order : (a.n > b.n) - (a.n < b.n);
}

/* What stands behind the tab in the line of this word; false when there is no such line. */
static bool look_up(dpl_str *out, lines in, dpl_str word)
{
    const char *low = in.begin, *high = in.end; /* both begin lines */
    while (low < high) {
        const char *line = low + (high - low) / 2;
        while (line > low && line[-1] != '\n')
            line--;
        const char *next = line_end(line, high),
                   *tab = memchr(line, '\t', (size_t)(next - line));
        if (!tab)
            return false;
        const int order = compare((dpl_str){line, (size_t)(tab - line)}, word);
        if (order == 0) {
            *out = (dpl_str){tab + 1, (size_t)(next - tab - 2)};
            return true;
        }
        if (order < 0)
            low = next;
        else
            high = line;
    }
    return false;
}

/* By the rule of the longest suffix that has one. */
static dpl_str stem_by_rule(dpl__stemmer *s, dpl_str word)
{
    enum { MOST_SUFFIX = 6, MOST_WORD = 200 };
    char *marked = s->room;
    if (word.n >= MOST_WORD)
        return word;
    marked[0] = '^';
    word =
        (dpl_str){marked + 1, dpl__without_stem_marks(marked + 1, word.data, word.n, s->lang)};
    const char *end = marked + word.n + 1, *starts[MOST_SUFFIX + 1];
    size_t n = 0;
    for (const char *p = end; p > marked && n < MOST_SUFFIX;) {
        for (p--; p > marked && ((unsigned char)*p & 0xC0) == 0x80;)
            p--;
        starts[n++] = p;
    }
    dpl_str edit;
    for (; n; n--)
        if (look_up(&edit, s->rules, (dpl_str){starts[n - 1], (size_t)(end - starts[n - 1])}))
            break;
    if (!n)
        return word;
    size_t n_remove = 0, i = 0;
    for (; i < edit.n && edit.data[i] != ' '; i++)
        n_remove = 10 * n_remove + (size_t)(edit.data[i] - '0');
    i += i < edit.n;
    if (n_remove >= word.n || edit.n - i > MOST_WORD)
        return word;
    const size_t n_kept = word.n - n_remove;
    memcpy(marked + 1 + n_kept, edit.data + i, edit.n - i);
    return (dpl_str){marked + 1, n_kept + edit.n - i};
}

dpl_str dpl__stem(dpl__stemmer *stemmer, dpl_str word)
{
    dpl_str stem;
    if (!look_up(&stem, stemmer->words, word))
        return stem_by_rule(stemmer, word);
    return stem.n ? stem : word;
}
