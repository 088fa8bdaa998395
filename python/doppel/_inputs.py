"""Documents in any form that Python has them in, as inputs of the library."""

import os

from doppel import _core
from doppel._sources import Columnar, batch_reader, open_source

__all__ = ["Columns", "document_input", "is_dense", "is_sparse"]


class Columns:
    """Which columns, keys or fields are the parts of a document.

    None for ``id``: "id" if there is one, else documents are numbered from 0. None for ``text``:
    "text", or the only column. None for ``lang`` and ``title``: the columns of that name, if any.
    """

    def __init__(self, id=None, text=None, lang=None, title=None, extra=()):
        self.id, self.text, self.lang, self.title = id, text, lang, title
        self.extra = tuple(extra)

    def choose(self, names):
        """Names of (id, text, lang, title), and of others that are kept."""

        def optional(given, usual):
            return given if given is not None else usual if usual in names else None

        text = self.text
        if text is None:
            text = "text" if "text" in names or len(names) != 1 else names[0]
        for name in (self.id, text, self.lang, self.title, *self.extra):
            if name is not None and name not in names:
                raise KeyError(f"no column '{name}'; there are {', '.join(map(str, names))}")
        return ((optional(self.id, "id"), text, optional(self.lang, "lang"),
                 optional(self.title, "title")), list(self.extra))

    def wanted(self, names):
        """Names of the columns that are read, each once."""
        parts, extra = self.choose(names)
        return list(dict.fromkeys(n for n in (*parts, *extra) if n is not None))

    def keys(self):
        """Options of the readers of files."""
        return {"id_key": self.id, "text_key": self.text, "lang_key": self.lang,
                "title_key": self.title}


def is_sparse(x):
    """A matrix of compressed sparse rows, as scipy has them."""
    return all(hasattr(x, name) for name in ("indptr", "indices", "data", "shape"))


def is_dense(x):
    """An array of numbers with two dimensions, or a list of rows of numbers."""
    if isinstance(x, (str, bytes, bytearray)):
        return False
    if isinstance(x, (list, tuple)):
        return bool(x) and isinstance(x[0], (list, tuple)) and bool(x[0]) and all(
            isinstance(v, (int, float)) and not isinstance(v, bool) for v in x[0])
    try:
        view = memoryview(x)
    except (TypeError, BufferError, ValueError):
        return False
    return view.ndim == 2 and view.format[-1] in "fdebB"


def _field(value):
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bool) or not isinstance(value, int):
        return str(value)
    return str(value)


def _json_default(value):
    return str(value)


def _dict_rows(rows, first, columns):
    """(id, text, lang, title, extra) of each dict."""
    import json

    (id_, text, lang, title), extra = columns.choose(list(first))
    for row in rows:
        kept = None
        if extra:
            kept = json.dumps({k: row.get(k) for k in extra}, ensure_ascii=False,
                              default=_json_default)
        yield (_field(row.get(id_)) if id_ is not None else None, _field(row.get(text)),
               _field(row.get(lang)) if lang is not None else None,
               _field(row.get(title)) if title is not None else None, kept)


def _tuple_rows(rows):
    for row in rows:
        yield tuple(_field(v) for v in row[:4])


def _chain(first, rest):
    yield first
    yield from rest


def _rows(iterable, columns, name):
    """The input of any iterable of texts, dicts or tuples."""
    iterator = iter(iterable)
    first = next(iterator, None)
    rows = iterator if first is None else _chain(first, iterator)
    if first is None or isinstance(first, (str, bytes)):
        return _core.input_rows(rows, True, name)
    if isinstance(first, dict):
        (id_, *_), _ = columns.choose(list(first))
        return _core.input_rows(_dict_rows(rows, first, columns), id_ is None, name)
    if isinstance(first, (tuple, list)):
        return _core.input_rows(_tuple_rows(rows), False, name)
    if hasattr(first, "__arrow_c_array__") or hasattr(first, "__arrow_c_stream__"):
        return document_input(batch_reader(rows, choose=columns.wanted), columns, name)
    if type(first).__module__ == "numpy" and isinstance(first, str):
        return _core.input_rows(map(str, rows), True, name)
    raise TypeError(f"documents are texts, dicts or tuples (id, text), not {type(first).__name__}")


def _pandas_rows(frame, columns):
    """A data frame of pandas where pyarrow is missing."""
    (id_, text, lang, title), extra = columns.choose(list(frame.columns))
    names = [n for n in (id_, text, lang, title, *extra) if n is not None]
    return ({n: v if v == v else None for n, v in zip(names, row)}
            for row in zip(*(frame[n].tolist() for n in names)))


def document_input(source, columns, name=None, text_is_document=False):
    """A handle of an input, and whether ids are positions."""
    if isinstance(source, str) and text_is_document:
        source = [source]
    source = open_source(source)
    if isinstance(source, Columnar):
        source = source.read(columns.wanted(source.column_names))
    if isinstance(source, (str, os.PathLike)):
        return _core.input_path(source)
    if isinstance(source, (bytes, bytearray, memoryview)):
        return _core.input_bytes(source, name)
    handle = getattr(source, "_collection", None)
    if handle is not None:
        return _core.input_collection(handle)
    if hasattr(source, "__arrow_c_stream__"):
        try:
            return _core.input_arrow(source.__arrow_c_stream__(), None, columns.choose, name)
        except ImportError:  # pandas without pyarrow
            if hasattr(source, "columns"):
                return _rows(_pandas_rows(source, columns), columns, name)
            source = source.tolist()
    if hasattr(source, "__arrow_c_array__"):
        return _core.input_arrow(*source.__arrow_c_array__(), columns.choose, name)
    if isinstance(source, dict):  # columns by name
        names = list(source)
        source = (dict(zip(names, values)) for values in zip(*source.values()))
    if hasattr(source, "tolist") and hasattr(source, "dtype"):
        source = source.tolist()  # an array of texts
    return _rows(source, columns, name)
