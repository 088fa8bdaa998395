/*
 * mining_thresholds.c - Tables 1, 3 and 4 of document mining: precision and recall against the
 * threshold of the score; of the reference documents alone, among many others, and of books.
 *
 * A search at the lowest threshold is enough: a pair is selected by pairs with higher scores
 * only, so that those of a higher threshold are the ones that reach it.
 */
#include "lab/mining.h"

#include <math.h>
#include <stdio.h>

enum { POINTS = 5 };
static const double thresholds[POINTS] = {0.06, 0.10, 0.12, 0.16, 0.20};

/* What the paper prints. */
typedef struct printed {
    double precision[POINTS], recall[POINTS];
} printed;

static const printed table_1 = {{0.92, 0.97, 0.98, 0.99, 0.99}, {0.91, 0.91, 0.90, 0.89, 0.83}};
static const printed table_3 = {{0.88, 0.93, 0.95, 0.97, 0.97}, {0.68, 0.65, 0.63, 0.52, 0.38}};
static const printed table_4 = {{0.95, 1.00, 1.00, 1.00, 1.00}, {0.71, 0.71, 0.71, 0.48, 0.38}};

/* Selections: mutual is the paper's plain rule. */
static const char plain[] = "plain", near[] = "near";

static dpl__lab_table *begin_table(dpl__lab *lab, const printed *paper)
{
    dpl__lab_table *t =
        dpl__lab_table_new(lab, NULL,
                           "source\tthreshold\tprecision\trecall\tF1\tpairs\t"
                           "precision, low\tprecision, high\trecall, low\trecall, high");
    for (size_t i = 0; i < POINTS; i++) {
        const double p = paper->precision[i], r = paper->recall[i];
        dpl__lab_text(t, "paper");
        dpl__lab_number(t, thresholds[i], 2);
        dpl__lab_number(t, p, 2);
        dpl__lab_number(t, r, 2);
        dpl__lab_number(t, 2 * p * r / (p + r), 2);
        for (unsigned empty = 0; empty < 5; empty++)
            dpl__lab_none(t);
    }
    return t;
}

/* Of a share. */
static void put_bounds(dpl__lab_table *t, uint64_t part, uint64_t whole)
{
    double ends[2];
    dpl__lab_wilson(ends, part, whole);
    for (unsigned i = 0; i < 2; i++)
        if (whole)
            dpl__lab_number(t, ends[i], 4);
        else
            dpl__lab_none(t);
}

typedef struct search {
    const dpl__mining_sides *sides;
    const dpl__mining_gold *gold;
    dpl_ngram_options options;
    dpl_eval_pairs at[POINTS]; /* out: at each threshold */
    double lowest;             /* out: precision or recall of any search; 0 to 1 */
    dpl_ngram_summary counts;  /* out */
} search;

/* Searches and adds a row for each threshold. */
static dpl_status run_search(search *s, dpl__lab *lab, dpl__lab_table *t, const char *source,
                             dpl_select select, dpl_error *err)
{
    dpl__mining_found found = {0};
    const dpl_pairs_options o = DPL_INIT(dpl_pairs_options, .threshold = thresholds[0],
                                         .select = select, .ngram = &s->options);
    dpl_status status = dpl__mining_find(&found, lab, s->sides, &o, err);
    for (size_t i = 0; status == DPL_OK && i < POINTS; i++) {
        dpl_eval_pairs *e = &s->at[i];
        status = dpl__mining_measure(e, lab, &found, s->gold, thresholds[i], err);
        const bool has_pairs = e->n_matching + e->n_touching > 0;
        s->lowest = fmin(s->lowest, has_pairs ? fmin(e->precision, e->recall) : e->recall);
        dpl__lab_text(t, "%s", source);
        dpl__lab_number(t, thresholds[i], 2);
        if (has_pairs)
            dpl__lab_number(t, e->precision, 4);
        else
            dpl__lab_none(t);
        dpl__lab_number(t, e->recall, 4);
        dpl__lab_number(t, e->f1, 4);
        dpl__lab_count(t, e->n_found);
        put_bounds(t, e->n_matching, e->n_matching + e->n_touching);
        put_bounds(t, e->n_matching, e->n_gold);
    }
    s->counts = found.counts;
    dpl__mining_found_clear(&found);
    return status;
}

static size_t best_of(const search *s)
{
    size_t best = 0;
    for (size_t i = 1; i < POINTS; i++)
        if (s->at[i].f1 > s->at[best].f1)
            best = i;
    return best;
}

