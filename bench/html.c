/*
 * html.c - how fast does HTML become text, and is it the text that a browser shows?
 *
 *     build/bench/html [--show N] [--rounds N] DIR…
 *
 * Every .html, .htm and .xhtml file below the folders is read by our reader and by Gumbo, which
 * builds the whole tree. Printed: bytes per core second of both, and how many pages have the
 * same text, the same words in the same order (line ends apart), the same words in another
 * order, and other words; with --show, the first difference of N pages.
 */
#include "doppel/doppel.h"

#include "base/ctx.h"
#include "base/vec.h"
#include "gumbo_text.h"
#include "io/input.h"
#include "kernels/kernels.h"
#include "readers/dir.h"
#include "readers/html/html.h"
#include "unicode/charset.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef struct pages {
    DPL_VEC(dpl_str) html; /* valid UTF-8 */
    DPL_VEC(const char *) names;
    dpl__arena arena;
    uint64_t n_bytes;
} pages;

static double core_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static bool is_html(const char *path)
{
    const char *dot = strrchr(path, '.');
    return dot && (!strcmp(dot, ".html") || !strcmp(dot, ".htm") || !strcmp(dot, ".xhtml"));
}

static dpl_str read_all(dpl_ctx *ctx, dpl__arena *arena, const char *path)
{
    dpl__input *in = NULL;
    dpl__bytes bytes = {0};
    dpl_str out = {0};
    size_t got = 1;
    if (dpl__input_open(&in, ctx, path, NULL) != DPL_OK)
        return out;
    while (got && dpl__vec_reserve(ctx, &bytes, 1 << 16) &&
           dpl__input_read(in, bytes.data + bytes.n, 1 << 16, &got, NULL) == DPL_OK)
        bytes.n += got;
    out = dpl__arena_copy(arena, (dpl_str){bytes.data, bytes.n});
    dpl__vec_clear(ctx, &bytes);
    dpl__input_close(in);
    return out;
}

static bool make_utf8(dpl_ctx *ctx, dpl__arena *arena, dpl_str *s)
{
    uint8_t most;
    size_t n_replaced;
    if (ctx->kernels->utf8_prefix((const uint8_t *)s->data, s->n, &most) == s->n)
        return true;
    dpl__charset charset = dpl__charset_declared(*s);
    return charset.name[0] &&
           dpl__charset_convert(s, arena, &charset, &n_replaced, NULL) == DPL_OK;
}

static void load(pages *p, dpl_ctx *ctx, const char *folder)
{
    dpl__dir_list list;
    if (dpl__dir_list_open(&list, ctx, folder, false, NULL) != DPL_OK)
        return;
    for (size_t i = 0; i < list.n; i++) {
        if (!is_html(list.data[i].path))
            continue;
        dpl_str s = read_all(ctx, &p->arena, list.data[i].path);
        const char *name = dpl__arena_copy(&p->arena, dpl__cstr(list.data[i].path)).data;
        if (!s.n || !name || !make_utf8(ctx, &p->arena, &s) ||
            !dpl__vec_push(ctx, &p->html, s) || !dpl__vec_push(ctx, &p->names, name))
            continue;
        p->n_bytes += s.n;
    }
    dpl__dir_list_close(&list);
}

typedef dpl_status reader(dpl_doc *doc, dpl__arena *arena, dpl_str html, dpl_error *err);

static double measure(const pages *p, dpl_ctx *ctx, reader *read)
{
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    const double began = core_seconds();
    for (size_t i = 0; i < p->html.n; i++) {
        dpl_doc doc;
        dpl__arena_reset(&arena);
        if (read(&doc, &arena, p->html.data[i], NULL) != DPL_OK)
            printf("  '%s' is refused\n", p->names.data[i]);
    }
    const double took = core_seconds() - began;
    dpl__arena_clear(&arena);
    return took;
}

/* ---- comparison ----------------------------------------------------------------------- */

static bool is_white(char c)
{
    return c == ' ' || c == '\n';
}

/* The same but for line ends that are blanks in the other? */
static bool has_same_words(dpl_str a, dpl_str b)
{
    bool is_same = a.n == b.n;
    for (size_t i = 0; i < a.n && is_same; i++)
        is_same = a.data[i] == b.data[i] || (is_white(a.data[i]) && is_white(b.data[i]));
    return is_same;
}

