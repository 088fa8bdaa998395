/*
 * site.h - what is served now: an index or the folder of a mine run, and the files that it was
 * opened from. When they change, another site takes its place; requests under way keep theirs.
 * Locked.
 */
#ifndef DPL_SERVE_SITE_H
#define DPL_SERVE_SITE_H

#include "serve/mine_folder.h"
#include "serve/watch.h"

struct dpl__index_site;

typedef struct dpl__site {
    dpl_ctx *ctx;
    struct dpl__index_site *index; /* one of the two is set */
    dpl__mine_folder *mine;
    dpl__watch watch;     /* of an index */
    unsigned n_users;     /* requests under way, and one for the place */
    atomic_bool has_died; /* a page of a file could not be read: it is never closed, because
                             the reader stopped in the middle */
} dpl__site;

/* The site that is served; it changes. */
typedef struct dpl__place {
    dpl_ctx *ctx;
    char path[4000];
    bool is_read_only;
    pthread_mutex_t lock;
    bool has_lock;
    dpl__site *now;
    uint64_t seen, tried; /* states of the files at the last look, and when opened in vain */
    char problem[600];    /* why it could not be opened again; empty: nothing is wrong */
} dpl__place;

dpl_status dpl__place_open(dpl__place *p, dpl_ctx *ctx, const char *path, bool is_read_only,
                           dpl_error *err);
void dpl__place_close(dpl__place *p);

/* The site for a request, to be given back. */
dpl__site *dpl__site_take(dpl__place *p);
void dpl__site_give(dpl__place *p, dpl__site *site);
/* Whether it can be read: its files have not been overwritten. */
bool dpl__site_is_good(const dpl__site *site);

/* Looks at the files; opens them again when they have changed, and are the same at two looks in
 * a row, so that nobody is writing. From one thread, now and then. */
typedef enum dpl__look { DPL__NOTHING_NEW = 0, DPL__OPENED_AGAIN, DPL__CANNOT_OPEN } dpl__look;
dpl__look dpl__place_look(dpl__place *p);

/* Calls f(user); false: it read a page of a mapped file that is not there any more, and was
 * left in the middle. Needs a handler of SIGBUS that calls dpl_server_fault. */
bool dpl__guard(void (*f)(void *user), void *user);

#endif
