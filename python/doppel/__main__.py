"""python -m doppel: the command line. ``import`` also reads what polars or pyarrow read."""

import os
import sys

# Files that the library has no reader for.
_TABLES = {".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".feather": "ipc",
           ".ipc": "ipc", ".arrows": "stream", ".orc": "orc", ".avro": "avro", ".xlsx": "excel"}


def _kind(argument):
    return _TABLES.get(os.path.splitext(argument)[1].lower()) if not argument.startswith(
        "-") else None


def _read_polars(path, kind):
    import polars

    readers = {"parquet": polars.read_parquet, "ipc": polars.read_ipc,
               "stream": polars.read_ipc_stream, "avro": polars.read_avro,
               "excel": polars.read_excel}
    frame = readers[kind](path)
    temporal = [n for n, t in frame.schema.items() if t.is_temporal()]
    return frame.with_columns(polars.col(n).cast(polars.String) for n in temporal)


def _read_pyarrow(path, kind):
    if kind == "parquet":
        from pyarrow import parquet

        return parquet.read_table(path)
    if kind == "orc":
        from pyarrow import orc

        return orc.read_table(path)
    import pyarrow

    with pyarrow.memory_map(path) as file:
        opened = (pyarrow.ipc.open_stream if kind == "stream" else pyarrow.ipc.open_file)(file)
        return opened.read_all()


def _read(path, kind):
    """The table, by whichever library is installed and reads it."""
    missing = []
    for library, read, kinds in (
            ("polars", _read_polars, ("parquet", "ipc", "stream", "avro", "excel")),
            ("pyarrow", _read_pyarrow, ("parquet", "ipc", "stream", "orc"))):
        if kind in kinds:
            try:
                return read(path, kind)
            except ImportError:
                missing.append(library)
    raise ImportError(f"'{path}': reading it needs {' or '.join(missing)}: "
                      f"pip install {missing[0]}")


def _pipe(table):
    """A path that the command line reads the table's rows from, as JSON Lines."""
    import threading

    from doppel import _core
    from doppel._context import current

    rows = _core.input_arrow(table.__arrow_c_stream__(), None,
                             lambda names: ((None,) * 4, None), None)
    read, write = os.pipe()

    def send():
        try:
            _core.input_spool(current()._handle, None, rows, f"/dev/fd/{write}")
        except Exception:  # the command line has failed: it says why
            pass
        os.close(write)

    threading.Thread(target=send, daemon=True).start()
    return f"/dev/fd/{read}"


def main(argv=None):
    """Run the command line; the answer is its exit status."""
    from doppel import _core

    argv = sys.argv[1:] if argv is None else list(argv)
    if argv[:1] == ["import"]:
        for i, argument in enumerate(argv[1:], 1):
            kind = _kind(argument)
            if kind is None or argv[i - 1] in ("-o", "--output") or not os.path.exists(argument):
                continue
            try:
                argv[i] = _pipe(_read(argument, kind))
            except Exception as error:
                print(f"doppel import: {error}", file=sys.stderr)
                return 1 if isinstance(error, ImportError) else 3
    sys.stdout.flush()
    return _core.cli(["doppel", *argv])


if __name__ == "__main__":
    sys.exit(main())
