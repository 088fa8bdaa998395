/*
 * pairs_ngram.c - doppel pairs --method ngram: its sides and its lexicon.
 */
#include "cli/pairs_ngram.h"

#include "cli/talk.h"

#include <string.h>

/* Nothing to translate is a mistake: the languages of the lexicon are not those of the sides.
 */
static int check_lexicon(const cli_side sides[2], size_t n_sides, const dpl_lexicon *lexicon,
                         char **args)
{
    const char *from = dpl_lexicon_get_info(lexicon).source_lang;
    for (size_t i = 0; i < n_sides; i++) {
        uint32_t n = dpl_collection_get_sizes(sides[i].collection)->n_docs;
        for (uint32_t doc = 0; doc < n; doc++) {
            dpl_str lang = dpl_collection_doc(sides[i].collection, doc).lang;
            if (lang.n == strlen(from) && memcmp(lang.data, from, lang.n) == 0)
                return CLI_DONE;
        }
    }
    cli_error("no document of '%s' is in '%s', which the lexicon translates", args[0], from);
    cli_hint("set the languages with --langs, those of a lexicon in text "
             "with --lexicon-langs");
    return CLI_USAGE;
}

int cli_ngram_open(dpl_lexicon **lexicon, cli_side sides[2], dpl_ctx *ctx, char **paths,
                   size_t n_paths, cli_side_request *request)
{
    int code = CLI_DONE;
    if (request->lexicon)
        code = cli_lexicon_open(lexicon, ctx, request->lexicon, request->lexicon_langs, false);
    for (unsigned i = 0; code == CLI_DONE && i < n_paths; i++)
        code = cli_collection_open(&sides[i].collection, ctx, paths[i], i, request);
    if (code == CLI_DONE && *lexicon)
        code = check_lexicon(sides, n_paths, *lexicon, paths);
    return code;
}
