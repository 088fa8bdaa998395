/*
 * mining_bleu.c - Tables 5, 6 and 7 of document mining: BLEU of our own translator, trained on
 * what was mined.
 *
 * The baseline is trained on the sentence pairs given, and translates the left documents. Pairs
 * of documents found by n-grams are aligned sentence by sentence, and a translator is trained
 * on the result. Sentences of the test set are kept out of all training data.
 */
#include "lab/mining.h"

#include <stdio.h>

enum { MOST_ROWS = 60000, MOST_ROWS_SMALL = 400, MOST_TEST = 3003, MOST_TEST_SMALL = 100 };

/* What all three begin with. */
typedef struct training {
    dpl__mining_rows baseline, test, mined;
    dpl__mining_system system; /* of the baseline */
    dpl__mining_sides sides;   /* left documents translated by it */
    dpl__mining_found found;
    uint64_t n_dropped;
    const char *langs[2];
    const char *testing;       /* name of what is tested next */
    dpl__lab_table *boots;     /* NAME-bootstrap.tsv */
    dpl__mining_boot (*to)[2]; /* that differences are taken to; in the arena */
    double to_bleu[2];
    dpl__mining_boot (*last)[2];   /* of the last test; in the arena */
    dpl__mining_boot (*ngrams)[2]; /* Table 6: of what n-grams find */
} training;

static void clear(training *t)
{
    dpl__mining_found_clear(&t->found);
    dpl__mining_sides_close(&t->sides);
    dpl__mining_system_clear(&t->system);
    dpl__mining_rows_clear(&t->mined);
    dpl__mining_rows_clear(&t->test);
    dpl__mining_rows_clear(&t->baseline);
}

static dpl_status read_rows(training *t, dpl__lab *lab, dpl_error *err)
{
    const bool is_small = lab->set->small;
    dpl__mining_rows_init(&t->baseline, lab->ctx);
    dpl__mining_rows_init(&t->test, lab->ctx);
    dpl__mining_rows_init(&t->mined, lab->ctx);
    DPL_TRY(dpl__lab_lang(&t->langs[0], lab, 0, err));
    DPL_TRY(dpl__lab_lang(&t->langs[1], lab, 1, err));
    DPL_TRY(dpl__mining_rows_read(&t->test, lab, lab->set->test,
                                  is_small ? MOST_TEST_SMALL : MOST_TEST, err));
    DPL_TRY(dpl__mining_rows_read(&t->baseline, lab, lab->set->parallel,
                                  is_small ? MOST_ROWS_SMALL : MOST_ROWS, err));
    if (!t->test.rows.n)
        return dpl__fail(err, DPL_E_USAGE, "'%s' has no sentence pairs", lab->set->test);
    return dpl__mining_rows_without(&t->baseline, &t->n_dropped, lab, &t->test, err);
}

/* Documents found with the translator, and their sentences. */
static dpl_status mine(training *t, dpl__lab *lab, const dpl__mining_system *by, dpl_error *err)
{
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .select = DPL_SELECT_MUTUAL);
    dpl_collection_close(t->sides.c[0]);
    t->sides.c[0] = NULL;
    dpl__mining_rows_clear(&t->mined);
    dpl__mining_rows_init(&t->mined, lab->ctx);
    t->found.pairs.n = 0;
    if (!by->into_right)
        return DPL_OK;
    DPL_TRY(dpl__mining_translate(&t->sides.c[0], lab, by->into_right, err));
    if (!t->sides.c[1])
        DPL_TRY(dpl__mining_words(&t->sides.c[1], lab, 1, err));
    DPL_TRY(dpl__mining_find(&t->found, lab, &t->sides, &o, err));
    DPL_TRY(dpl__mining_rows_align(&t->mined, lab, &t->found, by->lexicon, err));
    return dpl__mining_rows_without(&t->mined, &t->n_dropped, lab, &t->test, err);
}

