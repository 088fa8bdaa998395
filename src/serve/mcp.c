/*
 * mcp.c - the Model Context Protocol: a model calls tools by lines of JSON-RPC 2.0.
 *
 * In: one message a line. Out: one answer a line, none to a notification. A tool is a request
 * to the same handlers that HTTP has (app.c), so that both have the same limits and answers; an
 * answer above 399 is a result with isError, whose text says what to change, because a model
 * reads that and not the errors of the protocol. Which tools there are depends on what is
 * served.
 */
#include "doppel/serve.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "readers/json_parser.h"
#include "serve/app.h"
#include "unicode/unicode.h"

#include <stdio.h>

/* Versions of the protocol that differ in nothing that is used here, the newest first. */
static const char *const versions[] = {"2025-06-18", "2025-03-26", "2024-11-05", NULL};

struct dpl_mcp {
    dpl_ctx *ctx;
    dpl__app *app;
    dpl__answer answer;
    dpl__json_text reply;
    dpl__arena arena;
};

/* ---- tools ---------------------------------------------------------------------------- */

typedef enum served { ANY, INDEX, RUN } served;

/* How the arguments become a request. */
typedef enum form {
    BODY,       /* they are the body */
    PARAMETERS, /* they are parameters of the query */
    NUMBER      /* "number" takes the place of # in the path */
} form;

typedef struct tool {
    const char *name;
    served served;
    form form;
    const char *method, *path;
    const char *about;
    const char *schema; /* of the arguments */
} tool;

#define TEXT_OF(about)                                                                         \
    "\"text\":{\"type\":\"string\",\"minLength\":1,\"description\":\"" about "\"}"
#define LANG                                                                                   \
    "\"lang\":{\"type\":\"string\",\"description\":\"language of the text as a code such as "  \
    "de; detected if absent\"}"
#define OBJECT(members, required)                                                              \
    "{\"type\":\"object\",\"properties\":{" members "},\"required\":[" required                \
    "],\"additionalProperties\":false}"

