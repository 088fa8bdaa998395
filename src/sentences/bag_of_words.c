/*
 * bag_of_words.c - numbers the words of a document pair that have links, and packs its
 * sentences.
 *
 * Cost: linear in the tokens and in the links of the left document's words.
 */
#include "sentences/bag_of_words.h"

#include "base/maths.h"
#include "sentences/sentences_params.h"

/* Number of terms that occur in the document but have no link. */
#define UNLINKED UINT32_MAX

dpl_status dpl__bow_init(dpl__bow *b, dpl_ctx *ctx, const dpl__bead_model *model,
                         dpl_error *err)
{
    *b = (dpl__bow){.ctx = ctx, .model = model};
    dpl__arena_init(&b->arena, ctx);
    for (int side = 0; side < 2; side++) {
        b->numbers[side] =
            dpl__calloc(ctx, (size_t)model->terms[side].n + 1, sizeof *b->numbers[side]);
        b->seen[side] =
            dpl__calloc(ctx, (size_t)model->terms[side].n + 1, sizeof *b->seen[side]);
        DPL_TRY(dpl__need(b->numbers[side] && b->seen[side], err));
    }
    return DPL_OK;
}

void dpl__bow_clear(dpl__bow *b)
{
    if (!b->ctx)
        return;
    for (int side = 0; side < 2; side++)
        dpl__free(b->ctx, b->numbers[side], b->seen[side]);
    dpl__vec_clear(b->ctx, &b->links);
    dpl__arena_clear(&b->arena);
    *b = (dpl__bow){0};
}

static bool has_words(const dpl__bead_model *m)
{
    return m->weight > 0 || m->filters_words;
}

/* ---- words -------------------------------------------------------------------------- */

/* The distinct terms of a document in the order of the text, each marked as unlinked. */
static uint32_t *find_terms(dpl__bow *b, const dpl__bead_doc *doc, int side, uint32_t *n)
{
    uint32_t n_tokens = doc->begin[doc->n], *numbers = b->numbers[side];
    uint32_t *terms = dpl__arena_alloc(&b->arena, n_tokens * sizeof *terms);
    *n = 0;
    for (uint32_t i = 0; terms && i < n_tokens; i++) {
        uint32_t term = doc->tokens[i];
        assert(term < b->model->terms[side].n);
        if (!numbers[term]) {
            numbers[term] = UNLINKED;
            terms[(*n)++] = term;
        }
    }
    return terms;
}

static bool link_word(dpl__bow *b, uint32_t term, uint32_t *n_right)
{
    const dpl__bead_model *m = b->model;
    for (uint64_t k = m->begin[term]; has_words(m) && k < m->begin[term + 1]; k++) {
        uint32_t *right = &b->numbers[DPL__RIGHT][m->links[k].right];
        if (!*right)
            continue;
        if (*right == UNLINKED)
            *right = ++*n_right;
        dpl__bow_link link = {
            *right - 1, {m->links[k].p[0], m->links[k].p[1]}, m->links[k].information};
        if (m->is_paper && dpl__bead_link_is_weak(m, term, &m->links[k]))
            link.p[0] = link.p[1] = 0; /* for the filter alone */
        if (!dpl__vec_push(b->ctx, &b->links, link))
            return false;
    }
    return true;
}

static dpl_status link_words(dpl__bow *b, const uint32_t *terms, uint32_t n, dpl_error *err)
{
    uint32_t n_words[2] = {0, 0};
    b->links.n = 0;
    b->link_begin = dpl__arena_alloc(&b->arena, ((size_t)n + 1) * sizeof *b->link_begin);
    DPL_TRY(dpl__need(b->link_begin, err));
    b->link_begin[0] = 0;
    for (uint32_t i = 0; i < n; i++) {
        size_t before = b->links.n;
        DPL_TRY(dpl__need(link_word(b, terms[i], &n_words[DPL__RIGHT]), err));
        if (b->links.n == before)
            continue;
        if (b->links.n >= UINT32_MAX)
            return dpl__fail(err, DPL_E_LIMIT, "too many links between two documents");
        b->numbers[DPL__LEFT][terms[i]] = ++n_words[DPL__LEFT];
        b->link_begin[n_words[DPL__LEFT]] = (uint32_t)b->links.n;
    }
    b->side[DPL__LEFT].n_words = n_words[DPL__LEFT];
    b->side[DPL__RIGHT].n_words = n_words[DPL__RIGHT];
    return DPL_OK;
}

/* ---- sentences ---------------------------------------------------------------------- */

