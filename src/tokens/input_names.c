/*
 * input_names.c - "data/de.jsonl.gz" is called "de".
 */
#include "tokens/input_names.h"

#include <stdio.h>

dpl_str dpl__input_short_name(const dpl_input *input)
{
    dpl_str name = dpl__cstr(dpl_input_name(input));
    while (name.n > 1 && name.data[name.n - 1] == '/')
        name.n--;
    for (size_t i = name.n; i > 0; i--)
        if (name.data[i - 1] == '/' && i < name.n) {
            name = (dpl_str){name.data + i, name.n - i};
            break;
        }
    const char *dot = name.n > 1 ? memchr(name.data + 1, '.', name.n - 1) : NULL;
    return dot && input->path ? (dpl_str){name.data, (size_t)(dot - name.data)} : name;
}

static bool is_taken(const dpl_str *names, size_t n, dpl_str name)
{
    for (size_t i = 0; i < n; i++)
        if (dpl__str_eq(names[i], name))
            return true;
    return false;
}

const dpl_str *dpl__input_names(dpl__arena *arena, const dpl_input *inputs, size_t n)
{
    dpl_str *names = dpl__arena_alloc(arena, (n + 1) * sizeof *names);
    for (size_t i = 0; names && i < n; i++) {
        const dpl_str name = dpl__input_short_name(&inputs[i]);
        char numbered[300];
        names[i] = name;
        for (size_t k = 2; is_taken(names, i, names[i]); k++) {
            const int n_bytes = snprintf(numbered, sizeof numbered, "%.*s-%zu",
                                         (int)dpl__min(name.n, 250), name.data, k);
            names[i] = (dpl_str){numbered, (size_t)n_bytes};
        }
        names[i] = dpl__arena_copy(arena, names[i]);
        if (!names[i].data)
            return NULL;
    }
    return names;
}
