"""The calls: mine, pairs, align, dedup, reuse, open."""

import os

from doppel import _core
from doppel._collection import Collection, Vectors, columns_and_lang, vectors_of_array
from doppel._context import Call, TempFolder
from doppel._errors import UsageError
from doppel._inputs import Columns, document_input
from doppel._lexicon import Lexicon, arrow_pairs, dictionary_path, lexicon_handle, lexicon_path
from doppel._options import columns_of, given_sides, join, take
from doppel._results import AlignResult, DedupResult, MineResult, PairsTable, ReuseResult
from doppel._sources import open_source

__all__ = ["align", "dedup", "identify", "mine", "open", "pairs", "reuse"]


def _keys(columns):
    return {k: v for k, v in columns.keys().items() if v is not None}


def _reading(parts, columns, fields=None, lang=None):
    """What the options of reading documents become: those given, and the columns."""
    parts["reader"] = {**_keys(columns), **columns_of(fields), **parts.get("reader", {})}
    if lang is not None:
        parts["reader"]["lang"] = lang
    return parts["reader"]


# ---- mine -------------------------------------------------------------------------------


def mine(*inputs, id=None, text=None, lang=None, title=None, langs=None, out=None, lexicon=None,
         context=None, progress=None, **options):
    """Find parallel documents and sentences in two or more languages, without training data.

    Inputs are tables (of polars, pandas, pyarrow, duckdb: whatever has Arrow data), lists of texts,
    dicts or tuples (id, text), generators, collections, or paths; or one list of such inputs. Two
    inputs are two languages. More, or one with mixed languages, are divided by language, and every
    language is paired with the pivot.

    ``id``, ``text``, ``lang`` and ``title`` name the columns; without an id, documents are numbered
    from 0. ``out`` is the folder for the files that ``doppel mine`` writes; without it they are in a
    temporary one until the result is gone. ``langs`` are the languages of two inputs ("de,en"). Options
    are those of ``doppel.options("mine")``, such as ``rounds``, ``confidence``, ``fdr``, ``threshold``,
    ``pivot``, ``unit``, ``dictionary`` (a path, or a list of paths), ``known``.

    >>> import doppel
    >>> result = doppel.mine("examples/sample/de.jsonl", "examples/sample/en.jsonl")
    >>> result.languages
    ['de', 'en']
    >>> len(result.pairs), result.pairs.columns[:3]
    (70, ['left_id', 'right_id', 'confidence'])
    >>> result.sentences[0].left_sentence[:20] != ""
    True
    """
    if len(inputs) == 1 and isinstance(inputs[0], (list, tuple)) and inputs[0] and not isinstance(
            inputs[0][0], (dict, tuple)):
        inputs = tuple(inputs[0])
    if not inputs:
        raise TypeError("mine() needs documents")
    parts = take("mine", "mine", options, {"lexicon": lexicon})
    columns = Columns(id, text, lang, title)
    reading = _reading(parts, columns, parts[None].get("fields"))
    left_lang, right_lang = given_sides("mine", langs)
    select = parts[None].get("select")
    with Call(context, progress) as call:
        keep = None if out is not None else TempFolder(call)
        folder = keep.path if keep else os.fspath(out)
        given = join(parts, "mine", left_lang=left_lang, right_lang=right_lang, read=reading,
                     unique=select == "unique" or None, keep_repeats=select == "kept" or None)
        spool = None
        if lexicon is not None:
            if isinstance(lexicon, Lexicon):
                spool = spool or TempFolder(call)
                lexicon = lexicon_path(lexicon, spool.path)
            given["lexicon"] = lexicon
        if parts[None].get("dictionary") is not None:
            spool = spool or TempFolder(call)
            given["dictionary"] = dictionary_path(parts[None]["dictionary"], langs, spool.path)
        handles = [document_input(source, columns, f"input {i + 1}")
                   for i, source in enumerate(inputs)]
        numbers = [_core.input_numbers(h) for h in handles]
        if len(inputs) != 2 or given.get("pivot"):
            spool = spool or TempFolder(call)
            handles = [_spooled(call, source, handle, spool.path, i)
                       for i, (source, handle) in enumerate(zip(inputs, handles))]
            if spool and any(_is_memory(s) for s in inputs):  # their keys are the usual ones now
                if not all(_is_memory(s) for s in inputs) and _keys(columns):
                    raise UsageError("with more than two inputs, name the columns of paths and "
                                     "tables alike: id, text, lang, title")
                for key in _keys(columns):
                    del reading[key]
            numbers = [False, False]
        found = _core.mine(call.handle, call.report, folder, handles, given)
    return MineResult(folder, found, tuple(numbers[:2]), keep)


