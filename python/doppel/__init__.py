"""Find translations and near-duplicates in collections of documents, and align their sentences."""

from doppel import _core
from doppel._errors import (Error, FileError, FormatError, LimitError, NothingError, StoppedError,
                            UnsupportedError, UsageError)

__version__ = _core.version()[0]
