/*
 * eval_words.c - found word links against gold links.
 *
 * In: two files of links, Pharaoh or NAACL, in any mixture. Out: counts, precision, recall, and
 * the alignment error rate of Och and Ney (2003). A link becomes a key of its row and its two
 * words, counted from 0, for which a map keeps whether it is sure, possible or found; so the
 * order of links does not matter, nor that of rows where rows have numbers. Cost: linear; 21 to
 * 43 bytes for each distinct link.
 */
#include "doppel/eval.h"

#include "base/ascii.h"
#include "base/sized.h"
#include "eval/key_map.h"
#include "eval/measure.h"

#include <stdio.h>

/* What a link is; the first one also marks the rows of gold. */
enum { POSSIBLE = 1, SURE = 2, FOUND = 4 };
/* Seeds of keys. */
enum { ROW = 1, LINK = 2 };

typedef struct pairing {
    uint64_t row, left, right; /* from 0 */
    bool is_possible;          /* and not sure */
} pairing;

/* One of the two files. */
typedef struct file {
    const char *path;
    dpl_links_format format;
    unsigned first; /* number of the first word */
    bool is_turned;
    uint64_t n_rows; /* PHARAOH: lines; NAACL: the highest number */
} file;

typedef struct eval {
    dpl_eval_words counts;
    dpl__keys rows; /* of gold, NAACL */
    dpl__keys links;
    file gold, found;
} eval;

/* ---- keys --------------------------------------------------------------------------- */

static dpl__key key_of_row(uint64_t row)
{
    return dpl__key_of((dpl_str){(const char *)&row, sizeof row}, ROW);
}

static dpl__key key_of_link(const pairing *l)
{
    uint64_t numbers[] = {l->row, l->left, l->right};
    return dpl__key_of((dpl_str){(const char *)numbers, sizeof numbers}, LINK);
}

static dpl_status add_gold_row(eval *e, uint64_t row, dpl_error *err)
{
    uint32_t *what;
    DPL_TRY(dpl__keys_put(&e->rows, key_of_row(row), &what, err));
    e->counts.n_rows += *what == 0;
    *what = POSSIBLE;
    return DPL_OK;
}

/* A link that is both possible and sure is sure. */
static dpl_status add_gold(eval *e, const pairing *l, dpl_error *err)
{
    uint32_t *what;
    DPL_TRY(dpl__keys_put(&e->links, key_of_link(l), &what, err));
    e->counts.n_possible += *what == 0;
    e->counts.n_sure += !l->is_possible && !(*what & SURE);
    *what |= l->is_possible ? POSSIBLE : POSSIBLE | SURE;
    return DPL_OK;
}

static dpl_status add_found(eval *e, const pairing *l, dpl_error *err)
{
    uint32_t *what;
    DPL_TRY(dpl__keys_put(&e->links, key_of_link(l), &what, err));
    if (*what & FOUND)
        return DPL_OK;
    e->counts.n_found++;
    e->counts.n_found_possible += (*what & POSSIBLE) != 0;
    e->counts.n_found_sure += (*what & SURE) != 0;
    *what |= FOUND;
    return DPL_OK;
}

/* ---- parts of a line ---------------------------------------------------------------- */

DPL_COLD static dpl_status bad(const dpl__lines *lines, dpl_str what, const char *why,
                               dpl_error *err)
{
    char text[200];
    snprintf(text, sizeof text, "'%.*s' %s", (int)dpl__min(what.n, 80), what.data, why);
    return dpl__lines_bad(lines, err, text);
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t';
}

/* The next word of what is left of a line; empty at the end. */
static dpl_str next_word(dpl_str *rest)
{
    size_t begin = 0, end;
    while (begin < rest->n && is_blank(rest->data[begin]))
        begin++;
    for (end = begin; end < rest->n && !is_blank(rest->data[end]);)
        end++;
    dpl_str word = {rest->data + begin, end - begin};
    *rest = (dpl_str){rest->data + end, rest->n - end};
    return word;
}

/* The digits at *at, which moves behind them, as a number; more than UINT32_MAX when it is too
 * large. False when there are none. */
static bool take_number(dpl_str s, size_t *at, uint64_t *out)
{
    dpl_str rest = {s.data + *at, s.n - *at};
    *out = dpl__take_digits(&rest);
    const bool has_digits = rest.n < s.n - *at;
    *at = s.n - rest.n;
    return has_digits;
}

static bool is_number(dpl_str s, uint64_t *out)
{
    size_t at = 0;
    return take_number(s, &at, out) && at == s.n;
}

