"""Lexicons: probabilities of word translations."""

import os

from doppel import _core
from doppel._context import Call, TempFolder, current
from doppel._inputs import Columns, document_input
from doppel._options import columns_of, given_sides, join, rounds_of, take
from doppel._table import Table

__all__ = ["Lexicon", "arrow_pairs", "lexicon_handle", "lexicon_path"]


def _is_paths(source):
    return isinstance(source, (str, os.PathLike)) or (
        isinstance(source, (list, tuple)) and bool(source)
        and all(isinstance(p, (str, os.PathLike)) for p in source))


def _pairs(source, left, right):
    """Paths as bytes, or an iterator of pairs of texts."""
    if _is_paths(source):
        paths = [source] if isinstance(source, (str, os.PathLike)) else source
        return [os.fsencode(p) for p in paths]
    if hasattr(source, "__arrow_c_stream__") or hasattr(source, "__arrow_c_array__"):
        return arrow_pairs(source, left, right)
    if isinstance(source, dict):
        return zip(source[left or "left"], source[right or "right"])
    return _tuples(source, left, right)


def arrow_pairs(source, left=None, right=None):
    """An input whose ids and texts are two columns of an Arrow table: those that are named, or usual
    ones, or the first two."""

    def choose(names):
        if left is not None or right is not None:
            wanted = (left or "left", right or "right")
        else:
            usual = (("left", "right"), ("left_sentence", "right_sentence"), ("left_id", "right_id"),
                     ("source", "target"))
            wanted = next((pair for pair in usual if set(pair) <= set(names)), tuple(names[:2]))
        for name in wanted:
            if name not in names:
                raise KeyError(f"no column '{name}'; there are {', '.join(names)}")
        return (*wanted, None, None), []

    if hasattr(source, "__arrow_c_stream__"):
        return _core.input_arrow(source.__arrow_c_stream__(), None, choose, None)
    return _core.input_arrow(*source.__arrow_c_array__(), choose, None)


def _tuples(rows, left, right):
    for row in rows:
        if isinstance(row, dict):
            yield row[left or "left"], row[right or "right"]
        else:
            yield row[0], row[1]


