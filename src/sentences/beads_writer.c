/*
 * beads_writer.c - beads go to files, in the format asked for.
 *
 * The formats are rows of the table in beads_formats.c; here is what they share: which beads
 * they get, the numbers of sentences or lines, and files that are complete or not there. Cost:
 * one pass over the text, nothing is copied but into the file's buffer.
 */
#include "sentences/beads_writer.h"

#include "base/hash.h"
#include "base/sized.h"
#include "sentences/sentences_params.h"

#include <stdio.h>

/* ---- open and close ----------------------------------------------------------------- */

static dpl_status check_options(const dpl_beads_options *o, dpl_error *err)
{
    const dpl_beads_format_info *f = dpl_beads_format_info_of(o->to);
    if (!f)
        return dpl__fail(err, DPL_E_USAGE, "no such format of beads");
    if (o->all && !f->has_verdicts)
        return dpl__fail(err, DPL_E_USAGE, "the format %s has no place for verdicts", f->name);
    if (o->with_langs && !f->has_verdicts)
        return dpl__fail(err, DPL_E_USAGE, "the format %s has no columns for languages",
                         f->name);
    if (o->folder && (!f->is_per_pair || o->put))
        return dpl__fail(err, DPL_E_USAGE, "the format %s does not make a folder", f->name);
    if (!f->has_two_files)
        return DPL_OK;
    for (int i = 0; i < 2; i++)
        if (!o->langs[i] || !*o->langs[i] || strchr(o->langs[i], '/'))
            return dpl__fail_code(err, DPL_E_USAGE, "no-file-language",
                                  "no language for the %s file", i ? "right" : "left");
    if (strcmp(o->langs[0], o->langs[1]) == 0)
        return dpl__fail_code(err, DPL_E_USAGE, "no-file-language",
                              "both files would end in '.%s'", o->langs[0]);
    return DPL_OK;
}

/* "PATH.LANG" */
static dpl_status open_side(dpl_beads_writer *w, const char *path, int side, dpl_error *err)
{
    size_t n_path = strlen(path), n = n_path + strlen(w->lang[side]) + 2;
    char *name = dpl__alloc(w->ctx, n);
    DPL_TRY(dpl__need(name, err));
    snprintf(name, n, "%s.%s", path, w->lang[side]);
    dpl_status status = dpl_output_new(&w->files[side], w->ctx, name, err);
    dpl__free(w->ctx, name);
    return status;
}

static dpl_status open_files(dpl_beads_writer *w, const char *path, dpl_error *err)
{
    if (w->options.put)
        return DPL_OK;
    if (w->options.folder)
        return dpl__beads_folder_open(w, path, err);
    if (!w->format->info.has_two_files)
        return dpl_output_new(&w->files[0], w->ctx, path, err);
    DPL_TRY(open_side(w, path, 0, err));
    return open_side(w, path, 1, err);
}

dpl_status dpl_beads_open(dpl_beads_writer **out, dpl_ctx *ctx, const char *path,
                          const dpl_collection *left, const dpl_collection *right,
                          const dpl_beads_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_beads_options o;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(check_options(&o, err));
    assert(path || o.put);
    dpl_beads_writer *w = dpl__calloc(ctx, 1, sizeof *w);
    DPL_TRY(dpl__need(w, err));
    *w = (dpl_beads_writer){
        .ctx = ctx, .c = {left, right}, .options = o, .format = dpl__beads_format_of(o.to)};
    if (o.threshold == 0 && w->format->info.is_corpus)
        w->options.threshold = DPL__P(sentences, corpus_score);
    for (int i = 0; i < 2; i++)
        snprintf(w->lang[i], sizeof w->lang[i], "%s", o.langs[i] ? o.langs[i] : "");
    dpl_status status = open_files(w, path, err);
    if (status == DPL_OK)
        *out = w;
    else
        dpl_beads_close(w);
    return status;
}

void dpl__beads_turn_to(dpl_beads_writer *w, const dpl_collection *left,
                        const dpl_collection *right, const char *left_lang,
                        const char *right_lang)
{
    w->c[0] = left;
    w->c[1] = right;
    snprintf(w->lang[0], sizeof w->lang[0], "%s", left_lang);
    snprintf(w->lang[1], sizeof w->lang[1], "%s", right_lang);
}

