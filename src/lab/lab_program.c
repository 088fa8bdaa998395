/*
 * lab_program.c - the table of the program doppel-lab.
 */
#include "lab/lab_program.h"

#include "doppel-lab/lab.h"

static const char about[] =
    "doppel-lab runs the experiments of the papers that doppel implements, and a few more, on "
    "any collections. Each leaves a table with the paper's numbers beside ours, a picture and "
    "a "
    "page.\n"
    "\n"
    "'doppel-lab EXPERIMENT' runs one, 'doppel-lab list' names them. Synthetic collections "
    "with "
    "known pairs come from 'doppel-lab synth'.";

static const cli_item examples[] = {
    {"doppel-lab list", "all experiments, with paper and figure"},
    {"doppel-lab lunch de.jsonl en.jsonl --small -o lab",
     "all of one paper that two collections are enough for"},
    {"doppel-lab synth --left 1000 --right 1000 -o made", "two collections with known pairs"},
    {0},
};

static const cli_item hints[] = {
    {"lab-unknown", "'doppel-lab list' names the experiments"},
    {"lab-needs", "'doppel-lab list' says what each experiment needs: collections, --gold, "
                  "--translated, --parallel, --test"},
    {"lab-reference", "--reference=FILE is the collection that prefix classes come from"},
    {"lab-gold", "--gold=FILE has left id and right id, in the order of the collections"},
    {"lab-lexicon", "give a lexicon with --lexicon"},
    {0},
};

static const cli_command *const commands[] = {
    &lab_list, &lab_run, &lab_all, &lab_synth, &lab_stress, &cli_help, &cli_completion, NULL,
};

const cli_program lab_program = {
    .name = "doppel-lab",
    .summary = "run the experiments of the papers on your collections",
    .about = about,
    .examples = examples,
    .commands = commands,
    .hints = hints,
    .table_of = dpl_lab_option_table_of,
};