static const tool tools[] = {
    {"query", INDEX, BODY, "POST", "/api/v1/query",
     "Find the documents of the index that are most similar to a text of any length, also in "
     "another language if the index has a lexicon. Answers with id, title, language, score (0 "
     "to 1) and shared words of each.",
     OBJECT(
         TEXT_OF(
             "the text, from a few words to a whole document") "," LANG
                                                               ",\"top\":{\"type\":\"integer\","
                                                               "\"minimum\":1,\"maximum\":100,"
                                                               "\"default\":10},"
                                                               "\"threshold\":{\"type\":"
                                                               "\"number\",\"minimum\":0,"
                                                               "\"maximum\":1,\"description\":"
                                                               "\"least score of a "
                                                               "hit\"},\"passages\":{\"type\":"
                                                               "\"boolean\",\"description\":"
                                                               "\"with matching sentences, "
                                                               "where the index has texts\"}",
         "\"text\"")},
    {"passages", INDEX, BODY, "POST", "/api/v1/passages",
     "Find passages of a text that also occur in documents of the index: verbatim, edited, "
     "reordered or translated. Answers with the share of the text that is covered, the sources "
     "ranked by the words they explain, and each passage with both places and its context.",
     OBJECT(TEXT_OF("the text to check") "," LANG ",\"threshold\":{\"type\":\"number\","
                                         "\"minimum\":0,\"maximum\":1,\"description\":"
                                         "\"least similarity of a passage; default 0.55\"}",
            "\"text\"")},
    {"dedup-check", INDEX, BODY, "POST", "/api/v1/dedup-check",
     "Say whether the index has a text already, as a whole or in passages. Use it before a "
     "document is added. Answers with is_duplicate, the similar documents and the sources.",
     OBJECT(TEXT_OF("the text to check") "," LANG ",\"threshold\":{\"type\":\"number\","
                                         "\"minimum\":0,\"maximum\":1,\"default\":0.8,"
                                         "\"description\":\"similarity or share of covered "
                                         "words that makes a duplicate\"}",
            "\"text\"")},
    {"document", INDEX, NUMBER, "GET", "/api/v1/documents/#",
     "Read a document of the index by its number, the member row of other answers.",
     OBJECT("\"number\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"row of the "
            "document\"}",
            "\"number\"")},
    {"query", RUN, PARAMETERS, "GET", "/api/v1/pairs",
     "List document pairs of a mining run, with confidence and judgement. q keeps those with "
     "the text in an id or title.",
     OBJECT("\"q\":{\"type\":\"string\",\"maxLength\":256},\"order\":{\"type\":\"string\","
            "\"enum\":[\"doubt\",\"confidence\",\"file\"]},\"state\":{\"type\":\"string\","
            "\"enum\":[\"all\",\"open\",\"accepted\",\"rejected\"]},\"min_confidence\":{"
            "\"type\":\"number\",\"minimum\":0,\"maximum\":1},\"max_confidence\":{\"type\":"
            "\"number\",\"minimum\":0,\"maximum\":1},\"offset\":{\"type\":\"integer\","
            "\"minimum\":0},\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":1000,"
            "\"default\":50}",
            "")},
    {"passages", RUN, NUMBER, "GET", "/api/v1/pairs/#",
     "Read a document pair of a mining run by its number: both texts, and the sentences that "
     "are translations of each other.",
     OBJECT("\"number\":{\"type\":\"integer\",\"minimum\":0,\"description\":\"pair of the "
            "list\"}",
            "\"number\"")},
    {"align", ANY, BODY, "POST", "/api/v1/align",
     "Align two texts that are translations of each other: which sentences correspond, with a "
     "score (0 to 1) and a verdict (kept, or why not).",
     OBJECT("\"left\":{\"type\":\"string\",\"minLength\":1},\"right\":{\"type\":\"string\","
            "\"minLength\":1},\"left_lang\":{\"type\":\"string\"},\"right_lang\":{\"type\":"
            "\"string\"}",
            "\"left\",\"right\"")},
    {"info", ANY, BODY, "GET", "/api/v1/info",
     "Say what is served: its kind, number of documents or pairs, languages and limits.",
     OBJECT("", "")},
};

static bool is_offered(const dpl_mcp *m, const tool *t)
{
    return t->served == ANY || (t->served == RUN) == m->app->is_mine;
}

/* ---- answers -------------------------------------------------------------------------- */

/* An object with the id of the message, which the caller fills in and ends. */
static dpl_json begin_reply(dpl_mcp *m, dpl_str id)
{
    dpl_json j = dpl__json_into(&m->reply, DPL_JSON_COMPACT);
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "jsonrpc", "2.0");
    dpl_json_raw(&j, "id", id.n ? id : DPL_STR("null"));
    return j;
}

/* The same with a result, which is ended by end_result. */
static dpl_json begin_result(dpl_mcp *m, dpl_str id)
{
    dpl_json j = begin_reply(m, id);
    dpl_json_begin(&j, "result", '{');
    return j;
}

static void end_result(dpl_json *j)
{
    dpl_json_end(j, '}');
    dpl_json_end(j, '}');
}

/* An error of the protocol. */
static void reply_error(dpl_mcp *m, dpl_str id, int code, const char *message)
{
    char number[16];
    dpl_json j = begin_reply(m, id);
    snprintf(number, sizeof number, "%d", code);
    dpl_json_begin(&j, "error", '{');
    dpl_json_raw(&j, "code", dpl__cstr(number));
    dpl_json_cstr(&j, "message", message);
    end_result(&j);
}

enum { PARSE_ERROR = -32700, BAD_REQUEST = -32600, NO_METHOD = -32601, BAD_PARAMS = -32602 };

/* ---- methods -------------------------------------------------------------------------- */

