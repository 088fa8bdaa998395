/*
 * missing.c - libraries that a page does without: compressors of outputs, lzma, Markdown.
 *
 * Each fails as it would without memory or with data that it does not know. zstd.c reads
 * frames of Zstandard.
 */
#define ZSTD_STATIC_LINKING_ONLY
#include <lzma.h>
#include <md4c.h>
#include <zdict.h>
#include <zlib.h>
#include <zstd.h>
#include <zstd_errors.h>

int deflateInit2_(z_streamp z, int level, int method, int window, int memory, int strategy,
                  const char *version, int size)
{
    (void)z, (void)level, (void)method, (void)window, (void)memory, (void)strategy;
    (void)version, (void)size;
    return Z_MEM_ERROR;
}

int deflate(z_streamp z, int flush)
{
    return (void)z, (void)flush, Z_STREAM_ERROR;
}

int deflateEnd(z_streamp z)
{
    return (void)z, Z_OK;
}

uLong compressBound(uLong n)
{
    return n + 64;
}

lzma_ret lzma_stream_decoder(lzma_stream *s, uint64_t memory, uint32_t flags)
{
    return (void)s, (void)memory, (void)flags, LZMA_MEM_ERROR;
}

lzma_ret lzma_code(lzma_stream *s, lzma_action action)
{
    return (void)s, (void)action, LZMA_DATA_ERROR;
}

uint64_t lzma_memusage(const lzma_stream *s)
{
    return (void)s, 0;
}

void lzma_end(lzma_stream *s)
{
    (void)s;
}

/* The page gives texts in Markdown another name. */
int md_parse(const MD_CHAR *text, MD_SIZE n, const MD_PARSER *parser, void *user)
{
    return (void)text, (void)n, (void)parser, (void)user, -1;
}

ZSTD_CCtx *ZSTD_createCCtx(void)
{
    return NULL;
}

size_t ZSTD_freeCCtx(ZSTD_CCtx *c)
{
    return (void)c, 0;
}

size_t ZSTD_CCtx_setParameter(ZSTD_CCtx *c, ZSTD_cParameter which, int value)
{
    return (void)c, (void)which, (void)value, 0;
}

size_t ZSTD_compressBound(size_t n)
{
    return n + 64;
}

size_t ZSTD_compress2(ZSTD_CCtx *c, void *to, size_t room, const void *from, size_t n)
{
    return (void)c, (void)to, (void)room, (void)from, (void)n, (size_t)-1;
}

ZSTD_CDict *ZSTD_createCDict(const void *data, size_t n, int level)
{
    return (void)data, (void)n, (void)level, NULL;
}

size_t ZSTD_freeCDict(ZSTD_CDict *dictionary)
{
    return (void)dictionary, 0;
}

size_t ZSTD_compress_usingCDict(ZSTD_CCtx *c, void *to, size_t room, const void *from, size_t n,
                                const ZSTD_CDict *dictionary)
{
    return (void)c, (void)to, (void)room, (void)from, (void)n, (void)dictionary, (size_t)-1;
}

ZSTD_DCtx *ZSTD_createDCtx(void)
{
    static char only;
    return (ZSTD_DCtx *)&only;
}

size_t ZSTD_freeDCtx(ZSTD_DCtx *d)
{
    return (void)d, 0;
}

unsigned ZSTD_isError(size_t code)
{
    return code > (size_t)-200;
}

size_t ZSTD_DCtx_setParameter(ZSTD_DCtx *d, ZSTD_dParameter which, int value)
{
    return (void)d, (void)which, (void)value, 0;
}

size_t ZSTD_decompressStream(ZSTD_DStream *d, ZSTD_outBuffer *to, ZSTD_inBuffer *from)
{
    return (void)d, (void)to, (void)from, (size_t)-1;
}

ZSTD_ErrorCode ZSTD_getErrorCode(size_t code)
{
    return (void)code, ZSTD_error_prefix_unknown;
}

size_t ZDICT_trainFromBuffer(void *to, size_t room, const void *samples, const size_t *sizes,
                             unsigned n)
{
    return (void)to, (void)room, (void)samples, (void)sizes, (void)n, (size_t)-1;
}

unsigned ZDICT_isError(size_t code)
{
    return code > (size_t)-200;
}
