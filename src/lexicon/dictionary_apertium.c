/*
 * dictionary_apertium.c - bilingual dictionaries of Apertium, as lt-expand prints them.
 *
 *     haus<n><nt>:house<n>              both ways
 *     haus<n><nt>:>:home<n>             left to right only; ":<:" right to left only
 *
 * Tags in angle brackets are dropped, "#" before the rest of a phrase ("look<vblex># for") and
 * "_" are blanks.
 */
#include "lexicon/dictionary_format.h"

#include "unicode/unicode.h"

/* Where the right side begins and the left one ends; false: no colon behind a tag. */
static bool find_sides(dpl_str line, dpl_str sides[2])
{
    bool is_tag = false, had_tag = false;
    for (size_t i = 0; i < line.n; i++) {
        char c = line.data[i];
        had_tag = had_tag || c == '>';
        is_tag = c == '<' || (is_tag && c != '>');
        if (c != ':' || is_tag)
            continue;
        size_t right = i + 1;
        if (line.n - i >= 3 && line.data[i + 2] == ':' &&
            (line.data[i + 1] == '>' || line.data[i + 1] == '<'))
            right = i + 3;
        sides[0] = dpl__trim((dpl_str){line.data, i});
        sides[1] = dpl__trim((dpl_str){line.data + right, line.n - right});
        return had_tag;
    }
    return false;
}

static bool looks_like(dpl_str line)
{
    dpl_str sides[2];
    return find_sides(line, sides) && dpl__find_text(sides[0], "<") &&
           dpl__find_text(sides[1], "<");
}

static dpl_status read_line(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl__article *a = &d->article;
    dpl_str sides[2];
    if (!find_sides(line, sides))
        return dpl__bad_line(dpl__dictionary_place(d), err,
                             "no ':' between words with tags (word<n>:word<n>)");
    dpl__article_reset(a);
    d->entry.n = 0;
    for (int side = 0; side < 2; side++) {
        size_t begin = d->entry.n;
        bool is_tag = false;
        for (size_t i = 0; i < sides[side].n; i++) {
            char c = sides[side].data[i];
            bool is_shown = !is_tag && c != '<';
            is_tag = c == '<' || (is_tag && c != '>');
            if (is_shown && !dpl__vec_push(d->ctx, &d->entry, c == '#' || c == '_' ? ' ' : c))
                return dpl__fail_nomem(err);
        }
        if (d->entry.n == begin)
            continue;
        dpl_str text = {d->entry.data + begin, d->entry.n - begin};
        DPL_TRY(dpl__need(
            dpl__article_line(a, d->ctx, side ? &a->translations : &a->heads, text, "", 1),
            err));
    }
    return dpl__translations_add_article(d->g, a, err);
}

const dpl__dictionary_format dpl__dictionary_apertium = {
    .info = {"apertium", "bilingual dictionary of Apertium, as lt-expand prints it"},
    .looks_like = looks_like,
    .read = read_line};
