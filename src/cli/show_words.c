/*
 * show_words.c - the translations of a word, in both directions.
 *
 * Cost: a look at every word of the other column, for the probability of the way back.
 */
#include "cli/layout.h"
#include "cli/lexicon_file.h"
#include "cli/show_lexicon.h"
#include "cli/talk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NEAR = 5 };

/* ---- a word and its translations ---------------------------------------------------- */

/* What is not in the table is negative. */
typedef struct entry {
    uint32_t word;
    float p, back;
} entry;

/* A word of one column. */
typedef struct found {
    bool is_target;
    dpl_lexicon_hit hit;
    entry *entries; /* most probable first */
    size_t n_entries;
} found;

static float probability(const uint32_t *cols, const float *p, size_t n, uint32_t col)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t mid = low + (high - low) / 2;
        if (cols[mid] < col)
            low = mid + 1;
        else
            high = mid;
    }
    return low < n && cols[low] == col ? p[low] : -1;
}

static int by_probability(const void *a, const void *b)
{
    const entry *x = a, *y = b;
    if (x->p != y->p)
        return x->p < y->p ? 1 : -1;
    if (x->back != y->back)
        return x->back < y->back ? 1 : -1;
    return x->word < y->word ? -1 : x->word > y->word;
}

/* All words of the other column that one of the tables has together with this one. */
static bool translate(found *f, const dpl_lexicon *l)
{
    size_t n_row, n_back, n_room = 0;
    const float *p, *back;
    uint32_t n = cli_lexicon_n_words(l, !f->is_target);
    const uint32_t *row = cli_lexicon_row(l, f->is_target, f->hit.number, &p, &n_row);
    for (uint32_t word = 0; word < n; word++) {
        const uint32_t *back_row = cli_lexicon_row(l, !f->is_target, word, &back, &n_back);
        entry e = {word, probability(row, p, n_row, word),
                   probability(back_row, back, n_back, f->hit.number)};
        if (e.p < 0 && e.back < 0)
            continue;
        if (f->n_entries == n_room) {
            n_room = 2 * n_room + 16;
            entry *larger = realloc(f->entries, n_room * sizeof *larger);
            if (!larger)
                return false;
            f->entries = larger;
        }
        f->entries[f->n_entries++] = e;
    }
    if (f->n_entries)
        qsort(f->entries, f->n_entries, sizeof *f->entries, by_probability);
    return true;
}

/* ---- as text ------------------------------------------------------------------------ */

static const char *lang_of(const dpl_lexicon *l, bool is_target)
{
    const dpl_lexicon_info about = dpl_lexicon_get_info(l);
    const char *s = about.source_lang, *t = about.target_lang;
    if (!*s || !*t || strcmp(s, t) == 0)
        return is_target ? "target" : "source";
    return is_target ? t : s;
}

static bool has_table(const dpl_lexicon *l, bool is_target)
{
    const dpl_lexicon_sizes *n = dpl_lexicon_get_sizes(l);
    return (is_target ? n->n_back : n->n_entries) > 0;
}

static bool has_counts(const found *f, const dpl_lexicon *l, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (dpl_lexicon_count(l, !f->is_target, f->entries[i].word))
            return true;
    return false;
}

/* A column of probabilities, "p(en|de)". */
typedef struct column {
    char head[64];
    int width; /* 0: the lexicon has no such table */
} column;

static column column_of(const dpl_lexicon *l, bool is_target)
{
    column c = {0};
    int n = snprintf(c.head, sizeof c.head, "p(%s|%s)", lang_of(l, !is_target),
                     lang_of(l, is_target));
    if (has_table(l, is_target))
        c.width = n < 8 ? 8 : n;
    return c;
}

static void print_cell(const column *c, const char *text)
{
    if (c->width)
        cli_print("  %*s", c->width, text);
}

static void print_probability(const column *c, float p)
{
    char text[32] = "-";
    if (p >= 0)
        snprintf(text, sizeof text, "%.4f", (double)p);
    print_cell(c, text);
}

static void print_entries(const found *f, const dpl_lexicon *l, size_t n)
{
    bool is_counted = has_counts(f, l, n);
    column there = column_of(l, f->is_target), back = column_of(l, !f->is_target);
    char number[32];
    print_cell(&there, there.head);
    print_cell(&back, back.head);
    cli_print("%s  %s\n", is_counted ? "           count" : "", lang_of(l, !f->is_target));
    for (size_t i = 0; i < n; i++) {
        const entry *e = &f->entries[i];
        print_probability(&there, e->p);
        print_probability(&back, e->back);
        if (is_counted)
            cli_print("  %14s",
                      cli_grouped(number, dpl_lexicon_count(l, !f->is_target, e->word)));
        cli_print("  ");
        cli_print_line(dpl_lexicon_written(l, !f->is_target, e->word));
    }
    if (n < f->n_entries)
        cli_print("  and %s more\n", cli_grouped(number, f->n_entries - n));
}

static void print_found(const found *f, const dpl_lexicon *l, size_t n)
{
    enum { MOST = 80 };
    uint64_t count = dpl_lexicon_count(l, f->is_target, f->hit.number);
    char number[32], word[CLI_FIT_BYTES(MOST)];
    cli_fit(word, sizeof word, dpl_lexicon_written(l, f->is_target, f->hit.number), MOST);
    cli_print("%s (%s)", word, lang_of(l, f->is_target));
    if (count)
        cli_print(", %s time%s", cli_grouped(number, count), count == 1 ? "" : "s");
    cli_print("\n");
    if (f->n_entries)
        print_entries(f, l, n);
    else
        cli_print("  no translations\n");
}

/* ---- as JSON ------------------------------------------------------------------------ */

