/*
 * data.c - prepares what experiments look at, once for all experiments of a run.
 *
 * In: the inputs and options of the run. Out: collections with stems, a lexicon (given, or
 * learned by mining the two collections), BM25 vectors in the language of the right side, the
 * exact pairs above a threshold, gold pairs as numbers. Everything is made when it is first
 * asked for.
 */
#include "lab/data.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "base/order.h"
#include "doppel/file.h"
#include "eval/key_map.h"
#include "io/lines.h"
#include "lexicon/lexicon.h"
#include "signatures/signatures.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

void dpl__lab_data_init(dpl__lab_data *d, dpl_ctx *ctx)
{
    *d = (dpl__lab_data){.ctx = ctx, .exact_threshold = -1};
}

void dpl__lab_data_clear(dpl__lab_data *d)
{
    if (!d->ctx)
        return;
    dpl_lexicon_close(d->lexicon);
    dpl_mine_result_free(d->mined); /* it borrows the collections */
    for (unsigned side = 0; side < 2; side++) {
        dpl_vectors_close(d->vectors[side]);
        dpl_collection_close(d->collections[side]);
        dpl__vec_clear(d->ctx, &d->samples[side]);
    }
    dpl_collection_close(d->reference);
    dpl__vec_clear(d->ctx, &d->exact, &d->gold, &d->gold_rows);
    *d = (dpl__lab_data){0};
}

double dpl__lab_clock(void)
{
    return dpl__now();
}

double dpl__lab_cpu_clock(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

dpl_status dpl__lab_progress(dpl__lab *lab, uint64_t done, uint64_t total, dpl_error *err)
{
    const dpl_progress p = {lab->about->name, "steps", done, total};
    return dpl__progress(lab->ctx, &p, err);
}

/* ---- collections ------------------------------------------------------------------------ */

static bool is_vectors(const dpl_input *input)
{
    const size_t n = input->path ? strlen(input->path) : 0;
    return n > 4 && (strcmp(input->path + n - 4, ".npy") == 0 ||
                     (n > 6 && strcmp(input->path + n - 6, ".fvecs") == 0));
}

/* The kind of a .dpl; "" for anything else. */
static dpl_status kind_of(char out[24], dpl_ctx *ctx, const dpl_input *input, dpl_error *err)
{
    const size_t n = input->path ? strlen(input->path) : 0;
    dpl_file *file = NULL;
    out[0] = 0;
    if (n <= 4 || strcmp(input->path + n - 4, ".dpl") != 0)
        return DPL_OK;
    DPL_TRY(dpl_file_open(&file, ctx, input->path, err));
    snprintf(out, 24, "%s", dpl_file_get_info(file).kind);
    dpl_file_close(file);
    return DPL_OK;
}

static dpl_status missing_side(const dpl__lab *lab, unsigned side, dpl_error *err)
{
    return dpl__fail_code(err, DPL_E_USAGE, "lab-needs", "'%s' needs %s", lab->about->name,
                          side ? "two collections" : "a collection");
}

dpl_status dpl__lab_collection(const dpl_collection **out, dpl__lab *lab, unsigned side,
                               dpl_error *err)
{
    dpl_collection **c = &lab->data->collections[side];
    if (side >= lab->n_inputs)
        return missing_side(lab, side, err);
    const dpl_input *input = &lab->inputs[side];
    char kind[24];
    DPL_TRY(kind_of(kind, lab->ctx, input, err));
    if (is_vectors(input) || strcmp(kind, "vectors") == 0)
        return dpl__fail_code(err, DPL_E_USAGE, "lab-needs",
                              "'%s' needs documents; '%s' holds vectors", lab->about->name,
                              input->path);
    const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = true);
    const dpl_import_options o =
        DPL_INIT(dpl_import_options, .read = lab->set->read, .tokens = &tokens,
                 .temp = lab->scratch, .needs_docs = true);
    if (!*c && input->collection) {
        *out = input->collection;
        return DPL_OK;
    }
    if (!*c && strcmp(kind, "collection") == 0)
        DPL_TRY(dpl_collection_open(c, lab->ctx, input->path, err));
    else if (!*c)
        DPL_TRY(dpl_collection_from_inputs(c, NULL, lab->ctx, input, 1, &o, err));
    *out = *c;
    return DPL_OK;
}

