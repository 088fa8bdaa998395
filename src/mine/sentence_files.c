/*
 * sentence_files.c - kept beads of the final pairs go to sentences.tsv and to the files of
 * other formats, after everything about them is known.
 */
#include "mine/sentence_files.h"

#include "mine/many.h"
#include "sentences/bead_repeats.h"
#include "sentences/beads_writer.h"

#include <stdio.h>

enum { N_FORMATS = DPL_BEADS_XLIFF + 1 }; /* and those per pair, which are not written */

/* ---- formats -------------------------------------------------------------------------- */

static dpl_status add_format(unsigned *formats, const char *name, size_t n, dpl_error *err)
{
    char list[80] = "";
    size_t at = 0;
    for (unsigned i = 0; i < N_FORMATS; i++) {
        const char *known = dpl__beads_format_name(i);
        if (dpl_beads_format_info_of((dpl_beads_format)i)->is_per_pair)
            continue;
        if (strlen(known) == n && memcmp(known, name, n) == 0) {
            *formats |= 1u << i;
            return DPL_OK;
        }
        at += (size_t)snprintf(list + at, sizeof list - at, "%s%s",
                               i == 0              ? ""
                               : i + 1 < N_FORMATS ? ", "
                                                   : " or ",
                               known);
    }
    return dpl__fail_code(err, DPL_E_USAGE, "sentence-format",
                          "sentence pairs are not written as '%.*s', but as %s",
                          n < 40 ? (int)n : 40, name, list);
}

dpl_status dpl__formats_parse(unsigned *formats, const char *text, dpl_error *err)
{
    *formats = 1u << DPL_BEADS_TSV;
    while (text) {
        const char *comma = strchr(text, ',');
        DPL_TRY(add_format(formats, text, comma ? (size_t)(comma - text) : strlen(text), err));
        text = comma ? comma + 1 : NULL;
    }
    return DPL_OK;
}

const char *dpl__sentence_file(char out[40], dpl_beads_format format)
{
    const dpl_beads_format_info *f = dpl_beads_format_info_of(format);
    snprintf(out, 40, "sentences%s%s", f->has_two_files ? "" : ".",
             f->has_two_files ? "" : f->name);
    return out;
}

/* ---- repeats -------------------------------------------------------------------------- */

static dpl_status count(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    (void)err;
    dpl__sentences_count(user, docs);
    return DPL_OK;
}

dpl_status dpl__drop_repeats(dpl__final_beads *beads, const dpl__comparable *p, size_t n_pairs,
                             dpl_error *err)
{
    enum { SHARE = 32 }; /* of the memory, for each of beads and two sorts */
    const dpl_mine_options *m = p->options;
    dpl_sentences_summary counts = DPL_INIT(dpl_sentences_summary);
    dpl__repeats_options o = {.c = {p->c[0], p->c[1]},
                              .dir = p->work,
                              .share = (size_t)(dpl_ctx_memory(p->ctx) / SHARE),
                              .is_unique = m->unique,
                              .no_frequent = m->drop_frequent};
    if (!m->unique && !m->drop_frequent)
        return DPL_OK;
    DPL_TRY(dpl__repeats_mark(&beads->aligned, p->ctx, &o, err));
    DPL_TRY(dpl__aligned_each(beads->aligned, NULL, n_pairs, count, &counts, err));
    memcpy(beads->summary.n_verdicts, counts.n_verdicts, sizeof counts.n_verdicts);
    return DPL_OK;
}

/* ---- files ---------------------------------------------------------------------------- */

typedef struct files {
    dpl_beads_writer *writers[N_FORMATS]; /* NULL: not asked for */
} files;

static dpl_status open_file(files *f, const dpl__pair_run *r, const char *dir,
                            const dpl_beads_options *options, dpl_error *err)
{
    char path[4200], name[40];
    snprintf(path, sizeof path, "%s/%s", dir, dpl__sentence_file(name, options->to));
    return dpl_beads_open(&f->writers[options->to], r->ctx, path, r->corpus.c[0],
                          r->corpus.c[1], options, err);
}

static dpl_status write_docs(void *user, const dpl_aligned_docs *docs, dpl_error *err)
{
    files *f = user;
    for (unsigned i = 0; i < N_FORMATS; i++)
        if (f->writers[i])
            DPL_TRY(dpl_beads_write(f->writers[i], docs, err));
    return DPL_OK;
}

