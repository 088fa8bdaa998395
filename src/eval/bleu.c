/*
 * bleu.c - BLEU of translations against references.
 *
 * In: translations and one or more references of each, as files of lines or as arrays. Out:
 * matching n-grams of one to four words, their precisions, the brevity penalty, and the score
 * (Papineni, Roukos, Ward and Zhu, ACL 2002), summed over the whole corpus. An n-gram of a
 * translation matches as often as the reference that has most of it; the length of a reference
 * is that of the one nearest in length, the shorter of two. Words are those of the 13a rules
 * (bleu_words.c), and where no n-gram of a length matches, its precision is halved with each
 * such length ("exp" smoothing): scores are those of sacrebleu with its defaults. Cost: linear
 * but for sorting the n-grams of each sentence.
 */
#include "doppel/eval.h"

#include "base/hash.h"
#include "base/maths.h"
#include "base/order.h"
#include "base/sized.h"
#include "eval/bleu_words.h"
#include "eval/measure.h"

typedef struct bleu {
    dpl_ctx *ctx;
    dpl_eval_bleu counts;
    dpl__bleu_words words;
    size_t n_references;
    dpl__hashes found;              /* words of a translation */
    dpl__hashes *gold;              /* of its references */
    dpl__hashes ngrams, references; /* of one length, sorted */
    dpl__hashes most;               /* for each distinct n-gram of a translation */
} bleu;

static void clear(bleu *b)
{
    for (size_t r = 0; b->gold && r < b->n_references; r++)
        dpl__vec_clear(b->ctx, &b->gold[r]);
    dpl__free(b->ctx, b->gold);
    dpl__vec_clear(b->ctx, &b->found, &b->ngrams, &b->references, &b->most);
    dpl__bleu_words_clear(&b->words);
}

/* ---- one sentence ------------------------------------------------------------------- */

DPL__RISING_NUMBERS(by_value, uint64_t)

/* The hashes of all runs of n words, sorted. */
static dpl_status runs_of(dpl__hashes *out, dpl_ctx *ctx, const dpl__hashes *words, size_t n,
                          dpl_error *err)
{
    out->n = 0;
    if (words->n < n)
        return DPL_OK;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, out, words->n), err));
    for (size_t i = 0; i + n <= words->n; i++)
        out->data[out->n++] = dpl__hash(words->data + i, n * sizeof *words->data, 2);
    dpl__vec_sort(out, by_value);
    return DPL_OK;
}

/* How many from i on are the same. */
static size_t length_of_run(const dpl__hashes *sorted, size_t i)
{
    assert(i < sorted->n);
    size_t end = i + 1;
    while (end < sorted->n && sorted->data[end] == sorted->data[i])
        end++;
    return end - i;
}

/* Raises most[k], the count of the k-th distinct n-gram in any reference so far. */
static void raise(const bleu *b)
{
    size_t k = 0, at = 0;
    for (size_t i = 0; i < b->ngrams.n; i += length_of_run(&b->ngrams, i), k++) {
        while (at < b->references.n && b->references.data[at] < b->ngrams.data[i])
            at++;
        if (at == b->references.n || b->references.data[at] != b->ngrams.data[i])
            continue;
        b->most.data[k] = dpl__max(b->most.data[k], length_of_run(&b->references, at));
    }
}

static dpl_status count_runs(bleu *b, size_t n, dpl_error *err)
{
    DPL_TRY(runs_of(&b->ngrams, b->ctx, &b->found, n, err));
    b->most.n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(b->ctx, &b->most, b->ngrams.n), err));
    if (b->ngrams.n)
        memset(b->most.data, 0, b->ngrams.n * sizeof *b->most.data);
    for (size_t r = 0; r < b->n_references; r++) {
        DPL_TRY(runs_of(&b->references, b->ctx, &b->gold[r], n, err));
        raise(b);
    }
    size_t k = 0;
    for (size_t i = 0, n_same; i < b->ngrams.n; i += n_same) {
        n_same = length_of_run(&b->ngrams, i);
        b->counts.n_matching[n - 1] += dpl__min(n_same, b->most.data[k++]);
    }
    b->counts.n_ngrams[n - 1] += b->ngrams.n;
    assert(b->counts.n_matching[n - 1] <= b->counts.n_ngrams[n - 1]);
    return DPL_OK;
}

static size_t nearest_length(const bleu *b)
{
    assert(b->n_references > 0);
    size_t best = b->gold[0].n;
    for (size_t r = 1; r < b->n_references; r++) {
        size_t n = b->gold[r].n, gap = n > b->found.n ? n - b->found.n : b->found.n - n,
               best_gap = best > b->found.n ? best - b->found.n : b->found.n - best;
        if (gap < best_gap || (gap == best_gap && n < best))
            best = n;
    }
    return best;
}

/* The words of all are there. */
static dpl_status add(bleu *b, dpl_error *err)
{
    b->counts.n_rows++;
    b->counts.n_words += b->found.n;
    b->counts.n_reference_words += nearest_length(b);
    for (size_t n = 1; n <= DPL_LEN(b->counts.n_ngrams); n++)
        DPL_TRY(count_runs(b, n, err));
    return DPL_OK;
}

/* ---- the score ---------------------------------------------------------------------- */

