/*
 * html_tags.c - names of elements to numbers, and the rules of each element.
 *
 * A name's first eight bytes are one integer, which is searched for: no two names share them.
 */
#include "readers/html/html_tags.h"

#include "base/ascii.h"

#define BLOCK DPL__HTML_BLOCK
#define LINES DPL__HTML_LINES
#define BREAK DPL__HTML_BREAK
#define HIDDEN DPL__HTML_HIDDEN
#define VOID DPL__HTML_VOID
#define SPECIAL DPL__HTML_SPECIAL
#define FORMATTING DPL__HTML_FORMATTING
#define CLOSES_P DPL__HTML_CLOSES_P
#define SCOPE DPL__HTML_SCOPE
#define IMPLIED DPL__HTML_IMPLIED
#define PART DPL__HTML_PART
#define RAW DPL__HTML_RAW
#define RCDATA DPL__HTML_RCDATA
#define OUT DPL__HTML_BREAKOUT
#define HEADING DPL__HTML_HEADING
#define NO_FRAMES DPL__HTML_NO_FRAMES
#define SVG_HTML DPL__HTML_SVG_HTML
#define MATH_TEXT DPL__HTML_MATH_TEXT

/* Blocks of most sorts. */
#define DIVISION BLOCK | SPECIAL | CLOSES_P
#define TITLED DIVISION | OUT | HEADING

