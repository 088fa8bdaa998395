/*
 * lexicon.c - getters of a lexicon.
 */
#include "lexicon/lexicon.h"

#include "io/parts.h"

void dpl_lexicon_close(dpl_lexicon *l)
{
    if (!l)
        return;
    if (!l->file) {
        dpl__table_clear(&l->table[DPL__LEFT], l->ctx);
        dpl__words_free(&l->words[DPL__LEFT], l->ctx);
        dpl__words_free(&l->words[DPL__RIGHT], l->ctx);
    }
    if (l->path)
        dpl__free(l->ctx, l->path);
    dpl_file_close(l->file);
    dpl__free(l->ctx, l);
}

const char *dpl__lexicon_path(const dpl_lexicon *l)
{
    return l->file ? dpl_file_get_info(l->file).path : l->path;
}

const dpl_lexicon_sizes *dpl_lexicon_get_sizes(const dpl_lexicon *l)
{
    return &l->sizes;
}

dpl_lexicon_info dpl_lexicon_get_info(const dpl_lexicon *l)
{
    return (dpl_lexicon_info){l->lang[DPL__LEFT], l->lang[DPL__RIGHT], l->settings,
                              l->is_stemmed};
}

dpl_str dpl_lexicon_source(const dpl_lexicon *l, uint32_t source)
{
    return dpl__string(&l->words[DPL__LEFT], source);
}

dpl_str dpl_lexicon_target(const dpl_lexicon *l, uint32_t target)
{
    return dpl__string(&l->words[DPL__RIGHT], target);
}

bool dpl_lexicon_find_source(const dpl_lexicon *l, dpl_str word, uint32_t *out)
{
    return dpl__find_string(&l->words[DPL__LEFT], NULL, word, out);
}

bool dpl_lexicon_find_target(const dpl_lexicon *l, dpl_str word, uint32_t *out)
{
    return dpl__find_string(&l->words[DPL__RIGHT], NULL, word, out);
}

uint64_t dpl_lexicon_count(const dpl_lexicon *l, bool is_target, uint32_t word)
{
    const int side = is_target ? DPL__RIGHT : DPL__LEFT;
    assert(word < l->words[side].n);
    return l->counts[side] ? l->counts[side][word] : 0;
}

dpl_str dpl_lexicon_written(const dpl_lexicon *l, bool is_target, uint32_t word)
{
    const int side = is_target ? DPL__RIGHT : DPL__LEFT;
    assert(word < l->words[side].n);
    return dpl__string(l->written[side].n ? &l->written[side] : &l->words[side], word);
}

static const uint32_t *row_of(const dpl__table *t, uint32_t row, const float **probabilities,
                              size_t *n)
{
    assert(row < t->n_rows);
    uint64_t at = t->offsets[row];
    *n = (size_t)(t->offsets[row + 1] - at);
    *probabilities = t->p + at;
    return t->cols + at;
}

const uint32_t *dpl_lexicon_row(const dpl_lexicon *l, uint32_t source,
                                const float **probabilities, size_t *n)
{
    return row_of(&l->table[DPL__LEFT], source, probabilities, n);
}

const uint32_t *dpl_lexicon_back_row(const dpl_lexicon *l, uint32_t target,
                                     const float **probabilities, size_t *n)
{
    assert(target < l->words[DPL__RIGHT].n);
    *probabilities = NULL;
    *n = 0;
    return l->table[DPL__RIGHT].offsets
               ? row_of(&l->table[DPL__RIGHT], target, probabilities, n)
               : NULL;
}

/* ---- entries ------------------------------------------------------------------------ */

dpl_lexicon_entries dpl_lexicon_entries_begin(const dpl_lexicon *l, bool is_back)
{
    return (dpl_lexicon_entries){.lexicon = l, .is_back = is_back};
}

bool dpl_lexicon_entries_next(dpl_lexicon_entries *it, dpl_lexicon_entry *out)
{
    const dpl_lexicon *l = it->lexicon;
    const dpl__table *t = &l->table[it->is_back ? DPL__RIGHT : DPL__LEFT];
    if (!t->offsets || it->at >= t->n)
        return false;
    while (it->at >= t->offsets[it->row + 1])
        it->row++;
    uint32_t col = t->cols[it->at];
    out->source = dpl_lexicon_source(l, it->is_back ? col : it->row);
    out->target = dpl_lexicon_target(l, it->is_back ? it->row : col);
    out->p = t->p[it->at++];
    return true;
}

uint64_t dpl__lexicon_content(const dpl_lexicon *lexicon)
{
    uint64_t all = 0;
    const uint32_t n = dpl_lexicon_get_sizes(lexicon)->n_sources;
    for (uint32_t source = 0; source < n; source++) {
        const float *p;
        size_t n_row;
        const uint32_t *row = dpl_lexicon_row(lexicon, source, &p, &n_row);
        const dpl_str word = dpl_lexicon_source(lexicon, source);
        uint64_t hash = dpl__hash(word.data, word.n, n_row);
        for (size_t i = 0; i < n_row; i++) {
            const dpl_str target = dpl_lexicon_target(lexicon, row[i]);
            hash = dpl__hash(target.data, target.n, hash) ^ dpl__hash(&p[i], sizeof p[i], i);
        }
        all = dpl__fingerprint_number(all, hash);
    }
    return all;
}

uint64_t dpl__lexicon_fingerprint(uint64_t so_far, const dpl_lexicon *l)
{
    return l->file ? dpl__fingerprint_file(so_far, l->file)
                   : dpl__fingerprint_number(so_far, dpl__lexicon_content(l));
}
