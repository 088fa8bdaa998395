/*
 * dictionary_cedict.c - lines of CC-CEDICT.
 *
 *     貓 猫 [mao1] /cat/CL:隻|只[zhi1]/(dialect) to hide/
 *
 * Both spellings are headwords. Measure words ("CL:"), references and pronunciations are no
 * translations.
 */
#include "lexicon/dictionary_format.h"

#include "unicode/unicode.h"

static bool looks_like(dpl_str line)
{
    const char *reading = dpl__find_text(line, " [");
    dpl_str rest = {reading, reading ? (size_t)(line.data + line.n - reading) : 0};
    return reading && dpl__find_text(rest, "] /");
}

static bool is_note(dpl_str gloss)
{
    static const char *const begins[] = {"CL:",        "variant of ", "old variant of ",
                                         "see ",       "see also ",   "also written ",
                                         "abbr. for ", "used in ",    "surname ",
                                         "also pr. ",  "Taiwan pr. ", "erhua variant of "};
    for (size_t i = 0; i < DPL_LEN(begins); i++) {
        size_t n = strlen(begins[i]);
        if (gloss.n >= n && memcmp(gloss.data, begins[i], n) == 0)
            return true;
    }
    return false;
}

static dpl_status read_line(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl__article *a = &d->article;
    dpl_str heads[2], rest = line;
    if (line.data[0] == '#')
        return DPL_END;
    dpl_str before = dpl__cut_text(&rest, " [");
    size_t n_heads = dpl__split_blanks(before, heads, 2);
    dpl__cut_text(&rest, "] /");
    if (n_heads != 2 || !looks_like(line) || rest.n == 0)
        return dpl__bad_line(dpl__dictionary_place(d), err,
                             "not 'traditional simplified [pinyin] /gloss/'");
    dpl__article_reset(a);
    for (size_t i = 0; i < (dpl__str_eq(heads[0], heads[1]) ? 1U : 2U); i++)
        DPL_TRY(dpl__need(dpl__article_line(a, d->ctx, &a->heads, heads[i], "", 1), err));
    for (uint32_t sense = 1; rest.n;) {
        dpl_str gloss = dpl__trim(dpl__cut_text(&rest, "/"));
        if (gloss.n == 0 || is_note(gloss))
            continue;
        DPL_TRY(dpl__need(dpl__article_line(a, d->ctx, &a->translations, gloss, ";", sense++),
                          err));
    }
    return dpl__translations_add_article(d->g, a, err);
}

const dpl__dictionary_format dpl__dictionary_cedict = {
    .info = {"cedict", "CC-CEDICT: traditional simplified [pinyin] /gloss/gloss/"},
    .looks_like = looks_like,
    .read = read_line,
    .source_lang = "zh",
    .usual_target = "en"};
