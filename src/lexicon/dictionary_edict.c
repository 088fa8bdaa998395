/*
 * dictionary_edict.c - lines of EDICT and EDICT2.
 *
 *     猫 [ねこ] /(n) cat/(P)/
 *     猫;ネコ [ねこ] /(n) (1) cat/(2) shamisen/(P)/EntL1467640X/
 *
 * Spellings and readings are headwords, as of JMdict, which these are made of; notes in
 * brackets and the number of the entry are no translations. Lines that are not UTF-8 are
 * EUC-JP, as these files have been distributed.
 */
#include "lexicon/dictionary_format.h"

#include "unicode/unicode.h"

/* The headwords, the readings and the glosses of a line; false: it is none. */
static bool divide(dpl_str *heads, dpl_str *readings, dpl_str *glosses, dpl_str line)
{
    *glosses = line;
    *heads = dpl__trim(dpl__cut_text(glosses, " /"));
    *readings = *heads;
    dpl_str first = dpl__cut_text(readings, " [");
    if (readings->n) /* without the bracket that ends them */
        readings->n -= readings->data[readings->n - 1] == ']';
    *heads = first;
    return first.n && (first.data[0] & 0x80) && !memchr(first.data, ' ', first.n) &&
           glosses->n && glosses->data[glosses->n - 1] == '/';
}

static bool looks_like(dpl_str line)
{
    dpl_str heads, readings, glosses;
    return divide(&heads, &readings, &glosses, line);
}

/* "(2) shamisen" begins the next sense. */
static bool begins_sense(dpl_str gloss)
{
    for (size_t i = 0; i + 2 < gloss.n; i++)
        if (gloss.data[i] == '(' && gloss.data[i + 1] >= '2' && gloss.data[i + 1] <= '9' &&
            gloss.data[i + 2] == ')')
            return true;
    return false;
}

static dpl_status read_line(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl__article *a = &d->article;
    dpl_str heads, readings, glosses;
    uint32_t sense = 1;
    if (!divide(&heads, &readings, &glosses, line))
        return dpl__bad_line(dpl__dictionary_place(d), err, "not 'word [reading] /gloss/'");
    dpl__article_reset(a);
    bool has_room = dpl__article_line(a, d->ctx, &a->heads, heads, ";", 1) &&
                    dpl__dictionary_wordings(d, &a->heads, readings, ";", 1);
    while (glosses.n && has_room) {
        dpl_str gloss = dpl__trim(dpl__cut_text(&glosses, "/"));
        if (gloss.n >= 4 && memcmp(gloss.data, "EntL", 4) == 0)
            continue;
        sense += begins_sense(gloss);
        has_room = dpl__dictionary_wordings(d, &a->translations, gloss, ";", sense);
    }
    return has_room ? dpl__translations_add_article(d->g, a, err) : dpl__fail_nomem(err);
}

const dpl__dictionary_format dpl__dictionary_edict = {
    .info = {"edict", "EDICT and EDICT2: Japanese [reading] /gloss/gloss/, UTF-8 or EUC-JP"},
    .looks_like = looks_like,
    .read = read_line,
    .source_lang = "ja",
    .usual_target = "en",
    .charset = "EUC-JP"};
