/*
 * import_dictionaries.c - dictionaries become one lexicon.
 *
 * Each dictionary is read by the reader of its format (dictionary_lines.c, dictd.c) and added
 * to the mixture (mixture.c); the result is pruned and written. translations.c computes the
 * weights of translations without probabilities, mixture.c reverses, stems and mixes
 * dictionaries.
 *
 * Languages come from the options, from a .dpl, from a name such as freedict-deu-eng or
 * german-english, or from the title of a dictionary; the first that names both decides which is
 * the source, and dictionaries of the other direction are reversed.
 *
 * Cost: memory for one dictionary and the mixture, 16 bytes a cell; 520,000 articles take 4 s.
 */
#include "doppel/lexicon.h"

#include "base/ctx.h"
#include "base/json_writer.h"
#include "base/sized.h"
#include "io/target.h"
#include "lexicon/dictd.h"
#include "lexicon/dictionary_lines.h"
#include "lexicon/lexicon.h"
#include "lexicon/mixture.h"
#include "lexicon/write_lexicon.h"
#include "unicode/unicode.h"

#include <float.h>

/* One of the dictionaries. */
typedef struct source {
    const char *path;
    const dpl_lexicon_entry *entries; /* of the caller, instead of a file */
    size_t n_entries;
    double weight;
    dpl_dictionary_format format; /* AUTO: lines of text, not read yet */
    dpl_lexicon *lexicon;         /* of LEXICON */
    char lang[2][12];             /* its own; "" when not known */
    bool is_reversed;             /* its source is our target */
} source;

typedef struct importer {
    dpl_ctx *ctx;
    const dpl_lexicon_import_options *options;
    dpl_prune prune;
    dpl_lexicon_sizes sizes;
    bool skips;
    source *sources;
    size_t n;
    dpl__lexicon_destination to;
    char lang[2][12]; /* of the result; "" as long as not known */
    dpl__mixture mix;
    dpl__synsets synsets;            /* of wordnets, which make translations together ... */
    const source *wordnet;           /* ... with the weight of the last one */
    const char *stemmed, *unstemmed; /* a dictionary that has stems, and one that has words */
    dpl_lexicon_import_summary summary;
} importer;

/* ---- formats ------------------------------------------------------------------------ */

static dpl_dictionary_format format_of(const char *path)
{
    if (dpl__is_dictd(path))
        return DPL_DICTIONARY_DICTD;
    return dpl__lexicon_is_file(path) ? DPL_DICTIONARY_LEXICON : DPL_DICTIONARY_AUTO;
}

/* ---- languages ---------------------------------------------------------------------- */

static bool is_name_end(char c)
{
    return c == '-' || c == '_' || c == '.' || c == ' ' || c == '/';
}

/* False when it is not sure that s names a language. */
static bool name_language(char out[12], dpl_str s)
{
    dpl_lang lang = dpl_lang_canonical(s);
    memcpy(out, lang.code, sizeof lang.code);
    return s.n >= 2 && strcmp(lang.code, "und") != 0 && lang.confidence == 1;
}

/* "freedict-deu-eng", "words.de-en.tsv", "German-English FreeDict Dictionary": two names with a
 * hyphen between; the last two. */
static void find_languages(char out[2][12], dpl_str text)
{
    for (size_t at = 0; at < text.n; at++) {
        char lang[2][12];
        size_t begin = at, end = at + 1;
        if (text.data[at] != '-')
            continue;
        while (begin && !is_name_end(text.data[begin - 1]))
            begin--;
        while (end < text.n && !is_name_end(text.data[end]))
            end++;
        if (name_language(lang[0], (dpl_str){text.data + begin, at - begin}) &&
            name_language(lang[1], (dpl_str){text.data + at + 1, end - at - 1}))
            memcpy(out, lang, sizeof lang);
    }
}

static bool is_compatible(const char *a, const char *b)
{
    return !*a || !*b || strcmp(a, b) == 0;
}

static void set_if_empty(char to[12], const char *lang)
{
    if (!*to)
        memcpy(to, lang, strlen(lang) + 1);
}