/* BLEU with its interval, and the difference to what was tested first. */
static dpl_status put_boot(dpl__lab *lab, training *t, const dpl__mining_system *s,
                           dpl_error *err)
{
    const char *name = t->testing ? t->testing : "baseline";
    if (!t->boots) {
        t->boots = dpl__lab_table_new(lab, "bootstrap",
                                      "training data\tinto\tBLEU\tlow\thigh\tdifference\t"
                                      "difference, low\tdifference, high");
        t->to = dpl__arena_alloc(&lab->arena, sizeof *t->to);
        t->last = dpl__arena_alloc(&lab->arena, sizeof *t->last);
        DPL_TRY(dpl__need(t->to && t->last, err));
        memcpy(*t->to, s->boot, sizeof *t->to);
        memcpy(t->to_bleu, s->bleu, sizeof t->to_bleu);
    }
    memcpy(*t->last, s->boot, sizeof *t->last);
    for (unsigned k = 0; k < 2; k++) {
        const dpl__mining_interval own = dpl__mining_boot_interval(&s->boot[k], NULL),
                                   by = dpl__mining_boot_interval(&s->boot[k], &(*t->to)[k]);
        dpl__lab_text(t->boots, "%s", name);
        dpl__lab_text(t->boots, "%s", t->langs[!k]);
        dpl__lab_number(t->boots, s->bleu[k], 2);
        dpl__lab_number(t->boots, own.low, 2);
        dpl__lab_number(t->boots, own.high, 2);
        dpl__lab_number(t->boots, s->bleu[k] - t->to_bleu[k], 2);
        dpl__lab_number(t->boots, by.low, 2);
        dpl__lab_number(t->boots, by.high, 2);
    }
    return DPL_OK;
}

/* Baseline and what it mines. */
static dpl_status begin(training *t, dpl__lab *lab, dpl_error *err)
{
    const dpl__mining_rows *const baseline[] = {&t->baseline};
    DPL_TRY(read_rows(t, lab, err));
    DPL_TRY(dpl__lab_progress(lab, 1, 8, err));
    DPL_TRY(dpl__mining_system_train(&t->system, lab, baseline, 1, &t->test, err));
    DPL_TRY(put_boot(lab, t, &t->system, err));
    DPL_TRY(dpl__lab_progress(lab, 2, 8, err));
    return mine(t, lab, &t->system, err);
}

/* BLEU of a translator trained on the lists. */
static dpl_status test(double bleu[2], dpl__lab *lab, training *t,
                       const dpl__mining_rows *const *lists, size_t n_lists, dpl_error *err)
{
    dpl__mining_system s;
    DPL_TRY(dpl__mining_system_train(&s, lab, lists, n_lists, &t->test, err));
    memcpy(bleu, s.bleu, sizeof s.bleu);
    const dpl_status status = put_boot(lab, t, &s, err);
    dpl__mining_system_clear(&s);
    return status;
}

static void note_training(dpl__lab *lab, const training *t)
{
    dpl__lab_note(lab,
                  "baseline: %zu sentence pairs; test set: %zu sentences; the n-gram search of "
                  "the paper (5 and 2 words, threshold 0.1, each the best of the other) finds "
                  "%zu pairs of documents, with %zu sentence pairs",
                  t->baseline.rows.n, t->test.rows.n, t->found.pairs.n, t->mined.rows.n);
    dpl__lab_note(lab,
                  "%llu training pairs that share more than 30 %% of their runs of six words "
                  "with a sentence of the test set were left out",
                  (unsigned long long)t->n_dropped);
    dpl__lab_note(lab,
                  "translator: doppel lexicon phrases, a language model of the training data "
                  "only; BLEU as doppel eval bleu computes it, cased");
}

/* "BLEU de-en" and so on, behind other columns. */
static dpl__lab_table *new_table(dpl__lab *lab, const training *t, const char *before,
                                 const char *behind)
{
    char columns[300];
    snprintf(columns, sizeof columns, "%s\tBLEU %s-%s\tBLEU %s-%s%s", before, t->langs[0],
             t->langs[1], t->langs[1], t->langs[0], behind);
    const dpl_str kept = dpl__arena_copy(&lab->arena, dpl__cstr(columns));
    return dpl__lab_table_new(lab, NULL, kept.data ? kept.data : "");
}

