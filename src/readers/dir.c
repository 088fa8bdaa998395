/*
 * dir.c - directories of HTML, text, Markdown and other files, each of them a document.
 *
 * In: a directory. Out: its files in bytewise order of their names, whatever the disk's order;
 * the name is the document's id. Directories wait on a list, not on the stack, and links to
 * directories are not followed: no tree goes round in circles, and one too deep for the system
 * is an error.
 * Cost: one stat per file, a sort of the names; a file without an ending is opened once more.
 */
#include "readers/dir.h"

#include "base/ctx.h"
#include "io/codec.h"
#include "io/external_filter.h"
#include "readers/foreign.h"
#include "readers/guess.h"
#include "readers/html/html.h"
#include "readers/reader.h"
#include "unicode/charset.h"
#include "unicode/unicode.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- names ---------------------------------------------------------------------------- */

extern const dpl__filetype dpl__filetype_html, dpl__filetype_markdown, dpl__filetype_package,
    dpl__filetype_fodt, dpl__filetype_subtitles, dpl__filetype_xliff, dpl__filetype_catalogue,
    dpl__filetype_pdf;

static const dpl__filetype *const types[] = {
    &dpl__filetype_html,      &dpl__filetype_markdown,  &dpl__filetype_plain,
    &dpl__filetype_package,   &dpl__filetype_fodt,      &dpl__filetype_xliff,
    &dpl__filetype_catalogue, &dpl__filetype_subtitles, &dpl__filetype_pdf,
};

/* NULL when it is none of ours. */
static const dpl__filetype *type_of(dpl_str path)
{
    path = dpl__unpacked_name(path);
    for (size_t i = 0; i < DPL_LEN(types); i++)
        for (const char *const *at = types[i]->endings; *at; at++)
            if (dpl__has_ending(path, *at))
                return types[i];
    return NULL;
}

/* Detects the type from the first bytes; NULL: they do not decide. */
static const dpl__filetype *type_of_bytes(dpl_str start, bool is_binary_only)
{
    for (size_t i = 0; i < DPL_LEN(types); i++)
        if (types[i]->sniff && (types[i]->is_binary || !is_binary_only) &&
            types[i]->sniff(start))
            return types[i];
    return NULL;
}

static bool is_known(dpl_str start)
{
    return type_of_bytes(start, false) != NULL;
}

bool dpl__dir_is_ours(dpl_str path)
{
    return type_of(path) != NULL;
}

/* ---- the list ------------------------------------------------------------------------- */

typedef DPL_VEC(const char *) paths;
typedef DPL_VEC(dpl__dir_member) members;

typedef struct listing {
    dpl_ctx *ctx;
    dpl__dir_list *list;
    bool follow_links;
    const dpl__filetype *asked; /* whose program was looked for last */
    bool is_there;              /* that program */
    size_t n_root;              /* bytes of a path before the name */
    paths waiting;              /* directories */
    members found;
} listing;

static char *join(dpl__arena *arena, const char *directory, const char *name)
{
    size_t n = strlen(directory), n_name = strlen(name);
    bool has_slash = n && directory[n - 1] == '/';
    char *path = dpl__arena_alloc(arena, n + n_name + 2);
    if (!path)
        return NULL;
    memcpy(path, directory, n);
    path[n] = '/';
    memcpy(path + n + !has_slash, name, n_name + 1);
    return path;
}

static dpl_status add_member(listing *l, const char *path, const char *name, off_t size,
                             dpl_error *err)
{
    dpl__dir_member member = {.path = path, .name = name};
    l->list->n_bytes += (uint64_t)size;
    return dpl__need(dpl__vec_push(l->ctx, &l->found, member), err);
}

/* Keeps the first ones by name: those of each kind by themselves would be twenty. */
static dpl_status leave_out(listing *l, const char *parent, const char *name, bool is_link,
                            dpl_error *err)
{
    dpl__dir_list *list = l->list;
    *(is_link ? &list->n_links : &list->n_other) += 1;
    const char *path = join(&list->arena, parent, name);
    DPL_TRY(dpl__need(path, err));
    const dpl__dir_left_out new = {path + l->n_root, is_link};
    size_t n_same = 0, last = 0;
    for (size_t i = 0; i < list->n_left_out; i++)
        if (list->left_out[i].is_link == is_link) {
            n_same++;
            last = i;
        }
    if (n_same == DPL__DIR_LEFT_OUT / 2) {
        if (strcmp(new.name, list->left_out[last].name) >= 0)
            return DPL_OK;
        memmove(&list->left_out[last], &list->left_out[last + 1],
                (--list->n_left_out - last) * sizeof new);
    }
    size_t at = list->n_left_out;
    while (at && strcmp(new.name, list->left_out[at - 1].name) < 0)
        at--;
    memmove(&list->left_out[at + 1], &list->left_out[at], (list->n_left_out - at) * sizeof new);
    list->left_out[at] = new;
    list->n_left_out++;
    return DPL_OK;
}

