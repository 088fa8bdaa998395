/*
 * lab_seeds.c - the tables and findings of several runs of an experiment, which differ in their
 * seeds, as one: every number is the mean over the seeds, with Student's 95 % interval of it.
 *
 * Tables are pooled cell by cell, findings number by number. A table whose rows are not the
 * same in all runs stays that of the first seed, and a note says so.
 */
#include "lab/lab_seeds.h"

#include "lab/experiment_table.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* Student's t for 95 % by degrees of freedom, from 1 on. */
static const double student[DPL__LAB_MOST_SEEDS] = {
    12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228,
    2.201,  2.179, 2.160, 2.145, 2.131, 2.120, 2.110, 2.101, 2.093, 2.086};

/* ---- a text ------------------------------------------------------------------------------ */

/* The number at the beginning of a text: its bytes, 0 for none. Minus signs count only at the
 * very beginning: "3-4" has two numbers. */
static size_t number_at(dpl_str s, size_t at, double *value, unsigned *decimals)
{
    size_t i = at;
    if (i < s.n && s.data[i] == '-' && (i == 0 || s.data[i - 1] == ' '))
        i++;
    if (i == s.n || s.data[i] < '0' || s.data[i] > '9')
        return 0;
    if (i > 0 && ((s.data[i - 1] | 0x20) >= 'a' && (s.data[i - 1] | 0x20) <= 'z'))
        return 0; /* "F1" */
    *decimals = 0;
    while (i < s.n && s.data[i] >= '0' && s.data[i] <= '9')
        i++;
    if (i + 1 < s.n && s.data[i] == '.' && s.data[i + 1] >= '0' && s.data[i + 1] <= '9')
        for (i++; i < s.n && s.data[i] >= '0' && s.data[i] <= '9'; i++)
            ++*decimals;
    if (i + 3 < s.n && s.data[i] == 'e' && (s.data[i + 1] == '-' || s.data[i + 1] == '+'))
        for (i += 2; i < s.n && s.data[i] >= '0' && s.data[i] <= '9'; i++)
            ++*decimals;
    char copy[64];
    snprintf(copy, sizeof copy, "%.*s", (int)dpl__min(i - at, sizeof copy - 1), s.data + at);
    *value = strtod(copy, NULL);
    return i - at;
}

static void put(dpl__bytes *out, dpl__lab *lab, const char *text, size_t n)
{
    if (n && !dpl__vec_append(lab->ctx, out, text, n))
        lab->failed = DPL_E_NOMEM;
}

static void put_mean(dpl__bytes *out, dpl__lab *lab, const double *x, size_t n,
                     unsigned decimals, bool with_interval, double *low, double *high)
{
    char text[120];
    double mean = 0, squares = 0, least = x[0], most = x[0];
    for (size_t i = 0; i < n; i++) {
        mean += x[i] / (double)n;
        least = fmin(least, x[i]);
        most = fmax(most, x[i]);
    }
    for (size_t i = 0; i < n; i++)
        squares += (x[i] - mean) * (x[i] - mean);
    const bool differs = most > least;
    const double half =
        n > 1 ? student[n - 2] * sqrt(squares / (double)(n - 1) / (double)n) : 0;
    decimals += differs && decimals == 0 && fabs(mean) < 100;
    if (differs && with_interval)
        snprintf(text, sizeof text, "%.*f (%.*f to %.*f)", (int)decimals, mean, (int)decimals,
                 mean - half, (int)decimals, mean + half);
    else
        snprintf(text, sizeof text, "%.*f", (int)decimals, mean);
    *low = mean - half;
    *high = mean + half;
    put(out, lab, text, strlen(text));
}

