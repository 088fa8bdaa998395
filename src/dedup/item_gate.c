/*
 * item_gate.c - the gate (tokens/gate.h) that new documents go through when they are compared
 * with old ones alone: one that shares no shingle with any of them is never a hit.
 *
 * The old documents are read once more for it, so they must be few beside the new ones. With a
 * lexicon, documents in the other language of old ones pass.
 */
#include "base/ctx.h"
#include "dedup/dedup_run.h"
#include "io/shared_run.h"
#include "readers/dir.h"

bool dpl__dedup_is_by_items(const dpl_dedup_options *o)
{
    return o->only_against && o->measure != DPL_DEDUP_COSINE && o->method <= DPL_DEDUP_EXACT;
}

/* So many times the bytes of old documents must be those of new ones, and the memory. */
enum { FEW = 4, FIT = 16 };

/* ---- is it worth while? --------------------------------------------------------------- */

/* Bytes of what can be read twice; false: it cannot, or they are not known. */
static bool count_bytes(uint64_t *n, dpl_ctx *ctx, const dpl_input *in, size_t n_inputs)
{
    *n = 0;
    for (size_t i = 0; i < n_inputs; i++) {
        dpl__dir_list list;
        if (in[i].collection) {
            *n += dpl_collection_get_sizes(in[i].collection)->n_text_bytes;
        } else if (in[i].buffer.data) {
            *n += in[i].buffer.n;
        } else {
            if (!in[i].path || dpl__dir_list_open(&list, ctx, in[i].path, true, NULL) != DPL_OK)
                return false;
            *n += list.n_bytes;
            dpl__dir_list_close(&list);
        }
    }
    return true;
}

static bool is_wanted(const dpl_dedup_result *r)
{
    const dpl_input *old = r->in.data + r->n_new_inputs;
    uint64_t n_new, n_old;
    return dpl__dedup_is_by_items(&r->o) && !r->o.state && !dpl__is_shared(r->ctx) &&
           count_bytes(&n_new, r->ctx, r->in.data, r->n_new_inputs) &&
           count_bytes(&n_old, r->ctx, old, r->in.n - r->n_new_inputs) &&
           n_old <= n_new / FEW && n_old <= r->ctx->memory / FIT;
}

/* ---- the gate --------------------------------------------------------------------------- */

/* Kept documents are written from their lines, and nobody else asks for texts. */
static dpl_status can_drop_text(bool *out, const dpl_dedup_result *r, dpl_error *err)
{
    *out = !r->work.is_temporary;
    for (size_t i = 0; *out && i < r->n_new_inputs; i++) {
        dpl_format format;
        DPL_TRY(dpl__pass_format(&format, r->ctx, &r->in.data[i], r->o.read, err));
        *out = dpl__format_has_lines(format);
    }
    return DPL_OK;
}

static bool has_language(const dpl_collection *c, const char *lang)
{
    const uint32_t n = dpl_collection_get_sizes(c)->n_docs;
    for (uint32_t doc = 0; doc < n; doc++)
        if (dpl__str_eq(dpl_collection_doc(c, doc).lang, dpl__cstr(lang)))
            return true;
    return false;
}

/* Translations of items pass. */
static dpl_status let_translations_pass(dpl__gate *g, const dpl_dedup_result *r,
                                        const dpl_collection *items, dpl_error *err)
{
    dpl_lexicon *lexicon = NULL;
    if (!r->o.lexicon)
        return DPL_OK;
    DPL_TRY(dpl__dedup_lexicon(&lexicon, r->ctx, &r->o, err));
    const dpl_lexicon_info about = dpl_lexicon_get_info(lexicon);
    const char *const langs[2] = {about.source_lang, about.target_lang};
    for (int i = 0; i < 2; i++)
        if (*langs[1 - i] && strlen(langs[i]) < sizeof g->langs[i] &&
            has_language(items, langs[1 - i]))
            memcpy(g->langs[i], langs[i], strlen(langs[i]) + 1);
    dpl_lexicon_close(lexicon);
    return DPL_OK;
}

static dpl_status make(dpl__gate *g, const dpl_dedup_result *r, const dpl_collection *items,
                       dpl_error *err)
{
    DPL_TRY(dpl__gate_init(g, r->ctx, items, r->o.shingle, err));
    g->n_inputs = r->n_new_inputs;
    DPL_TRY(can_drop_text(&g->drops_text, r, err));
    return let_translations_pass(g, r, items, err);
}

dpl_status dpl__item_gate_make(dpl__gate *g, const dpl_dedup_result *r, dpl_error *err)
{
    const dpl_tokens_options tokens = DPL_INIT(dpl_tokens_options, .stem = r->o.stem);
    const dpl_import_options o =
        DPL_INIT(dpl_import_options, .read = r->o.read, .tokens = &tokens,
                 .number_inputs = true, .no_rows = true, .temp = r->work.folder.work);
    dpl_collection *items = NULL;
    *g = (dpl__gate){0};
    if (!is_wanted(r))
        return DPL_OK;
    const dpl_status status =
        dpl_collection_from_inputs(&items, NULL, r->ctx, r->in.data + r->n_new_inputs,
                                   r->in.n - r->n_new_inputs, &o, NULL);
    if (status == DPL_E_STOPPED)
        return dpl__fail(err, status, "stopped");
    if (status != DPL_OK) /* the import of all documents says why */
        return DPL_OK;
    const dpl_status made = make(g, r, items, err);
    dpl_collection_close(items);
    return made;
}
