"""Keyword arguments of calls: the options of the command that does the same."""

from collections import namedtuple

from doppel import _core

__all__ = ["columns_of", "given_sides", "join", "options", "rounds_of", "take"]

#: One option or knob: of a field of the library (table, field), or of the command alone (table None).
_Row = namedtuple("_Row", "name kind help expects default table field only_with knob_of knob_with choices")

_KINDS = ("flag", "count", "size", "integer", "number", "choice", "text", "file", "file", "folder",
          "group", "other")
_cache = {}

#: Options of a command without a field of the library that its call takes: as keywords that it sees to
#: itself, and as parameters of its own. The command line alone has the others (--output, --part).
_OWN = {"mine": ("fields", "select", "dictionary"), "pairs": ("fields", "sample", "optimal"),
        "align": ("fields", "select", "method"), "dedup": ("fields", "sample"), "reuse": ("fields",),
        "import": ("fields",), "vectors": (), "index build": ("fields",), "query": ("fields",),
        "lexicon import": (), "lexicon learn": ("fields", "dictionary"), "lexicon train": ("fields", "rounds"),
        "lexicon align": ("fields",)}
_PARAMETERS = {"mine": ("langs",), "pairs": ("lexicon", "lexicon-langs", "project", "langs"),
               "align": ("lexicon", "lexicon-langs", "langs"), "dedup": ("against",), "vectors": ("lexicon",),
               "index build": ("lexicon",), "lexicon import": ("langs",), "lexicon learn": ("langs",),
               "lexicon train": ("langs",), "lexicon align": ("langs",)}


def _rows(command):
    if command not in _cache:
        _cache[command] = [_Row(*row) for row in _core.options(command)]
    return _cache[command]


def _python(name):
    return name.replace("-", "_")


def _usage(text):
    from doppel._errors import UsageError

    return UsageError(text)


# ---- knobs and conditions ---------------------------------------------------------------


def _knobs(call, rows, row, value):
    """"window:tables=9,no-verify" -> "window" and [(row of tables, "9"), (row of no-verify, True)]."""
    if not isinstance(value, str) or ":" not in value or not any(r.knob_of == row.name for r in rows):
        return value, []
    value, _, text = value.partition(":")
    found = []
    for part in text.split(","):
        name, _, setting = part.partition("=")
        own = [r for r in rows if r.knob_of == row.name
               and (r.knob_with is None or value in r.knob_with.split(","))]
        knob = next((r for r in own if r.name == _dashes(name)), None)
        if knob is None:
            known = ", ".join(r.name for r in own)
            raise _usage(f"{call}(): {row.name}='{value}' has no knob '{name}'"
                         + (f"; it has {known}" if known else ""))
        found.append((knob, True if _KINDS[knob.kind] == "flag" else setting))
    return value, found


def _dashes(name):
    return name.replace("_", "-")


def _holds(condition, rows, values):
    """One of "method=brute,window", "lexicon", "!no-filter", of what is given and the defaults."""
    name, _, wanted = condition.lstrip("!").partition("=")
    row = next((r for r in rows if r.name == name), None)
    if row is None:
        return True  # --json, --part: not of Python
    value = values.get(name)
    if wanted:
        default = row.choices[0] if row.choices else row.default
        held = str(default if value is None else value) in wanted.split(",")
    else:
        held = value is not None and value is not False
    return held != condition.startswith("!")


def _check(call, rows, row, values):
    """Refuses an option that has no effect with the others that are given."""
    conditions = (row.only_with or "").replace(" |", "|").replace("| ", "|").split()
    for alternatives in conditions:
        if not any(_holds(c, rows, values) for c in alternatives.split("|")):
            what = _python(alternatives.replace("|", " or "))
            raise _usage(f"{call}(): '{_python(row.name)}' applies only with {what}"
                         .replace("with !", "without "))


# ---- what a call takes ------------------------------------------------------------------


def _find(rows, name, own, value):
    """The row of a keyword, and its value: filter=False is no_filter=True."""
    name = _dashes(name.rstrip("_"))  # from_, which is a word of Python without it
    for r in rows:
        if r.knob_of is None and (r.table or r.name in own):
            if r.name == name:
                return r, value
            if r.name == "no-" + name and isinstance(value, bool):
                return r, not value
    return None, value


