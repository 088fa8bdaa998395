/*
 * wikis.c - makes two wikis of any size in the form of Wikipedia's dumps out of aligned
 * sentences: dumps to measure with.
 *
 *     build/bench/wikis [OPTION...] FOLDER FILE[:LEFT:RIGHT]...
 *
 * FILEs are parallel text that dpl_bitext_open reads; LEFT and RIGHT are columns from 1. FOLDER
 * receives de.xml.bz2 and en.xml.bz2 (multistream, 100 pages a stream), de-langlinks.sql, and
 * what is true: gold.tsv (all pairs of articles), removed.tsv (those without a link), wrong.tsv
 * (links that were exchanged with that of another article), by page ids.
 *
 *     --pages N      articles of each wiki (10000)
 *     --paired X     share of them with a counterpart (0.6)
 *     --bytes N      wikitext of an article, mean (4000)
 *     --removed X    share of the links that is left out (1/3)
 *     --wrong X      share of the others that is wrong (0.05)
 *     --least N      bytes of a sentence that is taken (36)
 *     --langs L,R    (de,en)   --seed N (1)   --threads N (all)
 *     --read FILE    nothing of this: FILE is decompressed, and its bytes counted
 *
 * wiki_pages.c says what articles are made of. Beside every 100 articles there are 50
 * redirects, 10 talk pages, 3 disambiguation pages, 3 stubs and a list. The same options give
 * the same bytes of XML, whatever the number of threads.
 */
#define _POSIX_C_SOURCE 200809L
#include "doppel/doppel.h"

#include "base/arena.h"
#include "base/ctx.h"
#include "base/vec.h"
#include "io/input.h"
#include "par/pool.h"
#include "wiki_pages.h"

#include <bzlib.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

enum { STREAM = 100, SLOTS = 64 };

/* Purposes of chance; wiki_pages.c has those from 16 on. */
enum { REDIRECT = 1, REDIRECTED_LINK, REMOVED, WRONG };

typedef struct stream {
    page_text xml, packed;
    uint32_t number;
} stream;

typedef struct wikis {
    dpl_ctx *ctx;
    wiki_world world;
    const char *folder, *read;
    double removed, wrong;
    size_t least; /* bytes of a sentence */
    dpl__arena arena;
    DPL_VEC(wiki_row) rows;
    /* of the dump at work */
    int side;
    FILE *out;
    stream streams[SLOTS];
    uint32_t next, n_streams;
    uint64_t n_xml, n_packed, n_articles_bytes;
} wikis;

static FILE *open_file(const wikis *g, const char *name, const char *end)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", g->folder, name, end);
    FILE *file = fopen(path, "wb");
    if (!file)
        fprintf(stderr, "wikis: cannot write '%s': %s\n", path, strerror(errno));
    return file;
}

/* ---- sentences ------------------------------------------------------------------------ */

static dpl_status read_rows(wikis *g, const char *spec, dpl_error *err)
{
    enum { MOST_BYTES = 600 };
    char path[4096];
    unsigned columns[2] = {1, 2};
    snprintf(path, sizeof path, "%s", spec);
    char *colon = strchr(path, ':');
    if (colon && sscanf(colon, ":%u:%u", &columns[0], &columns[1]) == 2)
        *colon = 0;
    dpl_bitext_options o =
        DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV, .on_error = DPL_ON_ERROR_SKIP,
                 .left_column = columns[0], .right_column = columns[1]);
    dpl_bitext *in = NULL;
    const char *paths[] = {path};
    DPL_TRY(dpl_bitext_open(&in, g->ctx, paths, 1, &o, err));
    dpl_bitext_row row;
    dpl_status status;
    while ((status = dpl_bitext_next(in, &row, err)) == DPL_OK) {
        if (row.left.n < g->least || row.right.n < g->least || row.left.n > MOST_BYTES ||
            row.right.n > MOST_BYTES)
            continue;
        char *text = dpl__arena_alloc(&g->arena, row.left.n + row.right.n);
        if (!text) {
            status = dpl__fail_nomem(err);
            break;
        }
        memcpy(text, row.left.data, row.left.n);
        memcpy(text + row.left.n, row.right.data, row.right.n);
        wiki_row taken = {.text = {text, text + row.left.n},
                          .n = {(uint32_t)row.left.n, (uint32_t)row.right.n}};
        wiki_row_find_slots(&taken);
        if (!dpl__vec_push(g->ctx, &g->rows, taken)) {
            status = dpl__fail_nomem(err);
            break;
        }
    }
    dpl_bitext_close(in);
    return status == DPL_END ? DPL_OK : status;
}

