/*
 * site.c - what is served now, opened again when its files change.
 */
#include "serve/site.h"

#include "doppel/serve.h"
#include "serve/app.h"

#include <setjmp.h>
#include <stdio.h>

/* ---- pages that cannot be read ------------------------------------------------------ */

static _Thread_local sigjmp_buf *fault_at; /* NULL: nothing is guarded on this thread */

bool dpl__guard(void (*f)(void *user), void *user)
{
    sigjmp_buf here;
    if (sigsetjmp(here, 1) != 0) {
        fault_at = NULL;
        return false;
    }
    fault_at = &here;
    f(user);
    fault_at = NULL;
    return true;
}

/* What the call was doing stays undone: memory and locks of its site are given up with it. */
void dpl_server_fault(void)
{
    if (fault_at)
        siglongjmp(*fault_at, 1);
}

/* ---- a site ------------------------------------------------------------------------- */

static void close_site(dpl__site *s)
{
    if (!s || s->has_died)
        return;
    dpl__index_site_close(s->index);
    dpl__mine_folder_close(s->mine);
    dpl__watch_clear(&s->watch, s->ctx);
    dpl__free(s->ctx, s);
}

static dpl_status open_files(dpl__site *s, const dpl__place *p, dpl_error *err)
{
    struct stat st;
    if (stat(p->path, &st) != 0)
        return dpl__fail_errno(err, errno, "cannot open '%s'", p->path);
    if (S_ISDIR(st.st_mode))
        return dpl__mine_folder_open(&s->mine, s->ctx, p->path, p->is_read_only, err);
    DPL_TRY(dpl__watch_add(&s->watch, s->ctx, p->path, true, err));
    return dpl__index_site_open(&s->index, s->ctx, p->path, err);
}

static dpl_status open_site(dpl__site **out, const dpl__place *p, dpl_error *err)
{
    dpl__site *s = dpl__calloc(p->ctx, 1, sizeof *s);
    *out = NULL;
    DPL_TRY(dpl__need(s, err));
    s->ctx = p->ctx;
    s->n_users = 1;
    dpl_status status;
    DPL__STEP(open_files(s, p, err));
    *out = s;
    s = NULL;
done:
    close_site(s);
    return status;
}

static dpl__change look(const dpl__site *s, uint64_t *state)
{
    return dpl__watch_look(s->mine ? &s->mine->watch : &s->watch, state);
}

bool dpl__site_is_good(const dpl__site *s)
{
    return !s->has_died && look(s, NULL) != DPL__OVERWRITTEN;
}

/* ---- the place ---------------------------------------------------------------------- */

dpl_status dpl__place_open(dpl__place *p, dpl_ctx *ctx, const char *path, bool is_read_only,
                           dpl_error *err)
{
    *p = (dpl__place){.ctx = ctx, .is_read_only = is_read_only};
    if ((size_t)snprintf(p->path, sizeof p->path, "%s", path) >= sizeof p->path)
        return dpl__fail(err, DPL_E_USAGE, "the name of what shall be served is too long");
    const int e = pthread_mutex_init(&p->lock, NULL);
    if (e)
        return dpl__fail_errno(err, e, "cannot make a lock");
    p->has_lock = true;
    return open_site(&p->now, p, err);
}

void dpl__place_close(dpl__place *p)
{
    close_site(p->now);
    if (p->has_lock)
        pthread_mutex_destroy(&p->lock);
    *p = (dpl__place){0};
}

dpl__site *dpl__site_take(dpl__place *p)
{
    pthread_mutex_lock(&p->lock);
    dpl__site *s = p->now;
    s->n_users++;
    pthread_mutex_unlock(&p->lock);
    return s;
}

void dpl__site_give(dpl__place *p, dpl__site *s)
{
    pthread_mutex_lock(&p->lock);
    const bool is_last = --s->n_users == 0;
    pthread_mutex_unlock(&p->lock);
    if (is_last)
        close_site(s);
}

typedef struct opening {
    dpl__site *site;
    const dpl__place *place;
    dpl_status status;
    dpl_error err;
} opening;

static void run_opening(void *user)
{
    opening *o = user;
    o->status = open_site(&o->site, o->place, &o->err);
}

static bool has_same_kind(const dpl__site *a, const dpl__site *b)
{
    return !a->index == !b->index;
}

/* Puts another site in its place. */
static dpl__look replace(dpl__place *p, dpl__site *fresh)
{
    pthread_mutex_lock(&p->lock);
    dpl__site *old = p->now;
    p->now = fresh;
    p->problem[0] = 0;
    pthread_mutex_unlock(&p->lock);
    dpl__site_give(p, old);
    return DPL__OPENED_AGAIN;
}

static dpl__look open_again(dpl__place *p)
{
    opening o = {.place = p, .status = DPL_E_IO};
    const bool is_whole = dpl__guard(run_opening, &o);
    if (is_whole && o.status == DPL_OK && has_same_kind(o.site, p->now))
        return replace(p, o.site);
    if (is_whole)
        close_site(o.site);
    pthread_mutex_lock(&p->lock);
    snprintf(p->problem, sizeof p->problem, "%s",
             !is_whole            ? "it changed while it was opened"
             : o.status == DPL_OK ? "it is something else now"
                                  : o.err.text);
    pthread_mutex_unlock(&p->lock);
    return DPL__CANNOT_OPEN;
}

dpl__look dpl__place_look(dpl__place *p)
{
    uint64_t state = 0;
    const bool is_same = look(p->now, &state) == DPL__UNCHANGED && !p->now->has_died;
    const bool is_at_rest = state == p->seen;
    p->seen = state;
    if (is_same || !is_at_rest || state == p->tried)
        return DPL__NOTHING_NEW;
    p->tried = state;
    return open_again(p);
}
