/*
 * align_text.c - rows of new text and a lexicon's model become word alignments.
 *
 * Rows come in batches: words become the model's numbers (encoder.h), all threads align
 * (align_rows.h), and rows are handed on in order with their words as slices of the text.
 *
 * Text that others have cut into words may not be cut as the model's was: what is one word
 * there
 * ("EU-Haushalt", "l'") is several words or marks here. So a model of plain text cuts it again;
 * pieces are aligned if a word of one is aligned with a word of the other.
 */
#include "base/ctx.h"
#include "base/order.h"
#include "base/sized.h"
#include "lexicon/align_rows.h"
#include "lexicon/encoder.h"
#include "lexicon/hmm.h"
#include "lexicon/lexicon.h"
#include "lexicon/lexicon_params.h"
#include "lexicon/row_batch.h"

/* Unknown words in the corpus before a new one is begun. */
enum { MIB = 1 << 20, MOST_TOKENS = UINT16_MAX - 1, MOST_UNKNOWN = 1 << 20 };

typedef struct dpl_alignment {
    dpl_ctx *ctx;
    const dpl_lexicon *lexicon;
    dpl_bitext *reader;
    dpl_align_options options;
    dpl__align_rows_options core;
    bool has_pieces; /* words are not what the model aligns, but made of these */
    dpl_align_summary summary;
    /* The batch: */
    dpl__encoder *encoder;
    dpl__row_batch rows;
    dpl__encoded corpus;           /* of these */
    DPL_VEC(dpl__row_link) linked; /* of all of its rows */
    DPL_VEC(size_t) ends;          /* of each row in linked */
    size_t row;                    /* the next one */
    /* The current row: */
    DPL_VEC(dpl_str) words[2];
    DPL_VEC(uint32_t) piece_of[2]; /* of each token: the number of its piece */
    DPL_VEC(dpl_link) links;
} dpl_alignment;

/* ---- symmetrizations ---------------------------------------------------------------- */

/* In the order of dpl_symmetry. */
static const struct symmetrization {
    dpl_symmetry_info info;
    dpl__align_method method;
    dpl__symmetry how;
} symmetrizations[] = {
    {{"posterior", NULL,
      "links whose mean posterior probability of both directions is above the threshold"},
     DPL__ALIGN_POSTERIOR,
     0},
    {{"intersect", NULL, "links in the best alignments of both directions"},
     DPL__ALIGN_SYMMETRIZE,
     DPL__SYMMETRY_INTERSECTION},
    {{"union", NULL, "links in the best alignment of either direction"},
     DPL__ALIGN_SYMMETRIZE,
     DPL__SYMMETRY_UNION},
    {{"grow-diag", NULL, "the intersection, and adjacent links of the union"},
     DPL__ALIGN_SYMMETRIZE,
     DPL__SYMMETRY_GROW_DIAG},
    {{"gdfa", "grow-diag-final-and",
      "grow-diag-final-and: grow-diag, then links of the union between words that have none"},
     DPL__ALIGN_SYMMETRIZE,
     DPL__SYMMETRY_GROW_DIAG_FINAL_AND},
};

const dpl_symmetry_info *dpl_symmetry_get_info(dpl_symmetry symmetry)
{
    return (size_t)symmetry < DPL_LEN(symmetrizations) ? &symmetrizations[symmetry].info : NULL;
}

/* ---- a row -------------------------------------------------------------------------- */

static dpl_str text_of(const dpl_alignment *a, int side, size_t row)
{
    assert(row < a->rows.rows.n);
    const dpl_bitext_row *r = &a->rows.rows.data[row];
    return side == DPL__LEFT ? r->left : r->right;
}

static const dpl__span *places_of(const dpl_alignment *a, int side, size_t row)
{
    assert(row < a->corpus.n_rows);
    return dpl__encoder_spans(a->encoder, side) + a->corpus.side[side].begin[row];
}

static bool add_words(dpl_alignment *a, int side, size_t row)
{
    dpl_str text = text_of(a, side, row);
    const dpl__span *places = places_of(a, side, row);
    for (size_t i = 0; i < dpl__encoded_length(&a->corpus, side, row); i++) {
        dpl_str word = {text.data + places[i].begin, places[i].end - places[i].begin};
        if (!dpl__vec_push(a->ctx, &a->words[side], word))
            return false;
    }
    return true;
}