/* "de-en" for a legend. */
static const char *direction(dpl__lab *lab, const training *t, unsigned from, const char *text)
{
    char title[100];
    snprintf(title, sizeof title, "%s-%s%s", t->langs[from], t->langs[1 - from], text);
    return dpl__arena_copy(&lab->arena, dpl__cstr(title)).data;
}

/* ---- Table 5 ------------------------------------------------------------------------ */

/* WMT 2009 news: baseline and with the text mined from the web, into English and from it. */
static const struct printed {
    const char *lang;
    double into[2], from[2];
} printed[] = {
    {"cs", {16.46, 23.25}, {11.62, 16.60}}, {"de", {20.03, 23.35}, {14.31, 16.96}},
    {"hu", {11.02, 14.68}, {8.52, 11.42}},  {"fr", {26.39, 28.34}, {25.14, 27.05}},
    {"es", {26.88, 28.50}, {25.85, 27.79}},
};

/* The paper's numbers of the two languages; NULL: it has none. */
static const struct printed *find_printed(const training *t, bool *is_turned)
{
    *is_turned = strcmp(t->langs[0], "en") == 0;
    for (size_t i = 0; i < DPL_LEN(printed); i++)
        if (strcmp(t->langs[!*is_turned], "en") == 0 &&
            strcmp(t->langs[*is_turned], printed[i].lang) == 0)
            return &printed[i];
    return NULL;
}

static void put_paper(dpl__lab_table *table, const training *t)
{
    static const char *const names[] = {"paper: baseline", "paper: + web"};
    bool is_turned;
    const struct printed *p = find_printed(t, &is_turned);
    for (size_t i = 0; p && i < 2; i++) {
        dpl__lab_text(table, "%s", names[i]);
        dpl__lab_none(table);
        dpl__lab_number(table, is_turned ? p->from[i] : p->into[i], 2);
        dpl__lab_number(table, is_turned ? p->into[i] : p->from[i], 2);
    }
}

static void put_bleu(dpl__lab_table *table, const char *name, size_t n_rows,
                     const double bleu[2])
{
    dpl__lab_text(table, "%s", name);
    dpl__lab_count(table, n_rows);
    dpl__lab_number(table, bleu[0], 2);
    dpl__lab_number(table, bleu[1], 2);
}

/* Bars of both directions, and of the paper's column where it has one. */
static void draw_bars(dpl__lab *lab, const dpl__lab_table *table, const training *t,
                      bool has_paper)
{
    const dpl__lab_curve curves[] = {
        {.title = direction(lab, t, 0, ""), .x = 1, .y = 3, .style = DPL_LAB_BARS},
        {.title = direction(lab, t, 1, ""), .x = 1, .y = 4, .style = DPL_LAB_BARS},
        {.title = "paper: zh-en", .x = 1, .y = 6, .style = DPL_LAB_BARS, .colour = 6}};
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = table,
                                        .x_label = "training data",
                                        .y_label = "BLEU",
                                        .y_min = 0,
                                        .y_max = 30,
                                        .legend = "top left",
                                        .curves = curves,
                                        .n_curves = DPL_LEN(curves) - !has_paper});
}

/* Table 2 of the paper: how much text there is. */
static void put_words(dpl__lab *lab, const training *t, const dpl__mining_rows *gold)
{
    const struct {
        const char *name;
        const dpl__mining_rows *rows;
    } lists[] = {{"baseline", &t->baseline}, {"mined", &t->mined}, {"gold", gold}};
    dpl__lab_table *table = dpl__lab_table_new(lab, "words",
                                               "text\tsentence pairs\twords, left\twords, "
                                               "right\tpaper: German words [million]");
    for (size_t i = 0; i < DPL_LEN(lists); i++) {
        dpl__lab_text(table, "%s", lists[i].name);
        dpl__lab_count(table, lists[i].rows->rows.n);
        dpl__lab_count(table, dpl__mining_rows_words(lists[i].rows, 0));
        dpl__lab_count(table, dpl__mining_rows_words(lists[i].rows, 1));
        if (i < 2)
            dpl__lab_number(table, i ? 3787.6 : 54.2, 1);
        else
            dpl__lab_none(table);
    }
    dpl__lab_find(lab,
                  "Table 2: %llu words of the left language in the baseline, %llu mined, %.0f "
                  "%% of what gold documents have",
                  (unsigned long long)dpl__mining_rows_words(&t->baseline, 0),
                  (unsigned long long)dpl__mining_rows_words(&t->mined, 0),
                  100 * (double)dpl__mining_rows_words(&t->mined, 0) /
                      (double)dpl__max(dpl__mining_rows_words(gold, 0), (uint64_t)1));
}