static void measure(dpl_eval_bleu *c)
{
    double sum = 0, smooth = 1;
    bool has_match = false, has_all = true;
    size_t n_orders = DPL_LEN(c->precision);
    for (size_t n = 0; n < n_orders; n++) {
        has_match = has_match || c->n_matching[n];
        has_all = has_all && c->n_ngrams[n];
        if (!has_all)
            continue;
        if (!c->n_matching[n])
            smooth *= 2;
        c->precision[n] =
            (c->n_matching[n] ? (double)c->n_matching[n] : 1 / smooth) / (double)c->n_ngrams[n];
        sum += dpl__log(c->precision[n]);
    }
    c->brevity = 1;
    if (c->n_words < c->n_reference_words)
        c->brevity =
            c->n_words ? dpl__exp(1 - (double)c->n_reference_words / (double)c->n_words) : 0;
    c->bleu = has_match && has_all ? 100 * c->brevity * dpl__exp(sum / (double)n_orders) : 0;
    if (!has_match)
        memset(c->precision, 0, sizeof c->precision);
}

/* ---- input -------------------------------------------------------------------------- */

static dpl_status take_arrays(bleu *b, const dpl_bleu_input *in, dpl_error *err)
{
    for (size_t i = 0; i < in->n_rows; i++) {
        DPL_TRY(dpl__bleu_words_split(&b->found, &b->words, in->translations[i], err));
        for (size_t r = 0; r < in->n_references; r++)
            DPL_TRY(dpl__bleu_words_split(&b->gold[r], &b->words, in->references[r][i], err));
        DPL_TRY(add(b, err));
    }
    return DPL_OK;
}

DPL_COLD static dpl_status bad_length(const char *path, const dpl__lines *lines,
                                      const char *other, dpl_error *err)
{
    bool is_stdin = strcmp(path, "-") == 0, is_other = strcmp(other, "-") == 0;
    dpl__fail(err, DPL_E_FORMAT, "'%s' ends after line %llu, but '%s' does not",
              is_stdin ? "(standard input)" : path, (unsigned long long)lines->number,
              is_other ? "(standard input)" : other);
    dpl__error_place(err, lines->number, 0, 0);
    dpl__hint(err, "line i of one file is the translation of line i of the others");
    return DPL_E_FORMAT;
}

/* The next line of all files; DPL_END when all of them have ended. */
static dpl_status take_lines(bleu *b, dpl__lines *lines, const dpl_bleu_input *in,
                             dpl_error *err)
{
    dpl_str line;
    dpl_status first = dpl__lines_next(&lines[0], &line, err);
    if (first == DPL_OK)
        first = dpl__bleu_words_split(&b->found, &b->words, line, err);
    if (first < 0)
        return first;
    for (size_t r = 0; r < in->n_references; r++) {
        dpl_status status = dpl__lines_next(&lines[1 + r], &line, err);
        if (status < 0)
            return status;
        if (status != first)
            return first == DPL_END ? bad_length(in->translation_path, &lines[0],
                                                 in->reference_paths[r], err)
                                    : bad_length(in->reference_paths[r], &lines[1 + r],
                                                 in->translation_path, err);
        if (status == DPL_OK)
            DPL_TRY(dpl__bleu_words_split(&b->gold[r], &b->words, line, err));
    }
    if (first == DPL_END)
        return DPL_END;
    DPL_TRY(add(b, err));
    return dpl__measure_report(&lines[0], err);
}

static dpl_status take_files(bleu *b, const dpl_bleu_input *in, dpl_error *err)
{
    size_t n_files = in->n_references + 1;
    dpl__lines *lines = dpl__calloc(b->ctx, n_files, sizeof *lines);
    dpl_status status = dpl__need(lines, err);
    for (size_t i = 0; status == DPL_OK && i < n_files; i++)
        status = dpl__lines_open(&lines[i], b->ctx,
                                 i ? in->reference_paths[i - 1] : in->translation_path, err);
    while (status == DPL_OK)
        status = take_lines(b, lines, in, err);
    for (size_t i = 0; lines && i < n_files; i++)
        dpl__lines_close(&lines[i]);
    dpl__free(b->ctx, lines);
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl_eval_bleu_run(dpl_eval_bleu *out, dpl_ctx *ctx, const dpl_bleu_input *input,
                             const dpl_eval_bleu_options *options, dpl_error *err)
{
    dpl_eval_bleu_options o;
    dpl_bleu_input in;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__TAKE(&in, input, err));
    DPL_TRY(DPL__CHECK_OUT(out, err));
    if (!in.n_references)
        return dpl__fail(err, DPL_E_USAGE, "no references to compare translations with");
    bleu b = {
        .ctx = ctx,
        .counts = DPL_INIT(dpl_eval_bleu),
        .words = {.ctx = ctx, .is_lowercase = o.lowercase, .is_pretokenized = o.pretokenized},
        .n_references = in.n_references,
        .gold = dpl__calloc(ctx, in.n_references, sizeof *b.gold)};
    dpl_status status;
    DPL__STEP(dpl__need(b.gold, err));
    DPL__STEP(in.translation_path ? take_files(&b, &in, err) : take_arrays(&b, &in, err));
done:
    measure(&b.counts);
    DPL__GIVE(out, &b.counts);
    clear(&b);
    return status;
}