void dpl_beads_close(dpl_beads_writer *w)
{
    if (!w)
        return;
    for (int i = 0; i < 2; i++) {
        dpl_output_free(w->files[i]);
        dpl__vec_clear(w->ctx, &w->numbers[i]);
    }
    dpl__pair_set_clear(&w->seen, w->ctx);
    if (w->folder)
        dpl__free(w->ctx, w->folder);
    dpl__free(w->ctx, w);
}

static void begin(dpl_beads_writer *w, dpl_str lang)
{
    const dpl__beads_format *f = w->format;
    if (!w->is_begun && f->begin && !w->folder)
        f->begin(w, lang);
    w->is_begun = true;
}

dpl_status dpl_beads_finish(uint64_t *n_rows, dpl_beads_writer *w, dpl_error *err)
{
    const dpl__beads_format *f = w->format;
    begin(w, (dpl_str){0});
    if (f->end && !w->folder)
        f->end(w);
    for (int i = 0; i < 2; i++)
        if (w->files[i])
            DPL_TRY(dpl_output_finish(w->files[i], err));
    if (n_rows)
        *n_rows = w->n_rows;
    return DPL_OK;
}

/* ---- a document pair ---------------------------------------------------------------- */

/* The line that each unit begins in, and how many lines there are. */
static void number_lines(uint32_t *numbers, const dpl_collection *c, uint32_t doc,
                         const uint32_t *units, uint32_t n_units)
{
    dpl_str text = dpl_collection_doc(c, doc).text;
    uint32_t line = 0;
    const char *at = text.data, *end = text.data + text.n;
    for (uint32_t i = 0; i <= n_units; i++) {
        const char *to = i < n_units ? dpl_sentences_text(c, doc, units[i], 1).data : end;
        for (const char *lf; at < to && (lf = memchr(at, '\n', (size_t)(to - at))); at = lf + 1)
            line++;
        numbers[i] = line;
    }
    if (text.n && end[-1] != '\n')
        numbers[n_units]++;
}

static dpl_status number_units(dpl_beads_writer *w, const dpl_aligned_docs *docs, int side,
                               dpl_error *err)
{
    size_t n = (size_t)docs->n_units[side] + 1;
    w->numbers[side].n = 0;
    DPL_TRY(dpl__need(dpl__vec_reserve(w->ctx, &w->numbers[side], n), err));
    w->numbers[side].n = n;
    if (w->options.one_per_line)
        number_lines(w->numbers[side].data, w->c[side],
                     side ? docs->docs.right : docs->docs.left, docs->units[side],
                     docs->n_units[side]);
    else
        for (size_t i = 0; i < n; i++)
            w->numbers[side].data[i] = (uint32_t)i;
    return DPL_OK;
}

static dpl_str text_of(const dpl_collection *c, uint32_t doc, const uint32_t *units,
                       uint32_t first, uint32_t n)
{
    return n ? dpl_sentences_text(c, doc, units[first], units[first + n] - units[first])
             : (dpl_str){0};
}

/* ---- what a corpus leaves out --------------------------------------------------------- */

/* The last example of a document pair that has another one; n: none. */
static size_t spare(const dpl__bead_examples *e)
{
    for (size_t i = e->n; i-- > 1;)
        for (size_t k = 0; k < i; k++)
            if (e->at[k].pair == e->at[i].pair)
                return i;
    return e->n;
}

bool dpl__bead_examples_wants(const dpl__bead_examples *e, size_t pair)
{
    if (e->n < DPL__EXAMPLES)
        return true;
    for (size_t i = 0; i < e->n; i++)
        if (e->at[i].pair == pair)
            return false;
    return spare(e) < e->n;
}

void dpl__bead_examples_add(dpl__bead_examples *e, const dpl__bead_example *example)
{
    assert(dpl__bead_examples_wants(e, example->pair));
    if (e->n < DPL__EXAMPLES)
        e->at[e->n++] = *example;
    else
        e->at[spare(e)] = *example;
}