/* Compares the languages of the dictionary with ours, in both directions. */
static dpl_status match_languages(importer *im, source *s, dpl_error *err)
{
    bool is_same_direction =
        is_compatible(im->lang[0], s->lang[0]) && is_compatible(im->lang[1], s->lang[1]);
    s->is_reversed = !is_same_direction && is_compatible(im->lang[0], s->lang[1]) &&
                     is_compatible(im->lang[1], s->lang[0]);
    if (!is_same_direction && !s->is_reversed)
        return dpl__fail(err, DPL_E_USAGE,
                         "'%s' is between '%s' and '%s', not between '%s' and '%s'", s->path,
                         s->lang[0], s->lang[1], *im->lang[0] ? im->lang[0] : "any",
                         *im->lang[1] ? im->lang[1] : "any");
    for (int side = 0; side < 2; side++)
        set_if_empty(im->lang[side], s->lang[side ^ s->is_reversed]);
    return DPL_OK;
}

static dpl_status set_language(char out[12], const char *name, dpl_error *err)
{
    if (!name)
        return DPL_OK;
    dpl_lang lang = dpl_lang_canonical(dpl__cstr(name));
    if (strcmp(lang.code, "und") == 0)
        return dpl__fail(err, DPL_E_USAGE, "unknown language '%s'", name);
    memcpy(out, lang.code, sizeof lang.code);
    return DPL_OK;
}

/* ---- opening ------------------------------------------------------------------------ */

static dpl_status open_source(importer *im, source *s, dpl_error *err)
{
    const char *slash = strrchr(s->path, '/');
    s->format = im->options->from ? im->options->from : format_of(s->path);
    if (s->format != DPL_DICTIONARY_LEXICON) {
        find_languages(s->lang, dpl__cstr(slash ? slash + 1 : s->path));
        return DPL_OK;
    }
    if (!dpl__lexicon_is_file(s->path)) {
        dpl_file *file = NULL; /* the error says what is wrong with it */
        DPL_TRY(dpl_file_open(&file, im->ctx, s->path, err));
        dpl_file_close(file);
    }
    DPL_TRY(dpl_lexicon_open(&s->lexicon, im->ctx, s->path, NULL, err));
    const dpl_lexicon_info about = dpl_lexicon_get_info(s->lexicon);
    set_if_empty(s->lang[DPL__LEFT], about.source_lang);
    set_if_empty(s->lang[DPL__RIGHT], about.target_lang);
    return DPL_OK;
}

static dpl_status open_sources(importer *im, const dpl_dictionary *dictionaries, dpl_error *err)
{
    for (size_t i = 0; i < im->n; i++) {
        source *s = &im->sources[i];
        s->path = dictionaries[i].path;
        s->weight = dictionaries[i].weight == 0 ? 1 : dictionaries[i].weight;
        if (!(s->weight > 0 && s->weight <= 1e9))
            return dpl__fail(err, DPL_E_USAGE, "the weight of '%s' is not above 0", s->path);
        DPL_TRY(open_source(im, s, err));
        DPL_TRY(match_languages(im, s, err));
    }
    return DPL_OK;
}

/* ---- reading ------------------------------------------------------------------------ */

/* The languages of the dictionary; where they are not known, ours. */
static dpl_status set_languages(importer *im, source *s, dpl__translations *g, dpl_error *err)
{
    for (int side = 0; side < 2; side++)
        set_if_empty(s->lang[side], im->lang[side ^ s->is_reversed]);
    if (im->options->stem && (!*s->lang[0] || !*s->lang[1]))
        return dpl__fail_code(err, DPL_E_USAGE, "lexicon-languages",
                              "the languages of '%s' are not known, and stems need them",
                              s->path);
    return dpl__translations_languages(g, s->lang[DPL__LEFT], s->lang[DPL__RIGHT], err);
}

static dpl_status read_dictd(importer *im, source *s, dpl__translations *g, dpl_error *err)
{
    dpl__dictd d;
    dpl_status status;
    DPL__STEP(dpl__dictd_open(&d, im->ctx, s->path, im->skips, err));
    if (!*s->lang[0] && !*s->lang[1]) {
        find_languages(s->lang, d.title);
        DPL__STEP(match_languages(im, s, err));
    }
    DPL__STEP(set_languages(im, s, g, err));
    status = dpl__translations_add_dictd(g, &d, err);
done:
    dpl__dictd_close(&d);
    return status;
}

static void copy_language(char to[12], const char *lang)
{
    if (lang)
        set_if_empty(to, lang);
}

