/*
 * wikis.c - makes two small wikis in the form of Wikipedia's dumps out of bilingual documents.
 *
 *     wikis LEFT RIGHT GOLD.tsv FOLDER [REMOVED [WRONG]]
 *
 * LEFT and RIGHT are documents in any format, GOLD.tsv has the ids of translations. FOLDER
 * receives LANG.xml for both sides, LANG-langlinks.sql of the left one, and removed.tsv and
 * wrong.tsv: links that were left out (REMOVED of them, default 1/3) and links that were
 * exchanged with that of another page (WRONG, default 1/20). Pages have sections, links,
 * templates, references and categories; there are redirects, a stub, a talk page and a list,
 * too. The same input gives the same bytes.
 */
#include <doppel/doppel.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* ---- the same chance in every run -------------------------------------------------------- */

static unsigned long long mix(unsigned long long x)
{
    x += 0x9E3779B97F4A7C15u;
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
    x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
    return x ^ (x >> 31);
}

/* From 0 to 1, for thing number i in the part of the game that is called so. */
static double chance(size_t i, unsigned part)
{
    return (double)(mix(i * 64 + part) >> 11) / 9007199254740992.0;
}

/* ---- writing ------------------------------------------------------------------------ */

static FILE *open_file(const char *folder, const char *name, const char *end)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s%s", folder, name, end);
    FILE *file = fopen(path, "w");
    if (!file)
        fprintf(stderr, "wikis: cannot write '%s': %s\n", path, strerror(errno));
    return file;
}

static void put_xml(FILE *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (text[i]) {
        case '<': fputs("&lt;", out); break;
        case '>': fputs("&gt;", out); break;
        case '&': fputs("&amp;", out); break;
        default: fputc(text[i], out); break;
        }
    }
}

static void put_line(FILE *out, const char *text)
{
    put_xml(out, text, strlen(text));
}

/* Characters that mean something in wikitext are left out. */
static void put_plain(FILE *out, const char *text, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!strchr("[]{}|'=*#<>_", text[i]))
            put_xml(out, text + i, 1);
}

/* The text of a page: a template in front, paragraphs under headings, some words as links. */
static void put_wikitext(FILE *out, const dpl_doc *doc, size_t number)
{
    const char *p = doc->text.data, *end = p + doc->text.n;
    put_line(out, "{{Infobox page|name=x|area={{convert|5|km2}}}}\n");
    for (size_t i = 0; p < end; i++) {
        const char *stop = (const char *)memchr(p, '\n', (size_t)(end - p));
        stop = stop ? stop : end;
        if (i && chance(number * 100 + i, 1) < 0.2)
            fprintf(out, "\n== %zu ==\n", i);
        const char *blank = (const char *)memchr(p, ' ', (size_t)(stop - p));
        if (blank && chance(number * 100 + i, 2) < 0.3) {
            put_line(out, "[[Page|");
            put_plain(out, p, (size_t)(blank - p));
            put_line(out, "]]");
            p = blank;
        }
        put_plain(out, p, (size_t)(stop - p));
        if (chance(number * 100 + i, 3) < 0.2)
            put_line(out, "<ref>{{cite book|title=Nothing}}</ref>");
        fputs("\n\n", out);
        p = stop + 1;
    }
    put_line(out, "[[Category:Pages]]\n");
}

static void put_title(FILE *out, const dpl_collection *c, uint32_t doc)
{
    dpl_doc d = dpl_collection_doc(c, doc);
    fputs("P ", out); /* first letters are capital ones in a wiki */
    put_plain(out, d.id.data, d.id.n);
}

/* Ids are those of the documents' order: pages have numbers. */
static void put_page(FILE *out, const dpl_collection *c, uint32_t doc)
{
    dpl_doc d = dpl_collection_doc(c, doc);
    fputs("  <page>\n    <title>", out);
    put_title(out, c, doc);
    fprintf(out, "</title>\n    <ns>0</ns>\n    <id>%u</id>\n    <revision>\n", doc + 1);
    fputs("      <model>wikitext</model>\n      <text>", out);
    put_wikitext(out, &d, doc);
    fputs("</text>\n    </revision>\n  </page>\n", out);
}