/* ---- pages -------------------------------------------------------------------------- */

/* Article i < n_side of a wiki stands at this place of its dump. */
static uint32_t place_of(const wiki_world *w, int side, uint32_t i)
{
    return (uint32_t)(((uint64_t)i * 2147483647u + (side ? 12345u : 0u)) % w->n_side);
}

/* Ids have gaps, as redirects and other pages lie between them. */
static uint32_t id_of_place(uint32_t place)
{
    return place * 4 + 1;
}

static uint32_t id_of(const wiki_world *w, int side, uint32_t article)
{
    uint32_t i = article < w->n_side ? article : article - w->n_side + w->n_paired;
    return id_of_place(place_of(w, side, i));
}

typedef void put_title_fn(page_text *out, const wiki_world *w, int side, uint32_t number);

static void put_redirect_title(page_text *out, const wiki_world *w, int side, uint32_t article)
{
    wiki_put_title(out, w, side, article);
    page_puts(out, " Redirect");
}

static bool is_redirected(const wiki_world *w, int side, uint32_t article)
{
    return wiki_chance(w, (uint64_t)article * 2 + (uint64_t)side, REDIRECT) < 0.5;
}

static void begin_page(page_text *x, const char *title, int ns, uint32_t id)
{
    page_printf(x, "  <page>\n    <title>%s</title>\n    <ns>%d</ns>\n    <id>%u</id>\n", title,
                ns, id);
}

static void put_revision(page_text *x, const page_text *text, uint32_t id)
{
    uint32_t n = id * 2654435761u;
    page_printf(x,
                "    <revision>\n      <id>%u</id>\n      <parentid>%u</parentid>\n"
                "      <timestamp>20%02u-%02u-%02uT%02u:%02u:%02uZ</timestamp>\n"
                "      <contributor>\n        <username>User %u</username>\n"
                "        <id>%u</id>\n      </contributor>\n      <comment>/* %x */</comment>\n"
                "      <model>wikitext</model>\n      <format>text/x-wiki</format>\n",
                n, n / 2, 5 + n % 20, 1 + n % 12, 1 + n % 28, n % 24, n % 60, n / 60 % 60,
                n % 50000, n % 50000 + 7, n);
    page_printf(x, "      <text bytes=\"%zu\" xml:space=\"preserve\">", text->n);
    page_put_xml(x, text->data, text->n);
    page_printf(x, "</text>\n      <sha1>%08x%08x%08x</sha1>\n    </revision>\n  </page>\n", n,
                n ^ 0x5bd1e995u, ~n);
}

static void put_extra(page_text *x, const wikis *g, uint32_t i, uint32_t id)
{
    static const struct {
        unsigned from, n;
        int ns;
        const char *title[2]; /* German, others */
        void (*put)(page_text *, const wiki_world *, int, uint32_t);
    } kinds[] = {
        {0, 10, 1, {"Diskussion:%u", "Talk:%u"}, wiki_put_talk},
        {10, 3, 0, {"Begriff %u", "Meanings %u"}, wiki_put_meanings},
        {13, 3, 0, {"Stub %u", "Stub %u"}, NULL},
        {16, 1, 0, {"Liste der Dinge %u", "List of things %u"}, wiki_put_list},
    };
    page_text text = {0};
    for (size_t k = 0; k < DPL_LEN(kinds); k++) {
        char title[64];
        if (i % 100 < kinds[k].from || i % 100 >= kinds[k].from + kinds[k].n)
            continue;
        bool is_german = strcmp(g->world.lang[g->side], "de") == 0;
        snprintf(title, sizeof title, kinds[k].title[is_german ? 0 : 1], i);
        begin_page(x, title, kinds[k].ns, id);
        if (kinds[k].put)
            kinds[k].put(&text, &g->world, g->side, i);
        else
            page_puts(&text, "{{stub}}");
        put_revision(x, &text, id);
    }
    page_clear(&text);
}

