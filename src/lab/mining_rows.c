/*
 * mining_rows.c - sentence pairs to train translators on: from a file, from the lines of gold
 * documents, aligned in documents that were found, from mining.
 */
#include "lab/mining.h"

#include "doppel/file.h"
#include "io/text_output.h"

/* ---- lists -------------------------------------------------------------------------- */

void dpl__mining_rows_init(dpl__mining_rows *r, dpl_ctx *ctx)
{
    *r = (dpl__mining_rows){.ctx = ctx};
    dpl__arena_init(&r->text, ctx);
}

void dpl__mining_rows_clear(dpl__mining_rows *r)
{
    if (!r->ctx)
        return;
    dpl__vec_clear(r->ctx, &r->rows);
    dpl__arena_clear(&r->text);
}

/* A copy in one line; data is NULL when there is no memory. */
static dpl_str copy_line(dpl__arena *arena, dpl_str text)
{
    char *copy = dpl__arena_alloc(arena, text.n);
    for (size_t i = 0; copy && i < text.n; i++)
        copy[i] = (unsigned char)text.data[i] < 32 ? ' ' : text.data[i];
    return (dpl_str){copy, text.n};
}

dpl_status dpl__mining_rows_add(dpl__mining_rows *r, dpl_str left, dpl_str right,
                                dpl_error *err)
{
    const dpl_bitext_row row = {copy_line(&r->text, left), copy_line(&r->text, right)};
    DPL_TRY(dpl__need(row.left.data && row.right.data && dpl__vec_push(r->ctx, &r->rows, row),
                      err));
    return DPL_OK;
}

void dpl__mining_rows_thin(dpl__mining_rows *r, size_t n)
{
    const size_t all = r->rows.n;
    if (n >= all)
        return;
    for (size_t i = 0; i < n; i++)
        r->rows.data[i] = r->rows.data[(uint64_t)all * i / n];
    r->rows.n = n;
}

uint64_t dpl__mining_rows_words(const dpl__mining_rows *r, unsigned side)
{
    uint64_t n = 0;
    for (size_t i = 0; i < r->rows.n; i++) {
        const dpl_str text = side ? r->rows.data[i].right : r->rows.data[i].left;
        bool is_word = false;
        for (size_t k = 0; k < text.n; k++) {
            n += text.data[k] != ' ' && !is_word;
            is_word = text.data[k] != ' ';
        }
    }
    return n;
}

/* ---- files -------------------------------------------------------------------------- */

dpl_status dpl__mining_rows_read(dpl__mining_rows *r, dpl__lab *lab, const char *path,
                                 size_t most, dpl_error *err)
{
    const char *langs[2];
    DPL_TRY(dpl__lab_lang(&langs[0], lab, 0, err));
    DPL_TRY(dpl__lab_lang(&langs[1], lab, 1, err));
    const dpl_bitext_options o =
        DPL_INIT(dpl_bitext_options, .left_lang = langs[0], .right_lang = langs[1]);
    dpl_bitext *bitext = NULL;
    dpl_bitext_row row;
    dpl_status status = dpl_bitext_open(&bitext, lab->ctx, &path, 1, &o, err);
    while (status == DPL_OK && (status = dpl_bitext_next(bitext, &row, err)) == DPL_OK)
        if (row.left.n && row.right.n)
            status = dpl__mining_rows_add(r, row.left, row.right, err);
    dpl_bitext_close(bitext);
    dpl__mining_rows_thin(r, most);
    return status == DPL_END ? DPL_OK : status;
}

dpl_status dpl__mining_rows_write(dpl__lab *lab, const char *path,
                                  const dpl__mining_rows *const *lists, size_t n_lists,
                                  dpl_error *err)
{
    dpl_output *out = NULL;
    DPL_TRY(dpl_output_new(&out, lab->ctx, path, err));
    for (size_t k = 0; k < n_lists; k++)
        for (size_t i = 0; i < lists[k]->rows.n; i++) {
            const dpl_bitext_row *row = &lists[k]->rows.data[i];
            dpl_output_write(out, row->left.data, row->left.n);
            dpl_output_write(out, "\t", 1);
            dpl_output_write(out, row->right.data, row->right.n);
            dpl_output_write(out, "\n", 1);
        }
    return dpl__output_end(out, DPL_OK, err);
}

/* ---- gold --------------------------------------------------------------------------- */

/* The next line that is not empty; false at the end. */
static bool next_line(dpl_str *rest, dpl_str *line)
{
    while (rest->n) {
        const char *end = memchr(rest->data, '\n', rest->n);
        *line = (dpl_str){rest->data, end ? (size_t)(end - rest->data) : rest->n};
        rest->data += line->n + (end != NULL);
        rest->n -= line->n + (end != NULL);
        if (line->n)
            return true;
    }
    return false;
}

