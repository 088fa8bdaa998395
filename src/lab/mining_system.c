/*
 * mining_system.c - trains translators on sentence pairs and tests them.
 *
 * In: lists of sentence pairs, a test set. Out: word alignment and phrases by the library's own
 * trainers, one lexicon for both directions, and BLEU of the test set in both of them. The
 * language model sees the training data only, so that BLEU depends on nothing else.
 */
#include "lab/mining.h"

#include "base/hash.h"
#include "base/maths.h"
#include "base/order.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

typedef struct files {
    char rows[4200], lexicon[4200], phrases[2][4200];
} files;

static void name_files(files *f, const dpl__lab *lab)
{
    snprintf(f->rows, sizeof f->rows, "%s/mining-rows.tsv", lab->scratch);
    snprintf(f->lexicon, sizeof f->lexicon, "%s/mining-lexicon.dpl", lab->scratch);
    for (unsigned k = 0; k < 2; k++)
        snprintf(f->phrases[k], sizeof f->phrases[k], "%s/mining-phrases-%u.dpl", lab->scratch,
                 k);
}

void dpl__mining_system_clear(dpl__mining_system *s)
{
    dpl_translator_close(s->into_right);
    dpl_lexicon_close(s->lexicon);
    *s = (dpl__mining_system){0};
}

/* ---- bootstrap ---------------------------------------------------------------------- */

DPL__RISING_NUMBERS(by_value, double)

dpl__mining_interval dpl__mining_boot_interval(const dpl__mining_boot *x,
                                               const dpl__mining_boot *other)
{
    double sorted[DPL__MINING_DRAWS];
    for (size_t i = 0; i < DPL__MINING_DRAWS; i++)
        sorted[i] = (double)x->bleu[i] - (other ? (double)other->bleu[i] : 0);
    qsort(sorted, DPL__MINING_DRAWS, sizeof *sorted, by_value);
    return (dpl__mining_interval){sorted[DPL__MINING_DRAWS / 40],
                                  sorted[DPL__MINING_DRAWS - 1 - DPL__MINING_DRAWS / 40]};
}

/* BLEU of counts; a test set has matches of every length. */
static double bleu_of(const dpl_eval_bleu *c)
{
    double sum = 0;
    for (size_t n = 0; n < DPL_LEN(c->n_ngrams); n++) {
        if (!c->n_matching[n] || !c->n_ngrams[n])
            return 0;
        sum += dpl__log((double)c->n_matching[n] / (double)c->n_ngrams[n]);
    }
    const double brief = (double)c->n_reference_words / (double)c->n_words;
    return 100 * dpl__exp(sum / DPL_LEN(c->n_ngrams) + (brief > 1 ? 1 - brief : 0));
}

static void add_counts(dpl_eval_bleu *to, const dpl_eval_bleu *from)
{
    to->n_words += from->n_words;
    to->n_reference_words += from->n_reference_words;
    for (size_t n = 0; n < DPL_LEN(to->n_ngrams); n++) {
        to->n_ngrams[n] += from->n_ngrams[n];
        to->n_matching[n] += from->n_matching[n];
    }
}

/* Counts of each sentence by itself, then sums of those that are drawn. */
static dpl_status draw(dpl__mining_boot *boot, dpl__lab *lab, const dpl_str *found,
                       const dpl_str *wanted, size_t n, dpl_error *err)
{
    dpl_eval_bleu *each = dpl__alloc(lab->ctx, n * sizeof *each);
    dpl_status status = dpl__need(each, err);
    for (size_t i = 0; i < n && status == DPL_OK; i++) {
        const dpl_str *const references[] = {&wanted[i]};
        const dpl_bleu_input in =
            DPL_INIT(dpl_bleu_input, .translations = &found[i], .references = references,
                     .n_references = 1, .n_rows = 1);
        each[i] = (dpl_eval_bleu)DPL_INIT(dpl_eval_bleu);
        status = dpl_eval_bleu_run(&each[i], lab->ctx, &in, NULL, err);
    }
    dpl__rng rng = {2004};
    for (size_t k = 0; k < DPL__MINING_DRAWS && n && status == DPL_OK; k++) {
        dpl_eval_bleu sum = DPL_INIT(dpl_eval_bleu);
        for (size_t i = 0; i < n; i++)
            add_counts(&sum, &each[dpl__rng_below(&rng, n)]);
        boot->bleu[k] = (float)bleu_of(&sum);
    }
    dpl__free(lab->ctx, each);
    return status;
}

