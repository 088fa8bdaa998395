/*
 * open_lexicon.c - a lexicon, from a file of ours (load_lexicon.c) or from text (read_tsv.c).
 */
#include "lexicon/lexicon.h"

#include "base/ctx.h"
#include "base/sized.h"
#include "io/container.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool dpl__lexicon_is_file(const char *path)
{
    char head[DPL__CONTAINER_N_MAGIC];
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode))
        return false;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    bool is_ours = read(fd, head, sizeof head) == (ssize_t)sizeof head &&
                   memcmp(head, DPL__CONTAINER_MAGIC, sizeof head) == 0;
    close(fd);
    return is_ours;
}

static dpl_status set_lang(dpl_lexicon *l, int side, const char *name, dpl_error *err)
{
    if (!name)
        return DPL_OK;
    dpl_lang lang = dpl_lang_canonical(dpl__cstr(name));
    if (strcmp(lang.code, "und") == 0)
        return dpl__fail(err, DPL_E_USAGE, "unknown language '%s'", name);
    if (*l->lang[side] && strcmp(l->lang[side], lang.code) != 0)
        return dpl__fail(err, DPL_E_USAGE, "'%s' is from '%s' to '%s': its %s is not '%s'",
                         dpl_file_get_info(l->file).path, l->lang[DPL__LEFT],
                         l->lang[DPL__RIGHT], dpl__lexicon_sides[side], lang.code);
    memcpy(l->lang[side], lang.code, sizeof lang.code);
    return DPL_OK;
}

static dpl_status set_langs(dpl_lexicon *l, const dpl_lexicon_options *o, dpl_error *err)
{
    DPL_TRY(set_lang(l, DPL__LEFT, o->source_lang, err));
    return set_lang(l, DPL__RIGHT, o->target_lang, err);
}

/* A file of ours at path, or the text of in. */
static dpl_status fill(dpl_lexicon *l, const char *path, dpl__input *in,
                       const dpl_lexicon_options *o, dpl_error *err)
{
    if ((unsigned)o->on_error > DPL_ON_ERROR_SKIP || o->on_error == DPL_ON_ERROR_REPLACE)
        return dpl__fail(err, DPL_E_USAGE,
                         "a line of a lexicon that cannot be read is an error or skipped");
    if (in) {
        DPL_TRY(set_langs(l, o, err));
        return dpl__lexicon_read(l, in, o->on_error == DPL_ON_ERROR_SKIP, err);
    }
    DPL_TRY(dpl_file_open(&l->file, l->ctx, path, err));
    DPL_TRY(dpl__lexicon_load(l, err));
    return set_langs(l, o, err);
}

/* Takes the input. */
static dpl_status open_any(dpl_lexicon **out, dpl_ctx *ctx, const char *path, dpl__input *in,
                           const dpl_lexicon_options *options, dpl_error *err)
{
    dpl_lexicon_options o;
    dpl_lexicon *l = NULL;
    dpl_status status;
    DPL__STEP(DPL__TAKE(&o, options, err));
    l = dpl__calloc(ctx, 1, sizeof *l);
    DPL__STEP(dpl__need(l, err));
    l->ctx = ctx;
    DPL__STEP(fill(l, path, in, &o, err));
    *out = l;
    l = NULL;
done:
    dpl__input_close(in);
    dpl_lexicon_close(l);
    return status;
}

dpl_status dpl__lexicon_from_file(dpl_lexicon **out, dpl_ctx *ctx, dpl_file *file,
                                  dpl_error *err)
{
    *out = NULL;
    dpl_lexicon *l = dpl__calloc(ctx, 1, sizeof *l);
    if (!l) {
        dpl_file_close(file);
        return dpl__fail_nomem(err);
    }
    l->ctx = ctx;
    l->file = file;
    dpl_status status;
    DPL__STEP(dpl__lexicon_load(l, err));
    *out = l;
    l = NULL;
done:
    dpl_lexicon_close(l);
    return status;
}

dpl_status dpl_lexicon_save(const dpl_lexicon *l, const char *path, dpl_error *err)
{
    if (!l->file)
        return dpl__fail(err, DPL_E_USAGE,
                         "a lexicon that was read from text has one direction only: import it "
                         "to save it");
    return dpl__file_save(l->file, path, err);
}

static dpl_status keep_path(dpl_lexicon **out, const char *path, dpl_error *err)
{
    dpl_lexicon *l = *out;
    size_t n = strlen(path) + 1;
    l->path = dpl__alloc(l->ctx, n);
    if (l->path) {
        memcpy(l->path, path, n);
        return DPL_OK;
    }
    dpl_lexicon_close(l);
    *out = NULL;
    return dpl__fail_nomem(err);
}

void dpl__lexicon_note_skipped(const dpl_lexicon *l)
{
    if (*l->first_skipped)
        dpl__note(l->ctx, "%s (lines of the lexicon skipped: %llu)", l->first_skipped,
                  (unsigned long long)l->sizes.n_skipped);
}

dpl_status dpl__lexicon_open(dpl_lexicon **out, dpl_ctx *ctx, const char *path,
                             const dpl_lexicon_options *options, dpl_error *err)
{
    *out = NULL;
    dpl__input *in = NULL;
    if (!dpl__lexicon_is_file(path))
        DPL_TRY(dpl__input_open(&in, ctx, path, err));
    DPL_TRY(open_any(out, ctx, path, in, options, err));
    return in ? keep_path(out, path, err) : DPL_OK;
}

dpl_status dpl_lexicon_open(dpl_lexicon **out, dpl_ctx *ctx, const char *path,
                            const dpl_lexicon_options *options, dpl_error *err)
{
    DPL_TRY(dpl__lexicon_open(out, ctx, path, options, err));
    dpl__lexicon_note_skipped(*out);
    return DPL_OK;
}

dpl_status dpl__lexicon_open_memory(dpl_lexicon **out, dpl_ctx *ctx, const char *name,
                                    dpl_str text, const dpl_lexicon_options *options,
                                    dpl_error *err)
{
    *out = NULL;
    dpl__input *in = NULL;
    DPL_TRY(dpl__input_open_memory(&in, ctx, name, text.data, text.n, err));
    return open_any(out, ctx, name, in, options, err);
}

dpl_status dpl__lexicon_set_langs(dpl_lexicon_options *o, dpl__lexicon_langs *room,
                                  const char *langs, dpl_error *err)
{
    if (!langs)
        return DPL_OK;
    const char *comma = strchr(langs, ',');
    const size_t n = strlen(langs);
    if (!comma || comma == langs || !comma[1] || strchr(comma + 1, ',') ||
        n >= sizeof room->text)
        return dpl__fail(err, DPL_E_USAGE, "'%.60s' is not two languages such as de,en", langs);
    memcpy(room->text, langs, n + 1);
    room->text[comma - langs] = '\0';
    o->source_lang = room->text;
    o->target_lang = room->text + (comma - langs) + 1;
    return DPL_OK;
}
