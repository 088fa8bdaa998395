/*
 * cmd_lexicon_show.c - doppel lexicon show: the translations of a word, both ways.
 *
 * Cost: a look at every word of the other column, for the probability of the way back.
 */
#include "cli/command.h"
#include "cli/lexicon_file.h"
#include "cli/notes.h"
#include "cli/shared.h"
#include "cli/side.h"
#include "cli/talk.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BOTH, SOURCE, TARGET };
enum { MOST_NEAR = 5 };

/* What the options set. */
typedef struct settings {
    unsigned most, direction;
    const char *lexicon_langs;
    const char *path; /* of the lexicon: the last argument */
} settings;

static const settings defaults = {.most = 10};
static const char *const directions[] = {"both", "source", "target", NULL};

static const cli_option options[] = {
    {.name = "max",
     .value = "N",
     .count = &defaults.most,
     .standard = "10",
     .help = "show the N most probable translations of a word; 0: all"},
    {.name = "direction",
     .value = "WHICH",
     .choice = &defaults.direction,
     .choices = directions,
     .help = "take WORD for a word of the source language, of the target language, or both"},
    CLI_LEXICON_LANGS_OPTION(&defaults.lexicon_langs, NULL, NULL),
    {0},
};

static const cli_item examples[] = {
    {"doppel lexicon show Haus de-en.dpl", "the translations of 'Haus'"},
    {"doppel lexicon show house home de-en.dpl --max 3",
     "the three most probable translations of two words"},
    {"doppel lexicon show die de-en.dpl --direction source",
     "the German word, not the English"},
    {"doppel lexicon show Haus de-en.dpl --json | jq -r "
     "'.words[0].source.translations[0].term'",
     "for a program"},
    {0},
};

static const cli_item json_keys[] = {
    {"source_lang, target_lang", "languages of the lexicon; empty when not known"},
    {"words", "array, an object for each WORD: word (as given), source, target (what it is in "
              "either language; null: not known, or not asked for), and near, when it is not "
              "known at all: object of arrays source and target with words like it"},
    {"source, target",
     "of a word, object: term (as the lexicon has it), count (how often it "
     "occurred in training), entries (number of translations), translations: array"
     " of term, p (probability of this translation), back (probability of the "
     "reverse direction; either may be null), count"},
    {0},
};

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

static bool is_asked(const settings *o, bool is_target)
{
    return o->direction == BOTH || (o->direction == TARGET) == is_target;
}

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
    const char *s = dpl_lexicon_source_lang(l), *t = dpl_lexicon_target_lang(l);
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
        if (cli_lexicon_count(l, !f->is_target, f->entries[i].word))
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
                      cli_grouped(number, cli_lexicon_count(l, !f->is_target, e->word)));
        cli_print("  ");
        cli_print_line(cli_lexicon_word(l, !f->is_target, e->word));
    }
    if (n < f->n_entries)
        cli_print("  and %s more\n", cli_grouped(number, f->n_entries - n));
}

static void print_found(const found *f, const dpl_lexicon *l, size_t n)
{
    enum { MOST = 80 };
    uint64_t count = cli_lexicon_count(l, f->is_target, f->hit.number);
    char number[32], word[CLI_FIT_BYTES(MOST)];
    cli_fit(word, sizeof word, (dpl_str){f->hit.text, f->hit.n}, MOST);
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
    dpl_json_number(j, "count", cli_lexicon_count(l, f->is_target, f->hit.number));
    dpl_json_number(j, "entries", f->n_entries);
    dpl_json_begin(j, "translations", '[');
    for (size_t i = 0; i < n; i++) {
        const entry *e = &f->entries[i];
        dpl_json_begin(j, NULL, '{');
        dpl_json_text(j, "term", cli_lexicon_word(l, !f->is_target, e->word));
        put_probability(j, "p", e->p);
        put_probability(j, "back", e->back);
        dpl_json_number(j, "count", cli_lexicon_count(l, !f->is_target, e->word));
        dpl_json_end(j, '}');
    }
    dpl_json_end(j, ']');
    dpl_json_end(j, '}');
}

