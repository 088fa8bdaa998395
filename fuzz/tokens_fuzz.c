/*
 * tokens_fuzz.c - any text through segmentation, sentences and folding.
 *
 * Properties: words are exactly ICU's; sentences begin in rising order inside the text; tokens
 * stand where they say, in rising sentences; a second run gives the same.
 */
#include "fuzz.h"

#include "base/ctx.h"
#include "base/hash.h"
#include "doppel/doppel.h"
#include "tokens/segment.h"
#include "unicode/unicode.h"

#include <stdlib.h>

static const char *const langs[] = {"en", "de", "sv", "tr",  "fr",
                                    "el", "zh", "th", "und", "he"};

/* Any bytes as valid UTF-8: two at a time are a code point of the basic plane, mostly from the
 * ranges where rules meet. */
static size_t to_text(const uint8_t *data, size_t n, char *out)
{
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        uint32_t c = data[i];
        if (c >= 0x80 && i + 1 < n) {
            c = (c & 0x7F) << 8 | data[++i];
            if (c >= 0x7000)
                c = 0x1F000 + (c & 0xFFF);
            else if (c >= 0x5000)
                c = 0xA000 + (c & 0x1FFF) * 2;
        }
        if (c >= 0xD800 && c < 0xE000)
            c = 0x301;
        to += dpl__utf8_encode(out + to, c);
    }
    return to;
}

static void check_words(dpl_ctx *ctx, dpl_str text, const char *lang)
{
    static dpl__segmenter *seg;
    static dpl__spans ours, icus;
    if (!seg)
        REQUIRE(dpl__segmenter_new(&seg, ctx, NULL) == DPL_OK);
    REQUIRE(dpl__segment(seg, text, lang, &ours, NULL) == DPL_OK);
    REQUIRE(dpl__segment_icu(seg, text, lang, &icus, NULL) == DPL_OK);
    REQUIRE(ours.n == icus.n);
    REQUIRE(ours.n == 0 || memcmp(ours.data, icus.data, ours.n * sizeof *ours.data) == 0);
}

static uint64_t tokenize(dpl_tokens *tokens, dpl_str text, const char *lang)
{
    uint64_t hash = 0;
    REQUIRE(dpl_tokens_start(tokens, text, lang, NULL) == DPL_OK);
    size_t n_sentences;
    const dpl_sentence *sentences = dpl_tokens_sentences(tokens, &n_sentences);
    for (size_t i = 0; i < n_sentences; i++) {
        REQUIRE(sentences[i].begin < text.n);
        REQUIRE(i == 0 || (sentences[i].begin > sentences[i - 1].begin &&
                           sentences[i].token >= sentences[i - 1].token));
    }
    dpl_token t, last = {.term = {NULL, 0}};
    while (dpl_tokens_next(tokens, &t, NULL) == DPL_OK) {
        REQUIRE(t.begin < t.end && t.end <= text.n && t.term.n > 0);
        REQUIRE(t.begin >= last.begin && t.sentence >= last.sentence);
        REQUIRE(sentences[t.sentence].begin <= t.begin || t.sentence == 0);
        hash = dpl__hash(t.term.data, t.term.n, hash);
        last = t;
    }
    return hash;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n)
{
    static dpl_ctx *ctx;
    if (!ctx)
        REQUIRE(dpl_ctx_new(&ctx, &(dpl_ctx_options)DPL_INIT(dpl_ctx_options, .n_threads = 1),
                            NULL) == DPL_OK);
    if (n < 2)
        return 0;
    const char *lang = langs[data[0] % DPL_LEN(langs)];
    uint8_t o = data[1];
    dpl_tokens_options options =
        DPL_INIT(dpl_tokens_options, .stem = o & 1, .stop_words = o & 2,
                 .ngrams = o & 4 ? 1 + (o >> 4 & 3) : 0, .max_token = o & 8 ? 1 + (o >> 4) : 0);
    char *buffer = malloc(4 * n + 64);
    REQUIRE(buffer != NULL);
    size_t n_text = to_text(data + 2, n - 2, buffer);
    memset(buffer + n_text, 'x', 64);
    dpl_str text = {buffer, n_text};
    check_words(ctx, text, lang);
    dpl_tokens *tokens = NULL;
    REQUIRE(dpl_tokens_new(&tokens, ctx, &options, NULL) == DPL_OK);
    uint64_t first = tokenize(tokens, text, lang);
    REQUIRE(tokenize(tokens, text, lang) == first);
    dpl_tokens_free(tokens);
    free(buffer);
    return 0;
}
