/*
 * langlinks.c - known links from tables of MediaWiki dumps, from lines of text, or from the
 * pages.
 *
 * In: two collections, files. Out: pairs of documents, each document in one of them at most.
 *
 *     page.sql       page_id -> title             only needed where documents have other ids
 *     redirect.sql   page_id -> title             only needed where the dump had no redirects
 *     langlinks.sql  page_id of one wiki -> language and title of another
 *     wb_items_per_site.sql   item -> wiki and title, for all wikis
 *
 * Tables are streams: what is kept is a number or a hash for each page that is in a collection.
 * Titles go through redirects of both sides. Of links that contradict each other the first one
 * counts, in the order of the files and of their rows.
 */
#include "doppel/links.h"

#include "base/ascii.h"
#include "base/ctx.h"
#include "base/name_list.h"
#include "base/order.h"
#include "base/sized.h"
#include "langlinks/link_numbers.h"
#include "langlinks/sql_table.h"
#include "langlinks/titles.h"
#include "par/sort.h"
#include "readers/json_parser.h"
#include "vectors/term_match.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

struct dpl_links {
    dpl_ctx *ctx;
    dpl_links_summary summary;
    dpl__name_list absent;       /* of lines */
    DPL_VEC(dpl_doc_pair) found; /* in the order in which they were read */
    DPL_VEC(dpl_doc_pair) pairs;
    uint32_t *of[2];
    uint32_t n_docs[2];
};

/* A page id, and a document or the key of a title. */
typedef struct page_entry {
    uint64_t page, value;
} page_entry;

/* A document that Wikidata has an item for. */
typedef struct item_entry {
    uint64_t item;
    uint32_t doc;
    int side;
} item_entry;

typedef struct reading {
    dpl_ctx *ctx;
    const dpl_collection *c[2];
    char lang[2][12];
    dpl__titles titles[2];
    DPL_VEC(page_entry) pages[2];     /* of page.sql: documents */
    DPL_VEC(page_entry) redirects[2]; /* and titles that are redirects */
    DPL_VEC(item_entry) items;
    dpl_links *out;
    uint64_t n_rows;
    bool is_partial;
} reading;

/* ---- languages and sides ---------------------------------------------------------------- */

/* "dewiki" -> "de", "zh_min_nanwiki" -> "zh-min-nan". */
static dpl_lang lang_of_site(const char *site)
{
    char name[DPL__SQL_NAME];
    const char *end = strstr(site, "wik");
    size_t n = end ? (size_t)(end - site) : 0;
    if (n == 0 || n >= sizeof name)
        return dpl_lang_canonical((dpl_str){"und", 3});
    for (size_t i = 0; i < n; i++)
        name[i] = site[i] == '_' ? '-' : site[i];
    return dpl_lang_canonical((dpl_str){name, n});
}

/* 0, 1, or -1: neither. */
static int side_of_lang(const reading *r, dpl_lang lang)
{
    for (int side = 0; side < 2; side++)
        if (strcmp(r->lang[side], lang.code) == 0)
            return side;
    return -1;
}

/* The wiki that a table is of: by the comment in its head, else by the file's name. */
static dpl_status side_of_table(int *side, const reading *r, const dpl__sql_table *t,
                                dpl_error *err)
{
    const char *file = dpl__input_name(t->lines.in), *slash = strrchr(file, '/');
    const char *site = *t->database ? t->database : slash ? slash + 1 : file;
    *side = side_of_lang(r, lang_of_site(site));
    if (*side >= 0)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "links-language",
                          "'%s' is of '%s', the documents are in '%s' and '%s'", file, site,
                          r->lang[0], r->lang[1]);
}

/* ---- what is found ---------------------------------------------------------------------- */

static dpl_status add_link(reading *r, dpl_doc_pair docs, dpl_error *err)
{
    return dpl__need(dpl__vec_push(r->ctx, &r->out->found, docs), err);
}