static dpl_status make_room(dpl__bow *b, dpl__bow_side *s, uint32_t n_tokens, dpl_error *err)
{
    dpl__arena *a = &b->arena;
    size_t n = s->n, n_words = s->n_words;
    s->begin = dpl__arena_alloc(a, (n + 1) * sizeof *s->begin);
    s->words = dpl__arena_alloc(a, n_tokens * sizeof *s->words);
    s->counts = dpl__arena_alloc(a, n_tokens * sizeof *s->counts);
    s->gains = dpl__arena_alloc(a, n_tokens * sizeof *s->gains);
    s->word_gains = dpl__arena_alloc(a, n_words * sizeof *s->word_gains);
    s->base = dpl__arena_alloc(a, n * sizeof *s->base);
    s->expected = dpl__arena_alloc(a, n * sizeof *s->expected);
    s->n_tokens = dpl__arena_alloc(a, n * sizeof *s->n_tokens);
    s->chars = dpl__arena_alloc(a, n * sizeof *s->chars);
    return dpl__need(s->begin && s->words && s->counts && s->gains && s->word_gains &&
                         s->base && s->expected && s->n_tokens && s->chars,
                     err);
}

/* A word's last use: the sentence, from 1, and its entry. */
typedef struct use {
    uint32_t sentence, entry;
} use;

/* A product of many small factors; its logarithm. */
typedef struct product {
    double sum, factor;
} product;

static void multiply(product *p, double by)
{
    p->factor *= by;
    if (p->factor < 1e-200) {
        p->sum += dpl__log(p->factor);
        p->factor = 1;
    }
}

/* A number for the next sentence. */
static uint32_t count_sentence(dpl__bow *b)
{
    if (b->n_sentences == UINT32_MAX) {
        for (int side = 0; side < 2; side++)
            memset(b->seen[side], 0, (size_t)b->model->terms[side].n * sizeof *b->seen[side]);
        b->n_sentences = 0;
    }
    return ++b->n_sentences;
}

/* Each distinct word of a sentence is expected to have one counterpart, linked or not. */
static void pack_sentence(dpl__bow *b, const dpl__bead_doc *doc, int side, uint32_t i,
                          use *uses)
{
    dpl__bow_side *s = &b->side[side];
    const dpl__bead_terms *t = &b->model->terms[side];
    uint32_t at = s->begin[i];
    const uint32_t count = count_sentence(b);
    product base = {0, 1};
    double null_known = b->model->null_known;
    double absent = 1 - P(absent_share) * (1 - null_known);
    s->expected[i] = 0;
    for (uint32_t k = doc->begin[i]; k < doc->begin[i + 1]; k++) {
        uint32_t term = doc->tokens[k], number = b->numbers[side][term], word = number - 1;
        if (number == UNLINKED) {
            if (t->is_known[term])
                multiply(&base, absent);
            if (b->seen[side][term] != count)
                s->expected[i] += t->expected[term];
            b->seen[side][term] = count;
            continue;
        }
        if (uses[word].sentence == i + 1) {
            s->counts[uses[word].entry]++;
            continue;
        }
        float p_null = t->is_known[term] ? (float)null_known : PF(null_unknown);
        multiply(&base, p_null);
        s->expected[i] += t->expected[term];
        uses[word] = (use){i + 1, at};
        s->words[at] = word;
        s->counts[at] = 1;
        s->gains[at] = s->word_gains[word] = (1 - p_null) / (p_null * t->p[term]);
        at++;
    }
    s->begin[i + 1] = at;
    if (!has_words(b->model))
        s->expected[i] = 0;
    s->base[i] = base.sum + dpl__log(base.factor);
    if (at - s->begin[i] > s->most)
        s->most = at - s->begin[i];
}

static dpl_status pack(dpl__bow *b, const dpl__bead_doc *doc, int side, dpl_error *err)
{
    dpl__bow_side *s = &b->side[side];
    uint32_t n_tokens = doc->begin[doc->n];
    s->n = doc->n;
    s->most = 0;
    DPL_TRY(make_room(b, s, n_tokens, err));
    use *uses = dpl__arena_alloc(&b->arena, s->n_words * sizeof *uses);
    DPL_TRY(dpl__need(uses, err));
    if (s->n_words)
        memset(uses, 0, s->n_words * sizeof *uses);
    s->begin[0] = 0;
    for (uint32_t i = 0; i < s->n; i++) {
        uint32_t n = doc->begin[i + 1] - doc->begin[i];
        pack_sentence(b, doc, side, i, uses);
        s->n_tokens[i] = n ? n : 1;
        s->chars[i] = doc->chars[i] ? doc->chars[i] : 1;
    }
    return DPL_OK;
}

dpl_status dpl__bow_load(dpl__bow *b, const dpl__bead_doc docs[2], dpl_error *err)
{
    uint32_t n[2] = {0, 0}, *terms[2];
    dpl__arena_reset(&b->arena);
    for (int side = 0; side < 2; side++)
        terms[side] = find_terms(b, &docs[side], side, &n[side]);
    dpl_status status = terms[0] && terms[1] ? link_words(b, terms[DPL__LEFT], n[0], err)
                                             : dpl__fail_nomem(err);
    for (int side = 0; side < 2 && status == DPL_OK; side++)
        status = pack(b, &docs[side], side, err);
    for (int side = 0; side < 2; side++)
        for (uint32_t i = 0; i < n[side]; i++)
            b->numbers[side][terms[side][i]] = 0;
    return status;
}
