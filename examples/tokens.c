/*
 * tokens.c - reads documents from a file and prints their tokens, a line per sentence.
 *
 *     tokens FILE
 */
#include <doppel/doppel.h>

#include <stdio.h>
#include <string.h>

/* The language as a terminated string. */
static const char *language_of(const dpl_doc *doc, char *out, size_t n)
{
    size_t k = doc->lang.n < n - 1 ? doc->lang.n : n - 1;
    memcpy(out, doc->lang.data, k);
    out[k] = 0;
    return out;
}

static dpl_status print_tokens(dpl_tokens *tokens, const dpl_doc *doc, dpl_error *err)
{
    char lang[16];
    dpl_status st =
        dpl_tokens_start(tokens, doc->text, language_of(doc, lang, sizeof lang), err);
    if (st != DPL_OK)
        return st;
    printf("# %.*s (%s)", (int)doc->id.n, doc->id.data, lang);
    uint32_t sentence = UINT32_MAX;
    dpl_token token;
    while ((st = dpl_tokens_next(tokens, &token, err)) == DPL_OK) {
        printf("%s%.*s", token.sentence != sentence ? "\n" : " ", (int)token.term.n,
               token.term.data);
        sentence = token.sentence;
    }
    putchar('\n');
    return st == DPL_END ? DPL_OK : st;
}

int main(int argc, char **argv)
{
    if (argc != 2) {
        fprintf(stderr, "usage: tokens FILE\n");
        return 2;
    }
    dpl_error err;
    memset(&err, 0, sizeof err);
    dpl_ctx *ctx = NULL;
    dpl_reader *reader = NULL;
    dpl_tokens *tokens = NULL;
    dpl_status st = dpl_ctx_new(&ctx, NULL, &err);
    if (st == DPL_OK)
        st = dpl_reader_open(&reader, ctx, argv[1], NULL, &err);
    if (st == DPL_OK)
        st = dpl_tokens_new(&tokens, ctx, NULL, &err);
    dpl_doc doc;
    while (st == DPL_OK && (st = dpl_reader_next(reader, &doc, &err)) == DPL_OK)
        st = print_tokens(tokens, &doc, &err);
    dpl_tokens_free(tokens);
    dpl_reader_close(reader);
    dpl_ctx_free(ctx);
    if (st != DPL_END) {
        fprintf(stderr, "tokens: %s\n", err.text);
        return 1;
    }
    return 0;
}
