/*
 * classes.c - asks ICU for every code point of the basic plane, once.
 */
#include "tokens/classes.h"

#include <pthread.h>
#include <unicode/uchar.h>
#include <unicode/uscript.h>

static dpl__classes table;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool needs_icu(UChar32 c)
{
    UErrorCode code = U_ZERO_ERROR;
    UScriptCode script = uscript_getScript(c, &code);
    return script == USCRIPT_HAN || script == USCRIPT_HIRAGANA ||
           (c >= 0xAC00 && c <= 0xD7A3) ||
           u_getIntPropertyValue(c, UCHAR_WORD_BREAK) == U_WB_KATAKANA ||
           u_getIntPropertyValue(c, UCHAR_WORD_BREAK) == U_WB_ZWJ ||
           u_getIntPropertyValue(c, UCHAR_LINE_BREAK) == U_LB_COMPLEX_CONTEXT ||
           u_hasBinaryProperty(c, UCHAR_IDEOGRAPHIC);
}

uint8_t dpl__word_class_far(uint32_t code_point)
{
    UChar32 c = (UChar32)code_point;
    if (needs_icu(c))
        return DPL__W_COMPLEX;
    if (c == '@')
        return DPL__W_LETTER;
    if (c == ':' || c == 0xFE55 || c == 0xFF1A)
        return DPL__W_COLON;
    switch (u_getIntPropertyValue(c, UCHAR_WORD_BREAK)) {
    case U_WB_CR:
    case U_WB_LF:
    case U_WB_NEWLINE: return DPL__W_NEWLINE;
    case U_WB_EXTEND:
    case U_WB_FORMAT: return DPL__W_EXTEND;
    case U_WB_ALETTER: return DPL__W_LETTER;
    case U_WB_HEBREW_LETTER: return DPL__W_HEBREW;
    case U_WB_NUMERIC: return DPL__W_NUMERIC;
    case U_WB_EXTENDNUMLET: return DPL__W_CONNECT;
    case U_WB_SINGLE_QUOTE: return DPL__W_QUOTE;
    case U_WB_DOUBLE_QUOTE: return DPL__W_DQUOTE;
    case U_WB_MIDNUMLET: return DPL__W_MIDBOTH;
    case U_WB_MIDLETTER: return DPL__W_MIDLETTER;
    case U_WB_MIDNUM: return DPL__W_MIDNUM;
    default: return DPL__W_OTHER;
    }
}

uint8_t dpl__sentence_class_far(uint32_t code_point)
{
    switch (u_getIntPropertyValue((UChar32)code_point, UCHAR_SENTENCE_BREAK)) {
    case U_SB_EXTEND:
    case U_SB_FORMAT: return DPL__S_EXTEND;
    case U_SB_SEP:
    case U_SB_CR:
    case U_SB_LF: return DPL__S_SEP;
    case U_SB_SP: return DPL__S_SPACE;
    case U_SB_LOWER: return DPL__S_LOWER;
    case U_SB_UPPER: return DPL__S_UPPER;
    case U_SB_OLETTER: return DPL__S_OLETTER;
    case U_SB_NUMERIC: return DPL__S_NUMERIC;
    case U_SB_ATERM: return DPL__S_ATERM;
    case U_SB_STERM: return DPL__S_STERM;
    case U_SB_SCONTINUE: return DPL__S_CONTINUE;
    case U_SB_CLOSE: return DPL__S_CLOSE;
    default: return DPL__S_OTHER;
    }
}

bool dpl__is_alnum_far(uint32_t c)
{
    return (U_GET_GC_MASK((UChar32)c) & (U_GC_L_MASK | U_GC_N_MASK)) != 0;
}

static void fill(void)
{
    for (uint32_t c = 0; c < DPL__CLASS_PLANE; c++) {
        table.word[c] = dpl__word_class_far(c);
        table.sentence[c] = dpl__sentence_class_far(c);
        if (dpl__is_alnum_far(c))
            table.is_alnum[c / 8] |= (uint8_t)(1u << (c & 7));
    }
}

const dpl__classes *dpl__classes_init(void)
{
    pthread_once(&once, fill);
    return &table;
}