/* A document by its title, or by its id where titles are none. */
static bool find_titled(reading *r, int side, dpl_str title, uint32_t *doc)
{
    assert(side == 0 || side == 1);
    bool is_redirected = false;
    bool is_there =
        dpl__titles_find(&r->titles[side], dpl__title_key(title), doc, &is_redirected) ||
        dpl_collection_find_doc(r->c[side], title, doc);
    r->out->summary.n_redirected += is_there && is_redirected;
    return is_there;
}

/* Adds the link from a document of one side (NULL: none) to a title of the other. */
static dpl_status link_title(reading *r, int from, const uint32_t *doc, dpl_str title,
                             dpl_error *err)
{
    dpl_links_summary *s = &r->out->summary;
    uint32_t other = 0;
    bool is_there = find_titled(r, !from, title, &other);
    s->n_read++;
    s->n_absent[from] += !doc;
    s->n_absent[!from] += !is_there;
    if (!doc || !is_there)
        return DPL_OK;
    return add_link(r, from ? (dpl_doc_pair){other, *doc} : (dpl_doc_pair){*doc, other}, err);
}

/* ---- tables ------------------------------------------------------------------------- */

static uint64_t number_of(dpl_str s)
{
    return dpl__take_digits(&s);
}

static bool is_word(dpl_str s, const char *word)
{
    return dpl__str_eq(s, dpl__cstr(word));
}

/* Columns by name; a table without one of them is not what its name says. */
static dpl_status find_columns(size_t *out, const dpl__sql_table *t, const char *const *names,
                               size_t n, dpl_error *err)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = dpl__sql_column(t, names[i]);
        if (out[i] == SIZE_MAX)
            return dpl__fail(err, DPL_E_FORMAT, "'%s': table '%s' has no column '%s'",
                             dpl__input_name(t->lines.in), t->name, names[i]);
    }
    return DPL_OK;
}

static dpl_status next_row(reading *r, dpl__sql_table *t, const dpl_str **row, dpl_error *err)
{
    enum { ROWS = 1 << 14 };
    if (r->n_rows++ % ROWS == 0) {
        dpl_progress p = {.stage = "links",
                          .unit = "bytes",
                          .done = dpl__input_position(t->lines.in),
                          .total = dpl__input_size(t->lines.in)};
        DPL_TRY(dpl__progress(r->ctx, &p, err));
    }
    return dpl__sql_next(t, row, err);
}

static dpl_status read_page(reading *r, dpl__sql_table *t, dpl_error *err)
{
    static const char *const names[] = {"page_id", "page_namespace", "page_title",
                                        "page_is_redirect"};
    size_t at[DPL_LEN(names)];
    const dpl_str *row;
    int side;
    DPL_TRY(find_columns(at, t, names, DPL_LEN(names), err));
    DPL_TRY(side_of_table(&side, r, t, err));
    dpl_status status;
    while ((status = next_row(r, t, &row, err)) == DPL_OK) {
        if (!is_word(row[at[1]], "0"))
            continue;
        page_entry e = {number_of(row[at[0]]), dpl__title_key(row[at[2]])};
        bool is_redirect = is_word(row[at[3]], "1");
        DPL_TRY(dpl__need((is_redirect ? dpl__vec_push(r->ctx, &r->redirects[side], e)
                                       : dpl__vec_push(r->ctx, &r->pages[side], e)),
                          err));
    }
    return status == DPL_END ? DPL_OK : status;
}

DPL__ORDER(by_page, page_entry, DPL__RISING(page))

static bool find_page(const page_entry *all, size_t n, uint64_t page, uint64_t *value)
{
    page_entry key = {page, 0};
    const page_entry *e = n ? bsearch(&key, all, n, sizeof *all, by_page) : NULL;
    if (e)
        *value = e->value;
    return e != NULL;
}