/* Languages as the format, the first line or the title says, unless the name does. */
static dpl_status learn_languages(importer *im, source *s, const dpl__dictionary_lines *l,
                                  dpl_error *err)
{
    const dpl__dictionary_format *f = dpl__dictionary_format_of(l->format);
    if (l->format == DPL_DICTIONARY_OMW) { /* one language: the first one that is free */
        bool is_ours = strcmp(l->lang[0], im->lang[0]) == 0;
        set_if_empty(im->lang[*im->lang[0] && !is_ours], l->lang[0]);
        memset(s->lang, 0, sizeof s->lang);
        return DPL_OK;
    }
    if (*s->lang[0] || *s->lang[1])
        return DPL_OK;
    find_languages(s->lang, dpl__cstr(l->title));
    for (int side = 0; side < 2; side++)
        copy_language(s->lang[side], l->lang[side]);
    if (!*im->lang[0] && !*im->lang[1])
        copy_language(s->lang[1], f->usual_target);
    return match_languages(im, s, err);
}

static dpl_status read_text(importer *im, source *s, dpl__translations *g, dpl_error *err)
{
    dpl__dictionary_lines l;
    dpl_status status;
    DPL__STEP(dpl__dictionary_lines_open(&l, g, s->path, s->format, err));
    s->format = l.format;
    DPL__STEP(learn_languages(im, s, &l, err));
    DPL__STEP(set_languages(im, s, g, err));
    status = dpl__dictionary_lines_read(&l, &im->synsets, im->skips, err);
    im->wordnet = s->format == DPL_DICTIONARY_OMW ? s : im->wordnet;
done:
    dpl__dictionary_lines_close(&l);
    return status;
}

/* The rows of a table that the caller holds. */
static dpl_status add_entries(importer *im, const source *s, dpl__translations *g,
                              dpl_error *err)
{
    g->is_table = true;
    for (size_t i = 0; i < s->n_entries; i++) {
        const dpl_lexicon_entry *e = &s->entries[i];
        dpl_str words[2] = {e->source, e->target};
        bool is_good = e->p >= 0 && e->p <= 1;
        for (int side = 0; side < 2 && is_good; side++) {
            is_good = dpl__is_utf8(im->ctx, words[side]); /* trimming takes that for granted */
            words[side] = is_good ? dpl__trim(words[side]) : words[side];
            is_good = is_good && words[side].n;
        }
        g->n_read++;
        g->n_skipped += !is_good;
        if (!is_good && !im->skips)
            return dpl__fail(err, DPL_E_FORMAT,
                             "entry %zu has an empty word, invalid UTF-8, or a probability "
                             "that is not in 0 to 1",
                             i);
        if (is_good && e->p >= FLT_MIN)
            DPL_TRY(dpl__translations_add_pair(g, words[0], words[1], e->p, err));
    }
    return DPL_OK;
}

static dpl_status read_source(importer *im, source *s, dpl__translations *g, dpl_error *err)
{
    if (s->format == DPL_DICTIONARY_DICTD)
        return read_dictd(im, s, g, err);
    if (!s->entries && s->format != DPL_DICTIONARY_LEXICON)
        return read_text(im, s, g, err);
    DPL_TRY(set_languages(im, s, g, err));
    if (s->entries)
        return add_entries(im, s, g, err);
    return dpl__translations_add_lexicon(g, s->lexicon, err);
}

static dpl_status check_stems(importer *im, const source *s, const dpl__translations *g,
                              dpl_error *err)
{
    *(g->is_stemmed ? &im->stemmed : &im->unstemmed) = s->path;
    if (im->options->stem || !im->stemmed || !im->unstemmed)
        return DPL_OK;
    return dpl__fail_code(err, DPL_E_USAGE, "mixed-stems", "'%s' holds stems, '%s' words",
                          im->stemmed, im->unstemmed);
}

static dpl_status add_source(importer *im, source *s, dpl__translations *g, dpl_error *err)
{
    DPL_TRY(dpl__translations_open(g, im->ctx, err));
    DPL_TRY(read_source(im, s, g, err));
    DPL_TRY(check_stems(im, s, g, err));
    uint64_t n_mixed = (im->mix.cells[0].cap + im->mix.cells[1].cap) * sizeof(dpl__cell);
    DPL_TRY(dpl__translations_check_memory(g, n_mixed, s->path, err));
    DPL_TRY(dpl__mixture_add(&im->mix, g, s->is_reversed, s->weight, err));
    im->summary.n_read += g->n_read;
    im->summary.n_used += g->n_used;
    im->summary.n_phrases += g->n_phrases;
    if (*g->first_skipped.text)
        dpl__note(im->ctx, "%s (skipped: %llu)", g->first_skipped.text,
                  (unsigned long long)g->n_skipped);
    if (im->summary.n_skipped == 0)
        im->summary.first_skipped = g->first_skipped;
    im->summary.n_skipped += g->n_skipped;
    return DPL_OK;
}