/* Words are separated by blanks; no token spans several of them. */
static bool add_pieces(dpl_alignment *a, int side, size_t row)
{
    dpl_str text = text_of(a, side, row);
    const dpl__span *places = places_of(a, side, row);
    size_t n = dpl__encoded_length(&a->corpus, side, row), token = 0;
    a->piece_of[side].n = 0;
    for (size_t at = 0, begin = 0; at <= text.n; at++) {
        if (at < text.n && text.data[at] != ' ')
            continue;
        if (at > begin) {
            for (; token < n && places[token].begin < at; token++)
                if (!dpl__vec_push(a->ctx, &a->piece_of[side], (uint32_t)a->words[side].n))
                    return false;
            if (!dpl__vec_push(a->ctx, &a->words[side],
                               ((dpl_str){text.data + begin, at - begin})))
                return false;
        }
        begin = at + 1;
    }
    return true;
}

DPL__ORDER(by_left, dpl_link, DPL__RISING(left) DPL__RISING(right))

/* Links of tokens become links of pieces, each once. */
static void join_links(dpl_alignment *a)
{
    for (size_t i = 0; i < a->links.n; i++) {
        a->links.data[i].left = a->piece_of[DPL__LEFT].data[a->links.data[i].left];
        a->links.data[i].right = a->piece_of[DPL__RIGHT].data[a->links.data[i].right];
    }
    dpl__vec_sort(&a->links, by_left);
    dpl__vec_distinct(&a->links, by_left);
}

/* Row `row` of the batch. */
static dpl_status make_row(dpl_alignment *a, size_t row, dpl_aligned_row *out, dpl_error *err)
{
    size_t begin = row ? a->ends.data[row - 1] : 0;
    bool has_room = true;
    a->links.n = 0;
    for (int side = 0; side < 2 && has_room; side++) {
        a->words[side].n = 0;
        has_room = a->has_pieces ? add_pieces(a, side, row) : add_words(a, side, row);
    }
    for (size_t i = begin; i < a->ends.data[row] && has_room; i++) {
        dpl_link link = {a->linked.data[i].left, a->linked.data[i].right};
        has_room = dpl__vec_push(a->ctx, &a->links, link);
    }
    DPL_TRY(dpl__need(has_room, err));
    if (a->has_pieces)
        join_links(a);
    *out = (dpl_aligned_row){.row = a->summary.n_rows++,
                             .left = a->words[DPL__LEFT].data,
                             .right = a->words[DPL__RIGHT].data,
                             .n_left = a->words[DPL__LEFT].n,
                             .n_right = a->words[DPL__RIGHT].n,
                             .links = a->links.data,
                             .n_links = a->links.n};
    a->summary.n_links += out->n_links;
    return DPL_OK;
}

/* ---- a batch ------------------------------------------------------------------------ */

static void count(dpl_alignment *a)
{
    const dpl__encoded *b = &a->corpus;
    size_t most = a->core.max_tokens;
    for (size_t row = 0; row < b->n_rows; row++)
        a->summary.n_long += dpl__encoded_length(b, DPL__LEFT, row) > most ||
                             dpl__encoded_length(b, DPL__RIGHT, row) > most;
    for (int side = 0; side < 2; side++) {
        uint64_t n = b->side[side].begin[b->n_rows];
        a->summary.n_tokens[side] += n;
        for (uint64_t k = 0; k < n; k++)
            a->summary.n_unknown[side] +=
                b->side[side].tokens[k] >= a->lexicon->model.n_words[side];
    }
}

/* The longest row that will be aligned must fit into the memory for all threads. */
static dpl_status check_rows(const dpl_alignment *a, dpl_error *err)
{
    size_t longest = dpl__encoded_longest(&a->corpus, a->core.max_tokens);
    uint64_t needed = dpl__hmm_row_bytes(longest) * dpl_ctx_threads(a->ctx);
    if (needed > dpl_ctx_memory(a->ctx))
        return dpl__fail_code(err, DPL_E_LIMIT, "memory-training",
                              "rows of %zu words need some %llu MiB of memory", longest,
                              (unsigned long long)(needed / MIB + 1));
    return DPL_OK;
}

