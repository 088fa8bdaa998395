/*
 * doppel/file.h - the container that holds everything doppel writes (docs/reference/FORMAT.md).
 *
 *     dpl_file *file = NULL;
 *     if (dpl_file_open(&file, ctx, "news.dpl", &err) != DPL_OK)
 *         return 1;
 *     for (size_t i = 0; i < dpl_file_get_info(file).n_sections; i++) {
 *         dpl_section section = dpl_file_section(file, i);
 *         printf("%s %zu\n", section.name, section.n_bytes);
 *     }
 *     dpl_file_close(file);
 */
#ifndef DOPPEL_FILE_H
#define DOPPEL_FILE_H

#include "doppel/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A container, mapped read-only. Frozen. */
typedef struct dpl_file dpl_file;

/* Layout fixed. */
typedef struct dpl_section {
    const char *name;
    const void *data; /* 64-byte aligned */
    size_t n_bytes;
    uint32_t element; /* bytes of one element: 1, 2, 4 or 8 */
    uint32_t crc;     /* CRC-32C as stored */
    bool is_required; /* a reader that does not know it must refuse the file */
} dpl_section;

/* Checks header, section table and bounds; not the sections' checksums. */
DPL_API dpl_status dpl_file_open(dpl_file **out, dpl_ctx *ctx, const char *path,
                                 dpl_error *err);
DPL_API void dpl_file_close(dpl_file *file);

/* What a path names: "collection", "lexicon", ... for a file of ours; "" for NULL and for
 * anything but a regular file with the magic of the header: the reader of such a file reports
 * more. A file that has the magic and cannot be opened is the error of dpl_file_open. */
enum { DPL_FILE_KIND = 16 }; /* bytes of the name of a kind, with its terminator */
DPL_API dpl_status dpl_file_detect(char kind[DPL_FILE_KIND], dpl_ctx *ctx, const char *path,
                                   dpl_error *err);

/* Layout fixed. Borrowed until the file is closed. */
typedef struct dpl_file_info {
    const char *path; /* as it was opened; "(memory)" for one without a name */
    const char *kind; /* "collection", "lexicon", ... */
    unsigned major, minor;
    size_t n_bytes;
    size_t n_sections;
} dpl_file_info;

DPL_API dpl_file_info dpl_file_get_info(const dpl_file *file);
/* Sections are numbered from 0, in the order of the file. */
DPL_API dpl_section dpl_file_section(const dpl_file *file, size_t i);
/* False when there is no section of that name. */
DPL_API bool dpl_file_find(const dpl_file *file, const char *name, dpl_section *out);

/* Verifies every byte: all checksums, and that the gaps between sections are zero. */
DPL_API dpl_status dpl_file_check(const dpl_file *file, dpl_error *err);

/* ---- parts ---------------------------------------------------------------------------- */

/* A task of many: part `number` of n, counted from 0. Layout fixed.
 *
 * Functions whose name ends in _part do one part of the work of the function without, and write
 * a part file. Any machine may do any part at any time, even repeatedly: the bytes depend on
 * the inputs, the options and the part only. dpl_parts_open checks that all parts are there,
 * and what is merged from them has the same bytes as the work in one piece:
 *
 *     dpl_import_part   dpl_import_merge     (doppel/tokens.h)
 *     dpl_sign_part     dpl_sign_merge       (doppel/signatures.h)
 *     dpl_pairs_part    dpl_pairs_merge_open (doppel/pairs.h)
 */
typedef struct dpl_part {
    uint32_t number, n;
} dpl_part;

/* "3/7" is the third of seven: number 2. False for anything else. */
DPL_API bool dpl_part_parse(dpl_part *out, const char *text);

/* Begin with DPL_INIT. */
typedef struct dpl_part_summary {
    size_t size;
    bool is_kept; /* the file was there: this part of the same inputs and options, with right
                     checksums. Nothing was done, and n_items is not known */
    uint64_t n_items; /* documents, rows or pairs in it */
    uint64_t n_output_bytes;
    double seconds;
    /* Of an import with update: documents that were not tokenized again. */
    uint64_t n_unchanged;
} dpl_part_summary;

/* All parts of one whole. Frozen. */
typedef struct dpl_parts dpl_parts;

typedef struct dpl_parts_info {
    const char *kind; /* "collection", "signatures" or "pairs": what merges them */
    uint32_t n;
} dpl_parts_info;

/* In any order. Verifies all checksums. DPL_E_USAGE unless they are all n of n, of one kind, of
 * the same inputs and the same options. */