static size_t count_lines(dpl_str text)
{
    size_t n = 0;
    for (dpl_str line; next_line(&text, &line);)
        n++;
    return n;
}

dpl_status dpl__mining_rows_gold(dpl__mining_rows *r, dpl__lab *lab, dpl_error *err)
{
    const dpl_collection *c[2];
    const dpl_doc_pair *gold;
    size_t n;
    DPL_TRY(dpl__lab_collection(&c[0], lab, 0, err));
    DPL_TRY(dpl__lab_collection(&c[1], lab, 1, err));
    DPL_TRY(dpl__lab_gold(&gold, &n, lab, err));
    for (size_t i = 0; i < n; i++) {
        dpl_str left = dpl_collection_doc(c[0], gold[i].left).text,
                right = dpl_collection_doc(c[1], gold[i].right).text, lines[2];
        if (count_lines(left) != count_lines(right))
            continue;
        while (next_line(&left, &lines[0]) && next_line(&right, &lines[1]))
            DPL_TRY(dpl__mining_rows_add(r, lines[0], lines[1], err));
    }
    return DPL_OK;
}

/* ---- sentences of documents that were found ----------------------------------------- */

typedef struct alignment {
    dpl__mining_rows *rows;
    const dpl_collection *c[2];
} alignment;

static dpl_status take_beads(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    const alignment *a = user;
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *b = &docs->beads[i];
        if (b->verdict == DPL_VERDICT_KEPT)
            DPL_TRY(dpl__mining_rows_add(
                a->rows, dpl_sentences_text(a->c[0], docs->docs.left, b->left, b->n_left),
                dpl_sentences_text(a->c[1], docs->docs.right, b->right, b->n_right), err));
    }
    return DPL_OK;
}

/* Numbers of a translated document and its original differ where some are missing. */
static dpl_status align(alignment *a, dpl__lab *lab, const dpl__mining_found *found,
                        const dpl_lexicon *lexicon, dpl_error *err)
{
    DPL_VEC(dpl_doc_pair) pairs = {0};
    DPL_TRY(dpl__need(dpl__vec_reserve(lab->ctx, &pairs, found->pairs.n), err));
    for (size_t i = 0; i < found->pairs.n; i++) {
        const dpl_pair *p = &found->pairs.data[i];
        dpl_doc_pair *pair = &pairs.data[pairs.n];
        pair->right = p->right;
        pairs.n += dpl_collection_find_doc(
            a->c[0], dpl_collection_doc(found->sides->c[0], p->left).id, &pair->left);
    }
    const dpl_sentences_input in =
        DPL_INIT(dpl_sentences_input, .left = a->c[0], .right = a->c[1], .pairs = pairs.data,
                 .n_pairs = pairs.n, .lexicon = lexicon);
    const dpl_sentences_options o = DPL_INIT(dpl_sentences_options, .temp = lab->scratch,
                                             .paper_filter = lab->set->as_paper);
    dpl_status status = DPL_OK;
    if (pairs.n)
        status = dpl_sentences_align(NULL, lab->ctx, &in, &o, take_beads, a, err);
    dpl__vec_clear(lab->ctx, &pairs);
    return status;
}

dpl_status dpl__mining_rows_align(dpl__mining_rows *r, dpl__lab *lab,
                                  const dpl__mining_found *found, const dpl_lexicon *lexicon,
                                  dpl_error *err)
{
    dpl_collection *left = NULL;
    DPL_TRY(dpl__mining_words(&left, lab, 0, err));
    alignment a = {r, {left, found->sides->c[1]}};
    const dpl_status status = align(&a, lab, found, lexicon, err);
    dpl_collection_close(left);
    return status;
}

dpl_status dpl__mining_rows_mined(dpl__mining_rows *r, dpl__lab *lab, dpl_error *err)
{
    const dpl_mine_result *mined;
    dpl_mine_sentences *sentences = NULL;
    dpl_sentence_pair pair;
    DPL_TRY(dpl__lab_mined(&mined, lab, err));
    if (dpl_mine_get_summary(mined)->runs[0]->is_empty)
        return DPL_OK;
    dpl_status status = dpl_mine_sentences_open(&sentences, mined, 0, err);
    while (status == DPL_OK &&
           (status = dpl_mine_sentences_next(sentences, &pair, err)) == DPL_OK)
        status = dpl__mining_rows_add(r, pair.left, pair.right, err);
    dpl_mine_sentences_close(sentences);
    return status == DPL_END ? DPL_OK : status;
}
