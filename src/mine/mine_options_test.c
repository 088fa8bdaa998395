/* The tables of all stages, walked: this folder sees them all. */
#include "base/options.h"
#include "test.h"

#include "doppel/mine.h"

static const dpl_option_table *(*const tables[])(void) = {
    dpl__reader_option_table,     dpl__bitext_option_table,    dpl__tokens_option_table,
    dpl__import_option_table,     dpl__lexicon_option_table,   dpl__prune_option_table,
    dpl__train_option_table,      dpl__align_option_table,     dpl__lexicon_import_option_table,
    dpl__vectors_option_table,    dpl__sign_option_table,      dpl__pairs_option_table,
    dpl__sentences_option_table,  dpl__beads_option_table,     dpl__mine_option_table,
    dpl__eval_words_option_table, dpl__eval_bleu_option_table,
};

/* Scalars are aligned to their size; structs and arrays of pointers to 8. */
static size_t alignment(const dpl_option *o)
{
    return o->n_bytes == 1 || o->n_bytes == 2 || o->n_bytes == 4 ? o->n_bytes : 8;
}

/* Between two options, and behind the last one, there is nothing but padding: what is left out
 * there is seen, unless it fits into the padding. test/options compares the names as well. */
DPL_TEST(option_tables, cover_their_structs)
{
    for (size_t i = 0; i < DPL_LEN(tables); i++) {
        const dpl_option_table *t = tables[i]();
        size_t at = t->options[0].offset == sizeof(size_t) ? sizeof(size_t) : 0;
        for (size_t k = 0; k < t->n_options; k++) {
            const dpl_option *o = &t->options[k];
            size_t a = alignment(o);
            if ((at + a - 1) / a * a != o->offset)
                dpl__test_fail(__FILE__, __LINE__,
                               "'%s' of '%s': something before it is left "
                               "out, or stands there twice",
                               o->name, t->name);
            at = o->offset + o->n_bytes;
        }
        CHECK_EQ((at + 7) / 8 * 8 == t->n_bytes || (at + 3) / 4 * 4 == t->n_bytes, true);
    }
}

static void check_kind(const dpl_option *o)
{
    static const size_t n_bytes[] = {
        [DPL_OPTION_FLAG] = sizeof(bool),
        [DPL_OPTION_INTEGER] = sizeof(int),
        [DPL_OPTION_REAL] = sizeof(double),
        [DPL_OPTION_CHOICE] = sizeof(unsigned),
        [DPL_OPTION_TEXT] = sizeof(char *),
        [DPL_OPTION_FILE_IN] = sizeof(char *),
        [DPL_OPTION_FILE_OUT] = sizeof(char *),
        [DPL_OPTION_FOLDER] = sizeof(char *),
        [DPL_OPTION_OTHER] = 0,
    };
    bool is_whole = o->type == DPL_OPTION_COUNT || o->type == DPL_OPTION_SIZE;
    if (is_whole)
        CHECK(o->n_bytes == 4 || o->n_bytes == 8);
    else if (n_bytes[o->type])
        CHECK_EQ(o->n_bytes, n_bytes[o->type]);
    CHECK_EQ(o->type == DPL_OPTION_CHOICE, o->choice != NULL);
    CHECK_EQ(o->type == DPL_OPTION_GROUP, o->group != NULL);
}

DPL_TEST(option_tables, have_names_help_and_values)
{
    for (size_t i = 0; i < DPL_LEN(tables); i++) {
        const dpl_option_table *t = tables[i]();
        for (size_t k = 0; k < t->n_options; k++) {
            const dpl_option *o = &t->options[k];
            CHECK(dpl_option_find(t, o->name) == o); /* no name twice */
            CHECK(o->help && *o->help && !strstr(o->help, "--"));
            CHECK(o->help[strlen(o->help) - 1] != '.');
            bool has_value = o->type != DPL_OPTION_FLAG && o->type < DPL_OPTION_GROUP;
            CHECK_EQ(has_value, o->value != NULL);
            check_kind(o);
        }
    }
}

DPL_TEST(option_tables, every_choice_can_be_set_and_read)
{
    char room[1000];
    for (size_t i = 0; i < DPL_LEN(tables); i++) {
        const dpl_option_table *t = tables[i]();
        CHECK(t->n_bytes < sizeof room);
        memset(room, 0, sizeof room);
        if (t->options[0].offset == sizeof(size_t))
            memcpy(room, &t->n_bytes, sizeof t->n_bytes);
        for (size_t k = 0; k < t->n_options; k++) {
            const dpl_option *o = &t->options[k];
            for (unsigned c = 0; o->choice && o->choice(c); c++) {
                if (!*o->choice(c))
                    continue;
                CHECK_OK(dpl_option_parse(room, t, o->name, o->choice(c), &test_err));
                unsigned set;
                CHECK_EQ(o->n_bytes, sizeof set);
                memcpy(&set, room + o->offset, sizeof set);
                CHECK_EQ(set, c);
            }
        }
    }
}