/* ---- languages and lexicon --------------------------------------------------------------- */

/* The language of most of the first documents. */
static void lang_of(char out[12], const dpl_collection *c)
{
    const uint32_t n = dpl_collection_get_sizes(c)->n_docs;
    size_t best = 0;
    out[0] = 0;
    for (uint32_t i = 0; i < n && i < 50; i++) {
        const dpl_str lang = dpl_collection_doc(c, i).lang;
        size_t same = 0;
        for (uint32_t j = 0; j < n && j < 50; j++)
            same += dpl__str_eq(dpl_collection_doc(c, j).lang, lang);
        if (same > best && lang.n && lang.n < 12) {
            best = same;
            memcpy(out, lang.data, lang.n);
            out[lang.n] = 0;
        }
    }
}

dpl_status dpl__lab_lang(const char **out, dpl__lab *lab, unsigned side, dpl_error *err)
{
    const dpl_collection *c;
    DPL_TRY(dpl__lab_collection(&c, lab, side, err));
    if (!lab->data->langs[side][0])
        lang_of(lab->data->langs[side], c);
    *out = lab->data->langs[side];
    return DPL_OK;
}

dpl_status dpl__lab_mined(const dpl_mine_result **out, dpl__lab *lab, dpl_error *err)
{
    const dpl_collection *left, *right;
    *out = lab->data->mined;
    if (*out)
        return DPL_OK;
    DPL_TRY(dpl__lab_collection(&left, lab, 0, err));
    DPL_TRY(dpl__lab_collection(&right, lab, 1, err));
    const dpl_input in[2] = {{.collection = left, .name = "left"},
                             {.collection = right, .name = "right"}};
    const dpl_mine_options o = DPL_INIT(dpl_mine_options, .temp = lab->scratch);
    DPL_TRY(dpl_mine(&lab->data->mined, lab->ctx, NULL, in, 2, &o, err));
    *out = lab->data->mined;
    return DPL_OK;
}

static dpl_status learn(dpl__lab *lab, dpl_error *err)
{
    const dpl_mine_result *mined;
    DPL_TRY(dpl__lab_mined(&mined, lab, err));
    if (dpl_mine_get_lexicon(mined, 0))
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_NOTHING, "lab-lexicon",
                          "no lexicon could be learned from the two collections");
}

static dpl_status open_given(dpl__lab *lab, dpl_error *err)
{
    dpl__lexicon_langs langs;
    dpl_lexicon_options o = DPL_INIT(dpl_lexicon_options);
    DPL_TRY(dpl__lexicon_set_langs(&o, &langs, lab->set->lexicon_langs, err));
    return dpl_lexicon_open(&lab->data->lexicon, lab->ctx, lab->set->lexicon, &o, err);
}

dpl_status dpl__lab_lexicon(const dpl_lexicon **out, dpl__lab *lab, dpl_error *err)
{
    dpl__lab_data *d = lab->data;
    if (lab->set->lexicon && !d->lexicon)
        DPL_TRY(open_given(lab, err));
    if (!d->lexicon)
        DPL_TRY(learn(lab, err));
    *out = d->lexicon ? d->lexicon : dpl_mine_get_lexicon(d->mined, 0);
    return DPL_OK;
}

/* ---- vectors and signatures --------------------------------------------------------- */