static void put_redirect(page_text *x, const wikis *g, uint32_t article, uint32_t id)
{
    page_text text = {0}, title = {0}, own = {0};
    put_redirect_title(&own, &g->world, g->side, article);
    page_put(&own, "", 1);
    begin_page(x, own.data, 0, id);
    wiki_put_title(&title, &g->world, g->side, article);
    page_puts(x, "    <redirect title=\"");
    page_put(x, title.data, title.n);
    page_puts(x, "\" />\n");
    page_puts(&text, g->world.lang[g->side][0] == 'd' ? "#WEITERLEITUNG [[" : "#REDIRECT [[");
    page_put(&text, title.data, title.n);
    page_puts(&text, "]]");
    put_revision(x, &text, id);
    page_clear(&text);
    page_clear(&title);
    page_clear(&own);
}

/* The article at a place, and what stands behind it. */
static size_t put_place(page_text *x, const wikis *g, const uint32_t *articles, uint32_t place)
{
    uint32_t article = articles[place], id = id_of_place(place);
    page_text text = {0}, title = {0};
    wiki_put_title(&title, &g->world, g->side, article);
    page_put(&title, "", 1);
    begin_page(x, title.data, 0, id);
    wiki_put_article(&text, &g->world, g->side, article);
    put_revision(x, &text, id);
    size_t n = text.n;
    page_clear(&text);
    page_clear(&title);
    if (is_redirected(&g->world, g->side, article))
        put_redirect(x, g, article, id + 1);
    put_extra(x, g, place, id + 2);
    return n;
}

/* ---- a dump ------------------------------------------------------------------------- */

static void put_head(page_text *x, const wikis *g)
{
    static const struct {
        int key;
        const char *name[2];
    } spaces[] = {{0, {"", ""}},
                  {1, {"Diskussion", "Talk"}},
                  {6, {"Datei", "File"}},
                  {10, {"Vorlage", "Template"}},
                  {14, {"Kategorie", "Category"}}};
    const char *lang = g->world.lang[g->side];
    page_printf(x,
                "<mediawiki xmlns=\"http://www.mediawiki.org/xml/export-0.11/\" "
                "version=\"0.11\" xml:lang=\"%s\">\n  <siteinfo>\n"
                "    <sitename>Wikipedia</sitename>\n    <dbname>%swiki</dbname>\n"
                "    <case>first-letter</case>\n    <namespaces>\n",
                lang, lang);
    for (size_t i = 0; i < DPL_LEN(spaces); i++)
        page_printf(x, "      <namespace key=\"%d\" case=\"first-letter\">%s</namespace>\n",
                    spaces[i].key, spaces[i].name[strcmp(lang, "de") ? 1 : 0]);
    page_puts(x, "    </namespaces>\n  </siteinfo>\n");
}

/* Streams: the head, the articles, the end. */
typedef struct dump {
    wikis *g;
    const uint32_t *articles; /* by place */
    uint64_t n_text[SLOTS];
} dump;

static dpl_status produce(void *user, size_t slot, dpl_error *err)
{
    wikis *g = ((dump *)user)->g;
    (void)err;
    if (g->next == g->n_streams)
        return DPL_END;
    g->streams[slot].number = g->next++;
    return DPL_OK;
}