static dpl_status read_redirect(reading *r, dpl__sql_table *t, dpl_error *err)
{
    static const char *const names[] = {"rd_from", "rd_namespace", "rd_title"};
    size_t at[DPL_LEN(names)];
    const dpl_str *row;
    int side;
    DPL_TRY(find_columns(at, t, names, DPL_LEN(names), err));
    DPL_TRY(side_of_table(&side, r, t, err));
    dpl_status status;
    while ((status = next_row(r, t, &row, err)) == DPL_OK) {
        uint64_t key;
        if (is_word(row[at[1]], "0") && find_page(r->redirects[side].data, r->redirects[side].n,
                                                  number_of(row[at[0]]), &key))
            DPL_TRY(
                dpl__titles_add_alias(&r->titles[side], key, dpl__title_key(row[at[2]]), err));
    }
    return status == DPL_END ? DPL_OK : status;
}

/* A page of a side by its id: by page.sql where there is one, else documents are called so. */
static bool find_by_page(const reading *r, int side, dpl_str page, uint32_t *doc)
{
    uint64_t key;
    bool is_redirected;
    if (r->pages[side].n)
        return find_page(r->pages[side].data, r->pages[side].n, number_of(page), &key) &&
               dpl__titles_find(&r->titles[side], key, doc, &is_redirected);
    return dpl_collection_find_doc(r->c[side], page, doc);
}