const uint32_t dpl__html_rules[DPL__HTML_N_TAGS + 1] = {
    [DPL__HTML_HTML] = SPECIAL | SCOPE,
    [DPL__HTML_HEAD] = SPECIAL | OUT,
    [DPL__HTML_BODY] = SPECIAL | OUT,
    [DPL__HTML_TITLE] = RCDATA | SPECIAL | SVG_HTML,
    [DPL__HTML_META] = VOID | SPECIAL | OUT,

    [DPL__HTML_ARTICLE] = DIVISION,
    [DPL__HTML_SECTION] = DIVISION,
    [DPL__HTML_ASIDE] = DIVISION,
    [DPL__HTML_MAIN] = DIVISION,
    [DPL__HTML_HEADER] = DIVISION,
    [DPL__HTML_FOOTER] = DIVISION,
    [DPL__HTML_HGROUP] = DIVISION,
    [DPL__HTML_H1] = TITLED,
    [DPL__HTML_H2] = TITLED,
    [DPL__HTML_H3] = TITLED,
    [DPL__HTML_H4] = TITLED,
    [DPL__HTML_H5] = TITLED,
    [DPL__HTML_H6] = TITLED,
    [DPL__HTML_P] = DIVISION | IMPLIED | OUT,
    [DPL__HTML_DIV] = DIVISION | OUT,
    [DPL__HTML_CENTER] = DIVISION | OUT,
    [DPL__HTML_MULTICOL] = BLOCK,
    [DPL__HTML_ADDRESS] = DIVISION,
    [DPL__HTML_BLOCKQUOTE] = DIVISION | OUT,
    [DPL__HTML_FIGURE] = DIVISION,
    [DPL__HTML_FIGCAPTION] = DIVISION,
    [DPL__HTML_DETAILS] = DIVISION,
    [DPL__HTML_SUMMARY] = DIVISION,
    [DPL__HTML_DIALOG] = DIVISION,
    [DPL__HTML_SEARCH] = DIVISION,
    [DPL__HTML_OL] = DIVISION | OUT,
    [DPL__HTML_UL] = DIVISION | OUT,
    [DPL__HTML_MENU] = DIVISION | OUT,
    [DPL__HTML_DIR] = DIVISION,
    [DPL__HTML_LI] = DIVISION | IMPLIED | OUT | NO_FRAMES,
    [DPL__HTML_DL] = DIVISION | OUT,
    [DPL__HTML_DT] = DIVISION | IMPLIED | OUT | NO_FRAMES,
    [DPL__HTML_DD] = DIVISION | IMPLIED | OUT | NO_FRAMES,
    [DPL__HTML_TABLE] = DIVISION | SCOPE | OUT | NO_FRAMES,
    [DPL__HTML_CAPTION] = BLOCK | SPECIAL | SCOPE | PART,
    [DPL__HTML_COLGROUP] = BLOCK | SPECIAL | PART,
    [DPL__HTML_COL] = VOID | SPECIAL | PART,
    [DPL__HTML_THEAD] = BLOCK | SPECIAL | PART,
    [DPL__HTML_TBODY] = BLOCK | SPECIAL | PART,
    [DPL__HTML_TFOOT] = BLOCK | SPECIAL | PART,
    [DPL__HTML_TR] = BLOCK | SPECIAL | PART,
    [DPL__HTML_TH] = BLOCK | SPECIAL | SCOPE | PART,
    [DPL__HTML_TD] = BLOCK | SPECIAL | SCOPE | PART,
    [DPL__HTML_FORM] = DIVISION,
    [DPL__HTML_FIELDSET] = DIVISION,
    [DPL__HTML_LEGEND] = BLOCK,
    [DPL__HTML_SELECT] = BLOCK | SPECIAL | NO_FRAMES,
    [DPL__HTML_OPTGROUP] = BLOCK | IMPLIED,
    [DPL__HTML_OPTION] = BLOCK | IMPLIED,

    [DPL__HTML_PRE] = LINES | SPECIAL | CLOSES_P | OUT | NO_FRAMES,
    [DPL__HTML_LISTING] = LINES | SPECIAL | CLOSES_P | OUT | NO_FRAMES,
    [DPL__HTML_PLAINTEXT] = LINES | SPECIAL | CLOSES_P,
    [DPL__HTML_XMP] = LINES | RAW | SPECIAL | CLOSES_P | NO_FRAMES,
    [DPL__HTML_TEXTAREA] = LINES | RCDATA | SPECIAL | NO_FRAMES,
    [DPL__HTML_BR] = BREAK | VOID | SPECIAL | OUT | NO_FRAMES,
    [DPL__HTML_HR] = BREAK | VOID | SPECIAL | CLOSES_P | OUT | NO_FRAMES,

    [DPL__HTML_NAV] = HIDDEN | SPECIAL | CLOSES_P,
    [DPL__HTML_SCRIPT] = HIDDEN | RAW | SPECIAL,
    [DPL__HTML_STYLE] = HIDDEN | RAW | SPECIAL,
    [DPL__HTML_NOSCRIPT] = HIDDEN | RAW | SPECIAL,
    [DPL__HTML_TEMPLATE] = HIDDEN | SPECIAL | SCOPE,
    [DPL__HTML_SVG] = HIDDEN,
    [DPL__HTML_MATH] = HIDDEN,
    [DPL__HTML_IFRAME] = HIDDEN | RAW | SPECIAL | NO_FRAMES,
    [DPL__HTML_FRAMESET] = HIDDEN | SPECIAL,
    [DPL__HTML_FRAME] = VOID | SPECIAL,
    [DPL__HTML_NOFRAMES] = HIDDEN | RAW | SPECIAL,
    [DPL__HTML_OBJECT] = HIDDEN | SPECIAL | SCOPE | NO_FRAMES,
    [DPL__HTML_EMBED] = HIDDEN | VOID | SPECIAL | OUT | NO_FRAMES,
    [DPL__HTML_NOEMBED] = HIDDEN | RAW | SPECIAL,
    [DPL__HTML_APPLET] = HIDDEN | SPECIAL | SCOPE | NO_FRAMES,
    [DPL__HTML_AUDIO] = HIDDEN,
    [DPL__HTML_VIDEO] = HIDDEN,
    [DPL__HTML_CANVAS] = HIDDEN,
    [DPL__HTML_DATALIST] = HIDDEN,
    [DPL__HTML_RT] = HIDDEN | IMPLIED,
    [DPL__HTML_RTC] = HIDDEN | IMPLIED,
    [DPL__HTML_RP] = HIDDEN | IMPLIED,
    [DPL__HTML_RB] = IMPLIED,

    [DPL__HTML_AREA] = VOID | SPECIAL | NO_FRAMES,
    [DPL__HTML_BASE] = VOID | SPECIAL,
    [DPL__HTML_BASEFONT] = VOID | SPECIAL,
    [DPL__HTML_BGSOUND] = VOID | SPECIAL,
    [DPL__HTML_IMAGE] = VOID | NO_FRAMES,
    [DPL__HTML_IMG] = VOID | SPECIAL | OUT | NO_FRAMES,
    [DPL__HTML_INPUT] = VOID | SPECIAL | NO_FRAMES,
    [DPL__HTML_KEYGEN] = VOID | SPECIAL | NO_FRAMES,
    [DPL__HTML_LINK] = VOID | SPECIAL,
    [DPL__HTML_PARAM] = VOID | SPECIAL,
    [DPL__HTML_SOURCE] = VOID | SPECIAL,
    [DPL__HTML_TRACK] = VOID | SPECIAL,
    [DPL__HTML_WBR] = VOID | SPECIAL | NO_FRAMES,
    [DPL__HTML_BUTTON] = SPECIAL | NO_FRAMES,
    [DPL__HTML_MARQUEE] = SPECIAL | SCOPE | NO_FRAMES,

    [DPL__HTML_A] = FORMATTING,
    [DPL__HTML_B] = FORMATTING | OUT,
    [DPL__HTML_BIG] = FORMATTING | OUT,
    [DPL__HTML_CODE] = FORMATTING | OUT,
    [DPL__HTML_EM] = FORMATTING | OUT,
    [DPL__HTML_FONT] = FORMATTING,
    [DPL__HTML_I] = FORMATTING | OUT,
    [DPL__HTML_NOBR] = FORMATTING | OUT,
    [DPL__HTML_S] = FORMATTING | OUT,
    [DPL__HTML_SMALL] = FORMATTING | OUT,
    [DPL__HTML_STRIKE] = FORMATTING | OUT,
    [DPL__HTML_STRONG] = FORMATTING | OUT,
    [DPL__HTML_TT] = FORMATTING | OUT,
    [DPL__HTML_U] = FORMATTING | OUT,
    [DPL__HTML_RUBY] = OUT,
    [DPL__HTML_SPAN] = OUT,
    [DPL__HTML_SUB] = OUT,
    [DPL__HTML_SUP] = OUT,
    [DPL__HTML_VAR] = OUT,

    [DPL__HTML_FOREIGNOBJECT] = SVG_HTML,
    [DPL__HTML_DESC] = SVG_HTML,
    [DPL__HTML_MI] = MATH_TEXT,
    [DPL__HTML_MO] = MATH_TEXT,
    [DPL__HTML_MN] = MATH_TEXT,
    [DPL__HTML_MS] = MATH_TEXT,
    [DPL__HTML_MTEXT] = MATH_TEXT,
};

