"""Collections: documents with their words, as files or in memory; vectors of them."""

import os
from collections import namedtuple

from doppel import _core
from doppel._context import Call, current
from doppel._inputs import Columns, document_input, is_dense, is_sparse
from doppel._lexicon import lexicon_handle
from doppel._options import columns_of, join, take
from doppel._sources import open_source

__all__ = ["Collection", "Document", "Vectors"]

Document = namedtuple("Document", "id lang title text extra")


class Collection:
    """Documents that were read, checked and split into words.

    Most calls take documents as they are; a collection saves reading them again.

    >>> import doppel
    >>> c = doppel.Collection.make(["Guten Morgen, liebe Leute.", "Wie geht es euch heute?"],
    ...                            lang="de")
    >>> len(c), c[0].id, c[1].text
    (2, '0', 'Wie geht es euch heute?')
    """

    def __init__(self, handle, numbers=False):
        self._collection = handle
        self._numbers = numbers
        (self.n_documents, self.n_terms, self.n_tokens, self.n_sentences, self.n_bytes,
         self._settings) = _core.collection_info(handle)

    @classmethod
    def make(cls, documents, *more, id=None, text=None, lang=None, title=None, out=None,
             context=None, progress=None, **options):
        """Read documents in any form. ``lang`` names the column of the language if there is one,
        and otherwise is the language of all documents. With ``out`` the collection is written to
        a file; else it is in memory. Other options are those of ``doppel.options("import")``."""
        columns, lang = columns_and_lang((documents, *more), id, text, lang, title)
        parts = take("Collection.make", "import", options)
        given = join(parts, "import", lang=lang, **columns.keys(),
                     **columns_of(parts[None].get("fields")))
        with Call(context, progress) as call:
            inputs = [document_input(d, columns) for d in (documents, *more)]
            numbers = all(_core.input_numbers(i) for i in inputs)
            handle = _core.import_(call.handle, call.report, out, inputs, given)
            if handle is None:
                handle = _core.collection_open(call.handle, out)
        return cls(handle, numbers)

    @classmethod
    def open(cls, path, *, context=None):
        """Open a ``.dpl`` made before."""
        return cls(_core.collection_open((context or current())._handle, path))

    def save(self, path):
        """Write it to a ``.dpl``."""
        _core.collection_save(self._collection, path)

    @property
    def settings(self):
        """How the words were made, as a dict."""
        import json

        return json.loads(self._settings)

    def __len__(self):
        return self.n_documents

    def __getitem__(self, key):
        if isinstance(key, str):
            number = _core.collection_find(self._collection, key)
            if number is None:
                raise KeyError(key)
            key = number
        elif key < 0:
            key += self.n_documents
        return Document(*_core.collection_doc(self._collection, key))

    def __iter__(self):
        return (self[i] for i in range(self.n_documents))

    def __contains__(self, id):
        return _core.collection_find(self._collection, id) is not None

    def __repr__(self):
        return f"<doppel collection, {self.n_documents} documents, {self.n_terms} words>"


def columns_and_lang(sources, id, text, lang, title, extra=()):
    """The columns, and the language where ``lang`` is one and not the name of a column."""
    if lang is not None and any(lang in _column_names(s) for s in sources):
        return Columns(id, text, lang, title, extra), None
    return Columns(id, text, None, title, extra), lang


def _column_names(source):
    source = open_source(source)
    if isinstance(source, (str, bytes, os.PathLike)):
        return ()
    for name in ("column_names", "columns"):
        found = getattr(source, name, None)
        if found is not None and not callable(found):
            return list(found)
    names = getattr(getattr(source, "schema", None), "names", None)  # a reader of record batches
    if isinstance(names, list):
        return names
    if isinstance(source, dict):
        return list(source)
    if isinstance(source, (list, tuple)) and source and isinstance(source[0], dict):
        return list(source[0])
    return ()


class Vectors:
    """Rows of numbers of length one: of documents, dense arrays or sparse matrices."""

    def __init__(self, handle, numbers=False):
        self._handle = handle
        self._numbers = numbers
        (self.n_rows, self.n_dropped, self.n_terms, self.dim, self.n_entries, self.lang,
         self.space) = _core.vectors_info(handle)

    @classmethod
    def open(cls, path, *, context=None):
        """Open a ``.dpl``, ``.npy`` or ``.fvecs``."""
        return cls(_core.vectors_open((context or current())._handle, path),
                   not str(path).endswith(".dpl"))

    @classmethod
    def from_dense(cls, array, *, ids=None, context=None):
        """From an array of two dimensions (any object with the buffer protocol, such as a numpy
        array) or a list of rows."""
        if isinstance(array, (list, tuple)):
            array = _packed(array)
        ids = None if ids is None else [str(i) for i in ids]
        return cls(_core.vectors_dense((context or current())._handle, array, ids), ids is None)

    @classmethod
    def from_sparse(cls, matrix, *, ids=None, names=None, context=None):
        """From a matrix of compressed sparse rows (scipy's, or anything with indptr, indices, data
        and shape). ``names`` of the columns decide which columns of two matrices are the same."""
        if getattr(matrix, "format", "csr") != "csr":
            matrix = matrix.tocsr()
        if hasattr(matrix, "has_canonical_format") and not matrix.has_canonical_format:
            matrix = matrix.copy()
            matrix.sum_duplicates()
        rows, columns = matrix.shape
        ids = None if ids is None else [str(i) for i in ids]
        names = None if names is None else [str(n) for n in names]
        return cls(_core.vectors_csr((context or current())._handle, matrix.indptr, matrix.indices,
                                     matrix.data, rows, columns, ids, names), ids is None)

    @classmethod
    def of(cls, collection, *, lexicon=None, context=None, progress=None, **options):
        """Term vectors of a collection, projected through a lexicon if one is given."""
        given = join(take("Vectors.of", "vectors", options, {"lexicon": lexicon}), "vectors")
        with Call(context, progress) as call:
            return cls(_core.vectors_make(call.handle, call.report, collection._collection,
                                          lexicon_handle(lexicon, call), given),
                       collection._numbers)

    def save(self, path):
        """Write sparse rows to a ``.dpl``."""
        _core.vectors_save(self._handle, path)

    def __len__(self):
        return self.n_rows

    def __repr__(self):
        what = f"{self.dim} numbers" if self.dim else f"{self.n_terms} terms"
        return f"<doppel vectors, {self.n_rows} rows, {what}>"


def _packed(rows):
    from array import array

    flat = array("f")
    for row in rows:
        if len(row) != len(rows[0]):
            raise ValueError("the rows have different lengths")
        flat.extend(row)
    return memoryview(flat).cast("B").cast("f", (len(rows), len(rows[0])))


def vectors_of_array(x, ids, context):
    """Vectors of a dense or sparse array; None for anything else."""
    if is_sparse(x):
        return Vectors.from_sparse(x, ids=ids, context=context)
    if is_dense(x):
        return Vectors.from_dense(x, ids=ids, context=context)
    return None