static dpl_status read_langlinks(reading *r, dpl__sql_table *t, dpl_error *err)
{
    static const char *const names[] = {"ll_from", "ll_lang", "ll_title"};
    size_t at[DPL_LEN(names)];
    const dpl_str *row;
    int side;
    DPL_TRY(find_columns(at, t, names, DPL_LEN(names), err));
    DPL_TRY(side_of_table(&side, r, t, err));
    char last[12] = "";
    bool is_other = false; /* the last language is that of the other side */
    dpl_status status;
    while ((status = next_row(r, t, &row, err)) == DPL_OK) {
        dpl_str lang = row[at[1]];
        if (lang.n != strlen(last) || memcmp(lang.data, last, lang.n) != 0) {
            is_other = strcmp(dpl_lang_canonical(lang).code, r->lang[!side]) == 0;
            snprintf(last, sizeof last, "%.*s", (int)dpl__min(lang.n, sizeof last - 1),
                     lang.n ? lang.data : "");
        }
        uint32_t doc;
        if (is_other && row[at[2]].n)
            DPL_TRY(link_title(r, side, find_by_page(r, side, row[at[0]], &doc) ? &doc : NULL,
                               row[at[2]], err));
    }
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status read_items(reading *r, dpl__sql_table *t, dpl_error *err)
{
    static const char *const names[] = {"ips_item_id", "ips_site_id", "ips_site_page"};
    size_t at[DPL_LEN(names)];
    const dpl_str *row;
    DPL_TRY(find_columns(at, t, names, DPL_LEN(names), err));
    dpl_status status;
    while ((status = next_row(r, t, &row, err)) == DPL_OK) {
        char site[DPL__SQL_NAME];
        dpl_str name = row[at[1]];
        static const char wiki[] = "wiki"; /* not wikivoyage, commonswiki, specieswiki */
        if (name.n < sizeof wiki || name.n >= sizeof site ||
            memcmp(name.data + name.n - 4, wiki, 4) != 0)
            continue;
        memcpy(site, name.data, name.n);
        site[name.n] = 0;
        item_entry e = {.item = number_of(row[at[0]]),
                        .side = side_of_lang(r, lang_of_site(site))};
        if (e.side < 0)
            continue;
        if (!find_titled(r, e.side, row[at[2]], &e.doc))
            e.doc = DPL__LINKS_NONE;
        DPL_TRY(dpl__need(dpl__vec_push(r->ctx, &r->items, e), err));
    }
    return status == DPL_END ? DPL_OK : status;
}

DPL__ORDER(by_item, item_entry, DPL__RISING(item) DPL__RISING(side))

/* An item with a page in both wikis is a link. */
static dpl_status link_items(reading *r, dpl_error *err)
{
    dpl_links_summary *s = &r->out->summary;
    DPL_TRY(dpl__parallel_sort(r->ctx, r->items.data, r->items.n, sizeof *r->items.data,
                               by_item, err));
    for (size_t i = 0; i + 1 < r->items.n; i++) {
        const item_entry *a = &r->items.data[i], *b = a + 1;
        if (a->item != b->item || a->side != 0 || b->side != 1)
            continue;
        s->n_read++;
        s->n_absent[0] += a->doc == DPL__LINKS_NONE;
        s->n_absent[1] += b->doc == DPL__LINKS_NONE;
        if (a->doc != DPL__LINKS_NONE && b->doc != DPL__LINKS_NONE)
            DPL_TRY(add_link(r, (dpl_doc_pair){a->doc, b->doc}, err));
    }
    r->items.n = 0;
    return DPL_OK;
}

/* The tables that are understood, in the order in which they are read. */
static const struct table_kind {
    const char *name;
    dpl_status (*read)(reading *r, dpl__sql_table *t, dpl_error *err);
} kinds[] = {{"page", read_page},
             {"redirect", read_redirect},
             {"langlinks", read_langlinks},
             {"wb_items_per_site", read_items}};

/* ---- lines ------------------------------------------------------------------------------ */

static bool find_named(reading *r, int side, dpl_str name, uint32_t *doc)
{
    return dpl_collection_find_doc(r->c[side], name, doc) || find_titled(r, side, name, doc);
}

/* The ends of lines of a file. */
typedef struct line_ends {
    uint64_t n, n_there[2];
    uint64_t n_swapped; /* lines whose ends are documents of the other side */
    dpl__name_list absent[2];
} line_ends;

static dpl_status take_line(reading *r, line_ends *ends, const dpl_str names[2], dpl_error *err)
{
    uint32_t docs[2], other;
    bool is_there[2];
    ends->n++;
    r->out->summary.n_read++;
    for (int side = 0; side < 2; side++) {
        is_there[side] = find_named(r, side, names[side], &docs[side]);
        ends->n_there[side] += is_there[side];
        if (is_there[side])
            continue;
        r->out->summary.n_absent[side]++;
        dpl__name_list_add(&ends->absent[side], names[side]);
        dpl__name_list_add(&r->out->absent, names[side]);
    }
    if (is_there[0] && is_there[1])
        return add_link(r, (dpl_doc_pair){docs[0], docs[1]}, err);
    ends->n_swapped += find_named(r, 1, names[0], &other) && find_named(r, 0, names[1], &other);
    return DPL_OK;
}

/* A file of which one end of all lines is unknown is not about these documents. */
static dpl_status check_lines(const reading *r, const line_ends *ends, const char *path,
                              dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        if (r->is_partial || !ends->n || ends->n_there[side])
            continue;
        if (ends->n_swapped)
            return dpl__fail_code(err, DPL_E_USAGE, "links-swapped",
                                  "'%s' has the right document first, then the left one", path);
        return dpl__fail_code(err, DPL_E_USAGE, "links-unknown",
                              "no %s document of '%s' is here: %s", side ? "right" : "left",
                              path, ends->absent[side].text);
    }
    return DPL_OK;
}

static bool is_header(const dpl_str names[2])
{
    return is_word(names[0], "left_id") && is_word(names[1], "right_id");
}

static dpl_status read_lines(reading *r, const char *path, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    line_ends ends = {0};
    DPL_TRY(dpl__lines_open(&lines, r->ctx, path, err));
    dpl_status status;
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        dpl_str names[2];
        if (line.n == 0)
            continue;
        for (int side = 0; side < 2; side++)
            names[side] = dpl__next_column(&line);
        if (!names[1].data) {
            status = dpl__lines_bad(&lines, err, "no tab: left and right document are wanted");
            break;
        }
        if (!is_header(names) && (status = take_line(r, &ends, names, err)) != DPL_OK)
            break;
    }
    dpl__lines_close(&lines);
    return status == DPL_END ? check_lines(r, &ends, path, err) : status;
}