static dpl_status map(void *user, size_t slot, unsigned worker, dpl_error *err)
{
    dump *d = user;
    wikis *g = d->g;
    stream *s = &g->streams[slot];
    (void)worker;
    s->xml.n = 0;
    d->n_text[slot] = 0;
    if (s->number == 0)
        put_head(&s->xml, g);
    uint32_t begin = s->number ? (s->number - 1) * STREAM : 0;
    for (uint32_t i = begin; s->number && i < begin + STREAM && i < g->world.n_side; i++)
        d->n_text[slot] += put_place(&s->xml, g, d->articles, i);
    if (s->number + 1 == g->n_streams)
        page_puts(&s->xml, "</mediawiki>\n");
    unsigned n = (unsigned)(s->xml.n + s->xml.n / 100 + 600);
    s->packed.n = 0;
    while (s->packed.cap < n)
        page_put(&s->packed, s->xml.data, dpl__min(s->xml.n, n)); /* only for the room */
    if (BZ2_bzBuffToBuffCompress(s->packed.data, &n, s->xml.data, (unsigned)s->xml.n, 9, 0, 0))
        return dpl__fail(err, DPL_E_NOMEM, "bzip2 failed");
    s->packed.n = n;
    return DPL_OK;
}

static dpl_status commit(void *user, size_t slot, dpl_error *err)
{
    dump *d = user;
    wikis *g = d->g;
    const stream *s = &g->streams[slot];
    g->n_xml += s->xml.n;
    g->n_packed += s->packed.n;
    g->n_articles_bytes += d->n_text[slot];
    if (fwrite(s->packed.data, 1, s->packed.n, g->out) != s->packed.n)
        return dpl__fail_errno(err, errno, "cannot write the dump");
    return DPL_OK;
}

static dpl_status write_dump(wikis *g, int side, dpl_error *err)
{
    const wiki_world *w = &g->world;
    uint32_t *articles = malloc(w->n_side * sizeof *articles);
    g->side = side;
    g->out = open_file(g, w->lang[side], ".xml.bz2");
    if (!articles || !g->out) {
        free(articles);
        return dpl__fail(err, DPL_E_IO, "nothing to write to");
    }
    for (uint32_t i = 0; i < w->n_side; i++)
        articles[place_of(w, side, i)] = wiki_article(w, side, i);
    g->next = 0;
    g->n_streams = 1 + (w->n_side + STREAM - 1) / STREAM;
    g->n_xml = g->n_packed = g->n_articles_bytes = 0;
    dump d = {.g = g, .articles = articles};
    dpl__pipeline p = {
        .user = &d, .n_slots = SLOTS, .produce = produce, .map = map, .commit = commit};
    dpl_status status = dpl__pipeline_run(g->ctx, &p, err);
    if (fclose(g->out) && status == DPL_OK)
        status = dpl__fail_errno(err, errno, "cannot write the dump");
    free(articles);
    printf("%s: %u articles of %.0f bytes of wikitext, %.1f MB of XML, %.1f MB compressed\n",
           w->lang[side], w->n_side, (double)g->n_articles_bytes / w->n_side,
           (double)g->n_xml / 1e6, (double)g->n_packed / 1e6);
    return status;
}

/* ---- links -------------------------------------------------------------------------- */

typedef struct link_files {
    FILE *sql, *removed, *wrong, *gold;
    page_text line; /* statements are a megabyte long at the most, as mysqldump's */
    uint64_t n;
} link_files;

static void end_statement(link_files *f)
{
    if (f->line.n)
        page_puts(&f->line, ";\n");
    fwrite(f->line.data, 1, f->line.n, f->sql);
    f->line.n = 0;
}

static void put_link(link_files *f, const wiki_world *w, uint32_t left, uint32_t right)
{
    page_printf(&f->line, "%s(%u,'%s','", f->line.n ? "," : "INSERT INTO `langlinks` VALUES ",
                id_of(w, 0, left), w->lang[1]);
    if (is_redirected(w, 1, right) && wiki_chance(w, right, REDIRECTED_LINK) < 0.1)
        put_redirect_title(&f->line, w, 1, right);
    else
        wiki_put_title(&f->line, w, 1, right);
    page_puts(&f->line, "')");
    f->n++;
    if (f->line.n > 1000000)
        end_statement(f);
}