static void find_at(dpl__lab *lab, const char *what, const search *s)
{
    const size_t best = best_of(s);
    size_t last = POINTS - 1;
    while (last && !(s->at[last].n_matching + s->at[last].n_touching))
        last--;
    dpl__lab_find(lab,
                  "%s: at threshold 0.10 precision %.3f and recall %.3f; from 0.06 to %.2f "
                  "precision goes from %.3f to %.3f, recall from %.3f to %.3f; F1 is best at "
                  "%.2f (%.3f)",
                  what, s->at[1].precision, s->at[1].recall, thresholds[last],
                  s->at[0].precision, s->at[last].precision, s->at[0].recall,
                  s->at[last].recall, thresholds[best], s->at[best].f1);
}

/* Leaves room for the legend below the lowest point. */
static void draw(dpl__lab *lab, const dpl__lab_table *t, double lowest,
                 const dpl__lab_curve *curves, size_t n_curves)
{
    const double y_min = floor(10 * (lowest - 0.6 * (1 - lowest))) / 10;
    dpl__lab_draw(lab, &(dpl__lab_plot){.table = t,
                                        .x_label = "least score of a pair (cosine)",
                                        .y_label = "precision, recall",
                                        .x_min = 0.05,
                                        .x_max = 0.21,
                                        .y_min = y_min > 0 ? y_min : 0,
                                        .y_max = 1.02,
                                        .legend = "bottom left",
                                        .curves = curves,
                                        .n_curves = n_curves});
}

static void note_rules(dpl__lab *lab)
{
    dpl__lab_note(lab, "matching n-grams of 5 words, in at most 50 documents; scoring n-grams "
                       "of 2 words; precision is matching / (matching + touching), as in "
                       "section 4 of the paper");
    dpl__lab_note(lab, "plain: each document is the best of the other, the paper's rule; near: "
                       "pairs whose score is 0.7 of the best stay, too, and are taken best "
                       "first (doppel's default)");
}

/* ---- Table 1 ------------------------------------------------------------------------ */

dpl_status dpl__lab_mining_table_1(dpl__lab *lab, dpl_error *err)
{
    static const dpl__lab_curve curves[] = {
        {.title = "precision, plain rule", .rows = plain, .x = 2, .y = 3, .colour = 1},
        {.title = "recall, plain rule", .rows = plain, .x = 2, .y = 4, .colour = 2},
        {.title = "recall, near-duplicates kept", .rows = near, .x = 2, .y = 4, .colour = 3},
        {.title = "precision in the paper", .rows = "paper", .x = 2, .y = 3, .colour = 6},
        {.title = "recall in the paper", .rows = "paper", .x = 2, .y = 4, .colour = 5}};
    dpl__mining_sides sides;
    dpl__mining_gold gold;
    DPL_TRY(dpl__mining_gold_get(&gold, lab, err));
    DPL_TRY(dpl__mining_sides_open(&sides, lab, err));
    dpl__lab_table *t = begin_table(lab, &table_1);
    search s = {&sides, &gold, .options = DPL_INIT(dpl_ngram_options), .lowest = 0.83};
    dpl_status status;
    DPL__STEP(run_search(&s, lab, t, plain, DPL_SELECT_MUTUAL, err));
    find_at(lab, "the paper's rule", &s);
    DPL__STEP(run_search(&s, lab, t, near, DPL_SELECT_NEAR, err));
    find_at(lab, "with near-duplicates kept", &s);
done:
    note_rules(lab);
    dpl__lab_note(lab, "%zu gold pairs; the paper: 7,286 pairs of 6,818 pages of america.gov",
                  gold.n);
    draw(lab, t, s.lowest, curves, DPL_LEN(curves));
    dpl__mining_sides_close(&sides);
    return status == DPL_OK ? dpl__lab_status(lab, err) : status;
}

/* ---- Table 3 ------------------------------------------------------------------------ */