static void put_probability(dpl_json *j, const char *key, float p)
{
    dpl_json_real(j, key, p < 0 ? (double)NAN : (double)p);
}

static void put_found(dpl_json *j, const char *key, const found *f, const dpl_lexicon *l,
                      size_t n)
{
    if (!f->hit.is_known) {
        dpl_json_raw(j, key, (dpl_str){0});
        return;
    }
    dpl_json_begin(j, key, '{');
    dpl_json_cstr(j, "term", f->hit.text);
    dpl_json_text(j, "word", dpl_lexicon_written(l, f->is_target, f->hit.number));
    dpl_json_number(j, "count", dpl_lexicon_count(l, f->is_target, f->hit.number));
    dpl_json_number(j, "entries", f->n_entries);
    dpl_json_begin(j, "translations", '[');
    for (size_t i = 0; i < n; i++) {
        const entry *e = &f->entries[i];
        dpl_json_begin(j, NULL, '{');
        dpl_json_text(j, "term",
                      f->is_target ? dpl_lexicon_source(l, e->word)
                                   : dpl_lexicon_target(l, e->word));
        dpl_json_text(j, "word", dpl_lexicon_written(l, !f->is_target, e->word));
        put_probability(j, "p", e->p);
        put_probability(j, "back", e->back);
        dpl_json_number(j, "count", dpl_lexicon_count(l, !f->is_target, e->word));
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

/* ---- words that are not known ------------------------------------------------------- */

static size_t find_near(uint32_t *out, const dpl_lexicon *l, const found *f)
{
    dpl_str word = {f->hit.text, f->hit.n};
    return word.n ? dpl_lexicon_near(l, f->is_target, word, out, MOST_NEAR) : 0;
}

static void put_near(dpl_json *j, const dpl_lexicon *l, const found sides[2])
{
    dpl_json_begin(j, "near", '{');
    for (int side = 0; side < 2; side++) {
        uint32_t near[MOST_NEAR];
        size_t n = find_near(near, l, &sides[side]);
        dpl_json_begin(j, side ? "target" : "source", '[');
        for (size_t i = 0; i < n; i++)
            dpl_json_text(j, NULL, dpl_lexicon_written(l, side, near[i]));
        dpl_json_end(j, ']');
    }
    dpl_json_end(j, '}');
}

/* "haus, maus (de)"; empty when there is nothing. */
static const char *list_near(char *out, size_t n_out, const dpl_lexicon *l, const found *f)
{
    uint32_t near[MOST_NEAR];
    size_t n = find_near(near, l, f), at = 0;
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        dpl_str s = dpl_lexicon_written(l, f->is_target, near[i]);
        int n_text = s.n < 160 ? (int)s.n : 160; /* longer ones are no tokens of ours */
        at += (size_t)snprintf(out + at, n_out - at, "%s%.*s", i ? ", " : "", n_text, s.data);
    }
    if (n)
        snprintf(out + at, n_out - at, " (%s)", lang_of(l, f->is_target));
    return out;
}

static int tell_unknown(const cli_show_request *request, const char *word, const dpl_lexicon *l,
                        const found sides[2])
{
    char text[2][MOST_NEAR * 162 + 20];
    list_near(text[0], sizeof text[0], l, &sides[0]);
    list_near(text[1], sizeof text[1], l, &sides[1]);
    cli_show_missing(request, "word", word, NULL);
    if (*text[0] || *text[1])
        cli_hint("similar words: %s%s%s", text[0], *text[0] && *text[1] ? "; " : "", text[1]);
    return CLI_FAILED;
}

/* ---- one word ----------------------------------------------------------------------- */

static int find(found sides[2], dpl_ctx *ctx, const dpl_lexicon *l, const char *word)
{
    dpl_error err = {.status = DPL_E_NOMEM};
    for (int side = 0; side < 2; side++) {
        found *f = &sides[side];
        *f = (found){.is_target = side};
        if (dpl_lexicon_look_up(&f->hit, ctx, l, f->is_target, (dpl_str){word, strlen(word)},
                                &err) != DPL_OK)
            return cli_fail(&err);
        if (f->hit.is_known && !translate(f, l))
            return cli_fail(&err);
    }
    return CLI_DONE;
}

static size_t n_shown(const cli_show_request *request, const found *f)
{
    return cli_show_most(f->n_entries, request->n_terms);
}

static void print_word(const cli_show_request *request, const found sides[2],
                       const dpl_lexicon *l)
{
    for (int side = 0; side < 2; side++)
        if (sides[side].hit.is_known) {
            cli_print("%s", side && sides[0].hit.is_known ? "\n" : "");
            print_found(&sides[side], l, n_shown(request, &sides[side]));
        }
}

static void put_word(const cli_show_request *request, dpl_json *j, const found sides[2],
                     const dpl_lexicon *l, const char *word)
{
    dpl_json_cstr(j, "word", word);
    put_found(j, "source", &sides[0], l, n_shown(request, &sides[0]));
    put_found(j, "target", &sides[1], l, n_shown(request, &sides[1]));
    if (!sides[0].hit.is_known && !sides[1].hit.is_known)
        put_near(j, l, sides);
}

int cli_show_word(const dpl_lexicon *l, const cli_show_request *request, const char *word,
                  dpl_json *j)
{
    found sides[2] = {{0}};
    int code = find(sides, request->ctx, l, word);
    if (code == CLI_DONE && j)
        put_word(request, j, sides, l, word);
    else if (code == CLI_DONE)
        print_word(request, sides, l);
    if (code == CLI_DONE && !sides[0].hit.is_known && !sides[1].hit.is_known)
        code = tell_unknown(request, word, l, sides);
    free(sides[0].entries);
    free(sides[1].entries);
    return code;
}
