/*
 * completion.c - the tables as completion scripts for bash, zsh and fish.
 *
 * Each script is one file that needs nothing but its shell. Bash has no place for help texts,
 * the other two show them.
 */
#include "cli/help.h"

#include "cli/talk.h"

#include <stdio.h>
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

/* Words with a blank between. */
static void put_words(const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        cli_print("%s%s", i ? " " : "", words[i]);
}

static void put_command_names(void)
{
    for (size_t i = 0; cli_commands[i]; i++)
        cli_print("%s%s", i ? " " : "", cli_commands[i]->name);
}

/* Calls emit for every option that is shown. */
static void each_option(const cli_option *table, void (*emit)(const cli_option *, const char *),
                        const char *command)
{
    for (const cli_option *o = table; o && o->name; o++)
        if (!o->is_hidden)
            emit(o, command);
}

/* ---- bash --------------------------------------------------------------------------- */

static void bash_name(const cli_option *o, const char *command)
{
    (void)command;
    if (o->letter)
        cli_print(" -%c", o->letter);
    cli_print(" --%s", o->name);
}

/* What follows the option: a branch of the case on "COMMAND OPTION". */
static void bash_value(const cli_option *o, const char *command)
{
    if (!o->value)
        return;
    cli_print("    ");
    if (o->letter)
        cli_print("%s' -%c' | ", command, o->letter);
    cli_print("%s' --%s')\n", command, o->name);
    if (o->choices) {
        cli_print("        _doppel_offer '");
        put_words(o->choices);
        cli_print("'\n");
    } else if (o->complete == CLI_FOLDERS) {
        cli_print("        mapfile -t COMPREPLY < <(compgen -d -- \"$cur\")\n");
    } else if (o->complete == CLI_NOTHING) {
        cli_print("        compopt +o default 2>/dev/null\n");
    }
    cli_print("        return ;;\n");
}

static void bash_script(void)
{
    cli_print("# bash completion of doppel, made by 'doppel completion bash'\n\n"
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
    put_command_names();
    cli_print(" --help --version'\n        return\n    fi\n"
              "    local command=${COMP_WORDS[1]}\n"
              "    case \"$command $prev\" in\n");
    each_option(cli_common_options, bash_value, "*");
    for (size_t i = 0; cli_commands[i]; i++)
        each_option(cli_commands[i]->options, bash_value, cli_commands[i]->name);
    cli_print("    esac\n    case \"$command $cur\" in\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        cli_print("    %s' -'*)\n        _doppel_offer '", cli_commands[i]->name);
        each_option(cli_commands[i]->options, bash_name, NULL);
        each_option(cli_common_options, bash_name, NULL);
        cli_print("' ;;\n");
        if (cli_commands[i]->complete == CLI_FILES)
            continue;
        cli_print("    %s' '*)\n        _doppel_offer '", cli_commands[i]->name);
        if (cli_commands[i]->complete == CLI_COMMANDS)
            put_command_names();
        else if (cli_commands[i]->choices)
            put_words(cli_commands[i]->choices);
        cli_print("' ;;\n");
    }
    cli_print("    esac\n}\n\ncomplete -o default -F _doppel doppel\n");
}

/* ---- zsh ---------------------------------------------------------------------------- */

static void zsh_option(const cli_option *o, const char *command)
{
    (void)command;
    const char *equals = o->value ? "=" : "";
    if (o->letter)
        cli_print("            '(-%c --%s)'{-%c%s,--%s%s}'[", o->letter, o->name, o->letter,
                  o->value ? "+" : "", o->name, equals);
    else
        cli_print("            '--%s%s[", o->name, equals);
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

static void zsh_script(void)
{
    cli_print("#compdef doppel\n# zsh completion of doppel, made by 'doppel completion zsh'\n\n"
              "_doppel() {\n    local context state state_descr line\n    typeset -A opt_args\n"
              "    local -a commands=(\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        cli_print("        '%s:", cli_commands[i]->name);
        put_quoted(cli_commands[i]->summary, ":\\");
        cli_print("'\n");
    }
    cli_print("    )\n"
              "    _arguments -C '(- *)'{-h,--help}'[help]' '(- *)'--version'[version]' \\\n"
              "        '1:command:->names' '*::argument:->arguments'\n"
              "    if [[ $state == arguments ]]; then\n"
              "        state=\n"
              "        case $words[1] in\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        cli_print("        %s) _arguments -s -S \\\n", cli_commands[i]->name);
        each_option(cli_commands[i]->options, zsh_option, NULL);
        each_option(cli_common_options, zsh_option, NULL);
        zsh_arguments(cli_commands[i]);
    }
    cli_print("        esac\n    fi\n"
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
    cli_print("complete -c doppel -n '");
    if (command)
        cli_print("__fish_seen_subcommand_from %s", command);
    else
        cli_print("not __fish_use_subcommand");
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

static void fish_script(void)
{
    cli_print("# fish completion of doppel, made by 'doppel completion fish'\n\n"
              "complete -c doppel -f\n"
              "complete -c doppel -n __fish_use_subcommand -l help -s h -d 'help'\n"
              "complete -c doppel -n __fish_use_subcommand -l version -d 'version'\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        cli_print("complete -c doppel -n __fish_use_subcommand -a %s -d '",
                  cli_commands[i]->name);
        put_fish_text(cli_commands[i]->summary);
        cli_print("'\n");
    }
    each_option(cli_common_options, fish_option, NULL);
    for (size_t i = 0; cli_commands[i]; i++) {
        const cli_command *c = cli_commands[i];
        each_option(c->options, fish_option, c->name);
        if (c->complete == CLI_NOTHING && !c->choices)
            continue;
        cli_print("complete -c doppel -n '__fish_seen_subcommand_from %s'", c->name);
        if (c->complete == CLI_FILES) {
            cli_print(" -F\n");
            continue;
        }
        cli_print(" -a '");
        if (c->choices)
            put_words(c->choices);
        else
            put_command_names();
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