static dpl_status translate_and_score(double *bleu, dpl__mining_boot *boot, dpl__lab *lab,
                                      dpl_translator *t, const dpl__mining_rows *test,
                                      dpl_error *err)
{
    const bool is_left = test->is_turned;
    const size_t n = test->rows.n;
    dpl_str *texts = dpl__alloc(lab->ctx, 2 * n * sizeof *texts);
    dpl_translations found = {0};
    dpl_eval_bleu b = DPL_INIT(dpl_eval_bleu);
    DPL_TRY(dpl__need(texts, err));
    for (size_t i = 0; i < n; i++) {
        const dpl_bitext_row *row = &test->rows.data[i];
        texts[i] = is_left ? row->right : row->left;
        texts[n + i] = is_left ? row->left : row->right;
    }
    const dpl_str *const references[] = {texts + n};
    dpl_status status;
    DPL__STEP(dpl_translator_run(&found, t, texts, n, err));
    const dpl_bleu_input in =
        DPL_INIT(dpl_bleu_input, .translations = found.texts, .references = references,
                 .n_references = 1, .n_rows = n);
    DPL__STEP(dpl_eval_bleu_run(&b, lab->ctx, &in, NULL, err));
    *bleu = b.bleu;
    status = draw(boot, lab, found.texts, texts + n, n, err);
done:
    dpl_translations_clear(&found, t);
    dpl__free(lab->ctx, texts);
    return status;
}

/* Into the right language, or the left one: as the options say. */
static dpl_status train_direction(dpl_translator **out, dpl__lab *lab, const files *f,
                                  const dpl_phrases_options *o, dpl_error *err)
{
    const char *rows = f->rows, *path = f->phrases[o->to_left];
    unlink(path); /* an open model stays readable when its file is replaced */
    DPL_TRY(dpl_phrases_train(NULL, lab->ctx, path, &rows, 1, o, err));
    return dpl_translator_open(out, lab->ctx, path, NULL, err);
}

static dpl_status train_and_test(dpl__mining_system *s, dpl__lab *lab, const files *f,
                                 const dpl__mining_rows *test, dpl_error *err)
{
    const char *langs[2], *rows = f->rows;
    DPL_TRY(dpl__lab_lang(&langs[0], lab, 0, err));
    DPL_TRY(dpl__lab_lang(&langs[1], lab, 1, err));
    const dpl_bitext_options read = DPL_INIT(dpl_bitext_options, .from = DPL_BITEXT_TSV,
                                             .left_lang = langs[0], .right_lang = langs[1]);
    const dpl_train_options train = DPL_INIT(dpl_train_options, .read = &read);
    unlink(f->lexicon);
    DPL_TRY(dpl_lexicon_train(NULL, lab->ctx, f->lexicon, &rows, 1, &train, err));
    DPL_TRY(dpl_lexicon_open(&s->lexicon, lab->ctx, f->lexicon, NULL, err));
    dpl_phrases_options o = DPL_INIT(dpl_phrases_options, .read = &read, .lexicon = s->lexicon,
                                     .temp = lab->scratch);
    DPL_TRY(train_direction(&s->into_right, lab, f, &o, err));
    if (!test)
        return DPL_OK;
    dpl_translator *back = NULL;
    DPL_TRY(translate_and_score(&s->bleu[0], &s->boot[0], lab, s->into_right, test, err));
    o.to_left = true;
    DPL_TRY(train_direction(&back, lab, f, &o, err));
    dpl__mining_rows turned = *test; /* borrows */
    turned.is_turned = true;
    const dpl_status status =
        translate_and_score(&s->bleu[1], &s->boot[1], lab, back, &turned, err);
    dpl_translator_close(back);
    return status;
}

dpl_status dpl__mining_system_train(dpl__mining_system *out, dpl__lab *lab,
                                    const dpl__mining_rows *const *lists, size_t n_lists,
                                    const dpl__mining_rows *test, dpl_error *err)
{
    files f;
    *out = (dpl__mining_system){0};
    for (size_t i = 0; i < n_lists; i++)
        out->n_rows += lists[i]->rows.n;
    if (!out->n_rows)
        return DPL_OK;
    name_files(&f, lab);
    DPL_TRY(dpl__mining_rows_write(lab, f.rows, lists, n_lists, err));
    dpl_status status = train_and_test(out, lab, &f, test, err);
    if (status == DPL_E_NOTHING)
        status = DPL_OK;
    if (status != DPL_OK)
        dpl__mining_system_clear(out);
    return status;
}