/* The documents of gold pairs, from both sides. */
static dpl_status take_gold(dpl__mining_sides *out, dpl__lab *lab,
                            const dpl__mining_sides *sides, const dpl__mining_gold *gold,
                            dpl_error *err)
{
    const char *lang;
    dpl_status status = dpl__lab_lang(&lang, lab, 1, err);
    *out = (dpl__mining_sides){0};
    for (unsigned side = 0; status == DPL_OK && side < 2; side++) {
        dpl__mining_docs docs;
        dpl__mining_docs_init(&docs, lab->ctx);
        for (size_t i = 0; status == DPL_OK && i < gold->n; i++) {
            uint32_t doc;
            const dpl_str id = side ? gold->pairs[i].right : gold->pairs[i].left;
            if (dpl_collection_find_doc(sides->c[side], id, &doc))
                status = dpl__mining_docs_add(
                    &docs, id, dpl_collection_doc(sides->c[side], doc).text, err);
        }
        if (status == DPL_OK)
            status = dpl__mining_docs_collect(&out->c[side], &docs, lab, lang, err);
        dpl__mining_docs_clear(&docs);
    }
    return status;
}

/* Every n-th gold pair, so that a fifth of the documents of each side at most is in one. */
static void thin_gold(dpl__mining_gold *gold, const dpl__mining_sides *sides)
{
    const size_t n_left = dpl_collection_get_sizes(sides->c[0])->n_docs,
                 n_right = dpl_collection_get_sizes(sides->c[1])->n_docs,
                 least = dpl__max(dpl__min(n_left, n_right), 1),
                 step = dpl__max((5 * gold->n + least - 1) / least, 1);
    dpl_id_pair *pairs = (dpl_id_pair *)(uintptr_t)gold->pairs;
    size_t n = 0;
    for (size_t i = 0; i < gold->n; i += step)
        pairs[n++] = pairs[i];
    gold->n = n;
}

static void draw_table_3(dpl__lab *lab, const dpl__lab_table *t, double lowest)
{
    static const dpl__lab_curve curves[] = {
        {.title = "precision among all", .rows = "all, plain", .x = 2, .y = 3, .colour = 1},
        {.title = "recall among all", .rows = "all, plain", .x = 2, .y = 4, .colour = 2},
        {.title = "recall among all, near-duplicates kept",
         .rows = "all, near",
         .x = 2,
         .y = 4,
         .colour = 3},
        {.title = "recall, reference documents only",
         .rows = "reference, plain",
         .x = 2,
         .y = 4,
         .colour = 4},
        {.title = "precision in the paper", .rows = "paper", .x = 2, .y = 3, .colour = 6},
        {.title = "recall in the paper", .rows = "paper", .x = 2, .y = 4, .colour = 5}};
    draw(lab, t, lowest, curves, DPL_LEN(curves));
}

static dpl_status run_table_3(dpl__lab *lab, const dpl__mining_sides *all,
                              const dpl__mining_sides *alone, const dpl__mining_gold *gold,
                              dpl_error *err)
{
    dpl__lab_table *t = begin_table(lab, &table_3);
    search s = {alone, gold, .options = DPL_INIT(dpl_ngram_options), .lowest = 0.38};
    DPL_TRY(run_search(&s, lab, t, "reference, plain", DPL_SELECT_MUTUAL, err));
    find_at(lab, "reference documents only", &s);
    const double before = s.at[1].recall;
    s.sides = all;
    DPL_TRY(run_search(&s, lab, t, "all, plain", DPL_SELECT_MUTUAL, err));
    find_at(lab, "among all documents", &s);
    dpl__lab_find(
        lab,
        "the other documents change the recall at 0.10 by %+.3f (in the paper -0.26); %.1f "
        "%% of the matching n-grams that both sides have are too frequent",
        s.at[1].recall - before,
        100 * (double)s.counts.n_frequent /
            (double)dpl__max(s.counts.n_frequent + s.counts.n_used, 1));
    DPL_TRY(run_search(&s, lab, t, "all, near", DPL_SELECT_NEAR, err));
    find_at(lab, "among all documents with near-duplicates kept", &s);
    draw_table_3(lab, t, s.lowest);
    return DPL_OK;
}

dpl_status dpl__lab_mining_table_3(dpl__lab *lab, dpl_error *err)
{
    dpl__mining_sides all, alone = {0};
    dpl__mining_gold gold;
    DPL_TRY(dpl__mining_gold_get(&gold, lab, err));
    DPL_TRY(dpl__mining_sides_open(&all, lab, err));
    thin_gold(&gold, &all);
    dpl_status status;
    DPL__STEP(take_gold(&alone, lab, &all, &gold, err));
    status = run_table_3(lab, &all, &alone, &gold, err);
done:
    note_rules(lab);
    dpl__lab_note(lab,
                  "%zu gold pairs are the reference, among %u and %u documents; the paper: 2.5 "
                  "billion pages",
                  gold.n, dpl_collection_get_sizes(all.c[0])->n_docs,
                  dpl_collection_get_sizes(all.c[1])->n_docs);
    dpl__mining_sides_close(&alone);
    dpl__mining_sides_close(&all);
    return status == DPL_OK ? dpl__lab_status(lab, err) : status;
}