static dpl_status run_table_5(dpl__lab *lab, training *t, dpl__mining_rows *gold,
                              dpl_error *err)
{
    const struct {
        const char *name;
        const dpl__mining_rows *lists[2];
        size_t n_lists;
    } systems[] = {{"mined", {&t->mined}, 1},
                   {"gold", {gold}, 1},
                   {"+ mined", {&t->baseline, &t->mined}, 2},
                   {"+ gold", {&t->baseline, gold}, 2}};
    double bleu[DPL_LEN(systems)][2];
    dpl__lab_table *table = new_table(lab, t, "training data\tsentence pairs", "");
    put_bleu(table, "baseline", t->baseline.rows.n, t->system.bleu);
    for (size_t i = 0; i < DPL_LEN(systems); i++) {
        size_t n = 0;
        DPL_TRY(dpl__lab_progress(lab, 3 + i, 8, err));
        t->testing = systems[i].name;
        DPL_TRY(test(bleu[i], lab, t, systems[i].lists, systems[i].n_lists, err));
        for (size_t k = 0; k < systems[i].n_lists; k++)
            n += systems[i].lists[k]->rows.n;
        put_bleu(table, systems[i].name, n, bleu[i]);
    }
    put_paper(table, t);
    dpl__lab_find(
        lab,
        "%zu mined sentence pairs raise BLEU of the baseline of %zu from %.2f to %.2f "
        "(%s-%s) and from %.2f to %.2f (%s-%s)",
        t->mined.rows.n, t->baseline.rows.n, t->system.bleu[0], bleu[2][0], t->langs[0],
        t->langs[1], t->system.bleu[1], bleu[2][1], t->langs[1], t->langs[0]);
    if (gold->rows.n)
        dpl__lab_find(lab,
                      "as many gold pairs (%zu) reach %.2f and %.2f with the baseline; alone, "
                      "mined pairs have %.2f and %.2f, gold pairs %.2f and %.2f",
                      gold->rows.n, bleu[3][0], bleu[3][1], bleu[0][0], bleu[0][1], bleu[1][0],
                      bleu[1][1]);
    draw_bars(lab, table, t, false);
    return DPL_OK;
}

dpl_status dpl__lab_mining_table_5(dpl__lab *lab, dpl_error *err)
{
    training t = {0};
    dpl__mining_rows gold;
    dpl__mining_rows_init(&gold, lab->ctx);
    dpl_status status;
    DPL__STEP(begin(&t, lab, err));
    DPL__STEP(dpl__mining_rows_gold(&gold, lab, err));
    DPL__STEP(dpl__mining_rows_without(&gold, &t.n_dropped, lab, &t.test, err));
    put_words(lab, &t, &gold);
    dpl__mining_rows_thin(&gold, t.mined.rows.n);
    DPL__STEP(run_table_5(lab, &t, &gold, err));
    note_training(lab, &t);
    dpl__lab_note(lab, "gold: lines of gold documents with as many lines on both sides, one "
                       "for one, as many as were mined; the paper's numbers are of the WMT "
                       "2009 news, with 54 million German words in the baseline and 3.8 "
                       "billion mined");
    DPL__STEP(dpl__lab_status(lab, err));
done:
    dpl__mining_rows_clear(&gold);
    clear(&t);
    return status;
}

