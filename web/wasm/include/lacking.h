/*
 * lacking.h - declarations that WASI's C library leaves out, before everything else;
 * platform.c has the functions.
 */
#ifndef DPL_WASM_LACKING_H
#define DPL_WASM_LACKING_H

#include <sys/types.h>

#define F_DUPFD_CLOEXEC 1030
#define _WASI_EMULATED_GETPID

int fchown(int fd, uid_t owner, gid_t group);
int fchmod(int fd, mode_t mode);
char *realpath(const char *path, char *out);
int mkstemp(char *template);
char *mkdtemp(char *template);
uid_t geteuid(void);
pid_t getpgid(pid_t process);
int gethostname(char *name, size_t n);

#endif