/* ---- in the pages ----------------------------------------------------------------------- */

/* {"interlanguage":{"en":"Title"}} */
static dpl_status read_extra(reading *r, int side, uint32_t doc, dpl__arena *arena,
                             dpl_error *err)
{
    dpl__json j = dpl__json_begin(r->ctx, dpl_collection_doc(r->c[side], doc).extra);
    dpl_str key, title, raw;
    dpl_status status = dpl__json_open(&j, '{');
    while (status == DPL_OK && (status = dpl__json_member(&j, arena, &key)) == DPL_OK) {
        if (!is_word(key, "interlanguage") || dpl__json_peek(&j) != '{') {
            status = dpl__json_skip(&j, &raw);
            continue;
        }
        status = dpl__json_open(&j, '{');
        while (status == DPL_OK && (status = dpl__json_member(&j, arena, &key)) == DPL_OK) {
            if (dpl__json_peek(&j) != '"') {
                status = dpl__json_skip(&j, &raw);
                continue;
            }
            status = dpl__json_string(&j, arena, &title);
            if (status == DPL_OK && side_of_lang(r, dpl_lang_canonical(key)) == !side)
                status = link_title(r, side, &doc, title, err);
        }
        status = status == DPL_END ? DPL_OK : status;
    }
    return status == DPL_E_NOMEM ? dpl__fail_nomem(err) : DPL_OK; /* fields may hold anything */
}

static dpl_status read_texts(reading *r, dpl_error *err)
{
    dpl__arena arena;
    dpl_status status = DPL_OK;
    dpl__arena_init(&arena, r->ctx);
    for (int side = 0; side < 2 && status == DPL_OK; side++) {
        uint32_t n = dpl_collection_get_sizes(r->c[side])->n_docs;
        for (uint32_t doc = 0; doc < n && status == DPL_OK; doc++) {
            dpl__arena_reset(&arena);
            if (dpl_collection_doc(r->c[side], doc).extra.n)
                status = read_extra(r, side, doc, &arena, err);
        }
    }
    dpl__arena_clear(&arena);
    return status;
}

/* ---- all files ---------------------------------------------------------------------- */

/* Does it begin as a dump of a table? A pipe, which can be read once only, has lines. */
static dpl_status is_sql(bool *out, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    struct stat st;
    *out = false;
    if (strcmp(path, "-") == 0 || (stat(path, &st) == 0 && !S_ISREG(st.st_mode)))
        return DPL_OK;
    DPL_TRY(dpl__lines_open(&lines, ctx, path, err));
    dpl_status status = dpl__lines_next(&lines, &line, err);
    if (status == DPL_OK)
        *out = line.n >= 2 &&
               (memcmp(line.data, "--", 2) == 0 || memcmp(line.data, "/*", 2) == 0 ||
                (line.n >= 6 && memcmp(line.data, "CREATE", 6) == 0));
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

/* One table, if it is of the kind whose turn it is. */
static dpl_status read_table(reading *r, const char *path, const struct table_kind *kind,
                             bool *is_known, dpl_error *err)
{
    dpl__sql_table t;
    DPL_TRY(dpl__sql_open(&t, r->ctx, path, err));
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < DPL_LEN(kinds); i++)
        *is_known |= strcmp(kinds[i].name, t.name) == 0;
    if (!*is_known)
        status = dpl__fail(err, DPL_E_USAGE,
                           "'%s' is table '%s'; links are in langlinks or wb_items_per_site",
                           path, t.name);
    else if (strcmp(t.name, kind->name) == 0)
        status = kind->read(r, &t, err);
    dpl__sql_close(&t);
    return status;
}

