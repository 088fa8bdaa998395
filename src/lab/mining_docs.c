/*
 * mining_docs.c - documents in one language: the left ones by translation.
 *
 * In: the inputs of the lab. Out: two collections of words without stems, for n-grams. The
 * translation is made once for a run and lies in its folder for temporary files.
 */
#include "lab/mining.h"

#include "lab/data.h"

#include <stdio.h>
#include <unistd.h>

enum { MOST_ROWS = 60000, MOST_ROWS_SMALL = 2000 };

/* ---- lists -------------------------------------------------------------------------- */

void dpl__mining_docs_init(dpl__mining_docs *d, dpl_ctx *ctx)
{
    *d = (dpl__mining_docs){.ctx = ctx};
    dpl__arena_init(&d->text, ctx);
}

void dpl__mining_docs_clear(dpl__mining_docs *d)
{
    if (!d->ctx)
        return;
    dpl__vec_clear(d->ctx, &d->docs);
    dpl__arena_clear(&d->text);
}

dpl_status dpl__mining_docs_add(dpl__mining_docs *d, dpl_str id, dpl_str text, dpl_error *err)
{
    const dpl_doc doc = {.id = dpl__arena_copy(&d->text, id),
                         .text = dpl__arena_copy(&d->text, text)};
    DPL_TRY(
        dpl__need(doc.id.data && doc.text.data && dpl__vec_push(d->ctx, &d->docs, doc), err));
    return DPL_OK;
}

/* ---- sources ------------------------------------------------------------------------ */

/* Documents of a list or of a collection, one after the other. */
typedef struct feed {
    const dpl__mining_docs *list;
    const dpl_collection *collection;
    uint32_t at;
} feed;

static dpl_status next_doc(void *user, dpl_doc *doc, dpl_error *err)
{
    feed *f = user;
    const uint32_t n =
        f->list ? (uint32_t)f->list->docs.n : dpl_collection_get_sizes(f->collection)->n_docs;
    (void)err;
    if (f->at == n)
        return DPL_END;
    *doc = f->list ? f->list->docs.data[f->at] : dpl_collection_doc(f->collection, f->at);
    doc->extra = (dpl_str){0};
    f->at++;
    return DPL_OK;
}

static dpl_status collect(dpl_collection **out, dpl__lab *lab, const feed *from,
                          const char *lang, dpl_error *err)
{
    feed f = *from;
    const dpl_doc_source source = {.next = next_doc, .user = &f};
    const dpl_input input = {.source = &source};
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .lang = lang);
    const dpl_import_options o =
        DPL_INIT(dpl_import_options, .read = &read, .temp = lab->scratch);
    return dpl_collection_from_inputs(out, NULL, lab->ctx, &input, 1, &o, err);
}

dpl_status dpl__mining_docs_collect(dpl_collection **out, const dpl__mining_docs *docs,
                                    dpl__lab *lab, const char *lang, dpl_error *err)
{
    return collect(out, lab, &(feed){.list = docs}, lang, err);
}

dpl_status dpl__mining_words(dpl_collection **out, dpl__lab *lab, unsigned side, dpl_error *err)
{
    const dpl_collection *from;
    const char *lang;
    DPL_TRY(dpl__lab_collection(&from, lab, side, err));
    DPL_TRY(dpl__lab_lang(&lang, lab, side, err));
    return collect(out, lab, &(feed){.collection = from}, lang, err);
}

/* ---- translation -------------------------------------------------------------------- */

static dpl_status take_translation(void *user, const dpl_doc *doc, dpl_str translation,
                                   dpl_error *err)
{
    return dpl__mining_docs_add(user, doc->id, translation, err);
}

dpl_status dpl__mining_translate(dpl_collection **out, dpl__lab *lab,
                                 dpl_translator *translator, dpl_error *err)
{
    feed f = {0};
    const char *langs[2];
    DPL_TRY(dpl__lab_collection(&f.collection, lab, 0, err));
    DPL_TRY(dpl__lab_lang(&langs[0], lab, 0, err));
    DPL_TRY(dpl__lab_lang(&langs[1], lab, 1, err));
    const dpl_doc_source source = {.next = next_doc, .user = &f};
    const dpl_input input = {.source = &source};
    const dpl_reader_options read = DPL_INIT(dpl_reader_options, .lang = langs[0]);
    dpl__mining_docs docs;
    dpl__mining_docs_init(&docs, lab->ctx);
    dpl_status status;
    DPL__STEP(
        dpl_translate_docs(NULL, translator, &input, &read, take_translation, &docs, err));
    status = dpl__mining_docs_collect(out, &docs, lab, langs[1], err);
done:
    dpl__mining_docs_clear(&docs);
    return status;
}