/* NULL: both sides have the same language, or there is one side. */
static dpl_status lexicon_for(const dpl_lexicon **out, dpl__lab *lab, dpl_error *err)
{
    *out = NULL;
    if (lab->n_inputs < 2)
        return DPL_OK;
    const char *langs[2];
    for (unsigned side = 0; side < 2; side++)
        DPL_TRY(dpl__lab_lang(&langs[side], lab, side, err));
    if (!lab->set->lexicon && strcmp(langs[0], langs[1]) == 0)
        return DPL_OK;
    return dpl__lab_lexicon(out, lab, err);
}

dpl_status dpl__lab_vectors(const dpl_vectors **out, dpl__lab *lab, unsigned side,
                            dpl_error *err)
{
    dpl_vectors **v = &lab->data->vectors[side];
    if (side >= lab->n_inputs)
        return missing_side(lab, side, err);
    char kind[24];
    DPL_TRY(kind_of(kind, lab->ctx, &lab->inputs[side], err));
    if (!*v && (is_vectors(&lab->inputs[side]) || strcmp(kind, "vectors") == 0)) {
        DPL_TRY(dpl_vectors_open(v, lab->ctx, lab->inputs[side].path, err));
    } else if (!*v) {
        const dpl_collection *c;
        const dpl_lexicon *lexicon = NULL;
        DPL_TRY(dpl__lab_collection(&c, lab, side, err));
        if (side == 0)
            DPL_TRY(lexicon_for(&lexicon, lab, err));
        const dpl_vectors_options o =
            DPL_INIT(dpl_vectors_options, .temp = lab->scratch,
                     .direction = lexicon && lab->set->as_paper ? DPL_DIRECTION_TARGET
                                                                : DPL_DIRECTION_AUTO);
        DPL_TRY(dpl_vectors_from_collection(v, NULL, lab->ctx, c, lexicon, &o, err));
    }
    *out = *v;
    return DPL_OK;
}

/* Signatures of any length, such as the paper's 1000 bits: the bits behind it are 0 in all
 * rows, so that they neither count in a distance nor decide an order. */
void dpl__lab_blank_padding(dpl_signatures *s, unsigned n)
{
    if (n % 64 == 0)
        return;
    const dpl__bits *bits = dpl__signatures_bits(s);
    uint64_t *words = (uint64_t *)(uintptr_t)bits->words;
    for (size_t row = 0; row < bits->n_rows; row++)
        words[row * bits->n_words + n / 64] &= ((uint64_t)1 << n % 64) - 1;
}

dpl_status dpl__lab_sign(dpl_signatures **out, dpl__lab *lab, unsigned side,
                         dpl_sign_method method, unsigned n, dpl_error *err)
{
    const dpl_vectors *v;
    DPL_TRY(dpl__lab_vectors(&v, lab, side, err));
    const dpl_sign_options o =
        DPL_INIT(dpl_sign_options, .method = method, .length = n, .temp = lab->scratch);
    DPL_TRY(dpl_signatures_make(out, lab->ctx, v, &o, err));
    if (method == DPL_SIGN_RP)
        dpl__lab_blank_padding(*out, n);
    return DPL_OK;
}

dpl_status dpl__lab_sample(const uint32_t **out, size_t *n, dpl__lab *lab, unsigned side,
                           dpl_error *err)
{
    const dpl_vectors *v;
    DPL_TRY(dpl__lab_vectors(&v, lab, side, err));
    const uint32_t n_rows = dpl_vectors_get_sizes(v)->n_rows;
    const size_t wanted = dpl__min(lab->set->sample, n_rows);
    if (lab->data->samples[side].n != wanted || lab->data->sample_seeds[side] != lab->seed) {
        dpl__rng rng = {dpl__mix(lab->ctx->seed)};
        lab->data->samples[side].n = 0;
        lab->data->sample_seeds[side] = lab->seed;
        for (uint32_t row = 0; row < n_rows; row++)
            if (dpl__rng_below(&rng, n_rows - row) < wanted - lab->data->samples[side].n &&
                !dpl__vec_push(lab->ctx, &lab->data->samples[side], row))
                return dpl__fail_nomem(err);
    }
    *out = lab->data->samples[side].data;
    *n = wanted;
    return DPL_OK;
}

