/*
 * completion.c - the tables as completion scripts for bash, zsh and fish.
 *
 * Each script is one file that needs nothing but its shell. Bash has no place for help texts,
 * the other two show them.
 */
#include "cli/help.h"

#include "cli/talk.h"

#include <string.h>

const char *const cli_shells[] = {"bash", "zsh", "fish", NULL};

/* Text inside single quotes: a quote ends them, stands by itself and begins them again. What is
 * in `escaped` gets a backslash. */
static void put_quoted(const char *text, const char *escaped)
{
    for (; *text; text++) {
        if (*text == '\'')
            cli_print("'\\''");
        else
            cli_print("%s%c", strchr(escaped, *text) ? "\\" : "", *text);
    }
}

/* A piece of a script, written as doppel's, with the program's name instead. */
static void put_script(const char *text)
{
    static const char name[] = "doppel";
    for (const char *at; (at = strstr(text, name)); text = at + strlen(name)) {
        cli_write(text, (size_t)(at - text));
        cli_print("%s", cli_this->name);
    }
    cli_print("%s", text);
}

/* Words with a blank between. */
static void put_words(const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        cli_print("%s%s", i ? " " : "", words[i]);
}

/* What is said about the first word of a name: of a family, which commands it has. */
static const char *first_summary(size_t i)
{
    static char members[256];
    const cli_command *c = cli_commands[i];
    return c->family ? cli_family_list(members, sizeof members, c->family, ", ") : c->summary;
}

/* The words that may follow the program's name. */
static void put_first_words(void)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_first_word(i))
            cli_print("%s%s", i ? " " : "", cli_first_word(i));
}

/* Calls emit for every family, with the words that may follow its name. */
static void each_family(void (*emit)(const char *family, const char *members))
{
    char members[256];
    for (size_t i = 0; cli_commands[i]; i++) {
        const char *family = cli_commands[i]->family;
        if (family && cli_first_word(i))
            emit(family, cli_family_list(members, sizeof members, family, " "));
    }
}

/* Calls emit for every option that is shown. */
static void each_option(const cli_option *table, void (*emit)(const cli_option *, const char *),
                        const char *command)
{
    cli_described room;
    for (const cli_option *o = table; o && o->name; o++)
        if (!o->is_hidden && !o->knob_of)
            emit(cli_describe(&room, o), command);
}

/* ---- bash --------------------------------------------------------------------------- */

static void bash_name(const cli_option *o, const char *command)
{
    (void)command;
    if (o->letter)
        cli_print(" -%c", o->letter);
    cli_print(" --%s", o->name);
}

/* What follows the option: a branch of the case on "COMMAND OPTION"; NULL: of any command. */
static void bash_value(const cli_option *o, const char *command)
{
    const char *quote = command ? "'" : "*'", *name = command ? command : "";
    if (!o->value)
        return;
    cli_print("    ");
    if (o->letter)
        cli_print("%s%s -%c' | ", quote, name, o->letter);
    cli_print("%s%s --%s')\n", quote, name, o->name);
    if (o->choices) {
        put_script("        _doppel_offer '");
        put_words(o->choices);
        cli_print("'\n");
    } else if (o->complete == CLI_FOLDERS) {
        cli_print("        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n");
    } else if (o->complete == CLI_NOTHING) {
        cli_print("        compopt +o default 2>/dev/null\n");
    }
    cli_print("        return ;;\n");
}

/* Behind a family's name its commands are offered; from there on, both words are the command.
 */
static void bash_family(const char *family, const char *members)
{
    cli_print("    %s)\n", family);
    put_script("        if ((COMP_CWORD == 2)); then\n"
               "            _doppel_offer '");
    cli_print("%s --help'\n"
              "            return\n"
              "        fi\n"
              "        command+=\" ${COMP_WORDS[2]}\" ;;\n",
              members);
}

static void bash_family_help(const char *family, const char *members)
{
    cli_print("    'help %s '*)\n", family);
    put_script("        _doppel_offer '");
    cli_print("%s' ;;\n", members);
}

static void bash_arguments(const cli_command *c)
{
    if (c->complete == CLI_FILES)
        return;
    if (c->complete == CLI_COMMANDS)
        each_family(bash_family_help);
    cli_print("    '%s '*)\n", c->name);
    put_script("        _doppel_offer '");
    if (c->complete == CLI_COMMANDS)
        put_first_words();
    else if (c->choices)
        put_words(c->choices);
    cli_print("' ;;\n");
}