def _is_memory(source):
    return not isinstance(open_source(source), (str, os.PathLike))


def _spooled(call, source, handle, folder, number):
    """Documents that are read several times, as a file."""
    if not _is_memory(source):
        return handle
    if isinstance(source, Collection):
        path = os.path.join(folder, f"{number}.dpl")
        source.save(path)
    else:
        path = os.path.join(folder, f"{number}.jsonl")
        _core.input_spool(call.handle, call.report, handle, path)
    return _core.input_path(path)


# ---- pairs ------------------------------------------------------------------------------


def _is_vector_path(call, source):
    if not isinstance(source, (str, os.PathLike)):
        return False
    name = os.fspath(source)
    if name.endswith((".npy", ".fvecs")):
        return True
    return name.endswith(".dpl") and _core.file_kind(call.handle, name) == "vectors"


def _is_collection_path(call, source):
    return (isinstance(source, (str, os.PathLike)) and os.fspath(source).endswith(".dpl")
            and _core.file_kind(call.handle, source) == "collection")


def _collection(call, source, columns, lang, reading, text_is_document=False):
    """A Collection of any documents."""
    if isinstance(source, Collection):
        return source
    if _is_collection_path(call, source):
        return Collection(_core.collection_open(call.handle, source))
    handle = document_input(source, columns, text_is_document=text_is_document)
    numbers = _core.input_numbers(handle)
    given = {**_keys(columns), **reading}
    if lang is not None:
        given["lang"] = lang
    if call.temp:
        given["temp"] = call.temp
    return Collection(_core.import_(call.handle, call.report, None, [handle], given), numbers)


def _vectors(call, source, columns, lang, reading, weighting, lexicon, ids):
    if isinstance(source, Vectors):
        return source
    if _is_vector_path(call, source):
        return Vectors.open(source, context=call.context)
    made = vectors_of_array(source, ids, call.context)
    if made is not None:
        return made
    collection = _collection(call, source, columns, lang, reading)
    return Vectors(_core.vectors_make(call.handle, call.report, collection._collection, lexicon,
                                      weighting), collection._numbers)


def pairs(left, right=None, *, id=None, text=None, lang=None, title=None, lexicon=None,
          lexicon_langs=None, project="left", langs=None, left_ids=None, right_ids=None,
          context=None, progress=None, **options):
    """Find pairs of similar documents or vectors of two sets, or of one.

    Each side is documents in any form (tables, lists of texts, paths), vectors, a dense array
    (numpy), or a sparse matrix of rows (scipy). Documents become term vectors; with a lexicon, those
    of one side (``project``) are translated into the language of the other. The score is the
    cosine, or the margin with ``margin=k``.

    Options are those of ``doppel.options("pairs")``: ``threshold`` (0.3), ``select`` ("all", "best",
    "mutual", "one-to-one", "near"), ``margin``, ``method`` ("auto", "exact", "brute", "window", "hash",
    "ngram", with knobs: "window:tables=9,width=512"), ``recall`` (0.99) ... ``langs`` are the languages
    of the sides ("de,en"). Of documents, options of "vectors" and "import" fit, too.

    >>> import doppel
    >>> texts = ["The ship lies in the harbour of the old town and waits for the tide.",
    ...          "Bread is baked at night, so that it is warm in the early morning.",
    ...          "The ship lies in the port of the old town and waits for the evening tide."]
    >>> [(p.left_id, p.right_id) for p in doppel.pairs(texts, threshold=0.3, lang="en")]
    [(0, 2)]
    """
    parts = take("pairs", ("pairs", "vectors", "import"), options, {"lexicon": lexicon})
    own = parts[None]
    search = join(parts, "pairs", sample=own.get("sample") or None, no_recall_check=own.get("no-recall-check"),
                  assignment="optimal" if own.get("optimal") else None)
    method = search.get("method")
    columns, lang = columns_and_lang([s for s in (left, right) if s is not None], id, text, lang,
                                     title)
    reading = {**_reading(parts, columns, own.get("fields")), **parts.get("tokens", {})}
    langs = tuple(side or lang for side in given_sides("pairs", langs))
    with Call(context, progress) as call:
        if call.temp:
            search["temp"] = call.temp
        handle = lexicon_handle(lexicon, call, lexicon_langs)
        if method == "ngram":
            sides = [_collection(call, s, columns, l, reading) if s is not None else None
                     for s, l in zip((left, right), langs)]
            found, summary = _core.ngram(
                call.handle, call.report, sides[0]._collection,
                sides[1]._collection if sides[1] else None, handle, search, parts.get("ngram", {}),
                sides[0]._numbers, (sides[1] or sides[0])._numbers)
            return PairsTable(found, summary)
        sources, all_ids = (left, right), (left_ids, right_ids)
        order = (0,) if right is None else (1, 0) if project == "left" else (0, 1)
        sides, into = [None, None], None
        for i in order:
            is_projected = handle is not None and (right is None or i == order[-1])
            weighting = {**parts.get("vectors", {}), **({"into": into} if into else {})}
            sides[i] = _vectors(call, sources[i], columns, langs[i], reading, weighting,
                                handle if is_projected else None, all_ids[i])
            into = sides[i].lang
        a, b = sides
        found, summary = _core.pairs(call.handle, call.report, a._handle,
                                     b._handle if b else None, search, a._numbers,
                                     (b or a)._numbers)
    return PairsTable(found, summary)