static dpl_status sort_pages(reading *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        DPL_TRY(dpl__parallel_sort(r->ctx, r->pages[side].data, r->pages[side].n,
                                   sizeof *r->pages[side].data, by_page, err));
        DPL_TRY(dpl__parallel_sort(r->ctx, r->redirects[side].data, r->redirects[side].n,
                                   sizeof *r->redirects[side].data, by_page, err));
    }
    return DPL_OK;
}

static dpl_status read_tables(reading *r, const char *const *paths, const bool *has_tables,
                              size_t n, dpl_error *err)
{
    for (size_t k = 0; k < DPL_LEN(kinds); k++) {
        for (size_t i = 0; i < n; i++) {
            bool is_known = false;
            if (has_tables[i])
                DPL_TRY(read_table(r, paths[i], &kinds[k], &is_known, err));
        }
        if (kinds[k].read == read_page)
            DPL_TRY(sort_pages(r, err));
        if (kinds[k].read == read_redirect)
            for (int side = 0; side < 2; side++)
                DPL_TRY(dpl__titles_sort(&r->titles[side], err));
    }
    return link_items(r, err);
}

static dpl_status read_files(reading *r, const char *const *paths, size_t n, dpl_error *err)
{
    bool *has_tables = dpl__calloc(r->ctx, n + 1, sizeof *has_tables);
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(has_tables, err));
    for (size_t i = 0; i < n; i++)
        if (strcmp(paths[i], DPL_LINKS_IN_TEXT) != 0)
            DPL__STEP(is_sql(&has_tables[i], r->ctx, paths[i], err));
    DPL__STEP(read_tables(r, paths, has_tables, n, err));
    for (size_t i = 0; i < n; i++) {
        if (has_tables[i])
            continue;
        DPL__STEP(strcmp(paths[i], DPL_LINKS_IN_TEXT) == 0 ? read_texts(r, err)
                                                           : read_lines(r, paths[i], err));
    }
done:
    dpl__free(r->ctx, has_tables);
    return status;
}

/* ---- the result --------------------------------------------------------------------- */

/* Initialises the table of a side: no document has a link yet. */
static dpl_status make_table(dpl_links *l, int side, uint32_t n_docs, dpl_error *err)
{
    uint32_t *of = dpl__alloc(l->ctx, ((size_t)n_docs + 1) * sizeof *of);
    DPL_TRY(dpl__need(of, err));
    memset(of, 0xFF, n_docs * sizeof *of);
    dpl__free(l->ctx, l->of[side]);
    l->of[side] = of;
    l->n_docs[side] = n_docs;
    return DPL_OK;
}

/* Keeps the first of links that contradict each other. The tables exist already. */
static dpl_status choose_links(dpl_links *l, dpl_error *err)
{
    l->pairs.n = 0;
    l->summary.n_contradicted = 0;
    for (size_t i = 0; i < l->found.n; i++) {
        dpl_doc_pair p = l->found.data[i];
        if (l->of[0][p.left] == DPL__LINKS_NONE && l->of[1][p.right] == DPL__LINKS_NONE) {
            l->of[0][p.left] = p.right;
            l->of[1][p.right] = p.left;
        } else if (l->of[0][p.left] != p.right) {
            l->summary.n_contradicted++;
        }
    }
    for (uint32_t doc = 0; doc < l->n_docs[0]; doc++) {
        dpl_doc_pair p = {doc, l->of[0][doc]};
        if (p.right != DPL__LINKS_NONE && !dpl__vec_push(l->ctx, &l->pairs, p))
            return dpl__fail_nomem(err);
    }
    l->summary.n_links = l->pairs.n;
    return DPL_OK;
}

static dpl_status keep_links(reading *r, dpl_error *err)
{
    for (int side = 0; side < 2; side++)
        DPL_TRY(make_table(r->out, side, dpl_collection_get_sizes(r->c[side])->n_docs, err));
    return choose_links(r->out, err);
}