/* ---- Table 6 ------------------------------------------------------------------------ */

enum { RIVALS = 3 };

/* Differences to n-grams, which were tested first. */
static dpl_status compare_rivals(dpl__lab *lab, training *t, const char *const *names,
                                 double (*bleu)[2], size_t i, dpl_error *err)
{
    if (i == 1)
        t->ngrams = dpl__arena_alloc(&lab->arena, sizeof *t->ngrams);
    DPL_TRY(dpl__need(t->ngrams, err));
    if (i == 1)
        memcpy(*t->ngrams, *t->last, sizeof *t->ngrams);
    for (unsigned k = 0; k < 2 && i > 1; k++) {
        const dpl__mining_interval by =
            dpl__mining_boot_interval(&(*t->last)[k], &(*t->ngrams)[k]);
        dpl__lab_find(lab, "into %s, %s is %+.2f BLEU from n-grams (95 %%: %+.2f to %+.2f)",
                      t->langs[!k], names[i] + 2, bleu[i][k] - bleu[1][k], by.low, by.high);
    }
    return DPL_OK;
}

static dpl_status run_table_6(dpl__lab *lab, training *t, const dpl__mining_rows *mine,
                              const dpl__mining_rows *classified, dpl_error *err)
{
    /* NIST 2008: baseline, the paper's own method, Munteanu and Marcu */
    static const double arabic[] = {42.79, 43.64, 43.86}, chinese[] = {19.79, 22.02, 21.69};
    static const char *const names[] = {"baseline", "+ n-grams", "+ classifier",
                                        "+ doppel mine"};
    const dpl__mining_rows *const others[RIVALS] = {&t->mined, classified, mine};
    double bleu[RIVALS + 1][2];
    dpl__lab_table *table =
        new_table(lab, t, "training data\tsentence pairs",
                  "\tpaper: Arabic-English, NIST 2008\tpaper: Chinese-English, NIST 2008");
    memcpy(bleu[0], t->system.bleu, sizeof bleu[0]);
    for (size_t i = 0; i <= RIVALS; i++) {
        if (i) {
            const dpl__mining_rows *const lists[2] = {&t->baseline, others[i - 1]};
            DPL_TRY(dpl__lab_progress(lab, 4 + i, 9, err));
            t->testing = names[i];
            DPL_TRY(test(bleu[i], lab, t, lists, 2, err));
            DPL_TRY(compare_rivals(lab, t, names, bleu, i, err));
        }
        put_bleu(table, names[i], t->baseline.rows.n + (i ? others[i - 1]->rows.n : 0),
                 bleu[i]);
        for (size_t k = 0; k < 2; k++)
            if (i < DPL_LEN(arabic))
                dpl__lab_number(table, k ? chinese[i] : arabic[i], 2);
            else
                dpl__lab_none(table);
    }
    dpl__lab_find(lab,
                  "added to the baseline (%.2f, %.2f), %zu sentence pairs found by n-grams "
                  "reach %.2f and %.2f, %zu of the classifier %.2f and %.2f, %zu of doppel "
                  "mine %.2f and %.2f",
                  bleu[0][0], bleu[0][1], others[0]->rows.n, bleu[1][0], bleu[1][1],
                  others[1]->rows.n, bleu[2][0], bleu[2][1], others[2]->rows.n, bleu[3][0],
                  bleu[3][1]);
    draw_bars(lab, table, t, true);
    return DPL_OK;
}

