/*
 * abbreviations.c - the lists of abbreviations, behind a table filled at the first question.
 *
 * CLDR's own lists, which ICU carries for seven languages (resource exceptions/SentenceBreak),
 * are no help here: they rest on upper and lower case, and hold what is an ordinary word once
 * folded ("Go.", "In.", "Joe.").
 */
#include "tokens/abbreviations.h"

#include "tokens/abbreviations_data.h"
#include "unicode/unicode.h"

#include <pthread.h>
#include <unicode/uchar.h>

static pthread_once_t once = PTHREAD_ONCE_INIT;
static dpl__word slots[4096];
static dpl__wordset set = {.slots = slots, .n_slots = DPL_LEN(slots)};

static void fill(void)
{
    dpl__wordset_fill(&set, abbreviation_lists, DPL_LEN(abbreviation_lists));
}

/* An initial: one letter of an alphabet with capitals. */
static bool is_initial(dpl_str word)
{
    uint32_t c = 0;
    if (word.n == 0 || word.n > 4 || dpl__utf8_decode((const uint8_t *)word.data, &c) != word.n)
        return false;
    return u_hasBinaryProperty((UChar32)c, UCHAR_CASED);
}

bool dpl__is_abbreviation(const char *lang, dpl_str word)
{
    pthread_once(&once, fill);
    return is_initial(word) || dpl__wordset_has(&set, lang, word);
}
