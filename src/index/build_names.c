/*
 * build_names.c - ids, titles and languages; a perfect hash function finds an id.
 */
#include "index/build.h"

#include "base/order.h"
#include "par/sort.h"

dpl_status dpl__build_write_packed(dpl__builder *b, const char *name, const uint32_t *values,
                                   uint64_t n, dpl_error *err)
{
    dpl__bytes bytes = {0};
    uint32_t most = 0;
    for (uint64_t i = 0; i < n; i++)
        most = values[i] > most ? values[i] : most;
    bool is_done = dpl__packed_new(b->ctx, &bytes, n, dpl__width_of(most));
    for (uint64_t i = 0; i < n && is_done; i++)
        dpl__packed_put(&bytes, i, values[i]);
    dpl_status status =
        is_done ? dpl__writer_add_large(b->writer, name, 1, bytes.data, bytes.n, err)
                : dpl__fail_nomem(err);
    dpl__vec_clear(b->ctx, &bytes);
    return status;
}

dpl_status dpl__build_write_offsets(dpl__builder *b, const char *name, dpl__offsets_writer *w,
                                    dpl_error *err)
{
    dpl__bytes bytes = {0};
    dpl_status status;
    DPL__STEP(dpl__offsets_finish(w, &bytes, err));
    DPL__STEP(dpl__writer_add_large(b->writer, name, 1, bytes.data, bytes.n, err));
done:
    dpl__vec_clear(b->ctx, &bytes);
    return status;
}

/* ---- ids ---------------------------------------------------------------------------- */

typedef struct id_key {
    uint64_t key;
    uint32_t doc;
} id_key;

DPL__ORDER(by_key, id_key, DPL__RISING(key) DPL__RISING(doc))

static dpl_str id_of(const dpl__builder *b, uint32_t doc)
{
    uint32_t local;
    const dpl__pocket_source *s = dpl__build_source_of(b, doc, &local);
    return dpl__build_doc(s, local).id;
}

static dpl_status check_ids(dpl__builder *b, id_key *keys, dpl_error *err)
{
    DPL_TRY(dpl__parallel_sort(b->ctx, keys, b->n_docs, sizeof *keys, by_key, err));
    for (uint32_t i = 1; i < b->n_docs; i++)
        if (keys[i].key == keys[i - 1].key) {
            const dpl_str id = id_of(b, keys[i].doc);
            return dpl__fail_code(err, DPL_E_FORMAT, "same-id", "the id '%.*s' is there twice",
                                  (int)dpl__min(id.n, 200), id.data);
        }
    return DPL_OK;
}

static dpl_status write_id_table(dpl__builder *b, const id_key *keys, uint64_t *plain,
                                 uint32_t *rows, dpl_error *err)
{
    uint8_t *bytes = NULL;
    size_t n_bytes = 0;
    dpl__mph mph;
    for (uint32_t i = 0; i < b->n_docs; i++)
        plain[i] = keys[i].key;
    DPL_TRY(dpl__mph_make(&bytes, &n_bytes, b->ctx, plain, b->n_docs, err));
    const char *wrong = dpl__mph_open(&mph, bytes, n_bytes);
    assert(!wrong);
    (void)wrong;
    dpl_status status;
    DPL__STEP(dpl__writer_add_large(b->writer, "id.mph", 8, bytes, n_bytes, err));
    for (uint32_t i = 0; i < b->n_docs; i++)
        rows[dpl__mph_get(&mph, keys[i].key)] = keys[i].doc;
    DPL__STEP(dpl__build_write_packed(b, "id.rows", rows, b->n_docs, err));
done:
    dpl__free(b->ctx, bytes);
    return status;
}

static dpl_status write_ids(dpl__builder *b, dpl_error *err)
{
    const size_t n = (size_t)b->n_docs + 1;
    id_key *keys = dpl__alloc(b->ctx, n * sizeof *keys);
    uint64_t *plain = dpl__alloc(b->ctx, n * sizeof *plain);
    uint32_t *rows = dpl__alloc(b->ctx, n * sizeof *rows);
    dpl_status status = DPL_OK;
    DPL__STEP(dpl__need(keys && plain && rows, err));
    for (uint32_t i = 0; i < b->n_docs; i++)
        keys[i] = (id_key){dpl__string_key(id_of(b, i)), i};
    DPL__STEP(check_ids(b, keys, err));
    DPL__STEP(write_id_table(b, keys, plain, rows, err));
done:
    dpl__free(b->ctx, rows, plain, keys);
    return status;
}

/* ---- names -------------------------------------------------------------------------- */

static dpl_status append_names(dpl__builder *b, dpl__offsets_writer *offsets, dpl_error *err)
{
    DPL_TRY(dpl__writer_begin(b->writer, "name.bytes", 1, err));
    for (uint32_t i = 0; i < b->n_docs; i++) {
        uint32_t local;
        const dpl__pocket_source *s = dpl__build_source_of(b, i, &local);
        const dpl_index_doc doc = dpl__build_doc(s, local);
        DPL_TRY(dpl__writer_append(b->writer, doc.id.data, doc.id.n, err));
        DPL_TRY(dpl__offsets_add(offsets, doc.id.n, err));
        DPL_TRY(dpl__writer_append(b->writer, doc.title.data, doc.title.n, err));
        DPL_TRY(dpl__offsets_add(offsets, doc.title.n, err));
    }
    return dpl__build_write_offsets(b, "name.offsets", offsets, err);
}

dpl_status dpl__build_names(dpl__builder *b, dpl_error *err)
{
    dpl__offsets_writer offsets = {.ctx = b->ctx};
    DPL_TRY(write_ids(b, err));
    dpl_status status = append_names(b, &offsets, err);
    dpl__offsets_clear(&offsets);
    DPL_TRY(status);
    DPL_TRY(dpl__writer_add(b->writer, "lang.codes", 1, b->langs,
                            (size_t)b->n_langs * DPL__LANG_BYTES, err));
    DPL_TRY(dpl__writer_add(b->writer, "lang.counts", 8, b->lang_counts,
                            2 * (size_t)b->n_langs * sizeof *b->lang_counts, err));
    DPL_TRY(dpl__writer_add_large(b->writer, "doc.langs", 1, b->doc_langs, b->n_docs, err));
    return dpl__build_write_packed(b, "doc.words", b->doc_words, b->n_docs, err);
}