# ---- align ------------------------------------------------------------------------------


def _id_pairs(pairs):
    """Pairs of ids as texts, of a table or a list."""
    if pairs is None:
        return None
    if hasattr(pairs, "__arrow_c_stream__"):
        return _core.input_list(arrow_pairs(pairs))
    return [(str(row[0]), str(row[1])) for row in pairs]


def align(left, right, pairs=None, *, id=None, text=None, lang=None, title=None, lexicon=None,
          lexicon_langs=None, langs=None, context=None, progress=None, **options):
    """Align the sentences of document pairs.

    Two texts are one pair of documents. Of tables, lists and paths (``pathlib.Path``), ``pairs`` says
    which documents belong together: a table or list of ids; without it, the first belongs to the
    first, and so on. The result has left_id, right_id, both sentences and the score, the numbers of
    the first sentences and how many they are, and the verdict of the filter; ``select`` says which
    ("kept", "unique", "all"). ``langs`` are the languages ("de,en"). Options are those of
    ``doppel.options("align")`` and "import".

    >>> import doppel
    >>> result = doppel.align(
    ...     "Das Haus ist alt. Es steht am See. Im Winter wohnt dort niemand.",
    ...     "The house is old. It stands by the lake. Nobody lives there in winter.",
    ...     langs="de,en", filter=False)
    >>> [(r.left_sentence, r.right_sentence) for r in result][0]
    ('Das Haus ist alt.', 'The house is old.')
    """
    parts = take("align", ("align", "import"), options, {"lexicon": lexicon})
    own = parts[None]
    given = join(parts, "sentences", unordered=own.get("method") == "unordered" or None,
                 unique=own.get("select") == "unique" or None)
    columns, lang = columns_and_lang((left, right), id, text, lang, title)
    reading = {**_reading(parts, columns, own.get("fields")), **parts.get("tokens", {})}
    with Call(context, progress) as call:
        sides = [_collection(call, source, columns, side or lang, reading, True)
                 for source, side in zip((left, right), given_sides("align", langs))]
        found, summary = _core.align(
            call.handle, call.report, sides[0]._collection, sides[1]._collection,
            _id_pairs(pairs), lexicon_handle(lexicon, call, lexicon_langs), given,
            own.get("select") == "all", sides[0]._numbers, sides[1]._numbers)
    return AlignResult(found, summary)


# ---- dedup ------------------------------------------------------------------------------