def take(call, commands, given, also=None, own=None):
    """Options by the table of the library that they belong to: {"mine": {"rounds": 3}, ...}.

    ``commands`` is one command, or several of which the first that has an option counts. ``also`` are
    arguments of the call that conditions of options name. ``own`` (default: _OWN of the first command) are
    options that the call sees to itself; they are under None."""
    names = (commands,) if isinstance(commands, str) else commands
    own = _OWN.get(names[0], ()) if own is None else own
    rows = [row for name in names for row in _rows(name)]
    values = {_dashes(k): v for k, v in (also or {}).items() if v is not None and not (isinstance(v, tuple) and not v)}
    set_rows = []
    for keyword, value in given.items():
        row, value = _find(rows, keyword, own, value)
        if row is None:
            import difflib

            known = [_python(r.name) for r in rows if r.knob_of is None and (r.table or r.name in own)]
            near = difflib.get_close_matches(keyword, known, 1)
            hint = f"; did you mean '{near[0]}'?" if near else ""
            raise TypeError(f"{call}() got an unexpected keyword argument '{keyword}'{hint}")
        if value is None:
            continue
        value, knobs = _knobs(call, rows, row, value)
        if row.choices and not row.table and value not in row.choices:
            raise _usage(f"{call}(): '{value}' is not a value of '{_python(row.name)}': "
                         f"{', '.join(row.choices)}")
        set_rows += [(row, value), *knobs]
    values.update((row.name, value) for row, value in set_rows)
    parts = {None: {}}
    for row, value in set_rows:
        if value is not False:
            _check(call, rows, row, values)
        parts.setdefault(row.table, {})[row.field] = value
    if None in parts and "sample" in parts[None]:
        parts[None]["no-recall-check"] = parts[None]["sample"] == 0
    return parts


def join(parts, table, **more):
    """The options of a table of the library, with those of its groups inside."""
    found = dict(parts.get(table, {}))
    for group, inner in _core.option_groups(table):
        if parts.get(inner):
            found[group] = parts[inner]
    found.update((k, v) for k, v in more.items() if v is not None)
    return found


def given_sides(call, langs):
    """"de,en" or a pair -> the languages of both sides; None: not said."""
    if langs is None:
        return None, None
    pair = langs.split(",") if isinstance(langs, str) else list(langs)
    if len(pair) == 1:
        pair *= 2
    if len(pair) != 2:
        raise _usage(f"{call}(): 'langs' are two languages, such as 'de,en'")
    return tuple(code or None for code in pair)


def columns_of(fields):
    """"id=url,text=body" or names of columns -> options of reading."""
    if not fields:
        return {}
    if "=" not in fields:
        return {"columns": fields}
    return {name + "_key": key for name, _, key in (f.partition("=") for f in fields.split(","))}


def rounds_of(rounds):
    """"5,5" or a pair: iterations of IBM Model 1 and of the HMM."""
    if rounds is None:
        return {}
    first, second = (rounds.split(",") if isinstance(rounds, str) else rounds)
    return {"model1": int(first), **({"hmm": int(second)} if int(second) else {"no_hmm": True})}


def options(command):
    """The options of a command that its call takes: name, type, meaning, default.

    Calls take the options of the command of the same name as keyword arguments: ``mine``, ``pairs``,
    ``align``, ``dedup``, ``reuse``; ``Collection.make`` those of "import", ``Vectors.of`` of "vectors",
    ``Index.build`` of "index build", ``Index.search`` of "query", ``Lexicon.train`` of "lexicon train"
    and so on. Knobs follow a value: ``method="window:tables=9"``.

    >>> import doppel
    >>> [o["default"] for o in doppel.options("mine") if o["name"] == "rounds"]
    ['20']
    """
    return [{"name": _python(r.name), "type": _KINDS[r.kind], "help": r.help, "value": r.expects or None,
             "default": r.default or (r.choices[0] if r.choices else None),
             "knob_of": r.knob_of and _python(r.knob_of)} for r in _rows(command)
            if r.table or r.knob_of or r.name in _OWN.get(command, ()) + _PARAMETERS.get(command, ())]
