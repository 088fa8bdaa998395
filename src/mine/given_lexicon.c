/*
 * given_lexicon.c - the languages of a lexicon's columns.
 *
 * Cost: a look-up of each word in both collections; a text is read twice when it is found to be
 * the other way round.
 */
#include "mine/given_lexicon.h"

/* How many words of a column are terms of a collection. */
static size_t count_known(const dpl_lexicon *lexicon, bool of_targets, const dpl_collection *c)
{
    const dpl_lexicon_sizes *sizes = dpl_lexicon_get_sizes(lexicon);
    uint32_t n = of_targets ? sizes->n_targets : sizes->n_sources, term;
    size_t n_known = 0;
    for (uint32_t i = 0; i < n; i++)
        n_known += dpl_collection_find_term(
            c, of_targets ? dpl_lexicon_target(lexicon, i) : dpl_lexicon_source(lexicon, i),
            &term);
    return n_known;
}

/* Are the sources in the right collection's language? */
static bool is_reversed(const dpl_lexicon *lexicon, const dpl__comparable *p)
{
    size_t straight = count_known(lexicon, false, dpl__words_of(p, 0)) +
                      count_known(lexicon, true, dpl__words_of(p, 1)),
           reversed = count_known(lexicon, false, dpl__words_of(p, 1)) +
                      count_known(lexicon, true, dpl__words_of(p, 0));
    return reversed > straight;
}

dpl_status dpl__given_lexicon_open(dpl_lexicon **out, const dpl__comparable *p,
                                   const char *path, dpl_error *err)
{
    DPL_TRY(dpl_lexicon_open(out, p->ctx, path, NULL, err));
    if (*dpl_lexicon_get_info(*out).source_lang && *dpl_lexicon_get_info(*out).target_lang)
        return DPL_OK;
    bool is_other = is_reversed(*out, p);
    dpl_lexicon_close(*out);
    *out = NULL;
    dpl_lexicon_options o = DPL_INIT(dpl_lexicon_options, .source_lang = p->lang[is_other],
                                     .target_lang = p->lang[!is_other]);
    return dpl_lexicon_open(out, p->ctx, path, &o, err);
}

dpl_status dpl__given_dictionaries_import(dpl_ctx *ctx, const char *path,
                                          const dpl_mine_options *options,
                                          const dpl_lexicon_import_options *import,
                                          dpl_error *err)
{
    size_t n = 1 + options->n_more_dictionaries;
    dpl_lexicon_import_options o = *import;
    dpl_dictionary *all = dpl__calloc(ctx, n, sizeof *all);
    DPL_TRY(dpl__need(all, err));
    o.on_error = DPL_ON_ERROR_SKIP;
    all[0].path = options->dictionary;
    for (size_t i = 1; i < n; i++)
        all[i].path = options->more_dictionaries[i - 1];
    dpl_status status = dpl_lexicon_import(NULL, ctx, path, all, n, &o, err);
    dpl__free(ctx, all);
    return status;
}
