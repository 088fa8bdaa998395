/*
 * plugin.c - finds and loads the shared object of a device.
 *
 * It is looked for beside the library, or beside the program where the library is a part of it,
 * and in a folder `doppel` there; for a program in a folder `bin`, also in `../lib/doppel`. The
 * environment has no say.
 */
#define _GNU_SOURCE /* dladdr */
#include "devices/device.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* A plugin that is there and cannot be used: the reasons, by what is wrong. */
static const char *bad_file(void)
{
    return "its plugin cannot be loaded";
}

static const char *bad_version(void)
{
    return "its plugin was made for another version of doppel";
}

/* The table as this library knows it: what a plugin does not know yet is NULL. Kept for good,
 * as the plugin is. */
static const dpl_device_table *completed(const dpl_device_table *given)
{
    if (given->size >= sizeof *given)
        return given;
    dpl_device_table *table = calloc(1, sizeof *table);
    if (!table)
        return NULL;
    memcpy(table, given, given->size);
    table->size = sizeof *table;
    return table;
}

static const dpl_device_table *refused(const char *name, const char *(*why_not)(void))
{
    dpl_device_table *table = malloc(sizeof *table); /* kept for good, as a plugin is */
    if (table)
        *table = (dpl_device_table)DPL_INIT(dpl_device_table, .version = DPL_DEVICE_VERSION,
                                            .name = name, .why_not = why_not);
    return table;
}

const dpl_device_table *dpl__plugin_load(const char *path, const char *name)
{
    if (access(path, F_OK) != 0)
        return NULL;
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!object)
        return refused(name, bad_file);
    dpl_device_entry_fn *entry = NULL;
    void *symbol = dlsym(object, "dpl_device_entry");
    memcpy(&entry, &symbol, sizeof entry); /* C has no cast from data to function */
    const dpl_device_table *table = entry ? entry(DPL_DEVICE_VERSION) : NULL;
    if (!table || table->size < offsetof(dpl_device_table, best) ||
        table->version != DPL_DEVICE_VERSION || !table->why_not || !table->name ||
        strcmp(table->name, name) != 0) {
        dlclose(object);
        return refused(name, bad_version);
    }
    return completed(table);
}

const dpl_device_table *dpl__plugin_find(const char *name)
{
    static const char here = 0; /* an address in the library */
    static const char *const folders[] = {"", "doppel/", "../lib/doppel/"};
    Dl_info info;
    if (!dladdr(&here, &info) || !info.dli_fname)
        return NULL;
    /* A program without a slash was found by its PATH; /proc knows where. */
    char self[4096];
    const char *file = info.dli_fname;
    ssize_t n;
    if (!strchr(file, '/') && (n = readlink("/proc/self/exe", self, sizeof self - 1)) > 0) {
        self[n] = 0;
        file = self;
    }
    const char *slash = strrchr(file, '/');
    const dpl_device_table *table = NULL;
    for (size_t i = 0; slash && !table && i < DPL_LEN(folders); i++) {
        char path[4096 + 100];
        int length = snprintf(path, sizeof path, "%.*s/%slibdoppel_%s.so", (int)(slash - file),
                              file, folders[i], name);
        if (length > 0 && (size_t)length < sizeof path)
            table = dpl__plugin_load(path, name);
    }
    return table;
}