static void reply_initialize(dpl_mcp *m, dpl_str id, dpl_str params)
{
    dpl_str wanted = {0}, raw = dpl__json_value(m->ctx, params, "protocolVersion");
    dpl__json json = dpl__json_begin(m->ctx, raw);
    const char *version = versions[0];
    if (raw.n && raw.data[0] == '"' && dpl__json_string(&json, &m->arena, &wanted) == DPL_OK)
        for (size_t i = 0; versions[i]; i++)
            if (dpl__str_eq(wanted, dpl__cstr(versions[i])))
                version = versions[i];
    dpl_json j = begin_result(m, id);
    dpl_json_cstr(&j, "protocolVersion", version);
    dpl_json_raw(&j, "capabilities", DPL_STR("{\"tools\":{\"listChanged\":false}}"));
    dpl_json_begin(&j, "serverInfo", '{');
    dpl_json_cstr(&j, "name", "doppel");
    dpl_json_cstr(&j, "version", dpl_version());
    dpl_json_end(&j, '}');
    dpl_json_cstr(
        &j, "instructions",
        m->app->is_mine
            ? "Results of a search for translations: list pairs with query, read one "
              "with passages, align texts of your own with align."
            : "An index of documents: find similar ones with query, reused passages of "
              "a text with passages, and whether it is there already with "
              "dedup-check.");
    end_result(&j);
}

static void reply_tools(dpl_mcp *m, dpl_str id)
{
    dpl_json j = begin_result(m, id);
    dpl_json_begin(&j, "tools", '[');
    for (size_t i = 0; i < DPL_LEN(tools); i++) {
        if (!is_offered(m, &tools[i]))
            continue;
        dpl_json_begin(&j, NULL, '{');
        dpl_json_cstr(&j, "name", tools[i].name);
        dpl_json_cstr(&j, "description", tools[i].about);
        dpl_json_raw(&j, "inputSchema", dpl__cstr(tools[i].schema));
        dpl_json_begin(&j, "annotations", '{');
        dpl_json_bool(&j, "readOnlyHint", true);
        dpl_json_bool(&j, "openWorldHint", false);
        dpl_json_end(&j, '}');
        dpl_json_end(&j, '}');
    }
    dpl_json_end(&j, ']');
    end_result(&j);
}

/* ---- calls of tools ------------------------------------------------------------------- */

/* A result of a tool: a text. */
static void reply_result(dpl_mcp *m, dpl_str id, dpl_str text, bool is_error)
{
    dpl_json j = begin_result(m, id);
    dpl_json_begin(&j, "content", '[');
    dpl_json_begin(&j, NULL, '{');
    dpl_json_cstr(&j, "type", "text");
    dpl_json_text(&j, "text", text);
    dpl_json_end(&j, '}');
    dpl_json_end(&j, ']');
    dpl_json_bool(&j, "isError", is_error);
    end_result(&j);
}

static bool add_escaped(dpl__bytes *out, dpl_ctx *ctx, dpl_str s)
{
    for (size_t i = 0; i < s.n; i++) {
        char code[4];
        snprintf(code, sizeof code, "%%%02X", (unsigned)(unsigned char)s.data[i]);
        if (!dpl__vec_append(ctx, out, code, 3))
            return false;
    }
    return true;
}

/* The arguments as parameters of a query: "?q=%41&limit=5". False: they are no such. */
static dpl_status add_parameters(dpl__bytes *out, dpl_mcp *m, dpl_str arguments)
{
    dpl__json j = dpl__json_begin(m->ctx, arguments);
    dpl_str key, value;
    char mark = '?';
    dpl_status status = dpl__json_open(&j, '{');
    while (status == DPL_OK && (status = dpl__json_member(&j, &m->arena, &key)) == DPL_OK) {
        const bool is_text = dpl__json_peek(&j) == '"';
        status = is_text ? dpl__json_string(&j, &m->arena, &value) : dpl__json_skip(&j, &value);
        if (status == DPL_OK &&
            (!dpl__vec_push(m->ctx, out, mark) || !add_escaped(out, m->ctx, key) ||
             !dpl__vec_push(m->ctx, out, '=') || !add_escaped(out, m->ctx, value)))
            status = DPL_E_NOMEM;
        mark = '&';
    }
    return status == DPL_END ? DPL_OK : status;
}