static dpl_status begin_encoder(dpl_alignment *a, dpl_error *err)
{
    const dpl_lexicon *l = a->lexicon;
    dpl__encoder_options o = {.lang = {l->lang[0], l->lang[1]},
                              .is_pretokenized = a->options.pretokenized && l->is_pretokenized,
                              .stem = l->is_stemmed,
                              .has_spans = true,
                              .known = {&l->words[0], &l->words[1]}};
    dpl__encoder_free(a->encoder);
    a->encoder = NULL;
    return dpl__encoder_new(&a->encoder, a->ctx, &o, err);
}

static dpl_status keep_links(void *user, size_t row, const dpl__row_link *links, size_t n,
                             dpl_error *err)
{
    (void)row;
    dpl_alignment *a = user;
    return dpl__need(dpl__vec_append(a->ctx, &a->linked, links, n) &&
                         dpl__vec_push(a->ctx, &a->ends, a->linked.n),
                     err);
}

/* Drops the rows, and the unknown words too when there are many of them. */
static dpl_status reset_encoder(dpl_alignment *a, dpl_error *err)
{
    bool is_full = !a->encoder;
    for (int side = 0; side < 2; side++)
        is_full |=
            a->corpus.side[side].n_words > a->lexicon->model.n_words[side] &&
            a->corpus.side[side].n_words - a->lexicon->model.n_words[side] > MOST_UNKNOWN;
    if (is_full)
        return begin_encoder(a, err);
    dpl__encoder_reset(a->encoder);
    return DPL_OK;
}

/* DPL_END when there are no more rows. */
static dpl_status next_batch(dpl_alignment *a, dpl_error *err)
{
    dpl_progress progress = {"align", "bytes", dpl_bitext_get_counts(a->reader)->n_file_bytes,
                             0};
    a->row = a->linked.n = a->ends.n = 0;
    DPL_TRY(dpl__progress(a->ctx, &progress, err));
    DPL_TRY(dpl__row_batch_read(&a->rows, a->reader, err));
    DPL_TRY(reset_encoder(a, err));
    DPL_TRY(dpl__encoder_add(a->encoder, a->rows.rows.data, a->rows.rows.n, err));
    DPL_TRY(dpl__encoder_rows(&a->corpus, a->encoder, err));
    count(a);
    DPL_TRY(check_rows(a, err));
    dpl__row_links_sink to = {keep_links, a};
    return dpl__align_rows(a->ctx, &a->lexicon->model, &a->corpus, &a->core, &to, err);
}

/* ---- all of it ---------------------------------------------------------------------- */

static dpl_status check_options(dpl_alignment *a, dpl_error *err)
{
    const dpl_align_options *o = &a->options;
    if (!a->lexicon->has_model)
        return dpl__fail_code(err, DPL_E_USAGE, "lexicon-no-model",
                              "the lexicon has no model that could align words");
    if (!dpl_symmetry_get_info(o->symmetrize))
        return dpl__fail(err, DPL_E_USAGE, "symmetry %d is not known", (int)o->symmetrize);
    if (!(o->threshold >= 0 && o->threshold <= 1))
        return dpl__fail(err, DPL_E_USAGE, "a threshold of %g is not in 0 to 1", o->threshold);
    if (o->max_words > MOST_TOKENS)
        return dpl__fail(err, DPL_E_USAGE, "rows of %u words are over %d", o->max_words,
                         MOST_TOKENS);
    a->core = (dpl__align_rows_options){
        .threshold = o->threshold,
        .max_tokens = o->max_words ? o->max_words : (size_t)DPL__P(lexicon, align_max_tokens)};
    a->core.method = symmetrizations[o->symmetrize].method;
    a->core.symmetry = symmetrizations[o->symmetrize].how;
    a->has_pieces = o->pretokenized && !a->lexicon->is_pretokenized;
    return DPL_OK;
}

