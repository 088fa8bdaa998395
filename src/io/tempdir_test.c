#include "doppel/file.h"

#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void put_file(const char *folder, const char *name)
{
    char path[4400];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    CHECK(f != NULL);
    fclose(f);
}

static void put_tree(const dpl_temp_dir *d)
{
    char inside[4400];
    put_file(d->path, "a.dpl");
    snprintf(inside, sizeof inside, "%s/work", d->path);
    CHECK(mkdir(inside, 0700) == 0);
    put_file(inside, "b.dpl");
}

static bool is_there(const char *path)
{
    struct stat st;
    return lstat(path, &st) == 0;
}

/* A child makes one, tells its path and is killed, or waits for that. */
static pid_t start_owner(char path[4096])
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        dpl_temp_dir d;
        if (dpl_temp_dir_make(&d, test_dir(), NULL) != DPL_OK ||
            write(ends[1], d.path, sizeof d.path) != (ssize_t)sizeof d.path)
            _exit(1);
        put_tree(&d);
        close(ends[1]);
        for (;;)
            pause();
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; n < 4096 && (got = read(ends[0], path + n, 4096 - n)) > 0;)
        n += (size_t)got;
    CHECK_EQ(n, 4096);
    char end;
    CHECK_EQ(read(ends[0], &end, 1), 0); /* the tree is there */
    close(ends[0]);
    return child;
}

DPL_TEST(temp_dir, is_removed_with_everything_in_it)
{
    dpl_temp_dir d;
    CHECK_OK(dpl_temp_dir_make(&d, test_dir(), &test_err));
    char path[sizeof d.path], link[4400];
    snprintf(path, sizeof path, "%s", d.path);
    CHECK(is_there(path));
    put_tree(&d);
    put_file(test_dir(), "kept");
    snprintf(link, sizeof link, "%s/link", path);
    CHECK(symlink(test_path("kept"), link) == 0);
    dpl_temp_dir_remove(&d);
    CHECK(!is_there(path) && !d.path[0] && is_there(test_path("kept")));
    dpl_temp_dir_remove(&d);
}

DPL_TEST(temp_dir, of_a_killed_process_is_removed_by_the_next)
{
    char path[4096];
    dpl_temp_dir d, other;
    const pid_t child = start_owner(path);
    CHECK_OK(dpl_temp_dir_make(&d, test_dir(), &test_err)); /* the owner lives */
    CHECK(is_there(path));
    CHECK(kill(child, SIGKILL) == 0 && waitpid(child, NULL, 0) == child);
    CHECK(is_there(path));
    CHECK_OK(dpl_temp_dir_make(&other, test_dir(), &test_err));
    CHECK(!is_there(path) && is_there(d.path) && is_there(other.path));
    dpl_temp_dir_remove(&other);
    dpl_temp_dir_remove(&d);
}

/* One that was killed before it had locked its folder leaves it under its first name. */
DPL_TEST(temp_dir, without_a_lock_is_removed_at_once)
{
    dpl_temp_dir d;
    CHECK_OK(dpl_temp_dir_make(&d, test_dir(), &test_err));
    char path[sizeof d.path];
    snprintf(path, sizeof path, "%s", d.path);
    memcpy(strstr(path, "doppel-tmp-"), "doppel-new-", strlen("doppel-new-"));
    dpl_temp_dir_remove(&d);
    CHECK(mkdir(path, 0700) == 0);
    CHECK_OK(dpl_temp_dir_make(&d, test_dir(), &test_err));
    CHECK(!is_there(path) && is_there(d.path));
    dpl_temp_dir_remove(&d);
}

/* Many make folders at the same time, and each removes those that are not locked yet. */
DPL_TEST(temp_dir, of_many_processes_at_once_are_their_own)
{
    enum { PROCESSES = 8, FOLDERS = 50 };
    for (int i = 0; i < PROCESSES; i++) {
        const pid_t child = fork();
        CHECK(child >= 0);
        if (child)
            continue;
        for (int k = 0; k < FOLDERS; k++) {
            dpl_temp_dir d;
            if (dpl_temp_dir_make(&d, test_dir(), NULL) != DPL_OK || !is_there(d.path))
                _exit(1);
            put_tree(&d);
            dpl_temp_dir_remove(&d);
        }
        _exit(0);
    }
    for (int i = 0, status = 0; i < PROCESSES; i++)
        CHECK(wait(&status) > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

DPL_TEST(temp_dir, of_others_and_files_are_left_alone)
{
    static const char *const names[] = {"doppel-tmp-00000000-abcdef", "doppel.abcdef",
                                        "doppel-tmp"};
    char path[4400];
    dpl_temp_dir d;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        snprintf(path, sizeof path, "%s/%s", test_dir(), names[i]);
        CHECK(mkdir(path, 0700) == 0);
    }
    CHECK_OK(dpl_temp_dir_make(&d, test_dir(), &test_err));
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        CHECK(is_there(test_path(names[i])));
    dpl_temp_dir_remove(&d);
    CHECK_EQ(dpl_temp_dir_make(&d, test_path("nowhere"), &test_err), DPL_E_IO);
    CHECK(!d.path[0]);
}