static void bash_script(void)
{
    put_script("# bash completion of doppel, made by 'doppel completion bash'\n\n"
               "_doppel_offer()\n{\n"
               "    compopt +o default 2>/dev/null\n"
               "    mapfile -t COMPREPLY < <(compgen -W \"$1\" -- \"$cur\")\n}\n\n"
               "# Where nothing is offered, bash offers files (-o default).\n"
               "_doppel()\n{\n"
               "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]}\n"
               "    COMPREPLY=()\n"
               "    # readline makes a word of the '=' in --name=value\n"
               "    if [[ $cur == '=' ]]; then\n"
               "        cur=''\n"
               "    elif [[ $prev == '=' ]]; then\n"
               "        prev=${COMP_WORDS[COMP_CWORD-2]}\n"
               "    fi\n"
               "    if ((COMP_CWORD == 1)); then\n"
               "        _doppel_offer '");
    put_first_words();
    cli_print(" --help --version'\n        return\n    fi\n"
              "    local command=${COMP_WORDS[1]}\n"
              "    case $command in\n");
    each_family(bash_family);
    cli_print("    help)\n        ((COMP_CWORD == 2)) || command+=\" ${COMP_WORDS[2]}\" ;;\n"
              "    esac\n    case \"$command $prev\" in\n");
    each_option(cli_common_options, bash_value, NULL);
    for (size_t i = 0; cli_commands[i]; i++)
        each_option(cli_commands[i]->options, bash_value, cli_commands[i]->name);
    cli_print("    esac\n    case \"$command $cur\" in\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        cli_print("    '%s -'*)\n", cli_commands[i]->name);
        put_script("        _doppel_offer '");
        each_option(cli_commands[i]->options, bash_name, NULL);
        each_option(cli_common_options, bash_name, NULL);
        cli_print("' ;;\n");
        bash_arguments(cli_commands[i]);
    }
    put_script("    esac\n}\n\ncomplete -o default -F _doppel doppel\n");
}

/* ---- zsh ---------------------------------------------------------------------------- */

static void zsh_option(const cli_option *o, const char *command)
{
    (void)command;
    const char *equals = o->value ? "=" : "";
    cli_print("            '");
    if (o->letter && !o->texts)
        cli_print("(-%c --%s)", o->letter, o->name);
    else if (o->texts)
        cli_print("*"); /* also when it was given already */
    if (o->letter)
        cli_print("'{-%c%s,--%s%s}'[", o->letter, o->value ? "+" : "", o->name, equals);
    else
        cli_print("--%s%s[", o->name, equals);
    put_quoted(o->help, "[]:\\");
    cli_print("]");
    if (o->value)
        cli_print(":%s:", o->value);
    if (o->choices) {
        cli_print("(");
        put_words(o->choices);
        cli_print(")");
    } else if (o->value) {
        cli_print(o->complete == CLI_FILES     ? "_files"
                  : o->complete == CLI_FOLDERS ? "_files -/"
                                               : " ");
    }
    cli_print("' \\\n");
}

static void zsh_arguments(const cli_command *c)
{
    const char *all = c->max_args > 1 ? "*" : "1";
    if (c->choices) {
        cli_print("            '%s:%s:(", all, c->argument);
        put_words(c->choices);
        cli_print(")'");
    } else if (c->complete == CLI_COMMANDS) {
        cli_print("            '%s:%s:->names'", all, c->argument);
    } else if (c->complete == CLI_FILES) {
        cli_print("            '%s:%s:_files'", all, c->argument);
    } else {
        cli_print("            ':'");
    }
    cli_print("\n        ;;\n");
}

/* One line of the list of commands. */
static void zsh_name(const char *name, const char *summary)
{
    cli_print("        '%s:", name);
    put_quoted(summary, ":\\");
    cli_print("'\n");
}

/* The words that may follow the name of a family become the list of commands. */
static void zsh_family(const char *family, const char *members)
{
    (void)members;
    cli_print("    %s) commands=(\n", family);
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_is_in_family(cli_commands[i], family))
            zsh_name(cli_commands[i]->name + strlen(family) + 1, cli_commands[i]->summary);
    cli_print("    ) ;;\n");
}

