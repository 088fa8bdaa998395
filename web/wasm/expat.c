/*
 * expat.c - the part of Expat's interface that readers call: documents in one piece, as those
 * in e-books and office files are.
 *
 * What is fed is kept until the last piece, then elements, attributes, text, CDATA and the
 * predefined entities are handed out; a DTD is passed over, and names it may declare are
 * skipped entities. UTF-8 only: the page converts other encodings. Not done: suspending.
 */
#include <expat.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DEPTH = 1000, MOST_ATTRIBUTES = 200 };

struct XML_ParserStruct {
    void *user;
    XML_StartElementHandler start;
    XML_EndElementHandler end;
    XML_CharacterDataHandler text;
    XML_SkippedEntityHandler skipped;
    char *data; /* terminated */
    size_t n, n_room, at;
    enum XML_Error error;
    int is_stopped, has_root;
    size_t depth, names[MOST_DEPTH]; /* where the open elements' names are */
};

XML_Parser XML_ParserCreate(const XML_Char *encoding)
{
    (void)encoding;
    return calloc(1, sizeof(struct XML_ParserStruct));
}

void XML_ParserFree(XML_Parser p)
{
    if (p)
        free(p->data);
    free(p);
}

XML_Bool XML_ParserReset(XML_Parser p, const XML_Char *encoding)
{
    (void)encoding;
    free(p->data);
    memset(p, 0, sizeof *p);
    return XML_TRUE;
}

void XML_SetUserData(XML_Parser p, void *user)
{
    p->user = user;
}

void XML_SetElementHandler(XML_Parser p, XML_StartElementHandler start,
                           XML_EndElementHandler end)
{
    p->start = start;
    p->end = end;
}

void XML_SetStartElementHandler(XML_Parser p, XML_StartElementHandler start)
{
    p->start = start;
}

void XML_SetCharacterDataHandler(XML_Parser p, XML_CharacterDataHandler text)
{
    p->text = text;
}

void XML_SetEntityDeclHandler(XML_Parser p, XML_EntityDeclHandler handler)
{
    (void)p, (void)handler;
}

void XML_SetSkippedEntityHandler(XML_Parser p, XML_SkippedEntityHandler handler)
{
    p->skipped = handler;
}

void XML_SetExternalEntityRefHandler(XML_Parser p, XML_ExternalEntityRefHandler handler)
{
    (void)p, (void)handler;
}

void XML_SetUnknownEncodingHandler(XML_Parser p, XML_UnknownEncodingHandler handler, void *data)
{
    (void)p, (void)handler, (void)data;
}

enum XML_Error XML_UseForeignDTD(XML_Parser p, XML_Bool use)
{
    return (void)p, (void)use, XML_ERROR_NONE;
}

enum XML_Status XML_StopParser(XML_Parser p, XML_Bool resumable)
{
    (void)resumable;
    p->is_stopped = 1;
    return XML_STATUS_OK;
}

enum XML_Status XML_ResumeParser(XML_Parser p)
{
    return (void)p, XML_STATUS_ERROR;
}

enum XML_Error XML_GetErrorCode(XML_Parser p)
{
    return p->error;
}

XML_Size XML_GetCurrentLineNumber(XML_Parser p)
{
    XML_Size n = 1;
    for (size_t i = 0; i < p->at; i++)
        n += p->data[i] == '\n';
    return n;
}

XML_Size XML_GetCurrentColumnNumber(XML_Parser p)
{
    XML_Size n = 0;
    for (size_t i = p->at; i > 0 && p->data[i - 1] != '\n'; i--)
        n++;
    return n;
}

XML_Index XML_GetCurrentByteIndex(XML_Parser p)
{
    return (XML_Index)p->at;
}

int XML_GetCurrentByteCount(XML_Parser p)
{
    return (void)p, 0;
}

const XML_LChar *XML_ErrorString(enum XML_Error code)
{
    switch (code) {
    case XML_ERROR_NO_MEMORY: return "out of memory";
    case XML_ERROR_TAG_MISMATCH: return "mismatched tag";
    case XML_ERROR_NO_ELEMENTS: return "no element found";
    case XML_ERROR_ABORTED: return "parsing aborted";
    default: return "not well-formed (invalid token)";
    }
}

/* ---- text ------------------------------------------------------------------------------- */

