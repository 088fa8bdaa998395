"""The exceptions: one class for each status of the library."""

import re

__all__ = ["Error", "FormatError", "FileError", "UsageError", "LimitError", "UnsupportedError",
           "NothingError", "StoppedError"]


class Error(Exception):
    """What failed, and what to try instead.

    Attributes: ``file`` (name of the file or input, or None), ``line`` and ``column`` (from 1, or
    None), ``offset`` (in bytes, or None), ``hint`` (what to try, or None), ``code`` (a stable name
    of the problem, or None).
    """

    file = line = column = offset = hint = code = None

    def __str__(self):
        text = self.args[-1] if self.args else ""
        return f"{text}\nhint: {self.hint}" if self.hint else str(text)


class FormatError(Error, ValueError):
    """Input that is damaged or malformed."""


class FileError(Error, OSError):
    """The system refused to read or write a file; ``errno`` says why."""


class UsageError(Error, ValueError):
    """An option or argument that is out of range or does not fit the others."""


class LimitError(Error, MemoryError):
    """The work does not fit into the memory limit, or memory is exhausted."""


class UnsupportedError(Error, NotImplementedError):
    """Valid, but not something that this build can do."""


class NothingError(Error):
    """The inputs have nothing in common that could be learned from."""


class StoppedError(Error):
    """The work was cancelled."""


_CLASSES = {-1: LimitError, -2: LimitError, -3: FileError, -4: FormatError, -5: UsageError,
            -6: UnsupportedError, -7: StoppedError, -8: NothingError}

# Hints for codes of the library, as they are said in Python.
_HINTS = {
    "memory": "set a larger limit: doppel.Context(memory='8G')",
    "unknown-format": "set the format: from_='jsonl', 'csv', 'tsv', 'wiki', 'docenc', or 'dir' for text",
    "file-parquet": "read it with polars, pandas or pyarrow and give the table",
    "bad-record": "on_error='skip' drops such records and counts them",
    "bad-row": "on_error='skip' drops such rows and counts them",
    "bad-utf8": "on_error='replace' keeps going; on_error='skip' drops such records",
    "missing-id": "set the column of the id with id=...; id=None numbers the documents",
    "missing-text": "set the column of the text with text=...",
    "duplicate-id": "on_error='skip' keeps the first one and counts the others",
    "nothing-learned": "give a start with dictionary=... or lexicon=...",
    "one-language": "doppel.pairs and doppel.dedup find near-duplicates in one language",
    "both-one-language": "doppel.pairs and doppel.dedup find near-duplicates in one language; "
                         "langs='x,y' sets another language than was detected",
    "pivot": "pivot=... chooses another pivot language",
    "other-language": "give a lexicon between the two languages",
    "lexicon-languages": "set the languages with langs='x,y'",
    "lexicon-languages-unknown": "set them with lexicon_langs='x,y'",
    "lexicon-no-model": "Lexicon.train makes a lexicon with an alignment model",
    "resume-other-run": "without resume the run starts from the beginning",
    "resume-damaged": "without resume the run starts from the beginning",
    "folder-in-use": "wait for the other run, or choose another folder",
    "folder-foreign": "choose another folder",
}


def make(status, text, line, column, offset, errno, hint, code):
    """The exception for an error record; called by the extension."""
    kind = _CLASSES.get(status, Error)
    error = kind(errno, text) if kind is FileError else kind(text)
    found = re.search(r"'([^']*)'", text)
    if found and status in (-3, -4):
        error.file = found.group(1)
    error.line = line or None
    error.column = column or None
    error.offset = offset or None
    error.code = code or None
    error.hint = _HINTS.get(code) or hint or None
    return error