static void put_pair(FILE *out, const wiki_world *w, uint32_t left, uint32_t right)
{
    fprintf(out, "%u\t%u\n", id_of(w, 0, left), id_of(w, 1, right));
}

static void put_links(link_files *f, const wikis *g)
{
    const wiki_world *w = &g->world;
    uint32_t before = UINT32_MAX; /* an article that waits for another link to exchange with */
    for (uint32_t i = 0; i < w->n_paired; i++) {
        put_pair(f->gold, w, i, i);
        if (wiki_chance(w, i, REMOVED) < g->removed) {
            put_pair(f->removed, w, i, i);
        } else if (wiki_chance(w, i, WRONG) >= g->wrong) {
            put_link(f, w, i, i);
        } else if (before == UINT32_MAX) {
            before = i;
        } else {
            put_pair(f->wrong, w, before, i);
            put_pair(f->wrong, w, i, before);
            put_link(f, w, before, i);
            put_link(f, w, i, before);
            before = UINT32_MAX;
        }
    }
    if (before != UINT32_MAX)
        put_link(f, w, before, before);
    end_statement(f);
}

static int write_links(const wikis *g)
{
    const char *lang = g->world.lang[0];
    link_files f = {.sql = open_file(g, lang, "-langlinks.sql"),
                    .removed = open_file(g, "removed", ".tsv"),
                    .wrong = open_file(g, "wrong", ".tsv"),
                    .gold = open_file(g, "gold", ".tsv")};
    if (!f.sql || !f.removed || !f.wrong || !f.gold)
        return 1;
    fprintf(f.sql, "-- MySQL dump 10.19\n--\n-- Host: localhost    Database: %swiki\n", lang);
    fputs("CREATE TABLE `langlinks` (\n  `ll_from` int(8) unsigned NOT NULL,\n"
          "  `ll_lang` varbinary(20) NOT NULL,\n  `ll_title` varbinary(255) NOT NULL\n"
          ") ENGINE=InnoDB;\n",
          f.sql);
    put_links(&f, g);
    printf("%u pairs, %llu links\n", g->world.n_paired, (unsigned long long)f.n);
    page_clear(&f.line);
    return fclose(f.sql) | fclose(f.removed) | fclose(f.wrong) | fclose(f.gold);
}

/* ---- decompression alone ----------------------------------------------------------------- */

static dpl_status read_file(dpl_ctx *ctx, const char *path, dpl_error *err)
{
    static char buffer[1 << 20];
    dpl__input *in = NULL;
    uint64_t n = 0;
    size_t got = 1;
    double began = dpl__now();
    DPL_TRY(dpl__input_open(&in, ctx, path, err));
    dpl_status status = DPL_OK;
    while (status == DPL_OK && got) {
        status = dpl__input_read(in, buffer, sizeof buffer, &got, err);
        n += status == DPL_OK ? got : 0;
    }
    dpl__input_close(in);
    double core = (double)clock() / CLOCKS_PER_SEC; /* of all threads */
    printf("%llu bytes, %.3f s, %.3f core s\n", (unsigned long long)n, dpl__now() - began,
           core);
    return status;
}

/* ---- options ------------------------------------------------------------------------ */

static int usage(void)
{
    fputs("usage: wikis [--pages N] [--paired X] [--bytes N] [--removed X] [--wrong X] "
          "[--least N] "
          "[--langs L,R] [--seed N] [--threads N] FOLDER FILE[:LEFT:RIGHT]...\n",
          stderr);
    return 2;
}

