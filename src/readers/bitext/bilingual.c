/*
 * bilingual.c - which side of a file with translations becomes the document.
 *
 * The one that is asked for; or the one in the language that is asked for; or the translations,
 * when there are any.
 */
#include "readers/bitext/bilingual.h"

#include "readers/bitext/bitext.h"

dpl_status dpl__bilingual_add(dpl__bilingual *b, int side, dpl_str text, bool is_new_paragraph,
                              dpl_error *err)
{
    assert(side == 0 || side == 1);
    dpl_ctx *ctx = b->batch->ctx;
    dpl__bytes *to = &b->texts[side];
    const bool ends_line = to->n && to->data[to->n - 1] == '\n';
    if (is_new_paragraph && to->n && !ends_line && !dpl__vec_push(ctx, to, '\n'))
        return dpl__fail_nomem(err);
    DPL_TRY(dpl__need(dpl__vec_reserve(ctx, to, text.n + 1), err));
    for (size_t i = 0; i < text.n; i++) {
        const char c = text.data[i], last = to->n ? to->data[to->n - 1] : '\n';
        if ((unsigned char)c > ' ')
            to->data[to->n++] = c;
        else if (last != ' ' && last != '\n')
            to->data[to->n++] = ' ';
    }
    return DPL_OK;
}

/* -1: neither is in the language that is asked for. */
static int choose(const dpl__bilingual *b)
{
    const dpl_reader_options *o = b->batch->options;
    if (o->side != DPL_SIDE_AUTO)
        return o->side == DPL_SIDE_TARGET;
    const char *wanted = o->lang ? o->lang : o->only_lang;
    const int usual = b->texts[1].n != 0;
    if (!wanted)
        return usual;
    for (int side = 1; side >= 0; side--)
        if (b->langs[side][0] && dpl__lang_fits(wanted, dpl__cstr(b->langs[side])))
            return side;
    for (int side = 1; side >= 0; side--)
        if (!b->langs[side][0])
            return side;
    return -1;
}

dpl_status dpl__bilingual_give(dpl__bilingual *b, dpl_str id, dpl_error *err)
{
    dpl__batch *batch = b->batch;
    const int side = choose(b);
    if (side < 0 && batch->options->lang) {
        dpl_status bad =
            dpl__record_bad(batch, DPL__AT(b->chunk, 0, 0), DPL_DROP_LANGUAGE, err,
                            "it translates from '%s' into '%s'", b->langs[0], b->langs[1]);
        return bad == DPL_END ? bad : dpl__code(err, bad, "bilingual-side");
    }
    const int taken = side < 0 ? 1 : side;
    dpl_doc doc = {.id = id, .lang = dpl__cstr(b->langs[taken])};
    doc.lang = dpl__arena_copy(&batch->arena, doc.lang);
    doc.text =
        dpl__arena_copy(&batch->arena, (dpl_str){b->texts[taken].data, b->texts[taken].n});
    b->texts[0].n = b->texts[1].n = 0;
    return doc.text.data && doc.lang.data ? dpl__batch_add(batch, b->chunk, 0, &doc, err)
                                          : dpl__fail_nomem(err);
}

void dpl__bilingual_clear(dpl__bilingual *b)
{
    dpl__vec_clear(b->batch->ctx, &b->texts[0], &b->texts[1]);
}