dpl_status dpl__lab_mining_table_6(dpl__lab *lab, dpl_error *err)
{
    training t = {0};
    dpl__mining_rows mine, classified;
    dpl__mining_rows_init(&mine, lab->ctx);
    dpl__mining_rows_init(&classified, lab->ctx);
    dpl_status status;
    DPL__STEP(begin(&t, lab, err));
    DPL__STEP(dpl__lab_progress(lab, 3, 9, err));
    DPL__STEP(
        dpl__mining_rows_classified(&classified, lab, t.system.lexicon, &t.baseline, err));
    DPL__STEP(dpl__mining_rows_without(&classified, &t.n_dropped, lab, &t.test, err));
    DPL__STEP(dpl__mining_rows_mined(&mine, lab, err));
    DPL__STEP(dpl__mining_rows_without(&mine, &t.n_dropped, lab, &t.test, err));
    DPL__STEP(run_table_6(lab, &t, &mine, &classified, err));
    note_training(lab, &t);
    dpl__lab_note(lab, "classifier: after Munteanu and Marcu (2005), without dates of the "
                       "documents; doppel mine needs neither sentence pairs nor a translator");
done:
    dpl__mining_rows_clear(&classified);
    dpl__mining_rows_clear(&mine);
    clear(&t);
    return status == DPL_OK ? dpl__lab_status(lab, err) : status;
}

/* ---- Table 7 ------------------------------------------------------------------------ */

enum { RATES = 6 };
/* WMT 2009 news, Czech: the degraded translator, and those trained on what was mined with it.
 */
static const double degraded[RATES] = {16.46, 15.44, 14.35, 13.05, 11.62, 10.43},
                    from_czech[RATES] = {23.25, 23.16, 23.18, 23.06, 23.11, 23.04},
                    into_czech[RATES] = {16.60, 16.56, 16.50, 16.53, 16.44, 16.41};

static void put_printed(dpl__lab_table *table)
{
    for (size_t i = 0; i < RATES; i++) {
        dpl__lab_text(table, "paper");
        dpl__lab_number(table, 1.0 / (1 << i), 4);
        dpl__lab_count(table, (uint64_t)1 << i);
        for (size_t k = 0; k < 4; k++)
            dpl__lab_none(table);
        dpl__lab_number(table, degraded[i], 2);
        dpl__lab_number(table, from_czech[i], 2);
        dpl__lab_number(table, into_czech[i], 2);
    }
}

/* Recall of the pairs of documents; negative without gold. */
static dpl_status measure(double *recall, dpl__lab *lab, const training *t, dpl_error *err)
{
    dpl__mining_gold gold;
    dpl_eval_pairs e = DPL_INIT(dpl_eval_pairs);
    *recall = -1;
    if (!lab->set->gold || !t->sides.c[0])
        return DPL_OK;
    DPL_TRY(dpl__mining_gold_get(&gold, lab, err));
    DPL_TRY(dpl__mining_measure(&e, lab, &t->found, &gold, 0, err));
    *recall = e.recall;
    return DPL_OK;
}

typedef struct point {
    double degraded, bleu[2];
} point;

/* Mines with a part of the baseline; trains on all of it and on what was mined. */
static dpl_status run_rate(point *out, dpl__lab *lab, training *t, dpl__lab_table *table,
                           unsigned part, dpl_error *err)
{
    dpl__mining_rows some = t->baseline; /* shares the texts */
    dpl__mining_system by = {0};
    double recall = -1;
    const dpl__mining_rows *const lists[] = {&t->baseline, &t->mined}, *const few[] = {&some};
    some.rows.data = NULL;
    some.rows.n = some.rows.cap = 0;
    DPL_TRY(dpl__need(
        dpl__vec_append(lab->ctx, &some.rows, t->baseline.rows.data, t->baseline.rows.n), err));
    dpl__mining_rows_thin(&some, dpl__max(t->baseline.rows.n / part, 1));
    dpl_status status = dpl__mining_system_train(&by, lab, few, 1, &t->test, err);
    out->degraded = by.bleu[0];
    char name[40];
    snprintf(name, sizeof name, "one in %u", part);
    t->testing = name;
    if (status == DPL_OK)
        status = mine(t, lab, &by, err);
    if (status == DPL_OK)
        status = measure(&recall, lab, t, err);
    if (status == DPL_OK)
        status = test(out->bleu, lab, t, lists, 2, err);
    dpl__lab_text(table, "measured");
    dpl__lab_number(table, 1.0 / part, 4);
    dpl__lab_count(table, part);
    dpl__lab_count(table, some.rows.n);
    dpl__lab_count(table, t->found.pairs.n);
    if (recall < 0)
        dpl__lab_none(table);
    else
        dpl__lab_number(table, recall, 4);
    dpl__lab_count(table, t->mined.rows.n);
    dpl__lab_number(table, out->degraded, 2);
    dpl__lab_number(table, out->bleu[0], 2);
    dpl__lab_number(table, out->bleu[1], 2);
    dpl__vec_clear(lab->ctx, &some.rows);
    dpl__mining_system_clear(&by);
    return status;
}