static int is_space(char c)
{
    return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static int is_name(char c)
{
    return c && !is_space(c) && !strchr("/>=<&;'\"", c);
}

/* A character as UTF-8; 0: none. */
static int encode(char out[4], unsigned long c)
{
    if (c == 0 || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000))
        return 0;
    if (c < 0x80) {
        out[0] = (char)c;
        return 1;
    }
    const int n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (int i = n - 1; i > 0; i--, c >>= 6)
        out[i] = (char)(0x80 | (c & 0x3F));
    out[0] = (char)((0xF00 >> n & 0xFF) | c);
    return n;
}

/* What "&...;" at s stands for, into out; *end is behind it. -1: a name that nobody knows, 0:
 * no reference. */
static int take_reference(const char *s, const char **end, char out[4])
{
    static const struct {
        const char *name;
        char c;
    } known[] = {{"amp;", '&'}, {"lt;", '<'}, {"gt;", '>'}, {"quot;", '"'}, {"apos;", '\''}};
    if (s[1] == '#') {
        char *behind;
        const int is_hex = s[2] == 'x';
        const unsigned long c = strtoul(s + 2 + is_hex, &behind, is_hex ? 16 : 10);
        *end = behind + 1;
        return behind > s + 2 + is_hex && *behind == ';' ? encode(out, c) : 0;
    }
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(s + 1, known[i].name, strlen(known[i].name)) == 0) {
            *end = s + 1 + strlen(known[i].name);
            out[0] = known[i].c;
            return 1;
        }
    const char *p = s + 1;
    while (is_name(*p))
        p++;
    *end = p + 1;
    return p > s + 1 && *p == ';' ? -1 : 0;
}

static void fail(XML_Parser p, const char *at, enum XML_Error error)
{
    if (!p->error)
        p->error = error;
    p->at = (size_t)(at - p->data);
}

static void hand_out(XML_Parser p, const char *s, size_t n)
{
    if (n && p->text && p->depth && !p->is_stopped)
        p->text(p->user, s, (int)n);
}

static const char *take_text(XML_Parser p, const char *s)
{
    const char *begin = s;
    while (*s && *s != '<' && !p->is_stopped && !p->error) {
        if (*s != '&') {
            s++;
            continue;
        }
        char c[4], name[48];
        const char *end = s;
        hand_out(p, begin, (size_t)(s - begin));
        const int n = take_reference(s, &end, c);
        if (n == 0 || (n < 0 && (!p->skipped || (size_t)(end - s) > sizeof name))) {
            fail(p, s, XML_ERROR_INVALID_TOKEN);
            return s;
        }
        if (n > 0) {
            hand_out(p, c, (size_t)n);
        } else {
            memcpy(name, s + 1, (size_t)(end - s) - 2);
            name[end - s - 2] = 0;
            p->skipped(p->user, name, 0);
        }
        begin = s = end;
    }
    hand_out(p, begin, (size_t)(s - begin));
    return s;
}

/* ---- elements --------------------------------------------------------------------------- */

/* Decodes the value between s and end in place. */
static int decode_value(char *s, char *end)
{
    char *to = s;
    while (s < end) {
        char c[4];
        const char *behind = s;
        const int n = *s == '&' ? take_reference(s, &behind, c) : 0;
        if (*s == '&' && n <= 0)
            return 0;
        if (n) {
            memcpy(to, c, (size_t)n);
            to += n;
            s = (char *)(uintptr_t)behind;
        } else {
            *to++ = is_space(*s) ? ' ' : *s;
            s++;
        }
    }
    *to = 0;
    return 1;
}

static char *take_attributes(XML_Parser p, char *s, const char **out, int *is_empty)
{
    size_t n = 0;
    for (;;) {
        while (is_space(*s)) {
            *s = 0;
            s++;
        }
        *is_empty = *s == '/' && s[1] == '>';
        if (*s == '>' || *is_empty)
            break;
        char *name = s;
        while (is_name(*s))
            s++;
        char *name_end = s;
        while (is_space(*s))
            s++;
        if (s == name || *s++ != '=' || n + 2 >= 2 * MOST_ATTRIBUTES)
            goto bad;
        while (is_space(*s))
            s++;
        const char quote = *s;
        char *value = s + 1, *end = quote == '"' || quote == '\'' ? strchr(value, quote) : NULL;
        if (!end || !decode_value(value, end))
            goto bad;
        *name_end = 0;
        out[n++] = name;
        out[n++] = value;
        s = end + 1;
    }
    out[n] = NULL;
    const int step = *is_empty ? 2 : 1;
    *s = 0; /* ends the name of an element without attributes */
    return s + step;
bad:
    fail(p, s, XML_ERROR_INVALID_TOKEN);
    return s;
}

