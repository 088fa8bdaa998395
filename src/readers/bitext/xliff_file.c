/*
 * xliff_file.c - XLIFF as documents: each <file> becomes one, each unit a paragraph.
 *
 * The id is the path; if there are several <file> elements, "path#original" for those behind
 * the first, or "path#2" when they are not named. Of a file that is translated in part, the
 * target side has what is translated.
 */
#include "readers/bitext/bilingual.h"
#include "readers/bitext/xliff.h"
#include "readers/dir.h"

#include <stdio.h>

typedef struct file {
    dpl__xliff xliff;
    dpl__bilingual sides;
    dpl_str path;      /* id of the whole */
    unsigned n_files;  /* begun so far */
    uint64_t unit[2];  /* number of the last one on each side, from 1 */
    char langs[2][24]; /* of the one at hand */
    char name[200];
} file;

static dpl_status give_file(file *f, dpl_error *err)
{
    char behind[240] = "";
    if (f->n_files > 1 && f->name[0])
        snprintf(behind, sizeof behind, "#%s", f->name);
    else if (f->n_files > 1)
        snprintf(behind, sizeof behind, "#%u", f->n_files);
    const size_t n_behind = strlen(behind);
    char *id = dpl__arena_alloc(&f->sides.batch->arena, f->path.n + n_behind + 1);
    DPL_TRY(dpl__need(id, err));
    memcpy(id, f->path.data, f->path.n);
    memcpy(id + f->path.n, behind, n_behind);
    dpl_status status =
        dpl__bilingual_give(&f->sides, (dpl_str){id, f->path.n + n_behind}, err);
    return status == DPL_END ? DPL_OK : status;
}

static dpl_status begin_file(void *user, dpl_error *err)
{
    file *f = user;
    dpl_status status = f->n_files ? give_file(f, err) : DPL_OK;
    f->n_files++;
    snprintf(f->langs[0], sizeof f->langs[0], "%s", f->xliff.source_lang);
    snprintf(f->langs[1], sizeof f->langs[1], "%s", f->xliff.target_lang);
    snprintf(f->name, sizeof f->name, "%s", f->xliff.original);
    f->unit[0] = f->unit[1] = 0;
    return status;
}

static dpl_status add_segment(void *user, const dpl__xliff_segment *s, dpl_error *err)
{
    file *f = user;
    const dpl_str texts[2] = {s->source, s->target};
    for (int side = 0; side < 2; side++) {
        if (!texts[side].n)
            continue;
        const bool is_new = f->unit[side] != s->unit;
        if (!is_new && !s->is_ignorable)
            DPL_TRY(dpl__bilingual_add(&f->sides, side, DPL_STR(" "), false, err));
        DPL_TRY(dpl__bilingual_add(&f->sides, side, texts[side], is_new, err));
        f->unit[side] = s->unit;
    }
    return DPL_OK;
}

static dpl_status read_all(file *f, dpl_str bytes, dpl_error *err)
{
    dpl__batch *batch = f->sides.batch;
    dpl_error fault = {0};
    DPL_TRY(dpl__xliff_begin(&f->xliff, err));
    dpl_status status = dpl__xliff_feed(&f->xliff, bytes, true, &fault);
    if (status == DPL_OK && f->n_files)
        return give_file(f, err);
    if (status == DPL_E_FORMAT && !fault.code[0])
        return dpl__record_bad(batch, DPL__AT(f->sides.chunk, fault.line, fault.column),
                               DPL_DROP_MALFORMED, err, "%s", fault.text);
    if (status < 0 && err)
        *err = fault;
    return status;
}

static dpl_status parse_xliff(dpl__batch *batch, const dpl__chunk *chunk, dpl_str id,
                              dpl_str bytes, dpl_error *err)
{
    file f = {.path = id, .sides = {.batch = batch, .chunk = chunk}};
    f.sides.langs[0] = f.langs[0];
    f.sides.langs[1] = f.langs[1];
    f.xliff = (dpl__xliff){.ctx = batch->ctx,
                           .on_file = begin_file,
                           .on_segment = add_segment,
                           .user = &f,
                           .encoding = "UTF-8"};
    dpl_status status = read_all(&f, bytes, err);
    dpl__xliff_end(&f.xliff);
    dpl__bilingual_clear(&f.sides);
    return status;
}

const dpl__filetype dpl__filetype_xliff = {
    .endings =
        (const char *const[]){".xliff", ".xlf", ".mxliff", ".sdlxliff", ".mqxliff", NULL},
    .can_declare_charset = true,
    .sniff = dpl__is_xliff,
    .parse = parse_xliff};
