/*
 * stopwords.c - the stop lists, behind a table filled at the first question.
 */
#include "tokens/stopwords.h"

#include "doppel/tokens.h"
#include "unicode/stopwords_data.h"

#include <pthread.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static dpl__word slots[8192];
static dpl__wordset set = {.slots = slots, .n_slots = DPL_LEN(slots)};

static void fill(void)
{
    dpl__wordset_fill(&set, stop_lists, DPL_LEN(stop_lists));
}

/* Copies the word with plain apostrophes for U+2019; false when it is too long for one of
 * ours. */
static bool with_plain_apostrophes(char *out, size_t size, dpl_str *word)
{
    size_t n = 0;
    for (size_t i = 0; i < word->n; n++) {
        if (n == size)
            return false;
        bool is_curly = word->n - i >= 3 && memcmp(word->data + i, "\xE2\x80\x99", 3) == 0;
        out[n] = is_curly ? '\'' : word->data[i];
        i += is_curly ? 3 : 1;
    }
    *word = (dpl_str){out, n};
    return true;
}

bool dpl__stop_has(const char *lang, dpl_str word)
{
    char plain[32];
    if (word.n && memchr(word.data, 0xE2, word.n) &&
        !with_plain_apostrophes(plain, sizeof plain, &word))
        return false;
    pthread_once(&once, fill);
    return dpl__wordset_has(&set, lang, word);
}
