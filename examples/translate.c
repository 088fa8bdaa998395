/*
 * translate.c - learns to translate from parallel text and translates a sentence.
 *
 *     translate CORPUS.de-en.tsv MODEL.dpl 'Ein Satz.'
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

static dpl_status learn(dpl_ctx *ctx, const char *corpus, const char *model, dpl_error *err)
{
    dpl_bitext_options read = DPL_INIT(dpl_bitext_options);
    read.left_lang = "de";
    read.right_lang = "en";
    dpl_phrases_options o = DPL_INIT(dpl_phrases_options);
    o.read = &read;
    return dpl_phrases_train(NULL, ctx, model, &corpus, 1, &o, err);
}

int main(int argc, char **argv)
{
    dpl_error err;
    dpl_ctx *ctx = NULL;
    dpl_translator *translator = NULL;
    dpl_translations out;
    memset(&err, 0, sizeof err);
    memset(&out, 0, sizeof out);
    if (argc != 4) {
        fprintf(stderr, "usage: translate CORPUS.de-en.tsv MODEL.dpl SENTENCE\n");
        return 2;
    }
    dpl_str sentence = {argv[3], strlen(argv[3])};
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = learn(ctx, argv[1], argv[2], &err);
    if (st == DPL_OK)
        st = dpl_translator_open(&translator, ctx, argv[2], NULL, &err);
    if (st == DPL_OK)
        st = dpl_translator_run(&out, translator, &sentence, 1, &err);
    if (st == DPL_OK)
        printf("%.*s\n", (int)out.texts[0].n, out.texts[0].data);
    else
        fprintf(stderr, "translate: %s\n", err.text);
    if (translator)
        dpl_translations_clear(&out, translator);
    dpl_translator_close(translator);
    dpl_ctx_free(ctx);
    return st == DPL_OK ? 0 : 1;
}
