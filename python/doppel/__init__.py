"""Find translations and near-duplicates in collections of documents, and align their sentences.

>>> import doppel
>>> pairs = doppel.pairs(["ein Text, der sich wiederholt und wiederholt"],
...                      ["ein Text, der sich wiederholt und wiederholt"], lang="de", min_terms=1)
>>> len(pairs)
1

The calls are ``mine``, ``pairs``, ``align``, ``dedup`` and ``reuse``; ``Lexicon``, ``Collection``,
``Vectors`` and ``Index`` hold what they work with; ``Context`` sets threads, memory and progress.
"""

from doppel import _core
from doppel._calls import align, dedup, identify, mine, open, pairs, reuse
from doppel._collection import Collection, Document, Vectors
from doppel._context import Context
from doppel._core import Column
from doppel._errors import (Error, FileError, FormatError, LimitError, NothingError, StoppedError,
                            UnsupportedError, UsageError)
from doppel._eval import eval
from doppel._index import Entry, Explanation, Index
from doppel._lexicon import Lexicon
from doppel._options import options
from doppel._results import (AlignResult, DedupResult, MineResult, MineRun, PairsTable, Report,
                             ReuseResult)
from doppel._table import Table

__version__ = _core.version()[0]

__all__ = ["AlignResult", "Collection", "Column", "Context", "DedupResult", "Document", "Entry", "Error",
           "Explanation", "FileError", "FormatError", "Index", "Lexicon", "LimitError", "MineResult", "MineRun", "NothingError",
           "PairsTable", "Report", "ReuseResult", "StoppedError", "Table", "UnsupportedError",
           "UsageError", "Vectors", "align", "dedup", "eval", "identify", "mine", "open", "options",
           "pairs", "reuse"]