/* ---- the result --------------------------------------------------------------------- */

/* "import":[{"format":"dictd","weight":0.7}] */
static void put_made(dpl__json_text *out, const importer *im)
{
    dpl_json j = dpl__json_into(out, DPL_JSON_COMPACT);
    dpl_json_begin(&j, "import", '[');
    for (size_t i = 0; i < im->n; i++) {
        const source *s = &im->sources[i];
        dpl_json_begin(&j, NULL, '{');
        dpl_json_cstr(&j, "format", dpl_dictionary_format_get_info(s->format)->name);
        dpl_json_bool(&j, "turned", s->is_reversed);
        dpl_json_decimal(&j, "weight", s->weight);
        dpl_json_end(&j, '}');
    }
    dpl_json_end(&j, ']');
}

static dpl_status write_result(importer *im, dpl_str made, dpl_error *err)
{
    dpl__mixture *mix = &im->mix;
    dpl__lexicon_parts parts = {
        .is_stemmed = im->options->stem || im->stemmed, .made = made, .prune = &im->prune};
    for (int side = 0; side < 2; side++) {
        DPL_TRY(dpl__prune(&mix->table[side], im->ctx, NULL, &im->prune, err));
        parts.lang[side] = im->lang[side];
        parts.words[side] = mix->sorted[side];
        parts.counts[side] = mix->has_counts[side] ? mix->counts[side].data : NULL;
        parts.table[side] = mix->table[side];
    }
    im->sizes = (dpl_lexicon_sizes){.size = sizeof(dpl_lexicon_sizes),
                                    .n_sources = (uint32_t)mix->sorted[DPL__LEFT].n,
                                    .n_targets = (uint32_t)mix->sorted[DPL__RIGHT].n,
                                    .n_entries = mix->table[DPL__LEFT].n,
                                    .n_back = mix->table[DPL__RIGHT].n,
                                    .n_skipped = im->summary.n_skipped};
    return dpl__lexicon_write_to(&im->summary.n_output_bytes, im->ctx, &im->to, &parts, err);
}

static dpl_status add_wordnets(importer *im, dpl__translations *g, dpl_error *err)
{
    DPL_TRY(dpl__translations_open(g, im->ctx, err));
    DPL_TRY(dpl__translations_languages(g, im->lang[0], im->lang[1], err));
    DPL_TRY(dpl__synsets_translations(&im->synsets, g, err));
    if (g->n_read == 0)
        return dpl__fail(err, DPL_E_USAGE,
                         "'%s' has the words of one language: give a wordnet of each",
                         im->wordnet->path);
    im->summary.n_read += g->n_read;
    im->summary.n_used += g->n_used;
    im->summary.n_phrases += g->n_phrases;
    im->unstemmed = im->wordnet->path;
    return dpl__mixture_add(&im->mix, g, false, im->wordnet->weight, err);
}

static dpl_status mix_wordnets(importer *im, dpl_error *err)
{
    dpl__translations g = {0};
    if (!im->wordnet)
        return DPL_OK;
    dpl_status status = add_wordnets(im, &g, err);
    dpl__translations_close(&g);
    return status;
}

/* dictionaries: NULL when the sources are known already. */
static dpl_status run(importer *im, const dpl_dictionary *dictionaries, dpl_error *err)
{
    DPL_TRY(set_language(im->lang[DPL__LEFT], im->options->source_lang, err));
    DPL_TRY(set_language(im->lang[DPL__RIGHT], im->options->target_lang, err));
    if (dictionaries)
        DPL_TRY(open_sources(im, dictionaries, err));
    for (size_t i = 0; i < im->n; i++) {
        dpl__translations g = {0};
        dpl_status status = add_source(im, &im->sources[i], &g, err);
        dpl__translations_close(&g);
        if (status != DPL_OK)
            return status;
    }
    DPL_TRY(mix_wordnets(im, err));
    DPL_TRY(dpl__mixture_finish(&im->mix, err));
    dpl__json_text made = {.ctx = im->ctx};
    put_made(&made, im);
    dpl_status status = made.has_failed
                            ? dpl__fail_nomem(err)
                            : write_result(im, (dpl_str){made.bytes.data, made.bytes.n}, err);
    dpl__vec_clear(im->ctx, &made.bytes);
    return status;
}