static void zsh_script(void)
{
    put_script(
        "#compdef doppel\n# zsh completion of doppel, made by 'doppel completion zsh'\n\n"
        "_doppel_family() {\n    case $1 in\n");
    each_family(zsh_family);
    put_script("    *) return 1 ;;\n    esac\n}\n\n"
               "_doppel() {\n    local context state state_descr line family\n"
               "    typeset -A opt_args\n"
               "    local -a commands=(\n");
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_first_word(i))
            zsh_name(cli_first_word(i), first_summary(i));
    put_script("    )\n"
               "    _arguments -C '(- *)'{-h,--help}'[help]' '(- *)'--version'[version]' \\\n"
               "        '1:command:->names' '*::argument:->arguments'\n"
               "    if [[ $state == arguments ]] && _doppel_family $words[1]; then\n"
               "        family=\"$words[1] \" state=\n"
               "        _arguments -C '(- *)'{-h,--help}'[help]' \\\n"
               "            '1:command:->names' '*::argument:->arguments'\n"
               "    fi\n"
               "    if [[ $state == arguments ]]; then\n"
               "        state=\n"
               "        case $family$words[1] in\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        cli_print("        '%s') _arguments -s -S \\\n", cli_commands[i]->name);
        each_option(cli_commands[i]->options, zsh_option, NULL);
        each_option(cli_common_options, zsh_option, NULL);
        zsh_arguments(cli_commands[i]);
    }
    put_script("        esac\n"
               "        ((CURRENT == 3)) && _doppel_family $words[2]\n    fi\n"
               "    [[ $state == names ]] && _describe -t commands 'doppel command' commands\n"
               "}\n\n"
               "# loaded by compinit it is the function's body, else it registers itself\n"
               "if [[ $funcstack[1] == _doppel ]]; then\n    _doppel \"$@\"\n"
               "else\n    compdef _doppel doppel\nfi\n");
}

/* ---- fish --------------------------------------------------------------------------- */

/* In the quotes of fish a backslash escapes. */
static void put_fish_text(const char *text)
{
    for (; *text; text++)
        cli_print("%s%c", *text == '\'' || *text == '\\' ? "\\" : "", *text);
}

static void fish_option(const cli_option *o, const char *command)
{
    put_script(command ? "complete -c doppel -n '__doppel_begins "
                       : "complete -c doppel -n 'not __doppel_is");
    cli_print("%s", command ? command : "");
    cli_print("' -l %s", o->name);
    if (o->letter)
        cli_print(" -s %c", o->letter);
    if (o->choices) {
        cli_print(" -x -a '");
        put_words(o->choices);
        cli_print("'");
    } else if (o->value) {
        cli_print(o->complete == CLI_FILES     ? " -r -F"
                  : o->complete == CLI_FOLDERS ? " -x -a '(__fish_complete_directories)'"
                                               : " -x");
    }
    cli_print(" -d '");
    put_fish_text(o->help);
    cli_print("'\n");
}

/* The members of a family, behind `doppel EVAL` or `doppel help EVAL`. */
static void fish_family(const char *family, const char *members)
{
    (void)members;
    for (size_t i = 0; cli_commands[i]; i++) {
        const cli_command *c = cli_commands[i];
        if (!cli_is_in_family(c, family))
            continue;
        put_script("complete -c doppel -n '__doppel_is ");
        cli_print("%s", family);
        put_script("; or __doppel_is help ");
        cli_print("%s' -a %s -d '", family, c->name + strlen(family) + 1);
        put_fish_text(c->summary);
        cli_print("'\n");
    }
}

static void fish_script(void)
{
    put_script("# fish completion of doppel, made by 'doppel completion fish'\n\n"
               "# does the line begin with these words, or consist of them?\n"
               "function __doppel_begins\n"
               "    set -l words (commandline -opc)\n"
               "    set -l last (math 1 + (count $argv))\n"
               "    test \"$words[2..$last]\" = \"$argv\"\n"
               "end\n"
               "function __doppel_is\n"
               "    set -l words (commandline -opc)\n"
               "    test \"$words[2..-1]\" = \"$argv\"\n"
               "end\n\n"
               "complete -c doppel -f\n"
               "complete -c doppel -n __doppel_is -l help -s h -d 'help'\n"
               "complete -c doppel -n __doppel_is -l version -d 'version'\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        if (!cli_first_word(i))
            continue;
        put_script("complete -c doppel -n '__doppel_is; or __doppel_is help' -a ");
        cli_print("%s -d '", cli_first_word(i));
        put_fish_text(first_summary(i));
        cli_print("'\n");
    }
    each_family(fish_family);
    each_option(cli_common_options, fish_option, NULL);
    for (size_t i = 0; cli_commands[i]; i++) {
        const cli_command *c = cli_commands[i];
        each_option(c->options, fish_option, c->name);
        if (c->complete != CLI_FILES && !c->choices)
            continue;
        put_script("complete -c doppel -n '__doppel_begins ");
        cli_print("%s'", c->name);
        if (c->complete == CLI_FILES) {
            cli_print(" -F\n");
            continue;
        }
        cli_print(" -a '");
        put_words(c->choices);
        cli_print("'\n");
    }
}

void cli_completion_script(const char *shell)
{
    if (strcmp(shell, "bash") == 0)
        bash_script();
    else if (strcmp(shell, "zsh") == 0)
        zsh_script();
    else
        fish_script();
}
