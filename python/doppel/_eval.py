"""Measures of what was found, against what is known to be true."""

import os

from doppel import _core
from doppel._context import Call
from doppel._results import DedupResult, MineResult
from doppel._sources import Columnar, open_source

__all__ = ["eval"]


def _rows(source, names):
    """A path as it is; anything else as a list of tuples of two texts."""
    if isinstance(source, MineResult):
        source = source.pairs
    if isinstance(source, DedupResult):
        source = source.documents
    source = open_source(source)
    if isinstance(source, (str, os.PathLike)):
        return os.fspath(source)
    if isinstance(source, Columnar):
        source = source.whole()
    if isinstance(source, dict):  # id to cluster, or columns by name
        values = list(source.values())
        if values and all(isinstance(v, (list, tuple)) for v in values):
            return _rows(list(zip(*values[:2])), names)
        return [(str(a), str(b)) for a, b in source.items()]
    columns = list(getattr(source, "column_names", None) or getattr(source, "columns", None) or ())
    if columns:
        chosen = [n if n in columns else columns[i] for i, n in enumerate(names)]
        return [(str(a), str(b)) for a, b in zip(*(list(_values(source[n])) for n in chosen))]
    return [(str(row[0]), str(row[1])) for row in source]


def _values(column):
    return column.to_pylist() if hasattr(column, "to_pylist") else column


def eval(what, gold, found, *, context=None):
    """Compare what was found with what is true: precision, recall, F1 and more, as a dict.

    ``what`` is "pairs" (left and right id) or "clusters" (id and cluster; pairs of documents that are
    in one cluster, and the adjusted Rand index). Gold and found are tables or lists of two columns, a
    dict of clusters by id, a path, or the result of ``mine`` or ``dedup``.

    >>> import doppel
    >>> doppel.eval("pairs", [("a", "x"), ("b", "y")], [("a", "x"), ("b", "z")])["precision"]
    0.5
    >>> found = doppel.eval("clusters", {"a": 1, "b": 1, "c": 2}, {"a": "p", "b": "p", "c": "p"})
    >>> found["recall"], round(found["precision"], 3)
    (1.0, 0.333)
    """
    calls = {"pairs": (_core.eval_pairs, ("left_id", "right_id")),
             "clusters": (_core.eval_clusters, ("id", "cluster"))}
    if what not in calls:
        raise ValueError(f"'{what}' is not measured here; expected pairs or clusters")
    measure, names = calls[what]
    with Call(context) as call:
        found = measure(call.handle, _rows(gold, names), _rows(found, names))
    if not found.get("mismatch"):
        found.pop("mismatch", None)
    return found
