#include "readers/html/html_tags.h"

#include "base/hash.h"
#include "test.h"

#include <ctype.h>
#include <stdio.h>

#define TEXT_OF(id, text) text,
static const char *const names[DPL__HTML_N_TAGS] = {DPL__HTML_TAGS(TEXT_OF)};

static bool is_listed(const char *list, const char *name)
{
    const size_t n = strlen(name);
    for (const char *at = list; (at = strstr(at, name)); at += n)
        if ((at == list || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
            return true;
    return false;
}

/* ---- rules --------------------------------------------------------------------------------
 */

/* Elements with the bit are those of a list in the standard, and no others. */
static void check_rule(uint32_t bit, const char *what, const char *list)
{
    size_t n_listed = 0, n_words = 1;
    for (const char *p = list; *p; p++)
        n_words += *p == ' ';
    for (size_t i = 0; i < DPL__HTML_N_TAGS; i++) {
        const bool has_bit = dpl__html_rules[i] & bit;
        if (has_bit != is_listed(list, names[i]))
            dpl__test_fail(__FILE__, __LINE__, "<%s> is%s %s", names[i], has_bit ? "" : " not",
                           what);
        n_listed += has_bit;
    }
    CHECK_EQ(n_listed, n_words); /* every name of the list is known */
}

/* Sections 13.1.2, 13.2.4.2, 13.2.4.3 and 13.2.6; <image> stands for <img>, and <dialog> is as
 * special as the other blocks, which the standard does not say. */
DPL_TEST(html_tags, rules_are_those_of_the_standard)
{
    check_rule(DPL__HTML_VOID, "void",
               "area base basefont bgsound br col embed frame hr image img input keygen link "
               "meta param source track wbr");
    check_rule(DPL__HTML_FORMATTING, "formatting",
               "a b big code em font i nobr s small strike strong tt u");
    check_rule(DPL__HTML_IMPLIED, "implied", "dd dt li optgroup option p rb rp rt rtc");
    check_rule(DPL__HTML_SCOPE, "a scope",
               "applet caption html marquee object table td template th");
    check_rule(DPL__HTML_PART, "part of a table",
               "caption col colgroup tbody td tfoot th thead tr");
    check_rule(DPL__HTML_HEADING, "a heading", "h1 h2 h3 h4 h5 h6");
    check_rule(DPL__HTML_RAW, "raw text", "iframe noembed noframes noscript script style xmp");
    check_rule(DPL__HTML_RCDATA, "text with references", "textarea title");
    check_rule(DPL__HTML_BREAKOUT, "the end of SVG",
               "b big blockquote body br center code dd div dl dt em embed h1 h2 h3 h4 h5 h6 "
               "head hr i img li listing menu meta nobr ol p pre ruby s small span strike "
               "strong sub sup table tt u ul var");
    check_rule(DPL__HTML_CLOSES_P, "the end of a paragraph",
               "address article aside blockquote center dd details dialog dir div dl dt "
               "fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header hgroup hr li "
               "listing main menu nav ol p plaintext pre search section summary table ul xmp");
    check_rule(DPL__HTML_NO_FRAMES, "no frameset",
               "applet area br button dd dt embed hr iframe image img input keygen li listing "
               "marquee object pre select table textarea wbr xmp");
    check_rule(DPL__HTML_SVG_HTML, "HTML in SVG", "desc foreignobject title");
    check_rule(DPL__HTML_MATH_TEXT, "text in MathML", "mi mn mo ms mtext");
    check_rule(
        DPL__HTML_SPECIAL, "special",
        "address applet area article aside base basefont bgsound blockquote body br button "
        "caption center col colgroup dd details dialog dir div dl dt embed fieldset figcaption "
        "figure footer form frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html iframe "
        "img input keygen li link listing main marquee menu meta nav noembed noframes noscript "
        "object ol p param plaintext pre script search section select source style summary "
        "table tbody td template textarea tfoot th thead title tr track ul wbr xmp");
    CHECK_EQ(dpl__html_rules[DPL__HTML_OTHER], 0);
}

static void check_kind(uint32_t kind, const char *list)
{
    for (size_t i = 0; i < DPL__HTML_N_TAGS; i++)
        if (((dpl__html_rules[i] & DPL__HTML_KIND) == kind) != is_listed(list, names[i]))
            dpl__test_fail(__FILE__, __LINE__, "<%s> is of kind %u", names[i],
                           dpl__html_rules[i] & DPL__HTML_KIND);
}

DPL_TEST(html_tags, elements_are_shown_as_browsers_do)
{
    check_kind(DPL__HTML_LINES, "listing plaintext pre textarea xmp");
    check_kind(DPL__HTML_BREAK, "br hr");
    check_kind(DPL__HTML_HIDDEN,
               "applet audio canvas datalist embed frameset iframe math nav noembed noframes "
               "noscript object rp rt rtc script style svg template video");
    check_kind(DPL__HTML_BLOCK,
               "address article aside blockquote caption center colgroup dd details dialog dir "
               "div dl dt fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 header "
               "hgroup legend li main menu multicol ol optgroup option p search section select "
               "summary table tbody td tfoot th thead tr ul");
}

/* ---- names --------------------------------------------------------------------------------
 */

static dpl__html_tag naive_tag(const char *name, size_t n)
{
    for (size_t i = 0; i < DPL__HTML_N_TAGS; i++) {
        bool is_same = strlen(names[i]) == n;
        for (size_t k = 0; is_same && k < n; k++)
            is_same =
                (name[k] >= 'A' && name[k] <= 'Z' ? name[k] + 32 : name[k]) == names[i][k];
        if (is_same)
            return (dpl__html_tag)i;
    }
    return DPL__HTML_OTHER;
}

/* Names of elements with a letter more, less or another, and none of them. */
DPL_TEST(html_tags, names_are_found_as_by_looking_through_the_list)
{
    size_t n_found = 0;
    for (uint64_t seed = 0; seed < 40000; seed++) {
        dpl__rng rng = {seed << 16};
        char name[40];
        size_t n = (size_t)sprintf(name, "%s", names[dpl__rng_below(&rng, DPL__HTML_N_TAGS)]);
        const uint64_t change = dpl__rng_below(&rng, 5);
        const size_t at = dpl__rng_below(&rng, n);
        if (change == 0)
            name[at] = (char)dpl__rng_below(&rng, 256);
        else if (change == 1)
            name[n++] = "1ax\0"[dpl__rng_below(&rng, 4)];
        else if (change == 2)
            n--;
        else if (change == 3)
            name[at] ^= 0x20;
        uint32_t hash;
        const dpl__html_tag tag = dpl__html_tag_of((dpl_str){name, n}, &hash);
        CHECK_EQ(tag, naive_tag(name, n));
        n_found += tag != DPL__HTML_OTHER;
    }
    CHECK(n_found > 10000 && n_found < 35000);
}

/* Other elements are told apart by their hashes, which do not depend on the case. */
DPL_TEST(html_tags, other_names_have_a_hash_of_their_small_letters)
{
    uint32_t seen[26 * 26], hash, large;
    size_t n = 0;
    for (char a = 'a'; a <= 'z'; a++)
        for (char b = 'a'; b <= 'z'; b++) {
            const char small[] = {'q', a, '-', b}, capital[] = {'Q', (char)toupper(a), '-', b};
            CHECK_EQ(dpl__html_tag_of((dpl_str){small, 4}, &hash), DPL__HTML_OTHER);
            CHECK_EQ(dpl__html_tag_of((dpl_str){capital, 4}, &large), DPL__HTML_OTHER);
            CHECK_EQ(hash, large);
            for (size_t i = 0; i < n; i++)
                CHECK(seen[i] != hash);
            seen[n++] = hash;
        }
    CHECK_EQ(dpl__html_tag_of(DPL_STR("q"), &hash), DPL__HTML_OTHER);
    CHECK_EQ(dpl__html_tag_of(DPL_STR("qq"), &large), DPL__HTML_OTHER);
    CHECK(hash != large);
}
