/*
 * forked.c - the command doppel, run many times by one program.
 *
 * Reads a command per line (words between spaces), runs it in a fork of itself with its output
 * in the files "stdout" and "stderr" of the working folder, and prints its exit status, or -N
 * for signal N. A run costs what the command does: loading the libraries, which takes three
 * times as long as reading a small file, is done once.
 */
#define _DEFAULT_SOURCE /* strsep */
#include "cli/command.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MAX_WORDS = 64, MAX_SECONDS = 120 };

static void redirect(int fd, const char *path, int flags)
{
    int to = open(path, flags, 0666);
    if (to < 0 || dup2(to, fd) < 0 || close(to)) {
        perror(path);
        _exit(126);
    }
}

static int run(char *line)
{
    char *words[MAX_WORDS + 1] = {"doppel"};
    int n = 1;
    for (char *word; n < MAX_WORDS && (word = strsep(&line, " \n"));)
        if (*word)
            words[n++] = word;
    alarm(MAX_SECONDS);
    redirect(STDIN_FILENO, "/dev/null", O_RDONLY);
    redirect(STDOUT_FILENO, "stdout", O_WRONLY | O_CREAT | O_TRUNC);
    redirect(STDERR_FILENO, "stderr", O_WRONLY | O_CREAT | O_TRUNC);
    return cli_main(&cli_doppel, n, words);
}

int main(void)
{
    char line[4096];
    while (fgets(line, sizeof line, stdin)) {
        int status;
        pid_t child = fork();
        if (child == 0)
            exit(run(line));
        if (child < 0 || waitpid(child, &status, 0) != child) {
            perror("forked");
            return 1;
        }
        printf("%d\n", WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status));
        fflush(stdout);
    }
    return 0;
}
