/*
 * module.c - the query code as a WebAssembly module: the answers of the server, in the page.
 *
 * The page writes the bytes of the index to where page_index() says, opens it with page_open(),
 * and then asks with page_answer(), which takes what a request has and leaves status and JSON
 * as the server gives them (docs/reference/openapi.yaml). One thread, no file system.
 */
#include "module.h"
#include "platform.h"
#include "serve/index_answers.h"

#include <stdio.h>
#include <stdlib.h>

enum { ALIGNMENT = 64 };

static dpl_ctx *ctx;
static dpl_index *index_of_page;
static dpl_query *query;
static dpl__answer answer;
static dpl_error error;
static char name_of_page[300];
static void *bytes;

void *EXPORT(page_alloc)(size_t n);
void EXPORT(page_free)(void *p);
void *EXPORT(page_index)(size_t n);
void EXPORT(page_stems)(const char *text, size_t n);
const char *EXPORT(page_open)(size_t n, const char *name);
unsigned EXPORT(page_answer)(const char *method, const char *target, const char *body,
                             size_t n_body);
const char *EXPORT(page_body)(void);
size_t EXPORT(page_body_size)(void);

/* The page's: how far a call is; total is 0 where it is not known. */
__attribute__((import_module("page"), import_name("progress"))) void
page_progress(const char *stage, double done, double total);

static int tell_progress(void *user, const dpl_progress *p)
{
    (void)user;
    page_progress(p->stage, (double)p->done, (double)p->total);
    return 0;
}

void *page_alloc(size_t n)
{
    return malloc(n ? n : 1);
}

void page_free(void *p)
{
    free(p);
}

/* Where n bytes of the index go; NULL: there is no room. */
void *page_index(size_t n)
{
    free(bytes);
    bytes = NULL;
    if (posix_memalign(&bytes, ALIGNMENT, n ? n : 1))
        bytes = NULL;
    return bytes;
}

/* The table of stems, in memory of page_alloc() that is not freed again. */
void page_stems(const char *text, size_t n)
{
    dpl__wasm_set_stems((dpl_str){text, n});
}

dpl_ctx *dpl__wasm_ctx(void)
{
    const dpl_ctx_options o =
        DPL_INIT(dpl_ctx_options, .n_threads = 1, .memory = (uint64_t)1 << 30,
                 .cpu = DPL_CPU_SCALAR, .progress = tell_progress);
    if (!ctx)
        (void)dpl_ctx_new(&ctx, &o, &error);
    return ctx;
}

static void close_index(void)
{
    if (!query)
        return;
    dpl__answer_clear(&answer);
    dpl_query_free(query);
    dpl_index_close(index_of_page);
    query = NULL;
    index_of_page = NULL;
}

/* NULL, or what is wrong. */
const char *page_open(size_t n, const char *name)
{
    close_index();
    snprintf(name_of_page, sizeof name_of_page, "%s", name);
    if (!dpl__wasm_ctx() ||
        dpl_index_open_memory(&index_of_page, ctx, bytes, n, &error) != DPL_OK ||
        dpl_query_new(&query, index_of_page, NULL, &error) != DPL_OK)
        return error.text;
    dpl__answer_init(&answer, ctx);
    return NULL;
}

/* Method and target are terminated. Answers the status; the body is page_body()'s until the
 * next call. */
unsigned page_answer(const char *method, const char *target, const char *body, size_t n_body)
{
    const dpl__request request = {.method = {method, strlen(method)},
                                  .target = {target, strlen(target)},
                                  .content_type = {"application/json", 16},
                                  .body = {body, n_body}};
    dpl__answer_reset(&answer);
    dpl__answer_index(&answer, index_of_page, query, &request, name_of_page, UINT32_MAX / 8);
    return answer.status;
}

const char *page_body(void)
{
    return dpl__answer_body(&answer).data;
}

size_t page_body_size(void)
{
    return dpl__answer_body(&answer).n;
}
