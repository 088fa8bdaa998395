/*
 * icu_record.h - what the module knows of a character.
 */
#ifndef DPL_WASM_ICU_RECORD_H
#define DPL_WASM_ICU_RECORD_H

#include <stdint.h>

enum { ICU_WHITE_SPACE = 1, ICU_IDEOGRAPHIC = 2, ICU_CASED = 4 };

typedef struct icu_record {
    uint8_t word_break, line_break, sentence_break, category; /* values of ICU's enums */
    uint8_t combining_class, nfc_quick_check;
    uint8_t script; /* 1: Han, 2: Hiragana, 0: another */
    uint8_t flags;
} icu_record;

/* The code points from `first` to the next range. */
typedef struct icu_range {
    uint32_t first;
    uint16_t record;
} icu_range;

typedef struct icu_mapping {
    uint32_t from, to[3]; /* 0 ends */
} icu_mapping;

enum { ICU_MOST_LATIN = 6 };
typedef struct icu_latin {
    uint16_t from;
    char to[ICU_MOST_LATIN]; /* ended by 0, if it is shorter */
} icu_latin;

#endif
