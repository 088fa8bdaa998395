/*
 * dictionary_muse.c - word lists of MUSE: "Haus house", two words with blanks or a tab between.
 *
 * The lines of a word have no order: its translations get equal weights.
 */
#include "lexicon/dictionary_format.h"

static bool looks_like(dpl_str line)
{
    dpl_str fields[2];
    return dpl__split_blanks(line, fields, 2) == 2;
}

static dpl_status read_line(dpl__dictionary_text *d, dpl_str line, dpl_error *err)
{
    dpl_str fields[2];
    size_t n = dpl__split_blanks(line, fields, 2);
    if (n != 2)
        return dpl__bad_line(dpl__dictionary_place(d), err, "%zu word%s instead of 2", n,
                             n == 1 ? "" : "s");
    return dpl__dictionary_add(d, fields[0], fields[1], "", err);
}

const dpl__dictionary_format dpl__dictionary_muse = {
    .info = {"muse", "word list of MUSE: source, blank, target"},
    .looks_like = looks_like,
    .read = read_line};
