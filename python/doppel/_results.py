"""What calls return: tables, a summary, a report."""

import os

from doppel import _core
from doppel._lexicon import Lexicon
from doppel._sources import whole
from doppel._table import Table, _html

__all__ = ["AlignResult", "DedupResult", "MineResult", "MineRun", "PairsTable", "Report", "ReuseResult"]


def _summary_html(title, summary):
    rows = "".join(f"<tr><td>{_html(k)}</td><td>{_html(v)}</td></tr>" for k, v in summary.items()
                   if not isinstance(v, (dict, list)) and v is not None)
    return f"<p><b>{_html(title)}</b></p><table>{rows}</table>"


class Report:
    """A page of HTML that needs no other file."""

    def __init__(self, html):
        self.html = html

    def save(self, path):
        """Write the page to a file."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.html)

    def _repr_html_(self):
        page = self.html.replace("&", "&amp;").replace('"', "&quot;")
        return f'<iframe srcdoc="{page}" style="width:100%;height:40em;border:0"></iframe>'

    def __repr__(self):
        return f"<doppel report, {len(self.html)} characters of HTML>"


class PairsTable(Table):
    """Pairs, with a summary of the search."""

    def __init__(self, handle, summary):
        super().__init__(handle)
        self._summary = summary

    @property
    def summary(self):
        """Method, counts, recall check."""
        import json

        return json.loads(self._summary)

    def save(self, path, header=False):
        """Write left id, right id and score, tab-separated, as ``doppel pairs`` does."""
        self.write_tsv(path, 3, header)


class AlignResult(PairsTable):
    """Sentence pairs, with a summary of the alignment."""

    def save(self, path, header=False):
        """Write left id, right id, both sentences and the score, as ``doppel align`` does."""
        self.write_tsv(path, 5, header)


# ---- mine -------------------------------------------------------------------------------


class MineRun:
    """What was found between two languages."""

    def __init__(self, handle, number, info, numbers):
        self._handle, self._number = handle, number
        self.left_lang, self.right_lang, self.n_pairs, self.n_sentence_pairs, self.unit, empty = info
        self.is_empty = empty
        self._numbers = (False, False) if self.unit == "sentence" else numbers
        self._tables = {}
        self._lexicon = None

    def _table(self, what):
        if what not in self._tables:
            self._tables[what] = Table(
                _core.mine_table(self._handle, what, self._number, *self._numbers))
        return self._tables[what]

    @property
    def pairs(self):
        """Document pairs: left_id, right_id, confidence, cosine, margin."""
        return self._table("pairs")

    @property
    def sentences(self):
        """Sentence pairs: left_id, right_id, left_sentence, right_sentence, score."""
        return self._table("sentences")

    @property
    def passages(self):
        """Which sentences of the pairs are translations, where documents were compared by
        passages or have sections: left_id, right_id, left_share, right_share of the words, ranges
        of sentences, from 0 (left_begin, left_end, right_begin, right_end), and the headings of
        their sections (left_heading, right_heading)."""
        return self._table("passages")

    @property
    def lexicon(self):
        """The lexicon of the last round; None where nothing was learned."""
        if self._lexicon is None:
            handle = _core.mine_lexicon(self._handle, self._number)
            self._lexicon = None if handle is None else Lexicon(handle)
        return self._lexicon

    def __repr__(self):
        return (f"<doppel run {self.left_lang}-{self.right_lang}, {self.n_pairs} pairs, "
                f"{self.n_sentence_pairs} sentence pairs>")


class MineResult:
    """Parallel documents and sentences, and the lexicon that was learned from them.

    ``pairs``, ``sentences`` and ``lexicon`` are those of two languages; with more, ``groups`` has
    the documents that belong together, and ``runs`` what was found between two languages. ``summary`` is a dict, ``report`` a page to look at. ``save`` writes the folder that
    ``doppel mine`` writes; ``doppel.open`` opens it again.
    """

    def __init__(self, folder, handle=None, numbers=(False, False), keep=None):
        self.folder = str(folder)
        self._handle, self._keep = handle, keep
        self._tables = {}
        self._summary = None
        self._runs = None
        self._numbers = numbers
        self._lexicon = None

    # ---- where things are ----

    def _file(self, *names):
        return os.path.join(self.folder, *names)

    def _has(self, name):
        return os.path.exists(self._file(name))

    def _from_file(self, name, fields, nulls=False):
        if name not in self._tables:
            path = self._file(name)
            if not os.path.exists(path):
                raise AttributeError(f"the run left no {name} in '{self.folder}'")
            self._tables[name] = Table(_core.table_of_file(os.fsencode(path), fields, nulls))
        return self._tables[name]

    @property
    def _is_many(self):
        return self._has("groups.tsv")

    def _only(self, what):
        if self._handle is not None and not self._is_many:
            return getattr(self.runs[0], what)
        return None

    # ---- what was found ----

    @property
    def runs(self):
        """What was found between each two languages, as MineRun or MineResult."""
        if self._runs is None:
            if self._handle is not None:
                infos, _, _ = _core.mine_info(self._handle)
                self._runs = [MineRun(self._handle, i, info, self._numbers)
                              for i, info in enumerate(infos)]
            elif self._is_many:
                names = sorted(n for n in os.listdir(self.folder)
                               if os.path.exists(self._file(n, "run.json")))
                self._runs = [MineResult(self._file(n)) for n in names]
            else:
                self._runs = [self]
        return self._runs

    @property
    def languages(self):
        """Codes of the languages."""
        if self._handle is not None:
            return _core.mine_info(self._handle)[1]
        if self._is_many:
            return [d["lang"] for d in self.summary["languages"]]
        return [self.summary["left"]["lang"], self.summary["right"]["lang"]]

    @property
    def pairs(self):
        """Document pairs: left_id, right_id, confidence; of a run that was not opened from files
        also cosine and margin."""
        found = self._only("pairs")
        return found if found is not None else self._from_file(
            "pairs.tsv", [("left_id", "U"), ("right_id", "U"), ("confidence", "g")])

    @property
    def sentences(self):
        """Sentence pairs: left_id, right_id, left_sentence, right_sentence, score."""
        found = self._only("sentences")
        return found if found is not None else self._from_file(
            "sentences.tsv", [("left_id", "U"), ("right_id", "U"), ("left_sentence", "U"),
                              ("right_sentence", "U"), ("score", "f")])

    @property
    def passages(self):
        """Parts of the documents that are translations, where they were compared by passages or
        have sections: the columns of ``passages.tsv``."""
        found = self._only("passages")
        return found if found is not None else self._from_file(
            "passages.tsv", [("left_id", "U"), ("right_id", "U"), ("left_share", "g"),
                             ("right_share", "g"), ("left_begin", "g"), ("left_end", "g"),
                             ("right_begin", "g"), ("right_end", "g"), ("left_heading", "U"),
                             ("right_heading", "U")])

    @property
    def dropped(self):
        """Why sentence pairs were left out, with some examples of each reason: reason, number,
        left_id, right_id, left_sentence, right_sentence."""
        return self._from_file("dropped.tsv", [("reason", "U"), ("number", "g"), ("left_id", "U"),
                                               ("right_id", "U"), ("left_sentence", "U"),
                                               ("right_sentence", "U")])

    @property
    def left_out(self):
        """Documents that were not mined: lang, id, reason."""
        return self._from_file("left-out.tsv", [("lang", "U"), ("id", "U"), ("reason", "U")])

    @property
    def copies(self):
        """Near-copies within a side: lang, id, copy_of."""
        return self._from_file("copies.tsv", [("lang", "U"), ("id", "U"), ("copy_of", "U")])

    @property
    def groups(self):
        """Documents that belong together, one column for each language; null where there is none.
        Of two languages, their pairs."""
        if self._handle is not None and self._is_many:
            if "groups" not in self._tables:
                self._tables["groups"] = Table(
                    _core.mine_table(self._handle, "groups", 0, False, False))
            return self._tables["groups"]
        if self._is_many:
            pivot = self.summary["pivot"]
            codes = [pivot] + [code for code in self.languages if code != pivot]
            return self._from_file("groups.tsv", [(code, "U") for code in codes], True)
        return self.pairs

    @property
    def lexicon(self):
        """The lexicon of the last round (of two languages; of more, ``runs`` have theirs)."""
        if self._is_many:
            raise AttributeError("there is a lexicon for each of result.runs")
        if self._handle is not None:
            return self.runs[0].lexicon
        if self._lexicon is None:
            made = [f"lexicon-{i}.dpl" for i in range(99, 0, -1)]
            path = next((p for p in (self._file("work", n) for n in made) if os.path.exists(p)),
                        None)
            if path is not None:
                self._lexicon = Lexicon.open(path)
            else:  # without work/: rounded to six decimals
                left, right = self.languages
                self._lexicon = Lexicon.open(self._file("lexicon.tsv.zst"), langs=(left, right))
        return self._lexicon

    @property
    def summary(self):
        """Counts, rounds, estimates and seconds, as ``run.json`` has them."""
        if self._summary is None:
            import json

            with open(self._file("run.json"), encoding="utf-8") as file:
                self._summary = json.load(file)
        return self._summary

    @property
    def report(self):
        """A page with figures and examples, to look at."""
        with open(self._file("report.html"), encoding="utf-8") as file:
            return Report(file.read())

    # ---- keeping it ----

    def save(self, folder):
        """Write everything to a folder, which must be new or empty: the files that ``doppel mine``
        writes, with ``work/``."""
        import shutil

        if os.path.exists(folder) and os.listdir(folder):
            raise FileExistsError(f"'{folder}' is not empty")
        shutil.copytree(self.folder, folder, dirs_exist_ok=True)

    def __repr__(self):
        langs = "-".join(self.languages)
        s = self.summary
        n = sum(s["groups"].values()) if self._is_many else s["pairs"]
        what = "groups" if self._is_many else "pairs"
        return f"<doppel mining result {langs}, {n} {what}>"

    def _repr_html_(self):
        title = f"{' – '.join(self.languages)}: parallel documents and sentences"
        return (_summary_html(title, self.summary) + "<p>sentences</p>"
                + self.sentences._repr_html_())


# ---- dedup ------------------------------------------------------------------------------


class DedupResult:
    """Which documents are kept and which are removed as duplicates.

    ``documents`` has a row for each document, ``pairs`` the near-duplicates and translations that
    were found, ``removed`` the ids that ``filter`` leaves out.
    """

    def __init__(self, handle, numbers, folder=None, columns=None):
        self._handle, self._numbers, self._columns = handle, numbers, columns
        self.folder = folder
        self._removed = None

    @property
    def documents(self):
        """id, cluster (id of the document that is kept), score, keep, kind."""
        return Table(_core.dedup_table(self._handle, "documents", self._numbers))

    @property
    def clusters(self):
        """Documents of one cluster each, the kept one first: a dict of lists of ids by the id of the
        kept document, of clusters of two and more."""
        found = {}
        for row in self.documents:
            if row.cluster != row.id:
                found.setdefault(row.cluster, [row.cluster]).append(row.id)
        return found

    @property
    def contamination(self):
        """Documents of ``against`` that new ones have: item_id, id of the new document, how
        ("verbatim", "rewrapped", "embedded", "edited", "translated"), score, and where it begins
        and ends in the text of the new document (in bytes)."""
        return Table(_core.dedup_table(self._handle, "contamination", False))

    @property
    def pairs(self):
        """Pairs of similar documents: left_id, right_id, score, kind."""
        return Table(_core.dedup_table(self._handle, "pairs", self._numbers))

    @property
    def summary(self):
        """Counts, method and seconds."""
        import json

        return json.loads(_core.dedup_summary(self._handle))

    @property
    def removed(self):
        """Ids of the documents that are not kept, as a set."""
        if self._removed is None:
            self._removed = {row.id for row in self.documents if not row.keep}
        return self._removed

    def filter(self, documents):
        """The documents that are kept: of a frame of polars or pandas, a table of pyarrow, a
        dataset of datasets, or a list, as it was given; of a relation of duckdb, a dataset of
        pyarrow, a lazy frame or the path of a Parquet file or folder, a table."""
        removed = self.removed
        documents = whole(documents)
        module = type(documents).__module__.partition(".")[0]
        if isinstance(documents, (list, tuple)):
            return [d for i, d in enumerate(documents) if self._id_of(i, d) not in removed]
        if module == "datasets" and not hasattr(documents, "__len__"):  # a stream
            return documents.filter(lambda d, i: self._id_of(i, d) not in removed,
                                    with_indices=True)
        if not hasattr(documents, "filter"):
            raise TypeError(f"cannot filter {type(documents).__name__}")
        names = list(getattr(documents, "column_names", None) or getattr(documents, "columns", ()))
        if self._numbers:
            ids = range(len(documents))
        else:
            name = self._columns.choose(names)[0][0]
            column = documents[name]
            ids = column.to_pylist() if hasattr(column, "to_pylist") else (
                column.to_list() if hasattr(column, "to_list") else list(column))
        mask = [i not in removed and str(i) not in removed for i in ids]
        if module == "pandas":
            return documents[mask]
        if module == "datasets":
            return documents.select([i for i, is_kept in enumerate(mask) if is_kept])
        return documents.filter(mask)

    def _id_of(self, position, document):
        if self._numbers:
            return position
        if isinstance(document, dict):
            return str(document[self._columns.id or "id"])
        return str(document[0])

    def save(self, path):
        """Write ``clusters.tsv`` (id, cluster, score, keep), the same bytes as ``doppel dedup``."""
        self.documents.write_tsv(path, 4)

    def __repr__(self):
        s = self.summary
        return f"<doppel dedup result, {s['kept']} of {s['documents']} documents kept>"

    def _repr_html_(self):
        return _summary_html("duplicates", self.summary) + self.documents._repr_html_()


# ---- reuse ------------------------------------------------------------------------------


class ReuseResult:
    """Passages of documents that stand in a collection, too."""

    def __init__(self, handle, query, source):
        self._handle, self._numbers = handle, (query, source)

    @property
    def passages(self):
        """query_id, source_id, kind, similarity, both texts, where they stand (in bytes)."""
        return Table(_core.reuse_table(self._handle, *self._numbers))

    @property
    def summary(self):
        """Counts and seconds."""
        import json

        return json.loads(_core.reuse_summary(self._handle))

    @property
    def report(self):
        """A page with the query documents, their passages marked."""
        return Report(_core.reuse_html(self._handle))

    def __repr__(self):
        return f"<doppel reuse result, {len(self.passages)} passages>"

    def _repr_html_(self):
        return self.report._repr_html_()