def dedup(*inputs, against=None, id=None, text=None, lang=None, title=None, out=None, lexicon=None,
          context=None, progress=None, **options):
    """Find copies and near-duplicates among documents, and choose which to keep.

    ``against`` are documents to compare with, which are kept in any case; with ``only_against`` nothing
    else is removed, and ``result.contamination`` says which of them is where, and how. ``out`` is the folder for
    the files that ``doppel dedup`` writes. Options are those of ``doppel.options("dedup")``:
    ``threshold`` (0.8), ``measure`` ("auto", "jaccard", "cosine", "containment"; "jaccard:shingle=5"), ``select``
    ("longest", "first", "newest:field=date", "highest:field=votes"), ``unit`` ...

    >>> import doppel
    >>> texts = ["The ship left the harbour at dawn with forty sailors and a cargo of salt.",
    ...          "Rain is expected in the north tomorrow, with strong winds along the coast.",
    ...          "The ship left the harbour at dawn, with forty sailors and a cargo of salt!"]
    >>> result = doppel.dedup(texts, lang="en")
    >>> len(result.filter(texts)), result.removed
    (2, {0})
    """
    if not inputs:
        raise TypeError("dedup() needs documents")
    parts = take("dedup", "dedup", options,
                 {"lexicon": lexicon, "against": against})
    own = parts[None]
    field = parts.get("dedup", {}).get("field")
    columns, lang = columns_and_lang(inputs, id, text, lang, title, [field] if field else [])
    given = join(parts, "dedup", sample=own.get("sample") or None, no_recall_check=own.get("no-recall-check"),
                 read=_reading(parts, columns, own.get("fields"), lang))
    old = [] if against is None else list(against) if isinstance(against, tuple) else [against]
    with Call(context, progress) as call:
        if call.temp:
            given.setdefault("temp", call.temp)
        folder = None
        if isinstance(lexicon, Lexicon):
            folder = TempFolder(call)
            lexicon = lexicon_path(lexicon, folder.path)
        if lexicon is not None:
            given["lexicon"] = lexicon
        plain = Columns(id, text, columns.lang, title)
        handles = [document_input(s, columns, f"input {i + 1}" if len(inputs) > 1 else None)
                   for i, s in enumerate(inputs)]
        others = [document_input(s, plain, f"against {i + 1}") for i, s in enumerate(old)]
        numbers = len(handles) == 1 and not others and _core.input_numbers(handles[0])
        found = _core.dedup(call.handle, call.report, out, handles, others, given)
    return DedupResult(found, numbers, None if out is None else os.fspath(out), columns)


# ---- reuse ------------------------------------------------------------------------------


def reuse(query, collection, *, id=None, text=None, lang=None, title=None, lexicon=None,
          context=None, progress=None, **options):
    """Find passages of documents that also occur in a collection: verbatim, edited, in another order, or
    translated (with a lexicon).

    The query is a text, or documents in any form. Options are those of ``doppel.options("reuse")``.

    >>> import doppel
    >>> source = ["It is a truth universally acknowledged, that a single man in possession of a "
    ...           "good fortune, must be in want of a wife."]
    >>> found = doppel.reuse("They say it is a truth universally acknowledged, that a single man in "
    ...                      "possession of a good fortune must be in want of a wife, of course.",
    ...                      source, lang="en")
    >>> [(p.source_id, p.kind) for p in found.passages]
    [(0, 'verbatim')]
    """
    parts = take("reuse", "reuse", options, {"lexicon": lexicon})
    columns, lang = columns_and_lang((query, collection), id, text, lang, title)
    given = join(parts, "reuse", read=_reading(parts, columns, parts[None].get("fields"), lang))
    with Call(context, progress) as call:
        folder = None
        if isinstance(lexicon, Lexicon):
            folder = TempFolder(call)
            lexicon = lexicon_path(lexicon, folder.path)
        if lexicon is not None:
            given["lexicon"] = lexicon
        if call.temp:
            given.setdefault("temp", call.temp)
        a = document_input(query, columns, "query", text_is_document=True)
        b = document_input(collection, columns, "collection")
        found = _core.reuse(call.handle, call.report, [a], [b], given)
        return ReuseResult(found, _core.input_numbers(a), _core.input_numbers(b))


# ---- the rest ---------------------------------------------------------------------------


def open(path, *, context=None):
    """Open what was saved: the folder of a run of ``mine``, or a file of a collection, vectors, a
    lexicon or an index."""
    if os.path.isdir(path):
        for name in ("pairs.tsv", "groups.tsv"):
            if os.path.exists(os.path.join(path, name)):
                return MineResult(os.fspath(path))
        raise UsageError(f"'{path}' is not the folder of a run of mine")
    call = Call(context)
    kind = _core.file_kind(call.handle, path)
    if kind == "collection":
        return Collection.open(path, context=call.context)
    if kind == "vectors" or (kind is None and str(path).endswith((".npy", ".fvecs"))):
        return Vectors.open(path, context=call.context)
    if kind == "pocket":
        from doppel._index import Index

        return Index(path, context=call.context)
    if kind == "lexicon" or kind is None:
        return Lexicon.open(path, context=call.context)
    raise UsageError(f"'{path}' is a {kind} file, which cannot be opened here")


def identify(text):
    """The language of a text, as an ISO 639 code ("und": unknown), and the confidence.

    >>> import doppel
    >>> doppel.identify("Dies ist ein Satz, der lang genug ist, um erkannt zu werden.")[0]
    'de'
    """
    return _core.identify(text)
