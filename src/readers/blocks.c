/*
 * blocks.c - which lines of web pages are navigation, headers and footers?
 *
 * In: pages with their site. Out: the lines that stand on repeated_share of a site's pages
 * (readers_params.h), and runs of lines that are mostly links. No list of words is involved.
 * Lines are compared by a hash of their text without case and with all digits alike, so that
 * "Page 3" is "Page 4". The first site_pages of a site are enough to know its frame, and bound
 * what a large site costs. When the table is full, no further lines are learnt; the order of
 * pages decides, so the result is the same for any number of threads. Compare: boilerplate
 * detection by document frequency (Bar-Yossef and Rajagopalan 2002) and link density
 * (Kohlschuetter et al. 2010). Cost: 16 bytes a line of the pages learnt from, one hash a line.
 * Pages learnt from are kept, up to a thirty-second of the memory, and not read again.
 */
#include "readers/blocks.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/hash.h"
#include "base/map.h"
#include "base/vec.h"
#include "readers/readers_params.h"

#define P(name) DPL__P(readers, name)

enum {
    MOST_ENTRIES = 1 << 23,
    MEMORY_SHARE = 16, /* of the memory, for entries */
    LEAST_ENTRIES = 1 << 11
};

typedef struct entry {
    uint64_t key; /* 0: empty */
    uint32_t n_pages;
    uint32_t last; /* page it was counted for */
} entry;

DPL_KEY_MAP(entry_map, entry);

typedef struct kept_page {
    uint64_t key;
    dpl__html_page page;
} kept_page;

DPL_KEY_MAP(kept_map, kept_page);

struct dpl__blocks {
    dpl_ctx *ctx;
    entry_map entries; /* lines and sites */
    size_t n_most;     /* of them */
    uint32_t n_pages;  /* so far */
    dpl__arena arena;  /* of pages that are kept */
    kept_map kept;
    size_t n_kept; /* bytes */
};

dpl__blocks *dpl__blocks_new(dpl_ctx *ctx)
{
    dpl__blocks *b = dpl__calloc(ctx, 1, sizeof *b);
    if (!b)
        return NULL;
    b->ctx = ctx;
    dpl__arena_init(&b->arena, ctx);
    b->n_most = LEAST_ENTRIES;
    while (b->n_most < MOST_ENTRIES &&
           dpl__map_slots(2 * b->n_most) * sizeof(entry) <= ctx->memory / MEMORY_SHARE)
        b->n_most *= 2;
    if (entry_map_reserve(&b->entries, ctx, 1))
        return b;
    dpl__blocks_free(b);
    return NULL;
}

void dpl__blocks_free(dpl__blocks *b)
{
    if (!b)
        return;
    entry_map_clear(&b->entries, b->ctx);
    kept_map_clear(&b->kept, b->ctx);
    dpl__arena_clear(&b->arena);
    dpl__free(b->ctx, b);
}

/* ---- the table ------------------------------------------------------------------------ */

static entry *find(const dpl__blocks *b, uint64_t key)
{
    assert(key); /* 0 is a free slot */
    return entry_map_find(&b->entries, key, key);
}

/* Counts the key for this page, once. */
static bool count(dpl__blocks *b, uint64_t key)
{
    assert(b->n_pages > 0);
    const bool is_full = b->entries.n_used >= b->n_most;
    if (!is_full && !entry_map_reserve(&b->entries, b->ctx, 1))
        return false;
    entry *e = find(b, key);
    if (!e->key && is_full)
        return true;
    if (!e->key) {
        *e = (entry){.key = key};
        b->entries.n_used++;
    }
    if (e->last != b->n_pages) {
        e->last = b->n_pages;
        e->n_pages++;
    }
    return true;
}

/* ---- keys ----------------------------------------------------------------------------- */

#define IN_USE ((uint64_t)1 << 63) /* a key is not 0 */

/* The same for lines that differ in case (of ASCII) and numbers only. */
static uint64_t key_of_line(uint64_t site, const char *p, size_t n)
{
    uint64_t h = site;
    for (size_t i = 0; i < n; i++) {
        char c = p[i];
        if (dpl__is_digit(c) && i > 0 && dpl__is_digit(p[i - 1]))
            continue;
        c = (char)(dpl__is_digit(c) ? '0' : dpl__to_lower(c));
        h = (h ^ (unsigned char)c) * 0x100000001B3u;
    }
    return dpl__mix(h) | IN_USE;
}

static uint64_t key_of_site(dpl_str site)
{
    return dpl__hash(site.data, site.n, 1) | IN_USE;
}

dpl_str dpl__site_of(dpl_str id)
{
    size_t i = 0;
    while (i + 3 <= id.n && memcmp(id.data + i, "://", 3) != 0)
        i++;
    if (i + 3 <= id.n) {
        const char *host = id.data + i + 3;
        const size_t n = id.n - i - 3;
        const char *slash = n ? memchr(host, '/', n) : NULL;
        return (dpl_str){host, slash ? (size_t)(slash - host) : n};
    }
    size_t n = id.n;
    while (n && id.data[n - 1] != '/')
        n--;
    return (dpl_str){id.data, n};
}

/* ---- learning and asking -------------------------------------------------------------- */

bool dpl__blocks_want(const dpl__blocks *b, dpl_str site)
{
    const entry *e = find(b, key_of_site(site));
    return !e->key || e->n_pages < P(site_pages);
}