/* ---- words that are not known ------------------------------------------------------- */

static size_t find_near(const settings *o, uint32_t *out, const dpl_lexicon *l, const found *f)
{
    dpl_str word = {f->hit.text, f->hit.n};
    bool has_any = is_asked(o, f->is_target) && word.n;
    return has_any ? dpl_lexicon_near(l, f->is_target, word, out, MOST_NEAR) : 0;
}

static void put_near(const settings *o, dpl_json *j, const dpl_lexicon *l, const found sides[2])
{
    dpl_json_begin(j, "near", '{');
    for (int side = 0; side < 2; side++) {
        uint32_t near[MOST_NEAR];
        size_t n = find_near(o, near, l, &sides[side]);
        dpl_json_begin(j, side ? "target" : "source", '[');
        for (size_t i = 0; i < n; i++)
            dpl_json_text(j, NULL, cli_lexicon_word(l, side, near[i]));
        dpl_json_end(j, ']');
    }
    dpl_json_end(j, '}');
}

/* "haus, maus (de)"; empty when there is nothing. */
static const char *list_near(const settings *o, char *out, size_t n_out, const dpl_lexicon *l,
                             const found *f)
{
    uint32_t near[MOST_NEAR];
    size_t n = find_near(o, near, l, f), at = 0;
    *out = 0;
    for (size_t i = 0; i < n; i++) {
        dpl_str s = cli_lexicon_word(l, f->is_target, near[i]);
        int n_text = s.n < 160 ? (int)s.n : 160; /* longer ones are no tokens of ours */
        at += (size_t)snprintf(out + at, n_out - at, "%s%.*s", i ? ", " : "", n_text, s.data);
    }
    if (n)
        snprintf(out + at, n_out - at, " (%s)", lang_of(l, f->is_target));
    return out;
}

static void tell_unknown(const settings *o, const char *word, const char *path,
                         const dpl_lexicon *l, const found sides[2])
{
    char text[2][MOST_NEAR * 162 + 20];
    list_near(o, text[0], sizeof text[0], l, &sides[0]);
    list_near(o, text[1], sizeof text[1], l, &sides[1]);
    cli_error("no word '%s' in '%s'", word, path);
    if (*text[0] || *text[1])
        cli_hint("similar words: %s%s%s", text[0], *text[0] && *text[1] ? "; " : "", text[1]);
}

/* ---- the command -------------------------------------------------------------------- */

/* One word in the columns asked for. */
static int find(const settings *o, found sides[2], dpl_ctx *ctx, const dpl_lexicon *l,
                const char *word)
{
    dpl_error err = {.status = DPL_E_NOMEM};
    for (int side = 0; side < 2; side++) {
        found *f = &sides[side];
        *f = (found){.is_target = side};
        if (dpl_lexicon_look_up(&f->hit, ctx, l, f->is_target, (dpl_str){word, strlen(word)},
                                &err) != DPL_OK)
            return cli_fail(&err);
        f->hit.is_known = f->hit.is_known && is_asked(o, f->is_target);
        if (f->hit.is_known && !translate(f, l))
            return cli_fail(&err);
    }
    return CLI_DONE;
}

static size_t n_shown(const settings *o, const found *f)
{
    return o->most && o->most < f->n_entries ? o->most : f->n_entries;
}

static void print_word(const settings *o, const found sides[2], const dpl_lexicon *l,
                       bool is_first)
{
    for (int side = 0; side < 2; side++)
        if (sides[side].hit.is_known) {
            cli_print("%s", is_first ? "" : "\n");
            print_found(&sides[side], l, n_shown(o, &sides[side]));
            is_first = false;
        }
}

static void put_word(const settings *o, dpl_json *j, const found sides[2], const dpl_lexicon *l,
                     const char *word)
{
    dpl_json_begin(j, NULL, '{');
    dpl_json_cstr(j, "word", word);
    put_found(j, "source", &sides[0], l, n_shown(o, &sides[0]));
    put_found(j, "target", &sides[1], l, n_shown(o, &sides[1]));
    if (!sides[0].hit.is_known && !sides[1].hit.is_known)
        put_near(o, j, l, sides);
    dpl_json_end(j, '}');
}