/* A confidence, "0.7" or "-1.5e-3"; its value does not matter. */
static bool is_real(dpl_str s)
{
    uint64_t number;
    size_t at = s.n && (*s.data == '-' || *s.data == '+');
    bool has_digits = take_number(s, &at, &number);
    if (at < s.n && s.data[at] == '.') {
        at++;
        has_digits = take_number(s, &at, &number) || has_digits;
    }
    if (has_digits && at < s.n && (s.data[at] == 'e' || s.data[at] == 'E')) {
        at++;
        at += at < s.n && (s.data[at] == '-' || s.data[at] == '+');
        has_digits = take_number(s, &at, &number);
    }
    return has_digits && at == s.n;
}

/* ---- links -------------------------------------------------------------------------- */

/* "3-4", "3p4", "3?4" */
static bool split_pharaoh(pairing *out, dpl_str text)
{
    size_t at = 0;
    if (!take_number(text, &at, &out->left) || at == text.n)
        return false;
    char between = text.data[at++];
    out->is_possible = between == 'p' || between == '?';
    return (between == '-' || out->is_possible) && take_number(text, &at, &out->right) &&
           at == text.n;
}

/* "0003 4 5 P 0.7" */
static bool split_naacl(pairing *out, dpl_str line)
{
    if (!is_number(next_word(&line), &out->row) || !is_number(next_word(&line), &out->left) ||
        !is_number(next_word(&line), &out->right))
        return false;
    dpl_str more = next_word(&line);
    out->is_possible = dpl__str_eq(more, DPL_STR("P"));
    if (out->is_possible || dpl__str_eq(more, DPL_STR("S")))
        more = next_word(&line);
    return (!more.n || is_real(more)) && !next_word(&line).n;
}

/* Maps the numbers in the file to ours. */
static dpl_status settle(pairing *l, const file *f, const dpl__lines *lines, dpl_str text,
                         dpl_error *err)
{
    if (l->left > UINT32_MAX || l->right > UINT32_MAX)
        return bad(lines, text, "has a number that is too large", err);
    if (l->left < f->first || l->right < f->first)
        return bad(lines, text, "has a word 0, but the first one is 1", err);
    uint64_t left = l->left - f->first, right = l->right - f->first;
    l->left = f->is_turned ? right : left;
    l->right = f->is_turned ? left : right;
    return DPL_OK;
}

/* ---- rows --------------------------------------------------------------------------- */

static const char *name_of(const file *f)
{
    return strcmp(f->path, "-") == 0 ? "(standard input)" : f->path;
}

/* Rows of found must be in gold. */
static dpl_status check_row(const eval *e, const dpl__lines *lines, uint64_t row,
                            dpl_error *err)
{
    char text[200];
    bool is_there = e->gold.format == DPL_LINKS_NAACL
                        ? dpl__keys_get(&e->rows, key_of_row(row)) != 0
                        : row < e->gold.n_rows;
    if (is_there)
        return DPL_OK;
    snprintf(text, sizeof text, "row %llu is not in '%.100s'", (unsigned long long)row + 1,
             name_of(&e->gold));
    return dpl__lines_bad(lines, err, text);
}

/* The links of one line. Rows without any need not stand in NAACL gold. */
static dpl_status take_pharaoh(eval *e, const file *f, const dpl__lines *lines, dpl_str line,
                               dpl_error *err)
{
    pairing l = {.row = lines->number - 1};
    bool is_found = f == &e->found;
    size_t begin = line.n;
    while (begin && line.data[begin - 1] != '\t')
        begin--;
    dpl_str rest = {line.data + begin, line.n - begin}, word = next_word(&rest);
    if (is_found && (word.n || e->gold.format == DPL_LINKS_PHARAOH))
        DPL_TRY(check_row(e, lines, l.row, err));
    for (; word.n; word = next_word(&rest)) {
        if (!split_pharaoh(&l, word)) {
            bad(lines, word, "is not a link", err);
            dpl__hint(err, "a link is 3-4, or 3p4 if it is possible only");
            return DPL_E_FORMAT;
        }
        DPL_TRY(settle(&l, f, lines, word, err));
        DPL_TRY(is_found ? add_found(e, &l, err) : add_gold(e, &l, err));
    }
    return DPL_OK;
}

/* The link of one line, or the word that has none. */
static dpl_status take_naacl(eval *e, file *f, const dpl__lines *lines, dpl_str line,
                             dpl_error *err)
{
    pairing l;
    bool is_found = f == &e->found;
    if (!split_naacl(&l, line)) {
        bad(lines, line, "is not a link", err);
        dpl__hint(err, "a line is: row, left word, right word, then perhaps S or P, and "
                       "perhaps a confidence");
        return DPL_E_FORMAT;
    }
    if (l.row == 0 || l.row > UINT32_MAX)
        return dpl__lines_bad(
            lines, err, l.row ? "the row's number is too large" : "rows are numbered from 1");
    f->n_rows = dpl__max(f->n_rows, l.row--);
    DPL_TRY(is_found ? check_row(e, lines, l.row, err) : add_gold_row(e, l.row, err));
    if (l.left == 0 || l.right == 0)
        return DPL_OK;
    DPL_TRY(settle(&l, f, lines, line, err));
    return is_found ? add_found(e, &l, err) : add_gold(e, &l, err);
}