/* The new number of an end, if its side has new ones. */
static bool renumber_end(dpl_links *l, int side, const uint32_t *now, uint32_t *doc)
{
    *doc = now ? now[*doc] : *doc;
    l->summary.n_absent[side] += *doc == DPL__LINKS_NONE;
    return *doc != DPL__LINKS_NONE;
}

dpl_status dpl__links_renumber(dpl_links *l, const uint32_t *const now[2],
                               const uint32_t n_docs[2], dpl_error *err)
{
    size_t n = 0;
    for (int side = 0; side < 2; side++)
        DPL_TRY(make_table(l, side, n_docs[side], err));
    for (size_t i = 0; i < l->found.n; i++) {
        dpl_doc_pair p = l->found.data[i];
        const bool has_left = renumber_end(l, 0, now[0], &p.left),
                   has_right = renumber_end(l, 1, now[1], &p.right);
        if (has_left && has_right)
            l->found.data[n++] = p;
    }
    l->found.n = n;
    return choose_links(l, err);
}

static dpl_status name_languages(reading *r, const dpl_links_options *o, dpl_error *err)
{
    for (int side = 0; side < 2; side++) {
        dpl__facts facts;
        if (o->langs[side]) {
            memcpy(r->lang[side], dpl_lang_canonical(dpl__cstr(o->langs[side])).code,
                   sizeof r->lang[side]);
            continue;
        }
        DPL_TRY(dpl__facts_find(&facts, r->c[side], 1, err));
        memcpy(r->lang[side], facts.lang, sizeof r->lang[side]);
    }
    return DPL_OK;
}

static dpl_status read_all(reading *r, const char *const *paths, size_t n,
                           const dpl_links_options *options, dpl_error *err)
{
    dpl_links_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    r->is_partial = o.is_partial;
    DPL_TRY(name_languages(r, &o, err));
    for (int side = 0; side < 2; side++)
        DPL_TRY(dpl__titles_init(&r->titles[side], r->ctx, r->c[side], err));
    DPL_TRY(read_files(r, paths, n, err));
    r->out->summary.absent = r->out->absent.n ? r->out->absent.text : NULL;
    return keep_links(r, err);
}

dpl_status dpl_links_read(dpl_links **out, dpl_ctx *ctx, const char *const *paths,
                          size_t n_paths, const dpl_collection *left,
                          const dpl_collection *right, const dpl_links_options *options,
                          dpl_error *err)
{
    *out = dpl__calloc(ctx, 1, sizeof **out);
    DPL_TRY(dpl__need(*out, err));
    (*out)->ctx = ctx;
    reading r = {.ctx = ctx, .c = {left, right}, .out = *out};
    dpl_status status = read_all(&r, paths, n_paths, options, err);
    for (int side = 0; side < 2; side++) {
        dpl__titles_clear(&r.titles[side]);
        dpl__vec_clear(ctx, &r.pages[side], &r.redirects[side]);
    }
    dpl__vec_clear(ctx, &r.items);
    if (status != DPL_OK) {
        dpl_links_free(*out);
        *out = NULL;
    }
    return status;
}

void dpl_links_free(dpl_links *l)
{
    if (!l)
        return;
    for (int side = 0; side < 2; side++)
        dpl__free(l->ctx, l->of[side]);
    dpl__vec_clear(l->ctx, &l->pairs, &l->found);
    dpl__free(l->ctx, l);
}

const dpl_links_summary *dpl__links_get_summary(const dpl_links *l)
{
    return &l->summary;
}

const dpl_doc_pair *dpl_links_pairs(const dpl_links *l, size_t *n)
{
    *n = l->pairs.n;
    return l->pairs.data;
}

uint32_t dpl__links_of(const dpl_links *l, int side, uint32_t doc)
{
    assert(doc < l->n_docs[side]);
    return l->of[side][doc];
}