dpl_status dpl_alignment_open(dpl_alignment **out, dpl_ctx *ctx, const dpl_lexicon *lexicon,
                              dpl_bitext *rows, const dpl_align_options *options,
                              dpl_error *err)
{
    *out = NULL;
    dpl_align_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    dpl_alignment *a = dpl__calloc(ctx, 1, sizeof *a);
    DPL_TRY(dpl__need(a, err));
    *a = (dpl_alignment){.ctx = ctx,
                         .lexicon = lexicon,
                         .reader = rows,
                         .options = o,
                         .summary = DPL_INIT(dpl_align_summary),
                         .rows.ctx = ctx};
    dpl_status status = check_options(a, err);
    if (status != DPL_OK) {
        dpl_alignment_close(a);
        return status;
    }
    *out = a;
    return DPL_OK;
}

dpl_status dpl_alignment_next(dpl_alignment *a, dpl_aligned_row *row, dpl_error *err)
{
    if (a->row >= a->ends.n)
        DPL_TRY(next_batch(a, err));
    return make_row(a, a->row++, row, err);
}

void dpl_alignment_close(dpl_alignment *a)
{
    if (!a)
        return;
    dpl__encoder_free(a->encoder);
    dpl__row_batch_clear(&a->rows);
    for (int side = 0; side < 2; side++)
        dpl__vec_clear(a->ctx, &a->words[side], &a->piece_of[side]);
    dpl__vec_clear(a->ctx, &a->linked, &a->ends, &a->links);
    dpl__free(a->ctx, a);
}

/* ---- files -------------------------------------------------------------------------- */

static bool has_lang(const char *given, const char *own)
{
    return !given || !*own ||
           strcmp(dpl_lang_canonical(dpl__cstr(given)).code,
                  dpl_lang_canonical(dpl__cstr(own)).code) == 0;
}

/* The model splits and aligns words of its own languages; others are a mistake. */
static dpl_status check_langs(const dpl_bitext_options *read, const dpl_lexicon *l,
                              dpl_error *err)
{
    if (has_lang(read->left_lang, l->lang[0]) && has_lang(read->right_lang, l->lang[1]))
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "align-languages",
                          "the text is in '%s' and '%s', the lexicon in '%s' and '%s'",
                          read->left_lang ? read->left_lang : l->lang[0],
                          read->right_lang ? read->right_lang : l->lang[1], l->lang[0],
                          l->lang[1]);
}

/* The reader of the files, in the lexicon's languages where none are given. */
static dpl_status open_files(dpl_bitext **out, const dpl_alignment *a,
                             const dpl_align_input *in, dpl_error *err)
{
    dpl_bitext_options read;
    DPL_TRY(DPL__TAKE(&read, a->options.read, err));
    DPL_TRY(check_langs(&read, a->lexicon, err));
    for (int side = 0; side < 2; side++) {
        const char **lang = side ? &read.right_lang : &read.left_lang;
        if (!*lang && a->lexicon->lang[side][0])
            *lang = a->lexicon->lang[side];
    }
    return dpl_bitext_open(out, a->ctx, in->paths, in->n_paths, &read, err);
}

static dpl_status deliver_all(dpl_alignment *a, const dpl_align_input *in, dpl_error *err)
{
    dpl_aligned_row row;
    dpl_status status;
    while ((status = dpl_alignment_next(a, &row, err)) == DPL_OK)
        DPL_TRY(in->take(in->user, &row, err));
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl_lexicon_align(dpl_align_summary *summary, dpl_ctx *ctx,
                             const dpl_align_input *input, const dpl_align_options *options,
                             dpl_error *err)
{
    dpl_alignment *a = NULL;
    dpl_align_input in;
    double begin = dpl__now();
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    if (summary)
        DPL_TRY(DPL__CHECK_OUT(summary->read, err));
    DPL_TRY(DPL__TAKE(&in, input, err));
    if (!in.lexicon || !in.take)
        return dpl__fail(err, DPL_E_USAGE,
                         "nothing to align with, or nothing to take the rows");
    DPL_TRY(dpl_alignment_open(&a, ctx, in.lexicon, NULL, options, err));
    dpl_status status;
    DPL__STEP(open_files(&a->reader, a, &in, err));
    DPL__STEP(deliver_all(a, &in, err));
    if (summary) {
        a->summary.seconds = dpl__now() - begin;
        a->summary.read = summary->read;
        DPL__GIVE(summary->read, dpl_bitext_get_counts(a->reader));
        DPL__GIVE(summary, &a->summary);
    }
done:
    dpl_bitext_close(a->reader);
    dpl_alignment_close(a);
    return status;
}
