/*
 * judgements.c - lines about pairs, taken apart.
 */
#include "langlinks/judgements.h"

#include "base/ascii.h"

#include <stddef.h>

DPL__NAMES(dpl__verdict_of_pair_name, "open", "accept", "reject")

static bool is_number(dpl_str s)
{
    bool has_digit = false;
    for (size_t i = 0; i < s.n; i++) {
        const char c = s.data[i];
        if (dpl__is_digit(c))
            has_digit = true;
        else if (c != '.' && c != '-' && c != '+' && c != 'e')
            return false;
    }
    return has_digit;
}

static const char *parse_verdict(dpl__judgement *out, dpl_str word)
{
    for (unsigned v = 0; dpl__verdict_of_pair_name(v); v++)
        if (dpl__str_eq(word, dpl__cstr(dpl__verdict_of_pair_name(v)))) {
            out->verdict = (dpl__verdict_of_pair)v;
            return NULL;
        }
    return word.n == 0 || is_number(word) ? NULL : "a judgement is accept, reject or open";
}

const char *dpl__judgement_parse(dpl__judgement *out, bool *is_empty, dpl_str line)
{
    *out = (dpl__judgement){.verdict = DPL__JUDGED_ACCEPT};
    *is_empty = line.n == 0;
    if (*is_empty)
        return NULL;
    out->left_id = dpl__next_column(&line);
    out->right_id = dpl__next_column(&line);
    if (!out->right_id.data)
        return "no tab between the ids of two documents";
    if (out->left_id.n == 0 || out->right_id.n == 0)
        return "the id of a document is empty";
    if (dpl__str_eq(out->left_id, DPL_STR("left_id")) &&
        dpl__str_eq(out->right_id, DPL_STR("right_id"))) {
        *is_empty = true;
        return NULL;
    }
    const char *problem = parse_verdict(out, dpl__next_column(&line));
    out->left_lang = dpl__next_column(&line);
    out->right_lang = dpl__next_column(&line);
    return problem;
}