/* The first argument that is no option; 0 for bad ones. */
static int read_options(wikis *g, unsigned *n_threads, double *paired, int argc, char **argv)
{
    int i = 1;
    for (; i < argc && strncmp(argv[i], "--", 2) == 0; i += 2) {
        const char *name = argv[i] + 2, *value = i + 1 < argc ? argv[i + 1] : "";
        if (strcmp(name, "pages") == 0)
            g->world.n_side = (uint32_t)strtoul(value, NULL, 10);
        else if (strcmp(name, "paired") == 0)
            *paired = atof(value);
        else if (strcmp(name, "bytes") == 0)
            g->world.mean_bytes = atof(value);
        else if (strcmp(name, "removed") == 0)
            g->removed = atof(value);
        else if (strcmp(name, "wrong") == 0)
            g->wrong = atof(value);
        else if (strcmp(name, "least") == 0)
            g->least = (size_t)strtoul(value, NULL, 10);
        else if (strcmp(name, "seed") == 0)
            g->world.seed = strtoull(value, NULL, 10);
        else if (strcmp(name, "threads") == 0)
            *n_threads = (unsigned)strtoul(value, NULL, 10);
        else if (strcmp(name, "read") == 0)
            g->read = value;
        else if (strcmp(name, "langs") != 0 ||
                 sscanf(value, "%3[a-z],%3[a-z]", g->world.lang[0], g->world.lang[1]) != 2)
            return 0;
    }
    bool is_sane = g->world.n_side > 0 && g->world.n_side < 500000000 && *paired >= 0 &&
                   *paired <= 1 && (g->read || i + 1 < argc);
    return is_sane ? i : 0;
}

static dpl_status write_all(wikis *g, char **files, int n_files, dpl_error *err)
{
    for (int i = 0; i < n_files; i++)
        DPL_TRY(read_rows(g, files[i], err));
    if (g->rows.n < 20)
        return dpl__fail(err, DPL_E_USAGE, "%zu sentence pairs are too few", g->rows.n);
    g->world.rows = g->rows.data;
    g->world.n_rows = g->rows.n;
    printf("%zu sentence pairs\n", g->rows.n);
    DPL_TRY(write_dump(g, 0, err));
    DPL_TRY(write_dump(g, 1, err));
    return write_links(g) ? dpl__fail(err, DPL_E_IO, "cannot write links") : DPL_OK;
}

static dpl_status write_wikis(wikis *g, double paired, char **args, int n_args, dpl_error *err)
{
    g->folder = args[0];
    g->world.n_paired = (uint32_t)(g->world.n_side * paired + 0.5);
    g->world.n_articles = 2 * g->world.n_side - g->world.n_paired;
    mkdir(g->folder, 0777);
    dpl__arena_init(&g->arena, g->ctx);
    dpl_status status = write_all(g, args + 1, n_args - 1, err);
    for (size_t i = 0; i < SLOTS; i++) {
        page_clear(&g->streams[i].xml);
        page_clear(&g->streams[i].packed);
    }
    dpl__vec_clear(g->ctx, &g->rows);
    dpl__arena_clear(&g->arena);
    return status;
}

int main(int argc, char **argv)
{
    static wikis g = {
        .world = {.seed = 1, .n_side = 10000, .mean_bytes = 4000, .lang = {"de", "en"}},
        .removed = 1.0 / 3,
        .wrong = 0.05,
        .least = 36};
    unsigned n_threads = 0;
    double paired = 0.6;
    int first = read_options(&g, &n_threads, &paired, argc, argv);
    if (!first)
        return usage();
    dpl_error err = {0};
    dpl_ctx_options o = DPL_INIT(dpl_ctx_options, .n_threads = n_threads);
    dpl_status status = dpl_ctx_new(&g.ctx, &o, &err);
    if (status == DPL_OK)
        status = g.read ? read_file(g.ctx, g.read, &err)
                        : write_wikis(&g, paired, argv + first, argc - first, &err);
    dpl_ctx_free(g.ctx);
    if (status != DPL_OK)
        fprintf(stderr, "wikis: %s\n", err.text);
    return status == DPL_OK ? 0 : 1;
}