/* Whether the texts are the same but for their numbers. */
static bool are_alike(const dpl_str *texts, size_t n)
{
    size_t at[DPL__LAB_MOST_SEEDS] = {0};
    while (at[0] < texts[0].n) {
        double value;
        unsigned decimals;
        const size_t n_first = number_at(texts[0], at[0], &value, &decimals);
        for (size_t k = 1; k < n; k++) {
            const size_t n_this =
                at[k] < texts[k].n ? number_at(texts[k], at[k], &value, &decimals) : 0;
            if (at[k] >= texts[k].n || (n_first > 0) != (n_this > 0) ||
                (!n_first && texts[k].data[at[k]] != texts[0].data[at[0]]))
                return false;
            at[k] += n_this ? n_this : 1;
        }
        at[0] += n_first ? n_first : 1;
    }
    for (size_t k = 1; k < n; k++)
        if (at[k] != texts[k].n)
            return false;
    return true;
}

void dpl__lab_pool(dpl__bytes *out, dpl__lab *lab, const dpl_str *texts, size_t n,
                   bool with_interval, double *low, double *high)
{
    double bounds[2] = {NAN, NAN}, x[DPL__LAB_MOST_SEEDS];
    size_t at[DPL__LAB_MOST_SEEDS] = {0};
    unsigned decimals = 0, ignored;
    bool is_number = false;
    assert(n > 0 && n <= DPL__LAB_MOST_SEEDS);
    if (!are_alike(texts, n)) {
        put(out, lab, texts[0].data, texts[0].n);
    } else
        while (at[0] < texts[0].n) {
            const size_t n_first = number_at(texts[0], at[0], &x[0], &decimals);
            if (!n_first) {
                put(out, lab, texts[0].data + at[0], 1);
                for (size_t k = 0; k < n; k++)
                    at[k]++;
                continue;
            }
            is_number = at[0] == 0 && n_first == texts[0].n;
            for (size_t k = 0; k < n; k++)
                at[k] += number_at(texts[k], at[k], &x[k], &ignored);
            put_mean(out, lab, x, n, decimals, with_interval, &bounds[0], &bounds[1]);
        }
    if (low)
        *low = is_number ? bounds[0] : NAN;
    if (high)
        *high = is_number ? bounds[1] : NAN;
}

/* ---- tables ------------------------------------------------------------------------------ */

/* The next cell; moves behind it. */
static dpl_str next_cell(const dpl__lab_table *t, size_t *at)
{
    const size_t begin = *at;
    while (t->cells.data[*at] != '\t' && t->cells.data[*at] != '\n')
        ++*at;
    return (dpl_str){t->cells.data + begin, (*at)++ - begin};
}

static void find_cells(dpl_str *out, dpl__lab_table *const *tables, size_t n, size_t *at)
{
    for (size_t k = 0; k < n; k++)
        out[k] = next_cell(tables[k], &at[k]);
}

static bool differ(const dpl_str *cells, size_t n)
{
    for (size_t k = 1; k < n; k++)
        if (cells[k].n != cells[0].n || memcmp(cells[k].data, cells[0].data, cells[0].n) != 0)
            return true;
    return false;
}

/* Which columns differ; false: the tables have other rows. */
static bool find_varied(bool *varied, dpl__lab_table *const *tables, size_t n)
{
    size_t at[DPL__LAB_MOST_SEEDS] = {0};
    dpl_str cells[DPL__LAB_MOST_SEEDS];
    for (size_t row = 0; row < tables[0]->n_rows; row++)
        for (unsigned c = 0; c < tables[0]->n_columns; c++) {
            find_cells(cells, tables, n, at);
            const bool is_other = differ(cells, n);
            if (is_other && c == 0)
                return false;
            varied[c] |= is_other;
        }
    return true;
}

/* Appends the names of the bounds of columns that differ. */
static bool name_bounds(dpl__lab_table *t, const bool *varied)
{
    dpl__bytes names = {0};
    dpl__lab *lab = t->lab;
    put(&names, lab, t->columns, strlen(t->columns));
    const char *from = t->columns;
    unsigned n_added = 0;
    for (unsigned c = 0; c < t->n_columns; c++) {
        const size_t n = strcspn(from, "\t");
        for (unsigned side = 0; side < 2 && varied[c]; side++) {
            put(&names, lab, "\t", 1);
            put(&names, lab, from, n);
            put(&names, lab, side ? ", high" : ", low", side ? 6 : 5);
            n_added++;
        }
        from += n + (from[n] == '\t');
    }
    t->columns = dpl__arena_copy(&lab->arena, (dpl_str){names.data, names.n}).data;
    t->n_columns += n_added;
    dpl__vec_clear(lab->ctx, &names);
    return t->columns != NULL;
}