class Lexicon:
    """Words and their translations, with probabilities in both directions.

    >>> import doppel
    >>> lexicon = doppel.Lexicon.train(
    ...     [("das Haus", "the house"), ("das Buch", "the book"), ("ein Buch", "a book"),
    ...      ("ein Haus", "a house")], langs="de,en")
    >>> max(lexicon["Buch"], key=lexicon["Buch"].get)
    'book'
    >>> "Zeitung" in lexicon
    False
    >>> lexicon
    <doppel lexicon de-en, 4 and 4 words>
    """

    def __init__(self, handle):
        self._handle = handle
        (self.n_sources, self.n_targets, self.n_entries, self.n_back, self._links,
         self.source_lang, self.target_lang, self.has_stems, self._settings) = (
            _core.lexicon_info(handle))

    # ---- making them ----

    @classmethod
    def train(cls, pairs, *, left=None, right=None, langs=None, context=None, progress=None, **options):
        """Train on sentence pairs: tuples, a table (columns ``left`` and ``right``, or the two
        named), or paths of parallel text. ``langs`` are the languages ("de,en"); other options are
        those of ``doppel.options("lexicon train")``."""
        given = _parallel("Lexicon.train", "lexicon train", "train", options, langs)
        with Call(context, progress) as call:
            return cls(_core.lexicon_train(call.handle, call.report, _pairs(pairs, left, right),
                                           given))

    @classmethod
    def open(cls, path, *, langs=None, on_error=None, context=None):
        """Open a ``.dpl`` or a text file of lines ``source <TAB> target <TAB> probability``.
        ``langs`` are the languages of text ("de,en")."""
        source, target = given_sides("Lexicon.open", langs)
        given = {"source_lang": source, "target_lang": target, "on_error": on_error}
        return cls(_core.lexicon_open((context or current())._handle, path, given))

    @classmethod
    def from_dict(cls, words, *, langs=None, context=None, **options):
        """Make one from ``{source: {target: probability}}`` or triples.

        >>> import doppel
        >>> lexicon = doppel.Lexicon.from_dict({"Haus": {"house": 0.8, "building": 0.2}})
        >>> lexicon["Haus"]
        {'house': 0.8, 'building': 0.2}
        """
        given = _imported("Lexicon.from_dict", options, langs)
        if isinstance(words, dict):
            words = [(s, t, p) for s, row in words.items() for t, p in row.items()]
        return cls(_core.lexicon_entries((context or current())._handle, list(words), given))

    @classmethod
    def from_dictionaries(cls, *dictionaries, langs=None, context=None, progress=None, **options):
        """Make one from dictionary files (any format of ``doppel lexicon import``), each a path or a pair
        of path and weight. Options are those of ``doppel.options("lexicon import")``."""
        given = _imported("Lexicon.from_dictionaries", options, langs)
        listed = [d if isinstance(d, tuple) else (d, 0.0) for d in dictionaries]
        with Call(context, progress) as call:
            return cls(_core.lexicon_import(call.handle, call.report, listed, given))

    @classmethod
    def learn(cls, left, right, *, id=None, text=None, lang=None, title=None, langs=None, context=None,
              progress=None, **options):
        """Learn one from two collections of documents that are not aligned, as ``doppel.mine``
        does. Options are those of ``doppel.options("lexicon learn")``."""
        parts = take("Lexicon.learn", "lexicon learn", options)
        columns = Columns(id, text, lang, title)
        left_lang, right_lang = given_sides("Lexicon.learn", langs)
        given = join(parts, "mine", left_lang=left_lang, right_lang=right_lang, **columns.keys(),
                     **columns_of(parts[None].get("fields")))
        with Call(context, progress) as call:
            folder = TempFolder(call)
            path = os.path.join(folder.path, "lexicon.dpl")
            if parts[None].get("dictionary") is not None:
                given["dictionary"] = dictionary_path(parts[None]["dictionary"], langs, folder.path)
            _core.lexicon_learn(call.handle, call.report, path,
                                [document_input(left, columns, "left"),
                                 document_input(right, columns, "right")], given)
            return cls.open(path, context=call.context)

    # ---- words ----

    def _look_up(self, word, is_target):
        found, row, count = _core.lexicon_look_up(current()._handle, self._handle, word, is_target)
        return found, row, count

    def __getitem__(self, word):
        found, row, _ = self._look_up(word, False)
        if row is None:
            near = _core.lexicon_near(self._handle, found, False, 3) if found else []
            raise KeyError(word + (f"; like it: {', '.join(near)}" if near else ""))
        return _by_probability(row)

    def get(self, word, default=None):
        """Translations of a source word, the most probable first; or the default."""
        _, row, _ = self._look_up(word, False)
        return default if row is None else _by_probability(row)

    def reverse(self, word):
        """Source words that a target word translates, with p(source|target)."""
        _, row, _ = self._look_up(word, True)
        if row is None:
            raise KeyError(word)
        return _by_probability(row)

    def count(self, word, target=False):
        """How often the word occurred in what the lexicon was trained on; 0 when not known."""
        return self._look_up(word, target)[2]

    def __contains__(self, word):
        return isinstance(word, str) and self._look_up(word, False)[1] is not None

    def __len__(self):
        return self.n_entries

    @property
    def entries(self):
        """A table of source, target and p(target|source)."""
        return Table(_core.lexicon_table(self._handle, False))

    @property
    def back_entries(self):
        """A table of source, target and p(source|target)."""
        return Table(_core.lexicon_table(self._handle, True))

    # ---- use ----

    def align(self, pairs, *, left=None, right=None, langs=None, context=None, progress=None, **options):
        """Align the words of sentence pairs: a list of (left words, right words, links), links
        being pairs of word numbers. Needs a lexicon that was trained. Options are those of
        ``doppel.options("lexicon align")``."""
        given = _parallel("Lexicon.align", "lexicon align", "align", options, langs)
        with Call(context, progress) as call:
            return _core.lexicon_align(call.handle, call.report, self._handle,
                                       _pairs(pairs, left, right), given)

    def save(self, path):
        """Write it to a ``.dpl``."""
        _core.lexicon_save(self._handle, path)

    def __repr__(self):
        langs = f" {self.source_lang}-{self.target_lang}" if self.source_lang else ""
        return f"<doppel lexicon{langs}, {self.n_sources} and {self.n_targets} words>"

    def _repr_html_(self):
        return f"<p>{repr(self)[1:-1]}</p>{self.entries._repr_html_()}"


def _imported(call, options, langs):
    source, target = given_sides(call, langs)
    return join(take(call, "lexicon import", options), "lexicon_import", source_lang=source,
                target_lang=target)


def _parallel(call, command, table, options, langs):
    """Options of a command that reads parallel text."""
    parts = take(call, command, options)
    left_lang, right_lang = given_sides(call, langs)
    columns = str(parts[None].get("fields") or ",").split(",")
    return join(parts, table, left_lang=left_lang, right_lang=right_lang, left_column=columns[0] or None,
                right_column=columns[-1] or None, **rounds_of(parts[None].get("rounds")))


def _by_probability(row):
    return {word: round(p, 6) for word, p in sorted(row, key=lambda item: -item[1])}


def lexicon_handle(lexicon, call, langs=None):
    """A handle or None of a Lexicon, a path or None."""
    if lexicon is None:
        return None
    if isinstance(lexicon, Lexicon):
        return lexicon._handle
    given = dict(zip(("source_lang", "target_lang"), langs.split(","))) if langs else {}
    return _core.lexicon_open(call.handle, lexicon, given)


def lexicon_path(lexicon, folder):
    """A path of a Lexicon, which is saved in the folder."""
    if not isinstance(lexicon, Lexicon):
        return lexicon
    path = os.path.join(folder, "given-lexicon.dpl")
    if lexicon.n_back:
        lexicon.save(path)
    else:
        path = os.path.join(folder, "given-lexicon.tsv")
        lexicon.entries.write_tsv(path)
    return path


def dictionary_path(dictionary, langs, folder):
    """A path of one dictionary; of several, the path of their mixture, which is saved in the folder."""
    if isinstance(dictionary, (str, os.PathLike)):
        return os.fspath(dictionary)
    path = os.path.join(folder, "given-dictionary.dpl")
    Lexicon.from_dictionaries(*dictionary, langs=langs).save(path)
    return path
