#include "lab/lab_program.h"

#include "doppel-lab/lab.h"
#include "test.h"

static const lab_choice full = {.seeds = 5}, quick = {.seeds = 5, .is_quick = true};

static bool ends_with(const char *text, const char *ending)
{
    const size_t n = strlen(text), n_ending = strlen(ending);
    return n >= n_ending && strcmp(text + n - n_ending, ending) == 0;
}

static size_t count(const lab_choice *choice)
{
    lab_step s;
    size_t n = 0;
    while (lab_step_get(&s, choice, n))
        n++;
    return n;
}

DPL_TEST(lab_program_steps, every_experiment_is_a_step)
{
    const dpl_lab_experiment *e;
    for (size_t k = 0; (e = dpl_lab_get_experiment(k)) != NULL; k++) {
        lab_step s;
        bool is_there = false;
        for (size_t i = 0; lab_step_get(&s, &full, i); i++)
            is_there |= strcmp(s.name, e->name) == 0;
        if (!is_there)
            dpl__test_fail(__FILE__, __LINE__, "'%s' is no step", e->name);
    }
}

DPL_TEST(lab_program_steps, a_step_is_an_experiment_a_script_or_a_collection)
{
    lab_step s;
    for (size_t i = 0; lab_step_get(&s, &full, i); i++) {
        const bool is_run = strncmp(s.command, "$LAB ", 5) == 0 && !s.is_made;
        CHECK_EQ(is_run, dpl_lab_find_experiment(s.name) != NULL);
        CHECK_EQ(s.is_made, strcmp(s.folder, "data") == 0);
        CHECK(strstr(s.command, "$TO") != NULL && s.seconds > 0);
    }
}

DPL_TEST(lab_program_steps, no_step_writes_over_the_output_of_another)
{
    lab_step s, t;
    for (size_t i = 0; lab_step_get(&s, &full, i); i++)
        for (size_t k = 0; k < i && lab_step_get(&t, &full, k); k++)
            CHECK(strcmp(s.folder, t.folder) != 0 || strcmp(s.name, t.name) != 0);
}

/* "$MADE/mining/news.de.jsonl": a step before it makes "mining". */
static bool is_made_before(size_t step, const char *path)
{
    lab_step s;
    for (size_t i = 0; i < step && lab_step_get(&s, &full, i); i++)
        if (s.is_made && strncmp(path, s.name, strlen(s.name)) == 0 &&
            strchr("/ ", path[strlen(s.name)]))
            return true;
    return false;
}

DPL_TEST(lab_program_steps, collections_are_made_before_they_are_read)
{
    static const char made[] = "$MADE/";
    lab_step s;
    size_t n = 0;
    for (size_t i = 0; lab_step_get(&s, &full, i); i++)
        for (const char *p = s.command; (p = strstr(p, made)) != NULL; n++) {
            p += sizeof made - 1;
            if (!is_made_before(i, p))
                dpl__test_fail(__FILE__, __LINE__, "'%s' reads '%s'", s.name, p);
        }
    CHECK(n > 20);
}

DPL_TEST(lab_program_steps, runs_as_in_the_papers_have_folders_of_their_own)
{
    lab_step s;
    size_t n = 0;
    for (size_t i = 0; lab_step_get(&s, &full, i); i++) {
        const bool as_paper = strstr(s.command, " --as-paper") != NULL;
        CHECK_EQ(as_paper, ends_with(s.folder, "-as-paper"));
        n += as_paper;
    }
    CHECK(n > 10);
}

DPL_TEST(lab_program_steps, quick_ones_have_one_seed_and_train_no_translators_for_bleu)
{
    lab_step s;
    CHECK(count(&quick) < count(&full));
    for (size_t i = 0; lab_step_get(&s, &quick, i); i++) {
        CHECK(strstr(s.command, "--seeds") == NULL && strstr(s.command, "--test") == NULL);
        CHECK(dpl_lab_find_experiment(s.name) == NULL || strstr(s.command, " --small") != NULL);
    }
}

DPL_TEST(lab_program_steps, a_choice_makes_only_what_it_reads)
{
    lab_step s;
    const lab_choice growth = {.seeds = 3, .threads = 2, .only = "mining-growth"},
                     none = {.seeds = 5, .only = "nothing"};
    CHECK_EQ(count(&growth), 2);
    CHECK(lab_step_get(&s, &growth, 0) && s.is_made);
    CHECK_STR(dpl__cstr(s.name), "mining");
    CHECK(lab_step_get(&s, &growth, 1));
    CHECK_STR(dpl__cstr(s.command),
              "$LAB mining-growth $MADE/mining/many.de.jsonl $MADE/mining/many.en.jsonl "
              "--parallel $MADE/mining/parallel.tsv --repeats 1 --as-paper --seeds 3 --threads "
              "2 --quiet -o $TO");
    CHECK_EQ(count(&none), 0);
}
