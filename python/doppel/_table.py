"""Tables that results consist of: named columns in the layout of Apache Arrow."""

from collections import namedtuple
from itertools import islice

from doppel import _core

__all__ = ["Table"]

_BATCH = 65536
_TYPES = {"U": "text", "I": "uint32", "L": "uint64", "l": "int64", "f": "float32", "g": "float64",
          "b": "bool"}


def _html(text):
    text = str(text)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _short(value, most=60):
    if isinstance(value, float):
        return f"{value:.4f}"
    text = str(value)
    return text if len(text) <= most else text[:most - 1] + "…"


class Table:
    """Rows with named columns.

    Any library that reads Arrow data takes a table as it is: ``polars.DataFrame(table)``,
    ``pyarrow.table(table)``, ``duckdb.sql("select * from table")``. A table is also a sequence of
    rows, which are named tuples, and a mapping of its columns.

    >>> import doppel
    >>> t = doppel.pairs([[1.0, 0.0], [0.0, 1.0]], [[1.0, 0.1], [0.2, 1.0]], threshold=0.9)
    >>> t.columns
    ['left_id', 'right_id', 'score']
    >>> len(t), t[0].right_id, round(t[0].score, 3)
    (2, 0, 0.995)
    >>> [row.left_id for row in t]
    [0, 1]
    >>> t["right_id"].to_list()
    [0, 1]

    Rows come from the result when they are asked for: iteration, ``batches`` and Arrow streams do
    not hold all of them in memory; a column (``table["score"]``) or a row by its number
    (``table[3]``) does.
    """

    def __init__(self, handle):
        self._handle = handle
        self._n, fields, _ = _core.table_info(handle)
        self._fields = fields
        self._names = [name for name, _ in fields]
        self._row = namedtuple("Row", self._names, rename=True)
        self._loaded = None

    # ---- shape ----

    @property
    def columns(self):
        """Names of the columns."""
        return list(self._names)

    @property
    def schema(self):
        """Types by name: text, uint32, uint64, float32, float64 or bool."""
        return {name: _TYPES[kind] for name, kind in self._fields}

    def __len__(self):
        if self._n < 0:
            self._load()
        return self._n

    def __bool__(self):
        return len(self) > 0

    def _load(self):
        if self._loaded is None:
            self._loaded = _core.table_columns(self._handle)
            self._n = len(self._loaded[0]) if self._loaded else 0
        return self._loaded

    # ---- values ----

    def __getitem__(self, key):
        if isinstance(key, str):
            if key not in self._names:
                raise KeyError(f"{key}: the columns are {', '.join(self._names)}")
            return self._load()[self._names.index(key)]
        if isinstance(key, slice):
            return [self[i] for i in range(*key.indices(len(self)))]
        n = len(self)
        if not -n <= key < n:
            raise IndexError(f"row {key} of {n}")
        return self._row(*(column[key % n] for column in self._load()))

    def batches(self, rows=_BATCH):
        """Iterate over lists of columns of at most so many rows each."""
        if self._loaded is not None or self._info()[2]:
            yield self._load()
            return
        reader = _core.table_reader(self._handle)
        while (columns := _core.reader_next(reader, rows)) is not None:
            yield columns

    def _info(self):
        return _core.table_info(self._handle)

    def __iter__(self):
        for columns in self.batches(4096):
            n = len(columns[0])
            for first in range(0, n, 4096):
                yield from map(self._row, *(c.to_list(first, first + 4096) for c in columns))

    def to_dict(self):
        """Lists of values by name of the column."""
        return {name: column.to_list() for name, column in zip(self._names, self._load())}

    def to_numpy(self, name):
        """A column as an array: numbers without a copy, texts as objects."""
        import numpy

        column = self[name]
        if column.format == "U" or column.null_count:
            return numpy.array(column.to_list(), dtype=object)
        return numpy.asarray(column)

    # ---- other libraries ----

    def __arrow_c_schema__(self):
        return _core.table_schema(self._handle)

    def __arrow_c_stream__(self, requested_schema=None):
        return _core.table_stream(self._handle, _BATCH)

    def to_polars(self):
        """A ``polars.DataFrame``."""
        import polars

        return polars.DataFrame(self)

    def to_arrow(self):
        """A ``pyarrow.Table``."""
        import pyarrow

        return pyarrow.table(self)

    def to_pandas(self):
        """A ``pandas.DataFrame``; through pyarrow if it is installed."""
        import pandas

        try:
            import pyarrow
        except ImportError:
            return pandas.DataFrame({c.name: c if c.format != "U" and not c.null_count
                                     else c.to_list() for c in self._load()})
        return pyarrow.table(self).to_pandas()

    def write_tsv(self, path, columns=None, header=False):
        """Write the first columns (all, if not given) to a tab-separated file, numbers with six
        decimals: the same bytes as the command line writes."""
        from doppel._context import current

        _core.table_write(current()._handle, self._handle, path, columns or 0, header)

    # ---- to look at ----

    def _head(self, n):
        return list(islice(iter(self), n)), len(self)

    def __repr__(self):
        rows, n = self._head(5)
        lines = [f"<doppel table, {n} rows: {', '.join(self._names)}>"]
        lines += ["  " + "  ".join(_short(v, 40) for v in row) for row in rows]
        return "\n".join(lines + (["  …"] if n > len(rows) else []))

    def _repr_html_(self):
        rows, n = self._head(10)
        head = "".join(f"<th>{_html(name)}</th>" for name in self._names)
        body = "".join("<tr>" + "".join(f"<td>{_html(_short(v, 120))}</td>" for v in row) + "</tr>"
                       for row in rows)
        more = f"<p>{n:,} rows</p>"
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
