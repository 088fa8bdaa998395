/*
 * server_api.c - the page, health, metrics, and what is served.
 */
#include "page/page.h"
#include "serve/app.h"
#include "serve/index_answers.h"

void dpl__get_page(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    (void)call;
    a->status = 200;
    a->type = "text/html; charset=utf-8";
    a->policy = dpl__page_csp;
    a->fixed = (dpl_str){(const char *)dpl__page, dpl__page_size};
    a->is_cacheable = true;
}

void dpl__get_healthz(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)app;
    (void)call;
    dpl_json j = dpl__answer_json(a);
    dpl_json_cstr(&j, "status", "ok");
    dpl_json_end(&j, '}');
}

static size_t mine_gauges(dpl__gauge *out, const dpl__mine_folder *f)
{
    uint64_t n[3] = {0};
    for (size_t i = 0; i < f->pairs.n; i++)
        n[f->states[i] % 3]++;
    out[0] = (dpl__gauge){"pairs", "Pairs of documents.", f->pairs.n};
    out[1] = (dpl__gauge){"pairs_accepted", "Pairs accepted.", n[DPL__JUDGED_ACCEPT]};
    out[2] = (dpl__gauge){"pairs_rejected", "Pairs rejected.", n[DPL__JUDGED_REJECT]};
    return 3;
}

void dpl__get_metrics(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)call;
    dpl__gauge gauges[8];
    const size_t n = call->site->mine
                         ? mine_gauges(gauges, call->site->mine)
                         : dpl__index_gauges(gauges, DPL_LEN(gauges), call->site->index);
    a->status = 200;
    a->type = "text/plain; version=0.0.4; charset=utf-8";
    if (!dpl__metrics_print(a->ctx, &a->text.bytes, &app->metrics, dpl__route_names, gauges, n))
        a->text.has_failed = true;
}

void dpl__get_info(dpl__answer *a, dpl__app *app, const dpl__call *call)
{
    (void)call;
    dpl_json j = dpl__info_begin(a, call->site->mine ? "mine" : "index", app->name,
                                 app->options.max_record);
    if (call->site->mine)
        dpl__mine_put_info(&j, call->site->mine);
    else
        dpl__index_site_put_info(&j, call->site->index);
    dpl_json_end(&j, '}');
}