/* Trained on the rows that were given, or on what mining finds. */
static dpl_status translate_by_phrases(dpl_collection **out, dpl__lab *lab, dpl_error *err)
{
    dpl__mining_rows rows;
    dpl__mining_system system = {0};
    const dpl__mining_rows *const lists[] = {&rows};
    dpl__mining_rows_init(&rows, lab->ctx);
    dpl_status status;
    DPL__STEP(lab->set->parallel
                  ? dpl__mining_rows_read(&rows, lab, lab->set->parallel,
                                          lab->set->small ? MOST_ROWS_SMALL : MOST_ROWS, err)
                  : dpl__mining_rows_mined(&rows, lab, err));
    DPL__STEP(dpl__mining_system_train(&system, lab, lists, 1, NULL, err));
    if (!system.into_right)
        DPL__STEP(dpl__code(
            err, dpl__fail(err, DPL_E_NOTHING, "no sentence pairs to train a translator on"),
            "lab-lexicon"));
    status = dpl__mining_translate(out, lab, system.into_right, err);
done:
    dpl__mining_system_clear(&system);
    dpl__mining_rows_clear(&rows);
    return status;
}

static dpl_status translate_by_words(dpl_collection **out, dpl__lab *lab, dpl_error *err)
{
    const dpl_lexicon *lexicon;
    dpl_translator *translator = NULL;
    DPL_TRY(dpl__lab_lexicon(&lexicon, lab, err));
    DPL_TRY(dpl_translator_from_lexicon(&translator, lab->ctx, lexicon, false, err));
    const dpl_status status = dpl__mining_translate(out, lab, translator, err);
    dpl_translator_close(translator);
    return status;
}

static dpl_status import_translated(dpl_collection **out, dpl__lab *lab, dpl_error *err)
{
    const char *lang;
    DPL_TRY(dpl__lab_lang(&lang, lab, 1, err));
    dpl_reader_options read = DPL_INIT(dpl_reader_options);
    if (lab->set->read)
        read = *lab->set->read;
    read.lang = lang;
    read.only_lang = NULL;
    const dpl_import_options o =
        DPL_INIT(dpl_import_options, .read = &read, .temp = lab->scratch, .needs_docs = true);
    const dpl_input input = {.path = lab->set->translated};
    return dpl_collection_from_inputs(out, NULL, lab->ctx, &input, 1, &o, err);
}

static dpl_status translate(dpl_collection **out, dpl__lab *lab, dpl_error *err)
{
    if (lab->set->translated)
        return import_translated(out, lab, err);
    if (lab->set->lexicon && !lab->set->parallel)
        return translate_by_words(out, lab, err);
    return translate_by_phrases(out, lab, err);
}

static void note_translator(dpl__lab *lab)
{
    if (lab->set->translated)
        dpl__lab_note(lab, "translations of the left documents were given");
    else if (lab->set->parallel)
        dpl__lab_note(lab,
                      "the left documents are translated by phrases (doppel lexicon "
                      "phrases), trained on at most %d of the sentence pairs given",
                      lab->set->small ? MOST_ROWS_SMALL : MOST_ROWS);
    else if (lab->set->lexicon)
        dpl__lab_note(lab,
                      "the left documents are translated word by word by the lexicon given");
    else
        dpl__lab_note(lab, "the left documents are translated by phrases, trained on sentence "
                           "pairs that doppel mine finds in the same documents");
}

/* ---- both sides --------------------------------------------------------------------- */

dpl_status dpl__mining_sides_open(dpl__mining_sides *s, dpl__lab *lab, dpl_error *err)
{
    char paths[2][4200];
    *s = (dpl__mining_sides){0};
    for (unsigned side = 0; side < 2; side++)
        snprintf(paths[side], sizeof paths[side], "%s/mining-%u.dpl", lab->scratch, side);
    note_translator(lab);
    dpl_status status;
    for (unsigned side = 0; side < 2; side++) {
        if (access(paths[side], R_OK) == 0) {
            DPL__STEP(dpl_collection_open(&s->c[side], lab->ctx, paths[side], err));
            continue;
        }
        DPL__STEP(side ? dpl__mining_words(&s->c[side], lab, side, err)
                       : translate(&s->c[side], lab, err));
        DPL__STEP(dpl_collection_save(s->c[side], paths[side], err));
    }
done:
    if (status != DPL_OK)
        dpl__mining_sides_close(s);
    return status;
}

void dpl__mining_sides_close(dpl__mining_sides *s)
{
    dpl_collection_close(s->c[0]);
    dpl_collection_close(s->c[1]);
    *s = (dpl__mining_sides){0};
}
