/*
 * stem_marks.h - accents that a stemmer takes away wherever they are, for rules about endings.
 */
#ifndef DPL_PAGE_STEM_MARKS_H
#define DPL_PAGE_STEM_MARKS_H

#include <stddef.h>
#include <string.h>

/* Copies a word of n bytes without them, to `out` of n bytes; returns how many it has then. */
static inline size_t dpl__without_stem_marks(char *out, const char *word, size_t n,
                                             const char *lang)
{
    static const struct {
        const char *lang;
        const char *marked; /* second bytes of the letters; the first one is 0xC3 */
        const char *plain;
    } sets[] = {{"de", "\xA4\xB6\xBC", "aou"},
                {"es", "\xA1\xA9\xAD\xB3\xBA", "aeiou"},
                {"nl", "\xA4\xAB\xAF\xB6\xBC\xA1\xA9\xAD\xB3\xBA", "aeiouaeiou"}};
    const char *marked = "", *plain = "";
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++)
        if (strcmp(sets[i].lang, lang) == 0) {
            marked = sets[i].marked;
            plain = sets[i].plain;
        }
    size_t to = 0;
    for (size_t i = 0; i < n; i++) {
        const char *found =
            word[i] == '\xC3' && i + 1 < n && word[i + 1] ? strchr(marked, word[i + 1]) : NULL;
        if (found)
            i++;
        out[to++] = found ? plain[found - marked] : word[i];
    }
    return to;
}

#endif