static void put_redirect(FILE *out, const dpl_collection *c, uint32_t doc, uint32_t n_docs)
{
    fprintf(out, "  <page>\n    <title>R %u</title>\n    <ns>0</ns>\n    <id>%u</id>\n", doc,
            n_docs + doc + 1);
    fputs("    <redirect title=\"", out);
    put_title(out, c, doc);
    fputs("\"/>\n    <revision><text>#REDIRECT [[", out);
    put_title(out, c, doc);
    fputs("]]</text></revision>\n  </page>\n", out);
}

static int is_redirected(uint32_t doc)
{
    return chance(doc, 4) < 0.2;
}

static void write_dump(FILE *out, const dpl_collection *c, const char *lang)
{
    uint32_t n = dpl_collection_get_sizes(c)->n_docs;
    fprintf(out,
            "<mediawiki xml:lang=\"%s\">\n  <siteinfo>\n    <dbname>%swiki</dbname>\n"
            "    <base>https://%s.example.org/wiki/Main_Page</base>\n",
            lang, lang, lang);
    fputs(
        "    <namespaces>\n      <namespace key=\"0\"/>\n"
        "      <namespace key=\"1\">Talk</namespace>\n"
        "      <namespace key=\"14\">Category</namespace>\n    </namespaces>\n  </siteinfo>\n",
        out);
    for (uint32_t doc = 0; doc < n; doc++) {
        put_page(out, c, doc);
        if (is_redirected(doc))
            put_redirect(out, c, doc, n);
    }
    fprintf(out,
            "  <page><title>Talk:P</title><ns>1</ns><id>%u</id><revision><text>I "
            "disagree.</text></revision></page>\n",
            3 * n + 1);
    fprintf(out,
            "  <page><title>Stub</title><ns>0</ns><id>%u</id><revision><text>Short."
            "</text></revision></page>\n",
            3 * n + 2);
    fprintf(out, "  <page><title>List of pages</title><ns>0</ns><id>%u</id><revision><text>",
            3 * n + 3);
    for (uint32_t doc = 0; doc < n && doc < 100; doc++) {
        put_line(out, "* [[");
        put_title(out, c, doc);
        put_line(out, "]]\n");
    }
    fputs("</text></revision></page>\n</mediawiki>\n", out);
}

/* ---- links -------------------------------------------------------------------------- */

typedef struct game {
    dpl_collection *c[2];
    const char *folder;
    double removed, wrong;
    dpl_doc_pair *links;
    size_t n;
} game;

static int read_gold(game *g, const char *path)
{
    char line[4096];
    FILE *in = fopen(path, "r");
    if (!in) {
        fprintf(stderr, "wikis: cannot open '%s': %s\n", path, strerror(errno));
        return 1;
    }
    while (fgets(line, sizeof line, in)) {
        char *left = strtok(line, "\t\n"), *right = left ? strtok(NULL, "\t\n") : NULL;
        dpl_doc_pair link;
        if (!right)
            continue;
        dpl_str ids[2] = {{left, strlen(left)}, {right, strlen(right)}};
        if (!dpl_collection_find_doc(g->c[0], ids[0], &link.left) ||
            !dpl_collection_find_doc(g->c[1], ids[1], &link.right))
            continue;
        dpl_doc_pair *more = (dpl_doc_pair *)realloc(g->links, (g->n + 1) * sizeof *more);
        if (!more)
            break;
        g->links = more;
        g->links[g->n++] = link;
    }
    fclose(in);
    return 0;
}

static void put_pair(FILE *out, dpl_doc_pair link)
{
    fprintf(out, "%u\t%u\n", link.left + 1, link.right + 1);
}

/* A link leads to the title of a page, or of a redirect to it. */
static void put_link(FILE *out, const game *g, dpl_doc_pair link, const char *lang, size_t *n)
{
    fprintf(out, "%s(%u,'%s','", *n ? "," : "INSERT INTO `langlinks` VALUES ", link.left + 1,
            lang);
    if (is_redirected(link.right) && chance(link.right, 5) < 0.5)
        fprintf(out, "R %u", link.right);
    else
        put_title(out, g->c[1], link.right);
    fputs("')", out);
    ++*n;
}