/* ---- Table 4 ------------------------------------------------------------------------ */

enum { BOOK_WORDS = 5000, BOOK_WORDS_SMALL = 500 };

/* Documents of a side, some at a time joined to a long one. */
typedef struct joiner {
    const dpl_collection *from;
    const dpl__mining_gold *gold;
    unsigned side;
    size_t n_most; /* documents of a book */
    dpl__mining_docs docs;
    dpl__bytes text;
    size_t n_joined, n_books;
} joiner;

static dpl_status end_book(joiner *j, const char *kind, dpl_error *err)
{
    char id[64];
    if (!j->n_joined)
        return DPL_OK;
    const int n = snprintf(id, sizeof id, "%s-%zu", kind, ++j->n_books);
    j->n_joined = 0;
    const dpl_status status = dpl__mining_docs_add(&j->docs, (dpl_str){id, (size_t)n},
                                                   (dpl_str){j->text.data, j->text.n}, err);
    j->text.n = 0;
    return status;
}

static dpl_status join(joiner *j, dpl_str text, const char *kind, dpl_error *err)
{
    dpl_ctx *ctx = j->docs.ctx;
    DPL_TRY(dpl__need(dpl__vec_append(ctx, &j->text, text.data, text.n) &&
                          dpl__vec_push(ctx, &j->text, '\n'),
                      err));
    return ++j->n_joined < j->n_most ? DPL_OK : end_book(j, kind, err);
}

/* Gold documents in the order of the gold pairs, then all others; "book-1" of one side is the
 * translation of "book-1" of the other. */
static dpl_status join_all(joiner *j, bool *is_gold, dpl_error *err)
{
    static const char *const others[] = {"left", "right"};
    for (size_t i = 0; i < j->gold->n; i++) {
        uint32_t doc;
        const dpl_str id = j->side ? j->gold->pairs[i].right : j->gold->pairs[i].left;
        const bool is_there = dpl_collection_find_doc(j->from, id, &doc);
        if (is_there)
            is_gold[doc] = true;
        DPL_TRY(join(j, is_there ? dpl_collection_doc(j->from, doc).text : DPL_STR(" "), "book",
                     err));
    }
    DPL_TRY(end_book(j, "book", err));
    j->n_books = 0;
    for (uint32_t i = 0; i < dpl_collection_get_sizes(j->from)->n_docs; i++)
        if (!is_gold[i])
            DPL_TRY(join(j, dpl_collection_doc(j->from, i).text, others[j->side], err));
    return end_book(j, others[j->side], err);
}

/* Of a joiner with collection, gold, side and number of documents. */
static dpl_status join_side(dpl_collection **out, dpl__lab *lab, joiner j, dpl_error *err)
{
    const uint32_t n = dpl_collection_get_sizes(j.from)->n_docs;
    const char *lang;
    DPL_TRY(dpl__lab_lang(&lang, lab, 1, err));
    bool *is_gold = dpl__calloc(lab->ctx, n + 1, sizeof *is_gold);
    dpl__mining_docs_init(&j.docs, lab->ctx);
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(is_gold, err));
    DPL__STEP(join_all(&j, is_gold, err));
    DPL__STEP(dpl__mining_docs_collect(out, &j.docs, lab, lang, err));
done:
    dpl__mining_docs_clear(&j.docs);
    dpl__vec_clear(lab->ctx, &j.text);
    dpl__free(lab->ctx, is_gold);
    return status;
}

/* How many documents make a book; there are at least ten books. */
static size_t docs_of_book(const dpl__lab *lab, const dpl__mining_sides *sides,
                           const dpl__mining_gold *gold)
{
    const size_t words = lab->set->small ? BOOK_WORDS_SMALL : BOOK_WORDS;
    const dpl_collection_sizes *s = dpl_collection_get_sizes(sides->c[0]);
    const size_t each = dpl__max((size_t)(s->n_tokens / dpl__max(s->n_docs, 1)), 1);
    return dpl__max(dpl__min((words + each - 1) / each, gold->n / 10), 1);
}

