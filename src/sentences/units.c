/*
 * units.c - sentences of a collection, joined by paragraph where these are the units.
 */
#include "sentences/units.h"

#include "unicode/unicode.h"

dpl_str dpl_sentences_text(const dpl_collection *c, uint32_t doc, uint32_t first, uint32_t n)
{
    if (!n)
        return (dpl_str){0};
    dpl_str begin = dpl_collection_sentence_text(c, doc, first);
    dpl_str end = dpl_collection_sentence_text(c, doc, (size_t)first + n - 1);
    return (dpl_str){begin.data, (size_t)(end.data + end.n - begin.data)};
}

dpl_str dpl_sentences_heading(const dpl_collection *c, uint32_t doc, uint32_t sentence)
{
    uint32_t n = 1;
    while (sentence > 0 && !dpl_collection_sentence(c, doc, sentence).is_section_start)
        sentence--;
    if (!dpl_collection_sentence(c, doc, sentence).is_section_start)
        return (dpl_str){0};
    while (sentence + n < dpl_collection_n_sentences(c, doc) &&
           !dpl_collection_sentence(c, doc, sentence + n).is_paragraph_start)
        n++;
    return dpl_sentences_text(c, doc, sentence, n);
}

void dpl__units_clear(dpl__units *u, dpl_ctx *ctx)
{
    dpl__vec_clear(ctx, &u->first, &u->begin, &u->chars, &u->is_section, &u->signs, &u->tokens);
    dpl__line_labels_clear(&u->labels, ctx);
}

/* The document's tokens without those of labels; begin[] moves along. */
static bool drop_label_tokens(dpl__units *u, dpl_ctx *ctx, const uint32_t *tokens)
{
    uint32_t end = u->begin.data[u->begin.n], from, n_dropped = 0;
    u->tokens.n = 0;
    if (!dpl__vec_reserve(ctx, &u->tokens, end + 1))
        return false;
    for (size_t i = 0; i < u->begin.n; i++) {
        from = u->begin.data[i] + u->labels.all.data[u->first.data[i]].n_tokens;
        size_t n = u->begin.data[i + 1] - from;
        n_dropped += from - u->begin.data[i];
        memcpy(u->tokens.data + u->tokens.n, tokens + from, n * sizeof *tokens);
        u->begin.data[i] = (uint32_t)u->tokens.n;
        u->tokens.n += n;
    }
    u->begin.data[u->begin.n] = end - n_dropped;
    return true;
}

dpl_status dpl__units_load(dpl__units *u, dpl_ctx *ctx, const dpl_collection *c, uint32_t doc,
                           bool is_one_per_line, dpl_error *err)
{
    size_t n = dpl_collection_n_sentences(c, doc), n_tokens;
    const uint32_t *tokens = dpl_collection_tokens(c, doc, &n_tokens);
    u->first.n = u->begin.n = u->chars.n = u->is_section.n = u->signs.n = 0;
    bool has_sections = false;
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, &u->first, n + 1) &&
                          dpl__vec_reserve(ctx, &u->begin, n + 1) &&
                          dpl__vec_reserve(ctx, &u->chars, n + 1) &&
                          dpl__vec_reserve(ctx, &u->is_section, n + 1) &&
                          dpl__vec_reserve(ctx, &u->signs, n + 1),
                      err));
    for (size_t i = 0; i < n; i++) {
        dpl_sentence s = dpl_collection_sentence(c, doc, i);
        dpl_str text = dpl_collection_sentence_text(c, doc, i);
        if (u->labels.all.n) {
            uint32_t n_label = u->labels.all.data[i].n_bytes;
            text = (dpl_str){text.data + n_label, text.n - n_label};
        }
        uint32_t chars = (uint32_t)dpl__utf8_length(text);
        if (is_one_per_line && i > 0 && !s.is_paragraph_start) {
            u->chars.data[u->chars.n - 1] += chars + 1;
            dpl__signs_add(&u->signs.data[u->signs.n - 1], text);
            continue;
        }
        u->signs.data[u->signs.n] = (dpl__signs){{0}};
        dpl__signs_add(&u->signs.data[u->signs.n++], text);
        u->first.data[u->first.n++] = (uint32_t)i;
        u->begin.data[u->begin.n++] = s.token;
        u->chars.data[u->chars.n++] = chars;
        u->is_section.data[u->is_section.n++] = s.is_section_start;
        has_sections |= s.is_section_start;
    }
    u->first.data[u->first.n] = (uint32_t)n;
    u->begin.data[u->begin.n] = (uint32_t)n_tokens;
    if (u->labels.all.n) {
        DPL_TRY(dpl__need(drop_label_tokens(u, ctx, tokens), err));
        tokens = u->tokens.data;
    }
    u->doc = (dpl__bead_doc){tokens,
                             u->begin.data,
                             u->chars.data,
                             (uint32_t)u->chars.n,
                             has_sections ? u->is_section.data : NULL,
                             u->signs.data};
    return DPL_OK;
}