dpl_status dpl__lab_reference(const dpl_collection **out, dpl__lab *lab, dpl_error *err)
{
    *out = NULL;
    if (!lab->set || !lab->set->reference) {
        if (!lab->set || !lab->set->as_paper)
            return DPL_OK;
        return dpl__fail_code(err, DPL_E_USAGE, "lab-reference",
                              "'%s' as in the paper needs a collection of reference",
                              lab->about->name);
    }
    dpl_collection **reference = &lab->data->reference;
    if (!*reference) {
        dpl_import_options o = DPL_INIT(dpl_import_options, .temp = lab->scratch);
        const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = true);
        const dpl_input input = {.path = lab->set->reference};
        o.tokens = &tokens;
        DPL_TRY(dpl_collection_from_inputs(reference, NULL, lab->ctx, &input, 1, &o, err));
    }
    *out = *reference;
    return DPL_OK;
}

/* ---- pairs -------------------------------------------------------------------------- */

static dpl_status take_all(dpl__lab_data *d, dpl_pairs *pairs, dpl_error *err)
{
    dpl_pair pair;
    dpl_status status;
    while ((status = dpl_pairs_next(pairs, &pair, err)) == DPL_OK)
        DPL_TRY(dpl__need(dpl__vec_push(d->ctx, &d->exact, pair), err));
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl__lab_exact(const dpl_pair **out, size_t *n, dpl__lab *lab, double threshold,
                          dpl_error *err)
{
    dpl__lab_data *d = lab->data;
    if (d->exact_threshold != threshold) { // NOLINT: asked for the same number again
        dpl_pairs_side sides[2] = {{0}};
        for (unsigned side = 0; side < 2 && side < lab->n_inputs; side++)
            DPL_TRY(dpl__lab_vectors(&sides[side].vectors, lab, side, err));
        const dpl_pairs_options o =
            DPL_INIT(dpl_pairs_options, .method = DPL_PAIRS_EXACT,
                     .threshold = threshold > 0 ? threshold : -1, .temp = lab->scratch);
        dpl_pairs *pairs = NULL;
        d->exact.n = 0;
        d->exact_threshold = -1;
        dpl_status status = dpl_pairs_open(&pairs, lab->ctx, &sides[0],
                                           lab->n_inputs > 1 ? &sides[1] : NULL, &o, err);
        if (status == DPL_OK)
            status = take_all(d, pairs, err);
        dpl_pairs_close(pairs);
        DPL_TRY(status);
        d->exact_threshold = threshold;
    }
    *out = d->exact.data;
    *n = d->exact.n;
    return DPL_OK;
}

/* ---- gold --------------------------------------------------------------------------- */

/* Looks up the number of an id on a side; false: not there. */
typedef bool find_fn(void *user, unsigned side, dpl_str id, uint32_t *out);

static bool find_doc(void *user, unsigned side, dpl_str id, uint32_t *out)
{
    return dpl_collection_find_doc(((const dpl_collection **)user)[side], id, out);
}

static bool find_row(void *user, unsigned side, dpl_str id, uint32_t *out)
{
    const uint32_t row = dpl__keys_get((const dpl__keys *)user, dpl__key_of(id, side));
    *out = row - 1;
    return row > 0;
}

DPL__ORDER(by_numbers, dpl_doc_pair, DPL__RISING(left) DPL__RISING(right))

static dpl_status take_line(dpl_doc_pair *out, bool *is_there, dpl__lines *lines, dpl_str line,
                            find_fn *find, void *user, dpl_error *err)
{
    const char *tab = line.n ? memchr(line.data, '\t', line.n) : NULL;
    *is_there = false;
    if (!line.n)
        return DPL_OK;
    if (!tab)
        return dpl__lines_bad(lines, err, "no tab");
    const dpl_str left = {line.data, (size_t)(tab - line.data)};
    const char *right = tab + 1, *end = line.data + line.n;
    tab = right < end ? memchr(right, '\t', (size_t)(end - right)) : NULL;
    const dpl_str other = {right, (size_t)((tab ? tab : end) - right)};
    *is_there = find(user, 0, left, &out->left) && find(user, 1, other, &out->right);
    return DPL_OK;
}

static dpl_status read_gold(dpl__lab_doc_pairs *out, dpl__lab *lab, find_fn *find, void *user,
                            dpl_error *err)
{
    dpl__lines lines = {0};
    dpl_str line;
    out->n = 0;
    if (!lab->set->gold)
        return dpl__fail_code(err, DPL_E_USAGE, "lab-needs", "'%s' needs gold pairs",
                              lab->about->name);
    dpl_status status;
    DPL__STEP(dpl__lines_open(&lines, lab->ctx, lab->set->gold, err));
    while ((status = dpl__lines_next(&lines, &line, err)) == DPL_OK) {
        dpl_doc_pair pair;
        bool is_there;
        DPL__STEP(take_line(&pair, &is_there, &lines, line, find, user, err));
        if (is_there && !dpl__vec_push(lab->ctx, out, pair))
            DPL__STEP(dpl__fail_nomem(err));
    }
done:
    dpl__lines_close(&lines);
    if (status != DPL_END)
        return status;
    dpl__vec_sort(out, by_numbers);
    if (out->n)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "lab-gold",
                          "'%s': no pair has ids of both collections", lab->set->gold);
}

