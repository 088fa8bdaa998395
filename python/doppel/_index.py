"""Pocket indexes: a collection in one file that is asked with whole documents."""

import os
from collections import namedtuple

from doppel import _core
from doppel._collection import columns_and_lang
from doppel._context import Call, TempFolder, current
from doppel._inputs import Columns, document_input
from doppel._lexicon import Lexicon
from doppel._options import columns_of, join, take
from doppel._table import Table

__all__ = ["Entry", "Explanation", "Index"]

Entry = namedtuple("Entry", "row id title lang words")
Explanation = namedtuple("Explanation", "id score terms passages")


def _keys(columns):
    return {k: v for k, v in columns.keys().items() if v is not None}


class Index:
    """Documents that are found by similar ones.

    >>> import doppel
    >>> index = doppel.Index.build(["The ship lies in the harbour of the old town.",
    ...                             "Bread is baked at night in the small bakery."], lang="en")
    >>> [(hit.id, hit.rank) for hit in index.search("a ship in the harbour", top=1)]
    [(0, 1)]
    >>> len(index)
    2
    """

    def __init__(self, path, *, context=None, _keep=None, _numbers=False):
        self.path = os.fspath(path)
        self._keep = _keep
        self._numbers = _numbers
        self._context = context
        self._handle = _core.index_open((context or current())._handle, self.path)

    @classmethod
    def build(cls, documents, *more, out=None, id=None, text=None, lang=None, title=None,
              lexicon=(), context=None, progress=None, **options):
        """Index documents in any form. ``out`` is the file (``.pocket``); without it the index is in a
        temporary one until it is gone. With a ``lexicon``, or a list of them (of a pivot language and
        others), documents are found across languages. ``texts=True`` keeps the texts. Other options
        are those of ``doppel.options("index build")``."""
        columns, lang = columns_and_lang((documents, *more), id, text, lang, title)
        lexicons = lexicon if isinstance(lexicon, (list, tuple)) else [lexicon] if lexicon else []
        parts = take("Index.build", "index build", options, {"lexicon": lexicons or None})
        given = join(parts, "index", lang=lang, **_keys(columns),
                     **columns_of(parts[None].get("fields")))
        with Call(context, progress) as call:
            keep = None
            if out is None or any(isinstance(x, Lexicon) for x in lexicons):
                keep = TempFolder(call)
            path = os.path.join(keep.path, "index.pocket") if out is None else out
            paths = []
            for i, one in enumerate(lexicons):
                if isinstance(one, Lexicon):
                    name = os.path.join(keep.path, f"lexicon-{i}.dpl")
                    one.save(name)
                    one = name
                paths.append(one)
            if call.temp:
                given.setdefault("temp", call.temp)
            inputs = [document_input(d, columns, f"input {i + 1}")
                      for i, d in enumerate((documents, *more))]
            numbers = len(inputs) == 1 and _core.input_numbers(inputs[0])
            _core.index_build(call.handle, call.report, path, inputs, paths, given)
            return cls(path, context=call.context, _keep=keep, _numbers=numbers)

    @classmethod
    def open(cls, path, *, context=None):
        """Open an index that was built before."""
        return cls(path, context=context)

    # ---- asking ----

    def search(self, queries, top=None, *, id=None, text=None, lang=None, title=None, context=None,
               progress=None, **options):
        """The nearest documents of each query: a table of query_id, rank, id, title, lang and score
        (cosine). A query is a text, or documents in any form; without ids, queries are numbered from
        0. ``top`` hits at most (10); other options are those of ``doppel.options("query")``:
        ``threshold``, ``method``, ``only_lang``."""
        columns, lang = columns_and_lang((queries,), id, text, lang, title)
        parts = take("Index.search", "query", options)
        given = join(parts, "query", top=top, lang=lang)
        reading = {**_keys(columns), **columns_of(parts[None].get("fields")), **parts.get("reader", {})}
        with Call(context or self._context, progress) as call:
            handle = document_input(queries, columns, "queries", text_is_document=True)
            return Table(_core.index_search(call.handle, call.report, self._handle, [handle],
                                            reading, given, _core.input_numbers(handle),
                                            self._numbers))

    def like(self, key, top=None, **options):
        """The documents nearest to one of the index, by its id or row."""
        given = join(take("Index.like", "query", options, own=()), "query", top=top)
        return Table(_core.index_like(self._handle, self[key].row, given, self._numbers))

    def explain(self, text, top=None, **options):
        """The hits of a text with the words that carry the similarity (query, document, weight), and
        if the index has texts, the passages that match (in bytes)."""
        given = join(take("Index.explain", "query", options, own=()), "query", top=top)
        return [Explanation(*row) for row in _core.index_explain(self._handle, text, given)]

    # ---- documents ----

    def __getitem__(self, key):
        """The entry of an id, or of a row."""
        if self._numbers and isinstance(key, int):
            key = str(key)
        found = _core.index_doc(self._handle, key)
        if found is None:
            raise KeyError(key)
        return Entry(*found)

    def __contains__(self, id):
        return _core.index_doc(self._handle, str(id)) is not None

    def __len__(self):
        return self.summary["documents"]

    def text(self, key):
        """The text of a document; the index must have been built with ``texts=True``."""
        return _core.index_text(self._handle, self[key].row)

    @property
    def summary(self):
        """Counts, languages, what the index has."""
        import json

        return json.loads(_core.index_info(self._handle))

    # ---- changing it ----

    def add(self, documents, *, id=None, text=None, lang=None, title=None, context=None,
            progress=None):
        """Add documents, or replace those with the same id."""
        columns = Columns(id, text, lang, title)
        with Call(context or self._context, progress) as call:
            if not isinstance(documents, (str, os.PathLike)):
                handle = document_input(documents, columns, "documents")
                if _core.input_numbers(handle):
                    raise ValueError("documents that are added need ids")
            else:
                handle = document_input(documents, columns)
            _core.index_add(call.handle, call.report, self.path, [handle])
            self._numbers = False
            self._handle = _core.index_open(call.handle, self.path)

    def delete(self, ids, *, context=None, progress=None):
        """Remove documents by their ids."""
        with Call(context or self._context, progress) as call:
            _core.index_delete(call.handle, call.report, self.path, [str(i) for i in ids])
            self._handle = _core.index_open(call.handle, self.path)

    def save(self, path):
        """Copy the file."""
        import shutil

        shutil.copyfile(self.path, path)

    def __repr__(self):
        return f"<doppel index, {len(self)} documents>"
