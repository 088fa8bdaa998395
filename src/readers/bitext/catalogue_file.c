/*
 * catalogue_file.c - gettext catalogues (.po, .mo) as documents: each message is a paragraph.
 *
 * A plural is two paragraphs, singular and plural; of a translation these are the first and the
 * last form, so that both sides have the same paragraphs where everything is translated. Fuzzy
 * and untranslated messages are left out of the translations, obsolete ones of both sides. An
 * entry that cannot be read is a record that cannot be read: the policy decides on it alone.
 */
#include "readers/bitext/bilingual.h"
#include "readers/bitext/gettext.h"
#include "readers/dir.h"

static dpl_status add_message(dpl__catalogue *c, dpl__bilingual *b, const dpl__message *m,
                              dpl_error *err)
{
    const dpl_str ids[2] = {m->id, m->plural}, texts[2] = {m->first, m->last};
    for (int i = 0; i < (m->plural.data ? 2 : 1); i++) {
        dpl_str id = ids[i], text = m->is_doubtful ? (dpl_str){0} : texts[i];
        DPL_TRY(dpl__catalogue_utf8(c, &m->place, &id, err));
        DPL_TRY(dpl__catalogue_utf8(c, &m->place, &text, err));
        DPL_TRY(dpl__rows_clean(c->rows, &id, err));
        DPL_TRY(dpl__rows_clean(c->rows, &text, err));
        dpl_bitext_row row = {id, text};
        DPL_TRY(dpl__drop_accelerators(&row, &c->rows->arena, err));
        const bool is_repeated = i && dpl__str_eq(texts[0], texts[1]); /* one form for all */
        DPL_TRY(dpl__bilingual_add(b, 0, row.left, true, err));
        if (row.right.n && !is_repeated)
            DPL_TRY(dpl__bilingual_add(b, 1, row.right, true, err));
    }
    return DPL_OK;
}

static dpl_status add_messages(dpl__catalogue *c, dpl__bilingual *b, dpl_error *err)
{
    dpl__message m;
    dpl_status status;
    dpl__arena_reset(&c->rows->arena);
    while ((status = dpl__catalogue_next(c, &m, err)) == DPL_OK) {
        status = m.is_obsolete ? DPL_OK : add_message(c, b, &m, err);
        if (status < 0)
            return status;
        dpl__arena_reset(&c->rows->arena);
    }
    return status == DPL_END ? DPL_OK : status;
}

/* An entry that is skipped. */
typedef struct entries {
    dpl__batch *batch;
    const dpl__chunk *chunk;
    dpl_status status;
} entries;

static void list_entry(void *user, uint64_t line, const char *what)
{
    entries *e = user;
    dpl_status status =
        dpl__record_drop(e->batch, e->chunk, line, DPL_DROP_MALFORMED, what, NULL);
    e->status = e->status == DPL_OK ? status : e->status;
}

/* A fault of the whole file, whose message has its name already. */
static dpl_status by_policy(const entries *e, dpl_status status, const dpl_error *fault,
                            dpl_error *err)
{
    const bool is_skipped =
        e->batch->options->on_error == DPL_ON_ERROR_SKIP &&
        (status == DPL_E_FORMAT || status == DPL_E_LIMIT || status == DPL_E_UNSUPPORTED);
    if (!is_skipped) {
        if (err)
            *err = *fault;
        return status;
    }
    const char *what = strstr(fault->text, "': ");
    const dpl_drop drop = status == DPL_E_LIMIT ? DPL_DROP_LONG : DPL_DROP_MALFORMED;
    DPL_TRY(dpl__record_drop(e->batch, e->chunk, fault->line, drop,
                             what ? what + 3 : fault->text, err));
    return DPL_END;
}

/* The catalogue's own reader takes a file: one over the chunk's bytes. */
static dpl_status open_over(dpl__textfile *f, dpl__batch *batch, const dpl__chunk *chunk,
                            dpl_str bytes, dpl_error *err)
{
    char place[450];
    dpl__record_place(place, sizeof place, chunk);
    return dpl__textfile_open_memory(f, batch->ctx, place, bytes.data, bytes.n, err);
}

/* All messages of the file as the texts of one side. */
static dpl_status give_messages(dpl__bilingual *sides, dpl__rows *rows, dpl__textfile *in,
                                dpl_str id, dpl_error *err)
{
    dpl__catalogue c;
    DPL_TRY(dpl__catalogue_open(&c, rows, in, err));
    dpl_status status;
    DPL__STEP(add_messages(&c, sides, err));
    sides->langs[0] = c.source_lang[0] ? c.source_lang : "en";
    sides->langs[1] = c.lang;
    status = dpl__bilingual_give(sides, id, err);
done:
    dpl__catalogue_close(&c);
    return status;
}

static dpl_status parse_catalogue(dpl__batch *batch, const dpl__chunk *chunk, dpl_str id,
                                  dpl_str bytes, dpl_error *err)
{
    dpl__rows rows;
    dpl__textfile in = {0};
    dpl__bilingual sides = {.batch = batch, .chunk = chunk};
    const dpl_bitext_options o =
        DPL_INIT(dpl_bitext_options, .on_error = batch->options->on_error,
                 .max_record = batch->options->max_record);
    dpl__rows_init(&rows, batch->ctx, &o);
    entries skipped = {batch, chunk, DPL_OK};
    rows.on_skip = list_entry;
    rows.user = &skipped;
    dpl_error fault = {0};
    dpl_status status;
    DPL__STEP(open_over(&in, batch, chunk, bytes, &fault));
    DPL__STEP(give_messages(&sides, &rows, &in, id, &fault));
    if (skipped.status != DPL_OK)
        status = dpl__fail_nomem(&fault);
done:
    if (status < 0)
        status = by_policy(&skipped, status, &fault, err);
    batch->counts.n_replaced += rows.counts.n_replaced;
    dpl__textfile_clear(&in);
    dpl__rows_clear(&rows);
    dpl__bilingual_clear(&sides);
    return status;
}

const dpl__filetype dpl__filetype_catalogue = {
    .endings = (const char *const[]){".po", ".pot", ".mo", ".gmo", NULL},
    .is_binary = true,
    .sniff = dpl__is_catalogue,
    .parse = parse_catalogue};