static char *take_start(XML_Parser p, char *s)
{
    const char *attributes[2 * MOST_ATTRIBUTES + 1];
    char *name = ++s;
    int is_empty = 0;
    while (is_name(*s))
        s++;
    if (s == name || p->depth == MOST_DEPTH) {
        fail(p, s, XML_ERROR_INVALID_TOKEN);
        return s;
    }
    s = take_attributes(p, s, attributes, &is_empty);
    if (p->error)
        return s;
    p->names[p->depth++] = (size_t)(name - p->data);
    p->has_root = 1;
    if (p->start)
        p->start(p->user, name, attributes);
    if (is_empty && !p->is_stopped) {
        if (p->end)
            p->end(p->user, name);
        p->depth--;
    }
    return s;
}

static char *take_end(XML_Parser p, char *s)
{
    const char *name = p->depth ? p->data + p->names[p->depth - 1] : "";
    const size_t n = strlen(name);
    char *end = s + 2 + n;
    if (!p->depth || strncmp(s + 2, name, n) != 0) {
        fail(p, s, XML_ERROR_TAG_MISMATCH);
        return s;
    }
    while (is_space(*end))
        end++;
    if (*end != '>') {
        fail(p, s, XML_ERROR_TAG_MISMATCH);
        return s;
    }
    if (p->end)
        p->end(p->user, name);
    p->depth--;
    return end + 1;
}

/* Passes over "<!DOCTYPE ... [ ... ]>". */
static char *skip_doctype(char *s)
{
    int depth = 0;
    for (; *s; s++) {
        depth += (*s == '[') - (*s == ']');
        if (*s == '>' && depth <= 0)
            return s + 1;
    }
    return NULL;
}

static char *take_markup(XML_Parser p, char *s)
{
    char *end = NULL;
    if (strncmp(s, "<!--", 4) == 0) {
        end = strstr(s + 4, "-->");
        end = end ? end + 3 : NULL;
    } else if (strncmp(s, "<![CDATA[", 9) == 0) {
        end = strstr(s, "]]>");
        if (end)
            hand_out(p, s + 9, (size_t)(end - s) - 9);
        end = end ? end + 3 : NULL;
    } else if (s[1] == '?') {
        end = strstr(s, "?>");
        end = end ? end + 2 : NULL;
    } else if (s[1] == '!') {
        end = skip_doctype(s);
    } else {
        return s[1] == '/' ? take_end(p, s) : take_start(p, s);
    }
    if (!end)
        fail(p, s, XML_ERROR_INVALID_TOKEN);
    return end ? end : s;
}

static enum XML_Status parse(XML_Parser p)
{
    char *s = p->data;
    if (strncmp(s, "\xEF\xBB\xBF", 3) == 0)
        s += 3;
    while (*s && !p->is_stopped && !p->error) {
        p->at = (size_t)(s - p->data);
        if (*s == '<')
            s = take_markup(p, s);
        else
            s = (char *)(uintptr_t)take_text(p, s);
    }
    if (p->is_stopped)
        fail(p, s, XML_ERROR_ABORTED);
    else if (!p->error && (p->depth || !p->has_root))
        fail(p, s, p->has_root ? XML_ERROR_INVALID_TOKEN : XML_ERROR_NO_ELEMENTS);
    return p->error ? XML_STATUS_ERROR : XML_STATUS_OK;
}

enum XML_Status XML_Parse(XML_Parser p, const char *s, int n, int is_final)
{
    if (p->n + (size_t)n + 1 > p->n_room) {
        const size_t room = 2 * p->n_room + (size_t)n + 1;
        char *data = realloc(p->data, room);
        if (!data) {
            p->error = XML_ERROR_NO_MEMORY;
            return XML_STATUS_ERROR;
        }
        p->data = data;
        p->n_room = room;
    }
    memcpy(p->data + p->n, s, (size_t)n);
    p->n += (size_t)n;
    p->data[p->n] = 0;
    return is_final ? parse(p) : XML_STATUS_OK;
}