static bool has_same_bytes(dpl_str a, dpl_str b)
{
    int64_t counts[256] = {0};
    for (size_t i = 0; i < a.n; i++)
        counts[(unsigned char)a.data[i]] += !is_white(a.data[i]);
    for (size_t i = 0; i < b.n; i++)
        counts[(unsigned char)b.data[i]] -= !is_white(b.data[i]);
    for (int i = 0; i < 256; i++)
        if (counts[i])
            return false;
    return true;
}

static void show_difference(const char *name, dpl_str a, dpl_str b)
{
    size_t i = 0;
    while (i < a.n && i < b.n && a.data[i] == b.data[i])
        i++;
    const size_t from = i > 40 ? i - 40 : 0;
    printf("-- %s\n   ours:  %.*s\n   Gumbo: %.*s\n", name, (int)dpl__min(a.n - from, 100),
           a.data + from, (int)dpl__min(b.n - from, 100), b.data + from);
}

enum { SAME, SAME_WORDS, OTHER_ORDER, OTHER_WORDS, OTHER_TITLE, N_RESULTS };

static void compare(const pages *p, dpl_ctx *ctx, size_t n_show)
{
    static const char *const names[N_RESULTS] = {
        "the same text", "the same words, other line ends", "the same words, another order",
        "other words", "of these, another title or language"};
    size_t counts[N_RESULTS] = {0};
    dpl__arena arena;
    dpl__arena_init(&arena, ctx);
    for (size_t i = 0; i < p->html.n; i++) {
        dpl_doc a, b;
        dpl__arena_reset(&arena);
        if (dpl__html_read(&a, &arena, p->html.data[i], NULL) != DPL_OK ||
            gumbo_text(&b, &arena, p->html.data[i], NULL) != DPL_OK)
            continue;
        const int result = dpl__str_eq(a.text, b.text)      ? SAME
                           : has_same_words(a.text, b.text) ? SAME_WORDS
                           : has_same_bytes(a.text, b.text) ? OTHER_ORDER
                                                            : OTHER_WORDS;
        counts[result]++;
        counts[OTHER_TITLE] += !dpl__str_eq(a.title, b.title) || !dpl__str_eq(a.lang, b.lang);
        if (result != SAME && n_show && n_show--)
            show_difference(p->names.data[i], a.text, b.text);
    }
    for (int i = 0; i < N_RESULTS; i++)
        printf("  %-40s %8zu\n", names[i], counts[i]);
    dpl__arena_clear(&arena);
}

int main(int argc, char **argv)
{
    size_t n_show = 0, n_rounds = 3;
    pages p = {0};
    dpl_ctx *ctx = NULL;
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = (uint64_t)8 << 30);
    if (dpl_ctx_new(&ctx, &o, NULL) != DPL_OK)
        return 1;
    dpl__arena_init(&p.arena, ctx);
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--show") == 0 && i + 1 < argc)
            n_show = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "--rounds") == 0 && i + 1 < argc)
            n_rounds = strtoul(argv[++i], NULL, 10);
        else
            load(&p, ctx, argv[i]);
    }
    printf("%zu pages, %.1f MB\n", p.html.n, (double)p.n_bytes / 1e6);
    double ours = 1e9, gumbos = 1e9;
    for (size_t i = 0; i < n_rounds; i++) {
        const double a = measure(&p, ctx, dpl__html_read);
        const double b = i ? 1e9 : measure(&p, ctx, gumbo_text); /* once: it takes long */
        ours = a < ours ? a : ours;
        gumbos = b < gumbos ? b : gumbos;
    }
    if (n_rounds)
        printf("  our reader %8.1f MB/s a core, Gumbo %8.1f MB/s: %.1f times\n",
               (double)p.n_bytes / 1e6 / ours, (double)p.n_bytes / 1e6 / gumbos, gumbos / ours);
    compare(&p, ctx, n_show);
    dpl__vec_clear(ctx, &p.html, &p.names);
    dpl__arena_clear(&p.arena);
    dpl_ctx_free(ctx);
    return 0;
}