dpl_status dpl__lab_gold(const dpl_doc_pair **out, size_t *n, dpl__lab *lab, dpl_error *err)
{
    dpl__lab_data *d = lab->data;
    if (!d->has_gold) {
        const dpl_collection *sides[2];
        DPL_TRY(dpl__lab_collection(&sides[0], lab, 0, err));
        DPL_TRY(dpl__lab_collection(&sides[1], lab, 1, err));
        DPL_TRY(read_gold(&d->gold, lab, find_doc, sides, err));
        d->has_gold = true;
    }
    *out = d->gold.data;
    *n = d->gold.n;
    return DPL_OK;
}

static dpl_status put_ids(dpl__keys *keys, const dpl_vectors *v, unsigned side, dpl_error *err)
{
    for (uint32_t row = 0; row < dpl_vectors_get_sizes(v)->n_rows; row++) {
        uint32_t *value;
        DPL_TRY(dpl__keys_put(keys, dpl__key_of(dpl_vectors_id(v, row), side), &value, err));
        *value = row + 1;
    }
    return DPL_OK;
}

static dpl_status read_gold_rows(dpl__lab_data *d, dpl__lab *lab,
                                 const dpl_vectors *const sides[2], dpl_error *err)
{
    dpl__keys keys;
    dpl_status status;
    dpl__keys_init(&keys, lab->ctx);
    DPL__STEP(put_ids(&keys, sides[0], 0, err));
    DPL__STEP(put_ids(&keys, sides[1], 1, err));
    DPL__STEP(read_gold(&d->gold_rows, lab, find_row, &keys, err));
done:
    dpl__keys_clear(&keys);
    return status;
}

dpl_status dpl__lab_gold_rows(const dpl_doc_pair **out, size_t *n, dpl__lab *lab,
                              dpl_error *err)
{
    dpl__lab_data *d = lab->data;
    if (!d->has_gold_rows) {
        const dpl_vectors *sides[2];
        DPL_TRY(dpl__lab_vectors(&sides[0], lab, 0, err));
        DPL_TRY(dpl__lab_vectors(&sides[1], lab, 1, err));
        DPL_TRY(read_gold_rows(d, lab, sides, err));
        d->has_gold_rows = true;
    }
    *out = d->gold_rows.data;
    *n = d->gold_rows.n;
    return DPL_OK;
}