static dpl_status check_options(const dpl_lexicon_import_options *o, size_t n, dpl_error *err)
{
    if (n == 0)
        return dpl__fail(err, DPL_E_USAGE, "no dictionary");
    if (!dpl__dictionary_format_of(o->from))
        return dpl__fail(err, DPL_E_USAGE, "no such format of dictionaries");
    if ((unsigned)o->on_error > DPL_ON_ERROR_SKIP || o->on_error == DPL_ON_ERROR_REPLACE)
        return dpl__fail(err, DPL_E_USAGE,
                         "what cannot be read of a dictionary is an error or skipped");
    return DPL_OK;
}

/* Makes the lexicon; entries: a source that is no file, NULL for none. */
static dpl_status import_all(importer *im, const dpl_dictionary *dictionaries,
                             const source *entries, dpl_error *err)
{
    double begin = dpl__now();
    DPL_TRY(DPL__TAKE(&im->prune, im->options->prune, err));
    DPL_TRY(check_options(im->options, im->n, err));
    im->skips = im->options->on_error == DPL_ON_ERROR_SKIP;
    im->sources = dpl__calloc(im->ctx, im->n, sizeof *im->sources);
    DPL_TRY(dpl__need(im->sources, err));
    if (entries)
        im->sources[0] = *entries;
    dpl__mixture_init(&im->mix, im->ctx, im->options->stem);
    dpl_status status = run(im, dictionaries, err);
    dpl__mixture_clear(&im->mix);
    dpl__synsets_clear(&im->synsets);
    for (size_t i = 0; i < im->n; i++)
        dpl_lexicon_close(im->sources[i].lexicon);
    dpl__free(im->ctx, im->sources);
    im->summary.seconds = dpl__now() - begin;
    return status;
}

dpl_status dpl_lexicon_import(dpl_lexicon_import_summary *summary, dpl_ctx *ctx,
                              const char *out_path, const dpl_dictionary *dictionaries,
                              size_t n_dictionaries, const dpl_lexicon_import_options *options,
                              dpl_error *err)
{
    dpl_lexicon_import_options o;
    importer im = {.ctx = ctx, .options = &o, .n = n_dictionaries, .to.path = out_path};
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(DPL__CHECK_OUT(summary, err));
    im.summary.size = sizeof im.summary;
    im.summary.sizes = summary ? summary->sizes : NULL;
    DPL_TRY(DPL__CHECK_OUT(im.summary.sizes, err));
    for (size_t i = 0; i < n_dictionaries; i++)
        DPL_TRY(dpl__check_overwrite(out_path, &dictionaries[i].path, 1, err));
    DPL_TRY(import_all(&im, dictionaries, NULL, err));
    DPL__GIVE(im.summary.sizes, &im.sizes);
    DPL__GIVE(summary, &im.summary);
    return DPL_OK;
}

dpl_status dpl_lexicon_from_dictionaries(dpl_lexicon **out, dpl_ctx *ctx,
                                         const dpl_dictionary *dictionaries,
                                         size_t n_dictionaries,
                                         const dpl_lexicon_import_options *options,
                                         dpl_error *err)
{
    dpl_lexicon_import_options o;
    importer im = {.ctx = ctx, .options = &o, .n = n_dictionaries, .to.out = out};
    *out = NULL;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(import_all(&im, dictionaries, NULL, err));
    (*out)->sizes.n_skipped = im.summary.n_skipped;
    return DPL_OK;
}

dpl_status dpl_lexicon_from_entries(dpl_lexicon **out, dpl_ctx *ctx,
                                    const dpl_lexicon_entry *entries, size_t n_entries,
                                    const dpl_lexicon_import_options *options, dpl_error *err)
{
    static const dpl_lexicon_entry none;
    dpl_lexicon_import_options o;
    importer im = {.ctx = ctx, .options = &o, .n = 1, .to.out = out};
    source rows = {.path = "(entries)",
                   .entries = entries ? entries : &none,
                   .n_entries = entries ? n_entries : 0,
                   .weight = 1,
                   .format = DPL_DICTIONARY_TSV};
    *out = NULL;
    DPL_TRY(DPL__TAKE(&o, options, err));
    DPL_TRY(import_all(&im, NULL, &rows, err));
    (*out)->sizes.n_skipped = im.summary.n_skipped;
    return DPL_OK;
}
