/*
 * phrase_model.c - opens a phrase model and checks everything that is used as an index.
 */
#include "translate/decode.h"

#include "readers/file_checks.h"
#include "translate/phrases.h"

static dpl_status get_lang(char out[12], const dpl_file *f, const char *name, dpl_error *err)
{
    dpl_str text;
    DPL_TRY(dpl__get_lang(f, name, &text, err));
    memcpy(out, text.data, text.n);
    out[text.n] = 0;
    return DPL_OK;
}

static dpl_status hash_sources(dpl__phrase_model *m, dpl_error *err)
{
    m->numbers.user = &m->sources;
    DPL_TRY(dpl__need(dpl__source_words_reserve(&m->numbers, m->ctx, m->sources.n), err));
    for (uint32_t i = 0; i < m->sources.n; i++) {
        uint32_t *slot = dpl__source_words_find(
            &m->numbers, dpl__source_hash_at(&m->sources, i), dpl__string(&m->sources, i));
        m->numbers.n_used += !*slot;
        *slot = *slot ? *slot : i + 1;
    }
    return DPL_OK;
}

uint32_t dpl__model_find(const dpl__phrase_model *m, dpl_str folded)
{
    const uint64_t hash = dpl__hash(folded.data, folded.n, 0);
    const uint32_t number = *dpl__source_words_find(&m->numbers, hash, folded);
    assert(number <= m->sources.n);
    return number ? number - 1 : DPL__NO_WORD;
}

static dpl_status get_words(dpl__phrase_model *m, dpl_error *err)
{
    const dpl_file *f = m->file;
    dpl__strings targets;
    DPL_TRY(get_lang(m->from, f, "source.lang", err));
    DPL_TRY(get_lang(m->into, f, "target.lang", err));
    DPL_TRY(dpl__get_strings(f, "source.offsets", "source.bytes", &m->sources, SIZE_MAX, err));
    DPL_TRY(dpl__get_strings(f, "target.offsets", "target.bytes", &targets, SIZE_MAX, err));
    DPL_TRY(dpl__get_strings(f, "shown.offsets", "shown.bytes", &m->shown, targets.n, err));
    DPL_TRY(dpl__get_n(f, "shown.flags", 1, &m->flags, targets.n, err));
    if (m->sources.n >= UINT32_MAX - 1 || targets.n >= UINT32_MAX - 4)
        return dpl__fail(err, DPL_E_LIMIT, "'%s': too many words", dpl_file_get_info(f).path);
    return hash_sources(m, err);
}

static dpl_status check_options(dpl__phrase_model *m, size_t n_options, dpl_error *err)
{
    for (size_t i = 0; i < n_options; i++) {
        uint64_t n = m->begins[i + 1] - m->begins[i];
        if (n < 1 || n > DPL__MOST_PHRASE)
            return dpl__damaged(m->file, "option.begins", "a phrase of no or too many words",
                                err);
        if (!(m->scores[i] > -1e6f && m->scores[i] < 1e6f))
            return dpl__damaged(m->file, "option.scores", "a score out of range", err);
    }
    return DPL_OK;
}

static dpl_status get_phrases(dpl__phrase_model *m, dpl_error *err)
{
    const dpl_file *f = m->file;
    const uint64_t *keys = NULL;
    size_t n, n_options, n_words;
    DPL_TRY(dpl__get(f, "phrase.keys", 8, &keys, &n, err));
    DPL_TRY(dpl__get(f, "option.scores", 4, &m->scores, &n_options, err));
    DPL_TRY(dpl__get(f, "option.words", 4, &m->words, &n_words, err));
    DPL_TRY(dpl__get_offsets(f, "phrase.offsets", &m->offsets, n, n_options, err));
    DPL_TRY(dpl__get_offsets(f, "option.begins", &m->begins, n_options, n_words, err));
    DPL_TRY(dpl__check_below(f, "option.words", m->words, n_words, m->shown.n, err));
    DPL_TRY(check_options(m, n_options, err));
    for (size_t i = 1; i < n; i++)
        if (keys[i] <= keys[i - 1])
            return dpl__damaged(f, "phrase.keys", "keys do not rise", err);
    if (n >= UINT32_MAX)
        return dpl__fail(err, DPL_E_LIMIT, "'%s': too many phrases", dpl_file_get_info(f).path);
    return dpl__need(dpl__keys_init(&m->phrases, m->ctx, keys, n), err);
}

static dpl_status load(dpl__phrase_model *m, const char *path, dpl_error *err)
{
    dpl_status status = dpl_file_open(&m->file, m->ctx, path, err);
    if (status == DPL_E_FORMAT)
        return dpl__code(err, status, "not-phrases");
    DPL_TRY(status);
    status = dpl__check_kind(m->file, "phrases", err);
    if (status == DPL_E_USAGE)
        return dpl__code(err, status, "not-phrases");
    DPL_TRY(status);
    DPL_TRY(dpl_file_check(m->file, err)); /* all of it is read now anyway */
    DPL_TRY(get_words(m, err));
    DPL_TRY(get_phrases(m, err));
    uint32_t n = (uint32_t)dpl__min(m->shown.n, DPL__LM_MOST);
    return dpl__lm_open(&m->lm, m->ctx, m->file, n, err);
}

dpl_status dpl__model_open(dpl__phrase_model *m, dpl_ctx *ctx, const char *path, dpl_error *err)
{
    *m = (dpl__phrase_model){.ctx = ctx};
    dpl_status status = load(m, path, err);
    if (status != DPL_OK)
        dpl__model_close(m);
    return status;
}

void dpl__model_close(dpl__phrase_model *m)
{
    if (!m->ctx)
        return;
    dpl__lm_close(&m->lm, m->ctx);
    dpl__keys_clear(&m->phrases, m->ctx);
    dpl__source_words_clear(&m->numbers, m->ctx);
    dpl_file_close(m->file);
    *m = (dpl__phrase_model){0};
}