enum { MOST_COLUMNS = 64 };

static dpl_status pool_tables(dpl__lab_table *const *tables, size_t n, dpl_error *err)
{
    dpl__lab_table *t = tables[0];
    dpl__lab *lab = t->lab;
    bool varied[MOST_COLUMNS] = {false};
    const unsigned n_columns = t->n_columns;
    assert(n_columns <= MOST_COLUMNS);
    for (size_t k = 1; k < n; k++)
        if (tables[k]->n_rows != t->n_rows) {
            dpl__lab_note(lab, "%s.tsv has other rows with each seed: it is the first one's",
                          t->name);
            return DPL_OK;
        }
    if (!find_varied(varied, tables, n)) {
        dpl__lab_note(lab, "rows of %s.tsv differ by seed: it is the first one's", t->name);
        return DPL_OK;
    }
    dpl__bytes pooled = {0};
    size_t at[DPL__LAB_MOST_SEEDS] = {0};
    dpl_str cells[DPL__LAB_MOST_SEEDS];
    for (size_t row = 0; row < t->n_rows; row++) {
        double low[MOST_COLUMNS], high[MOST_COLUMNS];
        for (unsigned c = 0; c < n_columns; c++) {
            find_cells(cells, tables, n, at);
            put(&pooled, lab, "\t", c ? 1 : 0);
            dpl__lab_pool(&pooled, lab, cells, n, false, &low[c], &high[c]);
        }
        for (unsigned c = 0; c < n_columns; c++)
            for (unsigned side = 0; side < 2 && varied[c]; side++) {
                char text[40] = "\t";
                if (!isnan(low[c]))
                    snprintf(text, sizeof text, "\t%.5g", side ? high[c] : low[c]);
                put(&pooled, lab, text, strlen(text));
            }
        put(&pooled, lab, "\n", 1);
    }
    dpl__vec_clear(lab->ctx, &t->cells);
    t->cells = pooled;
    return dpl__need(name_bounds(t, varied), err);
}

static dpl__lab_table *find_table(const dpl__lab *lab, const char *name)
{
    for (dpl__lab_table *t = lab->tables; t; t = t->next)
        if (strcmp(t->name, name) == 0)
            return t;
    return NULL;
}

/* ---- runs -------------------------------------------------------------------------------- */

dpl_status dpl__lab_pool_runs(dpl__lab *runs, size_t n, dpl_error *err)
{
    dpl_str findings[DPL__LAB_MOST_SEEDS];
    dpl__bytes pooled = {0};
    assert(n > 0 && n <= DPL__LAB_MOST_SEEDS);
    for (dpl__lab_table *t = runs[0].tables; t && n > 1; t = t->next) {
        dpl__lab_table *tables[DPL__LAB_MOST_SEEDS] = {t};
        size_t n_there = 1;
        for (size_t k = 1; k < n; k++)
            if ((tables[n_there] = find_table(&runs[k], t->name)) != NULL)
                n_there++;
        if (n_there == n)
            DPL_TRY(pool_tables(tables, n, err));
    }
    for (size_t k = 0; k < n; k++)
        findings[k] = (dpl_str){runs[k].findings.data, runs[k].findings.n};
    if (n > 1) {
        if (!are_alike(findings, n))
            dpl__lab_note(&runs[0], "what was found is in other words with each seed: those of "
                                    "the first one stand there");
        dpl__lab_pool(&pooled, &runs[0], findings, n, true, NULL, NULL);
        dpl__vec_clear(runs[0].ctx, &runs[0].findings);
        runs[0].findings = pooled;
        dpl__lab_note(&runs[0],
                      "numbers are means of %zu seeds (of signatures, permutations and the "
                      "sample of documents) with the 95 %% interval of the mean (Student)",
                      n);
    }
    return dpl__lab_status(&runs[0], err);
}