/* Path and query of the request. */
static dpl_status make_target(dpl__bytes *out, dpl_mcp *m, const tool *t, dpl_str arguments)
{
    const char *hash = strchr(t->path, '#');
    const size_t n = hash ? (size_t)(hash - t->path) : strlen(t->path);
    const dpl_str number = dpl__json_value(m->ctx, arguments, "number");
    if (!dpl__vec_append(m->ctx, out, t->path, n) ||
        (t->form == NUMBER && !dpl__vec_append(m->ctx, out, number.data, number.n)))
        return DPL_E_NOMEM;
    return t->form == PARAMETERS ? add_parameters(out, m, arguments) : DPL_OK;
}

static void call_tool(dpl_mcp *m, dpl_str id, const tool *t, dpl_str arguments)
{
    dpl__bytes target = {0};
    const dpl_status status = make_target(&target, m, t, arguments);
    if (status == DPL_OK) {
        const dpl__request request = {.method = dpl__cstr(t->method),
                                      .target = {target.data, target.n},
                                      .content_type = DPL_STR("application/json"),
                                      .body = t->form == BODY ? arguments : (dpl_str){"", 0}};
        dpl__answer_reset(&m->answer);
        dpl__app_answer(&m->answer, m->app, &request);
        reply_result(m, id, dpl__answer_body(&m->answer), m->answer.status >= 400);
    } else {
        reply_result(
            m, id, DPL_STR("the arguments could not be read: out of memory, or no JSON"), true);
    }
    dpl__vec_clear(m->ctx, &target);
}

static void reply_call(dpl_mcp *m, dpl_str id, dpl_str params)
{
    dpl_str name = {0}, raw = dpl__json_value(m->ctx, params, "name");
    dpl_str arguments = dpl__json_value(m->ctx, params, "arguments");
    dpl__json json = dpl__json_begin(m->ctx, raw);
    if (!raw.n || raw.data[0] != '"' || dpl__json_string(&json, &m->arena, &name) != DPL_OK) {
        reply_error(m, id, BAD_PARAMS, "tools/call wants the name of a tool");
        return;
    }
    if (!arguments.n || dpl__str_eq(arguments, DPL_STR("null")))
        arguments = DPL_STR("{}");
    if (arguments.data[0] != '{') {
        reply_error(m, id, BAD_PARAMS, "the arguments of a tool are an object");
        return;
    }
    for (size_t i = 0; i < DPL_LEN(tools); i++)
        if (is_offered(m, &tools[i]) && dpl__str_eq(name, dpl__cstr(tools[i].name))) {
            call_tool(m, id, &tools[i], arguments);
            return;
        }
    reply_error(m, id, BAD_PARAMS, "there is no such tool: tools/list names them");
}

/* ---- messages ------------------------------------------------------------------------- */

/* Is the line one value of JSON, an object? */
static bool is_object(const dpl_mcp *m, dpl_str line)
{
    dpl__json j = dpl__json_begin(m->ctx, line);
    dpl_str raw;
    return dpl__json_peek(&j) == '{' && dpl__json_skip(&j, &raw) == DPL_OK &&
           dpl__json_end(&j) == DPL_OK;
}

static bool is_json(const dpl_mcp *m, dpl_str line)
{
    dpl__json j = dpl__json_begin(m->ctx, line);
    dpl_str raw;
    return dpl__json_peek(&j) && dpl__json_skip(&j, &raw) == DPL_OK &&
           dpl__json_end(&j) == DPL_OK;
}

