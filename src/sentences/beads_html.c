/*
 * beads_html.c - a document pair as a bilingual book: one page of HTML that needs no other
 * file.
 *
 * Every sentence of both texts is there, also those without a counterpart, in the order of the
 * left text. Side by side on a screen and on paper, one below the other on a phone. No script.
 */
#include "sentences/bilingual_book.h"

#include "base/sha256.h"

/* clang-format off */
static const char style[] =
    "\n:root{color-scheme:light dark;--paper:#fdfcfa;--ink:#1d2126;--soft:#5a626d;"
    "--line:#e0ddd6;--accent:#1c5a9c}\n"
    "@media screen and (prefers-color-scheme:dark){:root{--paper:#14171b;--ink:#e2e4e8;"
    "--soft:#9aa3af;--line:#2e343b;--accent:#84b8f0}}\n"
    "body{margin:0 auto;max-width:66rem;padding:3.5rem 1.5rem 5rem;background:var(--paper);"
    "color:var(--ink);font:1.08rem/1.6 Charter,'Iowan Old Style','Palatino Linotype',Palatino,"
    "'Noto Serif',Georgia,serif;overflow-wrap:break-word}\n"
    "header,.b{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:0 2.5rem}\n"
    "h1{font:400 1.9rem/1.2 inherit;font-size:1.9rem;font-weight:400;margin:0 0 2.5rem}\n"
    ".b p{margin:.18rem 0}.b.n{margin-top:1.1rem}\n"
    ".b:hover{background:rgba(128,128,128,.08)}\n"
    ".alone{color:var(--soft)}\n"
    "footer{margin-top:4rem;padding-top:1rem;border-top:1px solid var(--line);"
    "color:var(--soft);font:.875rem/1.5 system-ui,sans-serif}\n"
    "@media (max-width:600px){body{padding:2rem 1.1rem 3rem}header,.b{display:block}"
    "h1{font-size:1.5rem;margin-bottom:1rem}.b{margin:.7rem 0}"
    ".b p+p{color:var(--accent);font-size:.97em}}\n"
    "@media print{@page{margin:18mm 16mm}body{padding:0;max-width:none;background:none;"
    "font-size:10pt}.b{break-inside:avoid}}\n";
/* clang-format on */

static void put_head(dpl_beads_writer *w, const dpl__book *b)
{
    char source[DPL__SOURCE_SIZE];
    const char *const pieces[] = {style};
    dpl__policy_source(source, pieces, 1);
    dpl__bead_put_cstr(w, "<!DOCTYPE html>\n<html lang=\"");
    dpl__bead_put_id(w, b->lang[0], DPL__ESCAPE_XML);
    dpl__bead_put_cstr(w, "\">\n<head>\n<meta charset=\"utf-8\">\n"
                          "<meta name=\"viewport\" content=\"width=device-width, "
                          "initial-scale=1\">\n<meta http-equiv=\"Content-Security-Policy\" "
                          "content=\"default-src 'none'; style-src ");
    dpl__bead_put_cstr(w, source);
    dpl__bead_put_cstr(w, "; base-uri 'none'; form-action 'none'\">\n<title>");
    dpl__bead_put_text(w, 0, b->title[0], DPL__ESCAPE_XML);
    dpl__bead_put_cstr(w, "</title>\n<style>");
    dpl__bead_put_cstr(w, style);
    dpl__bead_put_cstr(w, "</style>\n</head>\n<body>\n<header>\n");
    for (int side = 0; side < 2; side++) {
        dpl__bead_put_cstr(w, "<h1 lang=\"");
        dpl__bead_put_id(w, b->lang[side], DPL__ESCAPE_XML);
        dpl__bead_put_cstr(w, "\">");
        dpl__bead_put_text(w, 0, b->title[side], DPL__ESCAPE_XML);
        dpl__bead_put_cstr(w, "</h1>\n");
    }
    dpl__bead_put_cstr(w, "</header>\n<main>\n");
}

static dpl_status put_html(dpl_beads_writer *w, const dpl_aligned_docs *docs, dpl_error *err)
{
    (void)err;
    const dpl__book b = dpl__book_of(w, docs);
    put_head(w, &b);
    for (size_t i = 0; i < docs->n_beads; i++, w->n_rows++)
        dpl__book_put_bead(w, &b, i);
    dpl__bead_put_cstr(w, "</main>\n<footer>doppel ");
    dpl__bead_put_cstr(w, dpl_version());
    dpl__bead_put_cstr(w, "</footer>\n</body>\n</html>\n");
    return DPL_OK;
}

const dpl__beads_format dpl__beads_html = {
    .info = {.name = "html",
             .about = "a bilingual book as a page, all sentences side by side",
             .is_per_pair = true},
    .docs = put_html};
