/*
 * bzip2_scalar.c - the symbols of bzip2 blocks, with the list in memory.
 */
#include "kernels/kernels.h"

typedef struct list_type {
    uint8_t *bytes;
} list_type;

static void list_open(list_type *list, dpl__bz_symbols *s)
{
    list->bytes = s->list;
}

static inline uint8_t list_take(list_type *list, unsigned index)
{
    uint8_t byte = list->bytes[index];
    if (index) {
        memmove(list->bytes + 1, list->bytes, index);
        list->bytes[0] = byte;
    }
    return byte;
}

#include "kernels/bzip2_symbols.h"

void dpl__bzip2_scalar(dpl__kernels *k)
{
    k->bz_symbols = decode_symbols;
}