static int write_links(const game *g, const char *const lang[2])
{
    FILE *sql = open_file(g->folder, lang[0], "-langlinks.sql");
    FILE *removed = open_file(g->folder, "removed", ".tsv");
    FILE *wrong = open_file(g->folder, "wrong", ".tsv"),
         *gold = open_file(g->folder, "gold", ".tsv");
    if (!sql || !removed || !wrong || !gold)
        return 1;
    fprintf(sql, "-- MySQL dump 10.19\n--\n-- Host: localhost    Database: %swiki\n", lang[0]);
    fputs("CREATE TABLE `langlinks` (\n  `ll_from` int(8) unsigned NOT NULL,\n"
          "  `ll_lang` varbinary(20) NOT NULL,\n  `ll_title` varbinary(255) NOT NULL\n"
          ") ENGINE=InnoDB;\n",
          sql);
    size_t n = 0, before = g->n; /* before: a link that waits for one to be exchanged with */
    for (size_t i = 0; i < g->n; i++) {
        dpl_doc_pair link = g->links[i];
        put_pair(gold, link);
        if (chance(i, 6) < g->removed) {
            put_pair(removed, link);
        } else if (chance(i, 7) < g->wrong) {
            if (before == g->n) {
                before = i;
                continue;
            }
            dpl_doc_pair a = {g->links[before].left, link.right},
                         b = {link.left, g->links[before].right};
            put_pair(wrong, a);
            put_pair(wrong, b);
            put_link(sql, g, a, lang[1], &n);
            put_link(sql, g, b, lang[1], &n);
            before = g->n;
        } else {
            put_link(sql, g, link, lang[1], &n);
        }
    }
    if (before < g->n)
        put_link(sql, g, g->links[before], lang[1], &n);
    fputs(n ? ";\n" : "", sql);
    return fclose(sql) | fclose(removed) | fclose(wrong) | fclose(gold);
}

/* ---- everything --------------------------------------------------------------------- */

static int write_wikis(game *g, const char *gold)
{
    char lang[2][12];
    for (int side = 0; side < 2; side++) {
        dpl_str code = dpl_collection_doc(g->c[side], 0).lang;
        snprintf(lang[side], sizeof lang[side], "%.*s", (int)code.n, code.data);
        FILE *out = open_file(g->folder, lang[side], ".xml");
        if (!out)
            return 1;
        write_dump(out, g->c[side], lang[side]);
        if (fclose(out))
            return 1;
    }
    const char *const names[2] = {lang[0], lang[1]};
    if (read_gold(g, gold) || write_links(g, names))
        return 1;
    printf("%s-%s: %zu links\n", lang[0], lang[1], g->n);
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fputs("usage: wikis LEFT RIGHT GOLD.tsv FOLDER [REMOVED [WRONG]]\n", stderr);
        return 2;
    }
    dpl_ctx *ctx = NULL;
    dpl_error err;
    game g = {{NULL, NULL},
              argv[4],
              argc > 5 ? atof(argv[5]) : 1.0 / 3,
              argc > 6 ? atof(argv[6]) : 0.05,
              NULL,
              0};
    dpl_status status = dpl_ctx_new(&ctx, NULL, &err);
    for (int side = 0; side < 2 && status == DPL_OK; side++) {
        dpl_input in = {argv[1 + side], NULL, {NULL, 0}, NULL, NULL, {NULL, NULL, NULL}};
        status = dpl_collection_from_inputs(&g.c[side], NULL, ctx, &in, 1, NULL, &err);
    }
    int code = status == DPL_OK ? 0 : 1;
    if (code)
        fprintf(stderr, "wikis: %s\n", err.text);
    mkdir(argv[4], 0777);
    if (code == 0)
        code = write_wikis(&g, argv[3]);
    free(g.links);
    dpl_collection_close(g.c[0]);
    dpl_collection_close(g.c[1]);
    dpl_ctx_free(ctx);
    return code;
}