/* CLI_FAILED when it is not there. j: NULL for text. */
static int show_word(const settings *o, bool *is_first, dpl_json *j, dpl_ctx *ctx,
                     const dpl_lexicon *l, const char *word)
{
    found sides[2] = {{0}};
    int code = find(o, sides, ctx, l, word);
    bool is_known = sides[0].hit.is_known || sides[1].hit.is_known;
    if (code == CLI_DONE && j)
        put_word(o, j, sides, l, word);
    else if (code == CLI_DONE)
        print_word(o, sides, l, *is_first);
    if (code == CLI_DONE && !is_known) {
        tell_unknown(o, word, o->path, l, sides);
        code = CLI_FAILED;
    }
    *is_first = *is_first && !is_known;
    free(sides[0].entries);
    free(sides[1].entries);
    return code;
}

/* All words that are there, whatever the others are. */
static int show(const settings *o, dpl_ctx *ctx, const dpl_lexicon *l, char **words, size_t n)
{
    dpl_json j = cli_json();
    int code = CLI_DONE;
    bool is_first = true;
    if (cli_set.json) {
        j = cli_summary_begin(false);
        dpl_json_cstr(&j, "source_lang", dpl_lexicon_source_lang(l));
        dpl_json_cstr(&j, "target_lang", dpl_lexicon_target_lang(l));
        dpl_json_begin(&j, "words", '[');
    }
    for (size_t i = 0; i < n; i++) {
        int code_of_word = show_word(o, &is_first, cli_set.json ? &j : NULL, ctx, l, words[i]);
        code = code ? code : code_of_word;
    }
    if (cli_set.json) {
        dpl_json_end(&j, ']');
        cli_summary_end(&j);
    }
    return code;
}

static int run(char **args, size_t n_args, void *user)
{
    settings *o = user;
    dpl_ctx *ctx;
    int code = cli_ctx_new(&ctx, false);
    if (code != CLI_DONE)
        return code;
    dpl_lexicon *lexicon = NULL;
    o->path = args[n_args - 1];
    code = cli_lexicon_open(&lexicon, ctx, o->path, o->lexicon_langs, false);
    if (code == CLI_DONE)
        code = show(o, ctx, lexicon, args, n_args - 1);
    else if (strcmp(o->path, "-") != 0 && access(o->path, F_OK) != 0)
        cli_hint("the lexicon is the last argument: doppel lexicon show WORD... LEXICON");
    dpl_lexicon_close(lexicon);
    dpl_ctx_free(ctx);
    return code;
}

const cli_command cli_lexicon_show = {
    .name = "lexicon show",
    .family = "lexicon",
    .summary = "show the translations of a word in both directions",
    .synopsis = "WORD... LEXICON",
    .about = CLI_LEXICON_ABOUT
    "\n"
    "\n"
    "Each WORD is folded as tokens are, and stemmed when the words of the lexicon"
    " are stems; it is looked up in both languages. Its translations are printed "
    "with their probability, the most probable first, then the probability of the"
    " reverse direction, and how often the translation occurred in training, "
    "where the lexicon has it. A dash means that pruning has kept the pair in one"
    " of the two tables only. A lexicon in text has one table, so words of its "
    "target language have the reverse probability only."
    "\n"
    "\n"
    "If the lexicon does not have a word, the exit status is 1, and similar words"
    " are listed: those with a few different letters, and those with another "
    "ending.",
    .options = options,
    .examples = examples,
    .json = json_keys,
    .see_also = "doppel-lexicon-stats(1), doppel-show(1)",
    .argument = "WORD",
    .second = "lexicon",
    .min_args = 2,
    .max_args = CLI_MANY,
    .complete = CLI_FILES,
    .run_with = run,
    .defaults = &defaults,
    .n_defaults = sizeof defaults,
};