/* Where the line at p ends. */
static const char *end_of_line(const char *p, const char *end)
{
    const char *newline = memchr(p, '\n', (size_t)(end - p));
    return newline ? newline : end;
}

bool dpl__blocks_learn(dpl__blocks *b, dpl_str site, dpl_str text)
{
    const uint64_t key = key_of_site(site);
    b->n_pages++;
    if (!count(b, key))
        return false;
    const char *p = text.data, *end = text.n ? p + text.n : p;
    while (p < end) {
        const char *stop = end_of_line(p, end);
        if (!count(b, key_of_line(key, p, (size_t)(stop - p))))
            return false;
        p = stop + (stop < end);
    }
    return true;
}

/* ---- pages that are kept ---------------------------------------------------------------- */

/* Without memory it is read again. */
void dpl__blocks_keep(dpl__blocks *b, uint64_t key, const dpl__html_page *page)
{
    const size_t n_links = page->n_links * sizeof *page->links,
                 n = page->title.n + page->text.n + n_links;
    if (b->n_kept + n > b->ctx->memory / MEMORY_SHARE / 2 ||
        !kept_map_reserve(&b->kept, b->ctx, 1))
        return;
    kept_page *slot = kept_map_find(&b->kept, key, key);
    char *p = slot->key ? NULL : dpl__arena_alloc(&b->arena, n + 1);
    if (!p)
        return;
    memcpy(p, page->links ? (const void *)page->links : "", n_links);
    memcpy(p + n_links, page->title.data ? page->title.data : "", page->title.n);
    memcpy(p + n - page->text.n, page->text.data ? page->text.data : "", page->text.n);
    *slot = (kept_page){key,
                        {.title = {p + n_links, page->title.n},
                         .text = {p + n - page->text.n, page->text.n},
                         .links = (const dpl__html_span *)(const void *)p,
                         .n_links = page->n_links}};
    b->kept.n_used++;
    b->n_kept += n;
}

const dpl__html_page *dpl__blocks_kept(const dpl__blocks *b, uint64_t key)
{
    if (!b || !b->kept.n_used)
        return NULL;
    const kept_page *slot = kept_map_find(&b->kept, key, key);
    return slot->key ? &slot->page : NULL;
}

/* ---- filtering ------------------------------------------------------------------------ */

typedef struct filter {
    const dpl__html_page *page;
    const dpl__blocks *blocks; /* NULL: none were learnt */
    uint64_t site;             /* and how many of its pages */
    uint32_t n_pages;
    size_t i_link; /* the first link that ends behind the line */
    char *out;
    size_t n_out;
    uint64_t n_dropped;
    const char *run; /* lines of links that wait for more of them */
    size_t n_run;    /* how many */
} filter;

static bool is_repeated(const filter *f, const char *p, size_t n)
{
    if (!f->blocks || f->n_pages < P(least_site))
        return false;
    const entry *e = find(f->blocks, key_of_line(f->site, p, n));
    return e->key && e->n_pages >= P(repeated_pages) &&
           e->n_pages >= P(repeated_share) * f->n_pages;
}

/* Are half of the line's bytes in links? */
static bool is_linked(filter *f, size_t begin, size_t end)
{
    size_t n = 0;
    const dpl__html_span *links = f->page->links;
    while (f->i_link < f->page->n_links && links[f->i_link].end <= begin)
        f->i_link++;
    for (size_t i = f->i_link; i < f->page->n_links && links[i].begin < end; i++)
        n += dpl__min(links[i].end, end) - dpl__max(links[i].begin, begin);
    return 2 * n >= end - begin;
}

/* Keeps the line unless it comes again. */
static void take_line(filter *f, const char *p, size_t n)
{
    if (is_repeated(f, p, n)) {
        f->n_dropped++;
        return;
    }
    if (f->n_out)
        f->out[f->n_out++] = '\n';
    memmove(f->out + f->n_out, p, n);
    f->n_out += n;
}

/* A run of links ends at `stop`: a short one stays. */
static void end_run(filter *f, const char *stop)
{
    if (f->n_run >= (size_t)P(link_run)) {
        f->n_dropped += f->n_run;
        f->n_run = 0;
    }
    for (const char *p = f->run; f->n_run; f->n_run--) {
        const char *end = end_of_line(p, stop);
        take_line(f, p, (size_t)(end - p));
        p = end + (end < stop);
    }
}

dpl_str dpl__blocks_filter(const dpl__blocks *b, dpl_str site, const dpl__html_page *page,
                           uint64_t *n_dropped)
{
    const uint64_t key = key_of_site(site);
    char *text = (char *)(uintptr_t)page->text.data; /* the arena's, made for this page */
    filter f = {.page = page,
                .blocks = b,
                .site = key,
                .n_pages = b ? find(b, key)->n_pages : 0,
                .out = text};
    const char *end = page->text.n ? text + page->text.n : text, *run_end = text;
    for (const char *p = text, *stop; p < end; p = stop + (stop < end)) {
        stop = end_of_line(p, end);
        if (is_linked(&f, (size_t)(p - text), (size_t)(stop - text))) {
            f.run = f.n_run ? f.run : p;
            f.n_run++;
            run_end = stop;
            continue;
        }
        end_run(&f, run_end);
        take_line(&f, p, (size_t)(stop - p));
    }
    end_run(&f, run_end);
    *n_dropped = f.n_dropped;
    return (dpl_str){text, f.n_out};
}