static void reply_request(dpl_mcp *m, dpl_str id, dpl_str method, dpl_str params)
{
    if (dpl__str_eq(method, DPL_STR("initialize"))) {
        reply_initialize(m, id, params);
    } else if (dpl__str_eq(method, DPL_STR("ping"))) {
        dpl_json j = begin_result(m, id);
        end_result(&j);
    } else if (dpl__str_eq(method, DPL_STR("tools/list"))) {
        reply_tools(m, id);
    } else if (dpl__str_eq(method, DPL_STR("tools/call"))) {
        reply_call(m, id, params);
    } else {
        reply_error(m, id, NO_METHOD, "there is no such method");
    }
}

/* An id is a string or a number; whatever else is there is none. */
static dpl_str id_of(dpl_mcp *m, dpl_str line)
{
    const dpl_str id = dpl__json_value(m->ctx, line, "id");
    const bool is_id =
        id.n && (id.data[0] == '"' || id.data[0] == '-' || dpl__is_digit(id.data[0]));
    return is_id ? id : (dpl_str){0};
}

static void reply_to(dpl_mcp *m, dpl_str line)
{
    dpl_str method = {0};
    if (line.n > m->app->options.max_record) {
        reply_error(m, (dpl_str){0}, BAD_REQUEST, "the message is longer than the limit");
        return;
    }
    if (!dpl__is_utf8(m->ctx, line) || !is_json(m, line)) {
        reply_error(m, (dpl_str){0}, PARSE_ERROR, "the message is not JSON on one line");
        return;
    }
    if (!is_object(m, line)) {
        reply_error(m, (dpl_str){0}, BAD_REQUEST,
                    "a message is one object; there are no batches");
        return;
    }
    const dpl_str id = id_of(m, line), raw = dpl__json_value(m->ctx, line, "method");
    dpl__json json = dpl__json_begin(m->ctx, raw);
    if (!raw.n || raw.data[0] != '"' || dpl__json_string(&json, &m->arena, &method) != DPL_OK) {
        reply_error(m, id, BAD_REQUEST, "a message has a method");
        return;
    }
    if (id.n) /* else a notification: nothing is answered */
        reply_request(m, id, method, dpl__json_value(m->ctx, line, "params"));
}

dpl_status dpl_mcp_answer(dpl_mcp *m, dpl_str line, dpl_str *reply, dpl_error *err)
{
    m->reply.bytes.n = 0;
    m->reply.has_failed = false;
    dpl__arena_reset(&m->arena);
    *reply = (dpl_str){0};
    while (line.n && (line.data[line.n - 1] == '\n' || line.data[line.n - 1] == '\r'))
        line.n--;
    if (!line.n)
        return DPL_OK;
    reply_to(m, line);
    if (m->reply.has_failed)
        return dpl__fail_nomem(err);
    *reply = (dpl_str){m->reply.bytes.data, m->reply.bytes.n};
    return DPL_OK;
}

dpl_status dpl_mcp_open(dpl_mcp **out, dpl_ctx *ctx, const char *path,
                        const dpl_serve_options *options, dpl_error *err)
{
    *out = NULL;
    dpl_mcp *m = dpl__calloc(ctx, 1, sizeof *m);
    DPL_TRY(dpl__need(m, err));
    m->ctx = ctx;
    dpl__arena_init(&m->arena, ctx);
    dpl__answer_init(&m->answer, ctx);
    m->reply.ctx = ctx;
    const dpl_status status = dpl__app_open(&m->app, ctx, path, options, err);
    if (status == DPL_OK)
        *out = m;
    else
        dpl_mcp_close(m);
    return status;
}

void dpl_mcp_close(dpl_mcp *m)
{
    if (!m)
        return;
    dpl__app_close(m->app);
    dpl__answer_clear(&m->answer);
    dpl__vec_clear(m->ctx, &m->reply.bytes);
    dpl__arena_clear(&m->arena);
    dpl__free(m->ctx, m);
}