static dpl_status finish(files *f, dpl_error *err)
{
    for (unsigned i = 0; i < N_FORMATS; i++)
        if (f->writers[i])
            DPL_TRY(dpl_beads_finish(NULL, f->writers[i], err));
    return DPL_OK;
}

static void close_files(files *f)
{
    for (unsigned i = 0; i < N_FORMATS; i++)
        dpl_beads_close(f->writers[i]);
}

/* ---- of a run ------------------------------------------------------------------------- */

/* What is written of a corpus: who sets a threshold has set the score. */
static void choose(dpl_beads_options *o, const dpl__pair_run *r)
{
    o->keep_repeats = r->settings.options.keep_repeats;
    o->threshold = r->settings.sentences.threshold != 0 ? -1 : 0;
}

static dpl_status write_run(files *f, const dpl__pair_run *r, dpl_error *err)
{
    const char *langs[2] = {r->sides[0].code, r->sides[1].code};
    bool is_same = strcmp(langs[0], langs[1]) == 0;
    for (unsigned i = 0; i < N_FORMATS; i++) {
        bool has_two = dpl_beads_format_info_of((dpl_beads_format)i)->has_two_files;
        dpl_beads_options o = DPL_INIT(dpl_beads_options, .to = (dpl_beads_format)i,
                                       .one_per_line = r->settings.sentences.one_per_line,
                                       .with_langs = i == DPL_BEADS_JSONL);
        choose(&o, r);
        if (has_two && is_same) {
            o.langs[0] = "left";
            o.langs[1] = "right";
        } else {
            o.langs[0] = langs[0];
            o.langs[1] = langs[1];
        }
        if (r->settings.formats >> i & 1)
            DPL_TRY(open_file(f, r, r->task.dir, &o, err));
    }
    for (unsigned i = 0; i < N_FORMATS; i++)
        if (f->writers[i])
            DPL_TRY(
                dpl__beads_write_all(f->writers[i], r->beads.aligned, r->final.docs.n, err));
    return finish(f, err);
}

dpl_status dpl__write_sentences(dpl__pair_run *r, dpl_error *err)
{
    files f = {{NULL}};
    const dpl_beads_writer *corpus = NULL;
    dpl_status status;
    DPL__STEP(write_run(&f, r, err));
    for (unsigned i = 0; i < N_FORMATS; i++) /* all of them leave out the same */
        if (f.writers[i] && dpl_beads_format_info_of((dpl_beads_format)i)->is_corpus)
            corpus = f.writers[i];
    DPL__STEP(dpl__dropped_collect(&r->dropped, r, corpus, err));
    status = dpl__dropped_write(&r->dropped, r, err);
done:
    close_files(&f);
    return status;
}

/* ---- of all runs ---------------------------------------------------------------------- */

static dpl_status join_run(files *f, const dpl__many_work *w, const dpl__pair_run *r,
                           dpl_error *err)
{
    const dpl_mine_run *s = &r->summary;
    for (unsigned i = 0; i < N_FORMATS; i++) {
        dpl_beads_options o = DPL_INIT(
            dpl_beads_options, .to = (dpl_beads_format)i,
            .one_per_line = r->settings.sentences.one_per_line,
            .langs = {s->left->code, s->right->code},
            .with_langs = i == DPL_BEADS_TSV ? dpl__has_lang_columns(w) : i == DPL_BEADS_JSONL);
        choose(&o, r);
        bool is_wanted =
            w->settings.formats >> i & 1 && !dpl_beads_format_info_of(o.to)->has_two_files;
        if (is_wanted && !f->writers[i])
            DPL_TRY(open_file(f, r, w->dir, &o, err));
        else if (is_wanted)
            dpl__beads_turn_to(f->writers[i], r->corpus.c[0], r->corpus.c[1], s->left->code,
                               s->right->code);
    }
    return dpl__aligned_each(r->beads.aligned, NULL, r->final.docs.n, write_docs, f, err);
}

dpl_status dpl__join_sentences(const dpl__many_work *w, dpl_error *err)
{
    const dpl_mine_result *m = w->result;
    files f = {{NULL}};
    dpl_status status = DPL_OK;
    for (size_t i = 0; i < m->n_runs && status == DPL_OK; i++)
        status = join_run(&f, w, m->runs[i], err);
    if (status == DPL_OK)
        status = finish(&f, err);
    close_files(&f);
    return status;
}