/* All names take 16 bytes, so that eight bytes of each can be read at once. */
#define TEXT_OF(name, text) text,
static const char names[DPL__HTML_N_TAGS][16] = {DPL__HTML_TAGS(TEXT_OF)};

enum { KEY = 8 };

/* Eight bytes, the first one highest: written so that compilers make one instruction of it. */
static uint64_t load_key(const char *p)
{
    const unsigned char *b = (const unsigned char *)p;
    return (uint64_t)b[0] << 56 | (uint64_t)b[1] << 48 | (uint64_t)b[2] << 40 |
           (uint64_t)b[3] << 32 | (uint64_t)b[4] << 24 | (uint64_t)b[5] << 16 |
           (uint64_t)b[6] << 8 | (uint64_t)b[7];
}

/* The first eight bytes in small letters. */
static uint64_t key_of(dpl_str name)
{
    char start[KEY] = {0};
    for (size_t i = 0; i < KEY && i < name.n; i++)
        start[i] = name.data[i];
    const uint64_t key = load_key(start), low = key & 0x7F7F7F7F7F7F7F7F;
    /* the highest bit of each byte: from 'A' to 'Z', and ASCII */
    const uint64_t is_capital =
        ((low + 0x3F3F3F3F3F3F3F3F) & ~(low + 0x2525252525252525) & ~key) & 0x8080808080808080;
    return key | is_capital >> 2;
}

static bool is_same(const char *name, dpl_str s)
{
    size_t i = 0;
    for (; i < s.n && name[i]; i++) {
        const char c = s.data[i];
        if (dpl__to_lower(c) != name[i])
            return false;
    }
    return i == s.n && !name[i];
}

dpl__html_tag dpl__html_tag_of(dpl_str name, uint32_t *hash)
{
    const uint64_t key = key_of(name);
    unsigned low = 0, high = DPL__HTML_N_TAGS;
    while (low < high) {
        const unsigned middle = (low + high) / 2;
        const uint64_t other = load_key(names[middle]);
        if (other == key) {
            if (is_same(names[middle], name))
                return (dpl__html_tag)middle;
            break;
        }
        if (other < key)
            low = middle + 1;
        else
            high = middle;
    }
    uint32_t h = (uint32_t)name.n;
    for (size_t i = 0; i < name.n; i++)
        h = (h ^ (unsigned char)(name.data[i] | 0x20)) * 16777619u;
    *hash = h;
    return DPL__HTML_OTHER;
}
