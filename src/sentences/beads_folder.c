/*
 * beads_folder.c - a folder with a file for each document pair, and an index of them.
 *
 * File names are made from the two ids. They are injective: an escaped id neither begins nor
 * ends with "-" and has no "--" inside, so the first "--" of a name is the one between the ids,
 * and a name with a second one is a shortened name, which ends in a hash of both ids.
 */
#include "sentences/beads_writer.h"

#include "base/hash.h"

#include <stdio.h>
#include <sys/stat.h>

enum {
    MOST_NAME = 200, /* bytes: file systems take 255, and temporary names are longer */
    CUT_ID = 70,     /* bytes of an id in a shortened name */
};

/* Whether byte i of an id cannot stand in a name as it is. */
static bool is_escaped(dpl_str id, size_t i)
{
    unsigned char c = (unsigned char)id.data[i];
    if (c == '-')
        return i == 0 || i + 1 == id.n || id.data[i - 1] == '-';
    return c < 0x20 || c == 0x7F || c == '/' || c == '%' || (c == '.' && i == 0);
}

/* Appends the escaped id, as long as the name has at most `most` bytes; whether that was all of
 * it. A character of several bytes is not cut. */
static bool put_id(char *name, size_t *n, size_t most, dpl_str id)
{
    for (size_t i = 0; i < id.n;) {
        size_t n_bytes = 1;
        while ((id.data[i] & 0xC0) == 0xC0 && i + n_bytes < id.n &&
               (id.data[i + n_bytes] & 0xC0) == 0x80)
            n_bytes++;
        bool has_escape = is_escaped(id, i);
        if (*n + (has_escape ? 3 : n_bytes) > most)
            return false;
        if (has_escape) {
            *n += (size_t)snprintf(name + *n, 4, "%%%02X", (unsigned)(unsigned char)id.data[i]);
        } else {
            memcpy(name + *n, id.data + i, n_bytes);
            *n += n_bytes;
        }
        i += n_bytes;
    }
    return true;
}

static void put_hash(char *name, size_t *n, dpl_str left, dpl_str right)
{
    for (uint64_t seed = 1; seed <= 2; seed++) {
        uint64_t hash = dpl__hash(left.data, left.n, seed);
        hash = dpl__hash(right.data, right.n, hash);
        *n += (size_t)snprintf(name + *n, 17, "%016llx", (unsigned long long)hash);
    }
}

const char *dpl__beads_file_name(char out[DPL__BEADS_NAME_BYTES], dpl_str left, dpl_str right,
                                 dpl_beads_format format)
{
    const char *ending = dpl__beads_format_name((unsigned)format);
    size_t n = 0;
    bool is_whole = put_id(out, &n, MOST_NAME, left) && n + 2 <= MOST_NAME;
    if (is_whole) {
        memcpy(out + n, "--", 2);
        n += 2;
        is_whole = put_id(out, &n, MOST_NAME, right);
    }
    if (!is_whole) {
        n = 0;
        put_id(out, &n, CUT_ID, left);
        memcpy(out + n, "--", 2);
        n += 2;
        put_id(out, &n, n + CUT_ID, right);
        memcpy(out + n, "--", 2);
        n += 2;
        put_hash(out, &n, left, right);
    }
    snprintf(out + n, DPL__BEADS_NAME_BYTES - n, ".%s", ending ? ending : "");
    return out;
}

/* ---- files -------------------------------------------------------------------------- */

/* The folder's path and a name; free it with its length + 1. NULL: no memory. */
static char *join(const dpl_beads_writer *w, const char *name)
{
    size_t n_folder = strlen(w->folder), n = strlen(name);
    char *path = dpl__alloc(w->ctx, n_folder + n + 1);
    if (path) {
        memcpy(path, w->folder, n_folder);
        memcpy(path + n_folder, name, n + 1);
    }
    return path;
}

dpl_status dpl__beads_folder_open(dpl_beads_writer *w, const char *path, dpl_error *err)
{
    struct stat st;
    size_t n = strlen(path);
    bool is_there = stat(path, &st) == 0 && S_ISDIR(st.st_mode);
    if (!is_there && mkdir(path, 0777) != 0) {
        dpl__fail_errno(err, errno, "cannot make the folder '%s'", path);
        return dpl__code(err, DPL_E_IO, "format-per-pair");
    }
    w->folder = dpl__alloc(w->ctx, n + 2);
    DPL_TRY(dpl__need(w->folder, err));
    memcpy(w->folder, path, n);
    memcpy(w->folder + n, "/", 2);
    char *index = join(w, "index.tsv");
    DPL_TRY(dpl__need(index, err));
    dpl_status status = dpl_output_new(&w->files[0], w->ctx, index, err);
    dpl__free(w->ctx, index);
    return status;
}

static dpl_status write_file(dpl_beads_writer *w, const char *path,
                             const dpl_aligned_docs *docs, dpl_error *err)
{
    dpl_beads_options o = w->options;
    dpl_beads_writer *file = NULL;
    uint64_t n_rows = 0;
    o.folder = false;
    for (int i = 0; i < 2; i++)
        o.langs[i] = *w->lang[i] ? w->lang[i] : NULL;
    dpl_status status;
    DPL__STEP(dpl_beads_open(&file, w->ctx, path, w->c[0], w->c[1], &o, err));
    DPL__STEP(dpl_beads_write(file, docs, err));
    DPL__STEP(dpl_beads_finish(&n_rows, file, err));
done:
    dpl_beads_close(file);
    w->n_rows += n_rows;
    return status;
}

dpl_status dpl__beads_folder_write(dpl_beads_writer *w, const dpl_aligned_docs *docs,
                                   dpl_error *err)
{
    dpl_str left = dpl_collection_doc(w->c[0], docs->docs.left).id,
            right = dpl_collection_doc(w->c[1], docs->docs.right).id;
    char name[DPL__BEADS_NAME_BYTES];
    char *path = join(w, dpl__beads_file_name(name, left, right, w->options.to));
    DPL_TRY(dpl__need(path, err));
    dpl_status status = write_file(w, path, docs, err);
    dpl__free(w->ctx, path);
    if (status == DPL_OK) {
        dpl__bead_put_id(w, left, DPL__ESCAPE_NONE);
        dpl__bead_put_cstr(w, "\t");
        dpl__bead_put_id(w, right, DPL__ESCAPE_NONE);
        dpl__bead_put_cstr(w, "\t");
        dpl__bead_put_cstr(w, name);
        dpl__bead_put_cstr(w, "\n");
    }
    return status;
}