/* ---- files -------------------------------------------------------------------------- */

static bool is_empty(dpl_str line)
{
    return next_word(&line).n == 0;
}

/* A line that ends in a tab has text in front, and no links. */
static dpl_links_format guess(dpl_str line)
{
    pairing l;
    bool is_naacl = line.data[line.n - 1] != '\t' && split_naacl(&l, line);
    return is_naacl ? DPL_LINKS_NAACL : DPL_LINKS_PHARAOH;
}

static dpl_status take_line(eval *e, file *f, const dpl__lines *lines, dpl_str line,
                            dpl_error *err)
{
    if (is_empty(line) && f->format != DPL_LINKS_PHARAOH)
        return DPL_OK;
    if (f->format == DPL_LINKS_AUTO)
        f->format = guess(line);
    if (f->format == DPL_LINKS_PHARAOH)
        return take_pharaoh(e, f, lines, line, err);
    f->first = 1;
    return take_naacl(e, f, lines, line, err);
}

static dpl_status read_links(eval *e, dpl_ctx *ctx, file *f, dpl_error *err)
{
    dpl__lines lines;
    dpl_str line;
    dpl_status status;
    DPL__STEP(dpl__lines_open(&lines, ctx, f->path, err));
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        DPL__STEP(take_line(e, f, &lines, line, err));
        DPL__STEP(dpl__measure_report(&lines, err));
    }
done:
    if (f->format == DPL_LINKS_AUTO) /* no links at all */
        f->format = f == &e->found ? e->gold.format : DPL_LINKS_PHARAOH;
    if (f->format == DPL_LINKS_PHARAOH)
        f->n_rows = lines.number;
    dpl__lines_close(&lines);
    return status == DPL_END ? DPL_OK : status;
}

/* Rows without numbers belong together by their place. */
static dpl_status check_rows(const eval *e, dpl_error *err)
{
    uint64_t n_gold = e->gold.n_rows, n_found = e->found.n_rows;
    bool has_lines = e->gold.format == DPL_LINKS_PHARAOH;
    if (e->found.format != DPL_LINKS_PHARAOH ||
        (has_lines ? n_found == n_gold : n_found >= n_gold))
        return DPL_OK;
    dpl__fail(err, DPL_E_FORMAT, "'%s' ends after line %llu, but '%s' has %llu rows",
              name_of(&e->found), (unsigned long long)n_found, name_of(&e->gold),
              (unsigned long long)n_gold);
    dpl__error_place(err, n_found, 0, 0);
    dpl__hint(err, "a row without links is an empty line");
    return DPL_E_FORMAT;
}

/* ---- measures ----------------------------------------------------------------------- */

DPL__NAMES(dpl__word_links_format_name, "auto", "pharaoh", "naacl")

static dpl_status check_options(const dpl_eval_words_options *o, dpl_error *err)
{
    if (o->gold_format > DPL_LINKS_NAACL || o->found_format > DPL_LINKS_NAACL)
        return dpl__fail(err, DPL_E_USAGE, "no such format of links");
    if (o->gold_first > 1 || o->found_first > 1)
        return dpl__fail(err, DPL_E_USAGE, "the first word is 0 or 1");
    return DPL_OK;
}

static void measure(dpl_eval_words *w)
{
    w->precision = dpl__share(w->n_found_possible, w->n_found);
    w->recall = dpl__share(w->n_found_sure, w->n_sure);
    w->f1 = dpl__f1(w->precision, w->recall);
    uint64_t most = w->n_found + w->n_sure;
    w->aer = dpl__share(most - w->n_found_sure - w->n_found_possible, most);
}

dpl_status dpl_eval_words_run(dpl_eval_words *out, dpl_ctx *ctx, const char *gold,
                              const char *found, const dpl_eval_words_options *options,
                              dpl_error *err)
{
    dpl_eval_words_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__CHECK_OUT(out, err));
    DPL_TRY(check_options(&o, err));
    eval e = {.counts = DPL_INIT(dpl_eval_words),
              .gold = {gold, .format = o.gold_format, .first = o.gold_first},
              .found = {found, .format = o.found_format, .first = o.found_first,
                        .is_turned = o.turned}};
    dpl__keys_init(&e.rows, ctx);
    dpl__keys_init(&e.links, ctx);
    dpl_status status;
    DPL__STEP(read_links(&e, ctx, &e.gold, err));
    if (e.gold.format == DPL_LINKS_PHARAOH)
        e.counts.n_rows = e.gold.n_rows;
    DPL__STEP(read_links(&e, ctx, &e.found, err));
    DPL__STEP(check_rows(&e, err));
done:
    measure(&e.counts);
    DPL__GIVE(out, &e.counts);
    dpl__keys_clear(&e.links);
    dpl__keys_clear(&e.rows);
    return status;
}