static void draw_table_7(dpl__lab *lab, const dpl__lab_table *table, const training *t)
{
    const dpl__lab_curve curves[] = {{.title = direction(lab, t, 0, ", trained on mined text"),
                                      .rows = "measured",
                                      .x = 3,
                                      .y = 9,
                                      .colour = 1},
                                     {.title = direction(lab, t, 1, ", trained on mined text"),
                                      .rows = "measured",
                                      .x = 3,
                                      .y = 10,
                                      .colour = 2},
                                     {.title = direction(lab, t, 0, ", degraded baseline"),
                                      .rows = "measured",
                                      .x = 3,
                                      .y = 8,
                                      .colour = 3},
                                     {.title = "paper: cs-en, trained on mined text",
                                      .rows = "paper",
                                      .x = 3,
                                      .y = 9,
                                      .colour = 6},
                                     {.title = "paper: en-cs, trained on mined text",
                                      .rows = "paper",
                                      .x = 3,
                                      .y = 10,
                                      .colour = 5},
                                     {.title = "paper: cs-en, degraded baseline",
                                      .rows = "paper",
                                      .x = 3,
                                      .y = 8,
                                      .colour = 8}};
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = table,
                                        .x_label = "baseline for mining: one sentence pair in",
                                        .y_label = "BLEU",
                                        .x_log = true,
                                        .x_min = 0.9,
                                        .x_max = 36,
                                        .x_step = 2,
                                        .y_min = 0,
                                        .y_max = 26,
                                        .legend = "bottom left",
                                        .curves = curves,
                                        .n_curves = DPL_LEN(curves)});
}

static dpl_status run_table_7(dpl__lab *lab, training *t, dpl_error *err)
{
    dpl__lab_table *table = new_table(
        lab, t,
        "source\tsampling rate\tone in\tsentence pairs\tdocument pairs\trecall\tmined "
        "sentence pairs\tBLEU degraded",
        "");
    point points[RATES] = {0};
    size_t n = lab->set->small ? 3 : RATES;
    put_printed(table);
    for (size_t i = 0; i < n; i++) {
        DPL_TRY(dpl__lab_progress(lab, i, n, err));
        DPL_TRY(run_rate(&points[i], lab, t, table, 1u << i, err));
    }
    dpl__lab_find(
        lab,
        "from 1 to 1/%u of the baseline the translator for mining loses %.2f BLEU (in "
        "the paper 6.0 at 1/32), the translators trained on what it mines %.2f "
        "(%s-%s) and %.2f (%s-%s) (in the paper 0.2)",
        1u << (n - 1), points[0].degraded - points[n - 1].degraded,
        points[0].bleu[0] - points[n - 1].bleu[0], t->langs[0], t->langs[1],
        points[0].bleu[1] - points[n - 1].bleu[1], t->langs[1], t->langs[0]);
    draw_table_7(lab, table, t);
    return DPL_OK;
}

dpl_status dpl__lab_mining_table_7(dpl__lab *lab, dpl_error *err)
{
    training t = {0};
    dpl_status status;
    DPL__STEP(read_rows(&t, lab, err));
    DPL__STEP(run_table_7(lab, &t, err));
    dpl__lab_note(lab,
                  "%zu sentence pairs are the whole baseline, %zu sentences the test set; "
                  "what a degraded translator mines is added to the whole baseline, as in "
                  "the paper",
                  t.baseline.rows.n, t.test.rows.n);
    dpl__lab_note(lab, "the paper's numbers are of Czech and English, WMT 2009 news");
done:
    clear(&t);
    return status == DPL_OK ? dpl__lab_status(lab, err) : status;
}
