/*
 * file_text.c - the text of a file that is sent: what a page cannot read itself, such as PDF.
 *
 * The readers of `doppel import` do it, with every file as one document. Nothing is written to
 * disk, and the name only gives its ending.
 */
#include "serve/app.h"

#include "doppel/text.h"

/* Its errors are the request's: the file is not what it should be. */
static void refuse(dpl__answer *a, dpl_status status, const dpl_error *err)
{
    if (status == DPL_E_FORMAT || status == DPL_E_UNSUPPORTED)
        dpl__answer_error(a, 422, err->code[0] ? err->code : "bad-file", "%s", err->text);
    else
        dpl__answer_failure(a, status, err);
}

static dpl_status put_text(dpl__answer *a, dpl_reader *reader, dpl_error *err)
{
    dpl_doc doc;
    dpl_status status = dpl_reader_next(reader, &doc, err);
    if (status == DPL_END) /* empty, or a folder of nothing */
        doc = (dpl_doc){0};
    else if (status != DPL_OK)
        return status;
    dpl_json j = dpl__answer_json(a);
    dpl_json_text(&j, "title", doc.title);
    dpl_json_text(&j, "lang", doc.lang);
    dpl_json_text(&j, "text", doc.text);
    dpl_json_end(&j, '}');
    return DPL_OK;
}

void dpl__post_text(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    dpl_str name = DPL_STR("file");
    dpl_error err = {0};
    dpl_reader *reader = NULL;
    if (!dpl__parameter_text(&name, &call->parameters, "name", 256, a))
        return;
    if (!dpl__has_type(call->request->content_type, "application/octet-stream")) {
        dpl__answer_error(a, 415, "media-type", "the body must be application/octet-stream");
        return;
    }
    const char *copy = dpl__arena_copy(&a->arena, name).data;
    const dpl_reader_options o = DPL_INIT(dpl_reader_options, .from = DPL_FORMAT_DIR);
    const dpl_input input = {
        .buffer = {call->request->body.data ? call->request->body.data : "",
                   call->request->body.n},
        .name = copy && *copy ? copy : "file"};
    dpl_status status;
    DPL__STEP(dpl_reader_open_input(&reader, a->ctx, &input, &o, &err));
    status = put_text(a, reader, &err);
done:
    if (status != DPL_OK)
        refuse(a, status, &err);
    dpl_reader_close(reader);
}