DPL_API dpl_status dpl_parts_open(dpl_parts **out, dpl_ctx *ctx, const char *const *paths,
                                  size_t n_paths, dpl_error *err);
DPL_API void dpl_parts_close(dpl_parts *parts);
DPL_API dpl_parts_info dpl_parts_get_info(const dpl_parts *parts);

/* ---- one run on many machines ---------------------------------------------------------- */

/* Processes on any number of machines that run the same call on the same inputs share its work
 * through the folder OUTPUT.parts, which all of them see. Long loops are divided into chunks,
 * which any process may compute; one process does the work that cannot be divided, and one
 * writes the output: in the others the call ends with DPL_E_STOPPED, "run-is-done". A process
 * that is killed or late costs only time, and can be started again: existing chunks are not
 * computed again. The output has the same bytes as from one process.
 *
 *     status = dpl_shared_run_open(&run, ctx, "out", &part, settings, &err);
 *     if (status == DPL_OK)
 *         status = dpl_dedup(&result, ctx, dpl_shared_run_path(run), inputs, n, &o, &err);
 *     if (status == DPL_OK)
 *         status = dpl_shared_run_publish(run, &err);
 *     if (run && dpl_shared_run_is_done(run))
 *         status = DPL_OK;
 *     dpl_shared_run_close(run);
 *
 * dpl_mine, dpl_dedup, dpl_reuse_find and dpl_index_build divide their work. Owned. */
typedef struct dpl_shared_run dpl_shared_run;

/* Until it is closed, calls on ctx and jobs made from now on take part. DPL_END: the run is
 * complete, there is nothing to do and no run to close. settings is a text that is the same in
 * all processes of the run: DPL_E_USAGE, code "parts-other-run", when the folder holds chunks
 * of another one. A call that fails because others have completed the run meanwhile is
 * DPL_E_STOPPED, and dpl_shared_run_is_done. */
DPL_API dpl_status dpl_shared_run_open(dpl_shared_run **out, dpl_ctx *ctx, const char *output,
                                       const dpl_part *part, const char *settings,
                                       dpl_error *err);
/* Where this process writes its file or folder. Borrowed until the run is closed. */
DPL_API const char *dpl_shared_run_path(const dpl_shared_run *run);
DPL_API bool dpl_shared_run_is_done(const dpl_shared_run *run);
/* Moves what is there to OUTPUT unless another process has, and removes the chunks. */
DPL_API dpl_status dpl_shared_run_publish(dpl_shared_run *run, dpl_error *err);
DPL_API void dpl_shared_run_close(dpl_shared_run *run);

/* ---- text files ---------------------------------------------------------------------- */

/* Bytes to a file that appears when it is complete: they go to a temporary file beside it,
 * which replaces it in the end. A symbolic link stays and what it points to is replaced; the
 * mode of the file replaced is kept. A device, a FIFO or a descriptor ("/dev/stdout",
 * "/dev/fd/3") is a stream and gets the bytes as they come. Owned.
 *
 *     dpl_output *output = NULL;
 *     if (dpl_output_new(&output, ctx, "pairs.tsv", &err) != DPL_OK)
 *         return 1;
 *     dpl_output_write(output, "left_id\tright_id\n", 17);
 *     dpl_status status = dpl_output_finish(output, &err);
 *     dpl_output_free(output);
 *
 * The first failure sticks: what is written after it is dropped, and finish reports it. So
 * only finish needs to be checked. */
typedef struct dpl_output dpl_output;

DPL_API dpl_status dpl_output_new(dpl_output **out, dpl_ctx *ctx, const char *path,
                                  dpl_error *err);
/* Without a finish that succeeded, removes the temporary file: path stays as it was. */
DPL_API void dpl_output_free(dpl_output *output);
DPL_API void dpl_output_write(dpl_output *output, const void *data, size_t n);
DPL_API dpl_status dpl_output_finish(dpl_output *output, dpl_error *err);

/* ---- temporary folders ---------------------------------------------------------------- */

/* A folder for files that do not stay. Zeroed: there is none. Layout fixed. */
typedef struct dpl_temp_dir {
    char path[4096];
    int lock; /* descriptor */
} dpl_temp_dir;

/* Makes one in base (NULL: "/tmp"), and removes those there that a process of this user on this
 * host left when it was killed: the owner of a folder holds a lock on it. */
DPL_API dpl_status dpl_temp_dir_make(dpl_temp_dir *out, const char *base, dpl_error *err);
/* Removes it with everything in it. */
DPL_API void dpl_temp_dir_remove(dpl_temp_dir *dir);

#ifdef __cplusplus
}
#endif
#endif