/* Is the file text, by its first bytes? One that cannot be opened is: reading it says why. */
static bool is_text(int directory, const char *name)
{
    char start[DPL__FOREIGN_LOOKED_AT];
    const int fd = openat(directory, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    if (fd < 0)
        return true;
    const ssize_t n = read(fd, start, sizeof start);
    close(fd);
    return n < 0 || !dpl__foreign_of((dpl_str){start, (size_t)n});
}

/* Can the file be read here? Names without an ending say nothing: its bytes do. */
static bool is_readable(listing *l, int directory, const char *name)
{
    const dpl__filetype *type = type_of(dpl__cstr(name));
    if (!type && !strchr(name, '.'))
        return is_text(directory, name);
    if (!type || !type->program)
        return type != NULL;
    if (l->asked != type) {
        l->is_there = dpl__filter_is_there(type->program);
        l->asked = type;
    }
    return l->is_there;
}

static dpl_status add_entry(listing *l, int directory, const char *parent, const char *name,
                            dpl_error *err)
{
    struct stat st;
    if (name[0] == '.')
        return DPL_OK;
    int failed = fstatat(directory, name, &st, AT_SYMLINK_NOFOLLOW);
    bool is_link = !failed && S_ISLNK(st.st_mode);
    if (is_link)
        failed = fstatat(directory, name, &st, 0);
    if (failed && !is_link && errno != ENOENT)
        return dpl__fail_errno(err, errno, "cannot read '%s' in '%s'", name, parent);
    if (failed) /* gone since it was listed, or a link to nowhere */
        return DPL_OK;
    bool is_directory = S_ISDIR(st.st_mode) && !is_link;
    if (S_ISDIR(st.st_mode) && is_link) /* never followed: it may lead in a circle */
        return leave_out(l, parent, name, true, err);
    if (!S_ISREG(st.st_mode) && !is_directory)
        return DPL_OK;
    if (S_ISREG(st.st_mode) && !is_readable(l, directory, name))
        return leave_out(l, parent, name, false, err);
    if (is_link && !l->follow_links)
        return leave_out(l, parent, name, true, err);
    const char *path = join(&l->list->arena, parent, name);
    if (path && !is_directory)
        return add_member(l, path, path + l->n_root, st.st_size, err);
    return dpl__need(path && dpl__vec_push(l->ctx, &l->waiting, path), err);
}

static dpl_status list_directory(listing *l, const char *path, dpl_error *err)
{
    DIR *directory = opendir(path);
    if (!directory)
        return dpl__fail_errno(err, errno, "cannot open '%s'", path);
    dpl_status status = DPL_OK;
    while (status == DPL_OK) {
        errno = 0;
        const struct dirent *entry = readdir(directory);
        if (!entry) {
            if (errno)
                status = dpl__fail_errno(err, errno, "cannot read '%s'", path);
            break;
        }
        status = add_entry(l, dirfd(directory), path, entry->d_name, err);
    }
    closedir(directory);
    return status;
}

static int compare_members(const void *a, const void *b)
{
    return strcmp(((const dpl__dir_member *)a)->name, ((const dpl__dir_member *)b)->name);
}

static dpl_status list_path(listing *l, const char *given, dpl_error *err)
{
    struct stat st;
    const char *path = dpl__arena_copy(&l->list->arena, dpl__cstr(given)).data;
    DPL_TRY(dpl__need(path, err));
    if (stat(path, &st) != 0)
        return dpl__fail_errno(err, errno, "cannot open '%s'", path);
    if (!S_ISDIR(st.st_mode))
        return add_member(l, path, path, st.st_size, err);
    l->n_root = strlen(path) + (path[strlen(path) - 1] != '/');
    DPL_TRY(list_directory(l, path, err));
    while (l->waiting.n)
        DPL_TRY(list_directory(l, l->waiting.data[--l->waiting.n], err));
    return DPL_OK;
}

static dpl_status keep_found(listing *l, dpl_error *err)
{
    dpl__dir_list *list = l->list;
    const size_t n_bytes = l->found.n * sizeof *list->data;
    list->data = dpl__arena_alloc(&list->arena, n_bytes);
    DPL_TRY(dpl__need(list->data, err));
    list->n = l->found.n;
    if (list->n) {
        memcpy(list->data, l->found.data, n_bytes);
        dpl__vec_sort(list, compare_members);
    }
    return DPL_OK;
}

dpl_status dpl__dir_list_open(dpl__dir_list *out, dpl_ctx *ctx, const char *path,
                              bool follow_links, dpl_error *err)
{
    *out = (dpl__dir_list){0};
    dpl__arena_init(&out->arena, ctx);
    listing l = {.ctx = ctx, .list = out, .follow_links = follow_links};
    dpl_status status;
    DPL__STEP(list_path(&l, path, err));
    status = keep_found(&l, err);
done:
    dpl__vec_clear(ctx, &l.found, &l.waiting);
    if (status != DPL_OK)
        dpl__dir_list_close(out);
    return status;
}

dpl_status dpl__dir_list_one(dpl__dir_list *out, dpl_ctx *ctx, const char *name,
                             uint64_t n_bytes, dpl_error *err)
{
    *out = (dpl__dir_list){.n_bytes = n_bytes, .n = 1};
    dpl__arena_init(&out->arena, ctx);
    out->data = dpl__arena_alloc(&out->arena, sizeof *out->data);
    const char *copy = dpl__arena_copy(&out->arena, dpl__cstr(name)).data;
    if (!out->data || !copy) {
        dpl__dir_list_close(out);
        return dpl__fail_nomem(err);
    }
    out->data[0] = (dpl__dir_member){.path = copy, .name = copy};
    return DPL_OK;
}

void dpl__dir_list_close(dpl__dir_list *list)
{
    if (list->arena.ctx)
        dpl__arena_clear(&list->arena);
    *list = (dpl__dir_list){0};
}

/* ---- one file ------------------------------------------------------------------------- */

/* Which encoding bytes are in that are not UTF-8: the option's, the declared one, the one they
 * look like. *likely is the last one when it is not sure. */
static dpl_status find_charset(dpl__charset *out, dpl__guess *likely, dpl__batch *batch,
                               bool can_declare, dpl_str s, dpl_error *err)
{
    const char *option = batch->options->encoding;
    bool is_utf8_given;
    *out = (dpl__charset){0};
    *likely = (dpl__guess){0};
    if (option && dpl__charset_option(out, &is_utf8_given, option))
        return DPL_OK;
    if (can_declare)
        *out = dpl__charset_declared(s);
    if (out->name[0])
        return DPL_OK;
    DPL_TRY(dpl__charset_guess(likely, batch->ctx, s, err));
    if (likely->is_sure)
        *out = likely->charset;
    return DPL_OK;
}

static dpl_status convert(dpl__batch *batch, const dpl__chunk *chunk, const dpl__charset *from,
                          dpl_str *s, dpl_error *err)
{
    size_t n_replaced;
    dpl_status status = dpl__charset_convert(s, &batch->arena, from, &n_replaced, err);
    if (status == DPL_END)
        return dpl__record_utf8(batch, chunk, 1, 1, s, err);
    DPL_TRY(status);
    if (n_replaced && batch->options->on_error != DPL_ON_ERROR_REPLACE)
        return dpl__record_bad(batch, DPL__AT(chunk, 0, 0), DPL_DROP_UTF8, err,
                               "not valid %s in %zu place%s", from->name, n_replaced,
                               n_replaced == 1 ? "" : "s");
    batch->counts.n_replaced += n_replaced;
    batch->counts.n_converted[dpl__encoding_number(from->name)]++;
    return DPL_OK;
}

dpl_status dpl__file_to_utf8(dpl__batch *batch, const dpl__chunk *chunk, bool can_declare,
                             dpl_str *s, dpl_error *err)
{
    if (chunk->is_utf16 || dpl__is_utf8(batch->ctx, *s))
        return dpl__record_utf8(batch, chunk, 1, 1, s, err);
    dpl__charset charset;
    dpl__guess likely;
    DPL_TRY(find_charset(&charset, &likely, batch, can_declare, *s, err));
    if (charset.name[0])
        return convert(batch, chunk, &charset, s, err);
    dpl__chunk here = *chunk;
    here.likely = likely.charset.name[0] ? likely.charset.name : NULL;
    return dpl__record_utf8(batch, &here, 1, 1, s, err);
}

static const dpl__filetype *find_type(const dpl__chunk *chunk, dpl_str text)
{
    const dpl__filetype *by_name = type_of(dpl__cstr(chunk->member));
    const dpl__filetype *by_bytes = type_of_bytes(text, by_name != NULL);
    return by_bytes && !(by_name && by_name->parse) ? by_bytes
           : by_name                                ? by_name
                                                    : &dpl__filetype_plain;
}

/* A page without boilerplate; DPL_END when it was only learnt from. */
static dpl_status read_page(dpl__batch *batch, const dpl__chunk *chunk, dpl_doc *doc,
                            dpl_str text, dpl_error *err)
{
    dpl__html_page page;
    const dpl__html_source source = {.header = &chunk->header, .html = text, .id = doc->id};
    DPL_TRY(
        dpl__html_page_read(&page, &batch->arena, &source, &batch->counts.n_boilerplate, err));
    doc->title = page.title;
    doc->lang = page.lang;
    doc->text = page.text;
    return DPL_OK;
}

/* DPL_END when the policy drops the file. */
static dpl_status read_file(dpl__batch *batch, dpl__chunk *chunk, dpl_doc *doc, dpl_error *err)
{
    dpl_str text = {chunk->bytes.data, chunk->bytes.n};
    const dpl__filetype *type = find_type(chunk, text);
    if (!dpl__is_utf8(batch->ctx, doc->id) && batch->options->on_error != DPL_ON_ERROR_REPLACE)
        return dpl__record_bad(batch, DPL__AT(chunk, 0, 0), DPL_DROP_UTF8, err,
                               "the name is not valid UTF-8");
    DPL_TRY(dpl__record_utf8(batch, chunk, 0, 0, &doc->id, err));
    if (type->is_binary)
        return type->parse(batch, chunk, doc->id, text, err);
    const dpl__foreign *foreign =
        type->can_declare_charset ? dpl__foreign_magic(text) : dpl__foreign_of(text);
    if (foreign) {
        dpl_status bad = dpl__record_bad(batch, DPL__AT(chunk, 0, 0), DPL_DROP_FILE_TYPE, err,
                                         "it is %s, not text", foreign->what);
        return bad == DPL_END ? bad : dpl__code(err, bad, foreign->code);
    }
    DPL_TRY(dpl__file_to_utf8(batch, chunk, type->can_declare_charset, &text, err));
    if (type->parse)
        return type->parse(batch, chunk, doc->id, text, err);
    dpl_status status = type == &dpl__filetype_html && chunk->header.no_boilerplate
                            ? read_page(batch, chunk, doc, text, err)
                            : type->read(doc, &batch->arena, text, batch->options, err);
    if (status == DPL_END)
        return status;
    if (status == DPL_E_FORMAT)
        return dpl__record_bad(batch, DPL__AT(chunk, 0, 0), DPL_DROP_MALFORMED, err,
                               "its elements are nested too deeply");
    if (status == DPL_E_LIMIT) {
        status = dpl__record_bad(batch, DPL__AT(chunk, 0, 0), DPL_DROP_LONG, err,
                                 "its elements take more memory than a page may");
        return status == DPL_END ? status : dpl__code(err, status, "memory");
    }
    return status == DPL_OK ? dpl__batch_add(batch, chunk, 0, doc, err) : status;
}

static dpl_status parse(dpl__batch *batch, dpl__chunk *chunk, dpl_error *err)
{
    dpl_doc doc = {.id = dpl__cstr(chunk->member)};
    dpl_status status = read_file(batch, chunk, &doc, err);
    return status == DPL_END ? DPL_OK : status;
}

const dpl__format dpl__format_dir = {.format = DPL_FORMAT_DIR,
                                     .name = "dir",
                                     .is_ours = dpl__dir_is_ours,
                                     .has_pages = true,
                                     .sniff = is_known,
                                     .parse = parse};
