#include "readers/html/html_names.h"

#include "test.h"

/* The code point and length of a reference at the start of the text; 0 and 0 when none. */
static void check_entity(const char *text, uint32_t expected, size_t expected_n)
{
    uint32_t c = 0;
    size_t n = dpl__html_entity(dpl__cstr(text), &c);
    if (n != expected_n || (n && c != expected))
        dpl__test_fail(__FILE__, __LINE__, "'%s' is U+%04X of %zu bytes", text, (unsigned)c, n);
}

DPL_TEST(html_names, names_are_found_from_the_first_to_the_last)
{
    check_entity("&AElig;x", 0xC6, 7);
    check_entity("&zwnj;", 0x200C, 6);
    check_entity("&nbsp;", 0xA0, 6);
    check_entity("&thetasym;", 0x3D1, 10);
    check_entity("&sup1;", 0xB9, 6);
    check_entity("&Prime;", 0x2033, 7);
    check_entity("&prime;", 0x2032, 7);
    check_entity("&apos;", '\'', 6);
    check_entity("&rang;", 0x27E9, 6);
    check_entity("&CounterClockwiseContourIntegral;", 0x2233, 33);
}

DPL_TEST(html_names, numbers_are_decimal_or_hexadecimal)
{
    check_entity("&#65;", 'A', 5);
    check_entity("&#x1F6a2;", 0x1F6A2, 9);
    check_entity("&#X41;", 'A', 6);
    check_entity("&#1114111;", 0x10FFFF, 10);
    check_entity("&#150;", 0x2013, 6); /* of windows-1252 */
}

DPL_TEST(html_names, anything_else_is_text)
{
    static const char *const texts[] = {"&",
                                        "&;",
                                        "&amp",
                                        "&am p;",
                                        "&nosuch;",
                                        "&#;",
                                        "&#x;",
                                        "&#0;",
                                        "&#xD800;",
                                        "&#xG;",
                                        "&#12",
                                        "&#1114112;",
                                        "&#99999999999;",
                                        "&AELIG;",
                                        "&nbspnbspnbsp;",
                                        "&NotEqualTilde;"};
    for (size_t i = 0; i < DPL_LEN(texts); i++)
        check_entity(texts[i], 0, 0);
}