static void leave_out(uint64_t *n, dpl__bead_examples *e, const dpl__bead_row *row, size_t pair)
{
    const dpl__bead_example example = {
        pair, {row->id[0], row->id[1]}, {row->text[0], row->text[1]}};
    ++*n;
    if (dpl__bead_examples_wants(e, pair))
        dpl__bead_examples_add(e, &example);
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Where the number ends that begins at i: digits, with single marks between them ("14.175",
 * "1/2", "10:30"). */
static size_t number_end(dpl_str s, size_t i)
{
    while (i < s.n && (is_digit(s.data[i]) ||
                       (strchr(".,:/'-", s.data[i]) && i + 1 < s.n && is_digit(s.data[i + 1]))))
        i++;
    return i;
}

/* Hash of the text with every number as "0". */
static uint64_t hash_but_numbers(dpl_str s, uint64_t hash)
{
    size_t from = 0;
    for (size_t i = 0; i < s.n; i++) {
        if (!is_digit(s.data[i]))
            continue;
        hash = dpl__hash(s.data + from, i - from, hash);
        hash = dpl__hash("0", 1, hash);
        from = i = number_end(s, i);
    }
    return dpl__hash(s.data + from, s.n - from, hash);
}

/* Whether no sentence pair before was the same but for numbers: "Figure 14.175." is one of many
 * that teach nothing. It is remembered by a hash of 64 bits. */
static dpl_status is_new(bool *out, dpl_beads_writer *w, const dpl__bead_row *row,
                         dpl_error *err)
{
    uint64_t key = hash_but_numbers(row->text[1], hash_but_numbers(row->text[0], 1));
    key += key == 0;
    DPL_TRY(dpl__need(dpl__pair_set_reserve(&w->seen, w->ctx, 1), err));
    dpl__pair_hash *slot = dpl__pair_set_find(&w->seen, key, key);
    *out = !slot->key;
    w->seen.n_used += *out;
    slot->key = key;
    return DPL_OK;
}

static dpl_status write_rows(dpl_beads_writer *w, const dpl_aligned_docs *docs, dpl_error *err)
{
    const dpl__beads_format *f = w->format;
    const uint32_t doc[2] = {docs->docs.left, docs->docs.right};
    dpl__bead_row row;
    for (int i = 0; i < 2; i++) {
        dpl_doc d = dpl_collection_doc(w->c[i], doc[i]);
        row.id[i] = d.id;
        row.lang[i] = *w->lang[i] ? dpl__cstr(w->lang[i]) : d.lang;
    }
    for (size_t i = 0; i < docs->n_beads; i++) {
        const dpl_bead *b = row.bead = &docs->beads[i];
        const bool is_low = (double)b->score < w->options.threshold;
        if (b->verdict != DPL_VERDICT_KEPT && !w->options.all)
            continue;
        row.text[0] = text_of(w->c[0], doc[0], docs->units[0], b->left, b->n_left);
        row.text[1] = text_of(w->c[1], doc[1], docs->units[1], b->right, b->n_right);
        bool is_wanted = true;
        if (is_low && !w->options.all) {
            leave_out(&w->n_low, &w->low, &row, docs->pair);
            continue;
        }
        if (f->info.is_corpus && !w->options.keep_repeats)
            DPL_TRY(is_new(&is_wanted, w, &row, err));
        if (!is_wanted) {
            leave_out(&w->n_same, &w->same, &row, docs->pair);
            continue;
        }
        begin(w, row.lang[0]);
        f->row(w, &row);
        w->n_rows++;
    }
    return DPL_OK;
}

dpl_status dpl_beads_write(void *writer, const dpl_aligned_docs *docs, dpl_error *err)
{
    dpl_beads_writer *w = writer;
    const dpl__beads_format *f = w->format;
    if (w->folder)
        return dpl__beads_folder_write(w, docs, err);
    if (f->docs && w->n_pairs > 0)
        return dpl__fail(err, DPL_E_USAGE, "a file of the format %s holds one document pair",
                         f->info.name);
    w->n_pairs++;
    if (f->has_numbers) {
        DPL_TRY(number_units(w, docs, 0, err));
        DPL_TRY(number_units(w, docs, 1, err));
    }
    if (f->docs)
        return f->docs(w, docs, err);
    return write_rows(w, docs, err);
}
