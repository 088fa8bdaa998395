"""Files and objects with columns that are read piece by piece: the one place that opens them."""

import os

__all__ = ["Columnar", "open_source", "read_table", "table_kind", "whole"]

# Files that the library has no reader for.
_TABLES = {".parquet": "parquet", ".pq": "parquet", ".arrow": "ipc", ".feather": "ipc",
           ".ipc": "ipc", ".arrows": "stream", ".orc": "orc", ".avro": "avro", ".xlsx": "excel"}


class Columnar:
    """Arrow data with names of columns, of which only those that are asked for are read."""

    def __init__(self, names, read, whole=None):
        self.column_names = list(names)
        self._read = read
        self._whole = whole

    def read(self, columns):
        """Something with ``__arrow_c_stream__`` that has these columns."""
        return self._read(columns)

    def whole(self):
        """A table of all columns."""
        return self._whole() if self._whole else self._read(self.column_names)


# ---- files ------------------------------------------------------------------------------


def table_kind(path):
    """The kind of a file with columns by its name, such as "parquet"; None for any other one."""
    return _TABLES.get(os.path.splitext(os.fspath(path))[1].lower())


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


def read_table(path, kind):
    """The table of a file, by whichever library is installed and reads it."""
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


def _files(path):
    """Files with columns of one kind in a folder, in the order of their names; none if it has
    others, too, which the readers of folders take."""
    found = []
    for folder, _, names in sorted(os.walk(path)):
        for name in sorted(names):
            if name.startswith(("_", ".")):  # _SUCCESS, _metadata
                continue
            if table_kind(name) is None:
                return []
            found.append(os.path.join(folder, name))
    return found if len({table_kind(p) for p in found}) == 1 else []


def _open_files(paths, kind):
    if kind in ("parquet", "ipc"):
        try:
            from pyarrow import dataset
        except ImportError:
            pass
        else:
            return _open_dataset(dataset.dataset(paths, format=kind))
    tables = [read_table(p, kind) for p in paths]
    if len(tables) > 1:
        module = __import__(type(tables[0]).__module__.partition(".")[0])
        tables = [module.concat(tables) if hasattr(module, "concat") else module.concat_tables(tables)]
    return _open_frame(tables[0])


# ---- objects ----------------------------------------------------------------------------


def _open_frame(frame):
    names = getattr(frame, "column_names", None) or frame.columns
    return Columnar(names, frame.select, lambda: frame)


def _open_dataset(dataset):
    """A dataset or a scanner of pyarrow."""
    return Columnar(dataset.schema.names, lambda columns: dataset.scanner(columns=columns).to_reader(),
                    dataset.to_table)


def _open_lazy(frame):
    """A lazy frame of polars: piece by piece, where pyarrow is installed."""
    names = frame.collect_schema().names()

    def read(columns):
        chosen = frame.select(columns)
        if hasattr(chosen, "collect_batches"):
            try:
                return batch_reader(chosen.collect_batches(), frame.clear().select(columns).collect())
            except ImportError:
                pass
        return chosen.collect()

    return Columnar(names, read, frame.collect)


def _open_datasets(dataset):
    """A datasets.Dataset: rows that were selected or shuffled are read in their order."""
    def read(columns):
        chosen = dataset.select_columns(columns).with_format("arrow")
        return batch_reader(chosen.iter(batch_size=1000), dataset.features.arrow_schema.empty_table()
                            .select(columns))

    return Columnar(dataset.column_names, read)


def _open_relation(relation):
    """A relation of duckdb: read at once, because a connection has one open result only."""
    def read(columns):
        names = ", ".join('"' + n.replace('"', '""') + '"' for n in columns)
        return relation.project(names).to_arrow_table()

    return Columnar(relation.columns, read)


def batch_reader(batches, empty=None, choose=None):
    """A reader of an iterator of record batches, tables or frames; choose: which of the columns of
    the first one are read of all of them."""
    import pyarrow

    iterator = iter(batches)
    first = next(iterator, empty)
    def pieces():
        yield from table.to_batches()
        for one in iterator:
            yield from pyarrow.table(one).select(table.column_names).cast(table.schema).to_batches()

    table = pyarrow.table(first)
    if choose is not None:
        table = table.select(choose(table.column_names))
    return pyarrow.RecordBatchReader.from_batches(table.schema, pieces())


def open_source(source):
    """Documents in a form with columns as a Columnar; anything else as it is."""
    if isinstance(source, (str, os.PathLike)):
        if os.path.isdir(source):
            paths = _files(source)
            return _open_files(paths, table_kind(paths[0])) if paths else source
        kind = table_kind(source)
        return _open_files([os.fspath(source)], kind) if kind and os.path.exists(source) else source
    module = type(source).__module__.partition(".")[0]
    if module == "pyarrow" and hasattr(source, "scanner"):
        return _open_dataset(source)
    if module == "datasets" and hasattr(source, "select_columns") and hasattr(source, "__len__"):
        return _open_datasets(source)
    if module in ("duckdb", "_duckdb") and hasattr(source, "project"):
        return _open_relation(source)
    if module == "polars" and hasattr(source, "collect_schema") and hasattr(source, "collect"):
        return _open_lazy(source) if not hasattr(source, "__arrow_c_stream__") else source
    return source


def whole(source):
    """A path, a dataset or a lazy frame as a table; anything else as it is."""
    opened = open_source(source)
    if not isinstance(opened, Columnar) or type(source).__module__.startswith("datasets"):
        return source
    return opened.whole()