static dpl_status join_gold(dpl__mining_gold *out, dpl__lab *lab, size_t n_books,
                            dpl_error *err)
{
    dpl_id_pair *pairs = dpl__arena_alloc(&lab->arena, n_books * sizeof *pairs);
    *out = (dpl__mining_gold){pairs, n_books};
    for (size_t i = 0; pairs && i < n_books; i++) {
        char id[64];
        const int n = snprintf(id, sizeof id, "book-%zu", i + 1);
        const dpl_str copy = dpl__arena_copy(&lab->arena, (dpl_str){id, (size_t)n});
        DPL_TRY(dpl__need(copy.data, err));
        pairs[i] = (dpl_id_pair){copy, copy};
    }
    return dpl__need(pairs, err);
}

static dpl_status run_table_4(dpl__lab *lab, const dpl__mining_sides *books,
                              const dpl__mining_gold *gold, dpl_error *err)
{
    static const dpl__lab_curve curves[] = {
        {.title = "precision, one n-gram in 16",
         .rows = "1/16, plain",
         .x = 2,
         .y = 3,
         .colour = 1},
        {.title = "recall, one n-gram in 16",
         .rows = "1/16, plain",
         .x = 2,
         .y = 4,
         .colour = 2},
        {.title = "recall, all matching n-grams",
         .rows = "all, plain",
         .x = 2,
         .y = 4,
         .colour = 3},
        {.title = "precision in the paper", .rows = "paper", .x = 2, .y = 3, .colour = 6},
        {.title = "recall in the paper", .rows = "paper", .x = 2, .y = 4, .colour = 5}};
    dpl__lab_table *t = begin_table(lab, &table_4);
    search s = {books, gold, .options = DPL_INIT(dpl_ngram_options, .sample_bits = 4),
                .lowest = 0.38};
    DPL_TRY(run_search(&s, lab, t, "1/16, plain", DPL_SELECT_MUTUAL, err));
    find_at(lab, "one matching n-gram in 16, as in the paper", &s);
    s.options.max_disorder = -1;
    DPL_TRY(run_search(&s, lab, t, "1/16, plain, any order", DPL_SELECT_MUTUAL, err));
    dpl__lab_find(lab,
                  "without the filter of the order of n-grams: precision %.3f and recall "
                  "%.3f at 0.10",
                  s.at[1].precision, s.at[1].recall);
    s.options = (dpl_ngram_options)DPL_INIT(dpl_ngram_options);
    DPL_TRY(run_search(&s, lab, t, "all, plain", DPL_SELECT_MUTUAL, err));
    find_at(lab, "all matching n-grams", &s);
    draw(lab, t, s.lowest, curves, DPL_LEN(curves));
    return DPL_OK;
}

dpl_status dpl__lab_mining_table_4(dpl__lab *lab, dpl_error *err)
{
    dpl__mining_sides sides, books = {0};
    dpl__mining_gold gold, joined;
    DPL_TRY(dpl__mining_gold_get(&gold, lab, err));
    DPL_TRY(dpl__mining_sides_open(&sides, lab, err));
    const size_t each = docs_of_book(lab, &sides, &gold);
    dpl_status status;
    DPL__STEP(join_gold(&joined, lab, (gold.n + each - 1) / each, err));
    for (unsigned side = 0; side < 2; side++)
        DPL__STEP(join_side(
            &books.c[side], lab,
            (joiner){.from = sides.c[side], .gold = &gold, .side = side, .n_most = each}, err));
    status = run_table_4(lab, &books, &joined, err);
done:
    note_rules(lab);
    if (status == DPL_OK) {
        const dpl_collection_sizes *n[2] = {dpl_collection_get_sizes(books.c[0]),
                                            dpl_collection_get_sizes(books.c[1])};
        if (each == 1)
            dpl__lab_note(lab, "documents are books as they are");
        else
            dpl__lab_note(lab, "%zu consecutive documents are joined to a book", each);
        dpl__lab_note(
            lab,
            "%u and %u books of %llu and %llu words on "
            "average, %zu of them pairs; the paper: 1.5 million volumes, 30 groups of "
            "103 volumes in gold",
            n[0]->n_docs, n[1]->n_docs,
            (unsigned long long)(n[0]->n_tokens / dpl__max(n[0]->n_docs, 1)),
            (unsigned long long)(n[1]->n_tokens / dpl__max(n[1]->n_docs, 1)), joined.n);
    }
    dpl__mining_sides_close(&books);
    dpl__mining_sides_close(&sides);
    return status == DPL_OK ? dpl__lab_status(lab, err) : status;
}
